/* A list with a pointer to its end: OPERATION is one of append, push, take, drop_key, find, reverse, behind. RIGHT is 1, or 0 for the twin. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct cell { struct cell *next; int key; };
struct queue { struct cell *first, *last; };

static void append_key(struct queue *q, int key) {
  struct cell *c = malloc(sizeof *c);
  c->key = key;
  c->next = NULL;
  if (q->last) q->last->next = c;
  else q->first = c;
  q->last = c;
}

/* twin: the cell is linked behind nothing */
static void append(struct queue *q) {
  struct cell *c = malloc(sizeof *c);
  c->key = 4;
  c->next = NULL;
  if (RIGHT && q->last) q->last->next = c;
  else q->first = c;
  q->last = c;
}

/* twin: the other cells are lost */
static void push(struct queue *q) {
  struct cell *c = malloc(sizeof *c);
  c->key = 1;
  c->next = RIGHT ? q->first : NULL;
  q->first = c;
  if (!q->last) q->last = c;
}

/* twin: the end leads to the cell that was given back */
static void take(struct queue *q) {
  struct cell *c = q->first;
  if (!c) return;
  q->first = c->next;
  if (RIGHT && !q->first) q->last = NULL;
  free(c);
}

/* twin: the end is not moved */
static void drop_key(struct queue *q) {
  int key = __VERIFIER_nondet_int();
  struct cell *before = NULL, *c = q->first;
  while (c && c->key != key) {
    before = c;
    c = c->next;
  }
  if (!c) return;
  if (before) before->next = c->next;
  else q->first = c->next;
  if (RIGHT && c == q->last) q->last = before;
  free(c);
}

/* twin: the walk reads behind the end */
static void find(struct queue *q) {
  struct cell *c = q->first;
  int key = __VERIFIER_nondet_int();
  while (RIGHT ? c && c->key != key : c->key != key) c = c->next;
}

/* twin: the first cell stays first, so the others are lost */
static void reverse(struct queue *q) {
  struct cell *done = NULL, *c = q->first;
  q->last = q->first;
  while (c) {
    struct cell *next = c->next;
    c->next = done;
    done = c;
    c = next;
  }
  q->first = RIGHT ? done : q->first;
}

/* twin: the cells behind the new one are lost */
static void behind(struct queue *q) {
  struct cell *c = q->first;
  while (c && __VERIFIER_nondet_int()) c = c->next;
  if (!c) return;
  struct cell *n = malloc(sizeof *n);
  n->key = 2;
  n->next = RIGHT ? c->next : NULL;
  c->next = n;
  if (c == q->last) q->last = n;
}

int main(void) {
  struct queue q = {NULL, NULL};
  while (__VERIFIER_nondet_int()) append_key(&q, __VERIFIER_nondet_int());
  OPERATION(&q);
  if (__VERIFIER_nondet_int()) append_key(&q, 3);
  while (q.first) {
    struct cell *next = q.first->next;
    free(q.first);
    q.first = next;
  }
  return 0;
}
