/* Nodes are put behind the last one through the address of the list's variable.
 * Broken: the node before the last one is lost when a third one comes.
 * Fails with inputs: 1, 1, 1, -1, 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int data;
};

static void append(struct node **list, int data) {
  struct node *fresh = malloc(sizeof *fresh), *last = *list;
  fresh->next = NULL;
  fresh->data = data;
  if (!last) {
    *list = fresh;
    return;
  }
  if (last->next) last = last->next;
  last->next = fresh;
}

static void destroy(struct node **list) {
  while (*list) {
    struct node *next = (*list)->next;
    free(*list);
    *list = next;
  }
}

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) append(&list, 1);
  destroy(&list);
  return 0;
}
