/* Answers within bounds (rows K04, K05, K07, K08, K09, K10): what is found from which bound on,
 * which bound is binding, all heaps and none twice; the formulas themselves. */
#include "bodies.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#define HEAD                                                                                 \
  "#include <stdlib.h>\n#include <stdbool.h>\nvoid reach_error(void);\n#define CHECK(c) if " \
  "(!(c)) reach_error()\n"
#define LIST HEAD "struct node { struct node *next, *prev; int data; };\n"

typedef struct {
  const char *text;
  tp_rheap_limits limits;
  tp_contract_answer answer;
  bool unroll, objects, width;  // which bounds are binding; HOLDS only
} question;

static void check(const question *c) {
  subject s;
  tp_contract_verdict j;
  subject_init(&s, c->text, "f", NULL, c->limits);
  tp_contract_check(&(tp_contract_query){.heap = &s.heap, .body = &s.body}, &j);
  if (j.answer != c->answer)
    fail_msg("answer %d (%s in line %u), not %d, at %u objects, %u rounds: %s", j.answer,
             j.what ? j.what : "", j.pos.line, c->answer, c->limits.objects, c->limits.unroll,
             c->text);
  if (j.answer == TP_CONTRACT_HOLDS &&
      (j.is_binding[TP_REXEC_UNROLL] != c->unroll || j.is_binding[TP_REXEC_OBJECTS] != c->objects ||
       j.is_width_binding != c->width))
    fail_msg("binding: unroll %d, objects %d, width %d: %s", j.is_binding[TP_REXEC_UNROLL],
             j.is_binding[TP_REXEC_OBJECTS], j.is_width_binding, c->text);
  tp_contract_verdict_clear(&j);
  subject_clear(&s);
}

static void check_all(const question *at, size_t n) {
  for (size_t i = 0; i < n; i++) check(&at[i]);
  assert_int_equal(tp_live_bytes(), 0);
}

#define THREE_APART                                                                               \
  LIST "void f(struct node *a) { if (a && a->next && a->next->next) CHECK(a->next->next == a || " \
       "a->next->next == a->next || a->next == a); }"
#define FOURTH_ROUND HEAD "void f(int n) { int i = 0; while (i < n) i++; CHECK(i != 3); }"
#define TWO_NEW                                                                                \
  LIST "void f(struct node *a) { struct node *b = malloc(sizeof *b), *c = malloc(sizeof *c); " \
       "CHECK(b == c || !a); }"
#define LARGE HEAD "void f(int x) { CHECK(x != 5); }"
#define SUM HEAD "void f(int x, int y) { if (x > 0 && y > 0) CHECK(x + y > 0); }"
#define DEPTH                                                                             \
  HEAD "static int down(int n) { return n <= 0 ? 0 : 1 + down(n - 1); } void f(int n) { " \
       "CHECK(down(n) != 2); }"

/* A failure that needs k + 1 of something is missed at k and found at k + 1; a bound that was
 * missed says so. */
static void K04_bounds(void **state) {
  (void)state;
  static const question all[] = {
      {THREE_APART, {2, 1, 3}, TP_CONTRACT_HOLDS, false, false, false},
      {THREE_APART, {3, 1, 3}, TP_CONTRACT_FAILS, false, false, false},
      {FOURTH_ROUND, {1, 2, 4}, TP_CONTRACT_HOLDS, true, false, false},
      {FOURTH_ROUND, {1, 3, 4}, TP_CONTRACT_FAILS, false, false, false},
      {TWO_NEW, {2, 1, 3}, TP_CONTRACT_HOLDS, false, true, false},
      {TWO_NEW, {3, 1, 3}, TP_CONTRACT_FAILS, false, false, false},
      {LARGE, {1, 1, 3}, TP_CONTRACT_HOLDS, false, false, false},
      {LARGE, {1, 1, 4}, TP_CONTRACT_FAILS, false, false, false},
      {SUM, {1, 1, 3}, TP_CONTRACT_HOLDS, false, false, true},
      {DEPTH, {1, 1, 4}, TP_CONTRACT_HOLDS, true, false, false},
      {DEPTH, {1, 2, 4}, TP_CONTRACT_FAILS, false, false, false},
  };
  check_all(all, sizeof all / sizeof *all);
}

