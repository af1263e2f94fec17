/* A string is copied up to its terminator */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  char a[n + 1], b[n + 1];
  for (int i = 0; i < n; i++) {
    a[i] = (char)__VERIFIER_nondet_int();
    b[i] = 1;
  }
  a[n] = 0;
  b[n] = 0;
  int k = 0;
  while (a[k] != 0) {
    b[k] = a[k];
    k++;
  }
  b[k] = 0;
  for (int i = 0; i <= k; i++)
    if (!(a[i] == b[i])) {
      reach_error();
    }
  return 0;
}
