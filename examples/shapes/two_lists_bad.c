/* Two lists of different nodes, both of any length, are built in turns and given back one after the other.
 * Broken: of the second list only the first node is given back.
 * Fails with inputs: 1 0 1 0 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct small {
  struct small *next;
  int data;
};

struct large {
  struct large *next;
  long data[2];
};

int main(void) {
  struct small *first = NULL;
  struct large *second = NULL;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct small *fresh = malloc(sizeof *fresh);
      fresh->next = first;
      first = fresh;
    } else {
      struct large *fresh = malloc(sizeof *fresh);
      fresh->next = second;
      second = fresh;
    }
  }
  while (first != NULL) {
    struct small *rest = first->next;
    free(first);
    first = rest;
  }
  if (second != NULL) {
    struct large *rest = second->next;
    free(second);
    second = rest;
  }
  return 0;
}
