/* Rotating by k with three reversals against the definition.
 * Broken: the second part is reversed from one place too far left.
 * Fails with inputs: 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 6 };

static void reverse(int *a, int from, int to) {
  while (from < to) {
    int t = a[from];
    a[from++] = a[to];
    a[to--] = t;
  }
}

static void rotate_left(int *a, int k) {
  reverse(a, 0, k - 1);
  reverse(a, k - 1, N - 1);
  reverse(a, 0, N - 1);
}

int main(void) {
  int k = __VERIFIER_nondet_int();
  if (k < 1 || k >= N) {
    return 0;
  }
  int a[N];
  for (int i = 0; i < N; i++) {
    a[i] = 10 * i;
  }
  rotate_left(a, k);
  for (int i = 0; i < N; i++) {
    if (a[i] != 10 * ((i + k) % N)) {
      reach_error();
    }
  }
  return 0;
}
