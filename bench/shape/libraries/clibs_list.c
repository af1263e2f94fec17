/* Operations of clibs' list, each after a list of any length was made by pushing to the left. -DOPERATION=NAME chooses one. */
#include "list.h"

extern int __VERIFIER_nondet_int(void);

static void rpush(list_t *l) { (void)list_rpush(l, list_node_new(l)); }
static void lpush(list_t *l) { (void)list_lpush(l, list_node_new(l)); }
static void lpop(list_t *l) {
  list_node_t *n = list_lpop(l);
  if (n) LIST_FREE(n);
}
static void rpop(list_t *l) {
  list_node_t *n = list_rpop(l);
  if (n) LIST_FREE(n);
}
static void find(list_t *l) { (void)list_find(l, &l); }
static void at(list_t *l) { (void)list_at(l, __VERIFIER_nondet_int()); }
static void remove_found(list_t *l) {
  list_node_t *n = list_find(l, l);
  if (n) list_remove(l, n);
}

int main(void) {
  list_t *l = list_new();
  if (!l) return 0;
  while (__VERIFIER_nondet_int()) lpush(l);
  OPERATION(l);
  list_destroy(l);
  return 0;
}
