/* Resolving an expression, in three passes over it.
 *
 * 1. Upward (here and in contracts/spec/bounding_types.c): every name with all that it could mean,
 *    every part with an upper bound of its type over all of these meanings. Members of several
 *    structs often share a name, so types are unions, even of different arity, until pass 2. What
 *    is empty under all meanings is an error.
 * 2. Downward (contracts/spec/relevance_types.c): of each type the part that can matter for the
 * part that is wanted; a name keeps the meanings whose type meets it. What is left must be one
 * meaning: that of the inner scope, or else the only one.
 * 3. Upward again (contracts/spec/elaborate.c): the resolved expression is made, with conversions
 *    between integers, sets of integers and conditions.
 *
 * Bounds of quantifiers and values of lets are resolved where they stand, before what they are used
 * in. Brackets become joins, or calls; primes go down to the names. Source: Edwards, Jackson,
 * Torlak 2004, A type system for object models. */
#include "contracts/spec/resolve_priv.h"

#include "contracts/contracts_limits.h"
#include "contracts/spec/separation.h"

#include <stdio.h>

// ---------------------------------------------------------------------- messages

bool tp_spec_scope_wrong(tp_spec_scope *s, tp_pos pos, const char *fmt, ...) {
  if (s->failed) return false;
  char text[480];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  s->failed = true;
  return tp_clauses_wrong(s->m->clauses, pos, "%s", text);
}

const char *tp_spec_scope_type_text(const tp_spec_scope *s, tp_reltype type) {
  tp_str text = {0};
  tp_object_model_print(s->m->object_model, type, &text);
  const char *own = tp_arena_strndup(&s->m->arena, text.text, text.n < 100 ? text.n : 100);
  tp_str_clear(&text);
  return own;
}

bool tp_not_a_formula(tp_spec_scope *s, tp_pos pos, tp_reltype type) {
  return tp_spec_scope_wrong(s, pos,
                             "a formula is needed here, and this is %s; some, no, one, lone make a "
                             "formula of a relation, and pointers are compared with null",
                             tp_spec_scope_type_text(s, type));
}

tp_unresolved_expr *tp_unresolved_wrong(tp_spec_scope *s, tp_pos pos, const char *text) {
  tp_spec_scope_wrong(s, pos, "%s", text);
  return NULL;
}

// ------------------------------------------------------------------------- items

static tp_unresolved_expr *new_item(tp_spec_scope *s, tp_spec_expr_kind kind, const tp_spec_expr *x,
                                    uint32_t n_kids) {
  TP_REQUIRE(x != NULL);
  tp_unresolved_expr *item = tp_arena_new(&s->m->arena, tp_unresolved_expr);
  *item = (tp_unresolved_expr){
      .kind = kind, .x = x, .pos = x->pos, .is_primed = s->is_primed, .n_kids = n_kids};
  item->kids = tp_arena_array(&s->m->arena, tp_unresolved_expr *, n_kids ? n_kids : 1);
  return item;
}

static tp_unresolved_expr *open_symbol(tp_spec_scope *s, const tp_spec_expr *x,
                                       const tp_symbol *symbol) {
  tp_unresolved_expr *item = new_item(s, x->kind, x, 0);
  item->symbol = symbol;
  item->bound = symbol->type;
  return item;
}

static tp_unresolved_expr *open_call(tp_spec_scope *s, const tp_spec_expr *x,
                                     const tp_spec_expr *name, const tp_symbol *callee);

