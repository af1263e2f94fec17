/* Descending steps on a reached set.
 *
 * The set is a post-fixpoint: what leads to an element is below it. Putting the join of what leads
 * to one element in its place keeps that true, since successors are monotone: all others only
 * shrink with it. So elements can be recomputed one after the other, as often as one likes; after
 * widening has thrown a loop's bound away, one round finds it again in the loop's condition, and a
 * second one carries it behind the loop. An operator that is not quite monotone (what backward
 * evaluation of conditions finds may depend on what is known before) is caught by the check at the
 * end. */
#include "cpa/descend.h"

#include <stdlib.h>

#include "cpa/reached_priv.h"

/* A step that leads from an element to one that is alone at its place. */
typedef struct {
  uint32_t to, from;
  tp_step step;
} link;
typedef struct {
  tp_reached *r;
  TP_VEC(link) links;  // by `to`
  uint32_t *order;     // of the nodes, as the program runs
  tp_succ *before;     // by node
  tp_out out;
  bool *was_removed;
} descent;

// ------------------------------------------------------------------------ links

static void successors(descent *d, uint32_t from, const tp_step *step) {
  tp_cpa *cpa = d->r->cpa;
  tp_succ s = d->r->nodes.at[from].state;
  d->out.list.n = 0;
  cpa->ops->transfer(cpa, s.elem, s.prec, step, &d->out);
  tp_cpa_strengthen_last(cpa, &d->out);
}

static void add_links(descent *d, uint32_t from, const tp_step *step) {
  const tp_reached *r = d->r;
  successors(d, from, step);
  for (size_t i = 0; i < d->out.list.n; i++) {
    const tp_bucket *b =
        &r->buckets.at[tp_reached_bucket(r, tp_cpa_merge_key(r->cpa, d->out.list.at[i].elem))];
    if (b->nodes.n == 1) tp_vec_push(&d->links, (link){b->nodes.at[0], from, *step});
    TP_INVARIANT(b->nodes.n > 0);  // the set is finished: each successor is covered
  }
}

static int by_target(const void *a, const void *b) {
  const link *x = a, *y = b;
  if (x->to != y->to) return x->to < y->to ? -1 : 1;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->step.edge.id < y->step.edge.id ? -1 : x->step.edge.id > y->step.edge.id;
}

/* False: a call is taken as a whole; its successors are not those of transfer alone. */
static bool find_links(descent *d) {
  tp_reached *r = d->r;
  tp_step_list steps = {0};
  bool plain = true;
  for (uint32_t n = 1; n < r->nodes.n && plain; n++) {
    if (r->nodes.at[n].removed) continue;
    tp_steps_from(r->steps, r->nodes.at[n].loc, r->nodes.at[n].context, &steps);
    for (size_t i = 0; i < steps.list.n && plain; i++) {
      plain = steps.list.at[i].kind != TP_STEP_SUMMARY;
      if (plain) add_links(d, n, &steps.list.at[i]);
    }
  }
  tp_vec_clear(&steps.list);
  if (d->links.n) qsort(d->links.at, d->links.n, sizeof *d->links.at, by_target);
  return plain;
}

static void find_order(descent *d) {
  tp_reached *r = d->r;
  tp_waitlist w;
  tp_wait next;
  tp_waitlist_init(&w, TP_WAIT_REVERSE_POSTORDER, r->cpa->env->program, r->cpa->env->contexts);
  TP_REQUIRE(r->nodes.n > 1);
  for (uint32_t n = 1; n < r->nodes.n; n++)
    (void)tp_waitlist_push(&w, n, r->nodes.at[n].loc, r->nodes.at[n].context, 0);
  for (uint32_t i = 0; tp_waitlist_pop(&w, &next); i++) d->order[i] = next.node;
  tp_waitlist_clear(&w);
}

// ----------------------------------------------------------------------- rounds

static size_t first_link(const descent *d, uint32_t to) {
  size_t lo = 0, hi = d->links.n;
  while (lo < hi) {
    size_t mid = lo + (hi - lo) / 2;
    if (d->links.at[mid].to < to)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* The join of what leads to a node; NULL: nothing does. */
static const tp_elem *incoming(descent *d, uint32_t node) {
  tp_reached *r = d->r;
  tp_cpa *cpa = r->cpa;
  const tp_elem *all = NULL;
  for (size_t i = first_link(d, node); i < d->links.n && d->links.at[i].to == node; i++) {
    const link *l = &d->links.at[i];
    if (r->nodes.at[l->from].removed) continue;
    if (i > 0 && by_target(l, l - 1) == 0 && l->step.callee.id == l[-1].step.callee.id)
      continue;  // seen with the one before
    successors(d, l->from, &l->step);
    for (size_t k = 0; k < d->out.list.n; k++) {
      const tp_elem *e = d->out.list.at[k].elem;
      if (tp_cpa_merge_key(cpa, e) == r->nodes.at[node].key)
        all = all ? cpa->ops->join(cpa, all, e) : e;
    }
  }
  return all;
}

static bool recompute(descent *d, uint32_t node) {
  TP_REQUIRE(tp_reached_has(d->r, node));
  tp_reached *r = d->r;
  const tp_node *n = &r->nodes.at[node];
  if (n->removed || n->parent == 0 || r->buckets.at[tp_reached_bucket(r, n->key)].nodes.n != 1)
    return false;
  const tp_elem *now = incoming(d, node), *old = n->state.elem;
  if (!now) {
    tp_reached_remove(r, node);
    return true;
  }
  if (!r->cpa->ops->leq(r->cpa, now, old) || r->cpa->ops->leq(r->cpa, old, now)) return false;
  tp_reached_replace(r, node, (tp_succ){now, n->state.prec});
  return true;
}

static void undo(descent *d) {
  tp_reached *r = d->r;
  for (uint32_t n = 1; n < r->nodes.n; n++) {
    if (r->nodes.at[n].removed && !d->was_removed[n]) tp_reached_restore(r, n);
    if (!r->nodes.at[n].removed) tp_reached_replace(r, n, d->before[n]);
  }
}

static bool rounds_of(descent *d, uint32_t rounds) {
  tp_reached *r = d->r;
  bool changed = false, again = true;
  for (uint32_t i = 0; i < rounds && again; i++) {
    again = false;
    for (uint32_t k = 0; k + 1 < r->nodes.n; k++) again |= recompute(d, d->order[k]);
    changed |= again;
  }
  if (!changed) return false;
  tp_str why = {0};
  bool holds = tp_reached_check(r, &why);
  tp_str_clear(&why);
  if (!holds) undo(d);
  return holds;
}

bool tp_reached_descend(tp_reached *r, uint32_t rounds) {
  if (rounds == 0 || r->n_waiting || !r->cpa->ops->has_join) return false;
  descent d = {.r = r};
  d.order = TP_NEW_ARRAY(uint32_t, r->nodes.n);
  d.before = TP_NEW_ARRAY(tp_succ, r->nodes.n);
  d.was_removed = TP_NEW_ARRAY(bool, r->nodes.n);
  for (uint32_t n = 1; n < r->nodes.n; n++) {
    d.before[n] = r->nodes.at[n].state;
    d.was_removed[n] = r->nodes.at[n].removed;
  }
  bool changed = false;
  if (find_links(&d)) {
    find_order(&d);
    changed = rounds_of(&d, rounds);
    tp_reached_look(r);  // what was removed came back, or left its bucket
  }
  tp_vec_clear(&d.links);
  tp_vec_clear(&d.out.list);
  tp_free(d.order);
  tp_free(d.before);
  tp_free(d.was_removed);
  return changed;
}
