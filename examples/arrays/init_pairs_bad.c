/* Two elements in each turn: wrong: the second is set to the other value.
 * Fails with inputs: 4 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[2 * n];
  for (int i = 0; i < n; i++) {
    a[2 * i] = 1;
    a[2 * i + 1] = i == 3 ? 1 : 2;
  }
  for (int i = 0; i < n; i++)
    if (!(a[2 * i] == 1 && a[2 * i + 1] == 2)) {
      reach_error();
    }
  return 0;
}
