/* A list of any length is reversed in place; all of its nodes still hold 1.
 * Broken: with the link the number is written, too.
 * Fails with inputs: 1, 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

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
  struct node *reversed = NULL;
  while (list != NULL) {
    struct node *rest = list->next;
    list->next = reversed;
    list->data = reversed != NULL;
    reversed = list;
    list = rest;
  }
  for (struct node *p = reversed; p != NULL; p = p->next) {
    if (p->data != 1) {
      reach_error();
    }
  }
  return 0;
}
