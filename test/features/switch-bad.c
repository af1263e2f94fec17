// Cases fall through until a break; default may stand anywhere.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

static int f(int n) {
  int r = 0;
  switch (n) {
    case 1: r += 1;
    case 2: r += 2; break;
    default: r = 100;
    case 7: r += 7; break;
    case -3:
    case 9: return 9;
    case 20 ... 200: r = 20;
  }
  return r;
}
static int wide(unsigned long long n) {
  switch (n) {
    case 0x100000001ull: return 1;
    case 1: return 2;
  }
  return 3;
}
int main(void) {
  CHECK(f(1) == 1 && f(2) == 2 && f(5) == 107 && f(7) == 7);
  CHECK(f(-3) == 9 && f(9) == 9 && f(20) == 20 && f(200) == 20 && f(201) == 107);
  CHECK(wide(0x100000001ull) == 1 && wide(1) == 2 && wide(0x200000001ull) == 3);
  int n = 0, i = 0;
  switch (n)
    while (i < 3) {
      case 0: i++;
    }
  CHECK(i == 3);
  return 0;
}
