/* Candidates for relations at a cut.
 *
 * From the comparisons in a formula come linear forms (differences of their sides, without
 * constants) and their sums and differences by pairs; candidates are: such a form has the value
 * that it has in a state behind the path; an order between sides, not strict; a lower bound 0; the
 * lowest bit of a form. So 1 + x = n after one turn and 2 + x = n before two become x = i. Wide:
 * from pairs of forms and variables also the line through the states of the path at this cut and an
 * earlier one (after three turns and two, i = 3, 2 and h = 9, 6 give h = 3 i), and conditions of
 * earlier blocks on inputs that variables still hold. Then those come first that hold in the states
 * of most of the last cuts. */
#include "formula/interpolants_priv.h"

#include "formula/formula_limits.h"

typedef struct {
  tp_itp *s;
  size_t cut;
  tp_smt *state;             // model of the path up to the cut
  tp_term_list forms;        // of bit-vectors
  tp_term_list *candidates;  // special ones last
} relator;

static void add(tp_term_list *list, tp_term t, size_t limit) {
  for (size_t i = 0; i < list->n; i++)
    if (tp_term_eq(list->at[i], t)) return;
  if (list->n < limit) tp_vec_push(list, t);
}

/* A sum without its constant; of the two signs the term that was made first. */
static tp_term form_of(tp_terms *tt, tp_term a, tp_term b) {
  tp_term d = tp_mk_sub(tt, a, b);
  if (tp_kind(tt, d) == TP_OP_BV_ADD)
    for (uint32_t i = 0; i < 2; i++)
      if (tp_kind(tt, tp_arg(tt, d, i)) == TP_OP_BV_CONST) return tp_arg(tt, d, 1 - i);
  return d;
}

static bool is_bv(const tp_terms *tt, tp_term t) {
  return tp_sort_kind_of(tt, tp_sort_of(tt, t)) == TP_SORT_BV;
}

static bool is_order(tp_term_kind k) { return tp_kind_order(k).is_order; }

static void find_forms(relator *r, const tp_atoms *atoms) {
  tp_terms *tt = r->s->tt;
  for (size_t i = 0; i < atoms->n && i < TP_FORMULA_RELATED_ATOMS; i++) {
    tp_term t = atoms->at[i];
    tp_term_kind k = tp_kind(tt, t);
    if ((k != TP_OP_EQ && !is_order(k)) || !is_bv(tt, tp_arg(tt, t, 0))) continue;
    tp_term form = form_of(tt, tp_arg(tt, t, 0), tp_arg(tt, t, 1));
    if (!tp_is_const(tt, form)) add(&r->forms, form, TP_FORMULA_RELATED_FORMS);
  }
}

static void add_candidate(relator *r, tp_term t) {
  if (!tp_is_const(r->s->tt, t) && tp_paths_is_expressible(r->s->x, t))
    add(r->candidates, t, TP_FORMULA_RELATED_CANDIDATES);
}

/* The value of the form in this state becomes a candidate. */
static bool value_at(const relator *r, size_t cut, tp_term t, tp_value *out) {
  return tp_smt_value(r->state, tp_itp_at_cut(r->s, cut, t), out);
}

static void same_value(relator *r, tp_term form) {
  tp_terms *tt = r->s->tt;
  tp_value v;
  if (!tp_is_const(tt, form) && value_at(r, r->cut, form, &v))
    add_candidate(r, tp_mk_eq(tt, form, tp_mk_value(tt, tp_sort_of(tt, form), v)));
}

static void pairs(relator *r) {
  tp_terms *tt = r->s->tt;
  for (size_t i = 0; i < r->forms.n; i++)
    for (size_t j = i + 1; j < r->forms.n; j++) {
      tp_term a = r->forms.at[i], b = r->forms.at[j];
      if (tp_width(tt, a) != tp_width(tt, b)) continue;
      same_value(r, form_of(tt, a, b));
      same_value(r, form_of(tt, a, tp_mk1(tt, TP_OP_BV_NEG, b)));
    }
}

static void orders(relator *r, const tp_atoms *atoms) {
  tp_terms *tt = r->s->tt;
  for (size_t i = 0; i < atoms->n && i < TP_FORMULA_RELATED_ATOMS; i++) {
    tp_term t = atoms->at[i];
    tp_term_kind k = tp_kind(tt, t);
    if (!is_order(k)) continue;
    tp_term_kind le = k == TP_OP_BV_ULT || k == TP_OP_BV_ULE ? TP_OP_BV_ULE : TP_OP_BV_SLE;
    for (uint32_t j = 0; j < 2; j++) {
      tp_term a = tp_arg(tt, t, j), b = tp_arg(tt, t, 1 - j);
      add_candidate(r, tp_mk2(tt, le, a, b));
      add_candidate(r, tp_mk2(tt, TP_OP_BV_SLE, tp_mk_bv(tt, tp_width(tt, a), 0), a));
    }
  }
}

// ------------------------------------------------------------------------- wide

static int64_t signed_difference(tp_u128 a, tp_u128 b, uint32_t width) {
  uint64_t d = (uint64_t)(a - b) << (64 - width);
  return (int64_t)d >> (64 - width);
}

static bool is_large(int64_t d) { return d > INT32_MAX || d < -INT32_MAX; }

