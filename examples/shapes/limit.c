/* No node of a list of any length holds more than the limit that was read at the start. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

typedef struct node {
  int load;
  struct node *next;
} Node;

int main(void) {
  Node *list = NULL;
  int limit = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) {
    int load = __VERIFIER_nondet_int();
    if (load > limit) continue;
    Node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    fresh->load = load;
    list = fresh;
  }
  for (Node *at = list; at != NULL; at = at->next)
    if (at->load > limit) reach_error();
  return 0;
}
