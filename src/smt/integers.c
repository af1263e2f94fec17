/* Variables, readings and helpers of the integer encoding.
 *
 * A reading (signed or unsigned) belongs to a class of bit-vector terms that flow into each other:
 * classes are a union-find structure, the operations on their members vote. When the first variable
 * of a class is translated its reading is fixed. */
#include "smt/integers_priv.h"

tp_integers *tp_integers_new(tp_terms *tt) {
  tp_integers *n = TP_NEW(tp_integers);
  n->tt = tt;
  return n;
}

void tp_integers_free(tp_integers *n) {
  if (!n) return;
  tp_map *maps[] = {&n->parent,     &n->votes,      &n->visited,     &n->of_var,
                    &n->of_integer, &n->of_helper,  &n->of_quotient, &n->bound,
                    &n->span_memo,  &n->span_given, &n->translated,  &n->wrapped};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) tp_map_clear(maps[i]);
  tp_vec_clear(&n->variables);
  tp_vec_clear(&n->helpers);
  tp_vec_clear(&n->spans);
  tp_vec_clear(&n->memo_spans);
  tp_vec_clear(&n->todo);
  tp_free(n);
}

// ------------------------------------------------------------- terms over integers

/* Constants beyond 64 bits are sums of products. */
tp_term tp_integers_constant(tp_integers *n, tp_i128 v) {
  TP_REQUIRE(v > -2 * TP_SPAN_FAR && v < 2 * TP_SPAN_FAR);
  if (v >= INT64_MIN && v <= INT64_MAX) return tp_mk_int(n->tt, (int64_t)v);
  tp_i128 high = tp_floor_div(v, tp_power2(62));
  tp_term product = tp_mk2(n->tt, TP_OP_INT_MUL, tp_mk_int(n->tt, (int64_t)high),
                           tp_mk_int(n->tt, (int64_t)1 << 62));
  return tp_mk2(n->tt, TP_OP_INT_ADD, product,
                tp_mk_int(n->tt, (int64_t)(v - high * tp_power2(62))));
}

bool tp_integers_constant_value(const tp_integers *n, tp_term t, tp_i128 *v) {
  tp_term_kind k = tp_kind(n->tt, t);
  tp_i128 a, b;
  if (k == TP_OP_INT_CONST) return *v = tp_int_value(n->tt, t), true;
  if (k != TP_OP_INT_ADD && k != TP_OP_INT_MUL) return false;
  tp_term x = tp_arg(n->tt, t, 0), y = tp_arg(n->tt, t, 1);
  if (k == TP_OP_INT_MUL) {  // no deeper: only the constants made above are read
    if (tp_kind(n->tt, x) != TP_OP_INT_CONST || tp_kind(n->tt, y) != TP_OP_INT_CONST) return false;
    return !__builtin_mul_overflow((tp_i128)tp_int_value(n->tt, x), (tp_i128)tp_int_value(n->tt, y),
                                   v);
  }
  if (tp_kind(n->tt, x) == TP_OP_INT_CONST) x = y, y = tp_arg(n->tt, t, 0);
  if (tp_kind(n->tt, x) != TP_OP_INT_MUL || tp_kind(n->tt, y) != TP_OP_INT_CONST) return false;
  if (!tp_integers_constant_value(n, x, &a) || !tp_integers_constant_value(n, y, &b)) return false;
  return !__builtin_add_overflow(a, b, v);
}

tp_term tp_integers_sum(tp_integers *n, tp_term a, tp_term b) {
  tp_i128 va, vb;
  bool a_is = tp_integers_constant_value(n, a, &va), b_is = tp_integers_constant_value(n, b, &vb);
  if (a_is && b_is) return tp_integers_constant(n, va + vb);
  if (a_is && va == 0) return b;
  if (b_is && vb == 0) return a;
  if (a_is) return tp_integers_sum(n, b, a);
  tp_i128 inner;  // (x + c) + d
  if (b_is && tp_kind(n->tt, a) == TP_OP_INT_ADD &&
      tp_integers_constant_value(n, tp_arg(n->tt, a, 1), &inner))
    return tp_integers_sum(n, tp_arg(n->tt, a, 0), tp_integers_constant(n, inner + vb));
  return tp_mk2(n->tt, TP_OP_INT_ADD, a, b);
}

