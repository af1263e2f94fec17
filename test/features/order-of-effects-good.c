// A value read before a change is the old value.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int g = 1;
static int bump(void) { return g++; }
static int pass(int a, int b, int c) { return a * 100 + b * 10 + c; }
int main(void) {
  int x = 5;
  int y = x++;
  int z = (x += 1, x) + (y ? 1 : 0);
  CHECK(y == 5 && x == 7 && z == 8);
  int old = g;
  int s = bump();
  CHECK(s == 1 && g == 2 && old == 1);
  int a = g, b = a;
  g = 50;
  CHECK(a == 2 && b == 2);
  x = 10;
  int t = x, u = (x = t + 1) + t;
  CHECK(u == 21 && x == 11);
  int p = 1, q = 2, r = p;
  p = q;
  q = r;
  CHECK(p == 2 && q == 1);
  CHECK(pass(x, x > 3 ? 1 : 2, x < 3 || p) == 1111 && pass(g, x, 0) == 5110);
  int f = g, h = (bump(), g);
  CHECK(f == 50 && h == 51);
  return 0;
}
