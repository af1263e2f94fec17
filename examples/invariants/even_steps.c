/* Steps of two keep a number even, also when it wraps: parity is what holds, no bound does. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = 0;
  while (__VERIFIER_nondet_bool()) {
    x += 2;
    if (x > 10) x -= 10;
  }
  if (x % 2 == 1) reach_error();
  return 0;
}
