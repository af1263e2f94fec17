/* Mutually recursive tests for even and odd agree with the last bit. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int is_odd(unsigned n);

static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }

static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 12) {
    return 0;
  }
  if (is_even(n) != !(n & 1u)) {
    reach_error();
  }
  return 0;
}
