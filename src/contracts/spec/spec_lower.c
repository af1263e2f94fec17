/* From resolved expression to relational logic, node by node.
 *
 * Resolving has left nothing open, so most expressions have a twin in contracts/rel/logic.h. Three
 * things do not:
 * - `none` has no arity of its own. It is carried along as such until an operator says which arity
 *   is needed, or takes it away.
 * - Named formulas, relations and model fields are replaced by their bodies; names in a body are
 *   read in the state of the call. Bodies are no recursion (contracts/spec/resolved_contracts.c
 * sees to that), so this ends. Arguments are values: they are lowered where the call stands, then
 * bound.
 * - A model field `m` alone is {this: owner, v: ... | v in body}; behind one object, `x.m`, it is
 *   the body itself, which is what contracts mostly say: quantifiers over whole types are paid for
 *   only where they are needed. */
#include "contracts/spec/spec_lower_priv.h"

#include "contracts/contracts_limits.h"

#include <stdio.h>

// --------------------------------------------------------------------- lowerings

tp_lowering *tp_lowering_new(tp_contracts *m, tp_rel *l, tp_state_relations s) {
  TP_REQUIRE(m && l && s.value && s.objects);
  tp_lowering *w = TP_NEW(tp_lowering);
  *w = (tp_lowering){.m = m, .u = m->object_model, .l = l, .s = s};
  tp_arena_init(&w->arena);
  return w;
}

void tp_lowering_free(tp_lowering *w) {
  if (!w) return;
  tp_vec_clear(&w->env);
  tp_vec_clear(&w->calls);
  tp_arena_clear(&w->arena);
  tp_free(w);
}

const char *tp_lowering_error(const tp_lowering *w) {
  return w->error ? w->error : tp_rel_error(w->l);
}

void tp_lower_fail(tp_lowering *w, tp_pos pos, const char *fmt, ...) {
  if (w->error) return;
  char text[300];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  tp_str message = {0};
  if (tp_pos_known(pos)) {
    tp_pos_print(w->m->clauses->diag, pos, &message);
    tp_str_add(&message, ": ");
  }
  tp_str_add(&message, text);
  w->error = tp_arena_strdup(&w->arena, tp_str_text(&message));
  tp_str_clear(&message);
}

static tp_lowered failed(tp_lowering *w, tp_pos pos, const char *text) {
  tp_lower_fail(w, pos, "%s", text);
  return (tp_lowered){0};
}

void tp_lower_bind(tp_lowering *w, const tp_symbol *symbol, tp_lowered value) {
  TP_REQUIRE(symbol != NULL);
  tp_vec_push(&w->env, (tp_lower_binding){symbol, value});
}

static tp_lowered set_of(tp_rel_expr set) { return (tp_lowered){.set = set}; }
static tp_lowered none(void) { return (tp_lowered){.is_none = true}; }

/* As a relation of this arity where it is none. */
static tp_rel_expr fixed(tp_lowering *w, tp_lowered a, uint32_t arity) {
  TP_REQUIRE(!a.is_none || arity > 0);
  return a.is_none ? tp_rel_none(w->l, arity) : a.set;
}

static uint32_t arity_of(const tp_lowering *w, tp_lowered a) {
  return a.is_none || !a.set.id ? 0 : tp_rel_at(w->l, a.set.id)->arity;
}

// -------------------------------------------------------------------------- sorts

