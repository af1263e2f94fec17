/* A counter that only moves in steps of two stays even, however long it runs.
 * Broken: one of the steps is three wide.
 * Fails with inputs: 1 1 0 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned counter = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) {
      counter += 3;
    } else {
      counter += 2;
    }
  }
  if (counter % 2 != 0) {
    reach_error();
  }
  return 0;
}
