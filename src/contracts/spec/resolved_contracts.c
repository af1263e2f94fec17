/* What contracts mean for a program.
 *
 * Symbols are made for all that clauses declare before any clause is resolved, so order does not
 * matter; their types and bodies are resolved when they are first needed. A symbol that is needed
 * while it is being resolved needs itself, which is an error: closures say what recursion would. */
#include "contracts/spec/resolved_contracts.h"

#include "contracts/spec/resolve.h"
#include "expression/scope.h"

#include <stdio.h>

static const char broken[] = "something is wrong where it is declared";

// ------------------------------------------------------------------ declarations

static bool is_member_kind(tp_symbol_kind k) {
  return k == TP_SYMBOL_FIELD || k == TP_SYMBOL_MODEL || k == TP_SYMBOL_GHOST;
}

/* Names of members are distinguished by their struct; what is called with brackets, and globals, by
 * nothing. */
static bool is_free(tp_contracts *m, const tp_clause *c, uint32_t basic) {
  const bool has_own_name = c->kind == TP_CLAUSE_PRED || c->kind == TP_CLAUSE_FUN;
  for (size_t i = 0; i < m->object_model->symbols.n; i++) {
    const tp_symbol *s = m->object_model->symbols.at[i];
    if (strcmp(s->name, c->name) != 0 || s->kind == TP_SYMBOL_FUNCTION) continue;
    const bool clashes = has_own_name || s->kind == TP_SYMBOL_PRED || s->kind == TP_SYMBOL_FUN ||
                         (is_member_kind(s->kind) ? s->basic == basic : basic == 0);
    if (clashes)
      return tp_clauses_wrong(m->clauses, c->name_pos, "'%s' is the name of something else already",
                              c->name);
  }
  return true;
}

static bool struct_of(tp_contracts *m, const tp_clause *c, uint32_t *basic) {
  *basic = 0;
  if (c->subject.about != TP_SUBJECT_STRUCT ||
      tp_object_model_struct(m->object_model, c->subject.name, basic))
    return true;
  if (strncmp(c->subject.name, "union", 5) == 0)
    return tp_clauses_wrong(m->clauses, c->pos,
                            "unions have no relations, so nothing can be said of %s",
                            c->subject.name);
  return tp_clauses_wrong(m->clauses, c->pos, "the program has no %s, or uses nothing of it",
                          c->subject.name);
}

static const tp_symbol *this_of(tp_contracts *m, uint32_t basic) {
  if (!basic) return NULL;
  tp_symbol *s = tp_arena_new(&m->arena, tp_symbol);
  *s = (tp_symbol){.kind = TP_SYMBOL_THIS,
                   .name = "this",
                   .basic = basic,
                   .type = tp_reltype_basic(&m->types, basic),
                   .is_function = true};
  return s;
}

static void declare(tp_contracts *m, const tp_clause *c) {
  TP_REQUIRE(c->kind <= TP_CLAUSE_FUN);
  uint32_t basic;
  if (!c->name || !struct_of(m, c, &basic) || !is_free(m, c, basic)) return;
  tp_symbol s = {.name = c->name, .basic = basic, .clause = c, .this_symbol = this_of(m, basic)};
  s.kind = c->kind == TP_CLAUSE_PRED    ? TP_SYMBOL_PRED
           : c->kind == TP_CLAUSE_FUN   ? TP_SYMBOL_FUN
           : c->kind == TP_CLAUSE_MODEL ? TP_SYMBOL_MODEL
                                        : TP_SYMBOL_GHOST;
  s.sort = c->kind == TP_CLAUSE_PRED ? TP_SPEC_SORT_FORMULA : TP_SPEC_SORT_RELATION;
  s.changes = c->kind == TP_CLAUSE_MODEL || c->kind == TP_CLAUSE_GHOST;
  tp_object_model_add(m->object_model, s);
}

static tp_symbol *declared_by(tp_contracts *m, const tp_clause *c) {
  for (size_t i = 0; i < m->object_model->symbols.n; i++)
    if (m->object_model->symbols.at[i]->clause == c) return m->object_model->symbols.at[i];
  return NULL;
}

