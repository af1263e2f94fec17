/* Two numbers start with the same input and grow together while the world likes; each turn compares them. Safe.
 *
 * Shape    the check inside of the loop; finite reachable bisimulation quotient: all states that a run can be in satisfy x == n, and nothing
 *          tells two of them apart.
 * Hard     for refinement that names values by executing forward: x is the input, the input plus 1, plus 2, ..., and never ends. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned x = n;
  while (__VERIFIER_nondet_bool()) {
    x = x + 1;
    n = n + 1;
    if (x != n) reach_error();
  }
  return 0;
}
