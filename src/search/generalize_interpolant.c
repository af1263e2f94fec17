/* Generalisation by interpolants.
 *
 * The path that was taken to the region, and the abstract path from there to the error, cannot be
 * run through together; interpolants at the frontier say why. Unlike the pre-image, which speaks of
 * this number of turns, an interpolant may speak of what all turns have in common. The blocks are
 * put together into few: the path to the region is one, and from there on each turn that comes back
 * to the region's node is one, so that there is one cut for each visit of the node. A formula that
 * holds at any of these cuts is a candidate; of all sources' candidates the cheapest are tried
 * first (blocks/predicate_cost.h: constants that come from unrolling are dear, and those who need
 * them are not tried at all).
 *
 * Source  Henzinger, Jhala, Majumdar, McMillan 2004; McMillan 2006 (formulas at one place on a path
 *         are tried for all its visits). */
#include "search/generalize_priv.h"

#include "blocks/blocks_limits.h"
#include "formula/interpolants.h"
#include "search/search_limits.h"

#include <stdlib.h>

typedef struct {
  tp_generalizer *g;
  tp_path segments[TP_SEARCH_GENERALIZE_SEGMENTS];
  size_t n_segments;
} searching;

typedef struct {
  tp_term formula;
  uint64_t price;
  size_t order;  // in which they were found
} candidate;
typedef TP_VEC(candidate) candidates;

// -------------------------------------------------------------------- segments

static void append(searching *s, const tp_path *block, bool starts_segment) {
  tp_paths *x = s->g->pt->blocks->paths;
  if (starts_segment) {
    s->segments[s->n_segments++] = tp_path_copy(block);
    return;
  }
  tp_path *last = &s->segments[s->n_segments - 1], longer = tp_path_then(x, last, block);
  tp_path_clear(last);
  *last = longer;
}

static const tp_path *block_of(const searching *s, tp_abstract_step step) {
  return &s->g->pt->blocks->list.at[step.block].path;
}

/* False: too long. */
static bool make_segments(searching *s, const tp_split_problem *problem,
                          const tp_abstract_path *path, size_t frontier) {
  const uint32_t node = s->g->pt->cells.at[path->at[frontier].from].node;
  const size_t n_prefix = problem->prefix ? problem->n_prefix : frontier;
  if (n_prefix + (path->n - frontier) > TP_SEARCH_GENERALIZE_BLOCKS) return false;
  for (size_t i = 0; i < n_prefix; i++)
    append(s, problem->prefix ? &problem->prefix[i] : block_of(s, path->at[i]), i == 0);
  for (size_t i = frontier; i < path->n; i++) {
    bool visit = s->g->pt->cells.at[path->at[i].from].node == node;
    if (visit && s->n_segments == TP_SEARCH_GENERALIZE_SEGMENTS) return false;
    append(s, block_of(s, path->at[i]), visit);
  }
  return n_prefix > 0;
}

// ------------------------------------------------------------------ candidates

static void price_and_add(searching *s, tp_term formula, candidates *out) {
  tp_atoms atoms = {0};
  tp_term rho = tp_mk_not(s->g->tt, formula);
  uint64_t price = 0;
  bool dear = false, known = false;
  tp_atoms_of(s->g->tt, formula, &atoms);
  for (size_t i = 0; i < atoms.n; i++) {
    const uint32_t one = tp_predicate_cost(&s->g->costs, atoms.at[i]);
    dear = dear || one >= TP_BLOCKS_UNROLLED_COST;
    price += one;
  }
  for (size_t i = 0; i < out->n; i++) known = known || tp_term_eq(out->at[i].formula, rho);
  if (!dear && !known && atoms.n) tp_vec_push(out, (candidate){rho, price, out->n});
  tp_vec_clear(&atoms);
}

static void try_source(searching *s, tp_itp_source source, candidates *out) {
  tp_term formulas[TP_SEARCH_GENERALIZE_SEGMENTS + 1];
  tp_str why = {0};
  const double most_s = s->g->pt->smt.cpu_s;  // 0: no limit
  const tp_itp_options options = {
      .backend = s->g->pt->smt.backend,
      .rlimit = s->g->pt->smt.rlimit,
      .stats = s->g->pt->stats,
      .cpu_s = most_s > 0 && most_s < TP_SEARCH_GENERALIZE_S ? most_s : TP_SEARCH_GENERALIZE_S};
  if (tp_itp_sequence(s->g->pt->blocks->paths, s->segments, s->n_segments, NULL, source, options,
                      formulas, &why))
    for (size_t cut = 1; cut < s->n_segments; cut++) price_and_add(s, formulas[cut], out);
  tp_str_clear(&why);
}

static int cheapest_first(const void *pa, const void *pb) {
  const candidate *a = pa, *b = pb;
  if (a->price != b->price) return a->price < b->price ? -1 : 1;
  return (a->order > b->order) - (a->order < b->order);
}

bool tp_generalize_by_interpolants(tp_generalizer *g, const tp_split_problem *problem,
                                   const tp_abstract_path *path, size_t frontier, tp_term rho,
                                   tp_term *out) {
  static const tp_itp_source sources[] = {TP_ITP_WP, TP_ITP_SP, TP_ITP_HORN_INTEGERS, TP_ITP_ATOMS};
  searching s = {.g = g};
  candidates all = {0};
  bool found = false;
  if (!g->has_costs) tp_predicate_costs_init(&g->costs, g->pt->blocks->paths->p);
  g->has_costs = true;
  if (make_segments(&s, problem, path, frontier))
    for (size_t k = 0;
         k < sizeof sources / sizeof *sources && !found && !tp_partition_is_stopped(g->pt); k++) {
      all.n = 0;
      try_source(&s, sources[k], &all);
      if (all.n) qsort(all.at, all.n, sizeof *all.at, cheapest_first);
      for (size_t i = 0; i < all.n && !found; i++) {
        *out = all.at[i].formula;
        found = tp_generalizer_accept(g, problem, path->at[frontier], rho, out);
      }
    }
  for (size_t i = 0; i < s.n_segments; i++) tp_path_clear(&s.segments[i]);
  tp_vec_clear(&all);
  return found;
}
