/* Two indices move from both ends towards each other */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 0;
  int lo = 0, hi = n - 1;
  while (lo <= hi) {
    a[lo] = 9;
    a[hi] = 9;
    lo++;
    hi--;
  }
  for (int i = 0; i < n; i++)
    if (!(a[i] == 9)) {
      reach_error();
    }
  return 0;
}
