/* Terms as integers, formulas and pointers of relational logic.
 *
 * A bit-vector of any width is read as a signed number and computed with exactly; results that need
 * more bits than the bounds have are undefined, and the bounds never have more bits than the
 * narrowest operation, so nothing wraps around within them. Unsigned comparisons are expressed by
 * signed ones, zero extension of a negative number leaves the width. Constants beyond the width may
 * be compared with: the answer is known. */
#include "contracts/modular/relational_exec_priv.h"

#include "contracts/contracts_limits.h"

static tp_rel_int constant(tp_rexecutor *r, int64_t v) { return tp_rel_constant(r->l, v); }
static int64_t most(const tp_rexecutor *r) {
  return ((int64_t)1 << (r->h->limits.width_bits - 1)) - 1;
}
static int64_t least(const tp_rexecutor *r) { return -most(r) - 1; }
static tp_rel_int arithmetic(tp_rexecutor *r, tp_rel_kind k, tp_rel_int a, tp_rel_int b) {
  return tp_rel_arithmetic(r->l, k, a, b);
}
static tp_rel_formula is_less(tp_rexecutor *r, tp_rel_int a, int64_t b) {
  return tp_rel_compare_ints(r->l, TP_REL_LESS, a, constant(r, b));
}

tp_rel_int tp_rexecutor_undefined(tp_rexecutor *r) {
  return arithmetic(r, TP_REL_QUOTIENT, constant(r, 1), constant(r, 0));
}

/* The constant as a signed number; false: it is none, or has more than 64 bits. */
static bool number_of(const tp_rexecutor *r, tp_term t, int64_t *out) {
  uint64_t v;
  if (tp_kind(r->p->terms, t) != TP_OP_BV_CONST || !tp_bv_value_u64(r->p->terms, t, &v))
    return false;
  const uint32_t width = tp_width(r->p->terms, t);
  if (width > 64) return false;
  *out = width < 64 && (v >> (width - 1) & 1) ? (int64_t)(v | UINT64_MAX << width) : (int64_t)v;
  return true;
}

static tp_rel_int int_at(tp_rexecutor *r, const tp_rexec_state *s, tp_term t, uint32_t depth);
static tp_rel_formula formula_at(tp_rexecutor *r, const tp_rexec_state *s, tp_term t,
                                 uint32_t depth);

// -------------------------------------------------------------------- integers

static tp_rel_int choose_int(tp_rexecutor *r, tp_rel_formula c, tp_rel_int a, tp_rel_int b) {
  return a.id == b.id ? a : tp_rel_int_if(r->l, c, a, b);
}

/* a / 2^k, rounded down. */
static tp_rel_int shifted_down(tp_rexecutor *r, tp_rel_int a, int64_t k) {
  TP_REQUIRE(k >= 0);
  const tp_rel_formula negative = is_less(r, a, 0);
  if (k >= 62 || ((int64_t)1 << k) > most(r))
    return tp_rel_int_if(r->l, negative, constant(r, -1), constant(r, 0));
  const tp_rel_int unit = constant(r, (int64_t)1 << k);
  const tp_rel_int rest = arithmetic(r, TP_REL_REMAINDER, a, unit),
                   down = arithmetic(r, TP_REL_QUOTIENT, a, unit);
  const tp_rel_formula exact = tp_rel_compare_ints(r->l, TP_REL_INT_EQUAL, rest, constant(r, 0));
  return tp_rel_int_if(r->l, tp_rel_and(r->l, negative, tp_rel_not(r->l, exact)),
                       arithmetic(r, TP_REL_MINUS, down, constant(r, 1)), down);
}

/* The lowest k bits, as an unsigned number. */
static tp_rel_int low_bits(tp_rexecutor *r, tp_rel_int a, uint32_t k) {
  TP_REQUIRE(k > 0 && k < 62);
  const tp_rel_formula negative = is_less(r, a, 0);
  if (((int64_t)1 << k) > most(r))
    return tp_rel_int_if(r->l, negative, tp_rexecutor_undefined(r), a);
  const tp_rel_int unit = constant(r, (int64_t)1 << k),
                   rest = arithmetic(r, TP_REL_REMAINDER, a, unit);
  return tp_rel_int_if(r->l, is_less(r, rest, 0), arithmetic(r, TP_REL_PLUS, rest, unit), rest);
}

