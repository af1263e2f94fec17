/* Inside the polyhedra analysis.
 *
 * What       dimensions.c which variables of a function have a dimension
 *            form.c       terms as linear forms over integers; bounds
 *            transfer.c   steps: assignments, conditions, frames
 *            state.c      elements and their lattice, the row of the table
 * Invariants a polyhedron without constraints is written as NULL; no polyhedron of an element is
 *            empty. */
#ifndef TP_CPA_POLYHEDRA_POLYHEDRA_PRIV_H
#define TP_CPA_POLYHEDRA_POLYHEDRA_PRIV_H

#include "cpa/polyhedra/polyhedra_cpa.h"
#include "numeric/interval.h"
#include "numeric/polyhedra.h"

typedef struct {
  tp_var vars[TP_NUMERIC_POLY_DIMS];
  uint32_t n;
} tp_poly_dimensions;

struct tp_elem {
  tp_func func;           // whose frame is on top; NONE: top
  const tp_poly *poly;    // over its dimensions; NULL: anything
  const tp_elem *caller;  // the frame below; NULL: none, or unconstrained
  // what adjust needs to widen; no part of the meaning
  const tp_elem *before;  // what a join weakened since the last adjust, or NULL
  uint32_t rounds;        // adjusts that saw a join
  bool at_head;           // of a loop
};

typedef struct {
  tp_cpa *cpa;
  const tp_program *p;
  tp_terms *tt;
  tp_polyhedra *helper;    // NULL: there is none
  tp_poly_dimensions *of;  // by function
  uint64_t widen_after;
  const tp_elem *top;
  TP_VEC(tp_poly *) polys;  // all, for their lists
} tp_polyhedra_analysis;
static inline tp_polyhedra_analysis *tp_polyhedra_of(const tp_cpa *self) { return self->state; }

// dimensions.c
void tp_polyhedra_choose(tp_polyhedra_analysis *self);
/* -1: it has none there. */
int tp_polyhedra_dimension(const tp_polyhedra_analysis *self, tp_func f, tp_var v);
bool tp_polyhedra_is_signed(const tp_polyhedra_analysis *self, tp_var v);
uint32_t tp_polyhedra_width(const tp_polyhedra_analysis *self, tp_var v);

// form.c: sum of c[i] * dimension i + k
typedef struct {
  int64_t c[TP_NUMERIC_POLY_DIMS];
  int64_t k;
} tp_poly_form;
typedef struct {
  const tp_polyhedra_analysis *self;
  tp_func func;
  int64_t lo[TP_NUMERIC_POLY_DIMS], hi[TP_NUMERIC_POLY_DIMS];
} tp_poly_bounds;
/* Of the dimensions, types included. False: there is no such state. */
bool tp_polyhedra_bounds(tp_polyhedra_analysis *self, tp_func f, const tp_poly *p,
                         tp_poly_bounds *out);
/* t's value in this reading, exactly. False: it may be another one, or is not linear. */
bool tp_polyhedra_form(const tp_poly_bounds *b, tp_term t, bool is_signed, tp_poly_form *out);
void tp_polyhedra_extent(const tp_poly_bounds *b, const tp_poly_form *f, tp_i128 *lo, tp_i128 *hi);

// transfer.c
void tp_polyhedra_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                           tp_out *out);
const tp_elem *tp_polyhedra_expand(tp_cpa *cpa, const tp_elem *before, const tp_elem *leave,
                                   const tp_step *call);

// state.c
tp_elem *tp_polyhedra_element(tp_polyhedra_analysis *self, tp_func func, const tp_poly *poly,
                              const tp_elem *caller);
/* A copy that lives as long as the analysis; NULL without constraints. */
const tp_poly *tp_polyhedra_keep(tp_polyhedra_analysis *self, const tp_poly *p);

#endif
