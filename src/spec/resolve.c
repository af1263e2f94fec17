/* Resolving a phrase, in three passes over it.
 *
 * 1. Upward: every name with all that it could mean here, every part with an upper bound of its type over all of these meanings. Members of
 *    several structs often share a name, so types are unions, even of different arity, until pass 2. What is empty under all meanings is an error.
 * 2. Downward: of each type the part that can matter for the part that is wanted; a name keeps the meanings whose type meets it. What is left must
 *    be one meaning: that of the inner scope, or else the only one.
 * 3. Upward again (spec/elaborate.c): the resolved phrase is made, with conversions between integers, sets of integers and conditions.
 *
 * Bounds of quantifiers and values of lets are resolved where they stand, before what they are used in. Brackets become joins, or calls; primes
 * go down to the names. Source: Edwards, Jackson, Torlak 2004, A type system for object models. */
#include "spec/resolve_priv.h"

#include <stdio.h>

// ---------------------------------------------------------------------- messages

bool tp_scope_wrong(tp_scope *s, tp_pos pos, const char *fmt, ...) {
  if (s->failed) return false;
  char text[480];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  s->failed = true;
  return tp_clauses_wrong(s->m->clauses, pos, "%s", text);
}

const char *tp_scope_type_text(const tp_scope *s, tp_reltype type) {
  tp_str text = {0};
  tp_universe_print(s->m->universe, type, &text);
  const char *own = tp_arena_strndup(&s->m->arena, text.text, text.n < 100 ? text.n : 100);
  tp_str_clear(&text);
  return own;
}

bool tp_no_formula(tp_scope *s, tp_pos pos, tp_reltype type) {
  return tp_scope_wrong(s, pos, "a formula is needed here, and this is %s; some, no, one, lone make a formula of a relation, and pointers are compared with null", tp_scope_type_text(s, type));
}

static tp_item *fail(tp_scope *s, tp_pos pos, const char *text) {
  tp_scope_wrong(s, pos, "%s", text);
  return NULL;
}

// ------------------------------------------------------------------- what names mean

typedef struct {
  const tp_symbol *symbol;
  uint32_t rank;               // of its scope: a lower one hides the others
} candidate;
typedef TP_VEC(candidate) candidate_list;

static uint32_t distance(const char *a, const char *b) {
  uint32_t row[41];
  const size_t n = strlen(a), m = strlen(b);
  if (n > 40 || m > 40) return 100;
  for (size_t k = 0; k <= m; k++) row[k] = (uint32_t)k;
  for (size_t i = 1; i <= n; i++) {
    uint32_t corner = row[0];
    row[0] = (uint32_t)i;
    for (size_t k = 1; k <= m; k++) {
      uint32_t best = corner + (a[i - 1] != b[k - 1]);
      corner = row[k];
      if (row[k] + 1 < best) best = row[k] + 1;
      if (row[k - 1] + 1 < best) best = row[k - 1] + 1;
      row[k] = best;
    }
  }
  return row[m];
}

/* The known name that is nearest; NULL: none is near. */
static const char *nearest(const tp_scope *s, const char *name) {
  const char *best = NULL;
  uint32_t least = strlen(name) < 4 ? 2 : 3;
  for (size_t i = 0; i < s->m->universe->symbols.n + s->n_params + s->bound.n; i++) {
    const size_t n = s->m->universe->symbols.n;
    const tp_symbol *c = i < n ? s->m->universe->symbols.at[i] : i < n + s->n_params ? s->params[i - n] : s->bound.at[i - n - s->n_params];
    const uint32_t d = c->name && c->name[0] != '\\' ? distance(name, c->name) : 100;
    if (d < least) best = c->name, least = d;
  }
  return best;
}

static void add_program_names(const tp_scope *s, const char *name, candidate_list *out) {
  const tp_universe *u = s->m->universe;
  for (size_t i = 0; i < u->symbols.n; i++)
    if (strcmp(u->symbols.at[i]->name, name) == 0) tp_vec_push(out, (candidate){u->symbols.at[i], u->symbols.at[i]->kind == TP_SYMBOL_FUNCTION ? 3 : 2});
  uint32_t basic;
  if (!tp_universe_struct(u, name, &basic)) return;
  for (size_t i = 0; i < u->symbols.n; i++)
    if (u->symbols.at[i]->kind == TP_SYMBOL_SET && u->symbols.at[i]->basic == basic && strcmp(u->symbols.at[i]->name, name) != 0)
      tp_vec_push(out, (candidate){u->symbols.at[i], 4});                  // a typedef name
}

static bool add_members(tp_scope *s, const tp_phrase *x, candidate_list *out) {
  const tp_universe *u = s->m->universe;
  uint32_t basic;
  if (!tp_universe_struct(u, x->owner, &basic)) return tp_scope_wrong(s, x->pos, "the program has no type '%s'", x->owner);
  for (size_t i = 0; i < u->symbols.n; i++) {
    const tp_symbol *c = u->symbols.at[i];
    const bool is_member = c->kind == TP_SYMBOL_FIELD || ((c->kind == TP_SYMBOL_MODEL || c->kind == TP_SYMBOL_GHOST) && c->basic);
    if (is_member && c->basic == basic && strcmp(c->name, x->name) == 0) tp_vec_push(out, (candidate){c, 2});
  }
  return out->n || tp_scope_wrong(s, x->pos, "%s has no member '%s'", u->basics.at[basic].name, x->name);
}

