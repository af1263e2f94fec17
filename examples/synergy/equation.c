/* Figure 7 repaired: one side of the equation is even, the other odd, modulo 2^32 as well. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = __VERIFIER_nondet_uint();
  if (x != y)
    if (2 * x == 2 * y + 1) reach_error();
  return 0;
}
