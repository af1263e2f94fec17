// The refinement loop: pairs of programs of which one is safe and one is not; what is refined; the
// graph of the thesis that the printed refinement gets wrong.
#include "proof/cegar.h"
#include "proof/configurations.h"
#include "engine/invariants.h"

#include "exec/testing.h"
#include "proof/proof_engines.h"

typedef struct {
  build b;
  tp_sort s32;
} model;

static model model_new(void) {
  model m = {.b = build_new(64)};
  m.s32 = tp_sort_bv(m.b.tt, 32);
  return m;
}
static tp_term num(model *m, int64_t v) { return bv(&m->b, 32, v); }
static tp_term val(model *m, tp_var v) { return build_term(&m->b, v); }
static tp_term eq(model *m, tp_var v, int64_t value) {
  return tp_mk_eq(m->b.tt, val(m, v), num(m, value));
}
static tp_term plus(model *m, tp_var v, int64_t k) {
  return tp_mk2(m->b.tt, TP_OP_BV_ADD, val(m, v), num(m, k));
}
static void set(model *m, tp_var v, tp_term t) { build_assign(&m->b, v, t); }
static void input(model *m, tp_var v) {
  build_edge(&m->b, (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .name = "input"});
}
static void go(model *m, tp_loc to) {
  build_edge(&m->b, (tp_edge_info){.kind = TP_E_SKIP, .to = to});
}
static tp_var local(model *m, const char *name) { return build_var(&m->b, name, m->s32); }
static void end(model *m) {
  build_return(&m->b, TP_TERM_NONE);
  build_done(&m->b);
}

// ------------------------------------------------------------------ the programs

/* do { assert(!lock); lock = 1; old = new; if (input) { lock = 0; new++ } } while (new != old) with
 * flags in place of sums. */
static model lock_unlock(bool good) {
  model m = model_new();
  build_func(&m.b, "main", (tp_sort){0});
  tp_var lock = local(&m, "lock"), again = local(&m, "again"), in = local(&m, "in");
  set(&m, lock, num(&m, 0));
  tp_loc head = m.b.at;
  build_assert(&m.b, eq(&m, lock, 0));
  set(&m, lock, num(&m, 1));
  set(&m, again, num(&m, 0));
  input(&m, in);
  tp_loc no = build_branch(&m.b, eq(&m, in, 7));
  set(&m, lock, num(&m, good ? 0 : 1));
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = again, .a = num(&m, 1), .to = no});
  m.b.at = no;
  tp_loc out = build_branch(&m.b, eq(&m, again, 1));
  go(&m, head);
  m.b.at = out;
  end(&m);
  return m;
}

/* x = 0, y = 3; while (input) x = 1 - x; assert(x != 2 && y == 3) */
static model toggle(bool good) {
  model m = model_new();
  build_func(&m.b, "main", (tp_sort){0});
  tp_var x = local(&m, "x"), y = local(&m, "y"), in = local(&m, "in");
  set(&m, x, num(&m, 0));
  set(&m, y, num(&m, 3));
  tp_loc head = m.b.at;
  input(&m, in);
  tp_loc out = build_branch(&m.b, eq(&m, in, 1));
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_ASSIGN,
                                  .var = x,
                                  .a = tp_mk_sub(m.b.tt, num(&m, good ? 1 : 2), val(&m, x)),
                                  .to = head});
  m.b.at = out;
  build_assert(&m.b, tp_mk_and(m.b.tt, tp_mk_not(m.b.tt, eq(&m, x, 2)), eq(&m, y, 3)));
  end(&m);
  return m;
}

/* for (i = 0; i != 4; i++) noise = input; assert(i == 4 or 5) */
static model counted(bool good) {
  model m = model_new();
  build_func(&m.b, "main", (tp_sort){0});
  tp_var i = local(&m, "i"), noise = local(&m, "noise");
  set(&m, i, num(&m, 0));
  tp_loc head = m.b.at, out = build_branch(&m.b, tp_mk_not(m.b.tt, eq(&m, i, 4)));
  input(&m, noise);
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = i, .a = plus(&m, i, 1), .to = head});
  m.b.at = out;
  build_assert(&m.b, eq(&m, i, good ? 4 : 5));
  end(&m);
  return m;
}

