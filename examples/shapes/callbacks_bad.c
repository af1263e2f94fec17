/* What is done with each cell of a list is a function that the caller names: it stands in a variable, two may be meant, and one takes the cell away.
 * Broken: the first of the two calls may take the cells away, too.
 * Fails with inputs: 1 7 0 1 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int value;
};

static void clear(struct node *n) { n->value = 0; }
static void count(struct node *n) { n->value++; }
static void drop(struct node *n) { free(n); }

static void each(struct node *n, void (*what)(struct node *)) {
  while (n) {
    struct node *next = n->next;
    what(n);
    n = next;
  }
}

int main(void) {
  struct node *all = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    n->value = __VERIFIER_nondet_int() & 255;
    n->next = all;
    all = n;
  }
  void (*first)(struct node *) = count;
  if (__VERIFIER_nondet_int()) first = drop;
  each(all, first);
  each(all, drop);
  return 0;
}
