/* What a formula says outright at the start of a segment.
 *
 * A conjunct `variable = constant` gives the variable its value there, `variable = other variable
 * (+ constant)` and `offset of pointer = constant` too, pointers as object and offset, and `cell =
 * constant` the cell: terms fold, pointers lead to known objects, and most questions answer
 * themselves. */
#include "certify/symbolic/executor.h"

#include "program/cells.h"

typedef TP_VEC(tp_term) terms;

static void conjuncts(const tp_terms *tt, tp_term formula, terms *out) {
  terms todo = {0};
  tp_vec_push(&todo, formula);
  while (todo.n) {
    tp_term t = tp_vec_pop(&todo);
    if (tp_kind(tt, t) == TP_OP_AND) {
      tp_vec_push(&todo, tp_arg(tt, t, 1));
      tp_vec_push(&todo, tp_arg(tt, t, 0));
    } else {
      tp_vec_push(out, t);
    }
  }
  tp_vec_clear(&todo);
}

/* Give v this value; what it held is not lost by that. */
static void bind(tp_chk_exec *g, tp_var v, tp_term value) {
  if (v.id == g->p->ghost_heap.id) {
    g->state.heap = value;
  } else if (v.id == g->p->ghost_leaked.id) {
    g->state.lost = value;
  } else {
    tp_term lost = g->state.lost;
    tp_chk_exec_set(
        g, v,
        (tp_chk_value){value, TP_PROVENANCE_ANY});  // an integer may be an address all the same
    g->state.lost = lost;
  }
}

static bool is_free(const tp_chk_exec *g, tp_var v) {
  return tp_var_of(g->p, v)->kind == TP_V_GHOST || !tp_term_is(g->values[v.id].term);
}

static void use_constant(tp_chk_exec *g, tp_term t) {
  tp_term place, value;
  if (!tp_chk_is_binding(g->p, t, &place, &value) || tp_kind(g->tt, place) != TP_OP_VAR) return;
  tp_var v = tp_program_var_of(g->p, place);
  if (is_free(g, v)) bind(g, v, value);
}

// ------------------------------------------------------------- other variables

static void note(void *ctx, tp_term var) { tp_map_set(ctx, var.id, 1); }

/* A variable, or one moved by a constant. */
static bool is_simple(const tp_terms *tt, tp_term t) {
  tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_PTR_ADD && tp_is_const(tt, tp_arg(tt, t, 1)))
    return tp_kind(tt, tp_arg(tt, t, 0)) == TP_OP_VAR;
  return k == TP_OP_VAR;
}

/* The constant offset that a conjunct gives this pointer. */
static bool offset_of(const tp_terms *tt, const terms *all, tp_term pointer, tp_term *out) {
  for (size_t i = 0; i < all->n; i++) {
    if (tp_kind(tt, all->at[i]) != TP_OP_EQ) continue;
    bool first = tp_is_const(tt, tp_arg(tt, all->at[i], 0));
    tp_term offset = tp_arg(tt, all->at[i], first);
    *out = tp_arg(tt, all->at[i], !first);
    if (tp_kind(tt, offset) == TP_OP_PTR_OFF && tp_is_const(tt, *out) &&
        tp_term_eq(tp_arg(tt, offset, 0), pointer))
      return true;
  }
  return false;
}

/* A pointer at a known offset is that offset in its object: its symbol stands for the object. */
static void use_offset(tp_chk_exec *g, const terms *all, tp_term pointer, const tp_map *used) {
  tp_terms *tt = g->tt;
  const tp_var v = tp_program_var_of(g->p, pointer);
  tp_term offset;
  if (tp_kind(tt, pointer) != TP_OP_VAR || !v.id || tp_var_of(g->p, v)->kind == TP_V_GHOST ||
      !is_free(g, v) || tp_map_has(used, pointer.id) || !offset_of(tt, all, pointer, &offset))
    return;
  bind(g, v, tp_mk_ptr(tt, tp_mk1(tt, TP_OP_PTR_OBJ, pointer), offset));
}

static void use_offsets(tp_chk_exec *g, const terms *all, const tp_map *used) {
  for (size_t i = 0; i < all->n; i++)
    for (uint32_t side = 0; side < 2 && tp_kind(g->tt, all->at[i]) == TP_OP_EQ; side++) {
      const tp_term offset = tp_arg(g->tt, all->at[i], side);
      if (tp_kind(g->tt, offset) == TP_OP_PTR_OFF)
        use_offset(g, all, tp_arg(g->tt, offset, 0), used);
    }
}

/* v = t: unless some value speaks of v's own symbol already, or t does. used: symbols in values. */
static bool use_equality(tp_chk_exec *g, const terms *all, tp_term symbol, tp_term t,
                         tp_map *used) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(g->tt, symbol), tp_sort_of(g->tt, t)));
  if (tp_kind(g->tt, symbol) != TP_OP_VAR || !is_simple(g->tt, t)) return false;
  tp_var v = tp_program_var_of(g->p, symbol);
  tp_sort_kind k = tp_sort_kind_of(g->tt, tp_sort_of(g->tt, symbol));
  if (!v.id || tp_var_of(g->p, v)->kind == TP_V_GHOST ||
      (k != TP_SORT_PTR && k != TP_SORT_BV && k != TP_SORT_BOOL))
    return false;
  if (!is_free(g, v) || tp_map_has(used, symbol.id)) return false;
  use_offset(g, all, tp_kind(g->tt, t) == TP_OP_VAR ? t : tp_arg(g->tt, t, 0), used);
  tp_term value = tp_chk_eval_formula(g, t);
  tp_map mine = {0};
  tp_for_vars(g->tt, value, note, &mine);
  bool ok = !tp_map_has(&mine, symbol.id);
  if (ok) {
    tp_for_vars(g->tt, value, note, used);
    bind(g, v, value);
  }
  tp_map_clear(&mine);
  return ok;
}

