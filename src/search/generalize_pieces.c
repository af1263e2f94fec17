/* Formulas as polyhedra, and back.
 *
 * Bit-vectors are read as integers (smt/integers.h), exactly: where a sum may wrap, the translation
 * has a case for each multiple of 2^n that it can be off. What is left is a formula over linear
 * atoms, and this file takes its cases apart: disjunctions, conditionals, inequalities that do not
 * hold. Cases without a rational point are dropped, as are quotients: those of few values by one
 * case for each, others by forgetting them. So the pieces contain every model, and are larger only
 * where a number does not fit or a quotient was forgotten; who uses them must check what he makes
 * of them anyway.
 *
 * Terms that are no sums of variables (reads of memory, products) are dimensions of their own;
 * conditions over anything but integers are the mode of a piece. */
#include "search/generalize_priv.h"

#include "search/search_limits.h"

/* Coefficients beyond this are none of a program's sums; below it no product or sum of ours
 * overflows. */
#define FACTOR_MAX ((tp_i128)1 << 40)

void tp_poly_pieces_clear(tp_poly_pieces *p) {
  for (size_t i = 0; i < p->n; i++) tp_vec_clear(&p->at[i].poly.list);
  tp_vec_clear(p);
}

void tp_space_init(tp_space *s, tp_terms *tt, tp_polyhedra *helper) {
  *s = (tp_space){.tt = tt, .integers = tp_integers_new(tt), .helper = helper};
}

void tp_space_clear(tp_space *s) {
  tp_integers_free(s->integers);
  tp_map_clear(&s->stands_for);
  tp_map_clear(&s->stood_for);
  tp_vec_clear(&s->dims);
}

// -------------------------------------------------------------------- language

static tp_sort_kind sort_kind(const tp_space *s, tp_term t) {
  return tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t));
}

/* Is the operation one that integers know, on arguments that may be anything? */
static bool is_arithmetic(const tp_space *s, tp_term t) {
  const tp_term_kind k = tp_kind(s->tt, t);
  const bool constant_last = tp_n_args(s->tt, t) == 2 && tp_is_const(s->tt, tp_arg(s->tt, t, 1));
  switch ((int)k) {
    case TP_OP_TRUE:
    case TP_OP_FALSE:
    case TP_OP_BV_CONST:
    case TP_OP_VAR:
    case TP_OP_NOT:
    case TP_OP_AND:
    case TP_OP_OR:
    case TP_OP_XOR:
    case TP_OP_ITE:
    case TP_OP_BV_ADD:
    case TP_OP_BV_NEG:
    case TP_OP_BV_NOT:
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE:
    case TP_OP_BV_CONCAT:
    case TP_OP_BV_EXTRACT:
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: return true;
    case TP_OP_EQ:
      return sort_kind(s, tp_arg(s->tt, t, 0)) == TP_SORT_BV ||
             sort_kind(s, tp_arg(s->tt, t, 0)) == TP_SORT_BOOL;
    case TP_OP_BV_MUL:
    case TP_OP_BV_UDIV:
    case TP_OP_BV_SDIV:
    case TP_OP_BV_UREM:
    case TP_OP_BV_SREM:
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_XOR:
    case TP_OP_BV_SHL:
    case TP_OP_BV_LSHR:
    case TP_OP_BV_ASHR: return constant_last;
    default: return false;
  }
}

static tp_term stand_in(void *ctx, tp_term t) {
  tp_space *s = ctx;
  if (is_arithmetic(s, t)) return TP_TERM_NONE;
  tp_term v = tp_mk_var(s->tt, "part", tp_sort_of(s->tt, t));
  tp_map_set(&s->stood_for, v.id, t.id);
  return v;
}

tp_term tp_space_abstract(tp_space *s, tp_term formula) {
  return tp_map_terms(s->tt, formula, &(tp_mapper){.ctx = s, .before = stand_in}, &s->stands_for);
}

static tp_term original_of(void *ctx, tp_term var) {
  const tp_space *s = ctx;
  uint64_t id;
  return tp_map_get(&s->stood_for, var.id, &id) ? (tp_term){(uint32_t)id} : TP_TERM_NONE;
}

