// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: reach_error that is only declared was a null pointer in the replay
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  if (__VERIFIER_nondet_int() == 57) reach_error();
  return 0;
}
