/* CaDiCaL writes its proof to a stream whose bytes go to the checker at once.
 *
 * The C interface of release 1.5.3 has no proofs, so the functions of its class Solver are declared
 * by their linkage names (Itanium C++ ABI), with the object as first argument. A Solver is a state
 * and a few pointers; what it is constructed in here has room for many more. */
#include "certify/unsat/refutation.h"

#include "certify/certify_limits.h"

#include <stdio.h>

enum { SOLVER_BYTES = 1024 };
extern void construct(void *solver) __asm__("_ZN7CaDiCaL6SolverC1Ev");
extern void destruct(void *solver) __asm__("_ZN7CaDiCaL6SolverD1Ev");
extern bool set_option(void *solver, const char *name,
                       int value) __asm__("_ZN7CaDiCaL6Solver3setEPKci");
extern bool set_limit(void *solver, const char *name,
                      int value) __asm__("_ZN7CaDiCaL6Solver5limitEPKci");
extern bool trace_proof(void *solver, FILE *to,
                        const char *name) __asm__("_ZN7CaDiCaL6Solver11trace_proofEP8_IO_FILEPKc");
extern void flush_proof(void *solver) __asm__("_ZN7CaDiCaL6Solver17flush_proof_traceEv");
extern void add_literal(void *solver, int literal) __asm__("_ZN7CaDiCaL6Solver3addEi");
extern int solve(void *solver) __asm__("_ZN7CaDiCaL6Solver5solveEv");
extern void terminate(void *solver) __asm__("_ZN7CaDiCaL6Solver9terminateEv");

/* Exhausted memory must not be thrown through frames of C. */
typedef void (*new_handler)(void);
extern new_handler set_new_handler(new_handler handler) __asm__("_ZSt15set_new_handlerPFvvE");
static void no_memory(void) { tp_out_of_memory(0); }

static struct {
  tp_proof_fault fault;
  uint64_t at;
} injected;

void tp_refutation_inject(tp_proof_fault fault, uint64_t at) {
  injected.fault = fault;
  injected.at = at;
}

typedef struct {
  tp_drat *drat;
  void *solver;
  tp_refutation_stats *stats;
  double until;  // CPU time of the process, 0: no limit
  bool is_solving, is_late, is_refused;
} stream;

static void feed(stream *s, const char *bytes, size_t n) {
  const double start_s = tp_cpu_s();
  const uint64_t first = s->stats->proof_bytes, at = injected.at;
  s->stats->proof_bytes += n;
  if (injected.fault == TP_PROOF_FAULT_LIE) return;
  if (injected.fault == TP_PROOF_FAULT_SHORTEN && at < first + n) n = at > first ? at - first : 0;
  if (injected.fault == TP_PROOF_FAULT_FORGE && at >= first && at < first + n) {
    const char forged = (char)(bytes[at - first] ^ 1);
    (void)tp_drat_feed(s->drat, bytes, at - first);
    (void)tp_drat_feed(s->drat, &forged, 1);
    bytes += at - first + 1;
    n -= at - first + 1;
  }
  const bool goes_on = tp_drat_feed(s->drat, bytes, n);
  s->stats->check_s += tp_cpu_s() - start_s;
  s->is_late = s->is_late || (s->until > 0 && tp_cpu_s() > s->until);
  s->is_refused = s->is_refused || (!goes_on && !tp_drat_is_refuted(s->drat));
  if (s->is_solving && (!goes_on || s->is_late)) terminate(s->solver);
}

static ssize_t write_proof(void *cookie, const char *bytes, size_t n) {
  feed(cookie, bytes, n);
  return (ssize_t)n;
}

static int run_solver(const int *clauses, size_t n, tp_refutation_limits limits, stream *s) {
  _Alignas(max_align_t) char solver[SOLVER_BYTES] = {0};
  FILE *proof = fopencookie(s, "w", (cookie_io_functions_t){.write = write_proof});
  if (!proof) return 0;
  new_handler outside = set_new_handler(no_memory);
  construct(solver);
  s->solver = solver;
  (void)set_option(solver, "quiet", 1);
  (void)set_option(solver, "lucky", 0);
  int answer = 0;
  if (trace_proof(solver, proof, "the checker")) {
    for (size_t i = 0; i < n; i++) add_literal(solver, clauses[i]);
    if (limits.conflicts)
      (void)set_limit(solver, "conflicts",
                      limits.conflicts > INT32_MAX ? INT32_MAX : (int)limits.conflicts);
    s->is_solving = true;
    answer = solve(solver);
    s->is_solving = false;
    flush_proof(solver);
    fflush(proof);
  }
  destruct(solver);
  set_new_handler(outside);
  fclose(proof);
  return answer;
}

tp_refutation_answer tp_refute_clauses(const int *clauses, size_t n, tp_refutation_limits limits,
                                       tp_refutation_stats *stats, tp_str *why) {
  TP_REQUIRE(n == 0 || clauses[n - 1] == 0);  // the last clause has its end
  const double start_s = tp_cpu_s();
  tp_str reason = {0};
  *stats = (tp_refutation_stats){0};
  stream s = {.drat = tp_drat_new(limits.assigned),
              .stats = stats,
              .until = limits.cpu_s > 0 ? start_s + limits.cpu_s : 0};
  bool is_readable = true;
  for (size_t i = 0, first = 0; i < n && is_readable; i++) {
    if (clauses[i]) continue;
    is_readable = tp_drat_clause(s.drat, clauses + first, i - first);
    first = i + 1;
  }
  stats->check_s = tp_cpu_s() - start_s;
  tp_refutation_answer answer = TP_REFUTATION_LIMIT;
  if (is_readable && tp_drat_feed(s.drat, "", 0)) {  // not refuted by its units alone
    const int said = run_solver(clauses, n, limits, &s);
    if (injected.fault == TP_PROOF_FAULT_LIE) (void)tp_drat_feed(s.drat, "a", 2);
    answer = said == 10   ? TP_REFUTATION_MODEL
             : said == 20 ? TP_REFUTATION_REFUSED
                          : TP_REFUTATION_LIMIT;
  }
  const tp_drat_answer checked = tp_drat_conclude(s.drat, &stats->proof, &reason);
  if (is_readable && checked == TP_DRAT_VERIFIED)
    answer = TP_REFUTATION_PROVED;
  else if (checked == TP_DRAT_GAVE_UP)
    answer = TP_REFUTATION_LIMIT;
  else if (s.is_refused)
    answer = TP_REFUTATION_REFUSED;  // the solver was stopped because its proof was wrong
  if (why && answer == TP_REFUTATION_REFUSED) tp_str_add(why, tp_str_text(&reason));
  tp_drat_free(s.drat);
  tp_str_clear(&reason);
  stats->cpu_s = tp_cpu_s() - start_s;
  return answer;
}
