/* Adjust: a place with too many values, or a pointer with too many cells below it, leaves the
 * precision.
 *
 * How many values a place has is counted as elements come, each once per merge key. A precision
 * only loses places, so adjusting comes to an end. */
#include "cpa/heap/heap_priv.h"

#include <stdlib.h>

// ------------------------------------------------------------------------ counts

struct tp_heap_count {
  tp_map values, counts, seen;  // (place, value) -> 1; place -> number of them; elements
  TP_VEC(uint64_t) many;
};

/* Null, and the starts of cells, are no values that a place can have ever more of. */
static bool counts_as_value(const tp_explicit *h, tp_term value) {
  uint32_t c;
  uint64_t offset;
  if (!tp_term_is(value) || tp_term_eq(value, tp_mk_null(h->tt))) return false;
  return !tp_heap_cell_of(h, value, &c, &offset) || offset != 0;
}

static void count_value(const tp_explicit *h, struct tp_heap_count *c, uint64_t what, tp_term value,
                        uint64_t most) {
  uint64_t n = 0;
  if (!counts_as_value(h, value)) return;
  const uint64_t pair = tp_hash_mix(
      what, value.id);  // two pairs with one hash count as one: dropped later, which is sound
  if (tp_map_has(&c->values, pair)) return;
  tp_map_set(&c->values, pair, 1);
  (void)tp_map_get(&c->counts, what, &n);
  tp_map_set(&c->counts, what, ++n);
  if (n > most) tp_vec_push(&c->many, what);
}

static void count_elem(const tp_explicit *h, struct tp_heap_count *c, const tp_elem *e) {
  if (tp_map_has(&c->seen, (uintptr_t)e)) return;
  tp_map_set(&c->seen, (uintptr_t)e, 1);
  for (size_t i = 0; i < e->heap.n_vars; i++)
    count_value(h, c, tp_heap_place(TP_HEAP_OF_VARIABLE, e->heap.vars[i].var.id),
                e->heap.vars[i].value, h->most_values[e->heap.vars[i].var.id]);
  for (size_t i = 0; i < e->heap.n_cells; i++)
    for (size_t f = 0; f < e->heap.cells[i].n_fields; f++) {
      const tp_explicit_field *field = &e->heap.cells[i].fields[f];
      count_value(h, c,
                  tp_heap_place(TP_HEAP_OF_FIELD,
                                tp_heap_field_number(e->heap.cells[i].class, field->offset)),
                  field->value, h->values_of_fields);
    }
}

static struct tp_heap_count *count_of_view(tp_explicit *h, tp_reached_view view) {
  TP_REQUIRE(view.n > 0);
  uint64_t at;
  if (!tp_map_get(&h->count_of, (uintptr_t)view.at[0].elem, &at)) {
    at = h->counts.n;
    tp_map_set(&h->count_of, (uintptr_t)view.at[0].elem, at);
    tp_vec_push(&h->counts, TP_NEW(struct tp_heap_count));
    count_elem(h, h->counts.at[at], view.at[0].elem);
  }
  struct tp_heap_count *c = h->counts.at[at];
  for (size_t i = view.n; i-- > 1 && !tp_map_has(&c->seen, (uintptr_t)view.at[i].elem);)
    count_elem(h, c, view.at[i].elem);
  return c;
}

void tp_heap_close_precision(tp_explicit *h) {
  for (size_t i = 0; i < h->counts.n; i++) {
    tp_map_clear(&h->counts.at[i]->values);
    tp_map_clear(&h->counts.at[i]->counts);
    tp_map_clear(&h->counts.at[i]->seen);
    tp_vec_clear(&h->counts.at[i]->many);
    tp_free(h->counts.at[i]);
  }
  tp_vec_clear(&h->never);
  tp_vec_clear(&h->counts);
  tp_map_clear(&h->count_of);
}

// ------------------------------------------------------------------------ adjust

