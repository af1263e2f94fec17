/* Figure 3: a lock that is given back only when the counter moves on; the loop is left when it did not. The counter wraps, and differs
 * from what it was nevertheless. */
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
      y = y + 1;
    }
  } while (x != y);
  if (!locked) reach_error();
  return 0;
}
