/* Steps are counted beside the place, by a function: the counter never overflows, because it is the place. */
extern int __VERIFIER_nondet_int(void);

static int next(int n) { return n + 1; }

int main(void) {
  int goal = __VERIFIER_nondet_int();
  int steps = 0;
  if (goal > 100000000) {
    goal = 100000000;
  }
  for (int place = 0; place < goal; place = next(place)) {
    steps = next(steps);
  }
  return steps < 0;
}
