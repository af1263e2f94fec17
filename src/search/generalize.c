/* When to generalise, and what is accepted as a generalisation.
 *
 * Splits cause each other: a region is split because some of its states step into a region that an
 * earlier split cut off. Who follows these causes back and passes his own node again has been round
 * a loop: the splits are the pre-images of one set along the loop, once, twice, three times, and
 * without a step sideways they may go on like that for ever. */
#include "search/generalize_priv.h"

#include "search/search_limits.h"

tp_generalizer *tp_generalizer_new(tp_partition *pt) {
  tp_generalizer *g = TP_NEW(tp_generalizer);
  g->pt = pt;
  g->tt = pt->blocks->paths->tt;
  tp_vec_push(&g->notes, (tp_split_note){.cause = 0});
  return g;
}

void tp_generalizer_free(tp_generalizer *g) {
  if (!g) return;
  tp_vec_clear(&g->notes);
  tp_map_clear(&g->note_of_cell);
  tp_map_clear(&g->generalisations);
  tp_map_clear(&g->failures);
  tp_polyhedra_close(g->helper);
  if (g->has_costs) tp_predicate_costs_clear(&g->costs);
  tp_free(g);
}

// ---------------------------------------------------------------------- chains

/* The note that cut off the region in which the cell is. */
static uint32_t cause_of(const tp_generalizer *g, uint32_t cell) {
  for (uint32_t up; (up = g->pt->cells.at[cell].parent) != 0; cell = up) {
    uint64_t note;
    if (g->pt->cells.at[up].yes == cell && tp_map_get(&g->note_of_cell, up, &note))
      return (uint32_t)note;
  }
  return 0;
}

void tp_generalizer_note(tp_generalizer *g, tp_abstract_step step, tp_term rho) {
  TP_REQUIRE(step.from < g->pt->cells.n && step.to < g->pt->cells.n);
  const uint32_t cause = cause_of(g, step.to);
  tp_map_set(&g->note_of_cell, step.from, g->notes.n);
  tp_vec_push(&g->notes, (tp_split_note){step, g->pt->cells.at[step.from].node, rho, cause,
                                         tp_map_has(&g->generalisations, rho.id)});
}

size_t tp_generalizer_chain(tp_generalizer *g, tp_abstract_step step, const tp_split_note **out,
                            size_t room) {
  TP_REQUIRE(room > 0);
  const uint32_t node = g->pt->cells.at[step.from].node;
  size_t n = 0;
  for (uint32_t k = cause_of(g, step.to); k && n < room && !g->notes.at[k].is_general;
       k = g->notes.at[k].cause)
    if (g->notes.at[k].node == node) out[n++] = &g->notes.at[k];
  return n;
}

bool tp_generalizer_is_due(tp_generalizer *g, tp_abstract_step step, tp_term rho) {
  const tp_split_note *chain[TP_SEARCH_GENERALIZE_AFTER << TP_SEARCH_GENERALIZE_DOUBLINGS];
  uint64_t failures = 0;
  if (g->pt->settings.generalize == TP_GENERALIZE_NONE || tp_is_true(g->tt, rho) ||
      tp_is_false(g->tt, rho))
    return false;
  (void)tp_map_get(&g->failures, g->pt->cells.at[step.from].node, &failures);
  const size_t turns =
      (size_t)TP_SEARCH_GENERALIZE_AFTER
      << (failures < TP_SEARCH_GENERALIZE_DOUBLINGS ? failures : TP_SEARCH_GENERALIZE_DOUBLINGS);
  return tp_generalizer_chain(g, step, chain, turns) == turns;
}

// ------------------------------------------------------------------ acceptance

/* The union of the region's cells at this node. */
static tp_term region_of(const tp_generalizer *g, uint32_t cell) {
  const tp_partition_region *r = &g->pt->regions.at[g->pt->cells.at[cell].region];
  const uint32_t node = g->pt->cells.at[cell].node;
  tp_term any = tp_mk_false(g->tt);
  for (size_t i = 0; i < r->cells.n; i++)
    if (g->pt->cells.at[r->cells.at[i]].node == node)
      any = tp_mk_or(g->tt, any, g->pt->cells.at[r->cells.at[i]].formula);
  return any;
}