static int64_t greatest_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static tp_term multiple(tp_terms *tt, int64_t factor, tp_term t) {
  return tp_mk2(tt, TP_OP_BV_MUL, tp_mk_bv_signed(tt, tp_width(tt, t), factor), t);
}

/* The line through the states here and at the nearest cut where both terms were different. */
static void line_through(relator *r, tp_term x, tp_term y) {
  tp_terms *tt = r->s->tt;
  tp_value x1, y1, x0, y0;
  uint32_t w = tp_width(tt, x);
  if (w > 64 || w != tp_width(tt, y) || !value_at(r, r->cut, x, &x1) ||
      !value_at(r, r->cut, y, &y1))
    return;
  for (size_t back = 1; back <= TP_FORMULA_RELATED_CUTS && back < r->cut; back++) {
    if (!value_at(r, r->cut - back, x, &x0) || !value_at(r, r->cut - back, y, &y0)) return;
    int64_t dx = signed_difference(x1.bits, x0.bits, w),
            dy = signed_difference(y1.bits, y0.bits, w);
    if (!dx || !dy) continue;
    if (is_large(dx) || is_large(dy)) return;
    int64_t divisor = greatest_divisor(dx, dy);
    dx /= divisor;
    dy /= divisor;
    if (dx > TP_FORMULA_RELATED_FACTOR || dx < -TP_FORMULA_RELATED_FACTOR ||
        dy > TP_FORMULA_RELATED_FACTOR || dy < -TP_FORMULA_RELATED_FACTOR)
      return;
    same_value(r, form_of(tt, multiple(tt, dy, x), multiple(tt, dx, y)));
    return;
  }
}

static void lines(relator *r, const tp_term_list *reads) {
  tp_term_list terms = {0};
  for (size_t i = 0; i < reads->n; i++)
    if (is_bv(r->s->tt, reads->at[i])) add(&terms, reads->at[i], TP_FORMULA_RELATED_TERMS);
  for (size_t i = 0; i < r->forms.n; i++) add(&terms, r->forms.at[i], TP_FORMULA_RELATED_TERMS);
  for (size_t i = 0; i < terms.n; i++)
    for (size_t j = i + 1; j < terms.n; j++) line_through(r, terms.at[i], terms.at[j]);
  tp_vec_clear(&terms);
}

/* Conditions of earlier blocks on inputs that variables hold at the cut, and on what is as it was
 * at the start. */
static void earlier_conditions(relator *r, const tp_term_list *reads) {
  tp_itp *s = r->s;
  tp_map holder = {0};
  for (size_t i = 0; i < reads->n; i++) {
    tp_term value = tp_itp_at_cut(s, r->cut, reads->at[i]);
    if (tp_kind(s->tt, value) == TP_OP_VAR && tp_itp_is_inexpressible(s->x, value) &&
        !tp_map_has(&holder, value.id))
      tp_map_set(&holder, value.id, reads->at[i].id);
  }
  for (size_t j = 0; holder.n && j < s->first[r->cut]; j++) {
    tp_term t = s->literals.at[j].whole;
    if (tp_dag_size(s->tt, t) > TP_FORMULA_RELATED_LITERAL) continue;
    add_candidate(r, tp_replace_all(s->tt, t, &holder));
  }
  tp_map_clear(&holder);
}

/* In how many of the last cuts' states does it hold? */
static uint32_t score(const relator *r, tp_term t) {
  uint32_t n = 0;
  tp_value v;
  for (size_t back = 0; back <= TP_FORMULA_RELATED_CUTS && back < r->cut; back++)
    n += value_at(r, r->cut - back, t, &v) && v.bits;
  return n;
}

static void sort_by_score(relator *r) {
  uint32_t scores[TP_FORMULA_RELATED_CANDIDATES];
  for (size_t i = 0; i < r->candidates->n; i++) {
    tp_term t = r->candidates->at[i];
    uint32_t of_t = score(r, t);
    size_t at = i;
    for (; at > 0 && scores[at - 1] < of_t; at--) {
      scores[at] = scores[at - 1];
      r->candidates->at[at] = r->candidates->at[at - 1];
    }
    scores[at] = of_t;
    r->candidates->at[at] = t;
  }
}

void tp_itp_candidates(tp_itp *s, size_t cut, tp_smt *state, tp_term shape, bool wide,
                       tp_term_list *out) {
  TP_REQUIRE(cut <= s->n && state);
  relator r = {.s = s, .cut = cut, .state = state, .candidates = out};
  tp_atoms atoms = {0};
  tp_term_list reads = {0};
  tp_atoms_of(s->tt, shape, &atoms);
  find_forms(&r, &atoms);
  if (wide) {
    tp_itp_reads(s, shape, &reads);
    earlier_conditions(&r, &reads);
    lines(&r, &reads);
  }
  pairs(&r);
  orders(&r, &atoms);
  for (size_t i = 0; i < r.forms.n; i++) {
    same_value(&r, tp_mk_extract(s->tt, 0, 0, r.forms.at[i]));
    same_value(&r, r.forms.at[i]);
  }
  if (wide) sort_by_score(&r);
  tp_vec_clear(&atoms);
  tp_vec_clear(&reads);
  tp_vec_clear(&r.forms);
}