tp_term tp_space_original(tp_space *s, tp_term formula) {
  return tp_subst(s->tt, formula, original_of, s, NULL);
}

// ------------------------------------------------------------------ dimensions

typedef struct {
  const tp_space *s;
  TP_VEC(tp_term) fresh;
  bool has_old;
} dims_wanted;

static bool is_dim(const tp_space *s, tp_term var) {
  for (size_t i = 0; i < s->dims.n; i++)
    if (tp_term_eq(s->dims.at[i], var)) return true;
  return false;
}

static void visit_variable(void *ctx, tp_term var) {
  dims_wanted *w = ctx;
  if (sort_kind(w->s, var) != TP_SORT_BV) return;
  if (is_dim(w->s, var))
    w->has_old = true;
  else
    tp_vec_push(&w->fresh, var);
}

bool tp_space_add_dims(tp_space *s, tp_term formula, size_t room) {
  TP_REQUIRE(room <= TP_NUMERIC_POLY_DIMS);
  dims_wanted w = {.s = s};
  tp_for_vars(s->tt, formula, visit_variable, &w);
  bool ok = s->dims.n + w.fresh.n <= room && s->dims.n + w.fresh.n <= TP_NUMERIC_POLY_DIMS;
  for (size_t i = 0; i < w.fresh.n && ok; i++) ok = tp_width(s->tt, w.fresh.at[i]) <= 64;
  for (size_t i = 0; i < w.fresh.n && ok; i++) tp_vec_push(&s->dims, w.fresh.at[i]);
  tp_vec_clear(&w.fresh);
  return ok;
}

bool tp_space_has_dims(const tp_space *s, tp_term formula) {
  dims_wanted w = {.s = s};
  tp_for_vars(s->tt, formula, visit_variable, &w);
  bool all = w.fresh.n == 0;
  tp_vec_clear(&w.fresh);
  return all;
}

bool tp_space_shares_dim(const tp_space *s, tp_term formula) {
  dims_wanted w = {.s = s};
  tp_for_vars(s->tt, formula, visit_variable, &w);
  tp_vec_clear(&w.fresh);
  return w.has_old;
}

// ------------------------------------------------------------------ linear forms

/* Dimensions of one translation: the space's, then its helpers. */
typedef struct {
  tp_space *s;
  tp_term var[TP_NUMERIC_POLY_DIMS];  // integer variables
  uint32_t n;
} frame;

typedef struct {
  tp_term t;
  bool holds;
} claim;

typedef struct {
  TP_VEC(claim) open;    // not yet taken apart
  TP_VEC(claim) chosen;  // conditions of conditionals
  TP_VEC(tp_term) modes;
  tp_poly poly;
} branch;

typedef struct {
  tp_i128 factor[TP_NUMERIC_POLY_DIMS], constant;
} linear;

static uint32_t dimension_of(frame *f, tp_term integer) {
  for (uint32_t i = 0; i < f->n; i++)
    if (tp_term_eq(f->var[i], integer)) return i;
  if (f->n == TP_NUMERIC_POLY_DIMS) return TP_NUMERIC_POLY_DIMS;
  f->var[f->n] = integer;
  return f->n++;
}

static int chosen_arm(const branch *b, tp_term condition) {
  for (size_t i = 0; i < b->chosen.n; i++)
    if (tp_term_eq(b->chosen.at[i].t, condition)) return b->chosen.at[i].holds;
  return -1;
}

typedef enum { LINEAR_DONE, LINEAR_ASKS, LINEAR_NOT } linear_end;

