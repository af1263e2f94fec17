/* Gates as clauses.
 *
 * Constants and equal or opposite arguments are folded before a gate is made; what is left of AND
 * and XOR is found again by its arguments. A full circuit makes inputs in place of gates. */
#include "certify/circuits/gate_clauses.h"

#include <stdlib.h>

void tp_chk_circuit_init(tp_chk_circuit *c, uint64_t most_gates) {
  *c = (tp_chk_circuit){.most_gates = most_gates, .n_variables = TP_CHK_TRUE};
  tp_chk_clause(c, (tp_chk_bit[]){TP_CHK_TRUE}, 1);
}

void tp_chk_circuit_clear(tp_chk_circuit *c) {
  tp_vec_clear(&c->clauses);
  tp_map_clear(&c->ands);
  tp_map_clear(&c->xors);
}

tp_chk_bit tp_chk_input(tp_chk_circuit *c) {
  TP_REQUIRE(c->n_variables < INT32_MAX);
  return ++c->n_variables;
}

void tp_chk_clause(tp_chk_circuit *c, const tp_chk_bit *bits, size_t n) {
  for (size_t i = 0; i < n; i++) TP_REQUIRE(bits[i] && abs(bits[i]) <= c->n_variables);
  for (size_t i = 0; i < n; i++) tp_vec_push(&c->clauses, bits[i]);
  tp_vec_push(&c->clauses, 0);
}

static void clause2(tp_chk_circuit *c, tp_chk_bit a, tp_chk_bit b) {
  tp_chk_clause(c, (tp_chk_bit[]){a, b}, 2);
}

static void clause3(tp_chk_circuit *c, tp_chk_bit a, tp_chk_bit b, tp_chk_bit d) {
  tp_chk_clause(c, (tp_chk_bit[]){a, b, d}, 3);
}

/* The variable of a new gate. False: the circuit is full, and it is an input. */
static bool new_gate(tp_chk_circuit *c, tp_chk_bit *v) {
  *v = tp_chk_input(c);
  c->n_gates++;
  c->is_full = c->is_full || (c->most_gates && c->n_gates > c->most_gates);
  return !c->is_full;
}

static bool is_constant(tp_chk_bit a) { return a == TP_CHK_TRUE || a == TP_CHK_FALSE; }

static uint64_t key_of(tp_chk_bit a, tp_chk_bit b) {
  return (uint64_t)(uint32_t)(a < b ? a : b) << 32 | (uint32_t)(a < b ? b : a);
}

tp_chk_bit tp_chk_and(tp_chk_circuit *c, tp_chk_bit a, tp_chk_bit b) {
  uint64_t known;
  tp_chk_bit v;
  if (a == TP_CHK_FALSE || b == TP_CHK_FALSE || a == -b) return TP_CHK_FALSE;
  if (a == TP_CHK_TRUE || a == b) return b;
  if (b == TP_CHK_TRUE) return a;
  if (tp_map_get(&c->ands, key_of(a, b), &known)) return (tp_chk_bit)known;
  if (!new_gate(c, &v)) return v;
  tp_map_set(&c->ands, key_of(a, b), (uint64_t)v);
  clause2(c, -v, a);
  clause2(c, -v, b);
  clause3(c, v, -a, -b);
  return v;
}

tp_chk_bit tp_chk_or(tp_chk_circuit *c, tp_chk_bit a, tp_chk_bit b) {
  return -tp_chk_and(c, -a, -b);
}

tp_chk_bit tp_chk_xor(tp_chk_circuit *c, tp_chk_bit a, tp_chk_bit b) {
  uint64_t known;
  tp_chk_bit v;
  if (is_constant(a)) return a == TP_CHK_TRUE ? -b : b;
  if (is_constant(b)) return b == TP_CHK_TRUE ? -a : a;
  if (a == b) return TP_CHK_FALSE;
  if (a == -b) return TP_CHK_TRUE;
  const bool is_negated = (a < 0) != (b < 0);
  a = abs(a);
  b = abs(b);
  if (tp_map_get(&c->xors, key_of(a, b), &known))
    return is_negated ? -(tp_chk_bit)known : (tp_chk_bit)known;
  if (!new_gate(c, &v)) return v;
  tp_map_set(&c->xors, key_of(a, b), (uint64_t)v);
  clause3(c, -v, a, b);
  clause3(c, -v, -a, -b);
  clause3(c, v, -a, b);
  clause3(c, v, a, -b);
  return is_negated ? -v : v;
}

