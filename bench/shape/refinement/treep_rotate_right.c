/* A rotation at the root of any tree; then each child knows its parent. Theoduloz 2010, table 5.2,
 * row treep_rotate_right. */
#define PARENT
#include "tree.h"

int main(void) {
  struct tree_node *root = alloc_tree();
  if (root->left) root = rotate_right(root);
  assert_parents(root);
  return 0;
}