static bool find_candidates(tp_scope *s, const tp_phrase *x, candidate_list *out) {
  if (x->owner && *x->owner) return add_members(s, x, out);
  for (size_t i = s->bound.n; !x->owner && i-- > 0;)
    if (strcmp(s->bound.at[i]->name, x->name) == 0) {
      tp_vec_push(out, (candidate){s->bound.at[i], 0});
      break;
    }
  for (uint32_t i = s->n_params; i-- > 0;)
    if (s->params[i]->name && strcmp(s->params[i]->name, x->name) == 0) {
      tp_vec_push(out, (candidate){s->params[i], 1});
      break;
    }
  add_program_names(s, x->name, out);
  if (out->n) return true;
  if (strcmp(x->name, "\\content") == 0) return tp_scope_wrong(s, x->pos, "\\content stands at the end of what modifies names, and nowhere else");
  const char *near = nearest(s, x->name);
  if (near) return tp_scope_wrong(s, x->pos, "nothing is called '%s' here; did you mean '%s'?", x->name, near);
  return tp_scope_wrong(s, x->pos, "nothing is called '%s' here: no variable, parameter, global, member or named formula (macros are not expanded in contracts, and the model has no enumerators)", x->name);
}

// ------------------------------------------------------------------------- items

static tp_item *new_item(tp_scope *s, tp_phrase_kind kind, const tp_phrase *x, uint32_t n_kids) {
  tp_item *item = tp_arena_new(&s->m->arena, tp_item);
  *item = (tp_item){.kind = kind, .x = x, .pos = x->pos, .is_primed = s->is_primed, .n_kids = n_kids};
  item->kids = tp_arena_array(&s->m->arena, tp_item *, n_kids ? n_kids : 1);
  return item;
}

static tp_item *open_symbol(tp_scope *s, const tp_phrase *x, const tp_symbol *symbol) {
  tp_item *item = new_item(s, x->kind, x, 0);
  item->symbol = symbol;
  item->bound = symbol->type;
  return item;
}

/* Types of what contracts declare are known before they are used; names whose types cannot be said are no candidates, but the reason is kept. */
static bool keep_usable(tp_scope *s, const tp_phrase *x, candidate_list *list) {
  const tp_symbol *refused = NULL;
  size_t kept = 0;
  for (size_t i = 0; i < list->n; i++) {
    const tp_symbol *c = list->at[i].symbol;
    if (c->clause && !tp_symbol_type(s, x->pos, (tp_symbol *)(uintptr_t)c)) return false;
    if (c->refused) refused = c;
    else list->at[kept++] = list->at[i];
  }
  list->n = kept;
  if (kept) return true;
  return tp_scope_wrong(s, x->pos, "'%s' cannot be used in a contract: %s", x->name, refused ? refused->refused : "it has no type");
}

static bool is_named(const tp_symbol *c) { return c->kind == TP_SYMBOL_PRED || c->kind == TP_SYMBOL_FUN; }

static tp_item *open_call(tp_scope *s, const tp_phrase *x, const tp_phrase *name, const tp_symbol *callee);

/* The named formula or relation that a name calls; NULL: it means something else. */
static const tp_symbol *callee_of(const candidate_list *list) {
  for (size_t i = 0; i < list->n; i++)
    if (list->at[i].rank < 2) return NULL;
  for (size_t i = 0; i < list->n; i++)
    if (is_named(list->at[i].symbol)) return list->at[i].symbol;
  return NULL;
}

static tp_item *open_name(tp_scope *s, const tp_phrase *x) {
  candidate_list list = {0};
  tp_item *item = NULL;
  if (find_candidates(s, x, &list) && keep_usable(s, x, &list)) {
    const tp_symbol *callee = callee_of(&list);
    if (callee) {
      item = open_call(s, x, x, callee);
    } else {
      item = new_item(s, TP_PHRASE_NAME, x, 0);
      item->candidates = tp_arena_array(&s->m->arena, const tp_symbol *, list.n);
      item->ranks = tp_arena_array(&s->m->arena, uint32_t, list.n);
      for (size_t i = 0; i < list.n; i++) {
        item->candidates[i] = list.at[i].symbol;
        item->ranks[i] = list.at[i].rank;
        item->bound = tp_reltype_union(&s->m->types, item->bound, list.at[i].symbol->type);
      }
      item->n_candidates = (uint32_t)list.n;
    }
  }
  tp_vec_clear(&list);
  return item;
}

