/* Any cell is taken out of a list; then the walk forward ends. Theoduloz 2010, table 5.2, row acyclic_list_remove. */
#include "list.h"

int main(void) {
  struct node *list = alloc_list(), *at = choose(list);
  if (at == list) list = list->succ;
  list_remove(at);
  assert_acyclic(list);
  return 0;
}
