// The checked-arithmetic builtins give the wrapped result and the flag; signed arithmetic wraps.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  int r;
  unsigned u;
  long long w;
  CHECK(__builtin_add_overflow(2147483647, 1, &r) && r == -2147483647 - 1);
  CHECK(!__builtin_sub_overflow(3u, 2u, &u) && u == 1 && __builtin_sub_overflow(2u, 3u, &u) && u == 4294967295u);
  CHECK(__builtin_mul_overflow(1LL << 62, 4LL, &w) && w == 0);
  CHECK(!__builtin_mul_overflow(-3, 5, &r) && r == -15);
  CHECK(__builtin_add_overflow(-2147483647, -2, &r) == 1);
  return 0;
}
