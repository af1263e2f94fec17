/* The least and the greatest of a stream without end: every number lies between them.
 * Broken: a new greatest number is remembered one too small.
 * Fails with inputs: 3 1 5 0 */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int least = __VERIFIER_nondet_int();
  int greatest = least;
  while (__VERIFIER_nondet_bool()) {
    int number = __VERIFIER_nondet_int();
    if (number < least) {
      least = number;
    } else if (number > greatest) {
      greatest = number - 1;
    }
    if (number < least || number > greatest || least > greatest) {
      reach_error();
    }
  }
  return 0;
}
