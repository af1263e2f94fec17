/* Bounds of integer terms: forward from variables to terms, and back from facts to variables.
 *
 * Spans of terms are hulls of what their arguments allow, remembered until bounds change. Learning
 * walks over the facts that must hold, in order, and pushes the bound that an inequality gives to
 * its sides down to variables (Benhamou et al. 1999, "Revising hull and box consistency": HC4). A
 * few walks are made, not as many as it takes: x < y and y < x alone would take 2^width of them. */
#include "smt/integers_priv.h"

#include "smt/smt_limits.h"

// ---------------------------------------------------------------------- spans

static tp_i128 clamp(tp_i128 v) {
  if (v > TP_SPAN_FAR) return TP_SPAN_FAR;
  return v < -TP_SPAN_FAR ? -TP_SPAN_FAR : v;
}

static bool is_far(tp_i128 v) { return v >= TP_SPAN_FAR || v <= -TP_SPAN_FAR; }

static const tp_span everything = {-TP_SPAN_FAR, TP_SPAN_FAR};

tp_span tp_span_add(tp_span a, tp_span b) {
  tp_span s = everything;
  if (!is_far(a.lo) && !is_far(b.lo)) s.lo = clamp(a.lo + b.lo);
  if (!is_far(a.hi) && !is_far(b.hi)) s.hi = clamp(a.hi + b.hi);
  return s;
}

static tp_i128 scale(tp_i128 v, tp_i128 factor, tp_i128 far) {
  tp_i128 r;
  return is_far(v) || __builtin_mul_overflow(v, factor, &r) ? far : clamp(r);
}

tp_span tp_span_scale(tp_span a, tp_i128 factor) {
  if (factor == 0) return (tp_span){0, 0};
  tp_i128 lo = factor > 0 ? a.lo : a.hi, hi = factor > 0 ? a.hi : a.lo;
  return (tp_span){scale(lo, factor, -TP_SPAN_FAR), scale(hi, factor, TP_SPAN_FAR)};
}

