/* Graphs that are closed together: programs that fail, with certificates whose hints and graphs
 * were written to get them accepted. None is. */
#include "certify/certify.h"
#include "certify/testing.h"

#include <inttypes.h>

typedef struct {
  builder b;
  tp_var x, y, c;
  tp_loc first, second;  // labels
} scene;

static tp_term of(scene *s, tp_var v) { return term_of(&s->b, v); }
static tp_term live(scene *s, tp_var v) {
  return tp_mk2(s->b.tt, TP_OP_SELECT, of(s, s->b.p->ghost_live),
                tp_mk1(s->b.tt, TP_OP_PTR_OBJ, of(s, v)));
}
static tp_term null(scene *s, tp_var v) { return eq(&s->b, of(s, v), tp_mk_null(s->b.tt)); }
static tp_loc label(scene *s) {
  tp_loc l = place(&s->b, s->b.main);
  go_to(&s->b, l);
  return s->b.at = l;
}

static scene open_scene(void) {
  scene s = {.b = begin()};
  s.x = local(&s.b, "x", tp_sort_ptr(s.b.tt));
  s.y = local(&s.b, "y", tp_sort_ptr(s.b.tt));
  assign(&s.b, s.x, tp_mk_null(s.b.tt));
  assign(&s.b, s.y, tp_mk_null(s.b.tt));
  return s;
}

/* x = malloc(16), its link null; first: */
static scene with_cell(void) {
  scene s = open_scene();
  alloc(&s.b, s.x, TP_O_HEAP, num(&s.b, 64, 16));
  store(&s.b, of(&s, s.x), tp_mk_null(s.b.tt));
  s.first = label(&s);
  return s;
}

/* free(x); second: claim(x is live). */
static scene freed_cell(void) {
  scene s = with_cell();
  edge(&s.b, (tp_edge_info){.kind = TP_E_FREE, .a = of(&s, s.x)});
  s.second = label(&s);
  claim(&s.b, live(&s, s.x));
  (void)end(&s.b);
  return s;
}

/* Predicates 1 and 2: pointers; 3 freed, 4 outside, 5 link if there are links. */
typedef enum { LINKS, NO_LINKS } form;
static void header(scene *s, form how, tp_str *out) {
  tp_str_printf(out,
                "twoproof-certificate 2\nkind shapes\nproperty unreach-call\nmachine lp64\nprogram "
                "%016" PRIx64 "\ncontext 1 main\nclass 1 16%s\n",
                tp_program_fingerprint(s->b.p), how == LINKS ? " 0" : "");
  tp_str_printf(out,
                "predicate 1 1 pointer %u\npredicate 1 2 pointer %u\npredicate 1 3 "
                "freed\npredicate 1 4 outside\n%s",
                s->x.id, s->y.id, how == LINKS ? "predicate 1 5 field 0\n" : "");
}

static bool is_accepted(scene *s, const char *text) {
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_certify_limits limits = {0};
  tp_certify_result r = tp_certify_true(s->b.p, TP_P_UNREACH_CALL, text, &limits, NULL, &report);
  tp_certify_report_clear(&report);
  return r == TP_CERTIFY_ACCEPTED;
}

/* hints: between header and graphs. One label after the other. */
static bool accepts(scene s, form how, const char *hints, const char *graphs, const char *first,
                    const char *second) {
  tp_str text = {0};
  header(&s, how, &text);
  tp_str_printf(&text, "%s%sat 1 %u TRUE\nshape %s\nat 1 %u TRUE\nshape %s\nend\n", hints, graphs,
                s.first.id, first, s.second.id, second);
  bool yes = is_accepted(&s, text.text);
  tp_str_clear(&text);
  tp_program_free(s.b.p);
  return yes;
}

// ----------------------------------------------------------------------- tests

static void open_values_in_updates_say_nothing(void **unused) {
  (void)unused;
  static const char *const says[] = {"(if h 0 0)",
                                     "(if (not h) 0 0)",
                                     "(if (and h h) 0 0)",
                                     "(and h (not h))",
                                     "(if h h 0)",
                                     "h",
                                     "0",
                                     "(p 3 0)",
                                     "(not (if h 1 1))",
                                     "(if h (p 3 0) (p 3 0))",
                                     "(if (if h 1 1) 0 1)"};
  static const char graphs[] = "graph 1 1 1 1 1 0 0 0 0\n";
  for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
    tp_str hints = {0};
    tp_str_printf(&hints, "update 1 3 1 %s\n", says[i]);
    if (accepts(freed_cell(), LINKS, hints.text, graphs, "1", "1"))
      fail_msg("accepted by %s", says[i]);
    tp_str_clear(&hints);
  }
}

