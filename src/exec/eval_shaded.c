/* The careful evaluator: values of up to 128 bits with their shadows.
 *
 * Bits come from the one definition of the operations (term/fold.c); this file adds what happens to
 * shadows.
 *
 * Indeterminate bits: exact for what moves bits about (and, or, xor, not with known masks, extract,
 * concat, extensions, shifts by a known amount, if-then-else under a known condition) and for sums
 * as far as carries go. In products an indeterminate bit spoils itself and all higher ones.
 * Everything else is all or nothing. A result bit that is marked determined never depends on an
 * indeterminate bit.
 *
 * Origins: an integer made from a pointer stays an address through sums with numbers, masks, and
 * being cut up and put together again; the difference of two addresses in one object is a number.
 */
#include "base/checked.h"
#include "exec/eval.h"
#include "term/fold.h"

tp_u128 tp_apply(const tp_instr *in, uint32_t ptr_bits, const tp_shaded *a, const tp_shaded *b,
                 const tp_shaded *c) {
  tp_operation op = {.kind = (tp_term_kind)in->op,
                     .arg_sort = (tp_sort_kind)in->arg_sort,
                     .width = in->width,
                     .arg_width = in->arg_width,
                     .ptr_bits = ptr_bits,
                     .payload = in->lo};
  const tp_value v[3] = {{.bits = a->bits, .object = a->object},
                         {.bits = b->bits, .object = b->object},
                         {.bits = c->bits, .object = c->object}};
  tp_value r = {0};
  bool ok = tp_fold(&op, v, &r);
  TP_INVARIANT(ok);
  (void)ok;
  return r.bits;
}

/* From the lowest set bit upwards. */
static tp_u128 upwards(tp_u128 und) { return und | (0 - (und & (0 - und))); }
/* A sum: a bit is determined if both summands' are and the carry into it is the same for the
 * smallest and the largest values that the summands can have. Source: LLVM,
 * KnownBits::computeForAddCarry, in our own terms. */
static tp_u128 sum_und(const tp_shaded *a, const tp_shaded *b) {
  tp_u128 least_a = a->bits & ~a->und, least_b = b->bits & ~b->und;
  tp_u128 most_a = a->bits | a->und, most_b = b->bits | b->und;
  tp_u128 carry_least = (least_a + least_b) ^ least_a ^ least_b,
          carry_most = (most_a + most_b) ^ most_a ^ most_b;
  return a->und | b->und | (carry_least ^ carry_most);
}

/* A product with a determined 2^n moves bits; otherwise zeros at the end of a determined factor
 * help a little. */
static tp_u128 product_und(const tp_shaded *a, const tp_shaded *b) {
  if (a->und && b->und) return upwards(a->und | b->und);
  const tp_shaded *x = a->und ? a : b;
  tp_u128 k = a->und ? b->bits : a->bits;
  if (k == 0) return 0;
  uint32_t zeros = 0;
  while (!((k >> zeros) & 1)) zeros++;
  return (k >> zeros == 1 ? x->und : upwards(x->und)) << zeros;
}

static tp_u128 all_if(bool any, uint32_t width) { return any ? tp_mask128(width) : 0; }

static tp_u128 shift_und(const tp_instr *in, const tp_shaded *a, const tp_shaded *b) {
  if (b->und) return tp_mask128(in->width);
  uint32_t w = in->width, by = b->bits < w ? (uint32_t)b->bits : w;
  if (in->op == TP_OP_BV_SHL) return by == w ? 0 : a->und << by;
  if (in->op == TP_OP_BV_LSHR) return by == w ? 0 : a->und >> by;
  bool sign = (a->und >> (w - 1)) & 1;
  if (by == w) return all_if(sign, w);
  return a->und >> by | (sign ? tp_mask128(w) & ~(tp_mask128(w) >> by) : 0);
}

