/* Assignments x := t.
 *
 * If t's value in x's reading is a linear form, each of its variables y gives x = +-y + rest, with
 * the rest bounded by the octagon before the assignment. The tightest of them (x itself, if x :=
 * +-x + rest: what was known of x moves along) is made exactly, the others are added. A choice
 * between two terms is the join of two assignments. Remainders, quotients, masks are intervals in
 * forms, but below their operands: i % n < n keeps a ring buffer's index in range, lo + (hi - lo) /
 * 2 < hi a binary search's. */
#include "cpa/octagon/octagon_priv.h"

#include "cpa/cpa_limits.h"

static int64_t upper_bound(tp_i128 hi) { return tp_oct_bound(hi); }
static int64_t lower_bound(tp_i128 lo) { return -tp_oct_bound(-lo); }

typedef struct {
  tp_i128 lo, hi;
} range;

static range bounds_of(tp_octagon_view v, const tp_octagon_form *f) {
  return (range){tp_octagon_lower(v, f), tp_octagon_upper(v, f)};
}

static int sign(int64_t c) { return c < 0 ? -1 : 1; }

/* Which monomial moves into x: x itself with coefficient +-1; else the one with the narrowest rest.
 */
static uint32_t choose_main(const tp_octagon_form *f, const range *rests, uint32_t dim) {
  TP_REQUIRE(f->n > 0);
  uint32_t best = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    if (f->at[i].dim == dim && (f->at[i].c == 1 || f->at[i].c == -1)) return i;
    if (rests[i].hi - rests[i].lo < rests[best].hi - rests[best].lo) best = i;
  }
  return best;
}

static bool assign_form(tp_octagon_draft *d, uint32_t dim, const tp_octagon_form *f) {
  TP_REQUIRE(dim < d->vars.n);
  const tp_octagon_view v = tp_octagon_view_draft(d);
  const range whole = bounds_of(v, f);
  if (f->n == 0) {
    tp_oct_assign_range(&d->oct, dim, lower_bound(whole.lo), upper_bound(whole.hi));
    return true;
  }
  range rests[TP_CPA_OCTAGON_MONOMIALS];
  for (uint32_t i = 0; i < f->n; i++) {
    const tp_octagon_form rest = tp_octagon_without(f, i, sign(f->at[i].c));
    rests[i] = bounds_of(v, &rest);
  }
  const uint32_t first = choose_main(f, rests, dim);
  tp_oct_assign(&d->oct, dim, tp_octagon_literal(f->at[first].dim, f->at[first].c),
                lower_bound(rests[first].lo), upper_bound(rests[first].hi));
  for (uint32_t i = 0; i < f->n; i++) {
    if (i == first || f->at[i].dim == dim) continue;  // old values of x have no name any more
    const uint32_t y = tp_octagon_literal(f->at[i].dim, f->at[i].c);
    if (!tp_oct_meet_sum(&d->oct, tp_oct_plus(dim), y ^ 1, upper_bound(rests[i].hi))) return false;
    if (!tp_oct_meet_sum(&d->oct, tp_oct_minus(dim), y, upper_bound(-rests[i].lo))) return false;
  }
  return tp_oct_meet(&d->oct, tp_oct_plus(dim), upper_bound(whole.hi)) &&
         tp_oct_meet(&d->oct, tp_oct_minus(dim), upper_bound(-whole.lo));
}

// ----------------------------------------------------- not linear, but bounded

/* Bounds of x by forms, both over variables before the assignment: x <= form, or x >= form. */
typedef struct {
  tp_octagon_form form;
  bool is_floor;
} bound;

typedef struct {
  tp_octagon_view v;
  uint32_t dim;  // of x
  bound at[TP_CPA_OCTAGON_BOUNDS];
  size_t n;
} bounds;

/* A term whose value is not negative in its operation's reading, apart from the rest of what is
 * assigned: x = rest + atom. */
typedef struct {
  tp_term term;
  tp_octagon_form rest;
} atom;

static bool mentions(const tp_octagon_form *f, uint32_t dim) {
  for (uint32_t i = 0; i < f->n; i++)
    if (f->at[i].dim == dim) return true;
  return false;
}

/* atom <= f + gap, so x <= rest + f + gap. Old values of x have no name any more. */
static void add_bound(bounds *b, const atom *a, const tp_octagon_form *f, int gap, bool is_floor) {
  const tp_octagon_form nothing = {0}, minus_f = tp_octagon_minus(b->v, &nothing, f);
  tp_octagon_form whole = tp_octagon_minus(b->v, &a->rest, &minus_f);
  if (b->n == TP_CPA_OCTAGON_BOUNDS || whole.n == 0 || mentions(&whole, b->dim)) return;
  whole.lo += gap, whole.hi += gap;
  b->at[b->n++] = (bound){whole, is_floor};
}

