/* An input is counted down to zero; then it is not positive. Safe.
 *
 * Shape    Figure 6, with a question at the end instead of an end that no run passes.
 * Hard     no finite reachable bisimulation quotient: y > 0, y > 1, y > 2, ... have to be told apart (2^31 classes). The proof is one
 *          predicate at the end of the loop. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int y = __VERIFIER_nondet_int();
  while (y > 0) {
    y = y - 1;
  }
  if (y > 0) reach_error();
  return 0;
}
