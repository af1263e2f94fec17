/* Integers up to 2^24 survive the way through a float.
 * Broken: the first integer that does not is let in.
 * Fails with inputs: 16777217 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -16777216 || n > 16777217) {
    return 0;
  }
  float f = (float)n;
  if ((int)f != n) {
    reach_error();
  }
  return 0;
}
