/* list_flag2, broken: made by bench/shape/list. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct cell {
  int h;
  struct cell *n;
};
int main(void) {
  struct cell *a = malloc(sizeof *a), *p = a, *t;
  int flag = __VERIFIER_nondet_int();
  int x = 2;
  if (flag) x = 1;
  while (__VERIFIER_nondet_int()) {
    p->h = x;
    t = malloc(sizeof *t);
    p->n = t;
    p = t;
  }
  p->h = 3;
  p->n = 0;
  p = a;
  if (!flag) {
    while (p->h == 1) p = p->n;
  } else {
    while (p->h == 2) p = p->n;
  }
  if (p->h != 3) reach_error();
  return 0;
}
