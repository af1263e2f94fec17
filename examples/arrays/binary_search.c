/* Binary search finds every value that the sorted table holds. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { N = 7 };
static const int table[N] = {2, 3, 5, 8, 13, 21, 34};

static int find(int wanted) {
  int low = 0, high = N - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (table[middle] == wanted) {
      return middle;
    }
    if (table[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return -1;
}

int main(void) {
  int wanted = __VERIFIER_nondet_int();
  int at = find(wanted), expected = -1;
  for (int i = 0; i < N; i++) {
    if (table[i] == wanted) {
      expected = i;
    }
  }
  if (at != expected) {
    reach_error();
  }
  return 0;
}
