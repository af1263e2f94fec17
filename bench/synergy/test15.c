/* Two numbers start at zero and grow together while the world likes; each turn compares them. Safe.
 *
 * Shape    the check inside of the loop; finite reachable bisimulation quotient: all states that a run can be in satisfy x == n, and nothing
 *          tells two of them apart.
 * Hard     for refinement that names values by executing forward: both are 0, 1, 2, ..., and never end. (Where both start with one input, what
 *          is left of it when it is eliminated is x == n, and a forward refinement ends, too.) */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = 0;
  unsigned x = 0;
  while (__VERIFIER_nondet_bool()) {
    x = x + 1;
    n = n + 1;
    if (x != n) reach_error();
  }
  return 0;
}
