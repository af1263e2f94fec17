/* Ten turns of a sum, then an input that was read before them decides. Fails with inputs: 0
 *
 * Shape    Figure 1 with ten turns.
 * Hard     the error is behind exactly ten turns; abstractions have to count them, a run only has to be run. The reachable bisimulation
 *          quotient is finite (both signs of the input in each of eleven turns), so partitioning ends, too. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a = __VERIFIER_nondet_int();
  int i = 0, c = 0;
  while (i < 10) {
    c = c + i;
    i = i + 1;
  }
  if (a > 0) return 0;
  reach_error();
  return 0;
}
