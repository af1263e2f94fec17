/* A circular list in the manner of kernels, walked along by a pointer to the items around its links: behind the last one it leads to no item.
 * Broken: the step to the next item is made from one that was freed.
 * Fails with inputs: 1 10 0 */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link {
  struct link *next, *prev;
};
struct item {
  int value;
  struct link link;
};
#define item_of(l) ((struct item *)((char *)(l)-offsetof(struct item, link)))

static struct link all = {&all, &all};

static void put(struct item *i) {
  i->link.next = &all;
  i->link.prev = all.prev;
  all.prev->next = &i->link;
  all.prev = &i->link;
}

static void take(struct item *i) {
  i->link.next->prev = i->link.prev;
  i->link.prev->next = i->link.next;
  free(i);
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    struct item *i = malloc(sizeof *i);
    if (!i) abort();
    i->value = __VERIFIER_nondet_int();
    put(i);
  }
  for (struct item *i = item_of(all.next); &i->link != &all; i = item_of(i->link.next)) i->value |= 1;
  for (struct item *i = item_of(all.next), *next; &i->link != &all; i = item_of(i->link.next)) {
    next = item_of(i->link.next);
    if (i->value > 9) take(i);
  }
  while (all.next != &all) take(item_of(all.next));
  return 0;
}
