/* Cells in a ring, entered at any of them: OPERATION is one of insert, take_next, walk, append, splice, find, middle. RIGHT is 1, or 0 for the twin. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct cell { struct cell *next; int key; };

static struct cell *one(void) {
  struct cell *c = malloc(sizeof *c);
  c->key = __VERIFIER_nondet_int();
  c->next = c;
  return c;
}

static struct cell *ring(void) {
  struct cell *at = one();
  while (__VERIFIER_nondet_int()) {
    struct cell *c = one();
    c->next = at->next;
    at->next = c;
  }
  return at;
}

/* twin: the rest of the ring is lost */
static void insert(struct cell *at) {
  struct cell *c = one();
  if (RIGHT) c->next = at->next;
  at->next = c;
}

/* twin: a ring of one cell gives its only cell back */
static void take_next(struct cell *at) {
  struct cell *c = at->next;
  if (RIGHT && c == at) return;
  at->next = c->next;
  free(c);
}

/* twin: the walk goes on to a cell that was given back */
static void walk(struct cell *at) {
  int n = 0;
  struct cell *c = at->next;
  while (c != at) {
    n += c->key != 0;
    c = c->next;
  }
  if (!RIGHT) free(c->next);
}

/* twin: the cell in front of the first one is not linked */
static void append(struct cell *at) {
  struct cell *c = at;
  while (c->next != at) c = c->next;
  struct cell *n = one();
  n->next = at;
  if (RIGHT) c->next = n;
}

/* twin: the second ring stays by itself */
static void splice(struct cell *at) {
  struct cell *other = ring(), *next = at->next;
  if (!RIGHT) return;
  at->next = other->next;
  other->next = next;
}

/* twin: what is found is given back, and stays in the ring */
static void find(struct cell *at) {
  struct cell *c = at->next;
  while (c != at && c->key != 7) c = c->next;
  if (!RIGHT && c != at) free(c);
}

/* twin: the cells behind the new one are lost */
static void middle(struct cell *at) {
  struct cell *c = at;
  while (c->next != at && __VERIFIER_nondet_int()) c = c->next;
  struct cell *n = one();
  n->next = RIGHT ? c->next : at;
  c->next = n;
}

int main(void) {
  struct cell *at = ring();
  OPERATION(at);
  struct cell *c = at->next;
  while (c != at) {
    struct cell *next = c->next;
    free(c);
    c = next;
  }
  free(at);
  return 0;
}
