/* Precisions of the value analysis, and adjust.
 *
 * A precision is the set of dropped lvalues. How many values an lvalue has at a merge key is
 * counted as the elements come, each once, by what differs from the key's first element: persistent
 * maps give that at the cost of what differs. (Counting anew for each element that is adjusted was
 * half of the time of programs with thousands of elements at a location.) New elements stand at the
 * end of a view; with precision transfers, elements that were transferred leave it. */
#include "cpa/value/value_priv.h"

typedef struct {
  const uint64_t *at;  // sorted
  size_t n;
} lvalue_set;

struct tp_prec {
  lvalue_set dropped;
  lvalue_set unknown;  // settings unknown = leave, infer: a step left them without a value, and
                       // they were offered to neighbours
  lvalue_set pending;  // ... and will be by the next adjust
};

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool has(lvalue_set s, uint64_t lvalue) {
  return s.n && bsearch(&lvalue, s.at, s.n, sizeof *s.at, by_number);
}

/* Both; a's own array if there is nothing new. */
static lvalue_set unite(tp_cpa *self, lvalue_set a, const uint64_t *more, size_t n) {
  TP_REQUIRE(n == 0 || more);
  size_t n_more = 0;
  for (size_t i = 0; i < n; i++) n_more += !has(a, more[i]);
  if (!n_more) return a;
  uint64_t *all = tp_arena_array(&self->arena, uint64_t, a.n + n_more);
  if (a.n) memcpy(all, a.at, a.n * sizeof *all);
  lvalue_set both = {all, a.n};
  for (size_t i = 0; i < n; i++)
    if (!has(a, more[i])) all[both.n++] = more[i];
  qsort(all, both.n, sizeof *all, by_number);
  return both;
}

const tp_elem *tp_value_restrict(tp_cpa *self, const tp_elem *e, const tp_prec *p) {
  return p->dropped.n ? tp_store_havoc_lvalues(self, e, p->dropped.at, p->dropped.n) : e;
}

const tp_prec *tp_value_adjust_unknown(tp_cpa *self, const tp_prec *p, uint64_t lvalue) {
  if (has(p->dropped, lvalue) || has(p->unknown, lvalue) || has(p->pending, lvalue)) return p;
  tp_prec *q = tp_arena_new(&self->arena, tp_prec);
  *q = *p;
  q->pending = unite(self, p->pending, &lvalue, 1);
  return q;
}

// -------------------------------------------------------------------- counting

struct tp_value_count {
  tp_map seen;            // elements that were counted -> 1
  tp_map values;          // (lvalue, value), hashed -> 1
  tp_map counts;          // lvalue -> number of values
  TP_VEC(uint64_t) many;  // lvalues with more values than the threshold
  uint64_t threshold;
};

static void count_value(struct tp_value_count *c, uint64_t lvalue, uint64_t value) {
  TP_REQUIRE(lvalue > 1);
  uint64_t pair = tp_hash_mix(lvalue, value), n = 0;
  if (value == 0 || tp_map_has(&c->values, pair))
    return;  // two pairs with one hash count as one: drops later, which is sound
  tp_map_set(&c->values, pair, 1);
  (void)tp_map_get(&c->counts, lvalue, &n);
  tp_map_set(&c->counts, lvalue, ++n);
  if (n == c->threshold + 1) tp_vec_push(&c->many, lvalue);
}

static void count_both(void *ctx, uint64_t lvalue, tp_absval first, tp_absval other) {
  (void)first;
  count_value(ctx, lvalue, other.id);
}
static void count_own(void *ctx, uint64_t lvalue, tp_absval a, tp_absval none) {
  (void)none;
  count_value(ctx, lvalue, a.id);
}

/* The count of this view, brought up to date. */
static const struct tp_value_count *count(tp_cpa *self, tp_value_settings *own,
                                          tp_reached_view view) {
  TP_REQUIRE(view.n > 0);
  const tp_elem *first = view.at[0].elem;
  uint64_t at;
  if (!tp_map_get(&own->count_of, (uintptr_t)first, &at)) {
    at = own->counts.n;
    tp_map_set(&own->count_of, (uintptr_t)first, at);
    struct tp_value_count *fresh = TP_NEW(struct tp_value_count);
    fresh->threshold = own->threshold;
    tp_vec_push(&own->counts, fresh);
    tp_store_each(self, first, count_own, fresh);
  }
  struct tp_value_count *c = own->counts.at[at];
  TP_INVARIANT(c->threshold == own->threshold);
  for (size_t i = view.n; i-- > 1 && !tp_map_has(&c->seen, (uintptr_t)view.at[i].elem);) {
    tp_map_set(&c->seen, (uintptr_t)view.at[i].elem, 1);
    tp_store_diff(self, first, view.at[i].elem, count_both, c);
  }
  return c;
}

void tp_value_clear_counts(tp_value_settings *own) {
  for (size_t i = 0; i < own->counts.n; i++) {
    tp_map_clear(&own->counts.at[i]->seen);
    tp_map_clear(&own->counts.at[i]->values);
    tp_map_clear(&own->counts.at[i]->counts);
    tp_vec_clear(&own->counts.at[i]->many);
    tp_free(own->counts.at[i]);
  }
  tp_vec_clear(&own->counts);
  tp_map_clear(&own->count_of);
}

