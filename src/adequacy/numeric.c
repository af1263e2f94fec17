/* Numeric coverage: at each cutpoint one box, octagon or polyhedron around the concrete values
 * that were reached, in place of valuations of predicates. */
#include "adequacy/numeric.h"

#include "adequacy/adequacy_limits.h"
#include "blocks/templates.h"

enum { WIDTH = 112 };

// ----------------------------------------------------------------------- dimensions

/* Integers of at most 64 bits, whose values fit an int64_t. */
static bool is_dimension(const tp_numeric *x, tp_term t, bool *is_signed) {
  const tp_program *p = x->b->paths->p;
  tp_var v = tp_program_var_of(p, t);
  tp_sort sort = tp_sort_of(x->tt, t);
  if (!v.id || tp_sort_kind_of(x->tt, sort) != TP_SORT_BV) return false;
  const tp_var_info *info = tp_var_of(p, v);
  *is_signed = !info->type.id || tp_type_of(p, info->type)->is_signed;
  return info->kind != TP_V_GHOST && info->kind != TP_V_TEMP &&
         tp_sort_width(x->tt, sort) <= (*is_signed ? 64 : 63);
}

static void add_dimension(tp_numeric *x, tp_numbers *a, uint32_t node, tp_term t) {
  bool is_signed = false, is_known = a->dims.n == TP_NUMERIC_POLY_DIMS ||
                                     !is_dimension(x, t, &is_signed) ||
                                     !tp_block_node_may_use(x->b, node, t);
  for (size_t i = 0; i < a->dims.n; i++) is_known |= tp_term_eq(a->dims.at[i], t);
  if (is_known) return;
  tp_vec_push(&a->dims, t);
  tp_vec_push(&a->is_signed, is_signed);
}

static void add_form(tp_numbers *a, size_t i, int8_t si, size_t k, int8_t sk) {
  tp_number_form f = {{0}};
  f.coefficient[i] = si;
  if (k != i) f.coefficient[k] = sk;
  tp_vec_push(&a->forms, f);
}

static void add_forms(const tp_numeric *x, tp_numbers *a) {
  for (size_t i = 0; i < a->dims.n; i++) {
    add_form(a, i, 1, i, 0);
    add_form(a, i, -1, i, 0);
    for (size_t k = 0; k < i && x->domain == TP_ABSTRACT_OCTAGONS; k++)
      for (int signs = 0; signs < 4; signs++)
        add_form(a, i, signs & 1 ? 1 : -1, k, signs & 2 ? 1 : -1);
  }
  a->bound = TP_NEW_ARRAY(int64_t, a->forms.n + 1);
  a->seen = TP_NEW_ARRAY(int64_t, a->forms.n + 1);
  a->is_bounded = TP_NEW_ARRAY(bool, a->forms.n + 1);
}

tp_numeric *tp_numeric_new(tp_abstract_domain domain, const tp_blocks *b, const uint32_t *node_of,
                           size_t n_cutpoints) {
  tp_numeric *x = TP_NEW(tp_numeric);
  *x = (tp_numeric){.domain = domain, .b = b, .tt = b->paths->tt, .n = n_cutpoints};
  x->at = TP_NEW_ARRAY(tp_numbers, n_cutpoints + 1);
  tp_node_formulas matter;
  tp_node_formulas_init(&matter, b);
  tp_templates_variables(b, &matter);
  for (size_t i = 0; i < n_cutpoints; i++) {
    const tp_term_list *first = &matter.at[node_of[i]];
    for (size_t k = 0; k < first->n; k++) add_dimension(x, &x->at[i], node_of[i], first->at[k]);
    for (uint32_t v = 1; v < b->paths->p->vars.n; v++)
      add_dimension(x, &x->at[i], node_of[i], b->paths->p->vars.at[v].term);
    add_forms(x, &x->at[i]);
  }
  tp_node_formulas_clear(&matter);
  tp_numeric_add_landmark(x, 0);
  return x;
}

