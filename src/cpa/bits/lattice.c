/* The lattice of known bits behind handles, each kept once (top is handle 0), and the row `bits`.
 * Floats are not tracked; the two Bools are one-bit integers. */
#include "cpa/bits/bits_cpa.h"

typedef struct {
  tp_terms *tt;
  TP_VEC(tp_known_bits) list;  // [0] unused
  tp_map index;                // hash, probed upwards -> index
} lattice;

static void *open(tp_cpa *cpa, tp_str *why) {
  (void)why;
  lattice *l = TP_NEW(lattice);
  l->tt = cpa->env->terms;
  tp_vec_resize(&l->list, 1);
  return l;
}
static void close(void *self) {
  lattice *l = self;
  tp_vec_clear(&l->list);
  tp_map_clear(&l->index);
  tp_free(l);
}

static uint64_t hash(const tp_known_bits *x) {
  uint64_t h = tp_hash_u64(x->width);
  h = tp_hash_mix(tp_hash_mix(h, (uint64_t)x->value), (uint64_t)(x->value >> 64));
  return tp_hash_mix(tp_hash_mix(h, (uint64_t)x->unknown), (uint64_t)(x->unknown >> 64));
}
static tp_absval intern(lattice *l, tp_known_bits x) {
  TP_REQUIRE(!(x.value & x.unknown) && !((x.value | x.unknown) & ~tp_bits_mask(x.width)));
  if (x.unknown == tp_bits_mask(x.width)) return TP_ABSVAL_TOP;
  uint64_t h = hash(&x), id;
  for (; tp_map_get(&l->index, h, &id); h++) {
    const tp_known_bits *y = &l->list.at[id];
    if (x.width == y->width && x.value == y->value && x.unknown == y->unknown)
      return (tp_absval){id};
  }
  tp_map_set(&l->index, h, l->list.n);
  tp_vec_push(&l->list, x);
  return (tp_absval){l->list.n - 1};
}
/* False: the sort has no bits here. */
static bool bits_of(const lattice *l, tp_sort s, tp_absval v, tp_known_bits *out) {
  if (tp_sort_kind_of(l->tt, s) != TP_SORT_BV && tp_sort_kind_of(l->tt, s) != TP_SORT_BOOL)
    return false;
  *out = v.id ? l->list.at[v.id] : tp_bits_top(tp_sort_width(l->tt, s));
  return true;
}
static bool arguments(const lattice *l, tp_term t, const tp_absval *args, uint32_t n,
                      tp_known_bits *out) {
  for (uint32_t i = 0; i < n; i++) {
    const tp_sort s = tp_sort_of(l->tt, tp_arg(l->tt, t, i));
    if (tp_sort_kind_of(l->tt, s) != TP_SORT_BV || !bits_of(l, s, args[i], &out[i])) return false;
  }
  return true;
}

static tp_absval constant(void *self, tp_term c) {
  lattice *l = self;
  const tp_term_kind k = tp_kind(l->tt, c);
  if (k == TP_OP_TRUE || k == TP_OP_FALSE)
    return intern(l, tp_bits_constant(1, tp_is_true(l->tt, c)));
  if (k != TP_OP_BV_CONST) return TP_ABSVAL_TOP;
  return intern(l, tp_bits_constant(tp_width(l->tt, c), tp_bv_value(l->tt, c)));
}
static tp_absval apply(void *self, tp_term t, const tp_absval *args, uint32_t n) {
  lattice *l = self;
  tp_known_bits x[3];
  bool holds;
  if (n == 0 || !arguments(l, t, args, n, x)) return TP_ABSVAL_TOP;
  if (tp_sort_kind_of(l->tt, tp_sort_of(l->tt, t)) == TP_SORT_BV)
    return intern(l, tp_bits_apply(l->tt, t, x));
  if (n != 2 || !tp_bits_compare(tp_kind(l->tt, t), &x[0], &x[1], &holds)) return TP_ABSVAL_TOP;
  return intern(l, tp_bits_constant(1, holds));
}
static bool refine(void *self, tp_term t, tp_absval result, tp_absval *args, uint32_t n) {
  lattice *l = self;
  tp_known_bits x[3], r;
  const tp_sort s = tp_sort_of(l->tt, t);
  if (n == 0 || !arguments(l, t, args, n, x) || !bits_of(l, s, result, &r)) return true;
  const bool possible =
      tp_sort_kind_of(l->tt, s) == TP_SORT_BV
          ? tp_bits_refine(l->tt, t, &r, x)
          : n != 2 || tp_bits_refine_comparison(tp_kind(l->tt, t), r.value != 0, &x[0], &x[1]);
  if (!possible) return false;
  for (uint32_t i = 0; i < n; i++) args[i] = intern(l, x[i]);
  return true;
}

