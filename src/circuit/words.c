/* Circuits of bit-vector operations, bit by bit from the least significant.
 *
 * Sums ripple with XOR and MAJORITY gates; comparisons are the carry of a subtraction; products by
 * a constant use its canonical signed digits; division is the school method with restoring. Special
 * cases of zero divisors are SMT-LIB's. */
#include "circuit/words.h"

void tp_word_const(tp_lit *out, uint32_t n, tp_u128 value) {
  for (uint32_t i = 0; i < n; i++) out[i] = tp_lit_of(value >> i & 1);
}

bool tp_word_is_const(const tp_lit *a, uint32_t n, tp_u128 *value) {
  *value = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (!tp_lit_is_const(a[i])) return false;
    *value |= (tp_u128)a[i].id << i;
  }
  return true;
}

void tp_word_input(tp_gates *g, tp_lit *out, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) out[i] = tp_gate_input(g);
}

void tp_word_not(tp_lit *out, const tp_lit *a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) out[i] = tp_lit_not(a[i]);
}

void tp_word_ite(tp_gates *g, tp_lit *out, tp_lit c, const tp_lit *a, const tp_lit *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) out[i] = tp_gate_ite(g, c, a[i], b[i]);
}

// ----------------------------------------------------------------------- sums

void tp_word_add(tp_gates *g, tp_lit *out, const tp_lit *a, const tp_lit *b, tp_lit carry,
                 uint32_t n) {
  TP_REQUIRE(n <= TP_WORD_MAX);
  for (uint32_t i = 0; i < n; i++) {
    tp_lit x = a[i], y = b[i];
    out[i] = tp_gate_xor(g, tp_gate_xor(g, x, y), carry);
    if (i + 1 < n) carry = tp_gate_majority(g, x, y, carry);
  }
}

static void subtract(tp_gates *g, tp_lit *out, const tp_lit *a, const tp_lit *b, uint32_t n) {
  tp_lit minus[TP_WORD_MAX] = {{0}};
  tp_word_not(minus, b, n);
  tp_word_add(g, out, a, minus, TP_LIT_TRUE, n);
}

void tp_word_neg(tp_gates *g, tp_lit *out, const tp_lit *a, uint32_t n) {
  tp_lit zero[TP_WORD_MAX] = {{0}};
  tp_word_const(zero, n, 0);
  subtract(g, out, zero, a, n);
}

// ------------------------------------------------------------------- products

/* out += or -= a * 2^k */
static void add_shifted(tp_gates *g, tp_lit *out, const tp_lit *a, uint32_t k, bool minus,
                        uint32_t n) {
  if (minus)
    subtract(g, out + k, out + k, a, n - k);
  else
    tp_word_add(g, out + k, out + k, a, TP_LIT_FALSE, n - k);
}

/* By a constant: digits -1, 0, 1, no two neighbours both nonzero. Of the digit at the top only its
 * parity counts, so that it can be taken as 1. */
static void mul_const(tp_gates *g, tp_lit *out, const tp_lit *a, tp_u128 c, uint32_t n) {
  tp_word_const(out, n, 0);
  for (uint32_t k = 0; k < n && c; k++, c >>= 1) {
    if (!(c & 1)) continue;
    bool minus = (c & 2) && k + 1 < n;
    add_shifted(g, out, a, k, minus, n);
    c = minus ? c + 1 : c - 1;  // the carry out of 128 bits is beyond every width
  }
}

static uint32_t n_const(const tp_lit *a, uint32_t n) {
  uint32_t c = 0;
  for (uint32_t i = 0; i < n; i++) c += tp_lit_is_const(a[i]);
  return c;
}

void tp_word_mul(tp_gates *g, tp_lit *out, const tp_lit *a, const tp_lit *b, uint32_t n) {
  tp_lit sum[TP_WORD_MAX], row[TP_WORD_MAX];
  tp_u128 c;
  if (tp_word_is_const(a, n, &c)) {
    mul_const(g, sum, b, c, n);
  } else if (tp_word_is_const(b, n, &c)) {
    mul_const(g, sum, a, c, n);
  } else {
    if (n_const(a, n) >
        n_const(b, n)) {  // the rows are selected by b: constant bits there save rows
      const tp_lit *t = a;
      a = b;
      b = t;
    }
    tp_word_const(sum, n, 0);
    for (uint32_t k = 0; k < n; k++) {
      if (tp_lit_eq(b[k], TP_LIT_FALSE)) continue;
      for (uint32_t i = 0; i < n - k; i++) row[i] = tp_gate_and(g, a[i], b[k]);
      tp_word_add(g, sum + k, sum + k, row, TP_LIT_FALSE, n - k);
    }
  }
  memcpy(out, sum, n * sizeof *out);
}

// ------------------------------------------------------------------- division

/* Restoring division, bit by bit from the top. A zero divisor is always "not greater", which gives
 * the quotient of all ones and leaves the dividend: what SMT-LIB asks for. */
