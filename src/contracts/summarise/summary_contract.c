/* From intervals to clauses.
 *
 * A bound becomes an expression of the contract language node by node. What cannot be said there is
 * left out where that weakens the clause, else the clause is left out: a contract says less than
 * the summary then, never more. */
#include "contracts/summarise/summary_contract.h"

#include "contracts/spec/resolved_contracts.h"
#include "contracts/summarise/summarise_priv.h"

typedef const tp_spec_expr *expr;

typedef struct {
  tp_rsums *s;
  tp_rbounds *t;
  const tp_rsum_template *f;
  tp_clauses *out;
  tp_arena *a;
  tp_contract_origin origin;
  TP_VEC(expr) conjuncts;  // of the ensures clause that binds new objects
  TP_VEC(tp_rbound) made;  // new objects that conjuncts name
} writer;

// ---------------------------------------------------------------------------- names

static expr atom(writer *w, tp_spec_expr_kind kind) {
  return tp_spec_expr_atom(w->a, kind, TP_POS_NONE);
}
static expr unary(writer *w, tp_spec_expr_kind kind, expr x) {
  return tp_spec_expr_unary(w->a, kind, TP_POS_NONE, x);
}
static expr binary(writer *w, tp_spec_expr_kind kind, expr x, expr y) {
  return tp_spec_expr_binary(w->a, kind, TP_POS_NONE, x, y);
}
static expr name_of(writer *w, const char *name, const char *owner) {
  return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_NAME, .name = name, .owner = owner},
                           NULL, 0, NULL, 0);
}

static bool is_parameter(const writer *w, const char *name) {
  const tp_func_info *f = tp_func_of(w->s->p, w->f->func);
  for (uint32_t i = 0; i < f->n_params; i++)
    if (strcmp(tp_var_of(w->s->p, f->params[i])->name, name) == 0) return true;
  return false;
}

/* How many symbols of the program have the name. */
static uint32_t n_symbols(const writer *w, const char *name) {
  uint32_t n = 0;
  for (size_t i = 0; i < w->s->u->symbols.n; i++)
    n += strcmp(w->s->u->symbols.at[i]->name, name) == 0;
  return n;
}

/* By its name alone where that is enough, else by the struct that has it. */
static expr symbol_name(writer *w, const tp_symbol *m) {
  const bool is_member = m->kind == TP_SYMBOL_FIELD;
  if (m->kind == TP_SYMBOL_ELEMENTS)
    return n_symbols(w, m->name) == 1 ? name_of(w, m->name, NULL) : NULL;
  const bool is_clear =
      n_symbols(w, m->name) == 1 && !is_parameter(w, m->name) && !tp_spec_expr_is_reserved(m->name);
  if (is_clear) return name_of(w, m->name, NULL);
  return name_of(w, m->name, is_member ? w->s->u->basics.at[m->basic].name : "");
}

static expr variable_name(writer *w, const tp_var_info *v) {
  const bool is_param = v->kind == TP_V_PARAM;
  if (is_param && tp_spec_expr_is_reserved(v->name)) return NULL;
  if (is_param) return name_of(w, v->name, NULL);
  const bool is_clear =
      n_symbols(w, v->name) == 1 && !is_parameter(w, v->name) && !tp_spec_expr_is_reserved(v->name);
  return name_of(w, v->name, is_clear ? NULL : "");
}

static const char *new_name(writer *w, int64_t number) {
  const char *name = tp_arena_printf(w->a, "new%lld", (long long)number + 1);
  while (n_symbols(w, name) || is_parameter(w, name)) name = tp_arena_printf(w->a, "%s_", name);
  return name;
}

/* All objects of the type; NULL: the language has no name for it. */
static expr type_name(writer *w, uint32_t basic) {
  const tp_basic *b = &w->s->u->basics.at[basic];
  if (b->kind != TP_BASIC_STRUCT || b->name[0] == '(') return NULL;
  return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_TYPE, .name = b->name}, NULL, 0,
                           NULL, 0);
}

