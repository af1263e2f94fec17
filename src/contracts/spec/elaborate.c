/* The third pass of resolving: a copy of the expression in which all names, operators and
 * conversions are determined.
 *
 * Conversions. "+" and "-" between two single integers (numbers, counts, sums, a variable, a member
 * of one object) are arithmetic, else union and difference. A single integer from a relation
 * becomes an integer where arithmetic or an order needs one; an integer becomes a set where it is
 * compared with a relation; a single integer becomes "is not 0" where a formula is needed. A set of
 * several integers is never converted: the user must write sum. */
#include "contracts/spec/resolve_priv.h"

#include "contracts/contracts_limits.h"

static const tp_spec_expr *make(tp_spec_scope *s, tp_spec_expr node,
                                const tp_spec_expr *const *kids, uint32_t n) {
  const tp_spec_expr *x = tp_spec_expr_make(&s->m->arena, node, kids, n, NULL, 0);
  if (!x)
    tp_spec_scope_wrong(s, node.pos, "with its conversions this is nested more than %d deep",
                        TP_CONTRACTS_CONTRACT_LEVELS);
  return x;
}

static const tp_spec_expr *make_unary(tp_spec_scope *s, tp_spec_expr_kind kind, tp_pos pos,
                                      const tp_spec_expr *x) {
  return make(s, (tp_spec_expr){.kind = kind, .pos = pos}, &x, 1);
}

static const tp_spec_expr *make_binary(tp_spec_scope *s, tp_spec_expr_kind kind, tp_pos pos,
                                       const tp_spec_expr *x, const tp_spec_expr *y) {
  const tp_spec_expr *kids[] = {x, y};
  return make(s, (tp_spec_expr){.kind = kind, .pos = pos}, kids, 2);
}

// ------------------------------------------------------------------- conversions

static tp_reltype integer_type(const tp_spec_scope *s) {
  return tp_reltype_basic(&s->m->types, TP_INT_BASIC);
}

static bool has_integers_only(const tp_spec_scope *s, const tp_resolved_expr *a) {
  return a->sort == TP_SPEC_SORT_INTEGER ||
         (a->sort == TP_SPEC_SORT_RELATION &&
          tp_reltype_is_only(&s->m->types, a->type, TP_INT_BASIC));
}

static bool is_one_integer(const tp_spec_scope *s, const tp_resolved_expr *a) {
  return a->sort == TP_SPEC_SORT_INTEGER || (has_integers_only(s, a) && a->is_function);
}

static bool to_integer(tp_spec_scope *s, tp_resolved_expr *a) {
  if (a->sort == TP_SPEC_SORT_INTEGER) return true;
  const tp_pos pos = a->expr->pos;
  if (a->sort == TP_SPEC_SORT_FORMULA)
    return tp_spec_scope_wrong(s, pos, "an integer is needed here, and this is a formula");
  if (tp_reltype_arity(a->type) != 1 ||
      tp_reltype_intersection(&s->m->types, a->type, integer_type(s)).n == 0)
    return tp_spec_scope_wrong(s, pos, "an integer is needed here, and this is %s",
                               tp_spec_scope_type_text(s, a->type));
  if (!has_integers_only(s, a))
    return tp_spec_scope_wrong(
        s, pos, "an integer is needed here, and this can also be %s; '& int' leaves the integers",
        tp_spec_scope_type_text(s, a->type));
  if (!a->is_function)
    return tp_spec_scope_wrong(
        s, pos,
        "one integer is needed here, and this is a set of integers: write sum "
        "for their sum, # for their number, or a quantifier");
  a->expr = make_unary(s, TP_SPEC_TO_INT, pos, a->expr);
  a->sort = TP_SPEC_SORT_INTEGER;
  return a->expr != NULL;
}

static bool to_relation(tp_spec_scope *s, tp_resolved_expr *a) {
  if (a->sort == TP_SPEC_SORT_RELATION) return true;
  if (a->sort == TP_SPEC_SORT_FORMULA)
    return tp_spec_scope_wrong(s, a->expr->pos,
                               "a relation or an integer is needed here, and this is a formula");
  a->expr = make_unary(s, TP_SPEC_TO_SET, a->expr->pos, a->expr);
  a->sort = TP_SPEC_SORT_RELATION;
  a->type = integer_type(s);
  a->is_function = true;
  return a->expr != NULL;
}

