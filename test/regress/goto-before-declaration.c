// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: an array whose declaration a goto leads back to became another object, and its pointer dangled
extern void reach_error(void);
int main(void) {
  int *p = 0, n = 0;
again:;
  int a[2];
  if (n == 1) {
    *p = 3;
    reach_error();
  }
  a[0] = 1;
  p = a;
  n++;
  if (n < 2) goto again;
  return 0;
}
