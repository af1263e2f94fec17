/* Threaded code, by computed gotos.
 *
 * Operands are words of the top frame, counted from its first local; temporaries lie behind the
 * last local, where the state has room but nothing to say. A leaf of a term costs no instruction:
 * locals are operands, constants are second operands. Widening is none either: words are kept
 * masked. A comparison that only steers a branch is one instruction with it, and so is an access to
 * a known object.
 *
 * Every instruction looks at the marks of what it reads: shadows end the stretch. Only the last
 * instruction of an edge changes what counts, so stopping inside of an edge is stopping before it.
 * Steps are paid for at the entry of a stretch; who stops early gets the rest back. */
#include "exec/threaded_code.h"

#include "base/checked.h"
#include "exec/exec_limits.h"

#pragma GCC diagnostic ignored "-Wpedantic"  // labels as values: GNU C

// name, what a and b give
#define BINARY(B)                                                                         \
  B(ADD, a + b)                                                                           \
  B(MUL, a *b)                                                                            \
  B(AND, a &b)                                                                            \
  B(OR, a | b)                                                                            \
  B(XOR, a ^ b)                                                                           \
  B(SHL, b < in->width ? a << b : 0)                                                      \
  B(LSHR, b < in->width ? a >> b : 0)                                                     \
  B(ASHR, (uint64_t)(tp_as_signed(a, in->width) >> (b < in->width ? b : in->width - 1u))) \
  B(UDIV, b ? a / b : UINT64_MAX)                                                         \
  B(UREM, b ? a % b : a)                                                                  \
  B(SDIV, tp_divide_signed(a, b, in->width))                                              \
  B(SREM, tp_remainder_signed(a, b, in->width))
#define COMPARE(B)                                              \
  B(ULT, a < b)                                                 \
  B(ULE, a <= b)                                                \
  B(EQ, a == b)                                                 \
  B(SLT, (int64_t)(a << in->shift) < (int64_t)(b << in->shift)) \
  B(SLE, (int64_t)(a << in->shift) <= (int64_t)(b << in->shift))
#define UNARY(B)                                \
  B(MOVE, a)                                    \
  B(NEG, 0 - a)                                 \
  B(NOT, ~a)                                    \
  B(SEXT, (uint64_t)tp_as_signed(a, in->width)) \
  B(EXTRACT, a >> in->shift)
#define ACCESS(B) B(1, uint8_t) B(2, uint16_t) B(4, uint32_t) B(8, uint64_t)

typedef enum {
#define B(name, e) T_##name##_RR, T_##name##_RI,
  BINARY(B) COMPARE(B)
#undef B
#define B(name, e) T_IF_##name##_RR, T_IF_##name##_RI,
      COMPARE(B)
#undef B
#define B(name, e) T_##name,
          UNARY(B)
#undef B
#define B(bytes, type) T_LOAD_##bytes, T_STORE_##bytes, T_LOAD_AT_##bytes, T_STORE_AT_##bytes,
              ACCESS(B)
#undef B
                  T_CONST,
  T_PCONST,
  T_PMOVE,
  T_GLOBAL,
  T_SET_GLOBAL,
  T_PSET_GLOBAL,
  T_MADD,
  T_CONCAT,
  T_ITE,
  T_PITE,
  T_PADD_RR,
  T_PADD_RI,
  T_PEQ,
  T_PMK,
  T_POBJ,
  T_PTOI,
  T_ITOP,
  T_SIZE,
  T_LIVE,
  T_KIND,
  T_APPLY,
  T_IF,
  T_REQUIRE,
  T_JUMP,
  T_STOP,
  T_PREPARE,
  T_COUNT
} thread_op;

typedef struct instr instr;
struct instr {
  const void *label;
  uint32_t d, a, b, c;  // words of the frame; accesses: c is the object
  uint8_t width, shift, op;
  uint16_t pays, undo;  // first of a stretch: its edges; where it stops: edges not taken
  uint32_t loc;         // where it stops
  uint32_t
      start;  // first of a stretch: where that starts; edges that do nothing have no instruction
  uint64_t imm, mask;
  const tp_instr *general;  // APPLY
  instr *to[2];             // JUMP, IF: where to when it does not hold, when it does
};

struct tp_threaded_code {
  instr **start;       // by location; NULL: not made
  instr *stub;         // by location: PREPARE
  uint32_t max_words;  // temporaries
};

// ----------------------------------------------------------------- translation

typedef struct {
  tp_code *code;
  struct tp_threaded_code *t;
  const void *const *labels;
  TP_VEC(instr) out;
  tp_loc loc;  // where the present edge starts
  uint32_t first_temp, n_temps, edge;
} maker;

