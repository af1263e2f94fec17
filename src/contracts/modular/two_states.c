/* Looks up symbols of contracts in the pre-state or the post-state. */
#include "contracts/modular/two_states.h"

#include "contracts/modular/relational_heap_priv.h"

static tp_rel_expr difference(const tp_rheap *h, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(h->l, TP_REL_DIFFERENCE, a, b);
}
static bool is_empty(const tp_rheap *h, tp_rel_expr a) {
  return !a.id || tp_rel_at(h->l, a.id)->kind == TP_REL_NONE;
}

static tp_rel_expr field_value(const tp_two_states *s, uint32_t field, tp_contract_state when) {
  TP_REQUIRE(field < s->h->fields.n);
  const tp_rheap_field f = s->h->fields.at[field];
  const tp_rexec_store *state = when == TP_POST_STATE ? &s->after : &s->before;
  if (f.is_inner) return f.initial;
  const tp_rel_expr value =
      field < s->n_fields && state->fields[field].id ? state->fields[field] : f.initial;
  if (tp_rheap_is_global(f.symbol) || is_empty(s->h, state->freed)) return value;
  return tp_rel_binary(s->h->l, TP_REL_DOMAIN, difference(s->h, tp_rel_univ(s->h->l), state->freed),
                       value);
}

tp_rel_expr tp_two_states_exist(tp_two_states *s, tp_contract_state when) {
  tp_rheap *h = s->h;
  const tp_rel_expr assumptions = when == TP_POST_STATE ? s->exist_after : s->exist_before;
  const tp_rexec_store *state = when == TP_POST_STATE ? &s->after : &s->before;
  if (assumptions.id) return assumptions;
  tp_rel_expr *last = TP_NEW_ARRAY(tp_rel_expr, h->object_model->basics.n),
              all = tp_rel_none(h->l, 1);
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    last[b] = state->last[b].id ? state->last[b] : h->types[b].last;
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(h, b))
      all = tp_rel_binary(h->l, TP_REL_UNION, all,
                          tp_rheap_allocated(h, b, (tp_rheap_objects){last, state->stack}));
  tp_free(last);
  return is_empty(h, state->freed) ? all : difference(h, all, state->freed);
}

/* A global in memory: the struct itself, its elements, its only element. */
static tp_rel_expr static_value(const tp_two_states *s, const tp_symbol *symbol,
                                tp_contract_state when) {
  tp_rheap *h = s->h;
  const char *why;
  tp_rel_expr atom;
  uint32_t basic;
  if (!tp_rheap_static_of(h, symbol->object, &atom, &basic)) return (tp_rel_expr){0};
  if (h->object_model->basics.at[basic].kind == TP_BASIC_STRUCT) {
    const tp_rel_expr elements = tp_rheap_static_elements(h, symbol->object);
    return elements.id ? elements : atom;
  }
  for (size_t i = 0; i < h->object_model->symbols.n; i++) {
    const tp_symbol *e = h->object_model->symbols.at[i];
    if (e->kind != TP_SYMBOL_ELEMENTS || e->basic != basic) continue;
    const uint32_t field = tp_rheap_field_of(h, e, &why);
    if (field == TP_RHEAP_NO_FIELD) break;
    const tp_rel_expr own = tp_rel_binary(h->l, TP_REL_JOIN, atom, field_value(s, field, when));
    if (tp_type_of(h->program, symbol->ctype)->kind == TP_T_ARRAY) return own;
    return tp_rel_binary(h->l, TP_REL_JOIN, tp_rel_atom_of(h->l, tp_rel_constant(h->l, 0)), own);
  }
  return (tp_rel_expr){0};
}

tp_rel_expr tp_two_states_value(tp_two_states *s, const tp_symbol *symbol, tp_contract_state when) {
  TP_REQUIRE(s && symbol);
  const char *why;
  uint32_t field;
  switch (symbol->kind) {
    case TP_SYMBOL_GLOBAL:
      if (symbol->object) return static_value(s, symbol, when);
      // fall through
    case TP_SYMBOL_FIELD:
    case TP_SYMBOL_ELEMENTS:
    case TP_SYMBOL_GHOST:
      field = tp_rheap_field_of(s->h, symbol, &why);
      return field == TP_RHEAP_NO_FIELD ? (tp_rel_expr){0} : field_value(s, field, when);
    case TP_SYMBOL_FUNCTION: return tp_rheap_function(s->h, symbol->object);
    case TP_SYMBOL_PARAM:
      return symbol->number < s->n_params ? s->params[symbol->number] : (tp_rel_expr){0};
    case TP_SYMBOL_RESULT: return s->result;
    case TP_SYMBOL_ALLOC: return tp_two_states_exist(s, when);
    case TP_SYMBOL_SET:
    case TP_SYMBOL_LOCAL:
    case TP_SYMBOL_THIS:
    case TP_SYMBOL_MODEL:
    case TP_SYMBOL_VARIABLE:
    case TP_SYMBOL_PRED:
    case TP_SYMBOL_FUN: break;
  }
  return (tp_rel_expr){0};
}

static tp_rel_expr value(void *ctx, const tp_symbol *symbol, tp_contract_state when) {
  return tp_two_states_value(ctx, symbol, when);
}

static tp_rel_expr objects(void *ctx, uint32_t basic) {
  const tp_two_states *s = ctx;
  tp_rheap *h = s->h;
  if (basic == TP_NULL_BASIC) return h->null;
  if (basic == TP_INT_BASIC) return tp_rel_ints(h->l);
  tp_rel_expr all = tp_rel_none(h->l, 1);
  for (size_t i = 0; i < h->functions.n && basic == TP_FUNCTION_BASIC; i++)
    all = tp_rel_binary(h->l, TP_REL_UNION, all, h->functions.at[i].set);
  return basic <= TP_OTHER_BASIC ? all : tp_rheap_use(h, basic)->set;
}

tp_state_relations tp_two_states_relations(tp_two_states *s) {
  return (tp_state_relations){s, value, objects};
}
