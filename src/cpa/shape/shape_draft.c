/* Drafts: elements of the shape analysis while they are made, by steps on their graphs and by
 * links.
 *
 * The lowest file of the analysis: every other one changes drafts through these functions. */
#include "cpa/shape/shape_priv.h"

// ------------------------------------------------------------------------ drafts

void tp_shape_cpa_set_copy(tp_graph_ids *to, const tp_graph_ids *from) {
  to->n = 0;
  for (size_t i = 0; i < from->n; i++) tp_vec_push(to, from->at[i]);
}

void tp_shape_cpa_set_add(tp_graph_ids *to, const tp_graph_ids *more) {
  for (size_t i = 0; i < more->n; i++) tp_graph_ids_add(to, more->at[i]);
}

void tp_shape_cpa_draft_open(tp_shape_draft *d, tp_shape_cpa *h, const tp_elem *from) {
  TP_REQUIRE(from->region.n <= h->n);
  *d = (tp_shape_draft){.h = h};
  tp_shape_region_init(&d->region, h->n);
  tp_shape_region_copy(&d->region, &from->region);
  d->off = from->off;
  for (uint32_t k = 0; k < h->n; k++)
    if (tp_shape_cpa_is_off(d->off, k)) d->region.sets[k].n = 0;
  for (size_t i = 0; i < from->n_links; i++) tp_vec_push(&d->links, from->links[i]);
  for (size_t i = 0; i < from->n_conditions; i++) tp_vec_push(&d->conditions, from->conditions[i]);
}

void tp_shape_cpa_draft_drop(tp_shape_draft *d) {
  tp_shape_region_clear(&d->region);
  tp_vec_clear(&d->links);
  tp_vec_clear(&d->conditions);
}

static bool is_bottom(const tp_shape_region *r) { return r->n > 0 && tp_shape_region_is_bottom(r); }

/* The invariants of an element: graphs of its engines; links ascending by variable, conditions by
 * id. */
static bool check_elem(const tp_shape_cpa *h, const tp_elem *e) {
  if (!tp_shape_region_check(&e->region, tp_shape_cpa_abstraction(h))) return false;
  for (size_t i = 0; i + 1 < e->n_links; i++)
    if (e->links[i].var.id >= e->links[i + 1].var.id) return false;
  for (size_t i = 0; i + 1 < e->n_conditions; i++)
    if (e->conditions[i].id >= e->conditions[i + 1].id) return false;
  return true;
}

const tp_elem *tp_shape_cpa_seal(tp_shape_draft *d) {
  tp_shape_cpa *h = d->h;
  tp_elem *e = NULL;
  for (uint32_t k = 0; k < h->n; k++) {
    if (!tp_shape_cpa_is_off(d->off, k)) continue;
    d->region.sets[k].n = 0;
    tp_shape_engine_top(h->kinds[k].e, &d->region.sets[k]);
  }
  if (!is_bottom(&d->region)) {
    tp_arena *arena = &h->cpa->arena;
    tp_shape_region_reduce(&d->region, tp_shape_cpa_abstraction(h));
    e = tp_arena_new(arena, tp_elem);
    e->off = d->off;
    e->region = (tp_shape_region){tp_arena_array(arena, tp_graph_ids, h->n + 1), h->n};
    for (uint32_t k = 0; k < h->n; k++) {
      tp_graph_ids *set = &d->region.sets[k];
      if (h->most_graphs && set->n > h->most_graphs) tp_shape_cpa_havoc_heap(d, k);
      uint32_t *at = tp_arena_array(arena, uint32_t, set->n + 1);
      memcpy(at, set->at, set->n * sizeof *at);
      e->region.sets[k].at = at;
      e->region.sets[k].n = set->n;
    }
    tp_shape_link *links = tp_arena_array(arena, tp_shape_link, d->links.n + 1);
    if (d->links.n) memcpy(links, d->links.at, d->links.n * sizeof *links);
    e->links = links;
    e->n_links = d->links.n;
    tp_term *conditions = tp_arena_array(arena, tp_term, d->conditions.n + 1);
    if (d->conditions.n) memcpy(conditions, d->conditions.at, d->conditions.n * sizeof *conditions);
    e->conditions = conditions;
    e->n_conditions = d->conditions.n;
  }
  tp_shape_cpa_draft_drop(d);
  TP_INVARIANT(!e || check_elem(h, e));
  if (e && h->precision != TP_SHAPE_PRECISION_ALL) tp_vec_push(&h->made, e);
  return e;
}

