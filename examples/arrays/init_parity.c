/* The value depends on the parity of the index */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) {
    if (i % 2 == 0)
      a[i] = 10;
    else
      a[i] = 20;
  }
  for (int i = 0; i < n; i++)
    if (!(a[i] == (i % 2 == 0 ? 10 : 20))) {
      reach_error();
    }
  return 0;
}