static bool to_formula(tp_spec_scope *s, tp_resolved_expr *a) {
  if (a->sort == TP_SPEC_SORT_FORMULA) return true;
  const tp_pos pos = a->expr->pos;
  if (!has_integers_only(s, a)) return tp_not_a_formula(s, pos, a->type);
  if (!to_integer(s, a)) return false;
  const tp_spec_expr *zero = make(s, (tp_spec_expr){.kind = TP_SPEC_NUMBER, .pos = pos}, NULL, 0);
  a->expr = make_binary(s, TP_SPEC_UNEQUAL, pos, a->expr, zero);
  a->sort = TP_SPEC_SORT_FORMULA;
  return a->expr != NULL;
}

// -------------------------------------------------------------------------- names

static bool elaborate(tp_spec_scope *s, const tp_unresolved_expr *item, tp_resolved_expr *out);

static void note_state(tp_spec_scope *s, bool is_primed) {
  if (is_primed)
    s->reads_after = true;
  else
    s->reads_before = true;
}

/* The qualified name of a symbol, which resolves to the symbol. */
static const char *owner_of(const tp_spec_scope *s, const tp_unresolved_expr *item) {
  const tp_symbol *c = item->symbol;
  const bool is_member = c->kind == TP_SYMBOL_FIELD ||
                         ((c->kind == TP_SYMBOL_MODEL || c->kind == TP_SYMBOL_GHOST) && c->basic);
  return is_member ? s->m->object_model->basics.at[c->basic].name : item->x->owner;
}

static bool elaborate_name(tp_spec_scope *s, const tp_unresolved_expr *item,
                           tp_resolved_expr *out) {
  const tp_symbol *c = item->symbol;
  const bool is_primed = item->is_primed && c->changes;
  if (c->changes) note_state(s, item->is_primed);
  if (c->kind == TP_SYMBOL_RESULT) s->reads_after = true;
  tp_spec_expr node = *item->x;
  node.symbol = c;
  node.is_primed = is_primed;
  if (item->kind == TP_SPEC_NAME) node.owner = owner_of(s, item);
  out->expr = make(s, node, NULL, 0);
  out->type = c->type;
  out->sort = c->sort;
  out->is_function = c->is_function;
  return out->expr != NULL;
}

static bool elaborate_call(tp_spec_scope *s, const tp_unresolved_expr *item,
                           tp_resolved_expr *out) {
  const tp_symbol *c = item->symbol;
  const tp_spec_expr *head = item->x->kind == TP_SPEC_BOX ? item->x->kids[0] : item->x;
  const tp_spec_expr **kids = tp_arena_array(&s->m->arena, const tp_spec_expr *, item->n_kids + 1);
  tp_spec_expr name = *head;
  name.symbol = c;
  kids[0] = make(s, name, NULL, 0);
  for (uint32_t i = 0; i < item->n_kids; i++) {
    tp_resolved_expr a;
    if (!elaborate(s, item->kids[i], &a) || !to_relation(s, &a)) return false;
    if (c->params[i]->is_function && !a.is_function)
      return tp_spec_scope_wrong(
          s, a.expr->pos, "'%s' of '%s' stands for one, and this can be several; declare it as set",
          c->params[i]->name, c->name);
    kids[i + 1] = a.expr;
  }
  const bool is_primed = item->is_primed && c->reads_before;
  if (c->reads_before) note_state(s, item->is_primed);
  if (c->reads_after) s->reads_after = true;
  out->expr = make(
      s, (tp_spec_expr){.kind = TP_SPEC_BOX, .pos = item->pos, .symbol = c, .is_primed = is_primed},
      kids, item->n_kids + 1);
  out->type = c->type;
  out->sort = c->sort;
  out->is_function = c->is_function;
  return out->expr != NULL;
}

// --------------------------------------------------------------------- operators

static bool elaborate_atom(tp_spec_scope *s, const tp_unresolved_expr *item,
                           tp_resolved_expr *out) {
  const tp_spec_expr_kind k = item->kind;
  if (item->symbol) return elaborate_name(s, item, out);
  out->expr = make(s, *item->x, NULL, 0);
  out->type = item->bound;
  out->sort = k == TP_SPEC_NUMBER                       ? TP_SPEC_SORT_INTEGER
              : k == TP_SPEC_TRUE || k == TP_SPEC_FALSE ? TP_SPEC_SORT_FORMULA
                                                        : TP_SPEC_SORT_RELATION;
  out->is_function =
      k == TP_SPEC_NULL || k == TP_SPEC_NONE || k == TP_SPEC_IDEN || k == TP_SPEC_NUMBER;
  return out->expr != NULL;
}

