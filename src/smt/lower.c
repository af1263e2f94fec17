/* Lowering, one term at a time, arguments first.
 *
 * Pointers. A pointer is the bit-vector object . offset. base() is uninterpreted but for base(0) =
 * 0. Most pointers have a constant object, and an array would push the query out of pure
 * bit-vectors; so base(constant) is a plain variable and only base(symbolic object) reads the base
 * array. INT_TO_PTR needs the object that its integer remembers (see tp_eval), which is a term
 * beside the integer.
 *
 * Floats. A float variable is FP_OF_BITS of a bit-vector variable: floats of C are bytes first.
 * SMT-LIB has one NaN, we have its bits: FP_TO_BITS(x) of anything but a variable is a fresh b with
 * the fact FP_OF_BITS(b) = x, one for each original term, because equal floats may differ as NaNs.
 *
 * What SMT-LIB lacks is a fresh variable with the facts we can state (fmod, which zero fmin
 * returns, conversions to more than 64 bits). That only weakens the formula: UNSAT stays right, and
 * SAT is checked by evaluation. */
#include "smt/lower.h"

typedef struct {
  uint32_t object;
  tp_term var;
} base_of;

#define REFUSED ((tp_term){UINT32_MAX})
#define UNKNOWN ((tp_term){UINT32_MAX})

struct tp_lower {
  tp_terms *tt;
  TP_VEC(uint32_t) to;  // by term id: lowered term, 0: not yet
  TP_VEC(tp_term) todo;
  tp_map origin;      // lowered variable -> original variable
  tp_map fact;        // helper variable -> fact
  tp_map base_index;  // object -> index into bases
  tp_map provenance;  // original term -> object it remembers, lowered
  TP_VEC(base_of) bases;
  tp_term base_array;
  bool seen_bound;  // some bound variable was lowered
  bool refused;     // by lower_one, just now
};

tp_lower *tp_lower_new(tp_terms *tt) {
  tp_lower *l = TP_NEW(tp_lower);
  l->tt = tt;
  return l;
}

void tp_lower_free(tp_lower *l) {
  if (!l) return;
  tp_vec_clear(&l->to);
  tp_vec_clear(&l->todo);
  tp_vec_clear(&l->bases);
  tp_map_clear(&l->origin);
  tp_map_clear(&l->fact);
  tp_map_clear(&l->base_index);
  tp_map_clear(&l->provenance);
  tp_free(l);
}

static tp_term map_term(const tp_map *m, tp_term key) {
  uint64_t v = 0;
  return tp_map_get(m, key.id, &v) ? (tp_term){(uint32_t)v} : TP_TERM_NONE;
}

tp_term tp_lower_origin(const tp_lower *l, tp_term var) { return map_term(&l->origin, var); }
tp_term tp_lower_fact(const tp_lower *l, tp_term var) { return map_term(&l->fact, var); }
tp_term tp_lower_base_array(const tp_lower *l) { return l->base_array; }
size_t tp_lower_n_bases(const tp_lower *l) { return l->bases.n; }

void tp_lower_base(const tp_lower *l, size_t i, uint32_t *object, tp_term *var) {
  TP_REQUIRE(i < l->bases.n);
  *object = l->bases.at[i].object;
  *var = l->bases.at[i].var;
}

static tp_term get(const tp_lower *l, tp_term t) {
  return (tp_term){t.id < l->to.n ? l->to.at[t.id] : 0};
}

static tp_sort lower_sort(tp_lower *l, tp_sort s);

static void put(tp_lower *l, tp_term t, tp_term lowered) {
  TP_INVARIANT(tp_term_eq(lowered, REFUSED) ||
               tp_sort_eq(tp_sort_of(l->tt, lowered), lower_sort(l, tp_sort_of(l->tt, t))));
  if (t.id >= l->to.n) tp_vec_resize(&l->to, tp_terms_count(l->tt) + 1);
  l->to.at[t.id] = lowered.id;
}

typedef struct {
  const tp_terms *tt;
  const uint32_t *number;
  tp_term found;
} bound_search;

