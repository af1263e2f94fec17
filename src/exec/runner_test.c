#include "exec/runner.h"

#include "exec/testing.h"

/* A loop of many turns around a call: where it goes on as code, what is looked at, what a child
 * that fails costs. */

enum { TURNS = 200000 };

typedef struct {
  build b;
  tp_loc head;  // of main's loop
  tp_func f;
  tp_loc in_f;  // its entry
  tp_var i, a;  // of main
} counting;

static tp_term plus(const build *b, tp_term x, int64_t n) {
  return tp_mk2(b->tt, TP_OP_BV_ADD, x, bv(b, 32, n));
}

/* f(x) = x + 1; main: a = an input; TURNS times i = f(i); then a is looked at: an error if it is 5.
 */
static counting counting_program(void) {
  counting q = {.b = build_new(64)};
  build *b = &q.b;
  tp_sort i32 = tp_sort_bv(b->tt, 32);
  q.f = build_func(b, "f", i32);
  q.in_f = b->at;
  tp_var x = build_param(b, "x", i32);
  build_return(b, plus(b, build_term(b, x), 1));
  build_func(b, "main", i32);
  q.i = build_var(b, "i", i32);
  q.a = build_var(b, "a", i32);
  build_edge(
      b, (tp_edge_info){.kind = TP_E_HAVOC, .var = q.a, .input = TP_I_NONDET, .name = "nondet"});
  build_assign(b, q.i, bv(b, 32, 0));
  q.head = b->at;
  tp_loc out =
      build_branch(b, tp_mk_not(b->tt, tp_mk_eq(b->tt, build_term(b, q.i), bv(b, 32, TURNS))));
  tp_term arg = build_term(b, q.i);
  build_edge(
      b,
      (tp_edge_info){
          .kind = TP_E_CALL, .callee = q.f, .var = q.i, .args = &arg, .n_args = 1, .to = q.head});
  b->at = out;
  tp_loc fine = build_branch(b, tp_mk_eq(b->tt, build_term(b, q.a), bv(b, 32, 5)));
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = build_error(b, TP_P_UNREACH_CALL)});
  b->at = fine;
  build_return(b, build_term(b, q.i));
  build_done(b);
  assert_true(tp_loc_of(b->p, q.head)->is_cutpoint);
  return q;
}

// --------------------------------------------------------------------- looking

typedef struct {
  const counting *q;
  uint64_t turns, seen, calls;  // visits of the head; those that were seen; visits of f's entry
  uint64_t every;               // the head is looked at once in so many visits
  tp_visit_block main, f;
} looker;

static bool look(void *ctx, const tp_state *s) {
  looker *k = ctx;
  tp_value i;
  k->calls += tp_state_loc(s).id == k->q->in_f.id;
  if (tp_state_loc(s).id != k->q->head.id) return true;
  assert_int_equal(tp_state_value(s, k->q->i, &i), TP_OK);
  assert_int_equal((uint64_t)i.bits, k->turns);  // each visit was counted, in sight or not
  k->seen += k->turns % k->every == 0;
  k->turns++;
  return true;
}

static uint64_t let_go(void *ctx, const tp_state *s, tp_visits *v, tp_visit_block *root) {
  looker *k = ctx;
  (void)s;
  *tp_visits_countdown(v, k->main, k->q->head) = (k->every - k->turns % k->every) % k->every;
  *tp_visits_countdown(v, k->f, k->q->in_f) = TP_VISITS_UNLIMITED;
  *root = k->main;
  return UINT64_MAX;
}

static void passed(void *ctx, const tp_state *s, tp_visits *v, uint64_t steps) {
  looker *k = ctx;
  (void)s, (void)steps;
  k->turns +=
      (k->every - k->turns % k->every) % k->every - *tp_visits_countdown(v, k->main, k->q->head);
  k->calls += TP_VISITS_UNLIMITED - *tp_visits_countdown(v, k->f, k->q->in_f);
}

static tp_run_result run_main(tp_runner *r, const counting *q, int64_t a, looker *k) {
  tp_inputs inputs;
  tp_inputs_init(&inputs);
  tp_inputs_add(&inputs, (tp_input){.width_bits = 32, .bits = (tp_u128)(uint64_t)a});
  tp_vector_oracle vector = {.in = &inputs};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  tp_state *s = tp_state_initial(q->b.p), *same = tp_state_initial(q->b.p);
  tp_runner_observer watch = {{.mask = TP_OBSERVE_ALL, .ctx = k, .at = look}, k, let_go, passed};
  tp_run_result end = tp_runner_run(r, s, &oracle, (tp_run_limits){0}, k ? &watch : NULL);
  vector.next = 0;
  tp_run_result plain = tp_exec_run(q->b.p, same, &oracle, (tp_run_limits){0}, NULL);
  assert_int_equal(end.end, plain.end);
  assert_int_equal(end.steps, plain.steps);
  assert_int_equal(end.loc.id, plain.loc.id);
  assert_int_equal(end.edge.id, plain.edge.id);
  assert_int_equal(end.exit_status, plain.exit_status);
  assert_true(tp_state_equal(s, same));
  tp_state_free(s);
  tp_state_free(same);
  tp_inputs_clear(&inputs);
  return end;
}

