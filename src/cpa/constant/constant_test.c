/* Constant propagation on program P3 of the thesis: the exact reached sets. */
#include "cpa/constant/constant_cpa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cpa/algorithm.h"
#include "cpa/composition.h"
#include "program/build_test.h"

// ------------------------------------------------------------------ program P3

/* 0 -y read-> 1 -x, z := 0-> 2 -y = 1-> 3 -x := 1-> 5, 2 -y != 1-> 4 -z := 1-> 5 -x != z-> 6, 5 -x
 * = z-> error. Our edges do one thing, so the block 1-2 has a place inside (numbered 7); the error
 * location is 8. */
enum { INSIDE = 7, ERROR = 8, N_LOCS = 9 };
typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_loc at[N_LOCS];
} model;

static model model_new(void) {
  model m = {.diag = tp_diag_new(stderr, false)};
  tp_program *p = m.p = tp_program_new(m.diag, 64);
  p->main = func(p, "main");
  m.at[0] = entry_of(p, p->main);
  for (int i = 1; i < N_LOCS; i++) m.at[i] = loc(p, p->main);
  p->locs.at[m.at[ERROR].id].error = TP_P_UNREACH_CALL;
  tp_var x = var(p, p->main, "x", bv_sort(p, 32), TP_TYPE_NONE),
         y = var(p, p->main, "y", bv_sort(p, 32), TP_TYPE_NONE);
  tp_var z = var(p, p->main, "z", bv_sort(p, 32), TP_TYPE_NONE);
  tp_program_add_edge(
      p, (tp_edge_info){
             .kind = TP_E_HAVOC, .from = m.at[0], .to = m.at[1], .var = y, .input = TP_I_NONDET});
  assign(p, m.at[1], m.at[INSIDE], x, bv(p, 32, 0));
  assign(p, m.at[INSIDE], m.at[2], z, bv(p, 32, 0));
  branch(p, m.at[2], m.at[3], m.at[4], tp_mk_eq(p->terms, term_of(p, y), bv(p, 32, 1)));
  assign(p, m.at[3], m.at[5], x, bv(p, 32, 1));
  assign(p, m.at[4], m.at[5], z, bv(p, 32, 1));
  branch(p, m.at[5], m.at[ERROR], m.at[6], tp_mk_eq(p->terms, term_of(p, x), term_of(p, z)));
  tp_program_finish(p);
  return m;
}
static void model_free(model *m) {
  tp_program_free(m->p);
  tp_diag_free(m->diag);
}

// ---------------------------------------------------------------- reached sets

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static int number_of(const model *m, tp_loc at) {
  for (int i = 0; i < N_LOCS; i++)
    if (m->at[i].id == at.id) return i;
  return -1;
}

/* "5: x=1 y=1 z=0" for each element, sorted, separated by "; ". `constants` is the analysis whose
 * element is printed. */
static void print_reached(const model *m, tp_reached *r, const tp_cpa *whole, tp_str *out) {
  tp_arena arena;
  tp_arena_init(&arena);
  TP_VEC(char *) lines = {0};
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    const tp_node *n = tp_reached_node(r, i);
    if (n->removed) continue;
    tp_view v = {whole, n->state.elem};
    if (tp_is_composite(whole)) v = tp_composite_view(whole, n->state.elem, 1);
    tp_str text = {0};
    v.cpa->ops->print((tp_cpa *)v.cpa, v.elem, &text);
    const char *values = tp_str_text(&text);
    if (values[0] == 'L')
      values += strcspn(values, " ");  // the row with its own location says it first
    while (*values == ' ') values++;
    tp_vec_push(&lines, tp_arena_printf(&arena, "%d: %s", number_of(m, n->loc),
                                        *values && strcmp(values, "top") != 0 ? values : "-"));
    tp_str_clear(&text);
  }
  qsort(lines.at, lines.n, sizeof(char *), by_text);
  for (size_t i = 0; i < lines.n; i++) tp_str_printf(out, "%s%s", i ? "; " : "", lines.at[i]);
  tp_vec_clear(&lines);
  tp_arena_clear(&arena);
}

static const char joined[] =
    "0: -; 1: -; 2: x=0 z=0; 3: x=0 y=1 z=0; 4: x=0 z=0; 5: -; 6: -; 7: x=0; 8: -";
static const char separate[] =
    "0: -; 1: -; 2: x=0 z=0; 3: x=0 y=1 z=0; 4: x=0 z=0; 5: x=0 z=1; 5: x=1 y=1 z=0; 6: x=0 z=1; "
    "6: x=1 y=1 z=0; 7: x=0";

typedef struct {
  const char *name;
  const char *text;   // of a composition; NULL: constant-location alone
  const char *merge;  // of constant-location
  const char *expected;
} reached_case;
static const reached_case cases[] = {
    {"CO, join", NULL, "join", joined},
    {"CO, sep", NULL, "sep", separate},
    {"L x CO', join", "analysis = location constant\nmerge = join-on-location\n", NULL, joined},
    {"L x CO', sep", "analysis = location constant\nmerge = sep\n", NULL, separate},
};

static void run_alone(const model *m, const char *merge, tp_str *out) {
  tp_contexts contexts;
  tp_contexts_init(&contexts);
  tp_setting setting = {"constant-location.merge", merge};
  tp_cpa_env env = {.program = m->p,
                    .terms = m->p->terms,
                    .contexts = &contexts,
                    .settings = &setting,
                    .n_settings = 1};
  tp_str why = {0};
  tp_cpa *cpa = tp_cpa_open(&tp_cpa_constant_location, &env, &why);
  assert_non_null(cpa);
  tp_reached *r = tp_reached_new(cpa, TP_WAIT_BFS);
  tp_reached_add_initial(
      r, cpa->ops->initial(cpa, m->at[0], tp_context_root(&contexts, m->p->main, 0)));
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  assert_true(tp_reached_check(r, &why));
  print_reached(m, r, cpa, out);
  tp_reached_free(r);
  tp_cpa_close(cpa);
  tp_contexts_clear(&contexts);
  tp_str_clear(&why);
}

static void run_composed(const model *m, const char *text, tp_str *out) {
  tp_str why = {0};
  tp_stats stats = {0};
  tp_composition *c = tp_composition_open(m->p, TP_P_UNREACH_CALL, text, &stats, &why);
  if (!c) print_error("%s\n", tp_str_text(&why));
  assert_non_null(c);
  tp_reached *r = tp_reached_new(c->cpa, TP_WAIT_BFS);
  tp_reached_add_initial(
      r, c->cpa->ops->initial(c->cpa, m->at[0], tp_context_root(&c->contexts, m->p->main, 0)));
  assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  assert_true(tp_reached_check(r, &why));
  print_reached(m, r, c->cpa, out);
  tp_reached_free(r);
  tp_composition_close(c);
  tp_str_clear(&why);
}

static void F33_F38_p3_exact_reached_sets(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    model m = model_new();
    tp_str got = {0};
    if (cases[i].text)
      run_composed(&m, cases[i].text, &got);
    else
      run_alone(&m, cases[i].merge, &got);
    if (strcmp(tp_str_text(&got), cases[i].expected) != 0) print_error("%s\n", cases[i].name);
    assert_string_equal(tp_str_text(&got), cases[i].expected);
    tp_str_clear(&got);
    model_free(&m);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F33_F38_p3_exact_reached_sets)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
