/* Evaluates the relations of one state in an instance: once when it is opened, nothing is kept from
 * the search. */
#include "contracts/modular/concrete_heap.h"

void tp_concrete_heap_open(tp_concrete_heap *m, const tp_rheap *h, const tp_rexec *b,
                           const tp_rel_instance *i, tp_contract_state when) {
  TP_REQUIRE(h->bounds && i);
  const tp_rexec_store *state = when == TP_POST_STATE ? &b->after : &b->before;
  const size_t n_types = h->object_model->basics.n;
  *m = (tp_concrete_heap){.h = h,
                          .b = b,
                          .e = tp_rel_eval_new(h->bounds, i, h->limits.width_bits),
                          .values = TP_NEW_ARRAY(tp_rel_tuples, h->fields.n + 1),
                          .allocated = TP_NEW_ARRAY(tp_rel_tuples, n_types)};
  tp_rel_expr *last = TP_NEW_ARRAY(tp_rel_expr, n_types);
  for (size_t k = 0; k < h->fields.n; k++)
    (void)tp_rel_eval_expr(m->e, k < b->n_fields ? state->fields[k] : h->fields.at[k].initial,
                           &m->values[k]);
  for (uint32_t t = 0; t < n_types; t++)
    last[t] = state->last[t].id ? state->last[t] : h->types[t].last;
  for (uint32_t t = TP_OTHER_BASIC + 1; t < n_types; t++)
    if (h->types[t].is_used &&
        !tp_rel_eval_expr(
            m->e,
            tp_rheap_allocated((tp_rheap *)(uintptr_t)h, t, (tp_rheap_objects){last, state->stack}),
            &m->allocated[t]))
      m->allocated[t].n = 0;
  if (!tp_rel_eval_expr(m->e, state->freed, &m->freed)) m->freed.n = 0;
  tp_free(last);
}

void tp_concrete_heap_close(tp_concrete_heap *m) {
  for (size_t k = 0; k < m->h->fields.n; k++) tp_rel_tuples_clear(&m->values[k]);
  for (uint32_t t = 0; t < m->h->object_model->basics.n; t++) tp_rel_tuples_clear(&m->allocated[t]);
  tp_rel_tuples_clear(&m->freed);
  tp_free(m->values);
  tp_free(m->allocated);
  tp_rel_eval_free(m->e);
}

bool tp_concrete_heap_is_allocated(const tp_concrete_heap *m, uint32_t basic, uint32_t object) {
  TP_REQUIRE(basic < m->h->object_model->basics.n);
  return tp_rel_tuples_contain(&m->allocated[basic], object);
}
bool tp_concrete_heap_is_freed(const tp_concrete_heap *m, uint32_t object) {
  return tp_rel_tuples_contain(&m->freed, object);
}

bool tp_concrete_heap_value(const tp_concrete_heap *m, tp_rel_expr x, uint32_t *atom,
                            const char **why) {
  tp_rel_tuples set = {0};
  const bool is_defined = tp_rel_eval_expr(m->e, x, &set), is_one = is_defined && set.n == 1;
  *why = !is_defined ? "(beyond the width)" : set.n ? "(several)" : "(nothing)";
  if (is_one) *atom = (uint32_t)set.at[0];
  tp_rel_tuples_clear(&set);
  return is_one;
}

bool tp_concrete_heap_print_global(const tp_concrete_heap *m, size_t field, tp_str *out) {
  TP_REQUIRE(field < m->h->fields.n);
  const tp_symbol *s = m->h->fields.at[field].symbol;
  const tp_rel_tuples *value = &m->values[field];
  if (!tp_rheap_is_global(s)) return false;
  const uint32_t arity = tp_rheap_n_keys(m->h, s) + 1;
  const bool is_set = s->kind == TP_SYMBOL_GHOST && !(s->is_function && arity == 1);
  uint32_t atoms[3];
  if (!is_set && value->n != 1) return false;
  if (is_set) tp_str_add_char(out, '{');
  for (size_t t = 0; t < value->n; t++) {
    tp_rel_tuple_atoms(m->h->atoms, value->at[t], arity, atoms);
    for (uint32_t c = 0; c < arity; c++)
      tp_str_printf(out, "%s%s",
                    c   ? " -> "
                    : t ? ", "
                        : "",
                    tp_rel_atom_name(m->h->atoms, atoms[c]));
  }
  if (is_set) tp_str_add_char(out, '}');
  return true;
}
