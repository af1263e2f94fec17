/* list_1, broken: made by bench/shape/list. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct cell {
  int h;
  struct cell *n;
};
int main(void) {
  struct cell *a = malloc(sizeof *a), *p = a, *t;
  while (__VERIFIER_nondet_int()) {
    p->h = 3;
    t = malloc(sizeof *t);
    p->n = t;
    p = t;
  }
  p->h = 2;
  p->n = 0;
  p = a;
  while (p->h == 1) p = p->n;
  if (p->h != 2) reach_error();
  return 0;
}