static tp_item *open_atom(tp_scope *s, const tp_phrase *x) {
  const tp_universe *u = s->m->universe;
  const tp_reltypes *t = &s->m->types;
  if (x->kind == TP_PHRASE_NAME) return open_name(s, x);
  if (x->kind == TP_PHRASE_ALLOC) return open_symbol(s, x, u->alloc);
  if (x->kind == TP_PHRASE_THIS) return s->this_symbol ? open_symbol(s, x, s->this_symbol) : fail(s, x->pos, "'this' means something inside of a struct only");
  if (x->kind == TP_PHRASE_RESULT) {
    if (!s->result) tp_scope_wrong(s, x->pos, "there is no \\result in %s", s->where);
    else if (s->result->refused) tp_scope_wrong(s, x->pos, "\\result cannot be used: %s", s->result->refused);
    return s->failed ? NULL : open_symbol(s, x, s->result);
  }
  if (x->kind == TP_PHRASE_TYPE) {
    uint32_t basic;
    if (!tp_universe_struct(u, x->name, &basic)) {
      tp_scope_wrong(s, x->pos, "the program has no %s, or uses nothing of it", x->name);
      return NULL;
    }
    for (size_t i = 0; i < u->symbols.n; i++)
      if (u->symbols.at[i]->kind == TP_SYMBOL_SET && u->symbols.at[i]->basic == basic) return open_symbol(s, x, u->symbols.at[i]);
  }
  tp_item *item = new_item(s, x->kind, x, 0);
  if (x->kind == TP_PHRASE_NULL) item->bound = tp_reltype_basic(t, TP_NULL_BASIC);
  else if (x->kind == TP_PHRASE_UNIV) item->bound = tp_reltype_all(t);
  else if (x->kind == TP_PHRASE_IDEN) item->bound = tp_reltype_iden(t);
  else if (x->kind == TP_PHRASE_INTS || x->kind == TP_PHRASE_NUMBER) item->bound = tp_reltype_basic(t, TP_INT_BASIC);
  else if (x->kind == TP_PHRASE_OBJECTS) item->bound = u->alloc->type;
  else if (x->kind == TP_PHRASE_TRUE || x->kind == TP_PHRASE_FALSE) item->is_formula = true;
  return item;                                             // NONE: no type at all
}

// --------------------------------------------------------------------- operators

static bool is_none(const tp_item *item) { return item->kind == TP_PHRASE_NONE; }

/* A relation: no formula, and not always empty. */
static bool is_relation(tp_scope *s, const tp_item *item) {
  if (item->is_formula) return tp_scope_wrong(s, item->pos, "a relation or an integer is needed here, and this is a formula");
  return true;
}

static tp_item *always_empty(tp_scope *s, const tp_item *item, const char *why) {
  const tp_item *a = item->kids[0], *b = item->kids[1];
  tp_scope_wrong(s, item->pos, "this is always empty: %s (left: %s; right: %s)%s", why, tp_scope_type_text(s, a->bound), tp_scope_type_text(s, b->bound),
                 item->kind == TP_PHRASE_JOIN && a->kind == TP_PHRASE_NULL ? "; nothing leads on from null" : "");
  return NULL;
}

static bool has_arity(const tp_item *item, uint32_t arity) {
  for (uint32_t i = 0; i < item->bound.n; i++)
    if (item->bound.at[i].arity == arity) return true;
  return false;
}

static tp_item *wrong_arity(tp_scope *s, const tp_item *item) {
  const tp_item *a = item->kids[0], *b = item->kids[1];
  const char *what = item->kind == TP_PHRASE_UNION ? "united" : item->kind == TP_PHRASE_DIFFERENCE ? "subtracted" : item->kind == TP_PHRASE_OVERRIDE ? "overridden" : "compared";
  tp_scope_wrong(s, item->pos, "relations of different arity cannot be %s (left: %s; right: %s)", what, tp_scope_type_text(s, a->bound), tp_scope_type_text(s, b->bound));
  return NULL;
}

/* What two sets share; null alone is nothing that sets of objects are meant to share. */
static tp_reltype shared(const tp_scope *s, tp_reltype a, tp_reltype b) {
  const tp_reltypes *t = &s->m->types;
  const tp_reltype both = tp_reltype_intersection(t, a, b);
  const bool is_null = tp_reltype_is_only(t, both, TP_NULL_BASIC) && !tp_reltype_is_only(t, a, TP_NULL_BASIC) && !tp_reltype_is_only(t, b, TP_NULL_BASIC);
  return is_null ? TP_RELTYPE_EMPTY : both;
}

/* Behind a dot a name means a member rather than a variable or a parameter, if that can be. */
static void prefer_members(tp_scope *s, const tp_item *a, tp_item *b) {
  const tp_reltypes *t = &s->m->types;
  tp_item *name = b->kind == TP_PHRASE_PRIME ? b->kids[0] : b;
  if (name->kind != TP_PHRASE_NAME) return;
  tp_reltype members = TP_RELTYPE_EMPTY;
  for (uint32_t i = 0; i < name->n_candidates; i++)
    if (name->ranks[i] >= 2) members = tp_reltype_union(t, members, name->candidates[i]->type);
  if (tp_reltype_join(t, a->bound, members).n == 0) return;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < name->n_candidates; i++) {
    if (name->ranks[i] < 2) continue;
    name->candidates[kept] = name->candidates[i];
    name->ranks[kept++] = name->ranks[i];
  }
  name->n_candidates = kept;
  name->bound = b->bound = members;
}

static bool is_comparison(tp_phrase_kind k) { return k == TP_PHRASE_IN || k == TP_PHRASE_NOT_IN || k == TP_PHRASE_EQUAL || k == TP_PHRASE_UNEQUAL; }

