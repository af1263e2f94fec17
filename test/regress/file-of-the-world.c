// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: a file that is only read is the world's, beside standard input
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  FILE *f = fopen("in", "r");
  if (!f) return 0;
  int c = fgetc(f), d = getchar();
  if (c == 'b' && d == 'q') reach_error();
  return 0;
}
