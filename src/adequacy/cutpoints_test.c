// Where states are abstracted, calls, and states that are made: cutpoints of each choice, a
// function called twice, injection of random models.
#include "adequacy/cutpoints.h"
#include "adequacy/fabricate.h"
#include "adequacy/trial_test.h"
#include "exec/inject.h"

#define HEAD "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) {}\n"
#define FOO(bound)                                                                 \
  HEAD "void foo(int x, int y) {\n  int *px = 0;\n  x = x + 1;\n  if (x < " #bound \
       ")\n    px = &x;\n"                                                         \
       "  if (px == &y)\n    x = x + 1;\n  if (x < 5)\n    *px = *px + 1;\n}\n"    \
       "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = "          \
       "__VERIFIER_nondet_int();\n  foo(x, y);\n  return 0;\n}\n"

// ---------------------------------------------------------------------- cutpoints

/* Is there a cycle from here that passes no cutpoint? state: 0 unseen, 1 open, 2 done. */
static bool has_cycle(const tp_program *p, const bool *at, uint32_t loc, uint8_t *state) {
  if (at[loc] || state[loc] == 2) return false;
  if (state[loc] == 1) return true;
  state[loc] = 1;
  tp_edge_list out = tp_out_edges(p, (tp_loc){loc});
  for (uint32_t i = 0; i < out.n; i++)
    if (has_cycle(p, at, p->edges.at[out.at[i]].to.id, state)) return true;
  state[loc] = 2;
  return false;
}

static size_t count(const tp_program *p, const bool *at) {
  size_t n = 0;
  for (size_t l = 1; l < p->locs.n; l++) n += at[l];
  return n;
}

static void Y14_every_choice_cuts_every_cycle(void **state) {
  (void)state;
  static const char *const sources[] = {
      FOO(4),
      HEAD
      "int f(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = i; j > 0; j--) s++; "
      "return s; }\n"
      "int main(void) { int k = 0; again: k++; while (k < __VERIFIER_nondet_int()) { if (f(k) == "
      "3) continue; k += 2; } if (k < 10) goto again; return 0; }\n",
      HEAD
      "int main(void) { int x = 0; do { switch (__VERIFIER_nondet_int()) { case 1: x++; break; "
      "case 2: x--; default: while (x > 5) x -= 2; } } while (x != 4); return x; }\n"};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    trial t;
    size_t before = 0;
    bool *smaller = NULL;
    trial_load(&t, sources[i], TP_P_UNREACH_CALL);
    for (int choice = TP_CUTPOINTS_LOOPS; choice <= TP_CUTPOINTS_ALL; choice++) {
      bool *at = tp_cutpoints_find(t.p, TP_P_UNREACH_CALL, (tp_cutpoints)choice);
      uint8_t *seen = TP_NEW_ARRAY(uint8_t, t.p->locs.n);
      for (uint32_t l = 1; l < t.p->locs.n; l++) {
        assert_false(has_cycle(t.p, at, l, seen));
        assert_true(!smaller || !smaller[l] || at[l]);
      }
      assert_true(choice == TP_CUTPOINTS_LOOPS || count(t.p, at) > before);
      before = count(t.p, at);
      tp_free(seen);
      tp_free(smaller);
      smaller = at;
    }
    tp_free(smaller);
    trial_free(&t);
  }
}

static void Y14_fewer_cutpoints_give_no_more_alarms(void **state) {
  (void)state;
  static const struct {
    const char *source;
    int64_t bound;
  } cases[] = {{FOO(4), 5}, {FOO(5), 5}, {FOO(5), 10}};
  for (size_t i = 0; i < 3; i++) {
    size_t alarms[3];
    trial t;
    trial_load(&t, cases[i].source, TP_P_VALID_DEREF);
    trial_probe(&t, "foo", 5, "x small",
                trial_less(&t, trial_value(&t, "foo", "x"), cases[i].bound));
    trial_probe(&t, "foo", 5, "px null",
                tp_mk_eq(t.tt, trial_variable(&t, "foo", "px"), tp_mk_null(t.tt)));
    t.q.settings.leaves_potential = true;
    for (int choice = TP_CUTPOINTS_LOOPS; choice <= TP_CUTPOINTS_ALL; choice++) {
      t.q.settings.cutpoints = (tp_cutpoints)choice;
      trial_run(&t);
      assert_true(t.report.is_closed);
      alarms[choice] = t.report.potential.n;
      trial_done(&t);
    }
    assert_true(alarms[0] <= alarms[1] && alarms[1] <= alarms[2]);
    assert_true(i != 1 || alarms[2] == 0);
    assert_true(
        i != 2 ||
        (alarms[0] == 0 &&
         alarms[2] == 1));  // the coarse predicate: a false alarm only where it is asked everywhere
    trial_free(&t);
  }
}