/* Which of the three a resolved expression is. */
static tp_spec_sort sort_of(const tp_spec_expr *x) {
  switch (x->kind) {
    case TP_SPEC_NAME: return x->symbol->sort;
    case TP_SPEC_BOX: return x->symbol->sort;
    case TP_SPEC_LET: return sort_of(x->kids[0]);
    case TP_SPEC_IF: return sort_of(x->kids[1]);
    case TP_SPEC_NUMBER:
    case TP_SPEC_TO_INT:
    case TP_SPEC_PLUS:
    case TP_SPEC_MINUS:
    case TP_SPEC_SIZE:
    case TP_SPEC_SUM:
    case TP_SPEC_NEGATIVE:
    case TP_SPEC_TIMES:
    case TP_SPEC_DIVIDED:
    case TP_SPEC_REMAINDER:
    case TP_SPEC_SUM_OVER: return TP_SPEC_SORT_INTEGER;
    case TP_SPEC_TRUE:
    case TP_SPEC_FALSE:
    case TP_SPEC_SOME:
    case TP_SPEC_NO:
    case TP_SPEC_ONE:
    case TP_SPEC_LONE:
    case TP_SPEC_IN:
    case TP_SPEC_EQUAL:
    case TP_SPEC_NOT_IN:
    case TP_SPEC_UNEQUAL:
    case TP_SPEC_LESS:
    case TP_SPEC_AT_MOST:
    case TP_SPEC_GREATER:
    case TP_SPEC_AT_LEAST:
    case TP_SPEC_NOT:
    case TP_SPEC_AND:
    case TP_SPEC_IMPLIES:
    case TP_SPEC_IFF:
    case TP_SPEC_OR:
    case TP_SPEC_ALL:
    case TP_SPEC_EXISTS:
    case TP_SPEC_NONE_SUCH:
    case TP_SPEC_ONE_SUCH:
    case TP_SPEC_LONE_SUCH: return TP_SPEC_SORT_FORMULA;
    case TP_SPEC_TYPE:
    case TP_SPEC_NULL:
    case TP_SPEC_NONE:
    case TP_SPEC_UNIV:
    case TP_SPEC_IDEN:
    case TP_SPEC_INTS:
    case TP_SPEC_OBJECTS:
    case TP_SPEC_THIS:
    case TP_SPEC_RESULT:
    case TP_SPEC_ALLOC:
    case TP_SPEC_SET_OF:
    case TP_SPEC_COMPREHENSION:
    case TP_SPEC_TO_SET:
    case TP_SPEC_TRANSPOSE:
    case TP_SPEC_CLOSURE:
    case TP_SPEC_REFLEXIVE:
    case TP_SPEC_PRIME:
    case TP_SPEC_JOIN:
    case TP_SPEC_RANGE:
    case TP_SPEC_DOMAIN:
    case TP_SPEC_PRODUCT:
    case TP_SPEC_INTERSECTION:
    case TP_SPEC_OVERRIDE:
    case TP_SPEC_UNION:
    case TP_SPEC_DIFFERENCE:
    case TP_SPEC_N_KINDS: break;
  }
  return TP_SPEC_SORT_RELATION;
}

static tp_lowered relation(tp_lowering *w, const tp_spec_expr *x);
static tp_rel_int integer(tp_lowering *w, const tp_spec_expr *x);
static tp_rel_formula formula(tp_lowering *w, const tp_spec_expr *x);

static tp_lowered lower(tp_lowering *w, const tp_spec_expr *x) {
  TP_REQUIRE(x->kind != TP_SPEC_PRIME);  // resolving has moved primes to names
  switch (sort_of(x)) {
    case TP_SPEC_SORT_RELATION: return relation(w, x);
    case TP_SPEC_SORT_INTEGER: return (tp_lowered){.number = integer(w, x)};
    case TP_SPEC_SORT_FORMULA: return (tp_lowered){.truth = formula(w, x)};
  }
  return (tp_lowered){0};
}

// -------------------------------------------------------------------------- names

tp_rel_expr tp_lower_value(const tp_lowering *w, const tp_symbol *symbol, tp_contract_state when) {
  return w->s.value(w->s.ctx, symbol, symbol->changes ? when : TP_PRE_STATE);
}

tp_rel_expr tp_lower_objects(const tp_lowering *w, uint32_t basic) {
  TP_REQUIRE(basic < w->u->basics.n);
  const tp_rel_expr x = w->s.objects(w->s.ctx, basic);
  return x.id ? x : tp_rel_none(w->l, 1);
}

static tp_rel_expr column(tp_lowering *w, tp_reltype type, uint32_t c) {
  tp_rel_expr x = {0};
  for (uint32_t b = 0; b < w->u->basics.n; b++) {
    bool is_in = false;
    for (uint32_t i = 0; i < type.n && !is_in; i++)
      is_in = tp_product_has(&w->u->types, &type.at[i], c, b);
    const tp_rel_expr objects = is_in ? w->s.objects(w->s.ctx, b) : (tp_rel_expr){0};
    if (objects.id) x = x.id ? tp_rel_binary(w->l, TP_REL_UNION, x, objects) : objects;
  }
  return x.id ? x : tp_rel_none(w->l, 1);
}

