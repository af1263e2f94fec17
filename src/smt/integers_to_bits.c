/* From integer formulas back to bit-vectors.
 *
 * An atom a <= b or a = b over linear terms is computed modulo 2^W. Sums and products by constants
 * are right modulo 2^W whatever happens in between, so W must hold only the values of a and b (of a
 * - b for an equation) for all values of the variables; variables are extended by their reading.
 * Remainders by powers of two are low bits, which need no width at all. */
#include "smt/integers_priv.h"

/* A term to be computed in a width. */
typedef struct {
  tp_term t;
  uint32_t w;
} task;

typedef struct {
  tp_integers *n;
  tp_integers_to_bits_mode how;
  tp_map done;  // (term, width; 0: Bool) -> result
  TP_VEC(task) todo;
  bool failed;
} to_bits;

static uint64_t key_of(task x) { return (uint64_t)x.t.id << 32 | x.w; }

/* The result, or NONE: it comes first now. */
static tp_term need(to_bits *b, tp_term t, uint32_t w) {
  task x = {t, w};
  uint64_t id;
  if (tp_map_get(&b->done, key_of(x), &id)) return (tp_term){(uint32_t)id};
  if (w > TP_BV_MAX_BITS) b->failed = true;
  tp_vec_push(&b->todo, x);
  return TP_TERM_NONE;
}

static tp_term give_up(to_bits *b) {
  b->failed = true;
  return TP_TERM_NONE;
}

// --------------------------------------------------------------------- widths

/* Bits that hold a span: signed, or unsigned if that is possible and asked for. More than there
 * are: 1 + TP_BV_MAX_BITS. */
static uint32_t bits_for(tp_span s, bool is_signed) {
  for (uint32_t w = 1; w < 120; w++)
    if (tp_span_is_inside(s, tp_span_of_type(w, is_signed))) return w;
  return TP_BV_MAX_BITS + 1;
}

typedef struct {
  uint32_t w;
  bool is_signed;
} width;

/* The smaller of signed and unsigned; in doubt signed. */
static width width_for(tp_span s) {
  uint32_t with = bits_for(s, true), without = bits_for(s, false);
  return without < with ? (width){without, false} : (width){with, true};
}

typedef struct {
  tp_integers *n;
  uint32_t width;
} width_search;

static tp_visit compare_width(void *ctx, tp_term t) {
  width_search *s = ctx;
  tp_term_kind k = tp_kind(s->n->tt, t);
  const tp_integers_variable *v = k == TP_OP_VAR ? tp_integers_find(s->n, t) : NULL;
  bool ok = k == TP_OP_INT_ADD || k == TP_OP_INT_MUL || k == TP_OP_INT_CONST ||
            (v && (s->width == 0 || s->width == v->width_bits));
  if (v) s->width = v->width_bits;
  return ok ? TP_VISIT_ARGS : TP_VISIT_STOP;
}

/* The common width of all variables below a sum; 0: none, or helpers or conditionals occur. */
static uint32_t common_width(to_bits *b, tp_term e) {
  width_search s = {b->n, 0};
  bool ok = tp_visit_terms(b->n->tt, e, &(tp_visitor){.ctx = &s, .visit = compare_width}, NULL);
  return ok ? s.width : 0;
}

// ------------------------------------------------------------------ arithmetic

static tp_term constant(to_bits *b, uint32_t w, tp_i128 v) {
  return tp_mk_bv(b->n->tt, w, (tp_u128)v);
}

static uint32_t log2_of(tp_i128 d) {
  uint32_t k = 0;
  while (tp_power2(k) < d) k++;
  return k;
}

/* floor(e / d) or the remainder, exactly, then brought to w bits. */
static tp_term helper(to_bits *b, const tp_integers_helper *h, uint32_t w) {
  tp_terms *tt = b->n->tt;
  tp_span s = tp_integers_span_of(b->n, h->of);
  uint32_t k = log2_of(h->by);
  bool is_power = tp_power2(k) == h->by;
  if (h->is_mod && is_power) {
    if (k == 0) return constant(b, w, 0);
    tp_term low = need(b, h->of, k);
    return tp_term_is(low) ? tp_mk_resize(tt, w, false, low) : low;
  }
  s = tp_span_hull(s, (tp_span){-h->by, h->by});
  uint32_t wide = bits_for(s, true);
  tp_term e = need(b, h->of, wide);
  if (!tp_term_is(e)) return e;
  if (is_power)
    return tp_mk_resize(tt, w, true, tp_mk2(tt, TP_OP_BV_ASHR, e, constant(b, wide, k)));
  tp_term d = constant(b, wide, h->by), rest = tp_mk2(tt, TP_OP_BV_SREM, e, d);
  tp_term negative = tp_mk2(tt, TP_OP_BV_SLT, rest, constant(b, wide, 0));
  tp_term mod = tp_mk_ite(tt, negative, tp_mk2(tt, TP_OP_BV_ADD, rest, d), rest);
  if (h->is_mod) return tp_mk_resize(tt, w, true, mod);
  tp_term q = tp_mk2(tt, TP_OP_BV_SDIV, e, d);
  return tp_mk_resize(tt, w, true,
                      tp_mk_ite(tt, negative, tp_mk_sub(tt, q, constant(b, wide, 1)), q));
}

