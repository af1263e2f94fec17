/* The lattice of signs: a value is a set of signs, coded as bits; the full set is top.
 *
 * Bit-vectors: NEG | ZERO | POS. Bool: the sets { false } and { true }, in the same coding (ZERO
 * and POS). Operators are tables over single signs, lifted to sets by union; comparisons are kept
 * if some pair of signs allows them. A condition sharpens its operands the same way: a sign stays
 * if it has a partner that makes the condition come out so. */
#include "cpa/sign/sign_cpa.h"

enum { NEG = 1, ZERO = 2, POS = 4, ANY = NEG | ZERO | POS };

typedef struct {
  tp_terms *tt;
} lattice;

static unsigned set_of(tp_absval v) { return v.id ? (unsigned)v.id : ANY; }
static tp_absval value(unsigned set) { return set == ANY ? TP_ABSVAL_TOP : (tp_absval){set}; }
static tp_absval truth(bool b) { return value(b ? POS : ZERO); }

static void *open(tp_cpa *cpa, tp_str *why) {
  (void)why;
  lattice *l = TP_NEW(lattice);
  l->tt = cpa->env->terms;
  return l;
}
static void close(void *self) { tp_free(self); }

static tp_absval constant(void *self, tp_term c) {
  const lattice *l = self;
  if (tp_kind(l->tt, c) == TP_OP_TRUE || tp_kind(l->tt, c) == TP_OP_FALSE)
    return truth(tp_is_true(l->tt, c));
  if (tp_kind(l->tt, c) != TP_OP_BV_CONST) return TP_ABSVAL_TOP;
  tp_u128 bits = tp_bv_value(l->tt, c);
  if (!bits) return value(ZERO);
  return value(bits >> (tp_width(l->tt, c) - 1) & 1 ? NEG : POS);
}

// --------------------------------------------------------------------- forward

/* The signs that a op b can have for one sign each; widths of at least 2 (one bit has no positive
 * number). */
static unsigned combine(tp_term_kind k, unsigned a, unsigned b) {
  switch ((int)k) {
    case TP_OP_BV_ADD:
      if (a == ZERO) return b;
      if (b == ZERO) return a;
      return a == POS && b == POS ? POS | NEG : ANY;  // MIN + MIN is 0; two positives never are
    case TP_OP_BV_MUL: return a == ZERO || b == ZERO ? ZERO : ANY;
    case TP_OP_BV_AND:
      if (a == ZERO || b == ZERO) return ZERO;
      return a == NEG && b == NEG ? NEG : ZERO | POS;
    case TP_OP_BV_OR:
      if (a == NEG || b == NEG) return NEG;
      return a == ZERO ? b : a;
    case TP_OP_BV_XOR:
      if (a == ZERO) return b;
      if (b == ZERO) return a;
      return (a == NEG) != (b == NEG) ? NEG : ZERO | POS;
    case TP_OP_BV_UREM: return a == ZERO ? ZERO : b == POS ? ZERO | POS : ANY;
    case TP_OP_BV_SREM: return a == ZERO ? ZERO : ZERO | a;  // the sign of the dividend
    case TP_OP_BV_UDIV:
      return a == ZERO && b != ZERO ? ZERO : a == POS && b != ZERO ? ZERO | POS : ANY;
    default: return ANY;
  }
}

static unsigned forward_2(tp_term_kind k, unsigned a, unsigned b) {
  unsigned out = 0;
  for (unsigned x = NEG; x <= POS; x <<= 1)
    for (unsigned y = NEG; y <= POS; y <<= 1)
      if ((a & x) && (b & y)) out |= combine(k, x, y);
  return out;
}

