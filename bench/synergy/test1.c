/* A lock that is given back only when a number moves on, and a count of the rounds. Safe.
 *
 * Shape    Figure 3, with a count that is compared as well.
 * Hard     no finite reachable bisimulation quotient: the rounds may be any number, and how many are left until `budget` decides where a run
 *          waits, so budget - rounds = 0, 1, 2, ... are all told apart (2^32 classes on this machine). None of that matters to the lock.
 *          The proof needs lock and equation together: locked or x != y where the loop is left. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x, y = __VERIFIER_nondet_uint();
  unsigned budget = __VERIFIER_nondet_uint();
  unsigned rounds = 0;
  int locked = 0;
  do {
    locked = 1;
    x = y;
    rounds = rounds + 1;
    if (rounds == budget) {
      while (__VERIFIER_nondet_bool()) { }
    }
    if (__VERIFIER_nondet_bool()) {
      locked = 0;
      y = y + 1;
    }
  } while (x != y);
  if (!locked) reach_error();
  return 0;
}
