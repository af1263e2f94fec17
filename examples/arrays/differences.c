/* Neighbours differ by one */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  unsigned a[n];
  a[0] = __VERIFIER_nondet_int();
  for (int i = 1; i < n; i++) a[i] = a[i - 1] + 1;
  for (int i = 1; i < n; i++)
    if (!(a[i] - a[i - 1] == 1)) {
      reach_error();
    }
  return 0;
}