static tp_visit look_for_bound(void *ctx, tp_term t) {
  bound_search *s = ctx;
  if (tp_kind(s->tt, t) == TP_OP_BOUND && (!s->number || tp_bound_number(s->tt, t) == *s->number))
    s->found = t;
  return tp_term_is(s->found) ? TP_VISIT_STOP : TP_VISIT_ARGS;
}

/* A bound variable in t, with this number if not NULL; NONE: there is none. */
static tp_term find_bound(const tp_terms *tt, tp_term t, const uint32_t *number) {
  bound_search s = {tt, number, TP_TERM_NONE};
  tp_visitor v = {.ctx = &s, .visit = look_for_bound, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(tt, t, &v, NULL);
  return s.found;
}

tp_term tp_bound_of(const tp_terms *tt, tp_term quantified) {
  uint32_t number = tp_bound_number(tt, quantified);
  return find_bound(tt, tp_arg(tt, quantified, 0), &number);
}

/* A fresh variable that stands for something about `what`. Under a quantifier that would have to be
 * a function of the bound variables, which we do not have. */
static tp_term helper(tp_lower *l, const char *name, tp_sort sort, tp_term what) {
  if (l->seen_bound && tp_term_is(find_bound(l->tt, what, NULL))) l->refused = true;
  return tp_mk_var(l->tt, name, sort);
}

// ---------------------------------------------------------------------- sorts

static tp_sort lower_sort(tp_lower *l, tp_sort s) {
  tp_terms *tt = l->tt;
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_PTR: return tp_sort_bv(tt, TP_OBJ_BITS + tp_terms_ptr_bits(tt));
    case TP_SORT_ARRAY:
      return tp_sort_array(tt, lower_sort(l, tp_sort_index(tt, s)),
                           lower_sort(l, tp_sort_element(tt, s)));
    case TP_SORT_BOOL:
    case TP_SORT_BV:
    case TP_SORT_FP:
    case TP_SORT_INT: break;
  }
  return s;
}

tp_value tp_lower_raise(tp_lower *l, tp_sort sort, tp_value v, tp_arena *arena) {
  TP_REQUIRE(sort.id);
  tp_terms *tt = l->tt;
  tp_sort_kind kind = tp_sort_kind_of(tt, sort);
  if (kind == TP_SORT_PTR) {
    uint32_t n = tp_terms_ptr_bits(tt);
    return (tp_value){.object = (uint32_t)(v.bits >> n), .bits = v.bits & (((tp_u128)1 << n) - 1)};
  }
  if (kind != TP_SORT_ARRAY || !v.array || tp_sort_eq(sort, lower_sort(l, sort))) return v;
  tp_sort index = tp_sort_index(tt, sort), element = tp_sort_element(tt, sort);
  tp_array_value *a = tp_arena_new(arena, tp_array_value);
  *a = (tp_array_value){.n = v.array->n,
                        .cells = tp_arena_array(arena, struct tp_array_cell, v.array->n),
                        .otherwise = tp_lower_raise(l, element, v.array->otherwise, arena)};
  for (size_t i = 0; i < a->n; i++) {
    a->cells[i].index = tp_lower_raise(l, index, v.array->cells[i].index, arena);
    a->cells[i].value = tp_lower_raise(l, element, v.array->cells[i].value, arena);
  }
  return (tp_value){.array = a};
}

// ------------------------------------------------------------------- pointers

/* The halves of a pointer, and a pointer of halves, without waiting for mk to see through concat.
 */
static tp_term object_of(tp_lower *l, tp_term p) {
  uint32_t n = tp_terms_ptr_bits(l->tt);
  if (tp_kind(l->tt, p) == TP_OP_BV_CONCAT && tp_width(l->tt, tp_arg(l->tt, p, 1)) == n)
    return tp_arg(l->tt, p, 0);
  if (tp_is_const(l->tt, p)) return tp_mk_bv(l->tt, TP_OBJ_BITS, tp_bv_value(l->tt, p) >> n);
  return tp_mk_extract(l->tt, n + TP_OBJ_BITS - 1, n, p);
}

