// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: an array whose declaration was jumped over did not exist, and its use ended the run
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
    if (a[1] == 1) reach_error();
  }
  return 0;
}