void tp_word_udivrem(tp_gates *g, tp_lit *quotient, tp_lit *remainder, const tp_lit *a,
                     const tp_lit *b, uint32_t n) {
  tp_lit q[TP_WORD_MAX], r[TP_WORD_MAX], less[TP_WORD_MAX];
  tp_word_const(r, n, 0);
  for (uint32_t k = n; k-- > 0;) {
    tp_lit overflow = r[n - 1];  // the shifted remainder has one bit more
    memmove(r + 1, r, (n - 1) * sizeof *r);
    r[0] = a[k];
    q[k] = tp_gate_or(g, overflow, tp_lit_not(tp_word_ult(g, r, b, n)));
    subtract(g, less, r, b, n);
    tp_word_ite(g, r, q[k], less, r, n);
  }
  if (quotient) memcpy(quotient, q, n * sizeof *q);
  if (remainder) memcpy(remainder, r, n * sizeof *r);
}

static void negate_if(tp_gates *g, tp_lit *out, tp_lit c, const tp_lit *a, uint32_t n) {
  tp_lit minus[TP_WORD_MAX] = {{0}};
  tp_word_neg(g, minus, a, n);
  tp_word_ite(g, out, c, minus, a, n);
}

void tp_word_sdivrem(tp_gates *g, tp_lit *quotient, tp_lit *remainder, const tp_lit *a,
                     const tp_lit *b, uint32_t n) {
  tp_lit x[TP_WORD_MAX], y[TP_WORD_MAX], q[TP_WORD_MAX], r[TP_WORD_MAX], sign_a = a[n - 1],
                                                                         sign_b = b[n - 1];
  negate_if(g, x, sign_a, a, n);
  negate_if(g, y, sign_b, b, n);
  tp_word_udivrem(g, q, r, x, y, n);
  if (quotient) negate_if(g, quotient, tp_gate_xor(g, sign_a, sign_b), q, n);
  if (remainder) negate_if(g, remainder, sign_a, r, n);
}

// --------------------------------------------------------------------- shifts

/* Stages for the bits of `by` that count; any higher bit makes the result nothing but fill. */
void tp_word_shr(tp_gates *g, tp_lit *out, const tp_lit *a, const tp_lit *by, tp_lit fill,
                 uint32_t n) {
  tp_lit r[TP_WORD_MAX], far = TP_LIT_FALSE;
  memcpy(r, a, n * sizeof *r);
  uint32_t k = 0;
  for (; k < n && 1u << k < n; k++)
    for (uint32_t i = 0; i < n; i++)
      r[i] = tp_gate_ite(g, by[k], i + (1u << k) < n ? r[i + (1u << k)] : fill, r[i]);
  for (; k < n; k++) far = tp_gate_or(g, far, by[k]);
  for (uint32_t i = 0; i < n; i++) out[i] = tp_gate_ite(g, far, fill, r[i]);
}

static void reverse(tp_lit *out, const tp_lit *a, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) out[i] = a[n - 1 - i];
}

void tp_word_shl(tp_gates *g, tp_lit *out, const tp_lit *a, const tp_lit *by, uint32_t n) {
  tp_lit mirror[TP_WORD_MAX] = {{0}};
  reverse(mirror, a, n);
  tp_word_shr(g, mirror, mirror, by, TP_LIT_FALSE, n);
  reverse(out, mirror, n);
}

// ---------------------------------------------------------------- comparisons

/* A tree of ANDs: depth log n. */
tp_lit tp_word_eq(tp_gates *g, const tp_lit *a, const tp_lit *b, uint32_t n) {
  tp_lit same[TP_WORD_MAX];
  for (uint32_t i = 0; i < n; i++) same[i] = tp_lit_not(tp_gate_xor(g, a[i], b[i]));
  for (; n > 1; n = (n + 1) / 2)
    for (uint32_t i = 0; 2 * i < n; i++)
      same[i] = 2 * i + 1 < n ? tp_gate_and(g, same[2 * i], same[2 * i + 1]) : same[2 * i];
  return same[0];
}

/* From the least significant bit: the majority of !a, b and "less so far" is b where the bits
 * differ. */
tp_lit tp_word_ult(tp_gates *g, const tp_lit *a, const tp_lit *b, uint32_t n) {
  tp_lit less = TP_LIT_FALSE;  // of the bits so far; a higher bit that differs decides
  for (uint32_t i = 0; i < n; i++) less = tp_gate_majority(g, tp_lit_not(a[i]), b[i], less);
  return less;
}

tp_lit tp_word_slt(tp_gates *g, const tp_lit *a, const tp_lit *b, uint32_t n) {
  tp_lit x[TP_WORD_MAX], y[TP_WORD_MAX];
  memcpy(x, a, n * sizeof *x);
  memcpy(y, b, n * sizeof *y);
  x[n - 1] = tp_lit_not(x[n - 1]);
  y[n - 1] = tp_lit_not(y[n - 1]);
  return tp_word_ult(g, x, y, n);
}
