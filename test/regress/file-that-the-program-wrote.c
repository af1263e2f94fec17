// expect: unknown  property: unreach-call  machine: lp64  cause: what is read of a file that the program wrote was thought to be anything
#include <stdio.h>
extern void reach_error(void);
int main(void) {
  FILE *f = tmpfile();
  if (!f) return 0;
  fputc('a', f);
  rewind(f);
  if (fgetc(f) == 'b') reach_error();
  return 0;
}
