// expect: true  property: unreach-call  machine: lp64  cause: the safe twin of goto-before-declaration
extern void reach_error(void);
int main(void) {
  int *p = 0, n = 0;
again:;
  int a[2];
  if (n == 1) {
    *p = 3;
    if (a[0] != 3) reach_error();
  }
  a[0] = 1;
  p = a;
  n++;
  if (n < 2) goto again;
  return 0;
}
