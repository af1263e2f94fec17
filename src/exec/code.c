/* Translation of edges to register code.
 *
 * A term is a graph; its nodes are visited in an order in which arguments come first and each
 * becomes one instruction whose number is its register. Sharing in the graph is sharing of
 * registers. There are no jumps: terms are total, so both branches of an if-then-else are evaluated
 * and one is taken.
 *
 * The way of a snippet is decided here once: words if every node fits 64 bits, cells if only the
 * width is in the way, terms for the rest. A last pass walks backwards and finds the PTR_TO_INT
 * nodes whose integer can leave the snippet or be made a pointer again; the others (comparisons,
 * differences) need no origin. */
#include "exec/code.h"

#include "exec/machine_state.h"

// ----------------------------------------------------------------------- slots

static void number_slots(tp_code *code) {
  const tp_program *p = code->program;
  size_t n_funcs = p->funcs.n ? p->funcs.n : 1;
  code->lists = tp_arena_array(&code->arena, tp_slot_list, n_funcs);
  code->slot_of_var = tp_arena_array(&code->arena, uint32_t, p->vars.n + 1);
  code->var_is_global = tp_arena_array(&code->arena, bool, p->vars.n + 1);
  for (size_t v = 1; v < p->vars.n; v++) {
    const tp_var_info *info = &p->vars.at[v];
    code->var_is_global[v] = info->func.id == 0;
    code->slot_of_var[v] =
        info->kind == TP_V_GHOST ? UINT32_MAX : (uint32_t)code->lists[info->func.id].n++;
  }
  tp_sort_kind **sorts = tp_arena_array(&code->arena, tp_sort_kind *, n_funcs);
  tp_var **vars = tp_arena_array(&code->arena, tp_var *, n_funcs);
  for (size_t f = 0; f < n_funcs; f++) {
    code->lists[f].sort = sorts[f] = tp_arena_array(&code->arena, tp_sort_kind, code->lists[f].n);
    code->lists[f].var = vars[f] = tp_arena_array(&code->arena, tp_var, code->lists[f].n);
  }
  for (uint32_t v = 1; v < p->vars.n; v++) {
    uint32_t slot = code->slot_of_var[v], f = p->vars.at[v].func.id;
    if (slot == UINT32_MAX) continue;
    sorts[f][slot] = tp_sort_kind_of(p->terms, tp_sort_of(p->terms, p->vars.at[v].term));
    vars[f][slot] = (tp_var){v};
  }
}

static void find_else_branches(tp_code *code) {
  const tp_program *p = code->program;
  code->second_is_else = tp_arena_array(&code->arena, bool, p->locs.n + 1);
  for (uint32_t l = 1; l < p->locs.n; l++) {
    tp_edge_list out = tp_out_edges(p, (tp_loc){l});
    if (out.n != 2) continue;
    tp_term a = p->edges.at[out.at[0]].a, b = p->edges.at[out.at[1]].a;
    if (p->edges.at[out.at[0]].kind != TP_E_ASSUME || p->edges.at[out.at[1]].kind != TP_E_ASSUME)
      continue;
    code->second_is_else[l] =
        (tp_kind(p->terms, a) == TP_OP_NOT && tp_term_eq(tp_arg(p->terms, a, 0), b)) ||
        (tp_kind(p->terms, b) == TP_OP_NOT && tp_term_eq(tp_arg(p->terms, b, 0), a));
  }
}

tp_code *tp_code_new(const tp_program *p) {
  tp_code *code = TP_NEW(tp_code);
  code->refs = 1;
  code->program = p;
  tp_arena_init(&code->arena);
  code->ops = TP_NEW_ARRAY(tp_op, p->edges.n + 1);
  number_slots(code);
  find_else_branches(code);
  return code;
}

tp_code *tp_code_share(tp_code *code) {
  TP_REQUIRE(code->refs > 0);
  code->refs++;
  return code;
}

void tp_code_drop(tp_code *code) {
  TP_INVARIANT(!code || code->refs > 0);
  if (!code || --code->refs) return;
  tp_arena_clear(&code->arena);
  tp_map_clear(&code->symbols);
  tp_free(code->ops);
  tp_free(code);
}

tp_slot_list tp_code_slots(const tp_code *code, tp_func f) {
  TP_REQUIRE(f.id < code->program->funcs.n);
  return code->lists[f.id];
}

tp_layout tp_layout_of(const tp_program *p, tp_sort sort) {
  tp_sort_kind k = tp_sort_kind_of(p->terms, sort);
  if (k == TP_SORT_ARRAY || k == TP_SORT_INT) return (tp_layout){.kind = k};
  return (tp_layout){.kind = k,
                     .width_bits = tp_sort_width(p->terms, sort),
                     .bytes = tp_sort_bytes(p->terms, sort)};
}