// -------------------------------------------------------------------- lattice

static bool leq(void *self, tp_sort s, tp_absval a, tp_absval b) {
  const lattice *l = self;
  return (void)s, tp_bits_leq(&l->list.at[a.id], &l->list.at[b.id]);
}
static tp_absval join(void *self, tp_sort s, tp_absval a, tp_absval b) {
  lattice *l = self;
  return (void)s, intern(l, tp_bits_join(&l->list.at[a.id], &l->list.at[b.id]));
}
static bool meet(void *self, tp_sort s, tp_absval a, tp_absval b, tp_absval *out) {
  lattice *l = self;
  tp_known_bits both;
  (void)s;
  if (!tp_bits_meet(&l->list.at[a.id], &l->list.at[b.id], &both)) return false;
  *out = intern(l, both);
  return true;
}

// ------------------------------------------------------------- ranges and text

static bool range(void *self, tp_sort s, tp_absval v, tp_range *out) {
  return (void)s, tp_bits_range(&((const lattice *)self)->list.at[v.id], out);
}
static bool of_range(void *self, tp_sort s, const tp_range *r, tp_absval *out) {
  lattice *l = self;
  const uint32_t width = tp_sort_width(l->tt, s);
  tp_known_bits x;
  if (r->is_top || tp_sort_kind_of(l->tt, s) != TP_SORT_BV || width > 64) return false;
  if (!tp_bits_of_range(width, r, &x)) return false;
  *out = intern(l, x);
  return true;
}

static tp_term formula(void *self, tp_term x, tp_absval v) {
  const lattice *l = self;
  tp_terms *tt = l->tt;
  const tp_known_bits *bits = &l->list.at[v.id];
  const tp_term known = tp_mk_bv(tt, bits->width, ~bits->unknown);
  return tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_AND, x, known), tp_mk_bv(tt, bits->width, bits->value));
}

/* A constant as a number; else highest bit first, the digit before a star as often as needed:
 * "0b?*01". */
static void print(void *self, tp_sort s, tp_absval v, tp_str *out) {
  const lattice *l = self;
  const tp_known_bits *x = &l->list.at[v.id];
  char digits[TP_BV_MAX_BITS + 1] = {0};
  uint32_t start = 0;
  (void)s;
  if (!x->unknown) {
    tp_print_c(l->tt, tp_mk_bv(l->tt, x->width, x->value), TP_C_READABLE, out);
    return;
  }
  for (uint32_t i = 0; i < x->width; i++) {
    const uint32_t bit = x->width - 1 - i;
    digits[i] = x->unknown >> bit & 1 ? '?' : x->value >> bit & 1 ? '1' : '0';
  }
  while (digits[start + 1] == digits[0]) start++;
  tp_str_printf(out, "0b%c%s%s", digits[0], start ? "*" : "", digits + start + 1);
}

static const tp_store_values known_bits = {.open = open,
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
  return tp_store_open(self, (tp_store_options){.values = &known_bits, .tracks_memory = true}, why);
}
const tp_cpa_ops tp_cpa_bits = {.name = "bits",
                                .help = "which bits of integers have one value",
                                .default_merge = "join",
                                .open = open_row,
                                TP_STORE_OPS};
