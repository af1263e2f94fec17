/* simple: made by bench/shape/list. */
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
    p->h = 1;
    t = malloc(sizeof *t);
    p->n = t;
    p = t;
  }
  p->h = 0;
  p->n = 0;
  p = a;
  while (p->n) {
    if (p->h != 1) reach_error();
    p = p->n;
  }
  if (p->h != 0) reach_error();
  return 0;
}
