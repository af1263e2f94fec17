/* Segments: all ways from a label to the next ones; those that meet in between become one.
 *
 * What       a symbolic state of all frames of a context, the edges of the program on it, and what
 *            is known on the way there.
 * Represents every run that is at the start in a state that meets what was assumed there: the
 * program's own symbols are the
 *            values at the start; a value later on is a term over them and over symbols for inputs.
 * Law        what is known on a way (facts) is true of every run that takes it; what a value is not
 *            known to be it may be. A fault of this law could let a wrong certificate pass;
 *            everything else costs only an answer.
 * Cost       a step for each edge, since ways that meet are merged (ways.c) in the order of the
 *            agenda; a fact that is on the way already proves itself; everything else is one
 *            question to one solver.
 * Source     doc/semantics.md, doc/certificates.md. Independent of walk.c and heap.c. */
#ifndef TP_CERTIFY_INDUCTIVE_SEGMENT_H
#define TP_CERTIFY_INDUCTIVE_SEGMENT_H

#include "certify/inductive/agenda.h"
#include "certify/certify.h"
#include "certify/inductive/choices.h"
#include "certify/inductive/entries.h"
#include "certify/symbolic/flat.h"
#include "certify/symbolic/past.h"
#include "certify/symbolic/sketch.h"
#include "program/locals.h"
#include "smt/smt.h"

/* Ids that may exist when a segment starts, or that a call leaves behind: what the segment makes
 * itself fits above. */
#define TP_MOST_OBJECTS 0xff000000u

typedef enum { TP_CHANGE_VALUE, TP_CHANGE_FACT, TP_CHANGE_WHOLE } tp_cchange_kind;
typedef struct {
  uint32_t parent, depth;
  tp_cchange_kind kind;
  tp_var var;  // VALUE
  tp_cvalue value, before;
  tp_term fact;  // FACT; WHOLE: the conjunction of those that follow
} tp_cchange;

typedef struct {
  uint32_t next;
  uint64_t place;  // context << 32 | location
} tp_cturn;

/* An object that stands for "there is one" (leaks.h). */
typedef struct {
  tp_term condition;  // if it holds ...
  tp_term is_live;    // ... the object was live when it was asked for
} tp_cwitness;

/* What a walk is for (doc/certificates.md, k-induction). INVARIANTS: from each label to the next
 * ones, where the formulas must hold; with one step errors are excluded there, too. BASE: from the
 * start through k - 1 labels, no error. STEP: from each label through k - 1 others, no error behind
 * the last. The latter two rest on the first: formulas hold at labels, and what it found
 * unreachable is so. */
typedef enum { TP_WALK_INVARIANTS, TP_WALK_BASE, TP_WALK_STEP } tp_cpurpose;

typedef struct tp_csegment {
  const tp_program *p;
  tp_terms *tt;
  tp_property prop;
  const tp_entries *entries;
  const tp_certify_limits *limits;
  tp_certify_report *report;
  tp_cpurpose purpose;
  tp_smt *solver;
  tp_cchoices *choices;
  tp_cpast past;
  tp_cflat flat;
  tp_csketches sketches;
  tp_cvalue *values;           // by variable; term NONE: the variable's own symbol
  tp_locals locals;            // globals and ghosts: those of function 0
  TP_VEC(tp_cchange) changes;  // a tree; [0] is the start
  uint32_t top;                // of it: the state that values and facts show
  TP_VEC(tp_term) facts;       // conjuncts
  tp_map fact_at;       // term -> its number among the facts + 1 (counts if it is still that)
  tp_cmoments pending;  // edges from the place where the walk is
  tp_cmoments meeting;  // ways that have come to one place
  tp_cagenda agenda;
  TP_VEC(tp_cturn) turned;                      // lists; [0] unused
  bool labels_head, labels_entry, labels_join;  // is there a label at the head of some loop, ...?
  tp_cmoment now;
  bool dead;                 // no run gets here
  bool has_foreign;          // pointers may come from outside of the program
  bool repeats_locals;       // the declaration of a local object may be executed again
  tp_map listed;             // call << 32 | edge -> it is an assumption already
  tp_certify_result result;  // ACCEPTED as long as nothing is wrong
  tp_cmoment start;          // of the segment, for messages
  uint64_t edges, questions, max_edges;
  double start_cpu_s;
  TP_VEC(tp_cwitness) witnesses;
  struct tp_cshape
      *shape;  // what graphs say of the start (shape.h); NULL: the certificate has none
  tp_term cell_symbol, cell;  // in a formula the symbol stands for this address; NONE: none does
} tp_csegment;

// segment.c
void tp_csegment_init(tp_csegment *g, const tp_program *p, tp_property prop, const tp_entries *e,
                      const tp_certify_limits *limits, tp_stats *stats, tp_certify_report *report);
