/* Operations of c-algorithms' doubly linked list, each after a list of any length was made by prepending; in the end the list is freed.
 * -DOPERATION=NAME chooses one. */
#include "list.h"

extern int __VERIFIER_nondet_int(void);
static int same(ListValue a, ListValue b) { return a == b; }

static int values[3];
static ListValue any_value(void) {
  int which = __VERIFIER_nondet_int();
  return which == 0 ? &values[0] : which == 1 ? &values[1] : &values[2];
}

static ListEntry *all;

static void prepend(void) { (void)list_prepend(&all, any_value()); }
static void append(void) { (void)list_append(&all, any_value()); }
static void nth_data(void) { (void)list_nth_data(all, (unsigned)__VERIFIER_nondet_int()); }
static void length(void) { (void)list_length(all); }
static void find_data(void) { (void)list_find_data(all, same, any_value()); }
static void remove_data(void) { (void)list_remove_data(&all, same, any_value()); }
static void remove_found(void) {
  ListEntry *at = list_find_data(all, same, any_value());
  if (at) (void)list_remove_entry(&all, at);
}
static void iterate(void) {
  ListIterator i;
  list_iterate(&all, &i);
  while (list_iter_has_more(&i)) (void)list_iter_next(&i);
}
static void iterate_and_remove(void) {
  ListIterator i;
  list_iterate(&all, &i);
  while (list_iter_has_more(&i)) {
    (void)list_iter_next(&i);
    if (__VERIFIER_nondet_int()) list_iter_remove(&i);
  }
}
static void sort(void) { list_sort(&all, same); }

int main(void) {
  while (__VERIFIER_nondet_int()) prepend();
  OPERATION();
  list_free(all);
  return 0;
}
