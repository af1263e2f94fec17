/* Feasibility of sequences of blocks: the thesis's example, wraps, and random straight-line
 * programs with memory against all their runs. */
#include "exec/exec.h"
#include "formula/line_test.h"

enum { N_INPUTS = 2, INPUT_BELOW = 4 };

static tp_itp_answer feasible(line *l) {
  return tp_itp_feasible(&l->paths, l->blocks, l->n, (tp_itp_options){0});
}

// ------------------------------------------------------------------- by running

typedef struct {
  uint64_t values[N_INPUTS];
  size_t asked;
} digits;

static bool answer(void *ctx, tp_input *io) {
  static const uint8_t garbage[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  digits *d = ctx;
  if (io->width_bits == 0) {
    io->bytes = garbage;
    return io->n_bytes <= sizeof garbage;
  }
  if (d->asked == N_INPUTS) return false;
  io->bits = d->values[d->asked++];
  return true;
}

/* Does some choice of inputs below INPUT_BELOW lead to main's end? */
static bool runs_through(line *l) {
  for (uint64_t a = 0; a < INPUT_BELOW; a++)
    for (uint64_t b = 0; b < INPUT_BELOW; b++) {
      digits d = {.values = {a, b}};
      tp_run_result r =
          tp_exec_main(l->p, &(tp_oracle){.ctx = &d, .ask = answer}, (tp_run_limits){0}, NULL);
      if (r.end != TP_END_EXIT && r.end != TP_END_BLOCKED)
        fail_msg("%s", r.why ? r.why : "a run without meaning");
      if (r.end == TP_END_EXIT) return true;
    }
  return false;
}

// ---------------------------------------------------------------------- examples

static void F64_example(void **state) {
  (void)state;
  line l;
  list_example(&l, 0);
  assert_int_equal(feasible(&l), TP_ITP_INFEASIBLE);
  assert_false(runs_through(&l));
  line_end(&l);
  list_example(&l, 2);  // the twin: another value
  assert_int_equal(feasible(&l), TP_ITP_FEASIBLE);
  assert_true(runs_through(&l));
  line_end(&l);
}

/* Null is no object; objects differ from each other. */
static void F64_new_objects(void **state) {
  (void)state;
  for (int equal = 0; equal < 2; equal++)
    for (int copy = 0; copy < 2; copy++) {
      line l;
      line_begin(&l);
      line_allocate(&l, l.pointer[0]);
      line_allocate(&l, l.pointer[1]);
      if (copy) line_set(&l, l.pointer[1], line_pointer(&l, 0));
      tp_term same = tp_mk_eq(l.tt, line_pointer(&l, 0), line_pointer(&l, 1));
      line_require(&l, equal ? same : tp_mk_not(l.tt, same));
      line_finish(&l);
      assert_int_equal(feasible(&l), equal == copy ? TP_ITP_FEASIBLE : TP_ITP_INFEASIBLE);
      line_end(&l);
      line_begin(&l);
      line_allocate(&l, l.pointer[0]);
      tp_term null = tp_mk_eq(l.tt, line_pointer(&l, 0), tp_mk_null(l.tt));
      line_require(&l, equal ? null : tp_mk_not(l.tt, null));
      line_finish(&l);
      assert_int_equal(feasible(&l), equal ? TP_ITP_INFEASIBLE : TP_ITP_FEASIBLE);
      line_end(&l);
    }
}

/* Machine integers wrap: x < 0 behind x = x + 1 from x >= 0. */
static void F64_wraps_are_feasible(void **state) {
  (void)state;
  for (int with_bound = 0; with_bound < 2; with_bound++) {
    line l;
    line_begin(&l);
    line_ask_for(&l, l.word[0]);
    line_require(&l, tp_mk2(l.tt, TP_OP_BV_SLE, bv(l.p, 32, 0), line_word(&l, 0)));
    if (with_bound)
      line_require(&l, tp_mk2(l.tt, TP_OP_BV_SLT, line_word(&l, 0), bv(l.p, 32, 1000)));
    line_set(&l, l.word[0], tp_mk2(l.tt, TP_OP_BV_ADD, line_word(&l, 0), bv(l.p, 32, 1)));
    line_require(&l, tp_mk2(l.tt, TP_OP_BV_SLT, line_word(&l, 0), bv(l.p, 32, 0)));
    line_finish(&l);
    assert_int_equal(feasible(&l), with_bound ? TP_ITP_INFEASIBLE : TP_ITP_FEASIBLE);
    line_end(&l);
  }
}

// ------------------------------------------------------------------------ random

/* What the generator knows, so that runs have a meaning: which pointers lead to a word of an
 * object. */
typedef struct {
  tp_rng rng;
  bool leads[N_POINTERS];
} generator;

static uint64_t pick(generator *g, uint64_t n) { return tp_rng_below(&g->rng, n); }

static int some_pointer(generator *g) {
  for (int tries = 0; tries < 8; tries++) {
    int i = (int)pick(g, N_POINTERS);
    if (g->leads[i]) return i;
  }
  return -1;
}

static tp_term some_value(line *l, generator *g) {
  tp_term a = line_word(l, (int)pick(g, N_WORDS));
  switch (pick(g, 4)) {
    case 0: return bv(l->p, 32, pick(g, 4));
    case 1: return a;
    case 2: return tp_mk2(l->tt, TP_OP_BV_ADD, a, bv(l->p, 32, pick(g, 3) - 1));
    default: return tp_mk2(l->tt, TP_OP_BV_ADD, a, line_word(l, (int)pick(g, N_WORDS)));
  }
}

static void some_condition(line *l, generator *g) {
  tp_term a = line_word(l, (int)pick(g, N_WORDS)), b = some_value(l, g), c;
  switch (pick(g, 4)) {
    case 0: c = tp_mk2(l->tt, TP_OP_BV_SLT, a, b); break;
    case 1: c = tp_mk2(l->tt, TP_OP_BV_ULE, a, b); break;
    case 2:
      c = tp_mk_eq(l->tt, line_pointer(l, (int)pick(g, N_POINTERS)),
                   line_pointer(l, (int)pick(g, N_POINTERS)));
      break;
    default: c = tp_mk_eq(l->tt, a, b); break;
  }
  line_require(l, pick(g, 3) ? tp_mk_not(l->tt, c) : c);
}

static void some_step(line *l, generator *g) {
  int to = (int)pick(g, N_POINTERS), from = some_pointer(g);
  switch (pick(g, 8)) {
    case 0:
      line_allocate(l, l->pointer[to]);
      g->leads[to] = true;
      break;
    case 1:
      if (from < 0) from = 0;
      line_set(l, l->pointer[to], line_pointer(l, from));
      g->leads[to] = g->leads[from];
      break;
    case 2:
    case 3:
      if (from >= 0)
        line_write_to(l, plus(l->p, line_pointer(l, from), 4 * pick(g, 2)), some_value(l, g));
      break;
    case 4:
    case 5:
      if (from >= 0)
        line_read_from(l, l->word[pick(g, N_WORDS)],
                       plus(l->p, line_pointer(l, from), 4 * pick(g, 2)));
      break;
    case 6: line_set(l, l->word[pick(g, N_WORDS)], some_value(l, g)); break;
    default: some_condition(l, g); break;
  }
}

static void random_line(line *l, uint64_t seed) {
  generator g = {.leads = {false}};
  tp_rng_init(&g.rng, seed);
  line_begin(l);
  for (int i = 0; i < N_WORDS; i++) {
    if (i >= N_INPUTS) {
      line_set(l, l->word[i], bv(l->p, 32, pick(&g, 3)));
      continue;
    }
    line_ask_for(l, l->word[i]);
    line_require(l, tp_mk2(l->tt, TP_OP_BV_ULT, line_word(l, i), bv(l->p, 32, INPUT_BELOW)));
  }
  for (int i = 0; i < N_POINTERS; i++) line_set(l, l->pointer[i], tp_mk_null(l->tt));
  for (size_t steps = 6 + pick(&g, 16); steps > 0; steps--) some_step(l, &g);
  some_condition(l, &g);
  line_finish(l);
}

static void F64_random_lines_against_runs(void **state) {
  (void)state;
  enum { N = 300 };
  uint32_t n_feasible = 0, n_memory = 0;
  for (uint64_t seed = 1; seed <= N; seed++) {
    line l;
    random_line(&l, seed);
    bool runs = runs_through(&l);
    tp_itp_answer says = feasible(&l);
    if (says != (runs ? TP_ITP_FEASIBLE : TP_ITP_INFEASIBLE)) {
      tp_str text = {0};
      tp_program_print(l.p, &text);
      fail_msg("seed %llu: %s, but the formula says %d\n%s", (unsigned long long)seed,
               runs ? "there is a run" : "no run", (int)says, tp_str_text(&text));
    }
    n_feasible += runs;
    for (size_t i = 0; i < l.n; i++) n_memory += tp_edge_of(l.p, l.edges[i])->kind == TP_E_LOAD;
    line_end(&l);
  }
  assert_true(n_feasible > N / 4 && n_feasible < N * 3 / 4 && n_memory > N / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F64_example), cmocka_unit_test(F64_new_objects),
      cmocka_unit_test(F64_wraps_are_feasible), cmocka_unit_test(F64_random_lines_against_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
