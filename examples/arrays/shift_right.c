/* Moved right by one place, from the end */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n + 1], b[n + 1];
  for (int i = 0; i <= n; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = a[i];
  }
  for (int i = n; i > 0; i--) a[i] = a[i - 1];
  for (int i = 1; i <= n; i++)
    if (!(a[i] == b[i - 1])) {
      reach_error();
    }
  return 0;
}
