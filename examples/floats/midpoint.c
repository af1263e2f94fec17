/* The middle of two doubles lies between them, if their sum is finite. */
extern double __VERIFIER_nondet_double(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  double a = __VERIFIER_nondet_double();
  double b = __VERIFIER_nondet_double();
  if (!(a >= 0.0 && a <= b && b <= 1e300)) {
    return 0;
  }
  double middle = (a + b) / 2.0;
  if (middle < a || middle > b) {
    reach_error();
  }
  return 0;
}
