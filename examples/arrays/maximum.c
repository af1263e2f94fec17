/* The maximum of an array is at least every element. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 5 };

static int maximum(const int *a, int n) {
  int best = a[0];
  for (int i = 1; i < n; i++) {
    if (a[i] > best) {
      best = a[i];
    }
  }
  return best;
}

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) {
    a[i] = __VERIFIER_nondet_int();
  }
  int best = maximum(a, N);
  for (int i = 0; i < N; i++) {
    if (a[i] > best) {
      reach_error();
    }
  }
  return 0;
}