// ---------------------------------------------------------------------- expressions

static expr translate(writer *w, tp_rbound b);

static expr number(writer *w, int64_t v) {
  expr n = tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_NUMBER, .number = v < 0 ? -v : v},
                             NULL, 0, NULL, 0);
  return v < 0 ? unary(w, TP_SPEC_NEGATIVE, n) : n;
}

/* {x}: with integers, + and - are of sets only there. */
static expr set_of(writer *w, expr x) {
  if (x && x->kind == TP_SPEC_SET_OF) return x;
  return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_SET_OF}, &x, 1, NULL, 0);
}

static bool is_integer(const writer *w, tp_type t) {
  const tp_type_kind k = t.id ? tp_type_of(w->s->p, t)->kind : TP_T_VOID;
  if (k == TP_T_ARRAY) return is_integer(w, tp_type_of(w->s->p, t)->element);
  return k == TP_T_INT || k == TP_T_ENUM || k == TP_T_BOOL;
}

/* Has the expression integers in its last column? */
static bool has_integers(const writer *w, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(w->t, b);
  uint64_t found;
  if (n->kind == TP_RBOUND_INT || n->kind == TP_RBOUND_INTS) return true;
  if (n->kind == TP_RBOUND_NAME && tp_map_get(&w->s->var_of, b.id, &found))
    return is_integer(w, tp_var_of(w->s->p, (tp_var){(uint32_t)found})->type);
  if (n->kind == TP_RBOUND_NAME && tp_map_get(&w->s->place_of_name, b.id, &found))
    return is_integer(w, w->s->places.at[found].symbol->ctype);
  if (n->kind == TP_RBOUND_JOIN && tp_rbound_at(w->t, n->kids[1])->arity == 1) return false;
  if (n->kind == TP_RBOUND_JOIN || n->kind == TP_RBOUND_PRODUCT) return has_integers(w, n->kids[1]);
  for (uint32_t i = n->kind == TP_RBOUND_IF; i < n->n_kids; i++)
    if (has_integers(w, n->kids[i])) return true;
  return false;
}

/* univ -> ... -> univ */
static expr universe(writer *w, uint32_t arity) {
  expr x = atom(w, TP_SPEC_UNIV);
  for (uint32_t i = 1; i < arity; i++) x = binary(w, TP_SPEC_PRODUCT, x, atom(w, TP_SPEC_UNIV));
  return x;
}

static expr translate_name(writer *w, tp_rbound b) {
  uint64_t found;
  if (b.id == w->s->alloc.id) return atom(w, TP_SPEC_ALLOC);
  if (tp_map_get(&w->s->var_of, b.id, &found))
    return variable_name(w, tp_var_of(w->s->p, (tp_var){(uint32_t)found}));
  return symbol_name(w, tp_rbound_name_of(w->t, b)->symbol);
}

static void note_new(writer *w, tp_rbound b) {
  for (size_t i = 0; i < w->made.n; i++)
    if (w->made.at[i].id == b.id) return;
  tp_vec_push(&w->made, b);
}

static expr translate_leaf(writer *w, tp_rbound b, const tp_rbound_node *n) {
  const tp_rbound_kind k = n->kind;
  if (k == TP_RBOUND_NAME) return translate_name(w, b);
  if (k == TP_RBOUND_INT) return set_of(w, number(w, n->number));
  if (k == TP_RBOUND_NEW) {
    note_new(w, b);
    return name_of(w, new_name(w, n->number), NULL);
  }
  if (k == TP_RBOUND_NEW_SET) {
    const expr type = type_name(w, n->basic);
    return binary(w, TP_SPEC_DIFFERENCE, type ? type : atom(w, TP_SPEC_OBJECTS),
                  atom(w, TP_SPEC_ALLOC));
  }
  if (k == TP_RBOUND_UNIV) return universe(w, n->arity);
  return atom(w, k == TP_RBOUND_NULL    ? TP_SPEC_NULL
                 : k == TP_RBOUND_INTS  ? TP_SPEC_INTS
                 : k == TP_RBOUND_TRUE  ? TP_SPEC_TRUE
                 : k == TP_RBOUND_FALSE ? TP_SPEC_FALSE
                                        : TP_SPEC_NONE);
}