/* out += factor * t. ASKS: *condition has to be decided first. */
static linear_end add_linear(frame *f, const branch *b, tp_term t, tp_i128 factor, linear *out,
                             tp_term *condition) {
  struct {
    tp_term t;
    tp_i128 factor;
  } todo[32];
  const tp_terms *tt = f->s->tt;
  size_t n = 0;
  todo[n].t = t, todo[n++].factor = factor;
  for (int steps = 0; n && steps < TP_SEARCH_PIECE_SUMMANDS; steps++) {
    tp_term x = todo[--n].t;
    tp_i128 c = todo[n].factor;
    if (n + 2 > sizeof todo / sizeof *todo || c > FACTOR_MAX || c < -FACTOR_MAX) return LINEAR_NOT;
    switch ((int)tp_kind(tt, x)) {
      case TP_OP_INT_CONST: out->constant += c * tp_int_value(tt, x); continue;
      case TP_OP_INT_ADD:
        todo[n].t = tp_arg(tt, x, 0), todo[n++].factor = c;
        todo[n].t = tp_arg(tt, x, 1), todo[n++].factor = c;
        continue;
      case TP_OP_INT_MUL: {
        tp_term k = tp_arg(tt, x, 0), of = tp_arg(tt, x, 1);
        if (tp_kind(tt, k) != TP_OP_INT_CONST) k = of, of = tp_arg(tt, x, 0);
        if (tp_kind(tt, k) != TP_OP_INT_CONST) return LINEAR_NOT;
        todo[n].t = of, todo[n++].factor = c * tp_int_value(tt, k);
        continue;
      }
      case TP_OP_ITE: {
        int arm = chosen_arm(b, tp_arg(tt, x, 0));
        *condition = tp_arg(tt, x, 0);
        if (arm < 0) return LINEAR_ASKS;
        todo[n].t = tp_arg(tt, x, arm ? 1 : 2), todo[n++].factor = c;
        continue;
      }
      case TP_OP_VAR: {
        uint32_t d = dimension_of(f, x);
        if (d == TP_NUMERIC_POLY_DIMS) return LINEAR_NOT;
        out->factor[d] += c;
        continue;
      }
      default: return LINEAR_NOT;
    }
  }
  return n ? LINEAR_NOT : LINEAR_DONE;
}

static tp_i128 gcd(tp_i128 a, tp_i128 b) {
  if (a < 0) a = -a;
  if (b < 0) b = -b;
  while (b) {
    tp_i128 r = a % b;
    a = b, b = r;
  }
  return a;
}

static bool fits(tp_i128 v) { return v <= INT64_MAX && v >= -INT64_MAX; }

/* l (relation) 0 over integers joins p. Numbers that do not fit: left out, which makes p larger. */
static void constrain(tp_poly *p, linear l, tp_poly_relation relation) {
  tp_i128 g = 0;
  for (uint32_t d = 0; d < TP_NUMERIC_POLY_DIMS; d++) g = gcd(g, l.factor[d]);
  if (g == 0) {
    if (relation == TP_POLY_EQ ? l.constant != 0 : l.constant < 0) p->is_empty = true;
    return;
  }
  if (relation == TP_POLY_EQ && l.constant % g != 0) {
    p->is_empty = true;
    return;
  }
  tp_i128 k = l.constant / g - (l.constant % g != 0 && l.constant < 0);
  tp_poly_constraint c = {.relation = relation};
  bool ok = fits(k);
  for (uint32_t d = 0; d < TP_NUMERIC_POLY_DIMS; d++) {
    ok = ok && fits(l.factor[d] / g);
    if (ok) c.coefficient[d] = (int64_t)(l.factor[d] / g);
  }
  if (!ok) return;
  c.constant = (int64_t)k;
  tp_vec_push(&p->list, c);
}

// ------------------------------------------------------------------- branches

typedef TP_VEC(branch) branches;

typedef struct {
  frame f;
  branches waiting, done;  // done: without open claims, and not known to be empty
  size_t n_branches;
  tp_poly_pieces *out;
  bool failed;
} taking_apart;

static void branch_clear(branch *b) {
  tp_vec_clear(&b->open);
  tp_vec_clear(&b->chosen);
  tp_vec_clear(&b->modes);
  tp_vec_clear(&b->poly.list);
}

static branch branch_copy(const branch *b) {
  branch c = {0};
  for (size_t i = 0; i < b->open.n; i++) tp_vec_push(&c.open, b->open.at[i]);
  for (size_t i = 0; i < b->chosen.n; i++) tp_vec_push(&c.chosen, b->chosen.at[i]);
  for (size_t i = 0; i < b->modes.n; i++) tp_vec_push(&c.modes, b->modes.at[i]);
  tp_poly_copy(&c.poly, &b->poly);
  return c;
}

/* b goes on with t false, a copy of it with t true (and is looked at first). Both remember the
 * choice for conditionals. */
