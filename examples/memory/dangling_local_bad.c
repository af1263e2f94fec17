/* A pointer to a local variable is not used after the function has returned.
 * Broken: the address of the callee's own buffer is returned.
 * Fails with inputs: 7 */
extern int __VERIFIER_nondet_int(void);

static int *remember(int *place, int value) {
  int copy = value;
  int *result = &copy;
  *place = value;
  return result;
}

int main(void) {
  int place = 0;
  int *p = remember(&place, __VERIFIER_nondet_int());
  return *p == 42;
}
