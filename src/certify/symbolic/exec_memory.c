/* Memory edges on the state of a segment.
 *
 * An operation without meaning ends the run; so what makes it valid is known behind it. If nothing
 * shows that it is valid, the verdict rests on it: an assumption, as in the check of unrollings. */
#include "certify/symbolic/executor.h"

#include "certify/bounded/unrolled_exec.h"

// ----------------------------------------------------------------------- doubts

/* The call that led from the user's code into the library model that the path is in; NONE: it is
 * the user's code. */
static tp_edge users_call(const tp_chk_exec *g) {
  tp_edge call = TP_EDGE_NONE;
  for (uint32_t c = g->state.context; c; c = g->cert->contexts.at[c].parent) {
    const tp_chk_context *x = &g->cert->contexts.at[c];
    if (!tp_func_of(g->p, x->func)->is_model) break;
    call = x->call;
  }
  return call;
}

void tp_chk_assume_defined(tp_chk_exec *g, tp_edge e, tp_term holds, tp_term followed) {
  tp_edge call = users_call(g);
  bool is_foreign = tp_chk_is_foreign(&g->foreign, followed);
  uint64_t key = (uint64_t)call.id << 32 | e.id;
  if (g->unrolling && !tp_is_true(g->tt, holds)) {
    tp_chk_unrolling_define(g, key, holds);
    if (is_foreign)
      tp_chk_unrolling_require(g, tp_mk_not(g->tt, holds),
                               "the use of a pointer from outside the program");
    tp_chk_assume(g, holds);
    return;
  }
  bool matters = g->obligation == TP_CHK_CONSECUTION && g->prop != TP_P_NONE &&
                 !tp_is_true(g->tt, holds) && (!tp_map_has(&g->listed, key) || is_foreign);
  if (matters && tp_chk_prove(g, &holds, 1) != TP_CHK_PROVED) {
    if (is_foreign)
      tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, g->state.loc,
                       "a pointer is followed that may come from outside the program");
    tp_map_set(&g->listed, key, 1);
  }
  tp_chk_assume(g, holds);
}

// ---------------------------------------------------------------- what is valid

typedef enum { TO_READ, TO_WRITE } access_kind;

static tp_term word(const tp_chk_exec *g, uint64_t n) { return tp_mk_bv(g->tt, g->p->ptr_bits, n); }
static tp_term object_of(const tp_chk_exec *g, tp_term ptr) {
  return tp_mk1(g->tt, TP_OP_PTR_OBJ, ptr);
}
static tp_term is_null_object(const tp_chk_exec *g, tp_term object) {
  return tp_mk_eq(g->tt, object, tp_mk_bv(g->tt, TP_OBJ_BITS, 0));
}

static tp_term is_kind(tp_chk_exec *g, tp_term object, tp_object_kind k) {
  tp_term kind = tp_chk_history_ghost_read(&g->history, g->state.ghosts, TP_CHK_GHOST_KIND, object);
  return tp_mk_eq(g->tt, kind, tp_mk_bv(g->tt, 8, k));
}

static tp_term is_live(tp_chk_exec *g, tp_term object) {
  return tp_chk_history_ghost_read(&g->history, g->state.ghosts, TP_CHK_GHOST_LIVE, object);
}

/* Not one of the statics that are constant without being of the kind of literals. */
static tp_term is_writable(tp_chk_exec *g, tp_term object) {
  tp_term ok = tp_mk_not(g->tt, is_kind(g, object, TP_O_LITERAL));
  for (uint32_t k = 1; k < g->p->statics.n; k++)
    if (g->p->statics.at[k].is_const && g->p->statics.at[k].kind == TP_O_GLOBAL)
      ok = tp_mk_and(g->tt, ok,
                     tp_mk_not(g->tt, tp_mk_eq(g->tt, object, tp_mk_bv(g->tt, TP_OBJ_BITS, k))));
  return ok;
}

