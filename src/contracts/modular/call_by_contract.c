/* Calls by contract: preconditions are asserted, postconditions are assumed.
 *
 * What the contract lets change is havocked: it gets a relation of its own for
 * each call, which has to be a value of its type, keeps what `modifies` does not name, and makes
 * the postconditions true. Objects that the callee makes are the next ones of their types, in any
 * number that the bounds allow; what it frees is any set of heap objects that the contract allows.
 *
 * Where a clause says that one result is possible only, the model finder finds it; where it says
 * less, every result counts. So what holds here holds for every callee that keeps its contract,
 * within the bounds.
 *
 * Source: Taghdiri 2008, sec. 5.2.2 (specifications in place of calls); we differ: invariants,
 * freed objects, sets of owners that change. */
#include "contracts/modular/call_allocation.h"
#include "contracts/modular/relational_exec_priv.h"
#include "contracts/modular/two_states.h"

typedef struct {
  tp_rexecutor *r;
  tp_rexec_state *s;
  const tp_function_contract *contract;
  tp_func func;
  tp_two_states states;
  tp_lowering *w;
  const tp_rel_expr *last;        // objects of each type afterwards
  tp_call_allocation allocation;  // what the contract lets it make and free
  uint32_t result_basic;          // MAKES_RESULT: its type
} contract_call;

const tp_function_contract *tp_rexecutor_contract_of(const tp_rexecutor *r, tp_func f) {
  const tp_contracts *m = r->policy.contracts;
  const bool has_body = tp_func_of(r->p, f)->has_body, is_refined = r->policy.callees && has_body;
  if (has_body && !r->policy.for_bodies) return NULL;
  if (is_refined && r->policy.callees[f.id].component == r->policy.callees[r->root.id].component)
    return NULL;  // recursion is unrolled
  if (!m) return NULL;
  const tp_function_contract *summary = tp_contracts_of(m, f, r->policy.computed),
                             *own = tp_contracts_of(m, f, TP_CONTRACT_WRITTEN);
  if (!is_refined && own && own->clauses.n) return own;
  return summary && summary->clauses.n ? summary : NULL;
}

bool tp_rexecutor_can_call_by_contract(tp_rexecutor *r, const tp_rexec_state *s,
                                       const tp_edge_info *e, const tp_function_contract *c) {
  if (e->n_args != c->n_params || (c->result && tp_rheap_unsupported_type(r->h, c->result->ctype)))
    return false;
  tp_rexec_state scratch = *s;  // its guard only is written to
  const size_t n_ends = r->out->ends.n;
  bool ok = true;
  for (uint32_t i = 0; i < e->n_args && ok; i++) {
    (void)tp_rexecutor_atom(r, &scratch, tp_rexecutor_value(r, s, e->args[i]), c->params[i]->ctype);
    ok = !r->why && !tp_rheap_unsupported_type(r->h, c->params[i]->ctype);
  }
  r->out->ends.n = n_ends;
  r->why = NULL;
  return ok;
}

static tp_rel_expr none(const contract_call *k) { return tp_rel_none(k->r->l, 1); }
static bool is_object_type(const contract_call *k, uint32_t b) {
  return b > TP_OTHER_BASIC && k->r->h->types[b].is_used;
}
static const char *name_of(const contract_call *k, const char *what) {
  const char *in = k->r->policy.name;
  return tp_arena_printf(k->r->arena, "%s after call %zu%s%s", what, k->r->out->calls.n + 1,
                         in ? " of " : "", in ? in : "");
}
/* Is the body there to be asked whether the call can be as it is? With all the ends of its
 * executions. A contract of the user's is assumed beside the body, as everywhere. */
static bool is_abstract(const contract_call *k) {
  return k->contract->origin != TP_CONTRACT_WRITTEN && k->r->policy.callees;
}
/* Objects come and go in the call, if only on its stack. */
static bool may_allocate(const contract_call *k) {
  if (!is_abstract(k)) return false;
  const tp_rexec_callee *c = &k->r->policy.callees[k->func.id];
  bool keeps_all = c->keeps_freed && c->keeps_last;
  for (uint32_t b = 0; b < k->r->h->object_model->basics.n && keeps_all; b++)
    keeps_all = !is_object_type(k, b) || c->keeps_last[b];
  return c->may_allocate && !keeps_all;
}
/* Holds of the state behind the call. Where the body can be asked it is a formula by itself: in
 * path conditions, which are negated and repeated, its quantifiers would have no witnesses. */
