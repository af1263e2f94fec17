/* Pass 2 of resolving: top-down, the part of each type that can matter for the context; a name
 * keeps the meanings that meet it, and must be left with one (Edwards, Jackson, Torlak 2004,
 * relevance types). */
#include "contracts/spec/resolve_priv.h"

static bool is_ambiguous(tp_spec_scope *s, const tp_unresolved_expr *item,
                         const tp_symbol *const *left, uint32_t n) {
  tp_str list = {0};
  for (uint32_t i = 0; i < n && i < 4; i++) {
    const tp_symbol *c = left[i];
    const char *owner =
        c->kind == TP_SYMBOL_FIELD || c->basic ? s->m->object_model->basics.at[c->basic].name : "";
    tp_str_printf(&list, "%s%s::%s", i ? ", " : "", owner, c->name);
  }
  tp_spec_scope_wrong(s, item->pos, "'%s' can mean several things here: write %s%s", item->x->name,
                      list.text, n > 4 ? ", ..." : "");
  tp_str_clear(&list);
  return false;
}

static bool relevance_of_name(tp_spec_scope *s, tp_unresolved_expr *item, tp_reltype wanted) {
  const tp_symbol *left[64];
  uint32_t n = 0, best = UINT32_MAX;
  for (uint32_t i = 0; i < item->n_candidates; i++) {
    if (tp_reltype_intersection(&s->m->types, item->candidates[i]->type, wanted).n == 0) continue;
    if (item->ranks[i] < best) n = 0, best = item->ranks[i];
    if (item->ranks[i] == best && n < 64) left[n++] = item->candidates[i];
  }
  const bool is_bound_here =
      n == 0 && item->n_candidates == 1 && item->candidates[0]->kind == TP_SYMBOL_VARIABLE;
  if (n == 1) item->symbol = left[0];
  // A variable of the clause itself means one thing only: it may contribute in one place of many.
  else if (is_bound_here)
    item->symbol = item->candidates[0];
  // elements of all kinds of arrays are one relation
  else if (n > 1 && left[0]->kind == TP_SYMBOL_ELEMENTS)
    return tp_spec_scope_wrong(
        s, item->pos,
        "this array may hold several kinds of elements: name the pointer that leads to it");
  else if (n > 1)
    return is_ambiguous(s, item, left, n);
  else
    return tp_spec_scope_wrong(
        s, item->pos,
        "'%s' (%s) never contributes anything here; leave it out, or name the "
        "member that is meant as STRUCT::%s",
        item->x->name, tp_spec_scope_type_text(s, item->bound), item->x->name);
  return true;
}

/* Kids that keep all of their type. */
static bool relevance_of_kids(tp_spec_scope *s, tp_unresolved_expr *item) {
  for (uint32_t i = 0; i < item->n_kids; i++)
    if (!tp_relevance_type(s, item->kids[i], item->kids[i]->bound)) return false;
  return true;
}

static bool relevance_of_pair(tp_spec_scope *s, tp_unresolved_expr *item, tp_reltype a,
                              tp_reltype b) {
  return tp_relevance_type(s, item->kids[0], a) && tp_relevance_type(s, item->kids[1], b);
}

static bool relevance_of_binary(tp_spec_scope *s, tp_unresolved_expr *item, tp_reltype wanted) {
  const tp_reltypes *t = &s->m->types;
  const tp_reltype a = item->kids[0]->bound, b = item->kids[1]->bound;
  tp_reltype of_a, of_b;
  switch ((int)item->kind) {
    case TP_SPEC_JOIN:
      tp_reltype_join_parts(t, a, b, wanted, &of_a, &of_b);
      return relevance_of_pair(s, item, of_a, of_b);
    case TP_SPEC_PRODUCT:
      tp_reltype_product_parts(t, a, b, wanted, &of_a, &of_b);
      return relevance_of_pair(s, item, of_a, of_b);
    case TP_SPEC_DOMAIN:
      return relevance_of_pair(s, item, tp_reltype_of_arity(t, a, 1),
                               tp_reltype_intersection(t, b, wanted));
    case TP_SPEC_RANGE:
      return relevance_of_pair(s, item, tp_reltype_intersection(t, a, wanted),
                               tp_reltype_of_arity(t, b, 1));
    case TP_SPEC_DIFFERENCE:
      return relevance_of_pair(s, item, tp_reltype_intersection(t, a, wanted),
                               tp_reltype_like(t, b, wanted));
    default:
      return relevance_of_pair(s, item, tp_reltype_intersection(t, a, wanted),
                               tp_reltype_intersection(t, b, wanted));
  }
}

