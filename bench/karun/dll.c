/* DLL: lists that are linked in both directions, in a ring around a sentinel, with their ten operations and contracts that say all of what they do.
 *
 * What a list holds is said by the order of its items: `items` leads from each item that is not the last to the next one.
 *
 * BUG_LINK  an item that is put behind another one is not linked backwards */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

struct data { int key; };
struct item { struct item *next, *prev; struct data *data; };
struct list { struct item *ring; };

/*@ fun items[l : struct list] : set struct item { l.ring.^next - l.ring }
    fun content[l : struct list] : set struct data { items[l].data }
    pred is_list[l : struct list] {
      one l - null
      one l.ring - null
      l.ring in l.ring.^next
      all i : l.ring.*next | i.next.prev = i
    }
    // Apart from one item the list is in the order that it had.
    pred same_but[l : struct list, i : struct item] {
      items[l]' - i = items[l] - i
      all a, b : items[l] - i | (b in a.^(next - l.ring -> univ) <=> b in a.^(next' - l.ring -> univ))
      all a : items[l] - i | a.data' = a.data
    } */

static struct item *item_new(struct data *d) {
  struct item *i = malloc(sizeof *i);
  i->data = d;
  return i;
}

static void link_behind(struct item *at, struct item *i) {
  i->next = at->next;
  i->prev = at;
#ifndef BUG_LINK
  at->next->prev = i;
#endif
  at->next = i;
}

static void unlink_item(struct item *i) {
  i->prev->next = i->next;
  i->next->prev = i->prev;
}

static bool is_empty(const struct list *l) { return l->ring->next == l->ring; }

//@ requires l != null and is_list[l]
//@ ensures is_list[l]' and (some i : items[l]' | i !in \alloc and i.data' = d and l.ring.prev' = i and same_but[l, i])
void add_last(struct list *l, struct data *d) { link_behind(l->ring->prev, item_new(d)); }

//@ requires l != null and is_list[l]
//@ ensures is_list[l]' and (some i : items[l]' | i !in \alloc and i.data' = d and l.ring.next' = i and same_but[l, i])
void add_first(struct list *l, struct data *d) { link_behind(l->ring, item_new(d)); }

//@ requires l != null and is_list[l]
//@ ensures \result and content[l]' = content[l] + d - null and is_list[l]'
//@ ensures #items[l]' = #items[l] + 1 and l.ring.prev'.data' = d
bool add(struct list *l, struct data *d) {
  add_last(l, d);
  return true;
}

//@ requires l != null and is_list[l]
//@ ensures is_list[l]' and (no items[l] => \result = null and no items[l]')
//@ ensures some items[l] => \result = l.ring.next.data and items[l]' = items[l] - l.ring.next and same_but[l, l.ring.next]
struct data *remove_first(struct list *l) {
  if (is_empty(l)) return NULL;
  struct item *i = l->ring->next;
  unlink_item(i);
  return i->data;
}

//@ requires l != null and is_list[l]
//@ ensures is_list[l]' and (no items[l] => \result = null and no items[l]')
//@ ensures some items[l] => \result = l.ring.prev.data and items[l]' = items[l] - l.ring.prev and same_but[l, l.ring.prev]
struct data *remove_last(struct list *l) {
  if (is_empty(l)) return NULL;
  struct item *i = l->ring->prev;
  unlink_item(i);
  return i->data;
}

//@ requires l != null and is_list[l]
//@ modifies none
//@ ensures \result = (if some items[l] then l.ring.next.data else null)
struct data *get_first(const struct list *l) { return is_empty(l) ? NULL : l->ring->next->data; }

//@ requires l != null and is_list[l]
//@ modifies none
//@ ensures \result = (if some items[l] then l.ring.prev.data else null)
struct data *get_last(const struct list *l) { return is_empty(l) ? NULL : l->ring->prev->data; }

/* The first item that holds it. */
//@ requires l != null and is_list[l]
//@ ensures is_list[l]' and (\result <=> some (items[l] & data.d))
//@ ensures not \result => items[l]' = items[l]
//@ ensures \result => (some i : items[l] & data.d | no (data.d & (items[l] & i.^(prev - l.ring -> univ))) and i !in items[l]' and same_but[l, i])
bool remove_data(struct list *l, const struct data *d) {
  struct item *i = l->ring->next;
  while (i != l->ring && i->data != d) i = i->next;
  if (i == l->ring) return false;
  unlink_item(i);
  return true;
}

//@ requires l != null and is_list[l]
//@ modifies l.ring.next, l.ring.prev
//@ ensures is_list[l]' and no items[l]'
void clear(struct list *l) { l->ring->next = l->ring->prev = l->ring; }

/* A list of its own with the same data in the same order. */
//@ requires l != null and is_list[l]
//@ ensures is_list[l]' and items[l]' = items[l] and \result !in \alloc
//@ ensures is_list[\result]' and no (items[\result]' & \alloc) and #items[\result]' = #items[l]
//@ ensures all a : items[l], b : items[\result]' | #(a.^(next - l.ring -> univ)) = #(b.^(next' - \result.ring' -> univ)) => a.data = b.data'
struct list *clone(const struct list *l) {
  struct list *c = malloc(sizeof *c);
  c->ring = item_new(NULL);
  c->ring->next = c->ring->prev = c->ring;
  for (const struct item *i = l->ring->next; i != l->ring; i = i->next) add_last(c, i->data);
  return c;
}
