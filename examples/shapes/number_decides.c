/* A list that is given back as its numbers say: a cell with another number would stay, and there is
 * none.
 * Proved for lists of any length: no access outside of a block, no double free, nothing lost. */
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
    n->owner = OURS;
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
