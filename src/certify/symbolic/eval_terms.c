/* Terms in the state of a segment.
 *
 * Variables give their values, the ghost arrays and memory what their logs say. Integers are
 * followed by what they may hide: a pointer is got back from an integer only where the term shows
 * it, and where nothing is known it may be any. */
#include "certify/symbolic/leak_witness.h"
#include "certify/bounded/unrolled_exec.h"
#include "certify/shapes/shape_check.h"

#include "program/cells.h"

typedef struct {
  tp_chk_exec *g;
  bool is_formula;
  tp_map memo;  // term -> value's term << 8 | is derived from
  TP_VEC(uint32_t) todo;
} evaluator;

static bool done(const evaluator *e, tp_term t, tp_chk_value *out) {
  uint64_t v;
  if (!tp_map_get(&e->memo, t.id, &v)) return false;
  *out = (tp_chk_value){{(uint32_t)(v >> 8)}, (tp_chk_provenance)(v & 0xff)};
  return true;
}

// ------------------------------------------------------- equality of pointers

static tp_term kind_is(tp_chk_exec *g, tp_term kind, tp_object_kind k) {
  return tp_mk_eq(g->tt, kind, tp_mk_bv(g->tt, 8, k));
}

/* One past the end of p's object is the start of q's. */
static tp_term touches(tp_chk_exec *g, tp_term p, tp_term q, tp_term size_of_p) {
  tp_term at_end = tp_mk_eq(g->tt, tp_mk1(g->tt, TP_OP_PTR_OFF, p), size_of_p);
  return tp_mk_and(
      g->tt, at_end,
      tp_mk_eq(g->tt, tp_mk1(g->tt, TP_OP_PTR_OFF, q), tp_mk_bv(g->tt, g->p->ptr_bits, 0)));
}

/* p is a number that nobody knows, but null: it may be the address of q's object. Constants are not
 * addresses. */
static tp_term may_lead_to(tp_chk_exec *g, tp_term p, tp_term q) {
  tp_terms *tt = g->tt;
  tp_term null = tp_mk_bv(tt, TP_OBJ_BITS, 0), offset = tp_mk1(tt, TP_OP_PTR_OFF, p);
  if (tp_is_const(tt, offset)) return tp_mk_false(tt);
  tp_term is_number =
      tp_mk_and(tt, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, p), null),
                tp_mk_not(tt, tp_mk_eq(tt, offset, tp_mk_bv(tt, g->p->ptr_bits, 0))));
  return tp_mk_and(tt, is_number, tp_mk_not(tt, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, q), null)));
}

/* May the addresses of different objects be equal (doc/semantics.md)? */
static tp_term is_open(tp_chk_exec *g, tp_term p, tp_term q) {
  tp_terms *tt = g->tt;
  tp_term a = tp_mk1(tt, TP_OP_PTR_OBJ, p), b = tp_mk1(tt, TP_OP_PTR_OBJ, q),
          null = tp_mk_bv(tt, TP_OBJ_BITS, 0), no = tp_mk_false(tt);
  tp_term different = tp_mk_not(tt, tp_mk_eq(tt, a, b));
  different = tp_mk_and(
      tt, different,
      tp_mk_and(tt, tp_mk_not(tt, tp_mk_eq(tt, a, null)), tp_mk_not(tt, tp_mk_eq(tt, b, null))));
  if (tp_is_false(tt, different)) return no;
  uint32_t log = g->state.ghosts;
  tp_term ka = tp_chk_history_ghost_read(&g->history, log, TP_CHK_GHOST_KIND, a),
          kb = tp_chk_history_ghost_read(&g->history, log, TP_CHK_GHOST_KIND, b);
  tp_term functions = tp_mk_or(tt, kind_is(g, ka, TP_O_FUNCTION), kind_is(g, kb, TP_O_FUNCTION));
  tp_term alike = tp_mk_and(tt, kind_is(g, ka, TP_O_LITERAL), kind_is(g, kb, TP_O_LITERAL));
  if (g->repeats_locals)
    alike =
        tp_mk_or(tt, alike, tp_mk_and(tt, kind_is(g, ka, TP_O_STACK), kind_is(g, kb, TP_O_STACK)));
  tp_term live = tp_mk_and(tt, tp_chk_history_ghost_read(&g->history, log, TP_CHK_GHOST_LIVE, a),
                           tp_chk_history_ghost_read(&g->history, log, TP_CHK_GHOST_LIVE, b));
  tp_term heap = tp_mk_or(tt, kind_is(g, ka, TP_O_HEAP), kind_is(g, kb, TP_O_HEAP));
  tp_term side = tp_mk_or(
      tt, touches(g, p, q, tp_chk_history_ghost_read(&g->history, log, TP_CHK_GHOST_SIZE, a)),
      touches(g, q, p, tp_chk_history_ghost_read(&g->history, log, TP_CHK_GHOST_SIZE, b)));
  tp_term open = tp_mk_or(
      tt, alike, tp_mk_or(tt, tp_mk_not(tt, live), tp_mk_and(tt, tp_mk_not(tt, heap), side)));
  return tp_mk_and(tt, different, tp_mk_and(tt, tp_mk_not(tt, functions), open));
}

