/* A list that is given back as its numbers say.
 * Broken: a cell may have another number.
 * Fails with inputs: 1 4 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int owner;
};

enum { OURS = 5 };

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->owner = __VERIFIER_nondet_int();
    n->next = list;
    list = n;
  }
  while (list) {
    struct node *next = list->next;
    if (list->owner == OURS) free(list);
    list = next;
  }
  return 0;
}