static void demand(contract_call *k, tp_rel_formula f) {
  tp_rexecutor *r = k->r;
  const tp_rel_kind kind = tp_rel_at(r->l, f.id)->kind;
  if (!is_abstract(k) || kind == TP_REL_FALSE)
    tp_rexecutor_assume(r, k->s, f);
  else if (kind != TP_REL_TRUE)
    tp_vec_push(&r->out->demanded, tp_rel_implies(r->l, tp_rexecutor_guard(r, k->s->guard), f));
}
static bool lowering_failed(const contract_call *k) {
  return tp_lowering_error(k->w) &&
         !tp_rexec_unsupported(k->r, tp_arena_strdup(k->r->arena, tp_lowering_error(k->w)));
}

// ------------------------------------------------------------------- arguments

static bool evaluate_arguments(contract_call *k, const tp_edge_info *e) {
  TP_REQUIRE(k->contract != NULL);
  tp_rexecutor *r = k->r;
  tp_rel_expr *args = tp_arena_array(r->arena, tp_rel_expr, e->n_args + 1);
  if (e->n_args != k->contract->n_params)
    return tp_rexec_unsupported(r, "a call with a variable number of arguments");
  for (uint32_t i = 0; i < e->n_args && !r->why; i++)
    args[i] = tp_rexecutor_atom(r, k->s, tp_rexecutor_value(r, k->s, e->args[i]),
                                k->contract->params[i]->ctype);
  k->states.params = args;
  k->states.n_params = e->n_args;
  return !r->why;
}

// ---------------------------------------------------------------- what is asserted

static const char *text_of(const contract_call *k, const tp_clause *clause) {
  return tp_arena_printf(k->r->arena, "the call of %s: %s", k->contract->name,
                         tp_clause_text(clause, k->r->arena));
}

/* Functions of the program keep all invariants if they are called with all of them; what was
 * computed from a body says nothing of invariants. */
static bool needs_invariants(const contract_call *k) {
  return tp_func_of(k->r->p, k->func)->has_body && k->contract->origin == TP_CONTRACT_WRITTEN;
}

static bool is_required(const contract_call *k, const tp_resolved_clause *c) {
  const tp_clause_kind kind = c->clause->kind;
  return kind == TP_CLAUSE_REQUIRES || kind == TP_CLAUSE_PRESERVES ||
         (kind == TP_CLAUSE_INVARIANT && needs_invariants(k));
}

static bool is_ensured(const tp_resolved_clause *c) {
  const tp_clause_kind kind = c->clause->kind;
  return kind == TP_CLAUSE_ENSURES || kind == TP_CLAUSE_PRESERVES || kind == TP_CLAUSE_INVARIANT;
}

static bool is_of_contract(const contract_call *k, size_t clause) {
  if (k->r->policy.contracts->all.at[clause].clause->kind == TP_CLAUSE_INVARIANT)
    return k->contract->origin == TP_CONTRACT_WRITTEN;
  return tp_function_contract_has(k->contract, clause);
}

/* A pointer to a freed object has no value in C; no contract speaks of it. */
static void assert_arguments_exist(contract_call *k) {
  if (k->contract->origin != TP_CONTRACT_WRITTEN) return;  // the body says what it does with them
  for (uint32_t i = 0; i < k->states.n_params && k->s->freed.id; i++) {
    if (tp_rheap_is_integer(k->r->h, k->contract->params[i]->ctype)) continue;
    const tp_rel_expr freed =
        tp_rel_binary(k->r->l, TP_REL_INTERSECTION, k->states.params[i], k->s->freed);
    tp_rexecutor_end(k->r, k->s, TP_REXEC_FAILS, tp_rel_multiplicity(k->r->l, TP_REL_SOME, freed),
                     tp_arena_printf(k->r->arena, "the call of %s with an object that is gone",
                                     k->contract->name));
  }
}

