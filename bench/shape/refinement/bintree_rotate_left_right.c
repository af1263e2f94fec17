/* A rotation at the root of any tree; then there is no cycle along left or right links. Theoduloz
 * 2010, table 5.2, row bintree_rotate_left_right. */
#include "tree.h"

int main(void) {
  struct tree_node *root = alloc_tree();
  if (root->left && root->left->right) {
    struct tree_node *up = rotate_left(root->left);
    root->left = up;
    root = rotate_right(root);
  }
  assert_acyclic(root);
  return 0;
}
