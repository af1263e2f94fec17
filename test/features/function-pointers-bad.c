// A call through a pointer reaches the function that was stored.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int twice(int x) { return 2 * x; }
static int inc(int x) { return x + 1; }
struct op { int (*f)(int); struct op *next; };
static struct op second = {inc, 0}, first = {twice, &second};
static int (*table[])(int) = {inc, twice, inc};
static int (*pick(int n))(int) { return n ? twice : inc; }
static int apply(int (*f)(int), int x) { return f(x); }
int main(void) {
  int x = 5;
  for (struct op *p = &first; p; p = p->next) x = p->f(x);
  CHECK(x == 11);
  CHECK(table[1](4) == 8 && (*table[2])(4) == 5);
  CHECK(apply(pick(1), 7) == 14 && apply(&inc, 7) == 8);
  CHECK(pick(0) == inc && pick(1) != inc);
  table[0] = twice;
  CHECK(table[0](10) == 11);
  return 0;
}
