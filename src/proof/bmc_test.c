// Bounded model checking of programs built by hand: verdict and certificate of each.
#include "engine/engine.h"
#include "engine/unrolling.h"

#include "exec/testing.h"
#include "proof/proof_engines.h"

enum { W = 32 };

static tp_sort int_sort(const build *b) { return tp_sort_bv(b->tt, W); }
static tp_term num(const build *b, int64_t n) { return bv(b, W, n); }
static tp_term add(const build *b, tp_term x, tp_term y) {
  return tp_mk2(b->tt, TP_OP_BV_ADD, x, y);
}
static tp_term less(const build *b, tp_term x, tp_term y) {
  return tp_mk2(b->tt, TP_OP_BV_SLT, x, y);
}

static void havoc(build *b, tp_var v) {
  build_edge(b,
             (tp_edge_info){.kind = TP_E_HAVOC, .var = v, .input = TP_I_NONDET, .name = "nondet"});
}
static void assume(build *b, tp_term c) {
  build_edge(b, (tp_edge_info){.kind = TP_E_ASSUME, .a = c});
}
static void back_to(build *b, tp_loc head, tp_loc on) {
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  b->at = on;
}
static void load(build *b, tp_var v, tp_term p) {
  build_edge(b, (tp_edge_info){.kind = TP_E_LOAD, .var = v, .a = p});
}
static void store(build *b, tp_term p, tp_term v) {
  build_edge(b, (tp_edge_info){.kind = TP_E_STORE, .a = p, .b = v});
}
static tp_term at_index(const build *b, tp_term p, tp_term i, int64_t size) {
  tp_term wide = tp_mk_sext(b->tt, tp_terms_ptr_bits(b->tt), i);
  return tp_mk_ptr_add(b->tt, p, tp_mk2(b->tt, TP_OP_BV_MUL, wide, bv(b, 64, size)));
}
static tp_var alloc(build *b, const char *name, tp_object_kind kind, tp_term size, tp_term fill) {
  tp_var v = build_var(b, name, tp_sort_ptr(b->tt));
  build_edge(
      b,
      (tp_edge_info){
          .kind = TP_E_ALLOC, .var = v, .a = size, .b = fill, .object_kind = kind, .name = name});
  return v;
}

// ------------------------------------------------------------------- programs

/* sum of 0..n-1 by a loop; n fixed: unrolls without counting. */
static void constant_loop(build *b, int64_t wrong) {
  tp_var i = build_var(b, "i", int_sort(b)), s = build_var(b, "s", int_sort(b));
  build_assign(b, i, num(b, 0));
  build_assign(b, s, num(b, 0));
  tp_loc head = b->at, out = build_branch(b, less(b, build_term(b, i), num(b, 50)));
  build_assign(b, s, add(b, build_term(b, s), build_term(b, i)));
  build_assign(b, i, add(b, build_term(b, i), num(b, 1)));
  back_to(b, head, out);
  build_assert(b, tp_mk_eq(b->tt, build_term(b, s), num(b, 1225 + wrong)));
}

/* n input below 6: the loop is exhausted by asking the solver. */
static void symbolic_loop(build *b, int64_t wrong) {
  tp_var i = build_var(b, "i", int_sort(b)), n = build_var(b, "n", int_sort(b));
  havoc(b, n);
  assume(b, less(b, num(b, 0), build_term(b, n)));
  assume(b, less(b, build_term(b, n), num(b, 6)));
  build_assign(b, i, num(b, 0));
  tp_loc head = b->at, out = build_branch(b, less(b, build_term(b, i), build_term(b, n)));
  build_assign(b, i, add(b, build_term(b, i), num(b, 1)));
  back_to(b, head, out);
  build_assert(b, less(b, build_term(b, i), num(b, 6 - wrong)));
}