/* Are the n bytes at ptr inside a live object? */
static tp_term is_valid(tp_chk_exec *g, tp_term ptr, tp_term n, access_kind access) {
  tp_chk_leaves ls = tp_chk_leaves_of(&g->history.leaves, ptr);
  if (ls.n > 1 && (ls.is_known || g->unrolling)) {
    tp_term ok = tp_mk_true(g->tt);
    for (uint32_t i = 0; i < ls.n; i++)
      ok =
          tp_mk_and(g->tt, ok,
                    tp_mk_implies(g->tt, ls.at[i].cond,
                                  is_valid(g, tp_chk_pointer_of_leaf(g->tt, ls.at[i]), n, access)));
    return ok;
  }
  tp_terms *tt = g->tt;
  tp_term object = object_of(g, ptr), offset = tp_mk1(tt, TP_OP_PTR_OFF, ptr),
          size = tp_chk_history_ghost_read(&g->history, g->state.ghosts, TP_CHK_GHOST_SIZE, object);
  tp_term fits = tp_mk_and(tt, tp_mk2(tt, TP_OP_BV_ULE, n, size),
                           tp_mk2(tt, TP_OP_BV_ULE, offset, tp_mk_sub(tt, size, n)));
  tp_term is_memory = tp_mk_and(tt, tp_mk_not(tt, is_null_object(g, object)),
                                tp_mk_not(tt, is_kind(g, object, TP_O_FUNCTION)));
  tp_term ok = tp_mk_and(tt, is_memory, tp_mk_and(tt, is_live(g, object), fits));
  return access == TO_WRITE ? tp_mk_and(tt, ok, is_writable(g, object)) : ok;
}

/* A block of no bytes touches nothing, wherever its pointers point. */
static tp_term is_valid_block(tp_chk_exec *g, tp_term ptr, tp_term n, access_kind access) {
  return tp_mk_or(g->tt, tp_mk_eq(g->tt, n, word(g, 0)), is_valid(g, ptr, n, access));
}

// ------------------------------------------------------------------ load, store

static void load(tp_chk_exec *g, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  tp_sort s = tp_sort_of(g->tt, tp_var_of(g->p, edge->var)->term);
  tp_term ptr = tp_chk_eval_edge_term(g, edge->a).term;
  tp_chk_assume_defined(g, e, is_valid(g, ptr, word(g, tp_sort_bytes(g->tt, s)), TO_READ), edge->a);
  tp_chk_exec_set(g, edge->var, tp_chk_eval_load(g, ptr, s));
}

static void store(tp_chk_exec *g, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  tp_chk_value value = tp_chk_eval_edge_term(g, edge->b);
  tp_term ptr = tp_chk_eval_edge_term(g, edge->a).term;
  tp_chk_assume_defined(
      g, e,
      is_valid(g, ptr, word(g, tp_sort_bytes(g->tt, tp_sort_of(g->tt, value.term))), TO_WRITE),
      edge->a);
  g->state.memory = tp_chk_history_store(&g->history, g->state.memory, g->state.age, ptr, value);
  g->state.lost = TP_TERM_NONE;
}

// -------------------------------------------------------------------- lifetimes

static void alloc(tp_chk_exec *g, tp_edge e) {
  tp_terms *tt = g->tt;
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  tp_chk_state *m = &g->state;
  tp_term size = tp_mk_resize(tt, g->p->ptr_bits, false, tp_chk_eval_edge_term(g, edge->a).term),
          fill = TP_TERM_NONE, yes = tp_mk_true(tt), id;
  const uint32_t before = m->age.made;
  if (g->unrolling) m->age.made = tp_chk_unrolling_number(g, e, size);
  id = tp_chk_history_allocate(&g->history, m->age);
  if (g->unrolling) tp_chk_unrolling_note_object(g, id, edge);
  if (tp_term_is(edge->b))
    fill = tp_mk_resize(tt, 8, false, tp_chk_eval_edge_term(g, edge->b).term);
  m->age.made++;
  if (m->age.made < before) m->age.made = before;
  m->ghosts = tp_chk_history_ghost_write(&g->history, m->ghosts, TP_CHK_GHOST_SIZE, yes, id, size);
  m->ghosts = tp_chk_history_ghost_write(&g->history, m->ghosts, TP_CHK_GHOST_LIVE, yes, id, yes);
  m->ghosts = tp_chk_history_ghost_write(&g->history, m->ghosts, TP_CHK_GHOST_KIND, yes, id,
                                         tp_mk_bv(tt, 8, edge->object_kind));
  m->memory = tp_chk_history_new_content(&g->history, m->memory, m->age, id, fill);
  if (edge->object_kind == TP_O_HEAP)
    m->heap = tp_mk2(tt, TP_OP_BV_ADD, m->heap, tp_mk_bv(tt, 32, 1));
  tp_chk_exec_set(g, edge->var, (tp_chk_value){tp_mk_ptr(tt, id, word(g, 0)), TP_PROVENANCE_NONE});
  m->lost = TP_TERM_NONE;
}

