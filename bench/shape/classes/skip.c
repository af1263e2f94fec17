/* Skip lists of two levels: OPERATION is one of insert, find, drop, walk, lift, push. RIGHT is 1, or 0 for the twin. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct cell { struct cell *next, *far; int key; };

static struct cell *one(struct cell *next, struct cell *far) {
  struct cell *c = malloc(sizeof *c);
  c->next = next;
  c->far = far;
  c->key = __VERIFIER_nondet_int();
  return c;
}

/* a cell behind one that both searches stop at, of either level. twin: the higher level leads past what stands behind */
static void insert(struct cell *head) {
  struct cell *above = head, *below;
  int key = __VERIFIER_nondet_int();
  while (above->far && above->far->key < key) above = above->far;
  below = above;
  while (below->next != above->far && below->next->key < key) below = below->next;
  struct cell *c = one(below->next, NULL);
  below->next = c;
  if (__VERIFIER_nondet_int()) {
    c->far = above->far;
    above->far = c;
  }
  if (!RIGHT && below->next->far) c->next = c->far;
}

/* twin: below, the end is not looked for */
static void find(struct cell *head) {
  struct cell *c = head;
  int key = __VERIFIER_nondet_int();
  while (c->far && c->far->key < key) c = c->far;
  while (RIGHT ? c->next && c->next->key < key : c->next->key < key) c = c->next;
}

/* the cell behind is taken out of the levels that it has. twin: the higher level still leads to it */
static void drop(struct cell *head) {
  struct cell *above = head, *below;
  while (above->far && __VERIFIER_nondet_int()) above = above->far;
  below = above;
  while (below->next != above->far && __VERIFIER_nondet_int()) below = below->next;
  struct cell *c = below->next;
  if (!c) return;
  if (c == above->far && RIGHT) above->far = c->far;
  below->next = c->next;
  free(c);
  while (head->far) head = head->far;
}

/* both levels. twin: one cell too far */
static void walk(struct cell *head) {
  int n = 0;
  for (struct cell *c = head->next; c; c = c->next) n += c->key != 0;
  for (struct cell *c = head->far; c; c = c->far) n += RIGHT ? c->key != 0 : c->far->key != 0;
}

/* a cell of the lower level gets the higher one, too. twin: what stood there is given back */
static void lift(struct cell *head) {
  struct cell *above = head, *c;
  while (above->far && __VERIFIER_nondet_int()) above = above->far;
  for (c = above->next; c != above->far && __VERIFIER_nondet_int(); c = c->next) continue;
  if (c == above->far) return;
  c->far = above->far;
  above->far = c;
  if (!RIGHT && c->far) free(c->far);
}

/* the first cell. twin: of the higher level alone */
static void push(struct cell *head) {
  struct cell *c = one(head->next, head->far);
  head->far = c;
  if (RIGHT) head->next = c;
}

int main(void) {
  struct cell *head = one(NULL, NULL);
  while (__VERIFIER_nondet_int()) {
    struct cell *c = one(head->next, NULL);
    head->next = c;
    if (__VERIFIER_nondet_int()) {
      c->far = head->far;
      head->far = c;
    }
  }
  OPERATION(head);
  while (head) {
    struct cell *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
