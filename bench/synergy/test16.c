/* A number that grows to a million and stays there, asked in every turn whether it is positive still; beside it, an input that is counted
 * down and asked for again. The loop never ends, and behind it is the error. Safe.
 *
 * Shape    infinite loop, the check (its condition) leads to the error after it.
 * Hard     every test is endless; forward, x is 1, 2, 3, ..., a million predicates; backward, x > 0 is inductive. No finite reachable
 *          bisimulation quotient worth the name: the countdown of the input (2^31 classes) and the climb of x (10^6). */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = 1;
  int y = __VERIFIER_nondet_int();
  while (x > 0) {
    if (x < 1000000) x = x + 1;
    if (y > 0) {
      y = y - 1;
    } else {
      y = __VERIFIER_nondet_int();
    }
  }
  reach_error();
  return 0;
}