/* A failure in one of two functions that a pointer leads to. */
static void K08_function_pointers(void **state) {
  (void)state;
#define TARGETS(second)                                                                          \
  HEAD "static int one(int x) { return x; } static int two(int x) { return " second              \
       "; } static int (*table)(int);\n"                                                         \
       "void pick(bool b) { table = b ? one : two; } void f(int x) { if (table) CHECK(table(x) " \
       "== x); }"
  static const question all[] = {
      {TARGETS("x == 3 ? 2 : x"), {1, 1, 4}, TP_CONTRACT_FAILS, false, false, false},
      {TARGETS("x"), {1, 1, 4}, TP_CONTRACT_HOLDS, false, false, false},
      {HEAD "void f(int (*p)(void)) { p(); }", {1, 1, 3}, TP_CONTRACT_FAILS, false, false, false},
      // pointers that nobody follows lead to functions, too
      {HEAD "struct ops { int (*op)(int); }; static int one(int x) { return x; } void set(struct "
            "ops *o) { o->op = one; }\n"
            "void f(struct ops *o) { CHECK(!o || !o->op); }",
       {1, 1, 3},
       TP_CONTRACT_FAILS,
       false,
       false,
       false},
      {HEAD "struct ops { int (*op)(int); }; static void one(char x) { (void)x; } void set(void) { "
            "one(1); }\n"
            "void f(struct ops *o) { CHECK(!o || !o->op); }",
       {1, 1, 3},
       TP_CONTRACT_HOLDS,
       false,
       false,
       false}};
  check_all(all, sizeof all / sizeof *all);
}

/* What is not understood is never called good, unless no execution comes there. */
static void refused_only_where_it_is_reached(void **state) {
  (void)state;
  static const question all[] = {
      {HEAD "double d; void f(int x) { if (x > 1) d = d * 2; }",
       {1, 1, 3},
       TP_CONTRACT_UNKNOWN,
       false,
       false,
       false},
      {HEAD "double d; void f(int x) { if (x > 100 && x < 50) d = d * 2; }",
       {1, 1, 3},
       TP_CONTRACT_HOLDS,
       false,
       false,
       false},
      {HEAD "int other(int); void f(int x) { CHECK(other(x) == other(x)); }",
       {1, 1, 3},
       TP_CONTRACT_UNKNOWN,
       false,
       false,
       false},
      {HEAD "struct b { int x : 3; int y : 5; }; int f(struct b *b) { return b ? b->y : 0; }",
       {1, 1, 3},
       TP_CONTRACT_UNKNOWN,
       false,
       false,
       false},
      {HEAD "union u { int x; float y; }; int f(union u *u) { return u ? u->x : 0; }",
       {1, 1, 3},
       TP_CONTRACT_UNKNOWN,
       false,
       false,
       false},
      {HEAD "void f(void *p, int *q) { if (p) { int *r = p; *r = 1; } if (q) *(short *)q = 0; }",
       {1, 1, 3},
       TP_CONTRACT_UNKNOWN,
       false,
       false,
       false}};
  check_all(all, sizeof all / sizeof *all);
}

// -------------------------------------------------------------------- counting

/* How many heaps there are that make the formula true. */
static uint32_t count(subject *s, tp_rel_formula f) {
  tp_rel_options o = tp_rel_default_options();
  uint32_t n = 0;
  o.width_bits = s->heap.limits.width_bits;
  o.symmetry_length = 0;
  tp_rel_finder *finder = tp_rel_finder_new(s->heap.bounds, o);
  assert_int_equal(tp_rel_finder_add(finder, s->is_heap), TP_OK);
  assert_int_equal(tp_rel_finder_add(finder, f), TP_OK);
  while (tp_rel_finder_next(finder) == TP_REL_SAT) n++;
  tp_rel_finder_free(finder);
  return n;
}

/* Lists of up to k nodes with nothing but next, and a pointer: sum over n of (n + 1)^n * (n + 1).
 */
static void K05_all_heaps(void **state) {
  (void)state;
  static const uint32_t expected[] = {1, 5, 32, 288};
  for (uint32_t k = 1; k <= 3; k++) {
    subject s;
    subject_init(&s,
                 "struct n { struct n *next; }; int f(struct n *a) { return a && a->next == a; }",
                 "f", NULL, (tp_rheap_limits){k, 1, 2});
    assert_int_equal(tp_rheap_set_bounds(&s.heap), TP_OK);
    assert_int_equal(count(&s, tp_rel_bool(s.heap.l, true)), expected[k]);
    subject_clear(&s);
  }
}

