/* Faults in whole runs of `twoproof check`: in the guard, the front end, compilers, libraries;
 * memory that libraries ask for and writing to a full disk are counted by a library that is loaded
 * first (preload.c).
 *
 *   run_faults_test                     a sample
 *   TP_SOAK=1 run_faults_test           all; what was done is kept in build/faults/runs and not
 *   done again. TP_FAULTS_S, TP_FAULTS_MOST: as in
 *                                       session_faults_test
 *   run_faults_test NUMBER FAULT        one run of a row of `tasks`, for example 0 write:12+:fail
 */
#include "campaign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct {
  const char *program, *engine, *option;
  bool is_safe;
} tasks[] = {
    {"sum_ok", "kinduction", NULL, true},
    {"bits_bad", "bmc", NULL, false},
    {"pair_ok", "cegar", "--save-precision=", true},
    {"heap_bad", "auto", NULL, false},
    {"recursion_ok", "synergy", NULL, true},
    {"bits_ok", "bmc", "--second-opinion", true},
    {"count_ok", "interval", "--check=run", true},
    {"array_bad", "random", "--pictures=", false},
    {"pair_ok", "horn", NULL, true},
    {"branches_bad", "value", NULL, false},
};
enum { N_TASKS = sizeof tasks / sizeof *tasks };

