/* Each assumption is an edge between two nodes; the closure is Floyd's and Warshall's, once, at the
 * first question. */
#include "proof/heaps/order_closure.h"

typedef enum { IS_NONE, IS_MOST, IS_LESS, IS_EQUAL, IS_OTHER } relation;
typedef struct {
  relation is;
  bool is_signed;
  tp_term a, b;
} atom;

void tp_order_closure_init(tp_order_closure *c, tp_terms *tt) {
  TP_REQUIRE(c && tt);
  *c = (tp_order_closure){.tt = tt};
}

static void drop_matrices(tp_order_closure *c) {
  tp_free(c->below[0]);
  tp_free(c->below[1]);
  tp_free(c->differ);
  c->below[0] = c->below[1] = c->differ = NULL;
  c->n_closed = 0;
}

void tp_order_closure_clear(tp_order_closure *c) {
  drop_matrices(c);
  tp_vec_clear(&c->nodes);
  tp_vec_clear(&c->known);
}

static atom read_atom(const tp_terms *tt, tp_term t) {
  const bool is_negated = tp_kind(tt, t) == TP_OP_NOT;
  if (is_negated) t = tp_arg(tt, t, 0);
  const tp_term_kind k = tp_kind(tt, t);
  const bool is_most = k == TP_OP_BV_SLE || k == TP_OP_BV_ULE,
             is_less = k == TP_OP_BV_SLT || k == TP_OP_BV_ULT;
  if (!is_most && !is_less && k != TP_OP_EQ) return (atom){.is = IS_NONE};
  const tp_term a = tp_arg(tt, t, 0), b = tp_arg(tt, t, 1);
  if (tp_sort_kind_of(tt, tp_sort_of(tt, a)) != TP_SORT_BV) return (atom){.is = IS_NONE};
  if (k == TP_OP_EQ) return (atom){is_negated ? IS_OTHER : IS_EQUAL, false, a, b};
  const bool is_signed = k == TP_OP_BV_SLE || k == TP_OP_BV_SLT;
  if (is_negated) return (atom){is_most ? IS_LESS : IS_MOST, is_signed, b, a};
  return (atom){is_most ? IS_MOST : IS_LESS, is_signed, a, b};
}

/* Of a term that is no symbol more may hold than what is assumed. */
static size_t node_of(tp_order_closure *c, tp_term t) {
  for (size_t i = 0; i < c->nodes.n; i++)
    if (tp_term_eq(c->nodes.at[i], t)) return i;
  c->is_partial |= tp_kind(c->tt, t) != TP_OP_VAR && !tp_is_const(c->tt, t);
  tp_vec_push(&c->nodes, t);
  return c->nodes.n - 1;
}

void tp_order_closure_assume(tp_order_closure *c, tp_term fact) {
  TP_REQUIRE(c && c->n_closed == 0);
  tp_term_list all = {0};
  tp_conjuncts(c->tt, fact, &all);
  for (size_t i = 0; i < all.n; i++) {
    const tp_term one = all.at[i],
                  plain = tp_kind(c->tt, one) == TP_OP_NOT ? tp_arg(c->tt, one, 0) : one;
    const atom x = read_atom(c->tt, one);
    tp_vec_push(&c->known, one);
    if (x.is == IS_NONE) {
      c->is_partial |= tp_kind(c->tt, plain) != TP_OP_VAR && !tp_is_true(c->tt, one);
    } else {
      (void)node_of(c, x.a);
      (void)node_of(c, x.b);
    }
  }
  tp_vec_clear(&all);
}

// ------------------------------------------------------------------------ closure

static unsigned char *at(tp_order_closure *c, unsigned char *matrix, size_t i, size_t k) {
  return &matrix[i * c->nodes.n + k];
}

static void raise(unsigned char *cell, unsigned char to) {
  if (*cell < to) *cell = to;
}

static void relate_constants(tp_order_closure *c) {
  for (size_t i = 0; i < c->nodes.n; i++)
    for (size_t k = 0; k < c->nodes.n; k++) {
      const tp_term a = c->nodes.at[i], b = c->nodes.at[k];
      if (i == k || !tp_is_const(c->tt, a) || !tp_is_const(c->tt, b) ||
          !tp_sort_eq(tp_sort_of(c->tt, a), tp_sort_of(c->tt, b)))
        continue;
      *at(c, c->differ, i, k) = 1;
      if (tp_is_true(c->tt, tp_mk2(c->tt, TP_OP_BV_ULT, a, b))) raise(at(c, c->below[0], i, k), 2);
      if (tp_is_true(c->tt, tp_mk2(c->tt, TP_OP_BV_SLT, a, b))) raise(at(c, c->below[1], i, k), 2);
    }
}