static void assert_preconditions(contract_call *k) {
  const tp_contracts *m = k->r->policy.contracts;
  assert_arguments_exist(k);
  for (size_t i = 0; i < m->all.n && !k->r->why; i++) {
    if (!is_of_contract(k, i) || !is_required(k, &m->all.at[i])) continue;
    const tp_rel_formula f = tp_lower_clause(k->w, &m->all.at[i], TP_PRE_STATE);
    if (lowering_failed(k)) return;
    tp_rexecutor_end(k->r, k->s, TP_REXEC_FAILS, tp_rel_not(k->r->l, f),
                     text_of(k, m->all.at[i].clause));
  }
}

// ------------------------------------------------------------- objects come and go

static bool may_change(const contract_call *k, const tp_symbol *symbol) {
  return !tp_function_contract_keeps(k->r->policy.contracts, k->contract, symbol);
}

/* The result, where nothing else is made: a struct without others inside, which would be objects
 * that are made with it. */
static void find_allocation(contract_call *k) {
  if (is_abstract(k)) {  // bodies make objects that do not outlive the call, too
    k->allocation = (tp_call_allocation){TP_CALL_MAKES_ANY, true};
    return;
  }
  const tp_rheap *h = k->r->h;
  const tp_symbol *result = k->contract->result;
  k->allocation = tp_call_allocation_of(k->r->policy.contracts, k->contract);
  if (k->allocation.makes != TP_CALL_MAKES_RESULT) return;
  const tp_type_info *type = result ? tp_type_of(k->r->p, result->ctype) : NULL;
  bool is_plain =
      type && type->kind == TP_T_POINTER && tp_rheap_basic_of(h, type->element, &k->result_basic);
  for (size_t i = 0; i < h->fields.n && is_plain; i++)
    is_plain = !h->fields.at[i].is_inner || h->fields.at[i].symbol->basic != k->result_basic;
  if (!is_plain) k->allocation.makes = TP_CALL_MAKES_ANY;
}

/* Are no objects of the type made? By the body, or by what the contract says. */
static bool makes_none(const contract_call *k, uint32_t basic) {
  if (k->allocation.makes == TP_CALL_MAKES_NONE ||
      (k->allocation.makes == TP_CALL_MAKES_RESULT && basic != k->result_basic))
    return true;
  const tp_rexec_callee *callees = k->r->policy.callees;
  return is_abstract(k) && callees[k->func.id].keeps_last && callees[k->func.id].keeps_last[basic];
}

/* The allocated objects come first, as before; it is noted where one more may be wanted. */
static void make_objects(contract_call *k) {
  tp_rexecutor *r = k->r;
  tp_rel_formula full = tp_rel_bool(r->l, false);
  for (uint32_t b = 0; b < r->h->object_model->basics.n; b++) {
    if (!is_object_type(k, b) || makes_none(k, b)) continue;
    const tp_rheap_type *t = &r->h->types[b];
    const tp_rel_expr before = k->states.before.last[b];
    const tp_rel_expr after = tp_rheap_havoc_set(
        r->h,
        name_of(k, tp_arena_printf(r->arena, "last %s", r->h->object_model->basics.at[b].name)), b);
    const tp_rel_expr up_to = tp_rexec_join(
        r, after,
        tp_rel_unary(r->l, TP_REL_REFLEXIVE, tp_rel_unary(r->l, TP_REL_TRANSPOSE, t->order)));
    demand(k, tp_rel_multiplicity(r->l, TP_REL_LONE, after));
    demand(k, tp_rel_compare(r->l, TP_REL_IN, before, up_to));
    full =
        tp_rel_or(r->l, full, tp_rel_multiplicity(r->l, TP_REL_NO, tp_rheap_next(r->h, b, before)));
    k->s->last[b] = after;
  }
  if (is_abstract(k)) return;  // the body itself is asked
  tp_vec_push(
      &r->out->unproved_bounds,
      (tp_rexec_end){
          TP_REXEC_OBJECTS, tp_rel_and(r->l, tp_rexecutor_guard(r, k->s->guard), full), r->pos,
          tp_arena_printf(r->arena, "one more object in the call of %s", k->contract->name),
          false});
}

static tp_rel_expr allocated(const contract_call *k, uint32_t basic, const tp_rel_expr *last) {
  return tp_rheap_allocated(k->r->h, basic, (tp_rheap_objects){last, k->states.before.stack});
}

