/* The statistics table: every counter that the tool reports is a row here.
 * Counters are plain increments; printed as one aligned table and one JSON object. */
#ifndef TP_DIAG_STATS_H
#define TP_DIAG_STATS_H

#include "base/base.h"

/* name, unit, help */
#define TP_STATS(S)                                                                                \
  S(iterations, "iterations", "iterations of the engine's main loop")                              \
  S(refinements, "refinements", "times a precision was refined")                                   \
  S(interpolants, "sequences", "sequences of interpolants found and checked")                      \
  S(interpolants_broken, "sequences", "sequences that the check refused")                          \
  S(tests_run, "runs", "concrete runs executed")                                                   \
  S(solver_calls, "queries", "satisfiability queries, cache hits excluded")                        \
  S(solver_cache_hits, "queries", "queries answered from the cache")                               \
  S(solver_faults, "queries", "queries lost to a solver that failed")                              \
  S(reached_states, "states", "states or unrolled locations reached")                              \
  S(abstract_states, "states", "abstract states")                                                  \
  S(fabricated_states, "states", "concrete states made from models")                               \
  S(predicates, "predicates", "predicates in use")                                                 \
  S(regions, "regions", "regions of the partition, that of the start not counted")                 \
  S(forest_nodes, "nodes", "nodes of the forest of tests")                                         \
  S(splits, "splits", "regions split")                                                             \
  S(regions_reached, "regions", "regions that tests were in")                                      \
  S(frontier_max, "nodes", "longest way that tests went before a frontier")                        \
  S(ordered_trace_len_max, "nodes", "longest ordered way to an error")                             \
  S(ly_steps, "steps", "Lee-Yannakakis steps for fairness")                                        \
  S(generalizations, "predicates", "pre-images that were generalised")                             \
  S(sub_queries, "questions", "questions about a call that went on in the function called")        \
  S(summary_hits, "questions", "questions about a call that a summary answered")                   \
  S(must_hits, "tests", "tests that make a call as one that was seen to return as wanted")         \
  S(must_summaries, "summaries", "pairs of entry and exit cell of a function that a run connects") \
  S(not_may_summaries, "summaries", "pairs of entry and exit cell that no run connects")           \
  S(shape_classes, "refinements", "refinements of shape classes")                                  \
  S(shape_graphs, "graphs", "different shape graphs")                                              \
  S(shape_simulations, "paths", "paths that were simulated to choose a shape class")               \
  S(shape_steps, "steps", "steps of shape graphs computed")                                        \
  S(shape_tracking, "refinements", "refinements of what shape graphs track")                       \
  S(havocs, "operations", "operations that an analysis could only havoc")                          \
  S(unroll_bound, "iterations", "largest loop bound tried by bmc")                                 \
  S(proved_bound, "iterations", "largest loop bound within which no run can fail")                 \
  S(query_terms, "terms", "terms of the largest query of bmc")                                     \
  S(query_bound, "iterations", "loop bound of the largest query of bmc")                           \
  S(unrolled_edges, "edges", "edges executed symbolically")
typedef struct {
#define TP_S(name, unit, help) uint64_t name;
  TP_STATS(TP_S)
#undef TP_S
  double cpu_s, wall_s, solver_s, certificate_s;  // the last: CPU of the checks of certificates
  double peak_mb;
} tp_stats;

#endif