/* Does a tuple of the result have one last column at most for the others? */
static bool keeps_function(tp_spec_expr_kind k, const tp_resolved_expr *a,
                           const tp_resolved_expr *b) {
  switch ((int)k) {
    case TP_SPEC_JOIN: return a->is_function && b->is_function && tp_reltype_arity(b->type) >= 2;
    case TP_SPEC_PRODUCT:
    case TP_SPEC_DOMAIN: return b->is_function;
    case TP_SPEC_RANGE:
    case TP_SPEC_DIFFERENCE: return a->is_function;
    case TP_SPEC_INTERSECTION: return a->is_function || b->is_function;
    case TP_SPEC_OVERRIDE:
      return a->is_function && b->is_function && tp_reltype_arity(a->type) >= 2;
    default: return false;
  }
}

static tp_reltype type_of(const tp_spec_scope *s, tp_spec_expr_kind k, tp_reltype a, tp_reltype b) {
  const tp_reltypes *t = &s->m->types;
  switch ((int)k) {
    case TP_SPEC_JOIN: return tp_reltype_join(t, a, b);
    case TP_SPEC_PRODUCT: return tp_reltype_product(t, a, b);
    case TP_SPEC_DOMAIN: return tp_reltype_domain(t, a, b);
    case TP_SPEC_RANGE: return tp_reltype_range(t, a, b);
    case TP_SPEC_DIFFERENCE: return a;
    case TP_SPEC_INTERSECTION: return tp_reltype_intersection(t, a, b);
    default: return tp_reltype_union(t, a, b);
  }
}

static bool elaborate_binary(tp_spec_scope *s, const tp_unresolved_expr *item, tp_resolved_expr *a,
                             tp_resolved_expr *b, tp_resolved_expr *out) {
  tp_spec_expr_kind k = item->kind;
  if ((k == TP_SPEC_UNION || k == TP_SPEC_DIFFERENCE) && is_one_integer(s, a) &&
      is_one_integer(s, b)) {
    if (!to_integer(s, a) || !to_integer(s, b)) return false;
    out->expr = make_binary(s, k == TP_SPEC_UNION ? TP_SPEC_PLUS : TP_SPEC_MINUS, item->pos,
                            a->expr, b->expr);
    out->sort = TP_SPEC_SORT_INTEGER;
    out->type = integer_type(s);
    return out->expr != NULL;
  }
  if (!to_relation(s, a) || !to_relation(s, b)) return false;
  out->expr = make_binary(s, k, item->pos, a->expr, b->expr);
  out->sort = TP_SPEC_SORT_RELATION;
  out->type = type_of(s, k, a->type, b->type);
  out->is_function = keeps_function(k, a, b);
  // names were resolved one by one: their types must fit each other, too
  if (out->type.n == 0 && a->type.n && b->type.n)
    return tp_spec_scope_wrong(
        s, item->pos,
        "some name here can mean several things, and together they leave nothing "
        "(left: %s; right: %s); write members as STRUCT::member",
        tp_spec_scope_type_text(s, a->type), tp_spec_scope_type_text(s, b->type));
  return out->expr != NULL;
}

static bool elaborate_unary(tp_spec_scope *s, const tp_unresolved_expr *item, tp_resolved_expr *a,
                            tp_resolved_expr *out) {
  const tp_reltypes *t = &s->m->types;
  if (!to_relation(s, a)) return false;
  out->expr = make_unary(s, item->kind, item->pos, a->expr);
  out->sort = TP_SPEC_SORT_RELATION;
  if (item->kind == TP_SPEC_TRANSPOSE)
    out->type = tp_reltype_transpose(t, a->type);
  else
    out->type = tp_reltype_closure(t, a->type);
  if (item->kind == TP_SPEC_REFLEXIVE)
    out->type = tp_reltype_union(t, out->type, tp_reltype_iden(t));
  return out->expr != NULL;
}

/* Both integers, or both relations. */
static bool elaborate_comparison(tp_spec_scope *s, const tp_unresolved_expr *item,
                                 tp_resolved_expr *a, tp_resolved_expr *b, tp_resolved_expr *out) {
  const bool is_in = item->kind == TP_SPEC_IN || item->kind == TP_SPEC_NOT_IN;
  if (is_in || a->sort != b->sort) {
    if (!to_relation(s, a) || !to_relation(s, b)) return false;
  }
  out->expr = make_binary(s, item->kind, item->pos, a->expr, b->expr);
  out->sort = TP_SPEC_SORT_FORMULA;
  return out->expr != NULL;
}