/* Numbers that are not negative, in the reading of the operation. */
static bool operands_of(tp_octagon_view v, tp_term t, tp_octagon_form *a, tp_octagon_form *b) {
  const tp_terms *tt = v.self->tt;
  const tp_term_kind k = tp_kind(tt, t);
  const bool is_signed = k == TP_OP_BV_SREM || k == TP_OP_BV_SDIV;
  *a = tp_octagon_value(v, tp_arg(tt, t, 0), is_signed);
  *b = tp_octagon_value(v, tp_arg(tt, t, 1), is_signed);
  return tp_octagon_lower(v, a) >= 0 && tp_octagon_lower(v, b) >= 0;
}

/* p <= (p + q) / 2 <= q for p <= q, the upper one strict if p < q. */
static void add_middle(bounds *b, const atom *x, const tp_octagon_form *sum) {
  if (sum->n != 2 || sum->at[0].c != 1 || sum->at[1].c != 1 || sum->lo != 0 || sum->hi != 0) return;
  tp_octagon_form one = tp_octagon_without(sum, 1, 1), other = tp_octagon_without(sum, 0, 1);
  const tp_octagon_form difference = tp_octagon_minus(b->v, &one, &other);
  const tp_i128 most = tp_octagon_upper(b->v, &difference),
                least = tp_octagon_lower(b->v, &difference);
  if (most > 0 && least < 0) return;
  const bool one_is_less = most <= 0, is_strict = one_is_less ? most < 0 : least > 0;
  add_bound(b, x, one_is_less ? &one : &other, 0, true);
  add_bound(b, x, one_is_less ? &other : &one, is_strict ? -1 : 0, false);
}

static void add_bounds_of(bounds *b, const atom *x) {
  const tp_terms *tt = b->v.self->tt;
  tp_octagon_form left, right;
  if (!operands_of(b->v, x->term, &left, &right)) return;
  const tp_i128 divisor = tp_octagon_lower(b->v, &right);
  const bool is_positive = tp_octagon_lower(b->v, &left) >= 1;
  switch ((int)tp_kind(tt, x->term)) {
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM:
      if (divisor >= 1) add_bound(b, x, &right, -1, false);
      add_bound(b, x, &left, 0, false);
      break;
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SDIV:  // (a division by zero has ended the run)
      if (divisor >= 1) add_bound(b, x, &left, is_positive && divisor >= 2 ? -1 : 0, false);
      if (divisor == 2 && tp_octagon_upper(b->v, &right) == 2) add_middle(b, x, &left);
      break;
    case TP_OP_BV_LSHR:
      add_bound(b, x, &left, is_positive && divisor >= 1 ? -1 : 0, false);
      if (divisor == 1 && tp_octagon_upper(b->v, &right) == 1) add_middle(b, x, &left);
      break;
    case TP_OP_BV_AND:
      add_bound(b, x, &left, 0, false);
      add_bound(b, x, &right, 0, false);
      break;
    default: break;
  }
}

static bool is_atom(const tp_terms *tt, tp_term t) {
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM:
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SDIV:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_AND: return true;
    default: return false;
  }
}

/* t = rest + the summand modulo 2^width. Which multiple is lost is settled with all that is known
 * of their sum: the summand's range in its place, and its bounds. Then the sum is a form for t, if
 * *f is none yet. */
