/* The axioms of every state of C, symbol by symbol: members are functions on allocated objects,
 * pointers lead to allocated objects, inner structs lie where their owners are. */
#include "contracts/spec/bounded_states_priv.h"

#include "contracts/contracts_limits.h"

typedef struct {
  tp_bounded_states *h;
  tp_lowering *w;
  tp_rel *l;
  tp_rel_formula all;
} typed;

static void also(typed *t, tp_rel_formula f) { t->all = tp_rel_and(t->l, t->all, f); }
static tp_rel_expr both(typed *t, tp_rel_kind kind, tp_rel_expr a, tp_rel_expr b) {
  return tp_rel_binary(t->l, kind, a, b);
}
static tp_rel_expr exist(typed *t, tp_contract_state when) {
  return tp_bounded_states_relations(t->h).value(t->h, t->h->u->alloc, when);
}

static tp_rel_decl variable(typed *t, const char *name, tp_rel_expr in, tp_rel_expr *use) {
  const tp_rel_decl d = {tp_rel_variable(t->l, name, 1), in};
  *use = tp_rel_use(t->l, d.var);
  return d;
}

/* 0 .. n-1 */
static tp_rel_expr indices_below(typed *t, uint64_t n) {
  tp_bounded_states *h = t->h;
  for (size_t i = 0; i < h->indices.n; i++)
    if (h->indices.at[i].n == n) return h->indices.at[i].set;
  const tp_bounded_states_indices made = {
      n, tp_rel_relation(
             t->l, tp_arena_printf(&h->arena, "indices below %llu", (unsigned long long)n), 1)};
  tp_vec_push(&h->indices, made);
  return made.set;
}

/* What pointers of the relation's last column lead to exists. */
static void leads_to_existing(typed *t, const tp_bounded_states_entry *e, tp_contract_state when) {
  tp_rel_expr last = e->relation;
  for (uint32_t i = 1; i < tp_reltype_arity(e->symbol->type); i++)
    last = both(t, TP_REL_JOIN, tp_rel_univ(t->l), last);
  const tp_rel_expr objects = tp_lower_type(t->w, t->h->u->alloc->type);
  also(t, tp_rel_compare(t->l, TP_REL_IN, both(t, TP_REL_INTERSECTION, last, objects),
                         exist(t, when)));
}

/* An index is in use only if the one below is. */
static tp_rel_formula has_no_gap(typed *t, tp_rel_expr elements) {
  tp_rel_expr i;
  const tp_rel_decl d = variable(t, "index", t->h->objects[TP_INT_BASIC], &i);
  const tp_rel_int at = tp_rel_total(t->l, i), zero = tp_rel_constant(t->l, 0),
                   one = tp_rel_constant(t->l, 1);
  const tp_rel_expr before = tp_rel_atom_of(t->l, tp_rel_arithmetic(t->l, TP_REL_MINUS, at, one));
  const tp_rel_formula first = tp_rel_compare_ints(t->l, TP_REL_INT_EQUAL, at, zero),
                       follows = tp_rel_multiplicity(t->l, TP_REL_SOME,
                                                     both(t, TP_REL_JOIN, before, elements));
  const tp_rel_formula used =
      tp_rel_multiplicity(t->l, TP_REL_SOME, both(t, TP_REL_JOIN, i, elements));
  return tp_rel_quantify(t->l, TP_REL_FOR_ALL, &d, 1,
                         tp_rel_implies(t->l, used, tp_rel_or(t->l, first, follows)));
}

/* One value at each index; x: the relation from indices to values. */
static tp_rel_formula has_values(typed *t, const tp_bounded_states_shape *shape, tp_rel_expr x) {
  const bool is_open = shape->n && shape->size[0] == 0;
  tp_rel_decl decls[TP_CONTRACTS_TYPE_ARITY];
  tp_rel_expr at = x, first = x;
  for (uint32_t k = 0; k < shape->n; k++) {
    tp_rel_expr i;
    decls[k] = variable(
        t, "index", shape->size[k] ? indices_below(t, shape->size[k]) : t->h->objects[TP_INT_BASIC],
        &i);
    at = both(t, TP_REL_JOIN, i, at);
    if (k == 0) first = at;
  }
  tp_rel_formula f = tp_rel_multiplicity(t->l, TP_REL_ONE, at);
  if (is_open) f = tp_rel_implies(t->l, tp_rel_multiplicity(t->l, TP_REL_SOME, first), f);
  if (shape->n) f = tp_rel_quantify(t->l, TP_REL_FOR_ALL, decls, shape->n, f);
  return is_open ? tp_rel_and(t->l, f, has_no_gap(t, x)) : f;
}

