/* Each element holds its index; any length: wrong: off by one.
 * Fails with inputs: 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = i;
  for (int i = 0; i < n; i++)
    if (!(a[i] == i + 1)) {
      reach_error();
    }
  return 0;
}