/* New objects come in their order: no heap is counted once for each choice of them. Exhausting the
 * objects is an end of its own. */
static void K10_new_objects_are_no_choice(void **state) {
  (void)state;
  subject s;
  subject_init(&s,
               "#include <stdlib.h>\nstruct n { struct n *next; }; struct n *f(void) { struct n *a "
               "= calloc(1, sizeof *a), *b = calloc(1, sizeof *b); a->next = b; return a; }",
               "f", NULL, (tp_rheap_limits){4, 1, 2});
  assert_int_equal(tp_rheap_set_bounds(&s.heap), TP_OK);
  tp_rel_formula beyond = tp_rel_bool(s.heap.l, false);
  for (size_t i = 0; i < s.body.ends.n; i++)
    beyond = tp_rel_or(s.heap.l, beyond, s.body.ends.at[i].when);
  assert_int_equal(count(&s, s.body.returns), 1 + 2 + 9);  // at most two are there before
  assert_int_equal(count(&s, beyond), 64 + 625);           // three or four
  subject_clear(&s);
}

// -------------------------------------------------------------------- formulas

static void expect_text(const subject *s, uint32_t id, const char *expected) {
  tp_str text = {0};
  tp_rel_print(s->heap.l, id, &text);
  assert_string_equal(tp_str_text(&text), expected);
  tp_str_clear(&text);
}

static uint32_t field_named(const subject *s, const char *name) {
  for (uint32_t f = 0; f < s->heap.fields.n; f++)
    if (strcmp(s->heap.fields.at[f].symbol->name, name) == 0) return f;
  fail_msg("no member %s", name);
  return 0;
}

#define HEAD_CELL "((g#0 . struct graph::nodes) . struct list::head)"
#define HEAD_EQ "(" HEAD_CELL " = null)"
/* Expressions over the start only, one conditional where ways meet. */
static void K09_expressions(void **state) {
  (void)state;
  subject s;
  subject_init(
      &s,
      "struct cell { struct node *node; struct cell *next; }; struct list { struct cell *head; }; "
      "struct node { int seen; }; struct graph { struct list *nodes; };\n"
      "void f(struct graph *g, struct cell *src) { struct cell *cur = g->nodes->head; if (cur) { "
      "if (!src) return; struct node *t = src->node; src->node = cur->node; cur->node = t; } }",
      "f", NULL, (tp_rheap_limits){2, 1, 3});
  expect_text(&s, s.body.after.fields[field_named(&s, "node")].id,
              "((" HEAD_EQ " or (not (" HEAD_CELL
              " = null) and (src#1 = null))) => struct cell::node else "
              "((struct cell::node ++ (src#1 -> (" HEAD_CELL
              " . struct cell::node))) ++ (" HEAD_CELL " -> (src#1 . struct cell::node))))");
  subject_clear(&s);
}

// ------------------------------------------------------------- one rule after the other

#define N "#include <stdlib.h>\nstruct n { struct n *next; int d; };\n"
#define GUARD(path) "not no (" path " - null)"
#define NEW1 "(no last struct n => first struct n else (last struct n . order struct n))"
#define NEW2 "(no " NEW1 " => first struct n else (" NEW1 " . order struct n))"

