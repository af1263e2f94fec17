/* Equations and inequalities between three variables: no bound, no sum and no difference of two is enough. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, twice = 0, left, right = 0, sum;
  if (n < 0 || n > 100000) return 0;
  left = n;
  while (left > 0) {
    if (__VERIFIER_nondet_int()) right += 1;
    else i += 1;
    left -= 1;
  }
  if (left + right + i != n) reach_error();
  sum = 0;
  for (i = 0; i < n; i++) {
    twice += 2;
    sum += 3;
  }
  if (twice != 2 * i || sum != twice + i) reach_error();
  return 0;
}
