/* A stack of any size: pushed and popped as inputs say, in the end all of it is given back.
 * Broken: what is popped between is not given back.
 * Fails with inputs: 1 1 7 1 0 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
  int value;
  struct item *below;
};

int main(void) {
  struct item *top = NULL;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct item *fresh = malloc(sizeof *fresh);
      fresh->value = __VERIFIER_nondet_int();
      fresh->below = top;
      top = fresh;
    } else if (top != NULL) {
      top = top->below;
    }
  }
  while (top != NULL) {
    struct item *popped = top;
    top = top->below;
    free(popped);
  }
  return 0;
}