tp_term tp_integers_product(tp_integers *n, tp_i128 factor, tp_term a) {
  tp_i128 v, w;
  if (factor == 1) return a;
  if (factor == 0) return tp_mk_int(n->tt, 0);
  if (tp_integers_constant_value(n, a, &v) && !__builtin_mul_overflow(v, factor, &w))
    return tp_integers_constant(n, w);
  return tp_mk2(n->tt, TP_OP_INT_MUL, tp_integers_constant(n, factor), a);
}

// -------------------------------------------------------------------- helpers

const tp_integers_helper *tp_integers_find_helper(const tp_integers *n, tp_term var) {
  uint64_t i;
  return tp_map_get(&n->of_helper, var.id, &i) ? &n->helpers.at[i] : NULL;
}

tp_term tp_integers_quotient(tp_integers *n, tp_term e, tp_i128 d, bool is_mod) {
  TP_REQUIRE(d > 0 && tp_sort_kind_of(n->tt, tp_sort_of(n->tt, e)) == TP_SORT_INT);
  uint64_t key = (uint64_t)e.id << 32 | tp_integers_constant(n, is_mod ? -d : d).id, i;
  if (!tp_map_get(&n->of_quotient, key, &i)) {
    i = n->helpers.n;
    tp_term var = tp_mk_var(n->tt, is_mod ? "mod" : "div", tp_sort_int(n->tt));
    tp_vec_push(&n->helpers, (tp_integers_helper){.var = var, .of = e, .by = d, .is_mod = is_mod});
    tp_map_set(&n->of_quotient, key, i);
    tp_map_set(&n->of_helper, var.id, i);
  }
  return n->helpers.at[i].var;
}

tp_term tp_integers_div(tp_integers *n, tp_term e, int64_t d) {
  return tp_integers_quotient(n, e, d, false);
}
tp_term tp_integers_mod(tp_integers *n, tp_term e, int64_t d) {
  return tp_integers_quotient(n, e, d, true);
}

tp_term tp_integers_definition(tp_integers *n, tp_term helper) {
  const tp_integers_helper *found = tp_integers_find_helper(n, helper);
  if (!found) return TP_TERM_NONE;
  tp_terms *tt = n->tt;
  tp_integers_helper h = *found;
  tp_term q = h.is_mod ? tp_integers_quotient(n, h.of, h.by, false) : h.var;
  tp_term rest = tp_integers_sum(n, h.of, tp_integers_product(n, -h.by, q));
  if (h.is_mod) return tp_mk_eq(tt, h.var, rest);
  return tp_mk_and(tt, tp_mk2(tt, TP_OP_INT_LE, tp_mk_int(tt, 0), rest),
                   tp_mk2(tt, TP_OP_INT_LT, rest, tp_integers_constant(n, h.by)));
}

// ------------------------------------------------------------------- readings

static uint64_t root_of(tp_integers *n, tp_term t) {
  uint64_t at = t.id, up;
  while (tp_map_get(&n->parent, at, &up)) at = up;
  while (tp_map_get(&n->parent, t.id, &up) && up != at) {
    tp_map_set(&n->parent, t.id, at);
    t.id = (uint32_t)up;
  }
  return at;
}

/* Votes of a class: signed ones in the high half. A decision is as good as very many votes. */
enum { DECIDED = 1 << 30 };

static void vote(tp_integers *n, tp_term t, bool is_signed, uint32_t weight) {
  uint64_t root = root_of(n, t), v = 0;
  (void)tp_map_get(&n->votes, root, &v);
  tp_map_set(&n->votes, root, v + ((uint64_t)weight << (is_signed ? 32 : 0)));
}

static bool is_bv(const tp_integers *n, tp_term t) {
  return tp_sort_kind_of(n->tt, tp_sort_of(n->tt, t)) == TP_SORT_BV;
}

static void unite(tp_integers *n, tp_term a, tp_term b) {
  if (!is_bv(n, a) || tp_is_const(n->tt, a) || tp_is_const(n->tt, b)) return;
  uint64_t x = root_of(n, a), y = root_of(n, b), vx = 0, vy = 0;
  if (x == y) return;
  (void)tp_map_get(&n->votes, x, &vx);
  (void)tp_map_get(&n->votes, y, &vy);
  tp_map_set(&n->parent, y, x);
  tp_map_set(&n->votes, x, vx + vy);
}