/* The lowest k bits, fewer than the width has, as a signed number. */
static tp_rel_int signed_bits(tp_rexecutor *r, tp_rel_int a, uint32_t k) {
  TP_REQUIRE(k > 0 && k < r->h->limits.width_bits);
  const int64_t half = (int64_t)1 << (k - 1);
  const tp_rel_int h = constant(r, half);
  if (2 * half <= most(r)) a = low_bits(r, a, k);  // else it is off by 2^k at most
  const tp_rel_int less = arithmetic(r, TP_REL_MINUS, arithmetic(r, TP_REL_MINUS, a, h), h),
                   more = arithmetic(r, TP_REL_PLUS, arithmetic(r, TP_REL_PLUS, a, h), h);
  const tp_rel_formula is_large = tp_rel_not(r->l, is_less(r, a, half));
  return tp_rel_int_if(r->l, is_large, less, tp_rel_int_if(r->l, is_less(r, a, -half), more, a));
}

static tp_rel_int unsigned_only(tp_rexecutor *r, tp_rel_int a, tp_rel_int value) {
  return tp_rel_int_if(r->l, is_less(r, a, 0), tp_rexecutor_undefined(r), value);
}

/* Bit k of the two's complement; the highest one is the sign. */
static tp_rel_formula bit_of(tp_rexecutor *r, tp_rel_int a, uint32_t k) {
  TP_REQUIRE(k < r->h->limits.width_bits);
  if (k + 1 == r->h->limits.width_bits) return is_less(r, a, 0);
  const tp_rel_int rest =
      arithmetic(r, TP_REL_REMAINDER, k ? shifted_down(r, a, k) : a, constant(r, 2));
  return tp_rel_not(r->l, tp_rel_compare_ints(r->l, TP_REL_INT_EQUAL, rest, constant(r, 0)));
}

/* Bit by bit, as a sum. Numbers of the width are their own sign extensions, so the width of the
 * operation does not matter. */
static tp_rel_int bitwise(tp_rexecutor *r, tp_term_kind kind, tp_rel_int a, tp_rel_int b) {
  tp_rel_int sum = constant(r, 0);
  for (uint32_t k = 0; k < r->h->limits.width_bits; k++) {
    const tp_rel_formula x = bit_of(r, a, k), y = bit_of(r, b, k);
    const tp_rel_formula is_set = kind == TP_OP_BV_AND  ? tp_rel_and(r->l, x, y)
                                  : kind == TP_OP_BV_OR ? tp_rel_or(r->l, x, y)
                                                        : tp_rel_not(r->l, tp_rel_iff(r->l, x, y));
    const int64_t value = k + 1 == r->h->limits.width_bits ? least(r) : (int64_t)1 << k;
    sum = arithmetic(r, TP_REL_PLUS, sum,
                     tp_rel_int_if(r->l, is_set, constant(r, value), constant(r, 0)));
  }
  return sum;
}

static tp_rel_int on_bits(tp_rexecutor *r, const tp_rexec_state *s, tp_term t, uint32_t depth) {
  const tp_terms *tt = r->p->terms;
  int64_t mask;
  const tp_term a = tp_arg(tt, t, 0), b = tp_arg(tt, t, 1);
  const bool first = number_of(r, a, &mask);
  if (tp_kind(tt, t) != TP_OP_BV_AND || (!first && !number_of(r, b, &mask)) || mask < 0 ||
      (mask & (mask + 1)) != 0)
    return bitwise(r, tp_kind(tt, t), int_at(r, s, a, depth + 1), int_at(r, s, b, depth + 1));
  uint32_t k = 0;
  while (mask >> k) k++;
  return low_bits(r, int_at(r, s, first ? b : a, depth + 1), k < 61 ? k : 61);
}

/* By a number of the width: not defined for 0, which the execution has excluded. A divisor that is
 * negative and read without sign is larger than every dividend. */
static tp_rel_int divided_by(tp_rexecutor *r, tp_rel_kind k, bool is_unsigned, tp_rel_int a,
                             tp_rel_int by) {
  const tp_rel_int value = arithmetic(r, k, a, by);
  if (!is_unsigned) return value;
  return tp_rel_int_if(r->l, is_less(r, by, 0), k == TP_REL_REMAINDER ? a : constant(r, 0), value);
}

/* By a constant beyond the width: larger than every dividend, but for the least one. */
static tp_rel_int divided_by_more(tp_rexecutor *r, bool is_rest, tp_rel_int a, int64_t by) {
  const tp_rel_int value = is_rest ? a : constant(r, 0);
  if (by != -least(r)) return value;
  return tp_rel_int_if(r->l, tp_rel_compare_ints(r->l, TP_REL_INT_EQUAL, a, constant(r, least(r))),
                       constant(r, is_rest ? 0 : -1), value);
}

