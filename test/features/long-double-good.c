/* long double: size, memory, structures, library functions, conversions. */
#include <math.h>
#include <string.h>

extern void reach_error(void);
static void check(int c) {
  if (!c) reach_error();
}

static long double shared = 1.5L, numbers[3] = {1, 2, 0.1L};
static struct record {
  char c;
  long double x;
  int n;
} record = {1, 2.5L, 3};

static struct record made(long double v) {
  struct record r = {2, v, 7};
  return r;
}

int main(void) {
  check(sizeof(long double) == 16);
  check(1.0L + 1e-19L > 1.0L && 1.0L + 1e-20L == 1.0L);
  check(shared * 2 == 3 && numbers[0] + numbers[1] == 3);
  long double *p = &numbers[2];
  *p = *p * 10;
  check(*p == 1.0L && record.x == 2.5L && record.n == 3);
  struct record r = made(3.25L);
  check(r.x == 3.25L && r.n == 7 && r.c == 2);
  check(floorl(-1.5L) == -2 && ceill(1.25L) == 2 && roundl(2.5L) == 3 && rintl(2.5L) == 2);
  check(sqrtl(2.0L) * sqrtl(2.0L) != 2.0L && fmodl(5.5L, 2) == 1.5L && remainderl(5.5L, 2) == -0.5L);
  check(isnan(NAN + shared) && !isnan(shared) && fmaxl(1, NAN) == 1);
  unsigned char bytes[10];
  memcpy(bytes, &shared, sizeof bytes);
  check(bytes[9] == 0x3f && bytes[8] == 0xff && bytes[7] == 0xc0 && bytes[0] == 0);
  return 0;
}
