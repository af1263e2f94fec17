// Shifts, rotations, masks, and the bit-counting builtins.
extern void reach_error(void);
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)

int main(void) {
  unsigned u = 0x80000001u;
  int i = -8;
  CHECK(u << 1 == 2 && u >> 31 == 1 && i >> 1 == -4 && (unsigned)i >> 28 == 15);
  CHECK((u << 4 | u >> 28) == 0x18u);
  CHECK(__builtin_popcount(u) == 2 && __builtin_clz(1u) == 31 && __builtin_ctzll(1ull << 40) == 40);
  CHECK(__builtin_bswap32(0x01020304) == 0x04030201 && __builtin_bswap16(0x0102) == 0x0201);
  CHECK(__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4 && __builtin_parity(7) == 1);
  unsigned char c = 0x0f;
  CHECK((~c & 0xff) == 0xf0 && (unsigned char)~c == 0xf0);
  long long w = 1LL << 40;
  CHECK((w ^ 1) == 1099511627777LL && (int)(w >> 38) == 4);
  return 0;
}