/* c is an input; first: y = null; second: claim(c is 0). */
static scene cell_and_input(void) {
  scene s = open_scene();
  s.c = local(&s.b, "c", bv(&s.b, 32));
  alloc(&s.b, s.x, TP_O_HEAP, num(&s.b, 64, 16));
  store(&s.b, of(&s, s.x), tp_mk_null(s.b.tt));
  input(&s.b, s.c);
  s.first = label(&s);
  assign(&s.b, s.y, tp_mk_null(s.b.tt));
  s.second = label(&s);
  claim(&s.b, eq(&s.b, of(&s, s.c), num(&s.b, 32, 0)));
  (void)end(&s.b);
  return s;
}

/* "c is 0" as a predicate of elements: what it is of one it is of all. But where one node may be
 * empty, and is, its value says nothing. */
static void rules_need_elements(void **unused) {
  (void)unused;
  static const char *const rules[] = {
      "constraint 1 (p 6 0) (p 6 1)\n", "constraint 1 (p 6 0) (and (p 4 1) (p 6 1))\n",
      "constraint 1 (and (p 6 0) (= 0 0)) (p 6 1)\n",
      "constraint 1 (not (not (p 6 0))) (some 2 (and (p 6 2) (= 1 2)))\n", ""};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    scene s = cell_and_input();
    tp_str hints = {0};
    tp_str_printf(&hints, "predicate 1 6 data (EXISTS 0 (EQ (bv 32 0) (var %u)))\n%s", s.c.id,
                  rules[i]);
    if (accepts(s, LINKS, hints.text,
                "graph 1 1 2 1h 10 00 00 01 hhhh h1\ngraph 2 1 2 1h 10 00 00 01 hhhh 11\n", "1",
                "2"))
      fail_msg("accepted by %s", rules[i]);
    tp_str_clear(&hints);
  }
}

/* Two cells, one behind the other; first: y = null; second: y = x->link; claim(y is null). */
static scene two_cells(void) {
  scene s = open_scene();
  alloc(&s.b, s.y, TP_O_HEAP, num(&s.b, 64, 16));
  store(&s.b, of(&s, s.y), tp_mk_null(s.b.tt));
  alloc(&s.b, s.x, TP_O_HEAP, num(&s.b, 64, 16));
  store(&s.b, of(&s, s.x), of(&s, s.y));
  assign(&s.b, s.y, tp_mk_null(s.b.tt));
  s.first = label(&s);
  assign(&s.b, s.y, tp_mk_null(s.b.tt));
  s.second = label(&s);
  load(&s.b, s.y, of(&s, s.x));
  claim(&s.b, null(&s, s.y));
  (void)end(&s.b);
  return s;
}

/* What is on no cycle does not lead to itself; it may lead to another one of its node. */
static void rules_of_an_element_and_itself_are_not_of_pairs(void **unused) {
  (void)unused;
  static const char hints[] =
      "predicate 1 6 instrumentation 1 (path+ 2 3 (p 5 2 3) 0 0)\nconstraint 1 (not (p 5 0 0)) "
      "(not (p 6 0))\n";
  assert_false(accepts(two_cells(), LINKS, hints,
                       "graph 1 1 1 h h 0 0 0 h 0\ngraph 2 1 1 h h 0 0 0 0 0\n", "1", "2"));
}

static void take_number(scene *s, tp_var v) {
  input(&s->b, v);
  assume(&s->b,
         eq(&s->b, tp_mk1(s->b.tt, TP_OP_PTR_OBJ, of(s, v)), tp_mk_bv(s->b.tt, TP_OBJ_BITS, 0)));
  assume(&s->b, tp_mk_not(s->b.tt, null(s, v)));
}

/* x and y are different numbers; first: x = null; second: claim(x leads somewhere). */
static scene vanishing_stranger(void) {
  scene s = open_scene();
  take_number(&s, s.x);
  take_number(&s, s.y);
  assume(&s.b, tp_mk_not(s.b.tt, eq(&s.b, of(&s, s.x), of(&s, s.y))));
  s.first = label(&s);
  assign(&s.b, s.x, tp_mk_null(s.b.tt));
  s.second = label(&s);
  claim(&s.b, tp_mk_not(s.b.tt, null(&s, s.x)));
  (void)end(&s.b);
  return s;
}

