/* The laws of lattices of values (cpa/store.h), over every analysis that is a store.
 *
 * What a value means is what its formula says: the set of those constants at which tp_eval finds it
 * true. On sorts of up to 4 bits all values that joins, meets, widenings and ranges make of
 * constants are tried in all pairs, and the operators must be exact: the order is inclusion, a meet
 * is the intersection, a join is the least value above both, equal sets are one handle. Wider
 * integers, floats and pointers are tried on a sample of their values, where each operator must err
 * on the safe side. The values are those of the store, so its own (Bools, pointers, sets of
 * pointers, top) are tried as well. Settings of an analysis do not change its lattice, so each row
 * is opened with the default ones. */
#include "cpa/store_priv.h"
#include "numeric/float_range.h"
#include "program/build_test.h"
#include "term/fold.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
  MOST_POINTS = 64,    // constants of a sort
  SAMPLED = 120,       // values of a sort that is sampled
  GROWTHS = 400,       // of one value under widening; thresholds in both readings, bits of a word
  CHAIN_STEPS = 3000,  // more than GROWTHS
  RANDOM_UPPER = 3,    // third values for one pair
  N_STATICS = TP_CPA_STORE_TARGETS + 2
};

typedef struct {
  tp_absval v;
  uint64_t members;  // bit i: point i
} value;

/* One sort of one analysis. */
typedef struct {
  tp_store *st;
  const char *analysis, *name;
  tp_sort sort;
  tp_term x;      // a variable of the sort
  bool is_exact;  // the points are all constants of the sort
  tp_term points[MOST_POINTS];
  uint32_t n_points;
  TP_VEC(value) values;
  tp_map index;  // handle -> position in values
  tp_rng rng;
} domain;

static void fail_at(const domain *d, const char *law, tp_absval a, tp_absval b) {
  tp_str text = {0};
  tp_store_value_print(d->st, d->sort, a, &text);
  tp_str_add(&text, ", ");
  tp_store_value_print(d->st, d->sort, b, &text);
  print_error("%s, %s: %s: a, b = %s\n", d->analysis, d->name, law, tp_str_text(&text));
  tp_str_clear(&text);
  fail();
}
#define LAW(law, holds)                        \
  do {                                         \
    if (!(holds)) fail_at(d, law, a->v, b->v); \
  } while (0)

// --------------------------------------------------------------------- meaning

typedef struct {
  const domain *d;
  tp_value at;
} valuation;
static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const valuation *v = ctx;
  *out = v->at;
  return tp_term_eq(var, v->d->x);
}
static uint64_t base_of(void *ctx, uint32_t object) {
  (void)ctx;
  return (uint64_t)object << 20;
}

static tp_value constant_value(const domain *d, tp_term c) {
  const tp_env env = {NULL, value_of, base_of, NULL};
  tp_arena arena = {0};
  tp_value out;
  assert_int_equal(tp_eval(d->st->tt, c, &env, &arena, &out), TP_OK);
  tp_arena_clear(&arena);
  return out;
}

static uint64_t members_of(const domain *d, tp_absval v) {
  const tp_term formula = tp_store_value_formula(d->st, d->x, v);
  uint64_t members = 0;
  for (uint32_t i = 0; i < d->n_points; i++) {
    valuation at = {d, constant_value(d, d->points[i])};
    const tp_env env = {&at, value_of, base_of, NULL};
    tp_arena arena = {0};
    tp_value out;
    assert_int_equal(tp_eval(d->st->tt, formula, &env, &arena, &out), TP_OK);
    tp_arena_clear(&arena);
    if (out.bits) members |= (uint64_t)1 << i;
  }
  return members;
}

static uint64_t all_members(const domain *d) { return UINT64_MAX >> (64 - d->n_points); }