static bool relevance_of_comparison(tp_spec_scope *s, tp_unresolved_expr *item) {
  const tp_reltype a = item->kids[0]->bound, b = item->kids[1]->bound,
                   both = tp_reltype_intersection(&s->m->types, a, b);
  return both.n ? relevance_of_pair(s, item, both, both) : relevance_of_pair(s, item, a, b);
}

static bool relevance_of_call(tp_spec_scope *s, tp_unresolved_expr *item) {
  TP_REQUIRE(item->symbol && item->n_kids <= item->symbol->n_params);
  for (uint32_t i = 0; i < item->n_kids; i++)
    if (!tp_relevance_type(s, item->kids[i],
                           tp_reltype_intersection(&s->m->types, item->kids[i]->bound,
                                                   item->symbol->params[i]->type)))
      return false;
  return true;
}

static bool takes_integers(tp_spec_expr_kind k) {
  return k == TP_SPEC_SUM || k == TP_SPEC_NEGATIVE || k == TP_SPEC_TIMES || k == TP_SPEC_DIVIDED ||
         k == TP_SPEC_REMAINDER || k == TP_SPEC_PLUS || k == TP_SPEC_MINUS || k == TP_SPEC_TO_INT ||
         k == TP_SPEC_TO_SET || k == TP_SPEC_LESS || k == TP_SPEC_AT_MOST || k == TP_SPEC_GREATER ||
         k == TP_SPEC_AT_LEAST || k == TP_SPEC_NOT || k == TP_SPEC_AND || k == TP_SPEC_OR ||
         k == TP_SPEC_IMPLIES || k == TP_SPEC_IFF || k == TP_SPEC_SUM_OVER ||
         (k >= TP_SPEC_ALL && k <= TP_SPEC_LONE_SUCH) || k == TP_SPEC_COMPREHENSION;
}

bool tp_relevance_type(tp_spec_scope *s, tp_unresolved_expr *item, tp_reltype wanted) {
  TP_REQUIRE(s && item);
  const tp_reltypes *t = &s->m->types;
  const tp_reltype integer = tp_reltype_basic(t, TP_INT_BASIC);
  const tp_spec_expr_kind k = item->kind;
  if (s->failed) return false;
  if (k == TP_SPEC_NAME) return relevance_of_name(s, item, wanted);
  if (item->n_kids == 0) return true;
  if (k == TP_SPEC_BOX) return relevance_of_call(s, item);
  if (k == TP_SPEC_PRIME || k == TP_SPEC_LET) return tp_relevance_type(s, item->kids[0], wanted);
  if (tp_is_comparison(k)) return relevance_of_comparison(s, item);
  if (takes_integers(k)) {  // conditions of C are integers, too
    for (uint32_t i = 0; i < item->n_kids; i++)
      if (!tp_relevance_type(s, item->kids[i],
                             item->kids[i]->is_formula ? TP_RELTYPE_EMPTY : integer))
        return false;
    return true;
  }
  if (k == TP_SPEC_IF) {
    if (!tp_relevance_type(s, item->kids[0],
                           item->kids[0]->is_formula ? TP_RELTYPE_EMPTY : integer))
      return false;
    for (uint32_t i = 1; i < 3; i++) {
      const tp_unresolved_expr *kid = item->kids[i];
      const tp_reltype part =
          kid->is_formula
              ? TP_RELTYPE_EMPTY
              : tp_reltype_intersection(t, kid->bound, item->is_formula ? integer : wanted);
      if (!tp_relevance_type(s, item->kids[i], part)) return false;
    }
    return true;
  }
  if (k == TP_SPEC_SET_OF) {
    for (uint32_t i = 0; i < item->n_kids; i++)
      if (!tp_relevance_type(s, item->kids[i],
                             tp_reltype_intersection(t, item->kids[i]->bound, wanted)))
        return false;
    return true;
  }
  if (k == TP_SPEC_TRANSPOSE)
    return tp_relevance_type(s, item->kids[0], tp_reltype_transpose(t, wanted));
  if (k == TP_SPEC_CLOSURE || k == TP_SPEC_REFLEXIVE) {
    // where only the reflexive part matters all steps do
    const tp_reltype part = tp_reltype_closure_part(
        t, tp_reltype_of_arity(t, item->kids[0]->bound, 2), tp_reltype_of_arity(t, wanted, 2));
    return tp_relevance_type(s, item->kids[0], part.n ? part : item->kids[0]->bound);
  }
  if (item->n_kids == 2) return relevance_of_binary(s, item, wanted);
  return relevance_of_kids(s, item);
}
