// A compound literal is an object of the enclosing block.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

struct s { int a, b; };
static int sum(const struct s *p) { return p->a + p->b; }
static int *global = (int[]){4, 5, 6};
int main(void) {
  int *p = (int[]){1, 2, 3};
  p[1] = 7;
  CHECK(p[0] + p[1] + p[2] == 11);
  CHECK(sum(&(struct s){3, 4}) == 7 && (struct s){.b = 6}.b == 6);
  struct s v;
  v = (struct s){1};
  CHECK(v.a == 1 && v.b == 0);
  global[0]++;
  CHECK(global[0] + global[2] == 11);
  return 0;
}
