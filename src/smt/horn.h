/* Linear Horn clauses on Z3's fixed-point engine (Spacer).
 *
 * What       systems of clauses with at most one relation in the body: is the query reachable, and
 *            if not, a formula for each relation (inductive invariants; along a chain a sequence of
 *            interpolants).
 * Represents a relation is a set of tuples; its columns have sorts BV, Bool or Int. A clause
 *            from(x) and constraint => to(y); all other variables of the constraint are inputs.
 * Ownership  a system owns its solver; terms are in the caller's table.
 * Errors     answers and formulas are the solver's word, in the encodings PLAIN even about another
 *            formula: callers check each formula before use. What cannot be done is UNKNOWN with a
 *            reason.
 * Source     Komuravelli, Gurfinkel, Chaki 2014, "SMT-based model checking for recursive programs"
 *            (Spacer). */
#ifndef TP_SMT_HORN_H
#define TP_SMT_HORN_H

#include "smt/integers.h"

typedef enum {
  TP_HORN_BITS,       // bit-vectors as they are
  TP_HORN_INTS,       // integers with exact wraps (smt/integers.h), few of them if bounds are known
  TP_HORN_INTS_PLAIN  // integers without wraps: the best source of relations, for candidates only
} tp_horn_encoding;

typedef struct {
  tp_horn_encoding encoding;
  uint64_t rlimit;  // solver steps, 0: none; machine-independent
  double cpu_s;     // net only; 0: none
  tp_integers_to_bits_mode
      back;  // integers: how equations come back; EXACT keeps sequences valid, MODULAR is shorter
} tp_horn_options;

typedef enum { TP_HORN_REACHABLE, TP_HORN_UNREACHABLE, TP_HORN_UNKNOWN } tp_horn_answer;

// -------------------------------------------------------------------- systems

typedef struct tp_horn tp_horn;
typedef struct {
  uint32_t id;
} tp_horn_relation;  // 0: none
#define TP_HORN_RELATION_NONE ((tp_horn_relation){0})

tp_horn *tp_horn_new(tp_terms *tt, tp_horn_options options);
void tp_horn_free(tp_horn *h);
/* vars: distinct variables, one for each column; formulas about the relation are over them. */
tp_horn_relation tp_horn_add_relation(tp_horn *h, const tp_term *vars, size_t n);
/* from(x) and constraint => to(y). from NONE: true => ...; to NONE: the query. x and y: as many
 * terms as the relation has columns, of the same sorts; NULL: the relation's own variables. */
void tp_horn_add_clause(tp_horn *h, tp_horn_relation from, const tp_term *x, tp_term constraint,
                        tp_horn_relation to, const tp_term *y);
/* Can the query be derived? Clauses and relations may be added before, not after. */
tp_horn_answer tp_horn_solve(tp_horn *h);
/* After UNREACHABLE: what holds of all tuples, over the relation's variables; NONE: it cannot be
 * read back. */
tp_term tp_horn_invariant(tp_horn *h, tp_horn_relation r);
/* From now on invariants come back this way. */
void tp_horn_set_to_bits(tp_horn *h, tp_integers_to_bits_mode back);
const char *tp_horn_reason(const tp_horn *h);  // after UNKNOWN

// --------------------------------------------------------------------- chains

/* Blocks 0 .. n_blocks-1 between cuts 0 .. n_blocks. Block i is a formula over the variables of cut
 * i, those of cut i+1 and inputs of its own. The same variable at both cuts is not changed by the
 * block. */
typedef struct {
  size_t n_blocks;
  const tp_term *blocks;
  const tp_term *const *cuts;  // cuts[i][0 .. n_cut[i])
  const size_t *n_cut;
} tp_horn_chain;

typedef struct {
  TP_VEC(tp_term)
  at;  // UNREACHABLE: one formula per cut over its variables, the first true, the last false
  TP_VEC(tp_term)
  bounds;            // per cut: what intervals say (true in BITS). at[i] and bounds[i] together are
                     // inductive; at[i] alone nearly always, and says more
  size_t n_wraps;    // INTS: wraps left
  char reason[160];  // UNKNOWN
} tp_horn_sequence;
/* Is there a run through all blocks? */
tp_horn_answer tp_horn_solve_chain(tp_terms *tt, tp_horn_options options,
                                   const tp_horn_chain *chain, tp_horn_sequence *out);
void tp_horn_sequence_clear(tp_horn_sequence *s);

#endif
