/* Orders that meet: where facts say x <= y and y <= x in one reading, x = y.
 *
 * Loops leave such pairs: the condition that ends one says n <= i, and what is kept says i <= n. A
 * strict order x < y says that x + 1 does not wrap in its reading, and x + 1 <= y; so i < n and n
 * <= i + 1 meet, too; and i < n and n < i + 1 exclude each other. Sides are compared as terms,
 * whose sums are in normal form. */
#include "smt/algebra_orders.h"

/* low <= high in this reading; strict: below < high, too, where low is below + 1 */
typedef struct {
  tp_term low, high, below;
  bool is_signed, is_strict;
} order;

static tp_term successor(tp_terms *tt, tp_term t) {
  return tp_mk2(tt, TP_OP_BV_ADD, t, tp_mk_bv(tt, tp_width(tt, t), 1));
}

static bool read_order(tp_terms *tt, tp_term t, order *out) {
  const bool is_negated = tp_kind(tt, t) == TP_OP_NOT;
  if (is_negated) t = tp_arg(tt, t, 0);
  const tp_order kind = tp_kind_order(tp_kind(tt, t));
  if (!kind.is_order) return false;
  const tp_term x = tp_arg(tt, t, 0), y = tp_arg(tt, t, 1);
  out->is_signed = kind.is_signed;
  out->low = is_negated ? y : x;
  out->high = is_negated ? x : y;
  out->below = out->low;
  out->is_strict = kind.is_strict != is_negated;
  if (out->is_strict) out->low = successor(tt, out->low);
  return true;
}

static uint64_t key(tp_term low, tp_term high) { return (uint64_t)low.id << 32 | high.id; }

void tp_algebra_add_meeting_orders(tp_terms *tt, tp_term_list *facts) {
  tp_map known[2] = {0}, strict[2] = {0};  // by reading: both sides of the orders so far
  bool is_impossible = false;
  const size_t n = facts->n;
  for (size_t i = 0; i < n; i++) {
    order o;
    if (!read_order(tt, facts->at[i], &o)) continue;
    tp_map *same = &known[o.is_signed];
    if (tp_map_has(same, key(o.high, o.low))) tp_vec_push(facts, tp_mk_eq(tt, o.low, o.high));
    tp_map_set(same, key(o.low, o.high), 1);
    if (o.is_strict) tp_map_set(&strict[o.is_signed], key(o.below, o.high), 1);
    is_impossible = is_impossible || tp_map_has(&strict[o.is_signed], key(o.high, o.low)) ||
                    (o.is_strict && tp_map_has(same, key(o.high, o.below)));
  }
  if (is_impossible) tp_vec_push(facts, tp_mk_false(tt));
  for (int k = 0; k < 2; k++) {
    tp_map_clear(&known[k]);
    tp_map_clear(&strict[k]);
  }
}
