/* Bit-blasting: from terms to circuits.
 *
 * What       the circuit of a term of Bool, bit-vectors, and arrays of them; definitions are
 *            substituted.
 * Represents under every assignment of the inputs, the literals of a term have the bits of its
 *            value, for the values of variables that the inputs stand for. Arrays: writes are
 *            resolved where they are read, what is left are reads of variables (reads.h), for whose
 *            consistency the user of the circuit cares.
 * Invariants a variable has the same inputs each time it is an input. A fact "x = t" taken as a
 *            definition holds until the level on which it was taken is popped; then all circuits
 *            since are forgotten (not their gates: made again, they are the same).
 * Ownership  borrows terms and gates. Levels nest; a level costs what was translated in it.
 * Source     Kroening & Strichman, ch. 6; Stump et al. 2001 (arrays). */
#ifndef TP_CIRCUIT_BLAST_H
#define TP_CIRCUIT_BLAST_H

#include "circuit/reads.h"
#include "term/term.h"

typedef struct tp_blast tp_blast;
typedef TP_VEC(tp_lit) tp_lits;

tp_blast *tp_blast_new(tp_terms *tt, tp_gates *g);
void tp_blast_free(tp_blast *b);

/* Why this term has no circuit, as static text; NULL: it has one. */
const char *tp_blast_unsupported(tp_blast *b, tp_term t);

void tp_blast_push(tp_blast *b);
void tp_blast_pop(tp_blast *b);
/* Literals that say that all these facts hold (requires: not refused). Facts that can be taken as
 * definitions of variables which no circuit of this level or below knows are taken, and leave no
 * literal. False: the circuit becomes too large. */
bool tp_blast_facts(tp_blast *b, const tp_term *facts, size_t n, tp_lits *out) TP_MUST_USE;
/* The circuit of a scalar term (requires: not refused): as many literals as it is wide. False as
 * above. */
bool tp_blast_term(tp_blast *b, tp_term t, tp_lit *out) TP_MUST_USE;

/* Give the equalities of arrays their meaning, before solving. False as above. */
bool tp_blast_constrain_equalities(tp_blast *b, tp_sat *sat) TP_MUST_USE;
tp_reads *tp_blast_reads(tp_blast *b);
/* The value of a variable, array or not, in a consistent solution. */
tp_value tp_blast_value(tp_blast *b, tp_sat *sat, tp_term var, tp_arena *arena);

#endif
