/* The algorithm and its parts on programs small enough to say what must come out. */
#include "cpa/algorithm.h"
#include "cpa/composition.h"
#include "cpa/path/path_cpa.h"
#include "cpa/recursion.h"
#include "cpa/steps.h"
#include "cpa/waitlist.h"
#include "exec/testing.h"

/* A program under a composition. */
typedef struct {
  tp_composition *c;
  tp_recursion *r;
  tp_reached *reached;
  tp_stats stats;
} analysis;

static analysis *analyse(build *b, const char *text) {
  analysis *a = TP_NEW(analysis);
  tp_str why = {0};
  a->c = tp_composition_open(b->p, TP_P_UNREACH_CALL, text, &a->stats, &why);
  if (!a->c) fail_msg("%s", tp_str_text(&why));
  tp_str_clear(&why);
  a->r = tp_recursion_new(a->c->cpa, a->c->order);
  a->reached = tp_recursion_reached(a->r);
  return a;
}

static void done(analysis *a) {
  tp_recursion_free(a->r);
  tp_composition_close(a->c);
  tp_free(a);
}

static void run_to_end(analysis *a) {
  tp_cpa_result result = tp_recursion_run(a->r, (tp_cpa_limits){0});
  assert_int_equal(result.end, TP_CPA_DONE);
  tp_str why = {0};
  if (!tp_reached_check(a->reached, &why)) fail_msg("%s", tp_str_text(&why));
  tp_str_clear(&why);
}

static bool is_reached(const analysis *a, tp_loc l) {
  for (uint32_t i = 1; i <= tp_reached_n(a->reached); i++)
    if (tp_reached_node(a->reached, i)->loc.id == l.id) return true;
  return false;
}

static void call(build *b, tp_func f) {
  build_edge(b, (tp_edge_info){.kind = TP_E_CALL, .callee = f});
}
static tp_edge go_on(build *b) { return build_edge(b, (tp_edge_info){.kind = TP_E_SKIP}); }
static void loop_forever(build *b) {
  tp_program_add_edge(b->p, (tp_edge_info){.kind = TP_E_SKIP, .from = b->at, .to = b->at});
}

// --------------------------------------------------------------------- locations

/* used() returns; hang() does not, so what follows its call is unreachable; unused() is never
 * called. */
static void F34_location_alone_finds_unreachable_code(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func used = build_func(&b, "used", (tp_sort){0});
  build_return(&b, TP_TERM_NONE);
  tp_func hang = build_func(&b, "hang", (tp_sort){0});
  loop_forever(&b);
  tp_func unused = build_func(&b, "unused", (tp_sort){0});
  build_return(&b, TP_TERM_NONE);
  build_func(&b, "main", (tp_sort){0});
  tp_var x = build_var(&b, "x", tp_sort_bool(b.tt));
  call(&b, used);
  tp_loc behind_used = b.at, no = build_branch(&b, build_term(&b, x));
  call(&b, hang);
  tp_loc behind_hang = b.at;
  build_return(&b, TP_TERM_NONE);
  b.at = no;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);

  analysis *a = analyse(&b, "analysis = location");
  run_to_end(a);
  assert_true(is_reached(a, behind_used));
  assert_true(is_reached(a, no));
  assert_true(is_reached(a, tp_func_of(b.p, hang)->entry));
  assert_true(is_reached(a, b.exit));
  assert_false(is_reached(a, behind_hang));
  assert_false(is_reached(a, tp_func_of(b.p, unused)->entry));
  done(a);
  build_free(&b);
}

/* f is called twice; only the second call is followed by the error. Without call strings the first
 * call's return leads there too. */