static tp_rel_int divided(tp_rexecutor *r, const tp_rexec_state *s, tp_term t, uint32_t depth) {
  const tp_terms *tt = r->p->terms;
  const tp_term_kind k = tp_kind(tt, t);
  const bool is_unsigned = k == TP_OP_BV_UDIV || k == TP_OP_BV_UREM,
             is_rest = k == TP_OP_BV_UREM || k == TP_OP_BV_SREM;
  int64_t by = 0;
  const bool is_constant = number_of(r, tp_arg(tt, t, 1), &by);
  const tp_rel_int a = int_at(r, s, tp_arg(tt, t, 0), depth + 1);
  tp_rel_int value;
  if (is_constant && (by > most(r) || by < least(r)))
    value = divided_by_more(r, is_rest, a, by);
  else
    value = divided_by(r, is_rest ? TP_REL_REMAINDER : TP_REL_QUOTIENT, is_unsigned, a,
                       int_at(r, s, tp_arg(tt, t, 1), depth + 1));
  return is_unsigned ? unsigned_only(r, a, value) : value;
}

static tp_rel_int shifted(tp_rexecutor *r, const tp_rexec_state *s, tp_term t, uint32_t depth) {
  const tp_terms *tt = r->p->terms;
  int64_t k = 0;
  if (!number_of(r, tp_arg(tt, t, 1), &k) || k < 0 || k >= (int64_t)tp_width(tt, t))
    tp_rexec_unsupported(r, "a shift by something that is no constant");
  const tp_rel_int a = int_at(r, s, tp_arg(tt, t, 0), depth + 1);
  if (tp_kind(tt, t) == TP_OP_BV_SHL) {
    const tp_rel_int zero = constant(r, 0);
    if (k > 61 || ((int64_t)1 << k) > most(r))
      return tp_rel_int_if(r->l, tp_rel_compare_ints(r->l, TP_REL_INT_EQUAL, a, zero), zero,
                           tp_rexecutor_undefined(r));
    return arithmetic(r, TP_REL_TIMES, a, constant(r, (int64_t)1 << k));
  }
  const tp_rel_int down = shifted_down(r, a, k);
  return tp_kind(tt, t) == TP_OP_BV_LSHR && k > 0 ? unsigned_only(r, a, down) : down;
}

static tp_rel_int int_of_var(tp_rexecutor *r, const tp_rexec_state *s, tp_term t) {
  const tp_var v = tp_program_var_of(r->p, t);
  if (v.id && s->vars[v.id].kind == TP_REXEC_VALUE_INT) return s->vars[v.id].i;
  tp_rexec_unsupported(r, v.id
                              ? tp_rexecutor_unsupported_variable(r, v, "a value that is not known")
                              : "a value that is not known");
  return constant(r, 0);
}

