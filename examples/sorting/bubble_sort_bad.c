/* Bubble sort with an early end orders the elements and keeps the largest.
 * Broken: the flag that something was swapped is cleared for every pair, so only the last one
 * counts.
 * Fails with inputs: 3 2 1 4 */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 4 };

static void sort(unsigned char *a) {
  int swapped = 1;
  for (int end = N - 1; swapped && end > 0; end--) {
    for (int i = 0; i < end; i++) {
      swapped = 0;
      if (a[i] > a[i + 1]) {
        unsigned char t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
        swapped = 1;
      }
    }
  }
}

int main(void) {
  unsigned char a[N], largest = 0;
  for (int i = 0; i < N; i++) {
    a[i] = __VERIFIER_nondet_uchar();
    largest = a[i] > largest ? a[i] : largest;
  }
  sort(a);
  for (int i = 0; i + 1 < N; i++) {
    if (a[i] > a[i + 1]) {
      reach_error();
    }
  }
  if (a[N - 1] != largest) {
    reach_error();
  }
  return 0;
}
