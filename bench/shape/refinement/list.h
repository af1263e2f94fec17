/* Doubly linked lists as a C library has them: cells in clients' hands, operations on a cell or two. What clients do with them in these
 * programs is any list of at least one cell, one call, and a check that C can express. -DBROKEN makes each operation wrong in one place. */
#ifndef LIST_H
#define LIST_H

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

struct node {
  struct node *succ, *pred;
  int data;
};

static struct node *alloc_node(void) { return calloc(1, sizeof(struct node)); }

/* Any list, built from front to back. */
static struct node *alloc_list(void) {
  struct node *first = alloc_node(), *last = first;
  while (__VERIFIER_nondet_int()) {
    struct node *fresh = alloc_node();
    last->succ = fresh;
    fresh->pred = last;
    last = fresh;
  }
  return first;
}

/* Any of its cells. */
static struct node *choose(struct node *p) {
  while (p->succ && __VERIFIER_nondet_int()) p = p->succ;
  return p;
}

static struct node *last_of(struct node *p) {
  while (p->succ) p = p->succ;
  return p;
}

/* Forth and back is back. */
static void assert_cancel(struct node *p) {
  while (p && p->succ) {
    if (p->succ->pred != p) reach_error();
    p = p->succ;
  }
}

/* A walk with two speeds: on a cycle they meet. */
static void assert_acyclic(struct node *p) {
  struct node *slow = p, *fast = p;
  while (fast && fast->succ) {
    slow = slow->succ;
    fast = fast->succ->succ;
    if (slow == fast && slow) reach_error();
  }
}

static void list_link(struct node *a, struct node *b) {
  a->succ = b;
#ifdef BROKEN
  b->pred = b;
  if (b->succ) b->succ->succ = a;
#else
  b->pred = a;
#endif
}

static void list_insert_after(struct node *fresh, struct node *at) {
  fresh->pred = at;
#ifdef BROKEN
  at->succ = fresh;
  fresh->succ = at->succ;
#else
  fresh->succ = at->succ;
  if (at->succ) at->succ->pred = fresh;
  at->succ = fresh;
#endif
}

static void list_insert_before(struct node *fresh, struct node *at) {
  fresh->succ = at;
  fresh->pred = at->pred;
#ifdef BROKEN
  at->succ = fresh;
#else
  if (at->pred) at->pred->succ = fresh;
  at->pred = fresh;
#endif
}

static void list_remove(struct node *e) {
  if (e->pred) e->pred->succ = e->succ;
#ifdef BROKEN
  if (e->succ) e->succ->succ = e->pred;
#else
  if (e->succ) e->succ->pred = e->pred;
#endif
}

#endif
