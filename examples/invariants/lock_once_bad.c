/* Left without the lock when the number comes to seven: start at five, give back once.
 * Fails with inputs: 1 1 1 1 */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int locked = 0;
  unsigned old;
  unsigned new = __VERIFIER_nondet_uint();
  do {
    if (locked) reach_error();
    locked = 1;
    old = new;
    if (__VERIFIER_nondet_bool()) {
      locked = 0;
      new += 2;
      old++;
      if (new == 7) old = 7;
    }
  } while (new != old);
  if (!locked) reach_error();
  return 0;
}
