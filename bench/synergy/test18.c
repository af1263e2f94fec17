/* A position that drifts to either side, as the world likes, by a drift of zero. Safe.
 *
 * Shape    Figure 9 with a choice in the loop and a start that is an input.
 * Hard     needs a predicate that generalises: splitting backward gives position + k * drift < 0 for every integer k, from both arms;
 *          drift == 0 with position >= 0 is inductive, and nothing weaker about the drift is. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int drift = 0;
  int position = __VERIFIER_nondet_int();
  if (position < 0 || position > 100) return 0;
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