static void end_scope(tp_spec_scope *s) { tp_vec_clear(&s->bound); }

/* The declared type; a mark behind its last arrow says whether the columns before the last
 * determine that. */
static bool resolve_type(tp_spec_scope *s, tp_multiplicity many, const tp_spec_expr *type,
                         tp_resolved_expr *out, bool *is_single) {
  tp_spec_expr plain = *type;
  plain.many = TP_MULTIPLICITY_UNSAID;
  if (!tp_resolve_relation(s, type->kind == TP_SPEC_PRODUCT ? &plain : type, out)) return false;
  const uint32_t arity = tp_reltype_arity(out->type);
  if (arity == 0) return tp_spec_scope_wrong(s, type->pos, "this type has no members");
  *is_single = arity == 1 ? many == TP_MULTIPLICITY_UNSAID || tp_multiplicity_is_single(many)
                          : tp_multiplicity_is_single(type->many);
  return true;
}

static bool type_params(tp_spec_scope *s, tp_symbol *symbol) {
  const tp_clause *c = symbol->clause;
  const tp_symbol **params = tp_arena_array(&s->m->arena, const tp_symbol *, c->n_params + 1);
  for (uint32_t i = 0; i < c->n_params; i++) {
    const tp_spec_expr_decl *d = &c->params[i];
    tp_symbol *p = tp_arena_new(&s->m->arena, tp_symbol);
    tp_resolved_expr type;
    bool is_single;
    if (d->is_disjoint)
      return tp_spec_scope_wrong(
          s, d->pos, "'disj' says something of quantified variables only; say it in the body");
    if (!resolve_type(s, d->many, d->bound, &type, &is_single)) return false;
    *p = (tp_symbol){.kind = TP_SYMBOL_VARIABLE,
                     .name = d->name,
                     .type = type.type,
                     .is_function = is_single,
                     .number = i};
    params[i] = p;
  }
  symbol->params = params;
  symbol->n_params = c->n_params;
  return true;
}

static bool type_value(tp_spec_scope *s, tp_symbol *symbol) {
  const tp_clause *c = symbol->clause;
  if (!c->type) return true;
  tp_resolved_expr type;
  if (!resolve_type(s, c->many, c->type, &type, &symbol->is_function)) return false;
  symbol->type = symbol->basic
                     ? tp_reltype_product(&s->m->types,
                                          tp_reltype_basic(&s->m->types, symbol->basic), type.type)
                     : type.type;
  return symbol->type.n || tp_spec_scope_wrong(s, c->type->pos, "relations have at most 8 columns");
}

static bool is_refused(tp_spec_scope *from, tp_pos pos, const tp_symbol *symbol) {
  return symbol->refused && !tp_spec_scope_wrong(from, pos, "'%s' cannot be used in a contract: %s",
                                                 symbol->name, symbol->refused);
}

bool tp_symbol_type(tp_spec_scope *from, tp_pos pos, tp_symbol *symbol) {
  TP_REQUIRE(symbol->clause != NULL);
  if (is_refused(from, pos, symbol)) return false;
  if (symbol->is_typed) return true;
  if (symbol->is_busy)
    return tp_spec_scope_wrong(from, pos, "the type of '%s' needs itself", symbol->name);
  tp_spec_scope s = {.m = from->m, .where = "a declared type"};
  symbol->is_busy = true;
  const bool ok = type_params(&s, symbol) && type_value(&s, symbol);
  symbol->is_busy = false;
  symbol->is_typed = true;
  end_scope(&s);
  if (!ok) symbol->refused = broken;
  return ok || !is_refused(from, pos, symbol);
}

