/* Rewriting in mk: the rules, by theory.
 *
 * What       each tp_rw_x takes the parts of an application and returns an equal term, or NONE when
 *            no rule matches (then mk interns the application as it is).
 * Invariants arguments are normal already; a rule's work is bounded by a constant, whatever the
 *            depth of its arguments; results do not have more nodes than the rule's own left side
 *            save where the comment says so (pushing an operation into a small tree of constants).
 * Notation   rules are written as match: / result: / if:, in the names of the kinds (ADD for
 *            BV_ADD); c, d are constants, x, y, z terms, p, q pointers. rewrite_test.c has Z3
 *            prove each of them at widths 1, 4, 8 and 32. */
#ifndef TP_TERM_REWRITE_H
#define TP_TERM_REWRITE_H

#include "term/term_limits.h"
#include "term/term_priv.h"

typedef struct {
  tp_term_kind k;
  tp_sort sort;  // of the result
  tp_term a, b, c;
  uint64_t payload;
} tp_application;

/* Build an application through all rules. */
tp_term tp_mk_application(tp_terms *tt, const tp_application *ap);

tp_term tp_rw_bool(tp_terms *tt, const tp_application *ap);  // NOT AND OR XOR, EQ on Bool
tp_term tp_rw_ite(tp_terms *tt, const tp_application *ap);
tp_term tp_rw_merge(tp_terms *tt, tp_term c, tp_term x,
                    tp_term y);                                // ITE of values with a common part
tp_term tp_rw_leaves(tp_terms *tt, const tp_application *ap);  // push into ITE trees of constants
tp_term tp_rw_linear(tp_terms *tt, const tp_application *ap);  // ADD NEG MUL
tp_term tp_rw_bits(tp_terms *tt, const tp_application *ap);    // AND OR XOR NOT shifts, division
tp_term tp_rw_slice(tp_terms *tt, const tp_application *ap);   // CONCAT EXTRACT ZEXT SEXT
tp_term tp_rw_eq(tp_terms *tt, const tp_application *ap);      // EQ on BV, FP, INT, ARRAY
tp_term tp_rw_eq_branches(tp_terms *tt, tp_term a,
                          tp_term b);  // EQ with an ITE, if one branch is decided
tp_term tp_rw_less(tp_terms *tt, const tp_application *ap);   // ULT ULE SLT SLE
tp_term tp_rw_ptr(tp_terms *tt, const tp_application *ap);    // PTR_*, INT_TO_PTR, EQ on PTR
tp_term tp_rw_array(tp_terms *tt, const tp_application *ap);  // SELECT STORE
tp_term tp_rw_fp(tp_terms *tt, const tp_application *ap);

/* Is one the negation of the other? Sound, not complete: looks a few levels deep. */
bool tp_is_complement(const tp_terms *tt, tp_term a, tp_term b);

/* What literals s and t, both about one bit-vector and constants, are to each other under AND or
 * OR. */
typedef enum {
  TP_UNRELATED,
  TP_FIRST_REDUNDANT,
  TP_SECOND_REDUNDANT,
  TP_ABSORBING,
  TP_ONE_LITERAL /* *both says the same */
} tp_relation;
tp_relation tp_literals_relate(tp_terms *tt, tp_term_kind k, tp_term s, tp_term t, tp_term *both);
/* Does s having this value fix t? 1: to true, 0: to false, -1: no. */
int tp_literal_fixes(const tp_terms *tt, tp_term s, bool value, tp_term t);

/* A sum modulo 2^width: coefficient * base each, ascending by base, plus a constant. */
typedef struct {
  uint32_t width;
  uint32_t n;
  tp_u128 constant;
  struct {
    tp_term base;
    tp_u128 coefficient;
  } m[TP_TERM_LINEAR_MONOMIALS];
} tp_linear;
void tp_linear_init(tp_linear *l, uint32_t width);
/* l += scale * t. What does not fit into TP_TERM_LINEAR_MONOMIALS monomials is kept as one opaque
 * base. */
bool tp_linear_add(const tp_terms *tt, tp_linear *l, tp_term t, tp_u128 scale);
tp_term tp_linear_term(tp_terms *tt, const tp_linear *l);
/* Are a and b certainly equal (+1), certainly different (-1), or not known (0)? */
int tp_compare_terms(const tp_terms *tt, tp_term a, tp_term b);

#endif
