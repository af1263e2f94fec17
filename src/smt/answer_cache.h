/* Answers to earlier queries of one solver.
 *
 * What       a query is the set of its assertions and assumptions, as term ids; compared exactly.
 * Ownership  the cache owns copies. It forgets everything when it has grown too large. */
#ifndef TP_SMT_ANSWER_CACHE_H
#define TP_SMT_ANSWER_CACHE_H

#include "smt/smt.h"

typedef struct {
  uint64_t hash;
  const uint32_t *ids;  // sorted
  uint32_t n;
  uint32_t next;  // entry with the same hash + 1
  tp_smt_answer answer;
} tp_smt_cached;

typedef struct {
  tp_arena arena;
  TP_VEC(tp_smt_cached) entries;
  TP_VEC(uint32_t) sorted;  // scratch
  tp_map heads;             // hash -> entry + 1
} tp_smt_cache;
void tp_smt_cache_clear(tp_smt_cache *c);
/* The parts of a query: assertions and assumptions. hash: any function of the set. */
bool tp_smt_cache_find(tp_smt_cache *c, uint64_t hash, const tp_term *a, size_t n_a,
                       const tp_term *b, size_t n_b, tp_smt_answer *out);
void tp_smt_cache_add(tp_smt_cache *c, uint64_t hash, const tp_term *a, size_t n_a,
                      const tp_term *b, size_t n_b, tp_smt_answer answer);

#endif
