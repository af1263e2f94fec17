/* Faults in sessions: small programs are read once; for each fault a copy of this process searches,
 * confirms and concludes under the guard, as `twoproof check` does.
 *
 *   session_faults_test                 a sample
 *   TP_SOAK=1 session_faults_test       all; what was done is kept in build/faults/sessions and not
 *   done again. TP_FAULTS_S=SECONDS: ends after that
 *                                       time; TP_FAULTS_MOST=N: at most N events of a kind in a
 *                                       program; TP_FAULTS_PART=K/N: each N-th program from the
 *                                       K-th on, for several at once; TP_FAULTS_KIND=TEXT: kinds
 *                                       with this text in their names TP_FAULTS_TEST=PATTERN: one
 *                                       of its tests
 *   session_faults_test PROGRAM ENGINE FAULT   one run, for example sum_bad kinduction
 *                                              alloc:137:fail@conclude */
#include "app/commands.h"
#include "app/exit.h"
#include "app/process_guard.h"
#include "app/session.h"
#include "certify/certify.h"

#include "campaign.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Programs of test/faults/programs with engines that decide both twins quickly, so that a lost
 * verdict is seen. */
static const struct {
  const char *program, *engine;
} pairs[] = {
    {"sum", "bmc"},
    {"bits", "bmc"},
    {"array", "bmc"},
    {"heap", "bmc"},
    {"recursion", "bmc"},
    {"bits", "cegar"},
    {"count", "cegar"},
    {"heap", "cegar"},
    {"branches", "cegar"},
    {"pair", "cegar"},
    {"pair", "kinduction"},
    {"branches", "kinduction"},
    {"recursion", "kinduction"},
    {"heap", "kinduction"},
    {"pair", "horn"},
    {"sum", "horn"},
    {"count", "interval"},
    {"branches", "interval"},
    {"bits", "synergy"},
    {"pair", "synergy"},
    {"recursion", "synergy"},
    {"branches", "auto"},
    {"sum", "auto"},
    {"sum", "kinduction"},
    {"sum", "cegar"},
    {"array", "kinduction"},
};
enum { N_PAIRS = sizeof pairs / sizeof *pairs };

static tp_campaign campaign;

// ------------------------------------------------------------------------ runs

typedef struct {
  tp_options options;
  tp_session session;
  size_t bytes;             // that the session takes
  bool has_broken_handler;  // planted: whoever finds no memory says TRUE
} loaded;

static void say_true(size_t size_bytes) {
  (void)size_bytes;
  static const char text[] = "RESULT: true\n";
  _exit(write(1, text, sizeof text - 1) > 0 ? TP_EXIT_TRUE : TP_EXIT_INTERNAL);
}

static void on_signal(int signal_number) {
  (void)signal_number;
  tp_process_interrupt();
}

static int below_guard(void *ctx, int channel) {
  loaded *l = ctx;
  (void)channel;
  struct sigaction a = {.sa_handler = on_signal};
  sigaction(SIGTERM, &a, NULL);
  signal(SIGPIPE, SIG_IGN);
  if (l->has_broken_handler) tp_set_oom_handler(say_true);
  l->session.live_before = tp_live_bytes() - l->bytes;
  l->session.started_s = tp_wall_s();
  tp_session_decide(&l->session);
  return tp_conclude_and_clear(&l->session, 0);
}

static int under_guard(void *ctx, int channel) {
  loaded *l = ctx;
  (void)channel;
  tp_faults_shared = campaign.page;
  const tp_options *o = &l->options;
  tp_guard_limits limits = {
      .cpu_s = o->timelimit, .memory_bytes = (o->memlimit << 20) * 2, .has_result = true};
  return tp_guard_run(below_guard, l, limits);
}

static const char *text_of(tp_arena *arena, const char *format, const char *a, const char *b) {
  return tp_arena_printf(arena, format, a, b);
}