static tp_u128 indeterminate(const tp_instr *in, const tp_shaded *a, const tp_shaded *b,
                             const tp_shaded *c) {
  const uint32_t w = in->width;
  if (!(a->und | b->und | c->und)) return 0;
  switch (in->op) {
    case TP_OP_NOT:
    case TP_OP_BV_NOT:
    case TP_OP_PTR_OFF:
    case TP_OP_FP_OF_BITS:
    case TP_OP_FP_TO_BITS:
    case TP_OP_BV_ZEXT:
    case TP_OP_INT_TO_PTR: return a->und;
    case TP_OP_AND:
    case TP_OP_BV_AND: return (a->und | b->und) & (a->und | a->bits) & (b->und | b->bits);
    case TP_OP_OR:
    case TP_OP_BV_OR: return (a->und | b->und) & (a->und | ~a->bits) & (b->und | ~b->bits);
    case TP_OP_XOR:
    case TP_OP_BV_XOR: return a->und | b->und;
    case TP_OP_BV_EXTRACT: return a->und >> in->lo;
    case TP_OP_BV_SEXT: {
      bool sign = (a->und >> (in->arg_width - 1)) & 1;
      return sign ? a->und | (tp_mask128(w) & ~tp_mask128(in->arg_width)) : a->und;
    }
    case TP_OP_BV_CONCAT: return a->und << (w - in->arg_width) | b->und;
    case TP_OP_BV_ADD: return sum_und(a, b);
    case TP_OP_BV_MUL: return product_und(a, b);
    case TP_OP_BV_NEG: return upwards(a->und);
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return shift_und(in, a, b);
    case TP_OP_ITE: {
      if (!a->und) return a->bits ? b->und : c->und;
      bool other = b->object != c->object;
      return other ? tp_mask128(w) : b->und | c->und | (b->bits ^ c->bits);
    }
    case TP_OP_EQ:  // a determined difference decides
      if (in->arg_sort == TP_SORT_BV && ((a->bits ^ b->bits) & ~(a->und | b->und))) return 0;
      return 1;
    case TP_OP_PTR_MK:
    case TP_OP_PTR_ADD:
    case TP_OP_PTR_TO_INT:
    default: return tp_mask128(w);
  }
}

static uint32_t one_of(uint32_t a, uint32_t b) { return a == b || b == 0 ? a : a == 0 ? b : 0; }

/* Origin of an integer result, object of a pointer result. */
static uint32_t object_of(const tp_instr *in, const tp_shaded *a, const tp_shaded *b,
                          const tp_shaded *c) {
  switch (in->op) {
    case TP_OP_ITE: return a->bits ? b->object : c->object;
    case TP_OP_PTR_MK: return (uint32_t)a->bits;
    case TP_OP_PTR_ADD:
    case TP_OP_PTR_TO_INT:
    case TP_OP_INT_TO_PTR: return a->object;
    case TP_OP_BV_ADD: return a->object && b->object ? 0 : a->object | b->object;
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_CONCAT: return one_of(a->object, b->object);
    case TP_OP_BV_XOR: return a->object == b->object ? 0 : one_of(a->object, b->object);
    case TP_OP_BV_EXTRACT:
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: return a->object;
    case TP_OP_BV_NEG: return a->object;
    case TP_OP_BV_MUL:  // the normal form writes -x as -1 * x
      if (b->bits == tp_mask128(in->width)) return a->object;
      return a->bits == tp_mask128(in->width) ? b->object : 0;
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR: return b->bits % 8 == 0 ? a->object : 0;  // bytes being cut out
    default: return 0;
  }
}

