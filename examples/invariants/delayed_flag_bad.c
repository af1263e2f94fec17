/* The counter stops at one: on, off, off.
 * Fails with inputs: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 0 1 1 1 0 1 0 */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  _Bool now = 0;
  _Bool before = 0;
  _Bool long_before = 0;
  unsigned since = 3;
  while (__VERIFIER_nondet_bool()) {
    long_before = before;
    before = now;
    now = __VERIFIER_nondet_bool();
    since = now ? 0 : since + (since < 1);
    if (long_before && !before && !now && since != 2) reach_error();
  }
  return 0;
}
