/* One number counts up while another, at most 1000, goes down. Safe.
 *
 * Needs    x + y <= 1000 with x >= 0, since numbers wrap: splitting backward gives x == INT_MAX - k and y > k for every k. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = 0, y = __VERIFIER_nondet_int();
  if (y > 1000) return 0;
  while (y > 0) { y--; x++; }
  if (x < 0) reach_error();
  return 0;
}
