/* A rotation at the root of any tree; then there is no cycle along left or right links. Theoduloz
 * 2010, table 5.2, row bintree_rotate_right. */
#include "tree.h"

int main(void) {
  struct tree_node *root = alloc_tree();
  if (root->left) root = rotate_right(root);
  assert_acyclic(root);
  return 0;
}
