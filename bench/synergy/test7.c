/* Only positive inputs come in, two turns, then the sign is asked once more. Safe.
 *
 * Shape    Figure 1 with two turns and its question asked in front as well.
 * Hard     a little: the question about `a` must be carried back over a loop, and with it, where splits are exact, the guard of the loop.
 *          Two turns keep the reachable bisimulation quotient small. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a = __VERIFIER_nondet_int();
  if (a <= 0) return 0;
  int i = 0, c = 0;
  while (i < 2) {
    c = c + i;
    i = i + 1;
  }
  if (a <= 0) reach_error();
  return 0;
}
