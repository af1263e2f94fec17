/* Figure 6 broken: runs that started with an even number go on.
 * Fails with inputs: 4 */
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int y = __VERIFIER_nondet_int();
  int even = y % 2 == 0;
  while (y > 0) {
    y = y - 1;
  }
  __VERIFIER_assume(even);
  reach_error();
  return 0;
}
