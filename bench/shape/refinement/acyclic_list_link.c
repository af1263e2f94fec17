/* Two lists become one; then the walk forward ends. Theoduloz 2010, table 5.2, row acyclic_list_link. */
#include "list.h"

int main(void) {
  struct node *list = alloc_list(), *other = alloc_list();
  list_link(last_of(list), other);
  assert_acyclic(list);
  return 0;
}