/* Resolves the value of a symbol, and checks its declared type. */
static bool resolve_value(tp_spec_scope *s, tp_symbol *symbol) {
  const tp_clause *c = symbol->clause;
  if (symbol->kind == TP_SYMBOL_PRED) return tp_resolve_formula(s, c->expr, &symbol->body);
  tp_resolved_expr value;
  if (!tp_resolve_relation(s, c->expr, &value)) return false;
  const tp_reltypes *t = &s->m->types;
  const tp_reltype declared =
      symbol->kind == TP_SYMBOL_MODEL
          ? tp_reltype_join(t, tp_reltype_basic(t, symbol->basic), symbol->type)
          : symbol->type;
  if (value.type.n && tp_reltype_intersection(t, declared, value.type).n == 0)
    return tp_spec_scope_wrong(s, c->expr->pos, "'%s' is declared as %s, and this is %s",
                               symbol->name, tp_spec_scope_type_text(s, declared),
                               tp_spec_scope_type_text(s, value.type));
  if (symbol->is_function && !value.is_function)
    return tp_spec_scope_wrong(
        s, c->expr->pos, "'%s' is declared to be one, and this can be several; declare it as set",
        symbol->name);
  symbol->body = value.expr;
  return true;
}

bool tp_symbol_body(tp_spec_scope *from, tp_pos pos, tp_symbol *symbol) {
  TP_REQUIRE(symbol->clause != NULL);
  if (!tp_symbol_type(from, pos, symbol)) return false;
  if (symbol->is_resolved || !symbol->clause->expr) return true;
  if (symbol->is_busy)
    return tp_spec_scope_wrong(
        from, pos, "'%s' needs itself; closures (^, *) say what recursion would", symbol->name);
  tp_spec_scope s = {.m = from->m,
                     .this_symbol = symbol->this_symbol,
                     .after_allowed = symbol->kind != TP_SYMBOL_MODEL,
                     .where = "a model field"};
  for (uint32_t i = 0; i < symbol->n_params; i++) tp_vec_push(&s.bound, symbol->params[i]);
  symbol->is_busy = true;
  const bool ok = resolve_value(&s, symbol);
  symbol->is_busy = false;
  symbol->is_resolved = true;
  symbol->reads_before = s.reads_before;
  symbol->reads_after = s.reads_after;
  end_scope(&s);
  if (!ok) symbol->refused = broken;
  return ok || !is_refused(from, pos, symbol);
}

// -------------------------------------------------------------------- functions

static const tp_symbol *parameter(tp_contracts *m, tp_symbol_kind kind, const char *name,
                                  tp_type type, uint32_t number) {
  tp_symbol *s = tp_arena_new(&m->arena, tp_symbol);
  *s =
      (tp_symbol){.kind = kind, .name = name, .is_function = true, .ctype = type, .number = number};
  s->type = tp_object_model_value(m->object_model, type, &s->refused);
  return s;
}

/* Under the names that stand beside the clause, or else those of the definition. */
static const tp_symbol *const *params_of(tp_contracts *m, tp_func f, const tp_subject *subject,
                                         uint32_t *n) {
  const tp_program *p = m->object_model->program;
  const tp_func_info *info = tp_func_of(p, f);
  const tp_type_info *type = info->type.id ? tp_type_of(p, info->type) : NULL;
  *n = type ? type->n_params : 0;
  const tp_symbol **params = tp_arena_array(&m->arena, const tp_symbol *, *n + 1);
  for (uint32_t i = 0; i < *n; i++) {
    const char *name = i < info->n_params ? tp_var_of(p, info->params[i])->name : NULL;
    if (subject && subject->params && subject->n_params == *n && subject->params[i])
      name = subject->params[i];
    params[i] = parameter(m, TP_SYMBOL_PARAM, name, type->params[i], i);
  }
  return params;
}

/* Parameters and locals: the scope of statements of the body. */
static const tp_symbol *const *locals_of(tp_contracts *m, tp_func f, uint32_t *n) {
  const tp_program *p = m->object_model->program;
  TP_VEC(const tp_symbol *) list = {0};
  for (uint32_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    if (v->func.id != f.id || (v->kind != TP_V_LOCAL && v->kind != TP_V_PARAM) || !v->type.id)
      continue;
    tp_symbol *s = (tp_symbol *)(uintptr_t)parameter(m, TP_SYMBOL_LOCAL, v->name, v->type, 0);
    s->var = (tp_var){i};
    for (size_t k = 0; k < list.n; k++)
      if (strcmp(list.at[k]->name, v->name) == 0)
        s->refused = "the function has several variables of this name";
    tp_vec_push(&list, s);
  }
  *n = (uint32_t)list.n;
  const tp_symbol **locals = tp_arena_array(&m->arena, const tp_symbol *, list.n + 1);
  if (list.n) memcpy(locals, list.at, list.n * sizeof *locals);
  tp_vec_clear(&list);
  return locals;
}

