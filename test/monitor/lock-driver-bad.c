// expect: false(unreach-call)  monitor: lock.mon  machine: lp64
// The lock is not given back if the packet was not handled.
extern void lock(void);
extern void unlock(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int handled;
  do {
    lock();
    handled = 0;
    if (__VERIFIER_nondet_int()) {
      unlock();
      handled = 1;
    }
    if (handled) continue;
  } while (__VERIFIER_nondet_int());
  return 0;
}
