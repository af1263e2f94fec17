// A pointer survives a trip through an integer of its size.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int x = 3, y = 4;
int main(void) {
  unsigned long n = (unsigned long)&x;
  int *p = (int *)n;
  *p = 7;
  CHECK(x == 7 && p == &x);
  int a[4] = {1, 2, 3, 4};
  n = (unsigned long)a;
  n += 2 * sizeof(int);
  p = (int *)n;
  CHECK(*p == 3);
  CHECK((unsigned long)&a[3] - (unsigned long)&a[1] == 2);
  void *v = &y;
  CHECK(*(int *)v == 4 && (unsigned long)v != 0 && v != (void *)&x);
  CHECK(((unsigned long)&y & 3) == 0);
  return 0;
}
