/* A caller of clibs/list, whose functions have no contracts. */
#include "list.c"
#include "list_iterator.c"
#include "list_node.c"

/* Moves what is at both ends of one list into the other, and takes out a node with this value. */
void mix(list_t *a, list_t *b, void *val) {
  list_node_t *n = list_lpop(a);
  if (n) list_rpush(b, n);
  n = list_rpop(a);
  if (n) list_lpush(b, n);
  n = list_find(b, val);
  if (n) list_remove(b, n);
  list_at(a, 0);
}
