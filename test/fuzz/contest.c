#include "contest.h"

#include "compositions.h"
#include "proof/configurations.h"
#include "engine/invariants.h"
#include "smt/smt.h"
#include "auto/engines.h"
#include "proof/proof_engines.h"
#include "search/search_engines.h"

#include <stdio.h>
#include <stdlib.h>

// ------------------------------------------------------------------ contenders

/* A program meets all that are quick, and some of the others: they cost up to a hundred times as
 * much, so they take turns. */
enum { ALWAYS = 1, SELDOM = 4, RARELY = 16 };

/* Engines with solvers and configurations that are not their own. */
static const struct {
  const char *name;
  const tp_engine *engine;
  const char *solver, *configuration;
  uint32_t one_in;
  tp_search_settings search;
} variants[] = {
    {"value-cegar", &tp_engine_cegar, NULL, "value-cegar", ALWAYS, {0}},
    {"impact", &tp_engine_cegar, NULL, "impact", RARELY, {0}},
    {"cegar bounds", &tp_engine_cegar, NULL, "predicate-interval", RARELY, {0}},
    {"adjust", &tp_engine_cpa, NULL, "adjust", SELDOM, {0}},
    {"adjust cegar", &tp_engine_cegar, NULL, "adjust-cegar", RARELY, {0}},
    {"values, predicates", &tp_engine_cegar, NULL, "value-predicate", RARELY, {0}},
    {"lattice", &tp_engine_cegar, NULL, "predicate-pointer", RARELY, {0}},
    {"polyhedra", &tp_engine_cpa, NULL, "polyhedra", SELDOM, {0}},
    {"cegar mixed", &tp_engine_cegar, "mixed", NULL, RARELY, {0}},
    {"cegar ints", &tp_engine_cegar, "ints", NULL, RARELY, {0}},
    {"kind. bits", &tp_engine_kinduction, "bits", NULL, SELDOM, {0}},
    {"kind. mixed", &tp_engine_kinduction, "mixed", NULL, RARELY, {0}},
    {"kind. exact", &tp_engine_kinduction, "ints-exact", NULL, RARELY, {0}},
    {"bmc bits", &tp_engine_bmc, "bits", NULL, SELDOM, {0}},
    {"bmc exact", &tp_engine_bmc, "ints-exact", NULL, SELDOM, {0}},
    {"split pre",
     &tp_engine_split_cegar,
     NULL,
     NULL,
     RARELY,
     {.split = TP_SPLIT_PRE, .generalize = TP_GENERALIZE_NONE}},
    {"split between",
     &tp_engine_split_cegar,
     "mixed",
     NULL,
     RARELY,
     {.split = TP_SPLIT_INTERPOLANT, .three_regions = true}},
    {"split wide",
     &tp_engine_split_cegar,
     NULL,
     NULL,
     RARELY,
     {.generalize = TP_GENERALIZE_WIDEN, .lazy_edges = true}},
    {"split large", &tp_engine_split_cegar, NULL, NULL, RARELY, {.nodes = TP_NODES_LOOPS}},
    {"split lazy",
     &tp_engine_split_cegar,
     "ints",
     NULL,
     RARELY,
     {.nodes = TP_NODES_LOOPS, .lazy_edges = true, .three_regions = true}},
    {"synergy pre",
     &tp_engine_synergy,
     NULL,
     NULL,
     RARELY,
     {.split = TP_SPLIT_PRE, .generalize = TP_GENERALIZE_NONE, .fair = UINT32_MAX}},
    {"synergy betw.",
     &tp_engine_synergy,
     "mixed",
     NULL,
     RARELY,
     {.split = TP_SPLIT_INTERPOLANT, .three_regions = true, .fair = 1}},
    {"synergy wide",
     &tp_engine_synergy,
     NULL,
     NULL,
     RARELY,
     {.generalize = TP_GENERALIZE_WIDEN, .lazy_edges = true, .latest_state = true}},
    {"synergy large", &tp_engine_synergy, "bits", NULL, RARELY, {.nodes = TP_NODES_LOOPS}},
    {"synergy lazy",
     &tp_engine_synergy,
     "ints",
     NULL,
     RARELY,
     {.nodes = TP_NODES_LOOPS, .lazy_edges = true, .three_regions = true, .fair = 2}},
    {"synergy alias", &tp_engine_synergy, NULL, NULL, RARELY, {.split = TP_SPLIT_ALIAS}},
    {"smash lazy",
     &tp_engine_smash,
     NULL,
     NULL,
     RARELY,
     {.split = TP_SPLIT_ALIAS, .lazy_edges = true}},
    {"lee-y. large",
     &tp_engine_lee_yannakakis,
     NULL,
     NULL,
     RARELY,
     {.nodes = TP_NODES_LOOPS, .lazy_edges = true}},
};

