// expect: unknown  property: unreach-call  machine: lp64  cause: the current folder was thought to have any name behind chdir
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  char b[100];
  if (chdir("/") == 0 && getcwd(b, sizeof b) && b[0] == 'x') reach_error();
  return 0;
}