/* FREE, END_SCOPE; null is fine. */
static void end_life(tp_chk_exec *g, tp_edge e) {
  tp_terms *tt = g->tt;
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  bool is_heap = edge->kind == TP_E_FREE;
  tp_term ptr = tp_chk_eval_edge_term(g, edge->a).term, object = object_of(g, ptr),
          some = tp_mk_not(tt, is_null_object(g, object));
  tp_term at_start = tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, ptr), word(g, 0));
  tp_term ends =
      tp_mk_and(tt, is_kind(g, object, is_heap ? TP_O_HEAP : TP_O_STACK), is_live(g, object));
  tp_chk_assume_defined(g, e, tp_mk_and(tt, at_start, tp_mk_implies(tt, some, ends)), edge->a);
  g->state.ghosts = tp_chk_history_ghost_write(&g->history, g->state.ghosts, TP_CHK_GHOST_LIVE,
                                               some, object, tp_mk_false(tt));
  if (is_heap)
    g->state.heap =
        tp_mk_ite(tt, some, tp_mk_sub(tt, g->state.heap, tp_mk_bv(tt, 32, 1)), g->state.heap);
  g->state.lost = TP_TERM_NONE;
}

// ----------------------------------------------------------------------- blocks

static void block(tp_chk_exec *g, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(g->p, e);
  if (!tp_term_is(edge->c)) {  // all that is reachable may change: not followed
    tp_chk_require_unreachable(
        g, TP_CERTIFY_UNDECIDED,
        "a call of an external function that may write memory is not excluded");
    return;
  }
  tp_term length =
      tp_mk_resize(g->tt, g->p->ptr_bits, false, tp_chk_eval_edge_term(g, edge->c).term);
  tp_term to = tp_chk_eval_edge_term(g, edge->a).term, other = TP_TERM_NONE;
  if (edge->kind != TP_E_HAVOC_MEMORY) other = tp_chk_eval_edge_term(g, edge->b).term;
  tp_chk_assume_defined(g, e, is_valid_block(g, to, length, TO_WRITE), edge->a);
  if (edge->kind == TP_E_COPY)
    tp_chk_assume_defined(g, e, is_valid_block(g, other, length, TO_READ), edge->b);
  tp_chk_state *m = &g->state;
  if (edge->kind == TP_E_COPY)
    m->memory = tp_chk_history_copy(&g->history, m->memory, m->age, to, length, other);
  else if (edge->kind == TP_E_SET)
    m->memory = tp_chk_history_set(&g->history, m->memory, m->age, to, length,
                                   tp_mk_resize(g->tt, 8, false, other));
  else
    m->memory = tp_chk_history_input(&g->history, m->memory, m->age, to, length);
  m->lost = TP_TERM_NONE;
}

void tp_chk_exec_memory_edge(tp_chk_exec *g, tp_edge e) {
  switch ((int)tp_edge_of(g->p, e)->kind) {
    case TP_E_LOAD: load(g, e); break;
    case TP_E_STORE: store(g, e); break;
    case TP_E_ALLOC: alloc(g, e); break;
    case TP_E_FREE:
    case TP_E_END_SCOPE: end_life(g, e); break;
    default: block(g, e); break;
  }
}
