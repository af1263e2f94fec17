// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: a label reached by a jump only was not marked in the replay
extern int __VERIFIER_nondet_int(void);
void fail(void) {
  {
    goto ERROR;
  ERROR:;
    return;
  }
}
int main(void) {
  if (__VERIFIER_nondet_int() == 5) fail();
  return 0;
}
