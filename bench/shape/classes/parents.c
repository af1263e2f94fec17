/* Trees whose nodes lead to their parents: OPERATION is one of insert, find, up, from_below, drop_leaf. RIGHT is 1, or 0 for the twin. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *left, *right, *parent; int key; };

static struct node *one(struct node *parent) {
  struct node *n = malloc(sizeof *n);
  n->key = __VERIFIER_nondet_int();
  n->left = n->right = NULL;
  n->parent = parent;
  return n;
}

static struct node *leaf(struct node *t) {
  struct node *n = t;
  while (n->left || n->right) n = n->left && (!n->right || __VERIFIER_nondet_int()) ? n->left : n->right;
  return n;
}

static void grow(struct node *t) {
  int key = __VERIFIER_nondet_int();
  struct node *n = t;
  for (;;) {
    struct node **at = key < n->key ? &n->left : &n->right;
    if (!*at) {
      *at = one(n);
      return;
    }
    n = *at;
  }
}

/* twin: what was below is lost */
static void insert(struct node *t) {
  if (RIGHT) grow(t);
  else t->left = one(t);
}

/* twin: the walk reads below a leaf */
static void find(struct node *t) {
  int key = __VERIFIER_nondet_int();
  struct node *n = t;
  while (RIGHT ? n && n->key != key : n->key != key) n = key < n->key ? n->left : n->right;
}

/* twin: the walk reads above the root */
static void up(struct node *t) {
  struct node *n = leaf(t);
  while (RIGHT ? n->parent != NULL : 1) n = n->parent;
}

/* twin: a leaf's child is read without a look */
static void from_below(struct node *t) {
  struct node *n = leaf(t), *p = n->parent;
  if (p && p->left == n) n = RIGHT ? p->left : n->left;
  n->key = 1;
}

/* twin: the parent keeps its link */
static void drop_leaf(struct node *t) {
  struct node *n = leaf(t), *p = n->parent;
  if (!p) return;
  if (!RIGHT) {
    free(n);
    return;
  }
  if (p->left == n) p->left = NULL;
  else p->right = NULL;
  free(n);
}

static void give_back(struct node *t) {
  if (!t) return;
  give_back(t->left);
  give_back(t->right);
  free(t);
}

int main(void) {
  struct node *t = one(NULL);
  while (__VERIFIER_nondet_int()) grow(t);
  OPERATION(t);
  give_back(t);
  return 0;
}
