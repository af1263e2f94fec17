// expect: unknown  property: unreach-call  machine: lp64  cause: padding of a struct that another member of a union reads was what clang copies
extern void reach_error(void);
struct s { char c; int i; };
union u { struct s s; unsigned w[2]; };
static unsigned first(void) {
  union u x;
  struct s t = {1, 2};
  x.s = t;
  return x.w[0];
}
int main(void) {
  if (first() != 1) reach_error();
  return 0;
}
