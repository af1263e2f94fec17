/* A line that two large numbers lie on, modulo 2^32, one of them far up, and different in their last bits.
 * Fails with inputs: 3514041896 3000000003
 *
 * Shape    Figure 7 with three questions, all 32 bits of both inputs matter.
 * Hard     for tests drawn at random: one pair in 2^32 lies on the line. Each question needs a directed test, or one for all. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = __VERIFIER_nondet_uint();
  if (7 * x - y == 123456789u) {
    if (y > 3000000000u) {
      if (((x ^ y) & 1) == 1) reach_error();
    }
  }
  return 0;
}
