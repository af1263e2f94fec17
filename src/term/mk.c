/* Construction: every application comes through tp_mk_application, which folds constants, asks the
 * rules of the kind's theory, and interns what is left. With rewriting off it interns at once. */
#include "term/term.h"

#include "term/rewrite.h"
#include "term/term_limits.h"

static bool is_foldable(const tp_terms *tt, const tp_application *ap) {
  if (!tp_term_is(ap->a) || !tp_is_scalar_const(tt, ap->a)) return false;
  if (tp_term_is(ap->b) && !tp_is_scalar_const(tt, ap->b)) return false;
  return !tp_term_is(ap->c) || tp_is_scalar_const(tt, ap->c);
}

/* match: (k c d ...)   result: the value of the application */
static tp_term fold(tp_terms *tt, const tp_application *ap) {
  tp_operation op = {.kind = ap->k,
                     .arg_sort = tp_sk(tt, ap->a),
                     .width = tp_sort_width(tt, ap->sort),
                     .arg_width = tp_w(tt, ap->a),
                     .ptr_bits = tt->ptr_bits,
                     .payload = ap->payload};
  tp_value v[3] = {tp_const_value(tt, ap->a), {0}, {0}}, r;
  if (tp_term_is(ap->b)) v[1] = tp_const_value(tt, ap->b);
  if (tp_term_is(ap->c)) v[2] = tp_const_value(tt, ap->c);
  return tp_fold(&op, v, &r) ? tp_mk_value(tt, ap->sort, r) : TP_TERM_NONE;
}

static tp_term tp_rw_none(tp_terms *tt, const tp_application *ap) {
  return (void)tt, (void)ap, TP_TERM_NONE;
}

static tp_term tp_rw_equation(tp_terms *tt, const tp_application *ap) {
  switch (tp_sk(tt, ap->a)) {
    case TP_SORT_BOOL: return tp_rw_bool(tt, ap);
    case TP_SORT_PTR: return tp_rw_ptr(tt, ap);
    case TP_SORT_BV:
    case TP_SORT_FP:
    case TP_SORT_INT:
    case TP_SORT_ARRAY: return tp_rw_eq(tt, ap);
  }
  return TP_TERM_NONE;
}

static const struct {
  enum { FIRST, BOOL, OWN } result;
  tp_term (*rules)(tp_terms *tt, const tp_application *ap);
} kinds[TP_N_OPS] = {
#define TP_K(name, arity, smt, result, rules) [TP_OP_##name] = {result, tp_rw_##rules},
    TP_TERM_KINDS(TP_K)
#undef TP_K
};

/* Rules build their results through here again; that recursion is cut, so that no input can
 * exhaust the stack. */
tp_term tp_mk_application(tp_terms *tt, const tp_application *ap) {
  TP_REQUIRE(ap->k < TP_N_OPS && tp_is_in_table(tt, ap->a));
  if (tt->rewriting && tt->depth < TP_TERM_RULE_LEVELS) {
    tt->depth++;
    tp_term r = is_foldable(tt, ap) ? fold(tt, ap) : TP_TERM_NONE;
    if (!tp_term_is(r)) r = kinds[ap->k].rules(tt, ap);
    if (!tp_term_is(r)) r = tp_rw_leaves(tt, ap);
    tt->depth--;
    if (tp_term_is(r)) {
      TP_INVARIANT(tp_s(tt, r).id == ap->sort.id);  // a rule keeps the sort
      return r;
    }
  }
  return tp_intern(tt, ap->k, ap->sort, ap->a, ap->b, ap->c, ap->payload);
}

static tp_term make(tp_terms *tt, tp_term_kind k, tp_sort s, tp_term a, tp_term b, tp_term c,
                    uint64_t payload) {
  tp_application ap = {k, s, a, b, c, payload};
  return tp_mk_application(tt, &ap);
}

// -------------------------------------------------------------- sorts of results