static const struct {
  const char *kind, *fault;
  bool is_preloaded;
  uint64_t soak;  // runs at most; 0: one for each event
} kinds[] = {
    {"run: allocation fails, start", "alloc:0:fail@start", false, 0},
    {"run: allocation fails, front end", "alloc:0:fail@load", false, 300},
    {"run: allocation fails, features", "alloc:0:fail@features", false, 0},
    {"run: process killed when a phase begins or ends", "phase:0:kill", false, 0},
    {"run: process faults when a phase begins or ends", "phase:0:segv", false, 0},
    {"run: compiler or native run cannot start", "program:0:fail", false, 0},
    {"run: compiler or native run killed", "program:0:kill", false, 0},
    {"run: process killed at an allocation, front end", "alloc:0:kill@load", false, 50},
    {"run: malloc fails in any program", "malloc:0:fail", true, 150},
    {"run: malloc fails from here on in any program", "malloc:0+:fail", true, 50},
    {"run: malloc fails in the tool", "malloc:0:fail@twoproof", true, 400},
    {"run: malloc fails from here on in the tool", "malloc:0+:fail@twoproof", true, 100},
    {"run: disk full for one write", "write:0:fail", true, 0},
    {"run: disk full from here on", "write:0+:fail", true, 0},
    {"run: disk full for one write of the tool", "write:0:fail@twoproof", true, 0},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

#ifdef __SANITIZE_ADDRESS__
static const bool can_preload = false;  // the sanitizer has malloc to itself
#else
static const bool can_preload = true;
#endif

// ------------------------------------------------------------------------ runs

typedef struct {
  tp_campaign campaign;
  tp_arena arena;
  const char *tool, *env[4096];
  size_t n_env;
  const char *argv[10];
  const char *reference;  // what a run without faults writes
} runs;

static const char *beside(tp_arena *arena, const char *name) {
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = 0;
  *strrchr(self, '/') = 0;
  return tp_arena_printf(arena, "%s/%s", self, name);
}

static void begin(runs *r, const char *progress) {
  const char *seconds = getenv("TP_FAULTS_S");
  *r = (runs){0};
  tp_campaign_init(&r->campaign, progress, seconds ? tp_wall_s() + atof(seconds) : 0);
  r->tool = beside(&r->arena, "../../twoproof");
  r->env[r->n_env++] = tp_arena_printf(&r->arena, "LD_PRELOAD=%s", beside(&r->arena, "preload.so"));
  for (char **e = environ; *e && r->n_env + 1 < sizeof r->env / sizeof *r->env; e++)
    r->env[r->n_env++] = *e;
  r->reference = tp_arena_printf(&r->arena, "%s/reference", r->campaign.folder.text);
}

static void end(runs *r) {
  tp_campaign_clear(&r->campaign);
  tp_arena_clear(&r->arena);
}

static tp_trial trial_of(runs *r, size_t task, bool is_preloaded, bool has_reference) {
  const char *output = r->campaign.output.text, *option = tasks[task].option;
  size_t n = 0;
  r->argv[n++] = r->tool;
  r->argv[n++] = "check";
  r->argv[n++] = tp_arena_printf(&r->arena, "--engine=%s", tasks[task].engine);
  r->argv[n++] = "--timelimit=20";
  r->argv[n++] = tp_arena_printf(&r->arena, "--output=%s", output);
  r->argv[n++] = tp_arena_printf(&r->arena, "--stats=%s/stats.json", output);
  if (option && option[strlen(option) - 1] == '=')
    r->argv[n++] = tp_arena_printf(&r->arena, "%s%s%s", option, output,
                                   strstr(option, "precision") ? "/precision.txt" : "");
  else if (option)
    r->argv[n++] = option;
  r->argv[n++] = tp_arena_printf(&r->arena, "test/faults/programs/%s.c", tasks[task].program);
  r->argv[n] = NULL;
  return (tp_trial){.spec = {.argv = r->argv, .env = r->env + !is_preloaded},
                    .is_safe = tasks[task].is_safe,
                    .has_statistics = true,
                    .reference = has_reference ? r->reference : NULL};
}

/* A run without faults: the verdict is right, and what it writes is kept to compare with. */
static void make_reference(runs *r, size_t task) {
  tp_trial t = trial_of(r, task, false, false);
  tp_str said = {0};
  const tp_outcome outcome = tp_campaign_run(&r->campaign, &t, NULL, 0, &said);
  if (outcome != TP_OUTCOME_RIGHT) fprintf(stderr, "%s\n", tp_str_text(&said));
  assert_int_equal(outcome, TP_OUTCOME_RIGHT);
  tp_str_clear(&said);
  tp_remove_tree(r->reference);
  assert_int_equal(rename(r->campaign.output.text, r->reference), 0);
}

// -------------------------------------------------------------------- campaign

static void no_single_fault_makes_a_wrong_verdict(void **state) {
  (void)state;
  runs r;
  const bool is_soak = getenv("TP_SOAK") != NULL;
  const char *fewer = getenv("TP_FAULTS_MOST");
  if (is_soak) mkdir("build/faults", 0777);
  begin(&r, is_soak ? "build/faults/runs" : NULL);
  for (size_t i = 0; i < N_TASKS; i++) {
    bool has_reference = false;
    for (size_t k = 0; k < N_KINDS; k++) {
      if ((!is_soak && (i + k) % 16 != 0) || (kinds[k].is_preloaded && !can_preload)) continue;
      if (!has_reference) make_reference(&r, i);
      has_reference = true;
      uint64_t most = is_soak ? kinds[k].soak : 1;
      if (fewer && is_soak && (!most || most > strtoull(fewer, NULL, 10)))
        most = strtoull(fewer, NULL, 10);
      tp_fault f;
      assert_true(tp_fault_parse(kinds[k].fault, &f));
      tp_trial t = trial_of(&r, i, kinds[k].is_preloaded, true);
      const char *name =
          tp_arena_printf(&r.arena, "%zu %s %s", i, tasks[i].program, tasks[i].engine);
      tp_campaign_sweep(&r.campaign, kinds[k].kind, name, &t, f, NULL, most);
    }
  }
  tp_campaign_print(&r.campaign);
  uint64_t failures = r.campaign.failures;
  end(&r);
  assert_int_equal(failures, 0);
}

// --------------------------------------------------------------------- causes

static tp_outcome outcome_of(runs *r, size_t task, const char *fault, const char *says) {
  tp_fault f;
  tp_str said = {0};
  assert_true(tp_fault_parse(fault, &f));
  tp_trial t = trial_of(r, task, f.event >= TP_FAULT_EVENT_MALLOC, false);
  const tp_outcome o = tp_campaign_run(&r->campaign, &t, &f, 1, &said);
  assert_int_equal(r->campaign.page->at[0].struck > 0, 1);
  if (!strstr(tp_str_text(&said), says)) fail_msg("%s: %s", fault, tp_str_text(&said));
  tp_str_clear(&said);
  return o;
}

/* argp_parse found no memory, and the run ended as if it were used wrongly, without a word. */
static void options_without_memory_are_no_wrong_usage(void **state) {
  (void)state;
  runs r;
  if (!can_preload) skip();
  begin(&r, NULL);
  assert_int_equal(outcome_of(&r, 1, "malloc:1:fail@twoproof", "RESULT: unknown(out of memory)"),
                   TP_OUTCOME_UNKNOWN);
  end(&r);
}

/* `new` and LLVM ended the session with abort() where they found no memory: that was an internal
 * error. */
static void libraries_without_memory_end_nothing_with_abort(void **state) {
  (void)state;
  runs r;
  if (!can_preload) skip();
  begin(&r, NULL);
  for (int at = 300; at < 1200; at += getenv("TP_SOAK") ? 100 : 300) {
    char fault[64];
    snprintf(fault, sizeof fault, "malloc:%d+:fail@twoproof", at);
    assert_int_equal(outcome_of(&r, 1, fault, "RESULT: unknown(out of memory)"),
                     TP_OUTCOME_UNKNOWN);
  }
  end(&r);
}

static int run_one(size_t task, const char *text) {
  runs r;
  tp_fault f;
  if (task >= N_TASKS || !tp_fault_parse(text, &f)) return 64;
  begin(&r, NULL);
  make_reference(&r, task);
  tp_trial t = trial_of(&r, task, f.event >= TP_FAULT_EVENT_MALLOC, true);
  tp_str said = {0};
  tp_outcome o = tp_campaign_run(&r.campaign, &t, &f, 1, &said);
  printf("%s%s, %llu events, struck %llu\n", tp_str_text(&said), tp_outcome_names[o],
         (unsigned long long)r.campaign.page->at[0].seen,
         (unsigned long long)r.campaign.page->at[0].struck);
  tp_str_clear(&said);
  end(&r);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3) return run_one(strtoull(argv[1], NULL, 10), argv[2]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_without_memory_are_no_wrong_usage),
      cmocka_unit_test(libraries_without_memory_end_nothing_with_abort),
      cmocka_unit_test(no_single_fault_makes_a_wrong_verdict)};
  return cmocka_run_group_tests_name("run_faults", tests, NULL, NULL);
}
