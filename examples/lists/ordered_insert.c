/* Inserting into an ordered list through a pointer to the link keeps it ordered. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

struct node {
  int value;
  struct node *next;
};

static void insert(struct node **list, int value) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL) {
    exit(1);
  }
  while (*list != NULL && (*list)->value < value) {
    list = &(*list)->next;
  }
  n->value = value;
  n->next = *list;
  *list = n;
}

int main(void) {
  struct node *list = NULL;
  for (int i = 0; i < 3; i++) {
    insert(&list, __VERIFIER_nondet_int());
  }
  for (struct node *p = list; p->next != NULL; p = p->next) {
    if (p->value > p->next->value) {
      reach_error();
    }
  }
  return 0;
}
