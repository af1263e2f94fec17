/* Every rule of relational bounds, against the meaning of the operators, over all states of a small
 * universe: null, two objects of the pre-state, two integers, two new objects.
 *
 * Expressions are built level by level; each is built twice, with its rules and as it stands, and
 * both must denote the same set in every state in which what the text takes for one value is one.
 */
#include "contracts/summarise/relational_bound.h"
#include "contracts/summarise/relational_bound_eval.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NULL_ATOM = 1, O = 2, P = 4, I0 = 8, I1 = 16, N0 = 32, N1 = 64, N_ATOMS = 7 };
enum { X, Y, A, R, S, N_NAMES };

typedef struct {
  small_value names[N_NAMES];
  bool makes_first;  // is there the object New0?
} small_heap;

static small_value name_value(void *ctx, const tp_rbound_name_info *name) {
  const small_heap *h = ctx;
  return h->names[(const char *)name->symbol - (const char *)"xyars"];
}
static small_set new_object(void *ctx, uint32_t number) {
  const small_heap *h = ctx;
  return number ? N1 : h->makes_first ? N0 : 0;
}
static small_set new_set(void *ctx, uint32_t basic) {
  (void)ctx;
  return basic == 1 ? N0 | N1 : 0;
}
static small_set integer(void *ctx, int64_t v) {
  (void)ctx;
  return v == 0 ? I0 : v == 1 ? I1 : 0;
}
static int64_t integer_of(void *ctx, small_set one) {
  (void)ctx;
  return one == I1;
}
static small_state state_of(small_heap *h) {
  return (small_state){N_ATOMS, NULL_ATOM, I0 | I1,    name_value, new_object,
                       new_set, integer,   integer_of, h};
}

static tp_rbound name(tp_rbounds *t, int which) {
  static const char *const texts[] = {"x", "y", "a", "r", "s"};
  const bool is_value = which == X || which == Y, is_member = which == R || which == S;
  return tp_rbound_name(t, (tp_rbound_name_info){texts[which], &"xyars"[which], is_member ? 2 : 1,
                                                 is_value    ? TP_RBOUND_IS_VALUE
                                                 : is_member ? TP_RBOUND_IS_MEMBER
                                                             : TP_RBOUND_ANY});
}

// ----------------------------------------------------------------------- states

/* Members lead from o and p to null, o, p: 6 bits. */
static small_value member(uint32_t bits) {
  small_value v = {0};
  v.of[1] = bits & 7;
  v.of[2] = bits >> 3 & 7;
  return v;
}

typedef TP_VEC(small_heap) heaps;
static heaps all_heaps(uint32_t every, tp_rng *rng) {
  heaps out = {0};
  for (uint32_t r = 0; r < 64; r++)
    for (uint32_t s = 0; s < 64; s++)
      for (uint32_t a = 0; a < 8; a++)
        for (uint32_t xy = 0; xy < 9; xy++) {
          if (every > 1 && tp_rng_below(rng, every)) continue;
          small_heap h = {.makes_first = xy != 4};
          h.names[X].set = (small_set)1 << xy % 3;
          h.names[Y].set = (small_set)1 << xy / 3;
          h.names[A].set = a;
          h.names[R] = member(r);
          h.names[S] = member(s);
          tp_vec_push(&out, h);
        }
  return out;
}

static bool is_one(small_set s) { return s && !(s & (s - 1)); }

static bool may_be_dereferenced(const tp_rbounds *t, tp_rbound a, const small_state *s) {
  const tp_rbound_node *n = tp_rbound_at(t, a);
  if (n->is_value) return n->kind == TP_RBOUND_NULL || small_eval(t, a, s).set != NULL_ATOM;
  if (n->kind == TP_RBOUND_IF)
    return may_be_dereferenced(t, n->kids[small_eval(t, n->kids[0], s).holds ? 1 : 2], s);
  const bool is_without_null = n->kind == TP_RBOUND_DIFFERENCE;
  for (uint32_t i = 0; i < n->n_kids && (n->kind == TP_RBOUND_UNION || is_without_null); i++)
    if (!may_be_dereferenced(t, n->kids[i], s)) return false;
  return true;
}

/* Is all that the text takes for a value one, and an object where it is dereferenced? Other states
 * are left by a failure of the function before it reads the member; in a union of values, the rules
 * make an upper bound larger then. */
