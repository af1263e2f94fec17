// expect: true  monitor: lock.mon  machine: lp64
// Without a bound: the lock is free exactly when the packet was handled, however often the loop turns.
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
    if (!handled) unlock();
  } while (__VERIFIER_nondet_int());
  return 0;
}
