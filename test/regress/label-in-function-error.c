// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: a function named error with a body was an error function to the compiled program only
extern int __VERIFIER_nondet_int(void);
static void error(void) {
ERROR:
  goto ERROR;
}
int main(void) {
  if (__VERIFIER_nondet_int() == 3) error();
  return 0;
}
