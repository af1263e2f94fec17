/* The lattice of numbers behind handles: each number is kept once, top is handle 0. */
#include "cpa/interval/interval_cpa.h"

#include "cpa/cpa_limits.h"

typedef struct {
  tp_terms *tt;
  TP_VEC(tp_number) list;  // [0] unused
  tp_map index;            // hash, probed upwards -> index
  const tp_program *p;
  uint64_t widen_after, most_thresholds, narrow;
  tp_threshold_list *of_func;  // by function; made when first needed
  bool *is_made;
  tp_thresholds thresholds;  // now
} lattice;

static void *open(tp_cpa *cpa, tp_str *why) {
  lattice *l = TP_NEW(lattice);
  l->tt = cpa->env->terms;
  l->p = cpa->env->program;
  if (!tp_cpa_setting_u64(cpa, "widen-after", TP_CPA_INTERVAL_WIDEN_AFTER, &l->widen_after, why) ||
      !tp_cpa_setting_u64(cpa, "thresholds", TP_CPA_INTERVAL_THRESHOLDS, &l->most_thresholds,
                          why) ||
      !tp_cpa_setting_u64(cpa, "narrow", TP_CPA_INTERVAL_NARROW, &l->narrow, why)) {
    tp_free(l);
    return NULL;
  }
  l->of_func = TP_NEW_ARRAY(tp_threshold_list, l->p->funcs.n + 1);
  l->is_made = TP_NEW_ARRAY(bool, l->p->funcs.n + 1);
  tp_vec_resize(&l->list, 1);
  tp_interval_use_thresholds_of(l, l->p->main);
  return l;
}
static void close(void *self) {
  lattice *l = self;
  for (size_t i = 0; i <= l->p->funcs.n; i++) tp_vec_clear(&l->of_func[i]);
  tp_free(l->of_func);
  tp_free(l->is_made);
  tp_vec_clear(&l->list);
  tp_map_clear(&l->index);
  tp_free(l);
}

void tp_interval_use_thresholds_of(void *self, tp_func f) {
  lattice *l = self;
  tp_threshold_list *list = &l->of_func[f.id];
  if (!l->is_made[f.id]) tp_interval_collect_thresholds(l->p, f, l->most_thresholds, list);
  l->is_made[f.id] = true;
  l->thresholds = (tp_thresholds){list->at, list->n};
}
uint32_t tp_interval_descents(const void *self) {
  return (uint32_t)((const lattice *)self)->narrow;
}
uint64_t tp_interval_widen_after(const void *self) { return ((const lattice *)self)->widen_after; }
tp_number tp_interval_value(const void *self, tp_absval v) {
  return ((const lattice *)self)->list.at[v.id];
}

static tp_absval intern(lattice *l, const tp_number *x) {
  if (tp_number_is_full(x)) return TP_ABSVAL_TOP;
  uint64_t h = tp_number_hash(x), id;
  for (; tp_map_get(&l->index, h, &id); h++)
    if (tp_number_eq(&l->list.at[id], x)) return (tp_absval){id};
  tp_map_set(&l->index, h, l->list.n);
  tp_vec_push(&l->list, *x);
  return (tp_absval){l->list.n - 1};
}
/* False: the sort has no numbers. */
static bool number(const lattice *l, tp_sort s, tp_absval v, tp_number *out) {
  if (v.id == 0) return tp_number_full(l->tt, s, out);
  *out = l->list.at[v.id];
  return true;
}

static tp_absval constant(void *self, tp_term c) {
  lattice *l = self;
  tp_number x;
  return tp_number_constant(l->tt, c, &x) ? intern(l, &x) : TP_ABSVAL_TOP;
}

