/* A list that grows and shrinks at either end: its ends, and the links of cells, are arrays of pointers to void, and the side is an index.
 * Broken: a cell that is put beside others gets no link to them.
 * Fails with inputs: 1 0 1 1 0 1 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

enum { LEFT, RIGHT };

struct cell {
  void *side[2];
  int value;
};

static void *end[2];

static void put(int at) {
  struct cell *c = malloc(sizeof *c), *next = end[at];
  if (!c) abort();
  c->value = 0;
  c->side[1 - at] = NULL;
  c->side[at] = NULL;
  if (next)
    next->side[at] = c;
  else
    end[1 - at] = c;
  end[at] = c;
}

static void take(int at) {
  struct cell *c = end[at];
  if (!c) return;
  struct cell *next = c->side[1 - at];
  end[at] = next;
  if (next)
    next->side[at] = NULL;
  else
    end[1 - at] = NULL;
  free(c);
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int at = __VERIFIER_nondet_int() ? LEFT : RIGHT;
    if (__VERIFIER_nondet_int())
      put(at);
    else
      take(at);
  }
  while (end[LEFT]) take(RIGHT);
  return 0;
}
