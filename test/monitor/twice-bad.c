// expect: false(unreach-call)  monitor: twice.mon  machine: lp64
extern void ping(signed char x);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int budget = 3;
  for (int i = 0; i < 4; i++) {
    int x = __VERIFIER_nondet_int();
    if (x > 0 && x <= 10 && budget > 0) {
      ping((signed char)x);
      budget--;
    }
  }
  return 0;
}
