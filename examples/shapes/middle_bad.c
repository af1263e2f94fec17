/* A doubly linked list with a pointer to its last node: nodes are appended, one that holds a key is taken out wherever
 * it is, and the rest is given back. Broken: the node behind it still leads back to it.
 * Fails with inputs: 1 5 1 6 0 5 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next, *prev;
};
static struct node *head, *tail;

static void append(int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->value = value;
  n->next = NULL;
  n->prev = tail;
  if (tail)
    tail->next = n;
  else
    head = n;
  tail = n;
}

static void take_out(struct node *n) {
  if (n->prev)
    n->prev->next = n->next;
  else
    head = n->next;
  if (!n->next) tail = n->prev;
  free(n);
}

int main(void) {
  while (__VERIFIER_nondet_int()) append(__VERIFIER_nondet_int());
  int key = __VERIFIER_nondet_int();
  struct node *n = head;
  while (n && n->value != key) n = n->next;
  if (n) take_out(n);
  while (head) take_out(head);
  return 0;
}
