/* Counting bits by clearing the lowest one against looking at each.
 * Broken: the lowest bit is cleared by subtracting one only.
 * Fails with inputs: 4 */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int by_clearing(unsigned x) {
  int n = 0;
  while (x != 0) {
    x = x - 1;
    n++;
  }
  return n;
}

static int by_looking(unsigned x) {
  int n = 0;
  for (int i = 0; i < 8; i++) {
    n += (int)(x >> i & 1u);
  }
  return n;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uchar();
  if (by_clearing(x) != by_looking(x)) {
    reach_error();
  }
  return 0;
}
