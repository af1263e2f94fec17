/* Leaving two loops with goto; the pair found is the first in order. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 5 };

int main(void) {
  const int price[N] = {2, 9, 5, 7, 1};
  int wanted = __VERIFIER_nondet_int();
  int i, j;
  for (i = 0; i < N; i++) {
    for (j = i + 1; j < N; j++) {
      if (price[i] + price[j] == wanted) {
        goto found;
      }
    }
  }
  return 0;
found:
  if (i >= j || price[i] + price[j] != wanted) {
    reach_error();
  }
  return 0;
}