tp_chk_bit tp_chk_choice(tp_chk_circuit *c, tp_chk_bit when, tp_chk_bit a, tp_chk_bit b) {
  tp_chk_bit v;
  if (is_constant(when)) return when == TP_CHK_TRUE ? a : b;
  if (a == b) return a;
  if (a == -b) return -tp_chk_xor(c, when, a);
  if (a == TP_CHK_TRUE || a == when) return tp_chk_or(c, when, b);
  if (a == TP_CHK_FALSE || a == -when) return tp_chk_and(c, -when, b);
  if (b == TP_CHK_TRUE || b == -when) return tp_chk_or(c, -when, a);
  if (b == TP_CHK_FALSE || b == when) return tp_chk_and(c, when, a);
  if (!new_gate(c, &v)) return v;
  clause3(c, -v, -when, a);
  clause3(c, -v, when, b);
  clause3(c, v, -when, -a);
  clause3(c, v, when, -b);
  clause3(c, -v, a, b);  // implied: decides without `when`
  clause3(c, v, -a, -b);
  return v;
}

tp_chk_bit tp_chk_majority(tp_chk_circuit *c, tp_chk_bit x, tp_chk_bit y, tp_chk_bit z) {
  tp_chk_bit v;
  if (is_constant(x)) return x == TP_CHK_TRUE ? tp_chk_or(c, y, z) : tp_chk_and(c, y, z);
  if (is_constant(y)) return y == TP_CHK_TRUE ? tp_chk_or(c, x, z) : tp_chk_and(c, x, z);
  if (is_constant(z)) return z == TP_CHK_TRUE ? tp_chk_or(c, x, y) : tp_chk_and(c, x, y);
  if (x == y || x == z) return x;
  if (y == z) return y;
  if (x == -y) return z;
  if (x == -z) return y;
  if (y == -z) return x;
  if (!new_gate(c, &v)) return v;
  clause3(c, -v, x, y);
  clause3(c, -v, x, z);
  clause3(c, -v, y, z);
  clause3(c, v, -x, -y);
  clause3(c, v, -x, -z);
  clause3(c, v, -y, -z);
  return v;
}

// ------------------------------------------------------------------------ words

void tp_chk_word_const(tp_chk_bit *out, tp_u128 value, uint32_t n) {
  TP_REQUIRE(n <= TP_CHK_WORD_BITS);
  for (uint32_t i = 0; i < n; i++) out[i] = value >> i & 1 ? TP_CHK_TRUE : TP_CHK_FALSE;
}

void tp_chk_word_input(tp_chk_circuit *c, tp_chk_bit *out, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) out[i] = tp_chk_input(c);
}

void tp_chk_word_choice(tp_chk_circuit *c, tp_chk_bit *out, tp_chk_bit when, const tp_chk_bit *a,
                        const tp_chk_bit *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) out[i] = tp_chk_choice(c, when, a[i], b[i]);
}

void tp_chk_word_add(tp_chk_circuit *c, tp_chk_bit *out, const tp_chk_bit *a, const tp_chk_bit *b,
                     tp_chk_bit carry, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const tp_chk_bit x = a[i], y = b[i];
    out[i] = tp_chk_xor(c, tp_chk_xor(c, x, y), carry);
    if (i + 1 < n) carry = tp_chk_majority(c, x, y, carry);
  }
}

void tp_chk_word_neg(tp_chk_circuit *c, tp_chk_bit *out, const tp_chk_bit *a, uint32_t n) {
  tp_chk_bit opposite[TP_CHK_WORD_BITS], zero[TP_CHK_WORD_BITS];
  for (uint32_t i = 0; i < n; i++) opposite[i] = -a[i];
  tp_chk_word_const(zero, 0, n);
  tp_chk_word_add(c, out, opposite, zero, TP_CHK_TRUE, n);
}

/* The sum of a, shifted, for each bit of b; a constant factor decides which sums there are. */
void tp_chk_word_mul(tp_chk_circuit *c, tp_chk_bit *out, const tp_chk_bit *a, const tp_chk_bit *b,
                     uint32_t n) {
  tp_chk_bit sum[TP_CHK_WORD_BITS], row[TP_CHK_WORD_BITS];
  uint32_t constants_of_a = 0, constants_of_b = 0;
  for (uint32_t i = 0; i < n; i++) {
    constants_of_a += is_constant(a[i]);
    constants_of_b += is_constant(b[i]);
  }
  const tp_chk_bit *multiplicand = constants_of_a > constants_of_b ? b : a,
                   *multiplier = constants_of_a > constants_of_b ? a : b;
  tp_chk_word_const(sum, 0, n);
  for (uint32_t i = 0; i < n; i++) {
    if (multiplier[i] == TP_CHK_FALSE) continue;
    for (uint32_t k = 0; k < n; k++)
      row[k] = k < i ? TP_CHK_FALSE : tp_chk_and(c, multiplicand[k - i], multiplier[i]);
    tp_chk_word_add(c, sum, sum, row, TP_CHK_FALSE, n);
  }
  memcpy(out, sum, n * sizeof *out);
}

/* Division by hand: the divisor is taken from the remainder so far where it is not larger. With a
 * divisor of zero it always is not, so the quotient is all ones and nothing is taken. */
