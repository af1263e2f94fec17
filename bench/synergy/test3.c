/* Ready before ten turns of a sum, and ready after them; what is left is counted down at the end. Safe.
 *
 * Shape    Figure 1 with a flag that the loop does not touch, checked after it.
 * Hard     deterministic loop: every way to the check with fewer than ten turns is excluded by the counter alone, so a refinement that takes
 *          that reason learns i == 0, i == 1, ... first. No finite reachable bisimulation quotient: the countdown of an input tells apart all
 *          distances to zero (2^31 classes), after the check. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int left = __VERIFIER_nondet_int();
  int ready = 1;
  int i = 0, sum = 0;
  while (i < 10) {
    sum = sum + i;
    i = i + 1;
  }
  if (ready != 1) reach_error();
  while (left > 0) {
    left = left - 1;
  }
  return 0;
}