static tp_term offset_of(tp_lower *l, tp_term p) {
  uint32_t n = tp_terms_ptr_bits(l->tt);
  if (tp_kind(l->tt, p) == TP_OP_BV_CONCAT && tp_width(l->tt, tp_arg(l->tt, p, 1)) == n)
    return tp_arg(l->tt, p, 1);
  if (tp_is_const(l->tt, p)) return tp_mk_bv(l->tt, n, tp_bv_value(l->tt, p));
  return tp_mk_extract(l->tt, n - 1, 0, p);
}

static tp_term pair(tp_lower *l, tp_term object, tp_term offset) {
  TP_REQUIRE(tp_width(l->tt, object) == TP_OBJ_BITS);
  TP_REQUIRE(tp_width(l->tt, offset) == tp_terms_ptr_bits(l->tt));
  uint32_t n = tp_terms_ptr_bits(l->tt);
  if (tp_is_const(l->tt, object) && tp_is_const(l->tt, offset))
    return tp_mk_bv(l->tt, n + TP_OBJ_BITS,
                    tp_bv_value(l->tt, object) << n | tp_bv_value(l->tt, offset));
  return tp_mk2(l->tt, TP_OP_BV_CONCAT, object, offset);
}

static tp_term base_array(tp_lower *l) {
  tp_terms *tt = l->tt;
  if (!tp_term_is(l->base_array)) {
    tp_sort object = tp_sort_bv(tt, TP_OBJ_BITS), address = tp_sort_bv(tt, tp_terms_ptr_bits(tt));
    l->base_array = tp_mk_var(tt, "base", tp_sort_array(tt, object, address));
    tp_term at_null = tp_mk2(tt, TP_OP_SELECT, l->base_array, tp_mk_bv(tt, TP_OBJ_BITS, 0));
    tp_map_set(&l->fact, l->base_array.id,
               tp_mk_eq(tt, at_null, tp_mk_bv(tt, tp_terms_ptr_bits(tt), 0)).id);
  }
  return l->base_array;
}

static tp_term base_of_object(tp_lower *l, tp_term object) {
  TP_REQUIRE(tp_width(l->tt, object) == TP_OBJ_BITS);
  tp_terms *tt = l->tt;
  uint64_t id, index;
  if (!tp_bv_value_u64(tt, object, &id)) return tp_mk2(tt, TP_OP_SELECT, base_array(l), object);
  if (id == 0) return tp_mk_bv(tt, tp_terms_ptr_bits(tt), 0);
  if (!tp_map_get(&l->base_index, id, &index)) {
    index = l->bases.n;
    tp_vec_push(&l->bases, (base_of){(uint32_t)id,
                                     tp_mk_var(tt, "base", tp_sort_bv(tt, tp_terms_ptr_bits(tt)))});
    tp_map_set(&l->base_index, id, index);
  }
  return l->bases.at[index].var;
}

tp_term tp_lower_base_link(tp_lower *l, size_t i) {
  TP_REQUIRE(i < l->bases.n);
  tp_term object = tp_mk_bv(l->tt, TP_OBJ_BITS, l->bases.at[i].object);
  return tp_mk_eq(l->tt, tp_mk2(l->tt, TP_OP_SELECT, base_array(l), object), l->bases.at[i].var);
}

/* The object that an integer remembers, by the rules of tp_eval: of a pointer its object, of a sum
 * that of the one summand that has one. Variables remember nothing. What went through an array that
 * may hold such integers is UNKNOWN: then the object is left open. Result: a lowered BV32. */
