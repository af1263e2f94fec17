// Calls that do not fit the definition convert as the convention does.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int narrow(short s, unsigned char c) { return s * 1000 + c; }
int two(int a, int b) { return a - b; }
int main(void) {
  int (*f)() = (int (*)())two;
  int (*untyped)() = (int (*)())narrow;
  CHECK(untyped(3, 7) == 3007);
  CHECK(f(9, 4) == -5);
  return 0;
}