tp_sort tp_sort_of_application(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  TP_REQUIRE(k < TP_N_OPS);
  if (kinds[k].result == BOOL) return tp_sort_bool(tt);
  switch ((int)k) {
    case TP_OP_ITE: return tp_s(tt, b);
    case TP_OP_BV_CONCAT: return tp_sort_bv(tt, tp_w(tt, a) + tp_w(tt, b));
    case TP_OP_FP_OF_BITS: return tp_sort_fp(tt, tp_w(tt, a));
    case TP_OP_FP_TO_BITS: return tp_sort_bv(tt, tp_w(tt, a));
    case TP_OP_PTR_MK:
    case TP_OP_INT_TO_PTR: return tp_sort_ptr(tt);
    case TP_OP_PTR_OBJ: return tp_sort_bv(tt, TP_OBJ_BITS);
    case TP_OP_PTR_OFF:
    case TP_OP_PTR_TO_INT: return tp_sort_bv(tt, tt->ptr_bits);
    case TP_OP_SELECT: return tp_sort_element(tt, tp_s(tt, a));
    case TP_OP_INT_OF_SBV:
    case TP_OP_INT_OF_UBV: return tp_sort_int(tt);
    default: TP_INVARIANT(kinds[k].result == FIRST); return tp_s(tt, a);
  }
}

bool tp_is_well_sorted(const tp_terms *tt, tp_term_kind k, tp_term a, tp_term b, tp_term c) {
  tp_sort_kind s = tp_sk(tt, a);
  bool same = tp_term_is(b) && tp_s(tt, a).id == tp_s(tt, b).id;
  if (k == TP_OP_EQ) return same;
  if (k == TP_OP_NOT) return s == TP_SORT_BOOL;
  if (k >= TP_OP_AND && k <= TP_OP_XOR) return same && s == TP_SORT_BOOL;
  if (k == TP_OP_ITE) return s == TP_SORT_BOOL && tp_s(tt, b).id == tp_s(tt, c).id;
  if (k == TP_OP_BV_NEG || k == TP_OP_BV_NOT) return s == TP_SORT_BV;
  if (k == TP_OP_BV_CONCAT)
    return s == TP_SORT_BV && tp_sk(tt, b) == TP_SORT_BV &&
           tp_w(tt, a) + tp_w(tt, b) <= TP_BV_MAX_BITS;
  if (k >= TP_OP_BV_ADD && k <= TP_OP_BV_SLE) return same && s == TP_SORT_BV;
  if (k == TP_OP_FP_OF_BITS) return s == TP_SORT_BV && (tp_w(tt, a) == 32 || tp_w(tt, a) == 64);
  if (k >= TP_OP_FP_ADD && k <= TP_OP_FP_TO_BITS)
    return s == TP_SORT_FP && (!tp_term_is(b) || same) &&
           (!tp_term_is(c) || tp_s(tt, c).id == tp_s(tt, a).id);
  if (k == TP_OP_PTR_MK)
    return s == TP_SORT_BV && tp_w(tt, a) == TP_OBJ_BITS && tp_sk(tt, b) == TP_SORT_BV &&
           tp_w(tt, b) == tt->ptr_bits;
  if (k == TP_OP_PTR_ADD)
    return s == TP_SORT_PTR && tp_sk(tt, b) == TP_SORT_BV && tp_w(tt, b) == tt->ptr_bits;
  if (k >= TP_OP_PTR_OBJ && k <= TP_OP_PTR_TO_INT) return s == TP_SORT_PTR;
  if (k == TP_OP_INT_TO_PTR) return s == TP_SORT_BV && tp_w(tt, a) == tt->ptr_bits;
  if (k == TP_OP_SELECT)
    return s == TP_SORT_ARRAY && tp_sort_index(tt, tp_s(tt, a)).id == tp_s(tt, b).id;
  if (k == TP_OP_STORE)
    return s == TP_SORT_ARRAY && tp_sort_index(tt, tp_s(tt, a)).id == tp_s(tt, b).id &&
           tp_sort_element(tt, tp_s(tt, a)).id == tp_s(tt, c).id;
  if (k >= TP_OP_INT_ADD && k <= TP_OP_INT_LT) return same && s == TP_SORT_INT;
  if (k == TP_OP_INT_OF_SBV || k == TP_OP_INT_OF_UBV) return s == TP_SORT_BV;
  return false;  // kinds with a payload have their own makers
}

// ------------------------------------------------------------------ the makers

