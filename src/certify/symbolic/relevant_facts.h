/* Relevant facts: those that share symbols with a goal, directly or through other facts.
 *
 * What       which of the facts of a path a question has to mention at first.
 * Represents a choice only: a question without some facts is weaker, so UNSAT is right, and every
 *            other answer is asked again with all of them.
 * Cost       the symbols of a fact are listed once (up to RELEVANT_SYMBOLS of them); a choice takes
 *            time linear in the lists.
 * Ownership  the lists are freed by clear.
 * Source     cone of influence, as for clauses: Hoder, Voronkov 2011, "Sine Qua Non". */
#ifndef TP_CERTIFY_SYMBOLIC_RELEVANT_FACTS_H
#define TP_CERTIFY_SYMBOLIC_RELEVANT_FACTS_H

#include "term/term.h"

typedef struct {
  const tp_terms *tt;
  tp_map list_of;  // term -> where its list starts in `symbols`, which is with its length
  TP_VEC(uint32_t) symbols;
  TP_VEC(uint32_t) todo;
} tp_chk_relevance;
void tp_chk_relevance_init(tp_chk_relevance *r, const tp_terms *tt);
void tp_chk_relevance_clear(tp_chk_relevance *r);

/* relevant[i] (n of them, filled in): may fact i bear on the goals? Returns how many may. Without a
 * symbol in the goals the last fact takes their place: what makes a path impossible is often the
 * last condition on it. */
size_t tp_chk_relevant_facts(tp_chk_relevance *r, const tp_term *facts, size_t n,
                             const tp_term *goals, size_t n_goals, bool *relevant);

#endif
