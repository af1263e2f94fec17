/* Statements about all elements of all heaps that are here, or were at the start, each shown by one
 * search.
 *
 * What       what a step makes of predicates, rules, what excludes a state.
 * Law        true: it was proved. False: it may be true nevertheless.
 * Cost       a search each, by sketches alone: of what needs circuits the check of single graphs
 *            takes care (shape.h). */
#ifndef TP_CERTIFY_SHAPES_LEMMAS_H
#define TP_CERTIFY_SHAPES_LEMMAS_H

#include "certify/shapes/shape.h"

/* What a pointer of the class leads to at the start: null, something, an element of which predicate
 * k has this value, a cell that was not freed, one whose field k (a predicate) leads to no
 * stranger. */
typedef enum {
  TP_CLIT_NULL,
  TP_CLIT_SOMETHING,
  TP_CLIT_VALUE,
  TP_CLIT_LIVE,
  TP_CLIT_FIELD
} tp_cliteral_kind;
typedef struct {
  tp_cliteral_kind kind;
  uint32_t pointer, k;  // predicates
  bool value;           // VALUE
} tp_cliteral;

/* A step of a class's heap: from the start of the segment to here. fresh: addresses of what may be
 * elements here and not at the start: a cell that the step made (always an element), the value of
 * pointers that nobody has written. */
enum { TP_MOST_FRESH = 2, TP_OLD = -1 };
typedef struct {
  tp_chk_exec *g;
  uint32_t number;  // of the class
  tp_term fresh[TP_MOST_FRESH];
  bool is_made[TP_MOST_FRESH];
  int n_fresh;
} tp_cstep;

/* Which elements may be fresh? False: it is not known that they are these. */
bool tp_clemma_see_fresh(tp_cstep *s);
/* A guess: of elements that are here and were at the start, the predicate is now what the formula
 * was; where that is open, nothing is claimed. Of a pointer's predicate also of strangers of the
 * start that are not here any more: so where the formula is 1 they are. */
typedef struct {
  uint32_t predicate;
  const tp_cformula *formula;
} tp_cguess;
/* How much is tried: BITS takes longer by far, and is right about arithmetic. */
typedef enum { TP_CDEPTH_SKETCH, TP_CDEPTH_BITS } tp_cdepth;
/* Which guesses are true? All are of predicates of this arity. */
void tp_clemma_old(const tp_cstep *s, uint32_t arity, const tp_cguess *guesses, size_t n,
                   tp_cdepth depth, bool *out);
/* By predicate of this arity: one of which it shows without a search that the predicate is now what
 * that one was; 0: none. */
void tp_clemma_same(const tp_cstep *s, uint32_t arity, uint32_t *out);
/* The same of fresh element a, if it is fresh (for predicates of two: and b; TP_OLD for one of
 * them: any other element, which is the formulas' variable 0). */
void tp_clemma_fresh(const tp_cstep *s, int a, int b, const tp_cguess *guesses, size_t n,
                     tp_cdepth depth, bool *out);
/* The rule holds in every heap that is here. */
bool tp_clemma_rule(const tp_cstep *s, const tp_crule *r);
/* Which literals are such that, where one held at the start, one of the goals holds here; without
 * goals: no run gets here. */
void tp_clemma_excluders(const tp_cstep *s, const tp_cliteral *literals, size_t n,
                         const tp_term *goals, size_t n_goals, bool *out);

#endif