/* A stranger that nobody holds any more is no element: what is shown of all elements is not shown
 * of it. */
static void pointers_leave_strangers(void **unused) {
  (void)unused;
  static const char *const says[] = {"1", "(p 1 0)", "(not (p 2 0))", "(and (p 4 0) (p 1 0))",
                                     "(and (p 1 0) (p 4 0) (not (p 2 0)))"};
  for (size_t i = 0; i < sizeof says / sizeof *says; i++) {
    tp_str hints = {0};
    tp_str_printf(&hints, "update 1 1 1 %s\n", says[i]);
    if (accepts(vanishing_stranger(), NO_LINKS, hints.text, "graph 1 1 2 11 10 01 00 11\n", "1",
                "1"))
      fail_msg("accepted by %s", says[i]);
    if (accepts(vanishing_stranger(), LINKS, hints.text, "graph 1 1 2 11 10 01 00 11 0000\n", "1",
                "1"))
      fail_msg("accepted by %s", says[i]);
    tp_str_clear(&hints);
  }
}

/* (and 1 1 ...): of so many conjuncts, nothing overflows. */
static void long_formulas_are_refused(void **unused) {
  (void)unused;
  tp_str hints = {0};
  tp_str_add(&hints, "update 1 3 1 (and");
  for (int i = 0; i < 1000000; i++) tp_str_add(&hints, " 1");
  tp_str_add(&hints, ")\n");
  assert_false(accepts(freed_cell(), LINKS, hints.text, "graph 1 1 1 1 1 0 0 0 0\n", "1", "1"));
  tp_str_clear(&hints);
}

/* x and y lead to cells; the link of x leads to y or is null, by an input. first: c = 0; second:
 * z = x's link; claim(z is null), or nothing. */
typedef enum { CLAIMS_NULL, CLAIMS_NOTHING } link_claim;
static scene linked_or_not(link_claim what) {
  scene s = open_scene();
  tp_terms *tt = s.b.tt;
  const tp_var z = local(&s.b, "z", tp_sort_ptr(tt));
  s.c = local(&s.b, "c", bv(&s.b, 32));
  alloc(&s.b, s.y, TP_O_HEAP, num(&s.b, 64, 16));
  store(&s.b, of(&s, s.y), tp_mk_null(tt));
  alloc(&s.b, s.x, TP_O_HEAP, num(&s.b, 64, 16));
  input(&s.b, s.c);
  store(&s.b, of(&s, s.x),
        tp_mk_ite(tt, eq(&s.b, of(&s, s.c), num(&s.b, 32, 0)), tp_mk_null(tt), of(&s, s.y)));
  s.first = label(&s);
  assign(&s.b, s.c, num(&s.b, 32, 0));
  s.second = label(&s);
  load(&s.b, z, of(&s, s.x));
  claim(&s.b, what == CLAIMS_NULL ? null(&s, z) : tp_mk_true(tt));
  (void)end(&s.b);
  return s;
}

/* The link that a graph leaves open is decided where each case is described; one is not enough. */
static void both_cases_of_a_link_count(void **unused) {
  (void)unused;
  static const char graphs[] =
      "graph 1 1 2 11 10 01 00 00 0h00\ngraph 2 1 2 11 10 01 00 00 0000\n"
      "graph 3 1 2 11 10 01 00 00 0100\n";
  assert_true(accepts(linked_or_not(CLAIMS_NOTHING), LINKS, "", graphs, "1", "2 3"));
  assert_false(accepts(linked_or_not(CLAIMS_NOTHING), LINKS, "", graphs, "1", "2"));
  assert_false(accepts(linked_or_not(CLAIMS_NOTHING), LINKS, "", graphs, "1", "3"));
  assert_false(accepts(linked_or_not(CLAIMS_NULL), LINKS, "", graphs, "1", "2"));
  assert_false(accepts(linked_or_not(CLAIMS_NULL), LINKS, "", graphs, "1", "2 3"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(long_formulas_are_refused),
      cmocka_unit_test(open_values_in_updates_say_nothing),
      cmocka_unit_test(both_cases_of_a_link_count),
      cmocka_unit_test(pointers_leave_strangers),
      cmocka_unit_test(rules_need_elements),
      cmocka_unit_test(rules_of_an_element_and_itself_are_not_of_pairs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
