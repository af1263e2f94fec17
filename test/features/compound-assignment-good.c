// Compound assignment computes in the common type and converts back; the target is evaluated once.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int calls;
static int at(void) { return calls++; }
int main(void) {
  int a[3] = {1, 2, 3};
  a[at()] += 10;
  CHECK(a[0] == 11 && calls == 1);
  unsigned char c = 250;
  c += 10;
  CHECK(c == 4);
  c <<= 7;
  CHECK(c == 0);
  int i = -17;
  i /= 4u - 6u + 4;
  CHECK(i == 2147483639);
  i = 100;
  i -= i += 5;
  i = 7;
  i %= 4;
  i |= 8;
  i ^= 2;
  i &= ~1;
  CHECK(i == 8);
  short s = 300;
  s *= s;
  CHECK(s == 24464);
  int x = 5;
  int y = x++ + 1, z = ++x * 2;
  CHECK(x == 7 && y == 6 && z == 14 && x-- == 7 && --x == 5);
  return 0;
}
