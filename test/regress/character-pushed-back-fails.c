// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: a character that was pushed back is read by the library
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  if (ungetc('a', stdin) == 'a' && getchar() == 'a') reach_error();
  return 0;
}
