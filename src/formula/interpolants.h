/* Interpolants: why a sequence of blocks cannot be run through, as one formula at each cut.
 *
 * What       for blocks B_1 .. B_n whose sequence no run takes: formulas I_0 = true, I_1, ..., I_n
 *            = false over the state at the cuts, such that every run of B_i from I_(i-1) ends in
 *            I_i. Several sources; the caller tries them in order.
 * Represents a proof that this sequence is infeasible; its atoms are the predicates of a
 * refinement.
 * Method     literals of all block conditions, minimised to a core (interpolants_core.c); what the
 *            core leaves of each block is the generalised path, which the sources work on. The
 *            preconditions of WP take simple relations for long formulas where these hold on the
 *            path (interpolants_relate.c).
 * Law        no sequence is handed out unless every step was checked by the solver, in bit-vectors,
 *            in a fresh question; formulas speak only of symbols that certificates may speak of
 *            (tp_paths_is_expressible). A source that fails gives the reason.
 * Source     Craig 1957; Theoduloz 2010, sec. 5.3.2 (inductive sequence, Clean, Atoms); we differ:
 *            sequences come from unsatisfiable cores (Christ, Hoenicke 2016: generalised path, post
 *            and pre) and from Horn clauses. */
#ifndef TP_FORMULA_INTERPOLANTS_H
#define TP_FORMULA_INTERPOLANTS_H

#include "diag/stats.h"
#include "formula/path.h"

/* WP: preconditions of what the core leaves; SP: postconditions of it; HORN: one Horn clause for
 * each block, Z3's engine; HORN_INTEGERS: the same in the wrap-exact integer encoding; ATOMS: the
 * syntactic atoms of the core's guards, as far as they are inductive. */
typedef enum {
  TP_ITP_WP,
  TP_ITP_SP,
  TP_ITP_HORN,
  TP_ITP_HORN_INTEGERS,
  TP_ITP_ATOMS,
  TP_N_ITP
} tp_itp_source;
const char *tp_itp_name(tp_itp_source s);  // "wp", "sp", "horn", "horn-integers", "atoms"
bool tp_itp_parse(const char *name, tp_itp_source *out);

typedef struct {
  const char *backend;  // of the solver; NULL: default
  uint64_t rlimit;      // per question, 0: default
  double cpu_s;         // net for the whole call, 0: none
  tp_stats *stats;      // may be NULL
} tp_itp_options;

typedef enum { TP_ITP_INFEASIBLE, TP_ITP_FEASIBLE, TP_ITP_UNKNOWN } tp_itp_answer;
/* Is there a run through all blocks, one after the other, from any state? (For runs of the program
 * let the first block begin with tp_path_start.) FEASIBLE: for path formulas, which allow more than
 * the program does. */
tp_itp_answer tp_itp_feasible(tp_paths *x, const tp_path *blocks, size_t n, tp_itp_options o);
/* out: n + 1 formulas, I_0 .. I_n. invariants (n + 1 terms, or NULL): known to hold at the cuts;
 * assumed at both ends of each step, not repeated in out. False: this source gives none; why says
 * why. */
bool tp_itp_sequence(tp_paths *x, const tp_path *blocks, size_t n, const tp_term *invariants,
                     tp_itp_source source, tp_itp_options o, tp_term *out, tp_str *why);
/* Does every run of the block from `before` end in `after`? The check that each sequence passes. */
bool tp_itp_holds(tp_paths *x, const tp_path *block, tp_term before, tp_term after,
                  tp_itp_options o);

/* Appends the atoms of t, each once, negations stripped, equations and orders as they stand. */
typedef TP_VEC(tp_term) tp_atoms;
void tp_atoms_of(const tp_terms *tt, tp_term t, tp_atoms *out);

#endif