static instr *emit(maker *k, thread_op op, instr in) {
  in.op = (uint8_t)op;
  in.label = k->labels[op];
  in.loc = k->loc.id;
  in.undo = (uint16_t)k->edge;  // number of the edge for now
  tp_vec_push(&k->out, in);
  return &tp_vec_last(&k->out);
}

/* Where the value of an instruction of a snippet is. */
typedef struct {
  bool is_const;
  uint32_t word;
  uint64_t imm, object;
} operand;

static uint32_t temp(maker *k) { return k->first_temp + k->n_temps++; }

static uint32_t in_word(maker *k, operand *o) {
  if (o->is_const) {
    uint32_t d = temp(k);
    // both halves: a null pointer, too, is compared in both
    emit(k, T_PCONST, (instr){.d = d, .imm = o->imm, .mask = o->object});
    *o = (operand){.word = d};
  }
  return o->word;
}

static int binary_op(const tp_instr *in, bool *swap) {
  *swap = false;
  switch ((int)in->op) {
    case TP_OP_AND:
    case TP_OP_BV_AND: return *swap = true, T_AND_RR;
    case TP_OP_OR:
    case TP_OP_BV_OR: return *swap = true, T_OR_RR;
    case TP_OP_XOR:
    case TP_OP_BV_XOR: return *swap = true, T_XOR_RR;
    case TP_OP_BV_ADD: return *swap = true, T_ADD_RR;
    case TP_OP_BV_MUL: return *swap = true, T_MUL_RR;
    case TP_OP_BV_UDIV: return T_UDIV_RR;
    case TP_OP_BV_UREM: return T_UREM_RR;
    case TP_OP_BV_SDIV: return T_SDIV_RR;
    case TP_OP_BV_SREM: return T_SREM_RR;
    case TP_OP_BV_SHL: return T_SHL_RR;
    case TP_OP_BV_LSHR: return T_LSHR_RR;
    case TP_OP_BV_ASHR: return T_ASHR_RR;
    case TP_OP_BV_ULT: return T_ULT_RR;
    case TP_OP_BV_ULE: return T_ULE_RR;
    case TP_OP_BV_SLT: return T_SLT_RR;
    case TP_OP_BV_SLE: return T_SLE_RR;
    case TP_OP_EQ:
      return *swap = true,
             in->arg_sort == TP_SORT_BV || in->arg_sort == TP_SORT_BOOL ? T_EQ_RR : -1;
    default: return -1;
  }
}

/* a * constant + b in one, if the product was made just now for this sum only. */
static bool fuse_product(maker *k, uint32_t d, operand x, operand y, uint64_t mask) {
  if (!k->out.n || x.is_const || y.is_const) return false;
  instr *last = &tp_vec_last(&k->out);
  if (last->op != T_MUL_RI || last->undo != k->edge || last->mask != mask ||
      last->d < k->first_temp)
    return false;
  if (last->d == x.word)
    x = y;
  else if (last->d != y.word)
    return false;
  if (last->d == x.word) return false;  // twice the product
  last->op = T_MADD;
  last->label = k->labels[T_MADD];
  last->b = x.word;
  last->d = d;
  return true;
}

static void emit_binary(maker *k, const tp_instr *in, int op, bool swap, uint32_t d, operand x,
                        operand y, bool single) {
  uint64_t mask = tp_mask64(in->width);
  if (swap && x.is_const) {
    operand z = x;
    x = y, y = z;
  }
  if (op == T_ADD_RR && single && fuse_product(k, d, x, y, mask)) return;
  instr i = {.d = d,
             .a = in_word(k, &x),
             .width = in->width,
             .shift = (uint8_t)(64 - in->arg_width),
             .mask = mask};
  if (y.is_const)
    i.imm = y.imm, op++;
  else
    i.b = y.word;
  emit(k, (thread_op)op, i);
}