static void fork_on(taking_apart *a, branch *b, tp_term t, claim if_true, claim if_false) {
  branch c = branch_copy(b);
  tp_vec_push(&c.chosen, (claim){t, true});
  tp_vec_push(&b->chosen, (claim){t, false});
  if (tp_term_is(if_true.t)) tp_vec_push(&c.open, if_true);
  if (tp_term_is(if_false.t)) tp_vec_push(&b->open, if_false);
  tp_vec_push(&c.open, (claim){t, true});
  tp_vec_push(&b->open, (claim){t, false});
  branch rest = *b;
  *b = (branch){0};
  tp_vec_push(&a->waiting, rest);
  tp_vec_push(&a->waiting, c);
}

/* a - b + shift (relation) 0. False: a fork was made, b is used up. */
static bool take_atom(taking_apart *a, branch *b, claim c, tp_term left, tp_term right,
                      int64_t shift, tp_poly_relation relation) {
  linear l = {.constant = shift};
  tp_term condition = TP_TERM_NONE;
  linear_end end = add_linear(&a->f, b, left, 1, &l, &condition);
  if (end == LINEAR_DONE) end = add_linear(&a->f, b, right, -1, &l, &condition);
  if (end == LINEAR_ASKS) {
    fork_on(a, b, condition, c, c);
    return false;
  }
  if (end == LINEAR_DONE) constrain(&b->poly, l, relation);
  return true;
}

/* Not equal: less, or greater. */
static void take_different(taking_apart *a, branch *b, tp_term left, tp_term right) {
  branch c = branch_copy(b);
  tp_vec_push(&c.open, (claim){tp_mk2(a->f.s->tt, TP_OP_INT_LT, left, right), true});
  tp_vec_push(&b->open, (claim){tp_mk2(a->f.s->tt, TP_OP_INT_LT, right, left), true});
  branch rest = *b;
  *b = (branch){0};
  tp_vec_push(&a->waiting, rest);
  tp_vec_push(&a->waiting, c);
}

/* One claim. False: the branch was forked. */
static bool take(taking_apart *a, branch *b, claim c) {
  tp_terms *tt = a->f.s->tt;
  const uint32_t n = tp_n_args(tt, c.t);
  tp_term x = n > 0 ? tp_arg(tt, c.t, 0) : TP_TERM_NONE,
          y = n > 1 ? tp_arg(tt, c.t, 1) : TP_TERM_NONE;
  const claim none = {TP_TERM_NONE, false};
  switch ((int)tp_kind(tt, c.t)) {
    case TP_OP_TRUE:
    case TP_OP_FALSE:
      if (tp_is_true(tt, c.t) != c.holds) b->poly.is_empty = true;
      return true;
    case TP_OP_NOT: tp_vec_push(&b->open, (claim){x, !c.holds}); return true;
    case TP_OP_AND:
    case TP_OP_OR:
      if ((tp_kind(tt, c.t) == TP_OP_AND) == c.holds) {
        tp_vec_push(&b->open, (claim){y, c.holds});
        tp_vec_push(&b->open, (claim){x, c.holds});
        return true;
      }
      fork_on(a, b, x, c.holds ? none : (claim){y, false}, c.holds ? (claim){y, true} : none);
      return false;
    case TP_OP_XOR: fork_on(a, b, x, (claim){y, !c.holds}, (claim){y, c.holds}); return false;
    case TP_OP_ITE:
      fork_on(a, b, x, (claim){y, c.holds}, (claim){tp_arg(tt, c.t, 2), c.holds});
      return false;
    case TP_OP_EQ:
      if (tp_sort_kind_of(tt, tp_sort_of(tt, x)) == TP_SORT_BOOL) {
        fork_on(a, b, x, (claim){y, c.holds}, (claim){y, !c.holds});
        return false;
      }
      if (c.holds) return take_atom(a, b, c, x, y, 0, TP_POLY_EQ);
      take_different(a, b, x, y);
      return false;
    case TP_OP_INT_LE:
      return c.holds ? take_atom(a, b, c, y, x, 0, TP_POLY_GE)
                     : take_atom(a, b, c, x, y, -1, TP_POLY_GE);
    case TP_OP_INT_LT:
      return c.holds ? take_atom(a, b, c, y, x, -1, TP_POLY_GE)
                     : take_atom(a, b, c, x, y, 0, TP_POLY_GE);
    case TP_OP_VAR: tp_vec_push(&b->modes, c.holds ? c.t : tp_mk_not(tt, c.t)); return true;
    default: return true;  // not understood: the piece is larger
  }
}