static void F34_call_strings_separate_returns(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func f = build_func(&b, "f", (tp_sort){0});
  build_return(&b, TP_TERM_NONE);
  tp_func g = build_func(&b, "g", (tp_sort){0});  // never called
  call(&b, f);
  tp_loc behind = b.at;
  build_return(&b, TP_TERM_NONE);
  build_func(&b, "main", (tp_sort){0});
  call(&b, f);
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  analysis *a = analyse(&b, "analysis = location");
  run_to_end(a);
  assert_true(is_reached(a, behind));  // a return of f leads behind all its calls
  assert_false(is_reached(a, tp_func_of(b.p, g)->entry));
  done(a);
  a = analyse(&b, "analysis = location callstack");
  run_to_end(a);
  assert_false(is_reached(a, behind));
  assert_true(is_reached(a, b.exit));
  done(a);
  build_free(&b);
}

// ------------------------------------------------------------------------- paths

/* Two ways to two errors: a long one first in the text, a short one behind. */
typedef struct {
  build b;
  tp_loc start, way[3], far, near;
} forked;

static forked fork_program(void) {
  forked f = {.b = build_new(64)};
  build *b = &f.b;
  build_func(b, "main", (tp_sort){0});
  tp_var x = build_var(b, "x", tp_sort_bool(b->tt));
  f.start = b->at;
  tp_loc no = build_branch(b, build_term(b, x));
  f.way[0] = b->at;
  for (int i = 1; i < 3; i++) go_on(b), f.way[i] = b->at;
  f.far = build_error(b, TP_P_UNREACH_CALL);
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = f.far});
  b->at = no;
  f.near = build_error(b, TP_P_UNREACH_CALL);
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = f.near});
  build_done(b);
  return f;
}

static const tp_elem *path_of(const analysis *a, uint32_t node) {
  const tp_elem *e = tp_reached_node(a->reached, node)->state.elem;
  for (size_t i = 0; i < tp_composite_n(a->c->cpa); i++) {
    tp_view v = tp_composite_view(a->c->cpa, e, i);
    if (v.cpa->ops == &tp_cpa_path) return v.elem;
  }
  fail();
  return NULL;
}

