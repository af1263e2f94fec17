/* A copy of an array of any contents */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n], b[n];
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    b[i] = 0;
  }
  for (int i = 0; i < n; i++) b[i] = a[i];
  for (int i = 0; i < n; i++)
    if (!(b[i] == a[i])) {
      reach_error();
    }
  return 0;
}