typedef struct {
  bool *seen;  // by cell
  TP_VEC(uint32_t) todo;
} reach;

static void reach_value(const tp_explicit *h, reach *r, tp_term value) {
  uint32_t c;
  uint64_t offset;
  if (!tp_heap_cell_of(h, value, &c, &offset) || r->seen[c]) return;
  r->seen[c] = true;
  tp_vec_push(&r->todo, c);
}

/* The cells below a pointer, itself included, marked in r. */
static uint64_t reach_from(const tp_explicit *h, reach *r, const tp_explicit_heap *heap,
                           tp_term value) {
  memset(r->seen, 0, (heap->n_cells + 1) * sizeof *r->seen);
  r->todo.n = 0;
  reach_value(h, r, value);
  for (size_t i = 0; i < r->todo.n; i++) {
    const tp_explicit_cell *c = &heap->cells[r->todo.at[i]];
    for (size_t f = 0; f < c->n_fields; f++) reach_value(h, r, c->fields[f].value);
  }
  return r->todo.n;
}

typedef TP_VEC(uint64_t) place_list;

/* Kinds of all cells below pointers that have too many; those of pointers with threshold 0 before
 * there is a cell. */
static void find_large(const tp_explicit *h, const tp_explicit_heap *heap, place_list *out) {
  reach r = {.seen = TP_NEW_ARRAY(bool, heap->n_cells + 1)};
  for (size_t i = 0; i < heap->n_vars; i++) {
    const uint64_t n = reach_from(h, &r, heap, heap->vars[i].value);
    if (n <= h->most_cells[heap->vars[i].var.id]) continue;
    for (size_t k = 0; k < r.todo.n; k++)
      tp_vec_push(
          out, tp_heap_place(TP_HEAP_OF_KIND, tp_heap_kind_of(h, heap->cells[r.todo.at[k]].class)));
  }
  for (size_t i = 0; i < h->never.n; i++) tp_vec_push(out, h->never.at[i]);
  tp_free(r.seen);
  tp_vec_clear(&r.todo);
}

tp_adjusted tp_heap_adjust(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                           tp_succ *out) {
  tp_explicit *h = tp_explicit_of(cpa);
  place_list leaving = {0};
  *out = (tp_succ){e, p};
  if (!h->interrupts)
    find_large(h, &e->heap, &leaving);
  else if (tp_heap_sample_elem(h, e))
    return TP_INTERRUPT;
  if (view.n && h->fewest_values != TP_HEAP_NO_THRESHOLD) {
    const struct tp_heap_count *c = count_of_view(h, view);
    for (size_t i = 0; i < c->many.n; i++) tp_vec_push(&leaving, c->many.at[i]);
  }
  if (leaving.n) qsort(leaving.at, leaving.n, sizeof *leaving.at, tp_heap_by_number);
  size_t n = 0;
  for (size_t i = 0; i < leaving.n; i++)
    if (i == 0 || leaving.at[i] != leaving.at[i - 1]) leaving.at[n++] = leaving.at[i];
  out->prec = tp_heap_without(h, p, leaving.at, n);
  tp_vec_clear(&leaving);
  if (out->prec != p) {
    tp_heap_draft d;
    tp_heap_draft_open(&d, h, e);
    out->elem = tp_heap_seal(&d, out->prec);
  }
  return TP_CONTINUE;
}

void tp_heap_each_untracked(tp_cpa *cpa, tp_succ before, tp_succ after,
                            void (*visit)(void *ctx, tp_term place), void *ctx) {
  TP_REQUIRE(before.prec && after.prec);
  const tp_explicit *h = tp_explicit_of(cpa);
  for (uint32_t v = 1; v < h->p->vars.n; v++)
    if (tp_heap_tracks_var(h, before.prec, (tp_var){v}) &&
        !tp_heap_tracks_var(h, after.prec, (tp_var){v}))
      visit(ctx, tp_var_of(h->p, (tp_var){v})->term);
}
