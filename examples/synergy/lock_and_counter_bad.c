/* Figure 3 broken: the lock is given back, the counter stays.
 * Fails with inputs: 0 1 */
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x, y = __VERIFIER_nondet_uint();
  int locked = 0;
  do {
    locked = 1;
    x = y;
    if (__VERIFIER_nondet_bool()) {
      locked = 0;
    }
  } while (x != y);
  if (!locked) reach_error();
  return 0;
}
