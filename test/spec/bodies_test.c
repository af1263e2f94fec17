/* Bodies as relations against the concrete machine (rows K03, K06, K07, K08): the same heaps, drawn
 * at random; the same end, the same heap afterwards, the same result. */
#include "bodies.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* What is left of the heap, slot by slot. False: an integer in it does not fit the width, so
 * nothing is said of this heap. */
static bool compare_heaps(subject *s, tp_rel_eval *e, const int64_t *post, const char *what) {
  const tp_rheap *h = &s->heap;
  tp_rel_tuples *after = TP_NEW_ARRAY(tp_rel_tuples, h->fields.n + 1);
  bool is_defined = true;
  for (uint32_t f = 0; f < h->fields.n; f++)
    is_defined = tp_rel_eval_expr(e, s->body.after.fields[f], &after[f]) && is_defined;
  for (size_t k = 0; k < s->layout.slots.n && is_defined; k++) {
    const tp_heap_slot *slot = &s->layout.slots.at[k];
    if (slot->kind != TP_HEAP_SLOT_FIELD || post[k] == TP_POST_ABSENT) continue;
    const tp_symbol *symbol = h->fields.at[slot->field].symbol;
    const uint32_t n_keys = tp_rheap_n_keys(h, symbol);
    uint32_t atoms[3], n_found = 0;
    for (size_t t = 0; t < after[slot->field].n; t++) {
      int64_t value, index;
      tp_rel_tuple_atoms(h->atoms, after[slot->field].at[t], n_keys + 1, atoms);
      if (n_keys > 0 && atoms[0] != slot->owner) continue;
      if (n_keys == 2 && (!tp_rel_atom_is_int(h->atoms, atoms[1], &index) || index != slot->index))
        continue;
      if (!tp_rel_atom_is_int(h->atoms, atoms[n_keys], &value)) value = atoms[n_keys];
      n_found++;
      if (value != post[k])
        fail_msg("%s: %s of %s is %lld, not %lld", what, symbol->name,
                 n_keys ? tp_rel_atom_name(h->atoms, slot->owner) : "", (long long)post[k],
                 (long long)value);
    }
    if (n_found != 1)
      fail_msg("%s: %s of %s has %u values", what, symbol->name,
               n_keys ? tp_rel_atom_name(h->atoms, slot->owner) : "", n_found);
  }
  for (uint32_t f = 0; f < h->fields.n; f++) tp_rel_tuples_clear(&after[f]);
  tp_free(after);
  return is_defined;
}

static bool compare_results(subject *s, tp_rel_eval *e, int64_t result, const char *what) {
  tp_rel_tuples set = {0};
  int64_t value;
  if (!s->body.result.id) return true;
  if (!tp_rel_eval_expr(e, s->body.result, &set)) return false;
  assert_int_equal(set.n, 1);
  if (!tp_rel_atom_is_int(s->heap.atoms, (uint32_t)set.at[0], &value)) value = (int64_t)set.at[0];
  if (value != result)
    fail_msg("%s: the result is %lld, not %lld", what, (long long)result, (long long)value);
  tp_rel_tuples_clear(&set);
  return true;
}

enum { N_HEAPS = 60, SOAK_HEAPS = 150 };

typedef struct {
  const char *name, *text;
  tp_rheap_limits limits;
  uint32_t n_returns, n_fails;  // of SOAK_HEAPS heaps at least half of these
} sample;

/* The model finder finds a failure if chance did, and what it finds fails in the concrete machine.
 */
static void check_answer(subject *s, bool fails, int64_t *at, int64_t *post, const char *what) {
  tp_contract_verdict j;
  tp_contract_check(&(tp_contract_query){.heap = &s->heap, .body = &s->body}, &j);
  if (fails && j.answer != TP_CONTRACT_FAILS)
    fail_msg("%s: answer %d: %s", what, j.answer, j.what ? j.what : "");
  if (j.answer == TP_CONTRACT_UNKNOWN) fail_msg("%s: %s", what, j.what);
  if (j.answer == TP_CONTRACT_FAILS) {
    tp_heap_layout_read(&s->layout, &j.instance, at);
    if (outcome_of_run(s, at, post) != OUT_FAILS)
      fail_msg("%s: %s in line %u, which does not happen", what, j.what, j.pos.line);
  }
  tp_contract_verdict_clear(&j);
}