tp_term tp_mk1(tp_terms *tt, tp_term_kind k, tp_term a) {
  TP_INVARIANT(tp_is_well_sorted(tt, k, a, TP_TERM_NONE, TP_TERM_NONE));
  return make(tt, k, tp_sort_of_application(tt, k, a, TP_TERM_NONE), a, TP_TERM_NONE, TP_TERM_NONE,
              0);
}
tp_term tp_mk2(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b) {
  TP_INVARIANT(tp_is_well_sorted(tt, k, a, b, TP_TERM_NONE));
  return make(tt, k, tp_sort_of_application(tt, k, a, b), a, b, TP_TERM_NONE, 0);
}
tp_term tp_mk3(tp_terms *tt, tp_term_kind k, tp_term a, tp_term b, tp_term c) {
  TP_INVARIANT(tp_is_well_sorted(tt, k, a, b, c));
  return make(tt, k, tp_sort_of_application(tt, k, a, b), a, b, c, 0);
}

tp_term tp_mk_not(tp_terms *tt, tp_term a) { return tp_mk1(tt, TP_OP_NOT, a); }
tp_term tp_mk_and(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_AND, a, b); }
tp_term tp_mk_or(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_OR, a, b); }
tp_term tp_mk_xor(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_XOR, a, b); }
tp_term tp_mk_implies(tp_terms *tt, tp_term a, tp_term b) {
  return tp_mk_or(tt, tp_mk_not(tt, a), b);
}
tp_term tp_mk_and_n(tp_terms *tt, const tp_term *a, size_t n) {
  tp_term r = TP_TRUE;
  for (size_t i = 0; i < n; i++) r = i ? tp_mk_and(tt, r, a[i]) : a[i];
  return r;
}
tp_term tp_mk_or_n(tp_terms *tt, const tp_term *a, size_t n) {
  tp_term r = TP_FALSE;
  for (size_t i = 0; i < n; i++) r = i ? tp_mk_or(tt, r, a[i]) : a[i];
  return r;
}
tp_term tp_mk_eq(tp_terms *tt, tp_term a, tp_term b) { return tp_mk2(tt, TP_OP_EQ, a, b); }
tp_term tp_mk_ite(tp_terms *tt, tp_term c, tp_term a, tp_term b) {
  return tp_mk3(tt, TP_OP_ITE, c, a, b);
}