tp_rel_expr tp_lower_type(tp_lowering *w, tp_reltype type) {
  tp_rel_expr all = {0};
  for (uint32_t i = 0; i < type.n; i++) {
    const tp_reltype one = {&type.at[i], 1};
    tp_rel_expr product = column(w, one, 0);
    for (uint32_t c = 1; c < type.at[i].arity; c++)
      product = tp_rel_binary(w->l, TP_REL_PRODUCT, product, column(w, one, c));
    all = all.id ? tp_rel_binary(w->l, TP_REL_UNION, all, product) : product;
  }
  return all;
}

static const tp_lowered *known_call(const tp_lowering *w, const tp_symbol *symbol,
                                    tp_contract_state when, const tp_lowered *arguments,
                                    uint32_t n) {
  for (size_t i = 0; i < w->calls.n; i++) {
    const tp_lower_call *c = &w->calls.at[i];
    bool is_it = c->symbol == symbol && c->when == when && c->n_arguments == n;
    for (uint32_t k = 0; k < n && is_it; k++)
      is_it = c->arguments[k].set.id == arguments[k].set.id &&
              c->arguments[k].is_none == arguments[k].is_none;
    if (is_it) return &c->value;
  }
  return NULL;
}

static void remember_call(tp_lowering *w, const tp_symbol *symbol, tp_contract_state when,
                          const tp_lowered *arguments, uint32_t n, tp_lowered value) {
  tp_lowered *own = tp_arena_array(&w->arena, tp_lowered, n ? n : 1);
  if (n) memcpy(own, arguments, n * sizeof *own);
  tp_vec_push(&w->calls, (tp_lower_call){symbol, when, n, own, value});
}

/* The body of a model field over `this`, as far as it is of the declared type. */
static tp_lowered model_of(tp_lowering *w, const tp_symbol *model, tp_rel_expr owner,
                           tp_contract_state when) {
  TP_REQUIRE(model->kind == TP_SYMBOL_MODEL && model->body && model->this_symbol);
  const tp_lowered argument = set_of(owner), *known = known_call(w, model, when, &argument, 1);
  if (known) return *known;
  const tp_contract_state outer = w->when;
  const size_t n = w->env.n;
  tp_lower_bind(w, model->this_symbol, argument);
  w->when = when;
  tp_lowered value = relation(w, model->body);
  w->when = outer;
  w->env.n = n;
  const tp_reltypes *t = &w->u->types;
  if (!value.is_none)
    value.set = tp_rel_binary(
        w->l, TP_REL_INTERSECTION, value.set,
        tp_lower_type(w, tp_reltype_join(t, tp_reltype_basic(t, model->basic), model->type)));
  remember_call(w, model, when, &argument, 1, value);
  return value;
}

/* The field of some objects: each with its values. */
static tp_lowered model(tp_lowering *w, const tp_symbol *symbol, tp_rel_expr owners,
                        tp_contract_state when) {
  TP_REQUIRE(tp_reltype_arity(symbol->type) >= 2);
  const uint32_t arity = tp_reltype_arity(symbol->type);
  tp_rel_decl decls[TP_CONTRACTS_TYPE_ARITY];
  tp_rel_expr tuple = {0};
  for (uint32_t i = 0; i < arity; i++) {
    decls[i] = (tp_rel_decl){tp_rel_variable(w->l, i ? "value" : "this", 1),
                             i ? column(w, symbol->type, i) : owners};
    const tp_rel_expr v = tp_rel_use(w->l, decls[i].var);
    if (i) tuple = tuple.id ? tp_rel_binary(w->l, TP_REL_PRODUCT, tuple, v) : v;
  }
  const tp_lowered body = model_of(w, symbol, tp_rel_use(w->l, decls[0].var), when);
  return body.is_none ? body
                      : set_of(tp_rel_comprehension(
                            w->l, decls, arity, tp_rel_compare(w->l, TP_REL_IN, tuple, body.set)));
}

/* Of all objects of the struct. */
static tp_lowered whole_model(tp_lowering *w, const tp_symbol *symbol, tp_contract_state when) {
  const tp_lowered *known = known_call(w, symbol, when, NULL, 0);
  if (known) return *known;
  const tp_lowered all = model(w, symbol, tp_lower_objects(w, symbol->basic), when);
  remember_call(w, symbol, when, NULL, 0, all);
  return all;
}

