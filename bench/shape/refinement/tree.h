/* Binary trees as a C library has them, with a link to the parent (-DPARENT in the programs
 * treep_*) or without: rotations below any cell of any tree, then a check that C can express.
 * -DBROKEN makes each operation wrong in one place. */
#ifndef TREE_H
#define TREE_H

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

struct tree_node {
  struct tree_node *left, *right;
#ifdef PARENT
  struct tree_node *parent;
#endif
  int data;
};

static struct tree_node *alloc_node(void) { return calloc(1, sizeof(struct tree_node)); }

/* Any tree of at least one cell: leaves are added one by one. */
static struct tree_node *alloc_tree(void) {
  struct tree_node *root = alloc_node();
  while (__VERIFIER_nondet_int()) {
    struct tree_node *at = root, *fresh;
    while (__VERIFIER_nondet_int()) {
      struct tree_node *down = __VERIFIER_nondet_int() ? at->left : at->right;
      if (!down) break;
      at = down;
    }
    if (__VERIFIER_nondet_int()) {
      if (at->left) continue;
      fresh = alloc_node();
      at->left = fresh;
    } else {
      if (at->right) continue;
      fresh = alloc_node();
      at->right = fresh;
    }
#ifdef PARENT
    fresh->parent = at;
#endif
  }
  return root;
}

/* The right child comes up: it is the result, the cell its left child. */
static struct tree_node *rotate_left(struct tree_node *x) {
  struct tree_node *up = x->right, *middle = up->left;
#ifdef BROKEN
#ifdef PARENT
  x->right = middle;
  if (middle) middle->parent = up;
#else
  x->right = up;
#endif
#else
  x->right = middle;
#ifdef PARENT
  if (middle) middle->parent = x;
#endif
#endif
  up->left = x;
#ifdef PARENT
  up->parent = x->parent;
  x->parent = up;
#endif
  return up;
}

static struct tree_node *rotate_right(struct tree_node *x) {
  struct tree_node *up = x->left, *middle = up->right;
#ifdef BROKEN
#ifdef PARENT
  x->left = middle;
  if (middle) middle->parent = up;
#else
  x->left = up;
#endif
#else
  x->left = middle;
#ifdef PARENT
  if (middle) middle->parent = x;
#endif
#endif
  up->right = x;
#ifdef PARENT
  up->parent = x->parent;
  x->parent = up;
#endif
  return up;
}

/* A walk with two speeds along left links, and one along right links: on a cycle they meet. */
static void assert_acyclic(struct tree_node *root) {
  struct tree_node *slow = root, *fast = root;
  while (fast && fast->left) {
    slow = slow->left;
    fast = fast->left->left;
    if (slow == fast && slow) reach_error();
  }
  slow = fast = root;
  while (fast && fast->right) {
    slow = slow->right;
    fast = fast->right->right;
    if (slow == fast && slow) reach_error();
  }
}

#ifdef PARENT
/* Any way down: each child knows its parent. */
static void assert_parents(struct tree_node *p) {
  while (p) {
    if (p->left && p->left->parent != p) reach_error();
    if (p->right && p->right->parent != p) reach_error();
    p = __VERIFIER_nondet_int() ? p->left : p->right;
  }
}
#endif

#endif
