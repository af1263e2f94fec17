/* One question for each number, over one translation of the heap and the execution. */
#include "contracts/modular/heap_count.h"

#include "contracts/modular/relational_heap_priv.h"

/* Relations of the pre-state, by number. */
static bool *relations_of_states(const tp_contract_query *q) {
  const tp_rheap *h = q->heap;
  bool *is_counted = TP_NEW_ARRAY(bool, tp_rel_n_relations(h->l) + 1);
  for (size_t i = 0; i < h->fields.n; i++)
    if (!h->fields.at[i].is_inner)
      is_counted[tp_rel_relation_number(h->l, h->fields.at[i].initial)] = true;
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(h, b))
      is_counted[tp_rel_relation_number(h->l, h->types[b].last)] = true;
  for (uint32_t i = 0; i < q->body->n_params; i++)
    if (q->body->params[i].id) is_counted[tp_rel_relation_number(h->l, q->body->params[i])] = true;
  return is_counted;
}

static tp_rel_formula failing(const tp_contract_query *q) {
  tp_rel_formula *all = TP_NEW_ARRAY(tp_rel_formula, q->body->ends.n + 1);
  uint32_t n = 0;
  for (size_t k = 0; k < q->body->ends.n; k++)
    if (q->body->ends.at[k].kind == TP_REXEC_FAILS) all[n++] = q->body->ends.at[k].when;
  const tp_rel_formula any = tp_rel_or_all(q->heap->l, all, n);
  tp_free(all);
  return any;
}

static tp_rel_formula breaking(const tp_contract_query *q) {
  tp_rel_formula *all = TP_NEW_ARRAY(tp_rel_formula, q->n_goals + 1);
  for (size_t k = 0; k < q->n_goals; k++) all[k] = q->goals[k].when;
  const tp_rel_formula any = tp_rel_or_all(q->heap->l, all, (uint32_t)q->n_goals);
  tp_free(all);
  return any;
}

/* NULL: the heap or the bounds are too large. */
static tp_rel_finder *finder_of_heaps(const tp_contract_query *q) {
  const tp_rel_formula is_heap = tp_rheap_is_heap(q->heap);
  if (tp_rel_error(q->heap->l) || (!q->heap->bounds && tp_rheap_set_bounds(q->heap) != TP_OK))
    return NULL;
  tp_rel_options options = tp_rel_default_options();
  options.width_bits = q->heap->limits.width_bits;
  options.symmetry_length = 0;
  tp_rel_finder *f = tp_rel_finder_new(q->heap->bounds, options);
  bool ok = tp_rel_finder_add(f, is_heap) == TP_OK;
  for (size_t i = 0; i < q->n_assumptions && ok; i++)
    ok = tp_rel_finder_add(f, q->assumptions[i]) == TP_OK;
  if (!ok) {
    tp_rel_finder_free(f);
    f = NULL;
  }
  return f;
}

void tp_heap_count(const tp_contract_query *q, tp_heaps_counted told, void *context,
                   tp_heap_counts *out) {
  TP_REQUIRE(q && out && !q->refinement);
  *out = (tp_heap_counts){0};
  const tp_rel_formula asked[TP_HEAPS_N_KINDS] = {[TP_HEAPS_ALL] = tp_rel_bool(q->heap->l, true),
                                                  [TP_HEAPS_RETURNING] = q->body->returns,
                                                  [TP_HEAPS_FAILING] = failing(q),
                                                  [TP_HEAPS_BREAKING] = breaking(q)};
  tp_rel_finder *f = finder_of_heaps(q);
  bool *is_counted = f ? relations_of_states(q) : NULL;
  for (uint32_t k = 0; k < TP_HEAPS_N_KINDS; k++) {
    out->is_known[k] =
        f && tp_rel_finder_count(f, &asked[k], 1, is_counted, q->cpu_s, &out->n[k]) == TP_REL_SAT;
    if (told) told(context, (tp_heaps_kind)k, out);
  }
  if (f) tp_rel_finder_free(f);
  tp_free(is_counted);
}

static void print_number(tp_u128 n, tp_str *out) {
  char digits[48];
  size_t at = sizeof digits;
  digits[--at] = 0;
  do digits[--at] = (char)('0' + (int)(n % 10));
  while (n /= 10);
  tp_str_add(out, digits + at);
}

void tp_heap_counts_print(const tp_heap_counts *c, tp_heaps_kind kind, tp_str *out) {
  static const char *const texts[TP_HEAPS_N_KINDS] = {
      "heaps within the bounds: ", "; the function returns from ", ", fails from ",
      ", breaks a clause from "};
  tp_str_add(out, texts[kind]);
  if (c->is_known[kind])
    print_number(c->n[kind], out);
  else
    tp_str_add(out, "a number that is not known (a limit)");
  if (kind == TP_HEAPS_N_KINDS - 1) tp_str_add_char(out, '\n');
}
