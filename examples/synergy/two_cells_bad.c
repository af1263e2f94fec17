/* Figure 4: the sum goes to one cell, the question to the other, which nobody wrote. To leave the loop out one has to know that.
 * Fails with inputs: -5 0 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a[2] = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
  int i = 0, j = 1;
  a[j] = 0;
  while (i < 1000) {
    a[j] = a[j] + i;
    i = i + 1;
  }
  if (a[0] > 0) return 0;
  reach_error();
  return 0;
}
