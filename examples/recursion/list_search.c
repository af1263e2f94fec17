/* A recursion over a list of any length says whether a value is in it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct node {
  int value;
  struct node *next;
};

static int has_zero(const struct node *l) {
  if (!l) return 0;
  if (l->value == 0) return 1;
  return has_zero(l->next);
}

int main(void) {
  struct node *l = NULL;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    struct node *x = malloc(sizeof *x);
    if (!x) return 0;
    x->value = __VERIFIER_nondet_int();
    x->next = l;
    l = x;
  }
  int found = has_zero(l);
  if (found < 0 || found > 1) reach_error();
  return 0;
}
