/* A number that goes up by two is never one. Safe; it wraps.
 *
 * Needs    that x is even, which no polyhedron says. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = 0;
  while (__VERIFIER_nondet_bool()) x += 2;
  if (x == 1) reach_error();
  return 0;
}