/* A variable; `this` of an invariant is identified by its kind, as each clause has its own symbol.
 */
static const tp_lowered *bound(const tp_lowering *w, const tp_symbol *symbol) {
  for (size_t i = w->env.n; i-- > 0;) {
    const tp_symbol *s = w->env.at[i].symbol;
    if (s == symbol || (s->kind == TP_SYMBOL_THIS && symbol->kind == TP_SYMBOL_THIS))
      return &w->env.at[i].value;
  }
  return NULL;
}

static tp_contract_state state_of(const tp_lowering *w, const tp_spec_expr *x) {
  return x->is_primed ? TP_POST_STATE : w->when;
}

static tp_lowered name(tp_lowering *w, const tp_spec_expr *x) {
  TP_REQUIRE(x->symbol != NULL);
  const tp_symbol *s = x->symbol;
  const tp_lowered *known = bound(w, s);
  if (known) return *known;
  if (s->kind == TP_SYMBOL_SET) return set_of(tp_lower_objects(w, s->basic));
  if (s->kind == TP_SYMBOL_MODEL) return whole_model(w, s, state_of(w, x));
  const tp_rel_expr value = tp_lower_value(w, s, state_of(w, x));
  if (!value.id) tp_lower_fail(w, x->pos, "'%s' has no value here", s->name);
  return set_of(value);
}

/* p[...] of a named formula, f[...] of a named relation. */
static tp_lowered call(tp_lowering *w, const tp_spec_expr *x) {
  TP_REQUIRE(x->symbol && x->symbol->body && x->n_kids == x->symbol->n_params + 1);
  const tp_symbol *callee = x->symbol;
  const uint32_t n = x->n_kids - 1;
  tp_lowered *arguments = tp_arena_array(&w->arena, tp_lowered, n ? n : 1);
  for (uint32_t i = 0; i < n; i++) {
    const tp_lowered a = relation(w, x->kids[i + 1]);
    arguments[i] = set_of(fixed(w, a, tp_reltype_arity(callee->params[i]->type)));
  }
  const tp_contract_state when = state_of(w, x), outer = w->when;
  const tp_lowered *known = known_call(w, callee, when, arguments, n);
  if (known) return *known;
  const size_t n_outer = w->env.n;
  for (uint32_t i = 0; i < n; i++) tp_lower_bind(w, callee->params[i], arguments[i]);
  w->when = when;
  tp_lowered value = lower(w, callee->body);
  if (callee->kind == TP_SYMBOL_FUN && !value.is_none)
    value.set = tp_rel_binary(w->l, TP_REL_INTERSECTION, value.set, tp_lower_type(w, callee->type));
  w->when = outer;
  w->env.n = n_outer;
  remember_call(w, callee, when, arguments, n, value);
  return value;
}

// ------------------------------------------------------------------------ binders

/* The declared variables, bound from here on; *distinct: what "disj" says of them, id 0: nothing.
 * False: too many. */
static bool open_decls(tp_lowering *w, const tp_spec_expr *x, tp_rel_decl *decls,
                       tp_rel_formula *distinct) {
  *distinct = (tp_rel_formula){0};
  if (x->n_decls > TP_CONTRACTS_QUANTIFIED) {
    tp_lower_fail(w, x->pos, "more than %d variables", TP_CONTRACTS_QUANTIFIED);
    return false;
  }
  for (uint32_t i = 0; i < x->n_decls; i++) {
    const tp_spec_expr_decl *d = &x->decls[i];
    const bool again = i > 0 && d->bound == x->decls[i - 1].bound;
    decls[i] = (tp_rel_decl){tp_rel_variable(w->l, d->name, 1),
                             again ? decls[i - 1].in : fixed(w, relation(w, d->bound), 1)};
    const tp_rel_expr v = tp_rel_use(w->l, decls[i].var);
    tp_lower_bind(w, d->symbol, set_of(v));
    for (uint32_t k = i; d->is_disjoint && k-- > 0 && x->decls[k].bound == d->bound;) {
      const tp_rel_formula other =
          tp_rel_not(w->l, tp_rel_compare(w->l, TP_REL_EQUAL, tp_rel_use(w->l, decls[k].var), v));
      *distinct = distinct->id ? tp_rel_and(w->l, *distinct, other) : other;
    }
  }
  return true;
}

