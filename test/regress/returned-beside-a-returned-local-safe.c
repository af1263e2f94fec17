// expect: true  property: unreach-call  machine: lp64  cause: the twin of returned-beside-a-returned-local
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
  if (made(__VERIFIER_nondet_int()).a == 4) reach_error();
  return 0;
}