static void check_sample(const sample *c) {
  subject s;
  subject_init(&s, c->text, NULL, NULL, c->limits);
  subject_bind(&s);
  tp_rel_instance i;
  tp_rng rng;
  tp_rng_init(&rng, 1);
  tp_rel_instance_init(&i, tp_rel_n_relations(s.heap.l));
  int64_t *at = TP_NEW_ARRAY(int64_t, s.layout.slots.n + 1),
          *post = TP_NEW_ARRAY(int64_t, s.layout.slots.n + 1);
  int64_t *again = TP_NEW_ARRAY(int64_t, s.layout.slots.n + 1);
  uint32_t n_of[OUT_REFUSED + 1] = {0};
  const uint32_t n_heaps = getenv("TP_SOAK") ? SOAK_HEAPS : N_HEAPS;
  for (uint32_t turn = 0; turn < n_heaps; turn++) {
    draw_heap(&s, &rng, at, &i);
    tp_rel_eval *e = tp_rel_eval_new(s.heap.bounds, &i, c->limits.width_bits);
    assert_int_equal(tp_rel_eval_formula(e, s.is_heap), TP_REL_IS_TRUE);
    assert_true(tp_rel_instance_is_within(&i, s.heap.bounds));
    tp_heap_layout_read(&s.layout, &i, again);
    const outcome want = outcome_of_run(&s, at, post), have = outcome_of_relations(&s, e);
    const bool is_beyond = have == OUT_BEYOND || have == OUT_UNDEFINED;
    if (!is_beyond && have != want) {
      tp_str text = {0};
      tp_rel_instance_print(&i, s.heap.bounds, &text);
      fail_msg("%s: ends as %d, not as %d, from\n%s", c->name, want, have, tp_str_text(&text));
    }
    const bool is_said =
        have != OUT_RETURNS || (compare_heaps(&s, e, post, c->name) &&
                                compare_results(&s, e, post[s.layout.slots.n], c->name));
    n_of[is_said ? have : OUT_UNDEFINED]++;
    tp_rel_eval_free(e);
  }
  if (getenv("TP_SHOW"))
    printf("%s: %u return, %u fail, %u beyond, %u stop, %u undefined\n", c->name, n_of[OUT_RETURNS],
           n_of[OUT_FAILS], n_of[OUT_BEYOND], n_of[OUT_STOPS], n_of[OUT_UNDEFINED]);
  const uint32_t twice = 2 * SOAK_HEAPS / n_heaps;
  if (twice * n_of[OUT_RETURNS] < c->n_returns || twice * n_of[OUT_FAILS] < c->n_fails)
    fail_msg("%s: %u return, %u fail", c->name, n_of[OUT_RETURNS], n_of[OUT_FAILS]);
  check_answer(&s, n_of[OUT_FAILS] > 0, at, post, c->name);
  tp_free(at);
  tp_free(post);
  tp_free(again);
  tp_rel_instance_clear(&i);
  subject_clear(&s);
}

#define HEAD                                                                                 \
  "#include <stdlib.h>\n#include <stdbool.h>\nvoid reach_error(void);\n#define CHECK(c) if " \
  "(!(c)) reach_error()\n"
#define LIST HEAD "struct node { struct node *next, *prev; int data; };\n"

