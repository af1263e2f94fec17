// expect: true  property: valid-memsafety  machine: lp64  cause: an array in the block of the function whose declaration is jumped over exists all the same
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k == 1) goto in;
  int a[2];
  a[0] = 5;
in:
  a[1] = k;
  return 0;
}
