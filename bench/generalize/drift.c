/* A number that moves in the second half of a counted loop only. Safe.
 *
 * Needs    a relation for each half. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = 0, y = 50;
  while (x < 100) { x++; if (x > 50) y++; }
  if (y != 100) reach_error();
  return 0;
}
