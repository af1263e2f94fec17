/* Answers by query: sorted term ids in an arena, chained by the caller's hash.
 *
 * Sets are compared in full, so a collision of hashes costs time, never an answer. */
#include "smt/answer_cache.h"

#include "smt/smt_limits.h"

#include <stdlib.h>

void tp_smt_cache_clear(tp_smt_cache *c) {
  tp_arena_clear(&c->arena);
  tp_vec_clear(&c->entries);
  tp_vec_clear(&c->sorted);
  tp_map_clear(&c->heads);
}

static int by_id(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The set, sorted and without repeats, in c->sorted. */
static void sort_into(tp_smt_cache *c, const tp_term *a, size_t n_a, const tp_term *b, size_t n_b) {
  c->sorted.n = 0;
  for (size_t i = 0; i < n_a; i++) tp_vec_push(&c->sorted, a[i].id);
  for (size_t i = 0; i < n_b; i++) tp_vec_push(&c->sorted, b[i].id);
  if (c->sorted.n) qsort(c->sorted.at, c->sorted.n, sizeof *c->sorted.at, by_id);
  size_t n = 0;
  for (size_t i = 0; i < c->sorted.n; i++)
    if (!n || c->sorted.at[n - 1] != c->sorted.at[i]) c->sorted.at[n++] = c->sorted.at[i];
  c->sorted.n = n;
  for (size_t i = 1; i < n; i++) TP_INVARIANT(c->sorted.at[i - 1] < c->sorted.at[i]);
}

bool tp_smt_cache_find(tp_smt_cache *c, uint64_t hash, const tp_term *a, size_t n_a,
                       const tp_term *b, size_t n_b, tp_smt_answer *out) {
  uint64_t head;
  if (!tp_map_get(&c->heads, hash, &head)) return false;
  sort_into(c, a, n_a, b, n_b);
  for (uint32_t i = (uint32_t)head; i; i = c->entries.at[i - 1].next) {
    const tp_smt_cached *e = &c->entries.at[i - 1];
    if (e->n != c->sorted.n || (e->n && memcmp(e->ids, c->sorted.at, e->n * sizeof *e->ids) != 0))
      continue;
    *out = e->answer;
    return true;
  }
  return false;
}

void tp_smt_cache_add(tp_smt_cache *c, uint64_t hash, const tp_term *a, size_t n_a,
                      const tp_term *b, size_t n_b, tp_smt_answer answer) {
  TP_REQUIRE(answer != TP_SMT_UNKNOWN);  // another limit may decide the query
  if (c->arena.bytes > TP_SMT_CACHE_BYTES) tp_smt_cache_clear(c);
  sort_into(c, a, n_a, b, n_b);
  uint64_t head = 0;
  (void)tp_map_get(&c->heads, hash, &head);
  uint32_t *ids = tp_arena_array(&c->arena, uint32_t, c->sorted.n);
  if (c->sorted.n) memcpy(ids, c->sorted.at, c->sorted.n * sizeof *ids);
  tp_vec_push(&c->entries, (tp_smt_cached){.hash = hash,
                                           .ids = ids,
                                           .n = (uint32_t)c->sorted.n,
                                           .next = (uint32_t)head,
                                           .answer = answer});
  tp_map_set(&c->heads, hash, c->entries.n);
}