static tp_spec_expr_kind kind_of(tp_rbound_kind k) {
  return k == TP_RBOUND_UNION          ? TP_SPEC_UNION
         : k == TP_RBOUND_INTERSECTION ? TP_SPEC_INTERSECTION
         : k == TP_RBOUND_DIFFERENCE   ? TP_SPEC_DIFFERENCE
         : k == TP_RBOUND_JOIN         ? TP_SPEC_JOIN
         : k == TP_RBOUND_PRODUCT      ? TP_SPEC_PRODUCT
         : k == TP_RBOUND_OVERRIDE     ? TP_SPEC_OVERRIDE
         : k == TP_RBOUND_EQUAL        ? TP_SPEC_EQUAL
         : k == TP_RBOUND_AND          ? TP_SPEC_AND
                                       : TP_SPEC_OR;
}

static bool has_walk(const tp_rbounds *t, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(t, b);
  bool any = n->kind == TP_RBOUND_FIRST;
  for (uint32_t i = 0; i < n->n_kids && !any; i++) any = has_walk(t, n->kids[i]);
  return any;
}

/* null = a value with a walk: no value - null, since what it passes can never be null, and types
 * in which sides of = have nothing in common are refused. NULL: another equality. */
static expr null_test(writer *w, const tp_rbound_node *n, tp_spec_expr_kind how) {
  for (uint32_t i = 0; i < 2; i++)
    if (tp_rbound_at(w->t, n->kids[i])->kind == TP_RBOUND_NULL && has_walk(w->t, n->kids[1 - i]))
      return unary(
          w, how,
          binary(w, TP_SPEC_DIFFERENCE, translate(w, n->kids[1 - i]), atom(w, TP_SPEC_NULL)));
  return NULL;
}

static expr translate_not(writer *w, tp_rbound f) {
  const tp_rbound_node *n = tp_rbound_at(w->t, f);
  const expr some = n->kind == TP_RBOUND_EQUAL ? null_test(w, n, TP_SPEC_SOME) : NULL;
  if (some) return some;
  if (n->kind == TP_RBOUND_EQUAL)
    return binary(w, TP_SPEC_UNEQUAL, translate(w, n->kids[0]), translate(w, n->kids[1]));
  return unary(w, TP_SPEC_NOT, translate(w, f));
}

/* x.*(r - (s -> univ)) & s */
static expr translate_first(writer *w, expr x, const tp_rbound_node *n) {
  const expr stops = binary(w, TP_SPEC_PRODUCT, translate(w, n->kids[2]), atom(w, TP_SPEC_UNIV)),
             steps = binary(w, TP_SPEC_DIFFERENCE, translate(w, n->kids[1]), stops);
  return binary(w, TP_SPEC_INTERSECTION,
                binary(w, TP_SPEC_JOIN, x, unary(w, TP_SPEC_REFLEXIVE, steps)),
                translate(w, n->kids[2]));
}

