/* list_flags_5, broken: made by bench/shape/list. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct cell {
  int h;
  struct cell *n;
};
int main(void) {
  struct cell *a = malloc(sizeof *a), *p = a, *t;
  int flag1 = __VERIFIER_nondet_int();
  int flag2 = __VERIFIER_nondet_int();
  int flag3 = __VERIFIER_nondet_int();
  int flag4 = __VERIFIER_nondet_int();
  int flag5 = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) {
    if (flag1) p->h = 1;
    else p->h = 2;
    t = malloc(sizeof *t);
    p->n = t;
    p = t;
  }
  while (__VERIFIER_nondet_int()) {
    if (flag2) p->h = 1;
    else p->h = 2;
    t = malloc(sizeof *t);
    p->n = t;
    p = t;
  }
  while (__VERIFIER_nondet_int()) {
    if (flag3) p->h = 1;
    else p->h = 2;
    t = malloc(sizeof *t);
    p->n = t;
    p = t;
  }
  while (__VERIFIER_nondet_int()) {
    if (flag4) p->h = 1;
    else p->h = 2;
    t = malloc(sizeof *t);
    p->n = t;
    p = t;
  }
  while (__VERIFIER_nondet_int()) {
    if (flag5) p->h = 1;
    else p->h = 4;
    t = malloc(sizeof *t);
    p->n = t;
    p = t;
  }
  p->h = 3;
  p->n = 0;
  p = a;
  for (;;) {
    if (p->h == 1) p = p->n;
    else if (p->h == 2) p = p->n;
    else break;
  }
  if (p->h != 3) reach_error();
  return 0;
}
