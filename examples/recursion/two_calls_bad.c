/* A chain of two functions is called twice.
 * Broken: the second call may return 11.
 * Fails with inputs: 10 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int next(int x) { return x + 1; }

static int bounded_next(int x) {
  if (x > 10) return next(10);
  return next(x);
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int r = bounded_next(a);
  if (r > 11) reach_error();
  int q = bounded_next(a);
  if (q > 10) reach_error();
  return 0;
}