static tp_term may_coincide(tp_chk_exec *g, tp_term p, tp_term q) {
  tp_chk_leaves ps = tp_chk_leaves_of(&g->history.leaves, p),
                qs = tp_chk_leaves_of(&g->history.leaves, q);
  if (ps.n * qs.n == 1 || (!g->unrolling && (!ps.is_known || !qs.is_known)))
    return tp_mk_or(g->tt, is_open(g, p, q),
                    tp_mk_or(g->tt, may_lead_to(g, p, q), may_lead_to(g, q, p)));
  tp_term any = tp_mk_false(g->tt);
  for (uint32_t i = 0; i < ps.n; i++)
    for (uint32_t k = 0; k < qs.n; k++) {
      if (ps.at[i].object == qs.at[k].object && ps.at[i].object != TP_LEAF_OPAQUE) continue;
      tp_term u = tp_chk_pointer_of_leaf(g->tt, ps.at[i]),
              v = tp_chk_pointer_of_leaf(g->tt, qs.at[k]);
      tp_term both = tp_mk_and(g->tt, ps.at[i].cond, qs.at[k].cond);
      any = tp_mk_or(
          g->tt, any,
          tp_mk_and(g->tt, both,
                    tp_mk_or(g->tt, is_open(g, u, v),
                             tp_mk_or(g->tt, may_lead_to(g, u, v), may_lead_to(g, v, u)))));
    }
  return any;
}

static tp_term same_pointer(tp_chk_exec *g, tp_term p, tp_term q) {
  tp_term same = tp_mk_eq(g->tt, p, q);
  if (tp_is_true(g->tt, same)) return same;
  tp_term open = may_coincide(g, p, q);
  return tp_is_false(g->tt, open)
             ? same
             : tp_mk_ite(g->tt, open, tp_chk_exec_nondet(g, tp_sort_bool(g->tt)), same);
}

// -------------------------------------------------------------------- integers

static bool all_numbers(const tp_chk_value *a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (a[i].provenance != TP_PROVENANCE_NONE) return false;
  return true;
}

/* What the number made by an operation of this kind may hide. */
static tp_chk_provenance hides_of(const tp_chk_history *x, tp_term_kind k, const tp_chk_value *a,
                                  uint32_t n) {
  switch ((int)k) {
    case TP_OP_PTR_TO_INT: return TP_PROVENANCE_ONE;
    case TP_OP_PTR_OBJ:
    case TP_OP_PTR_OFF: return TP_PROVENANCE_NONE;
    case TP_OP_BV_ADD:
      if (a[0].provenance == TP_PROVENANCE_ONE && a[1].provenance == TP_PROVENANCE_NONE)
        return TP_PROVENANCE_ONE;
      if (a[1].provenance == TP_PROVENANCE_ONE && a[0].provenance == TP_PROVENANCE_NONE)
        return TP_PROVENANCE_ONE;
      break;
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_XOR:
      for (uint32_t i = 0; i < 2; i++)
        if (a[i].provenance == TP_PROVENANCE_ONE && tp_chk_is_tag(x->tt, k, a[1 - i].term))
          return TP_PROVENANCE_ONE;
      break;
    case TP_OP_ITE: return tp_chk_merge_provenance(x->tt, a[1], a[2]);
    default: break;
  }
  return all_numbers(a, n) ? TP_PROVENANCE_NONE : TP_PROVENANCE_ANY;
}

static tp_term pointer_of(tp_chk_exec *g, tp_chk_value integer) {
  tp_term ptr = tp_chk_pointer_of_integer(g->tt, integer);
  if (tp_term_is(ptr)) return ptr;
  g->history.is_exact = false;
  return tp_chk_exec_nondet(g, tp_sort_ptr(g->tt));
}