const tp_function_contract *tp_contracts_of(const tp_contracts *m, tp_func f,
                                            tp_contract_origin o) {
  TP_REQUIRE(m);
  for (size_t i = 0; i < m->of_functions.n; i++)
    if (m->of_functions.at[i]->func.id == f.id && m->of_functions.at[i]->origin == o)
      return m->of_functions.at[i];
  return NULL;
}

/* What was computed of a function stands beside the contract that a user gave it. */
static tp_function_contract *contract_of(tp_contracts *m, tp_func f, const tp_subject *subject,
                                         tp_contract_origin origin) {
  const tp_function_contract *known = tp_contracts_of(m, f, origin);
  if (known) return (tp_function_contract *)(uintptr_t)known;
  const tp_program *p = m->object_model->program;
  tp_function_contract *c = TP_NEW(tp_function_contract);
  *c = (tp_function_contract){.name = subject->name, .func = f, .origin = origin};
  c->params = params_of(m, f, NULL, &c->n_params);
  const tp_func_info *info = tp_func_of(p, f);
  const tp_type result = info->type.id ? tp_type_of(p, info->type)->element : TP_TYPE_NONE;
  if (result.id && tp_type_of(p, result)->kind != TP_T_VOID)
    c->result = parameter(m, TP_SYMBOL_RESULT, "\\result", result, 0);
  tp_vec_push(&m->of_functions, c);
  return c;
}

/* NULL: there is no such function, which has been reported. */
static tp_function_contract *function_of(tp_contracts *m, const tp_clause *c) {
  tp_func f = tp_scope_function(m->object_model->program, c->subject.name);
  if (f.id) return contract_of(m, f, &c->subject, c->origin);
  tp_clauses_wrong(m->clauses, c->pos,
                   "the program has no function '%s' that is defined and can be called from other "
                   "files, or is called",
                   c->subject.name);
  return NULL;
}

// ---------------------------------------------------------------------- targets

static bool can_change(tp_spec_scope *s, const tp_spec_expr *x, const tp_symbol *symbol) {
  if (symbol && symbol->kind == TP_SYMBOL_MODEL)
    return tp_spec_scope_wrong(s, x->pos, "'%s' is computed from other members; name those",
                               symbol->name);
  if (symbol && symbol->changes) return true;
  if (x->kind == TP_SPEC_PRODUCT)
    return tp_spec_scope_wrong(
        s, x->pos,
        "this never changes; a member is written p.next, and p->next is the product of relations");
  return tp_spec_scope_wrong(
      s, x->pos, "this never changes; name a member, x.member, a[i], a global or \\alloc");
}

/* Objects or indices that a target names, resolved already. NULL: there are none. */
static bool is_set(tp_spec_scope *s, const tp_spec_expr *x) {
  tp_resolved_expr r;
  if (!x) return true;
  if (!tp_resolve_relation(s, x, &r)) return false;
  return tp_reltype_arity(r.type) == 1 ||
         tp_spec_scope_wrong(s, x->pos,
                             "what changes is named by a set of objects or indices, and this is %s",
                             tp_spec_scope_type_text(s, r.type));
}

/* A resolved x.f, i.a, i.(x.f): the symbol that changes, of which objects, at which indices. */
static bool take_apart(tp_spec_scope *s, const tp_spec_expr *x, tp_modifies_target *out) {
  *out = (tp_modifies_target){0};
  if (x->kind == TP_SPEC_JOIN) {
    const tp_spec_expr *left = x->kids[0], *right = x->kids[1];
    if (right->kind == TP_SPEC_JOIN && right->kids[1]->symbol &&
        tp_reltype_arity(right->kids[1]->symbol->type) == 3) {
      out->indices = left;
      out->objects = right->kids[0];
      x = right->kids[1];
    } else {
      if (right->symbol && right->symbol->kind == TP_SYMBOL_GLOBAL)
        out->indices = left;
      else
        out->objects = left;
      x = right;
    }
  }
  out->symbol = x->symbol;
  return is_set(s, out->objects) && is_set(s, out->indices) && can_change(s, x, x->symbol);
}

