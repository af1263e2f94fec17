/* Lemmas: statements about all elements of all heaps at the end of a path, or at its start, each
 * proved by one search (shape_search.h).
 *
 * What       updates of predicates by a step, rules, what excludes a state.
 * Law        true: proved. False: not shown, which says nothing.
 * Cost       a search each, by the skeleton alone where nothing else is said: graphs that need more
 *            are checked one by one. */
#ifndef TP_CERTIFY_SHAPES_LEMMAS_H
#define TP_CERTIFY_SHAPES_LEMMAS_H

#include "certify/shapes/shape_check.h"

/* What a pointer of the class leads to at the start: null, no null, an element of which predicate k
 * has this value, a cell that was not freed, one whose field k (a predicate) leads to cells only.
 */
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

/* A step of a class's heap, from the start of the path to its end. New elements: the cell that the
 * step made (always an element), the value of pointers that nobody has written, and all others that
 * a pointer leads to, which may be none or many. TP_CHK_ANY_OLD stands for the elements that are
 * not new. */
enum { TP_CHK_MOST_NEW = 3, TP_CHK_ANY_OLD = -1 };
typedef enum { TP_CHK_NEW_MADE, TP_CHK_NEW_UNWRITTEN, TP_CHK_NEW_OTHERS } tp_chk_new_kind;
typedef struct {
  tp_chk_exec *g;
  uint32_t number;    // of the class
  const bool *named;  // by predicate of a pointer: its values are addresses; NULL: of all pointers
  tp_term new_at[TP_CHK_MOST_NEW];  // OTHERS: NONE
  tp_chk_new_kind new_kind[TP_CHK_MOST_NEW];
  int n_new;
} tp_chk_step;

/* Finds the new elements. False: not shown that there are no others. */
bool tp_chk_lemma_new_elements(tp_chk_step *s);
/* A candidate: of old elements, the predicate is now what the formula was; where the formula is
 * 1/2, nothing is claimed. Of a pointer's predicate the claim is also made of elements outside of
 * the structure that are elements no more: so where the formula is 1 they still are. */
typedef struct {
  uint32_t predicate;
  const tp_chk_formula *formula;
} tp_chk_candidate_update;
/* Which candidates are proved? All are of predicates of this arity. out: by candidate. */
void tp_chk_lemma_of_old(const tp_chk_step *s, uint32_t arity,
                         const tp_chk_candidate_update *candidates, size_t n, tp_chk_effort effort,
                         bool *out);
/* By predicate of this arity: a predicate whose old value is the new one, shown without a search;
 * 0: none. */
void tp_chk_lemma_unchanged(const tp_chk_step *s, uint32_t arity, uint32_t *out);
/* Candidates of new element a, if it is new (for predicates of two: and b; one of them may be
 * TP_CHK_ANY_OLD: the formulas' variable 0). */
void tp_chk_lemma_of_new(const tp_chk_step *s, int a, int b,
                         const tp_chk_candidate_update *candidates, size_t n, tp_chk_effort effort,
                         bool *out);
/* The rule holds in every heap at the end of the path. */
bool tp_chk_lemma_rule(const tp_chk_step *s, const tp_chk_rule *r);
/* Which literals, if true at the start, imply that one of the goals holds at the end? Without
 * goals: that no run gets to the end. */
void tp_chk_lemma_excluding(const tp_chk_step *s, const tp_chk_pointer_literal *literals, size_t n,
                            const tp_term *goals, size_t n_goals, bool *out);

#endif
