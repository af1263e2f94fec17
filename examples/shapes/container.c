/* A circular list in the manner of kernels: links stand in the middle of the items, the list's head is a local.
 * Proved for lists of any length: no access outside of an item, each is freed once, none is lost. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
  struct list_head *next, *prev;
};
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

struct item {
  int value;
  struct list_head link;
};

static void list_add(struct list_head *entry, struct list_head *head) {
  head->next->prev = entry;
  entry->next = head->next;
  entry->prev = head;
  head->next = entry;
}

static void list_del(struct list_head *entry) {
  entry->next->prev = entry->prev;
  entry->prev->next = entry->next;
}

int main(void) {
  struct list_head head = {&head, &head};
  while (__VERIFIER_nondet_int()) {
    struct item *i = malloc(sizeof *i);
    if (!i) abort();
    i->value = __VERIFIER_nondet_int();
    list_add(&i->link, &head);
  }
  while (head.next != &head) {
    struct item *i = container_of(head.next, struct item, link);
    list_del(&i->link);
    free(i);
  }
  return 0;
}