typedef TP_VEC(tp_modifies_target) target_list;

static bool has_member(const tp_spec_scope *s, tp_reltype objects, const tp_symbol *c) {
  const bool is_member = c->kind == TP_SYMBOL_FIELD || c->kind == TP_SYMBOL_ELEMENTS ||
                         (c->kind == TP_SYMBOL_GHOST && c->basic);
  return is_member && !c->refused &&
         tp_reltype_intersection(&s->m->types, objects, tp_reltype_basic(&s->m->types, c->basic)).n;
}

/* x.\content: every member and element of the objects, and of the structs that lie inside of them.
 */
static bool add_content(tp_spec_scope *s, const tp_spec_expr *objects, tp_reltype type,
                        target_list *out) {
  const tp_object_model *u = s->m->object_model;
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *c = u->symbols.at[i];
    if (c->kind == TP_SYMBOL_GHOST && !c->refused &&
        !tp_symbol_type(s, objects->pos, (tp_symbol *)(uintptr_t)c))
      return false;
    if (!has_member(s, type, c)) continue;
    if (c->changes) {
      tp_vec_push(out, (tp_modifies_target){.symbol = c, .objects = objects});
      continue;
    }
    const tp_spec_expr name = {.kind = TP_SPEC_NAME,
                               .pos = objects->pos,
                               .name = c->name,
                               .owner = u->basics.at[c->basic].name,
                               .symbol = c};
    const tp_spec_expr *inner = tp_spec_expr_make(&s->m->arena, name, NULL, 0, NULL, 0);
    inner = tp_spec_expr_binary(&s->m->arena, TP_SPEC_JOIN, objects->pos, objects, inner);
    if (!inner) return tp_spec_scope_wrong(s, objects->pos, "structs are nested too deep");
    if (!add_content(s, inner, tp_reltype_join(&s->m->types, type, c->type), out)) return false;
  }
  return true;
}

static bool add_target(tp_spec_scope *s, const tp_spec_expr *x, target_list *out) {
  tp_resolved_expr r;
  tp_modifies_target target;
  if (x->kind == TP_SPEC_JOIN && x->kids[1]->kind == TP_SPEC_NAME &&
      strcmp(x->kids[1]->name, "\\content") == 0) {
    if (!tp_resolve_relation(s, x->kids[0], &r)) return false;
    if (tp_reltype_arity(r.type) != 1)
      return tp_spec_scope_wrong(s, x->pos, "in front of \\content stands a set of objects");
    return add_content(s, r.expr, r.type, out);
  }
  if (!tp_resolve_relation(s, x, &r) || !take_apart(s, r.expr, &target)) return false;
  tp_vec_push(out, target);
  return true;
}

static bool resolve_targets(tp_spec_scope *s, const tp_clause *c, tp_resolved_clause *out) {
  target_list list = {0};
  bool ok = true;
  for (uint32_t i = 0; i < c->n_targets && ok; i++) {
    const tp_spec_expr *x = c->targets[i];
    if (x->kind != TP_SPEC_NONE)
      ok = add_target(s, x, &list);
    else if (c->n_targets > 1)
      ok = tp_spec_scope_wrong(s, x->pos, "'none' stands alone");
  }
  tp_modifies_target *targets = tp_arena_array(&s->m->arena, tp_modifies_target, list.n + 1);
  if (list.n) memcpy(targets, list.at, list.n * sizeof *targets);
  out->targets = targets;
  out->n_targets = (uint32_t)list.n;
  tp_vec_clear(&list);
  return ok;
}

// ---------------------------------------------------------------------- clauses

