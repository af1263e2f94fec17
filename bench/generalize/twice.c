/* A sum that grows by two a turn is never below the counter. Safe.
 *
 * Needs    i <= s and s <= 2 * i with i <= 1000, since numbers wrap. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int i = 0, s = 0, n = __VERIFIER_nondet_int();
  if (n > 1000) return 0;
  while (i < n) { i++; s += 2; }
  if (s < i) reach_error();
  return 0;
}
