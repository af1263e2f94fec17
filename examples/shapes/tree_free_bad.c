/* A search tree that grows by a recursive insertion and is given back by a recursive function.
 * Broken: a node is freed before the trees below it are.
 * Fails with inputs: 1 0 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
  int key;
  struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key) {
  if (t == NULL) {
    struct tree *n = malloc(sizeof *n);
    if (!n) abort();
    n->key = key;
    n->left = n->right = NULL;
    return n;
  }
  if (key < t->key)
    t->left = insert(t->left, key);
  else
    t->right = insert(t->right, key);
  return t;
}

static void free_tree(struct tree *t) {
  if (t == NULL) return;
  free(t);
  free_tree(t->left);
  free_tree(t->right);
}

int main(void) {
  struct tree *root = NULL;
  while (__VERIFIER_nondet_int()) root = insert(root, __VERIFIER_nondet_int());
  free_tree(root);
  return 0;
}
