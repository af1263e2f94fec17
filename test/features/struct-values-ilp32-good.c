// Structs passed and returned by value under the 32-bit conventions.
// machine: ilp32
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

struct c1 { char a; };
struct i2 { int a, b; };
struct fi { float x; int n; };
struct ld { long long n; double d; };
struct pp { int *p; struct pp *next; };
struct c3 { char t[3]; };
static struct i2 mk2(int a, int b) { struct i2 s = {a, b}; return s; }
static struct c1 mk1(char c) { struct c1 s = {c}; return s; }
static struct fi mkfi(float x, int n) { struct fi s = {x, n}; return s; }
static struct ld mkld(long long n, double d) { struct ld s = {n, d}; return s; }
static struct c3 mk3(char c) { struct c3 s = {{c, c + 1, c + 2}}; return s; }
static int take(struct i2 a, struct c1 b, struct c3 c) { a.a++; c.t[2]++; return a.a * 100 + a.b * 10 + b.a + c.t[2]; }
static double takeld(struct fi f, struct ld s) { s.n++; return s.d + f.x * f.n + s.n; }
static int takepp(struct pp s) { return *s.p + *s.next->p; }
int main(void) {
  int x = 1, y = 2;
  struct pp a = {&x, 0}, b = {&y, &a};
  struct i2 i = mk2(3, 4);
  CHECK(sizeof(long) == 4 && sizeof(void *) == 4);
  CHECK(take(i, mk1(5), mk3(6)) == 454 && i.a == 3);
  CHECK(takeld(mkfi(1.5f, 2), mkld(1LL << 33, 0.5)) == (double)(1LL << 33) + 4.5);
  CHECK(takepp(b) == 3);
  return 0;
}