static bool is_admissible(const tp_rbounds *t, tp_rbound b, const small_state *s) {
  const tp_rbound_node *n = tp_rbound_at(t, b);
  if (n->arity == 1 && n->is_value && !is_one(small_eval(t, b, s).set)) return false;
  if (n->kind == TP_RBOUND_JOIN && !may_be_dereferenced(t, n->kids[0], s)) return false;
  if (n->kind == TP_RBOUND_IF)
    return is_admissible(t, n->kids[0], s) &&
           is_admissible(t, n->kids[small_eval(t, n->kids[0], s).holds ? 1 : 2], s);
  for (uint32_t i = 0; i < n->n_kids; i++)
    if (!is_admissible(t, n->kids[i], s)) return false;
  return true;
}

static bool same(const small_value *a, const small_value *b, uint32_t arity) {
  if (arity == 0) return a->holds == b->holds;
  if (arity == 1) return a->set == b->set;
  return memcmp(a->of, b->of, N_ATOMS * sizeof *a->of) == 0;
}

// ------------------------------------------------------------------- expressions

typedef struct {
  tp_rbound made, plain;
} pair;

static tp_rbound make(tp_rbounds *t, tp_rbound_kind kind, const tp_rbound *k) {
  if (kind == TP_RBOUND_UNION) return tp_rbound_union(t, k[0], k[1]);
  if (kind == TP_RBOUND_INTERSECTION) return tp_rbound_intersection(t, k[0], k[1]);
  if (kind == TP_RBOUND_DIFFERENCE) return tp_rbound_difference(t, k[0], k[1]);
  if (kind == TP_RBOUND_JOIN) return tp_rbound_join(t, k[0], k[1]);
  if (kind == TP_RBOUND_PRODUCT) return tp_rbound_product(t, k[0], k[1]);
  if (kind == TP_RBOUND_OVERRIDE) return tp_rbound_override(t, k[0], k[1]);
  if (kind == TP_RBOUND_REACH) return tp_rbound_reach(t, k[0], k[1]);
  if (kind == TP_RBOUND_IF) return tp_rbound_if(t, k[0], k[1], k[2]);
  if (kind == TP_RBOUND_FIRST) return tp_rbound_first(t, k[0], k[1], k[2]);
  if (kind == TP_RBOUND_EQUAL) return tp_rbound_equal(t, k[0], k[1]);
  if (kind == TP_RBOUND_LESS) return tp_rbound_less(t, k[0], k[1]);
  if (kind == TP_RBOUND_AND) return tp_rbound_and(t, k[0], k[1]);
  if (kind == TP_RBOUND_OR) return tp_rbound_or(t, k[0], k[1]);
  return tp_rbound_not(t, k[0]);
}

typedef TP_VEC(tp_rbound) expressions;
typedef struct {
  tp_rbounds *t;
  tp_rng rng;
  expressions of_arity[3];
} pool;

static void put(pool *p, tp_rbound b) {
  const uint32_t arity = tp_rbound_at(p->t, b)->arity;
  for (size_t i = 0; i < p->of_arity[arity].n; i++)
    if (p->of_arity[arity].at[i].id == b.id) return;
  tp_vec_push(&p->of_arity[arity], b);
}

static void set_up(pool *p) {
  *p = (pool){.t = tp_rbounds_new()};
  tp_rng_init(&p->rng, 7);
  for (int i = 0; i < N_NAMES; i++) put(p, name(p->t, i));
  put(p, tp_rbound_none(p->t, 1));
  put(p, tp_rbound_none(p->t, 2));
  put(p, tp_rbound_univ(p->t, 1));
  put(p, tp_rbound_univ(p->t, 2));
  put(p, tp_rbound_null(p->t));
  put(p, tp_rbound_ints(p->t));
  put(p, tp_rbound_int(p->t, 0));
  put(p, tp_rbound_int(p->t, 1));
  put(p, tp_rbound_new_object(p->t, 1, 0));
  put(p, tp_rbound_new_object(p->t, 1, 1));
  put(p, tp_rbound_new_set(p->t, 1));
  put(p, tp_rbound_true(p->t));
  put(p, tp_rbound_false(p->t));
}