static void F61_path_of_the_first_error_state(void **state) {
  (void)state;
  static const struct {
    const char *order;
    bool near;
  } cases[] = {{"bfs", true}, {"dfs", true}, {"reverse-postorder", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    forked f = fork_program();
    tp_str text = {0};
    tp_str_printf(&text, "analysis = location callstack path\nwaitlist = %s", cases[i].order);
    analysis *a = analyse(&f.b, tp_str_text(&text));
    tp_cpa_result result = tp_recursion_run(a->r, (tp_cpa_limits){0});
    assert_int_equal(result.end, TP_CPA_INTERRUPTED);
    tp_loc at = tp_reached_node(a->reached, result.node)->loc;
    assert_true(at.id == f.near.id || at.id == f.far.id);
    assert_true(tp_reached_node(a->reached, result.node)->waiting);
    bool near = at.id == f.near.id;
    if (strcmp(cases[i].order, "bfs") == 0) assert_true(near);

    tp_arena arena;
    tp_arena_init(&arena);
    tp_loc *locs;
    size_t n = tp_path_locations(path_of(a, result.node), &arena, &locs), n_steps;
    assert_int_equal(n, near ? 3 : 5);
    assert_int_equal(locs[0].id, f.start.id);
    assert_int_equal(locs[n - 1].id, at.id);
    for (size_t k = 0; !near && k < 3; k++) assert_int_equal(locs[k + 1].id, f.way[k].id);
    tp_step *steps = tp_reached_path(a->reached, result.node, &arena, &n_steps);
    assert_int_equal(n_steps, n - 1);
    for (size_t k = 0; k < n_steps; k++) {
      assert_int_equal(steps[k].from.id, locs[k].id);
      assert_int_equal(steps[k].to.id, locs[k + 1].id);
    }

    // once more: it stops at the same place, until another precision lets it go
    tp_cpa_result again = tp_recursion_run(a->r, (tp_cpa_limits){0});
    assert_int_equal(again.end, TP_CPA_INTERRUPTED);
    assert_int_equal(again.node, result.node);
    assert_int_equal(again.steps, 0);
    tp_arena_clear(&arena);
    tp_str_clear(&text);
    done(a);
    build_free(&f.b);
  }
}

static void F61_another_precision_lets_it_go(void **state) {
  (void)state;
  forked f = fork_program();
  tp_cpa_env env = {.program = f.b.p, .terms = f.b.tt, .property = TP_P_UNREACH_CALL};
  tp_contexts contexts;
  tp_contexts_init(&contexts);
  env.contexts = &contexts;
  tp_str why = {0};
  tp_cpa *cpa = tp_cpa_open(&tp_cpa_path, &env, &why);
  assert_non_null(cpa);
  tp_reached *r = tp_reached_new(cpa, TP_WAIT_BFS);
  (void)tp_reached_add_initial(
      r, cpa->ops->initial(cpa, f.start, tp_context_root(&contexts, f.b.p->main, 0)));
  tp_loc seen[2];
  for (int i = 0; i < 2; i++) {
    tp_cpa_result result = tp_cpa_run(r, (tp_cpa_limits){0});
    assert_int_equal(result.end, TP_CPA_INTERRUPTED);
    const tp_node *n = tp_reached_node(r, result.node);
    seen[i] = n->loc;
    tp_reached_edit(r, result.node, (tp_succ){n->state.elem, tp_path_interrupts(cpa, NULL, 0)});
  }
  assert_int_equal(seen[0].id, f.near.id);
  assert_int_equal(seen[1].id, f.far.id);
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  tp_reached_free(r);
  tp_cpa_close(cpa);
  tp_contexts_clear(&contexts);
  tp_str_clear(&why);
  build_free(&f.b);
}

// ------------------------------------------------------------------------ orders

/* The order in which nodes are popped from the waitlist. main: a; call f; b. f: head (loop: body);
 * exit. */
static void waitlist_orders(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func f = build_func(&b, "f", (tp_sort){0});
  tp_var x = build_var(&b, "x", tp_sort_bool(b.tt));
  tp_loc head = b.at, out = build_branch(&b, build_term(&b, x)), body = b.at;
  build_edge(&b, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  b.at = out;
  build_return(&b, TP_TERM_NONE);
  build_func(&b, "main", (tp_sort){0});
  go_on(&b);
  tp_loc calls = b.at;
  tp_edge call_edge = build_edge(&b, (tp_edge_info){.kind = TP_E_CALL, .callee = f});
  tp_loc behind = b.at;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  tp_contexts contexts;
  tp_contexts_init(&contexts);
  tp_context in_main = tp_context_root(&contexts, b.p->main, 0),
             in_f = tp_context_push(&contexts, in_main, call_edge, f);
  enum { N = 5 };
  const struct {
    tp_loc loc;
    tp_context context;
  } put[N] = {{behind, in_main}, {out, in_f}, {body, in_f}, {calls, in_main}, {head, in_f}};
  static const struct {
    tp_wait_order order;
    uint32_t expected[N];
  } cases[] = {{TP_WAIT_DFS, {4, 3, 2, 1, 0}},
               {TP_WAIT_BFS, {0, 1, 2, 3, 4}},
               {TP_WAIT_REVERSE_POSTORDER, {3, 4, 2, 1, 0}},
               {TP_WAIT_CALLSTACK, {4, 2, 1, 3, 0}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_waitlist w;
    tp_waitlist_init(&w, cases[i].order, b.p, &contexts);
    for (uint32_t k = 0; k < N; k++) (void)tp_waitlist_push(&w, k, put[k].loc, put[k].context, 0);
    tp_wait x2;
    for (uint32_t k = 0; k < N; k++) {
      assert_true(tp_waitlist_pop(&w, &x2));
      assert_int_equal(x2.node, cases[i].expected[k]);
      if (k % 2 == 0) {  // put back: stands where it stood
        (void)tp_waitlist_push(&w, x2.node, x2.loc, x2.context, x2.ticket);
        assert_true(tp_waitlist_pop(&w, &x2));
        assert_int_equal(x2.node, cases[i].expected[k]);
      }
    }
    assert_false(tp_waitlist_pop(&w, &x2));
    tp_waitlist_clear(&w);
    tp_wait_order parsed;
    assert_true(tp_wait_order_parse(tp_wait_order_name(cases[i].order), &parsed) &&
                parsed == cases[i].order);
  }
  tp_contexts_clear(&contexts);
  build_free(&b);
}

// ------------------------------------------------------------------------- steps

static size_t steps_of_kind(const tp_step_list *l, tp_step_kind kind) {
  size_t n = 0;
  for (size_t i = 0; i < l->list.n; i++) n += l->list.at[i].kind == kind;
  return n;
}

/* A recursive function and one without body are taken as a whole; a pointer leads to the functions
 * that fit. */
static void steps_of_calls(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func rec = build_func(&b, "rec", (tp_sort){0});
  tp_loc self_call = b.at;
  call(&b, rec);
  build_return(&b, TP_TERM_NONE);
  tp_func plain = build_func(&b, "plain", (tp_sort){0});
  build_return(&b, TP_TERM_NONE);
  tp_func wide = build_func(&b, "wide", (tp_sort){0});
  (void)build_param(&b, "n", tp_sort_bv(b.tt, 32));
  build_return(&b, TP_TERM_NONE);
  tp_func nobody = tp_program_add_func(b.p, (tp_func_info){.name = "nobody"});
  tp_func targets[] = {rec, plain, wide, nobody};
  tp_term addresses[4];
  for (int i = 0; i < 4; i++) {
    uint32_t o = tp_program_add_static(
        b.p, (tp_static){.name = "f", .kind = TP_O_FUNCTION, .size_bytes = 1, .func = targets[i]});
    b.p->funcs.at[targets[i].id].object = o;
    addresses[i] = tp_mk_ptr_const(b.tt, o, 0);
  }
  build_func(&b, "main", (tp_sort){0});
  tp_var p = build_var(&b, "p", tp_sort_ptr(b.tt));
  for (int i = 0; i < 4; i++) build_assign(&b, p, addresses[i]);
  tp_loc through = b.at;
  tp_edge call_edge = build_edge(&b, (tp_edge_info){.kind = TP_E_CALL, .a = build_term(&b, p)});
  build_return(&b, TP_TERM_NONE);
  build_done(&b);

  tp_contexts contexts;
  tp_contexts_init(&contexts);
  tp_context in_main = tp_context_root(&contexts, b.p->main, 0);
  tp_steps *s = tp_steps_new(b.p, &contexts);
  tp_step_list l = {0};
  tp_steps_from(s, through, in_main, &l);
  assert_int_equal(l.list.n, 3);  // not `wide`: it has a parameter
  assert_int_equal(steps_of_kind(&l, TP_STEP_CALL), 1);
  assert_int_equal(steps_of_kind(&l, TP_STEP_SUMMARY), 2);
  tp_steps_from(s, self_call, TP_CONTEXT_NONE, &l);
  assert_int_equal(steps_of_kind(&l, TP_STEP_SUMMARY), 1);
  tp_loc exit = tp_func_of(b.p, plain)->exit;
  tp_steps_from(s, exit, tp_context_push(&contexts, in_main, call_edge, plain), &l);
  assert_int_equal(steps_of_kind(&l, TP_STEP_RETURN), 1);
  tp_steps_from(s, exit, tp_context_root(&contexts, plain, 7), &l);
  assert_int_equal(l.list.n, 0);  // a root does not return
  tp_steps_from(s, tp_func_of(b.p, rec)->exit, TP_CONTEXT_NONE, &l);
  assert_int_equal(l.list.n, 0);
  tp_steps_from(s, TP_LOC_NONE, TP_CONTEXT_NONE, &l);
  assert_int_equal(steps_of_kind(&l, TP_STEP_RETURN), 1);
  assert_int_equal(steps_of_kind(&l, TP_STEP_SUMMARY), 3);
  assert_int_equal(steps_of_kind(&l, TP_STEP_CALL), 1);
  tp_vec_clear(&l.list);
  tp_steps_free(s);
  tp_contexts_clear(&contexts);
  build_free(&b);
}

static void contexts_are_interned(void **state) {
  (void)state;
  tp_contexts c;
  tp_contexts_init(&c);
  tp_context root = tp_context_root(&c, (tp_func){1}, 0),
             other = tp_context_root(&c, (tp_func){1}, 1);
  assert_int_not_equal(root.id, other.id);
  tp_context a = tp_context_push(&c, root, (tp_edge){5}, (tp_func){2});
  assert_int_equal(tp_context_push(&c, root, (tp_edge){5}, (tp_func){2}).id, a.id);
  assert_int_not_equal(tp_context_push(&c, root, (tp_edge){5}, (tp_func){3}).id, a.id);
  assert_int_not_equal(tp_context_push(&c, other, (tp_edge){5}, (tp_func){2}).id, a.id);
  assert_int_equal(tp_context_of(&c, a)->depth, 2);
  assert_true(tp_context_has(&c, a, (tp_func){1}) && tp_context_has(&c, a, (tp_func){2}) &&
              !tp_context_has(&c, a, (tp_func){3}));
  tp_contexts_clear(&c);
  assert_int_equal(tp_live_bytes(), 0);
}

// --------------------------------------------------------------------- contracts

/* main calls f, f calls itself and g; g is not recursive, and has an error. Without values: the
 * error and main's exit are reached. */
static void recursion_of_locations(void **state) {
  (void)state;
  static const char *const texts[] = {"analysis = location", "analysis = location callstack",
                                      "analysis = location callstack path\npath.interrupt = none"};
  for (size_t i = 0; i < 3; i++) {
    build b = build_new(64);
    tp_func g = build_func(&b, "g", (tp_sort){0});
    tp_var y = build_var(&b, "y", tp_sort_bool(b.tt));
    build_assert(&b, build_term(&b, y));
    tp_loc error = {(uint32_t)b.p->locs.n - 1};
    build_return(&b, TP_TERM_NONE);
    tp_func f = build_func(&b, "f", (tp_sort){0});
    tp_var x = build_var(&b, "x", tp_sort_bool(b.tt));
    tp_loc no = build_branch(&b, build_term(&b, x));
    call(&b, f);
    call(&b, g);
    build_return(&b, TP_TERM_NONE);
    b.at = no;
    build_return(&b, TP_TERM_NONE);
    build_func(&b, "main", (tp_sort){0});
    call(&b, f);
    build_return(&b, TP_TERM_NONE);
    build_done(&b);
    analysis *a = analyse(&b, texts[i]);
    run_to_end(a);
    assert_true(is_reached(a, error));
    assert_true(is_reached(a, b.exit));
    assert_int_equal(tp_recursion_n(a->r), 1);
    const tp_contract *c = tp_recursion_contract(a->r, 1);
    assert_int_equal(c->func.id, f.id);
    assert_int_equal(c->exits.n, 1);
    tp_summaries s = {0};
    tp_recursion_summaries(a->r, "test", &s);
    assert_int_equal(tp_summaries_next(&s, f, 0), 1);
    assert_true(tp_is_true(b.tt, s.list.at[1].pre) && tp_is_true(b.tt, s.list.at[1].post) &&
                s.list.at[1].returns);
    tp_summaries_clear(&s);
    tp_str dot = {0};
    tp_reached_print_dot(a->reached, &dot);
    assert_non_null(strstr(tp_str_text(&dot), "whole"));
    tp_str_clear(&dot);
    done(a);
    build_free(&b);
  }
}

/* A recursive function that never returns: nothing behind its call is reached. */
static void recursion_without_end(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func f = build_func(&b, "f", (tp_sort){0});
  call(&b, f);
  build_return(&b, TP_TERM_NONE);
  build_func(&b, "main", (tp_sort){0});
  call(&b, f);
  tp_loc behind = b.at;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  analysis *a = analyse(&b, "analysis = location callstack");
  run_to_end(a);
  assert_false(is_reached(a, behind));
  tp_summaries s = {0};
  tp_recursion_summaries(a->r, "test", &s);
  assert_false(s.list.at[1].returns);
  assert_true(tp_is_false(b.tt, s.list.at[1].post));
  tp_summaries_clear(&s);
  done(a);
  build_free(&b);
}

/* Without the loop over contracts, the plain algorithm is sound too: any state comes back, the body
 * is looked at. */
static void plain_run_of_a_recursive_program(void **state) {
  (void)state;
  build b = build_new(64);
  tp_func f = build_func(&b, "f", (tp_sort){0});
  tp_var x = build_var(&b, "x", tp_sort_bool(b.tt));
  build_assert(&b, build_term(&b, x));
  tp_loc error = {(uint32_t)b.p->locs.n - 1};
  call(&b, f);
  build_return(&b, TP_TERM_NONE);
  build_func(&b, "main", (tp_sort){0});
  call(&b, f);
  tp_loc behind = b.at;
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  analysis *a = analyse(&b, "analysis = location callstack");
  tp_reached *r = tp_reached_new(a->c->cpa, TP_WAIT_BFS);
  tp_context root = tp_context_root(&a->c->contexts, b.p->main, 0);
  (void)tp_reached_add_initial(
      r, a->c->cpa->ops->initial(a->c->cpa, tp_func_of(b.p, b.p->main)->entry, root));
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  bool saw_error = false, saw_behind = false;
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    saw_error |= tp_reached_node(r, i)->loc.id == error.id;
    saw_behind |= tp_reached_node(r, i)->loc.id == behind.id;
  }
  assert_true(saw_error && saw_behind);
  tp_reached_free(r);
  done(a);
  build_free(&b);
}

// ---------------------------------------------------------------------- settings

static void settings_are_checked(void **state) {
  (void)state;
  static const struct {
    const char *name, *value, *why;
  } cases[] = {{"path.interrupt", "never", "error or none"},
               {"path.interupt", "none", "no setting interupt"},
               {"path.stop", "join", "not exact"},
               {"path.merge", "jion", "sep or join"},
               {"location.merge", "whatever", NULL},
               {"path.merge", "join", NULL}};
  build b = build_new(64);
  build_func(&b, "main", (tp_sort){0});
  build_return(&b, TP_TERM_NONE);
  build_done(&b);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_setting s = {cases[i].name, cases[i].value};
    tp_cpa_env env = {.program = b.p,
                      .terms = b.tt,
                      .property = TP_P_UNREACH_CALL,
                      .settings = &s,
                      .n_settings = 1};
    tp_str why = {0};
    tp_cpa *cpa = tp_cpa_open(tp_analysis_find("path"), &env, &why);
    assert_int_equal(cpa != NULL, cases[i].why == NULL);
    if (cases[i].why && !strstr(tp_str_text(&why), cases[i].why)) fail_msg("%s", tp_str_text(&why));
    tp_cpa_close(cpa);
    tp_str_clear(&why);
  }
  build_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F34_location_alone_finds_unreachable_code),
      cmocka_unit_test(F34_call_strings_separate_returns),
      cmocka_unit_test(F61_path_of_the_first_error_state),
      cmocka_unit_test(F61_another_precision_lets_it_go),
      cmocka_unit_test(waitlist_orders),
      cmocka_unit_test(steps_of_calls),
      cmocka_unit_test(contexts_are_interned),
      cmocka_unit_test(recursion_of_locations),
      cmocka_unit_test(recursion_without_end),
      cmocka_unit_test(plain_run_of_a_recursive_program),
      cmocka_unit_test(settings_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