static tp_rel_int int_at(tp_rexecutor *r, const tp_rexec_state *s, tp_term t, uint32_t depth) {
  const tp_terms *tt = r->p->terms;
  int64_t v;
  if (r->why || depth > TP_CONTRACTS_TERM_LEVELS) {
    tp_rexec_unsupported(r, "an expression that is too large");
    return constant(r, 0);
  }
  if (number_of(r, t, &v))
    return v > most(r) || v < least(r) ? tp_rexecutor_undefined(r) : constant(r, v);
  const tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_VAR) return int_of_var(r, s, t);
  const bool is_narrow =
      tp_width(tt, t) < r->h->limits.width_bits;  // it would wrap around within the bounds
  if (is_narrow && (k == TP_OP_BV_ADD || k == TP_OP_BV_MUL || k == TP_OP_BV_NEG ||
                    k == TP_OP_BV_SHL || k == TP_OP_BV_SDIV))
    tp_rexec_unsupported(r, "arithmetic on few bits");
  if (k == TP_OP_BV_ADD)
    return arithmetic(r, TP_REL_PLUS, int_at(r, s, tp_arg(tt, t, 0), depth + 1),
                      int_at(r, s, tp_arg(tt, t, 1), depth + 1));
  if (k == TP_OP_BV_MUL)
    return arithmetic(r, TP_REL_TIMES, int_at(r, s, tp_arg(tt, t, 0), depth + 1),
                      int_at(r, s, tp_arg(tt, t, 1), depth + 1));
  if (k == TP_OP_BV_NEG) return tp_rel_negative(r->l, int_at(r, s, tp_arg(tt, t, 0), depth + 1));
  if (k == TP_OP_BV_NOT)
    return arithmetic(r, TP_REL_MINUS, constant(r, -1), int_at(r, s, tp_arg(tt, t, 0), depth + 1));
  if (k == TP_OP_BV_SEXT) return int_at(r, s, tp_arg(tt, t, 0), depth + 1);
  if (k == TP_OP_BV_ZEXT) {
    const tp_rel_int a = int_at(r, s, tp_arg(tt, t, 0), depth + 1);
    return tp_width(tt, tp_arg(tt, t, 0)) < r->h->limits.width_bits
               ? low_bits(r, a, tp_width(tt, tp_arg(tt, t, 0)))
               : unsigned_only(r, a, a);
  }
  if (k == TP_OP_BV_EXTRACT && tp_extract_lo(tt, t) == 0) {
    const tp_rel_int a = int_at(r, s, tp_arg(tt, t, 0), depth + 1);
    return is_narrow ? signed_bits(r, a, tp_width(tt, t)) : a;
  }
  if (k == TP_OP_BV_AND || k == TP_OP_BV_OR || k == TP_OP_BV_XOR) return on_bits(r, s, t, depth);
  if (k == TP_OP_BV_SDIV || k == TP_OP_BV_UDIV || k == TP_OP_BV_SREM || k == TP_OP_BV_UREM)
    return divided(r, s, t, depth);
  if (k == TP_OP_BV_SHL || k == TP_OP_BV_LSHR || k == TP_OP_BV_ASHR) return shifted(r, s, t, depth);
  if (k == TP_OP_ITE) {
    const tp_rel_formula c = formula_at(r, s, tp_arg(tt, t, 0), depth + 1);
    return choose_int(r, c, int_at(r, s, tp_arg(tt, t, 1), depth + 1),
                      int_at(r, s, tp_arg(tt, t, 2), depth + 1));
  }
  tp_rexec_unsupported(r, k == TP_OP_PTR_TO_INT ? "a pointer as an integer"
                          : k == TP_OP_FP_TO_SBV || k == TP_OP_FP_TO_UBV || k == TP_OP_FP_TO_BITS
                              ? "floating point"
                              : "an operation on bits");
  return constant(r, 0);
}

tp_rel_int tp_rexecutor_int(tp_rexecutor *r, const tp_rexec_state *s, tp_term t) {
  return int_at(r, s, t, 0);
}

// -------------------------------------------------------------------- formulas

/* a < b, or a <= b, of signed numbers, one of which may be a constant beyond the width. A
 * comparison with the border stays, so that an operand that is undefined makes it undefined. */
static tp_rel_formula compare(tp_rexecutor *r, const tp_rexec_state *s, tp_rel_kind k, tp_term a,
                              tp_term b, uint32_t depth) {
  TP_REQUIRE(k >= TP_REL_INT_EQUAL && k <= TP_REL_AT_MOST);
  int64_t v;
  const bool left = number_of(r, a, &v), right = !left && number_of(r, b, &v);
  if ((left || right) && (v > most(r) || v < least(r))) {
    const tp_rel_int other = int_at(r, s, left ? b : a, depth + 1);
    const tp_rel_formula yes =
        tp_rel_compare_ints(r->l, TP_REL_AT_MOST, other, constant(r, most(r)));  // if it is defined
    const bool holds = k != TP_REL_INT_EQUAL && (left ? v < 0 : v > 0);
    return holds ? yes : tp_rel_not(r->l, yes);
  }
  return tp_rel_compare_ints(r->l, k, int_at(r, s, a, depth + 1), int_at(r, s, b, depth + 1));
}

/* The sign of a bit-vector that may be a constant beyond the width. */
static tp_rel_formula is_negative(tp_rexecutor *r, const tp_rexec_state *s, tp_term t,
                                  uint32_t depth) {
  int64_t v;
  if (number_of(r, t, &v)) return tp_rel_bool(r->l, v < 0);
  return is_less(r, int_at(r, s, t, depth + 1), 0);
}

/* Numbers of one sign are ordered alike in both readings; a negative one is large. */
static tp_rel_formula compare_unsigned(tp_rexecutor *r, const tp_rexec_state *s, tp_rel_kind k,
                                       tp_term a, tp_term b, uint32_t depth) {
  const tp_rel_formula na = is_negative(r, s, a, depth), nb = is_negative(r, s, b, depth);
  const tp_rel_formula same = compare(r, s, k, a, b, depth);
  return tp_rel_formula_if(r->l, tp_rel_iff(r->l, na, nb), same, nb);
}