/* NULL: the language cannot say it. */
static expr translate(writer *w, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(w->t, b);
  if (n->n_kids == 0) return translate_leaf(w, b, n);
  if (n->kind == TP_RBOUND_NOT) return translate_not(w, n->kids[0]);
  const expr no = n->kind == TP_RBOUND_EQUAL ? null_test(w, n, TP_SPEC_NO) : NULL;
  if (no) return no;
  expr all = translate(w, n->kids[0]);
  if (n->kind == TP_RBOUND_REACH)
    return binary(w, TP_SPEC_JOIN, all, unary(w, TP_SPEC_REFLEXIVE, translate(w, n->kids[1])));
  if (n->kind == TP_RBOUND_FIRST) return translate_first(w, all, n);
  if (n->kind == TP_RBOUND_LESS)
    return binary(w, TP_SPEC_LESS, unary(w, TP_SPEC_TO_INT, all),
                  unary(w, TP_SPEC_TO_INT, translate(w, n->kids[1])));
  if (n->kind == TP_RBOUND_IF) {
    const expr kids[] = {all, translate(w, n->kids[1]), translate(w, n->kids[2])};
    return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_IF}, kids, 3, NULL, 0);
  }
  const bool is_sum = n->kind == TP_RBOUND_UNION || n->kind == TP_RBOUND_DIFFERENCE;
  const bool in_braces = is_sum && n->arity == 1 && has_integers(w, b);
  for (uint32_t i = 1; i < n->n_kids; i++) {
    const expr x = in_braces ? set_of(w, all) : all, y = translate(w, n->kids[i]);
    all = binary(w, kind_of(n->kind), x, in_braces ? set_of(w, y) : y);
  }
  return all;
}

// --------------------------------------------------------------------------- frames

/* A set that has the objects of the pre-state of this one, and fewer new ones. */
static tp_rbound old_part(tp_rbounds *t, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(t, b);
  if (n->kind == TP_RBOUND_NEW || n->kind == TP_RBOUND_NEW_SET) return tp_rbound_none(t, 1);
  if (n->kind != TP_RBOUND_UNION && n->kind != TP_RBOUND_INTERSECTION) return b;
  tp_rbound all = old_part(t, n->kids[0]);
  for (uint32_t i = 1; i < n->n_kids; i++)
    all = n->kind == TP_RBOUND_UNION ? tp_rbound_union(t, all, old_part(t, n->kids[i]))
                                     : tp_rbound_intersection(t, all, old_part(t, n->kids[i]));
  return all;
}

/* Adds the objects of the pre-state among `owners`; false: they may be any. */
static bool add_owners(tp_rbounds *t, tp_rbound owners, tp_rbound *all) {
  const tp_rbound_node *n = tp_rbound_at(t, owners);
  if (n->kind == TP_RBOUND_NEW || n->kind == TP_RBOUND_NEW_SET) return true;
  if (n->kind == TP_RBOUND_UNION) {
    for (uint32_t i = 0; i < n->n_kids; i++)
      if (!add_owners(t, n->kids[i], all)) return false;
    return true;
  }
  if (n->kind == TP_RBOUND_INTERSECTION && n->has_new) owners = old_part(t, owners);
  if (tp_rbound_at(t, owners)->has_new || n->kind == TP_RBOUND_UNIV) return false;
  *all = tp_rbound_union(t, *all, owners);
  return true;
}

/* By the lower bound: each object has one value in a member, so that it has the old one if that is
 * certainly there. */
tp_summary_frame tp_summary_frame_of(tp_rsums *s, const tp_rsum_template *f, uint32_t place) {
  const tp_rinterval now = f->after.places[place];
  const tp_rbound name = s->places.at[place].name;
  tp_rbound_change kept;
  tp_rbound all = tp_rbound_none(s->t, 1);
  if (tp_rinterval_eq(now, tp_rinterval_exact(name))) return (tp_summary_frame){false, {0}};
  const bool is_known = s->places.at[place].symbol->kind != TP_SYMBOL_GLOBAL &&
                        tp_rbound_change_of(s->t, now.lower, &kept) && kept.base.id == name.id &&
                        add_owners(s->t, kept.owners, &all);
  if (!is_known) return (tp_summary_frame){true, {0}};
  return (tp_summary_frame){tp_rbound_at(s->t, all)->kind != TP_RBOUND_NONE, all};
}

// -------------------------------------------------------------------------- clauses

static void add_clause(writer *w, tp_clause_kind kind, expr x) {
  tp_clause c = {.kind = kind,
                 .origin = w->origin,
                 .subject = {.about = TP_SUBJECT_FUNCTION,
                             .name = tp_func_of(w->s->p, w->f->func)->name,
                             .pos = tp_func_of(w->s->p, w->f->func)->pos},
                 .expr = x};
  tp_vec_push(&w->out->all, c);
}

