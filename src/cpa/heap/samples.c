/* Samples: what structures of a kind look like, for who chooses a shape class by them.
 *
 * A sample is what a pointer leads to, with as many cells at least as setting cells says. Two are
 * the same if they have the same links along a traversal from the pointer, whatever variables lead
 * there and whatever numbers the cells hold. Lists that a loop builds give one sample for each
 * length. A program may have fewer different samples than are wanted; so after some thousand
 * elements the run is interrupted all the same. */
#include "cpa/heap/heap_priv.h"

#include "cpa/cpa_limits.h"

typedef struct {
  const tp_explicit *h;
  const tp_explicit_heap *heap;
  uint32_t *number;        // by cell: 1, 2, ... in the order of the traversal; 0: not visited
  TP_VEC(uint32_t) order;  // cells
} traversal;

static uint32_t visit(traversal *t, tp_term value) {
  uint32_t c;
  uint64_t offset;
  if (!tp_heap_cell_of(t->h, value, &c, &offset)) return 0;
  if (!t->number[c]) {
    tp_vec_push(&t->order, c);
    t->number[c] = (uint32_t)t->order.n;
  }
  return t->number[c];
}

/* The links of all cells below the pointer, in the order of the traversal. */
static uint64_t hash_from(traversal *t, tp_term pointer) {
  uint64_t hash = 0;
  memset(t->number, 0, (t->heap->n_cells + 1) * sizeof *t->number);
  t->order.n = 0;
  (void)visit(t, pointer);
  for (size_t i = 0; i < t->order.n; i++) {
    const tp_explicit_cell *c = &t->heap->cells[t->order.at[i]];
    hash = tp_hash_mix(hash, i);
    for (size_t f = 0; f < c->n_fields; f++) {
      const uint32_t to = visit(t, c->fields[f].value);
      if (to) hash = tp_hash_mix(tp_hash_mix(hash, c->fields[f].offset), to);
    }
  }
  return hash;
}

bool tp_heap_sample_elem(tp_explicit *h, const tp_elem *e) {
  tp_heap_samples *all = &h->samples;
  if (e->heap.n_cells == 0) return false;
  traversal t = {h, &e->heap, TP_NEW_ARRAY(uint32_t, e->heap.n_cells + 1), {0}};
  for (size_t i = 0; i < e->heap.n_vars; i++) {
    const tp_explicit_var *v = &e->heap.vars[i];
    const uint64_t hash = hash_from(&t, v->value);
    if (t.order.n == 0 || t.order.n < h->most_cells[v->var.id] || tp_map_has(&all->seen, hash))
      continue;
    tp_map_set(&all->seen, hash, 1);
    tp_vec_push(&all->list, ((tp_heap_sample){&e->heap, v->value}));
  }
  tp_free(t.number);
  tp_vec_clear(&t.order);
  all->adjusts++;
  return all->list.n >= all->wanted || all->adjusts > all->most_adjusts;
}

void tp_heap_close_samples(tp_explicit *h) {
  tp_vec_clear(&h->samples.list);
  tp_map_clear(&h->samples.seen);
}

// ---------------------------------------------------------------------- requests

/* Sets whether kinds with objects of this size are followed; false: there is none. */
static bool set_followed(tp_explicit *h, uint64_t size_bytes, bool is_followed) {
  bool any = false;
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    uint64_t size;
    if (e->kind != TP_E_ALLOC || e->object_kind != TP_O_HEAP ||
        (tp_bv_value_u64(h->tt, e->a, &size) && size != size_bytes))
      continue;
    h->is_followed[tp_heap_kind_of(h, tp_pointsto_of_alloc(h->pt, (tp_edge){i}))] = is_followed;
    any = true;
  }
  return any;
}

bool tp_heap_follow(tp_cpa *cpa, uint64_t size_bytes) {
  tp_explicit *h = tp_explicit_of(cpa);
  tp_heap_close_samples(h);
  h->samples.adjusts = 0;
  return set_followed(h, size_bytes, true);
}

void tp_heap_unfollow(tp_cpa *cpa, uint64_t size_bytes) {
  (void)set_followed(tp_explicit_of(cpa), size_bytes, false);
}

bool tp_heap_is_followed(const tp_cpa *cpa, uint64_t size_bytes) {
  const tp_explicit *h = tp_explicit_of(cpa);
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    uint64_t size;
    if (e->kind == TP_E_ALLOC && e->object_kind == TP_O_HEAP &&
        (!tp_bv_value_u64(h->tt, e->a, &size) || size == size_bytes) &&
        h->is_followed[tp_heap_kind_of(h, tp_pointsto_of_alloc(h->pt, (tp_edge){i}))])
      return true;
  }
  return false;
}

bool tp_heap_follows_some(const tp_explicit *h) {
  bool some = !h->starts_off;
  for (uint32_t k = 0; k <= tp_pointsto_n_classes(h->pt) && !some; k++) some = h->is_followed[k];
  return some;
}

bool tp_heap_can_sample(const tp_cpa *cpa) {
  const tp_explicit *h = tp_explicit_of(cpa);
  return h->starts_off && h->interrupts;
}

const tp_heap_sample *tp_heap_samples_of(const tp_cpa *cpa, size_t *n) {
  const tp_explicit *h = tp_explicit_of(cpa);
  *n = h->samples.list.n;
  return h->samples.list.at;
}
