/* Precisions: what is not tracked any more; thresholds; adjust.
 *
 * Places are variables and fields (a class of cells and an offset); kinds are points-to classes
 * that have objects of one size in common. How many values a place has is counted as elements come,
 * each once per merge key. */
#include "cpa/heap/heap_priv.h"

#include <errno.h>
#include <stdlib.h>

struct tp_prec {
  const uint64_t *dropped;  // ascending
  size_t n;
};

typedef enum { OF_VARIABLE, OF_FIELD, OF_KIND } place_sort;
static uint64_t place(place_sort sort, uint64_t number) { return number << 2 | sort; }
static uint64_t field_number(tp_class of, uint64_t offset) {
  return (uint64_t)of.id << 29 ^ (offset & 0x1fffffff);
}

static int by_number(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool is_dropped(const tp_prec *p, uint64_t what) {
  return p && p->n && bsearch(&what, p->dropped, p->n, sizeof what, by_number);
}

static uint32_t kind_of(const tp_explicit *h, tp_class c) {
  return c.id == TP_CLASS_ANY.id ? 0 : h->kind_of_class[c.id];
}
static tp_class class_of_var(const tp_explicit *h, tp_var v) {
  const tp_term t = tp_var_of(h->p, v)->term;
  return tp_sort_kind_of(h->tt, tp_sort_of(h->tt, t)) == TP_SORT_PTR
             ? tp_pointsto_of_address(h->pt, t)
             : TP_CLASS_NONE;
}

bool tp_heap_tracks_kind(const tp_explicit *h, const tp_prec *p, tp_class of) {
  return !is_dropped(p, place(OF_KIND, kind_of(h, of)));
}

bool tp_heap_tracks_field(const tp_explicit *h, const tp_prec *p, tp_class of, uint64_t offset) {
  (void)h;
  return !is_dropped(p, place(OF_FIELD, field_number(of, offset)));
}

bool tp_heap_tracks_var(const tp_explicit *h, const tp_prec *p, tp_var v) {
  if (!p || p->n == 0) return true;
  const tp_class c = class_of_var(h, v);
  return !is_dropped(p, place(OF_VARIABLE, v.id)) &&
         (c.id == TP_CLASS_NONE.id || tp_heap_tracks_kind(h, p, c));
}

// ---------------------------------------------------------------------- settings

static bool read_number(const char *text, uint64_t *out) {
  char *end;
  if (strcmp(text, "inf") == 0) {
    *out = TP_HEAP_FOREVER;
    return true;
  }
  errno = 0;
  const unsigned long long n = strtoull(text, &end, 10);
  *out = n;
  return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

static bool set_exception(const tp_explicit *h, const char *name, uint64_t n, uint64_t *by_var) {
  bool is_known = false;
  for (uint32_t v = 1; v < h->p->vars.n; v++)
    if (strcmp(h->p->vars.at[v].name, name) == 0) by_var[v] = n, is_known = true;
  return is_known;
}

/* "3 a=5 b=inf" */
static uint64_t *read_thresholds(const tp_explicit *h, const char *key, const char *otherwise,
                                 uint64_t *general, uint64_t *fewest, tp_str *why) {
  const char *text = tp_cpa_setting(h->cpa, key, otherwise);
  char *words = tp_arena_strdup(&h->cpa->arena, text), *rest = words;
  uint64_t *by_var = tp_arena_array(&h->cpa->arena, uint64_t, h->p->vars.n + 1), n;
  bool is_first = true;
  for (char *word; (word = strtok_r(rest, " ", &rest)); is_first = false) {
    char *equals = strchr(word, '=');
    if (equals) *equals = '\0';
    if (is_first == (equals != NULL) || !read_number(equals ? equals + 1 : word, &n)) {
      tp_str_printf(why,
                    "heap.%s = %s: a number or 'inf' was expected, then exceptions such as a=5",
                    key, text);
      return NULL;
    }
    if (is_first) *general = *fewest = n;
    for (uint32_t v = 0; is_first && v < h->p->vars.n; v++) by_var[v] = n;
    if (equals && !set_exception(h, word, n, by_var)) {
      tp_str_printf(why, "heap.%s = %s: there is no variable '%s'", key, text, word);
      return NULL;
    }
    if (n < *fewest) *fewest = n;
  }
  if (is_first) tp_str_printf(why, "heap.%s: a number or 'inf' was expected", key);
  return is_first ? NULL : by_var;
}

/* Classes with objects of one size are one kind; kind 0: a class that nothing is known of. */
static void find_kinds(tp_explicit *h) {
  const uint32_t n = tp_pointsto_n_classes(h->pt);
  h->kind_of_class = tp_arena_array(&h->cpa->arena, uint32_t, n + 1);
  for (uint32_t c = 0; c <= n; c++) h->kind_of_class[c] = c;
  tp_map by_size = {0};
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    uint64_t size, other;
    if (e->kind != TP_E_ALLOC || e->object_kind != TP_O_HEAP ||
        !tp_bv_value_u64(h->tt, e->a, &size))
      continue;
    const uint32_t kind = kind_of(h, tp_pointsto_of_alloc(h->pt, (tp_edge){i}));
    if (!tp_map_get(&by_size, size, &other)) tp_map_set(&by_size, size, other = kind);
    for (uint32_t c = 1; c <= n && other != kind; c++)
      if (h->kind_of_class[c] == kind) h->kind_of_class[c] = (uint32_t)other;
  }
  tp_map_clear(&by_size);
}

bool tp_heap_read_settings(tp_explicit *h, tp_str *why) {
  uint64_t ignored, fewest;
  const char *liveness = tp_cpa_setting(h->cpa, "liveness", "on");
  h->most_cells = read_thresholds(h, "cells", "8", &ignored, &fewest, why);
  if (!h->most_cells) return false;
  h->most_values = read_thresholds(h, "values", "50", &ignored, &h->fewest_values, why);
  if (!h->most_values) return false;
  if (!read_number(tp_cpa_setting(h->cpa, "data", "50"), &h->values_of_fields)) {
    tp_str_printf(why, "heap.data = %s: a number or 'inf' was expected",
                  tp_cpa_setting(h->cpa, "data", "50"));
    return false;
  }
  if (h->values_of_fields < h->fewest_values) h->fewest_values = h->values_of_fields;
  if (strcmp(liveness, "on") != 0 && strcmp(liveness, "off") != 0) {
    tp_str_printf(why, "heap.liveness = %s: on or off was expected", liveness);
    return false;
  }
  const tp_property asked = h->cpa->env->property;
  const bool watches_leaks = tp_property_covers(asked, TP_P_VALID_MEMTRACK) ||
                             tp_property_covers(asked, TP_P_VALID_MEMCLEANUP);
  if (strcmp(liveness, "on") == 0 && !watches_leaks) h->liveness = tp_liveness_new(h->p);
  h->pt = tp_pointsto_new(h->p);
  h->inside = tp_interior_new(h->p, h->pt);
  find_kinds(h);
  for (uint32_t v = 1; v < h->p->vars.n; v++) {
    const tp_class c = class_of_var(h, (tp_var){v});
    if (h->most_cells[v] == 0 && c.id != TP_CLASS_NONE.id)
      tp_vec_push(&h->never, place(OF_KIND, kind_of(h, c)));
  }
  return true;
}

// -------------------------------------------------------------------- precisions

/* p without these places; p itself if there is nothing new. */
static const tp_prec *without(tp_explicit *h, const tp_prec *p, const uint64_t *more, size_t n) {
  size_t n_new = 0;
  for (size_t i = 0; i < n; i++) n_new += !is_dropped(p, more[i]);
  if (n_new == 0) return p;
  uint64_t *all = tp_arena_array(&h->cpa->arena, uint64_t, p->n + n_new);
  tp_prec *q = tp_arena_new(&h->cpa->arena, tp_prec);
  if (p->n) memcpy(all, p->dropped, p->n * sizeof *all);
  *q = (tp_prec){all, p->n};
  for (size_t i = 0; i < n; i++)
    if (!is_dropped(p, more[i])) all[q->n++] = more[i];
  qsort(all, q->n, sizeof *all, by_number);
  return q;
}

/* Variables with threshold 0 are never tracked. */
const tp_prec *tp_heap_first_precision(tp_explicit *h) {
  TP_VEC(uint64_t) never = {0};
  for (uint32_t v = 1; v < h->p->vars.n; v++)
    if (h->most_values[v] == 0 &&
        tp_sort_kind_of(h->tt, tp_sort_of(h->tt, h->p->vars.at[v].term)) != TP_SORT_PTR)
      tp_vec_push(&never, place(OF_VARIABLE, v));
  tp_prec *p = tp_arena_new(&h->cpa->arena, tp_prec);
  *p = (tp_prec){NULL, 0};
  const tp_prec *q = without(h, p, never.at, never.n);
  tp_vec_clear(&never);
  return q;
}

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
    count_value(h, c, place(OF_VARIABLE, e->heap.vars[i].var.id), e->heap.vars[i].value,
                h->most_values[e->heap.vars[i].var.id]);
  for (size_t i = 0; i < e->heap.n_cells; i++)
    for (size_t f = 0; f < e->heap.cells[i].n_fields; f++) {
      const tp_explicit_field *field = &e->heap.cells[i].fields[f];
      count_value(h, c, place(OF_FIELD, field_number(e->heap.cells[i].class, field->offset)),
                  field->value, h->values_of_fields);
    }
}