static unsigned forward_1(tp_term_kind k, unsigned a) {
  unsigned out = a & ZERO;
  switch ((int)k) {
    case TP_OP_BV_NEG: return out | (a & POS ? NEG : 0) | (a & NEG ? NEG | POS : 0);  // -MIN is MIN
    case TP_OP_BV_NOT: return (a & NEG ? ZERO | POS : 0) | (a & (ZERO | POS) ? NEG : 0);
    case TP_OP_BV_SEXT: return a;
    case TP_OP_BV_ZEXT: return out | (a & (NEG | POS) ? POS : 0);
    case TP_OP_BV_EXTRACT: return a == ZERO ? ZERO : ANY;
    default: return ANY;
  }
}

/* Can `x k y` come out as `result`, for one sign each? Unsigned: zero < positive < negative. */
static bool is_possible(tp_term_kind k, unsigned x, unsigned y, bool result) {
  bool is_signed = k == TP_OP_BV_SLT || k == TP_OP_BV_SLE;
  int a = x == ZERO   ? 0
          : x == POS  ? 1
          : is_signed ? -1
                      : 2,
      b = y == ZERO   ? 0
          : y == POS  ? 1
          : is_signed ? -1
                      : 2;
  bool same = a == b, alone = same && a == 0;  // only zero is one number
  switch ((int)k) {
    case TP_OP_EQ: return result ? same : !alone;
    case TP_OP_BV_SLT:
    case TP_OP_BV_ULT: return result ? a < b || (same && !alone) : a >= b;
    case TP_OP_BV_SLE:
    case TP_OP_BV_ULE: return result ? a <= b : a > b || (same && !alone);
    default: return true;
  }
}

static bool is_comparison(tp_term_kind k) {
  return k == TP_OP_EQ || k == TP_OP_BV_SLT || k == TP_OP_BV_SLE || k == TP_OP_BV_ULT ||
         k == TP_OP_BV_ULE;
}

/* The members of *a and *b that have a partner; false: a side has none. */
static bool supported(tp_term_kind k, bool result, unsigned *a, unsigned *b) {
  unsigned left = 0, right = 0;
  for (unsigned x = NEG; x <= POS; x <<= 1)
    for (unsigned y = NEG; y <= POS; y <<= 1)
      if ((*a & x) && (*b & y) && is_possible(k, x, y, result)) left |= x, right |= y;
  *a = left;
  *b = right;
  return left && right;
}

static bool is_number(const lattice *l, tp_term t) {
  return tp_sort_kind_of(l->tt, tp_sort_of(l->tt, t)) == TP_SORT_BV && tp_width(l->tt, t) > 1;
}

static tp_absval apply(void *self, tp_term t, const tp_absval *args, uint32_t n) {
  const lattice *l = self;
  tp_term_kind k = tp_kind(l->tt, t);
  for (uint32_t i = 0; i < n; i++)
    if (!is_number(l, tp_arg(l->tt, t, i))) return TP_ABSVAL_TOP;
  if (n == 2 && is_comparison(k)) {
    unsigned a = set_of(args[0]), b = set_of(args[1]), c = a, d = b;
    bool yes = supported(k, true, &a, &b), no = supported(k, false, &c, &d);
    return yes && no ? TP_ABSVAL_TOP : truth(yes);
  }
  if (!is_number(l, t)) return TP_ABSVAL_TOP;
  if (n == 1) return value(forward_1(k, set_of(args[0])));
  return n == 2 ? value(forward_2(k, set_of(args[0]), set_of(args[1]))) : TP_ABSVAL_TOP;
}

// -------------------------------------------------------------------- backward

static bool refine(void *self, tp_term t, tp_absval result, tp_absval *args, uint32_t n) {
  const lattice *l = self;
  if (n != 2 || !is_comparison(tp_kind(l->tt, t)) || !is_number(l, tp_arg(l->tt, t, 0)))
    return true;
  unsigned a = set_of(args[0]), b = set_of(args[1]);
  if (!supported(tp_kind(l->tt, t), set_of(result) == POS, &a, &b)) return false;
  args[0] = value(a);
  args[1] = value(b);
  return true;
}

