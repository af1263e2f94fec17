/* A table of routes by contract: the map is one of lib/spec, which has no code; what its contracts say is all that these functions rest on. */
#include "tp_map.h"

#include <stddef.h>

struct host { int distance; };
struct router { struct tp_map *routes; int n_changes; };

/*@ fun table[r : struct router] : object -> object { r.routes.entries }
    pred is_router[r : struct router] {
      some r.routes - null
      table[r] in struct host -> struct host
    } */

/* The host that packets go to first; NULL: there is no way. */
//@ requires r != null and is_router[r]
//@ modifies none
//@ ensures \result = null or \result in table[r][to]
//@ ensures \result = null => no table[r][to]
struct host *next_hop(const struct router *r, const struct host *to) { return tp_map_get(r->routes, to); }

/* A way over `first`, unless a shorter one is known. */
//@ requires r != null and is_router[r] and to != null and first != null
//@ modifies r.routes.entries, r.n_changes
//@ ensures is_router[r]'
//@ ensures \result => table[r]' = table[r] ++ (to -> first)
//@ ensures not \result => table[r]' = table[r] and (some h : table[r][to] | h.distance <= first.distance)
bool learn(struct router *r, struct host *to, struct host *first) {
  const struct host *known = next_hop(r, to);
  if (known && known->distance <= first->distance) return false;
  tp_map_put(r->routes, to, first);
  r->n_changes++;
  return true;
}

/* The table is empty afterwards, whatever it was. */
//@ requires r != null and is_router[r]
//@ modifies r.routes, \alloc
//@ ensures \result => is_router[r]' and no table[r]'
//@ ensures \result => r.routes' != r.routes and r.routes !in \alloc'
//@ ensures not \result => r.routes' = r.routes
bool start_again(struct router *r) {
  struct tp_map *fresh = tp_map_new();
  if (!fresh) return false;
  tp_map_free(r->routes);
  r->routes = fresh;
  return true;
}