static void endless_loop(build *b, int64_t wrong) {
  tp_var x = build_var(b, "x", int_sort(b)), y = build_var(b, "y", int_sort(b));
  build_assign(b, x, num(b, 0));
  tp_loc head = b->at;
  havoc(b, y);
  tp_loc same = build_branch(b, tp_mk_eq(b->tt, build_term(b, y), num(b, 77)));
  tp_loc yes = b->at;
  build_assign(b, x, add(b, build_term(b, x), num(b, wrong)));
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = same});
  (void)yes;
  build_assert(b, less(b, build_term(b, x), num(b, 5)));
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = head});
  b->at = b->exit;
}

/* p = c ? &a : &b; *p = 7; the other one keeps its value. */
static void two_objects(build *b, int64_t wrong) {
  tp_sort ptr = tp_sort_ptr(b->tt);
  tp_var c = build_var(b, "c", int_sort(b)), p = build_var(b, "p", ptr),
         v = build_var(b, "v", int_sort(b));
  tp_var w = build_var(b, "w", int_sort(b));
  tp_var a = alloc(b, "a", TP_O_STACK, bv(b, 64, 4), bv(b, 8, 0)),
         d = alloc(b, "d", TP_O_STACK, bv(b, 64, 4), bv(b, 8, 0));
  havoc(b, c);
  tp_term chosen = tp_mk_eq(b->tt, build_term(b, c), num(b, 1));
  build_assign(b, p, tp_mk_ite(b->tt, chosen, build_term(b, a), build_term(b, d)));
  store(b, build_term(b, p), num(b, 7));
  load(b, v, build_term(b, a));
  load(b, w, build_term(b, d));
  build_assert(b, tp_mk_eq(b->tt, add(b, build_term(b, v), build_term(b, w)), num(b, 7 + wrong)));
}

/* a[i] = i for a symbolic i in range; reading it back gives i, a neighbour keeps 0. */
static void array_of(build *b, int64_t wrong, int64_t n) {
  tp_var i = build_var(b, "i", int_sort(b)), v = build_var(b, "v", int_sort(b)),
         w = build_var(b, "w", int_sort(b));
  tp_var a = alloc(b, "a", TP_O_HEAP, bv(b, 64, 4 * n), bv(b, 8, 0));
  havoc(b, i);
  assume(b, tp_mk2(b->tt, TP_OP_BV_ULT, build_term(b, i), num(b, n - 1)));
  store(b, at_index(b, build_term(b, a), build_term(b, i), 4), add(b, build_term(b, i), num(b, 1)));
  load(b, v, at_index(b, build_term(b, a), build_term(b, i), 4));
  load(b, w, at_index(b, build_term(b, a), add(b, build_term(b, i), num(b, 1)), 4));
  tp_term fine = tp_mk_and(
      b->tt, tp_mk_eq(b->tt, build_term(b, v), add(b, build_term(b, i), num(b, 1 + wrong))),
      tp_mk_eq(b->tt, build_term(b, w), num(b, 0)));
  build_assert(b, fine);
}
static void small_array(build *b, int64_t wrong) { array_of(b, wrong, 10); }
static void large_array(build *b, int64_t wrong) { array_of(b, wrong, 1000); }

/* Uninitialised memory is the same each time it is read; through different cuts. */
static void unknown_content(build *b, int64_t wrong) {
  tp_var v = build_var(b, "v", int_sort(b)), lo = build_var(b, "lo", tp_sort_bv(b->tt, 8));
  tp_var a = alloc(b, "a", TP_O_STACK, bv(b, 64, 8), TP_TERM_NONE);
  load(b, v, build_term(b, a));
  load(b, lo, build_term(b, a));
  tp_term same = tp_mk_eq(b->tt, tp_mk_trunc(b->tt, 8, build_term(b, v)), build_term(b, lo));
  build_assert(b,
               wrong ? tp_mk_not(b->tt, tp_mk_eq(b->tt, build_term(b, v), num(b, 1234567))) : same);
}

