/* Functions to summarise: lists that are linked in one direction, with what their callers have to know of them. */
#include <stdlib.h>

struct node { struct node *next; int v; };
struct list { struct node *head; int n; };
struct node *last;
int count;

//@ requires l != null
void push(struct list *l, int v) {
  struct node *e = malloc(sizeof *e);
  e->v = v;
  e->next = l->head;
  l->head = e;
  count = 0;
}

//@ requires l != null
void reset(struct list *l) {
  for (struct node *c = l->head; c; c = c->next) c->v = 0;
}

//@ requires l != null
void reverse(struct list *l) {
  struct node *r = 0;
  while (l->head) {
    struct node *n = l->head;
    l->head = n->next;
    n->next = r;
    r = n;
  }
  l->head = r;
}

int length(struct node *x) { return x ? 1 + length(x->next) : 0; }

//@ requires l != null and (all x, y : l.head.*next - null | x.next = y.next => x = y) and (no x : l.head.*next | x in x.^next)
void clear(struct list *l) {
  while (l->head) {
    struct node *n = l->head;
    l->head = n->next;
    free(n);
  }
}

//@ requires x != null and y != null
struct node *join(struct node *x, struct node *y) {
  if (x == y) return x;
  x->next = y;
  return y;
}

//@ requires l != null
struct node *find_or_add(struct list *l, int v) {
  struct node *c = l->head;
  while (c && c->v != v) c = c->next;
  if (c) return c;
  push(l, v);
  last = l->head;
  return l->head;
}

//@ requires l != null
struct list *copy(struct list *l) {
  struct list *c = calloc(1, sizeof *c);
  for (struct node *n = l->head; n; n = n->next) push(c, n->v);
  return c;
}
