/* Inside the octagon analysis.
 *
 * What       packing.c    scores and readings of variables; thresholds of widening
 *            draft.c      elements under construction: adding and removing dimensions
 *            form.c       terms as linear forms over integers
 *            assume.c     restriction by conditions
 *            assign.c     assignments
 *            transfer.c   steps, calls, summaries
 *            state.c      elements and their lattice, the row of the table
 *            octagon_formula.c formula, text, ranges
 * Invariants variables of an element ascend by number; each has a constraint that its type's bounds
 *            do not imply, so elements are canonical; the octagon includes the bounds of the
 *            variables' types. */
#ifndef TP_CPA_OCTAGON_OCTAGON_PRIV_H
#define TP_CPA_OCTAGON_OCTAGON_PRIV_H

#include "cpa/cpa_limits.h"
#include "cpa/octagon/octagon_cpa.h"
#include "numeric/interval.h"
#include "numeric/octagon.h"
#include "program/liveness.h"

#define TP_OCTAGON_NO_DIM UINT32_MAX

/* Properties of a variable of the program. */
typedef struct {
  uint32_t score;  // priority for a dimension; 0: never tracked
  uint32_t width;
  bool is_signed;  // its reading
} tp_octagon_var;

struct tp_elem {
  const tp_var *vars;
  uint32_t n;
  const tp_oct *oct;  // closed, interned
  // what adjust needs to widen; no part of the meaning
  const tp_oct *raw;      // result of a widening before closure, over the same variables, or NULL
  const tp_elem *before;  // what merge weakened since the last adjust, or NULL
  uint32_t rounds;        // adjusts that saw a merge
  bool at_head;           // of a loop
};

typedef struct {
  tp_cpa *cpa;
  const tp_program *p;
  tp_terms *tt;
  tp_octagon_var *vars;  // by tp_var.id
  uint32_t *edge_start;  // variables of operands by edge, CSR
  TP_VEC(tp_var) edge_vars;
  TP_VEC(int64_t) thresholds;  // ascending
  uint64_t most_variables, widen_after, most_thresholds, narrow;
  tp_liveness *liveness;
  tp_oct_pool pool;
  tp_elem *top;
} tp_octagon;

static inline tp_octagon *tp_octagon_of(const tp_cpa *self) { return self->state; }
tp_i128 tp_octagon_type_min(const tp_octagon_var *v);
tp_i128 tp_octagon_type_max(const tp_octagon_var *v);

// packing.c
void tp_octagon_pack(tp_octagon *self);
/* Worth tracking variables in the operands of an edge. */
typedef struct {
  const tp_var *at;
  size_t n;
} tp_var_list;
tp_var_list tp_octagon_vars_of(const tp_octagon *self, tp_edge e);

// ----------------------------------------------------------------- draft.c

/* Dimensions and their octagon: of an element, or of a draft. */
typedef struct {
  const tp_octagon *self;
  const tp_var *vars;
  uint32_t n;
  const tp_oct *oct;
} tp_octagon_view;
tp_octagon_view tp_octagon_view_of(const tp_octagon *self, const tp_elem *e);
uint32_t tp_octagon_dim(tp_octagon_view v, tp_var x);  // TP_OCTAGON_NO_DIM: not tracked

typedef struct {
  tp_octagon *self;
  TP_VEC(tp_var) vars;
  tp_oct oct;  // closed
} tp_octagon_draft;
void tp_octagon_open_draft(tp_octagon_draft *d, tp_octagon *self, const tp_elem *from);
void tp_octagon_copy_draft(tp_octagon_draft *to,
                           const tp_octagon_draft *from);  // to is zeroed or a draft
void tp_octagon_drop_draft(tp_octagon_draft *d);
static inline tp_octagon_view tp_octagon_view_draft(const tp_octagon_draft *d) {
  return (tp_octagon_view){d->self, d->vars.at, (uint32_t)d->vars.n, &d->oct};
}
/* Adds a dimension for x, within its type, if its score is not 0; the variables with the lowest
 * scores are removed if there are too many. */
void tp_octagon_track(tp_octagon_draft *d, tp_var x);
void tp_octagon_include(tp_octagon_draft *d, const tp_var *more,
                        size_t n);  // all of these; they ascend
