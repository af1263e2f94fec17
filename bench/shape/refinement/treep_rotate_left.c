/* A rotation at the root of any tree; then each child knows its parent. Theoduloz 2010, table 5.2,
 * row treep_rotate_left. */
#define PARENT
#include "tree.h"

int main(void) {
  struct tree_node *root = alloc_tree();
  if (root->right) root = rotate_left(root);
  assert_parents(root);
  return 0;
}