static uint32_t turns_of_engine(const tp_engine *e) {
  static const tp_engine *const quick[] = {&tp_engine_bmc,      &tp_engine_cpa,
                                           &tp_engine_interval, &tp_engine_octagon,
                                           &tp_engine_random,   &tp_engine_value};
  for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
    if (e == quick[i]) return ALWAYS;
  return e == &tp_engine_horn ? SELDOM : RARELY;
}

static uint32_t turns_of_composition(const char *text) {
  if (!strstr(text, "predicate")) return ALWAYS;
  return strstr(text, "initial = none") || strstr(text, "abstraction = none") ? SELDOM : RARELY;
}

void contest_init(contest *c, exact_limits limits, uint32_t n_compositions, uint64_t seed) {
  *c = (contest){.limits = limits, .certify_one_in = 1};
  tp_arena_init(&c->arena);
  for (size_t i = 0; tp_engines[i]; i++)
    tp_vec_push(&c->list, (contender){.name = tp_engines[i]->name,
                                      .engine = tp_engines[i],
                                      .one_in = turns_of_engine(tp_engines[i])});
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    const char *text =
        variants[i].configuration ? tp_configuration_text(variants[i].configuration) : NULL;
    tp_vec_push(&c->list, (contender){.name = variants[i].name,
                                      .engine = variants[i].engine,
                                      .solver = variants[i].solver,
                                      .composition = text,
                                      .one_in = variants[i].one_in,
                                      .search = variants[i].search});
  }
  for (uint32_t i = 0; i < n_compositions; i++) {
    tape t;
    tp_str text = {0};
    tape_fresh(&t, tp_hash_mix(seed, i));
    composition_make(&t, &text);
    const char *copy = tp_arena_strdup(&c->arena, tp_str_text(&text));
    tp_vec_push(&c->list, (contender){.name = tp_arena_printf(&c->arena, "cpa %u", i + 1),
                                      .engine = &tp_engine_cpa,
                                      .composition = copy,
                                      .one_in = turns_of_composition(copy)});
    tp_str_clear(&text);
    tape_clear(&t);
  }
}

void contest_clear(contest *c) {
  tp_vec_clear(&c->list);
  tp_arena_clear(&c->arena);
}

// ------------------------------------------------------------------ one answer

typedef struct {
  contest *c;
  contender *who;
  const tp_program *p;
  traits what;
  uint64_t seed;
  const sightings *seen;
  const exact_result *exact;
  tp_loc error;  // that the first failing run reaches
  char *wrong;
  size_t size;
} look;

static void blame(look *x, const char *what, const char *more) {
  if (!x->wrong[0])
    snprintf(x->wrong, x->size, "%s: %s%s%s", x->who->name, what, *more ? ": " : "", more);
}

/* Every state of every run that stands at a place is in what the text says of the place. */
static void hold_against_runs(look *x, const char *text, const char *what) {
  tp_invariants v;
  tp_str why = {0};
  tp_invariants_init(&v);
  if (tp_invariants_read(text, (tp_program *)x->p, &v, &why) != TP_OK)
    blame(x, what, tp_str_text(&why));
  else if (sightings_refute(x->seen, &v, &why))
    blame(x, what, tp_str_text(&why));
  if (x->wrong[0] && getenv("FUZZ_CERTIFICATE")) printf("%s: %s\n", x->who->name, text);
  tp_invariants_clear(&v);
  tp_str_clear(&why);
}

static bool is_of_invariants(const char *text) {
  return strstr(text, "invariants") != NULL && strstr(text, "invariants") < text + 80;
}

static void certify_true(look *x, const char *text) {
  tp_certify_report report;
  tp_stats stats = {0};
  tp_certify_limits limits = {.cpu_s = 2, .solver_rlimit = 2000000};
  tp_certify_report_init(&report);
  tp_certify_result r = tp_certify_true(x->p, x->what.asked, text, &limits, &stats, &report);
  x->who->certified[r]++;
  if (r != TP_CERTIFY_ACCEPTED && getenv("FUZZ_DOUBTS"))
    printf("seed %llu: %s: %s: %s\n", (unsigned long long)x->seed, x->who->name,
           tp_certify_result_name(r), tp_str_text(&report.why));
  // a true claim whose formulas do not carry it may be rejected: that costs a verdict, and is
  // counted
  if (r == TP_CERTIFY_ACCEPTED && x->exact->verdict == EXACT_UNSAFE)
    blame(x, "certificate of an unsafe program accepted", "");
  tp_certify_report_clear(&report);
}

