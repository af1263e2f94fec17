/* Insertion sort leaves the array in order.
 * Broken: the search for the place stops before the first element.
 * Fails with inputs: 2 1 1 1 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 4 };

static void sort(int *a) {
  for (int i = 1; i < N; i++) {
    int moved = a[i];
    int j = i;
    while (j > 1 && a[j - 1] > moved) {
      a[j] = a[j - 1];
      j--;
    }
    a[j] = moved;
  }
}

int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) {
    a[i] = __VERIFIER_nondet_int();
  }
  sort(a);
  for (int i = 1; i < N; i++) {
    if (a[i - 1] > a[i]) {
      reach_error();
    }
  }
  return 0;
}
