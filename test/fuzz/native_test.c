/* Machine code against the interpreter: random models and C programs, random inputs.
 *
 * For each run: the same end at the same place after the same steps, the same inputs asked in the
 * same order, the same final state and the same path code. Then the run again in pieces: from a
 * copy of its state at a cutpoint, with and without other values put in, code goes on to the same
 * end; and with a path code that is soon cut, where the interpreter must be in the same state after
 * as many steps. usage: native_test [COUNT [SEED]]   (default: 24 programs of a few runs, seed 1;
 * TP_SOAK: 100,000 runs, both variants for each model; then COUNT is of runs) */
#include "exec/native/native.h"
#include "exec/path_code.h"

#include "tiers.h"

static uint64_t count = 24, first = 1;
static bool soak;

// ------------------------------------------------------------------------ runs

typedef struct {
  tier_run run;
  tp_path_code code;
} outcome_of;

static void clear(outcome_of *o) {
  tp_state_free(o->run.s);
  tp_path_code_clear(&o->code);
}

static outcome_of interpreted(const tp_program *p, const tp_state *from, source in,
                              tp_run_limits limits) {
  outcome_of o = {.run = {.s = tp_state_copy(from), .in = in}};
  tp_path_code_init(&o.code, 0);
  tp_path_recorder rec = {p, &o.code, false};
  tp_observer see = tp_path_recording(&rec);
  tp_oracle oracle = {&o.run.in, ask};
  o.run.r = tp_exec_run(p, o.run.s, &oracle, limits, &see);
  tp_path_code_finish(&o.code);
  return o;
}

static outcome_of native(tp_native *n, const tp_state *from, source in, tp_run_limits limits) {
  outcome_of o = {.run = {.s = tp_state_copy(from), .in = in}};
  tp_path_code_init(&o.code, 0);
  tp_oracle oracle = {&o.run.in, ask};
  o.run.r = tp_native_run(n, o.run.s, &oracle, limits, &o.code, NULL, NULL);
  tp_path_code_finish(&o.code);
  return o;
}

static const char *coded_difference(const outcome_of *a, const outcome_of *b) {
  const char *what = difference(&a->run, &b->run);
  return what || (tp_path_code_equal(&a->code, &b->code) && a->code.steps == b->code.steps)
             ? what
             : "path code";
}

/* Copies of the state at some cutpoints of a run, and how its inputs stood then. */
typedef struct {
  source *in;
  uint64_t every, passed;
  tp_state *at[8];
  source then[8];
  uint64_t steps[8];
  size_t n;
} snapshots;

static bool keep(void *ctx, const tp_state *s) {
  snapshots *k = ctx;
  if (k->n < 8 && k->passed++ % k->every == 0) {
    k->at[k->n] = tp_state_copy(s);
    k->then[k->n++] = *k->in;
  }
  return true;
}

typedef struct {
  uint64_t runs, resumed, cut, steps, ends[TP_END_STOPPED + 1];
  double compile_s;
} counts;

static void compare(const tp_program *p, tp_native *n, const tp_state *from, source in,
                    tp_run_limits limits, uint64_t seed, counts *c) {
  outcome_of a = interpreted(p, from, in, limits), b = native(n, from, in, limits);
  const char *what = coded_difference(&a, &b);
  if (what) disagree(p, what, &a.run, &b.run, seed);
  c->runs++;
  c->steps += a.run.r.steps;
  c->ends[a.run.r.end]++;
  clear(&a);
  clear(&b);
}

/* A code with room for few decisions: the run stops, and the interpreter is in that state after as
 * many steps. */
static void compare_cut(const tp_program *p, tp_native *n, const tp_state *from, source in,
                        tp_run_limits limits, uint64_t seed, counts *c) {
  outcome_of b = {.run = {.s = tp_state_copy(from), .in = in}};
  tp_path_code_init(&b.code, 8 * (1 + seed % 5));
  tp_oracle oracle = {&b.run.in, ask};
  b.run.r = tp_native_run(n, b.run.s, &oracle, limits, &b.code, NULL, NULL);
  if (b.run.r.end == TP_END_STOPPED) {
    outcome_of a = interpreted(
        p, from, in,
        (tp_run_limits){
            .steps = b.run.r.steps, .depth = limits.depth, .memory_bytes = limits.memory_bytes});
    bool same = a.run.r.end == TP_END_LIMIT && a.run.r.steps == b.run.r.steps &&
                b.code.steps == b.run.r.steps && tp_state_equal(a.run.s, b.run.s) &&
                a.run.in.hash == b.run.in.hash && a.run.in.asked == b.run.in.asked &&
                a.code.n_bits == b.code.n_bits;
    if (!same) disagree(p, "state where the code was cut", &a.run, &b.run, seed);
    clear(&a);
    c->cut++;
    c->runs++;
  }
  clear(&b);
}

static tp_run_limits random_limits(tp_rng *rng) {
  tp_run_limits l = {.steps = 5000, .depth = 50};
  uint64_t how = tp_rng_below(rng, 12);
  if (how < 3) l.steps = 1 + tp_rng_below(rng, 300);
  if (how >= 3 && how < 7) l.steps = 300 + tp_rng_below(rng, 4000);
  if (tp_rng_below(rng, 5) == 0) l.depth = 4;
  if (tp_rng_below(rng, 7) == 0) l.memory_bytes = 20000;
  return l;
}

