// expect: true  property: valid-deref  machine: lp64  cause: cells of unknown memory that pointers were stored to were put into its array as bits
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned i = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 4);
  void **table = __builtin_malloc(n * sizeof *table), *read = 0;
  for (unsigned long k = 0; k < n; k++) table[k] = 0;
  if (i < n) read = table[i];
  return read != 0;
}
