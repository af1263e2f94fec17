// expect: true  property: undefined  machine: lp64  cause: the safe twin of bool-byte.c
#include <string.h>
struct flags {
  int n;
  _Bool set[2];
};
int main(void) {
  struct flags f = {1, {0, 1}};
  unsigned char byte = 1;
  memcpy(&f.set[1], &byte, 1);
  return f.set[1] ? 0 : 1;
}