/* The value with its meaning; new ones are noted. */
static value *note(domain *d, tp_absval v, value *out) {
  uint64_t at;
  if (!tp_map_get(&d->index, v.id, &at)) {
    *out = (value){v, members_of(d, v)};
    if (!d->is_exact && d->values.n >= SAMPLED) return out;
    at = d->values.n;
    tp_map_set(&d->index, v.id, at);
    tp_vec_push(&d->values, *out);
  }
  *out = d->values.at[at];
  return out;
}

// ------------------------------------------------------------------ laws of pairs

static bool is_subset(uint64_t a, uint64_t b) { return !(a & ~b); }
static bool leq(const domain *d, const value *a, const value *b) {
  return tp_store_value_leq(d->st, d->sort, a->v, b->v);
}

static void check_order(domain *d, const value *a, const value *b) {
  const bool below = leq(d, a, b);
  LAW("a leq b, and b lacks a member", !below || is_subset(a->members, b->members));
  LAW("top is below b", a->v.id != 0 || !below || b->v.id == 0);
  LAW("a is not below itself", a->v.id != b->v.id || below);
  LAW("a is not below top", b->v.id != 0 || below);
  if (!d->is_exact) return;
  LAW("b has all members of a, and a is not below", below || !is_subset(a->members, b->members));
  LAW("two handles of one set", a->members != b->members || a->v.id == b->v.id);
}

static void check_join(domain *d, const value *a, const value *b) {
  value join, other;
  note(d, tp_store_value_join(d->st, d->sort, a->v, b->v), &join);
  note(d, tp_store_value_join(d->st, d->sort, b->v, a->v), &other);
  LAW("the join lacks a member", is_subset(a->members | b->members, join.members));
  LAW("a is not below the join", leq(d, a, &join));
  LAW("b is not below the join", leq(d, b, &join));
  LAW("joins in both orders differ", join.v.id == other.v.id);
  LAW("a leq b, and the join is not b", !leq(d, a, b) || join.v.id == b->v.id);
  for (uint32_t i = 0; i < RANDOM_UPPER; i++) {
    const value c = d->values.at[tp_rng_below(&d->rng, d->values.n)];
    LAW("another value above both is not above the join",
        !leq(d, a, &c) || !leq(d, b, &c) || leq(d, &join, &c));
  }
}

static void check_meet(domain *d, const value *a, const value *b) {
  tp_absval out, swapped;
  value meet;
  const uint64_t both = a->members & b->members;
  const bool some = tp_store_value_meet(d->st, d->sort, a->v, b->v, &out);
  LAW("meets in both orders differ",
      tp_store_value_meet(d->st, d->sort, b->v, a->v, &swapped) == some &&
          (!some || out.id == swapped.id));
  LAW("a common member, and no meet", some || !both);
  if (!some) return;
  note(d, out, &meet);
  LAW("the meet lacks a common member", is_subset(both, meet.members));
  LAW("the meet is not below a", leq(d, &meet, a));
  LAW("the meet is not below b", leq(d, &meet, b));
  LAW("a leq b, and the meet is not a", !leq(d, a, b) || meet.v.id == a->v.id);
  if (!d->is_exact) return;
  LAW("the meet is no intersection", meet.members == both);
  LAW("the meet is empty", both != 0);
}

static void check_widen(domain *d, const value *a, const value *b) {
  value wide;
  note(d, tp_store_value_widen(d->st, d->sort, a->v, b->v), &wide);
  LAW("the widening lacks a member", is_subset(a->members | b->members, wide.members));
  LAW("a is not below the widening", leq(d, a, &wide));
  LAW("b is not below the widening", leq(d, b, &wide));
  LAW("b leq a, and widening changes a", !leq(d, b, a) || wide.v.id == a->v.id);
}

