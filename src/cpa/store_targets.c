/* Sets of pointers: what a pointer may lead to, if the analysis keeps such sets
 * (options.most_targets).
 *
 * A set has at most one pair for each object, ascending by object, and at least two; offsets of one
 * object are joined by the lattice. Two names mean two objects, so sets are compared, joined and
 * met object by object. A set that becomes too large is top. */
#include "cpa/store_priv.h"

#include "cpa/cpa_limits.h"

tp_store_targets tp_store_targets_of(const tp_store *st, tp_absval v) {
  TP_REQUIRE(!tp_store_is_set(v) || (v.id & ~TP_STORE_SET) < st->sets.n);
  if (tp_store_is_set(v)) return st->sets.at[v.id & ~TP_STORE_SET];
  return (tp_store_targets){.n = 1, .at = {v}};
}

static uint32_t object_at(const tp_store *st, const tp_store_targets *t, uint32_t i) {
  TP_REQUIRE(i < t->n);
  return tp_store_ptr_of(st, t->at[i])->object.id;
}

static bool same_targets(const tp_store_targets *a, const tp_store_targets *b) {
  return a->n == b->n && memcmp(a->at, b->at, a->n * sizeof *a->at) == 0;
}

tp_absval tp_store_of_targets(tp_store *st, const tp_store_targets *t) {
  TP_REQUIRE(t->n <= TP_CPA_STORE_TARGETS);
  if (t->n == 1) return t->at[0];
  if (t->n == 0 || t->n > st->options.most_targets) return TP_ABSVAL_TOP;
  uint64_t h = 2, id;
  for (uint32_t i = 1; i < t->n; i++)
    TP_INVARIANT(object_at(st, t, i - 1) < object_at(st, t, i));  // equal sets, equal handles
  for (uint32_t i = 0; i < t->n; i++) h = tp_hash_mix(h, t->at[i].id);
  for (; tp_map_get(&st->set_index, h, &id); h++)
    if (same_targets(&st->sets.at[id], t)) return (tp_absval){id | TP_STORE_SET};
  tp_map_set(&st->set_index, h, st->sets.n);
  tp_vec_push(&st->sets, *t);
  return (tp_absval){(st->sets.n - 1) | TP_STORE_SET};
}

/* Adds a pair; one of the same object is joined by `combine`. False: too many. */
static bool add_target(tp_store *st, tp_store_targets *t, tp_absval one, tp_store_combine combine) {
  TP_REQUIRE(one.id && !tp_store_is_set(one));
  uint32_t object = tp_store_ptr_of(st, one)->object.id, i = 0;
  while (i < t->n && object_at(st, t, i) < object) i++;
  if (i < t->n && object_at(st, t, i) == object) {
    tp_store_ptr both = *tp_store_ptr_of(st, t->at[i]);
    both.offset = combine(st, st->offset_sort, both.offset, tp_store_ptr_of(st, one)->offset);
    t->at[i] = tp_store_ptr_value(st, both);
    return true;
  }
  if (t->n >= st->options.most_targets || t->n == TP_CPA_STORE_TARGETS) return false;
  memmove(&t->at[i + 1], &t->at[i], (t->n - i) * sizeof *t->at);
  t->at[i] = one;
  t->n++;
  return true;
}

tp_absval tp_store_unite(tp_store *st, tp_absval a, tp_absval b, tp_store_combine combine) {
  TP_REQUIRE(a.id && b.id);  // neither is top
  tp_store_targets all = tp_store_targets_of(st, a), more = tp_store_targets_of(st, b);
  for (uint32_t i = 0; i < more.n; i++)
    if (!add_target(st, &all, more.at[i], combine)) return TP_ABSVAL_TOP;
  return tp_store_of_targets(st, &all);
}

bool tp_store_is_subset(const tp_store *st, tp_sort s, tp_absval a, tp_absval b) {
  tp_store_targets small = tp_store_targets_of(st, a), large = tp_store_targets_of(st, b);
  for (uint32_t i = 0; i < small.n; i++) {
    bool found = false;
    for (uint32_t k = 0; k < large.n && !found; k++)
      found = tp_store_value_leq(st, s, small.at[i], large.at[k]);
    if (!found) return false;
  }
  return true;
}

bool tp_store_intersect(tp_store *st, tp_sort s, tp_absval a, tp_absval b, tp_absval *out) {
  TP_REQUIRE(a.id && b.id);
  tp_store_targets x = tp_store_targets_of(st, a), y = tp_store_targets_of(st, b),
                   common = {.n = 0};
  for (uint32_t i = 0; i < x.n; i++)
    for (uint32_t k = 0; k < y.n; k++)
      if (object_at(st, &x, i) == object_at(st, &y, k) &&
          tp_store_value_meet(st, s, x.at[i], y.at[k], &common.at[common.n]))
        common.n++;
  TP_INVARIANT(common.n <= x.n && common.n <= y.n);  // objects of one set differ
  if (common.n) *out = tp_store_of_targets(st, &common);
  return common.n > 0;
}

/* Exactly one address? Then no two pointers of this value differ. */
static bool is_one_address(const tp_store *st, tp_absval v) {
  uint64_t offset;
  return v.id && !tp_store_is_set(v) &&
         tp_store_value_u64(st, st->offset_sort, tp_store_ptr_of(st, v)->offset, &offset);
}

bool tp_store_without_target(tp_store *st, tp_absval v, tp_absval not, tp_absval *out) {
  tp_store_targets all = tp_store_targets_of(st, v), rest = {.n = 0};
  *out = v;
  if (v.id == 0 || !is_one_address(st, not)) return true;
  for (uint32_t i = 0; i < all.n; i++)
    if (!tp_absval_eq(all.at[i], not)) rest.at[rest.n++] = all.at[i];
  if (rest.n) *out = tp_store_of_targets(st, &rest);
  return rest.n > 0;
}