static tp_shaded leaf(const tp_state_view *v, const tp_instr *in, const tp_shaded *r) {
  const tp_state *s = v->s;
  tp_u128 id =
      in->op == TP_X_SIZE || in->op == TP_X_LIVE || in->op == TP_X_KIND ? r[in->a].bits : 0;
  tp_u128 und = in->op == TP_X_SIZE || in->op == TP_X_LIVE || in->op == TP_X_KIND
                    ? all_if(r[in->a].und, in->width)
                    : 0;
  switch (in->op) {
    case TP_X_CONST:
      if (in->sort == TP_SORT_PTR) return (tp_shaded){.bits = in->imm, .object = (uint32_t)in->hi};
      return (tp_shaded){.bits = (tp_u128)in->hi << 64 | in->imm};
    case TP_X_LOCAL:
      return tp_slot_get(s, (size_t)(v->local - v->global) + in->imm, (tp_sort_kind)in->sort);
    case TP_X_GLOBAL: return tp_slot_get(s, in->imm, (tp_sort_kind)in->sort);
    case TP_X_SIZE:
      return (tp_shaded){.bits = tp_object_size(s, (uint64_t)id) & tp_mask128(in->width),
                         .und = und};
    case TP_X_LIVE: return (tp_shaded){.bits = tp_object_live(s, (uint64_t)id), .und = und};
    case TP_X_KIND: return (tp_shaded){.bits = tp_object_kind_of(s, (uint64_t)id), .und = und};
    case TP_X_HEAP: return (tp_shaded){.bits = s->n_heap & tp_mask128(in->width)};
    default: return (tp_shaded){.bits = tp_memory_has_leak(s)};  // TP_X_LEAKED
  }
}

static bool is_division(uint8_t op) {
  return op == TP_OP_BV_UDIV || op == TP_OP_BV_SDIV || op == TP_OP_BV_UREM || op == TP_OP_BV_SREM;
}

tp_shaded tp_eval_shaded(const tp_state_view *v, const tp_snippet *sn, tp_shaded *r,
                         bool *divided_by_und) {
  TP_REQUIRE(sn->evaluator != TP_BY_TERMS && sn->n > 0);
  const uint32_t ptr_bits = v->s->program->ptr_bits;
  for (uint32_t i = 0; i < sn->n; i++) {
    const tp_instr *in = &sn->at[i];
    if (in->op >= TP_X_CONST) {
      r[i] = leaf(v, in, r);
      continue;
    }
    static const tp_shaded none = {0};
    const tp_shaded *a = &r[in->a], *b = in->n_args > 1 ? &r[in->b] : &none,
                    *c = in->n_args > 2 ? &r[in->c] : &none;
    tp_shaded x = {0};
    if (in->op == TP_OP_PTR_TO_INT)
      x.bits = a->bits + tp_object_base(v->s, a->object);
    else if (in->op == TP_OP_INT_TO_PTR)
      x.bits = a->bits - tp_object_base(v->s, a->object);
    else
      x.bits = tp_apply(in, ptr_bits, a, b, c);
    x.bits &= tp_mask128(in->width);
    x.und = indeterminate(in, a, b, c) & tp_mask128(in->width);
    x.object = object_of(in, a, b, c);
    if (is_division(in->op) && b->und) *divided_by_und = true;
    r[i] = x;
  }
  return r[sn->n - 1];
}

// ------------------------------------------------------------------- by terms

typedef struct {
  const tp_state *s;
  bool any_und;
} see_und;

static void see(void *ctx, tp_term var) {
  see_und *u = ctx;
  const tp_state *s = u->s;
  tp_var v = tp_program_var_of(s->program, var);
  if (v.id == 0 || s->code->slot_of_var[v.id] == UINT32_MAX) return;
  size_t slot = tp_slot_of(s, s->frames.n ? tp_state_top(s) : NULL, v);
  if (s->marked[slot] && s->shades[slot].und) u->any_und = true;
}

tp_status tp_eval_terms(const tp_state *s, tp_term t, tp_shaded *out) {
  TP_REQUIRE(tp_term_is(t));
  tp_value v;
  TP_TRY(tp_state_eval(s, t, &v));
  see_und u = {s, false};
  tp_for_vars(s->program->terms, t, see, &u);
  tp_layout l = tp_layout_of(s->program, tp_sort_of(s->program->terms, t));
  *out = (tp_shaded){
      .bits = v.bits, .object = v.object, .und = u.any_und ? tp_mask128(l.width_bits) : 0};
  return TP_OK;
}
