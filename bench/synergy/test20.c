/* A tank that a tap fills until it is emptied at a thousand; the tap is opened a little further when the world likes. Safe.
 *
 * Shape    Figure 9 with a rate that changes.
 * Hard     needs a predicate that generalises: splitting backward gives fill + k * rate < 0, mixed with how often the tap was opened;
 *          0 <= rate <= 1000 with 0 <= fill is inductive. The upper bound is needed because numbers wrap: fill + rate < 0 for large rates. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int rate = 0;
  int fill = 0;
  while (fill >= 0) {
    if (fill < 1000) {
      fill = fill + rate;
    } else {
      fill = 0;
    }
    if (rate < 1000) {
      if (__VERIFIER_nondet_bool()) rate = rate + 1;
    }
  }
  reach_error();
  return 0;
}