/* The type of a operator b, and what is wrong with it; bounds of a and b lose what no meaning of the other fits. */
static tp_item *bound_binary(tp_scope *s, tp_item *item) {
  const tp_reltypes *t = &s->m->types;
  tp_item *a = item->kids[0], *b = item->kids[1];
  if (!is_relation(s, a) || !is_relation(s, b)) return NULL;
  const bool trivial = is_none(a) || is_none(b);
  switch ((int)item->kind) {
    case TP_PHRASE_JOIN:
      prefer_members(s, a, b);
      item->bound = tp_reltype_join(t, a->bound, b->bound);
      if (item->bound.n) return item;
      if (!trivial && tp_reltype_arity(a->bound) == 1 && tp_reltype_arity(b->bound) == 1) {
        tp_scope_wrong(s, item->pos, "two sets cannot be joined: one side of '.' must be a member or another relation (left: %s; right: %s)", tp_scope_type_text(s, a->bound), tp_scope_type_text(s, b->bound));
        return NULL;
      }
      return trivial ? item : always_empty(s, item, "nothing that ends on the left begins on the right");
    case TP_PHRASE_PRODUCT:
      item->bound = tp_reltype_product(t, a->bound, b->bound);
      if (item->bound.n || trivial) return item;
      return fail(s, item->pos, "relations have at most 8 columns");
    case TP_PHRASE_INTERSECTION:
      item->bound = shared(s, a->bound, b->bound);
      return item->bound.n || trivial ? item : always_empty(s, item, "the sides have nothing in common");
    case TP_PHRASE_DOMAIN:
    case TP_PHRASE_RANGE: {
      const bool is_domain = item->kind == TP_PHRASE_DOMAIN;
      if (!trivial && !has_arity(is_domain ? a : b, 1)) return fail(s, item->pos, is_domain ? "left of '<:' stands a set" : "right of ':>' stands a set");
      item->bound = is_domain ? tp_reltype_domain(t, a->bound, b->bound) : tp_reltype_range(t, a->bound, b->bound);
      return item->bound.n || trivial ? item : always_empty(s, item, "no tuple fits the set");
    }
    case TP_PHRASE_UNION:
    case TP_PHRASE_DIFFERENCE:
    case TP_PHRASE_OVERRIDE: {
      const tp_reltype left = is_none(b) ? a->bound : tp_reltype_like(t, a->bound, b->bound), right = is_none(a) ? b->bound : tp_reltype_like(t, b->bound, a->bound);
      if (!trivial && left.n == 0) return wrong_arity(s, item);
      item->bound = item->kind == TP_PHRASE_DIFFERENCE ? left : tp_reltype_union(t, left, right);
      return item;
    }
    default: break;
  }
  return item;
}

static bool are_comparable(tp_scope *s, tp_item *item) {
  const tp_reltypes *t = &s->m->types;
  const tp_item *a = item->kids[0], *b = item->kids[1];
  if (a->is_formula || b->is_formula)
    return tp_scope_wrong(s, item->pos, a->is_formula && b->is_formula ? "formulas are compared with <=>" : "a formula cannot be compared with a relation or an integer; write <=>, or (if F then 1 else 0)");
  if (is_none(a) || is_none(b) || shared(s, a->bound, b->bound).n) return true;
  if (tp_reltype_like(t, a->bound, b->bound).n == 0) return wrong_arity(s, item) != NULL;
  return tp_scope_wrong(s, item->pos, "the sides can never have anything in common (left: %s; right: %s)", tp_scope_type_text(s, a->bound), tp_scope_type_text(s, b->bound));
}

static bool is_integral(tp_scope *s, const tp_item *item) {
  const tp_reltype integer = tp_reltype_basic(&s->m->types, TP_INT_BASIC);
  if (item->is_formula) return tp_scope_wrong(s, item->pos, "an integer is needed here, and this is a formula");
  return tp_reltype_intersection(&s->m->types, item->bound, integer).n || tp_scope_wrong(s, item->pos, "an integer is needed here, and this is %s", tp_scope_type_text(s, item->bound));
}

static bool is_condition(tp_scope *s, const tp_item *item) {
  const tp_reltype integer = tp_reltype_basic(&s->m->types, TP_INT_BASIC);
  if (item->is_formula || tp_reltype_intersection(&s->m->types, item->bound, integer).n) return true;
  return tp_no_formula(s, item->pos, item->bound);
}

static bool all_kids(tp_scope *s, const tp_item *item, bool (*fits)(tp_scope *, const tp_item *)) {
  for (uint32_t i = 0; i < item->n_kids; i++)
    if (!fits(s, item->kids[i])) return false;
  return true;
}

static tp_item *bound_unary(tp_scope *s, tp_item *item) {
  const tp_reltypes *t = &s->m->types;
  const tp_item *a = item->kids[0];
  if (!is_relation(s, a)) return NULL;
  if (!is_none(a) && !has_arity(a, 2)) {
    tp_scope_wrong(s, item->pos, "'%s' takes a relation of two columns, and this is %s", tp_phrase_text(item->kind), tp_scope_type_text(s, a->bound));
    return NULL;
  }
  const tp_reltype pairs = tp_reltype_of_arity(t, a->bound, 2);
  if (item->kind == TP_PHRASE_TRANSPOSE) item->bound = tp_reltype_transpose(t, pairs);
  else item->bound = tp_reltype_closure(t, pairs);
  if (item->kind == TP_PHRASE_REFLEXIVE) item->bound = tp_reltype_union(t, item->bound, tp_reltype_iden(t));
  return item;
}

