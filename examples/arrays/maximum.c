/* No element is above the maximum */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int max = a[0];
  for (int i = 1; i < n; i++) {
    if (a[i] > max) max = a[i];
  }
  for (int i = 0; i < n; i++)
    if (!(a[i] <= max)) {
      reach_error();
    }
  return 0;
}
