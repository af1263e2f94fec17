/* Every test is run by one function, try_inputs, which also decides whether the run counts. Fuzzing
 * draws from exec/random_inputs.h; vectors that took an edge first are starts for later ones.
 *
 * A run that comes to no end is cut behind the input that its last new goal needed: the test ends
 * where the program asks for one more. If it asks for none, the step limit ends it. */
#include "search/suite.h"

#include "base/process.h"
#include "exec/random_inputs.h"
#include "search/search_limits.h"

void tp_suite_init(tp_suite *s, const tp_program *p, const tp_goals *goals) {
  TP_REQUIRE(s && p && goals && goals->n_edges == p->edges.n);
  memset(s, 0, sizeof *s);
  s->p = p;
  s->goals = goals;
  s->start = tp_state_initial(p);
  s->covered = TP_NEW_ARRAY(bool, goals->v.n + 1);
  s->elsewhere = TP_NEW_ARRAY(bool, goals->v.n + 1);
  s->rank = TP_NEW_ARRAY(uint8_t, goals->v.n + 1);
}

static void clear_test(tp_suite_test *t) {
  tp_inputs_clear(&t->inputs);
  tp_free(t->covers);
}

void tp_suite_clear(tp_suite *s) {
  for (size_t i = 0; i < s->tests.n; i++) clear_test(&s->tests.at[i]);
  tp_vec_clear(&s->tests);
  tp_state_free(s->start);
  tp_free(s->covered);
  tp_free(s->elsewhere);
  tp_free(s->rank);
}

bool tp_suite_test_fails(const tp_suite_test *t) {
  return t->run.end == TP_END_ERROR || t->run.end == TP_END_INVALID;
}

bool tp_suite_test_is_cut(const tp_suite_test *t) {
  return t->run.end == TP_END_NO_INPUT || t->run.end == TP_END_LIMIT;
}

// ------------------------------------------------------------------------ a run

typedef struct {
  const tp_goals *goals;
  bool *covers;
  const tp_inputs *asked;  // so far
  size_t n_needed;         // of these, for the goals of this run
  bool *taken;             // by edge, of all runs; NULL: nobody asks
  bool has_new_edge;
} watch;

static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  watch *w = ctx;
  const uint32_t goal = w->goals->of_edge[e.id];
  if (goal != UINT32_MAX && !w->covers[goal]) {
    w->covers[goal] = true;
    w->n_needed = w->asked->v.n;
  }
  if (w->taken && !w->taken[e.id]) w->taken[e.id] = w->has_new_edge = true;
  return true;
}

/* A stack or memory that ran out ends the compiled program elsewhere: only steps may. */
static bool counts(const tp_inputs *asked, const tp_run_result *r, uint64_t steps) {
  const bool is_end = r->end == TP_END_EXIT || r->end == TP_END_ERROR || r->end == TP_END_BLOCKED ||
                      r->end == TP_END_INVALID || r->end == TP_END_NO_INPUT ||
                      (r->end == TP_END_LIMIT && r->steps >= steps);
  if (!is_end || r->used_indeterminate) return false;
  for (size_t i = 0; i < asked->v.n; i++)
    if (tp_input_is_guess(&asked->v.at[i])) return false;
  return true;
}

/* True: the run counts; `out` is a test then, which the caller clears. */
static bool try_inputs(tp_suite *s, tp_oracle inner, uint64_t steps, watch *w, tp_suite_test *out) {
  *out = (tp_suite_test){.covers = TP_NEW_ARRAY(bool, s->goals->v.n + 1)};
  tp_inputs_init(&out->inputs);
  tp_record_oracle record = {inner, &out->inputs};
  tp_oracle oracle = tp_oracle_recording(&record);
  w->goals = s->goals;
  w->covers = out->covers;
  w->asked = &out->inputs;
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = w, .edge = note_edge};
  tp_state *state = tp_state_copy(s->start);
  out->run = tp_exec_run(s->p, state, &oracle, (tp_run_limits){.steps = steps}, &observer);
  tp_state_free(state);
  s->n_runs++;
  return counts(&out->inputs, &out->run, steps);
}

/* The world of a test that is cut: behind its inputs there are none, but what compiled programs
 * cannot be given is 0. */
static bool ask_of_cut(void *ctx, tp_input *io) {
  tp_vector_oracle *vector = ctx;
  vector->then_zero =
      io->kind == TP_I_INDETERMINATE || io->kind == TP_I_VOLATILE || io->kind == TP_I_ARGS;
  return tp_oracle_of_vector(vector).ask(vector, io);
}

static bool try_cut(tp_suite *s, const tp_inputs *inputs, tp_suite_test *out) {
  tp_vector_oracle vector = {.in = inputs};
  watch w = {0};
  return try_inputs(s, (tp_oracle){&vector, ask_of_cut}, TP_SEARCH_SUITE_CUT_STEPS, &w, out);
}

/* `run` came to its step limit and needed its first n inputs: the same, cut. */
static bool cut(tp_suite *s, tp_suite_test *run, size_t n) {
  tp_inputs first;
  tp_inputs_init(&first);
  tp_inputs_add_all(&first, &run->inputs);
  if (first.v.n > n) first.v.n = n;
  clear_test(run);
  const bool is_test = try_cut(s, &first, run);
  tp_inputs_clear(&first);
  return is_test;
}

