/* Two numbers that differ, the first of which solves an equation. Fails with inputs: 17 0
 *
 * Shape    Figure 7.
 * Hard     for tests drawn at random: 4 values in 2^32 reach the error; one question to a solver gives one of them. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned first = __VERIFIER_nondet_uint();
  unsigned second = __VERIFIER_nondet_uint();
  if (first != second) {
    if (5 * first == first + 68) reach_error();
  }
  return 0;
}
