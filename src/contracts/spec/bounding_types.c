/* Pass 1 of resolving, operator by operator: bounding types from those of the parts, over all
 * meanings of the names; an expression that is empty under all of them is an error (Edwards,
 * Jackson, Torlak 2004, bounding types). */
#include "contracts/spec/resolve_priv.h"

/* What a comparison inside of another one is meant to be. */
static const char *chained(const tp_unresolved_expr *item) {
  const tp_spec_expr_kind k = item->kind;
  const bool is_order =
      k == TP_SPEC_LESS || k == TP_SPEC_AT_MOST || k == TP_SPEC_GREATER || k == TP_SPEC_AT_LEAST;
  return is_order || tp_is_comparison(k) ? "; a <= b < c is a <= b and b < c" : "";
}

/* A relation: no formula, and not always empty. */
bool tp_unresolved_is_relation(tp_spec_scope *s, const tp_unresolved_expr *item) {
  if (item->is_formula)
    return tp_spec_scope_wrong(s, item->pos,
                               "a relation or an integer is needed here, and this is a formula%s",
                               chained(item));
  return true;
}

static tp_unresolved_expr *always_empty(tp_spec_scope *s, const tp_unresolved_expr *item,
                                        const char *why) {
  const tp_unresolved_expr *a = item->kids[0], *b = item->kids[1];
  tp_spec_scope_wrong(
      s, item->pos, "this is always empty: %s (left: %s; right: %s)%s", why,
      tp_spec_scope_type_text(s, a->bound), tp_spec_scope_type_text(s, b->bound),
      item->kind == TP_SPEC_JOIN && a->kind == TP_SPEC_NULL ? "; nothing leads on from null" : "");
  return NULL;
}

static bool has_arity(const tp_unresolved_expr *item, uint32_t arity) {
  for (uint32_t i = 0; i < item->bound.n; i++)
    if (item->bound.at[i].arity == arity) return true;
  return false;
}

static tp_unresolved_expr *wrong_arity(tp_spec_scope *s, const tp_unresolved_expr *item) {
  const tp_unresolved_expr *a = item->kids[0], *b = item->kids[1];
  const char *what = item->kind == TP_SPEC_UNION        ? "united"
                     : item->kind == TP_SPEC_DIFFERENCE ? "subtracted"
                     : item->kind == TP_SPEC_OVERRIDE   ? "overridden"
                                                        : "compared";
  const bool has_product = a->kind == TP_SPEC_PRODUCT || b->kind == TP_SPEC_PRODUCT;
  tp_spec_scope_wrong(
      s, item->pos, "relations of different arity cannot be %s (left: %s; right: %s)%s", what,
      tp_spec_scope_type_text(s, a->bound), tp_spec_scope_type_text(s, b->bound),
      has_product ? "; a member is written p.next, and p->next is the product of relations" : "");
  return NULL;
}

/* What two sets share; null alone is nothing that sets of objects are meant to share. */
static tp_reltype shared(const tp_spec_scope *s, tp_reltype a, tp_reltype b) {
  const tp_reltypes *t = &s->m->types;
  const tp_reltype both = tp_reltype_intersection(t, a, b);
  const bool is_null = tp_reltype_is_only(t, both, TP_NULL_BASIC) &&
                       !tp_reltype_is_only(t, a, TP_NULL_BASIC) &&
                       !tp_reltype_is_only(t, b, TP_NULL_BASIC);
  return is_null ? TP_RELTYPE_EMPTY : both;
}

static bool is_member(const tp_symbol *c) {
  return c->kind == TP_SYMBOL_FIELD || c->kind == TP_SYMBOL_ELEMENTS ||
         c->kind == TP_SYMBOL_MODEL || c->kind == TP_SYMBOL_GHOST || c->kind == TP_SYMBOL_FUN ||
         c->kind == TP_SYMBOL_PRED;
}

/* Behind a dot a name means a member rather than a variable or a parameter, if that can be. (A
 * type, a function, a global stay hidden.) */