/* From structs to what lies at their start, which has their address; id 0: there is no such struct.
 * False: an array of structs lies at the start of one. */
static bool first_inner(tp_rexecutor *r, tp_rel_expr *first) {
  *first = (tp_rel_expr){0};
  for (size_t i = 0; i < r->h->fields.n; i++) {
    const tp_rheap_field *f = &r->h->fields.at[i];
    if (!f->is_inner || f->symbol->offset_bits != 0) continue;
    if (tp_rheap_n_keys(r->h, f->symbol) > 1) return false;
    *first = first->id ? tp_rexec_union(r, *first, f->initial) : f->initial;
  }
  return true;
}

/* One object, or one of them lies at the start of the other. */
static tp_rel_formula objects_equal(tp_rexecutor *r, tp_rel_expr a, tp_rel_expr b, bool is_typed) {
  const tp_rel_formula same = tp_rel_compare(r->l, TP_REL_EQUAL, a, b);
  tp_rel_expr first;
  if (is_typed || a.id == r->h->null.id || b.id == r->h->null.id) return same;
  if (!first_inner(r, &first)) {
    tp_rexec_unsupported(
        r, "a comparison of pointers that may lead to a struct and to what lies first in it");
    return same;
  }
  if (!first.id) return same;
  const tp_rel_expr inside = tp_rel_unary(r->l, TP_REL_CLOSURE, first);
  const tp_rel_expr met =
      tp_rexec_union(r, tp_rel_binary(r->l, TP_REL_INTERSECTION, tp_rexec_join(r, a, inside), b),
                     tp_rel_binary(r->l, TP_REL_INTERSECTION, tp_rexec_join(r, b, inside), a));
  return tp_rel_or(r->l, same, tp_rel_multiplicity(r->l, TP_REL_SOME, met));
}

static tp_rel_formula addresses_equal(tp_rexecutor *r, const tp_rexec_address *a,
                                      const tp_rexec_address *b) {
  const bool is_null = a->base.id == r->h->null.id || b->base.id == r->h->null.id;
  uint32_t x = 0, y = 0;
  if (is_null && (a->cell || b->cell)) return tp_rel_bool(r->l, false);
  if (a->cell != b->cell &&
      !is_null) {  // a scalar has one address: in the innermost struct, or in an array
    const tp_rexec_address *object = a->cell ? b : a;
    const bool is_array = tp_rheap_basic_of(r->h, object->view, &x) &&
                          r->h->object_model->basics.at[x].kind == TP_BASIC_ARRAY;
    if (!(a->cell && b->cell) && !is_array)
      tp_rexec_unsupported(r, "a comparison of a pointer to a struct with one to a member");
    return tp_rel_bool(r->l, false);
  }
  const bool typed = tp_rheap_basic_of(r->h, a->view, &x) && tp_rheap_basic_of(r->h, b->view, &y);
  const bool is_array = typed && (r->h->object_model->basics.at[x].kind == TP_BASIC_ARRAY ||
                                  r->h->object_model->basics.at[y].kind == TP_BASIC_ARRAY);
  if (!a->cell && !is_null && is_array && x != y)
    tp_rexec_unsupported(r, "a comparison of pointers of different types");
  const tp_rel_formula same = objects_equal(r, a->base, b->base, (typed && x == y) || a->cell);
  return a->index.id && b->index.id
             ? tp_rel_and(r->l, same,
                          tp_rel_compare_ints(r->l, TP_REL_INT_EQUAL, a->index, b->index))
             : same;
}

static tp_rel_formula both(tp_rexecutor *r, tp_rel_formula a, tp_rel_formula b) {
  return !a.id ? b : !b.id ? a : tp_rel_and(r->l, a, b);
}

/* An array's start is its element 0. */
static tp_rexec_address as_element(tp_rexecutor *r, tp_rexec_address p,
                                   const tp_rexec_address *other) {
  if (p.cell || !other->cell || other->cell->kind != TP_SYMBOL_ELEMENTS ||
      p.base.id == r->h->null.id)
    return p;
  tp_rexec_address out;
  return tp_rexecutor_cell(r, &p, 0, false, &out) ? out : p;
}

