/* Filled from the last element to the first */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  a[0] = 0;
  for (int i = n - 1; i >= 0; i--) a[i] = 4;
  for (int i = 0; i < n; i++)
    if (!(a[i] == 4)) {
      reach_error();
    }
  return 0;
}