tp_term tp_mk_sub(tp_terms *tt, tp_term a, tp_term b) {
  return tp_mk2(tt, TP_OP_BV_ADD, a, tp_mk1(tt, TP_OP_BV_NEG, b));
}
tp_term tp_mk_extract(tp_terms *tt, uint32_t hi, uint32_t lo, tp_term a) {
  TP_INVARIANT(tp_sk(tt, a) == TP_SORT_BV && lo <= hi && hi < tp_w(tt, a));
  if (lo == 0 && hi + 1 == tp_w(tt, a)) return a;
  return make(tt, TP_OP_BV_EXTRACT, tp_sort_bv(tt, hi - lo + 1), a, TP_TERM_NONE, TP_TERM_NONE,
              (uint64_t)hi << 32 | lo);
}
static tp_term extend(tp_terms *tt, tp_term_kind k, uint32_t width_bits, tp_term a) {
  TP_INVARIANT(tp_sk(tt, a) == TP_SORT_BV && tp_w(tt, a) <= width_bits);
  if (tp_w(tt, a) == width_bits) return a;
  return make(tt, k, tp_sort_bv(tt, width_bits), a, TP_TERM_NONE, TP_TERM_NONE, 0);
}
tp_term tp_mk_zext(tp_terms *tt, uint32_t width_bits, tp_term a) {
  return extend(tt, TP_OP_BV_ZEXT, width_bits, a);
}
tp_term tp_mk_sext(tp_terms *tt, uint32_t width_bits, tp_term a) {
  return extend(tt, TP_OP_BV_SEXT, width_bits, a);
}
tp_term tp_mk_trunc(tp_terms *tt, uint32_t width_bits, tp_term a) {
  TP_REQUIRE(width_bits >= 1 && width_bits <= tp_w(tt, a));
  return tp_mk_extract(tt, width_bits - 1, 0, a);
}
tp_term tp_mk_resize(tp_terms *tt, uint32_t width_bits, bool is_signed, tp_term a) {
  if (width_bits < tp_w(tt, a)) return tp_mk_trunc(tt, width_bits, a);
  return extend(tt, is_signed ? TP_OP_BV_SEXT : TP_OP_BV_ZEXT, width_bits, a);
}
tp_term tp_mk_bool_to_bv(tp_terms *tt, uint32_t width_bits, tp_term a) {
  return tp_mk_ite(tt, a, tp_mk_bv(tt, width_bits, 1), tp_mk_bv(tt, width_bits, 0));
}
tp_term tp_mk_bv_to_bool(tp_terms *tt, tp_term a) {
  TP_REQUIRE(tp_sk(tt, a) == TP_SORT_BV);
  return tp_mk_not(tt, tp_mk_eq(tt, a, tp_mk_bv(tt, tp_w(tt, a), 0)));
}
tp_term tp_mk_fp_round(tp_terms *tt, tp_round mode, tp_term a) {
  TP_INVARIANT(tp_sk(tt, a) == TP_SORT_FP);
  return make(tt, TP_OP_FP_ROUND, tp_s(tt, a), a, TP_TERM_NONE, TP_TERM_NONE, mode);
}
tp_term tp_mk_fp_conv(tp_terms *tt, tp_term_kind k, uint32_t width_bits, tp_term a) {
  TP_INVARIANT(k >= TP_OP_FP_OF_FP && k <= TP_OP_FP_TO_UBV);
  bool to_bv = k == TP_OP_FP_TO_SBV || k == TP_OP_FP_TO_UBV;
  TP_INVARIANT((tp_sk(tt, a) == TP_SORT_BV) == (k == TP_OP_FP_OF_SBV || k == TP_OP_FP_OF_UBV));
  tp_sort s = to_bv ? tp_sort_bv(tt, width_bits) : tp_sort_fp(tt, width_bits);
  return make(tt, k, s, a, TP_TERM_NONE, TP_TERM_NONE, 0);
}
tp_term tp_mk_ptr(tp_terms *tt, tp_term object, tp_term offset) {
  return tp_mk2(tt, TP_OP_PTR_MK, object, offset);
}
tp_term tp_mk_ptr_add(tp_terms *tt, tp_term p, tp_term offset) {
  return tp_mk2(tt, TP_OP_PTR_ADD, p, offset);
}
tp_term tp_mk_const_array(tp_terms *tt, tp_sort array, tp_term element) {
  TP_INVARIANT(tp_sort_element(tt, array).id == tp_s(tt, element).id);
  return make(tt, TP_OP_CONST_ARRAY, array, element, TP_TERM_NONE, TP_TERM_NONE, 0);
}
tp_term tp_mk_quantifier(tp_terms *tt, tp_term_kind k, uint32_t bound, tp_term body) {
  TP_INVARIANT(tp_sk(tt, body) == TP_SORT_BOOL && (k == TP_OP_FORALL || k == TP_OP_EXISTS));
  if (tt->rewriting && tp_is_scalar_const(tt, body)) return body;  // sorts are not empty
  return make(tt, k, tp_sort_bool(tt), body, TP_TERM_NONE, TP_TERM_NONE, bound);
}

static bool args_have_sorts(const tp_terms *tt, tp_term t, const tp_term *args) {
  for (uint32_t i = 0, n = tp_n_args(tt, t); i < n; i++)
    if (!tp_is_in_table(tt, args[i]) || tp_s(tt, args[i]).id != tp_s(tt, tp_a(tt, t, i)).id)
      return false;
  return true;
}

tp_term tp_remake(tp_terms *tt, tp_term t, const tp_term *args) {
  uint32_t n = tp_n_args(tt, t);
  TP_REQUIRE(n > 0 && args_have_sorts(tt, t, args));
  tp_term b = n > 1 ? args[1] : TP_TERM_NONE, c = n > 2 ? args[2] : TP_TERM_NONE;
  return make(tt, tp_k(tt, t), tp_s(tt, t), args[0], b, c, tt->payload[t.id]);
}