static tp_item *bound_set(tp_scope *s, tp_item *item) {
  const tp_reltypes *t = &s->m->types;
  for (uint32_t i = 0; i < item->n_kids; i++) {
    if (!is_relation(s, item->kids[i])) return NULL;
    const tp_reltype more = item->kids[i]->bound, both = tp_reltype_like(t, more, item->bound);
    if (i > 0 && more.n && item->bound.n && both.n == 0) return fail(s, item->kids[i]->pos, "the members of a set have one arity");
    item->bound = tp_reltype_union(t, i && both.n ? tp_reltype_like(t, item->bound, more) : item->bound, i && both.n ? both : more);
  }
  return item;
}

static tp_item *bound_if(tp_scope *s, tp_item *item) {
  tp_item *a = item->kids[1], *b = item->kids[2];
  if (!is_condition(s, item->kids[0])) return NULL;
  if (a->is_formula || b->is_formula) {
    item->is_formula = true;
    return is_condition(s, a) && is_condition(s, b) ? item : NULL;
  }
  const tp_reltypes *t = &s->m->types;
  const tp_reltype left = is_none(b) ? a->bound : tp_reltype_like(t, a->bound, b->bound), right = is_none(a) ? b->bound : tp_reltype_like(t, b->bound, a->bound);
  if (left.n == 0 && right.n == 0 && !(is_none(a) && is_none(b))) return fail(s, item->pos, "the two cases have different arity");
  item->bound = tp_reltype_union(t, left, right);
  return item;
}

static tp_item *bound_of(tp_scope *s, tp_item *item) {
  const tp_reltype integer = tp_reltype_basic(&s->m->types, TP_INT_BASIC);
  const tp_phrase_kind k = item->kind;
  if (k == TP_PHRASE_TRANSPOSE || k == TP_PHRASE_CLOSURE || k == TP_PHRASE_REFLEXIVE) return bound_unary(s, item);
  if (k == TP_PHRASE_SET_OF) return bound_set(s, item);
  if (k == TP_PHRASE_IF) return bound_if(s, item);
  if (k == TP_PHRASE_PRIME) {
    item->bound = item->kids[0]->bound;
    item->is_formula = item->kids[0]->is_formula;
    return item;
  }
  if (k == TP_PHRASE_NOT || k == TP_PHRASE_AND || k == TP_PHRASE_OR || k == TP_PHRASE_IMPLIES || k == TP_PHRASE_IFF) {
    item->is_formula = true;
    return all_kids(s, item, is_condition) ? item : NULL;
  }
  if (k == TP_PHRASE_SOME || k == TP_PHRASE_NO || k == TP_PHRASE_ONE || k == TP_PHRASE_LONE || k == TP_PHRASE_SIZE) {
    item->is_formula = k != TP_PHRASE_SIZE;
    if (k == TP_PHRASE_SIZE) item->bound = integer;
    return all_kids(s, item, is_relation) ? item : NULL;
  }
  if (is_comparison(k)) {
    item->is_formula = true;
    return are_comparable(s, item) ? item : NULL;
  }
  if (k == TP_PHRASE_LESS || k == TP_PHRASE_AT_MOST || k == TP_PHRASE_GREATER || k == TP_PHRASE_AT_LEAST) {
    item->is_formula = true;
    return all_kids(s, item, is_integral) ? item : NULL;
  }
  const bool is_number = k == TP_PHRASE_SUM || k == TP_PHRASE_NEGATIVE || k == TP_PHRASE_TIMES || k == TP_PHRASE_DIVIDED || k == TP_PHRASE_REMAINDER ||
                         k == TP_PHRASE_PLUS || k == TP_PHRASE_MINUS || k == TP_PHRASE_TO_INT || k == TP_PHRASE_TO_SET;
  if (!is_number) return bound_binary(s, item);
  item->bound = integer;
  return all_kids(s, item, is_integral) ? item : NULL;
}

// ----------------------------------------------------------------------- binders

/* The variable of a declaration, in scope from here on. */
static bool bind(tp_scope *s, tp_phrase_decl *d, const tp_resolved *from, bool is_single) {
  tp_symbol *v = tp_arena_new(&s->m->arena, tp_symbol);
  *v = (tp_symbol){.kind = TP_SYMBOL_VARIABLE, .name = d->name, .type = from->type, .is_function = is_single || from->is_function, .sort = from->sort};
  d->bound = from->phrase;
  d->symbol = v;
  tp_vec_push(&s->bound, v);
  return true;
}

/* One that a quantifier ranges over: a set, its members one by one. */
static bool open_decl(tp_scope *s, const tp_phrase_decl *d, tp_resolved *out) {
  if (d->many != TP_MANY_UNSAID && d->many != TP_MANY_ONE)
    return tp_scope_wrong(s, d->pos, "variables stand for single objects, not for sets (%s%s)", tp_many_text(d->many), d->name);
  if (!tp_resolve_relation(s, d->bound, out)) return false;
  if (out->type.n == 0) return tp_scope_wrong(s, d->bound->pos, "there is nothing that '%s' could be", d->name);
  if (tp_reltype_arity(out->type) != 1) return tp_scope_wrong(s, d->bound->pos, "'%s' must be from a set, and this is %s", d->name, tp_scope_type_text(s, out->type));
  return true;
}

