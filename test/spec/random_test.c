/* Random functions with random contracts (rows K35, K36): on random heaps every claim has the value that it has in the heap that the concrete machine
 * leaves; what holds within bounds is broken by no heap that chance finds, and what fails does fail. TP_SOAK=1: many more. */
#include "bodies.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// -------------------------------------------------------------------- programs

typedef struct {
  tp_rng rng;
  tp_str text;
  int depth, n_new;
  bool is_rich;                          // inner structs, arrays, pointers to members and to locals
} writer;

static uint64_t below(writer *w, uint64_t n) { return tp_rng_below(&w->rng, n); }

static const char *pointer(writer *w) {
  static const char *const all[] = {"x", "y", "t", "A(x)", "B(y)", "A(t)", "g", "0", "B(x)", "A(B(t))"};
  static const char *const rich[] = {"q ? q->w : 0", "z", "(x ? x->in.w : y)"};
  return w->is_rich && below(w, 4) == 0 ? rich[below(w, 3)] : all[below(w, 10)];
}
static const char *variable(writer *w) {
  static const char *const all[] = {"x", "y", "t", "g"};
  return all[below(w, 4)];
}
static const char *integer(writer *w) {
  static const char *const all[] = {"i", "k", "D(x)", "0", "1", "D(t) + 1", "i - 1", "D(y)"};
  static const char *const rich[] = {"*p", "(q ? q->e : 2)", "V(x)", "V(y) - 1", "(t ? t->in.e : i)"};
  return w->is_rich && below(w, 3) == 0 ? rich[below(w, 5)] : all[below(w, 8)];
}

static void condition(writer *w) {
  const uint64_t c = below(w, 4);
  if (c == 0) tp_str_printf(&w->text, "%s == %s", pointer(w), variable(w));
  else if (c == 1) tp_str_printf(&w->text, "%s < %s", integer(w), integer(w));
  else if (c == 2) tp_str_printf(&w->text, "%s", pointer(w));
  else tp_str_printf(&w->text, "%s && D(%s) != %s", variable(w), variable(w), integer(w));
}

static void statements(writer *w, uint64_t n);

static void rich_statement(writer *w) {
  static const char *const all[] = {"q = t ? &t->in : q;", "p = y ? &y->v[i & 1] : p;", "p = x ? &x->d : &k2;", "if (t) p = &t->in.e;", "z = x;", "t = z;", "if (x && y) x->in = y->in;",
                                    "q = x ? (struct m *)&x->in : &own;", "if (q == (x ? &x->in : 0)) i = 1;", "if (p == &k2) k = 2;", "own.w = y;", "if (q && q->w) q = &q->w->in;", "if (x) x->v[k & 1]++;"};
  const uint64_t c = below(w, 16);
  if (c < 13) tp_str_printf(&w->text, "%s\n", all[c]);
  else if (c == 13) tp_str_printf(&w->text, "*p = %s;\n", integer(w));
  else if (c == 14) tp_str_printf(&w->text, "if (q) q->w = %s;\n", pointer(w));
  else tp_str_printf(&w->text, "if (y) y->v[i & 1] = %s;\n", integer(w));
}

static void statement(writer *w) {
  if (w->is_rich && below(w, 3) == 0) {
    rich_statement(w);
    return;
  }
  const uint64_t c = below(w, w->depth < 2 ? 14 : 9);
  if (c < 2) tp_str_printf(&w->text, "%s = %s;\n", variable(w), pointer(w));
  else if (c < 6) {
    const char *to = variable(w);
    if (below(w, 8)) tp_str_printf(&w->text, "if (%s) ", to);
    if (c < 5) tp_str_printf(&w->text, "%s->%s = %s;\n", to, below(w, 2) ? "a" : "b", pointer(w));
    else tp_str_printf(&w->text, "%s->d = %s;\n", to, integer(w));
  }
  else if (c == 6) tp_str_printf(&w->text, "%s = %s;\n", below(w, 2) ? "i" : "k", integer(w));
  else if (c == 7) tp_str_printf(&w->text, w->n_new++ ? ";\n" : "%s = calloc(1, sizeof *x);\n", variable(w));
  else if (c == 8) tp_str_printf(&w->text, below(w, 3) ? "helper(%s, %s);\n" : "if (k == 3) free(%s);\n", variable(w), integer(w));
  else {
    const bool is_loop = c >= 12;
    w->depth++;
    tp_str_add(&w->text, is_loop ? "while (" : "if (");
    condition(w);
    tp_str_add(&w->text, ") {\n");
    statements(w, 1 + below(w, 2));
    if (is_loop) tp_str_add(&w->text, below(w, 2) ? "t = t->a;\nif (!t) break;\n" : "i++;\nif (i > 2) return t;\n");
    if (!is_loop && below(w, 2)) {
      tp_str_add(&w->text, "} else {\n");
      statements(w, 1 + below(w, 2));
    }
    tp_str_add(&w->text, "}\n");
    w->depth--;
  }
}

