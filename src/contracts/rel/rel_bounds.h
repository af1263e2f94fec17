/* Universes and bounds: where the values of relations may lie.
 *
 * What       named atoms, some of them integers; sets of tuples; for every relation the tuples that
 *            it must have (lower bound) and may have (upper bound); instances.
 * Represents a tuple of atoms is one number: its columns are digits to the base of the number of
 *            atoms, the first column most significant. lower in r in upper; equal bounds fix the
 *            relation; other bounds are a partial instance.
 * Invariants a set of tuples is sorted, without duplicates (tp_rel_tuples_check). Atoms are added
 *            before anything else is made of a universe.
 * Ownership  bounds own their sets and borrow universe and logic. A tp_rel_tuples that a caller
 *            declares is the caller's: {0} is empty, tp_rel_tuples_clear frees it. An instance owns
 *            its sets.
 * Limits     n_atoms ^ arity fits 62 bits.
 * Source     Torlak & Jackson 2007, sec. 3 (partial instances). */
#ifndef TP_CONTRACTS_REL_REL_BOUNDS_H
#define TP_CONTRACTS_REL_REL_BOUNDS_H

#include "contracts/rel/logic.h"

typedef struct tp_rel_universe tp_rel_universe;
tp_rel_universe *tp_rel_universe_new(void);
void tp_rel_universe_free(tp_rel_universe *u);
uint32_t tp_rel_atom(tp_rel_universe *u, const char *name);  // a new one; from 0
uint32_t tp_rel_int_atom(tp_rel_universe *u,
                         int64_t value);  // the one of this value, made if it is not there
/* All integers of a width. */
void tp_rel_int_atoms(tp_rel_universe *u, uint32_t width_bits);
uint32_t tp_rel_n_atoms(const tp_rel_universe *u);
const char *tp_rel_atom_name(const tp_rel_universe *u, uint32_t atom);
bool tp_rel_atom_is_int(const tp_rel_universe *u, uint32_t atom, int64_t *value);
bool tp_rel_find_int_atom(const tp_rel_universe *u, int64_t value, uint32_t *atom);

typedef struct {
  uint64_t *at;
  size_t n, cap;
} tp_rel_tuples;
void tp_rel_tuples_clear(tp_rel_tuples *s);
void tp_rel_tuples_copy(tp_rel_tuples *to, const tp_rel_tuples *from);
bool tp_rel_tuples_contain(const tp_rel_tuples *s, uint64_t tuple);
bool tp_rel_tuples_are_subset(const tp_rel_tuples *a, const tp_rel_tuples *b);
bool tp_rel_tuples_equal(const tp_rel_tuples *a, const tp_rel_tuples *b);
void tp_rel_tuples_add(tp_rel_tuples *s, uint64_t tuple);
/* Adds the product of ranges of atoms: all tuples whose column i lies in first[i] .. last[i]. */
void tp_rel_tuples_add_product(const tp_rel_universe *u, tp_rel_tuples *s, uint32_t arity,
                               const uint32_t *first, const uint32_t *last);
uint64_t tp_rel_tuple(const tp_rel_universe *u, const uint32_t *atoms, uint32_t arity);
void tp_rel_tuple_atoms(const tp_rel_universe *u, uint64_t tuple, uint32_t arity, uint32_t *atoms);
uint64_t tp_rel_n_tuples(const tp_rel_universe *u,
                         uint32_t arity);  // n_atoms ^ arity; 0: more than 62 bits

typedef struct tp_rel_bounds tp_rel_bounds;
tp_rel_bounds *tp_rel_bounds_new(const tp_rel *l, const tp_rel_universe *u);
void tp_rel_bounds_free(tp_rel_bounds *b);
const tp_rel *tp_rel_bounds_logic(const tp_rel_bounds *b);
const tp_rel_universe *tp_rel_bounds_universe(const tp_rel_bounds *b);
/* Copies the sets. Errors: TP_ERR_ARG if lower is not within upper, a tuple is out of range, or the
 * universe too large for the arity. */
tp_status tp_rel_bound(tp_rel_bounds *b, tp_rel_expr relation, const tp_rel_tuples *lower,
                       const tp_rel_tuples *upper) TP_MUST_USE;
tp_status tp_rel_bound_exactly(tp_rel_bounds *b, tp_rel_expr relation,
                               const tp_rel_tuples *value) TP_MUST_USE;
/* By number of relation; NULL: it has no bounds. */
const tp_rel_tuples *tp_rel_lower(const tp_rel_bounds *b, uint32_t relation);
const tp_rel_tuples *tp_rel_upper(const tp_rel_bounds *b, uint32_t relation);

/* The invariants: sets are sorted without duplicates and within the universe, lower within upper.
 * Linear up to a logarithm; for assertions. */
bool tp_rel_tuples_check(const tp_rel_tuples *s, uint64_t n_tuples);
bool tp_rel_bounds_check(const tp_rel_bounds *b);

/* A value for every relation, by number. */
typedef struct {
  tp_rel_tuples *of;
  uint32_t n;
} tp_rel_instance;
void tp_rel_instance_init(tp_rel_instance *i, uint32_t n_relations);
void tp_rel_instance_clear(tp_rel_instance *i);
void tp_rel_instance_copy(tp_rel_instance *to, const tp_rel_instance *from);  // to: initialised
bool tp_rel_instance_equal(const tp_rel_instance *a, const tp_rel_instance *b);
bool tp_rel_instance_is_within(const tp_rel_instance *i, const tp_rel_bounds *b);
/* "next = {n0->n1, n1->n2}", one line for each relation. */
void tp_rel_instance_print(const tp_rel_instance *i, const tp_rel_bounds *b, tp_str *out);

#endif
