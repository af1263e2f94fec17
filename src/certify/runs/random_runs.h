/* Random runs of the concrete machine against a certificate: what kinds of certificates share.
 *
 * Law        REJECTED is sure: the inputs lead to a run that breaks a claim, or to an error.
 *            ACCEPTED says only that no run did. */
#ifndef TP_CERTIFY_RUNS_RANDOM_RUNS_H
#define TP_CERTIFY_RUNS_RANDOM_RUNS_H

#include "certify/certify.h"

/* A check of claims along runs. The observer stops a run when it has set `broken`. */
typedef struct {
  tp_observer observer;
  void (*restart)(void *ctx);  // before each run; ctx: the observer's
  const char *broken;          // the claim that does not hold, a clause for users; NULL: none
  tp_loc where;
} tp_chk_run_check;

/* REJECTED: a run broke a claim, or reached an error; counterexample holds its inputs. */
tp_certify_result tp_chk_random_runs(const tp_program *p, tp_chk_run_check *check, tp_property prop,
                                     uint64_t seed, uint32_t runs, const tp_certify_limits *limits,
                                     tp_inputs *counterexample,
                                     tp_certify_report *report) TP_MUST_USE;

/* tp_certify_run for certificates of kind `invariants` (random_runs_invariants.c). */
tp_certify_result tp_chk_random_runs_of_invariants(const tp_program *p, tp_property prop,
                                                   const char *certificate, uint64_t seed,
                                                   uint32_t runs, const tp_certify_limits *limits,
                                                   tp_inputs *counterexample,
                                                   tp_certify_report *report) TP_MUST_USE;

#endif