void tp_chk_word_divide(tp_chk_circuit *c, tp_chk_bit *quotient, tp_chk_bit *remainder,
                        const tp_chk_bit *a, const tp_chk_bit *b, uint32_t n) {
  tp_chk_bit rest[TP_CHK_WORD_BITS + 1], divisor[TP_CHK_WORD_BITS + 1], q[TP_CHK_WORD_BITS],
      less[TP_CHK_WORD_BITS + 1], opposite[TP_CHK_WORD_BITS + 1];
  for (uint32_t i = 0; i <= n; i++) {
    rest[i] = TP_CHK_FALSE;
    divisor[i] = i < n ? b[i] : TP_CHK_FALSE;
    opposite[i] = -divisor[i];
  }
  for (uint32_t i = n; i-- > 0;) {
    memmove(rest + 1, rest, n * sizeof *rest);
    rest[0] = a[i];
    q[i] = -tp_chk_word_less(c, rest, divisor, n + 1);
    tp_chk_word_add(c, less, rest, opposite, TP_CHK_TRUE, n + 1);
    tp_chk_word_choice(c, rest, q[i], less, rest, n + 1);
  }
  if (quotient) memcpy(quotient, q, n * sizeof *q);
  if (remainder) memcpy(remainder, rest, n * sizeof *rest);
}

static void negate_if(tp_chk_circuit *c, tp_chk_bit *out, tp_chk_bit when, const tp_chk_bit *a,
                      uint32_t n) {
  tp_chk_bit negative[TP_CHK_WORD_BITS];
  tp_chk_word_neg(c, negative, a, n);
  tp_chk_word_choice(c, out, when, negative, a, n);
}

void tp_chk_word_divide_signed(tp_chk_circuit *c, tp_chk_bit *quotient, tp_chk_bit *remainder,
                               const tp_chk_bit *a, const tp_chk_bit *b, uint32_t n) {
  tp_chk_bit x[TP_CHK_WORD_BITS], y[TP_CHK_WORD_BITS], q[TP_CHK_WORD_BITS], r[TP_CHK_WORD_BITS];
  const tp_chk_bit sign_a = a[n - 1], sign_b = b[n - 1];
  negate_if(c, x, sign_a, a, n);
  negate_if(c, y, sign_b, b, n);
  tp_chk_word_divide(c, q, r, x, y, n);
  if (quotient) negate_if(c, quotient, tp_chk_xor(c, sign_a, sign_b), q, n);
  if (remainder) negate_if(c, remainder, sign_a, r, n);
}

/* By powers of two; a shift by the width or more is seen at the bits above. */
void tp_chk_word_shift(tp_chk_circuit *c, tp_chk_bit *out, const tp_chk_bit *a,
                       const tp_chk_bit *by, tp_chk_direction direction, tp_chk_bit fill,
                       uint32_t n) {
  tp_chk_bit now[TP_CHK_WORD_BITS], moved[TP_CHK_WORD_BITS], beyond = TP_CHK_FALSE;
  memcpy(now, a, n * sizeof *now);
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t distance = i < 32 ? (uint64_t)1 << i : UINT64_MAX;
    if (distance >= n) {
      beyond = tp_chk_or(c, beyond, by[i]);
      continue;
    }
    const uint32_t d = (uint32_t)distance;
    for (uint32_t k = 0; k < n; k++)
      moved[k] = direction == TP_CHK_SHIFT_LEFT ? k >= d ? now[k - d] : fill
                 : k + d < n                    ? now[k + d]
                                                : fill;
    tp_chk_word_choice(c, now, by[i], moved, now, n);
  }
  for (uint32_t k = 0; k < n; k++) out[k] = tp_chk_choice(c, beyond, fill, now[k]);
}

tp_chk_bit tp_chk_word_equal(tp_chk_circuit *c, const tp_chk_bit *a, const tp_chk_bit *b,
                             uint32_t n) {
  tp_chk_bit same = TP_CHK_TRUE;
  for (uint32_t i = 0; i < n; i++) same = tp_chk_and(c, same, -tp_chk_xor(c, a[i], b[i]));
  return same;
}

/* No carry out of a - b. */
tp_chk_bit tp_chk_word_less(tp_chk_circuit *c, const tp_chk_bit *a, const tp_chk_bit *b,
                            uint32_t n) {
  tp_chk_bit carry = TP_CHK_TRUE;
  for (uint32_t i = 0; i < n; i++) carry = tp_chk_majority(c, a[i], -b[i], carry);
  return -carry;
}

/* As unsigned numbers with the signs flipped. */
tp_chk_bit tp_chk_word_less_signed(tp_chk_circuit *c, const tp_chk_bit *a, const tp_chk_bit *b,
                                   uint32_t n) {
  tp_chk_bit x[TP_CHK_WORD_BITS], y[TP_CHK_WORD_BITS];
  memcpy(x, a, n * sizeof *x);
  memcpy(y, b, n * sizeof *y);
  x[n - 1] = -x[n - 1];
  y[n - 1] = -y[n - 1];
  return tp_chk_word_less(c, x, y, n);
}