/* What a value behind the call may lead to: variables of the caller, gone or not, too. */
static tp_rheap_objects objects_after(const contract_call *k) {
  tp_rexec_state s = *k->s;
  s.last = (tp_rel_expr *)(uintptr_t)k->last;
  return tp_rexecutor_objects(k->r, &s);
}

/* Objects that the call makes, of all types. */
static tp_rel_expr made_objects(const contract_call *k) {
  tp_rexecutor *r = k->r;
  tp_rel_expr made = none(k);
  for (uint32_t b = 0; b < r->h->object_model->basics.n; b++)
    if (is_object_type(k, b) && !makes_none(k, b))
      made = tp_rexec_union(r, made,
                            tp_rexec_difference(r, allocated(k, b, k->s->last),
                                                allocated(k, b, k->states.before.last)));
  return made;
}

/* Memory from the heap only; and what the call itself makes, where the body is replayed. */
static void free_objects(contract_call *k) {
  tp_rexecutor *r = k->r;
  if (!k->allocation.may_free) return;
  if (is_abstract(k) && r->policy.callees[k->func.id].keeps_freed) return;
  const tp_rel_expr chosen = tp_rheap_havoc_set(r->h, name_of(k, "gone"), 0);
  tp_rel_expr may = tp_two_states_exist(&k->states, TP_PRE_STATE);
  if (k->s->stack.id) may = tp_rexec_difference(r, may, k->s->stack);
  for (size_t i = 0; i < r->h->statics.n; i++)
    may = tp_rexec_difference(r, may, r->h->statics.at[i].set);
  for (size_t i = 0; i < r->h->fields.n; i++)
    if (r->h->fields.at[i].is_inner)
      may =
          tp_rexec_difference(r, may, tp_rexec_join(r, tp_rel_univ(r->l), r->h->fields.at[i].lies));
  if (may_allocate(k)) may = tp_rexec_union(r, may, made_objects(k));
  const bool shows = is_abstract(k) && r->policy.callees[k->func.id].may_show_locals;
  const tp_rel_expr locals = shows ? tp_rheap_all_locals(r->h) : none(k);
  if (shows)
    may = tp_rexec_union(r, may,
                         k->s->stack.id ? tp_rexec_difference(r, locals, k->s->stack) : locals);
  demand(k, tp_rel_compare(r->l, TP_REL_IN, chosen, may));
  const tp_rel_expr freed = tp_rexecutor_with_inner(r, chosen);
  k->s->freed = k->s->freed.id ? tp_rexec_union(r, k->s->freed, freed) : freed;
  if (!shows) return;
  const tp_rel_expr shown = tp_rel_binary(r->l, TP_REL_INTERSECTION, chosen, locals);
  k->s->shown = k->s->shown.id ? tp_rexec_union(r, k->s->shown, shown) : shown;
  r->out->shows_locals = true;
}

// -------------------------------------------------------------------- new values

/* Of the objects that were allocated, those whose member may change. *by_index: not at all indices.
 */
static tp_rel_expr changing(contract_call *k, const tp_symbol *symbol, bool *by_index) {
  const tp_contracts *m = k->r->policy.contracts;
  const tp_rel_expr all = allocated(k, symbol->basic, k->states.before.last);
  tp_rel_expr some = none(k);
  *by_index = false;
  if (!k->contract->has_modifies) return all;
  for (size_t i = 0; i < k->contract->clauses.n; i++) {
    const tp_resolved_clause *c = &m->all.at[k->contract->clauses.at[i]];
    for (uint32_t t = 0; t < c->n_targets; t++) {
      if (c->targets[t].symbol != symbol) continue;
      *by_index = *by_index || c->targets[t].indices;
      if (!c->targets[t].objects) return all;
      some = tp_rexec_union(k->r, some,
                            tp_lower_relation(k->w, c->targets[t].objects, 1, TP_PRE_STATE));
    }
  }
  return tp_rel_binary(k->r->l, TP_REL_INTERSECTION, some, all);
}

