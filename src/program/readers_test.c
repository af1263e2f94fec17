/* Readers of variables, on a program of two functions and a call through a pointer. */
#include "program/readers.h"

#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static bool reads(const tp_readers *r, tp_var v, tp_edge e) {
  tp_edge_worklist todo = {0};
  size_t times = 0;
  tp_readers_push(r, v, &todo);
  for (size_t i = 0; i < todo.n; i++) times += todo.at[i] == e.id;
  tp_vec_clear(&todo);
  assert_true(times <= 1);
  return times == 1;
}

static void edges_are_listed_where_they_read(void **state) {
  (void)state;
  tp_program *p = tp_program_new(NULL, 64);
  tp_func f = func(p, "f"), main = p->main = func(p, "main");
  tp_var result = var(p, f, "result", bv_sort(p, 32), TP_TYPE_NONE);
  tp_var x = var(p, main, "x", bv_sort(p, 32), TP_TYPE_NONE);
  tp_var y = var(p, main, "y", bv_sort(p, 32), TP_TYPE_NONE);
  tp_var q = var(p, main, "q", ptr_sort(p), TP_TYPE_NONE);
  p->funcs.at[f.id].result = result;
  tp_loc at[7] = {entry_of(p, main)};
  for (int i = 1; i < 7; i++) at[i] = loc(p, main);
  tp_term twice = tp_mk2(p->terms, TP_OP_BV_MUL, term_of(p, x),
                         tp_mk2(p->terms, TP_OP_BV_XOR, term_of(p, x), term_of(p, y)));
  tp_edge to_y = assign(p, at[0], at[1], y, twice);
  tp_edge by_store = store(p, at[1], at[2], term_of(p, q), term_of(p, y));
  tp_edge by_call = call(p, at[2], at[3], f, (tp_term){0});
  tp_edge with_argument = call(p, at[3], at[4], f, (tp_term){0});
  tp_edge through = call(p, at[4], at[5], (tp_func){0}, term_of(p, q));
  tp_edge removed = assign(p, at[5], at[6], x, term_of(p, y));
  tp_term arguments[] = {term_of(p, x)};
  p->edges.at[with_argument.id].args = arguments;
  p->edges.at[with_argument.id].n_args = 1;
  p->edges.at[removed.id].from.id = 0;
  const struct {
    tp_var v;
    tp_edge e;
    bool is_read;
  } cases[] = {
      {x, to_y, true},          {y, to_y, true},     {q, to_y, false},         {x, by_store, false},
      {y, by_store, true},      {q, by_store, true}, {result, by_call, true},  {x, by_call, false},
      {x, with_argument, true}, {q, through, true},  {result, through, false}, {y, removed, false},
  };
  tp_readers r;
  tp_readers_init(&r, p);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (reads(&r, cases[i].v, cases[i].e) != cases[i].is_read) fail_msg("case %zu", i);
  assert_int_equal(r.through_pointer.n, 1);
  assert_int_equal(r.through_pointer.at[0], through.id);
  tp_readers_clear(&r);
  tp_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(edges_are_listed_where_they_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
