/* Pre-images of blocks: substitution, then inputs are eliminated.
 *
 * What must go: inputs, counters, memory before main, and variables that do not exist at the node
 * before the block (those of a function that it calls). Where elimination fails, what mentions them
 * is dropped: the pre-image then contains more states, never fewer. */
#include "search/partition_priv.h"
#include "search/search_limits.h"
#include "search/split_priv.h"

#include "engine/invariants.h"
#include "program/cells.h"

typedef struct {
  const tp_partition *pt;
  tp_context context;  // of the node before the block
} scope;

static bool is_eliminated(void *ctx, tp_term var) {
  const scope *s = ctx;
  const tp_program *p = s->pt->blocks->paths->p;
  tp_sort sort;
  if (!tp_program_var_of(p, var).id) return !tp_is_memory(p, var, &sort);
  return !tp_invariant_may_use(p, s->pt->blocks->contexts, s->context, var);
}

static tp_term question(void *ctx, tp_term t) {
  return tp_paths_query(((const scope *)ctx)->pt->blocks->paths, t);
}

static tp_eliminator eliminator_of(scope *s) {
  return (tp_eliminator){.tt = s->pt->blocks->paths->tt,
                         .is_eliminated = is_eliminated,
                         .ctx = s,
                         .query = question,
                         .smt = s->pt->smt,
                         .max_cubes = TP_SEARCH_SPLIT_CUBES};
}

// ------------------------------------------------------------------------- reads

typedef struct {
  const tp_eliminator *e;
  tp_map images, arrays;  // read -> variable; arrays that were read
  bool is_exact;
} severing;

static tp_visit sever_read(void *ctx, tp_term t) {
  severing *s = ctx;
  tp_terms *tt = s->e->tt;
  if (tp_kind(tt, t) != TP_OP_SELECT || !tp_has_eliminated(s->e, t)) return TP_VISIT_ARGS;
  tp_term array = tp_arg(tt, t, 0);
  bool is_free = tp_kind(tt, array) == TP_OP_VAR && tp_has_eliminated(s->e, array) &&
                 !tp_has_eliminated(s->e, tp_arg(tt, t, 1));
  s->is_exact &= is_free && !tp_map_has(&s->arrays, array.id);
  tp_map_set(&s->arrays, array.id, 1);
  tp_map_set(&s->images, t.id, tp_mk_var(tt, "read", tp_sort_of(tt, t)).id);
  return TP_VISIT_SKIP_ARGS;
}

/* Reads that cannot be said become values of their own: more states, unless it is the only read of
 * an array that may hold anything. */
static tp_term sever(const tp_eliminator *e, tp_term t, bool *is_exact) {
  severing s = {.e = e, .is_exact = *is_exact};
  tp_visitor reads = {.ctx = &s, .visit = sever_read, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(e->tt, t, &reads, NULL);
  if (s.images.n) t = tp_replace_all(e->tt, t, &s.images);
  *is_exact = s.is_exact;
  tp_map_clear(&s.images);
  tp_map_clear(&s.arrays);
  return t;
}

/* Without the eliminated variables: exactly, or as far as two attempts say. */
static tp_term eliminate(const tp_eliminator *e, tp_term t, bool *is_exact) {
  bool first, second = true;
  tp_term severed = sever(e, t, &second), out;
  if (!tp_term_eq(severed, t) && second) {  // nothing is lost
    t = severed;
    out = tp_eliminate(e, t, &first);
  } else {
    out = tp_eliminate(e, t, &first);
    if (!first && !tp_term_eq(severed, t))
      out = tp_mk_and(e->tt, out, tp_eliminate(e, severed, &second));
  }
  *is_exact = first;
  return out;
}

// -------------------------------------------------------------------- pre-images

static void add_conjuncts(tp_paths *x, tp_term t, const tp_map *guards, tp_pre *out,
                          bool *is_exact) {
  tp_term_list parts = {0};
  bool all_expressible = tp_paths_is_expressible(
      x, t);  // mostly; parts share much, so one look at all of them is far cheaper
  tp_conjuncts(x->tt, t, &parts);
  for (size_t i = 0; i < parts.n; i++) {
    bool is_expressible = all_expressible || tp_paths_is_expressible(x, parts.at[i]);
    *is_exact &= is_expressible;
    if (is_expressible)
      tp_vec_push(out, (tp_pre_conjunct){.fact = parts.at[i],
                                         .is_guard = tp_map_has(guards, parts.at[i].id)});
  }
  tp_vec_clear(&parts);
}

static void find_guards(tp_terms *tt, tp_term condition, tp_map *guards) {
  tp_term_list parts = {0};
  tp_conjuncts(tt, condition, &parts);
  for (size_t i = 0; i < parts.n; i++) tp_map_set(guards, parts.at[i].id, 1);
  tp_vec_clear(&parts);
}

void tp_split_pre_conjuncts(tp_partition *pt, uint32_t block, tp_term target, tp_pre *out,
                            bool *is_exact, bool *was_eliminated) {
  TP_REQUIRE(block < pt->blocks->list.n);
  tp_paths *x = pt->blocks->paths;
  const tp_block *b = &pt->blocks->list.at[block];
  scope s = {pt, pt->blocks->nodes.at[b->from].context};
  tp_eliminator e = eliminator_of(&s);
  tp_map guards = {0};
  tp_term condition = tp_flatten(&x->flattener, x->tt, tp_path_condition(x, &b->path),
                                 TP_SEARCH_SPLIT_FLAT_CONDITIONS);
  tp_term all = tp_mk_and(x->tt, condition,
                          tp_flatten(&x->flattener, x->tt, tp_path_after(x, &b->path, target),
                                     TP_SEARCH_SPLIT_FLAT_CONDITIONS));
  *is_exact = true;
  *was_eliminated = tp_has_eliminated(&e, all);
  find_guards(x->tt, condition, &guards);
  if (*was_eliminated) all = eliminate(&e, all, is_exact);
  add_conjuncts(x, all, &guards, out, is_exact);
  tp_map_clear(&guards);
}

tp_term tp_split_conjunction(tp_terms *tt, const tp_pre *pre) {
  tp_term all = tp_mk_true(tt);
  for (size_t i = 0; i < pre->n; i++) all = tp_mk_and(tt, all, pre->at[i].fact);
  return all;
}

tp_term tp_split_pre(tp_partition *pt, uint32_t block, tp_term target, bool *exact) {
  tp_pre pre = {0};
  bool was_eliminated;
  tp_split_pre_conjuncts(pt, block, target, &pre, exact, &was_eliminated);
  tp_term all = tp_split_conjunction(pt->blocks->paths->tt, &pre);
  tp_vec_clear(&pre);
  return all;
}
