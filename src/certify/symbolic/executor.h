/* Symbolic execution of segments: all paths from a cutpoint to the next ones; those that meet in
 * between become one.
 *
 * What       a symbolic state of all frames of a context, the edges of the program on it, and what
 *            is known on the path there.
 * Represents every run that is at the start in a state that meets what was assumed there: the
 *            program's own symbols are the values at the start; a value later on is a term over
 *            them and over symbols for inputs.
 * Law        what is known on a path (facts) is true of every run that takes it; what a value is
 *            not known to be it may be. A fault of this law could let a wrong certificate pass;
 *            everything else costs only an answer.
 * Cost       a step for each edge, since paths that meet are merged (merge_paths.c) in the order of
 * the worklist; a fact that is on the path already proves itself; everything else is one question
 * to one solver. Source     doc/semantics.md, doc/certificates.md. */
#ifndef TP_CERTIFY_SYMBOLIC_EXECUTOR_H
#define TP_CERTIFY_SYMBOLIC_EXECUTOR_H

#include "certify/symbolic/foreign_values.h"
#include "certify/symbolic/worklist.h"
#include "certify/certify.h"
#include "certify/inductive/disjuncts.h"
#include "certify/inductive/universal.h"
#include "certify/symbolic/ackermann.h"
#include "certify/symbolic/fold_facts.h"
#include "certify/symbolic/obligation_solver.h"
#include "certify/symbolic/relevant_facts.h"
#include "certify/symbolic/store_history.h"
#include "certify/symbolic/skeleton.h"
#include "program/effects.h"
#include "program/locals.h"
#include "smt/smt.h"

/* Ids that may exist when a segment starts, or that a call leaves behind: what the segment makes
 * itself fits above. */
#define TP_MOST_OBJECTS 0xff000000u

typedef enum { TP_CHANGE_VALUE, TP_CHANGE_FACT, TP_CHANGE_CONJUNCTION } tp_chk_change_kind;
typedef struct {
  uint32_t parent, depth;
  tp_chk_change_kind kind;
  uint32_t slot;  // VALUE
  tp_chk_value value, before;
  tp_term fact;  // FACT; CONJUNCTION: that of the facts that follow
  tp_term path;  // conjunction of all facts up to here; NONE: not computed yet
} tp_chk_change;

typedef struct {
  uint32_t next;
  uint64_t place;  // context << 32 | location
} tp_chk_back_move;

/* An object that stands for "there is one" (leak_witness.h). */
typedef struct {
  tp_term condition;             // if it holds ...
  tp_term is_live;               // ... the object was live when it was asked for,
  uint32_t first_root, n_roots;  // ... and no path through the heap led to it from these pointers
                                 // (leak_roots; none: that is not claimed)
  tp_term at;                    // the object's start
  uint32_t memory, ghosts;       // of the history, when it was asked for
} tp_chk_leak_witness;

/* What a walk is for (doc/certificates.md, k-induction). INVARIANTS: from each cutpoint to the next
 * ones, where the formulas must hold; with one step errors are excluded there, too. BASE: from the
 * start through k - 1 cutpoints, no error. STEP: from each cutpoint through k - 1 others, no error
 * behind the last. The latter two rest on the first: formulas hold at cutpoints, and what it found
 * unreachable is so. */
typedef enum { TP_CHK_CONSECUTION, TP_CHK_BASE_CASE, TP_CHK_STEP_CASE } tp_chk_obligation;

