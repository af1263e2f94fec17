// A statement expression has the value of its last expression and its own scope.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

#define MAX(a, b) ({ int x_ = (a); int y_ = (b); x_ > y_ ? x_ : y_; })
int main(void) {
  int i = 3, j = 4;
  int m = MAX(i++, j++);
  CHECK(m == 4 && i == 4 && j == 5);
  int s = ({ int t = 0; for (int k = 1; k <= 4; k++) t += k; t; }) + 1;
  CHECK(s == 11);
  int x = 1;
  int y = ({ int x = 10; x += 5; x; }) + x;
  CHECK(y == 30);
  return 0;
}
