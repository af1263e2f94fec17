// expect: true  property: undefined  machine: lp64  cause: the safe twin of promise-to-the-compiler.c
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 3 || x > 4) return 0;
  __builtin_assume(x % 4 != 1);
  return 0;
}
