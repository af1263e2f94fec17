/* Lists in order: OPERATION is one of insert, drop, find, merge, put_all. RIGHT is 1, or 0 for the twin. A walk at the end asserts the order. */
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };

static struct node *put(struct node *list, int key) {
  struct node *n = malloc(sizeof *n), *before = NULL, *at = list;
  n->key = key;
  while (at && at->key < key) {
    before = at;
    at = at->next;
  }
  n->next = at;
  if (!before) return n;
  before->next = n;
  return list;
}

static struct node *some(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) list = put(list, __VERIFIER_nondet_int());
  return list;
}

static void give_back(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}

/* twin: behind the first cell, whatever its key is */
static struct node *insert(struct node *list) {
  int key = __VERIFIER_nondet_int();
  if (RIGHT || !list) return put(list, key);
  struct node *n = malloc(sizeof *n);
  n->key = key;
  n->next = list->next;
  list->next = n;
  return list;
}

/* twin: the cell before it gets a key that is too large */
static struct node *drop(struct node *list) {
  int key = __VERIFIER_nondet_int();
  struct node *before = NULL, *at = list;
  while (at && at->key != key) {
    before = at;
    at = at->next;
  }
  if (!at) return list;
  struct node *rest = at->next;
  if (!RIGHT && before) before->key = key + 1;
  free(at);
  if (!before) return rest;
  before->next = rest;
  return list;
}

/* twin: a later cell may have the key that the walk has passed */
static struct node *find(struct node *list) {
  int key = __VERIFIER_nondet_int();
  struct node *at = list;
  while (at && at->key < key) at = at->next;
  for (; at; at = at->next) assert(RIGHT ? at->key >= key : at->key > key);
  return list;
}

/* twin: the larger one of both comes first */
static struct node *merge(struct node *a) {
  struct node *b = some(), *first = NULL, *last = NULL;
  while (a && b) {
    struct node *n;
    if (RIGHT ? a->key <= b->key : a->key >= b->key) {
      n = a;
      a = a->next;
    } else {
      n = b;
      b = b->next;
    }
    if (last) last->next = n;
    else first = n;
    last = n;
  }
  struct node *rest = a ? a : b;
  if (!last) return rest;
  last->next = rest;
  return first;
}

/* twin: a cell is put in front */
static struct node *put_all(struct node *list) {
  struct node *out = NULL;
  while (list) {
    struct node *next = list->next;
    if (RIGHT) {
      out = put(out, list->key);
      free(list);
    } else {
      list->next = out;
      out = list;
    }
    list = next;
  }
  return out;
}

int main(void) {
  struct node *list = OPERATION(some());
  for (struct node *at = list; at && at->next; at = at->next) assert(at->key <= at->next->key);
  give_back(list);
  return 0;
}