/* flag = same(1); the callee gives back what it gets; another call gets an input. */
static model called(bool good) {
  model m = model_new();
  tp_func same = build_func(&m.b, "same", m.s32);
  tp_var n = build_param(&m.b, "n", m.s32);
  build_return(&m.b, val(&m, n));
  build_func(&m.b, "main", (tp_sort){0});
  tp_var flag = local(&m, "flag"), in = local(&m, "in");
  input(&m, in);
  tp_term args[2] = {num(&m, 1), val(&m, in)};
  build_edge(&m.b,
             (tp_edge_info){
                 .kind = TP_E_CALL, .var = flag, .callee = same, .args = &args[0], .n_args = 1});
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_CALL,
                                  .var = good ? in : flag,
                                  .callee = same,
                                  .args = &args[1],
                                  .n_args = 1});
  build_assert(&m.b, eq(&m, flag, 1));
  end(&m);
  return m;
}

/* A global that a nested loop puts back; the outer loop turns as long as the input wants. */
static model nested(bool good) {
  model m = model_new();
  tp_var g = build_global(&m.b, "g", m.s32, num(&m, 2));
  build_func(&m.b, "main", (tp_sort){0});
  tp_var in = local(&m, "in"), k = local(&m, "k");
  tp_loc outer = m.b.at;
  input(&m, in);
  tp_loc out = build_branch(&m.b, eq(&m, in, 0));
  set(&m, k, num(&m, 0));
  set(&m, g, num(&m, 1));
  tp_loc inner = m.b.at, done = build_branch(&m.b, tp_mk_not(m.b.tt, eq(&m, k, 3)));
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = k, .a = plus(&m, k, 1), .to = inner});
  m.b.at = done;
  set(&m, g, good ? plus(&m, k, -1) : plus(&m, k, -2));
  go(&m, outer);
  m.b.at = out;
  build_assert(&m.b, eq(&m, g, 2));
  end(&m);
  return m;
}

/* A cell of a static, written and read through a pointer; beside it a cell with inputs. */
static model cell(bool good) {
  model m = model_new();
  tp_program *p = m.b.p;
  uint32_t o = tp_program_add_static(
      p, (tp_static){.name = "cells", .kind = TP_O_GLOBAL, .size_bytes = 8, .align_bytes = 4});
  build_func(&m.b, "main", (tp_sort){0});
  tp_var in = local(&m, "in"), x = local(&m, "x");
  tp_term first = tp_mk_ptr_const(m.b.tt, o, 0), second = tp_mk_ptr_const(m.b.tt, o, 4);
  input(&m, in);
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_STORE, .a = first, .b = num(&m, 5)});
  build_edge(&m.b,
             (tp_edge_info){.kind = TP_E_STORE, .a = good ? second : first, .b = val(&m, in)});
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_LOAD, .var = x, .a = first});
  build_assert(&m.b, eq(&m, x, 5));
  end(&m);
  return m;
}

static const struct {
  const char *name;
  model (*make)(bool good);
} pairs[] = {{"lock and unlock", lock_unlock}, {"toggle", toggle},
             {"counted loop", counted},        {"calls", called},
             {"nested loops", nested},         {"memory", cell}};

// ------------------------------------------------------------------------- runs

static tp_result run(const model *m, const char *text, tp_stats *stats) {
  tp_task task = {.program = m->b.p, .property = TP_P_UNREACH_CALL, .composition = text};
  tp_budget budget = {.steps = 20000};
  tp_result r;
  tp_result_init(&r);
  tp_engine_cegar.run(&task, &budget, stats, &r);
  tp_result_write_invariants(&r, m->b.p);
  return r;
}