static const sample reads_and_writes[] = {
    {"paths",
     LIST "int f(struct node *a, struct node *b) { a->next->data = b->data + 1; b->next = a->next; "
          "b->next->prev = a; return a->next->prev->data; }",
     {3, 1, 4},
     40,
     100},
    {"aliasing",
     LIST "int f(struct node *a, struct node *b) { a->data = 1; b->data = 2; CHECK(a->data == 1); "
          "struct node *t = a->next; a->next = b; b->next = t; return t == a; }",
     {3, 1, 4},
     40,
     40},
    {"globals",
     LIST "struct node *top; int count; void f(struct node *n) { if (n) { n->next = top; top = n; "
          "count++; } else top = top->next; }",
     {3, 1, 4},
     100,
     20},
    {"conditions",
     HEAD "struct s { int a; unsigned u; bool b; }; int f(struct s *s, int x, unsigned y, bool z) "
          "{ if (x < 2 && s->b) s->a = x; else if (y > 1u || z) s->u = y; "
          "s->b = z != s->b; return s->a < 0 ? -1 : (unsigned)x < y ? 1 : x % 3 + x / 2; }",
     {2, 1, 5},
     100,
     50},
    {"bits",
     HEAD "int f(int x, unsigned y, signed char c) { int r = (x & 3) + (x >> 1); r += (int)(y >> "
          "1); return c < x ? r : ~r - c; }",
     {1, 1, 6},
     150,
     0},
    {"bits of two",
     HEAD "int f(int x, int y, signed char c, unsigned u) { int r = x & y; r -= x | c; return u & "
          "1u ? x ^ y ^ 5 : r ^ (int)(u | 2u); }",
     {1, 1, 5},
     150,
     0},
    {"bits of pairs",
     HEAD "_Bool f(int x, int y, _Bool b) { CHECK((x ^ y) != 0 || x == y); CHECK((x & 6) < 7 && (x "
          "| y) - (x & y) == (x ^ y)); CHECK((x & y & 3) != 1); return (x | y) ^ b; }",
     {1, 1, 4},
     60,
     20},
    {"inner structs",
     HEAD "struct in { int a; struct in *p; }; struct out { int z; struct in x, y; }; int f(struct "
          "out *o, struct in *i) { o->x.a = i->a; struct in *q = &o->y; q->p = &o->x; "
          "q->a = 2; i->a = 3; struct in copy = o->x; o->y.p->a++; return o->x.a + copy.a; }",
     {2, 1, 5},
     40,
     60},
    {"first members",
     HEAD "struct in { int a; }; struct out { struct in x; struct out *up; }; int f(struct out *o) "
          "{ struct in *i = &o->x; i->a = 1; return o->up->x.a; }",
     {3, 1, 4},
     60,
     60},
    {"pointers to members",
     LIST
     "void f(struct node **where, struct node *n, struct node *list) { struct node **p = n ? "
     "&n->next : &list->prev; *p = list; if (where) *where = n; int *d = &list->data; *d = 2; }",
     {2, 1, 3},
     60,
     60},
    {"arrays",
     HEAD "int f(int *a, int i, int j) { int t = a[i]; a[i] = a[j]; a[j] = t; return a[0]; }",
     {3, 1, 3},
     8,
     100},
    {"array members",
     HEAD "struct s { int n; int at[3]; struct s *of[2]; }; int f(struct s *s, int i) { if (i < 0 "
          "|| i > 2) return -1; s->at[i] = s->n; s->of[1] = s; if (i > 0) s->at[i - 1]++; return "
          "s->of[s->at[0] & 1]->n; }",
     {2, 1, 4},
     20,
     100},
    {"static objects",
     HEAD "struct s { int a; struct s *p; } S; static int A[3], *Q; static struct s *P; int f(int "
          "i, struct s *s) { S.a = i; A[i] = 1; S.p = s; struct s **w = &P; *w = &S; Q = A; return "
          "A[0] + P->a; }",
     {2, 1, 4},
     60,
     40},
    {"void pointers",
     LIST "struct b { void *any; }; int f(struct b *b, struct node *n) { b->any = n; struct node "
          "*m = b->any; return m->data; }",
     {2, 1, 4},
     40,
     60},
};

