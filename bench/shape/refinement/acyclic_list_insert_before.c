/* A cell comes in front of any cell of a list; then the walk forward ends. Theoduloz 2010, table 5.2, row acyclic_list_insert_before. */
#include "list.h"

int main(void) {
  struct node *list = alloc_list(), *at = choose(list), *fresh = alloc_node();
  list_insert_before(fresh, at);
  if (at == list) list = fresh;
  assert_acyclic(list);
  return 0;
}