static void load(loaded *l, const char *program, const char *twin, const char *engine,
                 const char *timelimit) {
  tp_arena arena = {0};
  char *argv[] = {
      (char *)"check",
      (char *)(uintptr_t)text_of(&arena, "--engine=%s%s", engine, ""),
      (char *)(uintptr_t)text_of(&arena, "--timelimit=%s%s", timelimit, ""),
      (char *)(uintptr_t)text_of(&arena, "--output=%s%s", campaign.output.text, ""),
      (char *)(uintptr_t)tp_arena_printf(&arena, "test/faults/programs/%s_%s.c", program, twin),
      NULL};
  static tp_arena texts;  // the options borrow them, a campaign frees them with itself
  for (int i = 1; argv[i]; i++) argv[i] = tp_arena_strdup(&texts, argv[i]);
  tp_arena_clear(&arena);
  *l = (loaded){0};
  tp_options_parse(&l->options, TP_FOR_CHECK, 5, argv);
  size_t before = tp_live_bytes();
  tp_session_init(&l->session, &l->options);
  assert_int_equal(tp_session_load(&l->session), 0);
  l->bytes = tp_live_bytes() - before;
  tp_temp_remove_all();
}

static void unload(loaded *l) {
  l->session.live_before = tp_live_bytes() - l->bytes;
  tp_session_clear(&l->session);
  tp_options_clear(&l->options);
}

static tp_trial trial_of(loaded *l, const char *twin) {
  return (tp_trial){.spec = {.work = under_guard, .ctx = l}, .is_safe = strcmp(twin, "ok") == 0};
}

// -------------------------------------------------------------------- campaign

/* What goes wrong in one row of the table, and at how many events it is tried: in the sample, in
 * all of it (0: each). */