typedef enum { ANYHOW, REFINED } how;
static void check_pair(const char *name, model (*make)(bool good), const char *text, how at_least) {
  for (int good = 0; good <= 1; good++) {
    model m = make(good);
    tp_stats stats = {0};
    tp_result r = run(&m, text, &stats);
    tp_verdict expected = good ? TP_VERDICT_TRUE : TP_VERDICT_FALSE;
    if (r.verdict != expected)
      fail_msg("%s, %s (%s): %s", name, text, good ? "safe" : "broken",
               r.reason ? r.reason : "the other verdict");
    if (good && at_least == REFINED) assert_true(stats.refinements > 0);
    tp_result_clear(&r);
    build_free(&m.b);
  }
}

static void values_are_tracked_where_they_are_needed(void **state) {
  (void)state;
#define TRACKED(scope) \
  "analysis = location callstack value\nwaitlist = bfs\nvalue.precision = " scope "\n"
  static const char *const texts[] = {TRACKED("location"), TRACKED("function"), TRACKED("global")};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    for (size_t k = 0; k < 3; k++) check_pair(pairs[i].name, pairs[i].make, texts[k], REFINED);
}

/* x = y = 0; while (input) { x++; y++ } assert(x == y), or y += 2 once in the broken one. */
static model same_pace(bool good) {
  model m = model_new();
  build_func(&m.b, "main", (tp_sort){0});
  tp_var x = local(&m, "x"), y = local(&m, "y"), in = local(&m, "in");
  set(&m, x, num(&m, 0));
  set(&m, y, num(&m, good ? 0 : 2));
  tp_loc head = m.b.at;
  input(&m, in);
  tp_loc out = build_branch(&m.b, eq(&m, in, 1));
  set(&m, x, plus(&m, x, 1));
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = y, .a = plus(&m, y, 1), .to = head});
  m.b.at = out;
  build_assert(&m.b, tp_mk_eq(m.b.tt, val(&m, x), val(&m, y)));
  end(&m);
  return m;
}

/* n = input; i = 0; while (i < n) i++; assert(i <= n), or i < n. */
static model bounded(bool good) {
  model m = model_new();
  build_func(&m.b, "main", (tp_sort){0});
  tp_var n = local(&m, "n"), i = local(&m, "i");
  input(&m, n);
  set(&m, i, num(&m, 0));
  tp_loc head = m.b.at,
         out = build_branch(&m.b, tp_mk2(m.b.tt, TP_OP_BV_ULT, val(&m, i), val(&m, n)));
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = i, .a = plus(&m, i, 1), .to = head});
  m.b.at = out;
  build_assert(&m.b, tp_mk2(m.b.tt, good ? TP_OP_BV_ULE : TP_OP_BV_ULT, val(&m, i), val(&m, n)));
  end(&m);
  return m;
}

/* x = n, y = 0; while (x != 0) { x--; y++ } assert(y == n) or assert(y != 2) */
static model sum_stays(bool good) {
  model m = model_new();
  build_func(&m.b, "main", (tp_sort){0});
  tp_var n = local(&m, "n"), x = local(&m, "x"), y = local(&m, "y");
  input(&m, n);
  set(&m, x, val(&m, n));
  set(&m, y, num(&m, 0));
  tp_loc head = m.b.at, out = build_branch(&m.b, tp_mk_not(m.b.tt, eq(&m, x, 0)));
  set(&m, x, plus(&m, x, -1));
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = y, .a = plus(&m, y, 1), .to = head});
  m.b.at = out;
  build_assert(&m.b,
               good ? tp_mk_eq(m.b.tt, val(&m, y), val(&m, n)) : tp_mk_not(m.b.tt, eq(&m, y, 2)));
  end(&m);
  return m;
}

/* x = 0; while (input) x += 2; assert(x != 5), or != 4. */
static model parity(bool good) {
  model m = model_new();
  build_func(&m.b, "main", (tp_sort){0});
  tp_var x = local(&m, "x"), in = local(&m, "in");
  set(&m, x, num(&m, 0));
  tp_loc head = m.b.at;
  input(&m, in);
  tp_loc out = build_branch(&m.b, eq(&m, in, 1));
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = x, .a = plus(&m, x, 2), .to = head});
  m.b.at = out;
  build_assert(&m.b, tp_mk_not(m.b.tt, eq(&m, x, good ? 5 : 4)));
  end(&m);
  return m;
}

