// expect: unknown  property: unreach-call  machine: lp64  cause: numbers behind a second srand were inputs of their own, whatever the seed
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  srand(1);
  int a = rand();
  srand(1);
  if (rand() != a) reach_error();
  return 0;
}