static bool resolve_preserved(tp_spec_scope *s, const tp_clause *c, tp_resolved_clause *out) {
  if (!tp_resolve_formula(s, c->expr, &out->expr)) return false;
  if (!s->reads_before)
    return tp_spec_scope_wrong(
        s, c->expr->pos, "this never changes, so there is nothing to preserve; write requires");
  const tp_spec_expr *primed =
      tp_spec_expr_unary(&s->m->arena, TP_SPEC_PRIME, c->expr->pos, c->expr);
  if (!primed) return tp_spec_scope_wrong(s, c->expr->pos, "this is nested too deep");
  s->after_allowed = true;
  return tp_resolve_formula(s, primed, &out->after);
}

static bool resolve_assignment(tp_spec_scope *s, const tp_clause *c, tp_resolved_clause *out) {
  tp_resolved_expr value;
  if (!resolve_targets(s, c, out)) return false;
  if (out->n_targets == 0 || out->targets[0].symbol->kind != TP_SYMBOL_GHOST)
    return tp_spec_scope_wrong(
        s, c->targets[0]->pos,
        "contracts can assign to ghosts only; members and globals change by C");
  out->symbol = out->targets[0].symbol;
  if (!tp_resolve_relation(s, c->expr, &value)) return false;
  out->expr = value.expr;
  out->type = value.type;
  if (out->targets[0].indices || (out->targets[0].objects && !out->symbol->basic))
    return tp_spec_scope_wrong(s, c->targets[0]->pos,
                               "'%s' is assigned as a whole: %s = %s ++ (i -> x)",
                               out->symbol->name, out->symbol->name, out->symbol->name);
  const tp_reltypes *t = &s->m->types;
  const tp_reltype held =
      out->targets[0].objects
          ? tp_reltype_join(t, tp_reltype_basic(t, out->symbol->basic), out->symbol->type)
          : out->symbol->type;
  const bool is_one = out->symbol->is_function && tp_reltype_arity(held) == 1;
  if (is_one && !value.is_function)
    return tp_spec_scope_wrong(s, c->expr->pos, "'%s' holds one, and this can be several",
                               out->symbol->name);
  if (value.type.n == 0 || tp_reltype_intersection(t, held, value.type).n) return true;
  return tp_spec_scope_wrong(s, c->expr->pos, "'%s' holds %s, and this is %s", out->symbol->name,
                             tp_spec_scope_type_text(s, held),
                             tp_spec_scope_type_text(s, value.type));
}

static bool resolve_parts(tp_spec_scope *s, const tp_clause *c, tp_resolved_clause *out) {
  switch (c->kind) {
    case TP_CLAUSE_REQUIRES:
    case TP_CLAUSE_INVARIANT: return tp_resolve_formula(s, c->expr, &out->expr);
    case TP_CLAUSE_ENSURES:
      if (!tp_resolve_formula(s, c->expr, &out->expr)) return false;
      if (!s->reads_after && !s->m->clauses->is_muted && c->origin == TP_CONTRACT_WRITTEN)
        tp_diag_say(s->m->clauses->diag, TP_WARNING, c->pos, "contract",
                    "this says nothing about the state after: it has no ' and no \\result");
      return true;
    case TP_CLAUSE_PRESERVES: return resolve_preserved(s, c, out);
    case TP_CLAUSE_MODIFIES: return resolve_targets(s, c, out);
    case TP_CLAUSE_ASSIGN: return resolve_assignment(s, c, out);
    case TP_CLAUSE_MODEL:
    case TP_CLAUSE_GHOST:
    case TP_CLAUSE_PRED:
    case TP_CLAUSE_FUN: break;
  }
  return false;
}

static const char *where_of(tp_clause_kind k) {
  switch (k) {
    case TP_CLAUSE_REQUIRES: return "a precondition";
    case TP_CLAUSE_PRESERVES: return "what is preserved (it is read in both states)";
    case TP_CLAUSE_MODIFIES: return "modifies";
    case TP_CLAUSE_INVARIANT: return "an invariant";
    case TP_CLAUSE_ASSIGN: return "a body";
    case TP_CLAUSE_ENSURES:
    case TP_CLAUSE_MODEL:
    case TP_CLAUSE_GHOST:
    case TP_CLAUSE_PRED:
    case TP_CLAUSE_FUN: break;
  }
  return "a contract of a function without result";
}