// --------------------------------------------------------------------- symbols

/* Edges ask in order to find out: a witness helps. Formulas speak of what is known or shown
 * elsewhere. */
static tp_term lost_now(tp_chk_exec *g, bool is_formula) {
  const bool is_known = tp_term_is(g->state.lost);
  if (g->unrolling) return tp_chk_unrolling_leaked(g);
  if (!is_known) g->history.is_exact = false;
  if (is_known && is_formula) return g->state.lost;
  return tp_chk_leak_condition(
      g, is_known ? g->state.lost : tp_chk_exec_nondet(g, tp_sort_bool(g->tt)));
}

static tp_term heap_now(tp_chk_exec *g, bool is_formula) {
  if (!is_formula && g->shape) tp_chk_leak_assume_heap_object(g);
  return g->state.heap;
}

static tp_chk_value symbol(tp_chk_exec *g, tp_term t, bool is_formula) {
  if (tp_term_is(g->cell_symbol) && tp_term_eq(t, g->cell_symbol))
    return (tp_chk_value){g->cell, TP_PROVENANCE_NONE};
  if (is_formula && g->cert &&
      (tp_chk_universal_is_index(g->cert, t) || tp_chk_fold_is_place(g->cert, t)))
    return (tp_chk_value){t, TP_PROVENANCE_ANY};
  tp_var v = tp_program_var_of(g->p, t);
  if (v.id && v.id == g->p->ghost_heap.id)
    return (tp_chk_value){heap_now(g, is_formula), TP_PROVENANCE_NONE};
  if (v.id && v.id == g->p->ghost_leaked.id)
    return (tp_chk_value){lost_now(g, is_formula), TP_PROVENANCE_NONE};
  if (v.id && tp_sort_kind_of(g->tt, tp_sort_of(g->tt, t)) != TP_SORT_ARRAY)
    return tp_chk_exec_get(g, v);
  tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, g->state.loc, "an array is used as a whole");
  return (tp_chk_value){t, TP_PROVENANCE_ANY};
}

// ------------------------------------------------------------------ rebuilding

static tp_chk_value rebuild(evaluator *e, tp_term t, const tp_chk_value *a, uint32_t n) {
  tp_chk_exec *g = e->g;
  tp_term_kind k = tp_kind(g->tt, t);
  if (k == TP_OP_EQ && !e->is_formula &&
      tp_sort_kind_of(g->tt, tp_sort_of(g->tt, a[0].term)) == TP_SORT_PTR)
    return (tp_chk_value){same_pointer(g, a[0].term, a[1].term), TP_PROVENANCE_NONE};
  if (k == TP_OP_INT_TO_PTR) return (tp_chk_value){pointer_of(g, a[0]), TP_PROVENANCE_NONE};
  tp_term args[3] = {a[0].term, a[1].term, a[2].term};
  tp_term r = tp_remake(g->tt, t, args);
  tp_sort_kind s = tp_sort_kind_of(g->tt, tp_sort_of(g->tt, r));
  return (tp_chk_value){
      r, s == TP_SORT_BV || s == TP_SORT_FP ? hides_of(&g->history, k, a, n) : TP_PROVENANCE_NONE};
}

tp_chk_value tp_chk_eval_load(tp_chk_exec *g, tp_term at, tp_sort s) {
  tp_terms *tt = g->tt;
  tp_chk_value v = tp_chk_history_read(&g->history, g->state.memory, at, s);
  if (!g->history.marks_uninitialised || tp_sort_kind_of(tt, s) != TP_SORT_PTR) return v;
  tp_term no_object = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, v.term), tp_mk_bv(tt, TP_OBJ_BITS, 0));
  tp_term is_number = tp_mk_and(tt, no_object, tp_mk_not(tt, tp_mk_eq(tt, v.term, tp_mk_null(tt))));
  tp_term is_pointer = tp_mk_not(tt, is_number);
  if (tp_chk_is_assumed(g, is_pointer) || tp_chk_shape_try(g, is_pointer) == TP_CHK_PROVED)
    return v;
  g->history.is_exact = false;
  return (tp_chk_value){tp_mk_ite(tt, is_number, tp_chk_exec_nondet(g, s), v.term),
                        TP_PROVENANCE_ANY};
}

