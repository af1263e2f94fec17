// float rounds to 24 bits, double to 53; NaN compares unequal; conversions truncate.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  float f = 16777216.0f;
  double d = 0.1 + 0.2;
  double zero = 0.0, nan = zero / zero, inf = 1.0 / zero;
  CHECK(f + 1.0f == f && (double)f + 1.0 != (double)f);
  CHECK(d != 0.3 && d > 0.3 && d - 0.3 < 1e-15);
  CHECK(nan != nan && !(nan < 1.0) && !(nan >= 1.0) && inf > 1e308);
  CHECK((int)-2.9 == -2 && (unsigned char)3.99f == 3);
  CHECK((float)0.1 != 0.1 && (float)16777217 == 16777216.0f);
  CHECK(-zero == zero && 1.0 / -zero == -inf);
  f = 1.5f;
  f *= 3;
  CHECK(f == 4.5f);
  int n = 7;
  n *= 1.5;
  CHECK(n == 10);
  return 0;
}