static tp_term mode_of(tp_terms *tt, const branch *b) {
  tp_term all = tp_mk_true(tt);
  uint32_t above = 0;  // in the order of ids, each once: equal modes are equal terms
  for (;;) {
    tp_term next = TP_TERM_NONE;
    for (size_t i = 0; i < b->modes.n; i++)
      if (b->modes.at[i].id > above && (!tp_term_is(next) || b->modes.at[i].id < next.id))
        next = b->modes.at[i];
    if (!tp_term_is(next)) return all;
    above = next.id;
    all = tp_mk_and(tt, all, next);
  }
}

/* The values of dimension d in p, if they are few. */
static bool few_values(tp_space *s, const tp_poly *p, uint32_t d, int64_t *lo, int64_t *hi) {
  tp_poly box = {0};
  bool has_lo = false, has_hi = false;
  if (!tp_poly_box(s->helper, p, &box)) return false;
  tp_poly_tighten(&box, TP_NUMERIC_POLY_DIMS);
  for (size_t i = 0; i < box.list.n; i++) {
    const tp_poly_constraint *c = &box.list.at[i];
    if (c->coefficient[d] == 0) continue;  // tight: the coefficient is 1 or -1
    if (c->coefficient[d] > 0 || c->relation == TP_POLY_EQ)
      has_lo = true, *lo = c->coefficient[d] > 0 ? -c->constant : c->constant;
    if (c->coefficient[d] < 0 || c->relation == TP_POLY_EQ)
      has_hi = true, *hi = c->coefficient[d] > 0 ? -c->constant : c->constant;
  }
  bool empty = box.is_empty;
  tp_vec_clear(&box.list);
  if (empty) *lo = 1, *hi = 0;
  return empty || (has_lo && has_hi && (tp_i128)*hi - *lo < TP_SEARCH_PIECE_QUOTIENTS);
}

/* Does every value of the variables' types satisfy it? With slack: but perhaps a few at the ends of
 * wide types. */
static bool is_trivial(tp_space *s, const tp_poly_constraint *c, int slack) {
  tp_i128 least = c->constant;
  if (c->relation == TP_POLY_EQ) return false;
  for (uint32_t d = 0; d < s->dims.n; d++) {
    if (c->coefficient[d] > FACTOR_MAX || c->coefficient[d] < -FACTOR_MAX) return false;
    const uint32_t w = tp_width(s->tt, s->dims.at[d]);
    const bool is_signed = tp_integers_is_signed(s->integers, s->dims.at[d]);
    const tp_i128 lo = is_signed ? -((tp_i128)1 << (w - 1)) : 0,
                  hi = ((tp_i128)1 << (is_signed ? w - 1 : w)) - 1;
    least += c->coefficient[d] * (c->coefficient[d] > 0 ? lo : hi);
    if (c->coefficient[d] && w < 16) slack = 0;
  }
  return least >= -slack;
}

/* The bounds of single variables join p, and what the types say anyway goes: sets that a type
 * bounds are unbounded here, so that hulls do not lean on corners of types. */
static bool without_types(tp_space *s, tp_poly *p) {
  tp_poly box = {0};
  size_t n = 0;
  if (!tp_poly_box(s->helper, p, &box)) return false;
  tp_poly_tighten(&box, TP_NUMERIC_POLY_DIMS);
  for (size_t i = 0; i < box.list.n; i++) tp_vec_push(&p->list, box.list.at[i]);
  for (size_t i = 0; i < p->list.n; i++)
    if (!is_trivial(s, &p->list.at[i], TP_SEARCH_PIECE_CORNER)) p->list.at[n++] = p->list.at[i];
  p->list.n = n;
  tp_vec_clear(&box.list);
  return tp_poly_minimize(s->helper, p, p);
}

/* A branch without open claims: a piece, once its helpers are gone. Those from dimension d on are
 * looked at. */
