/* The same with a rate that is an input: the way out can be taken, but need not be.
 * Fails with inputs: -3 0 */
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = 0;
  if (x > 0) return 0;
  while (y >= 0) {
    if (__VERIFIER_nondet_bool()) {
      if (x != 0) return 0;
    }
    y = y + x;
  }
  reach_error();
  return 0;
}