void tp_numeric_free(tp_numeric *x) {
  if (!x) return;
  for (size_t i = 0; i < x->n; i++) {
    tp_numbers *a = &x->at[i];
    tp_vec_clear(&a->dims);
    tp_vec_clear(&a->is_signed);
    tp_vec_clear(&a->forms);
    tp_vec_clear(&a->value.list);
    tp_free(a->bound);
    tp_free(a->seen);
    tp_free(a->is_bounded);
  }
  for (size_t d = 0; d <= TP_NUMERIC_POLY_DIMS; d++)
    if (x->helpers[d]) tp_polyhedra_close(x->helpers[d]);
  tp_free(x->at);
  tp_vec_clear(&x->landmarks);
  tp_free(x);
}

void tp_numeric_add_landmark(tp_numeric *x, int64_t n) {
  size_t at = 0;
  while (at < x->landmarks.n && x->landmarks.at[at] < n) at++;
  if (at < x->landmarks.n && x->landmarks.at[at] == n) return;
  tp_vec_push(&x->landmarks, n);
  memmove(&x->landmarks.at[at + 1], &x->landmarks.at[at], (x->landmarks.n - 1 - at) * sizeof n);
  x->landmarks.at[at] = n;
  // the first landmark that is large enough is the least one
  for (size_t i = 1; i < x->landmarks.n; i++)
    TP_INVARIANT(x->landmarks.at[i - 1] < x->landmarks.at[i]);
}

// --------------------------------------------------------------------------- points

void tp_numeric_read(const tp_numeric *x, uint32_t cutpoint, const tp_value *values, int64_t *out) {
  const tp_numbers *a = &x->at[cutpoint];
  for (size_t i = 0; i < a->dims.n; i++) {
    uint32_t w = tp_width(x->tt, a->dims.at[i]);
    uint64_t bits = (uint64_t)values[i].bits;
    if (a->is_signed.at[i] && w < 64 && bits >> (w - 1) & 1) bits |= ~(uint64_t)0 << w;
    out[i] = (int64_t)bits;
  }
}

bool tp_numeric_point(const tp_numeric *x, uint32_t cutpoint, const tp_state *s, int64_t *out) {
  const tp_numbers *a = &x->at[cutpoint];
  tp_value values[TP_NUMERIC_POLY_DIMS];
  for (size_t i = 0; i < a->dims.n; i++)
    if (tp_state_eval(s, a->dims.at[i], &values[i]) != TP_OK) return false;
  tp_numeric_read(x, cutpoint, values, out);
  return true;
}

/* Saturates: a bound that is too large for the type is none. */
static bool form_of(const tp_numbers *a, size_t form, const int64_t *point, int64_t *out) {
  tp_i128 sum = 0;
  for (size_t i = 0; i < a->dims.n; i++)
    sum += (tp_i128)a->forms.at[form].coefficient[i] * point[i];
  *out = (int64_t)sum;
  return sum >= INT64_MIN / 2 && sum <= INT64_MAX / 2;
}

static bool is_template(const tp_numeric *x) { return x->domain != TP_ABSTRACT_POLYHEDRA; }

bool tp_numeric_contains(const tp_numeric *x, uint32_t cutpoint, const int64_t *point) {
  const tp_numbers *a = &x->at[cutpoint];
  if (!a->version) return false;
  if (!is_template(x)) return tp_poly_contains(&a->value, (uint32_t)a->dims.n, point);
  for (size_t f = 0; f < a->forms.n; f++) {
    int64_t v;
    if (a->is_bounded[f] && (!form_of(a, f, point, &v) || v > a->bound[f])) return false;
  }
  return true;
}

// -------------------------------------------------------------------------- growing

/* The least landmark from n on; false: there is none. */
static bool next_landmark(const tp_numeric *x, int64_t n, int64_t *out) {
  for (size_t i = 0; i < x->landmarks.n; i++)
    if (x->landmarks.at[i] >= n) return *out = x->landmarks.at[i], true;
  return false;
}

