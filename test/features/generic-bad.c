// _Generic chooses by the type of its operand.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

#define KIND(x) _Generic((x), int: 1, unsigned: 2, long: 3, float: 4, double: 5, char *: 6, default: 7)
int main(void) {
  char c = 1;
  short s = 2;
  CHECK(KIND(1) == 1 && KIND(1u) == 2 && KIND(1L) == 3 && KIND(1.0f) == 4 && KIND(1.0) == 5);
  CHECK(KIND("x") == 6 && KIND(c) == 7 && KIND(c + s) == 7);
  CHECK(KIND(1 ? 1 : 1.0) == 5);
  return 0;
}