/* New values come up on the way: they are tried with all earlier ones. */
static void check_pairs(domain *d) {
  for (size_t i = 0; i < d->values.n; i++)
    for (size_t k = 0; k <= i; k++)
      for (int order = 0; order < 2; order++) {
        const value one = d->values.at[i], two = d->values.at[k];
        const value *a = order ? &two : &one, *b = order ? &one : &two;
        check_order(d, a, b);
        check_join(d, a, b);
        check_meet(d, a, b);
        check_widen(d, a, b);
      }
}

// ------------------------------------------------------------- laws of one value

/* Values are told apart by their text, and none is empty. */
static void check_texts(domain *d) {
  tp_names *names = tp_names_new();  // numbers ascend
  uint32_t last = 0;
  for (size_t i = 0; i < d->values.n; i++) {
    const value *a = &d->values.at[i], *b = a;
    tp_str text = {0};
    tp_store_value_print(d->st, d->sort, a->v, &text);
    LAW("no text", text.n > 0);
    const uint32_t name = tp_name_of(names, tp_str_text(&text));
    LAW("two values of one text", i == 0 || name > last);
    last = name;
    LAW("a value without members", !d->is_exact || a->members);
    LAW("all members, and not top",
        !d->is_exact || (a->members == all_members(d)) == (a->v.id == 0));
    tp_str_clear(&text);
  }
  tp_names_free(names);
}

static int64_t as_signed(uint32_t width, uint64_t v) {
  return (int64_t)(v << (64 - width)) >> (64 - width);
}
static uint64_t point(const domain *d, uint32_t i) {
  return (uint64_t)constant_value(d, d->points[i]).bits;
}
static bool is_in_range(const tp_range *r, uint32_t width, uint64_t v) {
  const int64_t s = as_signed(width, v);
  return r->umin <= v && v <= r->umax && r->smin <= s && s <= r->smax;
}

/* Ranges of integers: bounds of all members, each of them reached on exact sorts. */
static void check_ranges(domain *d) {
  if (tp_sort_kind_of(d->st->tt, d->sort) != TP_SORT_BV) return;
  const uint32_t width = tp_sort_width(d->st->tt, d->sort);
  for (size_t k = 0; k < d->values.n; k++) {
    const value *a = &d->values.at[k], *b = a;
    tp_range r, reached = {.umin = UINT64_MAX, .smin = INT64_MAX, .smax = INT64_MIN};
    if (!tp_store_value_range(d->st, d->sort, a->v, &r)) continue;
    for (uint32_t i = 0; i < d->n_points; i++) {
      if (!(a->members >> i & 1)) continue;
      const uint64_t v = point(d, i);
      const int64_t s = as_signed(width, v);
      LAW("a member out of range", is_in_range(&r, width, v));
      if (v < reached.umin) reached.umin = v;
      if (v > reached.umax) reached.umax = v;
      if (s < reached.smin) reached.smin = s;
      if (s > reached.smax) reached.smax = s;
    }
    LAW("a bound that is no member's",
        !d->is_exact || (r.umin == reached.umin && r.umax == reached.umax &&
                         r.smin == reached.smin && r.smax == reached.smax));
  }
}

/* The value of a range has all its integers. Sampled sorts: between two points. */
static void check_of_range(domain *d, const tp_range *r) {
  const uint32_t width = tp_sort_width(d->st->tt, d->sort);
  tp_absval v;
  value out;
  if (!tp_store_value_of_range(d->st, d->sort, r, &v)) return;
  note(d, v, &out);
  for (uint32_t i = 0; i < d->n_points; i++)
    if (is_in_range(r, width, point(d, i)) && !(out.members >> i & 1)) {
      print_error("unsigned %llu..%llu, signed %lld..%lld\n", (unsigned long long)r->umin,
                  (unsigned long long)r->umax, (long long)r->smin, (long long)r->smax);
      fail_at(d, "an integer of the range is lost", v, v);
    }
}
static void check_all_of_range(domain *d) {
  if (tp_sort_kind_of(d->st->tt, d->sort) != TP_SORT_BV || tp_sort_width(d->st->tt, d->sort) > 64)
    return;
  const uint32_t width = tp_sort_width(d->st->tt, d->sort), n = d->n_points;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++)
      for (uint32_t l = 0; l < n; l++)
        for (uint32_t m = 0; m < n; m++) {
          const tp_range r = {.umin = point(d, i),
                              .umax = point(d, k),
                              .smin = as_signed(width, point(d, l)),
                              .smax = as_signed(width, point(d, m))};
          if (r.umin <= r.umax && r.smin <= r.smax) check_of_range(d, &r);
        }
}

