/* simple_backw: made by bench/shape/list. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct cell {
  int h;
  struct cell *n;
};
int main(void) {
  struct cell *a = 0, *p, *t;
  while (__VERIFIER_nondet_int()) {
    t = malloc(sizeof *t);
    t->h = 1;
    t->n = a;
    a = t;
  }
  for (p = a; p; p = p->n)
    if (p->h != 1) reach_error();
  return 0;
}