/* Arrays keep their lengths. */
static void keep_lengths(contract_call *k, tp_rel_expr owners, tp_rel_expr before,
                         tp_rel_expr after) {
  tp_rel *l = k->r->l;
  const tp_rel_expr univ = tp_rel_univ(l);
  const tp_rel_expr old =
                        tp_rexec_join(k->r, tp_rel_binary(l, TP_REL_DOMAIN, owners, before), univ),
                    new = tp_rexec_join(k->r, tp_rel_binary(l, TP_REL_DOMAIN, owners, after), univ);
  demand(k, tp_rel_compare(l, TP_REL_EQUAL, new, old));
}

static bool reads_after(const tp_spec_expr *x) {
  bool any = x->is_primed || x->kind == TP_SPEC_RESULT;
  for (uint32_t i = 0; i < x->n_kids && !any; i++) any = reads_after(x->kids[i]);
  for (uint32_t i = 0; i < x->n_decls && !any; i++)
    any = x->decls[i].bound && reads_after(x->decls[i].bound);
  return any;
}

/* Is the clause `x' = E`, or `\result = E`, for an E over the pre-state? */
static bool is_equation(const tp_resolved_clause *c, const tp_symbol *symbol) {
  if (c->clause->kind != TP_CLAUSE_ENSURES || !c->expr || c->expr->kind != TP_SPEC_EQUAL)
    return false;
  const tp_spec_expr *left = c->expr->kids[0];
  const bool is_it = symbol
                         ? left->kind == TP_SPEC_NAME && left->is_primed && left->symbol == symbol
                         : left->kind == TP_SPEC_RESULT;
  return is_it && !reads_after(c->expr->kids[1]);
}

/* The value after a call that a summary determines; id 0: it does not. symbol NULL: the result.
 * Needs no relation of its own (digest of the source: an interval whose bounds are one expression).
 */
static tp_rel_expr determined(contract_call *k, const tp_symbol *symbol, uint32_t arity) {
  const tp_contracts *m = k->r->policy.contracts;
  if (!is_abstract(k) || may_allocate(k)) return (tp_rel_expr){0};
  for (size_t i = 0; i < k->contract->clauses.n; i++) {
    const tp_resolved_clause *c = &m->all.at[k->contract->clauses.at[i]];
    if (!is_equation(c, symbol)) continue;
    const tp_rel_expr x = tp_lower_relation(k->w, c->expr->kids[1], arity, TP_PRE_STATE);
    if (!lowering_failed(k) && x.id && tp_rel_at(k->r->l, x.id)->arity == arity) return x;
  }
  return (tp_rel_expr){0};
}

static void change_member(contract_call *k, uint32_t field, bool makes) {
  TP_REQUIRE(field < k->r->max_fields && field < k->r->h->fields.n);
  tp_rexecutor *r = k->r;
  const tp_symbol *symbol = r->h->fields.at[field].symbol;
  const bool may = may_change(k, symbol);
  bool by_index = false;
  if (!may && (!makes || makes_none(k, symbol->basic))) return;
  const tp_rel_expr exactly =
      symbol->kind == TP_SYMBOL_FIELD ? determined(k, symbol, 2) : (tp_rel_expr){0};
  if (exactly.id) {  // a body that stores through null does not return
    demand(k, tp_rel_multiplicity(r->l, TP_REL_NO, tp_rexec_join(r, r->h->null, exactly)));
    k->s->fields[field] = exactly;
    return;
  }
  const tp_rel_expr before = field < k->states.n_fields ? k->states.before.fields[field]
                                                        : r->h->fields.at[field].initial,
                    old = may ? changing(k, symbol, &by_index) : none(k);
  tp_rel_expr owners = old;
  if (makes && !makes_none(k, symbol->basic))
    owners =
        tp_rexec_union(r, owners,
                       tp_rexec_difference(r, allocated(k, symbol->basic, k->last),
                                           allocated(k, symbol->basic, k->states.before.last)));
  const tp_rel_expr new = tp_rheap_havoc_value(
      r->h,
      name_of(k, tp_arena_printf(r->arena, "%s::%s",
                                 r->h->object_model->basics.at[symbol->basic].name, symbol->name)),
      symbol);
  demand(k, tp_rheap_is_value(r->h, symbol, new, owners, objects_after(k)));
  if (symbol->kind == TP_SYMBOL_ELEMENTS && may) keep_lengths(k, old, before, new);
  k->s->fields[field] = tp_rexec_union(
      r,
      tp_rel_binary(r->l, TP_REL_DOMAIN, tp_rexec_difference(r, tp_rel_univ(r->l), owners), before),
      new);
}