static const sample control[] = {
    {"early returns",
     LIST "int f(struct node *l, int d) { while (l) { if (l->data == d) return 1; if (l->data > d) "
          "break; l = l->next; } return l ? 2 : 0; }",
     {3, 4, 4},
     100,
     0},
    {"nested loops",
     HEAD "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { int j; for (j = i; j < n; j++) "
          "{ if (j == 2) continue; s++; } if (s > 4) goto out; } out: return s; }",
     {1, 3, 5},
     100,
     0},
    {"do and switch",
     HEAD
     "int f(int n) { int s = 0; do { switch (n & 3) { case 0: s++; break; case 1: s--; /* fall "
     "through */ case 2: s += 2; break; default: return s; } n--; } while (n > 0); return s; }",
     {1, 3, 5},
     100,
     0},
    {"reversal",
     LIST "struct node *f(struct node *l) { struct node *r = 0; while (l) { struct node *n = "
          "l->next; l->next = r; r = l; l = n; } return r; }",
     {3, 4, 3},
     100,
     0},
    {"removal through pointers",
     LIST "struct node *head; void f(struct node *e) { struct node **p = &head; while (*p != e) p "
          "= &(*p)->next; *p = e->next; }",
     {3, 4, 3},
     30,
     100},
    {"goto loops",
     HEAD "int f(int a, int b) { int n = 0; if (a > b) goto in; again: a++; in: n++; if (n < 3 && "
          "a < 5) goto again; return a + n; }",
     {1, 4, 5},
     100,
     0},
};

static const sample calls[] = {
    {"calls",
     LIST "static int get(struct node *n) { return n->data; } static void set(struct node *n, int "
          "d) { n->data = d; } void f(struct node *a, struct node *b) { set(a, get(b) + get(a)); "
          "set(b, 1); }",
     {2, 1, 4},
     40,
     60},
    {"recursion",
     LIST "int f(struct node *l) { if (!l) return 0; int d = l->data & 1, r = f(l->next); return d "
          "+ r; }",
     {3, 4, 4},
     100,
     0},
    {"two recursions",
     HEAD "struct t { struct t *l, *r; int n; }; int f(struct t *t) { if (!t) return 0; int a = "
          "f(t->l); int b = f(t->r); t->n = a + b; return a + b + 1; }",
     {2, 3, 4},
     40,
     0},
    {"function pointers",
     HEAD "static int inc(int x) { return x + 1; } static int dec(int x) { return x - 1; } struct "
          "ops { int (*op)(int); struct ops *next; }; "
          "int f(struct ops *o, int x, int which) { if (which > 2) o->op = which == 3 ? inc : dec; "
          "return o->op(x); }",
     {2, 1, 4},
     40,
     100},
};

static const sample memory[] = {
    {"pushing",
     LIST "struct node *f(struct node *l, int d) { struct node *n = malloc(sizeof *n); n->next = "
          "l; n->prev = 0; n->data = d; if (l) l->prev = n; return n; }",
     {3, 1, 3},
     100,
     0},
    {"zeroed",
     LIST "int f(struct node *l) { struct node *n = calloc(1, sizeof *n); l->next = n; "
          "CHECK(!n->next); return n->data; }",
     {3, 1, 3},
     40,
     60},
    {"freeing",
     LIST "int f(struct node *a, struct node *b) { int d = a->data; free(b); if (d > 0) return "
          "a->data; free(a); return d; }",
     {3, 1, 3},
     60,
     60},
    {"dangling",
     LIST "int f(struct node *a) { struct node *n = a->next; free(n); return a->data; }",
     {3, 1, 3},
     60,
     60},
    {"locals",
     HEAD "struct p { int x, y; }; static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; "
          "} int f(struct p *p) { int a = 1, b = p->y; swap(&a, &b); struct p q = *p; q.x = a; "
          "swap(&p->x, &p->y); return q.x + b + p->x; }",
     {3, 1, 4},
     20,
     60},
    {"new arrays",
     HEAD "int f(int n) { if (n < 1) return 0; int *a = calloc((size_t)n, sizeof *a); a[n - 1] = "
          "2; int r = a[0]; free(a); return r; }",
     {3, 1, 4},
     60,
     0},
};

