// expect: false(valid-deref)  property: valid-memsafety  machine: lp64  cause: the broken twin of goto-over-declaration-memory
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k == 1) goto in;
  int a[2];
  a[0] = 5;
in:
  a[k == 1 ? 2 : 1] = k;
  return 0;
}