/* Instructions that are neither binary nor nothing at all. False: there is none. */
static bool emit_other(maker *k, const tp_instr *in, uint32_t d, operand *v) {
  static const operand none = {0};
  operand x = in->op < TP_X_CONST || in->op >= TP_X_SIZE ? v[in->a] : none, y = v[in->b],
          z = v[in->c];
  instr i = {.d = d, .width = in->width, .mask = tp_mask64(in->width)};
  switch ((int)in->op) {
    case TP_OP_NOT:
      i.a = in_word(k, &x);
      i.mask = 1;
      emit(k, T_NOT, i);
      return true;
    case TP_OP_BV_NOT:
      i.a = in_word(k, &x);
      emit(k, T_NOT, i);
      return true;
    case TP_OP_BV_NEG:
      i.a = in_word(k, &x);
      emit(k, T_NEG, i);
      return true;
    case TP_OP_BV_EXTRACT:
      i.a = in_word(k, &x);
      i.shift = in->lo;
      emit(k, T_EXTRACT, i);
      return true;
    case TP_OP_BV_SEXT:
      i.a = in_word(k, &x);
      i.width = in->arg_width;
      emit(k, T_SEXT, i);
      return true;
    case TP_OP_BV_CONCAT:
      i.a = in_word(k, &x), i.b = in_word(k, &y), i.shift = (uint8_t)(in->width - in->arg_width);
      emit(k, T_CONCAT, i);
      return true;
    case TP_OP_ITE:
      i.a = in_word(k, &x), i.b = in_word(k, &y), i.c = in_word(k, &z);
      emit(k, in->sort == TP_SORT_PTR ? T_PITE : T_ITE, i);
      return true;
    case TP_OP_EQ:
      if (in->arg_sort != TP_SORT_PTR) break;
      i.a = in_word(k, &x), i.b = in_word(k, &y);
      emit(k, T_PEQ, i);
      return true;
    case TP_OP_PTR_ADD:
      i.a = in_word(k, &x);
      if (y.is_const)
        i.imm = y.imm;
      else
        i.b = y.word;
      emit(k, y.is_const ? T_PADD_RI : T_PADD_RR, i);
      return true;
    case TP_OP_PTR_MK:
      i.a = in_word(k, &x), i.b = in_word(k, &y);
      emit(k, T_PMK, i);
      return true;
    case TP_OP_PTR_OBJ:
      i.a = in_word(k, &x);
      emit(k, T_POBJ, i);
      return true;
    case TP_OP_PTR_TO_INT:
      i.a = in_word(k, &x);
      i.imm = in->keeps_origin;
      emit(k, T_PTOI, i);
      return true;
    case TP_OP_INT_TO_PTR:
      i.a = in_word(k, &x);
      emit(k, T_ITOP, i);
      return true;
    case TP_X_SIZE:
      i.a = in_word(k, &x);
      emit(k, T_SIZE, i);
      return true;
    case TP_X_LIVE:
      i.a = in_word(k, &x);
      emit(k, T_LIVE, i);
      return true;
    case TP_X_KIND:
      i.a = in_word(k, &x);
      emit(k, T_KIND, i);
      return true;
    default: break;
  }
  if (in->op >= TP_X_CONST || in->n_args == 0) return false;
  i.general = in;
  i.a = in_word(k, &x);
  if (in->n_args > 1) i.b = in_word(k, &y);
  if (in->n_args > 2) i.c = in_word(k, &z);
  emit(k, T_APPLY, i);
  return true;
}

/* Same bits as its argument: no instruction. */
static bool is_same_bits(const tp_instr *in) {
  return in->op == TP_OP_BV_ZEXT || in->op == TP_OP_FP_OF_BITS || in->op == TP_OP_FP_TO_BITS ||
         in->op == TP_OP_PTR_OFF;
}

static bool uses_once(const tp_snippet *sn, uint32_t r) {
  uint32_t n = 0;
  for (uint32_t i = r + 1; i < sn->n; i++) {
    const tp_instr *in = &sn->at[i];
    if (in->n_args > 0 && in->a == r) n++;
    if (in->n_args > 1 && in->b == r) n++;
    if (in->n_args > 2 && in->c == r) n++;
  }
  return n == 1;
}

/* Instructions for the first n of a snippet; v: where each is. The last goes to `to` if that is not
 * 0 and it is no leaf. */
static bool emit_snippet(maker *k, const tp_snippet *sn, uint32_t n, uint32_t to, operand *v) {
  for (uint32_t i = 0; i < n; i++) {
    const tp_instr *in = &sn->at[i];
    bool swap, is_last = i + 1 == n && to;
    int op = binary_op(in, &swap);
    if (in->op == TP_X_CONST) {
      v[i] = (operand){
          .is_const = true, .imm = in->imm, .object = in->sort == TP_SORT_PTR ? in->hi : 0};
    } else if (in->op == TP_X_LOCAL) {
      v[i] = (operand){.word = (uint32_t)in->imm};
    } else if (in->op == TP_X_GLOBAL) {
      v[i] = (operand){.word = temp(k)};
      emit(k, T_GLOBAL, (instr){.d = v[i].word, .imm = in->imm});
    } else if (is_same_bits(in)) {
      v[i] = v[in->a];
      v[i].object = 0;
    } else {
      uint32_t d = is_last ? to - 1 : temp(k);
      if (op >= 0) {
        bool single = (!v[in->a].is_const && uses_once(sn, in->a)) &&
                      (!v[in->b].is_const && uses_once(sn, in->b));
        emit_binary(k, in, op, swap, d, v[in->a], v[in->b], single);
      } else if (!emit_other(k, in, d, v)) {
        return false;
      }
      v[i] = (operand){.word = d};
    }
  }
  return true;
}

