/* The next node is read from one that was freed. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int h; struct node *n; };
int main(void) {
  struct node *a = 0, *p;
  for (int i = 0; i < 3 && __VERIFIER_nondet_int(); i++) {
    p = malloc(sizeof *p);
    p->n = a;
    a = p;
  }
  while (a) { free(a); a = a->n; }
  return 0;
}
