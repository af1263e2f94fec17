// expect: true  monitor: lock.mon  machine: ilp32
extern int __VERIFIER_nondet_int(void);
static int depth;
static void lock(int a, long long b) { depth += a + (int)b; }
static void unlock(int a, long long b) { depth -= a + (int)b; }
static void neither(int a, long long b) { depth ^= a ^ (int)b; }
typedef void (*action)(int, long long);
static const action table[] = {neither, lock, unlock};

int main(void) {
  int held = 0;
  for (int i = 0; i < 3; i++) {
    unsigned k = (unsigned)__VERIFIER_nondet_int() % 3;
    if (k == 1 && held) continue;
    if (k == 2 && !held) continue;
    table[k](i, 7);
    held = k == 1 ? 1 : k == 2 ? 0 : held;
  }
  if (held) unlock(1, 2);
  return depth;
}
