/* Two locks, each given back when its own number moves on; the loop is left when neither did. Safe.
 *
 * Shape    Figure 3 twice in one loop, with a count that is compared.
 * Hard     no finite reachable bisimulation quotient: budget - rounds, as in test1. The proof needs, where the loop is left, both
 *          "left is held or x != i" and "right is held or y != j": two pairs of facts that each need their equation. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x, i = __VERIFIER_nondet_uint();
  unsigned y, j = __VERIFIER_nondet_uint();
  unsigned budget = __VERIFIER_nondet_uint();
  unsigned rounds = 0;
  int left = 0, right = 0;
  do {
    left = 1;
    x = i;
    right = 1;
    y = j;
    rounds = rounds + 1;
    if (rounds == budget) {
      while (__VERIFIER_nondet_bool()) { }
    }
    if (__VERIFIER_nondet_bool()) {
      left = 0;
      i = i + 1;
    }
    if (__VERIFIER_nondet_bool()) {
      right = 0;
      j = j + 2;
    }
  } while (x != i || y != j);
  if (!left) reach_error();
  if (!right) reach_error();
  return 0;
}
