/* The model finder: relations within bounds that make formulas true.
 *
 * What       solving, with assumptions; enumeration of instances; the instance closest to a given
 *            one; minimal unsatisfiable cores; a CNF for proofs, and their prover; whether the
 * width of integers was binding.
 *
 *     tp_rel_finder *f = tp_rel_finder_new(bounds, tp_rel_default_options());
 *     if (tp_rel_finder_add(f, acyclic) == TP_OK && tp_rel_finder_solve(f, NULL, 0) == TP_REL_SAT)
 *       ... tp_rel_finder_instance(f) ...
 *
 * Represents the conjunction of the formulas that were added, over all instances within the bounds;
 *            the solver, its clauses and learned clauses are kept from call to call.
 * Invariants an instance is within the bounds, and the evaluator found every formula true in it;
 *            another one is never returned (INCONSISTENT: a bug of ours). UNSAT states nothing
 *            about other widths or bounds.
 * Ownership  borrows bounds, logic and universe: bounds do not change while the finder lives, but
 *            for those of new relations (tp_rel_finder_grow); the logic may grow.
 * Errors     formulas that cannot be added: TP_ERR_ARG and a message. Limits: UNKNOWN.
 * Source     Torlak & Jackson 2007; Een & Sorensson 2003 (incremental SAT); Cunha, Macedo,
 *            Guimaraes 2014 (closest models). */
#ifndef TP_CONTRACTS_REL_FINDER_H
#define TP_CONTRACTS_REL_FINDER_H

#include "contracts/rel/rel_bounds.h"

typedef struct {
  uint32_t width_bits;  // of integers, 1 .. TP_REL_MAX_WIDTH
  uint32_t
      symmetry_length;  // pairs of variables compared for each two atoms; 0: symmetry is not broken
  bool skolemize;       // witnesses in place of outer existential quantifiers
  bool memoize;         // translate a node once for each choice of its variables
  uint64_t conflicts;   // per call of the solver, 0: no limit; reproducible
  double cpu_s;         // per call of the solver, 0: no limit
  uint64_t max_cells;   // of all matrices together
} tp_rel_options;
tp_rel_options tp_rel_default_options(void);

typedef enum { TP_REL_SAT, TP_REL_UNSAT, TP_REL_UNKNOWN, TP_REL_INCONSISTENT } tp_rel_answer;

typedef struct {
  uint64_t n_primary;               // variables: one for each tuple between the bounds
  uint64_t n_variables, n_clauses;  // what the solver was given
  uint64_t n_gates, n_translated;   // of circuits; nodes, as often as they were translated
  uint64_t n_solver_calls;
  double solver_s;  // CPU seconds of these calls
} tp_rel_stats;

typedef struct tp_rel_finder tp_rel_finder;
tp_rel_finder *tp_rel_finder_new(const tp_rel_bounds *b, tp_rel_options options);
void tp_rel_finder_free(tp_rel_finder *f);
/* Relations that the logic and the bounds have got since the finder was made can be used from now
 * on; those that it knew keep their bounds. The instance is gone. Symmetry is not broken. */
void tp_rel_finder_grow(tp_rel_finder *f);
/* From now on formula holds. Errors: TP_ERR_ARG (the logic has an error, the formula free variables
 * or relations without bounds). */
tp_status tp_rel_finder_add(tp_rel_finder *f, tp_rel_formula formula) TP_MUST_USE;
/* From now on formula is not false: it may be undefined. */
tp_status tp_rel_finder_add_unless_false(tp_rel_finder *f, tp_rel_formula formula) TP_MUST_USE;
const char *tp_rel_finder_error(const tp_rel_finder *f);  // NULL: none
/* Also with these formulas, for this call only; their errors are GAVE_UP, with a message. */
tp_rel_answer tp_rel_finder_solve(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n);
/* After FOUND, until the next call. */
const tp_rel_instance *tp_rel_finder_instance(const tp_rel_finder *f);
tp_rel_stats tp_rel_finder_stats(const tp_rel_finder *f);

/* One instance after another, each once; instances that differ in the names of interchangeable
 * atoms only may be left out where symmetry is broken. Starts anew after any other call. */
tp_rel_answer tp_rel_finder_next(tp_rel_finder *f);

/* How many values the counted relations (by number) have in instances, with these formulas:
 * instances that differ in other relations only count once. Symmetry is not broken. cpu_s: 0: no
 * limit. SAT: *count is exact, and may be 0; UNKNOWN: a limit. */
tp_rel_answer tp_rel_finder_count(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n,
                                  const bool *is_counted, double cpu_s, tp_u128 *count) TP_MUST_USE;

/* The instance with fewest tuples in which it differs from the target, over all relations with
 * bounds; their number. Symmetry is not broken here. */
tp_rel_answer tp_rel_finder_closest(tp_rel_finder *f, const tp_rel_instance *target,
                                    uint64_t *distance);

/* Could an integer leave the width? FOUND: there is an instance in which no formula is false but
 * one is undefined, so a larger width may have more instances; it is the instance now. */
tp_rel_answer tp_rel_finder_width_binding(tp_rel_finder *f);

/* After NO_INSTANCE: formulas, of those that were added and assumed, that have no instance
 * together, and none of which can be left out. core: room for all of them; *n: how many. Bounds are
 * always given. Anything but NO_INSTANCE: there is no core, or no time. */
tp_rel_answer tp_rel_finder_core(tp_rel_finder *f, tp_rel_formula *core, size_t *n);

/* The whole question as DIMACS text, unsatisfiable where there is no instance. With broken
 * symmetry: whose unsatisfiability is argued for by the order predicates, too. */
tp_status tp_rel_finder_cnf(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n,
                            tp_str *out) TP_MUST_USE;
typedef TP_VEC(int) tp_rel_clauses;
/* The same as numbers, appended: literals as in DIMACS, 0 at the end of each clause. */
tp_status tp_rel_finder_clauses(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n,
                                tp_rel_clauses *out) TP_MUST_USE;

/* Are these clauses (literals as in DIMACS, 0 at the end of each clause) refuted, by a proof that
 * was checked? solved_s: CPU seconds that the solver took. */
typedef struct {
  void *ctx;
  bool (*is_refuted)(void *ctx, const int *clauses, size_t n, double solved_s);
  bool is_required;  // what rests on a refutation without a checked proof does not count
} tp_rel_prover;
/* Has the prover (NULL: nobody proves) refuted the question? */
bool tp_rel_finder_is_refuted(tp_rel_finder *f, const tp_rel_formula *assumed, size_t n,
                              const tp_rel_prover *prover, double solved_s);

#endif