static void statements(writer *w, uint64_t n) {
  for (uint64_t k = 0; k < n; k++) statement(w);
}

static void write_rich_program(writer *w) {
  tp_str_add(&w->text, "#include <stdlib.h>\nstruct m { int e; struct n *w; };\nstruct n { struct n *a, *b; int d; struct m in; int v[2]; };\nstruct n *g;\n"
                       "#define A(p) ((p) ? (p)->a : 0)\n#define B(p) ((p) ? (p)->b : 0)\n#define D(p) ((p) ? (p)->d : 0)\n#define V(p) ((p) ? (p)->v[k & 1] : 0)\n"
                       "static void helper(struct n *h, int v) { if (!h) return; if (h->d < v) h->in.e = v; else h->in.w = h->b; }\nvoid uses(void) { g = 0; }\n"
                       "struct n *f(struct n *x, struct n *y, int i) {\nstruct n *t = y;\nint k = 1, k2 = 0, *p = &k2;\nstruct m own = {1, 0}, *q = y ? &y->in : &own;\nvoid *z = t;\n");
  statements(w, 3 + below(w, 5));
  tp_str_printf(&w->text, "return %s;\n}\n", pointer(w));
}

static void write_program(writer *w) {
  tp_str_add(&w->text, "#include <stdlib.h>\nstruct n { struct n *a, *b; int d; };\nstruct n *g;\n"
                       "#define A(p) ((p) ? (p)->a : 0)\n#define B(p) ((p) ? (p)->b : 0)\n#define D(p) ((p) ? (p)->d : 0)\n"
                       "static void helper(struct n *h, int v) { if (!h) return; if (h->d < v) h->d = v; else h->a = h->b; }\n"
                       "void uses(void) { g = 0; }\nstruct n *f(struct n *x, struct n *y, int i) {\nstruct n *t = y;\nint k = 1;\n");
  statements(w, 2 + below(w, 4));
  tp_str_printf(&w->text, "return %s;\n}\n", below(w, 4) ? variable(w) : pointer(w));
}

// ------------------------------------------------------------------- contracts

static const char *set(writer *w) {
  static const char *const all[] = {"x", "y", "g", "x.a", "y.*a", "x.^(a + b)", "g.*b", "\\alloc", "a.x", "x.*a & y.*b", "\\result", "none", "struct n & \\alloc", "{c : struct n & \\alloc | c.a = c.b}"};
  return all[below(w, 14)];
}
static const char *set_after(writer *w) {
  static const char *const all[] = {"x.a'", "y.*a'", "x.^(a + b)'", "g'", "g'.*b'", "\\alloc'", "\\result", "\\result.a'", "a'.x", "{c : struct n & \\alloc' | c.d' > 0}", "x.(a ++ (x -> y))", "x.b'"};
  return all[below(w, 12)];
}

static void formula(writer *w, int depth) {
  static const char *const rich[] = {"x.in.e' >= y.v[0]", "x.v' = x.v", "(all c : struct n & \\alloc | c.in.w' in c.in.w + x + null)", "x.in.w' != y", "some w'.(y - null)"};
  if (w->is_rich && below(w, 3) == 0) {
    tp_str_add(&w->text, rich[below(w, 5)]);
    return;
  }
  const uint64_t c = below(w, depth ? 8 : 6);
  if (c == 0) tp_str_printf(&w->text, "%s in %s", set_after(w), set(w));
  else if (c == 1) tp_str_printf(&w->text, "%s = %s + %s", set_after(w), set(w), set(w));
  else if (c == 2) tp_str_printf(&w->text, "#(%s - null) <= #(%s + null)", set_after(w), set(w));
  else if (c == 3) tp_str_printf(&w->text, "(all c : struct n & \\alloc & \\alloc' | c.d' = c.d or c in %s)", set(w));
  else if (c == 4) tp_str_printf(&w->text, "(some c : struct n & \\alloc' | c.a' = c or c !in %s)", set(w));
  else if (c == 5) tp_str_printf(&w->text, "x.d' %s y.d + i", below(w, 2) ? ">=" : "!=");
  else {
    tp_str_add(&w->text, c == 6 ? "(" : "not (");
    formula(w, depth - 1);
    tp_str_add(&w->text, below(w, 3) ? " or " : " => ");
    formula(w, depth - 1);
    tp_str_add(&w->text, ")");
  }
}

