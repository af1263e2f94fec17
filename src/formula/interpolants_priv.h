/* Inside formula/interpolants: a sequence of blocks as literals, and values at cuts in terms of the
 * start.
 *
 * What       the conditions of all blocks as a list of literals (guard literals split into
 *            conjuncts, invariants of the cuts among them), each twice: over its own cut (`own`),
 *            and in terms of the state before the first block (`whole`). The conjunction of all
 *            `whole` is the path formula. `needed` marks those that a minimised core keeps: the
 *            generalised path.
 * Represents symbols of cut i have the values env[i], terms over the start and inputs that are
 *            renamed apart from block to block. */
#ifndef TP_FORMULA_INTERPOLANTS_PRIV_H
#define TP_FORMULA_INTERPOLANTS_PRIV_H

#include "formula/eliminate.h"
#include "formula/interpolants.h"

typedef struct {
  tp_term own, whole;
  bool needed;
  bool is_known;  // from the invariant of the block's first cut
} tp_itp_literal;

typedef struct {
  tp_paths *x;
  tp_terms *tt;
  const tp_path *blocks;  // block i leads from cut i to cut i + 1
  size_t n;
  const tp_term *invariants;  // n + 1, or NULL
  tp_itp_options o;
  double deadline;  // CPU seconds, 0: none
  TP_VEC(tp_itp_literal) literals;
  size_t *first;          // n + 1: literals of block i are first[i] .. first[i + 1]
  tp_map *env;            // n + 1: symbol -> its value at the cut
  tp_term_list *symbols;  // n + 1: symbols that conditions of later blocks look at
  // relations (interpolants_relate.c)
  bool is_wide;  // look at the whole path and for wide candidates at once, even where formulas are
                 // simple
  bool drifts;   // what later cuts took did not serve at some cut
  uint32_t n_fruitless;  // searches that found nothing
  double until;          // CPU seconds after which nobody searches, 0: none
} tp_itp;

// interpolants_chain.c
void tp_itp_open(tp_itp *s, tp_paths *x, const tp_path *blocks, size_t n, const tp_term *invariants,
                 tp_itp_options o);
void tp_itp_close(tp_itp *s);
bool tp_itp_late(const tp_itp *s);  // the net
/* A term over cut i in terms of the start; symbols that no later condition looks at are anything.
 */
tp_term tp_itp_at_cut(tp_itp *s, size_t cut, tp_term t);
/* Conjunction of the needed (or all) literals of the blocks before cut i, and of the invariant
 * there. */
tp_term tp_itp_prefix(tp_itp *s, size_t cut, bool all);
tp_term tp_itp_flat(tp_itp *s, tp_term t);  // reads through updates
/* The needed literals of block i over its own cut, flat: all, those of its guard, those of the
 * invariant (cut n: none); or all literals, needed or not. */
typedef enum { TP_ITP_BOTH, TP_ITP_GUARD, TP_ITP_KNOWN, TP_ITP_EVERY } tp_itp_part;
tp_term tp_itp_condition(tp_itp *s, size_t block, tp_itp_part part);
/* For each cut i what the needed literals from there on say of the state at it and inputs: n + 1
 * terms. */
void tp_itp_suffixes(tp_itp *s, tp_term *out);
/* For each cut the scalar variables and reads of memory that the needed literals from there on look
 * at: n + 1 lists. */
void tp_itp_columns(tp_itp *s, tp_term_list *out);
/* The scalar variables and reads in t that may occur in formulas at cuts; below a read its address
 * too. */
void tp_itp_reads(tp_itp *s, tp_term t, tp_term_list *out);
/* t over cut i + 1 in the state before block i, reads flat. */
tp_term tp_itp_before(tp_itp *s, size_t block, tp_term t);
/* In a fresh solver, with what is true of every state. rlimit 0: the options'. */
tp_smt_answer tp_itp_query(tp_itp *s, tp_term t, uint64_t rlimit);
static inline bool tp_itp_refutes(tp_itp *s, tp_term t) {
  return tp_itp_query(s, t, 0) == TP_SMT_UNSAT;
}
/* Is the symbol not allowed in formulas at cuts? */
bool tp_itp_is_inexpressible(void *paths, tp_term var);
tp_eliminator tp_itp_eliminator(tp_itp *s, uint32_t max_cubes);
/* t with inexpressible reads (start memory, addresses over variables to eliminate) replaced by
 * fresh variables to eliminate. */
tp_term tp_itp_abstract_reads(tp_itp *s, tp_term t);

// interpolants_core.c
/* Marks the needed literals. False: no proof that the whole is infeasible. */
bool tp_itp_find_core(tp_itp *s, tp_itp_answer *answer);

// interpolants_shapes.c
/* Relations that may hold at the cut, special ones last; state: solver with a model of the path up
 * to it. */
void tp_itp_candidates(tp_itp *s, size_t cut, tp_smt *state, tp_term shape, bool wide,
                       tp_term_list *out);

// interpolants_relate.c
/* A conjunction of simple relations that holds at the cut on the generalised path (or on the path
 * itself: then all literals before the cut become needed) and excludes `bad`; NONE: none was found.
 * shape: where the relations come from. chosen: those that later cuts took, tried first; updated.
 */
tp_term tp_itp_relate(tp_itp *s, size_t cut, tp_term shape, tp_term bad, tp_term_list *chosen);

/* UNSAT: every run of the block from `before` ends in `after`, if the invariants hold at both cuts.
 */
tp_smt_answer tp_itp_step(tp_itp *s, size_t block, tp_term before, tp_term after);
bool tp_itp_is_inductive(tp_itp *s, const tp_term *at);

// one file each
bool tp_itp_wp(tp_itp *s, tp_term *out, tp_str *why);
bool tp_itp_sp(tp_itp *s, tp_term *out, tp_str *why);
bool tp_itp_horn(tp_itp *s, bool integers, tp_term *out, tp_str *why);
bool tp_itp_atoms(tp_itp *s, tp_term *out, tp_str *why);

#endif
