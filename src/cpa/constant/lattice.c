/* The flat lattice of constants: a value is the id of its constant term, so equal values have equal
 * handles.
 *
 * An operation is the term table's own folding: the operation is built over the constants, with a
 * variable in the place of each argument that is not known; if a constant comes out, that is the
 * value (so 0 * x is 0). A NaN is not tracked: EQ does not tell NaNs apart, their bits would. */
#include "cpa/constant/constant_cpa.h"

typedef struct {
  tp_terms *tt;
  tp_map unknown;  // (sort, position) -> a variable that stands for any value
} lattice;

static tp_term term(tp_absval v) { return (tp_term){(uint32_t)v.id}; }
static tp_absval value(tp_term t) { return (tp_absval){t.id}; }

static void *open(tp_cpa *cpa, tp_str *why) {
  (void)why;
  lattice *l = TP_NEW(lattice);
  l->tt = cpa->env->terms;
  return l;
}
static void close(void *self) {
  tp_map_clear(&((lattice *)self)->unknown);
  tp_free(self);
}

static bool is_nan(tp_terms *tt, tp_term c) {
  return tp_kind(tt, c) == TP_OP_FP_CONST && !tp_is_false(tt, tp_mk1(tt, TP_OP_FP_IS_NAN, c));
}
static tp_absval constant(void *self, tp_term c) {
  const lattice *l = self;
  return tp_is_const(l->tt, c) && !is_nan(l->tt, c) ? value(c) : TP_ABSVAL_TOP;
}

static tp_term any(lattice *l, tp_sort s, uint32_t position) {
  uint64_t key = (uint64_t)s.id << 2 | position, id;
  if (tp_map_get(&l->unknown, key, &id)) return (tp_term){(uint32_t)id};
  tp_term x = tp_mk_var(l->tt, "any", s);
  tp_map_set(&l->unknown, key, x.id);
  return x;
}

static tp_absval apply(void *self, tp_term t, const tp_absval *args, uint32_t n) {
  lattice *l = self;
  tp_term terms[3];
  bool knows_one = false;
  for (uint32_t i = 0; i < n; i++) {
    knows_one |= args[i].id != 0;
    terms[i] = args[i].id ? term(args[i]) : any(l, tp_sort_of(l->tt, tp_arg(l->tt, t, i)), i);
  }
  return knows_one ? constant(l, tp_remake(l->tt, t, terms)) : TP_ABSVAL_TOP;
}

static bool leq(void *self, tp_sort s, tp_absval a, tp_absval b) {
  return (void)self, (void)s, a.id == b.id;
}
static tp_absval join(void *self, tp_sort s, tp_absval a, tp_absval b) {
  return (void)self, (void)s, a.id == b.id ? a : TP_ABSVAL_TOP;
}
static bool meet(void *self, tp_sort s, tp_absval a, tp_absval b, tp_absval *out) {
  (void)self, (void)s;
  *out = a.id ? a : b;
  return a.id == b.id || !a.id || !b.id;
}

// -------------------------------------------------------------------- backward

/* The argument becomes c; false if it is known to be something else. */
static bool becomes(tp_absval *arg, tp_term c) {
  if (arg->id == 0) *arg = value(c);
  return arg->id == c.id;
}

/* r = a op b for an operation with inverse: b = undo(r, a). */
static bool refine_sum(lattice *l, tp_term_kind k, tp_term r, tp_absval *a, tp_absval *b) {
  if (a->id && !becomes(b, k == TP_OP_BV_ADD ? tp_mk_sub(l->tt, r, term(*a))
                                             : tp_mk2(l->tt, k, r, term(*a))))
    return false;
  if (b->id && !becomes(a, k == TP_OP_BV_ADD ? tp_mk_sub(l->tt, r, term(*b))
                                             : tp_mk2(l->tt, k, r, term(*b))))
    return false;
  return true;
}

static tp_term extreme(lattice *l, uint32_t width, bool is_signed, bool largest) {
  tp_u128 ones = width == 128 ? ~(tp_u128)0 : ((tp_u128)1 << width) - 1;
  tp_u128 top_bit = (tp_u128)1 << (width - 1);
  if (is_signed) return tp_mk_bv(l->tt, width, largest ? ones ^ top_bit : top_bit);
  return tp_mk_bv(l->tt, width, largest ? ones : 0);
}

