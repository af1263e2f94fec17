/* Inside predicate abstraction.
 *
 * What       bdd.c         sets of valuations of predicates
 *            precision.c   which predicates there are, and where they are used
 *            abstraction.c from a region and a path to the next region: solver queries and their
 *            cache
 *            parts.h       the part of a block that a query depends on
 *            transfer.c    steps; where blocks end
 *            value_transfer.c precision transfer from other components
 *            state.c       elements and their lattice, the row of the table
 * Invariants regions are interned by location, context and BDD; an element between block ends has
 *            the incoming paths that it is the join of. */
#ifndef TP_CPA_PREDICATE_PREDICATE_PRIV_H
#define TP_CPA_PREDICATE_PREDICATE_PRIV_H

#include "cpa/infer.h"
#include "cpa/predicate/bdd.h"
#include "cpa/predicate/predicate_cpa.h"
#include "smt/smt.h"

typedef enum { TP_BLOCKS_LOOPS_CALLS, TP_BLOCKS_LOOPS, TP_BLOCKS_EDGES } tp_blocks_setting;
typedef enum {
  TP_ABSTRACTION_CARTESIAN,
  TP_ABSTRACTION_BOOLEAN,
  TP_ABSTRACTION_NONE
} tp_abstraction_setting;
typedef enum {
  TP_PRECISION_LOCATION,
  TP_PRECISION_FUNCTION,
  TP_PRECISION_GLOBAL
} tp_precision_setting;

/* The abstraction at a block end. */
typedef struct {
  uint32_t id;
  tp_bdd bdd;
  tp_loc loc;
  tp_context context;
  bool is_start;  // main's start: globals have their initial values, which the BDD does not express
} tp_region;

/* ANY: all states of all locations. END: at a block end, abstracted. INSIDE: since the last one.
 * PENDING: at a block end, not abstracted yet; strengthen_last makes it END, or removes it. */
typedef enum {
  TP_PREDICATE_ANY,
  TP_PREDICATE_END,
  TP_PREDICATE_INSIDE,
  TP_PREDICATE_PENDING
} tp_predicate_kind;

/* One step to an element that is not abstracted: its source, and the path behind the step. */
typedef struct {
  const tp_elem *from;
  tp_step step;
  tp_path path;
} tp_incoming;

/* Predicates that precision transfers inferred on the path to an element, sorted: used behind the
 * element only. */
typedef struct {
  const uint32_t *at;
  size_t n;
} tp_transferred;

struct tp_elem {
  tp_predicate_kind kind;
  tp_loc loc;
  tp_context context;
  const tp_region *region;      // END: its own; else that of the last block end
  tp_path path;                 // since the last block end; END: of the block that ended here
  const tp_incoming *incoming;  // INSIDE, PENDING: path is their join
  uint32_t n_incoming;
  uint32_t n_choices;  // branchings without condition that the path passed
  tp_transferred transferred;
  const tp_elem *of[2];  // INSIDE, the result of a merge: of these
};

typedef struct {
  tp_term term, settled;  // settled: as a path without effect gives it
  const tp_func *funcs;   // whose locals the predicate contains
  uint32_t n_funcs;
  bool is_named;  // used where the precision says; otherwise only where an element took it from a
                  // neighbour, too
} tp_predicate_info;
typedef TP_VEC(uint32_t) tp_predicate_list;  // numbers of predicates, each once, in order of coming

typedef struct {
  tp_cpa *cpa;
  const tp_program *p;
  tp_terms *tt;
  tp_contexts *contexts;
  tp_paths paths;
  tp_blocks_setting blocks;
  tp_abstraction_setting abstraction;
  tp_precision_setting precision;
  uint64_t rlimit;
  // predicates; a predicate's number is its variable in BDDs
  TP_VEC(tp_predicate_info) preds;
  TP_VEC(tp_term) meaning;  // by number
  tp_map pred_of;           // term -> number + 1
  tp_map used_at;           // (kind of place, number of the place) -> index into lists + 1
  TP_VEC(tp_predicate_list) lists;
  size_t n_used;
  tp_map decided;  // locations -> 1: see tp_predicate_decide
  // regions
  tp_bdds bdds;
  tp_map place_of;   // (context, location) -> number of the place
  tp_map region_of;  // (place, BDD) -> region
  TP_VEC(tp_region *) regions;
  tp_map formulas;          // BDD -> term
  TP_VEC(tp_elem *) elems;  // for tp_path_clear
  const tp_elem *any;
  // questions
  tp_map answers;   // (block, predicate behind it) -> possible values
  tp_map excluded;  // (region, condition of a path) -> do they contradict each other syntactically?
  tp_map sequences;        // Boolean abstraction: (sequence, next id) -> sequence
  tp_map cubes;            // sequence -> BDD + 1
  TP_VEC(tp_term) labels;  // Boolean variables that stand for predicates in questions
  tp_map choices;          // (location, count) -> variable
  uint8_t *branchings;     // by location
  // taking over
  uint32_t infer_sources;
  tp_infer *infer;  // made when first needed
} tp_predicate;
static inline tp_predicate *tp_predicate_of(const tp_cpa *self) { return self->state; }