void tp_csegment_clear(tp_csegment *g);
/* At this place, with nothing known but what the model guarantees. from_beginning: the program
 * starts. */
void tp_csegment_begin(tp_csegment *g, uint32_t context, tp_loc loc, bool from_beginning);
/* Walk every way from here; arrives: labels, errors and exits count at the first place already. */
void tp_csegment_walk(tp_csegment *g, bool arrives);
/* The check is lost or cannot be decided: the first reason stays. */
void tp_csegment_fail(tp_csegment *g, tp_certify_result result, tp_loc at, const char *what);
void tp_csegment_know(tp_csegment *g, tp_term fact);  // adds it, conjunct by conjunct
tp_term tp_csegment_fresh(tp_csegment *g, tp_sort s);
tp_cvalue tp_csegment_get(tp_csegment *g, tp_var v);
void tp_csegment_set(tp_csegment *g, tp_var v, tp_cvalue value);
bool tp_csegment_knows(const tp_csegment *g, tp_term t);  // it is one of the facts
/* Go on later, from the state that is now, with this edge. */
void tp_csegment_put_off(tp_csegment *g, tp_edge e, tp_func callee);
void tp_csegment_set_purpose(tp_csegment *g, tp_cpurpose purpose);
/* A place that no run may get to, seen to when invariants are; the way ends. */
void tp_csegment_must_be_unreachable(tp_csegment *g, tp_certify_result otherwise, const char *what);
/* One of the goals must hold here, seen to when invariants are. */
void tp_csegment_must_hold(tp_csegment *g, const tp_term *goals, uint32_t n, const char *what);

// ways.c
void tp_cways_restart(tp_csegment *g);
void tp_cways_value(tp_csegment *g, tp_var v, tp_cvalue value);
void tp_cways_fact(tp_csegment *g, tp_term fact);
void tp_cways_whole(tp_csegment *g, tp_term conjunction);  // its facts follow
/* The state that is now, to come back to. */
tp_cmoment tp_cways_here(const tp_csegment *g);
void tp_cways_go_to(tp_csegment *g, const tp_cmoment *m);
/* Lists of places that ways turned to. */
bool tp_cways_has_turned_to(const tp_csegment *g, uint32_t list, uint64_t place);
uint32_t tp_cways_turn_to(tp_csegment *g, uint32_t list, uint64_t place);
/* All ways, at one place, become one; the state is that, and it is given back. Changes `ways`. */
tp_cmoment tp_cways_merge(tp_csegment *g, tp_cmoments *ways);

// start.c
/* The formula holds here, at the start of a segment. */
void tp_csegment_start_with(tp_csegment *g, tp_term formula);

// take.c
/* Take the edge; false: the way ends, or goes on later. callee: of a call through a pointer that
 * was put off. */
bool tp_csegment_take(tp_csegment *g, tp_edge e, tp_func callee);

// goal.c
typedef enum { TP_GOAL_PROVED, TP_GOAL_REFUTED, TP_GOAL_UNKNOWN } tp_cgoal;
/* Does one of the goals hold in every state that is here? */
tp_cgoal tp_cgoal_prove(tp_csegment *g, const tp_term *goals, size_t n);
/* Does no run get here? */
tp_cgoal tp_cgoal_is_unreachable(tp_csegment *g);

/* A question that grows: is there a state here in which all that was added holds? It is asked of a
 * sketch (sketch.h), which may find states that there are not, until it is to be exact. */
typedef struct tp_cquestion tp_cquestion;
tp_cquestion *tp_cquestion_open(tp_csegment *g);
void tp_cquestion_add(tp_cquestion *q, tp_term fact);  // counts from the next time that it is asked
void tp_cquestion_be_exact(tp_cquestion *q);
bool tp_cquestion_is_exact(const tp_cquestion *q);
tp_smt_answer tp_cquestion_ask(tp_cquestion *q);
bool tp_cquestion_holds(tp_cquestion *q, tp_term t);  // Bool, in the state that was found
void tp_cquestion_close(tp_cquestion *q);

// meaning.c
/* A term of an edge: as C means it, where the equality of pointers may be open. */
tp_cvalue tp_cmeaning_of_edge(tp_csegment *g, tp_term t);
/* What an edge reads at this address: where memory marks what nobody has written, a number is any
 * pointer (past.h). */
tp_cvalue tp_cmeaning_of_load(tp_csegment *g, tp_term at, tp_sort s);
/* A formula of the certificate: as the model means it. */
tp_term tp_cmeaning_of_formula(tp_csegment *g, tp_term t);

// access.c
/* Memory edges. What makes the operation valid is known behind it, and an assumption if it is not
 * certain. */
void tp_caccess_take(tp_csegment *g, tp_edge e);
void tp_caccess_doubt(tp_csegment *g, tp_edge e, tp_term holds, bool follows_pointer);

#endif
