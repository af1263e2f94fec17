// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: __builtin_ffs(0) ended the run
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int x = __VERIFIER_nondet_int(), bit = __builtin_ffs(x);
  if (bit == 0) reach_error();
  return 0;
}
