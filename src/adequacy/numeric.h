/* Numbers as abstract states: intervals, octagons, polyhedra in place of predicates.
 *
 * What       at each cutpoint one conjunction of linear constraints over its integer variables,
 *            grown by the states that runs are in and by models; widened, so that it stops growing;
 *            narrowed once it is closed.
 * Represents all states whose integers (read as their C types say) meet the constraints. Intervals
 *            and octagons are bounds of a fixed set of forms (x, -x, x + y, ...); polyhedra any
 *            constraints, computed by the helper program (numeric/polyhedra.h). At most
 *            TP_NUMERIC_POLY_DIMS variables of a cutpoint are dimensions: those that conditions
 * from there on depend on come first. Law        a := a widened to (a joined with the state): the
 * second contains the first. A bound that grows for the ninth time goes to the next number of the
 * program, then to infinity, so every chain ends. What is narrowed was shown to hold behind every
 *            segment.
 * Source     Yorsh, Ball, Sagiv 2006, sec. 3 (widening; we join before we widen); Cousot, Cousot
 *            1977; Mine 2006. */
#ifndef TP_ADEQUACY_NUMERIC_H
#define TP_ADEQUACY_NUMERIC_H

#include "adequacy/adequacy.h"
#include "blocks/blocks.h"
#include "numeric/polyhedra.h"

/* coefficient[i] * x_i + ..., with coefficients -1, 0, 1. */
typedef struct {
  int8_t coefficient[TP_NUMERIC_POLY_DIMS];
} tp_number_form;

typedef struct {
  TP_VEC(tp_term) dims;    // symbols of variables
  TP_VEC(bool) is_signed;  // how each is read
  TP_VEC(tp_number_form)
  forms;                  // intervals, octagons: what is bounded; polyhedra: what narrowing tries
  int64_t *bound, *seen;  // by form: the largest value there may be, there was
  bool *is_bounded;
  tp_poly value;  // polyhedra
  uint32_t growths;
  uint32_t version;  // counts changes; 0: no state was there
} tp_numbers;

typedef struct {
  tp_abstract_domain domain;
  const tp_blocks *b;
  tp_terms *tt;
  tp_numbers *at;  // by cutpoint
  size_t n;
  tp_polyhedra *helpers[TP_NUMERIC_POLY_DIMS + 1];  // by number of dimensions, made when needed
  TP_VEC(int64_t) landmarks;                        // sorted
  uint64_t widenings;
} tp_numeric;
tp_numeric *tp_numeric_new(tp_abstract_domain domain, const tp_blocks *b, const uint32_t *node_of,
                           size_t n_cutpoints);
void tp_numeric_free(tp_numeric *x);
/* A number of the program where bounds may stop. */
void tp_numeric_add_landmark(tp_numeric *x, int64_t n);

/* The integers of a state; false: one has no value. */
bool tp_numeric_point(const tp_numeric *x, uint32_t cutpoint, const tp_state *s, int64_t *out);
/* Those of a model's values of the dimensions. */
void tp_numeric_read(const tp_numeric *x, uint32_t cutpoint, const tp_value *values, int64_t *out);
bool tp_numeric_contains(const tp_numeric *x, uint32_t cutpoint, const int64_t *point);
/* True: the cutpoint grew. */
bool tp_numeric_grow(tp_numeric *x, uint32_t cutpoint, const int64_t *point);
void tp_numeric_grow_to_all(tp_numeric *x, uint32_t cutpoint);
/* The cutpoint's constraints over these terms (NULL: the variables themselves); false where nothing
 * was. */
tp_term tp_numeric_formula(const tp_numeric *x, uint32_t cutpoint, const tp_term *terms);
/* form <= bound over these terms. */
tp_term tp_numeric_form_at_most(const tp_numeric *x, uint32_t cutpoint, size_t form, int64_t bound,
                                const tp_term *terms);
/* Candidates for a tighter bound of the form, best first; their number (at most 3), 0: it is tight.
 */
size_t tp_numeric_tighter(const tp_numeric *x, uint32_t cutpoint, size_t form, int64_t *out);
void tp_numeric_tighten(tp_numeric *x, uint32_t cutpoint, size_t form, int64_t bound);

#endif
