/* Merging two sorted halves keeps every element once and in order.
 * Broken: the rest of the right half is not copied.
 * Fails with inputs: 1 1 1 2 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { HALF = 2, N = 2 * HALF };

static void merge(const int *left, const int *right, int *out) {
  int i = 0, j = 0, n = 0;
  while (i < HALF && j < HALF) {
    out[n++] = left[i] <= right[j] ? left[i++] : right[j++];
  }
  while (i < HALF) {
    out[n++] = left[i++];
  }
  while (j < HALF - 1) {
    out[n++] = right[j++];
  }
}

int main(void) {
  int a[N], out[N] = {0};
  for (int i = 0; i < N; i++) {
    a[i] = __VERIFIER_nondet_int();
  }
  if (a[0] > a[1] || a[2] > a[3]) {
    return 0;
  }
  merge(a, a + HALF, out);
  for (int i = 1; i < N; i++) {
    if (out[i - 1] > out[i]) {
      reach_error();
    }
  }
  return 0;
}
