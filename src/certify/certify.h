/* Certificates: code that believes nobody.
 *
 * What       checks TRUE against a certificate and FALSE against a vector of inputs.
 * Represents nothing is taken over from the engines: the certificate is text, the program is the
 *            model, and edges are turned into formulas by the checker's own symbolic execution
 *            (symbolic/), which shares no code with formula/ and the engines.
 * Law        ACCEPTED means: every run of the model is covered, up to the assumptions that the
 *            report lists. Whatever goes wrong (limits, unknown constructs, solver trouble) is
 *            UNDECIDED; a certificate that contradicts the program is REJECTED.
 * Ownership  a report owns its texts. */
#ifndef TP_CERTIFY_CERTIFY_H
#define TP_CERTIFY_CERTIFY_H

#include "diag/stats.h"
#include "exec/exec.h"

typedef enum {
  TP_CERTIFY_ACCEPTED,
  TP_CERTIFY_REJECTED,  // the certificate (or the vector) does not show what it should
  TP_CERTIFY_UNDECIDED  // it may be right, but this check could not tell
} tp_certify_result;
const char *tp_certify_result_name(tp_certify_result r);

/* What is done beside asking the solver (symbolic/obligation_solver.h). */
typedef enum {
  TP_CERTIFY_PROOFS_SMALL,     // a clause proof is checked where it costs little
  TP_CERTIFY_PROOFS_REQUIRED,  // what is not proved is not accepted
  TP_CERTIFY_PROOFS_NONE       // the solver is asked for everything
} tp_certify_proofs;

/* Obligations that are met, by who showed it; and those that only a solver said are. */
typedef struct {
  uint64_t by_intervals;  // own reasoning: false as written, bounds, products
  uint64_t by_proof;      // a clause proof that was checked
  uint64_t by_word;       // the solver's word alone
  uint64_t unproved;      // the solver's word, which was not taken (PROOFS_REQUIRED)
  double proof_s;         // CPU seconds of clause proofs, with those that did not come to an end
  uint64_t gates, steps;  // of the larger clause proofs that are tried by default
} tp_certify_obligations;

typedef struct {
  const char *backend;     // solver; NULL: default
  const char *command;     // of the "pipe" back end
  uint64_t solver_rlimit;  // per query, 0: default
  uint64_t edges;          // most edges of the unrolled program, 0: default 2,000,000
  double cpu_s;            // 0: none
  tp_certify_proofs proofs;
  bool one_by_one;  // graphs of a cutpoint are not tried together first: for tests
} tp_certify_limits;

typedef struct {
  tp_str why;    // REJECTED, UNDECIDED: one line for users
  tp_loc where;  // of a certificate of invariants: the place and its context, if one is to blame
  uint32_t context;
  TP_VEC(const char *) assumptions;  // ACCEPTED rests on these; from the arena
  uint64_t
      edges;  // edges of the unrolled program that were executed symbolically; FALSE: of the run
  bool used_indeterminate;  // FALSE: see tp_run_result
  tp_inputs *asked;         // FALSE: what the run asked for is added here; NULL, or the caller's
  uint64_t queries;
  tp_certify_obligations obligations;
  uint64_t skipped;  // tp_certify_run: formulas that had no value in a state
  tp_arena arena;
} tp_certify_report;
void tp_certify_report_init(tp_certify_report *r);
void tp_certify_report_clear(tp_certify_report *r);

/* Does the certificate prove that no run of `p` violates `prop`?
 * stats may be NULL. The report must be initialised; it says why not, or under which assumptions.
 */
tp_certify_result tp_certify_true(const tp_program *p, tp_property prop, const char *certificate,
                                  const tp_certify_limits *limits, tp_stats *stats,
                                  tp_certify_report *report) TP_MUST_USE;

/* Does the certificate (of kind `bounded`) prove that no run of `p` violates `prop` in which every
 * loop has at most `within` iterations and every function at most `within` activations at the same
 * time? within > 0. As for tp_certify_true otherwise. */
tp_certify_result tp_certify_bounded(const tp_program *p, tp_property prop, uint64_t within,
                                     const char *certificate, const tp_certify_limits *limits,
                                     tp_stats *stats, tp_certify_report *report) TP_MUST_USE;

/* Does the run on these inputs violate `prop`? Replayed on the concrete machine alone: it must end
 * in an error location that `prop` covers, fed by the vector to the end of the run (zeros do not
 * count as inputs), and have passed no operation without meaning.
 * violated   set on ACCEPTED: the part of the property. */
tp_certify_result tp_certify_false(const tp_program *p, tp_property prop, const tp_inputs *inputs,
                                   tp_run_limits limits, tp_property *violated,
                                   tp_certify_report *report) TP_MUST_USE;

/* Is the certificate's claim true in `runs` random runs of the concrete machine? Loop bounds,
 * recursion bounds, invariants, contracts and the absence of errors are watched. Only REJECTED says
 * something for sure: then `counterexample` (initialised by the caller) holds the inputs. */
tp_certify_result tp_certify_run(const tp_program *p, tp_property prop, const char *certificate,
                                 uint64_t seed, uint32_t runs, const tp_certify_limits *limits,
                                 tp_inputs *counterexample, tp_certify_report *report) TP_MUST_USE;

#endif
