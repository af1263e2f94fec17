/* Rings of items, linked in both directions, with one item that stands for the ring. */
#include <stdbool.h>
#include <stdlib.h>

struct item { struct item *next, *prev; int key; };

//@ pred is_ring[l : struct item] { l in l.^next and (all i : l.*next | i.next.prev = i) }
//@ fun others[l : struct item] : set struct item { l.*next - l }

//@ requires l != null and is_ring[l]
//@ requires i != null and i !in l.*next
//@ modifies i.next, i.prev, l.next, l.next.prev
//@ ensures is_ring[l]' and others[l]' = others[l] + i and l.next' = i
void insert(struct item *l, struct item *i) {
  i->next = l->next;
  i->prev = l;
  l->next->prev = i;
  l->next = i;
}

//@ requires i != null and is_ring[i]
//@ modifies i.next, i.prev, i.prev.next, i.next.prev
//@ ensures i.next' = i and i.prev' = i
//@ ensures all o : others[i] | is_ring[o]' and o.*next' = others[i]
void unlink_item(struct item *i) {
  if (i->prev != i->next) i->prev->next = i->next;
  i->next->prev = i->prev;
  i->next = i->prev = i;
}

//@ requires l != null and is_ring[l]
//@ modifies l.next, l.next.prev, \alloc
//@ ensures \result !in \alloc and \result in \alloc'
//@ ensures is_ring[l]' and others[l]' = others[l] + \result and \result.key' = key
struct item *add(struct item *l, int key) {
  struct item *i = malloc(sizeof *i);
  if (l->next != l) i->key = key;
  insert(l, i);
  return i;
}

//@ requires l != null and is_ring[l]
//@ modifies none
//@ ensures \result <=> (some i : others[l] | i.key = key)
bool has(struct item *l, int key) {
  for (struct item *i = l->next; i != l; i = i->next)
    if (i->key == key) return true;
  return false;
}

//@ requires l != null and is_ring[l]
//@ modifies l.next, l.prev, \alloc
//@ ensures l.next' = l and l.prev' = l and \alloc' = \alloc - others[l]
void clear(struct item *l) {
  struct item *i = l->next;
  while (i != l) {
    struct item *next = i->next;
    if (next != l) free(i);
    i = next;
  }
  l->next = l->prev = l;
}
