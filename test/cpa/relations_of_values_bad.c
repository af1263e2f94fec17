/* The last turn breaks it. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  unsigned i = 0, j = 0, n = __VERIFIER_nondet_int();
  while (j < n && i < 1000000) {
    i += 2;
    j += i < 999998 ? 1 : 2;
  }
  if (i != 2 * j) reach_error();
  return 0;
}