/* Objects that exist have the member, others do not. */
static void type_member(typed *t, const tp_bounded_states_entry *e) {
  const tp_bounded_states_shape shape = tp_bounded_states_shape_of(t->h, e->symbol);
  const tp_rel_expr all = t->h->objects[e->symbol->basic], now = exist(t, e->when);
  tp_rel_expr x, y;
  const tp_rel_decl d = variable(t, "object", both(t, TP_REL_INTERSECTION, all, now), &x),
                    other = variable(t, "object", both(t, TP_REL_DIFFERENCE, all, now), &y);
  also(t, tp_rel_quantify(t->l, TP_REL_FOR_ALL, &d, 1,
                          has_values(t, &shape, both(t, TP_REL_JOIN, x, e->relation))));
  also(t,
       tp_rel_quantify(t->l, TP_REL_FOR_ALL, &other, 1,
                       tp_rel_multiplicity(t->l, TP_REL_NO, both(t, TP_REL_JOIN, y, e->relation))));
  leads_to_existing(t, e, e->when);
}

/* The objects that lie inside: of all that there could be. */
static tp_rel_expr inner_objects(typed *t, const tp_bounded_states_entry *e) {
  return e->symbol->kind == TP_SYMBOL_FIELD
             ? both(t, TP_REL_JOIN, t->h->objects[e->symbol->basic], e->relation)
             : e->relation;
}

/* A struct inside of another one: its own object for each, which exists as long as that does. */
static void type_inner(typed *t, const tp_bounded_states_entry *e) {
  const uint32_t basic = tp_bounded_states_value_basic(t->h, e->symbol);
  if (e->symbol->kind == TP_SYMBOL_GLOBAL) {
    also(t, tp_rel_multiplicity(t->l, TP_REL_ONE, e->relation));
  } else {
    const tp_rel_expr owners = t->h->objects[e->symbol->basic], inner = t->h->objects[basic];
    also(t, tp_rel_functional(t->l, TP_REL_TOTAL_FUNCTION, e->relation, owners, inner));
    also(t, tp_rel_functional(t->l, TP_REL_PARTIAL,
                              tp_rel_unary(t->l, TP_REL_TRANSPOSE, e->relation), inner, owners));
  }
  for (size_t i = 0; i < t->h->asked.n; i++) {
    const tp_bounded_states_entry other = t->h->asked.at[i];
    if (other.symbol->kind == TP_SYMBOL_ALLOC && e->symbol->kind == TP_SYMBOL_GLOBAL) {
      also(t, tp_rel_compare(t->l, TP_REL_IN, e->relation, other.relation));
    } else if (other.symbol->kind == TP_SYMBOL_ALLOC) {
      tp_rel_expr x;
      const tp_rel_decl d = variable(t, "object", t->h->objects[e->symbol->basic], &x);
      const tp_rel_formula outer = tp_rel_compare(t->l, TP_REL_IN, x, other.relation),
                           inner =
                               tp_rel_compare(t->l, TP_REL_IN, both(t, TP_REL_JOIN, x, e->relation),
                                              other.relation);
      also(t, tp_rel_quantify(t->l, TP_REL_FOR_ALL, &d, 1, tp_rel_iff(t->l, outer, inner)));
    } else if (other.symbol != e->symbol && tp_bounded_states_is_inner(t->h, other.symbol) &&
               tp_bounded_states_value_basic(t->h, other.symbol) == basic) {
      also(t, tp_rel_multiplicity(
                  t->l, TP_REL_NO,
                  both(t, TP_REL_INTERSECTION, inner_objects(t, e), inner_objects(t, &other))));
    }
  }
}

static tp_rel_formula as_many(typed *t, tp_multiplicity many, tp_rel_expr x) {
  switch (many) {
    case TP_MULTIPLICITY_ONE: return tp_rel_multiplicity(t->l, TP_REL_ONE, x);
    case TP_MULTIPLICITY_LONE: return tp_rel_multiplicity(t->l, TP_REL_LONE, x);
    case TP_MULTIPLICITY_SOME: return tp_rel_multiplicity(t->l, TP_REL_SOME, x);
    case TP_MULTIPLICITY_UNSAID:
    case TP_MULTIPLICITY_SET: break;
  }
  return tp_rel_bool(t->l, true);
}