static void grow_form(tp_numeric *x, tp_numbers *a, size_t f, const int64_t *point) {
  int64_t v;
  bool is_small = form_of(a, f, point, &v), is_first = a->version == 0;
  if (is_first) a->is_bounded[f] = is_small;
  if (is_first || v > a->seen[f]) a->seen[f] = v;
  if (is_first) a->bound[f] = v;
  if (!a->is_bounded[f] || (is_small && v <= a->bound[f])) return;
  bool widens = a->growths > TP_ADEQUACY_NUMERIC_DELAY;
  x->widenings += widens;
  if (!is_small || (widens && !next_landmark(x, v, &v))) a->is_bounded[f] = false;
  a->bound[f] = v;
}

static tp_polyhedra *helper_of(tp_numeric *x, size_t dims) {
  if (dims && !x->helpers[dims]) x->helpers[dims] = tp_polyhedra_open((uint32_t)dims);
  return x->helpers[dims];
}

/* Constraints with coefficients that formulas cannot take are left out. */
static void drop_large(tp_poly *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->list.n; i++) {
    bool is_large = false;
    for (size_t d = 0; d < TP_NUMERIC_POLY_DIMS; d++)
      is_large |= p->list.at[i].coefficient[d] >> TP_ADEQUACY_COEFFICIENT_BITS != 0 &&
                  -p->list.at[i].coefficient[d] >> TP_ADEQUACY_COEFFICIENT_BITS != 0;
    if (!is_large) p->list.at[kept++] = p->list.at[i];
  }
  p->list.n = kept;
}

/* form <= bound. */
static tp_poly_constraint at_most(const tp_numbers *a, size_t form, int64_t bound) {
  tp_poly_constraint c = {.constant = bound, .relation = TP_POLY_GE};
  for (size_t i = 0; i < TP_NUMERIC_POLY_DIMS; i++)
    c.coefficient[i] = -a->forms.at[form].coefficient[i];
  return c;
}

/* Bounds of single variables, widened from landmark to landmark, are what widening keeps. */
static void grow_polyhedron(tp_numeric *x, tp_numbers *a, const int64_t *point) {
  tp_poly at = {0}, hull = {0}, bounds = {0};
  tp_polyhedra *helper = helper_of(x, a->dims.n);
  for (size_t i = 0; i < a->dims.n; i++) {
    tp_poly_constraint c = {.constant = -point[i], .relation = TP_POLY_EQ};
    c.coefficient[i] = 1;
    tp_vec_push(&at.list, c);
  }
  for (size_t f = 0; f < a->forms.n; f++)
    if (a->is_bounded[f]) tp_vec_push(&bounds.list, at_most(a, f, a->bound[f]));
  bool ok = true;
  if (a->version == 0) {
    tp_poly_copy(&a->value, &at);
  } else {
    bool widens = a->growths > TP_ADEQUACY_NUMERIC_DELAY;
    x->widenings += widens;
    ok = helper && tp_poly_hull(helper, &a->value, &at, &hull);
    if (ok && widens)
      ok = tp_poly_widen(helper, &a->value, &hull, &bounds, &a->value);
    else if (ok)
      tp_poly_copy(&a->value, &hull);
  }
  if (!ok) a->value.list.n = 0;  // no helper: anything
  drop_large(&a->value);
  tp_vec_clear(&at.list);
  tp_vec_clear(&hull.list);
  tp_vec_clear(&bounds.list);
}

bool tp_numeric_grow(tp_numeric *x, uint32_t cutpoint, const int64_t *point) {
  tp_numbers *a = &x->at[cutpoint];
  bool is_inside = tp_numeric_contains(x, cutpoint, point);
  if (is_inside && is_template(x)) {
    for (size_t f = 0; f < a->forms.n; f++) {
      int64_t v;
      if (form_of(a, f, point, &v) && v > a->seen[f]) a->seen[f] = v;
    }
  }
  if (is_inside) return false;
  for (size_t f = 0; f < a->forms.n; f++) grow_form(x, a, f, point);
  if (!is_template(x)) grow_polyhedron(x, a, point);
  a->growths++;
  a->version++;
  return true;
}