static bool names_new(const tp_rbounds *t, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(t, b);
  bool any = n->kind == TP_RBOUND_NEW;
  for (uint32_t i = 0; i < n->n_kids && !any; i++) any = names_new(t, n->kids[i]);
  return any;
}

/* value = bound, or whatever the operator says. What names new objects is bound together. */
static void ensure(writer *w, tp_spec_expr_kind how, expr value, tp_rbound bound) {
  const expr right = translate(w, bound);
  const expr f = binary(w, how, value, right);
  if (!f) return;
  if (names_new(w->t, bound))
    tp_vec_push(&w->conjuncts, f);
  else
    add_clause(w, TP_CLAUSE_ENSURES, f);
}

/* Does the upper bound say more than the frame does? Each value that pairs may have is bounded. */
static bool is_telling(writer *w, tp_rbound upper) {
  tp_rbound_change c;
  if (!tp_rbound_change_of(w->t, upper, &c)) return !tp_rbound_at(w->t, upper)->has_any;
  const tp_rbound_node *n = tp_rbound_at(w->t, c.added);
  const uint32_t many = n->kind == TP_RBOUND_UNION ? n->n_kids : 1;
  for (uint32_t i = 0; i < many; i++) {
    const tp_rbound part = n->kind == TP_RBOUND_UNION ? n->kids[i] : c.added;
    const tp_rbound_node *p = tp_rbound_at(w->t, part);
    if (p->kind != TP_RBOUND_PRODUCT ||
        tp_rbound_at(w->t, p->kids[p->n_kids - 1])->kind != TP_RBOUND_UNIV)
      return true;
  }
  return false;
}

/* 0 and 1, of a function that returns a Boolean. */
static bool is_any_truth(const writer *w, tp_rbound upper) {
  const tp_type result = tp_type_of(w->s->p, tp_func_of(w->s->p, w->f->func)->type)->element;
  return tp_type_of(w->s->p, result)->kind == TP_T_BOOL &&
         tp_rbound_at(w->t, upper)->kind == TP_RBOUND_UNION;
}

/* What is certainly there. */
static void ensure_kept(writer *w, tp_rbound lower, expr value) {
  if (tp_rbound_at(w->t, lower)->kind == TP_RBOUND_NONE) return;
  const expr f = binary(w, TP_SPEC_IN, translate(w, lower), value);
  if (f && names_new(w->t, lower))
    tp_vec_push(&w->conjuncts, f);
  else if (f)
    add_clause(w, TP_CLAUSE_ENSURES, f);
}

static void bound_clauses(writer *w, expr value, tp_rinterval now, uint32_t arity) {
  tp_rbound_change kept;
  if (tp_rinterval_is_exact(now)) {
    ensure(w, TP_SPEC_EQUAL, value, now.upper);
    return;
  }
  const tp_rbound_kind upper = tp_rbound_at(w->t, now.upper)->kind;
  const bool is_any = upper == TP_RBOUND_UNIV || upper == TP_RBOUND_INTS ||
                      (value->kind == TP_SPEC_RESULT && is_any_truth(w, now.upper));
  if (!is_any && (arity == 1 || is_telling(w, now.upper))) ensure(w, TP_SPEC_IN, value, now.upper);
  if (arity > 1 && tp_rbound_change_of(w->t, now.lower, &kept)) ensure_kept(w, kept.added, value);
}

static expr primed(writer *w, expr x) { return unary(w, TP_SPEC_PRIME, x); }

typedef struct {
  TP_VEC(expr) at;
  bool is_unsayable;
} targets;

static void add_target(targets *all, expr x) {
  if (x)
    tp_vec_push(&all->at, x);
  else
    all->is_unsayable = true;
}