static tp_unresolved_expr *open_name(tp_spec_scope *s, const tp_spec_expr *x) {
  if (x->symbol) {
    tp_unresolved_expr *known = open_symbol(s, x, x->symbol);
    known->candidates = tp_arena_array(&s->m->arena, const tp_symbol *, 1);
    known->ranks = tp_arena_array(&s->m->arena, uint32_t, 1);
    known->candidates[0] = x->symbol;
    known->n_candidates = 1;
    return known;
  }
  tp_name_candidate_list list = {0};
  tp_unresolved_expr *item = NULL;
  if (tp_find_candidates(s, x, &list) && tp_keep_usable(s, x, &list)) {
    const tp_symbol *callee = tp_callee_of(&list);
    if (callee) {
      item = open_call(s, x, x, callee);
    } else {
      item = new_item(s, TP_SPEC_NAME, x, 0);
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

static tp_unresolved_expr *open_atom(tp_spec_scope *s, const tp_spec_expr *x) {
  const tp_object_model *u = s->m->object_model;
  const tp_reltypes *t = &s->m->types;
  if (x->kind == TP_SPEC_NAME) return open_name(s, x);
  if (x->kind == TP_SPEC_ALLOC) return open_symbol(s, x, u->alloc);
  if (x->kind == TP_SPEC_THIS)
    return s->this_symbol
               ? open_symbol(s, x, s->this_symbol)
               : tp_unresolved_wrong(s, x->pos, "'this' means something inside of a struct only");
  if (x->kind == TP_SPEC_RESULT) {
    if (!s->result)
      tp_spec_scope_wrong(s, x->pos, "there is no \\result in %s", s->where);
    else if (s->result->refused)
      tp_spec_scope_wrong(s, x->pos, "\\result cannot be used: %s", s->result->refused);
    return s->failed ? NULL : open_symbol(s, x, s->result);
  }
  if (x->kind == TP_SPEC_TYPE) {
    uint32_t basic;
    if (!tp_object_model_struct(u, x->name, &basic)) {
      tp_spec_scope_wrong(s, x->pos, "the program has no %s, or uses nothing of it", x->name);
      return NULL;
    }
    for (size_t i = 0; i < u->symbols.n; i++)
      if (u->symbols.at[i]->kind == TP_SYMBOL_SET && u->symbols.at[i]->basic == basic)
        return open_symbol(s, x, u->symbols.at[i]);
  }
  tp_unresolved_expr *item = new_item(s, x->kind, x, 0);
  if (x->kind == TP_SPEC_NULL)
    item->bound = tp_reltype_basic(t, TP_NULL_BASIC);
  else if (x->kind == TP_SPEC_UNIV)
    item->bound = tp_reltype_all(t);
  else if (x->kind == TP_SPEC_IDEN)
    item->bound = tp_reltype_iden(t);
  else if (x->kind == TP_SPEC_INTS || x->kind == TP_SPEC_NUMBER)
    item->bound = tp_reltype_basic(t, TP_INT_BASIC);
  else if (x->kind == TP_SPEC_OBJECTS)
    item->bound = u->alloc->type;
  else if (x->kind == TP_SPEC_TRUE || x->kind == TP_SPEC_FALSE)
    item->is_formula = true;
  return item;  // NONE: no type at all
}

// ----------------------------------------------------------------------- binders

/* The variable of a declaration, in scope from here on. */
static bool bind(tp_spec_scope *s, tp_spec_expr_decl *d, const tp_resolved_expr *from,
                 bool is_single) {
  tp_symbol *v = tp_arena_new(&s->m->arena, tp_symbol);
  *v = (tp_symbol){.kind = TP_SYMBOL_VARIABLE,
                   .name = d->name,
                   .type = from->type,
                   .is_function = is_single || from->is_function,
                   .sort = from->sort};
  d->bound = from->expr;
  d->symbol = v;
  tp_vec_push(&s->bound, v);
  return true;
}

/* One that a quantifier ranges over: a set, its members one by one. */
static bool open_decl(tp_spec_scope *s, const tp_spec_expr_decl *d, tp_resolved_expr *out) {
  if (d->many != TP_MULTIPLICITY_UNSAID && d->many != TP_MULTIPLICITY_ONE)
    return tp_spec_scope_wrong(s, d->pos, "variables stand for single objects, not for sets (%s%s)",
                               tp_multiplicity_text(d->many), d->name);
  if (!tp_resolve_relation(s, d->bound, out)) return false;
  if (out->type.n == 0)
    return tp_spec_scope_wrong(s, d->bound->pos, "there is nothing that '%s' could be", d->name);
  if (tp_reltype_arity(out->type) != 1)
    return tp_spec_scope_wrong(s, d->bound->pos, "'%s' must be from a set, and this is %s", d->name,
                               tp_spec_scope_type_text(s, out->type));
  return true;
}

static bool open_decls(tp_spec_scope *s, tp_unresolved_expr *item) {
  const tp_spec_expr *x = item->x;
  tp_spec_expr_decl *decls = tp_arena_array(&s->m->arena, tp_spec_expr_decl, x->n_decls);
  tp_resolved_expr from = {0};
  for (uint32_t i = 0; i < x->n_decls; i++) {
    decls[i] = x->decls[i];
    const bool is_let = x->kind == TP_SPEC_LET;
    const bool again = i > 0 && x->decls[i].bound == x->decls[i - 1].bound;
    if (!again && is_let &&
        (!tp_resolve(s, x->decls[i].bound, &from) ||
         (from.sort == TP_SPEC_SORT_FORMULA &&
          !tp_spec_scope_wrong(s, x->decls[i].bound->pos,
                               "let names relations and integers; pred names formulas"))))
      return false;
    if (!again && !is_let && !open_decl(s, &x->decls[i], &from)) return false;
    decls[i].many = TP_MULTIPLICITY_UNSAID;
    // members of a group are declared together: none is in scope in the bound of the next, which is
    // the same expression
    bind(s, &decls[i], &from, !is_let);
  }
  item->decls = decls;
  item->n_decls = x->n_decls;
  return true;
}

static tp_unresolved_expr *open(tp_spec_scope *s, const tp_spec_expr *x);

static tp_unresolved_expr *open_binder(tp_spec_scope *s, const tp_spec_expr *x) {
  tp_unresolved_expr *item = new_item(s, x->kind, x, 1);
  const size_t outer = s->bound.n;
  tp_unresolved_expr *body = open_decls(s, item) ? open(s, x->kids[0]) : NULL;
  s->bound.n = outer;
  if (!body) return NULL;
  item->kids[0] = body;
  const tp_reltypes *t = &s->m->types;
  if (x->kind == TP_SPEC_LET) {
    item->bound = body->bound;
    item->is_formula = body->is_formula;
    return item;
  }
  if (x->kind == TP_SPEC_SUM_OVER) {
    item->bound = tp_reltype_basic(t, TP_INT_BASIC);
    return tp_unresolved_is_integral(s, body) ? item : NULL;
  }
  if (!tp_unresolved_is_condition(s, body)) return NULL;
  item->is_formula = x->kind != TP_SPEC_COMPREHENSION;
  for (uint32_t i = 0; i < item->n_decls && !item->is_formula; i++)
    item->bound = i ? tp_reltype_product(t, item->bound, item->decls[i].symbol->type)
                    : item->decls[i].symbol->type;
  if (!item->is_formula && item->n_decls > TP_CONTRACTS_TYPE_ARITY)
    return tp_unresolved_wrong(s, x->pos, "relations have at most 8 columns");
  return item;
}

// ------------------------------------------------------------------ brackets, primes

static tp_unresolved_expr *open_call(tp_spec_scope *s, const tp_spec_expr *x,
                                     const tp_spec_expr *name, const tp_symbol *callee) {
  const uint32_t n = x->kind == TP_SPEC_BOX ? x->n_kids - 1 : 0;
  if (!tp_symbol_body(s, x->pos, (tp_symbol *)(uintptr_t)callee)) return NULL;
  if (n != callee->n_params) {
    tp_spec_scope_wrong(s, name->pos, "'%s' takes %u, not %u, in brackets", callee->name,
                        callee->n_params, n);
    return NULL;
  }
  if (callee->reads_after && (!s->after_allowed || s->is_primed)) {
    tp_spec_scope_wrong(s, name->pos,
                        s->is_primed ? "'%s' speaks of two states itself, so there is no ' for it"
                                     : "'%s' speaks of the state after, and there is none in %s",
                        callee->name, s->where);
    return NULL;
  }
  tp_unresolved_expr *item = new_item(s, TP_SPEC_BOX, x, n);
  item->symbol = callee;
  item->is_formula = callee->kind == TP_SYMBOL_PRED;
  item->bound = callee->type;
  for (uint32_t i = 0; i < n; i++) {
    tp_unresolved_expr *kid = item->kids[i] = open(s, x->kids[i + 1]);
    if (!kid || !tp_unresolved_is_relation(s, kid)) return NULL;
    if (tp_unresolved_is_none(kid) ||
        tp_reltype_intersection(&s->m->types, kid->bound, callee->params[i]->type).n)
      continue;
    tp_spec_scope_wrong(s, kid->pos, "'%s' of '%s' is %s, and this is %s", callee->params[i]->name,
                        callee->name, tp_spec_scope_type_text(s, callee->params[i]->type),
                        tp_spec_scope_type_text(s, kid->bound));
    return NULL;
  }
  return item;
}

static tp_unresolved_expr *join(tp_spec_scope *s, const tp_spec_expr *x, tp_unresolved_expr *a,
                                tp_unresolved_expr *b) {
  tp_unresolved_expr *item = new_item(s, TP_SPEC_JOIN, x, 2);
  item->kids[0] = a;
  item->kids[1] = b;
  return tp_bounding_type(s, item);
}

/* What arrays hold that pointers lead to. */
static tp_unresolved_expr *elements(tp_spec_scope *s, const tp_spec_expr *x) {
  tp_spec_expr *name = tp_arena_new(&s->m->arena, tp_spec_expr);
  *name = (tp_spec_expr){.kind = TP_SPEC_NAME, .pos = x->pos, .name = "\\elements", .depth = 1};
  return open_name(s, name);
}

/* Does the program or its contract call something so? */
static bool is_called(const tp_spec_scope *s, const char *name) {
  const tp_object_model *u = s->m->object_model;
  bool is = false;
  for (size_t i = 0; i < u->symbols.n; i++) is = is || strcmp(u->symbols.at[i]->name, name) == 0;
  for (size_t i = 0; i < s->bound.n; i++) is = is || strcmp(s->bound.at[i]->name, name) == 0;
  for (uint32_t i = 0; i < s->n_params; i++)
    is = is || (s->params[i]->name && strcmp(s->params[i]->name, name) == 0);
  return is;
}

/* separate[a, b]: the formula that it stands for. */
static tp_unresolved_expr *open_separation(tp_spec_scope *s, const tp_spec_expr *x) {
  const uint32_t n = x->n_kids - 1;
  tp_reltype *types = tp_arena_array(&s->m->arena, tp_reltype, n);
  if (n < 2)
    return tp_unresolved_wrong(s, x->pos, "separate[...] takes two objects or sets, or more");
  for (uint32_t i = 0; i < n; i++) {
    const tp_unresolved_expr *kid = open(s, x->kids[i + 1]);
    if (!kid || !tp_unresolved_is_relation(s, kid)) return NULL;
    types[i] = kid->bound;
    if (tp_reltype_arity(kid->bound) == 1) continue;
    tp_spec_scope_wrong(s, kid->pos, "separate[...] takes sets of objects, and this is %s",
                        tp_spec_scope_type_text(s, kid->bound));
    return NULL;
  }
  const tp_spec_expr *meaning = tp_separation(s->m, x->pos, x->kids + 1, types, n);
  return meaning ? open(s, meaning) : tp_unresolved_wrong(s, x->pos, "this is nested too deep");
}

/* a[i] is i.a; where a is a pointer to an array, i.(a.\elements). */
static tp_unresolved_expr *open_box(tp_spec_scope *s, const tp_spec_expr *x) {
  const tp_spec_expr *head = x->kids[0];
  if (head->kind == TP_SPEC_NAME && !head->owner) {
    if (strcmp(head->name, TP_SEPARATE) == 0 && !is_called(s, TP_SEPARATE))
      return open_separation(s, x);
    tp_name_candidate_list list = {0};
    bool found = tp_find_candidates(s, head, &list);
    const tp_symbol *callee = found ? tp_callee_of(&list) : NULL;
    tp_vec_clear(&list);
    if (!found) return NULL;
    if (callee)
      return tp_symbol_type(s, head->pos, (tp_symbol *)(uintptr_t)callee)
                 ? open_call(s, x, head, callee)
                 : NULL;
  }
  tp_unresolved_expr *a = open(s, head);
  for (uint32_t i = 1; a && i < x->n_kids; i++) {
    tp_unresolved_expr *index = open(s, x->kids[i]);
    if (!index || !tp_unresolved_is_relation(s, a)) return NULL;
    if (tp_reltype_arity(a->bound) == 1) {
      tp_unresolved_expr *content = elements(s, x);
      if (content && tp_reltype_join(&s->m->types, a->bound, content->bound).n == 0) {
        tp_spec_scope_wrong(s, x->pos,
                            "this is %s, and neither an array nor a pointer to one, so nothing can "
                            "stand in brackets behind it",
                            tp_spec_scope_type_text(s, a->bound));
        return NULL;
      }
      a = content ? join(s, x, a, content) : NULL;
    }
    a = a ? join(s, x, index, a) : NULL;
  }
  return a;
}

static tp_unresolved_expr *open_prime(tp_spec_scope *s, const tp_spec_expr *x) {
  if (!s->after_allowed) {
    tp_spec_scope_wrong(s, x->pos, "there is no state after in %s, so ' means nothing here",
                        s->where);
    return NULL;
  }
  if (s->is_primed)
    return tp_unresolved_wrong(s, x->pos, "one ' is enough: this is in the state after already");
  tp_unresolved_expr *item = new_item(s, TP_SPEC_PRIME, x, 1);
  s->is_primed = true;
  item->kids[0] = open(s, x->kids[0]);
  s->is_primed = false;
  return item->kids[0] ? tp_bounding_type(s, item) : NULL;
}

/* Is it p->f of C: objects, and a member that they have? Nobody pairs objects with a member. */
static bool is_member_in_c(const tp_spec_scope *s, const tp_unresolved_expr *product) {
  const tp_unresolved_expr *a = product->kids[0], *b = product->kids[1];
  bool is = b->kind == TP_SPEC_NAME && b->n_candidates > 0 && !b->x->owner && !b->x->symbol &&
            tp_reltype_arity(a->bound) == 1;
  for (uint32_t i = 0; i < b->n_candidates; i++)
    is = is && b->candidates[i]->kind == TP_SYMBOL_FIELD;
  return is && tp_reltype_join(&s->m->types, a->bound, b->bound).n;
}

static tp_unresolved_expr *open(tp_spec_scope *s, const tp_spec_expr *x) {
  if (s->failed) return NULL;
  if (x->kind == TP_SPEC_BOX) return open_box(s, x);
  if (x->kind == TP_SPEC_PRIME) return open_prime(s, x);
  if (x->n_decls) return open_binder(s, x);
  if (tp_spec_expr_form_of(x->kind) == TP_FORM_ATOM) return open_atom(s, x);
  if (x->many != TP_MULTIPLICITY_UNSAID)
    return tp_unresolved_wrong(s, x->pos,
                               "how many (one, lone, some, set) can be said in declarations only");
  tp_unresolved_expr *item = new_item(s, x->kind, x, x->n_kids);
  for (uint32_t i = 0; i < x->n_kids; i++)
    if (!(item->kids[i] = open(s, x->kids[i]))) return NULL;
  if (x->kind == TP_SPEC_PRODUCT && is_member_in_c(s, item)) {
    tp_spec_scope_wrong(s, x->pos, "C's x->%s is x.%s here; a -> b are the pairs of a and b",
                        x->kids[1]->name, x->kids[1]->name);
    return NULL;
  }
  return tp_bounding_type(s, item);
}

// --------------------------------------------------------------------------- all

bool tp_resolve(tp_spec_scope *s, const tp_spec_expr *x, tp_resolved_expr *out) {
  TP_REQUIRE(s && x && out);
  tp_unresolved_expr *item = open(s, x);
  if (!item || !tp_relevance_type(s, item, item->bound)) return false;
  return tp_elaborate(s, item, out);
}
