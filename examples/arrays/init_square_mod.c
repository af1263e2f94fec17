/* A function of the index without sign: i * i modulo 2^32 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  unsigned a[n];
  for (unsigned i = 0; i < (unsigned)n; i++) a[i] = i * i;
  for (unsigned i = 0; i < (unsigned)n; i++)
    if (!(a[i] == i * i)) {
      reach_error();
    }
  return 0;
}
