/* Values and conditions of terms, as intervals.
 *
 * What copies a value keeps its interval; arithmetic forgets the value and keeps that it is an
 * integer. A condition over exact values is a formula over the pre-state, and so is an exact
 * Boolean: 1 where the formula holds, else 0. */
#include "contracts/summarise/summarise_priv.h"

static tp_rsum_value integer(tp_summariser *r, tp_rinterval at, tp_rsum_reading reading) {
  (void)r;
  return (tp_rsum_value){.at = at, .reading = reading};
}

static tp_rsum_value any_integer(tp_summariser *r) {
  return integer(r, (tp_rinterval){tp_rbound_none(r->t, 1), tp_rbound_ints(r->t)}, TP_RSUM_SIGNED);
}

static bool constant_of(const tp_summariser *r, tp_rinterval at, int64_t *out) {
  const tp_rbound_node *n = tp_rbound_at(r->t, at.upper);
  *out = n->number;
  return tp_rinterval_is_exact(at) && n->kind == TP_RBOUND_INT;
}

tp_rsum_value tp_rsum_read_as(tp_summariser *r, tp_rsum_value v, uint32_t width,
                              tp_rsum_reading reading) {
  int64_t c;
  if (v.reading == reading || v.reading == TP_RSUM_EITHER || reading == TP_RSUM_EITHER) return v;
  if (constant_of(r, v.at, &c) && width < 63) {
    const int64_t range = (int64_t)1 << width;
    if (reading == TP_RSUM_UNSIGNED && c < 0) c += range;
    if (reading == TP_RSUM_SIGNED && c >= range / 2) c -= range;
    return integer(r, tp_rinterval_exact(tp_rbound_int(r->t, c)), reading);
  }
  v = any_integer(r);
  v.reading = reading;
  return v;
}

static tp_rsum_reading reading_of(const tp_summariser *r, tp_type type) {
  return tp_rsum_is_kind(r, type, TP_T_BOOL) ? TP_RSUM_EITHER
         : tp_type_of(r->p, type)->is_signed ? TP_RSUM_SIGNED
                                             : TP_RSUM_UNSIGNED;
}

static bool is_integer(const tp_summariser *r, tp_type t) {
  return tp_rsum_is_kind(r, t, TP_T_INT) || tp_rsum_is_kind(r, t, TP_T_ENUM) ||
         tp_rsum_is_kind(r, t, TP_T_BOOL);
}

tp_rsum_value tp_rsum_convert(tp_summariser *r, tp_rsum_value v, tp_type to) {
  if (is_integer(r, to)) {
    const uint32_t width = (uint32_t)tp_type_of(r->p, to)->size_bytes * 8;
    return tp_rsum_read_as(r, v, width, reading_of(r, to));
  }
  return tp_rsum_is_kind(r, to, TP_T_POINTER) ? tp_rsum_view_as(r, v, tp_type_of(r->p, to)->element)
                                              : v;
}

tp_rsum_value tp_rsum_of_type(tp_summariser *r, tp_rinterval at, tp_type type) {
  if (is_integer(r, type)) return integer(r, at, reading_of(r, type));
  if (!tp_rsum_is_kind(r, type, TP_T_POINTER)) return tp_rsum_any_value(r);
  return (tp_rsum_value){
      .at = at, .view = tp_type_of(r->p, type)->element, .reading = TP_RSUM_EITHER};
}

// ------------------------------------------------------------------------ values

static tp_rsum_value constant(tp_summariser *r, tp_term t) {
  uint64_t bits;
  const uint32_t width = tp_width(r->p->terms, t);
  if (!tp_bv_value_u64(r->p->terms, t, &bits)) return any_integer(r);
  int64_t value = (int64_t)bits;
  const bool is_negative = width <= 64 && bits >> (width - 1) & 1;
  if (is_negative && width < 64) value = (int64_t)(bits | UINT64_MAX << width);
  return integer(r, tp_rinterval_exact(tp_rbound_int(r->t, value)),
                 is_negative ? TP_RSUM_SIGNED : TP_RSUM_EITHER);
}

