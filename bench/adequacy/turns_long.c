/* An alarm that only a long row of equal choices can raise: 5,000,000 turns, then another. */
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int n = 0;
  while (1) {
    if (__VERIFIER_nondet_int()) {
      n++;
    } else {
      if (n >= 5000000) reach_error();
      n = 0;
    }
  }
}
