/* Numbers of occurrences are never negative: wrong: one is taken off.
 * Fails with inputs: 1 0 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int h[16];
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    int x = __VERIFIER_nondet_int() & 15;
    h[x]--;
  }
  for (int i = 0; i < 16; i++)
    if (!(h[i] >= 0)) {
      reach_error();
    }
  return 0;
}
