/* Thresholds of the value analysis: how many values an lvalue may have before it is dropped, and
 * that it stays dropped. */
#include "cpa/value/value_cpa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cpa/algorithm.h"
#include "cpa/composition.h"
#include "program/build_test.h"

/* i := 0; k := 7; while (i < 5) i := i + 1; behind the loop i := 3, then the last lvalue. At the
 * loop's head i has six values. */
typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_loc behind, last;
  tp_var i, k;
} model;

static model model_new(void) {
  model m = {.diag = tp_diag_new(stderr, false)};
  tp_program *p = m.p = tp_program_new(m.diag, 64);
  p->main = func(p, "main");
  tp_loc entry = entry_of(p, p->main), middle = loc(p, p->main), head = loc(p, p->main),
         body = loc(p, p->main);
  m.behind = loc(p, p->main);
  m.last = loc(p, p->main);
  m.i = var(p, p->main, "i", bv_sort(p, 32), TP_TYPE_NONE);
  m.k = var(p, p->main, "k", bv_sort(p, 32), TP_TYPE_NONE);
  assign(p, entry, middle, m.i, bv(p, 32, 0));
  assign(p, middle, head, m.k, bv(p, 32, 7));
  branch(p, head, body, m.behind, tp_mk2(p->terms, TP_OP_BV_ULT, term_of(p, m.i), bv(p, 32, 5)));
  assign(p, body, head, m.i, tp_mk2(p->terms, TP_OP_BV_ADD, term_of(p, m.i), bv(p, 32, 1)));
  assign(p, m.behind, m.last, m.i, bv(p, 32, 3));
  tp_program_finish(p);
  return m;
}
static void model_free(model *m) {
  tp_program_free(m->p);
  tp_diag_free(m->diag);
}

/* The only element at a location, as text. */
static void print_at(const tp_composition *c, const tp_reached *r, tp_loc at, tp_str *out) {
  for (uint32_t n = 1; n <= tp_reached_n(r); n++) {
    const tp_node *node = tp_reached_node(r, n);
    if (node->removed || node->loc.id != at.id) continue;
    tp_view v = tp_composite_view(c->cpa, node->state.elem, 1);
    if (out->n) tp_str_add(out, " | ");
    v.cpa->ops->print((tp_cpa *)v.cpa, v.elem, out);
  }
}

typedef struct {
  const char *name, *setting;
  const char *behind, *last;  // with value.liveness = off, but for the last case
} threshold_case;
static const threshold_case cases[] = {
    {"six values are not more than six", "value.threshold = 6\n", "@heap=0 i=5 k=7",
     "@heap=0 i=3 k=7"},
    {"six values are more than five", "value.threshold = 5\n", "@heap=0 k=7", "@heap=0 k=7"},
    {"one value is tracked with one", "value.threshold = 1\n", "@heap=0 k=7", "@heap=0 k=7"},
    {"two values are tracked with two", "value.threshold = 2\n", "@heap=0 k=7", "@heap=0 k=7"},
    {"nothing is tracked with zero", "value.threshold = 0\n", "top", "top"},
    {"everything is tracked with inf", "value.threshold = inf\n", "@heap=0 i=5 k=7",
     "@heap=0 i=3 k=7"},
    {"the default is above six", "", "@heap=0 i=5 k=7", "@heap=0 i=3 k=7"},
    {"without memory there is no heap", "value.memory = off\n", "i=5 k=7", "i=3 k=7"},
    {"what is not read any more is forgotten", "value.liveness = on\n", "@heap=0", "@heap=0"},
};

static void F56_more_values_than_the_threshold_are_dropped(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    model m = model_new();
    tp_str text = {0}, why = {0}, behind = {0}, last = {0};
    tp_stats stats = {0};
    tp_str_printf(&text, "analysis = location value\nwaitlist = bfs\n%s%s",
                  strstr(cases[i].setting, "liveness") ? "" : "value.liveness = off\n",
                  cases[i].setting);
    tp_composition *c = tp_composition_open(m.p, TP_P_UNREACH_CALL, text.text, &stats, &why);
    if (!c) fail_msg("%s", tp_str_text(&why));
    tp_reached *r = tp_reached_new(c->cpa, c->order);
    tp_reached_add_initial(r, c->cpa->ops->initial(c->cpa, entry_of(m.p, m.p->main),
                                                   tp_context_root(&c->contexts, m.p->main, 0)));
    assert_int_equal(tp_cpa_run(r, (tp_cpa_limits){.steps = 1000}).end, TP_CPA_DONE);
    assert_true(tp_reached_check(r, &why));
    print_at(c, r, m.behind, &behind);
    print_at(c, r, m.last, &last);
    if (strcmp(tp_str_text(&behind), cases[i].behind) != 0 ||
        strcmp(tp_str_text(&last), cases[i].last) != 0)
      fail_msg("%s: behind the loop: %s; at the end: %s", cases[i].name, tp_str_text(&behind),
               tp_str_text(&last));
    tp_reached_free(r);
    tp_composition_close(c);
    tp_str_clear(&text);
    tp_str_clear(&why);
    tp_str_clear(&behind);
    tp_str_clear(&last);
    model_free(&m);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

static void wrong_settings_are_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"value.threshold = many\n", "value.threshold = -1\n",
                                      "value.memory = 1\n", "value.points-to = yes\n",
                                      "value.thresholds = 3\n"};
  model m = model_new();
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    tp_str text = {0}, why = {0};
    tp_stats stats = {0};
    tp_str_printf(&text, "analysis = location value\n%s", wrong[i]);
    assert_null(tp_composition_open(m.p, TP_P_UNREACH_CALL, text.text, &stats, &why));
    assert_non_null(strstr(tp_str_text(&why), "value"));
    tp_str_clear(&text);
    tp_str_clear(&why);
  }
  model_free(&m);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F56_more_values_than_the_threshold_are_dropped),
      cmocka_unit_test(wrong_settings_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
