/* Lists of objects, by contract (see tp_set.h): places 0, 1, ... up to the length, one object at each. */
#ifndef TP_LIST_H
#define TP_LIST_H

#include "tp_set.h"

#include <stdbool.h>

struct tp_list {
  void *implementation;
  //@ ghost items : int -> lone object
  //@ invariant all i : this.items.univ | i >= 0 and i < #this.items
};

/* A new list without items; NULL: there is no memory. */
//@ modifies \alloc
//@ ensures \result != null => \result !in \alloc and \alloc' = \alloc + \result and no \result.items'
//@ ensures \result = null => \alloc' = \alloc
struct tp_list *tp_list_new(void);

//@ requires l != null
//@ modifies \alloc
//@ ensures \alloc' = \alloc - l
void tp_list_free(struct tp_list *l);

//@ requires l != null
//@ modifies none
//@ ensures \result = #l.items
int tp_list_length(const struct tp_list *l);

//@ requires l != null and i >= 0 and i < #l.items
//@ modifies none
//@ ensures \result = l.items[i]
void *tp_list_get(const struct tp_list *l, int i);

/* What was there. */
//@ requires l != null and x != null and i >= 0 and i < #l.items
//@ modifies l.items
//@ ensures l.items' = l.items ++ (i -> x)
//@ ensures \result = l.items[i]
void *tp_list_set(struct tp_list *l, int i, void *x);

//@ requires l != null and x != null
//@ modifies l.items
//@ ensures l.items' = l.items + ((#l.items) -> x)
void tp_list_append(struct tp_list *l, void *x);

/* In front of place i; what stood there and behind it moves on. */
//@ requires l != null and x != null and i >= 0 and i <= #l.items
//@ modifies l.items
//@ ensures all k : int | k < i => l.items'[k] = l.items[k]
//@ ensures l.items'[i] = x
//@ ensures all k : int | k > i => l.items'[k] = l.items[k - 1]
void tp_list_insert(struct tp_list *l, int i, void *x);

/* What was there; what stood behind it moves up. */
//@ requires l != null and i >= 0 and i < #l.items
//@ modifies l.items
//@ ensures all k : int | k < i => l.items'[k] = l.items[k]
//@ ensures all k : l.items.univ | k > i => l.items'[k - 1] = l.items[k]
//@ ensures #l.items' = #l.items - 1
//@ ensures \result = l.items[i]
void *tp_list_remove(struct tp_list *l, int i);

/* The first place where it is; -1: nowhere. */
//@ requires l != null
//@ modifies none
//@ ensures x !in univ.(l.items) => \result = -1
//@ ensures x in univ.(l.items) => \result in l.items.x and no k : l.items.x | k < \result
int tp_list_find(const struct tp_list *l, const void *x);

//@ requires l != null
//@ modifies none
//@ ensures \result <=> x in univ.(l.items)
bool tp_list_has(const struct tp_list *l, const void *x);

//@ requires l != null
//@ modifies l.items
//@ ensures no l.items'
void tp_list_clear(struct tp_list *l);

/* The items of `from` behind those of `to`. */
//@ requires to != null and from != null
//@ modifies to.items
//@ ensures all k : int | k < #to.items => to.items'[k] = to.items[k]
//@ ensures all k : from.items.univ | to.items'[k + #to.items] = from.items[k]
//@ ensures #to.items' = #to.items + #from.items
void tp_list_append_all(struct tp_list *to, const struct tp_list *from);

/* A new set of its items, as they are now; NULL: there is no memory. */
//@ requires l != null
//@ modifies \alloc
//@ ensures \result != null => \result !in \alloc and \alloc' = \alloc + \result and \result.contains' = univ.(l.items)
//@ ensures \result = null => \alloc' = \alloc
struct tp_set *tp_list_members(const struct tp_list *l);

#endif