/* What changes, what stays, what is returned, when: NULL is not looked at. */
static const struct {
  const char *rule, *text, *next, *d, *result, *returns, *beyond;
} rules[] = {
    {"a member that is read", N "struct n *f(struct n *a) { return a->next; }", "struct n::next",
     NULL, "(a#0 . struct n::next)", GUARD("a#0"), NULL},
    {"v = e: the value itself, no relation for v",
     N "struct n *f(struct n *a) { struct n *b = a->next; b = b->next; return b; }",
     "struct n::next", NULL, "((a#0 . struct n::next) . struct n::next)",
     "(" GUARD("a#0") " and " GUARD("(a#0 . struct n::next)") ")", NULL},
    {"p->f = e: an override of f alone",
     N "int f(struct n *a, struct n *b) { a->next = b; return a->d; }",
     "(struct n::next ++ (a#0 -> b#1))", "struct n::d", "Int the (a#0 . struct n::d)", NULL, NULL},
    {"a; b: the second sees what the first did",
     N "struct n *f(struct n *a, struct n *b) { a->next = b; return a->next->next; }",
     "(struct n::next ++ (a#0 -> b#1))", NULL,
     "((a#0 . (struct n::next ++ (a#0 -> b#1))) . (struct n::next ++ (a#0 -> b#1)))", NULL, NULL},
    {"if: a conditional for what changes on one side, each side with its guard",
     N "void f(struct n *a, struct n *b, int k) { if (k > 0) a->next = b; else b->d = k; }",
     "(((0 < the k#2) and " GUARD("a#0") ") => (struct n::next ++ (a#0 -> b#1)) else struct "
                                         "n::next)",
     "(((0 < the k#2) and " GUARD("a#0") ") => struct n::d else (struct n::d ++ (b#1 -> Int the "
                                         "k#2)))",
     NULL, "(((0 < the k#2) and " GUARD("a#0") ") or ((the k#2 < 1) and " GUARD("b#1") "))", NULL},
    {"new: the next object in order, as long as there is one",
     N "struct n *f(void) { struct n *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b); return "
       "b; }",
     "((struct n::next + (" NEW1 " -> null)) + (" NEW2 " -> null))",
     "((struct n::d + (" NEW1 " -> Int 0)) + (" NEW2 " -> Int 0))", NEW2,
     "(not no " NEW1 " and not no " NEW2 ")", NULL},
    {"assume: a condition, and nothing changes",
     N "extern void __VERIFIER_assume(int); int f(struct n *a, int k) { __VERIFIER_assume(k > 1); "
       "return a->d; }",
     NULL, "struct n::d", "Int the (a#0 . struct n::d)", "((1 < the k#1) and " GUARD("a#0") ")",
     NULL},
    {"a loop: as many conditions as rounds, and the executions that want more",
     N "struct n *f(struct n *a) { while (a) a = a->next; return a; }", "struct n::next", NULL,
     "((a#0 = null) => a#0 else (a#0 . struct n::next))",
     "((a#0 = null) or (not (a#0 = null) and " GUARD(
         "a#0") " and ((a#0 . struct n::next) = null)))",
     "((not (a#0 = null) and " GUARD("a#0") " and not ((a#0 . struct n::next) = null) and " GUARD(
         "(a#0 . struct n::next)") ") and true)"},
    {"return e: nothing behind it is executed",
     N "int f(int k) { if (k == 1) return 2; k = k + 1; return k; }", NULL, NULL,
     "Int ((the k#0 = 1) => 2 else (the k#0 + 1))", "true", NULL},
};

static void expect_if(const subject *s, uint32_t id, const char *rule, const char *expected) {
  if (!expected) return;
  tp_str text = {0};
  tp_rel_print(s->heap.l, id, &text);
  if (strcmp(tp_str_text(&text), expected) != 0)
    fail_msg("%s: %s\ninstead of %s", rule, tp_str_text(&text), expected);
  tp_str_clear(&text);
}

/* No relation but those of the start: each rule's expressions, as the source gives them. */
static void K09_every_rule(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    subject s;
    subject_init(&s, rules[i].text, "f", NULL, (tp_rheap_limits){2, 1, 3});
    const char *const rule = rules[i].rule;
    assert_int_equal(s.heap.havocs.n, 0);
    if (rules[i].next)
      expect_if(&s, s.body.after.fields[field_named(&s, "next")].id, rule, rules[i].next);
    if (rules[i].d) expect_if(&s, s.body.after.fields[field_named(&s, "d")].id, rule, rules[i].d);
    expect_if(&s, s.body.result.id, rule, rules[i].result);
    expect_if(&s, s.body.returns.id, rule, rules[i].returns);
    size_t beyond = 0;
    for (size_t k = 0; k < s.body.ends.n; k++)
      if (s.body.ends.at[k].kind == TP_REXEC_UNROLL) {
        expect_if(&s, s.body.ends.at[k].when.id, rule, rules[i].beyond);
        beyond++;
      }
    assert_int_equal(beyond, rules[i].beyond != NULL);
    subject_clear(&s);
  }
}

#define SEEN_1                                                                          \
  "(((univ - (last struct node . *~order struct node)) <: struct node::seen) + struct " \
  "node::seen after call 1)"
#define SEEN_2                                                     \
  "(((univ - (last struct node . *~order struct node)) <: " SEEN_1 \
  ") + struct node::seen "                                         \
  "after call 3)"
#define BELOW_CURSOR "(" HEAD_CELL " . *struct cell::next)"
#define SOURCE "result after call 2"
#define SUCCESSORS                                                            \
  "(((((" SOURCE                                                              \
  " . struct cell::node) . struct node::out) . struct list::head) . *struct " \
  "cell::next) . struct cell::node)"

