/* A list of ones, then twos, then a three: runs of any length, appended at the end. The last node is never complete while it grows. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

struct node {
  struct node *next;
  int data;
};

int main(void) {
  struct node *list = malloc(sizeof *list), *last = list, *fresh;
  while (__VERIFIER_nondet_int()) {
    last->data = 1;
    fresh = malloc(sizeof *fresh);
    last->next = fresh;
    last = fresh;
  }
  while (__VERIFIER_nondet_int()) {
    last->data = 2;
    fresh = malloc(sizeof *fresh);
    last->next = fresh;
    last = fresh;
  }
  last->data = 3;
  last->next = NULL;
  struct node *p = list;
  while (p->data == 1) {
    p = p->next;
  }
  while (p->data == 2) {
    p = p->next;
  }
  if (p->data != 3) {
    reach_error();
  }
  return 0;
}
