/* Twice the sum of the first numbers is i * (i + 1), modulo 2^32: an equation of degree two. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned sum = 0;
  unsigned i = 0;
  while (i < n) {
    i++;
    sum += i;
  }
  if (2 * sum != i * (i + 1)) reach_error();
  return 0;
}
