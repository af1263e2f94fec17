/* The differential verdict fuzzer: random programs whose exact verdict is known by running them on all inputs.
 *
 * For each program bmc, the tester and the certificate checker must agree with the exact verdict: TRUE only if no
 * input reaches an error, FALSE only with inputs that replay, a certificate accepted only if the program is safe (also
 * a forged one). UNKNOWN is counted. A disagreement is minimised and printed with its tape.
 *
 *   fuzz_verdict_test                  some seconds of models; TP_SOAK=1: 20,000
 *   fuzz_verdict_test SEED N           N programs from SEED on
 *   fuzz_verdict_test SEED show        the program of one seed with its verdicts
 *   fuzz_verdict_test tape N N N ...   the same for a printed tape */
#include "certify/certify.h"
#include "engine/certificate.h"
#include "engine/engine.h"

#include "exhaust.h"
#include "models.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { QUICK_S = 40, SOAK_PROGRAMS = 20000, MINIMISE_TRIES = 3000, REASONS = 64 };

typedef struct {
  tp_verdict bmc, random;
  exact_verdict exact;
  tp_certify_result certified, forged;
  bool has_certificate, has_forged;
  double bmc_s, certify_s;
  uint32_t runs, ends[TP_END_STOPPED + 1];
  char wrong[200];             // what disagrees; "": nothing
  char reason[160];            // bmc's, when UNKNOWN
  char doubt[160];             // the checker's, when not ACCEPTED
} outcome;

static const exact_limits LIMITS = {.max_runs = 3000, .max_steps = 20000, .max_bits = 8};

static void say(char *to, size_t size, const char *what, const char *more) { snprintf(to, size, "%s%s%s", what, *more ? ": " : "", more); }

// -------------------------------------------------------------------- judging

