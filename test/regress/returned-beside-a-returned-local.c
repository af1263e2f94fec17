// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: clang gave the local of an inner block the place of the result, which had no storage where another return was taken
int __VERIFIER_nondet_int(void);
void reach_error(void) {}
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
  if (made(__VERIFIER_nondet_int()).a == 3) reach_error();
  return 0;
}
