// Small vectors are handled lane by lane.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

typedef int v4 __attribute__((vector_size(16)));
typedef float f2 __attribute__((vector_size(8)));
static v4 g = {5, 10, 15, 20};
static f2 scale(f2 v, float by) { return v * (f2){by, by}; }
int main(void) {
  v4 a = {1, 2, 3, 4}, b = g / a;
  for (int i = 0; i < 4; i++) CHECK(b[i] == 5);
  a[2] = -7;
  v4 c = a > 0;
  CHECK(c[0] == -1 && c[2] == 0);
  g += a << 1;
  CHECK(g[0] == 7 && g[2] == 1 && g[3] == 28);
  f2 v = scale((f2){1.5f, -2.0f}, 2.0f);
  CHECK(v[0] == 3.0f && v[1] == -4.0f);
  v4 s = {a[3], a[2], a[1], a[0]};
  CHECK(s[0] == 4 && s[3] == 1);
  return 0;
}