static const struct {
  const char *name;
  model (*make)(bool good);
} relations[] = {{"two counters at the same pace", same_pace},
                 {"a counter below its bound", bounded},
                 {"a sum that stays", sum_stays},
                 {"parity", parity}};

static void predicates_say_what_values_cannot(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    check_pair(pairs[i].name, pairs[i].make, tp_configuration_text("cegar"), ANYHOW);
  for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
    check_pair(relations[i].name, relations[i].make, tp_configuration_text("cegar"), ANYHOW);
}

/* Each source by itself; what it gives is enough for one of the programs at least. */
static void sources_are_choices(void **state) {
  (void)state;
  static const struct {
    const char *text;
    model (*make)(bool good);
  } rows[] = {{"mined", parity},
              {"mined wp", same_pace},
              {"wp", called},
              {"sp", called},
              {"atoms", bounded}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    model m = rows[i].make(true);
    tp_stats stats = {0};
    const char *text = tp_arena_printf(
        &m.b.p->arena, "analysis = location callstack predicate\nrefine.sources = %s\n",
        rows[i].text);
    tp_result r = run(&m, text, &stats);
    if (r.verdict != TP_VERDICT_TRUE) fail_msg("%s: %s", rows[i].text, r.reason);
    if (strcmp(rows[i].text, "mined") == 0) assert_int_equal(stats.refinements, 1);
    tp_result_clear(&r);
    build_free(&m.b);
  }
  model m = called(true);
  tp_stats stats = {0};
  tp_result r =
      run(&m, "analysis = location callstack predicate\nrefine.sources = guesses\n", &stats);
  assert_int_equal(r.verdict, TP_VERDICT_UNKNOWN);
  assert_non_null(strstr(r.reason, "guesses"));
  tp_result_clear(&r);
  build_free(&m.b);
}

/* Single edges as blocks, Boolean abstraction, everything of the path, whole formulas: other ways
 * to the same verdicts. */
static void blocks_abstraction_and_parts_are_choices(void **state) {
  (void)state;
#define PREDICATES "analysis = location callstack predicate\nmerge = join-on-location\n"
  static const char *const texts[] = {
      PREDICATES "predicate.blocks = edges\n",       PREDICATES "predicate.abstraction = boolean\n",
      PREDICATES "refine.prefixes = whole\n",        PREDICATES "refine.predicates = formulas\n",
      PREDICATES "predicate.precision = function\n", PREDICATES "refine.sources = sp wp\n"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    check_pair(texts[k], lock_unlock, texts[k], REFINED);
    check_pair(texts[k], called, texts[k], ANYHOW);
  }
}

/* `noise` is never tracked, so the loop of 1000 turns that changes it costs one element for each
 * value of what decides. */
static void what_does_not_matter_is_not_tracked(void **state) {
  (void)state;
  model m = model_new();
  build_func(&m.b, "main", (tp_sort){0});
  tp_var flag = local(&m, "flag"), noise = local(&m, "noise");
  set(&m, flag, num(&m, 1));
  set(&m, noise, num(&m, 0));
  tp_loc head = m.b.at, out = build_branch(&m.b, tp_mk_not(m.b.tt, eq(&m, noise, 1000)));
  build_edge(
      &m.b, (tp_edge_info){.kind = TP_E_ASSIGN, .var = noise, .a = plus(&m, noise, 1), .to = head});
  m.b.at = out;
  build_assert(&m.b, eq(&m, flag, 1));
  end(&m);
  tp_stats stats = {0};
  tp_result r = run(&m, tp_configuration_text("value-cegar"), &stats);
  assert_int_equal(r.verdict, TP_VERDICT_TRUE);
  assert_true(stats.abstract_states < 30);
  assert_true(stats.predicates > 0);
  tp_result_clear(&r);
  build_free(&m.b);
}

