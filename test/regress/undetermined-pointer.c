// expect: unknown  property: unreach-call  machine: lp64  cause: an uninitialised pointer was taken for an invalid one, and what follows for unreachable
#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
void reach_error(void) {}
int main(void) {
  struct node *n = malloc(sizeof *n);
  if (n->next && n->next->value == 3) reach_error();
  return 0;
}
