/* No condition of the program says what the loop keeps: i == 2 * j and i even are seen in the values only. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned i = 0, j = 0, n = __VERIFIER_nondet_int();
  while (j < n && i < 1000000) {
    i += 2;
    j += 1;
  }
  if (i != 2 * j) reach_error();
  return 0;
}
