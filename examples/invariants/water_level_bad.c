/* One unit is lost on the way: n = 3 ends with y = 2.
 * Fails with inputs: 10 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned x = n;
  unsigned y = 0;
  while (x > 0) {
    x--;
    if (x != 2) y++;
  }
  if (y != n) reach_error();
  return 0;
}
