/* Maps from objects to objects, by contract (see tp_set.h).
 *
 * Keys are told apart by their addresses. */
#ifndef TP_MAP_H
#define TP_MAP_H

#include "tp_set.h"

#include <stdbool.h>

struct tp_map {
  void *implementation;
  //@ ghost entries : object -> lone object
};

/* A new map without entries; NULL: there is no memory. */
//@ modifies \alloc
//@ ensures \result != null => \result !in \alloc and \alloc' = \alloc + \result and no \result.entries'
//@ ensures \result = null => \alloc' = \alloc
struct tp_map *tp_map_new(void);

//@ requires m != null
//@ modifies \alloc
//@ ensures \alloc' = \alloc - m
void tp_map_free(struct tp_map *m);

/* NULL: there is no such key. */
//@ requires m != null
//@ modifies none
//@ ensures some m.entries[key] => \result = m.entries[key]
//@ ensures no m.entries[key] => \result = null
void *tp_map_get(const struct tp_map *m, const void *key);

/* What the key led to before; NULL: nothing. */
//@ requires m != null and key != null and value != null
//@ modifies m.entries
//@ ensures m.entries' = m.entries ++ (key -> value)
//@ ensures some m.entries[key] => \result = m.entries[key]
//@ ensures no m.entries[key] => \result = null
void *tp_map_put(struct tp_map *m, void *key, void *value);

/* What the key led to; NULL: nothing. */
//@ requires m != null
//@ modifies m.entries
//@ ensures m.entries' = m.entries - (key -> univ)
//@ ensures some m.entries[key] => \result = m.entries[key]
//@ ensures no m.entries[key] => \result = null
void *tp_map_remove(struct tp_map *m, const void *key);

//@ requires m != null
//@ modifies none
//@ ensures \result <=> some m.entries[key]
bool tp_map_has_key(const struct tp_map *m, const void *key);

//@ requires m != null
//@ modifies none
//@ ensures \result <=> some m.entries.value
bool tp_map_has_value(const struct tp_map *m, const void *value);

//@ requires m != null
//@ modifies none
//@ ensures \result = #m.entries
int tp_map_size(const struct tp_map *m);

//@ requires m != null
//@ modifies m.entries
//@ ensures no m.entries'
void tp_map_clear(struct tp_map *m);

/* New sets of the keys, of the values, as they are now; NULL: there is no memory. */
//@ requires m != null
//@ modifies \alloc
//@ ensures \result != null => \result !in \alloc and \alloc' = \alloc + \result and \result.contains' = m.entries.univ
//@ ensures \result = null => \alloc' = \alloc
struct tp_set *tp_map_keys(const struct tp_map *m);

//@ requires m != null
//@ modifies \alloc
//@ ensures \result != null => \result !in \alloc and \alloc' = \alloc + \result and \result.contains' = univ.(m.entries)
//@ ensures \result = null => \alloc' = \alloc
struct tp_set *tp_map_values(const struct tp_map *m);

#endif