// --------------------------------------------------------------------------- calls

/* Calls are told apart by their call strings: what one call returns does not come back from the
 * other. */
static void Y15_a_helper_called_twice(void **state) {
  (void)state;
  static const char *const source = HEAD
      "int id(int a) {\n  return a;\n}\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  if "
      "(x < 0 || x > 3) return 0;\n"
      "  int y = id(x);\n  int z = id(y + 10);\n  if (z < 10) reach_error();\n  return 0;\n}\n";
  static const int64_t test[] = {2};
  for (int coarse = 0; coarse < 2; coarse++) {
    trial t;
    trial_load(&t, source, TP_P_UNREACH_CALL);
    t.q.settings.cutpoints = TP_CUTPOINTS_CALLS;
    t.q.settings.leaves_potential = true;
    tp_func id = trial_func(&t, "id");
    tp_term a = trial_value(&t, "id", "a"),
            result = tp_var_of(t.p, tp_func_of(t.p, id)->result)->term;
    const tp_probe in = {tp_func_of(t.p, id)->entry, trial_less(&t, a, 10), "a < 10"},
                   low = {tp_func_of(t.p, id)->entry, trial_less(&t, a, 0), "a < 0"};
    const tp_probe out = {tp_func_of(t.p, id)->exit, trial_less(&t, result, 10), "result < 10"},
                   out_low = {tp_func_of(t.p, id)->exit, trial_less(&t, result, 0), "result < 0"};
    tp_vec_push(&t.q.probes, in);
    tp_vec_push(&t.q.probes, out);
    if (!coarse) {
      tp_vec_push(&t.q.probes, low);
      tp_vec_push(&t.q.probes, out_low);
    }
    static const char *const names[] = {"x", "y", "z"};
    for (size_t i = 0; i < 3 && !coarse; i++)
      for (int64_t n = 0; n <= 10; n += 10)
        trial_probe(&t, "main", 0, names[i], trial_less(&t, trial_value(&t, "main", names[i]), n));
    trial_test(&t, test, 1);
    trial_run(&t);
    trial_show(&t);
    size_t contexts = 0;
    for (size_t i = 0; i < t.report.coverage.cutpoints.n; i++)
      contexts += t.report.coverage.cutpoints.at[i].loc.id == in.at.id;
    assert_int_equal(contexts, 2);
    assert_true(t.report.is_closed);
    assert_int_equal(
        t.out.verdict,
        coarse ? TP_VERDICT_UNKNOWN
               : TP_VERDICT_TRUE);  // coarse: what main knew of x is forgotten at the calls
    if (!coarse) assert_int_equal(trial_certify(&t), TP_CERTIFY_ACCEPTED);
    trial_done(&t);
    trial_free(&t);
  }
}

// ----------------------------------------------------------------------- injection

typedef struct {
  uint32_t line;
  tp_state *s;
  const char *func;
  const tp_program *p;
} stop;
static bool stop_at(void *ctx, const tp_state *s) {
  stop *w = ctx;
  const tp_loc_info *l = tp_loc_of(w->p, tp_state_loc(s));
  if (l->pos.line != w->line) return true;
  w->s = tp_state_copy(s);
  return false;
}