/* Zeros stand behind the inputs. Once a run has come to no end, others have few steps until they
 * are cut. */
static bool try_vector(tp_suite *s, const tp_inputs *inputs, tp_suite_test *out) {
  tp_vector_oracle vector = {.in = inputs, .then_zero = true};
  watch w = {0};
  const uint64_t steps = s->is_endless ? TP_SEARCH_SUITE_FUZZ_STEPS : TP_SEARCH_SUITE_STEPS;
  const bool is_test = try_inputs(s, tp_oracle_of_vector(&vector), steps, &w, out);
  if (!is_test || out->run.end != TP_END_LIMIT) return is_test;
  s->is_endless = true;
  return cut(s, out, w.n_needed);
}

/* How good a run is as a test: what fails ends compiled programs at one place among many, and what
 * is cut leaves them running. */
static uint8_t rank(const tp_suite_test *t) {
  return tp_suite_test_fails(t)    ? TP_SUITE_FAILS
         : tp_suite_test_is_cut(t) ? TP_SUITE_CUT
                                   : TP_SUITE_ENDS;
}

/* Does it cover a goal first, or in a better way than the tests before? */
static bool is_news(const tp_suite *s, const tp_suite_test *t) {
  for (size_t g = 0; g < s->goals->v.n; g++)
    if (t->covers[g] && (!s->covered[g] || rank(t) < s->rank[g])) return true;
  return false;
}

static void count_in(tp_suite *s, const tp_suite_test *t) {
  for (size_t g = 0; g < s->goals->v.n; g++) {
    if (!t->covers[g]) continue;
    if (!s->covered[g] || rank(t) < s->rank[g]) s->rank[g] = rank(t);
    s->covered[g] = true;
  }
}

/* Takes over the test if it is news. */
static bool keep(tp_suite *s, tp_suite_test *t) {
  const bool is_first = is_news(s, t);
  if (!is_first) return false;
  count_in(s, t);
  tp_vec_push(&s->tests, *t);
  return true;
}

bool tp_suite_offer(tp_suite *s, const tp_inputs *inputs) {
  tp_suite_test t;
  if (try_vector(s, inputs, &t) && keep(s, &t)) return true;
  clear_test(&t);
  return false;
}

size_t tp_suite_count_in(tp_suite *s, const tp_inputs *inputs) {
  tp_suite_test t;
  size_t n = 0;
  const bool is_test = try_vector(s, inputs, &t);
  for (size_t g = 0; g < s->goals->v.n && is_test; g++) {
    n += t.covers[g] && !s->covered[g];
    s->elsewhere[g] |= t.covers[g];
  }
  if (is_test) count_in(s, &t);
  clear_test(&t);
  return n;
}

// ---------------------------------------------------------------------- fuzzing

static bool covers_all(const tp_suite *s) {
  for (size_t g = 0; g < s->goals->v.n; g++)
    if (!s->covered[g]) return false;
  return true;
}

void tp_suite_fuzz(tp_suite *s, uint64_t seed, uint32_t runs, double cpu_s) {
  const double start_s = tp_cpu_s();
  tp_random_inputs draw;
  tp_random_inputs_init(&draw, s->p, seed);
  bool *taken = TP_NEW_ARRAY(bool, s->p->edges.n + 1), asks = true;
  for (uint32_t i = 0; i < runs && asks && !covers_all(s); i++) {
    if ((cpu_s > 0 && tp_cpu_s() - start_s >= cpu_s) || tp_process_interrupted()) break;
    tp_inputs made;
    tp_suite_test t;
    tp_inputs_init(&made);
    tp_random_inputs_start(&draw, &made);
    watch w = {.taken = taken};
    bool is_test =
        try_inputs(s, tp_random_inputs_oracle(&draw), TP_SEARCH_SUITE_FUZZ_STEPS, &w, &t);
    if (is_test && t.run.end == TP_END_LIMIT && is_news(s, &t)) {
      clear_test(&t);
      is_test = try_vector(s, &made, &t);
    }
    asks = made.v.n > 0;
    if (w.has_new_edge) tp_random_inputs_keep(&draw, &made);
    if (!is_test || !keep(s, &t)) clear_test(&t);
    tp_inputs_clear(&made);
  }
  tp_free(taken);
  tp_random_inputs_clear(&draw);
}

// ------------------------------------------------------------------ minimisation

static bool covers_as_much(const tp_suite *s, const tp_suite_test *a, const tp_suite_test *b) {
  for (size_t g = 0; g < s->goals->v.n; g++)
    if (b->covers[g] && !a->covers[g]) return false;
  return a->run.end == b->run.end && a->run.loc.id == b->run.loc.id &&
         a->inputs.v.n <= b->inputs.v.n;
}