/* e.f for each set of objects e, or f. */
static void place_targets(writer *w, uint32_t place, targets *all) {
  const tp_symbol *m = w->s->places.at[place].symbol;
  const tp_summary_frame frame = tp_summary_frame_of(w->s, w->f, place);
  if (!frame.may_change) return;
  const expr name = symbol_name(w, m);
  if (!frame.objects.id) {
    add_target(all, name);
    return;
  }
  const tp_rbound_node *n = tp_rbound_at(w->t, frame.objects);
  const uint32_t many = n->kind == TP_RBOUND_UNION ? n->n_kids : 1;
  for (uint32_t i = 0; i < many; i++) {
    const tp_rbound part = n->kind == TP_RBOUND_UNION ? n->kids[i] : frame.objects;
    add_target(all, binary(w, TP_SPEC_JOIN, translate(w, part), name));
  }
}

static bool global_changes(const writer *w, tp_var v) {
  const tp_var_info *info = tp_var_of(w->s->p, v);
  return !info->enclosing_function && info->type.id &&
         !tp_rinterval_eq(tp_rsums_global(w->s, w->f, v),
                          tp_rinterval_exact(tp_rsums_name_of_var(w->s, v)));
}

static bool alloc_changes(const writer *w) {
  return !tp_rinterval_eq(w->f->after.alloc, tp_rinterval_exact(w->s->alloc));
}

/* No clause where one target cannot be said: all may change then. */
static void modifies_clause(writer *w) {
  targets all = {0};
  for (uint32_t i = 0; i < w->s->places.n; i++) place_targets(w, i, &all);
  for (size_t i = 0; i < w->s->globals.n; i++)
    if (global_changes(w, w->s->globals.at[i]))
      add_target(&all, variable_name(w, tp_var_of(w->s->p, w->s->globals.at[i])));
  if (alloc_changes(w)) add_target(&all, atom(w, TP_SPEC_ALLOC));
  if (all.at.n == 0 && !all.is_unsayable) add_target(&all, atom(w, TP_SPEC_NONE));
  if (!all.is_unsayable) {
    const expr *own =
        memcpy(tp_arena_array(w->a, expr, all.at.n), all.at.at, all.at.n * sizeof *all.at.at);
    add_clause(w, TP_CLAUSE_MODIFIES, NULL);
    tp_vec_last(&w->out->all).targets = own;
    tp_vec_last(&w->out->all).n_targets = (uint32_t)all.at.n;
  }
  tp_vec_clear(&all.at);
}

// ----------------------------------------------------------------------- new objects

static bool is_certain(const writer *w, tp_rbound object) {
  return tp_rbound_leq(w->t, object, w->f->after.alloc.lower);
}

static expr all_different(writer *w, expr body) {
  for (size_t i = 0; i < w->made.n; i++)
    for (size_t j = i + 1; j < w->made.n; j++) {
      const tp_rbound_node *x = tp_rbound_at(w->t, w->made.at[i]),
                           *y = tp_rbound_at(w->t, w->made.at[j]);
      if (x->basic != y->basic) continue;
      const expr common =
          binary(w, TP_SPEC_INTERSECTION, translate(w, w->made.at[i]), translate(w, w->made.at[j]));
      body = binary(w, TP_SPEC_AND, unary(w, TP_SPEC_NO, common), body);
    }
  return body;
}

/* When the object is certainly in the set, as far as its choices show. */
static tp_rbound condition_of_being_in(writer *w, tp_rbound object, tp_rbound set) {
  const tp_rbound_node *n = tp_rbound_at(w->t, set);
  if (n->kind == TP_RBOUND_IF) {
    const tp_rbound yes = condition_of_being_in(w, object, n->kids[1]),
                    no = condition_of_being_in(w, object, n->kids[2]);
    return tp_rbound_or(w->t, tp_rbound_and(w->t, n->kids[0], yes),
                        tp_rbound_and(w->t, tp_rbound_not(w->t, n->kids[0]), no));
  }
  tp_rbound any = tp_rbound_leq(w->t, object, set) ? tp_rbound_true(w->t) : tp_rbound_false(w->t);
  for (uint32_t i = 0; i < n->n_kids && n->kind == TP_RBOUND_UNION; i++)
    any = tp_rbound_or(w->t, any, condition_of_being_in(w, object, n->kids[i]));
  return any;
}

