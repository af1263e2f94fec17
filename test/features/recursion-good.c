// Each call has its own locals and parameters, also those whose address is taken.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int depth(int n, int *outer) {
  int mine = n;
  if (n > 0) depth(n - 1, &mine);
  *outer += mine;
  return mine;
}
int main(void) {
  int top = 0;
  CHECK(fact(6) == 720 && even(10) && odd(7) && !even(3));
  CHECK(depth(3, &top) == 6 && top == 6);
  return 0;
}