// -------------------------------------------------------------- lattice and text

static bool leq(void *self, tp_sort s, tp_absval a, tp_absval b) {
  return (void)self, (void)s, !(set_of(a) & ~set_of(b));
}
/* One bit has two values, as a truth value has: both together are top as well. */
static tp_absval join(void *self, tp_sort s, tp_absval a, tp_absval b) {
  const lattice *l = self;
  if (tp_sort_width(l->tt, s) == 1) return a.id == b.id ? a : TP_ABSVAL_TOP;
  return value(set_of(a) | set_of(b));
}
static bool meet(void *self, tp_sort s, tp_absval a, tp_absval b, tp_absval *out) {
  (void)self, (void)s;
  unsigned both = set_of(a) & set_of(b);
  *out = value(both);
  return both != 0;
}

static bool range(void *self, tp_sort s, tp_absval v, tp_range *out) {
  const lattice *l = self;
  uint32_t width = tp_sort_width(l->tt, s);
  unsigned set = set_of(v);
  if (tp_sort_kind_of(l->tt, s) != TP_SORT_BV || width < 2 || width > 64) return false;
  uint64_t largest = UINT64_MAX >> (64 - width), most = largest >> 1;
  out->is_top = false;
  out->smin = set & NEG ? -(int64_t)most - 1 : set & ZERO ? 0 : 1;
  out->smax = set & POS ? (int64_t)most : set & ZERO ? 0 : -1;
  out->umin = set & ZERO ? 0 : set & POS ? 1 : most + 1;
  out->umax = set & NEG ? largest : set & POS ? most : 0;
  return true;
}

static bool of_range(void *self, tp_sort s, const tp_range *r, tp_absval *out) {
  const lattice *l = self;
  if (r->is_top || tp_sort_kind_of(l->tt, s) != TP_SORT_BV || tp_sort_width(l->tt, s) < 2)
    return false;
  unsigned set = (r->smin < 0 ? NEG : 0) |
                 (r->smin <= 0 && r->smax >= 0 && r->umin == 0 ? ZERO : 0) |
                 (r->smax > 0 ? POS : 0);
  *out = value(set ? set : ANY);
  return set != 0;
}

static tp_term formula(void *self, tp_term x, tp_absval v) {
  tp_terms *tt = ((lattice *)self)->tt;
  unsigned set = set_of(v);
  if (tp_sort_kind_of(tt, tp_sort_of(tt, x)) == TP_SORT_BOOL)
    return set == POS ? x : tp_mk_not(tt, x);
  tp_term zero = tp_mk_bv(tt, tp_width(tt, x), 0);
  tp_term parts[3];
  size_t n = 0;
  if (set & NEG) parts[n++] = tp_mk2(tt, TP_OP_BV_SLT, x, zero);
  if (set & ZERO) parts[n++] = tp_mk_eq(tt, x, zero);
  if (set & POS) parts[n++] = tp_mk2(tt, TP_OP_BV_SLT, zero, x);
  return tp_mk_or_n(tt, parts, n);
}

static void print(void *self, tp_sort s, tp_absval v, tp_str *out) {
  unsigned set = set_of(v);
  if (tp_sort_kind_of(((lattice *)self)->tt, s) == TP_SORT_BOOL)
    tp_str_add(out, set == POS ? "true" : "false");
  else
    tp_str_printf(out, "%s%s%s", set & NEG ? "-" : "", set & ZERO ? "0" : "", set & POS ? "+" : "");
}

static const tp_store_values signs = {.open = open,
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

static bool open_row(tp_cpa *self, tp_str *why) {
  return tp_store_open(self, (tp_store_options){.values = &signs, .tracks_memory = true}, why);
}
const tp_cpa_ops tp_cpa_sign = {.name = "sign",
                                .help = "whether integers are negative, zero or positive",
                                .default_merge = "join",
                                .open = open_row,
                                TP_STORE_OPS};