bool tp_call_fits(const tp_program *p, const tp_edge_info *call, const tp_func_info *f) {
  const tp_terms *tt = p->terms;
  if (call->n_args != f->n_params) return false;
  for (uint32_t i = 0; i < call->n_args; i++)
    if (!tp_sort_eq(tp_sort_of(tt, call->args[i]),
                    tp_sort_of(tt, tp_var_of(p, f->params[i])->term)))
      return false;
  if (!call->var.id) return true;
  return f->result.id && tp_sort_eq(tp_sort_of(tt, tp_var_of(p, call->var)->term),
                                    tp_sort_of(tt, tp_var_of(p, f->result)->term));
}

// ----------------------------------------------------------------- translation

typedef struct {
  tp_code *code;
  TP_VEC(tp_instr) out;
  TP_VEC(tp_term) stack;
  tp_map reg_of_term;
  tp_snippet_evaluator evaluator;
} translation;

static void lower(tp_snippet_evaluator *evaluator, tp_snippet_evaluator to) {
  if (*evaluator < to) *evaluator = to;
}

static bool done(const translation *t, tp_term x) { return tp_map_has(&t->reg_of_term, x.id); }

static uint32_t reg(const translation *t, tp_term x) {
  TP_REQUIRE(done(t, x));  // arguments first
  uint64_t r = 0;
  (void)tp_map_get(&t->reg_of_term, x.id, &r);
  return (uint32_t)r;
}

/* Leaves that read the state. False: a variable that is none of the program's. */
static bool translate_var(translation *t, tp_term x, tp_instr *in) {
  const tp_program *p = t->code->program;
  tp_var v = tp_program_var_of(p, x);
  if (v.id == 0) return false;
  if (v.id == p->ghost_heap.id)
    in->op = TP_X_HEAP;
  else if (v.id == p->ghost_leaked.id)
    in->op = TP_X_LEAKED;
  else if (t->code->slot_of_var[v.id] == UINT32_MAX)
    return false;
  else {
    in->op = t->code->var_is_global[v.id] ? TP_X_GLOBAL : TP_X_LOCAL;
    in->imm = t->code->slot_of_var[v.id];
  }
  return true;
}

static bool translate_const(const tp_terms *tt, tp_term x, tp_instr *in) {
  in->op = TP_X_CONST;
  switch ((int)tp_kind(tt, x)) {
    case TP_OP_TRUE: in->imm = 1; return true;
    case TP_OP_FALSE: return true;
    case TP_OP_BV_CONST:
    case TP_OP_FP_CONST:
      in->imm = (uint64_t)tp_bv_value(tt, x);
      in->hi = (uint64_t)(tp_bv_value(tt, x) >> 64);
      return true;
    case TP_OP_PTR_CONST:
      in->imm = tp_ptr_const_offset(tt, x);
      in->hi = tp_ptr_const_object(tt, x);
      return true;
    default: return false;
  }
}

/* select(ghost array, object) is the one use of arrays that has code. */
static bool is_ghost_select(const translation *t, tp_term x, uint8_t *op) {
  const tp_program *p = t->code->program;
  if (tp_kind(p->terms, x) != TP_OP_SELECT) return false;
  tp_term array = tp_arg(p->terms, x, 0);
  if (tp_kind(p->terms, array) != TP_OP_VAR) return false;
  uint32_t v = tp_program_var_of(p, array).id;
  if (v == 0) return false;
  *op = v == p->ghost_size.id   ? TP_X_SIZE
        : v == p->ghost_live.id ? TP_X_LIVE
        : v == p->ghost_kind.id ? TP_X_KIND
                                : 0;
  return *op != 0;
}

static void emit(translation *t, tp_term x) {
  const tp_terms *tt = t->code->program->terms;
  tp_sort sort = tp_sort_of(tt, x);
  tp_sort_kind k = tp_sort_kind_of(tt, sort);
  tp_instr in = {.op = (uint8_t)tp_kind(tt, x), .sort = (uint8_t)k};
  if (k == TP_SORT_ARRAY || k == TP_SORT_INT)
    lower(&t->evaluator, TP_BY_TERMS);
  else
    in.width = (uint8_t)tp_sort_width(tt, sort);
  if (in.width > 64) lower(&t->evaluator, TP_BY_SHADED);

  uint8_t ghost;
  uint32_t n = tp_n_args(tt, x);
  if (is_ghost_select(t, x, &ghost)) {
    in.op = ghost;
    in.a = reg(t, tp_arg(tt, x, 1));
  } else if (n == 0) {
    bool ok = in.op == TP_OP_VAR ? translate_var(t, x, &in) : translate_const(tt, x, &in);
    if (!ok) lower(&t->evaluator, TP_BY_TERMS);
  } else {
    tp_sort first = tp_sort_of(tt, tp_arg(tt, x, 0));
    in.arg_sort = (uint8_t)tp_sort_kind_of(tt, first);
    if (in.arg_sort == TP_SORT_ARRAY || in.arg_sort == TP_SORT_INT)
      lower(&t->evaluator, TP_BY_TERMS);
    else
      in.arg_width = (uint8_t)tp_sort_width(tt, first);
    in.a = reg(t, tp_arg(tt, x, 0));
    in.n_args = (uint8_t)n;
    if (n > 1) in.b = reg(t, tp_arg(tt, x, 1));
    if (n > 2) in.c = reg(t, tp_arg(tt, x, 2));
    if (in.op == TP_OP_BV_EXTRACT) in.lo = (uint8_t)tp_extract_lo(tt, x);
    if (in.op == TP_OP_FP_ROUND) in.lo = (uint8_t)tp_round_of(tt, x);
    if (in.op == TP_OP_FORALL || in.op == TP_OP_EXISTS) lower(&t->evaluator, TP_BY_TERMS);
  }
  TP_INVARIANT(n == 0 || (in.a < t->out.n && in.b < t->out.n && in.c < t->out.n));
  tp_map_set(&t->reg_of_term, x.id, t->out.n);
  tp_vec_push(&t->out, in);
}

