/* A loop that goes on while the world likes, and an end that no run passes. Safe.
 *
 * Shape    Figure 1, trivial.
 * Hard     nothing: the graph of locations, as it is, has no way to the error and is stable. Who needs more than one look is wasting time. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned i = 0, c = 0;
  while (__VERIFIER_nondet_bool()) {
    c = c + i;
    i = i + 1;
  }
  __VERIFIER_assume(0);
  reach_error();
  return 0;
}
