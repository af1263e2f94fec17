/* Nodes with a number are taken out of a list of any length; a failed allocation leaves the loop.
 * Broken: the node before a removed one keeps its link: the list leads to freed memory.
 * Fails with inputs: 1, 1, 1, 2, 0, 1 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int data;
};

static struct node *without(struct node *list, int data) {
  struct node *before = NULL, *at = list;
  while (at) {
    struct node *next = at->next;
    if (at->data != data) {
      before = at;
    } else {
      if (before)
        before->data = data;
      else
        list = next;
      free(at);
    }
    at = next;
  }
  return list;
}

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    if (!fresh) return 1;
    fresh->data = __VERIFIER_nondet_int();
    fresh->next = list;
    list = fresh;
  }
  list = without(list, __VERIFIER_nondet_int());
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
