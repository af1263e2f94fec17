/* A clamped value lies in the interval, whatever comes in. */
extern double __VERIFIER_nondet_double(void);
extern void abort(void);
void reach_error(void) { abort(); }

static double clamp(double x) {
  if (!(x >= 0.0)) {
    return 0.0;
  }
  if (x > 1.0) {
    return 1.0;
  }
  return x;
}

int main(void) {
  double y = clamp(__VERIFIER_nondet_double());
  if (!(y >= 0.0 && y <= 1.0)) {
    reach_error();
  }
  return 0;
}