/* An integer term modulo 2^w. */
static tp_term number(to_bits *b, tp_term e, uint32_t w) {
  TP_REQUIRE(w >= 1 && tp_sort_kind_of(b->n->tt, tp_sort_of(b->n->tt, e)) == TP_SORT_INT);
  tp_terms *tt = b->n->tt;
  tp_i128 c;
  if (tp_integers_constant_value(b->n, e, &c)) return constant(b, w, c);
  tp_term x, y, z;
  switch ((int)tp_kind(tt, e)) {
    case TP_OP_VAR: {
      const tp_integers_variable *v = tp_integers_find(b->n, e);
      const tp_integers_helper *h = tp_integers_find_helper(b->n, e);
      if (h) return helper(b, h, w);
      return v ? tp_mk_resize(tt, w, v->is_signed, v->origin) : give_up(b);
    }
    case TP_OP_INT_ADD:
      x = need(b, tp_arg(tt, e, 0), w), y = need(b, tp_arg(tt, e, 1), w);
      return tp_term_is(x) && tp_term_is(y) ? tp_mk2(tt, TP_OP_BV_ADD, x, y) : TP_TERM_NONE;
    case TP_OP_INT_MUL:
      if (!tp_integers_constant_value(b->n, tp_arg(tt, e, 0), &c)) return give_up(b);
      y = need(b, tp_arg(tt, e, 1), w);
      return tp_term_is(y) ? tp_mk2(tt, TP_OP_BV_MUL, constant(b, w, c), y) : y;
    case TP_OP_ITE:
      x = need(b, tp_arg(tt, e, 0), 0), y = need(b, tp_arg(tt, e, 1), w),
      z = need(b, tp_arg(tt, e, 2), w);
      return tp_term_is(x) && tp_term_is(y) && tp_term_is(z) ? tp_mk_ite(tt, x, y, z)
                                                             : TP_TERM_NONE;
    default: return give_up(b);
  }
}

// ---------------------------------------------------------------------- atoms

static tp_term equation(to_bits *b, tp_term l, tp_term r) {
  tp_span d =
      tp_span_add(tp_integers_span_of(b->n, l), tp_span_scale(tp_integers_span_of(b->n, r), -1));
  tp_i128 most = d.hi > -d.lo ? d.hi : -d.lo;
  uint32_t w = 1, narrow = b->how == TP_BACK_MODULAR
                               ? common_width(b, tp_mk2(b->n->tt, TP_OP_INT_ADD, l, r))
                               : 0;
  while (w < 120 && tp_power2(w) <= most) w++;
  if (most >= TP_SPAN_FAR) w = TP_BV_MAX_BITS + 1;
  if (narrow && narrow < w) w = narrow;
  tp_term x = need(b, l, w), y = need(b, r, w);
  return tp_term_is(x) && tp_term_is(y) ? tp_mk_eq(b->n->tt, x, y) : TP_TERM_NONE;
}

static tp_term order(to_bits *b, tp_term t) {
  tp_terms *tt = b->n->tt;
  tp_term l = tp_arg(tt, t, 0), r = tp_arg(tt, t, 1);
  width w = width_for(tp_span_hull(tp_integers_span_of(b->n, l), tp_integers_span_of(b->n, r)));
  tp_term x = need(b, l, w.w), y = need(b, r, w.w);
  if (!tp_term_is(x) || !tp_term_is(y)) return TP_TERM_NONE;
  if (tp_kind(tt, t) == TP_OP_INT_LE)
    return tp_mk2(tt, w.is_signed ? TP_OP_BV_SLE : TP_OP_BV_ULE, x, y);
  return tp_mk2(tt, w.is_signed ? TP_OP_BV_SLT : TP_OP_BV_ULT, x, y);
}

static tp_term formula(to_bits *b, tp_term t) {
  tp_terms *tt = b->n->tt;
  tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_TRUE || k == TP_OP_FALSE || k == TP_OP_VAR) return t;
  if (k == TP_OP_INT_LE || k == TP_OP_INT_LT) return order(b, t);
  if (k == TP_OP_EQ && tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_INT)
    return equation(b, tp_arg(tt, t, 0), tp_arg(tt, t, 1));
  if (k != TP_OP_NOT && k != TP_OP_AND && k != TP_OP_OR && k != TP_OP_XOR && k != TP_OP_EQ &&
      k != TP_OP_ITE)
    return give_up(b);
  tp_term a[3] = {TP_TERM_NONE, TP_TERM_NONE, TP_TERM_NONE};
  bool ready = true;
  for (uint32_t i = 0; i < tp_n_args(tt, t); i++) {
    if (tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, i))) != TP_SORT_BOOL) return give_up(b);
    a[i] = need(b, tp_arg(tt, t, i), 0);
    ready = ready && tp_term_is(a[i]);
  }
  return ready ? tp_remake(tt, t, a) : TP_TERM_NONE;
}

tp_term tp_integers_to_bits(tp_integers *n, tp_term t, tp_integers_to_bits_mode how) {
  to_bits b = {.n = n, .how = how};
  n->type_only = true;  // it must be right for all values
  TP_REQUIRE(tp_sort_kind_of(n->tt, tp_sort_of(n->tt, t)) == TP_SORT_BOOL);
  tp_integers_invalidate_spans(n);
  t = tp_integers_normalise(n, t);
  tp_term result = need(&b, t, 0);
  while (b.todo.n && !b.failed) {
    task top = tp_vec_last(&b.todo);
    size_t at = b.todo.n;
    if (!tp_map_has(&b.done, key_of(top))) {
      tp_term r = top.w ? number(&b, top.t, top.w) : formula(&b, top.t);
      if (!tp_term_is(r)) continue;  // what it needs is above it now
      tp_map_set(&b.done, key_of(top), r.id);
    }
    b.todo.n = at - 1;
  }
  if (!b.failed) result = need(&b, t, 0);
  n->type_only = false;
  tp_integers_invalidate_spans(n);
  tp_map_clear(&b.done);
  tp_vec_clear(&b.todo);
  return b.failed ? TP_TERM_NONE : result;
}