tp_span tp_span_hull(tp_span a, tp_span b) {
  return (tp_span){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static tp_span meet(tp_span a, tp_span b) {
  return (tp_span){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}
static bool is_empty(tp_span s) { return s.lo > s.hi; }

static tp_span negate(tp_span s) { return (tp_span){-s.hi, -s.lo}; }

/* floor of s / d, d > 0 */
static tp_span divide(tp_span s, tp_i128 d) {
  TP_REQUIRE(d > 0);
  return (tp_span){is_far(s.lo) ? s.lo : tp_floor_div(s.lo, d),
                   is_far(s.hi) ? s.hi : tp_floor_div(s.hi, d)};
}

tp_span tp_span_of_type(uint32_t width_bits, bool is_signed) {
  TP_REQUIRE(width_bits >= 1 && width_bits < 120);
  return is_signed ? (tp_span){-tp_power2(width_bits - 1), tp_power2(width_bits - 1) - 1}
                   : (tp_span){0, tp_power2(width_bits) - 1};
}

// -------------------------------------------------------------------- forward

tp_span tp_integers_bound_of(tp_integers *n, tp_term integer) {
  const tp_integers_variable *v = tp_integers_find(n, integer);
  tp_span s = v ? tp_span_of_type(v->width_bits, v->is_signed) : everything;
  uint64_t i;
  return !n->type_only && tp_map_get(&n->bound, integer.id, &i) ? meet(s, n->spans.at[i]) : s;
}

static bool find_span(const tp_integers *n, tp_term e, tp_span *s) {
  uint64_t i;
  if (!tp_map_get(&n->span_memo, e.id, &i)) return false;
  *s = n->memo_spans.at[i];
  return true;
}

static void store_span(tp_integers *n, tp_term e, tp_span s) {
  uint64_t i;
  if (!n->type_only && tp_map_get(&n->span_given, e.id, &i)) s = meet(s, n->spans.at[i]);
  TP_INVARIANT(s.lo <= s.hi);  // spans are never empty: contradictions are a flag
  n->work++;
  tp_map_set(&n->span_memo, e.id, n->memo_spans.n);
  tp_vec_push(&n->memo_spans, s);
}

void tp_integers_assume_span(tp_integers *n, tp_term e, tp_span s) {
  tp_map_set(&n->span_given, e.id, n->spans.n);
  tp_vec_push(&n->spans, s);
  store_span(n, e, tp_integers_span_of(n, e));
}

void tp_integers_invalidate_spans(tp_integers *n) {
  tp_map_clear(&n->span_memo);
  n->memo_spans.n = 0;
}

/* What must be known first: the arguments, of a helper what it divides. Nothing: the span of e. */
static tp_term compute_span(tp_integers *n, tp_term e, tp_span *s) {
  tp_terms *tt = n->tt;
  tp_span a, b;
  tp_i128 c;
  const tp_integers_helper *h;
  if (tp_integers_constant_value(n, e, &c)) return *s = (tp_span){c, c}, TP_TERM_NONE;
  switch ((int)tp_kind(tt, e)) {
    case TP_OP_VAR:
      h = tp_integers_find_helper(n, e);
      if (!h) {
        *s = tp_integers_bound_of(n, e);
        return TP_TERM_NONE;
      }
      if (!find_span(n, h->of, &a)) return h->of;
      *s = divide(a, h->by);
      if (h->is_mod)
        *s = s->lo == s->hi && !is_far(a.lo) && !is_far(a.hi)
                 ? tp_span_add(a, (tp_span){-s->lo * h->by, -s->lo * h->by})
                 : (tp_span){0, h->by - 1};
      return TP_TERM_NONE;
    case TP_OP_INT_ADD:
      if (!find_span(n, tp_arg(tt, e, 0), &a)) return tp_arg(tt, e, 0);
      if (!find_span(n, tp_arg(tt, e, 1), &b)) return tp_arg(tt, e, 1);
      *s = tp_span_add(a, b);
      return TP_TERM_NONE;
    case TP_OP_INT_MUL:
      if (tp_integers_constant_value(n, tp_arg(tt, e, 0), &c)) {
        if (!find_span(n, tp_arg(tt, e, 1), &a)) return tp_arg(tt, e, 1);
        *s = tp_span_scale(a, c);
        return TP_TERM_NONE;
      }
      break;
    case TP_OP_ITE:
      if (!find_span(n, tp_arg(tt, e, 1), &a)) return tp_arg(tt, e, 1);
      if (!find_span(n, tp_arg(tt, e, 2), &b)) return tp_arg(tt, e, 2);
      *s = tp_span_hull(a, b);
      return TP_TERM_NONE;
    default: break;
  }
  *s = everything;
  return TP_TERM_NONE;
}

tp_span tp_integers_span_of(tp_integers *n, tp_term e) {
  size_t floor = n->todo.n;
  tp_span s;
  tp_vec_push(&n->todo, e);
  while (n->todo.n > floor) {
    tp_term top = tp_vec_last(&n->todo), first;
    if (!find_span(n, top, &s)) {
      first = compute_span(n, top, &s);
      if (tp_term_is(first)) {
        tp_vec_push(&n->todo, first);
        continue;
      }
      store_span(n, top, s);
    }
    (void)tp_vec_pop(&n->todo);
  }
  (void)find_span(n, e, &s);
  return s;
}

// ------------------------------------------------------------------- backward

void tp_integers_restrict(tp_integers *n, tp_term integer, tp_span s) {
  tp_span old = tp_integers_bound_of(n, integer), now = meet(old, s);
  if (is_empty(now)) {
    n->contradiction = true;  // and no further narrowing: bounds stay intervals
    return;
  }
  if (now.lo == old.lo && now.hi == old.hi) return;
  TP_INVARIANT(tp_span_is_inside(now, old));  // bounds only shrink, so propagation ends
  tp_map_set(&n->bound, integer.id, n->spans.n);
  tp_vec_push(&n->spans, now);
  n->narrowed = true;
}

/* A fact that holds or does not, or an integer term that lies in a span. */
typedef struct {
  tp_term t;
  tp_span span;  // integer terms
  bool holds;    // facts
} constraint;
typedef TP_VEC(constraint) constraints;

static void require_span(constraints *todo, tp_term e, tp_span s) {
  tp_vec_push(todo, (constraint){.t = e, .span = s});
}
static void require_fact(constraints *todo, tp_term fact, bool holds) {
  tp_vec_push(todo, (constraint){.t = fact, .holds = holds});
}

/* a + gap <= b */
static void propagate_order(tp_integers *n, constraints *todo, tp_term a, tp_term b, tp_i128 gap) {
  tp_span sa = tp_integers_span_of(n, a), sb = tp_integers_span_of(n, b), up = everything,
          down = everything;
  if (!is_far(sb.hi)) up.hi = sb.hi - gap;
  if (!is_far(sa.lo)) down.lo = sa.lo + gap;
  if (up.hi < sa.hi) require_span(todo, a, up);
  if (down.lo > sb.lo) require_span(todo, b, down);
}

/* e != the constant c: an end of the span moves. */
static void propagate_disequality(tp_integers *n, constraints *todo, tp_term e, tp_term c) {
  tp_span s = tp_integers_span_of(n, e), p = tp_integers_span_of(n, c);
  if (!tp_span_is_point(p) || is_far(p.lo)) return;
  if (s.lo == p.lo) require_span(todo, e, (tp_span){p.lo + 1, TP_SPAN_FAR});
  if (s.hi == p.lo) require_span(todo, e, (tp_span){-TP_SPAN_FAR, p.lo - 1});
}

static void propagate_fact(tp_integers *n, constraints *todo, tp_term t, bool holds) {
  tp_terms *tt = n->tt;
  tp_term_kind k = tp_kind(tt, t);
  tp_term a = tp_n_args(tt, t) > 0 ? tp_arg(tt, t, 0) : TP_TERM_NONE,
          b = tp_n_args(tt, t) > 1 ? tp_arg(tt, t, 1) : TP_TERM_NONE;
  if (k == TP_OP_NOT) require_fact(todo, a, !holds);
  if ((k == TP_OP_AND && holds) || (k == TP_OP_OR && !holds))
    require_fact(todo, b, holds), require_fact(todo, a, holds);
  if (k == TP_OP_INT_LE || k == TP_OP_INT_LT) {
    tp_i128 strict = k == TP_OP_INT_LT;
    if (holds)
      propagate_order(n, todo, a, b, strict);
    else
      propagate_order(n, todo, b, a, 1 - strict);
  }
  if (k == TP_OP_EQ && tp_sort_kind_of(tt, tp_sort_of(tt, a)) == TP_SORT_INT) {
    if (holds) {
      require_span(todo, a, tp_integers_span_of(n, b));
      require_span(todo, b, tp_integers_span_of(n, a));
    } else {
      propagate_disequality(n, todo, a, b);
      propagate_disequality(n, todo, b, a);
    }
  }
}

/* c * e lies in s: e lies between the quotients. */
static tp_span unscale(tp_span s, tp_i128 c) {
  TP_REQUIRE(c != 0);
  if (c < 0) s = negate(s), c = -c;
  return (tp_span){is_far(s.lo) ? s.lo : -tp_floor_div(-s.lo, c),
                   is_far(s.hi) ? s.hi : tp_floor_div(s.hi, c)};
}

static void propagate_span(tp_integers *n, constraints *todo, tp_term e, tp_span s) {
  tp_terms *tt = n->tt;
  tp_span have = tp_integers_span_of(n, e);
  tp_i128 c;
  s = meet(s, have);
  if (is_empty(s)) {
    n->contradiction = true;
    return;
  }
  if (tp_span_is_inside(have, s) || tp_integers_constant_value(n, e, &c)) return;
  const tp_integers_helper *h = tp_integers_find_helper(n, e);
  switch ((int)tp_kind(tt, e)) {
    case TP_OP_VAR:
      if (!h)
        tp_integers_restrict(n, e, s);
      else if (!h->is_mod)
        require_span(todo, h->of, tp_span_add(tp_span_scale(s, h->by), (tp_span){0, h->by - 1}));
      return;
    case TP_OP_INT_ADD:
      require_span(todo, tp_arg(tt, e, 0),
                   tp_span_add(s, negate(tp_integers_span_of(n, tp_arg(tt, e, 1)))));
      require_span(todo, tp_arg(tt, e, 1),
                   tp_span_add(s, negate(tp_integers_span_of(n, tp_arg(tt, e, 0)))));
      return;
    case TP_OP_INT_MUL:
      if (tp_integers_constant_value(n, tp_arg(tt, e, 0), &c) && c != 0)
        require_span(todo, tp_arg(tt, e, 1), unscale(s, c));
      return;
    case TP_OP_ITE: {
      tp_span a = meet(s, tp_integers_span_of(n, tp_arg(tt, e, 1))),
              b = meet(s, tp_integers_span_of(n, tp_arg(tt, e, 2)));
      if (!is_empty(a) && !is_empty(b)) return;
      require_fact(todo, tp_arg(tt, e, 0), is_empty(b));
      require_span(todo, tp_arg(tt, e, is_empty(b) ? 1 : 2), s);
      return;
    }
    default: return;
  }
}

bool tp_integers_propagate(tp_integers *n, const tp_term *facts, size_t n_facts) {
  constraints todo = {0};
  bool any = false;
  n->work = 0;
  for (int walk = 0; walk < TP_SMT_SPAN_WALKS && !n->contradiction; walk++) {
    n->narrowed = false;
    for (size_t i = 0; i < n_facts && !n->contradiction && n->work < TP_SMT_SPAN_WORK; i++) {
      require_fact(&todo, facts[i], true);
      while (todo.n && n->work < TP_SMT_SPAN_WORK) {
        constraint l = tp_vec_pop(&todo);
        bool before = n->narrowed;
        n->narrowed = false;
        if (tp_sort_kind_of(n->tt, tp_sort_of(n->tt, l.t)) == TP_SORT_INT)
          propagate_span(n, &todo, l.t, l.span);
        else
          propagate_fact(n, &todo, l.t, l.holds);
        if (n->narrowed) tp_integers_invalidate_spans(n);
        n->narrowed = n->narrowed || before;
      }
    }
    todo.n = 0;
    if (!n->narrowed) break;
    any = true;
  }
  tp_vec_clear(&todo);
  return any;
}
