/* Universal facts: conjuncts (FORALL N body) of a cutpoint's formula, about all values of an index.
 *
 * What       as a goal a universal fact is shown for an index symbol of which nothing is known, so
 *            for every value; as a hypothesis it is used for that symbol and for the indices at
 *            which it speaks of a cell that a question reads. No solver sees a quantifier.
 * Law        an index symbol is in no fact but instances of universal facts, so what is shown with
 *            it holds of all its values; an instance of what holds for all values holds, whichever
 *            value was chosen. Choosing too few of them loses an answer, never makes a wrong one.
 * Bodies     of the start of a segment: terms over the state there, computed before anything is
 *            assumed about an index symbol. They are forgotten when another segment begins.
 * Cost       for each read of memory at the start and each cell of a body one instance, in
 *            TP_CERTIFY_INSTANCE_ROUNDS rounds.
 * Source     instances at the indices read and written: Bradley, Manna, Sipma 2006 (array property
 *            fragment); the symbol: Skolem. */
#ifndef TP_CERTIFY_INDUCTIVE_UNIVERSAL_H
#define TP_CERTIFY_INDUCTIVE_UNIVERSAL_H

#include "certify/inductive/inductive_cert.h"

typedef struct {
  tp_term_list bodies;  // of this segment's start, over index symbols
} tp_chk_universals;

/* Reading: t with its conjuncts (FORALL N body) replaced by body over the certificate's symbol of
 * index N. False: a quantifier elsewhere, or an index that is no bit-vector. */
bool tp_chk_universal_open(tp_chk_cert *e, tp_terms *tt, tp_term t, tp_term *open) TP_MUST_USE;
/* Is t one of the index symbols? Does one of them occur in t? */
bool tp_chk_universal_is_index(const tp_chk_cert *e, tp_term t);
bool tp_chk_universal_speaks_of_all(const tp_chk_cert *e, const tp_terms *tt, tp_term t);

/* The conjuncts of t without index symbols, and the others. */
tp_term tp_chk_universal_split(const tp_chk_cert *e, tp_terms *tt, tp_term t, tp_term *others);

/* Appends what the bodies say at the indices for which they speak of the cell that `read`, (SELECT
 * (memory SORT) POINTER), reads at the start. */
void tp_chk_universal_instances(const tp_chk_universals *u, const tp_chk_cert *e,
                                const tp_program *p, tp_term read, tp_term_list *out);
/* Appends what instances that still speak of an index say where they speak of the cells that the
 * first n_reads of `reads` read: facts about two indices at two places. Instances of what holds for
 * all values of both. At most `most` instances. */
void tp_chk_universal_rest(const tp_chk_cert *e, const tp_program *p, const tp_term_list *reads,
                           size_t n_reads, size_t most, tp_term_list *instances);
/* The value of the index for which the equation of two numbers holds, where the index has one
 * multiple in it. A guess: nothing rests on it. False: none is found. */
bool tp_chk_universal_index_where(tp_terms *tt, tp_term equation, tp_term index, tp_term *out);
void tp_chk_universals_clear(tp_chk_universals *u);

#endif
