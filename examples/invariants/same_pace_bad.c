/* The copy starts at one when there is much to do: n = 5 ends with x = 6.
 * Fails with inputs: 10 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned x = n > 4;
  for (unsigned i = 0; i < n; i++) x++;
  if (x != n) reach_error();
  return 0;
}
