// expect: true  property: valid-memsafety  machine: lp64  cause: the place of the result counted as a local whose declaration is jumped over
int __VERIFIER_nondet_int(void);
struct pair { int a; };
static struct pair made(int n) {
  struct pair other = {3};
  if (n > 5) {
    struct pair inner = {n};
    return inner;
  }
  return other;
}
int main(void) {
  if (made(__VERIFIER_nondet_int()).a == 4) return 1;
  return 0;
}
