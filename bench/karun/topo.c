/* TOPO: topological order of a graph; nodes change places in the list until every one comes behind its predecessors. What the rows check is in
 * properties/.
 *
 * BUG_RESET  the first counter is not reset, so a failure in a helper is to be found from outside */
#include <stdbool.h>
#include <stddef.h>

struct cell { struct node *node; struct cell *next, *prev; };
struct list { struct cell *head; };
struct node { struct list *in, *out; int indeg, outdeg, seen; };
struct graph { struct list *nodes; };

/*@ fun cells[l : struct list] : set struct cell { l.head.*next - null }
    fun nodes_of[g : struct graph] : set struct node { cells[g.nodes].node - null }
    pred is_list[l : struct list] {
      one l - null
      no c : cells[l] | c in c.^next
      all c, d : cells[l] | c.next = d <=> d.prev = c
      all c : cells[l] | c.node != null
    }
    pred is_graph[g : struct graph] {
      is_list[g.nodes]
      all c, d : cells[g.nodes] | c.node = d.node => c = d
      all n : nodes_of[g] | is_list[n.in] and is_list[n.out] and n.indeg = #cells[n.in] and n.outdeg = #cells[n.out]
      all n : nodes_of[g], c, d : cells[n.out] | c.node = d.node => c = d
      all a, b : nodes_of[g] | a in cells[b.in].node <=> b in cells[a.out].node
    } */

void reset(struct graph *g) {
#ifdef BUG_RESET
  if (g->nodes->head)
    for (struct cell *c = g->nodes->head->next; c; c = c->next) c->node->seen = 0;
#else
  for (struct cell *c = g->nodes->head; c; c = c->next) c->node->seen = 0;
#endif
}

struct cell *pick(struct cell *from) {
  while (from && from->node->indeg != from->node->seen) from = from->next;
  return from;
}

void release(struct node *n) {
  for (struct cell *p = n->out->head; p; p = p->next) p->node->seen++;
}

//@ requires g != null and is_graph[g]
bool topo(struct graph *g) {
  reset(g);
  for (struct cell *at = g->nodes->head; at; at = at->next) {
    struct cell *source = pick(at);
    if (!source) return false;
    release(source->node);
    struct node *n = source->node;
    source->node = at->node;
    at->node = n;
  }
  return true;
}
