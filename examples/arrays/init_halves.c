/* Two loops fill the two halves */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  int m = n / 2;
  for (int i = 0; i < n; i++) a[i] = 0;
  for (int i = 0; i < m; i++) a[i] = 1;
  for (int i = m; i < n; i++) a[i] = 2;
  for (int i = 0; i < n; i++)
    if (!(a[i] == (i < m ? 1 : 2))) {
      reach_error();
    }
  return 0;
}
