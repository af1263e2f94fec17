/* The judge of the verdict fuzzers: one program, what every part says about it, and whether that
 * agrees.
 *
 * What       exact verdict by running all inputs; bmc, the tester, the analyses, the certificate
 *            checker (with their certificates and with a forged one) against it.
 * Law        TRUE only if no input reaches an error, FALSE only with inputs that replay, a
 *            certificate accepted only if the program is safe. UNKNOWN is counted. */
#ifndef TP_FUZZ_JUDGE_H
#define TP_FUZZ_JUDGE_H

#include "certify/certify.h"
#include "engine/engine.h"

#include "exhaust.h"
#include "tape.h"

typedef struct {
  tp_property asked;
  bool compares_addresses;  // numbers that depend on where objects lie: not the same in formulas
                            // and runs
  bool pointers_in_memory;  // which may be read as such numbers
} traits;

typedef struct {
  tp_verdict bmc, random, cpa;
  exact_verdict exact;
  tp_certify_result certified, forged, inductive;  // inductive: the certificate of cpa
  bool has_certificate, has_forged, has_inductive;
  double bmc_s, certify_s;
  uint32_t runs, ends[TP_END_STOPPED + 1];
  char wrong[200];   // what disagrees; "": nothing
  char reason[160];  // bmc's, when UNKNOWN
  char doubt[160];   // the checker's, when not ACCEPTED
} outcome;

/* The tape gives the choices of the forged certificate. */
outcome judge(const tp_program *p, traits what, exact_limits limits, tape *t);
void outcome_print(const outcome *o);

enum { JUDGE_REASONS = 64 };
typedef struct {
  uint64_t n, discarded, exact[4], bmc[3], unknown_closed, closed, found_by_random, proved_by_cpa,
      certified[3], forged[3], inductive[3], wrong, runs, some_exit, some_invalid;
  double bmc_s, certify_s;
  struct {
    char text[160];
    unsigned n;
  } reasons[JUDGE_REASONS];
} totals;
void totals_add(totals *s, const outcome *o);
void totals_print(const totals *s, double wall_s);

#endif
