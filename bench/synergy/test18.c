/* A position that drifts to either side, as the world likes, by the difference of two numbers that grew together. Safe.
 *
 * Shape    Figure 9 with a choice in the loop, a start that is an input, and a rate that a loop leaves at zero.
 * Hard     needs a predicate that generalises: splitting backward gives position + k * drift < 0 for every integer k, from both arms;
 *          left == right, then drift == 0 with position >= 0, is inductive, and nothing weaker about the drift is. Executed forward left and right
 *          are 1, 2, 3, ... */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned left = 0;
  unsigned right = 0;
  int position = __VERIFIER_nondet_int();
  if (position < 0 || position > 100) return 0;
  while (__VERIFIER_nondet_bool()) {
    left = left + 1;
    right = right + 1;
  }
  int drift = (int)(left - right);
  while (position >= 0) {
    if (__VERIFIER_nondet_bool()) {
      position = position + drift;
    } else {
      position = position - drift;
    }
  }
  reach_error();
  return 0;
}