static bool open_decls(tp_scope *s, tp_item *item) {
  const tp_phrase *x = item->x;
  tp_phrase_decl *decls = tp_arena_array(&s->m->arena, tp_phrase_decl, x->n_decls);
  tp_resolved from = {0};
  for (uint32_t i = 0; i < x->n_decls; i++) {
    decls[i] = x->decls[i];
    const bool is_let = x->kind == TP_PHRASE_LET;
    const bool again = i > 0 && x->decls[i].bound == x->decls[i - 1].bound;
    if (!again && is_let && (!tp_resolve(s, x->decls[i].bound, &from) || (from.sort == TP_SORT_FORMULA && !tp_scope_wrong(s, x->decls[i].bound->pos, "let names relations and integers; pred names formulas")))) return false;
    if (!again && !is_let && !open_decl(s, &x->decls[i], &from)) return false;
    decls[i].many = TP_MANY_UNSAID;
    // members of a group are declared together: none is in scope in the bound of the next, which is the same phrase
    bind(s, &decls[i], &from, !is_let);
  }
  item->decls = decls;
  item->n_decls = x->n_decls;
  return true;
}

static tp_item *open(tp_scope *s, const tp_phrase *x);

static tp_item *open_binder(tp_scope *s, const tp_phrase *x) {
  tp_item *item = new_item(s, x->kind, x, 1);
  const size_t outer = s->bound.n;
  tp_item *body = open_decls(s, item) ? open(s, x->kids[0]) : NULL;
  s->bound.n = outer;
  if (!body) return NULL;
  item->kids[0] = body;
  const tp_reltypes *t = &s->m->types;
  if (x->kind == TP_PHRASE_LET) {
    item->bound = body->bound;
    item->is_formula = body->is_formula;
    return item;
  }
  if (x->kind == TP_PHRASE_SUM_OVER) {
    item->bound = tp_reltype_basic(t, TP_INT_BASIC);
    return is_integral(s, body) ? item : NULL;
  }
  if (!is_condition(s, body)) return NULL;
  item->is_formula = x->kind != TP_PHRASE_COMPREHENSION;
  for (uint32_t i = 0; i < item->n_decls && !item->is_formula; i++)
    item->bound = i ? tp_reltype_product(t, item->bound, item->decls[i].symbol->type) : item->decls[i].symbol->type;
  if (!item->is_formula && item->n_decls > TP_RELTYPE_MAX_ARITY) return fail(s, x->pos, "relations have at most 8 columns");
  return item;
}

// ------------------------------------------------------------------ brackets, primes

static tp_item *open_call(tp_scope *s, const tp_phrase *x, const tp_phrase *name, const tp_symbol *callee) {
  const uint32_t n = x->kind == TP_PHRASE_BOX ? x->n_kids - 1 : 0;
  if (!tp_symbol_body(s, x->pos, (tp_symbol *)(uintptr_t)callee)) return NULL;
  if (n != callee->n_params) {
    tp_scope_wrong(s, name->pos, "'%s' takes %u, not %u, in brackets", callee->name, callee->n_params, n);
    return NULL;
  }
  if (callee->reads_after && (!s->after_allowed || s->is_primed)) {
    tp_scope_wrong(s, name->pos, s->is_primed ? "'%s' speaks of two states itself, so there is no ' for it" : "'%s' speaks of the state after, and there is none in %s", callee->name, s->where);
    return NULL;
  }
  tp_item *item = new_item(s, TP_PHRASE_BOX, x, n);
  item->symbol = callee;
  item->is_formula = callee->kind == TP_SYMBOL_PRED;
  item->bound = callee->type;
  for (uint32_t i = 0; i < n; i++) {
    tp_item *kid = item->kids[i] = open(s, x->kids[i + 1]);
    if (!kid || !is_relation(s, kid)) return NULL;
    if (is_none(kid) || tp_reltype_intersection(&s->m->types, kid->bound, callee->params[i]->type).n) continue;
    tp_scope_wrong(s, kid->pos, "'%s' of '%s' is %s, and this is %s", callee->params[i]->name, callee->name, tp_scope_type_text(s, callee->params[i]->type), tp_scope_type_text(s, kid->bound));
    return NULL;
  }
  return item;
}

static tp_item *join(tp_scope *s, const tp_phrase *x, tp_item *a, tp_item *b) {
  tp_item *item = new_item(s, TP_PHRASE_JOIN, x, 2);
  item->kids[0] = a;
  item->kids[1] = b;
  return bound_binary(s, item);
}

/* What arrays hold that pointers lead to. */
static tp_item *elements(tp_scope *s, const tp_phrase *x) {
  tp_phrase *name = tp_arena_new(&s->m->arena, tp_phrase);
  *name = (tp_phrase){.kind = TP_PHRASE_NAME, .pos = x->pos, .name = "\\elements", .depth = 1};
  return open_name(s, name);
}

