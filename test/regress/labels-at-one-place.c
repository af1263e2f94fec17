// expect: unknown  property: unreach-call  machine: lp64  cause: addresses of two labels at one place were taken for different
extern void reach_error(void);
int main(void) {
  void *p = &&a, *q = &&b;
  if (p == q) reach_error();
  goto *p;
a:
b:
  return 0;
}