/* What declares a name is done with that name. */
static bool resolve_declaration(tp_contracts *m, const tp_clause *c, tp_resolved_clause *out) {
  tp_symbol *symbol = declared_by(m, c);
  if (!symbol || symbol->refused) return false;
  tp_spec_scope s = {.m = m, .where = "a declaration"};
  s.failed = true;  // the error is reported in the symbol's own scope
  const bool ok = tp_symbol_body(&s, c->pos, symbol);
  *out = (tp_resolved_clause){
      .clause = c, .symbol = symbol, .expr = symbol->body, .type = symbol->type};
  return ok;
}

static bool resolve_clause(tp_contracts *m, const tp_clause *c, tp_resolved_clause *out) {
  if (c->name) return resolve_declaration(m, c, out);
  uint32_t basic;
  if (!struct_of(m, c, &basic)) return false;
  tp_spec_scope s = {.m = m,
                     .this_symbol = this_of(m, basic),
                     .after_allowed = c->kind == TP_CLAUSE_ENSURES,
                     .where = where_of(c->kind)};
  tp_function_contract *contract = NULL;
  if (c->subject.about == TP_SUBJECT_FUNCTION) {
    if (!(contract = function_of(m, c))) return false;
    s.params = params_of(m, contract->func, &c->subject, &s.n_params);
    s.result = c->kind == TP_CLAUSE_ENSURES ? contract->result : NULL;
  } else if (c->subject.about == TP_SUBJECT_BODY) {
    const tp_func f = tp_scope_function(m->object_model->program, c->subject.name);
    if (!f.id)
      return tp_clauses_wrong(m->clauses, c->pos, "the program has no function '%s' that is called",
                              c->subject.name);
    s.params = locals_of(m, f, &s.n_params);
  }
  *out = (tp_resolved_clause){.clause = c};
  const bool ok = resolve_parts(&s, c, out);
  end_scope(&s);
  if (ok && contract) {
    contract->has_modifies = contract->has_modifies || c->kind == TP_CLAUSE_MODIFIES;
    tp_vec_push(&contract->clauses, (uint32_t)m->all.n);
  }
  return ok;
}

// -------------------------------------------------------------------- libraries

/* About what the program does not have, and need not have. A function that is only declared, and
 * never called, has no type either. */
static bool is_absent(const tp_contracts *m, const tp_clause *c) {
  uint32_t basic;
  if (!c->subject.may_be_absent || c->subject.about == TP_SUBJECT_FILE) return false;
  if (c->subject.about == TP_SUBJECT_STRUCT)
    return !tp_object_model_struct(m->object_model, c->subject.name, &basic);
  const tp_func f = tp_scope_function(m->object_model->program, c->subject.name);
  return !f.id || !tp_func_of(m->object_model->program, f)->type.id;
}

/* A function that the program does not define, without a contract of the user. */
static bool wants_library(const tp_contracts *m, const tp_clause *c) {
  const tp_program *p = m->object_model->program;
  const tp_func f = tp_scope_function(p, c->subject.name);
  if (!f.id || (tp_func_of(p, f)->has_body && !tp_func_of(p, f)->is_model)) return false;
  for (size_t i = 0; i < m->of_functions.n; i++)
    if (m->of_functions.at[i]->func.id == f.id) return false;
  return true;
}

static bool is_same_function(const tp_clause *a, const tp_clause *b) {
  return b->is_library && b->subject.about == TP_SUBJECT_FUNCTION &&
         strcmp(a->subject.name, b->subject.name) == 0;
}

/* All that stands in one block, or nothing of it: the program may declare the function otherwise.
 * Where the next block begins. */
static size_t resolve_library(tp_contracts *m, size_t first) {
  const tp_clauses *c = m->clauses;
  size_t end = first;
  while (end < c->all.n && is_same_function(&c->all.at[first], &c->all.at[end])) end++;
  const size_t n_all = m->all.n, n_contracts = m->of_functions.n;
  bool ok = !is_absent(m, &c->all.at[first]) && wants_library(m, &c->all.at[first]);
  for (size_t i = first; i < end && ok; i++) {
    tp_resolved_clause meaning;
    m->clauses->is_muted = true;
    ok = resolve_clause(m, &c->all.at[i], &meaning);
    m->clauses->is_muted = false;
    if (ok) tp_vec_push(&m->all, meaning);
  }
  if (!ok) m->all.n = n_all;
  for (; m->of_functions.n > n_contracts; m->of_functions.n--) {
    tp_function_contract *own = tp_vec_last(&m->of_functions);
    own->is_library = true;
    if (ok) break;
    tp_vec_clear(&own->clauses);
    tp_free(own);
  }
  return end;
}

