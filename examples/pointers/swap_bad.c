/* Swapping through pointers, also of a variable with itself.
 * Broken: the exclusive-or trick clears a variable that is swapped with itself.
 * Fails with inputs: 5 5 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void swap(int *a, int *b) {
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  int old_x = x, old_y = y;
  swap(&x, &y);
  if (x != old_y || y != old_x) {
    reach_error();
  }
  swap(&x, &x);
  if (x != old_y) {
    reach_error();
  }
  return 0;
}
