/* Contracts as formulas: pre- and postconditions, frame conditions, invariants. An invariant of a
 * struct is quantified over the objects of the struct that exist in the state. */
#include "contracts/spec/spec_lower_priv.h"

static tp_rel_formula truth(const tp_lowering *w) { return tp_rel_bool(w->l, true); }

/* Of every object of the struct that exists at that state. */
static tp_rel_formula invariant(tp_lowering *w, const tp_resolved_clause *c,
                                tp_contract_state when) {
  uint32_t basic = 0;
  if (c->clause->subject.about != TP_SUBJECT_STRUCT) return tp_lower_formula(w, c->expr, when);
  if (!tp_object_model_struct(w->u, c->clause->subject.name, &basic)) return (tp_rel_formula){0};
  const tp_symbol this_symbol = {.kind = TP_SYMBOL_THIS, .name = "this", .basic = basic};
  const tp_rel_expr exist = tp_lower_value(w, w->u->alloc, when);
  if (!exist.id) tp_lower_fail(w, c->clause->pos, "the states do not say which objects exist");
  const tp_rel_decl decl = {
      tp_rel_variable(w->l, "this", 1),
      tp_rel_binary(w->l, TP_REL_INTERSECTION, tp_lower_objects(w, basic), exist)};
  tp_lower_bind(w, &this_symbol, (tp_lowered){.set = tp_rel_use(w->l, decl.var)});
  const tp_rel_formula body = tp_lower_formula(w, c->expr, when);
  w->env.n--;
  return tp_rel_quantify(w->l, TP_REL_FOR_ALL, &decl, 1, body);
}

tp_rel_formula tp_lower_clause(tp_lowering *w, const tp_resolved_clause *c,
                               tp_contract_state when) {
  TP_REQUIRE(w && c && c->clause);
  switch (c->clause->kind) {
    case TP_CLAUSE_REQUIRES: return tp_lower_formula(w, c->expr, when);
    case TP_CLAUSE_PRESERVES: return tp_lower_formula(w, c->expr, when);
    case TP_CLAUSE_ENSURES: return tp_lower_formula(w, c->expr, TP_PRE_STATE);
    case TP_CLAUSE_INVARIANT: return invariant(w, c, when);
    case TP_CLAUSE_MODIFIES:
    case TP_CLAUSE_MODEL:
    case TP_CLAUSE_GHOST:
    case TP_CLAUSE_ASSIGN:
    case TP_CLAUSE_PRED:
    case TP_CLAUSE_FUN: break;
  }
  return truth(w);
}

static bool is_about(const tp_resolved_clause *c, tp_contract_state when) {
  const tp_clause_kind k = c->clause->kind;
  return k == TP_CLAUSE_PRESERVES ||
         k == (when == TP_PRE_STATE ? TP_CLAUSE_REQUIRES : TP_CLAUSE_ENSURES);
}

static tp_rel_formula all_clauses(tp_lowering *w, const tp_function_contract *c,
                                  tp_contract_state when) {
  tp_rel_formula all = truth(w);
  for (size_t i = 0; i < c->clauses.n; i++) {
    const tp_resolved_clause *clause = &w->m->all.at[c->clauses.at[i]];
    if (is_about(clause, when)) all = tp_rel_and(w->l, all, tp_lower_clause(w, clause, when));
  }
  return all;
}

tp_rel_formula tp_lower_requires(tp_lowering *w, const tp_function_contract *c) {
  TP_REQUIRE(w && c);
  return all_clauses(w, c, TP_PRE_STATE);
}
tp_rel_formula tp_lower_ensures(tp_lowering *w, const tp_function_contract *c) {
  TP_REQUIRE(w && c);
  return all_clauses(w, c, TP_POST_STATE);
}

tp_rel_formula tp_lower_frame_of(tp_lowering *w, const tp_function_contract *c,
                                 const tp_symbol *symbol) {
  TP_REQUIRE(w && c && symbol);
  const tp_spec_expr *x = tp_function_contract_frame(w->m, c, symbol);
  return x ? tp_lower_formula(w, x, TP_PRE_STATE) : truth(w);
}

tp_rel_formula tp_lower_frame(tp_lowering *w, const tp_function_contract *c) {
  tp_rel_formula all = truth(w);
  for (size_t i = 0; c->has_modifies && i <= w->u->symbols.n; i++) {
    const tp_symbol *s = i < w->u->symbols.n ? w->u->symbols.at[i] : w->u->alloc;
    if (!s->changes || s->refused || s->kind == TP_SYMBOL_MODEL) continue;
    if (tp_lower_value(w, s, TP_PRE_STATE).id && tp_lower_value(w, s, TP_POST_STATE).id)
      all = tp_rel_and(w->l, all, tp_lower_frame_of(w, c, s));
  }
  return all;
}

tp_rel_formula tp_lower_invariants(tp_lowering *w, tp_contract_state when) {
  tp_rel_formula all = truth(w);
  for (size_t i = 0; i < w->m->all.n; i++)
    if (w->m->all.at[i].clause->kind == TP_CLAUSE_INVARIANT)
      all = tp_rel_and(w->l, all, tp_lower_clause(w, &w->m->all.at[i], when));
  return all;
}
