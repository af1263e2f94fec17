/* Binary search for a multiple of two among even numbers: wrong: the upper bound excludes too
 * much.
 * Fails with inputs: 1 0 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 2 * i;
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k >= n) return 0;
  int lo = 0, hi = n - 1, place = -1;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (a[mid] == 2 * k) {
      place = mid;
      break;
    }
    if (a[mid] < 2 * k)
      lo = mid + 1;
    else
      hi = mid;
  }
  if (!(place == k)) {
    reach_error();
  }
  return 0;
}