static void change_global(contract_call *k, uint32_t field) {
  tp_rexecutor *r = k->r;
  const tp_symbol *symbol = r->h->fields.at[field].symbol;
  if (!may_change(k, symbol)) return;
  tp_rel_expr new = determined(k, symbol, 1);
  if (!new.id) {
    new = tp_rheap_havoc_value(r->h, name_of(k, tp_arena_printf(r->arena, "::%s", symbol->name)),
                               symbol);
    demand(k, tp_rheap_is_value(r->h, symbol, new, r->h->null, objects_after(k)));
  }
  k->s->fields[field] = new;
  if (symbol->kind != TP_SYMBOL_GLOBAL || !symbol->var.id) return;
  const bool as_bool =
      tp_sort_kind_of(r->p->terms, tp_sort_of(r->p->terms, tp_var_of(r->p, symbol->var)->term)) ==
      TP_SORT_BOOL;
  k->s->vars[symbol->var.id] = tp_rexecutor_of_atom(r, new, symbol->ctype, as_bool);
}

static void change_heap(contract_call *k) {
  tp_rexecutor *r = k->r;
  const bool makes = is_abstract(k) ? may_allocate(k) : may_change(k, r->h->object_model->alloc);
  find_allocation(k);
  if (makes) {
    make_objects(k);
    free_objects(k);
  }
  tp_rel_expr *last = tp_arena_array(r->arena, tp_rel_expr, r->h->object_model->basics.n);
  for (uint32_t b = 0; b < r->h->object_model->basics.n; b++)
    last[b] = k->s->last[b].id ? k->s->last[b] : k->states.before.last[b];
  k->last = last;
  for (uint32_t f = 0; f < r->h->fields.n && !r->why; f++) {
    if (f >= r->max_fields) {  // collected by lowering this contract: the next execution has room
      tp_rexec_unsupported(r, "too many members");
      return;
    }
    if (r->h->fields.at[f].is_inner) continue;
    if (tp_rheap_is_global(r->h->fields.at[f].symbol))
      change_global(k, f);
    else
      change_member(k, f, makes);
  }
}

static void make_result(contract_call *k, const tp_edge_info *e) {
  tp_rexecutor *r = k->r;
  const tp_symbol *result = k->contract->result;
  if (!result) return;
  const char *why = tp_rheap_unsupported_type(r->h, result->ctype);
  if (why) {
    if (e->var.id) tp_rexec_unsupported(r, why);
    return;
  }
  k->states.result = determined(k, NULL, 1);
  if (k->states.result.id) {  // a body that finds no value goes on looking: it does not return
    demand(k, tp_rel_multiplicity(r->l, TP_REL_ONE, k->states.result));
    return;
  }
  tp_symbol *s = tp_arena_new(&r->h->arena, tp_symbol);
  *s = (tp_symbol){.kind = TP_SYMBOL_PARAM, .name = "result", .ctype = result->ctype};
  k->states.result = tp_rheap_havoc_value(r->h, name_of(k, "result"), s);
  demand(k, tp_rheap_is_value(r->h, s, k->states.result, r->h->null, objects_after(k)));
}

// ------------------------------------------------------------------- what is assumed

/* What has a contract only keeps the invariants that it finds. */
static tp_rel_formula ensured(contract_call *k, const tp_resolved_clause *c) {
  const tp_rel_formula f = tp_lower_clause(k->w, c, TP_POST_STATE);
  if (c->clause->kind != TP_CLAUSE_INVARIANT || needs_invariants(k)) return f;
  return tp_rel_implies(k->r->l, tp_lower_clause(k->w, c, TP_PRE_STATE), f);
}

