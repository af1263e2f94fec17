// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: before a failure is confirmed, it is tried with zeros for what is indeterminate; that run had no limit
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int guess;
  while (guess != 7)
    if (__VERIFIER_nondet_int() == 3) guess = 0;
  reach_error();
  return 0;
}
