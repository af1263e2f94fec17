/* Sums of prefixes: the difference is the element */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  unsigned a[n], s[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  s[0] = a[0];
  for (int i = 1; i < n; i++) s[i] = s[i - 1] + a[i];
  for (int i = 1; i < n; i++)
    if (!(s[i] - s[i - 1] == a[i])) {
      reach_error();
    }
  return 0;
}