/* The test becomes one with the changed inputs if that changes nothing that counts. */
static bool change(tp_suite *s, tp_suite_test *t, const tp_inputs *changed) {
  tp_suite_test other;
  const bool is_test =
      tp_suite_test_is_cut(t) ? try_cut(s, changed, &other) : try_vector(s, changed, &other);
  const bool is_as_good = is_test && covers_as_much(s, &other, t);
  if (is_as_good) {
    clear_test(t);
    *t = other;
  } else {
    clear_test(&other);
  }
  return is_as_good;
}

/* Input i becomes `bits`. */
static bool replace(tp_suite *s, tp_suite_test *t, size_t i, tp_u128 bits) {
  tp_inputs changed;
  tp_inputs_init(&changed);
  tp_inputs_add_all(&changed, &t->inputs);
  changed.v.at[i].bits = bits;
  const bool is_changed = change(s, t, &changed);
  tp_inputs_clear(&changed);
  return is_changed;
}

/* Without n inputs from i on. */
static bool drop(tp_suite *s, tp_suite_test *t, size_t i, size_t n) {
  tp_inputs changed;
  tp_inputs_init(&changed);
  tp_inputs_add_all(&changed, &t->inputs);
  memmove(changed.v.at + i, changed.v.at + i + n, (changed.v.n - i - n) * sizeof *changed.v.at);
  changed.v.n -= n;
  const bool is_changed = change(s, t, &changed);
  tp_inputs_clear(&changed);
  return is_changed;
}

/* No time, or somebody wants what there is. */
static bool is_late(double end_s) { return tp_cpu_s() >= end_s || tp_process_interrupted(); }

/* Halves, quarters, ..., single inputs are left out. Programs that stop asking take no more than
 * they did; others are the better, the fewer they are told. */
static void make_short(tp_suite *s, tp_suite_test *t, double end_s) {
  for (size_t n = t->inputs.v.n / 2; n > 0; n /= 2)
    for (size_t end = t->inputs.v.n; end >= n && !is_late(end_s);) {
      const size_t before = t->inputs.v.n;
      if (drop(s, t, end - n, n) && t->inputs.v.n < before)
        end = end - n < t->inputs.v.n ? end - n : t->inputs.v.n;
      else
        end -= n;
    }
}

static int64_t signed_of(uint64_t bits, uint32_t width) {
  const unsigned shift = 64 - width;
  return (int64_t)(bits << shift) >> shift;  // as gcc and clang shift
}

static uint64_t bits_of(int64_t number, uint32_t width) {
  const unsigned shift = 64 - width;
  return (uint64_t)number << shift >> shift;
}

/* Halves, as long as they do; then what is between the last half, which did not, and the number. */
static void make_input_small(tp_suite *s, tp_suite_test *t, size_t i, double end_s) {
  const uint32_t width = t->inputs.v.at[i].width_bits;
  int64_t too_small = 0;
  while (i < t->inputs.v.n && !is_late(end_s)) {
    const int64_t number = signed_of((uint64_t)t->inputs.v.at[i].bits, width);
    const int64_t next = number / 2 + too_small / 2 + (number % 2 + too_small % 2) / 2;
    if (next == number || next == too_small) return;
    if (!replace(s, t, i, bits_of(next, width))) too_small = next;
  }
}

/* 0, then 1, then what is nearer to 0: numbers that people read. Pointers and texts stay. */
static void make_small(tp_suite *s, tp_suite_test *t, double end_s) {
  for (size_t i = 0; i < t->inputs.v.n && !is_late(end_s); i++) {
    const tp_input *in = &t->inputs.v.at[i];
    if (in->width_bits == 0 || in->width_bits > 64 || in->is_float || in->bits <= 1) continue;
    if (!replace(s, t, i, 0) && !replace(s, t, i, 1)) make_input_small(s, t, i, end_s);
  }
}

static bool is_needed(const tp_suite *s, size_t test) {
  for (size_t g = 0; g < s->goals->v.n; g++) {
    bool has_other = s->elsewhere[g];
    for (size_t i = 0; i < s->tests.n && !has_other; i++)
      has_other = i != test && s->tests.at[i].covers[g];
    if (s->tests.at[test].covers[g] && !has_other) return true;
  }
  return false;
}

/* Tests of this rank without which the suite covers the same. The first ones cover what is easy,
 * which later ones mostly cover on their way. */
static void drop_needless(tp_suite *s, uint8_t of_rank) {
  for (size_t i = 0; i < s->tests.n;) {
    if (rank(&s->tests.at[i]) != of_rank || is_needed(s, i)) {
      i++;
      continue;
    }
    clear_test(&s->tests.at[i]);
    memmove(&s->tests.at[i], &s->tests.at[i + 1], (s->tests.n - i - 1) * sizeof *s->tests.at);
    s->tests.n--;
  }
}

void tp_suite_minimise(tp_suite *s, double cpu_s) {
  const double end_s = cpu_s > 0 ? tp_cpu_s() + cpu_s : 1e300;
  drop_needless(s, TP_SUITE_FAILS);
  drop_needless(s, TP_SUITE_CUT);
  drop_needless(s, TP_SUITE_ENDS);
  for (size_t i = 0; i < s->tests.n; i++) {
    make_short(s, &s->tests.at[i], end_s);
    make_small(s, &s->tests.at[i], end_s);
  }
}
