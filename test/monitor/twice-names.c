// expect: unknown  monitor: twice-names.mon  machine: lp64
// One function under two watched names, called through a pointer: which of the two events that is, nobody can say.
extern int __VERIFIER_nondet_int(void);
int count;
void take(void) { count++; }
void grab(void) __attribute__((alias("take")));
void (*volatile chosen)(void) = grab;

int main(void) {
  void (*f)(void) = __VERIFIER_nondet_int() ? take : grab;
  f();
  f();
  return 0;
}
