// A pointer to a local changes it in the callee; a saved value does not change with it.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static void set(int *p, int v) { *p = v; }
static int swap(int *a, int *b) { int t = *a; *a = *b; *b = t; return t; }
int main(void) {
  int x = 1, y = 2;
  int before = x;
  set(&x, 5);
  CHECK(before == 1 && x == 5);
  int old = x;
  set(&x, 7);
  int sum = old + x;
  CHECK(sum == 12);
  CHECK(swap(&x, &y) == 7 && x == 2 && y == 7);
  swap(&x, &x);
  CHECK(x == 2);
  return 0;
}
