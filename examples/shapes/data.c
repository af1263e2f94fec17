/* A list of any length, all of whose nodes hold 1. */
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
  for (struct node *p = list; p != NULL; p = p->next) {
    if (p->data != 1) {
      reach_error();
    }
  }
  return 0;
}
