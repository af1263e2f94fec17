/* Persistent maps: cheap to copy, cheap to compare.
 *
 * What       a map from 64-bit keys to non-zero 64-bit values, copied in constant time.
 * Represents a radix tree with 16 children per node; nodes are shared between copies and counted,
 *            and a node with one owner is changed in place.
 * Invariants value 0 means absent.
 * Ownership  a map owns one reference to its root; _copy and _clear come in pairs.
 * Cost       get and set: the number of hexadecimal digits of the largest key. diff: proportional
 *            to the number of nodes that are not shared, which is what makes merging of symbolic
 *            states cheap.
 * Source     Okasaki, Purely Functional Data Structures, 1998, sec. 10.1 (tries). */
#ifndef TP_FORMULA_PMAP_H
#define TP_FORMULA_PMAP_H

#include "base/base.h"

typedef struct tp_pnode tp_pnode;

/* What to do when a copied node shares a value, and when a value is dropped; NULL: plain numbers.
 */
typedef struct {
  void (*retain)(uint64_t value);
  void (*release)(uint64_t value);
} tp_pmap_ops;

typedef struct {
  tp_pnode *root;          // NULL: empty
  uint32_t levels;         // keys are below 16^levels
  const tp_pmap_ops *ops;  // set before the first use, or left NULL
} tp_pmap;

tp_pmap tp_pmap_copy(const tp_pmap *m);
void tp_pmap_clear(tp_pmap *m);                        // leaves an empty map with the same ops
uint64_t tp_pmap_get(const tp_pmap *m, uint64_t key);  // 0: absent
void tp_pmap_set(tp_pmap *m, uint64_t key, uint64_t value);  // takes over the reference; 0 removes
/* The smallest present key >= from; false if there is none. */
bool tp_pmap_next(const tp_pmap *m, uint64_t from, uint64_t *key, uint64_t *value);
/* Calls see(ctx, key, a, b) for every key whose values differ, in increasing order. a and b must
 * not change meanwhile. */
typedef void (*tp_pmap_visit)(void *ctx, uint64_t key, uint64_t a, uint64_t b);
void tp_pmap_diff(const tp_pmap *a, const tp_pmap *b, tp_pmap_visit visit, void *ctx);
/* The same as long as *go_on is true, which see may change: for comparisons that are decided early.
 */
void tp_pmap_diff_while(const tp_pmap *a, const tp_pmap *b, tp_pmap_visit visit, void *ctx,
                        const bool *go_on);
/* The same for one map against the empty one: all entries in increasing order. */
void tp_pmap_each(const tp_pmap *m, tp_pmap_visit visit, void *ctx);

#endif
