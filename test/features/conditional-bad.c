// ?: evaluates one side, converts both to the common type, and nests.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int calls;
static int id(int x) { calls++; return x; }
int main(void) {
  int a = 5;
  int r = a > 3 ? id(1) : id(2);
  CHECK(r == 1 && calls == 1);
  CHECK((a > 3 ? -1 : 1u) > 100);
  CHECK((a ? 1 : 2.5) / 2 == 0.5);
  int s = a < 0 ? -1 : a == 0 ? 0 : 1;
  CHECK(s == 1);
  int t = a ?: 9, u = 0 ?: id(4);
  CHECK(t == 5 && u == 4);
  int x = 1, y = 2;
  *(a == 5 ? &x : &y) = 10;
  CHECK(x == 10 && y == 2);
  int m = (a > 4 ? a++ : a--, a);
  CHECK(m == 4);
  return 0;
}
