/* The last step down is short: any n but zero.
 * Fails with inputs: 1 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0;
  unsigned height = 0;
  while (i < n) {
    i++;
    height += 3;
  }
  while (i > 0) {
    i--;
    height -= i == 0 ? 2 : 3;
  }
  if (height != 0) reach_error();
  return 0;
}
