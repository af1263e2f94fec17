/* Rings in the style of kernel lists: the cell with the largest number is looked for, with its place
 * kept beside the place of the walk, and moved to a second ring until nothing is left; then that is given back.
 * Proved for rings of any length: no access outside of a block, no double free, nothing lost. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link {
  struct link *next, *prev;
};
struct item {
  int number;
  struct link link;
};
#define item_of(l) ((struct item *)((char *)(l) - offsetof(struct item, link)))

static struct link all = {&all, &all};

static void put(struct link *l, struct link *head) {
  l->next = head->next;
  l->prev = head;
  head->next->prev = l;
  head->next = l;
}

static void take(struct link *l) {
  l->next->prev = l->prev;
  l->prev->next = l->next;
}

static struct link *largest(void) {
  struct link *best = all.next;
  for (struct link *at = best->next; at != &all; at = at->next)
    if (item_of(at)->number > item_of(best)->number) best = at;
  return best;
}

int main(void) {
  struct link sorted = {&sorted, &sorted};
  while (__VERIFIER_nondet_int()) {
    struct item *i = malloc(sizeof *i);
    if (!i) abort();
    i->number = __VERIFIER_nondet_int();
    put(&i->link, &all);
  }
  while (all.next != &all) {
    struct link *best = largest();
    take(best);
    put(best, &sorted);
  }
  while (sorted.next != &sorted) {
    struct link *l = sorted.next;
    take(l);
    free(item_of(l));
  }
  return 0;
}
