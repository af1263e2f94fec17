/* The first node with a key is taken out of a list of any length and given back; then the rest of the list.
 * Broken: a node that is not the first is given back, but stays in the list.
 * Fails with inputs: 1 5 1 6 0 5 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int key;
};

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    fresh->key = __VERIFIER_nondet_int();
    list = fresh;
  }
  int key = __VERIFIER_nondet_int();
  struct node *before = NULL, *at = list;
  while (at != NULL && at->key != key) {
    before = at;
    at = at->next;
  }
  if (at != NULL) {
    if (before == NULL) list = at->next;
    free(at);
  }
  while (list != NULL) {
    struct node *rest = list->next;
    free(list);
    list = rest;
  }
  return 0;
}
