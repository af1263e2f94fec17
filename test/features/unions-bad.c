// Members of a union share their bytes.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

union u { int i; unsigned char c[4]; float f; struct { short lo, hi; } s; };
union p { int *p; unsigned long n; };
static union u mk(int i) { union u v = {i}; return v; }
static int low(union u v) { v.s.hi = 0; return v.i; }
int main(void) {
  union u v;
  int x = 3;
  v.i = 0x01020304;
  CHECK(v.c[0] == 4 && v.c[3] == 1 && v.s.hi == 0x0102);
  v.c[1] = 0xff;
  CHECK(v.i == 0x0102ff04);
  v.f = 1.0f;
  CHECK(v.i == 0x3f800000 && v.s.lo == 0);
  union p q;
  q.p = &x;
  q.n += 0;
  *q.p = 8;
  CHECK(x == 8);
  CHECK(low(mk(0x12345678)) == 0x12345678);
  return 0;
}