// ----------------------------------------------------------------------- chains

static tp_term counted(const domain *d, uint32_t step, bool up) {
  tp_terms *tt = d->st->tt;
  const uint64_t offset = up ? step : 0 - (uint64_t)step;
  switch (tp_sort_kind_of(tt, d->sort)) {
    case TP_SORT_BOOL: return step & 1 ? tp_mk_true(tt) : tp_mk_false(tt);
    case TP_SORT_PTR: return tp_mk_ptr_const(tt, 1, offset);
    case TP_SORT_FP:
      return tp_mk_fp(
          tt, tp_sort_width(tt, d->sort),
          tp_float_range_bits(tp_sort_width(tt, d->sort), up ? step * 1.5 : step * -1.5));
    case TP_SORT_BV:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  return tp_mk_bv(tt, tp_sort_width(tt, d->sort), (tp_u128)(tp_i128)(int64_t)offset);
}

/* A loop that counts: widening with the join of the last value and the next number ends. */
static void check_chain(domain *d, bool up) {
  uint32_t growths = 0;
  tp_absval v = tp_store_value_of_const(d->st, counted(d, 0, up));
  for (uint32_t i = 1; i <= CHAIN_STEPS; i++) {
    const tp_absval next = tp_store_value_of_const(d->st, counted(d, i, up)),
                    joined = tp_store_value_join(d->st, d->sort, v, next),
                    wide = tp_store_value_widen(d->st, d->sort, v, joined);
    growths += wide.id != v.id;
    v = wide;
    if (growths > GROWTHS) fail_at(d, "widening does not end", v, next);
  }
}

/* Joins of all points, in any order, have all of them. */
static void check_join_of_all(domain *d) {
  tp_absval v = tp_store_value_of_const(d->st, d->points[0]);
  uint64_t in = 1;
  for (uint32_t n = 0; n < 4 * d->n_points; n++) {
    const uint32_t i = (uint32_t)tp_rng_below(&d->rng, d->n_points);
    const tp_absval before = v, next = tp_store_value_of_const(d->st, d->points[i]);
    v = tp_store_value_join(d->st, d->sort, v, next);
    in |= (uint64_t)1 << i;
    if (!is_subset(in, members_of(d, v))) fail_at(d, "the join lacks a member", before, next);
  }
}

// --------------------------------------------------------------------- domains

static void constants_are_in(domain *d) {
  value out;
  note(d, TP_ABSVAL_TOP, &out);
  for (uint32_t i = 0; i < d->n_points; i++) {
    const value *a = note(d, tp_store_value_of_const(d->st, d->points[i]), &out), *b = a;
    LAW("a constant is not in its value", a->members >> i & 1);
  }
}

/* All laws; returns how many values there are. */
static size_t check_domain(domain *d) {
  tp_rng_init(&d->rng, d->n_points);
  constants_are_in(d);
  if (d->is_exact) check_all_of_range(d);
  check_pairs(d);
  check_texts(d);
  check_ranges(d);
  if (!d->is_exact) check_all_of_range(d);
  check_chain(d, true);
  check_chain(d, false);
  check_join_of_all(d);
  const size_t n = d->values.n;
  tp_vec_clear(&d->values);
  tp_map_clear(&d->index);
  return n;
}

static domain of_sort(tp_store *st, const char *name, tp_sort s) {
  return (domain){.st = st,
                  .analysis = st->cpa->ops->name,
                  .name = name,
                  .sort = s,
                  .x = tp_mk_var(st->tt, "x", s)};
}
static void add_point(domain *d, tp_term c) {
  for (uint32_t i = 0; i < d->n_points; i++)
    if (tp_term_eq(d->points[i], c)) return;
  TP_REQUIRE(d->n_points < MOST_POINTS);
  d->points[d->n_points++] = c;
}

static domain small_integers(tp_store *st, const char *name, uint32_t width) {
  domain d = of_sort(st, name, tp_sort_bv(st->tt, width));
  d.is_exact = true;
  for (uint64_t v = 0; v < (uint64_t)1 << width; v++) add_point(&d, tp_mk_bv(st->tt, width, v));
  return d;
}
static domain bools(tp_store *st) {
  domain d = of_sort(st, "Bool", tp_sort_bool(st->tt));
  d.is_exact = true;
  add_point(&d, tp_mk_false(st->tt));
  add_point(&d, tp_mk_true(st->tt));
  return d;
}
static domain wide_integers(tp_store *st, const char *name, uint32_t width) {
  static const int64_t near[] = {0, 1, 2, 3, 7, 99, 100, 101, -1, -2, -100};
  domain d = of_sort(st, name, tp_sort_bv(st->tt, width));
  const tp_u128 sign = (tp_u128)1 << (width - 1);
  for (size_t i = 0; i < sizeof near / sizeof *near; i++)
    add_point(&d, tp_mk_bv(st->tt, width, (tp_u128)(tp_i128)near[i]));
  for (uint64_t i = 0; i < 3; i++) add_point(&d, tp_mk_bv(st->tt, width, sign + i - 1));
  return d;
}
static domain floats(tp_store *st, const char *name, uint32_t width) {
  static const double some[] = {0.0, -0.0, 1, -1, 0.5, 100, -100.25, 1e30, -1e30, 1e-40};
  domain d = of_sort(st, name, tp_sort_fp(st->tt, width));
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    add_point(&d, tp_mk_fp(st->tt, width, tp_float_range_bits(width, some[i])));
  add_point(&d, tp_mk_fp(st->tt, width, tp_float_range_bits(width, (double)INFINITY)));
  add_point(&d, tp_mk_fp(st->tt, width, tp_float_range_bits(width, (double)-INFINITY)));
  add_point(&d, tp_mk_fp(st->tt, width, tp_float_range_bits(width, (double)NAN)));
  return d;
}
static domain pointers(tp_store *st) {
  static const uint64_t offsets[] = {0, 1, 4, 100, UINT64_MAX};
  domain d = of_sort(st, "pointer", tp_sort_ptr(st->tt));
  for (uint32_t object = 0; object <= N_STATICS; object++)
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
      if (i < 3 || object < 3) add_point(&d, tp_mk_ptr_const(st->tt, object, offsets[i]));
  return d;
}

// ---------------------------------------------------------------------- program

/* Statics to point to, and constants at which widening may rest. */
typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_contexts contexts;
  tp_cpa_env env;
} world;

