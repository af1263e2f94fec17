/* A sum that is kept in a cell, and added to all elements: wrong: two elements are left out of the sum.
 * Fails with inputs: 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void *malloc(unsigned long);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 50000000) {
    return 0;
  }
  long total[1];
  int *a = malloc(sizeof(int) * (unsigned long)n);
  if (!a) return 0;
  total[0] = 0;
  for (int i = 0; i < n; i++) a[i] = 1;
  for (int i = 2; i < n; i++) total[0] += a[i];
  for (int i = 0; i < n; i++) a[i] += (int)total[0];
  for (int i = 0; i < n; i++)
    if (!(a[i] == n + 1)) {
      reach_error();
    }
  return 0;
}
