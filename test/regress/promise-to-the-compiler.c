// expect: false(undefined)  property: undefined  machine: lp64  cause: __builtin_assume was believed without a word
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 3 || x > 6) return 0;
  __builtin_assume(x % 4 != 1);
  return 0;
}