static void write_contract(writer *w) {
  static const char *const rich[] = {"a, b, d, e, w, v, g, \\alloc", "x.a, e, w, y.v, d, a, b, g, \\alloc", "none"};
  static const char *const requires[] = {"x != null", "x != y", "no c : x.*a | c in c.^a", "g = null or g.d > 0", "y in x.*b"};
  static const char *const modifies[] = {"a, b, d, g, \\alloc", "x.a, x.b, x.d, g, \\alloc", "d, a, g, b", "x.*a.d, y.b, a, b, g, \\alloc", "none"};
  tp_str_add(&w->text, "function f {\n");
  if (below(w, 2)) tp_str_printf(&w->text, "requires %s\n", requires[below(w, 5)]);
  if (below(w, 2)) tp_str_printf(&w->text, "modifies %s\n", w->is_rich ? rich[below(w, 3)] : modifies[below(w, 5)]);
  for (uint64_t k = below(w, 3); k-- > 0;) {
    tp_str_add(&w->text, "ensures ");
    formula(w, 2);
    tp_str_add_char(&w->text, '\n');
  }
  tp_str_add(&w->text, "}\n");
}

// ----------------------------------------------------------------------- checks

typedef struct {
  uint64_t n_claims, n_broken, n_undefined, n_holds, n_fails, n_unknown, n_missed;
} tally;

/* The claims in the state afterwards that the machine found; true: one is broken. */
static bool compare_claims(subject *s, tp_rel_eval *e, const tp_rel_instance *before, const int64_t *post, const int64_t *there, tally *sum, const char *what) {
  tp_rel_instance after;
  bool broken = false;
  tp_rel_instance_init(&after, tp_rel_n_relations(s->heap.l));
  for (uint32_t r = 0; r < before->n; r++) tp_rel_tuples_copy(&after.of[r], &before->of[r]);
  if (tp_rreplay_read(&s->layout, &s->contract, post, there, &after)) sum->n_undefined++;
  else {
    tp_rel_eval *e2 = tp_rel_eval_new(s->heap.bounds, &after, s->heap.limits.width_bits);
    for (size_t k = 0; k < s->contract.claims.n; k++) {
      const tp_rel_truth_value breaks = tp_rel_eval_formula(e, s->contract.claims.at[k].when), holds = tp_rel_eval_formula(e2, s->contract.over_two.at[k]);
      sum->n_claims++;
      if (breaks == TP_REL_IS_UNDEFINED) sum->n_undefined++;
      else if ((breaks == TP_REL_IS_TRUE) != (holds == TP_REL_IS_FALSE)) fail_msg("%s\n: %s: broken %d, holds %d", what, s->contract.claims.at[k].what, breaks, holds);
      broken = broken || holds == TP_REL_IS_FALSE;
    }
    tp_rel_eval_free(e2);
  }
  tp_rel_instance_clear(&after);
  return broken;
}

static bool meets(tp_rel_eval *e, const subject *s) {
  for (size_t k = 0; k < s->contract.given.n; k++)
    if (tp_rel_eval_formula(e, s->contract.given.at[k]) != TP_REL_IS_TRUE) return false;
  return true;
}

/* Does the heap break something, within the bounds? */
static bool try_heap(subject *s, const int64_t *at, const tp_rel_instance *i, int64_t *post, int64_t *there, tally *sum, const char *what) {
  tp_rel_eval *e = tp_rel_eval_new(s->heap.bounds, i, s->heap.limits.width_bits);
  const outcome want = outcome_and_objects(s, at, post, there), have = outcome_of_relations(s, e);
  if (have != OUT_BEYOND && have != OUT_UNDEFINED && have != want) {
    tp_str text = {0};
    tp_rel_instance_print(i, s->heap.bounds, &text);
    fail_msg("%s\nends as %d, not as %d, from\n%s", what, want, have, tp_str_text(&text));
  }
  bool breaks = have == OUT_FAILS;
  if (have == OUT_RETURNS) breaks = compare_claims(s, e, i, post, there, sum, what);
  breaks = breaks && meets(e, s);
  tp_rel_eval_free(e);
  return breaks;
}

