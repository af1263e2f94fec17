/* Terms as linear forms over integers.
 *
 * A term is first a form whose value is the term's modulo 2^width: variables, constants, sums,
 * negatives, multiples. The bounds of the dimensions bound the form; if they leave one multiple of
 * 2^width that takes it into the reading that is asked for, the value is known exactly, else
 * nothing is. Extensions ask for the exact value of what they extend. Coefficients stay small, so
 * nothing here overflows. */
#include "cpa/polyhedra/polyhedra_priv.h"

#include "cpa/cpa_limits.h"

static const int64_t most_coefficient = (int64_t)1 << 16, most_constant = (int64_t)1 << 44;

static int64_t type_min(uint32_t width, bool is_signed) {
  return is_signed ? -((int64_t)1 << (width - 1)) : 0;
}
static int64_t type_max(uint32_t width, bool is_signed) {
  return is_signed ? ((int64_t)1 << (width - 1)) - 1 : ((int64_t)1 << width) - 1;
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }  // b > 0

/* c * x + k >= 0 (or = 0). */
static void sharpen(int64_t *lo, int64_t *hi, int64_t c, int64_t k, tp_poly_relation relation) {
  if (k == INT64_MIN || c == INT64_MIN) return;
  int64_t least = c > 0 ? -floor_div(k, c) : INT64_MIN, most = c > 0 ? INT64_MAX : floor_div(k, -c);
  if (relation == TP_POLY_EQ) {
    if (k % c != 0)
      least = INT64_MAX, most = INT64_MIN;  // no integer
    else
      least = most = -(k / c);
  }
  if (least > *lo) *lo = least;
  if (most < *hi) *hi = most;
}

bool tp_polyhedra_bounds(tp_polyhedra_analysis *self, tp_func f, const tp_poly *p,
                         tp_poly_bounds *out) {
  const tp_poly_dimensions *d = &self->of[f.id];
  tp_poly box = {0};
  bool ok = true;
  *out = (tp_poly_bounds){.self = self, .func = f};
  for (uint32_t i = 0; i < d->n; i++) {
    out->lo[i] =
        type_min(tp_polyhedra_width(self, d->vars[i]), tp_polyhedra_is_signed(self, d->vars[i]));
    out->hi[i] =
        type_max(tp_polyhedra_width(self, d->vars[i]), tp_polyhedra_is_signed(self, d->vars[i]));
  }
  if (p && tp_poly_box(self->helper, p, &box)) {
    ok = !box.is_empty;
    for (size_t k = 0; k < box.list.n; k++)
      for (uint32_t i = 0; i < d->n; i++)
        if (box.list.at[k].coefficient[i])
          sharpen(&out->lo[i], &out->hi[i], box.list.at[k].coefficient[i], box.list.at[k].constant,
                  box.list.at[k].relation);
  }
  for (uint32_t i = 0; i < d->n; i++) ok &= out->lo[i] <= out->hi[i];
  tp_vec_clear(&box.list);
  return ok;
}

void tp_polyhedra_extent(const tp_poly_bounds *b, const tp_poly_form *f, tp_i128 *lo, tp_i128 *hi) {
  *lo = *hi = f->k;
  for (uint32_t i = 0; i < b->self->of[b->func.id].n; i++) {
    tp_i128 x = (tp_i128)f->c[i] * b->lo[i], y = (tp_i128)f->c[i] * b->hi[i];
    *lo += x < y ? x : y;
    *hi += x < y ? y : x;
  }
}

static bool is_small(const tp_poly_form *f) {
  for (uint32_t i = 0; i < TP_NUMERIC_POLY_DIMS; i++)
    if (f->c[i] > most_coefficient || f->c[i] < -most_coefficient) return false;
  return f->k <= most_constant && f->k >= -most_constant;
}

/* f plus `times` g; |times| is a small coefficient. */
static bool add(tp_poly_form *f, const tp_poly_form *g, int64_t times) {
  for (uint32_t i = 0; i < TP_NUMERIC_POLY_DIMS; i++) f->c[i] += times * g->c[i];
  f->k += times * g->k;
  return is_small(f);
}

/* A constant of up to 32 bits in its signed reading. */
static int64_t constant_of(const tp_terms *tt, tp_term t) {
  return (int64_t)tp_interval_to_signed(tp_width(tt, t), tp_bv_value(tt, t));
}

static bool ring(const tp_poly_bounds *b, tp_term t, int depth, tp_poly_form *out);

static bool ring_of_product(const tp_poly_bounds *b, tp_term t, int depth, tp_poly_form *out) {
  const tp_terms *tt = b->self->tt;
  tp_poly_form f = {.k = 0};
  for (uint32_t i = 0; i < 2; i++) {
    if (tp_kind(tt, tp_arg(tt, t, i)) != TP_OP_BV_CONST) continue;
    int64_t times = constant_of(tt, tp_arg(tt, t, i));
    if (times > most_coefficient || times < -most_coefficient ||
        !ring(b, tp_arg(tt, t, 1 - i), depth, &f))
      return false;
    *out = (tp_poly_form){.k = 0};
    return add(out, &f, times);
  }
  return false;
}

/* As deep as terms of linear arithmetic nest; deeper ones say nothing. */
static bool ring(const tp_poly_bounds *b, tp_term t, int depth, tp_poly_form *out) {
  const tp_terms *tt = b->self->tt;
  tp_poly_form g;
  if (depth == 0 || tp_width(tt, t) > 32) return false;
  *out = (tp_poly_form){.k = 0};
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_VAR: {
      int i = tp_polyhedra_dimension(b->self, b->func, tp_program_var_of(b->self->p, t));
      if (i >= 0) out->c[i] = 1;
      return i >= 0;
    }
    case TP_OP_BV_CONST: out->k = constant_of(tt, t); return true;
    case TP_OP_BV_ADD:
      return ring(b, tp_arg(tt, t, 0), depth - 1, out) &&
             ring(b, tp_arg(tt, t, 1), depth - 1, &g) && add(out, &g, 1);
    case TP_OP_BV_NEG: return ring(b, tp_arg(tt, t, 0), depth - 1, &g) && add(out, &g, -1);
    case TP_OP_BV_MUL: return ring_of_product(b, t, depth - 1, out);
    case TP_OP_BV_SEXT:
    case TP_OP_BV_ZEXT:
      return tp_polyhedra_form(b, tp_arg(tt, t, 0), tp_kind(tt, t) == TP_OP_BV_SEXT, out);
    default: return false;
  }
}

bool tp_polyhedra_form(const tp_poly_bounds *b, tp_term t, bool is_signed, tp_poly_form *out) {
  const uint32_t width = tp_width(b->self->tt, t);
  if (width < 2 || width > 32 || !ring(b, t, TP_CPA_POLYHEDRA_FORM_LEVELS, out)) return false;
  tp_i128 lo, hi, size = (tp_i128)1 << width, least = type_min(width, is_signed),
                  most = type_max(width, is_signed);
  tp_polyhedra_extent(b, out, &lo, &hi);
  tp_i128 times = (lo - least) / size - ((lo - least) % size < 0);
  if (hi - times * size > most) return false;
  out->k -= (int64_t)(times * size);
  return is_small(out);
}
