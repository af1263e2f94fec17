/* A pointer that is set for small values, and used for others, too.
 * Fails with inputs: 3 0 */
extern short __VERIFIER_nondet_short(void);

static void foo(int x, int y) {
  int *px = 0;
A: x = x + 1;
B: if (x < 4)
C:   px = &x;
D: if (px == &y)
E:   x = x + 1;
F: if (x < 5)
G:   *px = *px + 1;
H: return;
}

int main(void) {
  int x = __VERIFIER_nondet_short(), y = __VERIFIER_nondet_short();
  foo(x, y);
  return 0;
}