static void check_program(uint64_t seed, int n_heaps, tally *sum) {
  writer program = {0}, contract = {0};
  subject s;
  tp_rjudgement j;
  tp_rel_instance i;
  tp_str what = {0};
  tp_rng_init(&program.rng, seed);
  tp_rng_init(&contract.rng, seed + 1000000);
  program.is_rich = contract.is_rich = seed % 2;
  if (program.is_rich) write_rich_program(&program);
  else write_program(&program);
  write_contract(&contract);
  tp_str_printf(&what, "seed %llu\n%s%s", (unsigned long long)seed, tp_str_text(&program.text), tp_str_text(&contract.text));
  subject_init(&s, tp_str_text(&program.text), "f", tp_str_text(&contract.text), (tp_rheap_limits){program.is_rich ? 3 : 2, 2, 4});
  subject_bind(&s);
  const tp_rquestion q = {.heap = &s.heap, .body = &s.body, .given = s.contract.given.at, .n_given = s.contract.given.n, .claims = s.contract.claims.at, .n_claims = s.contract.claims.n};
  tp_rjudge(&q, &j);
  sum->n_holds += j.answer == TP_RJUDGE_HOLDS;
  sum->n_fails += j.answer == TP_RJUDGE_FAILS;
  sum->n_unknown += j.answer == TP_RJUDGE_UNKNOWN;
  tp_rcontract_over_two(&s.contract);
  if (s.contract.why) fail_msg("%s: %s", tp_str_text(&what), s.contract.why);
  int64_t *at = TP_NEW_ARRAY(int64_t, s.layout.slots.n + 1), *post = TP_NEW_ARRAY(int64_t, s.layout.slots.n + 1), *there = TP_NEW_ARRAY(int64_t, tp_rel_n_atoms(s.heap.atoms));
  if (j.answer == TP_RJUDGE_FAILS) {
    tp_rlayout_read(&s.layout, &j.instance, at);
    tp_rel_instance_init(&i, j.instance.n);
    instance_of(&s, at, &i);
    if (!try_heap(&s, at, &i, post, there, sum, tp_str_text(&what))) {
      tp_str heap = {0};
      tp_rel_instance_print(&j.instance, s.heap.bounds, &heap);
      fail_msg("%s\nthe heap breaks nothing: %s\n%s", tp_str_text(&what), j.what, tp_str_text(&heap));
    }
    tp_rel_instance_clear(&i);
  }
  tp_rel_instance_init(&i, tp_rel_n_relations(s.heap.l));
  for (int turn = 0; turn < n_heaps; turn++) {
    draw_heap(&s, &program.rng, at, &i);
    const bool breaks = try_heap(&s, at, &i, post, there, sum, tp_str_text(&what));
    sum->n_broken += breaks;
    if (breaks && j.answer == TP_RJUDGE_HOLDS) fail_msg("%s\nis said to hold", tp_str_text(&what));
  }
  tp_rel_instance_clear(&i);
  tp_free(at);
  tp_free(post);
  tp_free(there);
  tp_rjudgement_clear(&j);
  subject_clear(&s);
  tp_str_clear(&what);
  tp_str_clear(&program.text);
  tp_str_clear(&contract.text);
}

static void K35_K36_random_functions(void **state) {
  (void)state;
  const char *soak = getenv("TP_SOAK"), *seed = getenv("TP_SEED");
  tally sum = {0};
  const uint64_t first = seed ? strtoull(seed, NULL, 10) : 1, n = seed ? 1 : soak ? 300 : 8;
  for (uint64_t k = first; k < first + n; k++) check_program(k, 60, &sum);
  printf("%llu functions: %llu hold, %llu fail, %llu unknown; %llu heaps break something; %llu claims evaluated, %llu undefined\n", (unsigned long long)n, (unsigned long long)sum.n_holds,
         (unsigned long long)sum.n_fails, (unsigned long long)sum.n_unknown, (unsigned long long)sum.n_broken, (unsigned long long)sum.n_claims, (unsigned long long)sum.n_undefined);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(K35_K36_random_functions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
