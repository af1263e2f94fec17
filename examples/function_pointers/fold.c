/* A fold over an array with a callback and its context. */
#include <limits.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 3 };
typedef int (*step)(int so_far, int element);

static int larger(int a, int b) { return a > b ? a : b; }
static int count_negative(int n, int element) { return n + (element < 0); }

static int fold(const int *a, step f, int start) {
  int result = start;
  for (int i = 0; i < N; i++) {
    result = f(result, a[i]);
  }
  return result;
}

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) {
    a[i] = __VERIFIER_nondet_int();
  }
  int best = fold(a, larger, INT_MIN);
  int negative = fold(a, count_negative, 0);
  if ((negative == N) != (best < 0)) {
    reach_error();
  }
  return 0;
}