static void watch_runs(look *x, const char *text) {
  tp_certify_report report;
  tp_inputs counterexample;
  tp_certify_limits limits = {.cpu_s = 1};
  tp_certify_report_init(&report);
  tp_inputs_init(&counterexample);
  tp_certify_result r =
      tp_certify_run(x->p, x->what.asked, text, x->seed, 20, &limits, &counterexample, &report);
  if (r == TP_CERTIFY_REJECTED)
    blame(x, "random runs contradict the certificate", tp_str_text(&report.why));
  tp_inputs_clear(&counterexample);
  tp_certify_report_clear(&report);
}

static void look_at_true(look *x, const tp_result *r) {
  if (getenv("FUZZ_CERTIFICATE")) printf("%s: %s\n", x->who->name, tp_str_text(&r->certificate));
  const char *text = tp_str_text(&r->certificate);
  if (x->exact->verdict == EXACT_UNSAFE) blame(x, "TRUE, but some inputs reach an error", "");
  if (!r->certificate.n) blame(x, "TRUE without a certificate", "");
  if (x->wrong[0]) return;
  if (is_of_invariants(text)) hold_against_runs(x, text, "the certificate");
  if (tp_hash_mix(x->seed, (uint64_t)(x->who - x->c->list.at)) % x->c->certify_one_in) return;
  double start_s = tp_cpu_s();
  certify_true(x, text);
  watch_runs(x, text);
  x->who->certify_s += tp_cpu_s() - start_s;
}

static void look_at_false(look *x, const tp_result *r) {
  tp_certify_report report;
  tp_property violated;
  if (x->exact->verdict == EXACT_SAFE) blame(x, "FALSE, but no inputs reach an error", "");
  tp_certify_report_init(&report);
  if (tp_certify_false(x->p, x->what.asked, &r->inputs, (tp_run_limits){.steps = 100000}, &violated,
                       &report) != TP_CERTIFY_ACCEPTED)
    blame(x, "inputs do not replay", tp_str_text(&report.why));
  tp_certify_report_clear(&report);
}

static void look_at_unknown(look *x, const tp_result *r) {
  for (size_t i = 0; i < r->proved.n; i++)
    if (r->proved.at[i].id == x->error.id)
      blame(x, "an error location that is reached was called unreachable", "");
  if (r->reason && strstr(r->reason, "configuration cannot be used")) {
    x->who->n_refused++;
    blame(x, "an accepted configuration was refused", r->reason);
  }
}

static void inject(const look *x) {
  static const tp_smt_fault faults[] = {TP_FAULT_UNKNOWN, TP_FAULT_ERROR, TP_FAULT_WRONG_MODEL};
  uint64_t h = tp_hash_mix(x->seed + 1, (uint64_t)(x->who - x->c->list.at));
  tp_smt_inject(faults[h % 3], 1 + (h >> 8) % ((h >> 4) % 4 ? 10 : 60));
}

/* What may be handed on as facts is appended to `facts`. */
static void run_one(look *x, tp_str *facts) {
  tp_task task = {.program = x->p,
                  .property = x->what.asked,
                  .seed = 7,
                  .bmc_max_unroll = 16,
                  .composition = x->who->composition,
                  .solver = x->who->solver,
                  .search = x->who->search};
  bool takes_facts = x->who->composition && facts->n && x->seed % 2;
  if (takes_facts) task.imported = facts->text;
  tp_budget budget = {.cpu_s = 0.3,
                      .solver_rlimit = 100000,
                      .steps = x->who->engine == &tp_engine_random ? 1
                               : x->who->engine == &tp_engine_bmc  ? 0
                                                                   : 3000};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  double start_s = tp_cpu_s();
  if (x->c->faults) inject(x);
  x->who->engine->run(&task, &budget, &stats, &r);
  tp_smt_inject(TP_FAULT_NONE, 0);
  tp_result_write_invariants(&r, x->p);
  x->who->cpu_s += tp_cpu_s() - start_s;
  x->who->n++;
  x->who->verdicts[r.verdict]++;
  if (r.verdict == TP_VERDICT_TRUE) look_at_true(x, &r);
  if (r.verdict == TP_VERDICT_FALSE) look_at_false(x, &r);
  if (r.verdict == TP_VERDICT_UNKNOWN) look_at_unknown(x, &r);
  if (r.invariants_text.n) hold_against_runs(x, tp_str_text(&r.invariants_text), "facts");
  x->who->n_facts += r.invariants_text.n != 0;
  const char *proved = r.invariants_text.n ? tp_str_text(&r.invariants_text)
                       : is_of_invariants(tp_str_text(&r.certificate)) ? tp_str_text(&r.certificate)
                                                                       : "";
  if (*proved && !takes_facts && facts->n < 20000) tp_str_add(facts, proved);
  tp_result_clear(&r);
}

