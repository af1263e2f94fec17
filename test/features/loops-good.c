// for, while and do-while with break and continue.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  int n = 0, i = 0;
  do n++; while (n < 5);
  CHECK(n == 5);
  do { n++; if (n == 6) continue; n += 100; } while (n < 50);
  CHECK(n == 107);
  for (n = 0, i = 0;; i++) {
    if (i % 2) continue;
    if (i > 8) break;
    n += i;
  }
  CHECK(n == 20 && i == 10);
  while (1) {
    if (--i < 3) break;
  }
  CHECK(i == 2);
  do { i = 77; } while (0);
  for (; i > 70;) i -= 3;
  CHECK(i == 68);
  return 0;
}