/* low < high, or low <= high: at the end of the order one value is left. */
static bool refine_order(lattice *l, uint32_t width, bool is_signed, bool strict, tp_absval *low,
                         tp_absval *high) {
  tp_terms *tt = l->tt;
  tp_term least = extreme(l, width, is_signed, false), most = extreme(l, width, is_signed, true),
          one = tp_mk_bv(tt, width, 1);
  tp_term low_end = strict ? tp_mk_sub(tt, most, one) : most,
          high_end = strict ? tp_mk2(tt, TP_OP_BV_ADD, least, one) : least;
  if (width == 1 && strict) return becomes(low, least) && becomes(high, most);
  if (low->id == low_end.id && !becomes(high, most)) return false;
  return high->id != high_end.id || becomes(low, least);
}

static bool refine_parts(lattice *l, tp_term t, tp_term r, tp_absval *args) {
  tp_terms *tt = l->tt;
  uint32_t low = tp_width(tt, tp_arg(tt, t, 1)), all = tp_width(tt, t);
  return becomes(&args[0], tp_mk_extract(tt, all - 1, low, r)) &&
         becomes(&args[1], tp_mk_extract(tt, low - 1, 0, r));
}

static bool refine(void *self, tp_term t, tp_absval result, tp_absval *args, uint32_t n) {
  lattice *l = self;
  tp_terms *tt = l->tt;
  tp_term r = term(result);
  tp_term_kind k = tp_kind(tt, t);
  uint32_t width = n ? tp_width(tt, tp_arg(tt, t, 0)) : 0;
  bool holds = tp_is_true(tt, r);
  if (k == TP_OP_EQ && holds)
    return (!args[0].id || becomes(&args[1], term(args[0]))) &&
           (!args[1].id || becomes(&args[0], term(args[1])));
  if (k == TP_OP_BV_ADD || k == TP_OP_BV_XOR) return refine_sum(l, k, r, &args[0], &args[1]);
  if (k == TP_OP_BV_NEG || k == TP_OP_BV_NOT) return becomes(&args[0], tp_mk1(tt, k, r));
  if (k == TP_OP_BV_ZEXT || k == TP_OP_BV_SEXT) {
    tp_term a = tp_mk_trunc(tt, width, r);
    return tp_term_eq(tp_remake(tt, t, &a), r) && becomes(&args[0], a);
  }
  if (k == TP_OP_BV_CONCAT) return refine_parts(l, t, r, args);
  bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE,
       strict = k == TP_OP_BV_ULT || k == TP_OP_BV_SLT;
  if (!strict && !is_signed && k != TP_OP_BV_ULE) return true;
  return holds
             ? refine_order(l, width, is_signed, strict, &args[0], &args[1])
             : refine_order(l, width, is_signed, !strict, &args[1], &args[0]);  // not a < b: b <= a
}

// ------------------------------------------------------------- ranges and text

static bool range(void *self, tp_sort s, tp_absval v, tp_range *out) {
  const lattice *l = self;
  uint64_t bits;
  uint32_t width = tp_sort_width(l->tt, s);
  if (width > 64 || !tp_bv_value_u64(l->tt, term(v), &bits)) return false;
  int64_t as_signed = (int64_t)(bits << (64 - width)) >> (64 - width);
  *out = (tp_range){.umin = bits, .umax = bits, .smin = as_signed, .smax = as_signed};
  return true;
}
static bool of_range(void *self, tp_sort s, const tp_range *r, tp_absval *out) {
  lattice *l = self;
  if (r->is_top || r->umin != r->umax || tp_sort_kind_of(l->tt, s) != TP_SORT_BV) return false;
  *out = value(tp_mk_bv(l->tt, tp_sort_width(l->tt, s), r->umin));
  return true;
}

static tp_term formula(void *self, tp_term x, tp_absval v) {
  return tp_mk_eq(((lattice *)self)->tt, x, term(v));
}

static void print(void *self, tp_sort s, tp_absval v, tp_str *out) {
  (void)s;
  tp_print_c(((lattice *)self)->tt, term(v), TP_C_READABLE, out);
}

const tp_store_values tp_constant_values = {.open = open,
                                            .close = close,
                                            .constant = constant,
                                            .apply = apply,
                                            .leq = leq,
                                            .join = join,
                                            .meet = meet,
                                            .refine = refine,
                                            .range = range,
                                            .of_range = of_range,
                                            .formula = formula,
                                            .print = print};