/* A wider integer with the same value: read as the extension reads it. */
static tp_rsum_value extended(tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_terms *tt = r->p->terms;
  const bool is_signed = tp_kind(tt, t) == TP_OP_BV_SEXT;
  tp_rsum_value v =
      tp_rsum_read_as(r, tp_rsum_value_of(r, s, tp_arg(tt, t, 0)), tp_width(tt, tp_arg(tt, t, 0)),
                      is_signed ? TP_RSUM_SIGNED : TP_RSUM_UNSIGNED);
  if (!is_signed) v.reading = TP_RSUM_EITHER;
  return v;
}

static tp_rsum_value choice(tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_terms *tt = r->p->terms;
  const tp_rbound c = tp_rsum_formula_of(r, s, tp_arg(tt, t, 0));
  const tp_rsum_value a = tp_rsum_value_of(r, s, tp_arg(tt, t, 1)),
                      b = tp_rsum_value_of(r, s, tp_arg(tt, t, 2));
  if (c.id && tp_rbound_at(r->t, c)->kind == TP_RBOUND_TRUE) return a;
  if (c.id && tp_rbound_at(r->t, c)->kind == TP_RBOUND_FALSE) return b;
  tp_rsum_value v = tp_rsum_value_join(r, a, b);
  const bool is_both = tp_rinterval_is_exact(a.at) && tp_rinterval_is_exact(b.at);
  if (c.id && is_both && !r->loop_depth && !v.is_anywhere && v.at.upper.id &&
      (a.reading == b.reading || a.reading == TP_RSUM_EITHER || b.reading == TP_RSUM_EITHER))
    v.at = tp_rinterval_exact(tp_rbound_if(r->t, c, a.at.upper, b.at.upper));
  return v;
}

static tp_rsum_value truth(tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_rbound f = tp_rsum_formula_of(r, s, t), one = tp_rbound_int(r->t, 1),
                  zero = tp_rbound_int(r->t, 0);
  tp_rinterval at = {tp_rbound_none(r->t, 1), tp_rbound_union(r->t, one, zero)};
  if (f.id) at = tp_rinterval_exact(tp_rbound_if(r->t, f, one, zero));
  return integer(r, at, TP_RSUM_EITHER);
}

static tp_rsum_value of_var(const tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_var v = tp_program_var_of(r->p, t);
  if (!v.id || tp_var_of(r->p, v)->kind == TP_V_GHOST) return tp_rsum_any_value(r);
  return *tp_rsum_slot(r, s, v);
}

tp_rsum_value tp_rsum_value_of(tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_terms *tt = r->p->terms;
  const tp_term_kind k = tp_kind(tt, t);
  const tp_sort_kind sort = tp_sort_kind_of(tt, tp_sort_of(tt, t));
  if (k == TP_OP_VAR) return of_var(r, s, t);
  if (sort == TP_SORT_BOOL) return truth(r, s, t);
  if (sort == TP_SORT_PTR && k != TP_OP_ITE) return tp_rsum_address_of(r, s, t);
  if (k == TP_OP_ITE) return choice(r, s, t);
  if (sort != TP_SORT_BV) return tp_rsum_any_value(r);
  if (k == TP_OP_BV_CONST) return constant(r, t);
  if (k == TP_OP_BV_SEXT || k == TP_OP_BV_ZEXT) return extended(r, s, t);
  return any_integer(r);
}

// -------------------------------------------------------------------- conditions

static bool is_plain(const tp_rsum_value *v) {
  return tp_rinterval_is_exact(v->at) && !v->cell && !v->is_anywhere;
}

static bool agree(const tp_rsum_value *a, const tp_rsum_value *b) {
  return a->reading == b->reading || a->reading == TP_RSUM_EITHER || b->reading == TP_RSUM_EITHER;
}

