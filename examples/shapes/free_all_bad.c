/* A list of any length is given back, node by node.
 * Broken: the link is read from the node that was just given back.
 * Fails with inputs: 1, 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int data;
};

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    fresh->data = 1;
    list = fresh;
  }
  while (list != NULL) {
    free(list);
    list = list->next;
  }
  return 0;
}
