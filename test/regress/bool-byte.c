// expect: false(undefined)  property: undefined  machine: lp64  cause: a byte that is neither 0 nor 1 was read as a _Bool by its lowest bit, while gcc tests all of them
#include <string.h>
struct flags {
  int n;
  _Bool set[2];
};
int main(void) {
  struct flags f = {1, {0, 1}};
  unsigned char byte = 2;
  memcpy(&f.set[1], &byte, 1);
  return f.set[1] ? 0 : 1;
}