static bool is_plain(const tp_snippet *sn) { return sn->evaluator == TP_BY_WORDS; }
static bool is_value(const tp_op *op) {
  return op->layout.kind != TP_SORT_PTR && op->layout.width_bits <= 64;
}

/* var := the value of the snippet. */
static bool emit_assign(maker *k, const tp_op *op) {
  if (!is_plain(&op->a)) return false;
  operand *v = TP_NEW_ARRAY(operand, op->a.n);
  uint32_t to = op->var_is_global ? 0 : op->slot + 1;
  size_t before = k->out.n;
  bool ok = emit_snippet(k, &op->a, op->a.n, to, v);
  operand x = v[op->a.n - 1];
  tp_free(v);
  if (!ok) return false;
  if (op->var_is_global) {
    uint32_t a = in_word(k, &x);
    emit(k, op->layout.kind == TP_SORT_PTR ? T_PSET_GLOBAL : T_SET_GLOBAL,
         (instr){.d = op->slot, .a = a});
  } else if (x.is_const) {
    emit(k, x.object || op->layout.kind == TP_SORT_PTR ? T_PCONST : T_CONST,
         (instr){.d = op->slot, .imm = x.imm, .mask = x.object});
  } else if (x.word != op->slot || before == k->out.n) {
    emit(k, op->layout.kind == TP_SORT_PTR ? T_PMOVE : T_MOVE,
         (instr){.d = op->slot, .a = x.word, .mask = UINT64_MAX});
  }
  return true;
}

static int size_index(uint32_t bytes) {
  return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : -1;
}

/* Address into an instruction: object and offset where the object is known, else a word. Gives the
 * instruction's number. */
static bool emit_address(maker *k, const tp_snippet *sn, instr *in, bool *known) {
  if (!is_plain(sn)) return false;
  operand *v = TP_NEW_ARRAY(operand, sn->n);
  const tp_instr *root = &sn->at[sn->n - 1];
  const tp_instr *base = root->op == TP_OP_PTR_ADD ? &sn->at[root->a] : NULL;
  *known = base && base->op == TP_X_CONST && base->imm == 0;
  bool ok = emit_snippet(k, sn, *known ? sn->n - 1 : sn->n, 0, v);
  if (ok && *known) {
    in->c = (uint32_t)base->hi;
    in->a = in_word(k, &v[root->b]);
  } else if (ok) {
    in->a = in_word(k, &v[sn->n - 1]);
  }
  tp_free(v);
  return ok;
}

static bool emit_load(maker *k, const tp_op *op) {
  instr in = {.mask = tp_mask64(op->layout.width_bits)};
  int size = size_index(op->layout.bytes);
  bool known;
  if (!is_value(op) || size < 0 || !emit_address(k, &op->a, &in, &known)) return false;
  in.d = op->var_is_global ? temp(k) : op->slot;
  emit(k, (thread_op)((known ? T_LOAD_AT_1 : T_LOAD_1) + 4 * size), in);
  if (op->var_is_global) emit(k, T_SET_GLOBAL, (instr){.d = op->slot, .a = in.d});
  return true;
}

static bool emit_store(maker *k, const tp_op *op) {
  instr in = {0};
  int size = size_index(op->layout.bytes);
  bool known;
  if (!is_value(op) || !is_plain(&op->b) || size < 0 || !emit_address(k, &op->a, &in, &known))
    return false;
  operand *v = TP_NEW_ARRAY(operand, op->b.n);
  bool ok = emit_snippet(k, &op->b, op->b.n, 0, v);
  if (ok) in.b = in_word(k, &v[op->b.n - 1]);
  tp_free(v);
  if (ok) emit(k, (thread_op)((known ? T_STORE_AT_1 : T_STORE_1) + 4 * size), in);
  return ok;
}

/* With nothing beside it: where it fails, the interpreter says so. */
static bool emit_assume(maker *k, const tp_op *op) {
  if (!is_plain(&op->a)) return false;
  operand *v = TP_NEW_ARRAY(operand, op->a.n);
  bool ok = emit_snippet(k, &op->a, op->a.n, 0, v);
  uint32_t a = ok ? in_word(k, &v[op->a.n - 1]) : 0;
  tp_free(v);
  if (ok) emit(k, T_REQUIRE, (instr){.a = a});
  return ok;
}

static bool emit_edge(maker *k, uint32_t id) {
  const tp_op *op = tp_code_op(k->code, id);
  switch ((int)op->kind) {
    case TP_E_SKIP: return true;
    case TP_E_ASSUME: return emit_assume(k, op);
    case TP_E_ASSIGN: return emit_assign(k, op);
    case TP_E_LOAD: return emit_load(k, op);
    case TP_E_STORE: return emit_store(k, op);
    default: return false;
  }
}

static instr *target(maker *k, tp_loc l) {
  return k->t->start[l.id] ? k->t->start[l.id] : &k->t->stub[l.id];
}