static void set_up(world *w) {
  w->diag = tp_diag_new(stderr, false);
  tp_program *p = w->p = tp_program_new(w->diag, 64);
  static const char names[] = "abcdefghijklmnopqrstuvwxyz";
  for (int i = 1; i < N_STATICS; i++)
    tp_program_add_static(p, (tp_static){.name = names + i, .kind = TP_O_GLOBAL, .size_bytes = 8});
  p->main = func(p, "main");
  tp_loc at = entry_of(p, p->main);
  // thresholds of 4 and of 64 bits, zero among them
  static const uint64_t constants[] = {1, 12, 1, 100};
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t width = i < 2 ? 4 : 64;
    const tp_loc next = loc(p, p->main);
    assign(p, at, next, var(p, p->main, "v", bv_sort(p, width), TP_TYPE_NONE),
           bv(p, width, constants[i]));
    at = next;
  }
  step(p, at, exit_of(p, p->main));
  tp_program_finish(p);
  tp_contexts_init(&w->contexts);
  w->env = (tp_cpa_env){.program = p, .terms = p->terms, .contexts = &w->contexts};
}
static void tear_down(world *w) {
  tp_contexts_clear(&w->contexts);
  tp_program_free(w->p);
  tp_diag_free(w->diag);
}

// ------------------------------------------------------------------------ tests

