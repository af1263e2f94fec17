/* The middle of two floats lies between them, if their sum is finite.
 * Broken: nothing keeps the sum finite.
 * Fails with inputs: 3e38 3e38 */
extern float __VERIFIER_nondet_float(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  float a = __VERIFIER_nondet_float();
  float b = __VERIFIER_nondet_float();
  if (!(a >= 0.0f && a <= b)) {
    return 0;
  }
  float middle = (a + b) * 0.5f;
  if (middle < a || middle > b) {
    reach_error();
  }
  return 0;
}