/* condition => some n, and the body. */
static expr with_existence(writer *w, tp_rbound object, const char *name, expr body) {
  const tp_rbound when = condition_of_being_in(w, object, w->f->after.alloc.lower);
  if (tp_rbound_at(w->t, when)->kind == TP_RBOUND_FALSE) return body;
  const expr condition = translate(w, when);
  if (!condition) return body;
  const expr exists = unary(w, TP_SPEC_SOME, name_of(w, name, NULL));
  return binary(w, TP_SPEC_AND, binary(w, TP_SPEC_IMPLIES, condition, exists), body);
}

/* some n : T - \alloc | body; where not every run makes it: some o : T - \alloc + null | let n = o
 * - null | body. */
static expr bind_object(writer *w, tp_rbound object, expr body) {
  const tp_rbound_node *n = tp_rbound_at(w->t, object);
  const expr type = type_name(w, n->basic);
  if (!type || !body) return NULL;
  const char *name = new_name(w, n->number);
  expr set = binary(w, TP_SPEC_DIFFERENCE, type, atom(w, TP_SPEC_ALLOC));
  if (!is_certain(w, object)) {
    const char *maybe = tp_arena_printf(w->a, "%s_or_null", name);
    const tp_spec_expr_decl let = {
        .name = name,
        .bound = binary(w, TP_SPEC_DIFFERENCE, name_of(w, maybe, NULL), atom(w, TP_SPEC_NULL))};
    body = tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_LET}, &body, 1, &let, 1);
    set = binary(w, TP_SPEC_UNION, set, atom(w, TP_SPEC_NULL));
    name = maybe;
  }
  const tp_spec_expr_decl d = {.name = name, .bound = set};
  return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_EXISTS}, &body, 1, &d, 1);
}

static void conjunction_clause(writer *w) {
  if (w->conjuncts.n == 0) return;
  expr body = w->conjuncts.at[0];
  for (size_t i = 1; i < w->conjuncts.n; i++)
    body = binary(w, TP_SPEC_AND, body, w->conjuncts.at[i]);
  body = all_different(w, body);
  // behind all bindings: whether an object is made may depend on one with a larger number
  for (size_t i = w->made.n; i-- > 0 && body;)
    if (!is_certain(w, w->made.at[i]))
      body = with_existence(w, w->made.at[i],
                            new_name(w, tp_rbound_at(w->t, w->made.at[i])->number), body);
  for (size_t i = w->made.n; i-- > 0;) body = bind_object(w, w->made.at[i], body);
  if (body) add_clause(w, TP_CLAUSE_ENSURES, body);
}

// ------------------------------------------------------------------------------ all

static void ensures_clauses(writer *w) {
  for (uint32_t i = 0; i < w->s->places.n; i++) {
    const tp_rsum_place *p = &w->s->places.at[i];
    const tp_rinterval now = w->f->after.places[i];
    const expr name = symbol_name(w, p->symbol);
    if (!p->symbol->changes || tp_rinterval_eq(now, tp_rinterval_exact(p->name)) || !name) continue;
    bound_clauses(w, primed(w, name), now, p->arity);
  }
  for (size_t i = 0; i < w->s->globals.n; i++) {
    const tp_var v = w->s->globals.at[i];
    if (!global_changes(w, v)) continue;
    bound_clauses(w, primed(w, variable_name(w, tp_var_of(w->s->p, v))),
                  tp_rsums_global(w->s, w->f, v), 1);
  }
  const expr alloc = primed(w, atom(w, TP_SPEC_ALLOC));
  if (alloc_changes(w)) bound_clauses(w, alloc, w->f->after.alloc, 1);
  if (!tp_rinterval_is_exact(w->f->after.alloc)) ensure_kept(w, w->f->after.alloc.lower, alloc);
  const tp_type result = tp_type_of(w->s->p, tp_func_of(w->s->p, w->f->func)->type)->element;
  const tp_rsum_value *v = &w->f->result;
  if (result.id && v->at.upper.id && !v->cell && !v->is_anywhere)
    bound_clauses(w, atom(w, TP_SPEC_RESULT), v->at, 1);
}