static void finish(taking_apart *a, tp_term mode, const tp_poly *p, uint32_t d) {
  tp_space *s = a->f.s;
  tp_poly q = {0};
  int64_t lo = 0, hi = 0;
  if (a->failed || !tp_poly_minimize(s->helper, p, &q)) a->failed = true;
  if (!a->failed && !q.is_empty && d == a->f.n) {
    if (a->out->n == TP_SEARCH_PIECES || !without_types(s, &q)) {
      a->failed = true;
    } else {
      tp_vec_push(a->out, (tp_poly_piece){.mode = mode});
      tp_poly_tighten(&q, TP_NUMERIC_POLY_DIMS);
      tp_poly_copy(&tp_vec_last(a->out).poly, &q);
    }
  } else if (!a->failed && !q.is_empty && few_values(s, &q, d, &lo, &hi)) {
    for (int64_t v = lo; v <= hi; v++) {
      tp_poly r = {0};
      linear l = {.constant = -(tp_i128)v};
      l.factor[d] = 1;
      tp_poly_copy(&r, &q);
      constrain(&r, l, TP_POLY_EQ);
      if (tp_poly_project(s->helper, &r, d, &r))
        finish(a, mode, &r, d + 1);
      else
        a->failed = true;
      tp_vec_clear(&r.list);
    }
  } else if (!a->failed && !q.is_empty) {
    if (tp_poly_project(s->helper, &q, d, &q))
      finish(a, mode, &q, d + 1);
    else
      a->failed = true;
  }
  tp_vec_clear(&q.list);
}

/* A branch with no rational point is not followed: found out when it forks, by the helper. */
static bool is_dead(taking_apart *a, const branch *b) {
  tp_poly q = {0};
  if (b->poly.is_empty || b->poly.list.n == 0 || !tp_poly_minimize(a->f.s->helper, &b->poly, &q))
    return b->poly.is_empty;
  bool empty = q.is_empty;
  tp_vec_clear(&q.list);
  return empty;
}

/* Uses the branch up. */
static void follow(taking_apart *a, branch *b) {
  while (b->open.n && !b->poly.is_empty)
    if (!take(a, b, tp_vec_pop(&b->open))) return;
  if (is_dead(a, b)) return;
  tp_vec_push(&a->done, *b);
  *b = (branch){0};
}

static void clear_all(branches *all) {
  for (size_t i = 0; i < all->n; i++) branch_clear(&all->at[i]);
  tp_vec_clear(all);
}

static void take_apart(taking_apart *a) {
  while (a->waiting.n && !a->failed) {
    branch b = tp_vec_pop(&a->waiting);
    if (++a->n_branches > TP_SEARCH_PIECE_BRANCHES)
      a->failed = true;
    else if (!is_dead(a, &b))
      follow(a, &b);
    branch_clear(&b);
  }
  clear_all(&a->waiting);
}

/* A claim joins a branch that is done, if that does not make two of it. False: nothing is left of
 * the branch. */
static bool refine(taking_apart *a, branch *b, tp_term claimed) {
  taking_apart one = {.f = a->f, .n_branches = a->n_branches};
  branch copy = branch_copy(b);
  tp_vec_push(&copy.open, (claim){claimed, true});
  tp_vec_push(&one.waiting, copy);
  take_apart(&one);
  a->n_branches = one.n_branches;
  a->failed = a->failed || one.failed;
  const bool is_empty = !one.failed && one.done.n == 0;
  if (!one.failed && one.done.n == 1) {
    branch_clear(b);
    *b = tp_vec_pop(&one.done);
    a->f = one.f;  // helpers may have got dimensions
  }
  clear_all(&one.done);
  return !is_empty;
}

/* The branches of the first n_core facts, each with those of the others that hold it together;
 * without helpers. */
static void make_pieces(taking_apart *a, const tp_integers_translation *answer, size_t n_core) {
  branch all = {0};
  for (size_t i = answer->side.n; i-- > 0;)
    tp_vec_push(&all.open, (claim){answer->side.at[i], true});
  for (size_t i = n_core; i-- > 0;) tp_vec_push(&all.open, (claim){answer->facts.at[i], true});
  tp_vec_push(&a->waiting, all);
  take_apart(a);
  for (size_t k = 0; k < a->done.n && !a->failed; k++) {
    bool is_left = true;
    for (size_t i = n_core; i < answer->facts.n && is_left && !a->failed; i++)
      is_left = refine(a, &a->done.at[k], answer->facts.at[i]);
    if (is_left)
      finish(a, mode_of(a->f.s->tt, &a->done.at[k]), &a->done.at[k].poly, (uint32_t)a->f.s->dims.n);
  }
  clear_all(&a->done);
}

