/* Every node of a list of any length holds a level from 0 to 100: when it is made, and after levels are raised. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

typedef struct node {
  struct node *next;
  int level;
} Node;

int main(void) {
  Node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    int level = __VERIFIER_nondet_int();
    if (level < 0 || level > 100) continue;
    Node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    fresh->level = level;
    list = fresh;
  }
  for (Node *at = list; at != NULL; at = at->next)
    if (at->level < 100) at->level++;
  for (Node *at = list; at != NULL; at = at->next)
    if (at->level < 0 || at->level > 100) reach_error();
  return 0;
}
