/* Lowers the clauses of a contract over the two states of an execution; or, for replay, over the
 * pre-state and relations that hold a post-state found by a run. The execution is repeated until
 * lowering uses no further relation of the heap: relations only grow and are finitely many, so this
 * terminates. */
#include "contracts/modular/contract_vc.h"

#include "contracts/modular/call_templates.h"
#include "contracts/modular/two_states.h"

tp_rel_expr tp_contract_vc_after(const tp_contract_vc *c, uint32_t field) {
  TP_REQUIRE(field < c->heap->fields.n);
  const tp_rheap_field *f = &c->heap->fields.at[field];
  if (f->is_inner) return f->initial;
  return tp_rel_relation(c->heap->l, tp_arena_printf(&c->heap->arena, "after %u", field),
                         tp_rheap_n_keys(c->heap, f->symbol) + 1);
}
tp_rel_expr tp_contract_vc_allocated(const tp_contract_vc *c) {
  return tp_rel_relation(c->heap->l, "there after", 1);
}
tp_rel_expr tp_contract_vc_result(const tp_contract_vc *c) {
  return tp_rel_relation(c->heap->l, "result after", 1);
}

static tp_two_states states_of_body(const tp_contract_vc *c) {
  const tp_rexec *b = c->body;
  tp_rel *l = c->heap->l;
  const bool returns = tp_rel_at(l, b->returns.id)->kind != TP_REL_FALSE;
  return (tp_two_states){.h = c->heap,
                         .before = b->before,
                         .after = b->after,
                         .n_fields = b->n_fields,
                         .params = b->params,
                         .n_params = b->n_params,
                         .result = returns ? b->result : tp_rel_none(l, 1)};
}

/* The state afterwards is given by relations; ghosts, which no compiled program has, are what the
 * body makes of them. */
static tp_two_states states_from_outside(tp_contract_vc *c) {
  tp_two_states s = states_of_body(c);
  tp_rel_expr *fields = tp_arena_array(&c->arena, tp_rel_expr, c->heap->fields.n + 1);
  for (uint32_t f = 0; f < c->heap->fields.n; f++) {
    const bool is_ghost = c->heap->fields.at[f].symbol->kind == TP_SYMBOL_GHOST;
    fields[f] = !is_ghost        ? tp_contract_vc_after(c, f)
                : f < s.n_fields ? s.after.fields[f]
                                 : (tp_rel_expr){0};
  }
  s.after = (tp_rexec_store){.fields = fields, .last = s.after.last};
  s.n_fields = (uint32_t)c->heap->fields.n;
  s.exist_after = tp_contract_vc_allocated(c);
  s.result = tp_contract_vc_result(c);
  return s;
}

// ---------------------------------------------------------------------- goals

/* It returns, and every integer that it leaves fits the width; undefined where one does not. Such a
 * state is outside of the bounds, whatever a clause says of the rest of it. */
static tp_rel_formula returns_within(const tp_contract_vc *c) {
  tp_rel *l = c->heap->l;
  tp_rel_formula all = c->body->returns;
  for (uint32_t f = 0; f < c->body->n_fields; f++) {
    const tp_rheap_field *field = &c->heap->fields.at[f];
    const bool is_integer =
        !field->is_inner &&
        tp_rheap_is_integer(c->heap, tp_rheap_value_type(c->heap, field->symbol));
    if (!is_integer || c->body->after.fields[f].id == field->initial.id) continue;
    tp_rel_expr any = tp_rel_univ(l);
    for (uint32_t k = tp_rheap_n_keys(c->heap, field->symbol); k > 0; k--)
      any = tp_rel_binary(l, TP_REL_PRODUCT, any, tp_rel_univ(l));
    all = tp_rel_and(l, all, tp_rel_compare(l, TP_REL_IN, c->body->after.fields[f], any));
  }
  return c->body->result.id
             ? tp_rel_and(l, all, tp_rel_compare(l, TP_REL_IN, c->body->result, tp_rel_univ(l)))
             : all;
}

static void must_hold(tp_contract_vc *c, bool over_two_states, tp_rel_formula f, tp_pos pos,
                      const char *what) {
  TP_REQUIRE(over_two_states || what);
  tp_rel *l = c->heap->l;
  if (over_two_states)
    tp_vec_push(&c->two_state_goals, f);
  else
    tp_vec_push(&c->goals,
                (tp_contract_goal){tp_rel_and(l, returns_within(c), tp_rel_not(l, f)), pos, what});
}

static void add_clauses(tp_contract_vc *c, tp_lowering *w, bool over_two_states) {
  for (size_t i = 0; i < c->contracts->all.n && !c->why; i++) {
    const tp_resolved_clause *clause = &c->contracts->all.at[i];
    const tp_clause_kind k = clause->clause->kind;
    if (k != TP_CLAUSE_INVARIANT && !tp_function_contract_has(c->contract, i)) continue;
    if ((k == TP_CLAUSE_REQUIRES || k == TP_CLAUSE_PRESERVES || k == TP_CLAUSE_INVARIANT) &&
        !over_two_states)
      tp_vec_push(&c->assumptions, tp_lower_clause(w, clause, TP_PRE_STATE));
    if (k == TP_CLAUSE_ENSURES || k == TP_CLAUSE_PRESERVES || k == TP_CLAUSE_INVARIANT)
      must_hold(c, over_two_states, tp_lower_clause(w, clause, TP_POST_STATE), clause->clause->pos,
                tp_clause_text(clause->clause, &c->arena));
    if (tp_lowering_error(w)) c->why = tp_arena_strdup(&c->arena, tp_lowering_error(w));
    if (c->why) c->pos = clause->clause->pos;
  }
}