static tp_term provenance_over(tp_lower *l, tp_term t, const tp_term *v) {
  tp_terms *tt = l->tt;
  tp_term none = tp_mk_bv(tt, TP_OBJ_BITS, 0);
  uint32_t n = tp_n_args(tt, t);
  bool unknown = false, clean = true;
  for (uint32_t i = 0; i < n; i++) {
    unknown = unknown || tp_term_eq(v[i], UNKNOWN);
    clean = clean && tp_term_eq(v[i], none);
  }
  switch ((int)tp_kind(tt, t)) {  // what is not listed forgets
    case TP_OP_PTR_TO_INT: return object_of(l, get(l, tp_arg(tt, t, 0)));
    case TP_OP_SELECT: return tp_term_eq(v[0], none) ? none : UNKNOWN;
    case TP_OP_STORE: return tp_term_eq(v[0], none) && tp_term_eq(v[2], none) ? none : UNKNOWN;
    case TP_OP_CONST_ARRAY: return clean ? none : UNKNOWN;
    case TP_OP_ITE:
      if (tp_term_eq(v[1], v[2])) return v[1];
      if (unknown || tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_ARRAY) return UNKNOWN;
      return tp_mk_ite(tt, get(l, tp_arg(tt, t, 0)), v[1], v[2]);
    case TP_OP_BV_ADD: {
      if (unknown) return UNKNOWN;
      tp_term a_has = tp_mk_not(tt, tp_mk_eq(tt, v[0], none)),
              b_has = tp_mk_not(tt, tp_mk_eq(tt, v[1], none));
      return tp_mk_ite(tt, tp_mk_and(tt, a_has, b_has), none, tp_mk2(tt, TP_OP_BV_OR, v[0], v[1]));
    }
    case TP_OP_BV_EXTRACT:
      return tp_extract_lo(tt, t) == 0 && tp_width(tt, t) >= tp_terms_ptr_bits(tt) ? v[0] : none;
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: return v[0];
    default: return none;
  }
}

static uint64_t provenance_of_node(void *ctx, tp_term t, const uint64_t *args) {
  tp_lower *l = ctx;
  tp_term v[3] = {TP_TERM_NONE, TP_TERM_NONE, TP_TERM_NONE};
  for (uint32_t i = 0; i < tp_n_args(l->tt, t); i++) v[i].id = (uint32_t)args[i];
  return provenance_over(l, t, v).id;
}

static tp_term provenance(tp_lower *l, tp_term t) {
  tp_folder f = {.ctx = l, .after = provenance_of_node, .order = TP_RIGHT_TO_LEFT};
  return (tp_term){(uint32_t)tp_fold_terms(l->tt, t, &f, &l->provenance)};
}

/* The pointer with this address in the object that the integer remembers. */
static tp_term int_to_ptr(tp_lower *l, tp_term original, tp_term address) {
  tp_term object = provenance(l, original);
  if (tp_term_eq(object, UNKNOWN))
    object = helper(l, "object", tp_sort_bv(l->tt, TP_OBJ_BITS), address);
  return pair(l, object, tp_mk_sub(l->tt, address, base_of_object(l, object)));
}

// --------------------------------------------------------------------- floats

static tp_term is_nan(tp_lower *l, tp_term x) { return tp_mk1(l->tt, TP_OP_FP_IS_NAN, x); }

/* The bits of a float: of a variable its own, of anything else a fresh vector that reads as x. */
static tp_term fp_bits(tp_lower *l, tp_term x) {
  tp_terms *tt = l->tt;
  if (tp_kind(tt, x) == TP_OP_FP_OF_BITS) return tp_arg(tt, x, 0);
  tp_term direct = tp_mk1(tt, TP_OP_FP_TO_BITS, x);
  if (tp_kind(tt, direct) != TP_OP_FP_TO_BITS) return direct;
  tp_term b = helper(l, "bits", tp_sort_bv(tt, tp_width(tt, x)), x);
  tp_map_set(&l->fact, b.id, tp_mk_eq(tt, tp_mk1(tt, TP_OP_FP_OF_BITS, b), x).id);
  return b;
}