static void add_all(tp_rsums *s, const tp_rsum_template *f, tp_contract_origin origin,
                    tp_clauses *out) {
  writer w = {.s = s, .t = s->t, .f = f, .out = out, .a = &out->arena, .origin = origin};
  if (f->refused) return;
  if (f->after.is_dead) {
    add_clause(&w, TP_CLAUSE_ENSURES, atom(&w, TP_SPEC_FALSE));
    return;
  }
  modifies_clause(&w);
  ensures_clauses(&w);
  conjunction_clause(&w);
  tp_vec_clear(&w.conjuncts);
  tp_vec_clear(&w.made);
}

void tp_summary_contract_add(tp_rsums *s, const tp_rsum_template *f, tp_clauses *out) {
  add_all(s, f, TP_CONTRACT_WRITTEN, out);
}

void tp_summary_contract_propose(tp_rsums *s, const tp_rsum_template *f, tp_clauses *out) {
  add_all(s, f, TP_CONTRACT_PROPOSED, out);
}

/* e.f becomes f. */
static expr without_objects(expr target) {
  while (target->kind == TP_SPEC_JOIN) target = target->kids[target->n_kids - 1];
  return target;
}

void tp_summary_contract_add_weak(tp_rsums *s, const tp_rsum_template *f, tp_summary_strength how,
                                  tp_clauses *out) {
  writer w = {
      .s = s, .t = s->t, .f = f, .out = out, .a = &out->arena, .origin = TP_CONTRACT_SUMMARY};
  const size_t first = out->all.n;
  if (f->refused) return;
  if (how == TP_SUMMARY_FULL) {
    add_all(s, f, TP_CONTRACT_SUMMARY, out);
    return;
  }
  if (how == TP_SUMMARY_FRAME && !f->after.is_dead) modifies_clause(&w);
  TP_INVARIANT(out->all.n <= first + 1);
  if (out->all.n == first) {
    add_clause(&w, TP_CLAUSE_ENSURES, atom(&w, TP_SPEC_TRUE));
    return;
  }
  tp_clause *c = &out->all.at[first];
  expr *all = tp_arena_array(w.a, expr, c->n_targets + 1);
  for (uint32_t i = 0; i < c->n_targets; i++) all[i] = without_objects(c->targets[i]);
  c->targets = all;
}

void tp_summary_contract_print(tp_rsums *s, const tp_rsum_template *f, tp_rbound b, tp_str *out) {
  tp_arena arena;
  tp_arena_init(&arena);
  writer w = {.s = s, .t = s->t, .f = f, .a = &arena};
  const expr x = translate(&w, b);
  if (x)
    tp_spec_expr_print(x, out);
  else
    tp_rbound_print(s->t, b, out);
  tp_vec_clear(&w.made);
  tp_arena_clear(&arena);
}

uint32_t tp_summary_contract_filter(tp_object_model *u, tp_clauses *c) {
  tp_contracts m;
  const bool was_muted = c->is_muted;
  uint32_t n = 0, n_removed = 0;
  c->is_muted = true;
  tp_contracts_init(&m, u, c);
  bool *is_resolved = TP_NEW_ARRAY(bool, c->all.n + 1);
  for (size_t k = 0; k < m.all.n; k++) is_resolved[m.all.at[k].clause - c->all.at] = true;
  tp_contracts_clear(&m);
  for (uint32_t i = 0; i < c->all.n; i++)
    if (is_resolved[i])
      c->all.at[n++] = c->all.at[i];
    else
      n_removed++;
  tp_free(is_resolved);
  c->all.n = n;
  c->is_muted = was_muted;
  return n_removed;
}