static tp_rel_formula pointers_equal(tp_rexecutor *r, const tp_rexec_state *s, tp_term a,
                                     tp_term b) {
  const tp_rexec_value x = tp_rexecutor_address(r, s, a), y = tp_rexecutor_address(r, s, b);
  tp_rel_formula any = tp_rel_bool(r->l, false);
  for (uint32_t i = 0; i < x.n_addresses && !r->why; i++)
    for (uint32_t j = 0; j < y.n_addresses && !r->why; j++) {
      const tp_rexec_address p = as_element(r, x.addresses[i], &y.addresses[j]),
                             q = as_element(r, y.addresses[j], &x.addresses[i]);
      const tp_rel_formula when = both(r, x.addresses[i].when, y.addresses[j].when),
                           same = addresses_equal(r, &p, &q);
      any = x.n_addresses == 1 && y.n_addresses == 1 ? same
                                                     : tp_rel_or(r->l, any, both(r, when, same));
    }
  return any;
}

static tp_rel_formula equal(tp_rexecutor *r, const tp_rexec_state *s, tp_term t, uint32_t depth) {
  const tp_terms *tt = r->p->terms;
  const tp_term a = tp_arg(tt, t, 0), b = tp_arg(tt, t, 1);
  switch (tp_sort_kind_of(tt, tp_sort_of(tt, a))) {
    case TP_SORT_BOOL:
      return tp_rel_iff(r->l, formula_at(r, s, a, depth + 1), formula_at(r, s, b, depth + 1));
    case TP_SORT_BV: return compare(r, s, TP_REL_INT_EQUAL, a, b, depth);
    case TP_SORT_PTR: return pointers_equal(r, s, a, b);
    case TP_SORT_FP: tp_rexec_unsupported(r, "floating point"); break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: tp_rexec_unsupported(r, "an operation on memory as a whole"); break;
  }
  return tp_rel_bool(r->l, false);
}

static tp_rel_formula formula_of_var(tp_rexecutor *r, const tp_rexec_state *s, tp_term t) {
  const tp_var v = tp_program_var_of(r->p, t);
  if (v.id && s->vars[v.id].kind == TP_REXEC_VALUE_BOOL) return s->vars[v.id].b;
  tp_rexec_unsupported(r, v.id
                              ? tp_rexecutor_unsupported_variable(r, v, "a value that is not known")
                              : "a value that is not known");
  return tp_rel_bool(r->l, false);
}

static tp_rel_formula formula_at(tp_rexecutor *r, const tp_rexec_state *s, tp_term t,
                                 uint32_t depth) {
  const tp_terms *tt = r->p->terms;
  if (r->why || depth > TP_CONTRACTS_TERM_LEVELS) {
    tp_rexec_unsupported(r, "an expression that is too large");
    return tp_rel_bool(r->l, false);
  }
  const tp_term_kind k = tp_kind(tt, t);
  const uint32_t n = tp_n_args(tt, t);
  const tp_term a = n > 0 ? tp_arg(tt, t, 0) : t, b = n > 1 ? tp_arg(tt, t, 1) : t;
  if (k == TP_OP_TRUE || k == TP_OP_FALSE) return tp_rel_bool(r->l, k == TP_OP_TRUE);
  if (k == TP_OP_VAR) return formula_of_var(r, s, t);
  if (k == TP_OP_NOT) return tp_rel_not(r->l, formula_at(r, s, a, depth + 1));
  if (k == TP_OP_AND)
    return tp_rel_and(r->l, formula_at(r, s, a, depth + 1), formula_at(r, s, b, depth + 1));
  if (k == TP_OP_OR)
    return tp_rel_or(r->l, formula_at(r, s, a, depth + 1), formula_at(r, s, b, depth + 1));
  if (k == TP_OP_XOR)
    return tp_rel_not(
        r->l, tp_rel_iff(r->l, formula_at(r, s, a, depth + 1), formula_at(r, s, b, depth + 1)));
  if (k == TP_OP_EQ) return equal(r, s, t, depth);
  if (k == TP_OP_ITE)
    return tp_rel_formula_if(r->l, formula_at(r, s, a, depth + 1), formula_at(r, s, b, depth + 1),
                             formula_at(r, s, tp_arg(tt, t, 2), depth + 1));
  if (k == TP_OP_BV_SLT) return compare(r, s, TP_REL_LESS, a, b, depth);
  if (k == TP_OP_BV_SLE) return compare(r, s, TP_REL_AT_MOST, a, b, depth);
  if (k == TP_OP_BV_ULT) return compare_unsigned(r, s, TP_REL_LESS, a, b, depth);
  if (k == TP_OP_BV_ULE) return compare_unsigned(r, s, TP_REL_AT_MOST, a, b, depth);
  tp_rexec_unsupported(r, "floating point");
  return tp_rel_bool(r->l, false);
}