/* fmod(x, y): a fresh r with what holds of it. */
static tp_term fp_fmod(tp_lower *l, tp_term x, tp_term y) {
  tp_terms *tt = l->tt;
  tp_term b = helper(l, "fmod", tp_sort_bv(tt, tp_width(tt, x)), tp_mk_eq(tt, x, y)),
          r = tp_mk1(tt, TP_OP_FP_OF_BITS, b);
  tp_term zero = tp_mk_fp(tt, tp_width(tt, x), 0);
  tp_term ax = tp_mk1(tt, TP_OP_FP_ABS, x), ay = tp_mk1(tt, TP_OP_FP_ABS, y),
          ar = tp_mk1(tt, TP_OP_FP_ABS, r);
  tp_term undefined =
      tp_mk_or(tt, tp_mk_or(tt, is_nan(l, x), is_nan(l, y)),
               tp_mk_or(tt, tp_mk1(tt, TP_OP_FP_IS_INF, x), tp_mk2(tt, TP_OP_FP_EQ, y, zero)));
  tp_term smaller = tp_mk_and(tt, tp_mk2(tt, TP_OP_FP_LT, ar, ay), tp_mk2(tt, TP_OP_FP_LE, ar, ax));
  tp_term keeps = tp_mk_implies(tt, tp_mk2(tt, TP_OP_FP_LT, ax, ay), tp_mk_eq(tt, r, x));
  tp_term same_sign = tp_mk_or(tt, tp_mk_eq(tt, r, ar), tp_mk2(tt, TP_OP_FP_LE, x, zero));
  tp_term other_sign =
      tp_mk_or(tt, tp_mk2(tt, TP_OP_FP_LE, r, zero), tp_mk2(tt, TP_OP_FP_LE, zero, x));
  tp_term defined[] = {smaller, keeps, same_sign, other_sign};
  tp_term fact = tp_mk_ite(tt, undefined, is_nan(l, r), tp_mk_and_n(tt, defined, 4));
  tp_map_set(&l->fact, b.id, fact.id);
  return r;
}

/* C's fmin and fmax: a NaN yields to a number. Which zero of two is not said in C. */
static tp_term fp_extremum(tp_lower *l, bool largest, tp_term x, tp_term y) {
  tp_terms *tt = l->tt;
  tp_term first = largest ? tp_mk2(tt, TP_OP_FP_LT, y, x) : tp_mk2(tt, TP_OP_FP_LT, x, y);
  tp_term second = largest ? tp_mk2(tt, TP_OP_FP_LT, x, y) : tp_mk2(tt, TP_OP_FP_LT, y, x);
  tp_term b = helper(l, "either", tp_sort_bv(tt, tp_width(tt, x)), tp_mk_eq(tt, x, y)),
          r = tp_mk1(tt, TP_OP_FP_OF_BITS, b);
  tp_map_set(&l->fact, b.id, tp_mk_or(tt, tp_mk_eq(tt, r, x), tp_mk_eq(tt, r, y)).id);
  tp_term tie = tp_mk_ite(tt, tp_mk_eq(tt, x, y), x, r);
  tp_term numbers = tp_mk_ite(tt, first, x, tp_mk_ite(tt, second, y, tie));
  return tp_mk_ite(tt, is_nan(l, x), y, tp_mk_ite(tt, is_nan(l, y), x, numbers));
}

/* 2^exponent, exactly. */
static tp_term power_of_two(tp_lower *l, uint32_t width_bits, uint32_t exponent) {
  uint64_t bits =
      width_bits == 32 ? (uint64_t)(127 + exponent) << 23 : (uint64_t)(1023 + exponent) << 52;
  return tp_mk_fp(l->tt, width_bits, bits);
}

/* cvtts*2si: SMT-LIB's conversion to n signed bits inside the range, the smallest number outside
 * it. The range is tested after truncation, so that the bounds -2^(n-1) <= t < 2^(n-1) are exact
 * floats. */
static tp_term truncate_signed(tp_lower *l, uint32_t n, tp_term x) {
  tp_terms *tt = l->tt;
  tp_term t = tp_mk_fp_round(tt, TP_ROUND_TO_ZERO, x);
  tp_term high = power_of_two(l, tp_width(tt, x), n - 1), low = tp_mk1(tt, TP_OP_FP_NEG, high);
  tp_term inside = tp_mk_and(tt, tp_mk2(tt, TP_OP_FP_LE, low, t), tp_mk2(tt, TP_OP_FP_LT, t, high));
  return tp_mk_ite(tt, inside, tp_mk_fp_conv(tt, TP_OP_FP_TO_SBV, n, x),
                   tp_mk_bv(tt, n, (tp_u128)1 << (n - 1)));
}

