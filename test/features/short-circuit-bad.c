// The right side of && and || is evaluated only if needed.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int calls;
static int yes(void) { calls++; return 1; }
static int no(void) { calls++; return 0; }
int main(void) {
  int a = no() && yes();
  CHECK(a == 0 && calls == 1);
  a = yes() || no();
  CHECK(a == 1 && calls == 2);
  a = (no() || yes()) && (yes() && !no());
  CHECK(a == 1 && calls == 6);
  int *p = 0;
  CHECK(!(p && *p > 3));
  int x = 0, y = 5;
  int b = x && y++ || y == 5;
  CHECK(b && y == 6);
  while (x < 10 && y) x++;
  CHECK(x == 10);
  int z = x > 3 && y > 3 && x + y == 15, w = x < 3 || (y < 3 && x) || y == 4;
  CHECK(z && !w);
  return 0;
}
