// expect: false(unreach-call)  property: unreach-call  machine: lp64  cause: setjmp was thought to return once
#include <setjmp.h>
void reach_error(void) {}
static jmp_buf where;
static int changed;
int main(void) {
  if (setjmp(where)) {
    if (changed) reach_error();
    return 0;
  }
  changed = 1;
  longjmp(where, 1);
}
