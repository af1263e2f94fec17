/* Precisions of the value analysis, and adjust.
 *
 * A precision is the set of dropped places. How many values a place has at a merge key is counted
 * as the elements come, each once, by what differs from the key's first element: persistent maps
 * give that at the cost of what differs. (Counting anew for each element that is adjusted was half
 * of the time of programs with thousands of elements at a place.) New elements stand at the end of
 * a view; where a composite hands over, those that gave something away leave it. */
#include "cpa/value/value_priv.h"

typedef struct {
  const uint64_t *at;  // sorted
  size_t n;
} place_set;

struct tp_prec {
  place_set dropped;
  place_set unknown;  // settings unknown = leave, infer: a step left them without a value, and they
                      // were offered to neighbours
  place_set pending;  // ... and will be by the next adjust
};

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool has(place_set s, uint64_t place) {
  return s.n && bsearch(&place, s.at, s.n, sizeof *s.at, by_number);
}

/* Both; a's own array if there is nothing new. */
static place_set unite(tp_cpa *self, place_set a, const uint64_t *more, size_t n) {
  size_t n_more = 0;
  for (size_t i = 0; i < n; i++) n_more += !has(a, more[i]);
  if (!n_more) return a;
  uint64_t *all = tp_arena_array(&self->arena, uint64_t, a.n + n_more);
  if (a.n) memcpy(all, a.at, a.n * sizeof *all);
  place_set both = {all, a.n};
  for (size_t i = 0; i < n; i++)
    if (!has(a, more[i])) all[both.n++] = more[i];
  qsort(all, both.n, sizeof *all, by_number);
  return both;
}

const tp_elem *tp_value_restrict(tp_cpa *self, const tp_elem *e, const tp_prec *p) {
  return p->dropped.n ? tp_store_forget_places(self, e, p->dropped.at, p->dropped.n) : e;
}

const tp_prec *tp_value_note_unknown(tp_cpa *self, const tp_prec *p, uint64_t place) {
  if (has(p->dropped, place) || has(p->unknown, place) || has(p->pending, place)) return p;
  tp_prec *q = tp_arena_new(&self->arena, tp_prec);
  *q = *p;
  q->pending = unite(self, p->pending, &place, 1);
  return q;
}

// -------------------------------------------------------------------- counting

struct tp_value_count {
  tp_map seen;            // elements that were counted -> 1
  tp_map values;          // (place, value), hashed -> 1
  tp_map counts;          // place -> number of values
  TP_VEC(uint64_t) many;  // places with more values than the threshold
  uint64_t threshold;
};

static void count_value(struct tp_value_count *c, uint64_t place, uint64_t value) {
  uint64_t pair = tp_hash_mix(place, value), n = 0;
  if (value == 0 || tp_map_has(&c->values, pair))
    return;  // two pairs with one hash count as one: drops later, which is sound
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
static const struct tp_value_count *count(tp_cpa *self, tp_value_settings *own,
                                          tp_reached_view view) {
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
  for (size_t i = view.n; i-- > 1 && !tp_map_has(&c->seen, (uintptr_t)view.at[i].elem);) {
    tp_map_set(&c->seen, (uintptr_t)view.at[i].elem, 1);
    tp_store_diff(self, first, view.at[i].elem, see_other, c);
  }
  return c;
}

void tp_value_forget_counts(tp_value_settings *own) {
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

static bool is_kept(const tp_value_settings *own, tp_term place) {
  return tp_map_has(&own->is_kept, place.id);
}

static bool note_dropped(tp_value_settings *own, tp_term place) {
  if (tp_map_has(&own->is_dropped, place.id)) return false;
  tp_map_set(&own->is_dropped, place.id, 1);
  tp_vec_push(&own->dropped, place);
  return true;
}

bool tp_value_is_dropped(const tp_cpa *self, tp_term place) {
  const tp_value_settings *own = tp_store_own(self);
  return tp_map_has(&own->is_dropped, place.id) && !is_kept(own, place);
}

void tp_value_each_dropped(const tp_cpa *self, void (*see)(void *ctx, tp_term place), void *ctx) {
  const tp_value_settings *own = tp_store_own(self);
  for (size_t i = 0; i < own->dropped.n; i++)
    if (!is_kept(own, own->dropped.at[i])) see(ctx, own->dropped.at[i]);
}

bool tp_value_drop(tp_cpa *self, tp_term place) {
  tp_value_settings *own = tp_store_own(self);
  tp_var v = tp_program_var_of(self->env->program, place);
  if (!v.id || !note_dropped(own, place)) return false;
  tp_vec_push(&own->from_start, tp_store_place_of(v));
  return true;
}

bool tp_value_lifts(const tp_cpa *self) {
  const tp_value_settings *own = tp_store_own(self);
  return own->lifts;
}

bool tp_value_keep(tp_cpa *self, tp_term place) {
  tp_value_settings *own = tp_store_own(self);
  if (!own->lifts || is_kept(own, place)) return false;
  tp_map_set(&own->is_kept, place.id, 1);
  return true;
}

const tp_prec *tp_value_precision(tp_cpa *self) {
  const tp_value_settings *own = tp_store_own(self);
  tp_prec *p = tp_arena_new(&self->arena, tp_prec);
  p->dropped = unite(self, (place_set){NULL, 0}, own->from_start.at, own->from_start.n);
  return p;
}

/* The precision without these places, but for those that are kept; p itself if there is nothing
 * new. */
static const tp_prec *without(tp_cpa *self, const tp_prec *p, const uint64_t *many, size_t n) {
  tp_value_settings *own = tp_store_own(self);
  TP_VEC(uint64_t) leaving = {0};
  for (size_t i = 0; i < n; i++)
    if (!has(p->dropped, many[i]) && !is_kept(own, tp_store_place_term(self, many[i])))
      tp_vec_push(&leaving, many[i]);
  if (leaving.n == 0) return p;
  tp_prec *q = tp_arena_new(&self->arena, tp_prec);
  *q = *p;
  q->dropped = unite(self, p->dropped, leaving.at, leaving.n);
  for (size_t i = 0; i < leaving.n; i++)
    (void)note_dropped(own, tp_store_place_term(self, leaving.at[i]));
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
  q->pending = (place_set){NULL, 0};
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

static void see_new(tp_cpa *self, place_set before, place_set now,
                    void (*see)(void *ctx, tp_term place), void *ctx) {
  for (size_t i = 0; i < now.n; i++)
    if (!has(before, now.at[i])) see(ctx, tp_store_place_term(self, now.at[i]));
}

void tp_value_forgotten(tp_cpa *self, tp_succ before, tp_succ after,
                        void (*see)(void *ctx, tp_term place), void *ctx) {
  see_new(self, before.prec->dropped, after.prec->dropped, see, ctx);
  see_new(self, before.prec->unknown, after.prec->unknown, see, ctx);
}
