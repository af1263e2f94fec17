/* Operations of a list in the style of the Linux kernel (links inside of items, `container_of`), each after a list of any length was made;
 * in the end every item is taken out and freed. -DOPERATION=NAME chooses one. */
#include <stdlib.h>
#include "list.h"

extern int __VERIFIER_nondet_int(void);

struct item {
  int value;
  struct list_head link;
};

static LIST_HEAD(all);

static struct item *fresh(void) {
  struct item *i = malloc(sizeof *i);
  i->value = __VERIFIER_nondet_int();
  return i;
}
static void add(void) { list_add(&fresh()->link, &all); }
static void add_tail(void) { list_add_tail(&fresh()->link, &all); }
static void walk(void) {
  struct item *i;
  list_for_each_entry (i, &all, link)
    i->value = 0;
}
static void delete_first(void) {
  if (list_empty(&all)) return;
  struct item *i = list_first_entry(&all, struct item, link);
  list_del(&i->link);
  free(i);
}
static void delete_some(void) {
  struct item *i, *next;
  list_for_each_entry_safe (i, next, &all, link)
    if (i->value == 0) {
      list_del(&i->link);
      free(i);
    }
}

int main(void) {
  while (__VERIFIER_nondet_int()) add();
  OPERATION();
  while (!list_empty(&all)) delete_first();
  return 0;
}