tp_rel_formula tp_rexecutor_formula(tp_rexecutor *r, const tp_rexec_state *s, tp_term t) {
  return formula_at(r, s, t, 0);
}

// ---------------------------------------------------------------------- values

tp_rexec_value tp_rexecutor_value(tp_rexecutor *r, const tp_rexec_state *s, tp_term t) {
  switch (tp_sort_kind_of(r->p->terms, tp_sort_of(r->p->terms, t))) {
    case TP_SORT_BOOL:
      return (tp_rexec_value){.kind = TP_REXEC_VALUE_BOOL, .b = tp_rexecutor_formula(r, s, t)};
    case TP_SORT_BV: {
      const tp_var v =
          tp_kind(r->p->terms, t) == TP_OP_VAR ? tp_program_var_of(r->p, t) : (tp_var){0};
      if (v.id && s->vars[v.id].kind == TP_REXEC_VALUE_PARTS) return s->vars[v.id];
      return (tp_rexec_value){.kind = TP_REXEC_VALUE_INT, .i = tp_rexecutor_int(r, s, t)};
    }
    case TP_SORT_PTR: return tp_rexecutor_address(r, s, t);
    case TP_SORT_FP: tp_rexec_unsupported(r, "floating point"); break;
    case TP_SORT_ARRAY:
    case TP_SORT_INT: tp_rexec_unsupported(r, "an operation on memory as a whole"); break;
  }
  return (tp_rexec_value){0};
}

tp_rel_expr tp_rexecutor_choose_expr(tp_rexecutor *r, tp_rel_formula c, tp_rel_expr a,
                                     tp_rel_expr b) {
  return a.id == b.id ? a : tp_rel_if(r->l, c, a, b);
}

static bool is_null(const tp_rexecutor *r, const tp_rexec_address *p) {
  return p->base.id == r->h->null.id && !p->cell;
}

/* May the two be one address with two bases? */
static bool are_alike(const tp_rexecutor *r, const tp_rexec_address *a, const tp_rexec_address *b) {
  uint32_t x = 0, y = 0;
  if (a->cell != b->cell) return false;
  if (a->cell || is_null(r, a) || is_null(r, b)) return true;
  return tp_rheap_basic_of(r->h, a->view, &x) == tp_rheap_basic_of(r->h, b->view, &y) && x == y;
}

static tp_rexec_value choose_addresses(tp_rexecutor *r, tp_rel_formula c, tp_rexec_value a,
                                       tp_rexec_value b) {
  tp_rexec_address *out = tp_arena_array(r->arena, tp_rexec_address, a.n_addresses + b.n_addresses);
  uint32_t n = 0;
  const tp_rel_formula not_c = tp_rel_not(r->l, c);
  for (uint32_t i = 0; i < a.n_addresses; i++)
    out[n] = a.addresses[i], out[n++].when = both(r, c, a.addresses[i].when);
  for (uint32_t j = 0; j < b.n_addresses; j++) {
    const tp_rexec_address p = b.addresses[j];
    const tp_rel_formula when = both(r, not_c, p.when);
    uint32_t i = 0;
    while (i < n && !are_alike(r, &out[i], &p)) i++;
    if (i == n) {
      out[n] = p;
      out[n++].when = when;
      continue;
    }
    const tp_rel_formula first = a.n_addresses == 1 && b.n_addresses == 1 ? c : out[i].when;
    if (is_null(r, &out[i])) out[i].view = p.view;
    out[i].base = tp_rexecutor_choose_expr(r, first, out[i].base, p.base);
    if (p.index.id && out[i].index.id) out[i].index = choose_int(r, first, out[i].index, p.index);
    out[i].when = tp_rel_or(r->l, out[i].when, when);
  }
  if (n == 1) out[0].when = (tp_rel_formula){0};
  return (tp_rexec_value){.kind = TP_REXEC_VALUE_POINTER, .addresses = out, .n_addresses = n};
}

