/* A lock is taken and given back in each call of a recursion of any depth; the errors are inside of the functions.
 * Broken: one of the calls leaves it taken.
 * Fails with inputs: 5 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int held;

static void take(void) {
  if (held) reach_error();
  held = 1;
}

static void give(void) {
  if (!held) reach_error();
  held = 0;
}

static void work(int n) {
  take();
  if (n != 5) give();
  if (n > 0) work(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 10000) return 0;  // deeper calls need more stack than a machine has
  work(n);
  return 0;
}
