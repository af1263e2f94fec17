/* Formulas, text and ranges of octagons.
 *
 * Formulas have few constraints (tp_oct_reduce), each over bit-vectors wide enough that nothing
 * wraps: two bits more than the wider of the two variables hold their sum and difference.
 * Comparisons of equal width and reading need no widening. */
#include "cpa/octagon/octagon_priv.h"

// ----------------------------------------------------------------- constraints

/* The octagon of the types' bounds of e's variables. */
static void open_types(const tp_octagon *self, const tp_elem *e, tp_oct *out) {
  tp_oct_init(out, e->n);
  for (uint32_t i = 0; i < e->n; i++) {
    const tp_octagon_var *x = &self->vars[e->vars[i].id];
    tp_oct_assign_range(out, i, -tp_oct_bound(-tp_octagon_type_min(x)),
                        tp_oct_bound(tp_octagon_type_max(x)));
  }
}

static tp_oct_rows rows_of(const tp_octagon *self, const tp_elem *e) {
  tp_oct types;
  tp_oct_rows rows = {0};
  open_types(self, e, &types);
  tp_oct_reduce(e->oct, &types, &rows);
  tp_oct_clear(&types);
  return rows;
}

/* Do the row and the next one together make the difference of two literals a constant? */
static bool is_equality(const tp_oct_rows *rows, size_t k) {
  if (k + 1 >= rows->n) return false;
  const tp_oct_row *a = &rows->at[k], *b = &rows->at[k + 1];
  const bool mirrored = a->i == b->j && a->j == b->i,
             same_mirrored = (a->i ^ 1) == b->i && (a->j ^ 1) == b->j;
  return (mirrored || same_mirrored) && a->c == -b->c;
}

// -------------------------------------------------------------------- formulas

typedef struct {
  const tp_octagon *self;
  const tp_elem *e;
  tp_terms *tt;
} writer;

static const tp_octagon_var *info_of(const writer *s, uint32_t literal) {
  TP_REQUIRE(literal < 2 * s->e->n);
  return &s->self->vars[s->e->vars[literal / 2].id];
}
static tp_term term_of(const writer *s, uint32_t literal) {
  return tp_var_of(s->self->p, s->e->vars[literal / 2])->term;
}

static tp_term order(const writer *s, bool is_signed, bool is_strict, tp_term a, tp_term b) {
  if (is_strict) return tp_mk2(s->tt, is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT, a, b);
  return tp_mk2(s->tt, is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE, a, b);
}

/* V(j) <= c, in the variable's own width and reading. */
static tp_term bound_term(const writer *s, uint32_t j, int64_t c) {
  const tp_octagon_var *x = info_of(s, j);
  const tp_term var = term_of(s, j), constant = tp_mk_bv_signed(s->tt, x->width, j & 1 ? -c : c);
  return j & 1 ? order(s, x->is_signed, false, constant, var)
               : order(s, x->is_signed, false, var, constant);
}

static tp_term wide(const writer *s, uint32_t literal, uint32_t width) {
  return info_of(s, literal)->is_signed ? tp_mk_sext(s->tt, width, term_of(s, literal))
                                        : tp_mk_zext(s->tt, width, term_of(s, literal));
}

/* The literals as variables: x - y <= c, y - x <= c, x + y <= c, -x - y <= c. */
static tp_term relation_term(const writer *s, tp_oct_row r, bool is_equal) {
  const tp_octagon_var *a = info_of(s, r.j), *b = info_of(s, r.i);
  const bool minus_a = r.j & 1, minus_b = !(r.i & 1);  // of V(j) - V(i)
  const uint32_t width = (a->width > b->width ? a->width : b->width) + 2;
  if (minus_a != minus_b && a->width == b->width && a->is_signed == b->is_signed &&
      (r.c == 0 || (r.c == -1 && !is_equal))) {
    const tp_term less = minus_a ? term_of(s, r.i) : term_of(s, r.j),
                  more = minus_a ? term_of(s, r.j) : term_of(s, r.i);
    return is_equal ? tp_mk_eq(s->tt, less, more) : order(s, a->is_signed, r.c == -1, less, more);
  }
  const tp_term x = wide(s, r.j, width), y = wide(s, r.i, width);
  tp_term sum = minus_a == minus_b ? tp_mk2(s->tt, TP_OP_BV_ADD, x, y)
                : minus_a          ? tp_mk_sub(s->tt, y, x)
                                   : tp_mk_sub(s->tt, x, y);
  const bool is_negative = minus_a && minus_b;  // -(x + y) <= c
  const tp_term c = tp_mk_bv_signed(s->tt, width, is_negative ? -r.c : r.c);
  if (is_equal) return tp_mk_eq(s->tt, sum, c);
  return is_negative ? order(s, true, false, c, sum) : order(s, true, false, sum, c);
}