static tp_state *state_at_line(const tp_program *p, uint32_t line) {
  stop w = {.line = line, .p = p};
  tp_vector_oracle none = {.then_zero = true};
  static const tp_inputs empty = {0};
  none.in = &empty;
  tp_oracle oracle = tp_oracle_of_vector(&none);
  const tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = &w, .at = stop_at};
  (void)tp_exec_main(p, &oracle, (tp_run_limits){0}, &observer);
  assert_non_null(w.s);
  return w.s;
}

static void Y25_states_are_what_models_say(void **state) {
  (void)state;
  trial t;
  tp_paths paths;
  tp_rng r;
  trial_load(&t, FOO(5), TP_P_VALID_DEREF);
  tp_paths_init(&paths, t.p);
  tp_rng_init(&r, 7);
  tp_state *base = state_at_line(t.p, 8);  // if (px == &y)
  tp_var x = tp_program_var_of(t.p, trial_variable(&t, "foo", "x")),
         y = tp_program_var_of(t.p, trial_variable(&t, "foo", "y"));
  tp_var px = tp_program_var_of(t.p, trial_variable(&t, "foo", "px"));
  tp_term small = trial_less(&t, trial_value(&t, "foo", "x"), 5),
          is_null = tp_mk_eq(t.tt, tp_var_of(t.p, px)->term, tp_mk_null(t.tt));
  tp_term is_y = tp_mk_eq(t.tt, tp_var_of(t.p, px)->term, tp_var_of(t.p, y)->term);
  const tp_segment segment = {.paths = &paths};
  for (int i = 0; i < 1000; i++) {
    tp_segment_model m = {0};
    uint32_t object_x = 100 + (uint32_t)tp_rng_below(&r, 100),
             object_y = 300 + (uint32_t)tp_rng_below(&r, 100), other = 500;
    int where = (int)tp_rng_below(&r, 4);
    int32_t value = (int32_t)tp_rng_below(&r, 12) - 1;
    uint64_t size = 4 + tp_rng_below(&r, 60);
    uint32_t target = where == 0 ? 0 : where == 1 ? object_x : where == 2 ? object_y : other;
    tp_vec_push(&m.vars, (tp_model_var){px, {.object = target}});
    tp_vec_push(&m.vars, (tp_model_var){x, {.object = object_x}});
    tp_vec_push(&m.vars, (tp_model_var){y, {.object = object_y}});
    tp_vec_push(&m.objects, (tp_model_object){object_x, 4, TP_O_STACK, true});
    tp_vec_push(&m.objects, (tp_model_object){object_y, 4, TP_O_STACK, true});
    tp_vec_push(&m.objects, (tp_model_object){other, size, TP_O_HEAP, true});
    tp_vec_push(
        &m.cells,
        (tp_model_cell){tp_sort_bv(t.tt, 32), {.object = object_x}, {.bits = (uint32_t)value}});
    if (where == 3)
      tp_vec_push(&m.cells, (tp_model_cell){tp_sort_bv(t.tt, 32), {.object = other}, {.bits = 77}});
    tp_state *s = tp_state_copy(base);
    tp_fabricate(&segment, &m, s);
    tp_str why = {0};
    tp_value v;
    assert_true(tp_state_check(s, &why));
    assert_int_equal(tp_state_eval(s, small, &v), TP_OK);
    assert_int_equal(v.bits, value < 5);
    assert_int_equal(tp_state_eval(s, is_null, &v), TP_OK);
    assert_int_equal(v.bits, where == 0);
    assert_int_equal(tp_state_eval(s, is_y, &v), TP_OK);
    assert_int_equal(v.bits, where == 2);
    if (where == 3) {
      assert_int_equal(
          tp_state_eval(s, tp_cell(t.p, tp_sort_bv(t.tt, 32), tp_var_of(t.p, px)->term), &v),
          TP_OK);
      assert_int_equal(v.bits, 77);
      tp_object_info info;
      assert_int_equal(tp_state_value(s, px, &v), TP_OK);
      assert_true(tp_state_object_info(s, v.object, &info) && info.live && info.size == size &&
                  info.kind == TP_O_HEAP);
    }
    tp_state_free(s);
    tp_segment_model_clear(&m);
  }
  tp_state_free(base);
  tp_paths_clear(&paths);
  trial_free(&t);
}

