/* A lock is taken and given back in turn, on every path of the loop. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int locked;

static void lock(void) {
  if (locked) {
    reach_error();
  }
  locked = 1;
}

static void unlock(void) {
  if (!locked) {
    reach_error();
  }
  locked = 0;
}

int main(void) {
  while (__VERIFIER_nondet_bool()) {
    lock();
    if (__VERIFIER_nondet_bool()) {
      unlock();
      continue;
    }
    unlock();
  }
  return 0;
}
