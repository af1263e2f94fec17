/* Figure 7: two numbers that differ, and an equation with two solutions in 2^32 numbers: 10 and 10 + 2^31. Tests at random do not find them.
 * Fails with inputs: 10 25 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = __VERIFIER_nondet_uint();
  if (x != y)
    if (2 * x == x + 10) reach_error();
  return 0;
}