/* Other values for some variables of the top frame and globals. */
static void put_values(const tp_program *p, tp_state *s, tp_rng *rng) {
  tp_func top = tp_loc_of(p, tp_state_loc(s))->func;
  for (uint32_t v = 1; v < p->vars.n; v++) {
    const tp_var_info *info = &p->vars.at[v];
    tp_sort sort = tp_sort_of(p->terms, info->term);
    tp_sort_kind kind = tp_sort_kind_of(p->terms, sort);
    uint64_t most = kind == TP_SORT_BV && tp_sort_width(p->terms, sort) > 2 ? 5 : 2;
    bool in_scope =
        info->kind == TP_V_GLOBAL || (info->kind != TP_V_GHOST && info->func.id == top.id);
    if (in_scope && (kind == TP_SORT_BV || kind == TP_SORT_BOOL) && tp_rng_below(rng, 4) == 0)
      tp_state_set(s, (tp_var){v}, (tp_value){.bits = tp_rng_below(rng, most)});
  }
}

/* Where runs start: at main's entry, or at one of some cutpoints of a run, as it was or with other
 * values. */
static void compare_program(const tp_program *p, uint64_t seed, tp_native_variant variant,
                            uint32_t runs, counts *c) {
  tp_str why = {0};
  tp_native *n = tp_native_new(p, variant, &why);
  if (!n) fail_msg("seed %llu: %s", (unsigned long long)seed, tp_str_text(&why));
  tp_state *start = tp_state_initial(p), *s = tp_state_copy(start);
  source asked = source_of(seed * 1000 + 1);
  snapshots k = {.in = &asked, .every = 1 + seed % 5};
  tp_observer o = {.mask = TP_OBSERVE_CUTPOINTS, .ctx = &k, .at = keep};
  tp_oracle oracle = {&asked, ask};
  (void)tp_exec_run(p, s, &oracle, (tp_run_limits){.steps = 3000, .depth = 50}, &o);
  for (uint32_t i = 0; i < runs; i++) {
    source in = source_of(seed * 1000 + i);
    tp_run_limits limits = random_limits(&in.rng);
    size_t which = tp_rng_below(&in.rng, 2) ? k.n : tp_rng_below(&in.rng, k.n + 1);
    tp_state *from = tp_state_copy(which < k.n ? k.at[which] : start);
    if (which < k.n && i % 3 == 0) in = k.then[which];
    if (which < k.n && i % 4 == 1) put_values(p, from, &in.rng);
    if (i % 6 == 5)
      compare_cut(p, n, from, in, limits, seed * 1000 + i, c);
    else
      compare(p, n, from, in, limits, seed, c);
    c->resumed += which < k.n;
    tp_state_free(from);
  }
  for (size_t i = 0; i < k.n; i++) tp_state_free(k.at[i]);
  tp_state_free(s);
  tp_state_free(start);
  c->compile_s += tp_native_compile_s(n);
  tp_native_free(n);
  tp_str_clear(&why);
}

/* One variant, or both for a soak. */
static void compare_variants(const tp_program *p, uint64_t seed, uint32_t runs, counts *c) {
  if (soak || seed % 2) compare_program(p, seed, TP_NATIVE_TRACE, runs, c);
  if (soak || !(seed % 2)) compare_program(p, seed, TP_NATIVE_RESUME, runs, c);
}

// ------------------------------------------------------------------------ tests

static void print(const char *what, const counts *c) {
  printf("%s: %llu runs (%llu from the middle, %llu cut), %llu steps, compiled in %.1f s; ends",
         what, (unsigned long long)c->runs, (unsigned long long)c->resumed,
         (unsigned long long)c->cut, (unsigned long long)c->steps, c->compile_s);
  for (int i = 0; i <= TP_END_STOPPED; i++) printf(" %llu", (unsigned long long)c->ends[i]);
  printf("\n");
  fflush(stdout);
}

static void models(void **state) {
  (void)state;
  counts c = {0};
  for (uint64_t i = 0; soak ? c.runs < count : i < count; i++) {
    tp_diag *d = tp_diag_new(stderr, false);
    tp_program *p = random_model(first + i, i % 3, d);
    if (p) {
      compare_variants(p, first + i, soak ? 200 : 10, &c);
      tp_program_free(p);
    }
    tp_diag_free(d);
    if (soak && i % 25 == 24) print("models", &c);
  }
  print("models", &c);
  assert_true(c.ends[TP_END_EXIT] && c.ends[TP_END_LIMIT] && c.ends[TP_END_ERROR] && c.resumed);
}

static void programs(void **state) {
  (void)state;
  counts c = {0};
  for (uint64_t i = 0; soak ? c.runs < count / 10 : i < count / 50 + 1; i++) {
    tp_diag *d = tp_diag_new(stderr, false);
    // the first one, 9, is among the smallest
    tp_program *p = random_c_program(first * 7 + 2 + i, i % 2 ? TP_MACHINE_ILP32 : TP_MACHINE_LP64,
                                     i % 3 ? TP_P_UNREACH_CALL : TP_P_VALID_MEMSAFETY, d);
    compare_variants(p, first + i, soak ? 200 : 6, &c);
    tp_program_free(p);
    tp_diag_free(d);
  }
  print("programs", &c);
}

int main(int argc, char **argv) {
  soak = getenv("TP_SOAK") != NULL;
  if (soak) count = 100000;
  if (argc > 1) count = strtoull(argv[1], NULL, 0);
  if (argc > 2) first = strtoull(argv[2], NULL, 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(models), cmocka_unit_test(programs)};
  int r = cmocka_run_group_tests(tests, NULL, NULL);
  tp_temp_remove_all();
  return r;
}
