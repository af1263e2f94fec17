/* A sum of two halves: no overflow, since both are small. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned b = __VERIFIER_nondet_uint();
  unsigned steps = 0;
  if (a > 1000000u || b > 1000000u) return 0;
  unsigned sum = a;
  while (steps < b) {
    steps++;
    sum++;
  }
  if (sum < a) reach_error();
  return 0;
}
