/* Two numbers that start equal and go down together. Safe.
 *
 * Needs    x == y at the head; splitting backward gives x == k and y != k for every k. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int(), x = n, y = n;
  while (x > 0) { x--; y--; }
  if (n >= 0 && y != 0) reach_error();
  return 0;
}