static tp_i128 number_of(const tp_terms *tt, tp_term c, bool is_signed) {
  tp_u128 v = tp_bv_value(tt, c);
  uint32_t width = tp_sort_width(tt, tp_sort_of(tt, c));
  return (tp_i128)(is_signed && (v >> (width - 1) & 1) ? v | ~tp_mask128(width) : v);
}

/* x < c and c - 1 < x, or x < y and y <= x: the forms that negations of orders are brought to. */
static bool are_opposite(const tp_terms *tt, tp_term a, tp_term b) {
  const tp_term_kind ka = tp_kind(tt, a), kb = tp_kind(tt, b);
  const tp_order order = tp_kind_order(ka);
  const bool is_signed = order.is_signed, strict = order.is_strict;
  if (!order.is_order) return false;
  if (kb == ka && strict) {
    tp_term c = tp_arg(tt, a, 1), d = tp_arg(tt, b, 0);
    if (tp_term_eq(tp_arg(tt, a, 0), tp_arg(tt, b, 1)) && tp_kind(tt, c) == TP_OP_BV_CONST &&
        tp_kind(tt, d) == TP_OP_BV_CONST)
      return number_of(tt, c, is_signed) == number_of(tt, d, is_signed) + 1;
    c = tp_arg(tt, b, 1), d = tp_arg(tt, a, 0);
    return tp_term_eq(tp_arg(tt, a, 1), tp_arg(tt, b, 0)) && tp_kind(tt, c) == TP_OP_BV_CONST &&
           tp_kind(tt, d) == TP_OP_BV_CONST &&
           number_of(tt, c, is_signed) == number_of(tt, d, is_signed) + 1;
  }
  const tp_term_kind other = is_signed ? (strict ? TP_OP_BV_SLE : TP_OP_BV_SLT)
                             : strict  ? TP_OP_BV_ULE
                                       : TP_OP_BV_ULT;
  return kb == other && tp_term_eq(tp_arg(tt, a, 0), tp_arg(tt, b, 1)) &&
         tp_term_eq(tp_arg(tt, a, 1), tp_arg(tt, b, 0));
}

/* if (condition) goto yes; no NULL: else the next instruction. */
static bool emit_if(maker *k, const tp_snippet *sn, instr *yes, instr *no) {
  if (!is_plain(sn)) return false;
  operand *v = TP_NEW_ARRAY(operand, sn->n);
  const size_t before = k->out.n;
  bool ok = emit_snippet(k, sn, sn->n, 0, v), negated = false;
  operand x = v[sn->n - 1];
  tp_free(v);
  if (!ok) return false;
  if (k->out.n > before && tp_vec_last(&k->out).op == T_NOT && tp_vec_last(&k->out).d == x.word &&
      tp_vec_last(&k->out).mask == 1) {
    x.word = tp_vec_pop(&k->out).a;
    negated = true;
  }
  instr *last = k->out.n > before ? &tp_vec_last(&k->out) : NULL;
  if (last && !x.is_const && last->d == x.word && last->op >= T_ULT_RR && last->op < T_IF_ULT_RR) {
    last->op = (uint8_t)(last->op - T_ULT_RR + T_IF_ULT_RR);
    last->label = k->labels[last->op];
  } else {
    uint32_t a = in_word(k, &x);
    last = emit(k, T_IF, (instr){.a = a});
  }
  last->to[!negated] = yes;
  last->to[negated] = no;
  return true;
}

/* Conditions in order; of two that are each other's negations only the first is asked. Behind the
 * last there is nothing the code knows. */
static bool emit_branch(maker *k, tp_edge_list out) {
  const tp_program *p = k->code->program;
  for (uint32_t i = 0; i < out.n; i++) {
    const tp_edge_info *e = tp_edge_of(p, (tp_edge){out.at[i]}),
                       *f = tp_edge_of(p, (tp_edge){out.at[out.n - 1]});
    const tp_snippet *sn = &tp_code_op(k->code, out.at[i])->a;
    bool decides = out.n == 2 && i == 0 &&
                   (k->code->second_is_else[k->loc.id] || are_opposite(p->terms, e->a, f->a));
    if (e->kind != TP_E_ASSUME ||
        !emit_if(k, sn, target(k, e->to), decides ? target(k, f->to) : NULL))
      return false;
    if (decides) return true;
  }
  emit(k, T_STOP, (instr){0});
  return true;
}

/* The stretch from k->loc: edges up to a branch, to a place that only the interpreter knows, or
 * long enough. */