/* The values of 4 bits that each analysis has, with top. */
typedef struct {
  const char *analysis;
  size_t values;
} size_of_lattice;
static const size_of_lattice SIZES[] = {
    {"constant", 17},           // 16 constants
    {"constant-location", 17},  // the same
    {"value", 17},              // the same
    {"pointer", 17},            // the same
    {"sign", 7},                // three signs, no empty set
    {"bits", 81},               // 0, 1 or unknown for each bit
    {"interval", 1368},         // 36 intervals or none in each half, not none in both
};
static size_t wanted_values(const char *analysis) {
  for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
    if (strcmp(SIZES[i].analysis, analysis) == 0) return SIZES[i].values;
  fail_msg("%s is a store: how many values has it on 4 bits?", analysis);
  return 0;
}

typedef void (*domain_check)(tp_store *st);
static void on_every_store(domain_check check) {
  size_t n = 0;
  for (size_t i = 0; tp_analyses[i]; i++) {
    if (tp_analyses[i]->leq != tp_store_leq) continue;
    world w;
    tp_str why = {0};
    set_up(&w);
    tp_cpa *cpa = tp_cpa_open(tp_analyses[i], &w.env, &why);
    if (!cpa) fail_msg("%s: %s", tp_analyses[i]->name, tp_str_text(&why));
    check(tp_store_of(cpa));
    tp_cpa_close(cpa);
    tear_down(&w);
    n++;
  }
  assert_int_equal(n, sizeof SIZES / sizeof *SIZES);
}

static void check_4_bits(tp_store *st) {
  domain d = small_integers(st, "4 bits", 4);
  assert_int_equal(check_domain(&d), wanted_values(st->cpa->ops->name));
}
static void all_values_of_4_bits(void **state) {
  (void)state;
  on_every_store(check_4_bits);
}

static void check_few_bits(tp_store *st) {
  domain bit = small_integers(st, "1 bit", 1), two = small_integers(st, "2 bits", 2),
         truth = bools(st);
  check_domain(&bit);
  check_domain(&two);
  assert_int_equal(check_domain(&truth), 3);
}
static void all_values_of_1_and_2_bits(void **state) {
  (void)state;
  on_every_store(check_few_bits);
}

static void check_wide(tp_store *st) {
  static const uint32_t widths[] = {32, 63, 64, 65, 127, 128};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    domain d = wide_integers(st, "wide integers", widths[i]);
    check_domain(&d);
  }
}
static void values_of_wide_integers(void **state) {
  (void)state;
  on_every_store(check_wide);
}

static void check_floats(tp_store *st) {
  domain narrow = floats(st, "binary32", 32), wide = floats(st, "binary64", 64);
  check_domain(&narrow);
  check_domain(&wide);
}
static void values_of_floats(void **state) {
  (void)state;
  on_every_store(check_floats);
}

static void check_pointers(tp_store *st) {
  domain d = pointers(st);
  check_domain(&d);
}
static void values_of_pointers(void **state) {
  (void)state;
  on_every_store(check_pointers);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_values_of_4_bits), cmocka_unit_test(all_values_of_1_and_2_bits),
      cmocka_unit_test(values_of_wide_integers), cmocka_unit_test(values_of_floats),
      cmocka_unit_test(values_of_pointers)};
  return cmocka_run_group_tests_name("lattice laws", tests, NULL, NULL);
}