/* a[i] is i.a; where a is a pointer to an array, i.(a.\elements). */
static tp_item *open_box(tp_scope *s, const tp_phrase *x) {
  const tp_phrase *head = x->kids[0];
  if (head->kind == TP_PHRASE_NAME && !head->owner) {
    candidate_list list = {0};
    bool found = find_candidates(s, head, &list);
    const tp_symbol *callee = found ? callee_of(&list) : NULL;
    tp_vec_clear(&list);
    if (!found) return NULL;
    if (callee) return tp_symbol_type(s, head->pos, (tp_symbol *)(uintptr_t)callee) ? open_call(s, x, head, callee) : NULL;
  }
  tp_item *a = open(s, head);
  for (uint32_t i = 1; a && i < x->n_kids; i++) {
    tp_item *index = open(s, x->kids[i]);
    if (!index || !is_relation(s, a)) return NULL;
    if (tp_reltype_arity(a->bound) == 1) {
      tp_item *content = elements(s, x);
      if (content && tp_reltype_join(&s->m->types, a->bound, content->bound).n == 0) {
        tp_scope_wrong(s, x->pos, "this is %s, and neither an array nor a pointer to one, so nothing can stand in brackets behind it", tp_scope_type_text(s, a->bound));
        return NULL;
      }
      a = content ? join(s, x, a, content) : NULL;
    }
    a = a ? join(s, x, index, a) : NULL;
  }
  return a;
}

static tp_item *open_prime(tp_scope *s, const tp_phrase *x) {
  if (!s->after_allowed) {
    tp_scope_wrong(s, x->pos, "there is no state after in %s, so ' means nothing here", s->where);
    return NULL;
  }
  if (s->is_primed) return fail(s, x->pos, "one ' is enough: this is in the state after already");
  tp_item *item = new_item(s, TP_PHRASE_PRIME, x, 1);
  s->is_primed = true;
  item->kids[0] = open(s, x->kids[0]);
  s->is_primed = false;
  return item->kids[0] ? bound_of(s, item) : NULL;
}

static tp_item *open(tp_scope *s, const tp_phrase *x) {
  if (s->failed) return NULL;
  if (x->kind == TP_PHRASE_BOX) return open_box(s, x);
  if (x->kind == TP_PHRASE_PRIME) return open_prime(s, x);
  if (x->n_decls) return open_binder(s, x);
  if (tp_phrase_form_of(x->kind) == TP_FORM_ATOM) return open_atom(s, x);
  if (x->many != TP_MANY_UNSAID) return fail(s, x->pos, "how many (one, lone, some, set) can be said in declarations only");
  tp_item *item = new_item(s, x->kind, x, x->n_kids);
  for (uint32_t i = 0; i < x->n_kids; i++)
    if (!(item->kids[i] = open(s, x->kids[i]))) return NULL;
  return bound_of(s, item);
}

// ------------------------------------------------------------------------ downward

static bool settle(tp_scope *s, tp_item *item, tp_reltype wanted);

static bool is_ambiguous(tp_scope *s, const tp_item *item, const tp_symbol *const *left, uint32_t n) {
  tp_str list = {0};
  for (uint32_t i = 0; i < n && i < 4; i++) {
    const tp_symbol *c = left[i];
    const char *owner = c->kind == TP_SYMBOL_FIELD || c->basic ? s->m->universe->basics.at[c->basic].name : "";
    tp_str_printf(&list, "%s%s::%s", i ? ", " : "", owner, c->name);
  }
  tp_scope_wrong(s, item->pos, "'%s' can mean several things here: write %s%s", item->x->name, list.text, n > 4 ? ", ..." : "");
  tp_str_clear(&list);
  return false;
}

static bool settle_name(tp_scope *s, tp_item *item, tp_reltype wanted) {
  const tp_symbol *left[64];
  uint32_t n = 0, best = UINT32_MAX;
  for (uint32_t i = 0; i < item->n_candidates; i++) {
    if (tp_reltype_intersection(&s->m->types, item->candidates[i]->type, wanted).n == 0) continue;
    if (item->ranks[i] < best) n = 0, best = item->ranks[i];
    if (item->ranks[i] == best && n < 64) left[n++] = item->candidates[i];
  }
  if (n == 1) item->symbol = left[0];
  // elements of all kinds of arrays are one relation
  else if (n > 1 && left[0]->kind == TP_SYMBOL_ELEMENTS) return tp_scope_wrong(s, item->pos, "this array may hold several kinds of elements: name the pointer that leads to it");
  else if (n > 1) return is_ambiguous(s, item, left, n);
  else return tp_scope_wrong(s, item->pos, "'%s' (%s) never contributes anything here; leave it out, or name the member that is meant as STRUCT::%s", item->x->name, tp_scope_type_text(s, item->bound), item->x->name);
  return true;
}

/* Kids that keep all of their type. */
static bool settle_kids(tp_scope *s, tp_item *item) {
  for (uint32_t i = 0; i < item->n_kids; i++)
    if (!settle(s, item->kids[i], item->kids[i]->bound)) return false;
  return true;
}

static bool settle_pair(tp_scope *s, tp_item *item, tp_reltype a, tp_reltype b) { return settle(s, item->kids[0], a) && settle(s, item->kids[1], b); }

