/* Cells linked both ways, with head and tail: OPERATION is one of push, append, take_last, drop_key, before, find, reverse. RIGHT is 1, or 0 for the twin. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct cell { struct cell *next, *prev; int key; };
struct list { struct cell *head, *tail; };

static struct cell *one(struct cell *prev, struct cell *next) {
  struct cell *c = malloc(sizeof *c);
  c->key = __VERIFIER_nondet_int();
  c->prev = prev;
  c->next = next;
  return c;
}

static void unlink(struct list *l, struct cell *c) {
  if (c->prev) c->prev->next = c->next;
  else l->head = c->next;
  if (c->next) c->next->prev = c->prev;
  else l->tail = c->prev;
  free(c);
}

/* twin: the old first cell does not lead back */
static void push(struct list *l) {
  struct cell *c = one(NULL, l->head);
  if (!l->head) l->tail = c;
  else if (RIGHT) l->head->prev = c;
  l->head = c;
}

/* twin: the new cell does not lead back */
static void append(struct list *l) {
  struct cell *c = one(RIGHT ? l->tail : NULL, NULL);
  if (l->tail) l->tail->next = c;
  else l->head = c;
  l->tail = c;
}

/* twin: the tail leads to the cell that was given back */
static void take_last(struct list *l) {
  struct cell *c = l->tail;
  if (!c) return;
  if (RIGHT) l->tail = c->prev;
  if (c->prev) c->prev->next = NULL;
  else l->head = l->tail = NULL;
  free(c);
}

/* twin: the cell behind leads back to the one that is given back */
static void drop_key(struct list *l) {
  int key = __VERIFIER_nondet_int();
  for (struct cell *c = l->head, *next; c; c = next) {
    next = c->next;
    if (c->key != key) continue;
    if (!RIGHT && c->prev && c->next) {
      c->prev->next = c->next;
      free(c);
    } else {
      unlink(l, c);
    }
  }
}

/* twin: the cell in front does not lead to the new one */
static void before(struct list *l) {
  struct cell *c = l->head;
  while (c && __VERIFIER_nondet_int()) c = c->next;
  if (!c) return;
  struct cell *n = one(c->prev, c);
  if (!c->prev) l->head = n;
  else if (RIGHT) c->prev->next = n;
  c->prev = n;
}

/* twin: the walk from the end reads in front of the first cell */
static void find(struct list *l) {
  int key = __VERIFIER_nondet_int();
  struct cell *c = l->tail;
  while (RIGHT ? c && c->key != key : c->key != key) c = c->prev;
}

/* twin: the head stays, so the others are lost */
static void reverse(struct list *l) {
  struct cell *c = l->head;
  while (c) {
    struct cell *next = c->next;
    c->next = c->prev;
    c->prev = next;
    c = next;
  }
  c = l->head;
  if (RIGHT) l->head = l->tail;
  l->tail = c;
}

int main(void) {
  struct list l = {NULL, NULL};
  while (__VERIFIER_nondet_int()) {
    struct cell *c = one(NULL, l.head);
    if (l.head) l.head->prev = c;
    else l.tail = c;
    l.head = c;
  }
  OPERATION(&l);
  if (__VERIFIER_nondet_int() && l.tail) unlink(&l, l.tail);
  while (l.head) unlink(&l, l.head);
  return 0;
}
