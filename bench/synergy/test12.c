/* Two numbers start equal and move together for ten turns, up or down as the world likes. Then a third one comes down to them. Safe.
 *
 * Shape    as test11, but the check after the loop is about what the branches do.
 * Hard     forward, the turns give ten values for every choice of branches; backward, from the check, x == y is found at once and holds in
 *          every turn. No finite reachable bisimulation quotient: z - x is counted down after the check (2^32 classes). */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  unsigned y = x;
  unsigned z = __VERIFIER_nondet_uint();
  int i = 0;
  while (i < 10) {
    if (__VERIFIER_nondet_bool()) {
      x = x + 3;
      y = y + 3;
    } else {
      x = x - 1;
      y = y - 1;
    }
    i = i + 1;
  }
  if (x != y) reach_error();
  while (z > x) {
    z = z - 1;
  }
  return 0;
}