static void emit_stretch(maker *k) {
  const tp_program *p = k->code->program;
  for (;; k->edge++) {
    tp_edge_list out = tp_out_edges(p, k->loc);
    size_t before = k->out.n;
    bool ends = out.n == 0;
    for (uint32_t i = 0; i < out.n; i++)
      ends = ends || tp_out_edges(p, tp_edge_of(p, (tp_edge){out.at[i]})->to).n == 0;
    if (!ends && k->edge == TP_EXEC_STRETCH_EDGES) {
      emit(k, T_JUMP, (instr){.to = {target(k, k->loc), NULL}});
      return;
    }
    if (!ends && out.n > 1 && emit_branch(k, out)) {
      k->edge++;
      return;
    }
    if (ends || out.n > 1 || !emit_edge(k, out.at[0])) {
      k->out.n = before;
      emit(k, T_STOP, (instr){0});
      return;
    }
    k->loc = tp_edge_of(p, (tp_edge){out.at[0]})->to;
  }
}

static bool is_branch(uint8_t op) { return op == T_IF || (op >= T_IF_ULT_RR && op <= T_IF_SLE_RI); }

static instr *make_stretch(tp_code *code, const void *const *labels, tp_loc loc) {
  TP_REQUIRE(!code->threaded->start[loc.id]);
  maker k = {.code = code, .t = code->threaded, .labels = labels, .loc = loc};
  k.first_temp = (uint32_t)tp_code_slots(code, tp_loc_of(code->program, loc)->func).n;
  emit_stretch(&k);
  if (k.first_temp + k.n_temps > code->threaded->max_words)
    code->threaded->max_words = k.first_temp + k.n_temps;
  instr *at = tp_arena_array(&code->arena, instr, k.out.n);
  memcpy(at, k.out.at, k.out.n * sizeof *at);
  for (size_t i = 0; i < k.out.n; i++) {
    at[i].undo = (uint16_t)(k.edge - at[i].undo);
    for (int way = 0; way < 2 && is_branch(at[i].op); way++)
      if (!at[i].to[way]) at[i].to[way] = &at[i + 1];
  }
  TP_INVARIANT(k.out.n > 0 && k.edge <= TP_EXEC_STRETCH_EDGES + 1);
  at[0].pays = (uint16_t)k.edge;
  at[0].start = loc.id;
  tp_vec_clear(&k.out);
  return code->threaded->start[loc.id] = at;
}

static void make_threaded_code(tp_code *code, const void *const *labels) {
  const size_t n = code->program->locs.n;
  struct tp_threaded_code *t = code->threaded = tp_arena_new(&code->arena, struct tp_threaded_code);
  t->start = tp_arena_array(&code->arena, instr *, n);
  t->stub = tp_arena_array(&code->arena, instr, n);
  for (uint32_t l = 0; l < n; l++)
    t->stub[l] = (instr){.label = labels[T_PREPARE], .loc = l, .start = l};
}

// --------------------------------------------------------------------- running

/* The bytes of an object that may be read, or NULL: no such, dead, too short, a function, with
 * shadows there, or never written. */
static inline uint8_t *bytes_of(const tp_state *s, uint64_t id, uint64_t offset, uint64_t n,
                                bool write) {
  if (id == 0 || id >= s->objects.n) return NULL;
  const tp_object *o = &s->objects.at[id];
  tp_object_content *c = o->content;
  if (!o->live || !c || n > o->size || offset > o->size - n || o->kind == TP_O_FUNCTION ||
      c->origin)
    return NULL;
  if (write && (o->is_const || c->refs > 1)) return NULL;
  return c->bytes + offset;
}
static inline uint8_t *marks_of(const tp_state *s, uint64_t id, uint64_t offset) {
  uint8_t *und = s->objects.at[id].content->und;
  return und ? und + offset : NULL;
}

static uint64_t apply(const tp_state *s, const instr *in, const tp_word *w) {
  const bool ptr = in->general->arg_sort == TP_SORT_PTR;  // else hi says nothing
  tp_shaded a = {.bits = w[in->a].lo, .object = ptr ? (uint32_t)w[in->a].hi : 0};
  tp_shaded b = {.bits = w[in->b].lo, .object = ptr ? (uint32_t)w[in->b].hi : 0};
  tp_shaded c = {.bits = w[in->c].lo, .object = ptr ? (uint32_t)w[in->c].hi : 0};
  return (uint64_t)tp_apply(in->general, s->program->ptr_bits, &a, &b, &c);
}

#define NEXT          \
  do {                \
    in++;             \
    goto * in->label; \
  } while (0)
#define GO(place)                            \
  do {                                       \
    link = (place);                          \
    in = *link;                              \
    if (left <= in->pays) goto out_of_steps; \
    left -= in->pays;                        \
    goto * in->label;                        \
  } while (0)
#define SET(x)                    \
  do {                            \
    w[in->d].lo = (x) & in->mask; \
    mark[in->d] = 0;              \
    NEXT;                         \
  } while (0)