static void clear(pool *p) {
  for (int i = 0; i < 3; i++) tp_vec_clear(&p->of_arity[i]);
  tp_rbounds_free(p->t);
}

static tp_rbound drawn(pool *p, uint32_t arity) {
  return p->of_arity[arity].at[tp_rng_below(&p->rng, p->of_arity[arity].n)];
}

static tp_rbound drawn_value(pool *p) {
  tp_rbound b = drawn(p, 1);
  while (!tp_rbound_at(p->t, b)->is_value) b = drawn(p, 1);
  return b;
}

static tp_rbound_kind any_of(pool *p, const tp_rbound_kind *kinds, uint32_t n) {
  return kinds[tp_rng_below(&p->rng, n)];
}

/* An expression of about this depth, with its rules; the operands of its top as they are. */
static tp_rbound grown(pool *p, uint32_t arity, uint32_t depth);

static tp_rbound_kind draw_operands(pool *p, uint32_t arity, uint32_t depth, tp_rbound *k) {
  static const tp_rbound_kind sets[] = {TP_RBOUND_UNION,      TP_RBOUND_INTERSECTION,
                                        TP_RBOUND_DIFFERENCE, TP_RBOUND_IF,
                                        TP_RBOUND_JOIN,       TP_RBOUND_JOIN,
                                        TP_RBOUND_JOIN,       TP_RBOUND_REACH,
                                        TP_RBOUND_FIRST},
                              relations[] = {TP_RBOUND_UNION,      TP_RBOUND_INTERSECTION,
                                             TP_RBOUND_DIFFERENCE, TP_RBOUND_DIFFERENCE,
                                             TP_RBOUND_IF,         TP_RBOUND_PRODUCT,
                                             TP_RBOUND_PRODUCT,    TP_RBOUND_OVERRIDE,
                                             TP_RBOUND_OVERRIDE},
                              formulas[] = {TP_RBOUND_EQUAL, TP_RBOUND_EQUAL, TP_RBOUND_LESS,
                                            TP_RBOUND_NOT,   TP_RBOUND_AND,   TP_RBOUND_OR};
  const tp_rbound_kind kind = arity == 0   ? any_of(p, formulas, 6)
                              : arity == 1 ? any_of(p, sets, 9)
                                           : any_of(p, relations, 9);
  const bool is_between = kind == TP_RBOUND_JOIN || kind == TP_RBOUND_REACH;
  const uint32_t of = kind == TP_RBOUND_PRODUCT ? 1 : arity;
  if (kind == TP_RBOUND_IF) {
    k[0] = grown(p, 0, depth - 1), k[1] = grown(p, arity, depth - 1), k[2] = grown(p, arity, 0);
    if (tp_rng_below(&p->rng, 4) == 0) k[1] = tp_rbound_if(p->t, k[0], k[1], drawn(p, arity));
  } else if (kind == TP_RBOUND_FIRST) {
    k[0] = grown(p, 1, depth - 1), k[1] = drawn(p, 2), k[2] = grown(p, 1, depth - 1);
    if (tp_rng_below(&p->rng, 2)) k[0] = drawn_value(p), k[1] = name(p->t, R);
    if (tp_rng_below(&p->rng, 4) == 0) {
      const tp_rbound made = tp_rbound_new_object(p->t, 1, (uint32_t)tp_rng_below(&p->rng, 2));
      k[1] = tp_rbound_union(p->t, k[1], tp_rbound_product(p->t, made, drawn_value(p)));
      k[2] = tp_rbound_union(p->t, k[2], made);
    }
  } else if (kind == TP_RBOUND_EQUAL || kind == TP_RBOUND_LESS) {
    k[0] = grown(p, 1, depth - 1), k[1] = drawn_value(p);
    if (!tp_rbound_at(p->t, k[0])->is_value) k[0] = drawn_value(p);
  } else {
    const uint32_t other = (uint32_t)tp_rng_below(&p->rng, 2) ? depth - 1 : 0;
    k[0] = grown(p, is_between ? 1 : of, is_between ? other : depth - 1);
    k[1] = grown(p, is_between ? 2 : of, is_between ? depth - 1 : other);
    if (kind == TP_RBOUND_JOIN && tp_rng_below(&p->rng, 8) == 0) {  // what leads into a set
      const tp_rbound r = k[1];
      k[1] = k[0], k[0] = r;
    }
    const tp_rbound made = tp_rbound_new_object(p->t, 1, 0);
    const bool is_image = kind == TP_RBOUND_JOIN && tp_rbound_at(p->t, k[0])->arity == 1;
    if (is_image && tp_rng_below(&p->rng, 16) == 0)  // objects of both states
      k[0] = tp_rbound_intersection(p->t, tp_rbound_union(p->t, name(p->t, A), made),
                                    tp_rbound_union(p->t, drawn(p, 1), made)),
      k[1] = name(p->t, R);
    // x -> univ: what is taken out of members
    if (kind == TP_RBOUND_DIFFERENCE && arity == 2 && tp_rng_below(&p->rng, 2))
      k[1] = tp_rbound_product(p->t, drawn(p, 1), tp_rbound_univ(p->t, 1));
    if (kind == TP_RBOUND_UNION && arity == 2 && tp_rng_below(&p->rng, 2)) {
      const tp_rbound from = drawn(p, 1);
      k[0] = tp_rbound_product(p->t, from, drawn(p, 1));
      k[1] = tp_rbound_product(p->t, from, drawn(p, 1));
    }
    if (kind == TP_RBOUND_INTERSECTION && arity == 2 && tp_rng_below(&p->rng, 2)) {
      const tp_rbound r = name(p->t, R), all = tp_rbound_univ(p->t, 1);
      k[0] = tp_rbound_difference(p->t, r, tp_rbound_product(p->t, drawn(p, 1), all));
      k[1] = tp_rbound_difference(p->t, r, tp_rbound_product(p->t, drawn(p, 1), all));
    }
    if (kind == TP_RBOUND_OVERRIDE && tp_rng_below(&p->rng, 2))
      k[1] = tp_rbound_product(p->t, drawn(p, 1), drawn_value(p));
  }
  return kind;
}

