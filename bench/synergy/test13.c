/* A lock taken before three choices and asked for after them. Safe.
 *
 * Shape    Figure 8 with three diamonds.
 * Hard     eight ways to the check, one reason for all of them: that the lock is held must be known at each location between. The reachable
 *          bisimulation quotient is finite: nothing that the choices change is asked for. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  unsigned c = __VERIFIER_nondet_uint();
  int lock = 1;
  if (__VERIFIER_nondet_bool()) {
    a = a + 1;
  } else {
    a = a - 1;
  }
  if (__VERIFIER_nondet_bool()) {
    b = b + 1;
  } else {
    b = b - 1;
  }
  if (__VERIFIER_nondet_bool()) {
    c = c + 1;
  } else {
    c = c - 1;
  }
  if (lock != 1) reach_error();
  return 0;
}
