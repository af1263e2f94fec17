// In a sequential program atomic operations are plain ones.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int n = 5;
int main(void) {
  int e = 6;
  CHECK(__sync_fetch_and_add(&n, 3) == 5 && n == 8);
  CHECK(__sync_val_compare_and_swap(&n, 8, 1) == 8 && n == 1);
  CHECK(!__atomic_compare_exchange_n(&n, &e, 9, 0, 5, 5) && e == 1 && n == 1);
  CHECK(__atomic_exchange_n(&n, 7, 5) == 1 && __atomic_or_fetch(&n, 8, 5) == 7);
  _Atomic int a = 2;
  a++;
  a *= 2;
  CHECK(a == 6);
  return 0;
}