// precision.c
void tp_predicate_init_precision(tp_predicate *self);
void tp_predicate_clear_precision(tp_predicate *self);
void tp_predicate_add_conditions(tp_predicate *self);
/* The number of a predicate, which is made if it is new. False: it is none. */
bool tp_predicate_number(tp_predicate *self, tp_term predicate, uint32_t *out);
/* Appends the predicates of the precision, and the transferred ones, that are in scope at this
 * location and context. */
void tp_predicate_collect(tp_predicate *self, tp_loc at, tp_context context,
                          tp_transferred transferred, tp_predicate_list *out);
/* Adds a predicate as tp_predicate_add_for does, used behind elements that received it only. */
void tp_predicate_add_transferred(tp_predicate *self, tp_func func, tp_term t);
tp_transferred tp_predicate_transferred_of(tp_predicate *self, const tp_predicate_list *numbers);
/* The intersection. */
tp_transferred tp_predicate_transferred_to_both(tp_predicate *self, tp_transferred a,
                                                tp_transferred b);
bool tp_predicate_in_scope(const tp_predicate *self, uint32_t number, tp_context context);
/* Does the predicate contain a local of another frame than the top one? */
bool tp_predicate_is_callers(const tp_predicate *self, uint32_t number, tp_context context);
/* Only globals, ghosts, cells and this variable (NONE: none). */
bool tp_predicate_is_visible(const tp_predicate *self, uint32_t number, tp_var also);
/* Only globals, ghosts, cells and the callee's parameters. */
bool tp_predicate_is_about_arguments(const tp_predicate *self, uint32_t number, tp_func callee);

// abstraction.c
typedef enum { TP_ALWAYS_DECIDE, TP_DECIDE_IF_NEEDED } tp_decision;
/* Where a block ends. */
typedef struct {
  tp_loc loc;
  tp_context context;
  tp_transferred transferred;
} tp_block_end;
/* What holds behind the path from the region, in predicates. FALSE: no run takes it. ALWAYS_DECIDE:
 * feasibility is queried even if there are no predicates. */
tp_bdd tp_predicate_abstract(tp_predicate *self, const tp_region *from, const tp_path *path,
                             tp_block_end end, tp_decision decide);
tp_term tp_predicate_bdd_term(tp_predicate *self, tp_bdd f);
/* A formula as a BDD over its atoms, which become predicates; the part of it that is none is left
 * out: weaker. */
tp_bdd tp_predicate_of_formula(tp_predicate *self, tp_term formula);

// state.c
const tp_region *tp_predicate_region(tp_predicate *self, tp_bdd f, tp_loc loc, tp_context context);
tp_elem *tp_predicate_new_elem(tp_predicate *self, tp_predicate_kind kind, tp_loc loc,
                               tp_context context, const tp_region *region);
/* A block end with this abstraction; path: of the block, copied. */
const tp_elem *tp_predicate_new_end(tp_predicate *self, tp_bdd f, tp_block_end end,
                                    const tp_path *path);
/* An element of one incoming path, which the element then owns. */
tp_elem *tp_predicate_new_incoming(tp_predicate *self, tp_predicate_kind kind, tp_loc loc,
                                   tp_context context, const tp_region *region,
                                   tp_incoming incoming_path);

// transfer.c
tp_path tp_predicate_path_from(tp_predicate *self, const tp_elem *e);
void tp_predicate_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                           tp_out *out);
const tp_elem *tp_predicate_strengthen(tp_cpa *cpa, const tp_elem *e, const tp_view *others,
                                       size_t n, const tp_step *step);
const tp_elem *tp_predicate_strengthen_last(tp_cpa *cpa, const tp_elem *e);
const tp_elem *tp_predicate_reduce(tp_cpa *cpa, const tp_elem *e, const tp_step *call);
const tp_elem *tp_predicate_expand(tp_cpa *cpa, const tp_elem *before, const tp_elem *leave,
                                   const tp_step *call);

// value_transfer.c
const tp_elem *tp_predicate_transfer_precision(tp_cpa *cpa, const tp_elem *e,
                                               const tp_precision_transfer *from);

#endif