static tp_rbound equality(tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_terms *tt = r->p->terms;
  const tp_rsum_value a = tp_rsum_value_of(r, s, tp_arg(tt, t, 0)),
                      b = tp_rsum_value_of(r, s, tp_arg(tt, t, 1));
  if (!is_plain(&a) || !is_plain(&b) || !agree(&a, &b)) return (tp_rbound){0};
  return tp_rbound_equal(r->t, a.at.upper, b.at.upper);
}

/* a < b: of numbers that are both read as the order reads them. */
static tp_rbound order(tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_terms *tt = r->p->terms;
  const tp_order o = tp_kind_order(tp_kind(tt, t));
  const tp_rsum_reading reading = o.is_signed ? TP_RSUM_SIGNED : TP_RSUM_UNSIGNED;
  const uint32_t width = tp_width(tt, tp_arg(tt, t, 0));
  const tp_rsum_value a = tp_rsum_read_as(r, tp_rsum_value_of(r, s, tp_arg(tt, t, 0)), width,
                                          reading),
                      b = tp_rsum_read_as(r, tp_rsum_value_of(r, s, tp_arg(tt, t, 1)), width,
                                          reading);
  if (!is_plain(&a) || !is_plain(&b)) return (tp_rbound){0};
  return o.is_strict ? tp_rbound_less(r->t, a.at.upper, b.at.upper)
                     : tp_rbound_not(r->t, tp_rbound_less(r->t, b.at.upper, a.at.upper));
}

static tp_rbound connective(tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_terms *tt = r->p->terms;
  const tp_term_kind k = tp_kind(tt, t);
  const tp_rbound f = tp_rsum_formula_of(r, s, tp_arg(tt, t, 0));
  if (!f.id || k == TP_OP_NOT) return f.id ? tp_rbound_not(r->t, f) : f;
  const tp_rbound g = tp_rsum_formula_of(r, s, tp_arg(tt, t, 1));
  if (!g.id) return g;
  if (k == TP_OP_AND) return tp_rbound_and(r->t, f, g);
  if (k == TP_OP_OR) return tp_rbound_or(r->t, f, g);
  const tp_rbound not_f = tp_rbound_not(r->t, f), not_g = tp_rbound_not(r->t, g);
  const tp_rbound same =
      tp_rbound_or(r->t, tp_rbound_and(r->t, f, g), tp_rbound_and(r->t, not_f, not_g));
  if (k == TP_OP_XOR) return tp_rbound_not(r->t, same);
  if (k == TP_OP_EQ) return same;
  const tp_rbound h = tp_rsum_formula_of(r, s, tp_arg(tt, t, 2));
  if (!h.id) return h;
  return tp_rbound_or(r->t, tp_rbound_and(r->t, f, g), tp_rbound_and(r->t, not_f, h));
}

tp_rbound tp_rsum_formula_of(tp_summariser *r, const tp_rsum_state *s, tp_term t) {
  const tp_terms *tt = r->p->terms;
  const tp_term_kind k = tp_kind(tt, t);
  TP_REQUIRE(tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BOOL);
  if (k == TP_OP_TRUE) return tp_rbound_true(r->t);
  if (k == TP_OP_FALSE) return tp_rbound_false(r->t);
  if (k == TP_OP_VAR) {
    const tp_rsum_value v = of_var(r, s, t);
    return tp_rinterval_is_exact(v.at) ? tp_rbound_equal(r->t, v.at.upper, tp_rbound_int(r->t, 1))
                                       : (tp_rbound){0};
  }
  if (k == TP_OP_EQ && tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) != TP_SORT_BOOL)
    return equality(r, s, t);
  if (k == TP_OP_BV_SLT || k == TP_OP_BV_SLE || k == TP_OP_BV_ULT || k == TP_OP_BV_ULE)
    return order(r, s, t);
  return tp_is_connective(tt, t) ? connective(r, s, t) : (tp_rbound){0};
}
