/* Foreign values: one program for each way that a value takes from outside to a variable `q`, and
 * its twin, where another value goes there. */
#include "certify/symbolic/foreign_values.h"

#include "program/build_test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

typedef struct {
  tp_program *p;
  tp_func main, f;  // f(param) returns its parameter's successor
  tp_var outside, own, q, param;
  tp_loc at;
} scene;

static tp_loc next(scene *s) { return s->at = loc(s->p, s->main); }

static tp_var global(scene *s, const char *name, tp_sort sort) {
  return tp_program_add_var(
      s->p, (tp_var_info){.name = name, .kind = TP_V_GLOBAL, .absence = TP_ABSENT}, sort);
}

static void scene_init(scene *s) {
  *s = (scene){.p = tp_program_new(NULL, 64)};
  s->f = func(s->p, "f");
  s->main = s->p->main = func(s->p, "main");
  s->param = var(s->p, s->f, "param", ptr_sort(s->p), TP_TYPE_NONE);
  tp_func_info *f = &s->p->funcs.at[s->f.id];
  f->params = &s->param;
  f->n_params = 1;
  f->result = var(s->p, s->f, "result", ptr_sort(s->p), TP_TYPE_NONE);
  give_back(s->p, f->entry, s->f, plus(s->p, term_of(s->p, s->param), 1));
  s->outside = global(s, "outside", ptr_sort(s->p));
  s->own = var(s->p, s->main, "own", ptr_sort(s->p), TP_TYPE_NONE);
  s->q = var(s->p, s->main, "q", ptr_sort(s->p), TP_TYPE_NONE);
  tp_loc from = entry_of(s->p, s->main);
  s->at = from;
  new_heap(s->p, from, next(s), s->own, 8);
}

static void call_f(scene *s, tp_func callee, tp_term through, tp_term argument) {
  tp_loc from = s->at;
  tp_edge e = call(s->p, from, next(s), callee, through);
  tp_term *args = tp_arena_array(&s->p->arena, tp_term, 1);
  args[0] = argument;
  s->p->edges.at[e.id].args = args;
  s->p->edges.at[e.id].n_args = 1;
  s->p->edges.at[e.id].var = s->q;
}

static void by_assignment(scene *s, tp_term value) {
  tp_loc from = s->at;
  assign(s->p, from, next(s), s->q, plus(s->p, value, 4));
}
static void by_call(scene *s, tp_term value) { call_f(s, s->f, TP_TERM_NONE, value); }
static void by_call_through_pointer(scene *s, tp_term value) {
  call_f(s, TP_FUNC_NONE, term_of(s->p, s->own), value);
}
static void by_memory(scene *s, tp_term value) {
  tp_loc from = s->at;
  load(s->p, from, next(s), s->q, term_of(s->p, s->own));
  from = s->at;
  store(s->p, from, next(s), term_of(s->p, s->own), value);  // another pass finds the load
}
/* The branch tells which value it was, and gives none of it. */
static void by_branch(scene *s, tp_term value) {
  tp_loc from = s->at;
  assume(s->p, from, next(s), tp_mk_eq(s->p->terms, value, term_of(s->p, s->own)));
  from = s->at;
  assign(s->p, from, next(s), s->q, term_of(s->p, s->own));
}

typedef struct {
  const char *name;
  void (*flow)(scene *s, tp_term value);
  bool arrives;
} row;
static const row rows[] = {
    {"assignment", by_assignment, true},
    {"argument and result", by_call, true},
    {"argument and result, through a pointer", by_call_through_pointer, true},
    {"memory", by_memory, true},
    {"branch", by_branch, false},
};

static bool arrives(const row *r, bool from_outside) {
  scene s;
  scene_init(&s);
  r->flow(&s, term_of(s.p, from_outside ? s.outside : s.own));
  tp_chk_foreign f;
  tp_chk_foreign_init(&f, s.p);
  bool is = tp_chk_is_foreign(&f, term_of(s.p, s.q));
  if (tp_chk_is_foreign(&f, term_of(s.p, s.own)) || !tp_chk_is_foreign(&f, term_of(s.p, s.outside)))
    fail_msg("%s: the sources", r->name);
  tp_chk_foreign_clear(&f);
  tp_program_free(s.p);
  return is;
}

static void each_way_of_a_foreign_value_is_found(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (arrives(&rows[i], true) != rows[i].arrives) fail_msg("%s: from outside", rows[i].name);
    if (arrives(&rows[i], false)) fail_msg("%s: of the program", rows[i].name);
  }
}

static void an_extern_object_makes_memory_foreign(void **state) {
  (void)state;
  for (uint64_t size = 4; size <= 8; size += 4) {
    scene s;
    scene_init(&s);
    tp_program_add_static(s.p, (tp_static){.name = "g",
                                           .kind = TP_O_GLOBAL,
                                           .size_bytes = size,
                                           .align_bytes = 4,
                                           .is_extern = true,
                                           .absence = TP_ABSENT});
    by_memory(&s, term_of(s.p, s.own));
    tp_chk_foreign f;
    tp_chk_foreign_init(&f, s.p);
    assert_int_equal(tp_chk_is_foreign(&f, term_of(s.p, s.q)), size == 8);  // room for a pointer
    tp_chk_foreign_clear(&f);
    tp_program_free(s.p);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_way_of_a_foreign_value_is_found),
                                     cmocka_unit_test(an_extern_object_makes_memory_foreign)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
