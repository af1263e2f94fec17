// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: as allocator-by-address, for an error function that is only declared
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  void (*f)(void) = reach_error;
  if (__VERIFIER_nondet_int() == 3) f();
  return 0;
}