/* 0 -> 1 -> 11 -> 3 cannot be taken, 0 -> 2 -> 22 -> 222 -> 3 -> 33 -> 333 -> err can; in
 * breadth-first order the first way's element at 3 covers the second one's. Theoduloz 2010, sec.
 * 5.4.7: the refinement as printed answers that it is safe. */
static void F68_errors_behind_covered_elements_are_found(void **state) {
  (void)state;
  model m = model_new();
  build *b = &m.b;
  build_func(b, "main", (tp_sort){0});
  tp_var x = local(&m, "x"), in = local(&m, "in");
  input(&m, in);
  tp_loc l2 = build_branch(b, eq(&m, in, 0));
  set(&m, x, num(&m, 1));
  tp_loc l11 = b->at, no = build_branch(b, eq(&m, x, 0)), l3 = b->at;
  (void)l11;
  for (int i = 0; i < 2; i++) build_edge(b, (tp_edge_info){.kind = TP_E_SKIP});
  tp_loc err = build_error(b, TP_P_UNREACH_CALL);
  go(&m, err);
  b->at = no;
  build_return(b, TP_TERM_NONE);
  b->at = l2;
  set(&m, x, num(&m, 2));
  for (int i = 0; i < 2; i++) build_edge(b, (tp_edge_info){.kind = TP_E_SKIP});
  go(&m, l3);
  build_done(b);
  tp_stats stats = {0};
  tp_result r = run(&m, tp_configuration_text("value-cegar"), &stats);
  assert_int_equal(stats.refinements, 1);
  assert_int_equal(r.verdict, TP_VERDICT_FALSE);
  tp_result_clear(&r);
  build_free(b);
}

/* Formulas at the nodes themselves; a relation needs them at every node, a sum over inputs may not
 * end without a loop invariant. */
static void nodes_can_be_strengthened_where_they_stand(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i].make != nested && pairs[i].make != counted)
      check_pair(pairs[i].name, pairs[i].make, tp_configuration_text("impact"), ANYHOW);
  check_pair("a counter below its bound", bounded, tp_configuration_text("impact"), REFINED);
}

/* Contracts of a recursive function are made anew after a refinement; the proof names only those of
 * the end. */
static void contracts_are_made_anew(void **state) {
  (void)state;
  for (int good = 0; good <= 1; good++) {
    model m = model_new();
    tp_func g = build_func(&m.b, "g", m.s32);
    tp_var k = build_param(&m.b, "k", m.s32);
    tp_loc no = build_branch(&m.b, eq(&m, k, 0));
    build_return(&m.b, num(&m, 0));
    m.b.at = no;
    tp_term less = plus(&m, k, -1);
    build_edge(&m.b, (tp_edge_info){.kind = TP_E_CALL, .callee = g, .args = &less, .n_args = 1});
    build_return(&m.b, num(&m, 1));
    build_func(&m.b, "main", (tp_sort){0});
    tp_var x = local(&m, "x"), in = local(&m, "in");
    input(&m, in);
    set(&m, x, num(&m, 1));
    tp_term arg = val(&m, in);
    build_edge(&m.b, (tp_edge_info){.kind = TP_E_CALL, .callee = g, .args = &arg, .n_args = 1});
    if (!good) set(&m, x, val(&m, in));
    build_assert(&m.b, eq(&m, x, 1));
    end(&m);
    tp_stats stats = {0};
    tp_result r = run(&m, tp_configuration_text("value-cegar"), &stats);
    assert_int_equal(r.verdict, good ? TP_VERDICT_TRUE
                                     : TP_VERDICT_UNKNOWN);  // calls as a whole are not executed
    tp_invariants v;
    tp_str why = {0};
    tp_invariants_init(&v);
    const tp_str *text = good ? &r.certificate : &r.invariants_text;
    if (tp_invariants_read(tp_str_text(text), m.b.p, &v, &why) != TP_OK)
      fail_msg("%s", tp_str_text(&why));
    assert_true(stats.refinements > 0 || !good);
    tp_invariants_clear(&v);
    tp_result_clear(&r);
    build_free(&m.b);
  }
}