static void expect_part(const subject *s, uint32_t id, const char *part) {
  tp_str text = {0};
  tp_rel_print(s->heap.l, id, &text);
  if (!strstr(tp_str_text(&text), part))
    fail_msg("%s\nis no part of\n%s", part, tp_str_text(&text));
  tp_str_clear(&text);
}

/* Topological order with one round: what the summaries of its three callees leave open are
 * relations of their own, the result of the second call and the counters after the others; all else
 * is said over the start. Counters of objects that are not there yet stay what they were. */
static void K09_topological_order_with_summaries(void **state) {
  (void)state;
  subject s;
  subject_init_with(
      &s,
      "struct node; struct cell { struct node *node; struct cell *next; }; struct list { struct "
      "cell *head; };\nstruct node { struct list *out; int indeg, seen; }; struct graph { struct "
      "list *nodes; };\nvoid reset(struct graph *g); struct cell *pick(struct cell *from); void "
      "release(struct node *n);\nint f(struct graph *g) {\n  reset(g);\n  for (struct cell *cur = "
      "g->nodes->head; cur; cur = cur->next) {\n    struct cell *src = pick(cur);\n    if (!src) "
      "return 0;\n    release(src->node);\n    struct node *t = src->node; src->node = cur->node; "
      "cur->node = t;\n  }\n  return 1;\n}\n",
      "f",
      "function reset(g) { modifies seen ensures seen' = seen ++ (g.nodes.head.*next.node -> 0) }\n"
      "function pick(from) { modifies none ensures \\result in from.*next & (null + "
      "node.indeg.(from.*next.node.seen)) }\n"
      "function release(n) { modifies seen ensures seen' in seen + (n.out.head.*next.node -> Int) "
      "and seen - (n.out.head.*next.node -> Int) in seen' }\n",
      (tp_rheap_limits){2, 1, 3}, true);
  assert_true(s.body.calls.n >= 3);
  const tp_rexec_call *reset = &s.body.calls.at[0], *pick = &s.body.calls.at[1],
                      *release = &s.body.calls.at[2];
  expect_text(&s, reset->when.id, "true");
  expect_part(&s, reset->returns.id,
              "(" SEEN_1 " = (struct node::seen ++ ((" BELOW_CURSOR
              " . struct cell::node) -> Int 0)))");
  expect_text(&s, pick->args[0].id, HEAD_CELL);
  expect_part(&s, pick->when.id, "not " HEAD_EQ);
  expect_part(&s, pick->returns.id,
              "(" SOURCE " in (" BELOW_CURSOR
              " & (null + ((struct cell::node . struct node::indeg) . ((" BELOW_CURSOR
              " . struct cell::node) . " SEEN_1 ")))))");
  expect_part(&s, pick->returns.id, "one " SOURCE);
  expect_text(&s, release->args[0].id, "(" SOURCE " . struct cell::node)");
  expect_part(&s, release->when.id, "not (" SOURCE " = null)");
  expect_part(&s, release->returns.id, "(" SEEN_2 " in (" SEEN_1 " + (" SUCCESSORS " -> Int)))");
  expect_part(&s, release->returns.id, "((" SEEN_1 " - (" SUCCESSORS " -> Int)) in " SEEN_2 ")");
  expect_part(&s, release->returns.id, "one (x . struct node::seen after call 3)");
  // places change, where the second call found a cell; then the round is over if no cell follows
  expect_part(&s, s.body.after.fields[field_named(&s, "node")].id,
              "((" SOURCE " = null) => struct cell::node else ((struct cell::node ++ (" SOURCE
              " -> (" HEAD_CELL " . struct cell::node))) ++ (" HEAD_CELL " -> (" SOURCE
              " . struct cell::node))))");
  expect_part(&s, s.body.after.fields[field_named(&s, "node")].id,
              "not ((" HEAD_CELL " . struct cell::next) = null)");
  subject_clear(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(K04_bounds),
                                     cmocka_unit_test(K08_function_pointers),
                                     cmocka_unit_test(refused_only_where_it_is_reached),
                                     cmocka_unit_test(K05_all_heaps),
                                     cmocka_unit_test(K10_new_objects_are_no_choice),
                                     cmocka_unit_test(K09_expressions),
                                     cmocka_unit_test(K09_every_rule),
                                     cmocka_unit_test(K09_topological_order_with_summaries)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