static tp_rel_quantifier quantifier_of(tp_spec_expr_kind k) {
  switch ((int)k) {
    case TP_SPEC_EXISTS: return TP_REL_FOR_SOME;
    case TP_SPEC_NONE_SUCH: return TP_REL_FOR_NO;
    case TP_SPEC_ONE_SUCH: return TP_REL_FOR_ONE;
    case TP_SPEC_LONE_SUCH: return TP_REL_FOR_LONE;
    default: return TP_REL_FOR_ALL;
  }
}

/* Quantifiers, comprehensions, sums. */
static tp_lowered binder(tp_lowering *w, const tp_spec_expr *x) {
  tp_rel_decl decls[TP_CONTRACTS_QUANTIFIED];
  tp_rel_formula distinct;
  const size_t outer = w->env.n;
  tp_lowered value = {0};
  if (open_decls(w, x, decls, &distinct)) {
    if (x->kind == TP_SPEC_SUM_OVER) {
      tp_rel_int body = integer(w, x->kids[0]);
      if (distinct.id) body = tp_rel_int_if(w->l, distinct, body, tp_rel_constant(w->l, 0));
      value.number = tp_rel_sum(w->l, decls, x->n_decls, body);
    } else {
      tp_rel_formula body = formula(w, x->kids[0]);
      if (distinct.id)
        body = x->kind == TP_SPEC_ALL ? tp_rel_implies(w->l, distinct, body)
                                      : tp_rel_and(w->l, distinct, body);
      if (x->kind == TP_SPEC_COMPREHENSION)
        value.set = tp_rel_comprehension(w->l, decls, x->n_decls, body);
      else
        value.truth = tp_rel_quantify(w->l, quantifier_of(x->kind), decls, x->n_decls, body);
    }
  }
  w->env.n = outer;
  return value;
}

static tp_lowered let(tp_lowering *w, const tp_spec_expr *x) {
  const size_t outer = w->env.n;
  for (uint32_t i = 0; i < x->n_decls; i++)
    tp_lower_bind(w, x->decls[i].symbol, lower(w, x->decls[i].bound));
  const tp_lowered value = lower(w, x->kids[0]);
  w->env.n = outer;
  return value;
}

// ---------------------------------------------------------------------- relations

static tp_rel_kind twin_of(tp_spec_expr_kind k) {
  switch ((int)k) {
    case TP_SPEC_JOIN: return TP_REL_JOIN;
    case TP_SPEC_RANGE: return TP_REL_RANGE;
    case TP_SPEC_DOMAIN: return TP_REL_DOMAIN;
    case TP_SPEC_PRODUCT: return TP_REL_PRODUCT;
    case TP_SPEC_INTERSECTION: return TP_REL_INTERSECTION;
    case TP_SPEC_OVERRIDE: return TP_REL_OVERRIDE;
    case TP_SPEC_DIFFERENCE: return TP_REL_DIFFERENCE;
    case TP_SPEC_TRANSPOSE: return TP_REL_TRANSPOSE;
    case TP_SPEC_CLOSURE: return TP_REL_CLOSURE;
    default: return TP_REL_UNION;
  }
}

/* a operator b where one of them is none. */
static tp_lowered with_none(tp_spec_expr_kind k, tp_lowered a, tp_lowered b) {
  switch ((int)k) {
    case TP_SPEC_UNION:
    case TP_SPEC_OVERRIDE: return a.is_none ? b : a;
    case TP_SPEC_DIFFERENCE: return a;
    default: return none();
  }
}

/* One object at most, in every state in which functions are functions. */
static bool is_single(const tp_spec_expr *x) {
  switch ((int)x->kind) {
    case TP_SPEC_NULL:
    case TP_SPEC_THIS:
    case TP_SPEC_RESULT: return true;
    case TP_SPEC_NAME: return x->symbol->is_function && tp_reltype_arity(x->symbol->type) == 1;
    case TP_SPEC_JOIN: {
      const tp_spec_expr *f = x->kids[1];
      return f->kind == TP_SPEC_NAME && f->symbol->is_function &&
             tp_reltype_arity(f->symbol->type) == 2 && is_single(x->kids[0]);
    }
    default: return false;
  }
}