// ----------------------------------------------------------------- one program

static tp_loc where_it_fails(const tp_program *p, const exact_result *exact) {
  tp_vector_oracle vector = {.in = &exact->inputs};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  return exact->verdict == EXACT_UNSAFE
             ? tp_exec_main(p, &oracle, (tp_run_limits){.steps = 100000}, NULL).loc
             : TP_LOC_NONE;
}

void contest_program(contest *c, const tp_program *p, traits what, uint64_t seed, int *who,
                     char *wrong, size_t size) {
  sightings seen;
  exact_result exact;
  tp_str facts = {0}, why = {0};
  wrong[0] = 0;
  sightings_collect(p, what.asked, c->limits, &seen, &exact);
  c->n++;
  c->exact[exact.verdict]++;
  c->n_states += seen.list.n;
  if (!tp_program_check(p, &why))
    snprintf(wrong, size, "ill-formed program: %s", tp_str_text(&why));
  look x = {.c = c,
            .p = p,
            .what = what,
            .seed = seed,
            .seen = &seen,
            .exact = &exact,
            .error = where_it_fails(p, &exact),
            .wrong = wrong,
            .size = size};
  for (int i = 0; i < (int)c->list.n && !wrong[0] && exact.verdict != EXACT_TOO_MANY; i++) {
    x.who = &c->list.at[i];
    if (c->only && !strstr(x.who->name, c->only)) continue;
    if (*who == ALL_CONTENDERS && !c->only && tp_hash_mix(seed, (uint64_t)i) % x.who->one_in)
      continue;
    // facts come from all that stand before
    if (*who != ALL_CONTENDERS && i > *who) break;
    if (*who != ALL_CONTENDERS && i != *who &&
        (x.who->engine == &tp_engine_bmc || x.who->engine == &tp_engine_random))
      continue;
    run_one(&x, &facts);
    if (wrong[0]) *who = i;
  }
  c->wrong += wrong[0] != 0;
  tp_str_clear(&facts);
  tp_str_clear(&why);
  sightings_clear(&seen);
  exact_clear(&exact);
}

// --------------------------------------------------------------------- totals

typedef unsigned long long count;

void contest_print(const contest *c, double wall_s) {
  printf(
      "%llu programs in %.0f s: %llu safe, %llu unsafe, %llu open, %llu with too many runs; %llu "
      "states looked at\n",
      (count)c->n, wall_s, (count)c->exact[EXACT_SAFE], (count)c->exact[EXACT_UNSAFE],
      (count)c->exact[EXACT_OPEN], (count)c->exact[EXACT_TOO_MANY], (count)c->n_states);
  for (size_t i = 0; i < c->list.n; i++) {
    const contender *x = &c->list.at[i];
    if (!x->n) continue;
    printf(
        "%-13s %6llu true %6llu false %6llu unknown; certificates: %6llu accepted %4llu rejected "
        "%5llu undecided; facts %6llu; %6.2f ms, %7.1f s, checks %6.1f s\n",
        x->name, (count)x->verdicts[TP_VERDICT_TRUE], (count)x->verdicts[TP_VERDICT_FALSE],
        (count)x->verdicts[TP_VERDICT_UNKNOWN], (count)x->certified[TP_CERTIFY_ACCEPTED],
        (count)x->certified[TP_CERTIFY_REJECTED], (count)x->certified[TP_CERTIFY_UNDECIDED],
        (count)x->n_facts, 1000 * x->cpu_s / (double)x->n, x->cpu_s, x->certify_s);
  }
  printf("disagreements: %llu\n", (count)c->wrong);
  fflush(stdout);
}
