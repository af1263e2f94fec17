// Designators choose what is initialised; the rest is zero; later ones win.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

struct p { int x, y; };
struct q { int n; struct p p[3]; char t[4]; };
static struct q g = {.p = {[1] = {.y = 5}, [2].x = 6}, .n = 1, .t = "ab"};
static int a[] = {[3] = 30, 40, [1] = 10, 11};
int main(void) {
  struct q l = {.p[0].y = 2, .p[0].x = 1, .n = 9, .n = 8};
  CHECK(g.n == 1 && g.p[0].x == 0 && g.p[1].y == 5 && g.p[2].x == 6 && g.t[1] == 'b' && g.t[2] == 0);
  CHECK(sizeof a / sizeof *a == 5 && a[0] == 0 && a[1] == 10 && a[2] == 11 && a[4] == 40);
  CHECK(l.n == 9 && l.p[0].x == 1 && l.p[0].y == 2 && l.p[2].y == 0 && l.t[3] == 0);
  int m[10] = {[2 ... 4] = 7, [9] = 1};
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += m[i];
  CHECK(sum == 22);
  return 0;
}