static void add_summand(bounds *b, bool is_signed, tp_term t, tp_term summand, tp_octagon_form *f) {
  tp_terms *tt = b->v.self->tt;
  const uint32_t width = tp_width(tt, t);
  const tp_term inner = tp_kind(tt, summand) == TP_OP_BV_ZEXT ? tp_arg(tt, summand, 0) : summand;
  if (!is_atom(tt, inner)) return;
  const bool reads_signed =
      tp_kind(tt, inner) == TP_OP_BV_SREM || tp_kind(tt, inner) == TP_OP_BV_SDIV;
  const tp_interval range_of = tp_octagon_interval(b->v, inner);
  if (tp_interval_is_none(&range_of)) return;
  if (reads_signed &&
      tp_interval_umax(&range_of) > (tp_u128)tp_octagon_max_of(range_of.width, true))
    return;
  const atom a = {inner, tp_octagon_ring(b->v, tp_mk_sub(tt, t, summand))};
  const tp_octagon_form size = {.lo = -(tp_i128)tp_interval_umax(&range_of),
                                .hi = -(tp_i128)tp_interval_umin(&range_of)};
  tp_octagon_form whole = tp_octagon_minus(b->v, &a.rest, &size);
  const size_t first = b->n;
  add_bounds_of(b, &a);
  tp_i128 from = tp_octagon_lower(b->v, &whole), to = tp_octagon_upper(b->v, &whole);
  for (size_t i = first; i < b->n; i++) {
    const bound *at = &b->at[i];
    const tp_i128 end =
        at->is_floor ? tp_octagon_lower(b->v, &at->form) : tp_octagon_upper(b->v, &at->form);
    if (at->is_floor && end > from) from = end;
    if (!at->is_floor && end < to) to = end;
  }
  const tp_i128 before = whole.lo, lo = tp_octagon_min_of(width, is_signed),
                hi = tp_octagon_max_of(width, is_signed);
  if (from > to || tp_octagon_settle_within(&whole, width, lo, hi, from, to) != TP_OCTAGON_EXACT) {
    b->n = first;
    return;
  }
  for (size_t i = first; i < b->n; i++)
    b->at[i].form.lo += whole.lo - before, b->at[i].form.hi += whole.lo - before;
  if (f->n == 0 && whole.n > 0) *f = whole;
}

/* Of the first summands: sums lean to the left. */
static void bounds_of_term(bounds *b, bool is_signed, tp_term t, tp_octagon_form *f) {
  const tp_terms *tt = b->v.self->tt;
  tp_term rest = t;
  for (int k = 0; k < TP_CPA_OCTAGON_SUMMANDS && tp_kind(tt, rest) == TP_OP_BV_ADD; k++) {
    add_summand(b, is_signed, t, tp_arg(tt, rest, 1), f);
    rest = tp_arg(tt, rest, 0);
  }
  add_summand(b, is_signed, t, rest, f);
}

// ------------------------------------------------------------------ assignments

static void count_havoc(const tp_octagon_draft *d) {
  if (d->self->cpa->env->stats) d->self->cpa->env->stats->havocs++;
}

static bool assign_simple(tp_octagon_draft *d, tp_var x, uint32_t dim, tp_term t) {
  const tp_octagon_var *info = &d->self->vars[x.id];
  const tp_octagon_view v = tp_octagon_view_draft(d);
  tp_octagon_form f = tp_octagon_value(v, t, info->is_signed);
  bounds b = {.v = v, .dim = dim};
  bounds_of_term(&b, info->is_signed, t, &f);
  if (f.n == 0 && b.n == 0 && f.lo == tp_octagon_type_min(info) &&
      f.hi == tp_octagon_type_max(info))
    count_havoc(d);
  if (!assign_form(d, dim, &f)) return false;
  const tp_octagon_form is_x = {.n = 1, .at = {{dim, 1}}};
  for (size_t i = 0; i < b.n; i++) {
    const bound *at = &b.at[i];
    const tp_octagon_form excess = at->is_floor ? tp_octagon_minus(v, &at->form, &is_x)
                                                : tp_octagon_minus(v, &is_x, &at->form);
    if (!tp_octagon_impose(d, &excess)) return false;
  }
  return true;
}

static bool assign(tp_octagon_draft *d, tp_var x, uint32_t dim, tp_term t, unsigned splits) {
  const tp_terms *tt = d->self->tt;
  if (tp_kind(tt, t) != TP_OP_ITE || splits == 0) return assign_simple(d, x, dim, t);
  const tp_term condition = tp_arg(tt, t, 0);
  tp_octagon_draft other = {0};
  tp_octagon_copy_draft(&other, d);
  const bool first =
      tp_octagon_assume(d, condition, true) && assign(d, x, dim, tp_arg(tt, t, 1), splits - 1);
  const bool second = tp_octagon_assume(&other, condition, false) &&
                      assign(&other, x, dim, tp_arg(tt, t, 2), splits - 1);
  if (first && second)
    tp_oct_join(&d->oct, &other.oct);
  else if (second)
    tp_oct_copy(&d->oct, &other.oct);
  tp_octagon_drop_draft(&other);
  return first || second;
}

bool tp_octagon_assign(tp_octagon_draft *d, tp_var x, tp_term t) {
  TP_REQUIRE(x.id && x.id < d->self->p->vars.n);
  const uint32_t dim = tp_octagon_dim(tp_octagon_view_draft(d), x);
  return dim == TP_OCTAGON_NO_DIM || assign(d, x, dim, t, TP_CPA_OCTAGON_ASSIGN_SPLITS);
}