static tp_rexec_value choose_parts(tp_rexecutor *r, tp_rel_formula c, tp_rexec_value a,
                                   tp_rexec_value b) {
  tp_rexec_part *out = tp_arena_array(r->arena, tp_rexec_part, a.n_parts + 1);
  bool same = a.n_parts == b.n_parts;
  for (uint32_t i = 0; i < a.n_parts && same; i++) {
    same = a.parts[i].offset == b.parts[i].offset && a.parts[i].type.id == b.parts[i].type.id;
    out[i] = a.parts[i];
    if (same) out[i].value = tp_rexecutor_choose_expr(r, c, a.parts[i].value, b.parts[i].value);
  }
  return same ? (tp_rexec_value){.kind = a.kind, .parts = out, .n_parts = a.n_parts}
              : (tp_rexec_value){0};
}

tp_rexec_value tp_rexecutor_choose(tp_rexecutor *r, tp_rel_formula c, tp_rexec_value a,
                                   tp_rexec_value b) {
  if (a.kind != b.kind) return (tp_rexec_value){0};
  switch (a.kind) {
    case TP_REXEC_VALUE_INT:
      return (tp_rexec_value){.kind = a.kind, .i = choose_int(r, c, a.i, b.i)};
    case TP_REXEC_VALUE_BOOL:
      return a.b.id == b.b.id
                 ? a
                 : (tp_rexec_value){.kind = a.kind, .b = tp_rel_formula_if(r->l, c, a.b, b.b)};
    case TP_REXEC_VALUE_POINTER:
      return a.addresses == b.addresses ? a : choose_addresses(r, c, a, b);
    case TP_REXEC_VALUE_PARTS: return a.parts == b.parts ? a : choose_parts(r, c, a, b);
    case TP_REXEC_VALUE_UNKNOWN: break;
  }
  return (tp_rexec_value){0};
}

/* What is negative here is large there. */
static tp_rel_int as_unsigned(tp_rexecutor *r, tp_rel_int i, tp_type to) {
  const bool is_unsigned =
      to.id && tp_rheap_is_integer(r->h, to) && !tp_type_of(r->p, to)->is_signed;
  return is_unsigned ? unsigned_only(r, i, i) : i;
}

tp_rel_expr tp_rexecutor_atom(tp_rexecutor *r, tp_rexec_state *s, tp_rexec_value v, tp_type to) {
  if (v.kind == TP_REXEC_VALUE_INT) return tp_rel_atom_of(r->l, as_unsigned(r, v.i, to));
  if (v.kind == TP_REXEC_VALUE_BOOL)
    return tp_rel_atom_of(r->l, tp_rel_int_if(r->l, v.b, constant(r, 1), constant(r, 0)));
  if (v.kind == TP_REXEC_VALUE_UNKNOWN) tp_rexec_unsupported(r, "a value that is not known");
  if (v.kind == TP_REXEC_VALUE_PARTS) tp_rexec_unsupported(r, "a struct by value");
  if (v.kind == TP_REXEC_VALUE_POINTER && to.id && tp_type_of(r->p, to)->kind == TP_T_POINTER)
    v = tp_rexecutor_retype(r, s, v, tp_type_of(r->p, to)->element);
  tp_rel_expr set = {0};
  for (uint32_t i = v.n_addresses; i-- > 0 && !r->why;) {
    if (v.addresses[i].cell)
      tp_rexec_unsupported(r, tp_rexec_is_constant(&v.addresses[i])
                                  ? "a pointer to constant memory that is kept in memory"
                                  : "a pointer into an object that is kept in memory");
    set = set.id ? tp_rexecutor_choose_expr(r, v.addresses[i].when, v.addresses[i].base, set)
                 : v.addresses[i].base;
  }
  if (s && !r->why && v.kind == TP_REXEC_VALUE_POINTER) tp_rexecutor_note_escape(r, set);
  return set;
}

tp_rexec_value tp_rexecutor_of_atom(tp_rexecutor *r, tp_rel_expr set, tp_type type, bool as_bool) {
  if (!tp_rheap_is_integer(r->h, type)) {
    tp_rexec_address *p = tp_arena_new(r->arena, tp_rexec_address);
    *p = (tp_rexec_address){.base = set, .view = tp_type_of(r->p, type)->element};
    return (tp_rexec_value){.kind = TP_REXEC_VALUE_POINTER, .addresses = p, .n_addresses = 1};
  }
  const tp_rel_int i = tp_rel_only_int(r->l, set);
  if (!as_bool) return (tp_rexec_value){.kind = TP_REXEC_VALUE_INT, .i = i};
  return (tp_rexec_value){
      .kind = TP_REXEC_VALUE_BOOL,
      .b = tp_rel_not(r->l, tp_rel_compare_ints(r->l, TP_REL_INT_EQUAL, i, constant(r, 0)))};
}
