/* A counter and its copy: x = i, and i <= n, so x = n at the end. Needs an equation between two variables. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned x = 0;
  for (unsigned i = 0; i < n; i++) x++;
  if (x != n) reach_error();
  return 0;
}
