/* What one number loses the other gains. Safe.
 *
 * Needs    x + y == n; splitting backward gives x == k and n != y + k for every k. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int(), x = n, y = 0;
  if (n < 0) return 0;
  while (x > 0) { x--; y++; }
  if (y != n) reach_error();
  return 0;
}