static struct tp_heap_count *count_of_view(tp_explicit *h, tp_reached_view view) {
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
      tp_vec_push(out, place(OF_KIND, kind_of(h, heap->cells[r.todo.at[k]].class)));
  }
  for (size_t i = 0; i < h->never.n; i++) tp_vec_push(out, h->never.at[i]);
  tp_free(r.seen);
  tp_vec_clear(&r.todo);
}

tp_adjusted tp_heap_adjust(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                           tp_succ *out) {
  tp_explicit *h = tp_explicit_of(cpa);
  place_list leaving = {0};
  find_large(h, &e->heap, &leaving);
  if (view.n && h->fewest_values != TP_HEAP_FOREVER) {
    const struct tp_heap_count *c = count_of_view(h, view);
    for (size_t i = 0; i < c->many.n; i++) tp_vec_push(&leaving, c->many.at[i]);
  }
  *out = (tp_succ){e, p};
  if (leaving.n) qsort(leaving.at, leaving.n, sizeof *leaving.at, by_number);
  size_t n = 0;
  for (size_t i = 0; i < leaving.n; i++)
    if (i == 0 || leaving.at[i] != leaving.at[i - 1]) leaving.at[n++] = leaving.at[i];
  out->prec = without(h, p, leaving.at, n);
  tp_vec_clear(&leaving);
  if (out->prec != p) {
    tp_heap_draft d;
    tp_heap_draft_open(&d, h, e);
    out->elem = tp_heap_seal(&d, out->prec);
  }
  return TP_CONTINUE;
}

void tp_heap_forgotten(tp_cpa *cpa, tp_succ before, tp_succ after,
                       void (*see)(void *ctx, tp_term place), void *ctx) {
  const tp_explicit *h = tp_explicit_of(cpa);
  for (uint32_t v = 1; v < h->p->vars.n; v++)
    if (tp_heap_tracks_var(h, before.prec, (tp_var){v}) &&
        !tp_heap_tracks_var(h, after.prec, (tp_var){v}))
      see(ctx, tp_var_of(h->p, (tp_var){v})->term);
}
