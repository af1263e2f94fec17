/* alternating, broken: made by bench/shape/list. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct cell {
  int h;
  struct cell *n;
};
int main(void) {
  struct cell *a = malloc(sizeof *a), *p = a, *t;
  int flag = 1;
  while (__VERIFIER_nondet_int()) {
    if (flag) p->h = 1;
    else p->h = 2;
    flag = !flag;
    t = malloc(sizeof *t);
    p->n = t;
    p = t;
  }
  p->h = 3;
  p->n = 0;
  p = a;
  flag = 0;
  while (p->h != 3) {
    if (flag && p->h != 1) reach_error();
    if (!flag && p->h != 2) reach_error();
    flag = !flag;
    p = p->n;
  }
  return 0;
}