tp_term tp_generalizer_arrival(tp_generalizer *g, const tp_split_problem *problem, uint32_t cell,
                               tp_path *whole) {
  tp_paths *x = g->pt->blocks->paths;
  if (!problem->whole && !problem->n_prefix) return TP_TERM_NONE;
  *whole = tp_path_copy(problem->whole ? problem->whole : &problem->prefix[0]);
  for (size_t i = 1; i < problem->n_prefix && !problem->whole; i++) {
    tp_path longer = tp_path_then(x, whole, &problem->prefix[i]);
    tp_path_clear(whole);
    *whole = longer;
  }
  return tp_mk_and(g->tt, tp_path_condition(x, whole),
                   tp_path_after(x, whole, g->pt->cells.at[cell].formula));
}

/* (ii) without states: for those to which the prefix leads. */
static bool excludes_arrivals(tp_generalizer *g, const tp_split_problem *problem, uint32_t cell,
                              tp_term candidate) {
  tp_path whole;
  tp_term arrival = tp_generalizer_arrival(g, problem, cell, &whole);
  if (!tp_term_is(arrival)) return true;
  tp_term inside =
      tp_mk_and(g->tt, arrival, tp_path_after(g->pt->blocks->paths, &whole, candidate));
  tp_path_clear(&whole);
  return tp_partition_query(g->pt, inside) == TP_SMT_UNSAT;
}

/* States that rho contains already are left to it, but the first. */
static bool excludes_states(const tp_generalizer *g, const tp_split_problem *problem, tp_term rho,
                            tp_term candidate) {
  for (size_t i = 0; i < problem->n_states; i++)
    if (!tp_split_excludes(g->pt, problem->states[i], candidate) &&
        (i == 0 || tp_split_excludes(g->pt, problem->states[i], rho)))
      return false;
  return true;
}

bool tp_generalizer_accept(tp_generalizer *g, const tp_split_problem *problem,
                           tp_abstract_step step, tp_term rho, tp_term *candidate) {
  TP_REQUIRE(tp_sort_kind_of(g->tt, tp_sort_of(g->tt, *candidate)) == TP_SORT_BOOL);
  tp_terms *tt = g->tt;
  const tp_blocks *b = g->pt->blocks;
  const tp_cell_node *cell = &g->pt->cells.at[step.from];
  if (tp_is_true(tt, *candidate) || tp_is_false(tt, *candidate) ||
      !tp_paths_is_expressible(b->paths, *candidate))
    return false;
  if (!tp_block_node_may_use(b, cell->node, *candidate) ||
      !excludes_states(g, problem, rho, *candidate))
    return false;
  if (!problem->n_states && !excludes_arrivals(g, problem, step.from, *candidate)) return false;
  const bool has_rho = !tp_is_true(tt, rho),
             covers =
                 tp_split_covers(g->pt, step.from, step.block, region_of(g, step.to), *candidate);
  tp_term more = tp_mk_and(tt, *candidate, tp_mk_not(tt, rho));
  if (!has_rho) return covers;
  if (covers)
    return tp_partition_query(g->pt, more) ==
           TP_SMT_SAT;  // the cell may know so much that in it rho has as many
  if (tp_partition_query(g->pt, tp_mk_and(tt, cell->formula, more)) != TP_SMT_SAT) return false;
  *candidate =
      tp_mk_or(tt, *candidate, rho);  // rho covers, and excludes what must be excluded as well
  return true;
}

bool tp_generalizer_widen(tp_generalizer *g, const tp_split_problem *problem,
                          const tp_abstract_path *path, size_t frontier, tp_term rho,
                          tp_term *out) {
  TP_REQUIRE(frontier < path->n);
  TP_REQUIRE(g->pt->regions.at[g->pt->cells.at[path->at[frontier].from].region].cells.n == 1);
  const tp_abstract_step step = path->at[frontier];
  bool found = false;
  switch (g->pt->settings.generalize) {
    case TP_GENERALIZE_WIDEN: found = tp_generalize_by_widening(g, problem, step, rho, out); break;
    case TP_GENERALIZE_INTERPOLANT:
      found = tp_generalize_by_interpolants(g, problem, path, frontier, rho, out);
      break;
    case TP_GENERALIZE_NONE: break;
  }
  if (found) {
    tp_map_set(&g->generalisations, out->id, 1);
    return true;
  }
  const uint32_t node = g->pt->cells.at[step.from].node;
  uint64_t failures = 0;
  if (tp_is_true(g->tt, rho)) return false;
  (void)tp_map_get(&g->failures, node, &failures);
  tp_map_set(&g->failures, node, failures + 1);
  return false;
}