tp_term tp_octagon_formula(tp_cpa *cpa, const tp_elem *e) {
  const tp_octagon *self = tp_octagon_of(cpa);
  const writer s = {self, e, self->tt};
  tp_oct_rows rows = rows_of(self, e);
  tp_term all = tp_mk_true(self->tt);
  for (size_t k = 0; k < rows.n; k++) {
    const tp_oct_row r = rows.at[k];
    tp_term t;
    if (r.j == (r.i ^ 1)) {
      t = bound_term(&s, r.j, r.c >> 1);
    } else {
      const bool equal = is_equality(&rows, k);
      t = relation_term(&s, r, equal);
      k += equal;
    }
    all = tp_mk_and(self->tt, all, t);
  }
  tp_vec_clear(&rows);
  return all;
}

// ------------------------------------------------------------------------ text

static void print_relation(const writer *s, tp_oct_row r, bool is_equal, tp_str *out) {
  const char *first = tp_var_of(s->self->p, s->e->vars[r.j / 2])->name,
             *second = tp_var_of(s->self->p, s->e->vars[r.i / 2])->name;
  const bool minus_first = r.j & 1, minus_second = !(r.i & 1);
  if (minus_first && !minus_second) {
    tp_str_printf(out, "%s - %s", second, first);
  } else {
    tp_str_printf(out, "%s%s %s %s", minus_first ? "-" : "", first, minus_second ? "-" : "+",
                  second);
  }
  tp_str_printf(out, " %s %lld", is_equal ? "=" : "<=", (long long)r.c);
}

void tp_octagon_print(tp_cpa *cpa, const tp_elem *e, tp_str *out) {
  const tp_octagon *self = tp_octagon_of(cpa);
  const writer s = {self, e, self->tt};
  tp_oct_rows rows = rows_of(self, e);
  tp_str_add_char(out, '{');
  for (size_t k = 0; k < rows.n; k++) {
    const tp_oct_row r = rows.at[k];
    const bool equal = is_equality(&rows, k);
    if (k) tp_str_add(out, ", ");
    if (r.j != (r.i ^ 1)) {
      print_relation(&s, r, equal, out);
    } else {
      const bool minus = r.j & 1, constant = equal || tp_oct_entry(e->oct, r.i, r.j) ==
                                                          -tp_oct_entry(e->oct, r.j, r.i);
      tp_str_printf(out, "%s %s %lld", tp_var_of(self->p, e->vars[r.j / 2])->name,
                    constant ? "="
                    : minus  ? ">="
                             : "<=",
                    (long long)(minus ? -(r.c >> 1) : r.c >> 1));
    }
    k += equal;
  }
  tp_str_add_char(out, '}');
  tp_vec_clear(&rows);
}

// ---------------------------------------------------------------------- ranges

static bool range_of_bool(tp_octagon *self, const tp_elem *e, tp_term t, tp_range *out) {
  bool possible[2];
  if (e->n == 0) return false;
  for (int truth = 0; truth < 2; truth++) {
    tp_octagon_draft d;
    tp_octagon_open_draft(&d, self, e);
    possible[truth] = tp_octagon_assume(&d, t, truth);
    tp_octagon_drop_draft(&d);
  }
  if (possible[0] == possible[1]) return false;
  *out = (tp_range){
      .umin = possible[1], .umax = possible[1], .smin = possible[1], .smax = possible[1]};
  return true;
}

bool tp_octagon_range(tp_cpa *cpa, const tp_elem *e, tp_term t, tp_range *out) {
  tp_octagon *self = tp_octagon_of(cpa);
  const tp_sort s = tp_sort_of(self->tt, t);
  if (tp_sort_kind_of(self->tt, s) == TP_SORT_BOOL) return range_of_bool(self, e, t, out);
  if (tp_sort_kind_of(self->tt, s) != TP_SORT_BV || tp_sort_width(self->tt, s) > 64) return false;
  const tp_interval i = tp_octagon_interval(tp_octagon_view_of(self, e), t);
  if (tp_interval_is_full(&i) || tp_interval_is_none(&i)) return false;
  *out = (tp_range){.umin = (uint64_t)tp_interval_umin(&i),
                    .umax = (uint64_t)tp_interval_umax(&i),
                    .smin = (int64_t)tp_interval_smin(&i),
                    .smax = (int64_t)tp_interval_smax(&i)};
  return true;
}

bool tp_octagon_implied_by(tp_cpa *cpa, const tp_elem *e, tp_view other) {
  const tp_octagon *self = tp_octagon_of(cpa);
  if (other.cpa == cpa) return false;
  tp_oct box;
  tp_oct_init(&box, e->n);
  for (uint32_t i = 0; i < e->n; i++) {
    const tp_octagon_var *x = &self->vars[e->vars[i].id];
    tp_i128 lo = tp_octagon_type_min(x), hi = tp_octagon_type_max(x);
    tp_range r;
    if (tp_view_range(other, tp_var_of(self->p, e->vars[i])->term, &r)) {
      lo = x->is_signed ? (tp_i128)r.smin : (tp_i128)r.umin;
      hi = x->is_signed ? (tp_i128)r.smax : (tp_i128)r.umax;
    }
    tp_oct_assign_range(&box, i, -tp_oct_bound(-lo), tp_oct_bound(hi));
  }
  const bool implied = tp_oct_leq(&box, e->oct);
  tp_oct_clear(&box);
  return implied;
}
