// A static local is initialised once and keeps its value; each function and scope has its own.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int next(void) {
  static int n = 10;
  return n++;
}
static int other(void) {
  static int n;
  { static int n = 100; n++; if (n > 101) return n; }
  return ++n;
}
static int *keep(void) {
  static int cell[2];
  return cell;
}
int main(void) {
  CHECK(next() == 10 && next() == 11);
  CHECK(other() == 1 && other() == 102);
  keep()[1] = 4;
  CHECK(keep()[1] == 4 && keep()[0] == 0);
  CHECK(next() == 10);
  return 0;
}
