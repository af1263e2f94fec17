/* Precisions: the items that are not tracked any more; settings and thresholds.
 *
 * Items are variables and fields (a class of cells and an offset); kinds are points-to classes
 * that have objects of one size in common. */
#include "cpa/heap/heap_priv.h"

#include "cpa/cpa_limits.h"

#include <errno.h>
#include <stdlib.h>

int tp_heap_by_number(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool is_dropped(const tp_prec *p, uint64_t what) {
  return p && p->n && bsearch(&what, p->dropped, p->n, sizeof what, tp_heap_by_number);
}

uint32_t tp_heap_kind_of(const tp_explicit *h, tp_class c) {
  TP_REQUIRE(c.id == TP_CLASS_ANY.id || c.id <= tp_pointsto_n_classes(h->pt));
  return c.id == TP_CLASS_ANY.id ? 0 : h->kind_of_class[c.id];
}
static tp_class class_of_var(const tp_explicit *h, tp_var v) {
  const tp_term t = tp_var_of(h->p, v)->term;
  return tp_sort_kind_of(h->tt, tp_sort_of(h->tt, t)) == TP_SORT_PTR
             ? tp_pointsto_of_address(h->pt, t)
             : TP_CLASS_NONE;
}

bool tp_heap_tracks_kind(const tp_explicit *h, const tp_prec *p, tp_class of) {
  return !is_dropped(p, tp_heap_place(TP_HEAP_OF_KIND, tp_heap_kind_of(h, of)));
}

bool tp_heap_tracks_field(const tp_explicit *h, const tp_prec *p, tp_class of, uint64_t offset) {
  (void)h;
  return !is_dropped(p, tp_heap_place(TP_HEAP_OF_FIELD, tp_heap_field_number(of, offset)));
}

bool tp_heap_tracks_var(const tp_explicit *h, const tp_prec *p, tp_var v) {
  TP_REQUIRE(v.id && v.id < h->p->vars.n);
  if (!p || p->n == 0) return true;
  const tp_class c = class_of_var(h, v);
  return !is_dropped(p, tp_heap_place(TP_HEAP_OF_VARIABLE, v.id)) &&
         (c.id == TP_CLASS_NONE.id || tp_heap_tracks_kind(h, p, c));
}

// ---------------------------------------------------------------------- settings

static bool read_number(const char *text, uint64_t *out) {
  char *end;
  if (strcmp(text, "inf") == 0) {
    *out = TP_HEAP_NO_THRESHOLD;
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

/* Classes with objects of one size are one kind; kind 0: the unknown class. */
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
    const uint32_t kind = tp_heap_kind_of(h, tp_pointsto_of_alloc(h->pt, (tp_edge){i}));
    if (!tp_map_get(&by_size, size, &other)) tp_map_set(&by_size, size, other = kind);
    for (uint32_t c = 1; c <= n && other != kind; c++)
      if (h->kind_of_class[c] == kind) h->kind_of_class[c] = (uint32_t)other;
  }
  tp_map_clear(&by_size);
}

static bool read_start(tp_explicit *h, tp_str *why) {
  bool starts;
  const char *over = tp_cpa_setting(h->cpa, "over", "drop");
  h->interrupts = strcmp(over, "interrupt") == 0;
  h->samples.most_adjusts = TP_CPA_HEAP_SAMPLED_ELEMENTS;
  if (!h->interrupts && strcmp(over, "drop") != 0) {
    tp_str_printf(why, "heap.over = %s: drop or interrupt was expected", over);
    return false;
  }
  if (!tp_cpa_setting_u64(h->cpa, "samples", 5, &h->samples.wanted, why) ||
      !tp_cpa_setting_flag(h->cpa, "start", true, &starts, why))
    return false;
  h->starts_off = !starts;
  return true;
}

bool tp_heap_read_settings(tp_explicit *h, tp_str *why) {
  uint64_t ignored, fewest;
  bool havocs_dead;
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
  if (!tp_cpa_setting_flag(h->cpa, "liveness", true, &havocs_dead, why) || !read_start(h, why))
    return false;
  const tp_property asked = h->cpa->env->property;
  const bool watches_leaks = tp_property_covers(asked, TP_P_VALID_MEMTRACK) ||
                             tp_property_covers(asked, TP_P_VALID_MEMCLEANUP);
  if (havocs_dead && !watches_leaks) h->liveness = tp_liveness_new(h->p);
  h->pt = tp_pointsto_new(h->p);
  h->inside = tp_interior_new(h->p, h->pt);
  find_kinds(h);
  h->is_followed = tp_arena_array(&h->cpa->arena, bool, tp_pointsto_n_classes(h->pt) + 1);
  for (uint32_t v = 1; v < h->p->vars.n; v++) {
    const tp_class c = class_of_var(h, (tp_var){v});
    if (h->most_cells[v] == 0 && c.id != TP_CLASS_NONE.id)
      tp_vec_push(&h->never, tp_heap_place(TP_HEAP_OF_KIND, tp_heap_kind_of(h, c)));
  }
  return true;
}

// -------------------------------------------------------------------- precisions

const tp_prec *tp_heap_without(tp_explicit *h, const tp_prec *p, const uint64_t *more, size_t n) {
  TP_REQUIRE(p && (more || n == 0));
  size_t n_new = 0;
  for (size_t i = 0; i < n; i++) n_new += !is_dropped(p, more[i]);
  if (n_new == 0) return p;
  uint64_t *all = tp_arena_array(&h->cpa->arena, uint64_t, p->n + n_new);
  tp_prec *q = tp_arena_new(&h->cpa->arena, tp_prec);
  if (p->n) memcpy(all, p->dropped, p->n * sizeof *all);
  *q = (tp_prec){all, p->n};
  for (size_t i = 0; i < n; i++)
    if (!is_dropped(p, more[i])) all[q->n++] = more[i];
  qsort(all, q->n, sizeof *all, tp_heap_by_number);
  return q;
}

/* Variables with threshold 0 are never tracked, with start = off nor are kinds that nobody asked
 * for. */
const tp_prec *tp_heap_first_precision(tp_explicit *h) {
  TP_VEC(uint64_t) never = {0};
  for (uint32_t v = 1; v < h->p->vars.n; v++)
    if (h->most_values[v] == 0 &&
        tp_sort_kind_of(h->tt, tp_sort_of(h->tt, h->p->vars.at[v].term)) != TP_SORT_PTR)
      tp_vec_push(&never, tp_heap_place(TP_HEAP_OF_VARIABLE, v));
  for (uint32_t k = 0; h->starts_off && k <= tp_pointsto_n_classes(h->pt); k++)
    if (!h->is_followed[k]) tp_vec_push(&never, tp_heap_place(TP_HEAP_OF_KIND, k));
  tp_prec *p = tp_arena_new(&h->cpa->arena, tp_prec);
  *p = (tp_prec){NULL, 0};
  const tp_prec *q = tp_heap_without(h, p, never.at, never.n);
  tp_vec_clear(&never);
  return q;
}
