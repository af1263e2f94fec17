/* The sum of a range from prefix sums against adding up the range. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 4 };

int main(void) {
  unsigned char value[N];
  unsigned before[N + 1];
  before[0] = 0;
  for (int i = 0; i < N; i++) {
    value[i] = __VERIFIER_nondet_uchar();
    before[i + 1] = before[i] + value[i];
  }
  unsigned from = __VERIFIER_nondet_uint();
  unsigned to = __VERIFIER_nondet_uint();
  if (from > to || to >= N) {
    return 0;
  }
  unsigned sum = 0;
  for (unsigned i = from; i <= to; i++) {
    sum += value[i];
  }
  if (before[to + 1] - before[from] != sum) {
    reach_error();
  }
  return 0;
}
