/* Euclid's algorithm by subtraction: the result divides both numbers. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int divides(int d, int n) { return d != 0 && n % d == 0; }

static int gcd(int a, int b) {
  while (a != b) {
    if (a > b) {
      a -= b;
    } else {
      b -= a;
    }
  }
  return a;
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();
  if (a < 1 || a > 8 || b < 1 || b > 8) {
    return 0;
  }
  int g = gcd(a, b);
  if (!divides(g, a) || !divides(g, b)) {
    reach_error();
  }
  return 0;
}
