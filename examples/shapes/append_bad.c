/* Nodes are appended to a list of any length: its last one stays known.
 * Broken: the pointer to the last node does not move.
 * Fails with inputs: 1, 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

struct node {
  struct node *next;
  int data;
};

int main(void) {
  struct node *first = malloc(sizeof *first), *last = first;
  first->next = NULL;
  first->data = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = NULL;
    fresh->data = 0;
    last->next = fresh;
  }
  struct node *p = first;
  while (p->next != NULL) {
    p = p->next;
  }
  if (p != last) {
    reach_error();
  }
  return 0;
}
