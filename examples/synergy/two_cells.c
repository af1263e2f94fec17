/* Figure 4 repaired: the sum goes to the cell that is asked for at the end, so it is positive there whatever came in. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a[2] = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
  int i = 0, j = 0;
  a[j] = 0;
  while (i < 1000) {
    a[j] = a[j] + i;
    i = i + 1;
  }
  if (a[0] > 0) return 0;
  reach_error();
  return 0;
}
