/* Four times two is not ten: one row.
 * Fails with inputs: 1 */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned rows = __VERIFIER_nondet_uint();
  unsigned a = 0;
  unsigned b = 0;
  for (unsigned i = 0; i < rows; i++) {
    for (unsigned j = 0; j < 10; j++) {
      a++;
      if (j < 4) b += 2;
    }
  }
  if (a != b) reach_error();
  return 0;
}
