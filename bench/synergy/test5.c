/* As many turns as an input says; after them a second input is asked two questions that exclude each other. Safe.
 *
 * Shape    Figure 1 with a bound that is an input.
 * Hard     no finite reachable bisimulation quotient: n - i = 0, 1, 2, ... are told apart by the end of the loop (2^32 classes), although the
 *          proof is one predicate behind it, a > 0. */
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a = __VERIFIER_nondet_int();
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0, c = 0;
  while (i < n) {
    c = c + i;
    i = i + 1;
  }
  if (a > 0) return 0;
  if (a > 7) reach_error();
  return 0;
}
