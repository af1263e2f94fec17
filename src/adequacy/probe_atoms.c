/* Order atoms of predicates in a normal form over integers, so that atoms which only differ in a
 * constant are told to be related. */
#include "adequacy/probe_atoms.h"

#include "adequacy/adequacy_limits.h"
#include "base/checked.h"

/* left + by < right, or left + by <= right; a side that is a constant is NONE, its value in `by` or
 * `constant`. */
typedef struct {
  tp_term left, right;
  int64_t left_by, right_by;
  uint32_t width;
  bool is_signed, is_strict;
} order;

static bool is_integer(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV;
}

static int64_t value_of(const tp_terms *tt, tp_term t) {
  uint32_t w = tp_width(tt, t);
  uint64_t bits = (uint64_t)tp_bv_value(tt, t);
  return (int64_t)(bits << (64 - w)) >> (64 - w);
}

/* x + by; of a constant x is NONE. */
static tp_term split(const tp_terms *tt, tp_term t, int64_t *by) {
  *by = 0;
  if (tp_is_const(tt, t)) {
    *by = value_of(tt, t);
    return TP_TERM_NONE;
  }
  bool is_sum = tp_kind(tt, t) == TP_OP_BV_ADD && tp_is_const(tt, tp_arg(tt, t, 1));
  if (!is_sum) return t;
  *by = value_of(tt, tp_arg(tt, t, 1));
  return tp_arg(tt, t, 0);
}

static bool read_order(const tp_terms *tt, tp_term atom, order *o) {
  const tp_order kind = tp_kind_order(tp_kind(tt, atom));
  o->is_signed = kind.is_signed;
  o->is_strict = kind.is_strict;
  if (!kind.is_order) return false;
  tp_term x = tp_arg(tt, atom, 0), y = tp_arg(tt, atom, 1);
  o->width = tp_width(tt, x);
  if (o->width > 64 ||
      (!o->is_signed && o->width == 64 && (tp_is_const(tt, x) || tp_is_const(tt, y))))
    return false;
  o->left = split(tt, x, &o->left_by);
  o->right = split(tt, y, &o->right_by);
  return tp_term_is(o->left) || tp_term_is(o->right);
}

static tp_term less(tp_terms *tt, const order *o, tp_term x, tp_term y) {
  return tp_mk2(tt, o->is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT, x, y);
}

static bool fits(const order *o, int64_t c) {
  if (o->is_signed)
    return o->width == 64 ||
           (c >= -((int64_t)1 << (o->width - 1)) && c < (int64_t)1 << (o->width - 1));
  return c >= 0 && (uint64_t)c <= tp_mask64(o->width);
}

/* match: x + d < c    result: x < c - d
 * match: c < x + d    result: x < c - d + 1, its opposite */
static tp_term with_constant(tp_terms *tt, const order *o, tp_term atom) {
  bool is_last = tp_term_is(o->left);
  tp_term x = is_last ? o->left : o->right;
  int64_t d = is_last ? o->left_by : o->right_by, c = is_last ? o->right_by : o->left_by,
          by = is_last ? !o->is_strict : o->is_strict;
  if (!o->is_signed) {
    if (d < 0) return atom;  // asks for a range
    c = (int64_t)((uint64_t)c & tp_mask64(o->width));
  }
  if (!tp_sub_i64(c, d, &c) || !tp_add_i64(c, by, &c) || !fits(o, c)) return atom;
  return less(tt, o, x, tp_mk_bv(tt, o->width, (uint64_t)c));
}

/* match: x + d < y, d negative    result: y - d - 1 < x, its opposite */
static tp_term with_variables(tp_terms *tt, const order *o, tp_term atom) {
  int64_t d;
  if (!o->is_signed && (o->left_by < 0 || o->right_by < 0)) return atom;
  if (!tp_sub_i64(o->left_by, o->right_by, &d) || !tp_sub_i64(d, !o->is_strict, &d) ||
      !fits(o, d < 0 ? -(d + 1) : d))
    return atom;
  tp_term x = d < 0 ? o->right : o->left, y = d < 0 ? o->left : o->right;
  if (d < 0) d = -(d + 1);
  return less(tt, o, d ? tp_mk2(tt, TP_OP_BV_ADD, x, tp_mk_bv(tt, o->width, (uint64_t)d)) : x, y);
}

tp_term tp_atom_plain(tp_terms *tt, tp_term atom) {
  order o;
  if (tp_kind(tt, atom) == TP_OP_NOT) atom = tp_arg(tt, atom, 0);
  if (!read_order(tt, atom, &o)) return atom;
  return tp_term_is(o.left) && tp_term_is(o.right) ? with_variables(tt, &o, atom)
                                                   : with_constant(tt, &o, atom);
}

static void add(tp_atom_family *f, tp_term atom, uint32_t extra) {
  if (f->n == TP_ADEQUACY_NEIGHBOURS) return;
  f->extra[f->n] = extra;
  f->atoms[f->n++] = atom;
}

/* x < c: also x == c, and the sign of x; x < 1 asks about zero itself. */
static void add_constant(tp_terms *tt, tp_atom_family *f, const order *o, tp_term x) {
  int64_t c = o->right_by, above;
  if (c != 0 && c != 1 && tp_add_i64(c, 1, &above) && fits(o, above))
    add(f, less(tt, o, x, tp_mk_bv(tt, o->width, (uint64_t)above)), 1);
  if (o->is_signed && c != 0) add(f, less(tt, o, x, tp_mk_bv(tt, o->width, 0)), 1);
}

tp_atom_family tp_atom_family_of(tp_terms *tt, tp_term atom) {
  tp_atom_family f = {.n = 0};
  order o;
  bool is_order = read_order(tt, atom, &o),
       is_equation = tp_kind(tt, atom) == TP_OP_EQ && is_integer(tt, tp_arg(tt, atom, 0));
  if (is_order && tp_term_is(o.left) &&
      tp_term_is(o.right)) {  // of x < y and y < x one is enough beside x == y
    tp_term x = tp_arg(tt, atom, 0), y = tp_arg(tt, atom, 1);
    bool is_turned = o.left_by == 0 && o.right_by == 0 && y.id < x.id;
    add(&f, is_turned ? less(tt, &o, y, x) : atom, 0);
    add(&f, tp_mk_eq(tt, x, y), 0);
    if (o.left_by > 0 && o.right_by == 0)
      add(&f, less(tt, &o, o.left, y), 1);  // says that the sum does not wrap
    return f;
  }
  add(&f, atom, 0);
  if (is_order && !tp_term_is(o.right)) add_constant(tt, &f, &o, tp_arg(tt, atom, 0));
  if (is_equation && tp_is_const(tt, tp_arg(tt, atom, 1)) &&
      tp_width(tt, tp_arg(tt, atom, 0)) >= 32)
    add(&f, tp_mk2(tt, TP_OP_BV_SLT, tp_arg(tt, atom, 0), tp_arg(tt, atom, 1)), 2);
  return f;
}