/* x is anything within its type; it keeps its dimension if it has one. */
void tp_octagon_havoc(tp_octagon_draft *d, tp_var x);
/* Exactly these variables; new ones are within their types. */
void tp_octagon_project(tp_octagon_draft *d, const tp_var *vars, size_t n);
/* Projects to the variables for which is_kept holds. */
void tp_octagon_restrict(tp_octagon_draft *d, bool (*is_kept)(void *ctx, tp_var x), void *ctx);
/* The element: unconstrained dimensions are removed, also from the draft. */
tp_elem *tp_octagon_seal(tp_octagon_draft *d);

// ------------------------------------------------------------------ form.c

/* An integer: sum of c * value of a dimension, plus something in [lo, hi]. */
typedef struct {
  uint32_t n;
  struct {
    uint32_t dim;
    int64_t c;
  } at[TP_CPA_OCTAGON_MONOMIALS];
  tp_i128 lo, hi;
} tp_octagon_form;
/* A form whose value is t's modulo 2^width; sorts other than BV give anything. */
tp_octagon_form tp_octagon_ring(tp_octagon_view v, tp_term t);
/* The value is in [lo, hi] (fewer than 2^width integers) and congruent to f modulo 2^width: then
 * what is it as an integer? */
typedef enum { TP_OCTAGON_IMPOSSIBLE, TP_OCTAGON_RANGE, TP_OCTAGON_EXACT } tp_octagon_settled;
tp_octagon_settled tp_octagon_settle(tp_octagon_view v, tp_octagon_form *f, uint32_t width,
                                     tp_i128 lo, tp_i128 hi);
/* The same for an f that is known to be in [from, to]. */
tp_octagon_settled tp_octagon_settle_within(tp_octagon_form *f, uint32_t width, tp_i128 lo,
                                            tp_i128 hi, tp_i128 from, tp_i128 to);
/* t's value in a reading; a form without monomials if only a range is known. */
tp_octagon_form tp_octagon_value(tp_octagon_view v, tp_term t, bool is_signed);
tp_i128 tp_octagon_upper(tp_octagon_view v, const tp_octagon_form *f);
tp_i128 tp_octagon_lower(tp_octagon_view v, const tp_octagon_form *f);
/* a - b; monomials beyond the limit become part of the range. */
tp_octagon_form tp_octagon_minus(tp_octagon_view v, const tp_octagon_form *a,
                                 const tp_octagon_form *b);
/* f without c times the variable of monomial i. */
tp_octagon_form tp_octagon_without(const tp_octagon_form *f, uint32_t i, int64_t c);
tp_i128 tp_octagon_upper_of(tp_octagon_view v, uint32_t literal);
tp_interval tp_octagon_interval(tp_octagon_view v, tp_term t);
static inline uint32_t tp_octagon_literal(uint32_t dim, int64_t c) { return 2 * dim + (c < 0); }
tp_i128 tp_octagon_min_of(uint32_t width, bool is_signed);
tp_i128 tp_octagon_max_of(uint32_t width, bool is_signed);

// ------------------------------------------------------ assume.c and assign.c

/* False: no state of the draft meets it. Does not change dimensions. */
bool tp_octagon_assume(tp_octagon_draft *d, tp_term condition, bool truth);
bool tp_octagon_impose(tp_octagon_draft *d,
                       const tp_octagon_form *f);  // f <= 0 for some choice in its range
/* x := t, evaluated before; the variables of t and x should be tracked. False: no state is left. */
bool tp_octagon_assign(tp_octagon_draft *d, tp_var x, tp_term t);

// -------------------------------------------------------- transfer.c, octagon_formula.c

tp_succ tp_octagon_initial(tp_cpa *cpa, tp_loc entry, tp_context context);
void tp_octagon_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                         tp_out *out);
const tp_elem *tp_octagon_strengthen(tp_cpa *cpa, const tp_elem *e, const tp_view *others, size_t n,
                                     const tp_step *step);
const tp_elem *tp_octagon_reduce(tp_cpa *cpa, const tp_elem *e, const tp_step *call);
const tp_elem *tp_octagon_expand(tp_cpa *cpa, const tp_elem *before, const tp_elem *leave,
                                 const tp_step *call);

tp_term tp_octagon_formula(tp_cpa *cpa, const tp_elem *e);
void tp_octagon_print(tp_cpa *cpa, const tp_elem *e, tp_str *out);
bool tp_octagon_range(tp_cpa *cpa, const tp_elem *e, tp_term t, tp_range *out);
bool tp_octagon_implied_by(tp_cpa *cpa, const tp_elem *e, tp_view other);

#endif