static void translate(translation *t, tp_term root) {
  const tp_terms *tt = t->code->program->terms;
  tp_vec_push(&t->stack, root);
  while (t->stack.n && t->evaluator != TP_BY_TERMS) {
    tp_term x = tp_vec_last(&t->stack);
    if (done(t, x)) {
      (void)tp_vec_pop(&t->stack);
      continue;
    }
    uint8_t ghost;
    bool waits = false;
    for (uint32_t i = is_ghost_select(t, x, &ghost) ? 1 : 0, n = tp_n_args(tt, x); i < n; i++) {
      tp_term arg = tp_arg(tt, x, i);
      if (done(t, arg)) continue;
      tp_vec_push(&t->stack, arg);
      waits = true;
    }
    if (waits) continue;
    (void)tp_vec_pop(&t->stack);
    emit(t, x);
  }
}

/* Does the integer in a register matter as an address? Backwards from the result. */
static void find_kept_origins(tp_instr *at, uint32_t n) {
  TP_REQUIRE(n > 0);
  bool *kept = TP_NEW_ARRAY(bool, n);
  kept[n - 1] = at[n - 1].sort == TP_SORT_BV;
  for (uint32_t i = n; i-- > 0;) {
    tp_instr *in = &at[i];
    bool k = kept[i];
    switch (in->op) {
      case TP_OP_PTR_TO_INT: in->keeps_origin = k; break;
      case TP_OP_INT_TO_PTR: kept[in->a] = true; break;
      case TP_OP_ITE:
        kept[in->b] |= k;
        kept[in->c] |= k;
        break;
      case TP_OP_BV_ADD:
      case TP_OP_BV_AND:
      case TP_OP_BV_OR:
      case TP_OP_BV_XOR:
      case TP_OP_BV_CONCAT:
      case TP_OP_BV_MUL:
        kept[in->a] |= k;
        kept[in->b] |= k;
        break;
      case TP_OP_BV_NEG:
      case TP_OP_BV_NOT:
      case TP_OP_BV_EXTRACT:
      case TP_OP_BV_ZEXT:
      case TP_OP_BV_SEXT:
      case TP_OP_BV_SHL:
      case TP_OP_BV_LSHR: kept[in->a] |= k; break;
      default: break;  // comparisons, divisions: a plain number
    }
  }
  tp_free(kept);
}

tp_snippet tp_code_of_term(tp_code *code, tp_term root) {
  tp_snippet s = {.term = root};
  if (!tp_term_is(root)) return s;
  translation t = {.code = code};
  translate(&t, root);
  s.evaluator = t.evaluator;
  if (t.evaluator != TP_BY_TERMS) {
    TP_INVARIANT(t.out.n > 0 && t.out.n <= UINT32_MAX);
    find_kept_origins(t.out.at, (uint32_t)t.out.n);
    tp_instr *at = tp_arena_array(&code->arena, tp_instr, t.out.n);
    memcpy(at, t.out.at, t.out.n * sizeof *at);
    s.at = at;
    s.n = (uint32_t)t.out.n;
    if (s.n > code->max_registers) code->max_registers = s.n;
  }
  tp_vec_clear(&t.out);
  tp_vec_clear(&t.stack);
  tp_map_clear(&t.reg_of_term);
  return s;
}

const tp_op *tp_code_prepare(tp_code *code, tp_edge e) {
  TP_REQUIRE(e.id && e.id < code->program->edges.n && !code->ops[e.id].is_ready);
  const tp_program *p = code->program;
  const tp_edge_info *info = tp_edge_of(p, e);
  tp_op *op = &code->ops[e.id];
  op->kind = info->kind;
  if (info->var.id) {
    op->slot = code->slot_of_var[info->var.id];
    op->var_is_global = code->var_is_global[info->var.id];
    op->layout = tp_layout_of(p, tp_sort_of(p->terms, tp_var_of(p, info->var)->term));
  }
  if (info->kind == TP_E_STORE) op->layout = tp_layout_of(p, tp_sort_of(p->terms, info->b));
  op->a = tp_code_of_term(code, info->a);
  op->b = tp_code_of_term(code, info->b);
  op->c = tp_code_of_term(code, info->c);
  if (info->n_args) op->args = tp_arena_array(&code->arena, tp_snippet, info->n_args);
  for (uint32_t i = 0; i < info->n_args; i++) op->args[i] = tp_code_of_term(code, info->args[i]);
  op->is_ready = true;
  return op;
}
