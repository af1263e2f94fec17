/* Precisions of the value analysis, and adjust.
 *
 * A precision is the set of dropped places. How many values a place has at a merge key is counted as the elements come, each
 * once, by what differs from the key's first element: persistent maps give that at the cost of what differs. (Counting anew for
 * each element that is adjusted was half of the time of programs with thousands of elements at a place.) */
#include "cpa/value/value_priv.h"

struct tp_prec {
  const uint64_t *dropped;     // sorted
  size_t n;
};

const tp_prec *tp_value_precision(tp_cpa *self) { return tp_arena_new(&self->arena, tp_prec); }

static bool has(const tp_prec *p, uint64_t place) {
  size_t lo = 0, hi = p->n;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (p->dropped[mid] < place) lo = mid + 1;
    else hi = mid;
  }
  return lo < p->n && p->dropped[lo] == place;
}

const tp_elem *tp_value_restrict(tp_cpa *self, const tp_elem *e, const tp_prec *p) {
  return p->n ? tp_store_forget_places(self, e, p->dropped, p->n) : e;
}

// -------------------------------------------------------------------- counting

struct tp_value_count {
  size_t n;                    // elements of the view that were counted
  tp_map values;               // (place, value), hashed -> 1
  tp_map counts;               // place -> number of values
  TP_VEC(uint64_t) many;       // places with more values than the threshold
  uint64_t threshold;
};

static void count_value(struct tp_value_count *c, uint64_t place, uint64_t value) {
  uint64_t pair = tp_hash_mix(place, value), n = 0;
  if (value == 0 || tp_map_has(&c->values, pair)) return;      // two pairs with one hash count as one: drops later, which is sound
  tp_map_set(&c->values, pair, 1);
  (void)tp_map_get(&c->counts, place, &n);
  tp_map_set(&c->counts, place, ++n);
  if (n == c->threshold + 1) tp_vec_push(&c->many, place);
}

static void see_other(void *ctx, uint64_t place, tp_absval first, tp_absval other) {
  (void)first;
  count_value(ctx, place, other.id);
}
static void see_own(void *ctx, uint64_t place, tp_absval a, tp_absval none) {
  (void)none;
  count_value(ctx, place, a.id);
}

/* The count of this view, brought up to date. */
static const struct tp_value_count *count(tp_cpa *self, tp_value_settings *own, tp_reached_view view) {
  const tp_elem *first = view.at[0].elem;
  uint64_t at;
  if (!tp_map_get(&own->count_of, (uintptr_t)first, &at)) {
    at = own->counts.n;
    tp_map_set(&own->count_of, (uintptr_t)first, at);
    struct tp_value_count *fresh = TP_NEW(struct tp_value_count);
    fresh->threshold = own->threshold;
    tp_vec_push(&own->counts, fresh);
    tp_store_each(self, first, see_own, fresh);
  }
  struct tp_value_count *c = own->counts.at[at];
  for (; c->n < view.n; c->n++)
    if (view.at[c->n].elem != first) tp_store_diff(self, first, view.at[c->n].elem, see_other, c);
  return c;
}

void tp_value_forget_counts(tp_value_settings *own) {
  for (size_t i = 0; i < own->counts.n; i++) {
    tp_map_clear(&own->counts.at[i]->values);
    tp_map_clear(&own->counts.at[i]->counts);
    tp_vec_clear(&own->counts.at[i]->many);
    tp_free(own->counts.at[i]);
  }
  tp_vec_clear(&own->counts);
  tp_map_clear(&own->count_of);
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The precision without what has too many values; p itself if there is nothing new. */
static const tp_prec *without(tp_cpa *self, const tp_prec *p, const uint64_t *many, size_t n) {
  size_t n_more = 0;
  for (size_t i = 0; i < n; i++) n_more += !has(p, many[i]);
  if (!n_more) return p;
  tp_prec *q = tp_arena_new(&self->arena, tp_prec);
  uint64_t *all = tp_arena_array(&self->arena, uint64_t, p->n + n_more);
  if (p->n) memcpy(all, p->dropped, p->n * sizeof *all);
  q->n = p->n;
  for (size_t i = 0; i < n; i++)
    if (!has(p, many[i])) all[q->n++] = many[i];
  qsort(all, q->n, sizeof *all, by_number);
  q->dropped = all;
  return q;
}

tp_adjusted tp_value_adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view, tp_succ *out) {
  tp_value_settings *own = tp_store_own(self);
  *out = (tp_succ){e, p};
  if (own->scope != TP_TRACK_ALL || view.n <= own->threshold) return TP_CONTINUE;        // so many elements have at most so many values
  const struct tp_value_count *c = count(self, own, view);
  out->prec = without(self, p, c->many.at, c->many.n);
  if (out->prec != p) out->elem = tp_value_restrict(self, e, out->prec);
  return TP_CONTINUE;
}
