// expect: true  property: unreach-call  machine: lp64  cause: the safe twin of padding-under-union: only bytes of a member are read
extern void reach_error(void);
struct s { char c; int i; };
union u { struct s s; unsigned w[2]; };
static unsigned first(void) {
  union u x;
  struct s t = {1, 2};
  x.s = t;
  return (unsigned char)x.w[0];
}
int main(void) {
  if (first() != 1) reach_error();
  return 0;
}
