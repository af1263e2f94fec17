/* Embedding by search: every node of s has a set of nodes of t that its own values allow; nodes
 * with few choices are placed first. Placing a node looks at all pairs with nodes that are placed.
 * In blurred structures of one class the sets have one element each, so nothing is searched. */
#include "shape/blur.h"

#include "shape/shape_limits.h"

typedef struct {
  const tp_structure *s, *t;
  uint64_t choices[TP_SHAPE_MAX_NODES];
  uint32_t order[TP_SHAPE_MAX_NODES];
  uint8_t image[TP_SHAPE_MAX_NODES];
  uint32_t tries;
} search;

/* Nodes of t that v's values in s allow, from unary values and those of the pair (v, v). */
static uint64_t choices_of(const search *a, uint32_t v) {
  uint64_t out = tp_structure_is_summary(a->s, v) ? a->t->summary : tp_structure_nodes(a->t);
  for (uint32_t p = 0; p < a->s->n_unary; p++) {
    const tp_kleene x = tp_k64_get(a->s->unary[p], v);
    const tp_k64 all = a->t->unary[p];
    out &= tp_k64_half(all) | (x == TP_KLEENE_TRUE    ? all.must
                               : x == TP_KLEENE_FALSE ? ~all.may
                                                      : 0);
  }
  for (uint32_t p = 0; p < a->s->n_binary; p++) {
    const tp_kleene x = tp_k64_get(*tp_structure_row(a->s, p, v), v);
    for (uint64_t left = out; left; left &= left - 1) {
      const uint32_t w = (uint32_t)__builtin_ctzll(left);
      if (!tp_kleene_leq(x, tp_k64_get(*tp_structure_row(a->t, p, w), w))) out &= ~tp_k64_bit(w);
    }
  }
  return out;
}

static void order_by_choices(search *a) {
  for (uint32_t i = 0; i < a->s->n; i++) {
    uint32_t k = i;
    const int c = __builtin_popcountll(a->choices[i]);
    for (; k > 0 && __builtin_popcountll(a->choices[a->order[k - 1]]) > c; k--)
      a->order[k] = a->order[k - 1];
    a->order[k] = i;
  }
}

/* The values between v, as w, and the nodes placed before it. */
static bool fits(const search *a, uint32_t depth, uint32_t v, uint32_t w) {
  for (uint32_t p = 0; p < a->s->n_binary; p++) {
    const tp_k64 from_v = *tp_structure_row(a->s, p, v), from_w = *tp_structure_row(a->t, p, w);
    for (uint32_t k = 0; k < depth; k++) {
      const uint32_t u = a->order[k], x = a->image[u];
      if (!tp_kleene_leq(tp_k64_get(from_v, u), tp_k64_get(from_w, x))) return false;
      if (!tp_kleene_leq(tp_k64_get(*tp_structure_row(a->s, p, u), v),
                         tp_k64_get(*tp_structure_row(a->t, p, x), w)))
        return false;
    }
  }
  return true;
}

/* taken: nodes of t that have a node of s; a single one takes no second. */
static bool place(search *a, uint32_t depth, uint64_t taken) {
  if (depth == a->s->n) return taken == tp_structure_nodes(a->t);
  if (a->s->n - depth < (uint32_t)__builtin_popcountll(tp_structure_nodes(a->t) & ~taken))
    return false;
  const uint32_t v = a->order[depth];
  for (uint64_t left = a->choices[v] & ~(taken & ~a->t->summary); left; left &= left - 1) {
    const uint32_t w = (uint32_t)__builtin_ctzll(left);
    if (++a->tries > TP_SHAPE_EMBEDDING_TRIES) return false;
    if (!fits(a, depth, v, w)) continue;
    a->image[v] = (uint8_t)w;
    if (place(a, depth + 1, taken | tp_k64_bit(w))) return true;
  }
  return false;
}

tp_status tp_structure_embeds(const tp_structure *s, const tp_structure *t, bool *embeds) {
  TP_REQUIRE(s->n_unary == t->n_unary && s->n_binary == t->n_binary);
  TP_INVARIANT(s->n_unary == t->n_unary && s->n_binary == t->n_binary);
  search a = {.s = s, .t = t};
  *embeds = false;
  if (s->n < t->n) return TP_OK;
  uint64_t all = 0;
  for (uint32_t v = 0; v < s->n; v++) {
    a.choices[v] = choices_of(&a, v);
    if (!a.choices[v]) return TP_OK;
    all |= a.choices[v];
  }
  if (all != tp_structure_nodes(t)) return TP_OK;
  order_by_choices(&a);
  *embeds = place(&a, 0, 0);
  return a.tries > TP_SHAPE_EMBEDDING_TRIES && !*embeds ? TP_ERR_LIMIT : TP_OK;
}
