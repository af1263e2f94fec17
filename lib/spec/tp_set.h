/* Sets of objects, by contract: what each function does, whatever implements it.
 *
 * A program includes this header and is checked against the contracts; whoever implements the functions says in a ghost or model field of the
 * same name what his set contains. Members are told apart by their addresses. */
#ifndef TP_SET_H
#define TP_SET_H

#include <stdbool.h>

struct tp_set {
  void *implementation;
  //@ ghost contains : set object
};

/* A new set without members; NULL: there is no memory. */
//@ modifies \alloc
//@ ensures \result != null => \result !in \alloc and \alloc' = \alloc + \result and no \result.contains'
//@ ensures \result = null => \alloc' = \alloc
struct tp_set *tp_set_new(void);

/* Its members live on. */
//@ requires s != null
//@ modifies \alloc
//@ ensures \alloc' = \alloc - s
void tp_set_free(struct tp_set *s);

/* Was it not there before? */
//@ requires s != null and x != null
//@ modifies s.contains
//@ ensures s.contains' = s.contains + x
//@ ensures \result <=> x !in s.contains
bool tp_set_add(struct tp_set *s, void *x);

/* Was it there? */
//@ requires s != null and x != null
//@ modifies s.contains
//@ ensures s.contains' = s.contains - x
//@ ensures \result <=> x in s.contains
bool tp_set_remove(struct tp_set *s, void *x);

//@ requires s != null
//@ modifies none
//@ ensures \result <=> x in s.contains
bool tp_set_has(const struct tp_set *s, const void *x);

//@ requires s != null
//@ modifies none
//@ ensures \result = #s.contains
int tp_set_size(const struct tp_set *s);

//@ requires s != null
//@ modifies s.contains
//@ ensures no s.contains'
void tp_set_clear(struct tp_set *s);

/* Any of its members; NULL: it has none. */
//@ requires s != null
//@ modifies none
//@ ensures \result in s.contains or (no s.contains and \result = null)
void *tp_set_any(const struct tp_set *s);

/* to becomes the union of both; the intersection; what is in `to` only. */
//@ requires to != null and from != null
//@ modifies to.contains
//@ ensures to.contains' = to.contains + from.contains
void tp_set_unite(struct tp_set *to, const struct tp_set *from);

//@ requires to != null and from != null
//@ modifies to.contains
//@ ensures to.contains' = to.contains & from.contains
void tp_set_intersect(struct tp_set *to, const struct tp_set *from);

//@ requires to != null and from != null
//@ modifies to.contains
//@ ensures to.contains' = to.contains - from.contains
void tp_set_subtract(struct tp_set *to, const struct tp_set *from);

//@ requires a != null and b != null
//@ modifies none
//@ ensures \result <=> a.contains in b.contains
bool tp_set_is_within(const struct tp_set *a, const struct tp_set *b);

#endif
