// A failed assert is the error of unreach-call.
#include <assert.h>
static int square(int x) { return x * x; }
int main(void) {
  assert(square(3) == 9);
  assert(square(-2) == 4 && "squares are not negative");
  return 0;
}
