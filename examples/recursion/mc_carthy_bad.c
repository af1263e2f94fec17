/* McCarthy's function is 91 up to 101; the argument of a call is the result of another one.
 * Broken: it is 92 for 102.
 * Fails with inputs: 102 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int mc_carthy(int n) {
  if (n > 100) return n - 10;
  return mc_carthy(mc_carthy(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  int r = mc_carthy(n);
  if (n <= 102 && r != 91) reach_error();
  return 0;
}
