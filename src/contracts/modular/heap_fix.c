/* A tuple with an atom that the other heap lacks leaves its relation open: too few constraints
 * cost time, they lose nothing. */
#include "contracts/modular/heap_fix.h"

#include "contracts/modular/relational_heap_priv.h"

/* The atom of the same name among those of a type. */
static bool find_atom(const tp_rheap *from, uint32_t atom, const tp_rheap *to, uint32_t basic,
                      uint32_t *out) {
  const char *name = tp_rel_atom_name(from->atoms, atom);
  for (size_t i = 0; i < to->types[basic].atoms.n; i++) {
    *out = to->types[basic].atoms.at[i];
    if (strcmp(tp_rel_atom_name(to->atoms, *out), name) == 0) return true;
  }
  return false;
}

static bool map_atom(const tp_rheap *from, uint32_t atom, const tp_rheap *to, uint32_t *out) {
  int64_t number;
  if (atom == from->null_atom) {
    *out = to->null_atom;
    return true;
  }
  if (tp_rel_atom_is_int(from->atoms, atom, &number))
    return tp_rel_find_int_atom(to->atoms, number, out);
  for (uint32_t b = 0; b < from->object_model->basics.n; b++)
    for (size_t i = 0; i < from->types[b].atoms.n; i++)
      if (from->types[b].atoms.at[i] == atom) return find_atom(from, atom, to, b, out);
  return false;
}

static bool map_tuples(const tp_rheap *from, const tp_rel_tuples *tuples, uint32_t arity,
                       const tp_rheap *to, tp_rel_tuples *out) {
  uint32_t atoms[TP_CONTRACTS_ARITY], mapped[TP_CONTRACTS_ARITY];
  for (size_t i = 0; i < tuples->n; i++) {
    tp_rel_tuple_atoms(from->atoms, tuples->at[i], arity, atoms);
    for (uint32_t c = 0; c < arity; c++)
      if (!map_atom(from, atoms[c], to, &mapped[c])) return false;
    tp_rel_tuples_add(out, tp_rel_tuple(to->atoms, mapped, arity));
  }
  return true;
}

/* from: id 0, nothing happens. */
static void fix(const tp_rheap *from, tp_rel_expr own, const tp_rel_instance *i, tp_rheap *to,
                tp_rel_expr other) {
  tp_rel_tuples tuples = {0};
  const uint32_t number = tp_rel_relation_number(from->l, own),
                 arity = tp_rel_relation_arity(from->l, number);
  const tp_rel_tuples *upper = tp_rel_upper(to->bounds, tp_rel_relation_number(to->l, other));
  if (number < i->n && upper && map_tuples(from, &i->of[number], arity, to, &tuples) &&
      tp_rel_tuples_are_subset(&tuples, upper)) {
    const tp_status st = tp_rel_bound_exactly(to->bounds, other, &tuples);
    TP_INVARIANT(st == TP_OK);
    (void)st;
  }
  tp_rel_tuples_clear(&tuples);
}

static const char *name_of(const tp_rheap *h, tp_rel_expr r) {
  return tp_rel_relation_name(h->l, tp_rel_relation_number(h->l, r));
}

void tp_rheap_fix(const tp_rheap *from, const tp_rel_instance *i, tp_rheap *to) {
  TP_REQUIRE(from->bounds && to->bounds && from->object_model == to->object_model);
  for (size_t f = 0; f < from->fields.n; f++) {
    uint64_t other;
    const tp_rheap_field *field = &from->fields.at[f];
    if (!field->is_inner && tp_map_get(&to->field_of, (uint64_t)(uintptr_t)field->symbol, &other))
      fix(from, field->initial, i, to, to->fields.at[other].initial);
  }
  for (uint32_t b = 0; b < from->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(from, b) && tp_rheap_is_object_type(to, b))
      fix(from, from->types[b].last, i, to, to->types[b].last);
  for (size_t k = 0; k < from->inputs.n && k < to->inputs.n; k++)
    if (strcmp(name_of(from, from->inputs.at[k].initial), name_of(to, to->inputs.at[k].initial)) ==
            0 &&
        k < from->inputs.n - from->n_foreign_inputs)
      fix(from, from->inputs.at[k].initial, i, to, to->inputs.at[k].initial);
}
