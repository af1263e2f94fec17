/* A list whose cells own a block each, behind a header from malloc.
 * Broken: the blocks are not freed with their cells.
 * Fails with inputs: 1 0 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  int *value;
  struct node *next;
};
struct list {
  struct node *head, *tail;
  int count;
};

static struct list *list_new(void) {
  struct list *l = malloc(sizeof *l);
  if (!l) abort();
  l->head = l->tail = NULL;
  l->count = 0;
  return l;
}

static void list_append(struct list *l, int value) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->value = malloc(sizeof *n->value);
  if (!n->value) abort();
  *n->value = value;
  n->next = NULL;
  if (l->tail)
    l->tail->next = n;
  else
    l->head = n;
  l->tail = n;
  l->count++;
}

static void list_free(struct list *l) {
  struct node *n = l->head;
  while (n) {
    struct node *next = n->next;
    free(n);
    n = next;
  }
  free(l);
}

int main(void) {
  struct list *l = list_new();
  while (__VERIFIER_nondet_int()) list_append(l, __VERIFIER_nondet_int());
  list_free(l);
  return 0;
}
