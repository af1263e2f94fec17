/* Precisions of the value analysis, and adjust.
 *
 * A precision is the set of dropped places. Counting goes through the differences between the element and its neighbours at
 * the same merge key, which persistent maps give at the cost of what differs. */
#include "cpa/value/value_priv.h"

struct tp_prec {
  const uint64_t *dropped;     // sorted
  size_t n;
};

enum { MAX_NEIGHBOURS = 512 };             // counting fewer drops later, which is sound

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

/* Different values of the places in which some neighbour differs; chains through `seen`, by place. */
typedef struct {
  uint64_t value;
  uint32_t next;
} seen_value;
typedef struct {
  uint64_t place, n;
  uint32_t first;
} place_count;
typedef struct {
  uint64_t threshold;
  tp_map place;                // -> index into counts
  TP_VEC(place_count) counts;
  TP_VEC(seen_value) seen;     // [0] unused
} counting;

static void count_value(counting *c, uint64_t place, uint64_t value) {
  uint64_t at;
  if (value == 0) return;
  if (!tp_map_get(&c->place, place, &at)) {
    at = c->counts.n;
    tp_map_set(&c->place, place, at);
    tp_vec_resize(&c->counts, c->counts.n + 1);
    c->counts.at[at].place = place;
  }
  if (c->counts.at[at].n > c->threshold) return;
  for (uint32_t i = c->counts.at[at].first; i; i = c->seen.at[i].next)
    if (c->seen.at[i].value == value) return;
  tp_vec_push(&c->seen, (seen_value){value, c->counts.at[at].first});
  c->counts.at[at].first = (uint32_t)c->seen.n - 1;
  c->counts.at[at].n++;
}

/* a: the element's own value. Places that it does not know need no counting. */
static void see_difference(void *ctx, uint64_t place, tp_absval a, tp_absval b) {
  if (a.id == 0) return;
  count_value(ctx, place, a.id);
  count_value(ctx, place, b.id);
}
static void see_own(void *ctx, uint64_t place, tp_absval a, tp_absval none) {
  (void)none;
  count_value(ctx, place, a.id);
}

static int by_number(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The precision without what has too many values; p itself if there is nothing. */
static const tp_prec *without(tp_cpa *self, const tp_prec *p, const counting *c) {
  size_t n_more = 0;
  for (size_t i = 0; i < c->counts.n; i++) n_more += c->counts.at[i].n > c->threshold && !has(p, c->counts.at[i].place);
  if (!n_more) return p;
  tp_prec *q = tp_arena_new(&self->arena, tp_prec);
  uint64_t *all = tp_arena_array(&self->arena, uint64_t, p->n + n_more);
  if (p->n) memcpy(all, p->dropped, p->n * sizeof *all);
  q->n = p->n;
  for (size_t i = 0; i < c->counts.n; i++)
    if (c->counts.at[i].n > c->threshold && !has(p, c->counts.at[i].place)) all[q->n++] = c->counts.at[i].place;
  qsort(all, q->n, sizeof *all, by_number);
  q->dropped = all;
  return q;
}

tp_adjusted tp_value_adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p, tp_reached_view view, tp_succ *out) {
  uint64_t threshold = ((const tp_value_settings *)tp_store_own(self))->threshold;
  *out = (tp_succ){e, p};
  if (threshold == TP_VALUE_FOREVER) return TP_CONTINUE;
  counting c = {.threshold = threshold};
  tp_vec_push(&c.seen, (seen_value){0, 0});
  size_t first = view.n > MAX_NEIGHBOURS ? view.n - MAX_NEIGHBOURS : 0;
  if (threshold == 0) tp_store_each(self, e, see_own, &c);
  for (size_t i = first; i < view.n; i++)
    if (view.at[i].elem != e) tp_store_diff(self, e, view.at[i].elem, see_difference, &c);
  out->prec = without(self, p, &c);
  if (out->prec != p) out->elem = tp_value_restrict(self, e, out->prec);
  tp_map_clear(&c.place);
  tp_vec_clear(&c.counts);
  tp_vec_clear(&c.seen);
  return TP_CONTINUE;
}