static tp_rbound grown(pool *p, uint32_t arity, uint32_t depth) {
  tp_rbound k[3];
  if (depth == 0) return drawn(p, arity);
  return make(p->t, draw_operands(p, arity, depth, k), k);
}

static pair draw(pool *p, uint32_t depth) {
  tp_rbound k[3];
  const uint32_t arity = (uint32_t)tp_rng_below(&p->rng, 5) / 2;
  const tp_rbound_kind kind = draw_operands(p, arity, depth, k);
  const tp_rbound made = make(p->t, kind, k);
  const uint32_t n = kind == TP_RBOUND_IF || kind == TP_RBOUND_FIRST ? 3
                     : kind == TP_RBOUND_NOT                         ? 1
                                                                     : 2;
  return (pair){made, tp_rbound_plain(p->t, kind, k, n)};
}

// ------------------------------------------------------------------------- tests

static void fail_with(const pool *p, pair e, const small_heap *h) {
  tp_str text = {0};
  tp_rbound_print(p->t, e.plain, &text);
  tp_str_add(&text, "   became   ");
  tp_rbound_print(p->t, e.made, &text);
  tp_str_printf(&text, "   x=%x y=%x a=%x r=%x,%x s=%x,%x", h->names[X].set, h->names[Y].set,
                h->names[A].set, h->names[R].of[1], h->names[R].of[2], h->names[S].of[1],
                h->names[S].of[2]);
  print_error("%s\n", tp_str_text(&text));
  tp_str_clear(&text);
  fail();
}

static void check_pair(const pool *p, pair e, heaps *in) {
  for (size_t i = 0; i < in->n; i++) {
    const small_state s = state_of(&in->at[i]);
    if (!is_admissible(p->t, e.plain, &s)) continue;
    const small_value a = small_eval(p->t, e.made, &s), b = small_eval(p->t, e.plain, &s);
    if (!same(&a, &b, tp_rbound_at(p->t, e.plain)->arity)) fail_with(p, e, &in->at[i]);
  }
}

