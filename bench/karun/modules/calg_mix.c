/* list.c of c-algorithms, and a caller of it. */
#include "list.c"
/* Moves the first entry of one list to the end of another, changes what an entry holds, and looks
 * at both lists. */
int mix(ListEntry **a, ListEntry **b, void *x) {
  ListEntry *e = list_nth_entry(*a, 0);
  void *d = list_data(e);
  if (e) {
    list_remove_entry(a, e);
    list_append(b, d);
  }
  list_prepend(b, x);
  if (list_length(*a) > 1) {
    e = list_next(*a);
    list_set_data(e, x);
    list_remove_entry(a, e);
  }
  list_append(a, x);
  return list_nth_data(*b, 1) == d;
}
