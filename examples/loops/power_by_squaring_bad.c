/* Fast exponentiation against repeated multiplication, modulo 2^32.
 * Broken: the base is squared before it is used.
 * Fails with inputs: 3 1 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned fast_power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  while (exponent > 0) {
    base *= base;
    if (exponent & 1u) {
      result *= base;
    }
    exponent >>= 1;
  }
  return result;
}

static unsigned slow_power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  for (unsigned i = 0; i < exponent; i++) {
    result *= base;
  }
  return result;
}

int main(void) {
  unsigned base = __VERIFIER_nondet_uint();
  unsigned exponent = __VERIFIER_nondet_uint();
  if (base > 9 || exponent > 6) {
    return 0;
  }
  if (fast_power(base, exponent) != slow_power(base, exponent)) {
    reach_error();
  }
  return 0;
}