// ---------------------------------------------------------------------------- heap

#define STACK(guard)                                                                              \
  "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nextern void "                    \
  "__VERIFIER_assume(int);\n"                                                                     \
  "struct stack { int *elems; int size; int max; };\n"                                            \
  "static void pop(struct stack *s) { if (" guard                                                 \
  ") s->size = s->size - 1; }\n"                                                                  \
  "static void push(struct stack *s, int k) { if (s->size < s->max) { s->elems[s->size] = k; "    \
  "s->size = s->size + 1; } }\n"                                                                  \
  "int main(void) {\n  int max = __VERIFIER_nondet_int();\n  __VERIFIER_assume(max > 0 && max < " \
  "1000);\n"                                                                                      \
  "  struct stack *s = malloc(sizeof *s);\n  s->elems = malloc((unsigned long)max * "             \
  "sizeof(int));\n  s->size = 0;\n  s->max = max;\n  while (1) {\n"                               \
  "    if (__VERIFIER_nondet_int()) push(s, __VERIFIER_nondet_int());\n    else pop(s);\n  }\n}\n"

static tp_term member(const trial *t, uint64_t offset, tp_sort sort) {
  return tp_cell(t->p, sort,
                 tp_mk_ptr_add(t->tt, trial_variable(t, "main", "s"), tp_mk_bv(t->tt, 64, offset)));
}

/* What is known of addresses keeps the stack and its elements apart; `size >= 0` lets pop take one
 * too many. */
static void a_stack_behind_a_handle_is_proved_and_its_wrong_repair_fails(void **state) {
  (void)state;
  static const struct {
    const char *source;
    tp_verdict verdict;
  } cases[] = {{STACK("s->size > 0"), TP_VERDICT_TRUE}, {STACK("s->size >= 0"), TP_VERDICT_FALSE}};
  static const int64_t test[] = {3, 1, 7, 0, 1, 8};
  for (size_t i = 0; i < 2; i++) {
    trial t;
    trial_load(&t, cases[i].source, TP_P_VALID_DEREF);
    tp_sort int_sort = tp_sort_bv(t.tt, 32);
    tp_term size = member(&t, 8, int_sort), max = member(&t, 12, int_sort),
            elems = member(&t, 0, tp_sort_ptr(t.tt));
    tp_term length = tp_mk2(t.tt, TP_OP_SELECT, tp_var_of(t.p, t.p->ghost_size)->term,
                            tp_mk1(t.tt, TP_OP_PTR_OBJ, elems));
    tp_term bytes = tp_mk2(t.tt, TP_OP_BV_MUL, tp_mk_bv(t.tt, 64, 4), tp_mk_sext(t.tt, 64, max));
    trial_probe(&t, "main", 12, "0 <= size", tp_mk_not(t.tt, trial_less(&t, size, 0)));
    trial_probe(&t, "main", 12, "size <= max", tp_mk2(t.tt, TP_OP_BV_SLE, size, max));
    trial_probe(&t, "main", 12, "s null",
                tp_mk_eq(t.tt, trial_variable(&t, "main", "s"), tp_mk_null(t.tt)));
    trial_probe(&t, "main", 12, "elems null", tp_mk_eq(t.tt, elems, tp_mk_null(t.tt)));
    trial_probe(&t, "main", 12, "max == length", tp_mk_eq(t.tt, length, bytes));
    trial_test(&t, test, 6);
    t.q.settings.leaves_potential = i == 0;
    trial_run(&t);
    trial_show(&t);
    assert_true(t.report.is_closed);
    assert_int_equal(t.out.verdict, cases[i].verdict);
    if (i == 0) assert_int_equal(trial_certify(&t), TP_CERTIFY_ACCEPTED);
    trial_done(&t);
    trial_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(Y14_every_choice_cuts_every_cycle),
      cmocka_unit_test(Y14_fewer_cutpoints_give_no_more_alarms),
      cmocka_unit_test(Y15_a_helper_called_twice),
      cmocka_unit_test(Y25_states_are_what_models_say),
      cmocka_unit_test(a_stack_behind_a_handle_is_proved_and_its_wrong_repair_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
