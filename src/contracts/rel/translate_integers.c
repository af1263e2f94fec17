/* Integers of the logic as words. Results get the bits that they may need, then are cut to the
 * width; a result that needs more is undefined, not wrapped. */
#include "contracts/rel/translate_priv.h"

static tp_lit bit(tp_rel_word a, uint32_t i) {
  TP_REQUIRE(a.n > 0);
  return a.bits[i < a.n ? i : a.n - 1];
}

static void extend(tp_lit *out, tp_rel_word a, uint32_t n) {
  TP_REQUIRE(n >= a.n && n <= TP_WORD_MAX);
  for (uint32_t i = 0; i < n; i++) out[i] = bit(a, i);
}

static tp_rel_word keep(tp_rel_translation *t, const tp_lit *bits, uint32_t n, tp_lit defined) {
  TP_REQUIRE(n > 0);
  while (n > 1 && tp_lit_eq(bits[n - 1], bits[n - 2])) n--;  // copies of the sign
  tp_lit *at = tp_arena_array(&t->pool.arena, tp_lit, n);
  memcpy(at, bits, n * sizeof *bits);
  return (tp_rel_word){at, n, defined};
}

tp_rel_word tp_rel_word_fit(tp_rel_translation *t, const tp_lit *bits, uint32_t n, tp_lit defined) {
  TP_REQUIRE(n > 0 && t->options.width_bits > 0);
  const uint32_t width = t->options.width_bits;
  for (uint32_t i = width; i < n; i++)
    defined = tp_gate_and(t->g, defined, tp_lit_not(tp_gate_xor(t->g, bits[i], bits[width - 1])));
  return keep(t, bits, n < width ? n : width, defined);
}

tp_rel_word tp_rel_word_const(tp_rel_translation *t, int64_t value) {
  tp_lit bits[64];
  tp_word_const(bits, 64, (tp_u128)(uint64_t)value);
  return tp_rel_word_fit(t, bits, 64, TP_LIT_TRUE);
}

static tp_lit is_zero(tp_gates *g, tp_rel_word a) {
  tp_lit any = TP_LIT_FALSE;
  for (uint32_t i = 0; i < a.n; i++) any = tp_gate_or(g, any, a.bits[i]);
  return tp_lit_not(any);
}

/* One bit more than the longer argument holds every sum, difference and quotient (MIN / -1); a
 * product has both lengths. */
tp_rel_word tp_rel_word_arithmetic(tp_rel_translation *t, tp_rel_kind k, tp_rel_word a,
                                   tp_rel_word b) {
  const uint32_t n = k == TP_REL_TIMES ? a.n + b.n : (a.n > b.n ? a.n : b.n) + 1;
  tp_lit x[TP_WORD_MAX], y[TP_WORD_MAX], r[TP_WORD_MAX],
      defined = tp_gate_and(t->g, a.defined, b.defined);
  extend(x, a, n);
  extend(y, b, n);
  switch ((int)k) {
    case TP_REL_PLUS: tp_word_add(t->g, r, x, y, TP_LIT_FALSE, n); break;
    case TP_REL_MINUS:
      tp_word_not(y, y, n);
      tp_word_add(t->g, r, x, y, TP_LIT_TRUE, n);
      break;
    case TP_REL_TIMES: tp_word_mul(t->g, r, x, y, n); break;
    default:
      defined = tp_gate_and(t->g, defined, tp_lit_not(is_zero(t->g, b)));
      if (k == TP_REL_QUOTIENT)
        tp_word_sdivrem(t->g, r, NULL, x, y, n);
      else
        tp_word_sdivrem(t->g, NULL, r, x, y, n);
      break;
  }
  return tp_rel_word_fit(t, r, n, defined);
}

tp_rel_word tp_rel_word_choose(tp_rel_translation *t, tp_lit c, tp_rel_word a, tp_rel_word b) {
  const uint32_t n = a.n > b.n ? a.n : b.n;
  tp_lit x[TP_WORD_MAX], y[TP_WORD_MAX];
  extend(x, a, n);
  extend(y, b, n);
  tp_word_ite(t->g, x, c, x, y, n);
  return keep(t, x, n, tp_gate_ite(t->g, c, a.defined, b.defined));
}

tp_rel_word tp_rel_word_count(tp_rel_translation *t, const tp_lit *lits, size_t n, tp_lit defined) {
  tp_lit bits[TP_WORD_MAX];
  const uint32_t n_bits = tp_rel_count_lits(t->g, lits, n, bits);
  return tp_rel_word_fit(t, bits, n_bits, defined);
}

/* Terms are added in pairs, each level one bit longer: nothing is lost before the total. */
tp_rel_word tp_rel_word_sum(tp_rel_translation *t, const tp_rel_word *terms, const tp_lit *when,
                            size_t n, tp_lit defined) {
  TP_VEC(tp_rel_word) todo = {0};
  tp_lit bits[TP_WORD_MAX], x[TP_WORD_MAX], y[TP_WORD_MAX];
  for (size_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < terms[i].n; k++)
      bits[k] = tp_gate_and(t->g, when[i], terms[i].bits[k]);
    tp_vec_push(&todo, keep(t, bits, terms[i].n, TP_LIT_TRUE));
    defined = tp_gate_and(t->g, defined, tp_gate_or(t->g, tp_lit_not(when[i]), terms[i].defined));
  }
  for (size_t at = 0; todo.n - at > 1; at += 2) {
    const tp_rel_word a = todo.at[at], b = todo.at[at + 1];
    const uint32_t m = (a.n > b.n ? a.n : b.n) + 1;
    extend(x, a, m);
    extend(y, b, m);
    tp_word_add(t->g, bits, x, y, TP_LIT_FALSE, m);
    tp_vec_push(&todo, keep(t, bits, m, TP_LIT_TRUE));
  }
  bits[0] = TP_LIT_FALSE;
  const tp_rel_word total = todo.n ? tp_vec_last(&todo) : keep(t, bits, 1, TP_LIT_TRUE);
  tp_vec_clear(&todo);
  return tp_rel_word_fit(t, total.bits, total.n, defined);
}

tp_lit tp_rel_word_compare(tp_rel_translation *t, tp_rel_kind k, tp_rel_word a, tp_rel_word b) {
  const uint32_t n = a.n > b.n ? a.n : b.n;
  tp_lit x[TP_WORD_MAX], y[TP_WORD_MAX];
  extend(x, a, n);
  extend(y, b, n);
  if (k == TP_REL_INT_EQUAL) return tp_word_eq(t->g, x, y, n);
  return k == TP_REL_LESS ? tp_word_slt(t->g, x, y, n) : tp_lit_not(tp_word_slt(t->g, y, x, n));
}
