/* A load average: half of the old one and half of a new measurement between 0 and 100 is between 0 and 100. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  double average = 0;
  while (1) {
    int measured = __VERIFIER_nondet_int();
    if (measured <= 0 || measured > 100) break;
    average = average / 2 + measured / 2.0;
    if (!(average >= 0 && average <= 100)) {
      reach_error();
    }
  }
  return 0;
}