// --------------------------------------------------------------------- dropping

static bool is_lifted(const tp_value_settings *own, tp_term lvalue) {
  return tp_map_has(&own->is_lifted, lvalue.id);
}

static bool add_dropped(tp_value_settings *own, tp_term lvalue) {
  if (tp_map_has(&own->is_dropped, lvalue.id)) return false;
  tp_map_set(&own->is_dropped, lvalue.id, 1);
  tp_vec_push(&own->dropped, lvalue);
  return true;
}

bool tp_value_is_dropped(const tp_cpa *self, tp_term lvalue) {
  const tp_value_settings *own = tp_store_own(self);
  return tp_map_has(&own->is_dropped, lvalue.id) && !is_lifted(own, lvalue);
}

void tp_value_each_dropped(const tp_cpa *self, void (*visit)(void *ctx, tp_term lvalue),
                           void *ctx) {
  const tp_value_settings *own = tp_store_own(self);
  for (size_t i = 0; i < own->dropped.n; i++)
    if (!is_lifted(own, own->dropped.at[i])) visit(ctx, own->dropped.at[i]);
}

bool tp_value_drop(tp_cpa *self, tp_term lvalue) {
  TP_REQUIRE(tp_term_is(lvalue));
  tp_value_settings *own = tp_store_own(self);
  tp_var v = tp_program_var_of(self->env->program, lvalue);
  if (!v.id || !add_dropped(own, lvalue)) return false;
  tp_vec_push(&own->from_start, tp_store_lvalue_of(v));
  return true;
}

bool tp_value_lifts_thresholds(const tp_cpa *self) {
  const tp_value_settings *own = tp_store_own(self);
  return own->lifts;
}

bool tp_value_lift_threshold(tp_cpa *self, tp_term lvalue) {
  TP_REQUIRE(tp_term_is(lvalue));
  tp_value_settings *own = tp_store_own(self);
  if (!own->lifts || is_lifted(own, lvalue)) return false;
  tp_map_set(&own->is_lifted, lvalue.id, 1);
  return true;
}

const tp_prec *tp_value_precision(tp_cpa *self) {
  const tp_value_settings *own = tp_store_own(self);
  tp_prec *p = tp_arena_new(&self->arena, tp_prec);
  p->dropped = unite(self, (lvalue_set){NULL, 0}, own->from_start.at, own->from_start.n);
  return p;
}

/* The precision without these lvalues, but for those that are kept; p itself if there is nothing
 * new. */
static const tp_prec *without(tp_cpa *self, const tp_prec *p, const uint64_t *many, size_t n) {
  tp_value_settings *own = tp_store_own(self);
  TP_VEC(uint64_t) leaving = {0};
  for (size_t i = 0; i < n; i++)
    if (!has(p->dropped, many[i]) && !is_lifted(own, tp_store_lvalue_term(self, many[i])))
      tp_vec_push(&leaving, many[i]);
  if (leaving.n == 0) return p;
  tp_prec *q = tp_arena_new(&self->arena, tp_prec);
  *q = *p;
  q->dropped = unite(self, p->dropped, leaving.at, leaving.n);
  for (size_t i = 0; i < leaving.n; i++)
    (void)add_dropped(own, tp_store_lvalue_term(self, leaving.at[i]));
  tp_vec_clear(&leaving);
  return q;
}

/* What steps left without a value is not tracked any more, or only offered to neighbours. */
static const tp_prec *settle_pending(tp_cpa *self, const tp_value_settings *own, const tp_prec *p) {
  if (!p->pending.n) return p;
  if (own->unknown == TP_UNKNOWN_LEAVES) p = without(self, p, p->pending.at, p->pending.n);
  tp_prec *q = tp_arena_new(&self->arena, tp_prec);
  *q = *p;
  q->unknown = unite(self, p->unknown, p->pending.at, p->pending.n);
  q->pending = (lvalue_set){NULL, 0};
  return q;
}

tp_adjusted tp_value_adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                            tp_succ *out) {
  tp_value_settings *own = tp_store_own(self);
  *out = (tp_succ){e, settle_pending(self, own, p)};
  if (view.n > own->threshold) {  // otherwise: so many elements have at most so many values
    const struct tp_value_count *c = count(self, own, view);
    out->prec = without(self, out->prec, c->many.at, c->many.n);
  }
  if (out->prec->dropped.at != p->dropped.at) out->elem = tp_value_restrict(self, e, out->prec);
  return TP_CONTINUE;
}

static void visit_new(tp_cpa *self, lvalue_set before, lvalue_set now,
                      void (*visit)(void *ctx, tp_term lvalue), void *ctx) {
  for (size_t i = 0; i < now.n; i++)
    if (!has(before, now.at[i])) visit(ctx, tp_store_lvalue_term(self, now.at[i]));
}

void tp_value_each_untracked(tp_cpa *self, tp_succ before, tp_succ after,
                             void (*visit)(void *ctx, tp_term lvalue), void *ctx) {
  TP_REQUIRE(after.prec->dropped.n >= before.prec->dropped.n);  // dropped lvalues stay dropped
  TP_REQUIRE(after.prec->unknown.n >= before.prec->unknown.n);
  visit_new(self, before.prec->dropped, after.prec->dropped, visit, ctx);
  visit_new(self, before.prec->unknown, after.prec->unknown, visit, ctx);
}