/* Of all that the body changes; both times in the same order. */
static void add_frame(tp_contract_vc *c, tp_lowering *w, bool over_two_states) {
  const tp_object_model *u = c->heap->object_model;
  tp_pos pos = TP_POS_NONE;
  tp_two_states s = states_of_body(c);
  if (!c->contract || !c->contract->has_modifies || c->why) return;
  for (size_t i = 0; i < c->contract->clauses.n; i++)
    if (c->contracts->all.at[c->contract->clauses.at[i]].clause->kind == TP_CLAUSE_MODIFIES)
      pos = c->contracts->all.at[c->contract->clauses.at[i]].clause->pos;
  for (size_t i = 0; i <= u->symbols.n; i++) {
    const tp_symbol *symbol = i < u->symbols.n ? u->symbols.at[i] : u->alloc;
    const bool is_kind = symbol->kind == TP_SYMBOL_FIELD || symbol->kind == TP_SYMBOL_ELEMENTS ||
                         symbol->kind == TP_SYMBOL_GLOBAL || symbol->kind == TP_SYMBOL_GHOST ||
                         symbol->kind == TP_SYMBOL_ALLOC;
    if (!is_kind || !symbol->changes || symbol->refused) continue;
    const bool is_field =
        symbol->kind != TP_SYMBOL_ALLOC && !(symbol->kind == TP_SYMBOL_GLOBAL && symbol->object);
    if (is_field && !tp_map_has(&c->heap->field_of, (uint64_t)(uintptr_t)symbol))
      continue;  // nothing uses it
    if (symbol->kind == TP_SYMBOL_GLOBAL && symbol->object) {
      bool is_touched = false;
      for (size_t k = 0; k < c->heap->statics.n; k++)
        is_touched = is_touched || c->heap->statics.at[k].object == symbol->object;
      if (!is_touched) continue;
    }
    if (!tp_function_contract_frame(c->contracts, c->contract, symbol)) continue;
    const tp_rel_expr before = tp_two_states_value(&s, symbol, TP_PRE_STATE),
                      after = tp_two_states_value(&s, symbol, TP_POST_STATE);
    if (!before.id || before.id == after.id) continue;
    const tp_rel_formula f = tp_lower_frame_of(w, c->contract, symbol);
    if (tp_lowering_error(w))
      c->why = tp_arena_strdup(&c->arena, tp_lowering_error(w)), c->pos = pos;
    else
      must_hold(c, over_two_states, f, pos,
                tp_arena_printf(&c->arena, "modifies: %s changes where it may not", symbol->name));
  }
}

static void lower(tp_contract_vc *c, bool over_two_states) {
  tp_two_states s = over_two_states ? states_from_outside(c) : states_of_body(c);
  tp_lowering *w = tp_lowering_new(c->contracts, c->heap->l, tp_two_states_relations(&s));
  add_clauses(c, w, over_two_states);
  add_frame(c, w, over_two_states);
  tp_lowering_free(w);
}

static size_t n_collected(const tp_rheap *h) {
  size_t n = h->fields.n + h->statics.n + h->functions.n;
  for (uint32_t b = 0; b < h->object_model->basics.n; b++) n += h->types[b].is_used;
  return n;
}

static void init(tp_contract_vc *c, tp_rheap *h, tp_rexec *b, tp_func f, tp_contracts *m,
                 bool calls_by_contract, tp_call_templates *templates) {
  TP_REQUIRE(h && b && m && !h->bounds);
  *c = (tp_contract_vc){
      .heap = h, .body = b, .contracts = m, .calls_by_contract = calls_by_contract};
  tp_arena_init(&c->arena);
  c->contract = tp_contracts_of(m, f, TP_CONTRACT_WRITTEN);
  const tp_rexec_call_policy policy = {m, calls_by_contract, templates ? templates->callees : NULL,
                                       NULL, TP_CONTRACT_SUMMARY};
  bool changed = true;
  for (size_t n = SIZE_MAX; n != n_collected(h) || changed;) {
    n = n_collected(h);
    c->assumptions.n = c->goals.n = 0;
    c->why = NULL;
    h->n_foreign_inputs = 0;
    tp_rexec_run(b, h, f, policy);
    lower(c, false);
    changed = templates && tp_call_templates_run(templates, b);
  }
}

void tp_contract_vc_init(tp_contract_vc *c, tp_rheap *h, tp_rexec *b, tp_func f, tp_contracts *m,
                         bool calls_by_contract) {
  init(c, h, b, f, m, calls_by_contract, NULL);
}

void tp_contract_vc_init_with_templates(tp_contract_vc *c, tp_rheap *h, tp_rexec *b, tp_func f,
                                        tp_contracts *m, tp_call_templates *templates) {
  TP_REQUIRE(templates && templates->heap == h);
  init(c, h, b, f, m, true, templates);
}

void tp_contract_vc_two_states(tp_contract_vc *c) {
  TP_REQUIRE(c->heap->bounds && c->two_state_goals.n == 0);
  for (uint32_t f = 0; f < c->heap->fields.n; f++) (void)tp_contract_vc_after(c, f);
  (void)tp_contract_vc_allocated(c);
  (void)tp_contract_vc_result(c);
  lower(c, true);
}

void tp_contract_vc_clear(tp_contract_vc *c) {
  tp_vec_clear(&c->assumptions);
  tp_vec_clear(&c->goals);
  tp_vec_clear(&c->two_state_goals);
  tp_arena_clear(&c->arena);
}