/* x.m: for one object x the body itself, where that is one of the struct; else the field of those
 * objects only that x leads to. */
static tp_lowered model_behind(tp_lowering *w, const tp_spec_expr *object,
                               const tp_spec_expr *field) {
  const tp_lowered x = relation(w, object);
  if (x.is_none) return x;
  tp_rel_expr owners = x.set;
  for (uint32_t i = arity_of(w, x); i > 1; i--)
    owners = tp_rel_binary(w->l, TP_REL_JOIN, tp_rel_univ(w->l), owners);
  owners =
      tp_rel_binary(w->l, TP_REL_INTERSECTION, owners, tp_lower_objects(w, field->symbol->basic));
  const bool is_one = is_single(object);
  const tp_lowered value = is_one ? model_of(w, field->symbol, owners, state_of(w, field))
                                  : model(w, field->symbol, owners, state_of(w, field));
  if (value.is_none) return value;
  if (!is_one) return set_of(tp_rel_binary(w->l, TP_REL_JOIN, x.set, value.set));
  return set_of(tp_rel_if(w->l, tp_rel_multiplicity(w->l, TP_REL_SOME, owners), value.set,
                          tp_rel_none(w->l, tp_reltype_arity(field->symbol->type) - 1)));
}

static tp_lowered binary(tp_lowering *w, const tp_spec_expr *x) {
  const tp_spec_expr *right = x->kids[1];
  if (x->kind == TP_SPEC_JOIN && right->kind == TP_SPEC_NAME &&
      right->symbol->kind == TP_SYMBOL_MODEL)
    return model_behind(w, x->kids[0], right);
  const tp_lowered a = relation(w, x->kids[0]), b = relation(w, right);
  if (a.is_none || b.is_none) return with_none(x->kind, a, b);
  return set_of(tp_rel_binary(w->l, twin_of(x->kind), a.set, b.set));
}

static tp_lowered unary(tp_lowering *w, const tp_spec_expr *x) {
  const tp_lowered a = relation(w, x->kids[0]);
  if (x->kind == TP_SPEC_REFLEXIVE)
    return set_of(a.is_none ? tp_rel_iden(w->l) : tp_rel_unary(w->l, TP_REL_REFLEXIVE, a.set));
  return a.is_none ? a : set_of(tp_rel_unary(w->l, twin_of(x->kind), a.set));
}

static tp_lowered members(tp_lowering *w, const tp_spec_expr *x) {
  tp_lowered all = none();
  for (uint32_t i = 0; i < x->n_kids; i++) {
    const tp_lowered a = relation(w, x->kids[i]);
    all = all.is_none || a.is_none ? with_none(TP_SPEC_UNION, all, a)
                                   : set_of(tp_rel_binary(w->l, TP_REL_UNION, all.set, a.set));
  }
  return all;
}

static tp_lowered choice(tp_lowering *w, const tp_spec_expr *x) {
  const tp_rel_formula c = formula(w, x->kids[0]);
  const tp_lowered a = relation(w, x->kids[1]), b = relation(w, x->kids[2]);
  if (a.is_none && b.is_none) return a;
  const uint32_t arity = arity_of(w, a.is_none ? b : a);
  return set_of(tp_rel_if(w->l, c, fixed(w, a, arity ? arity : 1), fixed(w, b, arity ? arity : 1)));
}