/* As tp_eval: narrow results through 32 bits, unsigned 32 through 64, unsigned 64 in two ranges. */
static tp_term fp_to_integer(tp_lower *l, tp_term_kind k, uint32_t n, tp_term x) {
  tp_terms *tt = l->tt;
  if (n > 64) return helper(l, "integer", tp_sort_bv(tt, n), x);
  if (n < 32 || (n == 32 && k == TP_OP_FP_TO_SBV))
    return tp_mk_trunc(tt, n, truncate_signed(l, 32, x));
  tp_term low = truncate_signed(l, 64, x);
  if (k == TP_OP_FP_TO_SBV || n == 32) return tp_mk_trunc(tt, n, low);
  tp_term wide = tp_width(tt, x) == 64 ? x : tp_mk_fp_conv(tt, TP_OP_FP_OF_FP, 64, x);
  tp_term rest = truncate_signed(l, 64, tp_mk2(tt, TP_OP_FP_SUB, wide, power_of_two(l, 64, 63)));
  tp_term negative = tp_mk2(tt, TP_OP_BV_SLT, low, tp_mk_bv(tt, 64, 0));
  return tp_mk_trunc(tt, n, tp_mk_ite(tt, negative, tp_mk2(tt, TP_OP_BV_OR, low, rest), low));
}

// ------------------------------------------------------------------- one term

static tp_term lower_var(tp_lower *l, tp_term t) {
  tp_terms *tt = l->tt;
  tp_sort sort = tp_sort_of(tt, t), lowered = lower_sort(l, sort);
  tp_term v;
  if (tp_sort_kind_of(tt, sort) == TP_SORT_FP) {
    v = tp_mk_var(tt, tp_var_name(tt, t), tp_sort_bv(tt, tp_sort_width(tt, sort)));
    tp_map_set(&l->origin, v.id, t.id);
    return tp_mk1(tt, TP_OP_FP_OF_BITS, v);
  }
  v = tp_sort_eq(sort, lowered) ? t : tp_mk_var(tt, tp_var_name(tt, t), lowered);
  tp_map_set(&l->origin, v.id, t.id);
  return v;
}

/* The same operation on other arguments. */
static tp_term rebuild(tp_lower *l, tp_term t, const tp_term *a) {
  tp_terms *tt = l->tt;
  tp_term_kind k = tp_kind(tt, t);
  switch ((int)k) {  // kinds without payload share the rest
    case TP_OP_BV_EXTRACT:
      return tp_mk_extract(tt, tp_extract_hi(tt, t), tp_extract_lo(tt, t), a[0]);
    case TP_OP_BV_ZEXT: return tp_mk_zext(tt, tp_width(tt, t), a[0]);
    case TP_OP_BV_SEXT: return tp_mk_sext(tt, tp_width(tt, t), a[0]);
    case TP_OP_FP_ROUND: return tp_mk_fp_round(tt, tp_round_of(tt, t), a[0]);
    case TP_OP_FP_OF_FP:
    case TP_OP_FP_OF_SBV:
    case TP_OP_FP_OF_UBV: return tp_mk_fp_conv(tt, k, tp_width(tt, t), a[0]);
    case TP_OP_CONST_ARRAY: return tp_mk_const_array(tt, lower_sort(l, tp_sort_of(tt, t)), a[0]);
    case TP_OP_FORALL:
    case TP_OP_EXISTS: return tp_mk_quantifier(tt, k, tp_bound_number(tt, t), a[0]);
    case TP_OP_EQ: return tp_mk_eq(tt, a[0], a[1]);
    case TP_OP_AND: return tp_mk_and(tt, a[0], a[1]);
    case TP_OP_OR: return tp_mk_or(tt, a[0], a[1]);
    default: break;
  }
  switch (tp_n_args(tt, t)) {
    case 1: return tp_mk1(tt, k, a[0]);
    case 2: return tp_mk2(tt, k, a[0], a[1]);
    case 3: return tp_mk3(tt, k, a[0], a[1], a[2]);
    default: return t;
  }
}