void tp_integers_link(tp_integers *n, tp_term a, tp_term b) {
  if (is_bv(n, a) && is_bv(n, b) && tp_width(n->tt, a) == tp_width(n->tt, b)) unite(n, a, b);
}

bool tp_integers_prefers_signed(tp_integers *n, tp_term t) {
  uint64_t v = 0;
  (void)tp_map_get(&n->votes, root_of(n, t), &v);
  uint32_t with = (uint32_t)(v >> 32), without = (uint32_t)v;
  return with == without ? tp_width(n->tt, t) > 1 : with > without;
}

/* What one term says about the readings of its arguments. */
static tp_visit vote_of_node(void *ctx, tp_term t) {
  tp_integers *n = ctx;
  tp_terms *tt = n->tt;
  tp_term_kind k = tp_kind(tt, t);
  uint32_t n_args = tp_n_args(tt, t);
  switch ((int)k) {
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE:
    case TP_OP_BV_SDIV:
    case TP_OP_BV_SREM:
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE:
    case TP_OP_BV_UDIV:
    case TP_OP_BV_UREM: {
      bool is_signed =
          k == TP_OP_BV_SLT || k == TP_OP_BV_SLE || k == TP_OP_BV_SDIV || k == TP_OP_BV_SREM;
      for (uint32_t i = 0; i < n_args; i++) vote(n, tp_arg(tt, t, i), is_signed, 1);
      return TP_VISIT_ARGS;
    }
    case TP_OP_BV_SEXT:
    case TP_OP_INT_OF_SBV:
    case TP_OP_BV_ASHR: vote(n, tp_arg(tt, t, 0), true, 1); return TP_VISIT_ARGS;
    case TP_OP_BV_ZEXT:
    case TP_OP_INT_OF_UBV:
    case TP_OP_BV_LSHR: vote(n, tp_arg(tt, t, 0), false, 1); return TP_VISIT_ARGS;
    case TP_OP_EQ: unite(n, tp_arg(tt, t, 0), tp_arg(tt, t, 1)); return TP_VISIT_ARGS;
    case TP_OP_ITE:
      if (!is_bv(n, t)) return TP_VISIT_ARGS;
      unite(n, t, tp_arg(tt, t, 1));
      unite(n, t, tp_arg(tt, t, 2));
      return TP_VISIT_ARGS;
    case TP_OP_BV_ADD:
    case TP_OP_BV_MUL:
    case TP_OP_BV_NEG:
    case TP_OP_BV_NOT:
      for (uint32_t i = 0; i < n_args; i++) unite(n, t, tp_arg(tt, t, i));
      return TP_VISIT_ARGS;
    default: return TP_VISIT_ARGS;
  }
}

void tp_integers_vote(tp_integers *n, tp_term t) {
  tp_visitor v = {.ctx = n, .visit = vote_of_node, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(n->tt, t, &v, &n->visited);
}

// ------------------------------------------------------------------ variables

static tp_integers_variable *variable(tp_integers *n, tp_term var) {
  TP_REQUIRE(tp_kind(n->tt, var) == TP_OP_VAR && is_bv(n, var));
  uint64_t i;
  if (!tp_map_get(&n->of_var, var.id, &i)) {
    bool is_signed = tp_integers_prefers_signed(n, var);
    vote(n, var, is_signed, DECIDED);  // the class follows from now on
    tp_term integer = tp_mk_var(n->tt, tp_var_name(n->tt, var), tp_sort_int(n->tt));
    i = n->variables.n;
    tp_vec_push(&n->variables,
                (tp_integers_variable){integer, var, tp_width(n->tt, var), is_signed});
    tp_map_set(&n->of_var, var.id, i);
    tp_map_set(&n->of_integer, integer.id, i);
  }
  return &n->variables.at[i];
}

tp_term tp_integers_var(tp_integers *n, tp_term var) {
  return is_bv(n, var) ? variable(n, var)->integer : var;
}
bool tp_integers_is_signed(tp_integers *n, tp_term var) {
  TP_REQUIRE(is_bv(n, var));
  return variable(n, var)->is_signed;
}

const tp_integers_variable *tp_integers_find(const tp_integers *n, tp_term integer) {
  uint64_t i;
  return tp_map_get(&n->of_integer, integer.id, &i) ? &n->variables.at[i] : NULL;
}