static tp_lowered relation(tp_lowering *w, const tp_spec_expr *x) {
  switch ((int)x->kind) {
    case TP_SPEC_NAME:
    case TP_SPEC_TYPE:
    case TP_SPEC_THIS:
    case TP_SPEC_RESULT:
    case TP_SPEC_ALLOC: return name(w, x);
    case TP_SPEC_NULL: return set_of(tp_lower_objects(w, TP_NULL_BASIC));
    case TP_SPEC_NONE: return none();
    case TP_SPEC_UNIV: return set_of(tp_rel_univ(w->l));
    case TP_SPEC_IDEN: return set_of(tp_rel_iden(w->l));
    case TP_SPEC_INTS: return set_of(tp_lower_objects(w, TP_INT_BASIC));
    case TP_SPEC_OBJECTS: return set_of(column(w, w->u->alloc->type, 0));
    case TP_SPEC_SET_OF: return members(w, x);
    case TP_SPEC_COMPREHENSION: return binder(w, x);
    case TP_SPEC_TO_SET: return set_of(tp_rel_atom_of(w->l, integer(w, x->kids[0])));
    case TP_SPEC_TRANSPOSE:
    case TP_SPEC_CLOSURE:
    case TP_SPEC_REFLEXIVE: return unary(w, x);
    case TP_SPEC_JOIN:
    case TP_SPEC_RANGE:
    case TP_SPEC_DOMAIN:
    case TP_SPEC_PRODUCT:
    case TP_SPEC_INTERSECTION:
    case TP_SPEC_OVERRIDE:
    case TP_SPEC_UNION:
    case TP_SPEC_DIFFERENCE: return binary(w, x);
    case TP_SPEC_BOX: return call(w, x);
    case TP_SPEC_LET: return let(w, x);
    case TP_SPEC_IF: return choice(w, x);
    default: return failed(w, x->pos, "this is no relation");
  }
}

// ----------------------------------------------------------------------- integers

static tp_rel_int arithmetic(tp_lowering *w, const tp_spec_expr *x, tp_rel_kind kind) {
  const tp_rel_int a = integer(w, x->kids[0]), b = integer(w, x->kids[1]);
  return tp_rel_arithmetic(w->l, kind, a, b);
}

static tp_rel_int integer(tp_lowering *w, const tp_spec_expr *x) {
  switch ((int)x->kind) {
    case TP_SPEC_NAME: {
      const tp_lowered *known = bound(w, x->symbol);
      return known ? known->number : failed(w, x->pos, "this name stands for no integer").number;
    }
    case TP_SPEC_NUMBER: return tp_rel_constant(w->l, x->number);
    case TP_SPEC_TO_INT: return tp_rel_only_int(w->l, fixed(w, relation(w, x->kids[0]), 1));
    case TP_SPEC_SUM: return tp_rel_total(w->l, fixed(w, relation(w, x->kids[0]), 1));
    case TP_SPEC_SIZE: return tp_rel_cardinality(w->l, fixed(w, relation(w, x->kids[0]), 1));
    case TP_SPEC_NEGATIVE: return tp_rel_negative(w->l, integer(w, x->kids[0]));
    case TP_SPEC_PLUS: return arithmetic(w, x, TP_REL_PLUS);
    case TP_SPEC_MINUS: return arithmetic(w, x, TP_REL_MINUS);
    case TP_SPEC_TIMES: return arithmetic(w, x, TP_REL_TIMES);
    case TP_SPEC_DIVIDED: return arithmetic(w, x, TP_REL_QUOTIENT);
    case TP_SPEC_REMAINDER: return arithmetic(w, x, TP_REL_REMAINDER);
    case TP_SPEC_SUM_OVER: return binder(w, x).number;
    case TP_SPEC_LET: return let(w, x).number;
    case TP_SPEC_IF: {
      const tp_rel_formula c = formula(w, x->kids[0]);
      const tp_rel_int a = integer(w, x->kids[1]), b = integer(w, x->kids[2]);
      return tp_rel_int_if(w->l, c, a, b);
    }
    default: return failed(w, x->pos, "this is no integer").number;
  }
}

// ----------------------------------------------------------------------- formulas

static tp_rel_formula many(tp_lowering *w, const tp_spec_expr *x, tp_rel_kind kind) {
  return tp_rel_multiplicity(w->l, kind, fixed(w, relation(w, x->kids[0]), 1));
}

static tp_rel_formula compared(tp_lowering *w, const tp_spec_expr *x, tp_rel_kind kind) {
  if (sort_of(x->kids[0]) == TP_SPEC_SORT_INTEGER) {
    const tp_rel_int i = integer(w, x->kids[0]), k = integer(w, x->kids[1]);
    return tp_rel_compare_ints(w->l, TP_REL_INT_EQUAL, i, k);
  }
  const tp_lowered a = relation(w, x->kids[0]), b = relation(w, x->kids[1]);
  const uint32_t arity = arity_of(w, a.is_none ? b : a);
  return tp_rel_compare(w->l, kind, fixed(w, a, arity ? arity : 1), fixed(w, b, arity ? arity : 1));
}

