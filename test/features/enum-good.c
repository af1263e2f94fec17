// Enumerators continue from the last explicit value; an enum is an int in arithmetic.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

enum colour { RED, GREEN = 5, BLUE, LAST = BLUE + 10 };
enum sign { MINUS = -1, ZERO, PLUS };
static enum colour next(enum colour c) { return c == RED ? GREEN : c + 1; }
int main(void) {
  enum colour c = RED;
  enum sign s = MINUS;
  c = next(c);
  c = next(c);
  CHECK(c == BLUE && LAST == 16);
  CHECK(s < ZERO && s + 1 == ZERO);
  CHECK(next(BLUE) == 7);
  return 0;
}