/* A fold at an index: of the function that it is in this state. */
static tp_chk_value fold_at(tp_chk_exec *g, const tp_chk_fold *fold, tp_term index) {
  const tp_term step = tp_chk_eval_formula(g, fold->step);
  g->history.is_exact = false;  // more about the fold may prove more
  return (tp_chk_value){
      tp_mk2(g->tt, TP_OP_SELECT, tp_chk_fold_function_with(&g->folds, g->tt, fold, step), index),
      TP_PROVENANCE_ANY};
}

/* SELECT on a ghost array or memory; false: the index is not known yet (and is on the stack). */
static bool select(evaluator *e, tp_term t, tp_chk_value *out) {
  tp_chk_exec *g = e->g;
  tp_term array = tp_arg(g->tt, t, 0), index = tp_arg(g->tt, t, 1);
  tp_chk_ghost ghost;
  tp_sort s;
  tp_chk_value at;
  const tp_chk_fold *fold = e->is_formula && g->cert ? tp_chk_fold_of(g->cert, array) : NULL;
  if (!done(e, index, &at)) {
    tp_vec_push(&e->todo, index.id);
    return false;
  }
  if (fold) {
    *out = fold_at(g, fold, at.term);
  } else if (tp_chk_history_is_ghost(&g->history, array, &ghost)) {
    *out = (tp_chk_value){tp_chk_history_ghost_read(&g->history, g->state.ghosts, ghost, at.term),
                          TP_PROVENANCE_NONE};
  } else if (tp_is_memory(g->p, array, &s)) {
    *out = e->is_formula ? tp_chk_history_read(&g->history, g->state.memory, at.term, s)
                         : tp_chk_eval_load(g, at.term, s);
  } else {
    tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, g->state.loc,
                     "an array that is neither memory nor a ghost");
    *out = (tp_chk_value){t, TP_PROVENANCE_ANY};
  }
  return true;
}

/* Kinds that no one writes into edges or may write into formulas. */
static bool is_strange(tp_term_kind k) {
  return k == TP_OP_FORALL || k == TP_OP_EXISTS || k == TP_OP_BOUND || k == TP_OP_STORE ||
         k == TP_OP_CONST_ARRAY;
}

static void step(evaluator *e, tp_term t) {
  tp_chk_exec *g = e->g;
  tp_chk_value a[3] = {{{0}, TP_PROVENANCE_NONE},
                       {{0}, TP_PROVENANCE_NONE},
                       {{0}, TP_PROVENANCE_NONE}},
               out = {t, TP_PROVENANCE_NONE};
  tp_term_kind k = tp_kind(g->tt, t);
  uint32_t n = tp_n_args(g->tt, t);
  if (k == TP_OP_VAR) {
    out = symbol(g, t, e->is_formula);
  } else if (is_strange(k)) {
    tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, g->state.loc,
                     "a term of a kind that is not understood");
  } else if (k == TP_OP_SELECT) {
    if (!select(e, t, &out)) return;
  } else if (n) {
    bool ready = true;
    for (uint32_t i = 0; i < n; i++)
      if (!done(e, tp_arg(g->tt, t, i), &a[i])) {
        tp_vec_push(&e->todo, tp_arg(g->tt, t, i).id);
        ready = false;
      }
    if (!ready) return;
    out = rebuild(e, t, a, n);
  }
  tp_map_set(&e->memo, t.id, (uint64_t)out.term.id << 8 | (uint64_t)out.provenance);
}

static tp_chk_value evaluate(tp_chk_exec *g, tp_term t, bool is_formula) {
  tp_chk_value out = {t, TP_PROVENANCE_NONE};
  if (tp_kind(g->tt, t) == TP_OP_VAR) return symbol(g, t, is_formula);
  if (tp_n_args(g->tt, t) == 0) return out;
  evaluator e = {.g = g, .is_formula = is_formula};
  tp_vec_push(&e.todo, t.id);
  while (e.todo.n) {
    tp_term top = {tp_vec_last(&e.todo)};
    if (done(&e, top, &out))
      (void)tp_vec_pop(&e.todo);
    else
      step(&e, top);
  }
  bool known = done(&e, t, &out);
  TP_INVARIANT(known);
  (void)known;
  tp_map_clear(&e.memo);
  tp_vec_clear(&e.todo);
  return out;
}

tp_chk_value tp_chk_eval_edge_term(tp_chk_exec *g, tp_term t) { return evaluate(g, t, false); }
tp_term tp_chk_eval_formula(tp_chk_exec *g, tp_term t) { return evaluate(g, t, true).term; }
