/* A node is inserted somewhere into a list of any length; all nodes hold 1. */
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
  if (list == NULL) {
    return 0;
  }
  struct node *place = list;
  while (place->next != NULL && __VERIFIER_nondet_int()) {
    place = place->next;
  }
  struct node *more = malloc(sizeof *more);
  more->data = 1;
  more->next = place->next;
  place->next = more;
  for (struct node *p = list; p != NULL; p = p->next) {
    if (p->data != 1) {
      reach_error();
    }
  }
  return 0;
}