/* FALSE must come with inputs that lead to an error of the property. */
static bool replays(const tp_program *p, tp_property asked, const tp_result *r, char *why, size_t size) {
  tp_certify_report report;
  tp_property violated;
  tp_certify_report_init(&report);
  tp_certify_result c = tp_certify_false(p, asked, &r->inputs, (tp_run_limits){.steps = 100000}, &violated, &report);
  if (c != TP_CERTIFY_ACCEPTED) say(why, size, "inputs do not replay", tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  return c == TP_CERTIFY_ACCEPTED;
}

static void run_engine(const tp_engine *engine, const tp_task *task, tp_budget budget, const exact_result *exact, outcome *o, tp_result *r) {
  tp_stats stats = {0};
  tp_result_init(r);
  engine->run(task, &budget, &stats, r);
  char why[150] = "";
  if (r->verdict == TP_VERDICT_TRUE && exact->verdict == EXACT_UNSAFE) say(o->wrong, sizeof o->wrong, engine->name, "TRUE, but some inputs reach an error");
  if (r->verdict == TP_VERDICT_FALSE && exact->verdict == EXACT_SAFE) say(o->wrong, sizeof o->wrong, engine->name, "FALSE, but no inputs reach an error");
  if (r->verdict == TP_VERDICT_FALSE && !replays(task->program, task->property, r, why, sizeof why)) say(o->wrong, sizeof o->wrong, engine->name, why);
}

static tp_certify_result certify(const tp_task *task, const char *text, outcome *o) {
  tp_certify_report report;
  tp_stats stats = {0};
  tp_certify_limits limits = {.cpu_s = 3, .solver_rlimit = 3000000};
  tp_certify_report_init(&report);
  tp_certify_result c = tp_certify_true(task->program, task->property, text, &limits, &stats, &report);
  if (c != TP_CERTIFY_ACCEPTED) say(o->doubt, sizeof o->doubt, tp_certify_result_name(c), tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  return c;
}

/* A certificate that claims some number of turns for every loop and some depth for every function. */
static void forge(const tp_task *task, tape *t, tp_str *out) {
  const tp_program *p = task->program;
  tp_unrolling u;
  tp_unrolling_init(&u);
  u.property = task->property;
  u.ptr_bits = p->ptr_bits;
  u.fingerprint = tp_program_fingerprint(p);
  for (size_t i = 1; i < p->loops.n; i++) {
    tp_cert_loop l = {.func = p->locs.at[p->loops.at[i].head.id].func, .head = p->loops.at[i].head, .turns = draw(t, 8)};
    tp_vec_push(&u.loops, l);
  }
  for (uint32_t i = 1; i < p->funcs.n; i++) tp_vec_push(&u.depths, (tp_cert_depth){.func = {i}, .n = 1 + draw(t, 5)});
  tp_unrolling_write(&u, p, out);
  tp_unrolling_clear(&u);
}

static outcome judge(const tp_program *p, model_traits traits, exact_limits limits, tape *t) {
  const tp_property asked = traits.asked;
  outcome o = {0};
  exact_result exact;
  tp_str why = {0};
  if (!tp_program_check(p, &why)) say(o.wrong, sizeof o.wrong, "ill-formed program", tp_str_text(&why));
  tp_str_clear(&why);
  exact_run(p, asked, limits, &exact);
  o.exact = exact.verdict;
  o.runs = exact.runs;
  memcpy(o.ends, exact.ends, sizeof o.ends);
  if (exact.verdict == EXACT_TOO_MANY || o.wrong[0]) {
    exact_clear(&exact);
    return o;
  }
  tp_task task = {.program = p, .property = asked, .seed = 7, .bmc_max_unroll = 64};
  tp_result r;
  double start = tp_cpu_s();
  run_engine(&tp_engine_bmc, &task, (tp_budget){.cpu_s = 4, .solver_rlimit = 3000000}, &exact, &o, &r);
  o.bmc_s = tp_cpu_s() - start;
  o.bmc = r.verdict;
  if (r.verdict == TP_VERDICT_UNKNOWN) say(o.reason, sizeof o.reason, r.reason ? r.reason : "", "");
  start = tp_cpu_s();
  if (getenv("FUZZ_CERTIFICATE")) printf("%s\n", tp_str_text(&r.certificate));
  if (r.verdict == TP_VERDICT_TRUE) {
    o.has_certificate = true;
    o.certified = certify(&task, tp_str_text(&r.certificate), &o);
    if (o.certified == TP_CERTIFY_REJECTED && !traits.compares_addresses) say(o.wrong, sizeof o.wrong, "bmc's certificate", o.doubt);
    if (o.certified == TP_CERTIFY_ACCEPTED && exact.verdict == EXACT_UNSAFE) say(o.wrong, sizeof o.wrong, "certificate of an unsafe program accepted", "");
  }
  o.certify_s = tp_cpu_s() - start;
  tp_result_clear(&r);
  if (exact.verdict == EXACT_UNSAFE && chance(t, 3)) {
    tp_str text = {0};
    outcome ignored;
    forge(&task, t, &text);
    o.has_forged = true;
    o.forged = certify(&task, tp_str_text(&text), &ignored);
    if (o.forged == TP_CERTIFY_ACCEPTED) say(o.wrong, sizeof o.wrong, "forged certificate of an unsafe program accepted", "");
    tp_str_clear(&text);
  }
  run_engine(&tp_engine_random, &task, (tp_budget){.cpu_s = 1, .steps = 2}, &exact, &o, &r);
  o.random = r.verdict;
  tp_result_clear(&r);
  exact_clear(&exact);
  return o;
}

// ------------------------------------------------------------------ one model

typedef struct {
  const char *wrong;           // reproduce this disagreement (first word counts)
  bool print;
  outcome outcome;
} attempt;

static bool try_tape(void *ctx, const uint32_t *choices, size_t n) {
  attempt *a = ctx;
  tape t;
  model_traits traits;
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_given(&t, choices, n);
  tp_program *p = model_make(&t, diag, &traits);
  a->outcome = judge(p, traits, LIMITS, &t);
  if (a->print) {
    tp_str s = {0};
    tp_program_print(p, &s);
    printf("property %s\n%s\n", tp_property_name(traits.asked), tp_str_text(&s));
    tp_str_clear(&s);
  }
  tp_program_free(p);
  tp_diag_free(diag);
  tape_clear(&t);
  return a->outcome.wrong[0] && strncmp(a->outcome.wrong, a->wrong, 12) == 0;
}

static void report(const tape *t, uint64_t seed, const outcome *o) {
  attempt a = {.wrong = o->wrong};
  size_t n = t->made.n;
  uint32_t *choices = TP_NEW_ARRAY(uint32_t, n + 1);
  memcpy(choices, t->made.at, n * sizeof *choices);
  printf("seed %llu: %s\nminimising ...\n", (unsigned long long)seed, o->wrong);
  fflush(stdout);
  tape_minimise(choices, &n, try_tape, &a, MINIMISE_TRIES);
  a.print = true;
  (void)try_tape(&a, choices, n);
  printf("%s\ntape {", a.outcome.wrong);
  for (size_t i = 0; i < n; i++) printf("%s%u", i ? ", " : "", choices[i]);
  printf("}\n");
  fflush(stdout);
  tp_free(choices);
}

static outcome run_seed(uint64_t seed, bool show) {
  tape t;
  model_traits traits;
  size_t live = tp_live_bytes();
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_fresh(&t, seed);
  tp_program *p = model_make(&t, diag, &traits);
  outcome o = judge(p, traits, LIMITS, &t);
  if (show) {
    tp_str s = {0};
    tp_program_print(p, &s);
    printf("property %s\n%s\n", tp_property_name(traits.asked), tp_str_text(&s));
    tp_str_clear(&s);
  }
  tp_program_free(p);
  tp_diag_free(diag);
  if (o.wrong[0] && !show) report(&t, seed, &o);
  tape_clear(&t);
  if (tp_live_bytes() != live) say(o.wrong, sizeof o.wrong, "memory leaked", "");
  return o;
}

// ----------------------------------------------------------------------- many

typedef struct {
  uint64_t n, discarded, exact[4], bmc[3], unknown_closed, closed, found_by_random, certified[3], forged[3], wrong, runs, some_exit, some_invalid;
  double bmc_s, certify_s;
  struct { char text[160]; unsigned n; } reasons[REASONS];
} totals;

static void count_reason(totals *s, const char *reason) {
  char text[160];
  size_t n = 0;
  for (const char *c = reason; *c && n + 1 < sizeof text; c++)
    if (*c < '0' || *c > '9') text[n++] = *c;
  text[n] = 0;
  for (int i = 0; i < REASONS; i++) {
    if (s->reasons[i].n && strcmp(s->reasons[i].text, text) != 0) continue;
    memcpy(s->reasons[i].text, text, n + 1);
    s->reasons[i].n++;
    return;
  }
}

static void count(totals *s, const outcome *o) {
  s->n++;
  s->exact[o->exact]++;
  s->wrong += o->wrong[0] != 0;
  if (o->exact == EXACT_TOO_MANY) return;
  s->bmc[o->bmc]++;
  s->bmc_s += o->bmc_s;
  s->runs += o->runs;
  s->some_exit += o->ends[TP_END_EXIT] != 0;
  s->some_invalid += o->ends[TP_END_INVALID] != 0;
  s->certify_s += o->certify_s;
  bool closed = o->exact != EXACT_OPEN;
  s->closed += closed;
  s->unknown_closed += closed && o->bmc == TP_VERDICT_UNKNOWN;
  s->found_by_random += o->random == TP_VERDICT_FALSE;
  if (o->bmc == TP_VERDICT_UNKNOWN && closed) count_reason(s, o->reason);
  if (o->has_certificate) s->certified[o->certified]++;
  if (o->has_certificate && o->certified != TP_CERTIFY_ACCEPTED) count_reason(s, o->doubt);
  if (o->has_forged) s->forged[o->forged]++;
}

static void print_totals(const totals *s, double wall_s) {
  printf("%llu programs in %.0f s: exact %llu safe, %llu unsafe, %llu open, %llu with too many runs\n", (unsigned long long)s->n, wall_s,
         (unsigned long long)s->exact[EXACT_SAFE], (unsigned long long)s->exact[EXACT_UNSAFE], (unsigned long long)s->exact[EXACT_OPEN],
         (unsigned long long)s->exact[EXACT_TOO_MANY]);
  printf("%llu runs; in %llu programs some run exits, in %llu some run does what has no meaning\n", (unsigned long long)s->runs,
         (unsigned long long)s->some_exit, (unsigned long long)s->some_invalid);
  printf("bmc: %llu true, %llu false, %llu unknown (%.1f %% of those whose loops end), %.2f ms each; tester: %llu failures\n",
         (unsigned long long)s->bmc[TP_VERDICT_TRUE], (unsigned long long)s->bmc[TP_VERDICT_FALSE], (unsigned long long)s->bmc[TP_VERDICT_UNKNOWN],
         100.0 * (double)s->unknown_closed / (double)(s->closed ? s->closed : 1), 1000 * s->bmc_s / (double)(s->n ? s->n : 1),
         (unsigned long long)s->found_by_random);
  printf("certificates: %llu accepted, %llu rejected, %llu undecided, %.2f ms each; forged: %llu accepted, %llu rejected, %llu undecided\n",
         (unsigned long long)s->certified[0], (unsigned long long)s->certified[1], (unsigned long long)s->certified[2],
         1000 * s->certify_s / (double)(s->n ? s->n : 1), (unsigned long long)s->forged[0], (unsigned long long)s->forged[1],
         (unsigned long long)s->forged[2]);
  for (int i = 0; i < REASONS && s->reasons[i].n; i++) printf("  %5u %s\n", s->reasons[i].n, s->reasons[i].text);
  printf("disagreements: %llu\n", (unsigned long long)s->wrong);
  fflush(stdout);
}

static totals run_many(uint64_t first, uint64_t n, double seconds) {
  totals s = {0};
  double start = tp_wall_s();
  for (uint64_t i = 0; i < n && s.wrong < 5 && (seconds <= 0 || tp_wall_s() - start < seconds); i++) {
    outcome o = run_seed(first + i, false);
    count(&s, &o);
  }
  print_totals(&s, tp_wall_s() - start);
  return s;
}

static void random_models(void **state) {
  (void)state;
  bool soak = getenv("TP_SOAK") != NULL;
  totals s = soak ? run_many(1, SOAK_PROGRAMS, 0) : run_many(1, UINT64_MAX, QUICK_S);
  assert_int_equal(s.wrong, 0);
  assert_true(s.exact[EXACT_SAFE] > 0 && s.exact[EXACT_UNSAFE] > 0);
  assert_true(s.unknown_closed * 10 < s.closed || s.closed < 100);
}

static void show(const outcome *o) {
  printf("exact %d bmc %d (%s) random %d certified %d (%s) %s\n", o->exact, o->bmc, o->reason, o->random, o->certified, o->doubt, o->wrong);
}

static int show_tape(size_t n, char **numbers) {
  uint32_t *choices = TP_NEW_ARRAY(uint32_t, n + 1);
  for (size_t i = 0; i < n; i++) choices[i] = (uint32_t)strtoul(numbers[i], NULL, 10);
  attempt a = {.wrong = "", .print = true};
  (void)try_tape(&a, choices, n);
  show(&a.outcome);
  tp_free(choices);
  return a.outcome.wrong[0] != 0;
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "tape") == 0) return show_tape((size_t)argc - 2, argv + 2);
  if (argc > 2 && strcmp(argv[2], "show") == 0) {
    outcome o = run_seed(strtoull(argv[1], NULL, 10), true);
    show(&o);
    return o.wrong[0] != 0;
  }
  if (argc > 2) return run_many(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), 0).wrong != 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_models)};
  return cmocka_run_group_tests_name("fuzz_verdict", tests, NULL, NULL);
}
