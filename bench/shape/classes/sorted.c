/* Lists in order: OPERATION is one of insert, drop, find, merge, put_all, insertion_sort, bubble_sort, reverse. RIGHT is 1, or 0 for the twin. A walk at the end asserts the order. */
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

/* Cells with any keys in front of it. */
static struct node *mix(struct node *list) {
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->key = __VERIFIER_nondet_int();
    n->next = list;
    list = n;
  }
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

/* Cells of a list in no order, by their links; twin: the first cell is never compared */
static struct node *insertion_sort(struct node *list) {
  struct node *out = NULL;
  list = mix(list);
  while (list) {
    struct node *n = list, *before = NULL, *at = out;
    list = list->next;
    if (!RIGHT && at) {
      before = at;
      at = at->next;
    }
    while (at && at->key < n->key) {
      before = at;
      at = at->next;
    }
    n->next = at;
    if (before) before->next = n;
    else out = n;
  }
  return out;
}

/* Neighbours trade places until none did in a whole pass; twin: one pass */
static struct node *bubble_sort(struct node *list) {
  list = mix(list);
  int changed = 1;
  while (changed) {
    struct node *before = NULL, *at = list;
    changed = 0;
    while (at && at->next) {
      struct node *next = at->next;
      if (at->key > next->key) {
        at->next = next->next;
        next->next = at;
        if (before) before->next = next;
        else list = next;
        before = next;
        changed = 1;
      } else {
        before = at;
        at = next;
      }
    }
    if (!RIGHT) changed = 0;
  }
  return list;
}

static struct node *turned(struct node *list) {
  struct node *out = NULL;
  while (list) {
    struct node *next = list->next;
    list->next = out;
    out = list;
    list = next;
  }
  return out;
}

/* and back; twin: equal keys are said not to be neighbours */
static struct node *reverse(struct node *list) {
  list = turned(list);
  for (struct node *at = list; at && at->next; at = at->next)
    assert(RIGHT ? at->key >= at->next->key : at->key > at->next->key);
  return turned(list);
}

int main(void) {
  struct node *list = OPERATION(some());
  for (struct node *at = list; at && at->next; at = at->next) assert(at->key <= at->next->key);
  give_back(list);
  return 0;
}
