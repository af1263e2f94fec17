/* A list of measurements between 10 and 20, each stepped on in turn, and the largest of what they
 * were.
 * Broken: a value of 20 is stepped on, too.
 * Fails with inputs: 1 20 0 */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }
struct node {
  struct node *next;
  int value, was;
};
int main(void) {
  struct node *all = NULL;
  int largest = 0;
  while (__VERIFIER_nondet_int()) {
    int x = __VERIFIER_nondet_int();
    if (x < 10 || x > 20) continue;
    struct node *n = malloc(sizeof *n);
    n->value = n->was = x;
    n->next = all;
    all = n;
    if (n->was > largest) largest = n->was;
  }
  for (struct node *n = all; n; n = n->next) {
    if (n->value < 21)
      n->value++;
    else
      n->value = 10;
  }
  for (struct node *n = all; n; n = n->next)
    if (n->value < 10 || n->value > 20 || n->was > largest) reach_error();
  return 0;
}
