/* Reads the choices of the model finder out of an instance: evaluates guards of calls in the order
 * of execution, and the two heaps of each call that was made. */
#include "contracts/modular/finder_choices.h"

#include "contracts/modular/two_states.h"
#include "contracts/rel/rel_eval.h"

typedef struct {
  tp_finder_choices *c;
  const tp_heap_layout *l;
  tp_rel_eval *e;
} reader;

static uint32_t only_atom(const reader *r, tp_rel_expr x) {
  tp_rel_tuples set = {0};
  const bool ok = x.id && tp_rel_eval_expr(r->e, x, &set) && set.n == 1;
  const uint32_t atom = ok ? (uint32_t)set.at[0] : r->l->h->null_atom;
  tp_rel_tuples_clear(&set);
  return atom;
}

static int64_t slot_value(const tp_rheap *h, const tp_heap_slot *s, const tp_rel_tuples *values) {
  TP_REQUIRE(s->kind == TP_HEAP_SLOT_FIELD && s->field < h->fields.n);
  const tp_symbol *symbol = h->fields.at[s->field].symbol;
  const uint32_t n_keys = tp_rheap_n_keys(h, symbol);
  uint32_t atoms[3];
  int64_t index, value;
  for (size_t t = 0; t < values->n; t++) {
    tp_rel_tuple_atoms(h->atoms, values->at[t], n_keys + 1, atoms);
    if (n_keys > 0 && atoms[0] != s->owner) continue;
    if (n_keys == 2 && (!tp_rel_atom_is_int(h->atoms, atoms[1], &index) || index != s->index))
      continue;
    return tp_rel_atom_is_int(h->atoms, atoms[n_keys], &value) ? value : atoms[n_keys];
  }
  return TP_POST_ABSENT;
}

static tp_chosen_heap read_heap(const reader *r, const tp_rexec_store *state, uint32_t n_fields) {
  tp_rheap *h = (tp_rheap *)(uintptr_t)r->l->h;
  tp_two_states s = {.h = h, .before = *state, .after = *state, .n_fields = n_fields};
  tp_chosen_heap heap = {tp_arena_array(&r->c->arena, int64_t, r->l->slots.n + 1),
                         tp_arena_array(&r->c->arena, bool, tp_rel_n_atoms(h->atoms) + 1)};
  tp_rel_tuples exist = {0};
  if (tp_rel_eval_expr(r->e, tp_two_states_exist(&s, TP_PRE_STATE), &exist))
    for (size_t t = 0; t < exist.n; t++) heap.exists[exist.at[t]] = true;
  tp_rel_tuples_clear(&exist);
  for (size_t k = 0; k < r->l->slots.n; k++) heap.slots[k] = TP_POST_ABSENT;
  for (uint32_t f = 0; f < n_fields; f++) {
    tp_rel_tuples values = {0};
    const bool is_known = state->fields[f].id && tp_rel_eval_expr(r->e, state->fields[f], &values);
    const bool is_global = tp_rheap_is_global(h->fields.at[f].symbol);
    for (size_t k = 0; k < r->l->slots.n && is_known; k++) {
      const tp_heap_slot *slot = &r->l->slots.at[k];
      if (slot->kind == TP_HEAP_SLOT_FIELD && slot->field == f &&
          (is_global || heap.exists[slot->owner]))
        heap.slots[k] = slot_value(h, slot, &values);
    }
    tp_rel_tuples_clear(&values);
  }
  return heap;
}

static void read_call(reader *r, const tp_contract_vc *contract, const tp_rexec_call *call) {
  const uint32_t n_fields = contract->body->n_fields;
  if (tp_rel_eval_formula(r->e, call->asked) != TP_REL_IS_TRUE ||
      !tp_finder_choices_replace_call(contract, call->contract))
    return;
  tp_chosen_call k = {.call = call,
                      .fails = tp_rel_eval_formula(r->e, call->when) != TP_REL_IS_TRUE,
                      .args = tp_arena_array(&r->c->arena, uint32_t, call->n_args + 1)};
  for (uint32_t i = 0; i < call->n_args; i++) k.args[i] = only_atom(r, call->args[i]);
  k.before = read_heap(r, &call->before, n_fields);
  k.after = read_heap(r, &call->after, n_fields);
  k.result = only_atom(r, call->result);
  tp_vec_push(&r->c->calls, k);
}

static void read_made(reader *r, const tp_rexec *body) {
  const tp_program *p = r->l->h->program;
  for (size_t k = 0; k < body->steps.n; k++) {
    const tp_rexec_step *s = &body->steps.at[k];
    const tp_edge_info *e = tp_edge_of(p, s->edge);
    if (e->kind != TP_E_ALLOC || e->object_kind == TP_O_STACK || !s->value.id ||
        tp_rel_eval_formula(r->e, s->when) != TP_REL_IS_TRUE)
      continue;
    uint64_t size_bytes = 0;
    (void)tp_bv_value_u64(p->terms, e->a, &size_bytes);
    const tp_chosen_object o = {only_atom(r, s->value), size_bytes};
    if (o.atom != r->l->h->null_atom) tp_vec_push(&r->c->made, o);
  }
}

bool tp_finder_choices_replace_call(const tp_contract_vc *c, const tp_function_contract *function) {
  return !function->is_library && function->func.id &&
         !tp_func_of(c->heap->program, function->func)->has_body;
}

void tp_finder_choices_init(tp_finder_choices *c, const tp_heap_layout *l,
                            const tp_contract_vc *contract, const tp_rel_instance *i) {
  TP_REQUIRE(l->h->bounds && i);
  *c = (tp_finder_choices){.instance = i};
  tp_arena_init(&c->arena);
  reader r = {c, l, tp_rel_eval_new(l->h->bounds, i, l->h->limits.width_bits)};
  for (size_t k = 0; k < contract->body->calls.n; k++)
    read_call(&r, contract, &contract->body->calls.at[k]);
  read_made(&r, contract->body);
  if (c->calls.n) c->end = read_heap(&r, &contract->body->after, contract->body->n_fields);
  tp_rel_eval_free(r.e);
}

void tp_finder_choices_clear(tp_finder_choices *c) {
  tp_vec_clear(&c->calls);
  tp_vec_clear(&c->made);
  tp_arena_clear(&c->arena);
}

bool tp_finder_choices_agree(const tp_heap_layout *l, const tp_chosen_heap *heap,
                             const int64_t *post, const int64_t *allocated) {
  for (size_t k = 0; k < l->slots.n; k++)
    if (l->slots.at[k].kind == TP_HEAP_SLOT_FIELD && post[k] != heap->slots[k] &&
        l->slots.at[k].length == UINT32_MAX)
      return false;
  for (uint32_t b = TP_OTHER_BASIC + 1; b < l->h->object_model->basics.n; b++)
    for (size_t i = 0; l->h->types[b].is_used && i < l->h->types[b].atoms.n; i++) {
      const uint32_t atom = l->h->types[b].atoms.at[i];
      if ((allocated[atom] == 1) != heap->exists[atom]) return false;
    }
  return true;
}