static void relate_known(tp_order_closure *c) {
  for (size_t f = 0; f < c->known.n; f++) {
    const atom x = read_atom(c->tt, c->known.at[f]);
    if (x.is == IS_NONE) continue;
    const size_t i = node_of(c, x.a), k = node_of(c, x.b);
    if (x.is == IS_MOST) raise(at(c, c->below[x.is_signed], i, k), 1);
    if (x.is == IS_LESS) raise(at(c, c->below[x.is_signed], i, k), 2);
    for (int s = 0; s < 2 && x.is == IS_EQUAL; s++) {
      raise(at(c, c->below[s], i, k), 1);
      raise(at(c, c->below[s], k, i), 1);
    }
    if (x.is == IS_OTHER) *at(c, c->differ, i, k) = *at(c, c->differ, k, i) = 1;
  }
}

static void close_one(tp_order_closure *c, unsigned char *below) {
  const size_t n = c->nodes.n;
  for (size_t m = 0; m < n; m++)
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < n; k++) {
        const unsigned char x = *at(c, below, i, m), y = *at(c, below, m, k);
        if (x && y) raise(at(c, below, i, k), x > y ? x : y);
      }
}

static void close_all(tp_order_closure *c) {
  const size_t n = c->nodes.n;
  if (c->n_closed == n) return;
  drop_matrices(c);
  for (int s = 0; s < 2; s++) c->below[s] = TP_NEW_ARRAY(unsigned char, n *n);
  c->differ = TP_NEW_ARRAY(unsigned char, n *n);
  for (size_t i = 0; i < n; i++) *at(c, c->below[0], i, i) = *at(c, c->below[1], i, i) = 1;
  relate_constants(c);
  relate_known(c);
  for (int s = 0; s < 2; s++) {
    close_one(c, c->below[s]);
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < n; k++)
        if (*at(c, c->differ, i, k) && *at(c, c->below[s], i, k))
          raise(at(c, c->below[s], i, k), 2);
    close_one(c, c->below[s]);
  }
  c->n_closed = n;
}

// ---------------------------------------------------------------------- questions

static bool is_known(const tp_order_closure *c, tp_term statement) {
  for (size_t i = 0; i < c->known.n; i++)
    if (tp_term_eq(c->known.at[i], statement)) return true;
  return tp_is_true(c->tt, statement);
}

static bool follows(tp_order_closure *c, atom x) {
  const size_t i = node_of(c, x.a), k = node_of(c, x.b);
  close_all(c);
  const unsigned char u = *at(c, c->below[0], i, k), s = *at(c, c->below[1], i, k),
                      back_u = *at(c, c->below[0], k, i), back_s = *at(c, c->below[1], k, i);
  switch (x.is) {
    case IS_MOST: return x.is_signed ? s >= 1 : u >= 1;
    case IS_LESS: return x.is_signed ? s >= 2 : u >= 2;
    case IS_EQUAL: return (u && back_u) || (s && back_s);
    case IS_OTHER: return *at(c, c->differ, i, k) || u == 2 || s == 2 || back_u == 2 || back_s == 2;
    case IS_NONE: break;
  }
  return false;
}

static tp_order_answer ask_one(tp_order_closure *c, tp_term statement) {
  const atom x = read_atom(c->tt, statement);
  if (is_known(c, statement) || (x.is != IS_NONE && follows(c, x))) return TP_ORDER_HOLDS;
  return x.is == IS_NONE || c->is_partial ? TP_ORDER_OPEN : TP_ORDER_FOLLOWS_NOT;
}

tp_order_answer tp_order_closure_ask(tp_order_closure *c, tp_term statement) {
  TP_REQUIRE(c);
  if (tp_kind(c->tt, statement) != TP_OP_OR) return ask_one(c, statement);
  tp_order_answer out = TP_ORDER_FOLLOWS_NOT;
  for (uint32_t i = 0; i < tp_n_args(c->tt, statement) && out != TP_ORDER_HOLDS; i++) {
    const tp_order_answer one = ask_one(c, tp_arg(c->tt, statement, i));
    if (one != TP_ORDER_FOLLOWS_NOT) out = one;
  }
  return out;
}

tp_order_answer tp_order_closure_is_contradiction(tp_order_closure *c) {
  TP_REQUIRE(c);
  close_all(c);
  for (size_t i = 0; i < c->nodes.n; i++)
    if (*at(c, c->below[0], i, i) == 2 || *at(c, c->below[1], i, i) == 2) return TP_ORDER_HOLDS;
  for (size_t i = 0; i < c->known.n; i++)
    if (tp_is_false(c->tt, c->known.at[i]) || is_known(c, tp_mk_not(c->tt, c->known.at[i])))
      return TP_ORDER_HOLDS;
  return c->is_partial ? TP_ORDER_OPEN : TP_ORDER_FOLLOWS_NOT;
}
