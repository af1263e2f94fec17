/* A bounded counter in two nested loops. Safe.
 *
 * Needs    nothing that a few pre-images do not say: a program that generalisation should leave alone. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int i = 0, k = 0, n = __VERIFIER_nondet_int();
  if (n > 100) return 0;
  while (i < n) {
    int j = 0;
    while (j < i) { j++; k++; if (k > 1000) k = 0; }
    i++;
  }
  if (k < 0) reach_error();
  return 0;
}