static bool arguments(const lattice *l, tp_term t, const tp_absval *args, uint32_t n,
                      tp_number *out) {
  for (uint32_t i = 0; i < n; i++)
    if (!number(l, tp_sort_of(l->tt, tp_arg(l->tt, t, i)), args[i], &out[i])) return false;
  return true;
}
static tp_absval apply(void *self, tp_term t, const tp_absval *args, uint32_t n) {
  lattice *l = self;
  tp_number x[3], r;
  return arguments(l, t, args, n, x) && tp_number_apply(l->tt, t, x, &r) ? intern(l, &r)
                                                                         : TP_ABSVAL_TOP;
}
static bool refine(void *self, tp_term t, tp_absval result, tp_absval *args, uint32_t n) {
  lattice *l = self;
  tp_number x[3], r;
  if (!number(l, tp_sort_of(l->tt, t), result, &r) || !arguments(l, t, args, n, x)) return true;
  if (!tp_number_refine(l->tt, t, &r, x)) return false;
  for (uint32_t i = 0; i < n; i++) args[i] = intern(l, &x[i]);
  return true;
}

// -------------------------------------------------------------------- lattice

static bool leq(void *self, tp_sort s, tp_absval a, tp_absval b) {
  const lattice *l = self;
  return (void)s, tp_number_leq(&l->list.at[a.id], &l->list.at[b.id]);
}
static bool meet(void *self, tp_sort s, tp_absval a, tp_absval b, tp_absval *out) {
  lattice *l = self;
  tp_number x, y;
  *out = a.id ? a : b;
  if (!number(l, s, a, &x) || !number(l, s, b, &y)) return true;
  x = tp_number_meet(&x, &y);
  if (tp_number_is_none(&x)) return false;
  *out = intern(l, &x);
  return true;
}
static tp_absval join(void *self, tp_sort s, tp_absval a, tp_absval b) {
  lattice *l = self;
  if (a.id == 0 || b.id == 0) return TP_ABSVAL_TOP;
  tp_number x = tp_number_join(&l->list.at[a.id], &l->list.at[b.id]);
  return (void)s, intern(l, &x);
}
static tp_absval widen(void *self, tp_sort s, tp_absval a, tp_absval b) {
  lattice *l = self;
  if (a.id == 0 || b.id == 0) return TP_ABSVAL_TOP;
  tp_number x = tp_number_widen(&l->list.at[a.id], &l->list.at[b.id], l->thresholds);
  return (void)s, intern(l, &x);
}

// ------------------------------------------------------------- ranges and text

static bool range(void *self, tp_sort s, tp_absval v, tp_range *out) {
  const tp_number *x = &((const lattice *)self)->list.at[v.id];
  (void)s;
  if (v.id == 0 || x->is_float || x->bits.width > 64) return false;
  *out = (tp_range){.umin = (uint64_t)tp_interval_umin(&x->bits),
                    .umax = (uint64_t)tp_interval_umax(&x->bits),
                    .smin = (int64_t)tp_interval_smin(&x->bits),
                    .smax = (int64_t)tp_interval_smax(&x->bits)};
  return true;
}
static bool of_range(void *self, tp_sort s, const tp_range *r, tp_absval *out) {
  lattice *l = self;
  uint32_t width = tp_sort_width(l->tt, s);
  if (r->is_top || width > 64 || tp_sort_kind_of(l->tt, s) != TP_SORT_BV || r->umin > r->umax ||
      r->smin > r->smax)
    return false;
  tp_interval u = tp_interval_unsigned(width, r->umin, r->umax),
              x = tp_interval_signed(width, r->smin, r->smax);
  x = tp_interval_meet(&u, &x);
  if (tp_interval_is_none(&x)) return false;
  tp_number v = tp_number_of_interval(x);
  *out = intern(l, &v);
  return true;
}
static tp_term formula(void *self, tp_term x, tp_absval v) {
  lattice *l = self;
  return v.id ? tp_number_formula(l->tt, x, &l->list.at[v.id]) : tp_mk_true(l->tt);
}
static void print(void *self, tp_sort s, tp_absval v, tp_str *out) {
  (void)s;
  tp_number_print(&((const lattice *)self)->list.at[v.id], out);
}

const tp_store_values tp_interval_values = {.open = open,
                                            .close = close,
                                            .constant = constant,
                                            .apply = apply,
                                            .leq = leq,
                                            .join = join,
                                            .meet = meet,
                                            .widen = widen,
                                            .refine = refine,
                                            .range = range,
                                            .of_range = of_range,
                                            .formula = formula,
                                            .print = print};
