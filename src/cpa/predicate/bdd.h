/* Binary decision diagrams: sets of valuations of numbered predicates.
 *
 * What       reduced ordered diagrams with a unique table and a lossy table of computed results;
 *            operations, quantification, cubes, and the way back to terms.
 * Represents a Boolean function of variables 0, 1, 2, ..., tested in this order. Equal functions
 *            are equal handles.
 * Invariants children of a node have larger variables and are different.
 * Ownership  one manager for each user; nodes are never freed before it is cleared.
 * Cost       an operation: the product of the sizes; the computed table has a fixed size, so it may
 *            forget.
 * Source     Bryant 1986; Brace, Rudell, Bryant 1990 (ite, computed table). */
#ifndef TP_CPA_PREDICATE_BDD_H
#define TP_CPA_PREDICATE_BDD_H

#include "term/term.h"

typedef struct {
  uint32_t id;
} tp_bdd;  // 0: none
#define TP_BDD_FALSE ((tp_bdd){1})
#define TP_BDD_TRUE ((tp_bdd){2})
static inline bool tp_bdd_eq(tp_bdd a, tp_bdd b) { return a.id == b.id; }
static inline bool tp_bdd_is_false(tp_bdd a) { return a.id == 1; }
static inline bool tp_bdd_is_true(tp_bdd a) { return a.id == 2; }

typedef struct {
  uint32_t var;
  tp_bdd low, high;  // the variable is false, true
} tp_bdd_node;
typedef struct {
  tp_bdd f, g, h, result;  // f NONE: empty
} tp_bdd_computed;
typedef struct {
  TP_VEC(tp_bdd_node) nodes;  // [0] unused, [1] false, [2] true
  uint32_t *slots;            // unique table: node or 0
  size_t n_slots;
  tp_bdd_computed *computed;
} tp_bdds;
void tp_bdds_init(tp_bdds *b);
void tp_bdds_clear(tp_bdds *b);

tp_bdd tp_bdd_var(tp_bdds *b, uint32_t var);
tp_bdd tp_bdd_ite(tp_bdds *b, tp_bdd f, tp_bdd g, tp_bdd h);
static inline tp_bdd tp_bdd_not(tp_bdds *b, tp_bdd f) {
  return tp_bdd_ite(b, f, TP_BDD_FALSE, TP_BDD_TRUE);
}
static inline tp_bdd tp_bdd_and(tp_bdds *b, tp_bdd f, tp_bdd g) {
  return tp_bdd_ite(b, f, g, TP_BDD_FALSE);
}
static inline tp_bdd tp_bdd_or(tp_bdds *b, tp_bdd f, tp_bdd g) {
  return tp_bdd_ite(b, f, TP_BDD_TRUE, g);
}
static inline bool tp_bdd_implies(tp_bdds *b, tp_bdd f, tp_bdd g) {
  return tp_bdd_is_true(tp_bdd_ite(b, f, g, TP_BDD_TRUE));
}

/* There are values of the variables v with drop[v] such that f. Variables from n on are kept. */
tp_bdd tp_bdd_exists(tp_bdds *b, tp_bdd f, const bool *drop, size_t n);
/* A conjunction of literals; built directly. literals: different variables, in any order. */
typedef struct {
  uint32_t var;
  bool value;
} tp_bdd_literal;
tp_bdd tp_bdd_cube(tp_bdds *b, const tp_bdd_literal *literals, size_t n);

bool tp_bdd_value(const tp_bdds *b, tp_bdd f, const bool *values);  // of every variable in f
/* Sets in[v] for each variable v < n on which f depends. */
void tp_bdd_support(const tp_bdds *b, tp_bdd f, bool *in, size_t n);
/* f as a formula; meaning[v] stands for variable v. */
tp_term tp_bdd_term(const tp_bdds *b, tp_terms *tt, tp_bdd f, const tp_term *meaning);
/* Ordered, reduced, each node once. */
bool tp_bdds_check(const tp_bdds *b);

#endif
