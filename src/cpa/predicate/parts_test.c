/* Which conjuncts belong together. That regions are the same with and without parts is what
 * predicate_test.c compares with enumeration. */
#include "cpa/predicate/parts.h"
#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct {
  tp_program *p;
  tp_terms *tt;
  tp_paths paths;
  tp_func f;
} scene;

static scene new_scene(void) {
  scene s = {.p = tp_program_new(NULL, 64)};
  s.tt = s.p->terms;
  s.f = s.p->main = func(s.p, "main");
  return s;
}
static tp_term local(scene *s, const char *name, tp_sort sort) {
  return term_of(s->p, var(s->p, s->f, name, sort, TP_TYPE_NONE));
}
static void finish(scene *s) {
  step(s->p, entry_of(s->p, s->f), exit_of(s->p, s->f));
  tp_program_finish(s->p);
  tp_paths_init(&s->paths, s->p);
}
static void free_scene(scene *s) {
  tp_paths_clear(&s->paths);
  tp_program_free(s->p);
}

static void conjuncts_that_share_variables_are_one_part(void **state) {
  (void)state;
  scene s = new_scene();
  tp_term v[5];
  for (int i = 0; i < 5; i++) v[i] = local(&s, (char[]){(char)('a' + i), 0}, bv_sort(s.p, 8));
  finish(&s);
  tp_term first = tp_mk2(s.tt, TP_OP_BV_ULT, v[0], v[1]),
          alone = tp_mk2(s.tt, TP_OP_BV_ULT, v[3], bv(s.p, 8, 9)),
          second = tp_mk2(s.tt, TP_OP_BV_ULT, v[1], v[2]);
  tp_term chain = tp_mk_and(s.tt, first, second),
          all = tp_mk_and(s.tt, tp_mk_and(s.tt, first, alone), second);
  tp_parts parts;
  tp_parts_init(&parts, &s.paths, all);
  for (int i = 0; i < 3; i++)
    assert_true(tp_term_eq(tp_parts_about(&parts, v[i]), chain));  // a and c: by way of b
  assert_true(tp_term_eq(tp_parts_about(&parts, v[3]), alone));
  assert_true(tp_is_true(s.tt, tp_parts_about(&parts, v[4])));
  tp_term both =
      tp_parts_about(&parts, tp_mk2(s.tt, TP_OP_BV_ULT, v[0], v[3]));  // it joins what was apart
  assert_true(tp_term_eq(both, tp_mk_and(s.tt, chain, alone)));
  tp_parts_clear(&parts);
  free_scene(&s);
}

static void pointers_and_memory_are_one_part(void **state) {
  (void)state;
  scene s = new_scene();
  tp_term p = local(&s, "p", ptr_sort(s.p)), q = local(&s, "q", ptr_sort(s.p)),
          n = local(&s, "n", bv_sort(s.p, 8));
  finish(&s);
  tp_term about_p = tp_mk_not(s.tt, tp_mk_eq(s.tt, p, tp_mk_ptr_const(s.tt, 0, 0))),
          about_n = tp_mk2(s.tt, TP_OP_BV_ULT, n, bv(s.p, 8, 3));
  tp_term next = tp_mk2(s.tt, TP_OP_BV_ULT, tp_mk_bv(s.tt, TP_OBJ_BITS, 9), s.paths.next);
  tp_parts parts;
  tp_parts_init(&parts, &s.paths, tp_mk_and(s.tt, tp_mk_and(s.tt, about_p, about_n), next));
  assert_true(tp_term_eq(tp_parts_about(&parts, q), tp_mk_and(s.tt, about_p, next)));
  assert_true(tp_term_eq(tp_parts_about(&parts, n), about_n));
  tp_parts_clear(&parts);
  free_scene(&s);
}

static void what_is_known_is_put_in(void **state) {
  (void)state;
  scene s = new_scene();
  tp_term x = local(&s, "x", bv_sort(s.p, 8)), y = local(&s, "y", bv_sort(s.p, 8)),
          z = local(&s, "z", bv_sort(s.p, 8));
  finish(&s);
  tp_term three = bv(s.p, 8, 3), sum = tp_mk2(s.tt, TP_OP_BV_ADD, x, y),
          small = tp_mk2(s.tt, TP_OP_BV_ULT, y, z);
  tp_term all = tp_mk_and(
      s.tt, tp_mk_and(s.tt, tp_mk_eq(s.tt, x, three), tp_mk_not(s.tt, tp_mk_eq(s.tt, sum, z))),
      small);
  tp_parts parts;
  tp_parts_init(&parts, &s.paths, all);
  assert_true(tp_term_eq(tp_parts_meaning(&parts, x), three));
  assert_true(tp_is_true(s.tt, tp_parts_meaning(&parts, small)));
  assert_true(
      tp_is_true(s.tt, tp_parts_meaning(&parts, tp_mk2(s.tt, TP_OP_BV_ULT, x, bv(s.p, 8, 4)))));
  assert_true(tp_is_true(s.tt, tp_parts_about(&parts, x)));  // nothing mentions it any more
  tp_term shifted = tp_mk_not(s.tt, tp_mk_eq(s.tt, tp_mk2(s.tt, TP_OP_BV_ADD, three, y), z));
  assert_true(tp_term_eq(tp_parts_about(&parts, y), tp_mk_and(s.tt, shifted, small)));
  tp_parts_clear(&parts);
  free_scene(&s);
}

/* Each alone is possible; what the first says of x makes the second false. */
static void contradictions_show(void **state) {
  (void)state;
  scene s = new_scene();
  tp_term x = local(&s, "x", bv_sort(s.p, 8)), y = local(&s, "y", bv_sort(s.p, 8)),
          four = bv(s.p, 8, 4);
  finish(&s);
  tp_term all = tp_mk_and(
      s.tt, tp_mk_eq(s.tt, y, four),
      tp_mk_and(s.tt, tp_mk_eq(s.tt, x, y), tp_mk_not(s.tt, tp_mk2(s.tt, TP_OP_BV_ULE, x, four))));
  tp_parts parts;
  bool is_false = false;
  tp_parts_init(&parts, &s.paths, all);
  for (size_t i = 0; i < parts.parts.n; i++) is_false |= tp_is_false(s.tt, parts.parts.at[i]);
  assert_true(is_false);
  tp_parts_clear(&parts);
  free_scene(&s);
}

static void a_constant_is_a_part(void **state) {
  (void)state;
  scene s = new_scene();
  tp_term n = local(&s, "n", bv_sort(s.p, 8));
  finish(&s);
  tp_parts parts;
  tp_parts_init(&parts, &s.paths, tp_mk_false(s.tt));
  assert_true(tp_is_false(s.tt, parts.parts.at[0]));
  assert_true(tp_is_true(s.tt, tp_parts_about(&parts, n)));
  tp_parts_clear(&parts);
  free_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conjuncts_that_share_variables_are_one_part),
      cmocka_unit_test(pointers_and_memory_are_one_part), cmocka_unit_test(what_is_known_is_put_in),
      cmocka_unit_test(contradictions_show), cmocka_unit_test(a_constant_is_a_part)};
  return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
