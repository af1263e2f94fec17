/* Convex polyhedra over integer dimensions, computed by a helper program.
 *
 * What       conjunctions of linear constraints with integer coefficients: meet, join (convex
 *            hull), inclusion, widening with landmarks, projection. The work is done by
 *            `twoproof-polyhedra` (the Parma Polyhedra Library, which is GPL, so a program of its
 *            own on a pipe); a helper that dies or takes too long costs an answer.
 * Represents sets of rational points; callers say which integer points they mean. At most
 *            TP_NUMERIC_POLY_DIMS dimensions.
 * Invariants of results: minimal; coefficients without common divisor; equations first, then by
 *            coefficients.
 * Limits     deterministic weight limits of the library, never times; cliffs were measured beyond 8
 *            dimensions. Coefficients that do not fit 64 bits: no answer.
 * Source     Cousot, Halbwachs 1978; Bagnara et al. 2003 (BHRZ03 widening). */
#ifndef TP_NUMERIC_POLYHEDRA_H
#define TP_NUMERIC_POLYHEDRA_H

#include "base/base.h"
#include "numeric/numeric_limits.h"

typedef enum { TP_POLY_EQ, TP_POLY_GE } tp_poly_relation;
/* sum of coefficient[i] * x_i + constant (relation) 0 */
typedef struct {
  int64_t coefficient[TP_NUMERIC_POLY_DIMS];
  int64_t constant;
  tp_poly_relation relation;
} tp_poly_constraint;
typedef struct {
  TP_VEC(tp_poly_constraint) list;
  bool is_empty;
} tp_poly;  // cleared with tp_vec_clear(&p.list)

void tp_poly_copy(tp_poly *to, const tp_poly *from);  // `to` is initialised; its list is reused

typedef struct tp_polyhedra tp_polyhedra;  // a running helper
/* NULL: no helper program, or too many dimensions (or none). */
tp_polyhedra *tp_polyhedra_open(uint32_t dimensions);
/* The same with another helper program (words separated by spaces): for tests. */
tp_polyhedra *tp_polyhedra_open_command(const char *command, uint32_t dimensions);
void tp_polyhedra_close(tp_polyhedra *x);
uint32_t tp_polyhedra_dimensions(const tp_polyhedra *x);

/* False: the helper gave up; out is untouched. out may be one of the arguments. */
bool tp_poly_minimize(tp_polyhedra *x, const tp_poly *a, tp_poly *out);
bool tp_poly_meet(tp_polyhedra *x, const tp_poly *a, const tp_poly *b, tp_poly *out);
bool tp_poly_hull(tp_polyhedra *x, const tp_poly *a, const tp_poly *b, tp_poly *out);
bool tp_poly_includes(tp_polyhedra *x, const tp_poly *large, const tp_poly *small, bool *is);
/* a widened to b (BHRZ03; where that is b itself, the coarser widening of 1979); landmarks:
 * constraints that stay if b satisfies them. */
bool tp_poly_widen(tp_polyhedra *x, const tp_poly *a, const tp_poly *b, const tp_poly *landmarks,
                   tp_poly *out);
bool tp_poly_project(tp_polyhedra *x, const tp_poly *a, uint32_t dimension,
                     tp_poly *out);  // forgets x_dimension
bool tp_poly_box(tp_polyhedra *x, const tp_poly *a,
                 tp_poly *out);  // the bounds of single dimensions

// without the helper
/* Fewer rational points, the same integer ones: common divisors of coefficients are taken out,
 * constants rounded. */
void tp_poly_tighten(tp_poly *p, uint32_t dimensions);
bool tp_poly_contains(const tp_poly *p, uint32_t dimensions, const int64_t *point);

#endif
