/* Focus: a case split that makes definite which cell a pointer, or a field of a cell, leads to.
 *
 * Both lead to one cell at most, so the cases are: to none; to a cell of one of the nodes that are
 * possible. Is that node a summary, the cell is all of it, or one of several: then the node is
 * split. Coerce finds out that the first part is a single cell, and which cases are impossible. */
#include "shape/engine_priv.h"

#include "shape/shape_limits.h"

static tp_k64 *vector_of(const tp_structure *s, tp_focus what) {
  return what.arity == 1 ? &s->unary[what.predicate] : tp_structure_row(s, what.predicate, what.u);
}

static tp_structure *case_of(tp_shape_engine *e, const tp_structure *s, tp_structures *out) {
  tp_structure *copy = tp_shape_take(e);
  tp_structure_copy(copy, s);
  tp_vec_push(out, copy);
  e->stats.focused++;
  return copy;
}

tp_status tp_shape_focus(tp_shape_engine *e, const tp_structure *s, tp_focus what,
                         tp_structures *out) {
  TP_REQUIRE(what.arity == 1 || (what.arity == 2 && what.u < s->n));
  TP_REQUIRE(what.predicate < (what.arity == 1 ? s->n_unary : s->n_binary));
  const tp_k64 now = *vector_of(s, what);
  const uint64_t half = tp_k64_half(now);
  if (!half || now.must) {  // nothing to ask; coerce knows that it leads nowhere else
    case_of(e, s, out);
    return TP_OK;
  }
  *vector_of(case_of(e, s, out), what) = (tp_k64){0, 0};
  for (uint64_t left = half; left; left &= left - 1) {
    const uint64_t node = left & (~left + 1);
    *vector_of(case_of(e, s, out), what) = (tp_k64){node, node};
    if (!(s->summary & node)) continue;
    if (s->n == TP_SHAPE_MAX_NODES) return TP_ERR_LIMIT;
    tp_structure *parts = case_of(e, s, out);
    tp_structure_split(parts, (uint32_t)__builtin_ctzll(node));
    *vector_of(parts, what) = (tp_k64){node, node};  // the twin is not it
    if (what.arity == 2 && tp_k64_bit(what.u) == node)
      TP_INVARIANT(!(s->summary & tp_k64_bit(what.u)));
  }
  return TP_OK;
}