static const struct {
  const char *kind, *fault, *timelimit;
  bool in_engine;  // phase: the engine's
  uint64_t quick, soak;
} kinds[] = {
    {"allocation and all later ones fail", "alloc:0+:fail", "20", false, 2, 60},
    {"allocation fails, certificate check", "alloc:0:fail@certificate check", "20", false, 2, 300},
    {"allocation fails, replay", "alloc:0:fail@replay", "20", false, 2, 0},
    {"allocation fails, native replay", "alloc:0:fail@native", "20", false, 2, 0},
    {"allocation fails, session", "alloc:0:fail@search", "20", false, 2, 0},
    {"allocation fails, conclusion", "alloc:0:fail@conclude", "20", false, 2, 0},
    {"allocation fails, guard", "alloc:0:fail@guard", "20", false, 2, 0},
    {"solver of the engine: unknown", "solver:0:unknown", "20", true, 2, 200},
    {"solver of the engine: unknown from here on", "solver:0+:unknown", "20", true, 1, 40},
    {"solver of the engine: wrong answer", "solver:0:flip", "20", true, 3, 400},
    {"solver of the engine: wrong from here on", "solver:0+:flip", "20", true, 1, 60},
    {"solver of the engine: dies", "solver:0:kill", "20", true, 1, 60},
    {"solver of the engine: wrong model", "model:0:flip", "20", true, 2, 100},
    {"solver of the engine: wrong model from here on", "model:0+:flip", "20", true, 1, 30},
    {"solver of the engine: core or formula too small", "core:0:flip", "20", true, 2, 100},
    {"solver of the engine: too small from here on", "core:0+:flip", "20", true, 1, 30},
    {"solver of the checker: unknown", "solver:0:unknown@certificate check", "20", false, 2, 0},
    {"solver of the checker: wrong answer", "solver:0:flip@certificate check", "20", false, 3, 0},
    {"solver of the checker: dies", "solver:0:segv@certificate check", "20", false, 1, 0},
    {"process killed when a phase begins or ends", "phase:0:kill", "20", false, 3, 0},
    {"process faults when a phase begins or ends", "phase:0:segv", "20", false, 2, 0},
    {"process killed at an allocation", "alloc:0:kill", "20", false, 3, 300},
    {"allocation fails, keeper", "alloc:0:fail@keeper", "20", false, 2, 0},
    {"compiler or native run cannot start", "program:0:fail", "20", false, 2, 0},
    {"compiler or native run killed", "program:0:kill", "20", false, 2, 0},
    {"allocation fails", "alloc:0:fail", "20", false, 4, 1200},
    {"solver of the engine: never ends", "solver:0:spin", "1", true, 0, 2},
    {"solver of the checker: never ends", "solver:0:spin@certificate check", "1", false, 0, 1},
    {"engine hangs when it begins or ends", "phase:0:spin", "1", true, 0, 2},
    {"certificate check hangs", "phase:0:spin@certificate check", "1", false, 0, 2},
    {"replay hangs", "phase:0:spin@replay", "1", false, 0, 2},
    {"session hangs", "phase:0:spin@session", "1", false, 0, 2},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static tp_fault fault_of(const char *text) {
  tp_fault f;
  assert_true(tp_fault_parse(text, &f));
  return f;
}

/* Where a long campaign of this name keeps what was done; NULL: it keeps nothing. */
static const char *progress(const char *name, tp_str *path) {
  if (!name || !getenv("TP_SOAK")) return NULL;
  mkdir("build/faults", 0777);
  tp_str_printf(path, "build/faults/%s", name);
  return path->text;
}

static void begin(const char *name) {
  tp_str path = {0};
  const char *seconds = getenv("TP_FAULTS_S");
  tp_campaign_init(&campaign, progress(name, &path), seconds ? tp_wall_s() + atof(seconds) : 0);
  tp_str_clear(&path);
  tp_campaign_remember_builds(&campaign);
}

static void sweep_kind(size_t kind, const char *program, const char *twin, const char *engine) {
  uint64_t most = getenv("TP_SOAK") ? kinds[kind].soak : kinds[kind].quick;
  const char *fewer = getenv("TP_FAULTS_MOST");
  if (fewer && getenv("TP_SOAK") && (!most || most > strtoull(fewer, NULL, 10)))
    most = strtoull(fewer, NULL, 10);
  if (!most && !getenv("TP_SOAK")) return;
  loaded l;
  tp_fault f;
  tp_str name = {0};
  assert_true(tp_fault_parse(kinds[kind].fault, &f));
  if (kinds[kind].in_engine)
    snprintf(f.phase, sizeof f.phase, "%s", strcmp(engine, "auto") == 0 ? "bmc" : engine);
  tp_str_printf(&name, "%s_%s %s", program, twin, engine);
  load(&l, program, twin, engine, kinds[kind].timelimit);
  tp_trial t = trial_of(&l, twin);
  tp_campaign_sweep(&campaign, kinds[kind].kind, name.text, &t, f, NULL, most);
  unload(&l);
  tp_str_clear(&name);
}

static void no_single_fault_makes_a_wrong_verdict(void **state) {
  (void)state;
  begin("sessions");
  const bool is_soak = getenv("TP_SOAK") != NULL;
  unsigned part = 0, parts = 1;
  if (getenv("TP_FAULTS_PART"))
    assert_int_equal(sscanf(getenv("TP_FAULTS_PART"), "%u/%u", &part, &parts), 2);
  const char *only = getenv("TP_FAULTS_KIND");
  for (size_t k = 0; k < N_KINDS; k++)
    for (size_t i = part; i < N_PAIRS; i += parts)
      for (int twin = 0; twin < 2; twin++)
        if ((!only || strstr(kinds[k].kind, only)) &&
            (is_soak || (i + k + (size_t)twin) % N_PAIRS == 0))
          sweep_kind(k, pairs[i].program, twin ? "bad" : "ok", pairs[i].engine);
  tp_campaign_print(&campaign);
  uint64_t failures = campaign.failures;
  tp_campaign_clear(&campaign);
  assert_int_equal(failures, 0);
}

// ---------------------------------------------------------------- engine and checker

static void end_as_unknown(size_t size_bytes) {
  (void)size_bytes;
  static const char text[] = "RESULT: unknown(out of memory)\n";
  _exit(write(1, text, sizeof text - 1) > 0 ? TP_EXIT_UNKNOWN : TP_EXIT_INTERNAL);
}

/* The engine's claim and the check of it, in one process: no guard, no workers, no native runs, so
 * many more faults. */
static int search_and_check(void *ctx, int channel) {
  const loaded *l = ctx;
  const tp_session *s = &l->session;
  (void)channel;
  tp_faults_shared = campaign.page;
  tp_set_oom_handler(end_as_unknown);
  tp_stats stats = {0};
  tp_result result;
  tp_result_init(&result);
  tp_task task = {.program = s->program,
                  .property = s->property,
                  .seed = 1,
                  .composition = s->o->composition,
                  .search = s->o->search};
  tp_budget budget = {.cpu_s = 20};
  tp_fault_enter_phase("engine");
  tp_engine_find(s->o->engine)->run(&task, &budget, &stats, &result);
  tp_fault_enter_phase("checker");
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_property violated = TP_P_NONE;
  tp_certify_result said = TP_CERTIFY_UNDECIDED;
  if (result.verdict == TP_VERDICT_TRUE)
    said = tp_certify_true(s->program, s->property, tp_str_text(&result.certificate),
                           &(tp_certify_limits){.cpu_s = 20}, &stats, &report);
  if (result.verdict == TP_VERDICT_FALSE)
    said = tp_certify_false(s->program, s->property, &result.inputs,
                            (tp_run_limits){.steps = 1000000}, &violated, &report);
  const bool is_true = said == TP_CERTIFY_ACCEPTED && result.verdict == TP_VERDICT_TRUE,
             is_false = said == TP_CERTIFY_ACCEPTED && !is_true;
  printf("RESULT: %s\n", is_true    ? "true"
                         : is_false ? "false(unreach-call)"
                                    : "unknown(no claim was confirmed)");
  fflush(stdout);
  tp_certify_report_clear(&report);
  tp_result_clear(&result);
  return is_true ? TP_EXIT_TRUE : is_false ? TP_EXIT_FALSE : TP_EXIT_UNKNOWN;
}

static const struct {
  const char *kind, *fault;
  uint64_t quick, soak;
} bare_kinds[] = {
    {"engine and checker: allocation fails", "alloc:0:fail", 3, 3000},
    {"engine and checker: unknown, engine", "solver:0:unknown@engine", 2, 0},
    {"engine and checker: wrong answer, engine", "solver:0:flip@engine", 3, 0},
    {"engine and checker: wrong from here on, engine", "solver:0+:flip@engine", 2, 0},
    {"engine and checker: unknown from here on, engine", "solver:0+:unknown@engine", 1, 0},
    {"engine and checker: wrong model, engine", "model:0:flip@engine", 2, 0},
    {"engine and checker: core too small, engine", "core:0:flip@engine", 2, 0},
    {"engine and checker: unknown, checker", "solver:0:unknown@checker", 2, 0},
    {"engine and checker: wrong answer, checker", "solver:0:flip@checker", 3, 0},
    {"engine and checker: killed at an allocation", "alloc:0:kill", 1, 300},
};
enum { N_BARE_KINDS = sizeof bare_kinds / sizeof *bare_kinds };

static void sweep_bare(size_t pair, int twin) {
  const bool is_soak = getenv("TP_SOAK") != NULL;
  loaded l;
  tp_str name = {0};
  tp_str_printf(&name, "%s_%s %s", pairs[pair].program, twin ? "bad" : "ok", pairs[pair].engine);
  load(&l, pairs[pair].program, twin ? "bad" : "ok", pairs[pair].engine, "20");
  tp_trial t = {
      .spec = {.work = search_and_check, .ctx = &l}, .is_safe = !twin, .has_no_evidence = true};
  for (size_t k = 0; k < N_BARE_KINDS; k++)
    if (is_soak || (pair + k + (size_t)twin) % 2 == 0)
      tp_campaign_sweep(&campaign, bare_kinds[k].kind, name.text, &t, fault_of(bare_kinds[k].fault),
                        NULL, is_soak ? bare_kinds[k].soak : bare_kinds[k].quick);
  unload(&l);
  tp_str_clear(&name);
}

static void no_single_fault_in_engine_or_checker_makes_a_wrong_verdict(void **state) {
  (void)state;
  begin("engines");
  for (size_t i = 0; i < N_PAIRS; i++)
    for (int twin = 0; twin < 2; twin++)
      if (strcmp(pairs[i].engine, "auto") != 0 &&
          (getenv("TP_SOAK") || (i + (size_t)twin) % 16 == 0))
        sweep_bare(i, twin);
  tp_campaign_print(&campaign);
  uint64_t failures = campaign.failures;
  tp_campaign_clear(&campaign);
  assert_int_equal(failures, 0);
}

// ------------------------------------------------------------------------ trust

/* What rests on the checker's solver: an answer of the engine's solver is wrong, so that the engine
 * claims TRUE for a broken program; then each answer of the checker's solver is wrong in turn. Two
 * faults at once: wrong verdicts are counted, they are no failures. */
typedef struct {
  uint64_t answers, claims, checks, wrong;
} trust;

static void try_claim(const tp_trial *t, const tp_fault *engine, tp_fault checker, uint64_t most,
                      trust *sum) {
  tp_fault both[2] = {checker, *engine};
  both[0].at = 0;
  tp_campaign_run(&campaign, t, both, 2, NULL);
  const uint64_t n = campaign.page->at[0].seen, step = n > most ? (n + most - 1) / most : 1;
  sum->answers++;
  sum->claims += n > 0;
  for (uint64_t at = 1; at <= n; at += step) {
    both[0].at = at;
    const tp_outcome o = tp_campaign_run(&campaign, t, both, 2, NULL);
    sum->checks++;
    sum->wrong += o == TP_OUTCOME_WRONG;
    assert_true(o == TP_OUTCOME_WRONG || o <= TP_OUTCOME_UNKNOWN);
  }
}

/* how: of --check. step: of the pairs. */
static trust try_claims(const char *how, size_t step_of_pairs, uint64_t most) {
  trust whole = {0};
  printf("--check=%-16s %8s %8s %8s %8s\n", how, "engine", "claims", "checker", "wrong");
  for (size_t i = 0; i < N_PAIRS && (campaign.until_s <= 0 || tp_wall_s() < campaign.until_s);
       i += step_of_pairs) {
    loaded l;
    const char *engine = pairs[i].engine;
    trust sum = {0};
    tp_fault f = fault_of("solver:0:flip"), checker = fault_of("solver:0:flip@certificate check");
    snprintf(f.phase, sizeof f.phase, "%s", strcmp(engine, "auto") == 0 ? "bmc" : engine);
    load(&l, pairs[i].program, "bad", engine, "20");
    l.options.check = how;
    tp_trial t = trial_of(&l, "bad");
    const uint64_t n = tp_campaign_count(&campaign, &t, f),
                   step = n > most ? (n + most - 1) / most : 1;
    for (f.at = 1; f.at <= n; f.at += step) {
      try_claim(&t, &f, checker, most, &sum);
      checker.is_lasting = true;  // and all later answers
      try_claim(&t, &f, checker, 1, &sum);
      checker.is_lasting = false;
    }
    unload(&l);
    printf("%-13s %-10s %8llu %8llu %8llu %8llu\n", pairs[i].program, engine,
           (unsigned long long)sum.answers, (unsigned long long)sum.claims,
           (unsigned long long)sum.checks, (unsigned long long)sum.wrong);
    fflush(stdout);
    whole.answers += sum.answers, whole.claims += sum.claims, whole.checks += sum.checks,
        whole.wrong += sum.wrong;
  }
  printf("%-24s %8llu %8llu %8llu %8llu\n", "sum", (unsigned long long)whole.answers,
         (unsigned long long)whole.claims, (unsigned long long)whole.checks,
         (unsigned long long)whole.wrong);
  return whole;
}

static void what_rests_on_the_checkers_solver(void **state) {
  (void)state;
  begin(NULL);
  const bool is_soak = getenv("TP_SOAK") != NULL;
  (void)try_claims("", is_soak ? 1 : 13, is_soak ? 20 : 2);
  tp_campaign_clear(&campaign);
}

/* With --check=proof nothing does: whatever the checker's solver answers, at each of its questions,
 * a wrong claim is not accepted. */
static void with_proofs_nothing_rests_on_the_checkers_solver(void **state) {
  (void)state;
  begin(NULL);
  const bool is_soak = getenv("TP_SOAK") != NULL;
  const trust sum = try_claims("proof", is_soak ? 1 : 13, is_soak ? UINT64_MAX : 2);
  tp_campaign_clear(&campaign);
  assert_true(campaign.until_s > 0 || sum.claims > 0);
  assert_int_equal(sum.wrong, 0);
}

// ------------------------------------------------------------------ planted faults

static int planted(void *ctx, int channel) {
  tp_outcome which = *(const tp_outcome *)ctx;
  (void)channel;
  tp_str path = {0}, left = {0};
  tp_str_printf(&path, "%s/certificate.txt", campaign.output.text);
  tp_str_printf(&left, "%s/left", campaign.tmp.text);
  if (which != TP_OUTCOME_LOST && tp_write_file(path.text, "text\n", 5) != TP_OK) return 70;
  if (which == TP_OUTCOME_LEFT_OVER && tp_write_file(left.text, "text\n", 5) != TP_OK) return 70;
  if (which == TP_OUTCOME_CRASH) kill(getpid(), SIGSEGV);
  if (which == TP_OUTCOME_HANG) pause();
  printf("%s\n", which == TP_OUTCOME_WRONG     ? "RESULT: false(unreach-call)"
                 : which == TP_OUTCOME_UNKNOWN ? "RESULT: unknown(why)"
                                               : "RESULT: true");
  fflush(stdout);
  return which == TP_OUTCOME_WRONG ? 10 : which == TP_OUTCOME_UNKNOWN ? 5 : 0;
}

static int leaves_a_process(void *ctx, int channel) {
  (void)ctx;
  (void)channel;
  if (fork() == 0) {
    setpgid(0, 0);
    for (;;) pause();
  }
  return 5;
}

/* A campaign that cannot fail shows nothing. */
static void each_bad_outcome_is_noticed(void **state) {
  (void)state;
  begin(NULL);
  for (tp_outcome o = TP_OUTCOME_RIGHT; o < TP_N_OUTCOMES; o++) {
    if (o == TP_OUTCOME_DIED) continue;  // needs a fault
    tp_trial t = {.spec = {.work = planted, .ctx = &o, .limits = {.wall_s = 1}}, .is_safe = true};
    assert_string_equal(tp_outcome_names[tp_campaign_run(&campaign, &t, NULL, 0, NULL)],
                        tp_outcome_names[o]);
  }
  tp_trial t = {.spec = {.work = leaves_a_process}, .is_safe = true};
  assert_true(tp_campaign_run(&campaign, &t, NULL, 0, NULL) > TP_OUTCOME_UNKNOWN);
  tp_campaign_clear(&campaign);
}

static void a_broken_handler_is_noticed(void **state) {
  (void)state;
  begin(NULL);
  loaded l;
  tp_fault f;
  assert_true(tp_fault_parse("alloc:0:fail@search", &f));
  load(&l, "sum", "bad", "bmc", "20");
  l.has_broken_handler = true;
  tp_trial t = trial_of(&l, "bad");
  tp_tally tally = tp_campaign_sweep(&campaign, "planted", "sum_bad bmc", &t, f, NULL, 5);
  assert_true(tally.by[TP_OUTCOME_WRONG] > 0 && tally.by[TP_OUTCOME_WRONG] == tally.struck);
  unload(&l);
  tp_campaign_clear(&campaign);
}

// --------------------------------------------------------------------- causes

/* A guard that found no memory ended without a RESULT line, and left its temporary folder. */
static void the_guard_needs_no_memory(void **state) {
  (void)state;
  begin(NULL);
  loaded l;
  load(&l, "bits", "bad", "bmc", "20");
  tp_trial t = trial_of(&l, "bad");
  assert_int_equal(tp_campaign_count(&campaign, &t, fault_of("alloc:0:fail@guard")), 0);
  assert_int_equal(tp_campaign_count(&campaign, &t, fault_of("alloc:0:fail@keeper")), 0);
  unload(&l);
  tp_campaign_clear(&campaign);
}

/* A session that was killed when it had said its verdict was taken for one that had said nothing:
 * there were two RESULT lines. */
static void a_verdict_that_was_said_stays(void **state) {
  (void)state;
  begin(NULL);
  for (int twin = 0; twin < 2; twin++) {
    loaded l;
    load(&l, "bits", twin ? "bad" : "ok", "bmc", "20");
    tp_trial t = trial_of(&l, twin ? "bad" : "ok");
    for (int action = 0; action < 2; action++) {
      tp_fault f = fault_of(action ? "phase:1:segv@end" : "phase:1:kill@end");
      assert_int_equal(tp_campaign_run(&campaign, &t, &f, 1, NULL), TP_OUTCOME_RIGHT);
      assert_int_equal(campaign.page->at[0].struck, 1);
    }
    unload(&l);
  }
  tp_campaign_clear(&campaign);
}

static int run_one(char **argv) {
  tp_fault f[TP_MOST_FAULTS];
  const char *twin = strrchr(argv[1], '_'), *second = strchr(argv[3], ';');
  if (!twin || !tp_fault_parse(argv[3], &f[0]) || (second && !tp_fault_parse(second + 1, &f[1])))
    return 64;
  begin(NULL);
  loaded l;
  char program[64];
  snprintf(program, sizeof program, "%.*s", (int)(twin - argv[1]), argv[1]);
  load(&l, program, twin + 1, argv[2], "20");
  tp_trial t = trial_of(&l, twin + 1);
  tp_str said = {0};
  double start_s = tp_wall_s();
  tp_outcome o = tp_campaign_run(&campaign, &t, f, second ? 2 : 1, &said);
  printf("%s%s, %llu events, %.0f ms\n", tp_str_text(&said), tp_outcome_names[o],
         (unsigned long long)campaign.page->at[0].seen, 1000 * (tp_wall_s() - start_s));
  tp_str_clear(&said);
  unload(&l);
  tp_campaign_clear(&campaign);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 4) return run_one(argv);
  if (getenv("TP_FAULTS_TEST")) cmocka_set_test_filter(getenv("TP_FAULTS_TEST"));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_bad_outcome_is_noticed),
      cmocka_unit_test(a_broken_handler_is_noticed),
      cmocka_unit_test(the_guard_needs_no_memory),
      cmocka_unit_test(a_verdict_that_was_said_stays),
      cmocka_unit_test(no_single_fault_makes_a_wrong_verdict),
      cmocka_unit_test(no_single_fault_in_engine_or_checker_makes_a_wrong_verdict),
      cmocka_unit_test(what_rests_on_the_checkers_solver),
      cmocka_unit_test(with_proofs_nothing_rests_on_the_checkers_solver)};
  return cmocka_run_group_tests_name("session_faults", tests, NULL, NULL);
}
