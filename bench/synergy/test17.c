/* What was filled in and drained is counted first, never more drained than filled; then a level rises by the difference as long as it is not
 * negative. Safe; no run ends.
 *
 * Shape    Figure 9, the rate of which is found by a loop.
 * Hard     needs a predicate that generalises: splitting backward gives level < 0, level + filled - drained < 0, level + 2 * (filled - drained) < 0, ...
 *          without end; filled >= drained with level >= 0 is inductive. Executed forward the numbers are constants, other ones for every way
 *          through the first loop (up to a thousand turns, half a million pairs). */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int filled = 0;
  int drained = 0;
  int level = 0;
  while (filled < 1000 && __VERIFIER_nondet_bool()) {
    filled = filled + 1;
    if (__VERIFIER_nondet_bool()) drained = drained + 1;
  }
  while (level >= 0) {
    if (level < 1000000) level = level + filled - drained;
  }
  reach_error();
  return 0;
}