uint32_t tp_shape_cpa_post(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, tp_graph_ids *set,
                           tp_shape_step step) {
  TP_REQUIRE(step.x < (int)k->c->n_pointers && step.y < (int)k->c->n_pointers);
  tp_graph_ids next = {0};
  uint32_t events = 0;
  tp_status st = TP_OK;
  for (size_t i = 0; i < set->n && st == TP_OK; i++)
    st = tp_shape_post(k->e, set->at[i], &step, &next, &events);
  if (st != TP_OK) {
    next.n = 0;
    tp_shape_engine_top(k->e, &next);
    events = TP_EVENT_NIL | TP_EVENT_FREED | TP_EVENT_OUTSIDE;
    if (h->cpa->env->stats) h->cpa->env->stats->havocs++;
  }
  tp_vec_clear(set);
  *set = next;
  return events;
}

uint32_t tp_shape_cpa_step(tp_shape_draft *d, uint32_t kind, tp_shape_step step) {
  TP_REQUIRE(kind < d->h->n);
  return tp_shape_cpa_post(d->h, &d->h->kinds[kind], &d->region.sets[kind], step);
}

void tp_shape_cpa_havoc_heap(tp_shape_draft *d, uint32_t kind) {
  TP_REQUIRE(kind < d->h->n);
  tp_graph_ids *set = &d->region.sets[kind];
  if (set->n == 0) return;
  set->n = 0;
  tp_shape_engine_top(d->h->kinds[kind].e, set);
  if (d->h->cpa->env->stats) d->h->cpa->env->stats->havocs++;
}

// ------------------------------------------------------------------------- links

void tp_shape_cpa_unlink(tp_shape_draft *d,
                         bool (*is_removed)(const void *ctx, const tp_shape_link *l),
                         const void *ctx) {
  size_t n = 0;
  for (size_t i = 0; i < d->links.n; i++)
    if (!is_removed(ctx, &d->links.at[i])) d->links.at[n++] = d->links.at[i];
  d->links.n = n;
}

void tp_shape_cpa_unlink_all(tp_shape_draft *d) { d->links.n = 0; }

static bool mentions_var(const void *ctx, const tp_shape_link *l) {
  const tp_var *v = ctx;
  return l->var.id == v->id || l->pointer.id == v->id;
}

void tp_shape_cpa_unlink_var(tp_shape_draft *d, tp_var v) {
  tp_shape_cpa_unlink(d, mentions_var, &v);
}

void tp_shape_cpa_add_link(tp_shape_draft *d, tp_shape_link link) {
  TP_REQUIRE(link.var.id && link.pointer.id && link.var.id != link.pointer.id);
  TP_REQUIRE(link.width_bits > 0 && link.width_bits % 8 == 0);
  size_t i = 0;
  while (i < d->links.n && d->links.at[i].var.id < link.var.id) i++;
  if (i == d->links.n || d->links.at[i].var.id != link.var.id) {
    tp_vec_push(&d->links, link);
    memmove(&d->links.at[i + 1], &d->links.at[i], (d->links.n - 1 - i) * sizeof link);
  }
  d->links.at[i] = link;
}

const tp_shape_link *tp_shape_cpa_link_of(const tp_shape_draft *d, tp_var v) {
  for (size_t i = 0; i < d->links.n; i++)
    if (d->links.at[i].var.id == v.id) return &d->links.at[i];
  return NULL;
}

// --------------------------------------------------------- objects and symbols

bool tp_shape_cpa_may_hold(const tp_shape_cpa *h, const tp_shape_cpa_kind *k, tp_term address) {
  const tp_class c = tp_pointsto_of_address(h->pt, address);
  return c.id == TP_CLASS_ANY.id ? k->is_anywhere : k->holds[c.id];
}

tp_term tp_shape_cpa_substitute(tp_terms *tt, tp_term t, tp_term symbol, tp_term value) {
  TP_REQUIRE(tp_sort_eq(tp_sort_of(tt, symbol), tp_sort_of(tt, value)));
  return tp_replace(tt, t, symbol, value);
}
