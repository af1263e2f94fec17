/* What is woven into which place, and what cannot stand there. */
#include "app/witness_source.h"

#include <setjmp.h>

#include <cmocka.h>

/* One item in one file; `woven` is a part of the text that comes out, NULL: the item is refused,
 * and `why` is a part of the reason. */
static const struct {
  const char *text;
  tp_witness_item item;
  const char *woven, *why;
} cases[] = {
#define ITEM(kind_, column_, value_) \
  {.kind = TP_WITNESS_##kind_,       \
   .type = "",                       \
   .file = "a.c",                    \
   .line = 1,                        \
   .column = column_,                \
   .value = value_}
    {"int f(void) { while (a) b; }", ITEM(LOOP_INVARIANT, 15, "a > 0"),
     "while (__twoproof_invariant_0(!!(a > 0)), (a)) b;", NULL},
    {"int f(void) { for (;;) b; }", ITEM(LOOP_INVARIANT, 15, "a"),
     "for (;__twoproof_invariant_0(!!(a)), 1;) b;", NULL},
    {"int f(void) { for (int i = 0; i < 3; i++) b; }", ITEM(LOOP_INVARIANT, 0, "i"),
     "for (int i = 0;__twoproof_invariant_0(!!(i)), ( i < 3); i++) b;", NULL},
    {"int f(void) { do b; while (a); }", ITEM(LOOP_INVARIANT, 15, "a"),
     "do b; while (__twoproof_invariant_0(!!(a)), (a));", NULL},
    {"int f(void) { L: b; }", ITEM(LOCATION_INVARIANT, 18, "a"),
     "L: __twoproof_invariant_0(!!(a)); b;", NULL},
    {"int f(void) { if (a) b; else c; }", ITEM(LOCATION_INVARIANT, 22, "a"),
     "if (a) { __twoproof_invariant_0(!!(a)); b; } else c;", NULL},
    {"int f(void) { if (a) b; }", ITEM(BRANCHING, 15, "true"),
     "if (__twoproof_branch_0((a) ? 1 : 0)) b;", NULL},
    {"int f(void) { switch (a) { case 1: ; } }", ITEM(BRANCHING, 15, "-3"),
     "switch (__twoproof_branch_0((a))) {", NULL},
    {"int f(void) { a = g(b) + 1; }", ITEM(FUNCTION_RETURN, 22, "\\result == 5"),
     "a = __twoproof_result_0((g(b))) + 1;", NULL},
    {"int f(void) { g(); }", ITEM(FUNCTION_RETURN, 17, NULL), "__twoproof_result_0((g()));", NULL},
    {"int f(void) { a = g(h(b)); }", ITEM(FUNCTION_ENTER, 25, NULL),
     "a = (__twoproof_enter_0(), g(h(b)));", NULL},
    {"int f(void) { int a; b; }", ITEM(ASSUMPTION, 22, "a == 1"),
     "__VERIFIER_assume(!!(a == 1)); __twoproof_segment = 1u; } } b;", NULL},
    {"int f(void) { while (a) b; }", ITEM(LOOP_INVARIANT, 16, "a"), NULL, "nothing starts there"},
    {"int f(void) { while (a) b; }", ITEM(LOOP_INVARIANT, 22, "a"), NULL, "no loop stands there"},
    {"int f(void) { if (a) b; }", ITEM(BRANCHING, 15, "1"), NULL, "no such outcome"},
    {"int f(void) { p->g(); }", ITEM(FUNCTION_RETURN, 20, "\\result"), NULL, "members"},
    {"int f(void) { if (a) b; }", ITEM(FUNCTION_RETURN, 20, "\\result"), NULL, "no closing"},
    {"int f(void) { a; }", ITEM(LOCATION_INVARIANT, 15, "(size_t)a + sizeof(a) > 1"),
     "!!((size_t)a + sizeof(a) > 1)", NULL},
    {"int f(void) { a; }", ITEM(LOCATION_INVARIANT, 15, "(f)(a)"), NULL, "a call"},
    {"int f(void) { a; }", ITEM(LOCATION_INVARIANT, 15, "a[0](1)"), NULL, "a call"},
    {"int f(void) { a; }", ITEM(LOCATION_INVARIANT, 15, "({ a; })"), NULL, "an effect"},
    {"int f(void) { a; }", ITEM(LOCATION_INVARIANT, 15, "a, b"), NULL, "an effect"},
    {"int f(void) { a; }", ITEM(LOCATION_INVARIANT, 15, "\\result"), NULL, "an effect"},
    {"int f(void) { a; }", ITEM(LOCATION_INVARIANT, 15, "1)) ((1"), NULL, "do not match"},
    {"int f(void) { a; }", ITEM(LOCATION_INVARIANT, 15, ""), NULL, "empty"},
    {"int f(void) { a; }", ITEM(LOCATION_INVARIANT, 15, "a\n#define b"), NULL, "an effect"},
    {"int x; int f(void) { a; }", ITEM(LOCATION_INVARIANT, 1, "a"), NULL, "no statement"},
};

static void items_are_woven_or_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tp_outline o;
    tp_str text = {0}, woven = {0}, why = {0};
    tp_witness w;
    tp_witness_spot spot;
    const bool chosen = true;
    tp_str_add(&text, cases[i].text);
    tp_outline_read(&o, "a.c", text);
    tp_witness_init(&w);
    w.kind = cases[i].item.kind == TP_WITNESS_LOOP_INVARIANT ||
                     cases[i].item.kind == TP_WITNESS_LOCATION_INVARIANT
                 ? TP_WITNESS_CORRECTNESS
                 : TP_WITNESS_VIOLATION;
    tp_vec_push(&w.files, (tp_witness_file){"a.c", ""});
    tp_vec_push(&w.items, cases[i].item);
    const tp_witness_task task = {&w, &o, 1};
    const bool ok = tp_witness_locate(&task, &w.items.at[0], &spot, &why) == TP_OK;
    if (ok) tp_witness_weave(&task, &spot, &chosen, &woven);
    if (cases[i].woven && (!ok || !strstr(woven.text, cases[i].woven)))
      fail_msg("%zu: %s%s", i, tp_str_text(&woven), tp_str_text(&why));
    if (!cases[i].woven && (ok || !strstr(why.text, cases[i].why)))
      fail_msg("%zu: %s%s", i, tp_str_text(&woven), tp_str_text(&why));
    tp_witness_clear(&w);
    tp_outline_clear(&o);
    tp_str_clear(&woven);
    tp_str_clear(&why);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(items_are_woven_or_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
