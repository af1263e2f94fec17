/* Lists of any length, for the operations of this folder. Lists are in globals: what nothing leads to at the end is lost. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *n;
  int data;
};

static inline struct node *any_list(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->n = list;
    fresh->data = __VERIFIER_nondet_int();
    list = fresh;
  }
  return list;
}

static struct node *x, *y;
