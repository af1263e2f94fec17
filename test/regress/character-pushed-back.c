// expect: unknown  property: unreach-call  machine: lp64  cause: a character that was pushed back was thought to be read as another
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  if (ungetc('a', stdin) == 'a' && getchar() == 'b') reach_error();
  return 0;
}