/* Pointer stored in memory and read back; the object behind it copied as a block. */
static void pointer_in_memory(build *b, int64_t wrong) {
  tp_sort ptr = tp_sort_ptr(b->tt);
  tp_var v = build_var(b, "v", int_sort(b)), q = build_var(b, "q", ptr),
         r = build_var(b, "r", int_sort(b));
  tp_var a = alloc(b, "a", TP_O_HEAP, bv(b, 64, 4), TP_TERM_NONE);
  tp_var s = alloc(b, "s", TP_O_STACK, bv(b, 64, 16), TP_TERM_NONE),
         t = alloc(b, "t", TP_O_STACK, bv(b, 64, 16), TP_TERM_NONE);
  havoc(b, v);
  store(b, build_term(b, a), build_term(b, v));
  store(b, build_term(b, s), build_term(b, a));
  build_edge(
      b, (tp_edge_info){
             .kind = TP_E_COPY, .a = build_term(b, t), .b = build_term(b, s), .c = bv(b, 64, 16)});
  load(b, q, build_term(b, t));
  load(b, r, build_term(b, q));
  build_assert(b, tp_mk_eq(b->tt, build_term(b, r), add(b, build_term(b, v), num(b, wrong))));
}

/* A byte stored where a word is read: the word's other bytes come from below the store, and nothing
 * lies behind. */
static void short_cell_in_wide_read(build *b, int64_t wrong) {
  tp_var v = build_var(b, "v", int_sort(b)),
         a = alloc(b, "a", TP_O_STACK, bv(b, 64, 12), bv(b, 8, 1));
  tp_term at = tp_mk_ptr_add(b->tt, build_term(b, a), bv(b, 64, 8));
  store(b, at, bv(b, 8, 7));
  load(b, v, at);
  build_assert(b, tp_mk_eq(b->tt, build_term(b, v), num(b, 0x01010107 + wrong)));
}

/* A branch on an address: the run takes another one than the model may have chosen, and asks for
 * one input more. */
static void branch_on_address(build *b, int64_t wrong) {
  tp_var v = build_var(b, "v", int_sort(b)),
         a = alloc(b, "a", TP_O_STACK, bv(b, 64, 16), bv(b, 8, 0));
  tp_term address = tp_mk_trunc(b->tt, W, tp_mk1(b->tt, TP_OP_PTR_TO_INT, build_term(b, a)));
  tp_loc other = build_branch(b, tp_mk_eq(b->tt, address, num(b, 0))), join = b->at;
  b->at = other;
  havoc(b, v);
  build_edge(b, (tp_edge_info){.kind = TP_E_SKIP, .to = join});
  build_assert(b, tp_mk_bool(b->tt, !wrong));
}

/* fact(n) recursively, n < 5 an input. */
static void recursion(build *b, int64_t wrong) {
  tp_func outer = b->func;
  tp_loc at = b->at, exit = b->exit;
  tp_func f = build_func(b, "count", int_sort(b));
  tp_var n = build_param(b, "n", int_sort(b)), r = build_var(b, "r", int_sort(b));
  tp_loc zero = build_branch(b, less(b, num(b, 0), build_term(b, n)));
  tp_term *inner = tp_arena_array(&b->p->arena, tp_term, 1);
  inner[0] = add(b, build_term(b, n), num(b, -1));
  build_edge(b,
             (tp_edge_info){.kind = TP_E_CALL, .var = r, .callee = f, .args = inner, .n_args = 1});
  build_return(b, add(b, build_term(b, r), build_term(b, n)));
  b->at = zero;
  build_return(b, num(b, 0));
  b->func = outer, b->at = at, b->exit = exit;
  tp_var x = build_var(b, "x", int_sort(b)), y = build_var(b, "y", int_sort(b));
  havoc(b, x);
  assume(b, tp_mk2(b->tt, TP_OP_BV_ULT, build_term(b, x), num(b, 5)));
  tp_term *arg = tp_arena_array(&b->p->arena, tp_term, 1);
  arg[0] = build_term(b, x);
  build_edge(b, (tp_edge_info){.kind = TP_E_CALL, .var = y, .callee = f, .args = arg, .n_args = 1});
  build_assert(b, less(b, build_term(b, y), num(b, 11 - wrong)));
}

