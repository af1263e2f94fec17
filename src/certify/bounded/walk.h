/* Symbolic execution of the unrolled program: the checker's own translation of edges.
 *
 * What       walks every path of the program up to the claimed bounds, joins paths where they meet,
 *            and writes down what must be unreachable (duties) and what may have no meaning
 *            (doubts).
 * Represents a state gives, under its path condition, a term over the inputs for every variable and
 *            a log for every object: variables by substitution, no equations. Objects get their
 *            numbers in the order of the walk: a renaming of those of any single run, which no
 *            program can observe.
 * Law        every run that meets the doubts' negations follows the states; where a term cannot be
 *            built exactly, a fresh variable stands for any value and `is_exact` becomes false.
 * Source     doc/semantics.md. */
#ifndef TP_CERTIFY_BOUNDED_WALK_H
#define TP_CERTIFY_BOUNDED_WALK_H

#include "certify/certify.h"
#include "certify/bounded/claim.h"
#include "certify/bounded/heap.h"
#include "certify/bounded/order.h"
#include "certify/bounded/path.h"
#include "smt/smt.h"

typedef struct {
  tp_term live;  // Bool; NONE: not allocated on this path
  uint32_t log;
} tp_ccell;

typedef struct {
  uint32_t path;
  tp_term heap;            // ghost: number of live heap objects
  TP_VEC(tp_ccell) cells;  // by object id
  tp_term *globals;        // by slot
  tp_term *locals;         // by slot; NONE: never assigned
  uint32_t n_locals;
} tp_cstate;

typedef enum {
  TP_DUTY_ERROR,
  TP_DUTY_UNSUPPORTED,
  TP_DUTY_TURN,
  TP_DUTY_DEPTH,
  TP_DUTY_EXTERN,
  TP_DUTY_FOREIGN
} tp_duty_kind;
typedef struct {
  tp_duty_kind kind;
  tp_term when;  // must be unsatisfiable
  tp_loc loc;
  tp_func func;
  const char *what;
} tp_duty;

typedef struct {
  tp_term when;  // the operation has no meaning
  tp_edge edge;
  tp_edge call;  // the user's call of the library model that edge is in; NONE: user's code
} tp_doubt;

typedef struct {
  tp_cvisit visit;
  tp_cstate *state;
} tp_pending;

typedef struct {
  tp_func func;
  uint32_t parent;       // index of the caller's frame; the first frame: itself
  uint64_t activations;  // of func, this one included
  tp_edge call;
  tp_cvisit call_visit;    // in the caller
  tp_term *caller_locals;  // owned; given back at the end
  uint32_t n_caller_locals;
  TP_VEC(tp_pending) pending;
  tp_cstate *exit;  // NULL: the exit was not reached
} tp_cframe;

typedef struct {
  const tp_program *p;
  tp_property prop;
  tp_terms *tt;
  const tp_claim *claim;
  const tp_certify_limits *limits;
  tp_stats *stats;
  tp_corder order;
  tp_cpaths paths;
  tp_cheap heap;
  tp_arena arena;
  uint32_t *slots;  // by variable: place among the globals or the function's locals
  uint32_t n_globals, *n_locals;
  TP_VEC(tp_cframe) frames;
  TP_VEC(tp_duty) duties;
  TP_VEC(tp_doubt) doubts;
  tp_term facts;      // about fresh variables
  bool is_exact;      // all values so far are those of some run
  const char *stuck;  // why the walk cannot go on; NULL
  uint64_t edges, queries;
  double start_cpu_s;
  tp_smt *solver;  // for dropping states that no run reaches
  uint64_t prune_at, prune_step;
} tp_cwalk;

void tp_cwalk_init(tp_cwalk *w, const tp_program *p, tp_property prop, const tp_claim *claim,
                   const tp_certify_limits *limits, tp_stats *stats);
void tp_cwalk_clear(tp_cwalk *w);
/* The whole walk; w->stuck says why it was left, duties and doubts what it found. */
void tp_cwalk_run(tp_cwalk *w);
/* What is known of base addresses that were used: objects do not wrap around the address space. */
tp_term tp_cwalk_base_facts(tp_cwalk *w);
tp_smt *tp_cwalk_solver(const tp_cwalk *w);

// state.c
tp_cstate *tp_cstate_initial(tp_cwalk *w);
tp_cstate *tp_cstate_copy(const tp_cwalk *w, const tp_cstate *s);
void tp_cstate_free(tp_cstate *s);
/* into := into or other; other is freed. */
void tp_cstate_join(tp_cwalk *w, tp_cstate *into, tp_cstate *other);
tp_term tp_cstate_get(tp_cwalk *w, tp_cstate *s, tp_var v);
void tp_cstate_set(tp_cwalk *w, tp_cstate *s, tp_var v, tp_term value);
tp_ccell *tp_cstate_cell(tp_cstate *s, uint32_t object);
tp_term tp_cstate_live(const tp_cwalk *w, const tp_cstate *s, uint32_t object);
tp_term tp_cwalk_fresh(tp_cwalk *w, const char *name, tp_sort s);
/* The value of an input. A pointer that is asked for is an integer in pointer clothes; one that
 * code or data outside of the program gives is foreign. */
typedef enum { TP_FROM_INPUT, TP_FROM_OUTSIDE } tp_origin;
tp_term tp_cwalk_input(tp_cwalk *w, const char *name, tp_sort s, tp_origin from);

// eval.c
/* The value of an edge's term in a state. */
tp_term tp_cstate_eval(tp_cwalk *w, tp_cstate *s, tp_term t);

// coincide.c
/* Equality of two pointers. Where the meaning of C leaves open whether addresses of different
 * objects are equal, any value. */
tp_term tp_cwalk_same_pointer(tp_cwalk *w, const tp_cstate *s, tp_term p, tp_term q);

// lost.c
tp_term tp_cwalk_lost(tp_cwalk *w, tp_cstate *s);

// memory.c
/* Each executes one memory edge on s; adds to its path condition that the operation has a meaning.
 */
void tp_cwalk_load(tp_cwalk *w, tp_cstate *s, tp_edge e);
void tp_cwalk_store(tp_cwalk *w, tp_cstate *s, tp_edge e);
void tp_cwalk_alloc(tp_cwalk *w, tp_cstate *s, tp_edge e);
void tp_cwalk_end_life(tp_cwalk *w, tp_cstate *s, tp_edge e);  // FREE, END_SCOPE
void tp_cwalk_block(tp_cwalk *w, tp_cstate *s, tp_edge e);     // COPY, SET, HAVOC_MEMORY
void tp_cwalk_doubt(tp_cwalk *w, tp_cstate *s, tp_edge e, tp_term holds);
/* Leaves of a pointer that e follows, each with a known object (an opaque pointer may point to any
 * object). That no foreign pointer is followed becomes a duty. */
tp_cleaves tp_cwalk_leaves(tp_cwalk *w, const tp_cstate *s, tp_edge e, tp_term ptr);

#endif
