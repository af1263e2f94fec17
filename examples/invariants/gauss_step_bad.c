/* Wrong for five alone: n = 5.
 * Fails with inputs: 5 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned sum = 0;
  unsigned i = 0;
  while (i < n) {
    i++;
    sum += i;
  }
  if (2 * sum != i * (i + 1) - (i == 5) * 2) reach_error();
  return 0;
}