static bool settle_binary(tp_scope *s, tp_item *item, tp_reltype wanted) {
  const tp_reltypes *t = &s->m->types;
  const tp_reltype a = item->kids[0]->bound, b = item->kids[1]->bound;
  tp_reltype of_a, of_b;
  switch ((int)item->kind) {
    case TP_PHRASE_JOIN: tp_reltype_join_parts(t, a, b, wanted, &of_a, &of_b); return settle_pair(s, item, of_a, of_b);
    case TP_PHRASE_PRODUCT: tp_reltype_product_parts(t, a, b, wanted, &of_a, &of_b); return settle_pair(s, item, of_a, of_b);
    case TP_PHRASE_DOMAIN: return settle_pair(s, item, tp_reltype_of_arity(t, a, 1), tp_reltype_intersection(t, b, wanted));
    case TP_PHRASE_RANGE: return settle_pair(s, item, tp_reltype_intersection(t, a, wanted), tp_reltype_of_arity(t, b, 1));
    case TP_PHRASE_DIFFERENCE: return settle_pair(s, item, tp_reltype_intersection(t, a, wanted), tp_reltype_like(t, b, wanted));
    default: return settle_pair(s, item, tp_reltype_intersection(t, a, wanted), tp_reltype_intersection(t, b, wanted));
  }
}

static bool settle_comparison(tp_scope *s, tp_item *item) {
  const tp_reltype a = item->kids[0]->bound, b = item->kids[1]->bound, both = tp_reltype_intersection(&s->m->types, a, b);
  return both.n ? settle_pair(s, item, both, both) : settle_pair(s, item, a, b);
}

static bool settle_call(tp_scope *s, tp_item *item) {
  for (uint32_t i = 0; i < item->n_kids; i++)
    if (!settle(s, item->kids[i], tp_reltype_intersection(&s->m->types, item->kids[i]->bound, item->symbol->params[i]->type))) return false;
  return true;
}

static bool takes_integers(tp_phrase_kind k) {
  return k == TP_PHRASE_SUM || k == TP_PHRASE_NEGATIVE || k == TP_PHRASE_TIMES || k == TP_PHRASE_DIVIDED || k == TP_PHRASE_REMAINDER || k == TP_PHRASE_PLUS ||
         k == TP_PHRASE_MINUS || k == TP_PHRASE_TO_INT || k == TP_PHRASE_TO_SET || k == TP_PHRASE_LESS || k == TP_PHRASE_AT_MOST || k == TP_PHRASE_GREATER ||
         k == TP_PHRASE_AT_LEAST || k == TP_PHRASE_NOT || k == TP_PHRASE_AND || k == TP_PHRASE_OR || k == TP_PHRASE_IMPLIES || k == TP_PHRASE_IFF ||
         k == TP_PHRASE_SUM_OVER || (k >= TP_PHRASE_ALL && k <= TP_PHRASE_LONE_SUCH) || k == TP_PHRASE_COMPREHENSION;
}

static bool settle(tp_scope *s, tp_item *item, tp_reltype wanted) {
  const tp_reltypes *t = &s->m->types;
  const tp_reltype integer = tp_reltype_basic(t, TP_INT_BASIC);
  const tp_phrase_kind k = item->kind;
  if (s->failed) return false;
  if (k == TP_PHRASE_NAME) return settle_name(s, item, wanted);
  if (item->n_kids == 0) return true;
  if (k == TP_PHRASE_BOX) return settle_call(s, item);
  if (k == TP_PHRASE_PRIME || k == TP_PHRASE_LET) return settle(s, item->kids[0], wanted);
  if (is_comparison(k)) return settle_comparison(s, item);
  if (takes_integers(k)) {                                 // conditions of C are integers, too
    for (uint32_t i = 0; i < item->n_kids; i++)
      if (!settle(s, item->kids[i], item->kids[i]->is_formula ? TP_RELTYPE_EMPTY : integer)) return false;
    return true;
  }
  if (k == TP_PHRASE_IF) {
    if (!settle(s, item->kids[0], item->kids[0]->is_formula ? TP_RELTYPE_EMPTY : integer)) return false;
    for (uint32_t i = 1; i < 3; i++) {
      const tp_item *kid = item->kids[i];
      const tp_reltype part = kid->is_formula ? TP_RELTYPE_EMPTY : tp_reltype_intersection(t, kid->bound, item->is_formula ? integer : wanted);
      if (!settle(s, item->kids[i], part)) return false;
    }
    return true;
  }
  if (k == TP_PHRASE_SET_OF) {
    for (uint32_t i = 0; i < item->n_kids; i++)
      if (!settle(s, item->kids[i], tp_reltype_intersection(t, item->kids[i]->bound, wanted))) return false;
    return true;
  }
  if (k == TP_PHRASE_TRANSPOSE) return settle(s, item->kids[0], tp_reltype_transpose(t, wanted));
  if (k == TP_PHRASE_CLOSURE || k == TP_PHRASE_REFLEXIVE) {
    // where only the reflexive part matters all steps do
    const tp_reltype part = tp_reltype_closure_part(t, tp_reltype_of_arity(t, item->kids[0]->bound, 2), tp_reltype_of_arity(t, wanted, 2));
    return settle(s, item->kids[0], part.n ? part : item->kids[0]->bound);
  }
  if (item->n_kids == 2) return settle_binary(s, item, wanted);
  return settle_kids(s, item);
}

// --------------------------------------------------------------------------- all

bool tp_resolve(tp_scope *s, const tp_phrase *x, tp_resolved *out) {
  tp_item *item = open(s, x);
  if (!item || !settle(s, item, item->bound)) return false;
  return tp_elaborate(s, item, out);
}
