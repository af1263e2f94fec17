/* Figure 9 broken: the rate is an input, and not a positive one; one of zero ends well.
 * Fails with inputs: -1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x > 0) return 0;
  while (y >= 0) {
    y = y + x;
    if (y == 0) return 0;
  }
  reach_error();
  return 0;
}