static looker looker_of(tp_runner *r, const counting *q, uint64_t every) {
  tp_visits *v = tp_runner_visits(r);
  looker k = {
      .q = q, .every = every, .main = tp_visits_add(v, q->b.p->main), .f = tp_visits_add(v, q->f)};
  for (uint32_t e = 1; e < q->b.p->edges.n; e++)
    if (q->b.p->edges.at[e].kind == TP_E_CALL) tp_visits_link(v, k.main, (tp_edge){e}, k.f, q->f);
  return k;
}

// ------------------------------------------------------------------------ tests

static void long_runs_leave_the_interpreter(void **state) {
  (void)state;
  counting q = counting_program();
  tp_runner *r = tp_runner_new(q.b.p, (tp_runner_options){.hot_steps = 20000});
  assert_int_equal(run_main(r, &q, 7, NULL).end, TP_END_EXIT);
  assert_int_equal(run_main(r, &q, 5, NULL).end, TP_END_ERROR);
  tp_runner_counts c = tp_runner_counted(r);
  assert_true(c.bursts >= 2 && c.native_steps > 2 * TURNS);
  assert_int_equal(c.n_lost, 0);
  tp_runner_free(r);
  build_free(&q.b);
}

static void visits_are_counted_out_of_sight(void **state) {
  (void)state;
  counting q = counting_program();
  tp_runner *r = tp_runner_new(q.b.p, (tp_runner_options){.hot_steps = 20000});
  looker k = looker_of(r, &q, 30000);
  assert_int_equal(run_main(r, &q, 5, &k).end, TP_END_ERROR);
  assert_int_equal(k.turns, TURNS + 1);
  assert_int_equal(k.calls, TURNS);
  assert_int_equal(k.seen, TURNS / 30000 + 1);
  assert_true(tp_runner_counted(r).native_steps > TURNS);
  tp_runner_free(r);
  build_free(&q.b);
}

/* Whatever goes wrong in a child, the run is the same; the next one has a new child. */
static void lost_children_cost_nothing_but_time(void **state) {
  (void)state;
  static const tp_child_fault faults[] = {TP_CHILD_CRASH,       TP_CHILD_HANG,  TP_CHILD_NONSENSE,
                                          TP_CHILD_OTHER_STATE, TP_CHILD_GREED, TP_CHILD_FORBIDDEN,
                                          TP_CHILD_EXIT};
  counting q = counting_program();
  for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
    tp_runner *r = tp_runner_new(q.b.p, (tp_runner_options){.hot_steps = 20000});
    looker k = looker_of(r, &q, 30000);
    tp_child_inject(tp_runner_child(r), faults[f], 2);
    tp_child_limit(tp_runner_child(r), 400u << 20);
    assert_int_equal(run_main(r, &q, 5, &k).end, TP_END_ERROR);
    assert_int_equal(k.turns, TURNS + 1);
    assert_int_equal(k.calls, TURNS);
    assert_int_equal(tp_runner_counted(r).n_lost, 1);
    assert_true(strlen(tp_child_why(tp_runner_child(r))) > 0);
    tp_runner_counts before = tp_runner_counted(r);
    assert_int_equal(run_main(r, &q, 5, NULL).end, TP_END_ERROR);
    assert_true(tp_runner_counted(r).native_steps > before.native_steps);
    assert_int_equal(tp_runner_counted(r).n_lost, 1);
    tp_runner_free(r);
  }
  build_free(&q.b);
}

/* A program whose code always fails is interpreted. */
static void programs_without_luck_are_interpreted(void **state) {
  (void)state;
  counting q = counting_program();
  tp_runner *r = tp_runner_new(q.b.p, (tp_runner_options){.hot_steps = 20000});
  tp_child_inject(tp_runner_child(r), TP_CHILD_CRASH, UINT64_MAX);
  for (int n = 0; n < 3; n++) (void)run_main(r, &q, 7, NULL);
  tp_child_inject(tp_runner_child(r), TP_CHILD_NONE, 0);
  assert_true(tp_child_has_given_up(tp_runner_child(r)));
  uint64_t before = tp_runner_counted(r).native_steps;
  assert_int_equal(run_main(r, &q, 7, NULL).end, TP_END_EXIT);
  assert_int_equal(tp_runner_counted(r).native_steps, before);
  tp_runner_free(r);
  build_free(&q.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(long_runs_leave_the_interpreter),
                                     cmocka_unit_test(visits_are_counted_out_of_sight),
                                     cmocka_unit_test(lost_children_cost_nothing_but_time),
                                     cmocka_unit_test(programs_without_luck_are_interpreted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
