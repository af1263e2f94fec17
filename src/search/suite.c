/* Every test is run by one function, try_inputs, which also decides whether the run counts. Fuzzing
 * draws from exec/random_inputs.h; vectors that took an edge first are starts for later ones. */
#include "search/suite.h"

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
}

bool tp_suite_test_fails(const tp_suite_test *t) {
  return t->run.end == TP_END_ERROR || t->run.end == TP_END_INVALID;
}

// ------------------------------------------------------------------------ a run

typedef struct {
  const tp_goals *goals;
  bool *covers;
  bool *taken;  // by edge, of all runs; NULL: nobody asks
  bool has_new_edge;
} watch;

static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  watch *w = ctx;
  const uint32_t goal = w->goals->of_edge[e.id];
  if (goal != UINT32_MAX) w->covers[goal] = true;
  if (w->taken && !w->taken[e.id]) w->taken[e.id] = w->has_new_edge = true;
  return true;
}

static bool counts(const tp_inputs *asked, const tp_run_result *r) {
  const bool is_end = r->end == TP_END_EXIT || r->end == TP_END_ERROR || r->end == TP_END_BLOCKED ||
                      r->end == TP_END_INVALID;
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
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = w, .edge = note_edge};
  tp_state *state = tp_state_copy(s->start);
  out->run = tp_exec_run(s->p, state, &oracle, (tp_run_limits){.steps = steps}, &observer);
  tp_state_free(state);
  s->n_runs++;
  return counts(&out->inputs, &out->run);
}

static bool try_vector(tp_suite *s, const tp_inputs *inputs, tp_suite_test *out) {
  tp_vector_oracle vector = {.in = inputs, .then_zero = true};
  watch w = {0};
  return try_inputs(s, tp_oracle_of_vector(&vector), TP_SEARCH_SUITE_STEPS, &w, out);
}

/* Takes over the test if it covers a goal first. */
static bool keep(tp_suite *s, tp_suite_test *t) {
  bool is_first = false;
  for (size_t g = 0; g < s->goals->v.n; g++) {
    is_first |= t->covers[g] && !s->covered[g];
    s->covered[g] |= t->covers[g];
  }
  if (is_first) tp_vec_push(&s->tests, *t);
  return is_first;
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
    s->covered[g] |= t.covers[g];
    s->elsewhere[g] |= t.covers[g];
  }
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
    if (cpu_s > 0 && tp_cpu_s() - start_s >= cpu_s) break;
    tp_inputs made;
    tp_suite_test t;
    tp_inputs_init(&made);
    tp_random_inputs_start(&draw, &made);
    watch w = {.taken = taken};
    const bool is_test =
        try_inputs(s, tp_random_inputs_oracle(&draw), TP_SEARCH_SUITE_FUZZ_STEPS, &w, &t);
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

/* Input i of the test becomes `bits` if that changes nothing that counts. */
static bool replace(tp_suite *s, tp_suite_test *t, size_t i, tp_u128 bits) {
  tp_inputs changed;
  tp_inputs_init(&changed);
  tp_inputs_add_all(&changed, &t->inputs);
  changed.v.at[i].bits = bits;
  tp_suite_test other;
  const bool is_as_good = try_vector(s, &changed, &other) && covers_as_much(s, &other, t);
  if (is_as_good) {
    clear_test(t);
    *t = other;
  } else {
    clear_test(&other);
  }
  tp_inputs_clear(&changed);
  return is_as_good;
}

/* 0, then 1, then halves: numbers that people read. Pointers and texts stay. */
static void make_small(tp_suite *s, tp_suite_test *t, double end_s) {
  for (size_t i = 0; i < t->inputs.v.n && tp_cpu_s() < end_s; i++) {
    const tp_input *in = &t->inputs.v.at[i];
    const uint32_t width = in->width_bits;
    if (width == 0 || width > 64 || in->is_float || in->bits <= 1) continue;
    if (replace(s, t, i, 0) || replace(s, t, i, 1)) continue;
    for (uint32_t n = 0; n < width && tp_cpu_s() < end_s; n++) {
      const unsigned shift = 64 - width;
      const uint64_t now = (uint64_t)t->inputs.v.at[i].bits;
      const int64_t number = (int64_t)(now << shift) >> shift;  // as gcc and clang shift
      const uint64_t half = (uint64_t)(number / 2) << shift >> shift;
      if (half == now || !replace(s, t, i, half)) break;
      if (i >= t->inputs.v.n) break;
    }
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

void tp_suite_minimise(tp_suite *s, double cpu_s) {
  const double end_s = cpu_s > 0 ? tp_cpu_s() + cpu_s : 1e300;
  size_t n_kept = 0;
  // the first tests cover what is easy, which later ones mostly cover on their way
  for (size_t i = 0; i < s->tests.n;) {
    if (is_needed(s, i)) {
      i++;
      continue;
    }
    clear_test(&s->tests.at[i]);
    memmove(&s->tests.at[i], &s->tests.at[i + 1], (s->tests.n - i - 1) * sizeof *s->tests.at);
    s->tests.n--;
  }
  for (; n_kept < s->tests.n; n_kept++) make_small(s, &s->tests.at[n_kept], end_s);
}
