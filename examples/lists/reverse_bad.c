/* A list reversed in place holds the values in the opposite order.
 * Broken: the link of the node is followed after it was turned round.
 * Fails with inputs: 3 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

struct node {
  int value;
  struct node *next;
};

static struct node *push(struct node *list, int value) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL) {
    exit(1);
  }
  n->value = value;
  n->next = list;
  return n;
}

static struct node *reverse(struct node *list) {
  struct node *done = NULL;
  while (list != NULL) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next != NULL ? next->next : next;
  }
  return done;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 5) {
    return 0;
  }
  struct node *list = NULL;
  for (int i = 0; i < n; i++) {
    list = push(list, i);
  }
  int expected = 0;
  for (struct node *p = reverse(list); p != NULL; p = p->next) {
    if (p->value != expected++) {
      reach_error();
    }
  }
  if (expected != n) {
    reach_error();
  }
  return 0;
}
