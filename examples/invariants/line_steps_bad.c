/* The points of a line, the error corrected by half of what it should be.
 * Fails with inputs: 1 1 */
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
      error -= width;
    }
    error += 2 * (long long)height;
    x++;
  }
  return 0;
}
