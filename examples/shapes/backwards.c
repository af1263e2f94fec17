/* A doubly linked list that grows at its end and is given back from there: no variable keeps its
 * first cell, so only links back lead to it.
 * Proved for lists of any length: no access outside of a block, no double free, nothing lost, and
 * the first cell still has its mark. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next, *prev;
};

static struct node *new_node(int value, struct node *prev) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->value = value;
  n->next = NULL;
  n->prev = prev;
  return n;
}

int main(void) {
  struct node *at = new_node(-3, NULL);
  while (__VERIFIER_nondet_int()) {
    at->next = new_node(__VERIFIER_nondet_int(), at);
    at = at->next;
  }
  while (at->prev) {
    struct node *last = at;
    at = at->prev;
    free(last);
  }
  assert(at->value == -3);
  free(at);
  return 0;
}