/* An invalid read ends the run: what is behind it cannot fail. */
static void invalid_ends(build *b, int64_t wrong) {
  tp_var v = build_var(b, "v", int_sort(b));
  tp_var a = alloc(b, "a", TP_O_HEAP, bv(b, 64, 4), bv(b, 8, 0));
  build_edge(b, (tp_edge_info){.kind = TP_E_FREE, .a = build_term(b, a)});
  if (!wrong) load(b, v, build_term(b, a));
  build_assert(b, tp_mk_false(b->tt));
}

// ----------------------------------------------------------------------- table

typedef struct {
  const char *name;
  void (*make)(build *b, int64_t wrong);
  tp_verdict right;  // of the program with wrong == 0; with wrong == 1 it is FALSE
} row;
static const row rows[] = {
    {"constant_loop", constant_loop, TP_VERDICT_TRUE},
    {"symbolic_loop", symbolic_loop, TP_VERDICT_TRUE},
    {"endless_loop", endless_loop, TP_VERDICT_UNKNOWN},
    {"two_objects", two_objects, TP_VERDICT_TRUE},
    {"small_array", small_array, TP_VERDICT_TRUE},
    {"large_array", large_array, TP_VERDICT_TRUE},
    {"unknown_content", unknown_content, TP_VERDICT_TRUE},
    {"pointer_in_memory", pointer_in_memory, TP_VERDICT_TRUE},
    {"short_cell_in_wide_read", short_cell_in_wide_read, TP_VERDICT_TRUE},
    {"branch_on_address", branch_on_address, TP_VERDICT_TRUE},
    {"recursion", recursion, TP_VERDICT_TRUE},
    {"invalid_ends", invalid_ends, TP_VERDICT_TRUE},
};

static void check_certificate(const tp_program *p, const tp_result *r) {
  tp_unrolling u;
  tp_unrolling_init(&u);
  tp_str why = {0}, again = {0};
  if (tp_unrolling_read(tp_str_text(&r->certificate), p, &u, &why) != TP_OK)
    fail_msg("%s", tp_str_text(&why));
  tp_unrolling_write(&u, p, &again);
  assert_string_equal(tp_str_text(&again), tp_str_text(&r->certificate));
  tp_unrolling_clear(&u);
  tp_str_clear(&why);
  tp_str_clear(&again);
}

/* The inputs alone lead to the error: none is missing. */
static void check_inputs(const tp_program *p, const tp_result *r) {
  tp_vector_oracle state = {.in = &r->inputs};
  tp_oracle oracle = tp_oracle_of_vector(&state);
  tp_run_result run = tp_exec_main(p, &oracle, (tp_run_limits){.steps = 1000000}, NULL);
  assert_int_equal(run.end, TP_END_ERROR);
}

static void run_row(const row *w, int64_t wrong) {
  build b = build_new(64);
  build_func(&b, "main", int_sort(&b));
  w->make(&b, wrong);
  if (b.at.id != b.exit.id) build_return(&b, num(&b, 0));
  build_done(&b);
  tp_task task = {.program = b.p, .property = TP_P_UNREACH_CALL, .bmc_max_unroll = 16};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  tp_engine_bmc.run(&task, &(tp_budget){.cpu_s = 20}, &stats, &r);
  tp_verdict expect = wrong ? TP_VERDICT_FALSE : w->right;
  if (r.verdict != expect) {
    tp_str dump = {0};
    tp_program_print(b.p, &dump);
    fail_msg("%s, wrong = %d: verdict %d, expected %d (%s)\n%s", w->name, (int)wrong, r.verdict,
             expect, r.reason ? r.reason : "", tp_str_text(&dump));
  }
  if (r.verdict == TP_VERDICT_TRUE) check_certificate(b.p, &r);
  if (r.verdict == TP_VERDICT_FALSE) check_inputs(b.p, &r);
  tp_result_clear(&r);
  build_free(&b);
}

static void verdicts(void **unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int64_t wrong = 0; wrong < 2; wrong++) run_row(&rows[i], wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