static tp_term lower_one(tp_lower *l, tp_term t) {
  tp_terms *tt = l->tt;
  uint32_t n = tp_n_args(tt, t);
  tp_term a[3] = {TP_TERM_NONE, TP_TERM_NONE, TP_TERM_NONE};
  bool same = tp_sort_eq(tp_sort_of(tt, t), lower_sort(l, tp_sort_of(tt, t)));
  for (uint32_t i = 0; i < n; i++) {
    a[i] = get(l, tp_arg(tt, t, i));
    same = same && tp_term_eq(a[i], tp_arg(tt, t, i));
    if (tp_term_eq(a[i], REFUSED)) l->refused = true;
  }
  if (l->refused) return REFUSED;
  tp_term_kind k = tp_kind(tt, t);
  switch ((int)k) {  // all other kinds are rebuilt
    case TP_OP_VAR: return lower_var(l, t);
    case TP_OP_BOUND:
      l->seen_bound = true;
      return tp_mk_bound(tt, tp_bound_number(tt, t), lower_sort(l, tp_sort_of(tt, t)));
    case TP_OP_PTR_CONST:
      return pair(l, tp_mk_bv(tt, TP_OBJ_BITS, tp_ptr_const_object(tt, t)),
                  tp_mk_bv(tt, tp_terms_ptr_bits(tt), tp_ptr_const_offset(tt, t)));
    case TP_OP_PTR_MK: return pair(l, a[0], a[1]);
    case TP_OP_PTR_OBJ: return object_of(l, a[0]);
    case TP_OP_PTR_OFF: return offset_of(l, a[0]);
    case TP_OP_PTR_ADD:
      return pair(l, object_of(l, a[0]), tp_mk2(tt, TP_OP_BV_ADD, offset_of(l, a[0]), a[1]));
    case TP_OP_PTR_TO_INT:
      return tp_mk2(tt, TP_OP_BV_ADD, base_of_object(l, object_of(l, a[0])), offset_of(l, a[0]));
    case TP_OP_INT_TO_PTR: return int_to_ptr(l, tp_arg(tt, t, 0), a[0]);
    case TP_OP_FP_TO_BITS: return fp_bits(l, a[0]);
    case TP_OP_FP_REM: return fp_fmod(l, a[0], a[1]);
    case TP_OP_FP_MIN: return fp_extremum(l, false, a[0], a[1]);
    case TP_OP_FP_MAX: return fp_extremum(l, true, a[0], a[1]);
    case TP_OP_FP_TO_SBV:
    case TP_OP_FP_TO_UBV: return fp_to_integer(l, k, tp_width(tt, t), a[0]);
    default: return same ? t : rebuild(l, t, a);
  }
}

bool tp_lower_term(tp_lower *l, tp_term t, tp_term *lowered) {
  TP_REQUIRE(tp_term_is(t) && t.id <= tp_terms_count(l->tt));
  tp_vec_push(&l->todo, t);
  while (l->todo.n) {
    tp_term top = tp_vec_last(&l->todo);
    bool ready = true;
    if (!tp_term_is(get(l, top)))
      for (uint32_t i = tp_n_args(l->tt, top); i-- > 0;)
        if (!tp_term_is(get(l, tp_arg(l->tt, top, i)))) {
          tp_vec_push(&l->todo, tp_arg(l->tt, top, i));
          ready = false;
        }
    if (!ready) continue;
    (void)tp_vec_pop(&l->todo);
    if (tp_term_is(get(l, top))) continue;
    l->refused = false;
    tp_term result = lower_one(l, top);
    put(l, top, l->refused ? REFUSED : result);
  }
  *lowered = get(l, t);
  return !tp_term_eq(*lowered, REFUSED);
}
