#include "judge.h"

#include "engine/unrolling.h"
#include "proof/proof_engines.h"
#include "search/search_engines.h"

#include <stdio.h>
#include <stdlib.h>

static void say(char *to, size_t size, const char *what, const char *more) {
  snprintf(to, size, "%s%s%s", what, *more ? ": " : "", more);
}

// -------------------------------------------------------------------- judging

/* FALSE must come with inputs that lead to an error of the property. */
static bool replays(const tp_program *p, tp_property asked, const tp_result *r, char *why,
                    size_t size) {
  tp_certify_report report;
  tp_property violated;
  tp_certify_report_init(&report);
  tp_certify_result c =
      tp_certify_false(p, asked, &r->inputs, (tp_run_limits){.steps = 100000}, &violated, &report);
  if (c != TP_CERTIFY_ACCEPTED) say(why, size, "inputs do not replay", tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  return c == TP_CERTIFY_ACCEPTED;
}

static void run_engine(const tp_engine *engine, const tp_task *task, tp_budget budget,
                       const exact_result *exact, outcome *o, tp_result *r) {
  tp_stats stats = {0};
  tp_result_init(r);
  engine->run(task, &budget, &stats, r);
  char why[150] = "";
  if (r->verdict == TP_VERDICT_TRUE && exact->verdict == EXACT_UNSAFE)
    say(o->wrong, sizeof o->wrong, engine->name, "TRUE, but some inputs reach an error");
  if (r->verdict == TP_VERDICT_FALSE && exact->verdict == EXACT_SAFE)
    say(o->wrong, sizeof o->wrong, engine->name, "FALSE, but no inputs reach an error");
  if (r->verdict == TP_VERDICT_FALSE && !replays(task->program, task->property, r, why, sizeof why))
    say(o->wrong, sizeof o->wrong, engine->name, why);
}

static tp_certify_result certify(const tp_task *task, const char *text, outcome *o) {
  tp_certify_report report;
  tp_stats stats = {0};
  tp_certify_limits limits = {.cpu_s = 3, .solver_rlimit = 3000000};
  tp_certify_report_init(&report);
  tp_certify_result c =
      tp_certify_true(task->program, task->property, text, &limits, &stats, &report);
  if (c != TP_CERTIFY_ACCEPTED)
    say(o->doubt, sizeof o->doubt, tp_certify_result_name(c), tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  return c;
}

/* A certificate that claims some number of turns for every loop and some depth for every function.
 */
static void forge(const tp_task *task, tape *t, tp_str *out) {
  const tp_program *p = task->program;
  tp_unrolling u;
  tp_unrolling_init(&u);
  u.property = task->property;
  u.ptr_bits = p->ptr_bits;
  u.fingerprint = tp_program_fingerprint(p);
  for (size_t i = 1; i < p->loops.n; i++) {
    tp_cert_loop l = {.func = p->locs.at[p->loops.at[i].head.id].func,
                      .head = p->loops.at[i].head,
                      .iterations = draw(t, 8)};
    tp_vec_push(&u.loops, l);
  }
  for (uint32_t i = 1; i < p->funcs.n; i++)
    tp_vec_push(&u.depths, (tp_cert_depth){.func = {i}, .n = 1 + draw(t, 5)});
  tp_unrolling_write(&u, p, out);
  tp_unrolling_clear(&u);
}

/* An analysis for each program, in turn; most prove little, none may prove what is wrong. */
static void judge_cpa(tp_task task, const exact_result *exact, outcome *o) {
  static const char *const compositions[] = {
      "analysis = location callstack interval\n",
      "analysis = location callstack value\nmerge = sep\n",
      "analysis = location callstack interval octagon\ntransfer = strengthened\n",
      "analysis = location callstack constant sign\ntransfer = strengthened\n"};
  tp_result r;
  outcome ignored = {0};
  task.composition = compositions[exact->runs % (sizeof compositions / sizeof *compositions)];
  run_engine(&tp_engine_cpa, &task, (tp_budget){.cpu_s = 1, .steps = 2000}, exact, o, &r);
  o->cpa = r.verdict;
  o->has_inductive = r.verdict == TP_VERDICT_TRUE;
  if (o->has_inductive) o->inductive = certify(&task, tp_str_text(&r.certificate), &ignored);
  if (o->has_inductive && o->inductive != TP_CERTIFY_ACCEPTED && getenv("FUZZ_CERTIFICATE"))
    printf("%s%s: %s\n%s\n", task.composition, tp_certify_result_name(o->inductive), ignored.doubt,
           tp_str_text(&r.certificate));
  if (o->has_inductive && o->inductive == TP_CERTIFY_ACCEPTED && exact->verdict == EXACT_UNSAFE)
    say(o->wrong, sizeof o->wrong, "invariants of an unsafe program accepted", "");
  tp_result_clear(&r);
}

outcome judge(const tp_program *p, traits what, exact_limits limits, tape *t) {
  const tp_property asked = what.asked;
  outcome o = {0};
  exact_result exact;
  tp_str why = {0};
  if (!tp_program_check(p, &why))
    say(o.wrong, sizeof o.wrong, "ill-formed program", tp_str_text(&why));
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
  run_engine(&tp_engine_bmc, &task, (tp_budget){.cpu_s = 4, .solver_rlimit = 3000000}, &exact, &o,
             &r);
  o.bmc_s = tp_cpu_s() - start;
  o.bmc = r.verdict;
  if (r.verdict == TP_VERDICT_UNKNOWN) say(o.reason, sizeof o.reason, r.reason ? r.reason : "", "");
  start = tp_cpu_s();
  // (whether a pointer torn apart byte by byte keeps its object from being lost is not the same for
  // all)
  bool may_differ = what.compares_addresses || what.pointers_in_memory ||
                    tp_property_covers(asked, TP_P_VALID_MEMTRACK);
  if (strstr(o.reason, "does not confirm") && !may_differ)
    say(o.wrong, sizeof o.wrong, "bmc", o.reason);
  if (getenv("FUZZ_CERTIFICATE")) printf("%s\n", tp_str_text(&r.certificate));
  if (r.verdict == TP_VERDICT_TRUE) {
    o.has_certificate = true;
    o.certified = certify(&task, tp_str_text(&r.certificate), &o);
    if (o.certified == TP_CERTIFY_REJECTED && !what.compares_addresses)
      say(o.wrong, sizeof o.wrong, "bmc's certificate", o.doubt);
    if (o.certified == TP_CERTIFY_ACCEPTED && exact.verdict == EXACT_UNSAFE)
      say(o.wrong, sizeof o.wrong, "certificate of an unsafe program accepted", "");
  }
  o.certify_s = tp_cpu_s() - start;
  tp_result_clear(&r);
  if (exact.verdict == EXACT_UNSAFE && chance(t, 3)) {
    tp_str text = {0};
    outcome ignored;
    forge(&task, t, &text);
    o.has_forged = true;
    o.forged = certify(&task, tp_str_text(&text), &ignored);
    if (o.forged == TP_CERTIFY_ACCEPTED)
      say(o.wrong, sizeof o.wrong, "forged certificate of an unsafe program accepted", "");
    tp_str_clear(&text);
  }
  run_engine(&tp_engine_random, &task, (tp_budget){.cpu_s = 1, .steps = 2}, &exact, &o, &r);
  o.random = r.verdict;
  tp_result_clear(&r);
  judge_cpa(task, &exact, &o);
  exact_clear(&exact);
  return o;
}

// --------------------------------------------------------------------- totals

void outcome_print(const outcome *o) {
  printf("exact %d bmc %d (%s) random %d certified %d (%s) %s\n", o->exact, o->bmc, o->reason,
         o->random, o->certified, o->doubt, o->wrong);
}

static void count_reason(totals *s, const char *reason) {
  char text[160];
  size_t n = 0;
  for (const char *c = reason; *c && n + 1 < sizeof text; c++)
    if (*c < '0' || *c > '9') text[n++] = *c;
  text[n] = 0;
  for (int i = 0; i < JUDGE_REASONS; i++) {
    if (s->reasons[i].n && strcmp(s->reasons[i].text, text) != 0) continue;
    memcpy(s->reasons[i].text, text, n + 1);
    s->reasons[i].n++;
    return;
  }
}

void totals_add(totals *s, const outcome *o) {
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
  s->proved_by_cpa += o->cpa == TP_VERDICT_TRUE;
  if (o->has_inductive) s->inductive[o->inductive]++;
  if (o->bmc == TP_VERDICT_UNKNOWN && closed) count_reason(s, o->reason);
  if (o->has_certificate) s->certified[o->certified]++;
  if (o->has_certificate && o->certified != TP_CERTIFY_ACCEPTED) count_reason(s, o->doubt);
  if (o->has_forged) s->forged[o->forged]++;
}

void totals_print(const totals *s, double wall_s) {
  printf(
      "%llu programs in %.0f s: exact %llu safe, %llu unsafe, %llu open, %llu with too many runs\n",
      (unsigned long long)s->n, wall_s, (unsigned long long)s->exact[EXACT_SAFE],
      (unsigned long long)s->exact[EXACT_UNSAFE], (unsigned long long)s->exact[EXACT_OPEN],
      (unsigned long long)s->exact[EXACT_TOO_MANY]);
  printf("%llu runs; in %llu programs some run exits, in %llu some run does what has no meaning\n",
         (unsigned long long)s->runs, (unsigned long long)s->some_exit,
         (unsigned long long)s->some_invalid);
  printf(
      "bmc: %llu true, %llu false, %llu unknown (%.1f %% of those whose loops end), %.2f ms each; "
      "tester: %llu failures\n",
      (unsigned long long)s->bmc[TP_VERDICT_TRUE], (unsigned long long)s->bmc[TP_VERDICT_FALSE],
      (unsigned long long)s->bmc[TP_VERDICT_UNKNOWN],
      100.0 * (double)s->unknown_closed / (double)(s->closed ? s->closed : 1),
      1000 * s->bmc_s / (double)(s->n ? s->n : 1), (unsigned long long)s->found_by_random);
  printf(
      "certificates: %llu accepted, %llu rejected, %llu undecided, %.2f ms each; forged: %llu "
      "accepted, %llu rejected, %llu undecided\n",
      (unsigned long long)s->certified[0], (unsigned long long)s->certified[1],
      (unsigned long long)s->certified[2], 1000 * s->certify_s / (double)(s->n ? s->n : 1),
      (unsigned long long)s->forged[0], (unsigned long long)s->forged[1],
      (unsigned long long)s->forged[2]);
  printf("analyses: %llu true; their certificates: %llu accepted, %llu rejected, %llu undecided\n",
         (unsigned long long)s->proved_by_cpa, (unsigned long long)s->inductive[0],
         (unsigned long long)s->inductive[1], (unsigned long long)s->inductive[2]);
  for (int i = 0; i < JUDGE_REASONS && s->reasons[i].n; i++)
    printf("  %5u %s\n", s->reasons[i].n, s->reasons[i].text);
  printf("disagreements: %llu\n", (unsigned long long)s->wrong);
  fflush(stdout);
}
