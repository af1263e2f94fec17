/* A list whose cells lead to data of the program's own, which a condition chose when the cell was
 * made.
 * Broken: the last cell is never given back.
 * Fails with inputs: 1 0 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int *rank;
};

static int ranks[2];

static void put(struct node **list, int *rank) {
  struct node *n = malloc(sizeof *n);
  if (!n) return;
  n->rank = rank;
  n->next = *list;
  *list = n;
}

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) put(&list, __VERIFIER_nondet_int() ? &ranks[0] : &ranks[1]);
  put(&list, &ranks[0]);
  while (list->next) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
