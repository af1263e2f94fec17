/* Those that match and those that do not are all: wrong: one sort is counted twice.
 * Fails with inputs: 2 1 0 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  int yes = 0, no = 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    if (a[i] > 0) yes++;
    if (a[i] <= 1) no++;
  }
  if (!(yes + no == n)) {
    reach_error();
  }
  return 0;
}