/* As it was declared: `lone T`, `A -> one B`. */
static void type_ghost(typed *t, const tp_bounded_states_entry *e) {
  const tp_clause *c = e->symbol->clause;
  const uint32_t n_owners = e->symbol->basic != 0, arity = tp_reltype_arity(e->symbol->type);
  const bool is_set = arity - n_owners == 1;
  const tp_multiplicity many = !is_set                             ? c->type->many
                               : c->many == TP_MULTIPLICITY_UNSAID ? TP_MULTIPLICITY_ONE
                                                                   : c->many;
  tp_rel_decl decls[TP_CONTRACTS_TYPE_ARITY];
  tp_rel_expr at = e->relation;
  for (uint32_t k = 0; k + 1 < arity; k++) {
    tp_reltype key = e->symbol->type;
    for (uint32_t i = 0; i < k; i++)
      key = tp_reltype_join(&t->h->u->types, tp_reltype_all(&t->h->u->types), key);
    for (uint32_t i = k + 1; i < arity; i++)
      key = tp_reltype_join(&t->h->u->types, key, tp_reltype_all(&t->h->u->types));
    tp_rel_expr x, keys = tp_lower_type(t->w, key);
    if (k == 0 && n_owners) keys = both(t, TP_REL_INTERSECTION, keys, exist(t, e->when));
    decls[k] = variable(t, "key", keys, &x);
    at = both(t, TP_REL_JOIN, x, at);
  }
  const tp_rel_formula f = as_many(t, many, at);
  also(t, arity > 1 ? tp_rel_quantify(t->l, TP_REL_FOR_ALL, decls, arity - 1, f) : f);
  if (!n_owners) return;
  tp_rel_expr y;
  const tp_rel_decl other =
      variable(t, "object",
               both(t, TP_REL_DIFFERENCE, t->h->objects[e->symbol->basic], exist(t, e->when)), &y);
  also(t,
       tp_rel_quantify(t->l, TP_REL_FOR_ALL, &other, 1,
                       tp_rel_multiplicity(t->l, TP_REL_NO, both(t, TP_REL_JOIN, y, e->relation))));
}

static void type_variable(typed *t, const tp_bounded_states_entry *e) {
  const tp_bounded_states_shape shape = tp_bounded_states_shape_of(t->h, e->symbol);
  also(t, has_values(t, &shape, e->relation));
  leads_to_existing(t, e, e->symbol->kind == TP_SYMBOL_RESULT ? TP_POST_STATE : e->when);
}

static void type_entry(typed *t, const tp_bounded_states_entry *e) {
  switch (e->symbol->kind) {
    case TP_SYMBOL_FIELD:
    case TP_SYMBOL_ELEMENTS:
      if (tp_bounded_states_is_inner(t->h, e->symbol))
        type_inner(t, e);
      else
        type_member(t, e);
      return;
    case TP_SYMBOL_GLOBAL:
      if (tp_bounded_states_is_inner(t->h, e->symbol))
        type_inner(t, e);
      else
        type_variable(t, e);
      return;
    case TP_SYMBOL_PARAM:
    case TP_SYMBOL_RESULT:
    case TP_SYMBOL_LOCAL: type_variable(t, e); return;
    case TP_SYMBOL_GHOST: type_ghost(t, e); return;
    case TP_SYMBOL_SET:
    case TP_SYMBOL_FUNCTION:
    case TP_SYMBOL_ALLOC:
    case TP_SYMBOL_MODEL:
    case TP_SYMBOL_THIS:
    case TP_SYMBOL_VARIABLE:
    case TP_SYMBOL_PRED:
    case TP_SYMBOL_FUN: return;
  }
}

tp_rel_formula tp_bounded_states_axioms(tp_bounded_states *h, tp_lowering *w) {
  TP_REQUIRE(h && !h->bounds);
  typed t = {h, w, h->l, tp_rel_bool(h->l, true)};
  const size_t n = h->asked.n;
  for (size_t i = 0; i < n; i++) {
    const tp_symbol *s = h->asked.at[i].symbol;
    // which objects exist is asked for first: structs inside of others look at all such moments
    if (s->kind != TP_SYMBOL_FUNCTION && s->kind != TP_SYMBOL_ALLOC)
      (void)exist(&t, s->kind == TP_SYMBOL_RESULT ? TP_POST_STATE : h->asked.at[i].when);
  }
  for (size_t i = 0; i < n; i++) {
    const tp_bounded_states_entry e = h->asked.at[i];
    type_entry(&t, &e);
  }
  return t.all;
}