typedef struct tp_chk_exec {
  const tp_program *p;
  tp_terms *tt;
  tp_property prop;
  tp_chk_cert *cert;
  const tp_certify_limits *limits;
  tp_certify_report *report;
  tp_chk_obligation obligation;
  tp_chk_solver *solver;
  tp_chk_disjuncts *disjuncts;
  tp_chk_history history;
  tp_chk_ackermann ackermann;
  tp_chk_skeletons skeletons;
  tp_chk_relevance relevance;
  tp_chk_value *values;  // by slot (tp_chk_slot_of); term NONE: the variable's own symbol
  uint32_t n_values;
  tp_locals locals;               // globals and ghosts: those of function 0
  TP_VEC(tp_chk_change) changes;  // a tree; [0] is the start
  uint32_t top;                   // of it: the state that values and facts show
  TP_VEC(tp_term) facts;          // conjuncts
  tp_map fact_at;         // term -> its number among the facts + 1 (counts if it is still that)
  tp_chk_states pending;  // edges from the place where the walk is
  tp_chk_states arrived;  // paths that have come to one place
  tp_chk_worklist worklist;
  TP_VEC(tp_chk_back_move) back_moves;  // lists; [0] unused
  bool cutpoint_at_head, cutpoint_at_entry,
      cutpoint_at_join;  // is there a cutpoint at the head of some loop, ...?
  tp_chk_state state;
  bool dead;                           // no run gets here
  tp_chk_foreign foreign;              // pointers that may come from outside of the program
  tp_effects effects;                  // of functions that are called by contract
  bool repeats_locals;                 // the declaration of a local object may be executed again
  tp_map listed;                       // call << 32 | edge -> it is an assumption already
  tp_certify_result result;            // ACCEPTED as long as nothing is wrong
  tp_chk_state start;                  // of the segment, for messages
  struct tp_chk_unrolling *unrolling;  // NULL: a certificate of invariants
  tp_stats *stats;
  uint64_t edges, queries, max_edges;
  double start_cpu_s;
  TP_VEC(tp_chk_leak_witness) witnesses;
  tp_term_list leak_roots;  // values of the roots of all witnesses, by witness
  struct tp_chk_shape_start *
      shape;  // what graphs say of the start (shapes/shape_check.h); NULL: the certificate has none
  tp_chk_universals universals;  // of the start of this segment
  tp_chk_fold_functions folds;   // that were read, of all states
  tp_term cell_symbol, cell;     // in a formula the symbol stands for this address; NONE: none does
} tp_chk_exec;

// executor.c
void tp_chk_exec_init(tp_chk_exec *g, const tp_program *p, tp_property prop, tp_chk_cert *cert,
                      const tp_certify_limits *limits, tp_stats *stats, tp_certify_report *report);
/* Where the variable's value is in the current context: in recursion each activation of a function
 * has its own. */
uint32_t tp_chk_slot_of(tp_chk_exec *g, tp_var v);
tp_chk_value tp_chk_slot_value(tp_chk_exec *g, uint32_t slot);
void tp_chk_exec_clear(tp_chk_exec *g);
/* At this place, with nothing known but what the model guarantees. from_beginning: the program
 * starts. */
void tp_chk_exec_begin(tp_chk_exec *g, uint32_t context, tp_loc loc, bool from_beginning);
/* Walk every path from here; arrives: cutpoints, errors and exits count at the first place already.
 */
void tp_chk_exec_run(tp_chk_exec *g, bool arrives);
/* The check is lost or cannot be decided: the first reason stays. */
void tp_chk_exec_fail(tp_chk_exec *g, tp_certify_result result, tp_loc at, const char *what);
void tp_chk_assume(tp_chk_exec *g, tp_term fact);  // adds it, conjunct by conjunct
tp_term tp_chk_exec_nondet(tp_chk_exec *g, tp_sort s);
tp_chk_value tp_chk_exec_get(tp_chk_exec *g, tp_var v);
void tp_chk_exec_set(tp_chk_exec *g, tp_var v, tp_chk_value value);
bool tp_chk_is_assumed(const tp_chk_exec *g, tp_term t);  // it is one of the facts
/* Go on later, from the state that is now, with this edge. */
void tp_chk_exec_postpone(tp_chk_exec *g, tp_edge e, tp_func callee);
void tp_chk_exec_set_obligation(tp_chk_exec *g, tp_chk_obligation purpose);
/* A place that no run may get to, seen to when invariants are; the path ends. */
void tp_chk_require_unreachable(tp_chk_exec *g, tp_certify_result otherwise, const char *what);
/* One of the goals must hold here, seen to when invariants are. */
void tp_chk_require_one_of(tp_chk_exec *g, const tp_term *goals, uint32_t n, const char *what);

