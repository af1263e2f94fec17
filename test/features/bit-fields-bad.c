// Bit-fields keep their width and sign and leave their neighbours alone.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

struct b { unsigned a : 3; int s : 4; unsigned c : 9; signed long long w : 40; unsigned z : 1; };
static struct b g = {5, -3, 300, -1, 1};
int main(void) {
  struct b v = {0};
  v.a = 9;
  CHECK(v.a == 1 && v.s == 0);
  v.s = 7;
  v.s++;
  CHECK(v.s == 8 && v.a == 1 && v.c == 0);
  v.c = 511;
  v.c += 2;
  CHECK(v.c == 1 && v.s == -8);
  v.w = -(1LL << 35);
  CHECK(v.w < 0 && v.w / 2 == -(1LL << 34) && v.z == 0);
  CHECK(g.a == 5 && g.s == -3 && g.c == 300 && g.w == -1 && g.z == 1);
  int stored = (g.a = 15);
  CHECK(stored == 7 && g.a == 7 && g.s == -3);
  return 0;
}
