/* A recursion of a depth that an input decides returns its argument. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int length(int n) { return n <= 0 ? 0 : length(n - 1) + 1; }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100000) return 0;
  if (length(n) != n) reach_error();
  return 0;
}