/* a and b lead into one object at offsets that are known: each is the other one, moved. */
static void use_object(tp_chk_exec *g, const terms *all, tp_term a, tp_term b, tp_map *used) {
  tp_terms *tt = g->tt;
  tp_term at_a, at_b;
  if (tp_kind(tt, a) != TP_OP_PTR_OBJ || tp_kind(tt, b) != TP_OP_PTR_OBJ) return;
  a = tp_arg(tt, a, 0), b = tp_arg(tt, b, 0);
  if (!offset_of(tt, all, a, &at_a) || !offset_of(tt, all, b, &at_b)) return;
  if (!use_equality(g, all, b, tp_mk2(tt, TP_OP_PTR_ADD, a, tp_mk_sub(tt, at_b, at_a)), used))
    (void)use_equality(g, all, a, tp_mk2(tt, TP_OP_PTR_ADD, b, tp_mk_sub(tt, at_a, at_b)), used);
}

// ----------------------------------------------------------------------- cells

/* cell = constant, ghost[object] = constant, live[object]: what the read gives from now on. The
 * fact itself stays: other addresses may be equal. */
static void use_read(tp_chk_exec *g, tp_term t) {
  tp_terms *tt = g->tt;
  bool negated = tp_kind(tt, t) == TP_OP_NOT;
  tp_term read = negated ? tp_arg(tt, t, 0) : t, value = tp_mk_bool(tt, !negated);
  if (!negated && tp_kind(tt, t) == TP_OP_EQ) {
    bool first = tp_is_const(tt, tp_arg(tt, t, 0));
    read = tp_arg(tt, t, first);
    value = tp_arg(tt, t, !first);
  }
  if (tp_kind(tt, read) != TP_OP_SELECT || !tp_is_const(tt, value) ||
      tp_kind(tt, value) == TP_OP_FP_CONST)
    return;
  tp_term here =
      tp_mk2(tt, TP_OP_SELECT, tp_arg(tt, read, 0), tp_chk_eval_formula(g, tp_arg(tt, read, 1)));
  if (tp_kind(tt, here) != TP_OP_SELECT || !tp_sort_eq(tp_sort_of(tt, here), tp_sort_of(tt, value)))
    return;
  if (!tp_term_eq(tp_chk_eval_formula(g, read), here))
    return;  // a static that is known anyway, or said twice
  tp_chk_assume(g, tp_mk_eq(tt, here, value));
  tp_map_set(&g->history.said, here.id, value.id);
}

/* Universal facts hold for their symbols, and are kept for other indices. What they say is computed
 * before anything is known of the symbols: it holds for all their values. */
static void assume_of_all(tp_chk_exec *g, tp_term others) {
  terms all = {0};
  conjuncts(g->tt, others, &all);
  for (size_t i = 0; i < all.n; i++) {
    tp_term body = tp_chk_eval_formula(g, all.at[i]);
    if (!tp_is_true(g->tt, body)) tp_vec_push(&g->universals.bodies, body);
  }
  if (g->universals.bodies.n) g->history.is_exact = false;  // other instances may prove more
  for (size_t i = 0; i < g->universals.bodies.n; i++) tp_chk_assume(g, g->universals.bodies.at[i]);
  tp_vec_clear(&all);
}

void tp_chk_assume_cutpoint_formula(tp_chk_exec *g, tp_term formula) {
  TP_REQUIRE(tp_sort_kind_of(g->tt, tp_sort_of(g->tt, formula)) == TP_SORT_BOOL);
  terms all = {0};
  tp_map used = {0};
  tp_term others;
  formula = tp_chk_universal_split(g->cert, g->tt, formula, &others);
  conjuncts(g->tt, formula, &all);
  for (size_t i = 0; i < all.n; i++) use_constant(g, all.at[i]);
  for (size_t i = 0; i < all.n; i++) {
    tp_term t = all.at[i];
    if (tp_kind(g->tt, t) != TP_OP_EQ) continue;
    tp_term a = tp_arg(g->tt, t, 0), b = tp_arg(g->tt, t, 1);
    if (!use_equality(g, &all, b, a, &used) && !use_equality(g, &all, a, b, &used))
      use_object(g, &all, a, b, &used);
  }
  use_offsets(g, &all, &used);
  for (size_t i = 0; i < all.n; i++) use_read(g, all.at[i]);
  tp_chk_assume(g, tp_chk_eval_formula(g, formula));
  if (g->cert->indices.n) assume_of_all(g, others);
  tp_map_clear(&used);
  tp_vec_clear(&all);
}