static tp_rel_formula ordered(tp_lowering *w, const tp_spec_expr *x, tp_rel_kind kind,
                              bool is_swapped) {
  const tp_rel_int a = integer(w, x->kids[0]), b = integer(w, x->kids[1]);
  return is_swapped ? tp_rel_compare_ints(w->l, kind, b, a) : tp_rel_compare_ints(w->l, kind, a, b);
}

static tp_rel_formula connected(tp_lowering *w, const tp_spec_expr *x) {
  const tp_rel_formula f = formula(w, x->kids[0]), g = formula(w, x->kids[1]);
  switch ((int)x->kind) {
    case TP_SPEC_AND: return tp_rel_and(w->l, f, g);
    case TP_SPEC_OR: return tp_rel_or(w->l, f, g);
    case TP_SPEC_IMPLIES: return tp_rel_implies(w->l, f, g);
    default: return tp_rel_iff(w->l, f, g);
  }
}

static tp_rel_formula formula(tp_lowering *w, const tp_spec_expr *x) {
  switch ((int)x->kind) {
    case TP_SPEC_TRUE: return tp_rel_bool(w->l, true);
    case TP_SPEC_FALSE: return tp_rel_bool(w->l, false);
    case TP_SPEC_SOME: return many(w, x, TP_REL_SOME);
    case TP_SPEC_NO: return many(w, x, TP_REL_NO);
    case TP_SPEC_ONE: return many(w, x, TP_REL_ONE);
    case TP_SPEC_LONE: return many(w, x, TP_REL_LONE);
    case TP_SPEC_IN: return compared(w, x, TP_REL_IN);
    case TP_SPEC_NOT_IN: return tp_rel_not(w->l, compared(w, x, TP_REL_IN));
    case TP_SPEC_EQUAL: return compared(w, x, TP_REL_EQUAL);
    case TP_SPEC_UNEQUAL: return tp_rel_not(w->l, compared(w, x, TP_REL_EQUAL));
    case TP_SPEC_LESS: return ordered(w, x, TP_REL_LESS, false);
    case TP_SPEC_AT_MOST: return ordered(w, x, TP_REL_AT_MOST, false);
    case TP_SPEC_GREATER: return ordered(w, x, TP_REL_LESS, true);
    case TP_SPEC_AT_LEAST: return ordered(w, x, TP_REL_AT_MOST, true);
    case TP_SPEC_NOT: return tp_rel_not(w->l, formula(w, x->kids[0]));
    case TP_SPEC_AND:
    case TP_SPEC_OR:
    case TP_SPEC_IMPLIES:
    case TP_SPEC_IFF: return connected(w, x);
    case TP_SPEC_IF: {
      const tp_rel_formula c = formula(w, x->kids[0]), f = formula(w, x->kids[1]),
                           g = formula(w, x->kids[2]);
      return tp_rel_formula_if(w->l, c, f, g);
    }
    case TP_SPEC_LET: return let(w, x).truth;
    case TP_SPEC_ALL:
    case TP_SPEC_EXISTS:
    case TP_SPEC_NONE_SUCH:
    case TP_SPEC_ONE_SUCH:
    case TP_SPEC_LONE_SUCH: return binder(w, x).truth;
    case TP_SPEC_BOX: return call(w, x).truth;
    default: return failed(w, x->pos, "this is no formula").truth;
  }
}

// ------------------------------------------------------------------------- expressions

tp_rel_formula tp_lower_formula(tp_lowering *w, const tp_spec_expr *x, tp_contract_state when) {
  TP_REQUIRE(x && sort_of(x) == TP_SPEC_SORT_FORMULA);
  w->when = when;
  return formula(w, x);
}

tp_rel_expr tp_lower_relation(tp_lowering *w, const tp_spec_expr *x, uint32_t arity,
                              tp_contract_state when) {
  TP_REQUIRE(x && sort_of(x) == TP_SPEC_SORT_RELATION);
  w->when = when;
  return fixed(w, relation(w, x), arity);
}

tp_rel_int tp_lower_integer(tp_lowering *w, const tp_spec_expr *x, tp_contract_state when) {
  TP_REQUIRE(x && sort_of(x) == TP_SPEC_SORT_INTEGER);
  w->when = when;
  return integer(w, x);
}