static void assume_frame(contract_call *k) {
  const tp_object_model *u = k->r->h->object_model;
  for (uint32_t f = 0; f < k->r->h->fields.n; f++) {
    bool by_index = false;
    const tp_symbol *symbol = k->r->h->fields.at[f].symbol;
    if (k->r->h->fields.at[f].is_inner || tp_rheap_is_global(symbol) || !may_change(k, symbol))
      continue;
    (void)changing(k, symbol, &by_index);
    if (by_index) demand(k, tp_lower_frame_of(k->w, k->contract, symbol));
  }
  for (size_t i = 0; i < u->symbols.n; i++) {  // elements of global arrays
    const tp_symbol *symbol = u->symbols.at[i];
    const bool is_touched =
        symbol->kind == TP_SYMBOL_GLOBAL && symbol->object && symbol->changes && !symbol->refused;
    if (!is_touched || !tp_function_contract_frame(k->r->policy.contracts, k->contract, symbol) ||
        may_change(k, symbol))
      continue;
    const tp_rel_expr before = tp_two_states_value(&k->states, symbol, TP_PRE_STATE),
                      after = tp_two_states_value(&k->states, symbol, TP_POST_STATE);
    if (before.id && before.id != after.id) demand(k, tp_lower_frame_of(k->w, k->contract, symbol));
  }
}

/* Objects that exist are the same ones, if the contract does not let them change: what the body
 * makes has ended. */
static void assume_same_objects(contract_call *k) {
  if (!may_allocate(k) || may_change(k, k->r->h->object_model->alloc)) return;
  demand(k, tp_rel_compare(k->r->l, TP_REL_EQUAL, tp_two_states_exist(&k->states, TP_POST_STATE),
                           tp_two_states_exist(&k->states, TP_PRE_STATE)));
}

/* What the user says of a body that is there: it holds of calls that are as the contract wants
 * them.
 */
static void assume_own_contract(contract_call *k) {
  const tp_contracts *m = k->r->policy.contracts;
  tp_rel *l = k->r->l;
  const tp_function_contract *own =
      is_abstract(k) ? tp_contracts_of(m, k->func, TP_CONTRACT_WRITTEN) : NULL;
  if (!own) return;
  tp_rel_formula when = tp_rel_bool(l, true);
  for (size_t i = 0; i < m->all.n && !lowering_failed(k); i++) {
    const tp_clause_kind kind = m->all.at[i].clause->kind;
    const bool is_own = kind == TP_CLAUSE_INVARIANT || tp_function_contract_has(own, i);
    if (is_own &&
        (kind == TP_CLAUSE_INVARIANT || kind == TP_CLAUSE_REQUIRES || kind == TP_CLAUSE_PRESERVES))
      when = tp_rel_and(l, when, tp_lower_clause(k->w, &m->all.at[i], TP_PRE_STATE));
  }
  for (size_t i = 0; i < m->all.n && !lowering_failed(k); i++)
    if (tp_function_contract_has(own, i) && is_ensured(&m->all.at[i])) {
      k->r->out->n_trusted++;
      demand(k, tp_rel_implies(l, when, tp_lower_clause(k->w, &m->all.at[i], TP_POST_STATE)));
    }
}

static void assume_ensured(contract_call *k) {
  const tp_contracts *m = k->r->policy.contracts;
  k->states.after = tp_rexecutor_store(k->r, k->s);
  assume_frame(k);
  assume_same_objects(k);
  for (size_t i = 0; i < m->all.n && !lowering_failed(k); i++)
    if (is_of_contract(k, i) && is_ensured(&m->all.at[i])) demand(k, ensured(k, &m->all.at[i]));
  assume_own_contract(k);
}

/* Every integer that the state has fits the width: an execution that leaves it is outside of the
 * bounds, and a replay needs values. */
static void assume_within_width(contract_call *k) {
  tp_rexecutor *r = k->r;
  const tp_rel_expr univ = tp_rel_univ(r->l),
                    pair = tp_rel_binary(r->l, TP_REL_PRODUCT, univ, univ);
  for (uint32_t f = 0; f < k->states.n_fields; f++) {
    const tp_rheap_field *field = &r->h->fields.at[f];
    const tp_rel_expr x = k->states.before.fields[f];
    const uint32_t n = tp_rheap_n_keys(r->h, field->symbol);
    if (field->is_inner || x.id == field->initial.id) continue;
    tp_rexecutor_assume(r, k->s,
                        tp_rel_compare(r->l, TP_REL_IN, x,
                                       n == 0   ? univ
                                       : n == 1 ? pair
                                                : tp_rel_binary(r->l, TP_REL_PRODUCT, pair, univ)));
  }
  for (uint32_t i = 0; i < k->states.n_params; i++)
    tp_rexecutor_assume(r, k->s, tp_rel_compare(r->l, TP_REL_IN, k->states.params[i], univ));
}

