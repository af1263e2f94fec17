/* Two lists become one; then forth and back is back. Theoduloz 2010, table 5.2, row cancel_list_link. */
#include "list.h"

int main(void) {
  struct node *list = alloc_list(), *other = alloc_list();
  list_link(last_of(list), other);
  assert_cancel(list);
  return 0;
}
