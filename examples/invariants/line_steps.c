/* The points of a line by additions alone: the error term says how far the point is from the line, times twice the width. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int width = __VERIFIER_nondet_int(), height = __VERIFIER_nondet_int();
  if (width < 1 || width > 4000 || height < 0 || height > width) {
    return 0;
  }
  long long x = 0, y = 0, error = 2 * (long long)height - width;
  while (x <= width) {
    assert(error == 2 * (long long)height * (x + 1) - 2 * (long long)width * y - width);
    if (error >= 0) {
      y++;
      error -= 2 * (long long)width;
    }
    error += 2 * (long long)height;
    x++;
  }
  return 0;
}