/* The call ends as an execution of the body can: the model finder chooses, a replay decides. */
static void add_ends(contract_call *k, tp_rel_formula *ends) {
  static const char *const whats[] = {"a failure", "more rounds", "more objects",
                                      "something that has no relations"};
  tp_rexecutor *r = k->r;
  for (uint32_t e = 0; e < TP_REXEC_N_ENDS; e++) {
    if (!r->policy.callees[k->func.id].may_end[e]) continue;
    const char *what =
        tp_arena_printf(r->arena, "%s in the call of %s", whats[e], k->contract->name);
    ends[e] = tp_rel_multiplicity(r->l, TP_REL_SOME, tp_rheap_havoc_flag(r->h, name_of(k, what)));
    const size_t n = r->out->ends.n;
    tp_rexecutor_end(r, k->s, (tp_rexec_end_kind)e, ends[e], what);
    if (r->out->ends.n > n) tp_vec_last(&r->out->ends).in_call = true;
  }
}

static void note_call(contract_call *k, tp_rel_formula asked, tp_rel_formula when,
                      const tp_rexec_call *more) {
  const tp_rel_formula returns =
      k->s->is_dead ? tp_rel_bool(k->r->l, false) : tp_rexecutor_guard(k->r, k->s->guard);
  tp_vec_push(&k->r->out->calls, (tp_rexec_call){.contract = k->contract,
                                                 .pos = k->r->pos,
                                                 .asked = asked,
                                                 .when = when,
                                                 .returns = returns,
                                                 .before = k->states.before,
                                                 .after = k->states.after,
                                                 .args = k->states.params,
                                                 .n_args = k->states.n_params,
                                                 .result = k->states.result,
                                                 .is_abstract = more->is_abstract,
                                                 .is_exact = more->is_exact,
                                                 .ends = {more->ends[0], more->ends[1],
                                                          more->ends[2], more->ends[3]}});
}

static void call(contract_call *k, const tp_edge_info *e) {
  tp_rexecutor *r = k->r;
  if (!evaluate_arguments(k, e)) return;
  tp_rexecutor_store_globals(r, k->s);
  if (k->s->is_dead) return;
  k->states.before = k->states.after = tp_rexecutor_store(r, k->s);
  k->states.n_fields = (uint32_t)r->h->fields.n;
  k->w = tp_lowering_new(r->policy.contracts, r->l, tp_two_states_relations(&k->states));
  const tp_rel_formula asked = tp_rexecutor_guard(r, k->s->guard);
  assert_preconditions(k);
  tp_rexec_call more = {.is_abstract = is_abstract(k)};
  if (more.is_abstract) assume_within_width(k);
  const tp_rel_formula when = tp_rexecutor_guard(r, k->s->guard);
  if (r->h->fields.n > r->max_fields) tp_rexec_unsupported(r, "too many members");
  if (more.is_abstract && !r->why && !k->s->is_dead) add_ends(k, more.ends);
  const size_t n_havocs = r->h->havocs.n;
  if (!r->why && !k->s->is_dead) change_heap(k);
  if (!r->why && !k->s->is_dead) make_result(k, e);
  more.is_exact = more.is_abstract && r->h->havocs.n == n_havocs;
  if (!r->why && !k->s->is_dead) assume_ensured(k);
  if (!r->why) note_call(k, asked, when, &more);
  tp_lowering_free(k->w);
}

void tp_rexecutor_call_by_contract(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e,
                                   tp_func f, const tp_function_contract *c) {
  TP_REQUIRE(c && f.id && c->func.id == f.id);
  contract_call k = {.r = r, .s = s, .contract = c, .func = f, .states = {.h = r->h}};
  call(&k, e);
  if (r->why) tp_rexecutor_end_unsupported(r, s);
  if (s->is_dead || !e->var.id || !c->result) return;
  const bool as_bool =
      tp_sort_kind_of(r->p->terms, tp_sort_of(r->p->terms, tp_var_of(r->p, e->var)->term)) ==
      TP_SORT_BOOL;
  tp_rexecutor_set_var(r, s, e->var,
                       tp_rexecutor_of_atom(r, k.states.result, c->result->ctype, as_bool));
}
