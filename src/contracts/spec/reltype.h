/* Types of relations: the tuples of basic types that an expression may have.
 *
 * What       finite unions of products of sets of basic types, and the operators of relational
 *            logic on them.
 * Represents an upper bound: every tuple of the relation is, column by column, of the types of one
 *            of the products. No product: the relation is empty in every state. Products of
 *            different arity stand side by side as long as a name is still ambiguous.
 * Invariants no column of a product is empty (tp_reltype_check); no product lies within another
 *            one.
 * Ownership  values; what they point to lives in the arena of their tp_reltypes.
 * Limits     more than TP_CONTRACTS_TYPE_PRODUCTS products of an arity become one product that
 *            contains them all: a larger upper bound.
 * Source     Edwards, Jackson, Torlak 2004, A type system for object models. */
#ifndef TP_CONTRACTS_SPEC_RELTYPE_H
#define TP_CONTRACTS_SPEC_RELTYPE_H

#include "base/base.h"
#include "contracts/contracts_limits.h"

typedef struct {
  uint32_t arity;
  const uint64_t *columns;  // arity sets, `words` words each
} tp_product;
typedef struct {
  const tp_product *at;
  uint32_t n;
} tp_reltype;
#define TP_RELTYPE_EMPTY ((tp_reltype){0})

typedef struct {
  tp_arena *arena;
  uint32_t n_basics, words;
} tp_reltypes;
tp_reltypes tp_reltypes_of(tp_arena *a, uint32_t n_basics);

/* Sets: of one basic type, of those with a bit, of all. */
tp_reltype tp_reltype_basic(const tp_reltypes *t, uint32_t basic);
tp_reltype tp_reltype_set(const tp_reltypes *t, const uint64_t *bits);
tp_reltype tp_reltype_all(const tp_reltypes *t);
tp_reltype tp_reltype_iden(const tp_reltypes *t);

tp_reltype tp_reltype_union(const tp_reltypes *t, tp_reltype a, tp_reltype b);
tp_reltype tp_reltype_intersection(const tp_reltypes *t, tp_reltype a, tp_reltype b);
tp_reltype tp_reltype_product(const tp_reltypes *t, tp_reltype a, tp_reltype b);
tp_reltype tp_reltype_join(const tp_reltypes *t, tp_reltype a, tp_reltype b);
tp_reltype tp_reltype_transpose(const tp_reltypes *t, tp_reltype a);  // of its products of arity 2
tp_reltype tp_reltype_closure(const tp_reltypes *t, tp_reltype a);    // transitive
/* Tuples of r that begin in s; that end in s. */
tp_reltype tp_reltype_domain(const tp_reltypes *t, tp_reltype s, tp_reltype r);
tp_reltype tp_reltype_range(const tp_reltypes *t, tp_reltype r, tp_reltype s);
/* The products of this arity. */
tp_reltype tp_reltype_of_arity(const tp_reltypes *t, tp_reltype a, uint32_t arity);
/* Those of a whose arity occurs in b. */
tp_reltype tp_reltype_like(const tp_reltypes *t, tp_reltype a, tp_reltype b);

/* What of a, and of b, can matter for the tuples `wanted` of a.b, of a -> b, of ^a. */
void tp_reltype_join_parts(const tp_reltypes *t, tp_reltype a, tp_reltype b, tp_reltype wanted,
                           tp_reltype *of_a, tp_reltype *of_b);
void tp_reltype_product_parts(const tp_reltypes *t, tp_reltype a, tp_reltype b, tp_reltype wanted,
                              tp_reltype *of_a, tp_reltype *of_b);
tp_reltype tp_reltype_closure_part(const tp_reltypes *t, tp_reltype a, tp_reltype wanted);

/* No column of a product is empty, arities are in range. For assertions. */
bool tp_reltype_check(const tp_reltypes *t, tp_reltype a);
static inline bool tp_reltype_is_empty(tp_reltype a) { return a.n == 0; }
uint32_t tp_reltype_arity(tp_reltype a);  // 0: empty, or more than one
/* Is it a set, and every member of this basic type? */
bool tp_reltype_is_only(const tp_reltypes *t, tp_reltype a, uint32_t basic);
static inline bool tp_product_has(const tp_reltypes *t, const tp_product *p, uint32_t column,
                                  uint32_t basic) {
  TP_REQUIRE(column < p->arity && basic < t->n_basics);
  return p->columns[column * t->words + basic / 64] >> (basic % 64) & 1;
}

#endif
