// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: the broken twin of same-seed-same-numbers: a sequence holds any numbers
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  srand(1);
  int a = rand();
  if (rand() != a) reach_error();
  return 0;
}