#define SET_PTR(offset, object)                          \
  do {                                                   \
    w[in->d] = (tp_word){(offset) & in->mask, (object)}; \
    mark[in->d] = 0;                                     \
    NEXT;                                                \
  } while (0)

tp_loc tp_threaded_code_run(tp_state *s, tp_loc loc, uint64_t *steps_left) {
  TP_REQUIRE(*steps_left > 0 && loc.id && loc.id < s->code->program->locs.n);
  static const void *const labels[T_COUNT] = {
#define B(name, e) [T_##name##_RR] = &&L_##name##_RR, [T_##name##_RI] = &&L_##name##_RI,
      BINARY(B) COMPARE(B)
#undef B
#define B(name, e) [T_IF_##name##_RR] = &&L_IF_##name##_RR, [T_IF_##name##_RI] = &&L_IF_##name##_RI,
          COMPARE(B)
#undef B
#define B(name, e) [T_##name] = &&L_##name,
              UNARY(B)
#undef B
#define B(n, type)                                                                               \
  [T_LOAD_##n] = &&L_LOAD_##n, [T_STORE_##n] = &&L_STORE_##n, [T_LOAD_AT_##n] = &&L_LOAD_AT_##n, \
  [T_STORE_AT_##n] = &&L_STORE_AT_##n,
                  ACCESS(B)
#undef B
#define B(name) [T_##name] = &&L_##name
                      B(CONST),
      B(PCONST),
      B(PMOVE),
      B(GLOBAL),
      B(SET_GLOBAL),
      B(PSET_GLOBAL),
      B(MADD),
      B(CONCAT),
      B(ITE),
      B(PITE),
      B(PADD_RR),
      B(PADD_RI),
      B(PEQ),
      B(PMK),
      B(POBJ),
      B(PTOI),
      B(ITOP),
      B(SIZE),
      B(LIVE),
      B(KIND),
      B(APPLY),
      B(IF),
      B(REQUIRE),
      B(JUMP),
      B(STOP),
      B(PREPARE)
#undef B
  };
  if (!s->code->threaded) make_threaded_code(s->code, labels);
  struct tp_threaded_code *t = s->code->threaded;
  const size_t base = tp_state_top(s)->base;
  uint64_t left = *steps_left;
  tp_state_reserve(s, base + t->max_words);  // behind the locals: temporaries
  tp_word *w = s->words + base;
  uint8_t *mark = s->marked + base;
  instr *in, **link, *first = t->start[loc.id] ? t->start[loc.id] : &t->stub[loc.id];
  GO(&first);

#define B(name, e)                             \
  L_##name##_RR : {                            \
    if (mark[in->a] | mark[in->b]) goto stop;  \
    uint64_t a = w[in->a].lo, b = w[in->b].lo; \
    SET(e);                                    \
  }                                            \
  L_##name##_RI : {                            \
    if (mark[in->a]) goto stop;                \
    uint64_t a = w[in->a].lo, b = in->imm;     \
    SET(e);                                    \
  }
  BINARY(B)
  COMPARE(B)
#undef B
#define B(name, e)                             \
  L_IF_##name##_RR : {                         \
    if (mark[in->a] | mark[in->b]) goto stop;  \
    uint64_t a = w[in->a].lo, b = w[in->b].lo; \
    if (e) GO(&in->to[1]);                     \
    GO(&in->to[0]);                            \
  }                                            \
  L_IF_##name##_RI : {                         \
    if (mark[in->a]) goto stop;                \
    uint64_t a = w[in->a].lo, b = in->imm;     \
    if (e) GO(&in->to[1]);                     \
    GO(&in->to[0]);                            \
  }
  COMPARE(B)
#undef B
#define B(name, e)              \
  L_##name : {                  \
    if (mark[in->a]) goto stop; \
    uint64_t a = w[in->a].lo;   \
    SET(e);                     \
  }
  UNARY(B)
#undef B
#define LOAD(type, object)                                         \
  {                                                                \
    if (mark[in->a]) goto stop;                                    \
    const uint64_t id = (object), off = w[in->a].lo;               \
    const uint8_t *at = bytes_of(s, id, off, sizeof(type), false); \
    type v, u = 0;                                                 \
    if (!at) goto stop;                                            \
    const uint8_t *und = marks_of(s, id, off);                     \
    if (und) memcpy(&u, und, sizeof u);                            \
    if (u) goto stop;                                              \
    memcpy(&v, at, sizeof v);                                      \
    SET((uint64_t)v);                                              \
  }
#define STORE(type, object)                                 \
  {                                                         \
    if (mark[in->a] | mark[in->b]) goto stop;               \
    const uint64_t id = (object), off = w[in->a].lo;        \
    uint8_t *at = bytes_of(s, id, off, sizeof(type), true); \
    const type v = (type)w[in->b].lo;                       \
    if (!at) goto stop;                                     \
    uint8_t *und = marks_of(s, id, off);                    \
    if (und) memset(und, 0, sizeof v);                      \
    memcpy(at, &v, sizeof v);                               \
    NEXT;                                                   \
  }
