/* As many are counted as were set */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 1;
  int c = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] != 0) c++;
  }
  if (!(c == n)) {
    reach_error();
  }
  return 0;
}
