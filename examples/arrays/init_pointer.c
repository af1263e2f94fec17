/* A pointer walks over the elements */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  a[n - 1] = 0;
  for (int *p = a; p < a + n; p++) *p = 3;
  for (int i = 0; i < n; i++)
    if (!(a[i] == 3)) {
      reach_error();
    }
  return 0;
}