static bool is_in_library(const tp_clause *c) {
  return c->is_library && c->subject.about == TP_SUBJECT_FUNCTION;
}

void tp_contracts_init(tp_contracts *m, tp_object_model *u, tp_clauses *c) {
  TP_REQUIRE(m && u && c);
  *m = (tp_contracts){.object_model = u, .clauses = c, .n_symbols = u->symbols.n};
  tp_arena_init(&m->arena);
  m->types = tp_reltypes_of(&m->arena, u->types.n_basics);
  for (size_t i = 0; i < c->all.n; i++)
    if (!is_absent(m, &c->all.at[i])) declare(m, &c->all.at[i]);
  for (size_t i = 0; i < c->all.n; i++) {
    const tp_clause *clause = &c->all.at[i];
    tp_resolved_clause meaning;
    if (is_in_library(clause)) continue;
    if (is_absent(m, clause))
      m->n_absent++;
    else if (resolve_clause(m, clause, &meaning))
      tp_vec_push(&m->all, meaning);
  }
  for (size_t i = 0; i < c->all.n;)
    i = is_in_library(&c->all.at[i]) ? resolve_library(m, i) : i + 1;
  TP_INVARIANT(tp_contracts_check(m));
}

void tp_contracts_clear(tp_contracts *m) {
  for (size_t i = 0; i < m->of_functions.n; i++) {
    tp_vec_clear(&m->of_functions.at[i]->clauses);
    tp_free(m->of_functions.at[i]);
  }
  m->object_model->symbols.n = m->n_symbols;
  tp_vec_clear(&m->of_functions);
  tp_vec_clear(&m->all);
  tp_arena_clear(&m->arena);
}

bool tp_function_contract_has(const tp_function_contract *c, size_t clause) {
  for (size_t i = 0; c && i < c->clauses.n; i++)
    if (c->clauses.at[i] == clause) return true;
  return false;
}

void tp_resolved_clause_print(const tp_resolved_clause *c, tp_str *out) {
  tp_clause shown = *c->clause;
  shown.expr = c->expr;
  const tp_spec_expr *targets[64];
  for (uint32_t i = 0; i < shown.n_targets && i < 64; i++) targets[i] = shown.targets[i];
  if (shown.n_targets > 64) shown.n_targets = 64;
  shown.targets = targets;
  tp_clause_print(&shown, out);
}

// ------------------------------------------------------------------------- check

/* Nothing is left open: names have symbols, primes have moved to names. */
static bool is_resolved(const tp_spec_expr *x) {
  if (x->kind == TP_SPEC_PRIME || (x->kind == TP_SPEC_NAME && !x->symbol) ||
      (x->kind == TP_SPEC_BOX && !x->symbol))
    return false;
  for (uint32_t i = 0; i < x->n_decls; i++)
    if (!x->decls[i].symbol || !is_resolved(x->decls[i].bound)) return false;
  for (uint32_t i = 0; i < x->n_kids; i++)
    if (!is_resolved(x->kids[i])) return false;
  return true;
}

bool tp_contracts_check(const tp_contracts *m) {
  for (size_t i = 0; i < m->all.n; i++) {
    const tp_resolved_clause *c = &m->all.at[i];
    if (!c->clause || (c->expr && !is_resolved(c->expr)) || (c->after && !is_resolved(c->after)))
      return false;
    for (uint32_t t = 0; t < c->n_targets; t++)
      if (!c->targets[t].symbol) return false;
  }
  for (size_t i = 0; i < m->of_functions.n; i++)
    for (size_t k = 0; k < m->of_functions.at[i]->clauses.n; k++)
      if (m->of_functions.at[i]->clauses.at[k] >= m->all.n) return false;
  return true;
}
