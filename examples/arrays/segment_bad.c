/* A segment is set, the rest stays: wrong: the segment is one longer.
 * Fails with inputs: 3 1 2 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int lo = __VERIFIER_nondet_int(), hi = __VERIFIER_nondet_int();
  if (lo < 0 || lo > hi || hi > n) return 0;
  int a[n];
  for (int i = 0; i < n; i++) a[i] = 0;
  for (int i = lo; i < hi + (hi < n); i++) a[i] = 1;
  for (int i = 0; i < n; i++)
    if (!(a[i] == (lo <= i && i < hi))) {
      reach_error();
    }
  return 0;
}
