/* The delay before the next attempt doubles with every failure, up to a minute.
 * Broken: the limit is not applied.
 * Fails with inputs: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 */
extern int __VERIFIER_nondet_int(void);

enum { LONGEST = 60 };

int main(void) {
  int delay = 1;
  while (1) {
    int outcome = __VERIFIER_nondet_int();
    if (outcome == 0) return 0;
    if (outcome < 0) {
      delay = 1;
    } else {
      delay = delay * 2;
    }
  }
}
