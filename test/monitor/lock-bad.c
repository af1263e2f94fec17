// expect: false(unreach-call)  monitor: lock.mon  machine: lp64
extern void lock(void);
extern void unlock(void);
extern int __VERIFIER_nondet_int(void);

static int work(int n) {
  lock();
  int r = n * 2;
  unlock();
  return r;
}

int main(void) {
  int held = 0, sum = 0;
  for (int i = 0; i < 3; i++) {
    int x = __VERIFIER_nondet_int();
    if (x > 0 && !held) {
      lock();
      held = 1;
    }
    if (held && x < 10) {
      unlock();
      held = 0;
    }
    if (i < 2) sum += work(i);
  }
  if (held) unlock();
  return sum;
}
