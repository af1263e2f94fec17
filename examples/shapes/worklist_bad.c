/* A tree whose cells know their parents, which nobody asks them for: it grows at any place that has
 * room, and is given back by a list of trees that are left to do.
 * Broken: a cell with two subtrees puts the left one on the list twice, the right one never.
 * Fails with inputs: 1 1 0 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
  struct tree *left, *right, *parent;
};
struct work {
  struct work *next;
  struct tree *tree;
};

static struct tree *new_tree(struct tree *parent) {
  struct tree *t = malloc(sizeof *t);
  if (!t) abort();
  t->left = t->right = NULL;
  t->parent = parent;
  return t;
}

static struct work *put(struct work *list, struct tree *tree) {
  struct work *w = malloc(sizeof *w);
  if (!w) abort();
  w->next = list;
  w->tree = tree;
  return w;
}

int main(void) {
  struct tree *root = new_tree(NULL);
  while (__VERIFIER_nondet_int()) {
    struct tree *at = root;
    while (at->left && at->right) at = __VERIFIER_nondet_int() ? at->left : at->right;
    if (!at->left)
      at->left = new_tree(at);
    else
      at->right = new_tree(at);
  }
  struct work *list = put(NULL, root);
  while (list) {
    struct work *w = list;
    struct tree *t = w->tree;
    list = w->next;
    free(w);
    if (t->left) list = put(list, t->left);
    if (t->right) list = put(list, t->left);
    free(t);
  }
  return 0;
}
