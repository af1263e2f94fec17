/* Operations work set by set, as classes do not know each other; a set that becomes empty makes the
 * region bottom. Reduction compares graphs pairwise by embedding. */
#include "shape/region.h"

void tp_shape_region_init(tp_shape_region *r, uint32_t n) {
  *r = (tp_shape_region){.sets = TP_NEW_ARRAY(tp_graph_ids, n + 1), .n = n};
}

void tp_shape_region_clear(tp_shape_region *r) {
  for (uint32_t i = 0; i < r->n; i++) tp_vec_clear(&r->sets[i]);
  tp_free(r->sets);
  *r = (tp_shape_region){0};
}

static void make_bottom(tp_shape_region *r) {
  for (uint32_t i = 0; i < r->n; i++) r->sets[i].n = 0;
}

bool tp_shape_region_is_bottom(const tp_shape_region *r) {
  for (uint32_t i = 0; i < r->n; i++)
    if (r->sets[i].n == 0) return true;
  return false;
}

void tp_shape_region_top(tp_shape_region *r, tp_shape_abstraction a) {
  TP_REQUIRE(r->n == a.n);
  make_bottom(r);
  for (uint32_t i = 0; i < r->n; i++) tp_shape_engine_top(a.engines[i], &r->sets[i]);
}

void tp_shape_region_empty_heap(tp_shape_region *r, tp_shape_abstraction a) {
  make_bottom(r);
  for (uint32_t i = 0; i < r->n; i++)
    tp_graph_ids_add(&r->sets[i], tp_shape_engine_empty(a.engines[i]));
}

bool tp_shape_region_same(const tp_shape_region *r, const tp_shape_region *s) {
  if (r->n != s->n) return false;
  for (uint32_t i = 0; i < r->n; i++)
    if (r->sets[i].n != s->sets[i].n ||
        (r->sets[i].n &&
         memcmp(r->sets[i].at, s->sets[i].at, r->sets[i].n * sizeof *r->sets[i].at) != 0))
      return false;
  return true;
}

void tp_shape_region_copy(tp_shape_region *to, const tp_shape_region *from) {
  TP_REQUIRE(to->n >= from->n);
  make_bottom(to);
  for (uint32_t i = 0; i < from->n; i++)
    for (size_t k = 0; k < from->sets[i].n; k++) tp_vec_push(&to->sets[i], from->sets[i].at[k]);
}

bool tp_shape_region_check(const tp_shape_region *r, tp_shape_abstraction a) {
  if (r->n != a.n) return false;
  for (uint32_t i = 0; i < r->n; i++)
    for (size_t k = 0; k < r->sets[i].n; k++) {
      const uint32_t id = r->sets[i].at[k];
      if (id == 0 || id > tp_shape_engine_graphs(a.engines[i])->list.n) return false;
      if (k > 0 && r->sets[i].at[k - 1] >= id) return false;
    }
  return true;
}

// ------------------------------------------------------------------------ covers

static const tp_structure *graph_of(const tp_shape_engine *e, uint32_t id) {
  return &tp_graph_at(tp_shape_engine_graphs(e), id)->s;
}

/* A search that is given up finds no embedding: then nothing is covered. */
static bool embeds(const tp_shape_engine *e, uint32_t g, uint32_t h) {
  bool yes = g == h;
  if (!yes && tp_structure_embeds(graph_of(e, g), graph_of(e, h), &yes) != TP_OK) return false;
  return yes;
}

static bool is_covered(const tp_shape_engine *e, uint32_t g, const tp_graph_ids *by) {
  for (size_t i = 0; i < by->n; i++)
    if (by->at[i] == g) return true;
  for (size_t i = 0; i < by->n; i++)
    if (embeds(e, g, by->at[i])) return true;
  return false;
}

bool tp_shape_region_leq(const tp_shape_region *r, const tp_shape_region *s,
                         tp_shape_abstraction a) {
  TP_REQUIRE(r->n == s->n && r->n == a.n);
  if (tp_shape_region_is_bottom(r)) return true;
  for (uint32_t i = 0; i < r->n; i++)
    for (size_t k = 0; k < r->sets[i].n; k++)
      if (!is_covered(a.engines[i], r->sets[i].at[k], &s->sets[i])) return false;
  return true;
}

/* Different graphs that are blurred do not embed into each other both ways, so one of each chain
 * stays. */
void tp_shape_region_reduce(tp_shape_region *r, tp_shape_abstraction a) {
  TP_REQUIRE(r->n == a.n);
  if (tp_shape_region_is_bottom(r)) make_bottom(r);
  for (uint32_t i = 0; i < r->n; i++) {
    tp_graph_ids *set = &r->sets[i];
    for (size_t k = 0; k < set->n;) {
      size_t j = 0;
      while (j < set->n && (j == k || !embeds(a.engines[i], set->at[k], set->at[j]))) j++;
      if (j == set->n)
        k++;
      else
        memmove(&set->at[k], &set->at[k + 1], (--set->n - k) * sizeof *set->at);
    }
  }
}

void tp_shape_region_join(tp_shape_region *r, const tp_shape_region *s, tp_shape_abstraction a) {
  TP_REQUIRE(r->n == s->n && r->n == a.n);
  if (tp_shape_region_is_bottom(s)) return;
  if (tp_shape_region_is_bottom(r)) make_bottom(r);
  for (uint32_t i = 0; i < r->n; i++)
    for (size_t k = 0; k < s->sets[i].n; k++) tp_graph_ids_add(&r->sets[i], s->sets[i].at[k]);
  tp_shape_region_reduce(r, a);
}

// -------------------------------------------------------------------------- post

tp_status tp_shape_region_post(tp_shape_region *r, tp_shape_abstraction a,
                               const tp_shape_step *const *steps, uint32_t *events) {
  TP_REQUIRE(r->n == a.n);
  if (tp_shape_region_is_bottom(r)) return TP_OK;
  for (uint32_t i = 0; i < r->n; i++) {
    if (!steps[i]) continue;
    tp_graph_ids next = {0};
    for (size_t k = 0; k < r->sets[i].n; k++) {
      const tp_status st = tp_shape_post(a.engines[i], r->sets[i].at[k], steps[i], &next, events);
      if (st == TP_OK) continue;
      tp_vec_clear(&next);
      return st;
    }
    tp_vec_clear(&r->sets[i]);
    r->sets[i] = next;
  }
  tp_shape_region_reduce(r, a);
  TP_INVARIANT(tp_shape_region_check(r, a));
  return TP_OK;
}

void tp_shape_region_adjust(tp_shape_engine *to, tp_graph_ids *out, tp_shape_engine *from,
                            const tp_graph_ids *set) {
  tp_structure *s = tp_shape_take(to);
  for (size_t i = 0; i < set->n; i++) {
    tp_shape_class_adjust(tp_shape_engine_class(to), s, tp_shape_engine_class(from),
                          graph_of(from, set->at[i]));
    const uint32_t id = tp_shape_engine_add_coerced(to, s);
    if (id) tp_graph_ids_add(out, id);
  }
  tp_shape_give(to, s);
}