static void prefer_members(tp_spec_scope *s, const tp_unresolved_expr *a, tp_unresolved_expr *b) {
  const tp_reltypes *t = &s->m->types;
  tp_unresolved_expr *name = b->kind == TP_SPEC_PRIME ? b->kids[0] : b;
  if (name->kind != TP_SPEC_NAME) return;
  tp_reltype members = TP_RELTYPE_EMPTY;
  for (uint32_t i = 0; i < name->n_candidates; i++)
    if (is_member(name->candidates[i]))
      members = tp_reltype_union(t, members, name->candidates[i]->type);
  if (tp_reltype_join(t, a->bound, members).n == 0) return;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < name->n_candidates; i++) {
    if (!is_member(name->candidates[i])) continue;
    name->candidates[kept] = name->candidates[i];
    name->ranks[kept++] = name->ranks[i];
  }
  name->n_candidates = kept;
  name->bound = b->bound = members;
}

/* The type of a operator b, and what is wrong with it; bounds of a and b lose what no meaning of
 * the other fits. */
static tp_unresolved_expr *bound_binary(tp_spec_scope *s, tp_unresolved_expr *item) {
  const tp_reltypes *t = &s->m->types;
  tp_unresolved_expr *a = item->kids[0], *b = item->kids[1];
  if (!tp_unresolved_is_relation(s, a) || !tp_unresolved_is_relation(s, b)) return NULL;
  const bool trivial = tp_unresolved_is_none(a) || tp_unresolved_is_none(b);
  switch ((int)item->kind) {
    case TP_SPEC_JOIN:
      prefer_members(s, a, b);
      item->bound = tp_reltype_join(t, a->bound, b->bound);
      if (item->bound.n) return item;
      if (!trivial && tp_reltype_arity(a->bound) == 1 && tp_reltype_arity(b->bound) == 1) {
        tp_spec_scope_wrong(
            s, item->pos,
            "two sets cannot be joined: one side of '.' must be a member or another "
            "relation (left: %s; right: %s)",
            tp_spec_scope_type_text(s, a->bound), tp_spec_scope_type_text(s, b->bound));
        return NULL;
      }
      return trivial ? item
                     : always_empty(s, item, "nothing that ends on the left begins on the right");
    case TP_SPEC_PRODUCT:
      item->bound = tp_reltype_product(t, a->bound, b->bound);
      if (item->bound.n || trivial) return item;
      return tp_unresolved_wrong(s, item->pos, "relations have at most 8 columns");
    case TP_SPEC_INTERSECTION:
      item->bound = shared(s, a->bound, b->bound);
      return item->bound.n || trivial ? item
                                      : always_empty(s, item, "the sides have nothing in common");
    case TP_SPEC_DOMAIN:
    case TP_SPEC_RANGE: {
      const bool is_domain = item->kind == TP_SPEC_DOMAIN;
      if (!trivial && !has_arity(is_domain ? a : b, 1))
        return tp_unresolved_wrong(
            s, item->pos, is_domain ? "left of '<:' stands a set" : "right of ':>' stands a set");
      item->bound = is_domain ? tp_reltype_domain(t, a->bound, b->bound)
                              : tp_reltype_range(t, a->bound, b->bound);
      return item->bound.n || trivial ? item : always_empty(s, item, "no tuple fits the set");
    }
    case TP_SPEC_UNION:
    case TP_SPEC_DIFFERENCE:
    case TP_SPEC_OVERRIDE: {
      const tp_reltype left = tp_unresolved_is_none(b) ? a->bound
                                                       : tp_reltype_like(t, a->bound, b->bound),
                       right = tp_unresolved_is_none(a) ? b->bound
                                                        : tp_reltype_like(t, b->bound, a->bound);
      if (!trivial && left.n == 0) return wrong_arity(s, item);
      item->bound = item->kind == TP_SPEC_DIFFERENCE ? left : tp_reltype_union(t, left, right);
      return item;
    }
    default: break;
  }
  return item;
}

