/* Operations of c-algorithms' AVL tree, each after a tree of any size was made by insertion; in the end the tree is freed. -DOPERATION=NAME
 * chooses one. */
#include "avl-tree.h"

extern int __VERIFIER_nondet_int(void);
static int compare(AVLTreeValue a, AVLTreeValue b) { return a == b ? 0 : __VERIFIER_nondet_int(); }

static int keys[3];
static AVLTreeKey any_key(void) {
  int which = __VERIFIER_nondet_int();
  return which == 0 ? &keys[0] : which == 1 ? &keys[1] : &keys[2];
}

static void insert(AVLTree *t) { (void)avl_tree_insert(t, any_key(), any_key()); }
static void lookup(AVLTree *t) { (void)avl_tree_lookup(t, any_key()); }
static void remove_key(AVLTree *t) { (void)avl_tree_remove(t, any_key()); }
static void child(AVLTree *t) {
  AVLTreeNode *n = avl_tree_root_node(t);
  while (n && __VERIFIER_nondet_int()) n = avl_tree_node_child(n, __VERIFIER_nondet_int() ? AVL_TREE_NODE_LEFT : AVL_TREE_NODE_RIGHT);
}
static void num_entries(AVLTree *t) { (void)avl_tree_num_entries(t); }

int main(void) {
  AVLTree *t = avl_tree_new(compare);
  if (!t) return 0;
  while (__VERIFIER_nondet_int()) insert(t);
  OPERATION(t);
  avl_tree_free(t);
  return 0;
}
