/* Statements about all elements of all heaps that are here, or were at the start, each shown by one
 * search.
 *
 * What       what a step makes of predicates, rules, what excludes a state.
 * Law        true: it was proved. False: it may be true nevertheless.
 * Cost       a search each, by sketches alone: of what needs circuits the check of single graphs
 *            takes care (shape.h). */
#ifndef TP_CERTIFY_SHAPES_LEMMAS_H
#define TP_CERTIFY_SHAPES_LEMMAS_H

#include "certify/shapes/shape_check.h"

/* What a pointer of the class leads to at the start: null, something, an element of which predicate
 * k has this value, a cell that was not freed, one whose field k (a predicate) leads to no
 * stranger. */
typedef enum {
  TP_CHK_TARGET_NULL,
  TP_CHK_TARGET_NONNULL,
  TP_CHK_TARGET_VALUE,
  TP_CHK_TARGET_LIVE,
  TP_CHK_TARGET_FIELD
} tp_chk_pointer_literal_kind;
typedef struct {
  tp_chk_pointer_literal_kind kind;
  uint32_t pointer, k;  // predicates
  bool value;           // VALUE
} tp_chk_pointer_literal;

/* A step of a class's heap: from the start of the segment to here. fresh: addresses of what may be
 * elements here and not at the start: a cell that the step made (always an element), the value of
 * pointers that nobody has written. */
enum { TP_CHK_MOST_NEW = 2, TP_CHK_ANY_OLD = -1 };
typedef struct {
  tp_chk_exec *g;
  uint32_t number;  // of the class
  tp_term fresh[TP_CHK_MOST_NEW];
  bool is_made[TP_CHK_MOST_NEW];
  int n_fresh;
} tp_chk_step;

/* Which elements may be fresh? False: it is not known that they are these. */
bool tp_chk_lemma_new_elements(tp_chk_step *s);
/* A guess: of elements that are here and were at the start, the predicate is now what the formula
 * was; where that is open, nothing is claimed. Of a pointer's predicate also of strangers of the
 * start that are not here any more: so where the formula is 1 they are. */
typedef struct {
  uint32_t predicate;
  const tp_chk_formula *formula;
} tp_chk_candidate_update;
/* How much is tried: BITS takes longer by far, and is right about arithmetic. */
typedef enum { TP_CHK_BY_SKELETON, TP_CHK_BY_BITS } tp_chk_effort;
/* Which guesses are true? All are of predicates of this arity. */
void tp_chk_lemma_of_old(const tp_chk_step *s, uint32_t arity,
                         const tp_chk_candidate_update *guesses, size_t n, tp_chk_effort depth,
                         bool *out);
/* By predicate of this arity: one of which it shows without a search that the predicate is now what
 * that one was; 0: none. */
void tp_chk_lemma_unchanged(const tp_chk_step *s, uint32_t arity, uint32_t *out);
/* The same of fresh element a, if it is fresh (for predicates of two: and b; TP_CHK_ANY_OLD for one
 * of them: any other element, which is the formulas' variable 0). */
void tp_chk_lemma_of_new(const tp_chk_step *s, int a, int b, const tp_chk_candidate_update *guesses,
                         size_t n, tp_chk_effort depth, bool *out);
/* The rule holds in every heap that is here. */
bool tp_chk_lemma_rule(const tp_chk_step *s, const tp_chk_rule *r);
/* Which literals are such that, where one held at the start, one of the goals holds here; without
 * goals: no run gets here. */
void tp_chk_lemma_excluding(const tp_chk_step *s, const tp_chk_pointer_literal *literals, size_t n,
                            const tp_term *goals, size_t n_goals, bool *out);

#endif