static bool elaborate_if(tp_spec_scope *s, const tp_unresolved_expr *item, tp_resolved_expr *kids,
                         tp_resolved_expr *out) {
  tp_resolved_expr *a = &kids[1], *b = &kids[2];
  if (!to_formula(s, &kids[0])) return false;
  if (item->is_formula) {
    if (!to_formula(s, a) || !to_formula(s, b)) return false;
  } else if (a->sort != b->sort) {
    const bool integers = is_one_integer(s, a) && is_one_integer(s, b);
    if (integers ? !to_integer(s, a) || !to_integer(s, b)
                 : !to_relation(s, a) || !to_relation(s, b))
      return false;
  }
  const tp_spec_expr *parts[] = {kids[0].expr, a->expr, b->expr};
  out->expr = make(s, (tp_spec_expr){.kind = TP_SPEC_IF, .pos = item->pos}, parts, 3);
  out->sort = a->sort;
  out->type = tp_reltype_union(&s->m->types, a->type, b->type);
  out->is_function = a->is_function && b->is_function;
  return out->expr != NULL;
}

static bool elaborate_set(tp_spec_scope *s, const tp_unresolved_expr *item, tp_resolved_expr *kids,
                          tp_resolved_expr *out) {
  const tp_spec_expr **parts = tp_arena_array(&s->m->arena, const tp_spec_expr *, item->n_kids + 1);
  *out = (tp_resolved_expr){.sort = TP_SPEC_SORT_RELATION};
  for (uint32_t i = 0; i < item->n_kids; i++) {
    if (!to_relation(s, &kids[i])) return false;
    parts[i] = kids[i].expr;
    out->type = tp_reltype_union(&s->m->types, out->type, kids[i].type);
  }
  out->expr =
      make(s, (tp_spec_expr){.kind = TP_SPEC_SET_OF, .pos = item->pos}, parts, item->n_kids);
  return out->expr != NULL;
}

/* Operators whose result is a formula or an integer: kids converted, the same operator. */
static bool elaborate_plain(tp_spec_scope *s, const tp_unresolved_expr *item,
                            tp_resolved_expr *kids,
                            bool (*convert)(tp_spec_scope *, tp_resolved_expr *), tp_spec_sort sort,
                            tp_resolved_expr *out) {
  const tp_spec_expr *parts[2] = {NULL, NULL};
  for (uint32_t i = 0; i < item->n_kids; i++) {
    if (!convert(s, &kids[i])) return false;
    parts[i] = kids[i].expr;
  }
  out->expr = make(s, (tp_spec_expr){.kind = item->kind, .pos = item->pos}, parts, item->n_kids);
  out->sort = sort;
  out->type = sort == TP_SPEC_SORT_INTEGER ? integer_type(s) : TP_RELTYPE_EMPTY;
  return out->expr != NULL;
}

/* sum e, int[e]: of any set of integers. */
static bool elaborate_sum(tp_spec_scope *s, const tp_unresolved_expr *item, tp_resolved_expr *a,
                          tp_resolved_expr *out) {
  if (!to_relation(s, a)) return false;
  if (!has_integers_only(s, a))
    return tp_spec_scope_wrong(s, item->pos,
                               "the sum of %s is not known; '& int' leaves the integers",
                               tp_spec_scope_type_text(s, a->type));
  if (item->kind == TP_SPEC_TO_INT && !a->is_function)
    return tp_spec_scope_wrong(s, item->pos, "this is a set of integers: write sum for their sum");
  out->expr = make_unary(s, item->kind, item->pos, a->expr);
  out->sort = TP_SPEC_SORT_INTEGER;
  out->type = integer_type(s);
  return out->expr != NULL;
}

static bool elaborate_binder(tp_spec_scope *s, const tp_unresolved_expr *item,
                             tp_resolved_expr *body, tp_resolved_expr *out) {
  const tp_spec_expr_kind k = item->kind;
  if (k == TP_SPEC_SUM_OVER ? !to_integer(s, body) : k != TP_SPEC_LET && !to_formula(s, body))
    return false;
  out->expr = tp_spec_expr_make(&s->m->arena, (tp_spec_expr){.kind = k, .pos = item->pos},
                                &body->expr, 1, item->decls, item->n_decls);
  if (!out->expr)
    return tp_spec_scope_wrong(s, item->pos,
                               "with its conversions this is nested more than %d deep",
                               TP_CONTRACTS_CONTRACT_LEVELS);
  out->sort = k == TP_SPEC_COMPREHENSION ? TP_SPEC_SORT_RELATION : body->sort;
  out->type = k == TP_SPEC_COMPREHENSION ? item->bound : body->type;
  out->is_function = k == TP_SPEC_LET && body->is_function;
  return true;
}