static bool are_comparable(tp_spec_scope *s, tp_unresolved_expr *item) {
  const tp_reltypes *t = &s->m->types;
  const tp_unresolved_expr *a = item->kids[0], *b = item->kids[1];
  if (a->is_formula || b->is_formula)
    return tp_spec_scope_wrong(
        s, item->pos,
        a->is_formula && b->is_formula
            ? "formulas are compared with <=>"
            : "a formula cannot be compared with a relation or an integer; write "
              "<=>, or (if F then 1 else 0)");
  if (tp_unresolved_is_none(a) || tp_unresolved_is_none(b) || shared(s, a->bound, b->bound).n)
    return true;
  if (tp_reltype_like(t, a->bound, b->bound).n == 0) return wrong_arity(s, item) != NULL;
  return tp_spec_scope_wrong(
      s, item->pos, "the sides can never have anything in common (left: %s; right: %s)",
      tp_spec_scope_type_text(s, a->bound), tp_spec_scope_type_text(s, b->bound));
}

bool tp_unresolved_is_integral(tp_spec_scope *s, const tp_unresolved_expr *item) {
  const tp_reltype integer = tp_reltype_basic(&s->m->types, TP_INT_BASIC);
  if (item->is_formula)
    return tp_spec_scope_wrong(s, item->pos, "an integer is needed here, and this is a formula%s",
                               chained(item));
  return tp_reltype_intersection(&s->m->types, item->bound, integer).n ||
         tp_spec_scope_wrong(s, item->pos, "an integer is needed here, and this is %s",
                             tp_spec_scope_type_text(s, item->bound));
}

bool tp_unresolved_is_condition(tp_spec_scope *s, const tp_unresolved_expr *item) {
  const tp_reltype integer = tp_reltype_basic(&s->m->types, TP_INT_BASIC);
  if (item->is_formula || tp_reltype_intersection(&s->m->types, item->bound, integer).n)
    return true;
  return tp_not_a_formula(s, item->pos, item->bound);
}

static bool all_kids(tp_spec_scope *s, const tp_unresolved_expr *item,
                     bool (*fits)(tp_spec_scope *, const tp_unresolved_expr *)) {
  for (uint32_t i = 0; i < item->n_kids; i++)
    if (!fits(s, item->kids[i])) return false;
  return true;
}

static tp_unresolved_expr *bound_unary(tp_spec_scope *s, tp_unresolved_expr *item) {
  const tp_reltypes *t = &s->m->types;
  const tp_unresolved_expr *a = item->kids[0];
  if (!tp_unresolved_is_relation(s, a)) return NULL;
  if (!tp_unresolved_is_none(a) && !has_arity(a, 2)) {
    tp_spec_scope_wrong(s, item->pos, "'%s' takes a relation of two columns, and this is %s%s",
                        tp_spec_expr_text(item->kind), tp_spec_scope_type_text(s, a->bound),
                        item->kind == TP_SPEC_REFLEXIVE && has_arity(a, 1)
                            ? "; C's *p is p[0], and (*p).f is p.f"
                            : "");
    return NULL;
  }
  const tp_reltype pairs = tp_reltype_of_arity(t, a->bound, 2);
  if (item->kind == TP_SPEC_TRANSPOSE)
    item->bound = tp_reltype_transpose(t, pairs);
  else
    item->bound = tp_reltype_closure(t, pairs);
  if (item->kind == TP_SPEC_REFLEXIVE)
    item->bound = tp_reltype_union(t, item->bound, tp_reltype_iden(t));
  return item;
}

static tp_unresolved_expr *bound_set(tp_spec_scope *s, tp_unresolved_expr *item) {
  const tp_reltypes *t = &s->m->types;
  for (uint32_t i = 0; i < item->n_kids; i++) {
    if (!tp_unresolved_is_relation(s, item->kids[i])) return NULL;
    const tp_reltype more = item->kids[i]->bound, both = tp_reltype_like(t, more, item->bound);
    if (i > 0 && more.n && item->bound.n && both.n == 0)
      return tp_unresolved_wrong(s, item->kids[i]->pos, "the members of a set have one arity");
    item->bound =
        tp_reltype_union(t, i && both.n ? tp_reltype_like(t, item->bound, more) : item->bound,
                         i && both.n ? both : more);
  }
  return item;
}