static const sample rows[] = {
    {"global arrays of structs",
     HEAD
     "struct in { int e; }; struct c { int v; struct in in; struct c *next; }; struct c pool[3], "
     "*top;\n"
     "int f(struct c *c, int i) { if (i < 0 || i > 2) i = 1; pool[i].v = 2; struct c *p = "
     "&pool[2]; p[-i].in.e = i; if (c) p->next = c;\n"
     "top = p->next ? p - 1 : 0; if (c == &pool[1]) { c++; c->v = 3; } return pool[i].v + "
     "pool[2 - i].in.e; }",
     {2, 1, 4},
     100,
     0},
    {"local arrays of structs",
     HEAD
     "struct c { int v; struct c *next; };\n"
     "int f(struct c *c, int i) { struct c a[3]; for (int k = 0; k < 3; k++) { a[k].v = k; "
     "a[k].next = k ? &a[k - 1] : c; }\n"
     "if (i < 0 || i > 2) i = 0; a[i].v = 5; struct c *p = &a[2]; int s = 0; while (p && p != c) "
     "{ s = s + p->v; p = p->next; } return s; }",
     {2, 4, 5},
     100,
     0},
    {"a struct and what lies first in it",
     HEAD
     "struct in { int e; }; struct m { struct in in; int k; }; struct n { struct m m; struct n "
     "*next; };\n"
     "int f(void *a, void *b, struct n *n, struct in *i) { if (a == b) return a == n ? 3 : 1; "
     "if (!a || !b) return 0; void *p = n; return p == i ? 2 : 4; }",
     {2, 1, 4},
     100,
     0},
    {"arrays of structs in structs",
     HEAD "struct e { int k; struct t *w; }; struct t { int n; struct e e[3]; struct t *next; };\n"
          "int f(struct t *t, struct e *q, int i) { if (!t) return 0; if (i < 0 || i > 2) i = 0; "
          "t->e[i].k = 3; "
          "t->e[2 - i].w = t; struct e *p = &t->e[1];\n"
          "p++; p->k = i; p = p - i; p->w = t->next; if (q == &t->e[2]) q->k = 5; struct t c = *t; "
          "c.e[0].k = 1; if (t->next && c.e[1].k == 2) *t->next = c; return t->e[0].k; }",
     {2, 1, 4},
     60,
     0},
    {"beyond a global array of structs",
     HEAD "struct c { int v; }; struct c pool[3]; int f(int i) { pool[i & 3].v = 1; return "
          "pool[0].v; }",
     {1, 1, 4},
     60,
     0},
};

static const sample initialisers[] = {
    {"structs and arrays",
     HEAD
     "struct in { int e; void *p; }; struct s { int a; struct in x; short v[2]; struct s *next; }; "
     "int f(struct s *s, int i) { struct s t = {2, {3, 0}, {-1, 2}, 0}; int a[3] = {1, -2, 3};\n"
     "if (s) *s = t; if (i < 0 || i > 2) return a[1]; return a[i] + t.v[i & 1] + t.x.e; }",
     {3, 1, 4},
     100,
     0},
};

static void check_all(const sample *at, size_t n) {
  for (size_t i = 0; i < n; i++) check_sample(&at[i]);
  assert_int_equal(tp_live_bytes(), 0);
}

#define COUNT(a) (sizeof(a) / sizeof *(a))
static void K03_reads_and_writes(void **state) {
  (void)state;
  check_all(reads_and_writes, COUNT(reads_and_writes));
}
static void K06_early_exits_and_loops(void **state) {
  (void)state;
  check_all(control, COUNT(control));
}
static void K07_K08_calls(void **state) {
  (void)state;
  check_all(calls, COUNT(calls));
}
static void K10_allocation(void **state) {
  (void)state;
  check_all(memory, COUNT(memory));
  check_all(initialisers, COUNT(initialisers));
  check_all(rows, COUNT(rows));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(K03_reads_and_writes), cmocka_unit_test(K06_early_exits_and_loops),
      cmocka_unit_test(K07_K08_calls), cmocka_unit_test(K10_allocation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