static bool elaborate_prime(tp_spec_scope *s, const tp_unresolved_expr *item,
                            tp_resolved_expr *out) {
  const bool after = s->reads_after;
  s->reads_after = false;
  bool ok = elaborate(s, item->kids[0], out);
  if (ok && !s->reads_after)
    ok = tp_spec_scope_wrong(
        s, item->pos,
        "nothing in front of this ' ever changes (parameters and variables are the "
        "same before and after)");
  s->reads_after = s->reads_after || after;
  return ok;
}

static bool elaborate_operator(tp_spec_scope *s, const tp_unresolved_expr *item,
                               tp_resolved_expr *kids, tp_resolved_expr *out) {
  const tp_spec_expr_kind k = item->kind;
  switch ((int)k) {
    case TP_SPEC_IF: return elaborate_if(s, item, kids, out);
    case TP_SPEC_SET_OF: return elaborate_set(s, item, kids, out);
    case TP_SPEC_SUM:
    case TP_SPEC_TO_INT: return elaborate_sum(s, item, kids, out);
    case TP_SPEC_TO_SET:
      if (!to_integer(s, kids) || !to_relation(s, kids)) return false;
      *out = *kids;
      return true;
    case TP_SPEC_TRANSPOSE:
    case TP_SPEC_CLOSURE:
    case TP_SPEC_REFLEXIVE: return elaborate_unary(s, item, kids, out);
    case TP_SPEC_IN:
    case TP_SPEC_NOT_IN:
    case TP_SPEC_EQUAL:
    case TP_SPEC_UNEQUAL: return elaborate_comparison(s, item, &kids[0], &kids[1], out);
    case TP_SPEC_LESS:
    case TP_SPEC_AT_MOST:
    case TP_SPEC_GREATER:
    case TP_SPEC_AT_LEAST:
      return elaborate_plain(s, item, kids, to_integer, TP_SPEC_SORT_FORMULA, out);
    case TP_SPEC_NOT:
    case TP_SPEC_AND:
    case TP_SPEC_OR:
    case TP_SPEC_IMPLIES:
    case TP_SPEC_IFF: return elaborate_plain(s, item, kids, to_formula, TP_SPEC_SORT_FORMULA, out);
    case TP_SPEC_SOME:
    case TP_SPEC_NO:
    case TP_SPEC_ONE:
    case TP_SPEC_LONE:
      return elaborate_plain(s, item, kids, to_relation, TP_SPEC_SORT_FORMULA, out);
    case TP_SPEC_SIZE:
      return elaborate_plain(s, item, kids, to_relation, TP_SPEC_SORT_INTEGER, out);
    case TP_SPEC_NEGATIVE:
    case TP_SPEC_TIMES:
    case TP_SPEC_DIVIDED:
    case TP_SPEC_REMAINDER:
    case TP_SPEC_PLUS:
    case TP_SPEC_MINUS:
      return elaborate_plain(s, item, kids, to_integer, TP_SPEC_SORT_INTEGER, out);
    default: return elaborate_binary(s, item, &kids[0], &kids[1], out);
  }
}

static bool elaborate(tp_spec_scope *s, const tp_unresolved_expr *item, tp_resolved_expr *out) {
  *out = (tp_resolved_expr){.sort = TP_SPEC_SORT_RELATION};
  if (s->failed) return false;
  if (item->kind == TP_SPEC_BOX) return elaborate_call(s, item, out);
  if (item->kind == TP_SPEC_PRIME) return elaborate_prime(s, item, out);
  if (item->n_kids == 0 && item->kind != TP_SPEC_SET_OF) return elaborate_atom(s, item, out);
  tp_resolved_expr *kids = tp_arena_array(&s->m->arena, tp_resolved_expr, item->n_kids + 1);
  for (uint32_t i = 0; i < item->n_kids; i++)
    if (!elaborate(s, item->kids[i], &kids[i])) return false;
  return item->n_decls ? elaborate_binder(s, item, kids, out)
                       : elaborate_operator(s, item, kids, out);
}

bool tp_elaborate(tp_spec_scope *s, const tp_unresolved_expr *item, tp_resolved_expr *out) {
  TP_REQUIRE(s && item && out);
  return elaborate(s, item, out);
}

bool tp_resolve_formula(tp_spec_scope *s, const tp_spec_expr *x, const tp_spec_expr **out) {
  tp_resolved_expr r;
  if (!tp_resolve(s, x, &r) || !to_formula(s, &r)) return false;
  *out = r.expr;
  return true;
}

bool tp_resolve_relation(tp_spec_scope *s, const tp_spec_expr *x, tp_resolved_expr *out) {
  return tp_resolve(s, x, out) && to_relation(s, out);
}

bool tp_multiplicity_is_single(tp_multiplicity many) {
  return many == TP_MULTIPLICITY_ONE || many == TP_MULTIPLICITY_LONE;
}
