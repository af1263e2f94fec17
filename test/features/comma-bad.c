// The comma operator evaluates left, then right, and gives the right.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  int i, j, n = 0;
  int x = (n++, n += 10, n * 2);
  CHECK(x == 22 && n == 11);
  for (i = 0, j = 10; i < j; i++, j--) n++;
  CHECK(i == 5 && j == 5 && n == 15);
  int a = (1, 2), b = (i = 3, j = i + 1, i * j);
  CHECK(a == 2 && b == 12);
  return 0;
}
