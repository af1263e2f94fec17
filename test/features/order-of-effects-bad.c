// A value read before a change is the old value.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int g = 1;
static int bump(void) { return g++; }
static int pass(int a, int b, int c) { return a * 100 + b * 10 + c; }
int main(void) {
  int x = 5;
  int y = x++;
  int z = x + (x = 10, 1);
  CHECK(y == 5 && x == 10 && z == 7);
  int old = g;
  int s = g + bump();
  CHECK(s == 2 && g == 2 && old == 1);
  int a = g, b = a;
  g = 50;
  CHECK(a == 2 && b == 2);
  int t = x, u = (x = t + 1) + t;
  CHECK(u == 22 && x == 11);
  int p = 1, q = 2, r = p;
  p = q;
  q = r;
  CHECK(p == 2 && q == 1);
  CHECK(pass(x, x > 3 ? 1 : 2, x < 3 || p) == 1111);
  return 0;
}
