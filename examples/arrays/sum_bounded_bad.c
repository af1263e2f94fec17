/* The sum of elements between 0 and 9 is at most nine times the length: wrong: they go to 10.
 * Fails with inputs: 1 10 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] < 0 || a[i] > 10) a[i] = 0;
  }
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  if (!(0 <= s && s <= 9 * n)) {
    reach_error();
  }
  return 0;
}
