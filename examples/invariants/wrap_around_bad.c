/* Without the bound the sum wraps: a = 4294967295, b = 1. A proof over mathematical integers would be wrong.
 * Fails with inputs: 4294967295 1 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  unsigned steps = 0;
  if (b > 1000000u) return 0;
  unsigned sum = a;
  while (steps < b) {
    steps++;
    sum++;
  }
  if (sum < a) reach_error();
  return 0;
}
