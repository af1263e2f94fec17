/* Reversing the decimal digits of a number twice gives the number, if it does not end in 0. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned reverse(unsigned n) {
  unsigned result = 0;
  while (n > 0) {
    result = result * 10 + n % 10;
    n /= 10;
  }
  return result;
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 99 || n % 10 == 0) {
    return 0;
  }
  if (reverse(reverse(n)) != n) {
    reach_error();
  }
  return 0;
}
