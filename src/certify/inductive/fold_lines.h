/* Folds: functions of the state that go over indices, such as the sum of the first x cells of an
 * array. A line `fold K STEP` defines one, formulas read it as (SELECT (fold K) INDEX).
 *
 * What       F(0) = STEP(0, 0), F(x) = STEP(x, F(x - 1)): STEP is a term over the state, (index
 *            SORT), which is x, and (before SORT), which is F(x - 1), or 0 where x is 0. Indices
 *            are unsigned numbers of their width.
 * Represents for each state one function: the recursion is well-founded, so it exists and is
 *            unique, whatever STEP is. Steps that are the same term over the start of a segment
 *            define the same function there.
 * Law        what is said of a fold is its definition at an index, or follows from it by induction
 *            over the index (symbolic/fold_facts.h); leaving some of it out loses an answer.
 * Steps      are bit-vectors over variables and cells of memory; no pointer is made of an integer
 *            (each index could give another one), no ghost, no other fold.
 * Source     ours; accumulators as ghost arrays: McCarthy 1962, Leino, Monahan 2009 (comprehensions
 *            as recursive functions). */
#ifndef TP_CERTIFY_INDUCTIVE_FOLDS_H
#define TP_CERTIFY_INDUCTIVE_FOLDS_H

#include "certify/inductive/inductive_cert.h"
#include "term/text.h"

/* Names in the text of the certificate: those of the program, (fold K), and in a step (index SORT)
 * and (before SORT). */
typedef struct {
  const tp_program *p;
  tp_chk_cert *e;
  bool is_step;
} tp_chk_fold_names;
tp_text_vars tp_chk_fold_text_vars(tp_chk_fold_names *names);

/* Adds the fold of this step. NULL, or what is wrong with it. */
const char *tp_chk_folds_add(tp_chk_cert *e, const tp_program *p, tp_term step) TP_MUST_USE;

/* The fold of which this is the symbol; NULL: none. */
const tp_chk_fold *tp_chk_fold_of(const tp_chk_cert *e, tp_term symbol);
/* Does t read a fold? */
bool tp_chk_folds_are_read(const tp_chk_cert *e, const tp_terms *tt, tp_term t);
/* Is t (index SORT) or (before SORT)? */
bool tp_chk_fold_is_place(const tp_chk_cert *e, tp_term t);

#endif
