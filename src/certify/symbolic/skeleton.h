/* Boolean skeletons of queries: what propositional reasoning and equality alone show.
 *
 * What       satisfiability of flat facts in which every comparison is a Boolean symbol of its own;
 *            of symbols for equations it is known that equality is an equivalence, that constants
 *            differ, and that equals compare alike.
 * Represents an abstraction: a state that meets the facts gives the symbols their values. So UNSAT
 *            is right; SAT may be spurious.
 *            It is shown by a clause proof that was checked (unsat/clause_search.h).
 * Cost       a few hundred symbols where circuits for pointers have a hundred thousand gates. Laws
 *            of equality are added where a model breaks them. What takes more than
 *            SKELETON_CONFLICTS conflicts goes to a solver, with a proof as obligations have.
 * Ownership  the shared part remembers skeletons of terms across queries; a skeleton owns its
 *            search, and its solver.
 * Source     Bryant, German, Velev 2001 (equations as Boolean symbols); Barrett, Sebastiani,
 *            Seshia, Tinelli 2009, sec. 26.4 (lemmas on demand). */
#ifndef TP_CERTIFY_SYMBOLIC_SKELETON_H
#define TP_CERTIFY_SYMBOLIC_SKELETON_H

#include "certify/symbolic/obligation_solver.h"

typedef struct {
  tp_terms *tt;
  tp_map skeleton_of;           // flat Bool term -> its skeleton
  tp_map symbol_of, atom_of;    // comparison -> its symbol, and back
  tp_certify_proofs proofs;     // of skeletons without a model
  tp_certify_obligations *met;  // counted up; NULL: not counted
} tp_chk_skeletons;
void tp_chk_skeletons_init(tp_chk_skeletons *s, tp_terms *tt);
void tp_chk_skeletons_clear(tp_chk_skeletons *s);

typedef struct tp_chk_skeleton tp_chk_skeleton;
tp_chk_skeleton *tp_chk_skeleton_new(tp_chk_skeletons *shared);
void tp_chk_skeleton_free(tp_chk_skeleton *s);
/* The fact (flat) holds. */
void tp_chk_skeleton_add(tp_chk_skeleton *s, tp_term fact);
tp_smt_answer tp_chk_skeleton_check(tp_chk_skeleton *s);
/* Does it (flat, Bool) hold in the model that was found? Equations that no fact mentions hold as
 * far as the others show. */
bool tp_chk_skeleton_holds(tp_chk_skeleton *s, tp_term t);

#endif
