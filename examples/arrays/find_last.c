/* The last place of a value: none behind it */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int x = __VERIFIER_nondet_int(), place = -1;
  for (int i = 0; i < n; i++) {
    if (a[i] == x) place = i;
  }
  for (int i = place + 1; i < n; i++)
    if (!(i < 0 || a[i] != x)) {
      reach_error();
    }
  return 0;
}
