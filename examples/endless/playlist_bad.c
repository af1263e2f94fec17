/* A position in a list that is played for ever; a jump goes forward any number of titles.
 * Broken: the position is not brought back into the list.
 * Fails with inputs: 2000000000 2000000000 */
extern int __VERIFIER_nondet_int(void);

enum { LENGTH = 100, FURTHEST = 2000000000 };

int main(void) {
  int position = 0;
  while (1) {
    int jump = __VERIFIER_nondet_int();
    if (jump < 1 || jump > FURTHEST) return position % 2;
    position = position + jump;
  }
}
