// expect: true  property: unreach-call  machine: lp64  cause: two open files were thought to have one number
#include <fcntl.h>
extern void reach_error(void);
int main(void) {
  int a = open("/dev/null", O_RDONLY), b = open("/dev/null", O_RDONLY);
  if (a >= 0 && a == b) reach_error();
  return 0;
}
