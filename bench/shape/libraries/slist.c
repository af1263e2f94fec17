/* Operations of c-algorithms' singly linked list, each after a list of any length was made by prepending; in the end the list is freed.
 * -DOPERATION=NAME chooses one. */
#include "slist.h"

extern int __VERIFIER_nondet_int(void);
static int same(SListValue a, SListValue b) { return a == b; }

static int values[3];
static SListValue any_value(void) {
  int which = __VERIFIER_nondet_int();
  return which == 0 ? &values[0] : which == 1 ? &values[1] : &values[2];
}

static SListEntry *list;

static void prepend(void) { (void)slist_prepend(&list, any_value()); }
static void append(void) { (void)slist_append(&list, any_value()); }
static void nth_data(void) { (void)slist_nth_data(list, (unsigned)__VERIFIER_nondet_int()); }
static void length(void) { (void)slist_length(list); }
static void find_data(void) { (void)slist_find_data(list, same, any_value()); }
static void remove_data(void) { (void)slist_remove_data(&list, same, any_value()); }
static void remove_found(void) {
  SListEntry *at = slist_find_data(list, same, any_value());
  if (at) (void)slist_remove_entry(&list, at);
}
static void iterate(void) {
  SListIterator i;
  slist_iterate(&list, &i);
  while (slist_iter_has_more(&i)) (void)slist_iter_next(&i);
}
static void iterate_and_remove(void) {
  SListIterator i;
  slist_iterate(&list, &i);
  while (slist_iter_has_more(&i)) {
    (void)slist_iter_next(&i);
    if (__VERIFIER_nondet_int()) slist_iter_remove(&i);
  }
}
static void sort(void) { slist_sort(&list, same); }

int main(void) {
  while (__VERIFIER_nondet_int()) prepend();
  OPERATION();
  slist_free(list);
  return 0;
}