// merge_paths.c
void tp_chk_paths_restart(tp_chk_exec *g);
void tp_chk_paths_assign(tp_chk_exec *g, uint32_t slot, tp_chk_value value);
void tp_chk_paths_add_fact(tp_chk_exec *g, tp_term fact);
void tp_chk_paths_add_conjunction(tp_chk_exec *g, tp_term conjunction);  // its facts follow
/* The state that is now, to come back to. */
tp_chk_state tp_chk_paths_current(const tp_chk_exec *g);
void tp_chk_paths_switch_to(tp_chk_exec *g, const tp_chk_state *m);
/* The path condition: all facts of the current state. */
tp_term tp_chk_paths_condition(tp_chk_exec *g);
/* Lists of places that paths turned to. */
bool tp_chk_paths_has_back_move(const tp_chk_exec *g, uint32_t list, uint64_t place);
uint32_t tp_chk_paths_add_back_move(tp_chk_exec *g, uint32_t list, uint64_t place);
/* All paths, at one place, become one; the state is that, and it is given back. Changes `paths`. */
tp_chk_state tp_chk_paths_merge(tp_chk_exec *g, tp_chk_states *ways);

// assume_cutpoint.c
/* The formula holds here, at the start of a segment. */
void tp_chk_assume_cutpoint_formula(tp_chk_exec *g, tp_term formula);

// exec_edges.c
/* Take the edge; false: the path ends, or goes on later. callee: of a call through a pointer that
 * was put off. */
bool tp_chk_exec_edge(tp_chk_exec *g, tp_edge e, tp_func callee);

// prove.c
typedef enum { TP_CHK_PROVED, TP_CHK_REFUTED, TP_CHK_UNKNOWN } tp_chk_answer;
/* Does one of the goals hold in every state that is here? */
tp_chk_answer tp_chk_prove(tp_chk_exec *g, const tp_term *goals, size_t n);
/* The same, without what graphs say of the start. */
tp_chk_answer tp_chk_prove_without_graphs(tp_chk_exec *g, const tp_term *goals, size_t n);
/* The same of one goal that need not be shown: where equality and propositional reasoning exclude
 * it no solver is asked, and the answer is REFUTED. */
tp_chk_answer tp_chk_prove_unless_excluded(tp_chk_exec *g, tp_term goal);
/* Does no run get here? */
tp_chk_answer tp_chk_prove_unreachable(tp_chk_exec *g);

/* Is every state excluded in which one of the conditions holds? first: on REFUTED one that holds.
 */
tp_chk_answer tp_chk_exclude(tp_chk_exec *g, const tp_term *conditions, size_t n, size_t *first);

/* A question that grows: is there a state here in which all that was added holds? It is asked of a
 * skeleton (skeleton.h), which may find states that there are not, until it is to be exact. */
typedef struct tp_chk_query tp_chk_query;
tp_chk_query *tp_chk_query_new(tp_chk_exec *g);
void tp_chk_query_assert(tp_chk_query *q,
                         tp_term fact);  // counts from the next time that it is asked
void tp_chk_query_be_exact(tp_chk_query *q);
bool tp_chk_query_is_exact(const tp_chk_query *q);
tp_smt_answer tp_chk_query_check(tp_chk_query *q);
bool tp_chk_query_holds(tp_chk_query *q, tp_term t);  // Bool, in the state that was found
void tp_chk_query_free(tp_chk_query *q);

// eval_terms.c
/* A term of an edge: as C means it, where the equality of pointers may be open. */
tp_chk_value tp_chk_eval_edge_term(tp_chk_exec *g, tp_term t);
/* What an edge reads at this address: where memory marks what nobody has written, a number is any
 * pointer (store_history.h). */
tp_chk_value tp_chk_eval_load(tp_chk_exec *g, tp_term at, tp_sort s);
/* A formula of the certificate: as the model means it. */
tp_term tp_chk_eval_formula(tp_chk_exec *g, tp_term t);

// exec_memory.c
/* Memory edges. What makes the operation valid is known behind it, and an assumption if it is not
 * certain. */
void tp_chk_exec_memory_edge(tp_chk_exec *g, tp_edge e);
/* followed: the operand of the edge that is followed as a pointer, NONE: none is. Where it may be
 * foreign, no assumption but the end of the check. */
void tp_chk_assume_defined(tp_chk_exec *g, tp_edge e, tp_term holds, tp_term followed);

#endif