void tp_numeric_grow_to_all(tp_numeric *x, uint32_t cutpoint) {
  tp_numbers *a = &x->at[cutpoint];
  for (size_t f = 0; f < a->forms.n; f++) a->is_bounded[f] = false;
  a->value.list.n = 0;
  a->version++;
}

// ------------------------------------------------------------------------- formulas

/* sum of coefficients * terms + constant, in so many bits that nothing wraps. */
static tp_term linear(const tp_numeric *x, const tp_numbers *a, const int64_t *coefficient,
                      int64_t constant, const tp_term *terms) {
  tp_terms *tt = x->tt;
  tp_term sum = tp_mk_bv_signed(tt, WIDTH, constant);
  for (size_t i = 0; i < a->dims.n; i++) {
    if (!coefficient[i]) continue;
    tp_term v = terms ? terms[i] : a->dims.at[i];
    v = a->is_signed.at[i] ? tp_mk_sext(tt, WIDTH, v) : tp_mk_zext(tt, WIDTH, v);
    sum = tp_mk2(tt, TP_OP_BV_ADD, sum,
                 tp_mk2(tt, TP_OP_BV_MUL, tp_mk_bv_signed(tt, WIDTH, coefficient[i]), v));
  }
  return sum;
}

tp_term tp_numeric_form_at_most(const tp_numeric *x, uint32_t cutpoint, size_t form, int64_t bound,
                                const tp_term *terms) {
  const tp_numbers *a = &x->at[cutpoint];
  int64_t c[TP_NUMERIC_POLY_DIMS];
  for (size_t i = 0; i < TP_NUMERIC_POLY_DIMS; i++) c[i] = a->forms.at[form].coefficient[i];
  return tp_mk2(x->tt, TP_OP_BV_SLE, linear(x, a, c, 0, terms),
                tp_mk_bv_signed(x->tt, WIDTH, bound));
}

tp_term tp_numeric_formula(const tp_numeric *x, uint32_t cutpoint, const tp_term *terms) {
  const tp_numbers *a = &x->at[cutpoint];
  tp_terms *tt = x->tt;
  tp_term all = tp_mk_bool(tt, a->version != 0), zero = tp_mk_bv(tt, WIDTH, 0);
  for (size_t f = 0; f < a->forms.n && is_template(x) && a->version; f++)
    if (a->is_bounded[f])
      all = tp_mk_and(tt, all, tp_numeric_form_at_most(x, cutpoint, f, a->bound[f], terms));
  for (size_t i = 0; i < a->value.list.n && !is_template(x); i++) {
    const tp_poly_constraint *c = &a->value.list.at[i];
    tp_term sum = linear(x, a, c->coefficient, c->constant, terms);
    all = tp_mk_and(
        tt, all,
        c->relation == TP_POLY_EQ ? tp_mk_eq(tt, sum, zero) : tp_mk2(tt, TP_OP_BV_SLE, zero, sum));
  }
  return all;
}

// ------------------------------------------------------------------------ narrowing

size_t tp_numeric_tighter(const tp_numeric *x, uint32_t cutpoint, size_t form, int64_t *out) {
  const tp_numbers *a = &x->at[cutpoint];
  int64_t from = a->seen[form], next = from;
  size_t n = 0;
  if (!a->version || a->growths <= TP_ADEQUACY_NUMERIC_DELAY ||
      (a->is_bounded[form] && a->bound[form] <= from))
    return 0;
  out[n++] = from;
  for (int i = 0; i < 2 && next_landmark(x, next + 1, &next); i++)
    if (!a->is_bounded[form] || next < a->bound[form]) out[n++] = next;
  return n;
}

void tp_numeric_tighten(tp_numeric *x, uint32_t cutpoint, size_t form, int64_t bound) {
  tp_numbers *a = &x->at[cutpoint];
  a->is_bounded[form] = true;
  a->bound[form] = bound;
  if (!is_template(x)) tp_vec_push(&a->value.list, at_most(a, form, bound));
  a->version++;
}
