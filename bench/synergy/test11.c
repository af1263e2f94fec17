/* Ten turns, in each of which the world chooses a way; both ways leave the mode valid. Then stored energy is spent. Safe.
 *
 * Shape    deterministic loop with a branch of the world's in it, the check after the loop.
 * Hard     counting turns forward excludes the short ways one by one; the invariant, mode != 0, does not need the counter. No finite reachable
 *          bisimulation quotient: the energy is a sum of inputs and is spent one by one (2^32 classes). */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned step = __VERIFIER_nondet_uint();
  unsigned energy = 0;
  int mode = 1, i = 0;
  while (i < 10) {
    if (__VERIFIER_nondet_bool()) {
      mode = 2;
      energy = energy + step;
    } else {
      mode = 3;
    }
    i = i + 1;
  }
  if (mode == 0) reach_error();
  while (energy > 0) {
    energy = energy - 1;
  }
  return 0;
}
