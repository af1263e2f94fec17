/* A cell comes behind any cell of a list; then forth and back is back. Theoduloz 2010, table 5.2, row cancel_list_insert_after. */
#include "list.h"

int main(void) {
  struct node *list = alloc_list(), *fresh = alloc_node();
  list_insert_after(fresh, choose(list));
  assert_cancel(list);
  return 0;
}