bool tp_space_pieces(tp_space *s, const tp_term *formulas, size_t n, size_t n_core,
                     tp_poly_pieces *out) {
  TP_REQUIRE(n_core <= n && s->helper);
  tp_integers_query q = {.facts = formulas, .n_facts = n};
  tp_integers_translation answer = {0};
  taking_apart a = {.f = {.s = s}, .out = out};
  bool ok = s->dims.n <= TP_NUMERIC_POLY_DIMS && tp_integers_translate(s->integers, &q, &answer);
  if (ok) {
    for (size_t i = 0; i < s->dims.n; i++)
      a.f.var[a.f.n++] = tp_integers_var(s->integers, s->dims.at[i]);
    make_pieces(&a, &answer, n_core);
  }
  tp_integers_translation_clear(&answer);
  return ok && !a.failed;
}

// -------------------------------------------------------------------- and back

/* The positive (negative) part of the sum. */
static tp_term half_sum(tp_space *s, const tp_poly_constraint *c, int sign) {
  tp_term sum = tp_mk_int(
      s->tt, sign > 0 ? (c->constant > 0 ? c->constant : 0) : (c->constant < 0 ? -c->constant : 0));
  for (uint32_t d = 0; d < s->dims.n; d++) {
    const int64_t k = sign > 0 ? c->coefficient[d] : -c->coefficient[d];
    if (k <= 0) continue;
    tp_term v = tp_integers_var(s->integers, s->dims.at[d]);
    sum = tp_mk2(s->tt, TP_OP_INT_ADD, sum,
                 k == 1 ? v : tp_mk2(s->tt, TP_OP_INT_MUL, tp_mk_int(s->tt, k), v));
  }
  return sum;
}

tp_term tp_space_formula(tp_space *s, const tp_poly_piece *piece) {
  TP_REQUIRE(s->dims.n <= TP_NUMERIC_POLY_DIMS);
  tp_term all = piece->mode;
  if (piece->poly.is_empty) return tp_mk_false(s->tt);
  for (size_t i = 0; i < piece->poly.list.n; i++) {
    const tp_poly_constraint *c = &piece->poly.list.at[i];
    if (is_trivial(s, c, 0)) continue;
    tp_term left = half_sum(s, c, 1), right = half_sum(s, c, -1);
    tp_term atom =
        tp_integers_to_bits(s->integers,
                            c->relation == TP_POLY_EQ ? tp_mk_eq(s->tt, left, right)
                                                      : tp_mk2(s->tt, TP_OP_INT_LE, right, left),
                            TP_BACK_EXACT);
    if (tp_term_is(atom)) all = tp_mk_and(s->tt, all, atom);  // else larger; whoever uses it checks
  }
  return tp_space_original(s, all);
}

bool tp_space_is_in(tp_space *s, tp_point point, const tp_poly_piece *piece) {
  int64_t at[TP_NUMERIC_POLY_DIMS] = {0};
  tp_value v = {0};
  if (point.value(point.ctx, tp_space_original(s, piece->mode), &v) && v.bits == 0) return false;
  for (uint32_t d = 0; d < s->dims.n; d++) {
    const uint32_t w = tp_width(s->tt, s->dims.at[d]);
    const bool is_signed = tp_integers_is_signed(s->integers, s->dims.at[d]);
    if (!point.value(point.ctx, tp_space_original(s, s->dims.at[d]), &v)) return true;
    if (is_signed && w < 64 && (v.bits >> (w - 1) & 1)) v.bits |= ~(tp_u128)0 << w;
    at[d] = (int64_t)(uint64_t)v.bits;
    if (!is_signed && at[d] < 0) return true;  // does not fit
  }
  return tp_poly_contains(&piece->poly, (uint32_t)s->dims.n, at);
}
