// Arithmetic of all integer widths wraps, extends and compares by its own type.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  signed char sc = (signed char)200;
  unsigned char uc = (unsigned char)-1;
  short s = (short)40000;
  unsigned short us = (unsigned short)70000;
  int i = -7;
  unsigned u = 3000000000u;
  long long ll = -5000000000LL;
  unsigned long long ull = 18446744073709551615ull;
  __int128 big = (__int128)ull * ull;
  CHECK(sc == -56 && uc == 255 && s == -25536 && us == 4464);
  CHECK(i / 2 == -3 && i % 2 == -1 && i >> 1 == -4);
  CHECK(u > 0 && (int)u < 0 && u / 2 == 1500000000u);
  CHECK(ll / 1000 == -5000000 && (ll >> 63) == -1);
  CHECK(ull + 1 == 0 && (unsigned)(big >> 64) == 0xfffffffeu);
  CHECK(-1 < 1 && -1 > 1u);
  uc += 2;
  sc -= 100;
  CHECK(uc == 1 && sc == -156);
  return 0;
}
