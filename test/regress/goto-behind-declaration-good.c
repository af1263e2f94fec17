// expect: true  property: unreach-call  machine: lp64  cause: the safe twin of goto-behind-declaration
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k == 1) goto in;
  {
    int a[2];
    a[0] = 5;
  in:
    a[1] = k;
    if (a[1] != k) reach_error();
  }
  return 0;
}