/* Claims about two expressions: inclusion, disjointness, beginnings. */
static void check_claims(const pool *p, tp_rbound a, tp_rbound b, tp_rbound r, heaps *in) {
  const tp_rbounds *t = p->t;
  const bool leq = tp_rbound_leq(t, a, b), apart = tp_rbound_disjoint(t, a, b),
             begins = tp_rbound_begins_none(t, a, r);
  for (size_t i = 0; i < in->n && (leq || apart || begins); i++) {
    const small_state s = state_of(&in->at[i]);
    if (!is_admissible(t, a, &s) || !is_admissible(t, b, &s) || !is_admissible(t, r, &s)) continue;
    const small_set x = small_eval(t, a, &s).set, y = small_eval(t, b, &s).set;
    const small_value z = small_eval(t, r, &s);
    if (leq && (x & ~y)) fail_with(p, (pair){a, b}, &in->at[i]);
    if (apart && (x & y)) fail_with(p, (pair){a, b}, &in->at[i]);
    if (begins && small_image(&s, x & ~(small_set)NULL_ATOM, &z))
      fail_with(p, (pair){a, r}, &in->at[i]);
  }
}

enum { IN_ALL_STATES = 2 };  // expressions of each rule that are evaluated in all states

static void count_rules(const pool *p, uint64_t *counts) {
  for (int r = 0; r < TP_RBOUND_N_RULES; r++) counts[r] = tp_rbounds_used(p->t, (tp_rbound_rule)r);
}

/* Was a rule used since then that has not been checked in all states often enough? */
static bool shows_a_rule(const pool *p, const uint64_t *before, uint32_t *checked) {
  bool any = false;
  for (int r = 0; r < TP_RBOUND_N_RULES; r++) {
    if (tp_rbounds_used(p->t, (tp_rbound_rule)r) == before[r] || checked[r] == IN_ALL_STATES)
      continue;
    checked[r]++;
    any = true;
  }
  return any;
}

/* Expressions of one operator in all states, of more in some of them; of each rule some in all
 * states: all members and sets over null and two objects. */
static void test_K21_rules_keep_the_meaning(void **state) {
  (void)state;
  pool p;
  set_up(&p);
  heaps all = all_heaps(1, &p.rng), few = all_heaps(300, &p.rng);
  uint64_t before[TP_RBOUND_N_RULES];
  uint32_t checked[TP_RBOUND_N_RULES] = {0};
  for (int i = 0; i < 60; i++) check_pair(&p, draw(&p, 1), &all);
  for (uint32_t i = 0; i < 16000; i++) {
    count_rules(&p, before);
    const pair drawn_pair = draw(&p, 1 + i % 4);
    check_pair(&p, drawn_pair, shows_a_rule(&p, before, checked) ? &all : &few);
    check_claims(&p, grown(&p, 1, i % 3), grown(&p, 1, i % 3), grown(&p, 2, i % 3), &few);
  }
  assert_true(tp_rbounds_check(p.t));
  static const char *const names[] = {
#define TP_R(name, law) #name,
      TP_RBOUND_RULES(TP_R)
#undef TP_R
  };
  for (int r = 0; r < TP_RBOUND_N_RULES; r++)
    if (checked[r] < IN_ALL_STATES)
      fail_msg("rule %s was used %u times only", names[r], checked[r]);
  tp_vec_clear(&all);
  tp_vec_clear(&few);
  clear(&p);
}

/* r ++ r, again and again: one operator more each time, twice as many written out. */
static void test_what_is_shared_counts_once(void **state) {
  (void)state;
  static const struct {
    uint32_t n, operators;
    bool is_larger;
  } rows[] = {{4, 3, true},      {4, 4, false},    {20, 19, true},
              {20, 5000, false}, {24, 5000, true},  // too large written out
              {0, 1, false}};
  static const int symbol;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tp_rbounds *t = tp_rbounds_new();
    tp_rbound r =
        tp_rbound_name(t, (tp_rbound_name_info){.text = "f", .symbol = &symbol, .arity = 2});
    for (uint32_t k = 0; k < rows[i].n; k++)
      r = tp_rbound_plain(t, TP_RBOUND_OVERRIDE, (tp_rbound[]){r, r}, 2);
    assert_int_equal(tp_rbound_is_larger(t, r, rows[i].operators), rows[i].is_larger);
    tp_rbounds_free(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_K21_rules_keep_the_meaning),
                                     cmocka_unit_test(test_what_is_shared_counts_once)};
  return cmocka_run_group_tests_name("relational_bound", tests, NULL, NULL);
}