static tp_unresolved_expr *bound_if(tp_spec_scope *s, tp_unresolved_expr *item) {
  tp_unresolved_expr *a = item->kids[1], *b = item->kids[2];
  if (!tp_unresolved_is_condition(s, item->kids[0])) return NULL;
  if (a->is_formula || b->is_formula) {
    item->is_formula = true;
    return tp_unresolved_is_condition(s, a) && tp_unresolved_is_condition(s, b) ? item : NULL;
  }
  const tp_reltypes *t = &s->m->types;
  const tp_reltype left =
                       tp_unresolved_is_none(b) ? a->bound : tp_reltype_like(t, a->bound, b->bound),
                   right =
                       tp_unresolved_is_none(a) ? b->bound : tp_reltype_like(t, b->bound, a->bound);
  if (left.n == 0 && right.n == 0 && !(tp_unresolved_is_none(a) && tp_unresolved_is_none(b)))
    return tp_unresolved_wrong(s, item->pos, "the two cases have different arity");
  item->bound = tp_reltype_union(t, left, right);
  return item;
}

tp_unresolved_expr *tp_bounding_type(tp_spec_scope *s, tp_unresolved_expr *item) {
  TP_REQUIRE(s && item);
  const tp_reltype integer = tp_reltype_basic(&s->m->types, TP_INT_BASIC);
  const tp_spec_expr_kind k = item->kind;
  if (k == TP_SPEC_TRANSPOSE || k == TP_SPEC_CLOSURE || k == TP_SPEC_REFLEXIVE)
    return bound_unary(s, item);
  if (k == TP_SPEC_SET_OF) return bound_set(s, item);
  if (k == TP_SPEC_IF) return bound_if(s, item);
  if (k == TP_SPEC_PRIME) {
    item->bound = item->kids[0]->bound;
    item->is_formula = item->kids[0]->is_formula;
    return item;
  }
  if (k == TP_SPEC_NOT || k == TP_SPEC_AND || k == TP_SPEC_OR || k == TP_SPEC_IMPLIES ||
      k == TP_SPEC_IFF) {
    item->is_formula = true;
    return all_kids(s, item, tp_unresolved_is_condition) ? item : NULL;
  }
  if (k == TP_SPEC_SOME || k == TP_SPEC_NO || k == TP_SPEC_ONE || k == TP_SPEC_LONE ||
      k == TP_SPEC_SIZE) {
    item->is_formula = k != TP_SPEC_SIZE;
    if (k == TP_SPEC_SIZE) item->bound = integer;
    return all_kids(s, item, tp_unresolved_is_relation) ? item : NULL;
  }
  if (tp_is_comparison(k)) {
    item->is_formula = true;
    return are_comparable(s, item) ? item : NULL;
  }
  if (k == TP_SPEC_LESS || k == TP_SPEC_AT_MOST || k == TP_SPEC_GREATER || k == TP_SPEC_AT_LEAST) {
    item->is_formula = true;
    return all_kids(s, item, tp_unresolved_is_integral) ? item : NULL;
  }
  const bool is_number = k == TP_SPEC_SUM || k == TP_SPEC_NEGATIVE || k == TP_SPEC_TIMES ||
                         k == TP_SPEC_DIVIDED || k == TP_SPEC_REMAINDER || k == TP_SPEC_PLUS ||
                         k == TP_SPEC_MINUS || k == TP_SPEC_TO_INT || k == TP_SPEC_TO_SET;
  if (!is_number) return bound_binary(s, item);
  item->bound = integer;
  return all_kids(s, item, tp_unresolved_is_integral) ? item : NULL;
}