#define B(n, type)                                                                          \
  L_LOAD_##n : LOAD(type, w[in->a].hi) L_STORE_##n : STORE(type, w[in->a].hi) L_LOAD_AT_##n \
      : LOAD(type, in->c) L_STORE_AT_##n : STORE(type, in->c)
  ACCESS(B)
#undef B

L_CONST:
  w[in->d].lo = in->imm;
  mark[in->d] = 0;
  NEXT;
L_PCONST:
  w[in->d] = (tp_word){in->imm, in->mask};
  mark[in->d] = 0;
  NEXT;
L_PMOVE:
  if (mark[in->a]) goto stop;
  w[in->d] = w[in->a];
  mark[in->d] = 0;
  NEXT;
L_GLOBAL:
  if (s->marked[in->imm]) goto stop;
  w[in->d] = s->words[in->imm];
  mark[in->d] = 0;
  NEXT;
L_SET_GLOBAL:
  if (mark[in->a]) goto stop;
  s->words[in->d].lo = w[in->a].lo;
  s->marked[in->d] = 0;
  NEXT;
L_PSET_GLOBAL:
  if (mark[in->a]) goto stop;
  s->words[in->d] = w[in->a];
  s->marked[in->d] = 0;
  NEXT;
L_MADD:
  if (mark[in->a] | mark[in->b]) goto stop;
  SET(w[in->a].lo * in->imm + w[in->b].lo);
L_CONCAT:
  if (mark[in->a] | mark[in->b]) goto stop;
  SET(w[in->a].lo << in->shift | w[in->b].lo);
L_ITE:
  if (mark[in->a] | mark[in->b] | mark[in->c]) goto stop;
  SET(w[w[in->a].lo ? in->b : in->c].lo);
L_PITE: {
  if (mark[in->a] | mark[in->b] | mark[in->c]) goto stop;
  const tp_word x = w[w[in->a].lo ? in->b : in->c];
  w[in->d] = x;
  mark[in->d] = 0;
  NEXT;
}
L_PADD_RR:
  if (mark[in->a] | mark[in->b]) goto stop;
  SET_PTR(w[in->a].lo + w[in->b].lo, w[in->a].hi);
L_PADD_RI:
  if (mark[in->a]) goto stop;
  SET_PTR(w[in->a].lo + in->imm, w[in->a].hi);
L_PEQ:
  if (mark[in->a] | mark[in->b]) goto stop;
  SET((uint64_t)(w[in->a].lo == w[in->b].lo && w[in->a].hi == w[in->b].hi));
L_PMK:
  if (mark[in->a] | mark[in->b]) goto stop;
  SET_PTR(w[in->b].lo, w[in->a].lo);
L_POBJ:
  if (mark[in->a]) goto stop;
  SET(w[in->a].hi);
L_PTOI:
  if (mark[in->a] || (in->imm && w[in->a].hi)) goto stop;
  SET(w[in->a].lo + tp_object_base(s, w[in->a].hi));
L_ITOP:
  if (mark[in->a]) goto stop;
  SET_PTR(w[in->a].lo, 0);
L_SIZE:
  if (mark[in->a]) goto stop;
  SET(tp_object_size(s, w[in->a].lo));
L_LIVE:
  if (mark[in->a]) goto stop;
  SET((uint64_t)tp_object_live(s, w[in->a].lo));
L_KIND:
  if (mark[in->a]) goto stop;
  SET(tp_object_kind_of(s, w[in->a].lo));
L_APPLY:
  if (mark[in->a] || (in->general->n_args > 1 && mark[in->b]) ||
      (in->general->n_args > 2 && mark[in->c]))
    goto stop;
  SET(apply(s, in, w));
L_IF:
  if (mark[in->a]) goto stop;
  if (w[in->a].lo) GO(&in->to[1]);
  GO(&in->to[0]);
L_REQUIRE:
  if (mark[in->a] || !w[in->a].lo) goto stop;
  NEXT;
L_JUMP:
  GO(&in->to[0]);
L_PREPARE:  // from a stub, whose place in the code before it is known
  loc = (tp_loc){in->loc};
  if (!t->start[loc.id]) (void)make_stretch(s->code, labels, loc);
  *link = t->start[loc.id];
  tp_state_reserve(s, base + t->max_words);
  w = s->words + base;
  mark = s->marked + base;
  GO(link);
L_STOP:
stop:
  *steps_left = left + in->undo;
  return (tp_loc){in->loc};
out_of_steps:
  *steps_left = left;
  return (tp_loc){in->start};
}
