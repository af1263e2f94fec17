/* As registry.c, but an entry that is taken off is not given back: it is lost.
 * Fails with inputs: -1 0 1 1 0 0 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry {
  int name;
  struct entry *next;
};

static struct entry *registered;

static void enter(int name) {
  struct entry *fresh = malloc(sizeof *fresh);
  fresh->name = name;
  fresh->next = registered;
  registered = fresh;
}

static void take_off(int name) {
  struct entry *before = NULL;
  for (struct entry *at = registered; at != NULL; before = at, at = at->next) {
    if (at->name != name) continue;
    if (before == NULL)
      registered = at->next;
    else
      before->next = at->next;
    at->next = NULL;
    return;
  }
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int name = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int())
      enter(name);
    else
      take_off(name);
  }
  return 0;
}