/* Words at 0 and at 2 share two bytes: what is written to one is read from the other. (Path
 * formulas once took them to be apart.) */
static void cells_may_lie_across_each_other(void **state) {
  (void)state;
  model m = model_new();
  uint32_t o = tp_program_add_static(
      m.b.p, (tp_static){.name = "bytes", .kind = TP_O_GLOBAL, .size_bytes = 8, .align_bytes = 4});
  build_func(&m.b, "main", (tp_sort){0});
  tp_var x = local(&m, "x");
  build_edge(&m.b,
             (tp_edge_info){
                 .kind = TP_E_STORE, .a = tp_mk_ptr_const(m.b.tt, o, 0), .b = num(&m, 0x50000)});
  build_edge(&m.b, (tp_edge_info){.kind = TP_E_LOAD, .var = x, .a = tp_mk_ptr_const(m.b.tt, o, 2)});
  build_assert(&m.b, tp_mk_not(m.b.tt, eq(&m, x, 5)));
  end(&m);
  tp_stats stats = {0};
  tp_result r = run(&m, tp_configuration_text("cegar"), &stats);
  assert_int_equal(r.verdict, TP_VERDICT_FALSE);
  tp_result_clear(&r);
  build_free(&m.b);
}

/* x == input - input is beyond values: the error stays, the reason says who failed, and the other
 * error is found all the same. */
static void what_cannot_be_refined_is_told(void **state) {
  (void)state;
  for (int both = 0; both <= 1; both++) {
    model m = model_new();
    build_func(&m.b, "main", (tp_sort){0});
    tp_var x = local(&m, "x"), y = local(&m, "y");
    input(&m, x);
    input(&m, y);
    tp_loc no = build_branch(&m.b, tp_mk2(m.b.tt, TP_OP_BV_ULT, val(&m, x), val(&m, y)));
    build_assert(&m.b, tp_mk_not(m.b.tt, tp_mk2(m.b.tt, TP_OP_BV_ULT, val(&m, y), val(&m, x))));
    go(&m, no);
    m.b.at = no;
    if (both) build_assert(&m.b, tp_mk_not(m.b.tt, eq(&m, x, 12)));
    end(&m);
    tp_stats stats = {0};
    tp_result r = run(&m, tp_configuration_text("value-cegar"), &stats);
    assert_int_equal(r.verdict, both ? TP_VERDICT_FALSE : TP_VERDICT_UNKNOWN);
    if (!both) assert_non_null(strstr(r.reason, "value: values alone do not exclude the path"));
    tp_result_clear(&r);
    build_free(&m.b);
  }
}

static void what_nobody_can_refine_is_told(void **state) {
  (void)state;
  model m = counted(true);
  tp_stats stats = {0};
  tp_result r = run(&m, "analysis = location callstack interval\n", &stats);
  if (r.verdict == TP_VERDICT_UNKNOWN)
    assert_non_null(strstr(r.reason, "no analysis of the configuration can be refined"));
  tp_result_clear(&r);
  r = run(&m, "analysis = location callstack sign\n", &stats);
  assert_int_equal(r.verdict, TP_VERDICT_UNKNOWN);
  assert_non_null(strstr(r.reason, "no analysis of the configuration can be refined"));
  tp_result_clear(&r);
  build_free(&m.b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_tracked_where_they_are_needed),
      cmocka_unit_test(what_does_not_matter_is_not_tracked),
      cmocka_unit_test(predicates_say_what_values_cannot),
      cmocka_unit_test(sources_are_choices),
      cmocka_unit_test(blocks_abstraction_and_parts_are_choices),
      cmocka_unit_test(F68_errors_behind_covered_elements_are_found),
      cmocka_unit_test(nodes_can_be_strengthened_where_they_stand),
      cmocka_unit_test(contracts_are_made_anew),
      cmocka_unit_test(cells_may_lie_across_each_other),
      cmocka_unit_test(what_cannot_be_refined_is_told),
      cmocka_unit_test(what_nobody_can_refine_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
