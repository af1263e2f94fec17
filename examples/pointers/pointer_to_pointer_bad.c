/* A function redirects the caller's pointer to the larger of two variables.
 * Broken: the choice is the wrong way round.
 * Fails with inputs: 2 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void choose_larger(int **chosen, int *a, int *b) {
  *chosen = *a > *b ? b : a;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  int *larger = &x;
  choose_larger(&larger, &x, &y);
  if (x > *larger || y > *larger) {
    reach_error();
  }
  return 0;
}
