// Structs of every size are copied when passed, returned and assigned.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

struct c1 { char a; };
struct i2 { int a, b; };
struct f2 { float x, y; };
struct fi { float x; int n; };
struct d2 { double x, y; };
struct l2 { long long a, b; };
struct pl { int *p; long long n; };
struct f3 { float x, y, z; };
struct c5 { char t[5]; };
struct dl { double d; long long n; };
struct big { int t[10]; };
static struct c1 mk1(char a) { struct c1 s = {a}; return s; }
static struct i2 mk2(int a, int b) { return (struct i2){a, b}; }
static struct f2 mkf2(float x, float y) { struct f2 s = {x, y}; return s; }
static struct fi mkfi(float x, int n) { struct fi s = {x, n}; return s; }
static struct d2 mkd2(double x, double y) { struct d2 s = {x, y}; return s; }
static struct l2 mkl2(long long a, long long b) { struct l2 s = {a, b}; return s; }
static struct pl mkpl(int *p, long long n) { struct pl s = {p, n}; return s; }
static struct f3 mkf3(float x) { struct f3 s = {x, x + 1, x + 2}; return s; }
static struct c5 mkc5(char a) { struct c5 s = {{a, a + 1, a + 2, a + 3, a + 4}}; return s; }
static struct dl mkdl(double d, long long n) { struct dl s = {d, n}; return s; }
static struct big mkbig(int n) { struct big s; for (int i = 0; i < 10; i++) s.t[i] = n + i; return s; }
static int take1(struct c1 s) { s.a++; return s.a; }
static int take2(struct i2 s, struct c1 t) { s.a += 100; return s.a * 10 + s.b + t.a; }
static float takef2(struct f2 s) { return s.x * 2 + s.y; }
static float takefi(struct fi s) { return s.x + s.n; }
static double taked2(struct d2 s) { return s.x - s.y; }
static long long takel2(struct l2 s) { return s.a - s.b; }
static long long takepl(struct pl s) { *s.p += 1; return *s.p + s.n; }
static float takef3(struct f3 s) { s.z += 1; return s.x + s.y * 10 + s.z * 100; }
static int takec5(struct c5 s) { s.t[0] = 0; return s.t[1] + s.t[4]; }
static double takedl(struct dl s) { return s.d + s.n; }
static int takebig(struct big s, int i) { s.t[i] += 1000; return s.t[i]; }
int main(void) {
  int x = 5;
  struct i2 a = mk2(1, 2), b;
  b = a;
  b.a = 9;
  CHECK(a.a == 1 && take2(a, mk1(3)) == 1015 && a.a == 1);
  struct c1 c = mk1(7);
  CHECK(take1(c) == 8 && c.a == 7);
  CHECK(takef2(mkf2(1.5f, 2.0f)) == 5.0f && takefi(mkfi(0.5f, 3)) == 3.5f);
  CHECK(taked2(mkd2(4.0, 1.5)) == 2.5 && takel2(mkl2(1LL << 40, 1)) == (1LL << 40) - 1);
  CHECK(takepl(mkpl(&x, 10)) == 16 && x == 6);
  struct f3 g = mkf3(1.0f);
  CHECK(takef3(g) == 421.0f && g.z == 3.0f);
  struct c5 t = mkc5(1);
  CHECK(takec5(t) == 7 && t.t[0] == 1);
  CHECK(takedl(mkdl(0.25, 4)) == 4.25);
  struct big big = mkbig(20), copy = big;
  CHECK(takebig(big, 9) == 1029 && big.t[9] == 29 && copy.t[0] == 20);
  return 0;
}
