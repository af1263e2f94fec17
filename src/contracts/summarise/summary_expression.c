/* What cannot be said has no expression, and no expression has a part without one. */
#include "contracts/summarise/summary_expression.h"

#include <stdlib.h>

typedef tp_summary_expr expr;

// ---------------------------------------------------------------------------- names

static bool is_parameter(const tp_summary_writer *w, const char *name) {
  const tp_func_info *f = tp_func_of(w->s->p, w->f->func);
  for (uint32_t i = 0; i < f->n_params; i++)
    if (strcmp(tp_var_of(w->s->p, f->params[i])->name, name) == 0) return true;
  return false;
}

/* How many symbols of the program have the name. */
static uint32_t n_symbols(const tp_summary_writer *w, const char *name) {
  uint32_t n = 0;
  for (size_t i = 0; i < w->s->u->symbols.n; i++)
    n += strcmp(w->s->u->symbols.at[i]->name, name) == 0;
  return n;
}

/* By its name alone where that is enough, else by the struct that has it. */
expr tp_summary_symbol_name(tp_summary_writer *w, const tp_symbol *m) {
  const bool is_member = m->kind == TP_SYMBOL_FIELD;
  if (m->kind == TP_SYMBOL_ELEMENTS)
    return n_symbols(w, m->name) == 1 ? tp_summary_name(w, m->name, NULL) : NULL;
  const bool is_clear =
      n_symbols(w, m->name) == 1 && !is_parameter(w, m->name) && !tp_spec_expr_is_reserved(m->name);
  if (is_clear) return tp_summary_name(w, m->name, NULL);
  return tp_summary_name(w, m->name, is_member ? w->s->u->basics.at[m->basic].name : "");
}

expr tp_summary_variable_name(tp_summary_writer *w, const tp_var_info *v) {
  const bool is_param = v->kind == TP_V_PARAM;
  if (is_param && tp_spec_expr_is_reserved(v->name)) return NULL;
  if (is_param) return tp_summary_name(w, v->name, NULL);
  const bool is_clear =
      n_symbols(w, v->name) == 1 && !is_parameter(w, v->name) && !tp_spec_expr_is_reserved(v->name);
  return tp_summary_name(w, v->name, is_clear ? NULL : "");
}

const char *tp_summary_new_name(tp_summary_writer *w, int64_t number) {
  const char *name = tp_arena_printf(w->a, "new%lld", (long long)number + 1);
  while (n_symbols(w, name) || is_parameter(w, name)) name = tp_arena_printf(w->a, "%s_", name);
  return name;
}

/* All objects of the type; NULL: the language has no name for it. */
expr tp_summary_type_name(tp_summary_writer *w, uint32_t basic) {
  const tp_basic *b = &w->s->u->basics.at[basic];
  if (b->kind != TP_BASIC_STRUCT || b->name[0] == '(') return NULL;
  return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_TYPE, .name = b->name}, NULL, 0,
                           NULL, 0);
}

// ---------------------------------------------------------------------- expressions

static expr translate(tp_summary_writer *w, tp_rbound b);

static expr number(tp_summary_writer *w, int64_t v) {
  expr n = tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_NUMBER, .number = v < 0 ? -v : v},
                             NULL, 0, NULL, 0);
  return v < 0 ? tp_summary_unary(w, TP_SPEC_NEGATIVE, n) : n;
}

/* {x}: with integers, + and - are of sets only there. */
static expr set_of(tp_summary_writer *w, expr x) {
  if (x && x->kind == TP_SPEC_SET_OF) return x;
  return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_SET_OF}, &x, 1, NULL, 0);
}

static bool is_integer(const tp_summary_writer *w, tp_type t) {
  const tp_type_kind k = t.id ? tp_type_of(w->s->p, t)->kind : TP_T_VOID;
  if (k == TP_T_ARRAY) return is_integer(w, tp_type_of(w->s->p, t)->element);
  return k == TP_T_INT || k == TP_T_ENUM || k == TP_T_BOOL;
}

static bool has_integers(tp_summary_writer *w, tp_rbound b);

static bool find_integers(tp_summary_writer *w, tp_rbound b) {
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

/* Has the expression integers in its last column? */
static bool has_integers(tp_summary_writer *w, tp_rbound b) {
  uint64_t known;
  if (tp_map_get(&w->integers, b.id, &known)) return known - 1;
  const bool has = find_integers(w, b);
  tp_map_set(&w->integers, b.id, 1u + has);
  return has;
}

/* univ -> ... -> univ */
static expr universe(tp_summary_writer *w, uint32_t arity) {
  expr x = tp_summary_atom(w, TP_SPEC_UNIV);
  for (uint32_t i = 1; i < arity; i++)
    x = tp_summary_binary(w, TP_SPEC_PRODUCT, x, tp_summary_atom(w, TP_SPEC_UNIV));
  return x;
}

static expr translate_name(tp_summary_writer *w, tp_rbound b) {
  uint64_t found;
  if (b.id == w->s->alloc.id) return tp_summary_atom(w, TP_SPEC_ALLOC);
  if (tp_map_get(&w->s->var_of, b.id, &found))
    return tp_summary_variable_name(w, tp_var_of(w->s->p, (tp_var){(uint32_t)found}));
  return tp_summary_symbol_name(w, tp_rbound_name_of(w->t, b)->symbol);
}

static void note_new(tp_summary_writer *w, tp_rbound b) {
  for (size_t i = 0; i < w->made.n; i++)
    if (w->made.at[i].id == b.id) return;
  tp_vec_push(&w->made, b);
}

static expr translate_leaf(tp_summary_writer *w, tp_rbound b, const tp_rbound_node *n) {
  const tp_rbound_kind k = n->kind;
  if (k == TP_RBOUND_NAME) return translate_name(w, b);
  if (k == TP_RBOUND_INT) return set_of(w, number(w, n->number));
  if (k == TP_RBOUND_NEW) {
    note_new(w, b);
    return tp_summary_name(w, tp_summary_new_name(w, n->number), NULL);
  }
  if (k == TP_RBOUND_NEW_SET) {
    const expr type = tp_summary_type_name(w, n->basic);
    return tp_summary_binary(w, TP_SPEC_DIFFERENCE,
                             type ? type : tp_summary_atom(w, TP_SPEC_OBJECTS),
                             tp_summary_atom(w, TP_SPEC_ALLOC));
  }
  if (k == TP_RBOUND_UNIV) return universe(w, n->arity);
  return tp_summary_atom(w, k == TP_RBOUND_NULL    ? TP_SPEC_NULL
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

static bool is_walk(const tp_rbound_node *n) { return n->kind == TP_RBOUND_FIRST; }

/* null = a value with a walk: no value - null, since what it passes can never be null, and types
 * in which sides of = have nothing in common are refused. NULL: another equality. */
static expr null_test(tp_summary_writer *w, const tp_rbound_node *n, tp_spec_expr_kind how) {
  for (uint32_t i = 0; i < 2; i++)
    if (tp_rbound_at(w->t, n->kids[i])->kind == TP_RBOUND_NULL &&
        tp_rbound_has_some(w->t, n->kids[1 - i], is_walk))
      return tp_summary_unary(w, how,
                              tp_summary_binary(w, TP_SPEC_DIFFERENCE, translate(w, n->kids[1 - i]),
                                                tp_summary_atom(w, TP_SPEC_NULL)));
  return NULL;
}

static expr translate_not(tp_summary_writer *w, tp_rbound f) {
  const tp_rbound_node *n = tp_rbound_at(w->t, f);
  const expr some = n->kind == TP_RBOUND_EQUAL ? null_test(w, n, TP_SPEC_SOME) : NULL;
  if (some) return some;
  if (n->kind == TP_RBOUND_EQUAL)
    return tp_summary_binary(w, TP_SPEC_UNEQUAL, translate(w, n->kids[0]),
                             translate(w, n->kids[1]));
  return tp_summary_unary(w, TP_SPEC_NOT, translate(w, f));
}

/* x.*(r - (s -> univ)) & s */
static expr translate_first(tp_summary_writer *w, expr x, const tp_rbound_node *n) {
  const expr stops = tp_summary_binary(w, TP_SPEC_PRODUCT, translate(w, n->kids[2]),
                                       tp_summary_atom(w, TP_SPEC_UNIV)),
             steps = tp_summary_binary(w, TP_SPEC_DIFFERENCE, translate(w, n->kids[1]), stops);
  return tp_summary_binary(
      w, TP_SPEC_INTERSECTION,
      tp_summary_binary(w, TP_SPEC_JOIN, x, tp_summary_unary(w, TP_SPEC_REFLEXIVE, steps)),
      translate(w, n->kids[2]));
}

static const char *part_name(tp_summary_writer *w, uint64_t number) {
  const char *name = tp_arena_printf(w->a, "part%llu", (unsigned long long)number);
  while (n_symbols(w, name) || is_parameter(w, name)) name = tp_arena_printf(w->a, "%s_", name);
  return name;
}

static expr operation(tp_summary_writer *w, tp_rbound b, const tp_rbound_node *n);

/* NULL: the language cannot say it. */
static expr translate(tp_summary_writer *w, tp_rbound b) {
  uint64_t part;
  if (tp_map_get(&w->shared, b.id, &part)) return tp_summary_name(w, part_name(w, part), NULL);
  return operation(w, b, tp_rbound_at(w->t, b));
}

static expr operation(tp_summary_writer *w, tp_rbound b, const tp_rbound_node *n) {
  if (n->n_kids == 0) return translate_leaf(w, b, n);
  if (n->kind == TP_RBOUND_NOT) return translate_not(w, n->kids[0]);
  const expr no = n->kind == TP_RBOUND_EQUAL ? null_test(w, n, TP_SPEC_NO) : NULL;
  if (no) return no;
  expr all = translate(w, n->kids[0]);
  if (n->kind == TP_RBOUND_REACH)
    return tp_summary_binary(w, TP_SPEC_JOIN, all,
                             tp_summary_unary(w, TP_SPEC_REFLEXIVE, translate(w, n->kids[1])));
  if (n->kind == TP_RBOUND_FIRST) return translate_first(w, all, n);
  if (n->kind == TP_RBOUND_LESS)
    return tp_summary_binary(w, TP_SPEC_LESS, tp_summary_unary(w, TP_SPEC_TO_INT, all),
                             tp_summary_unary(w, TP_SPEC_TO_INT, translate(w, n->kids[1])));
  if (n->kind == TP_RBOUND_IF) {
    const expr kids[] = {all, translate(w, n->kids[1]), translate(w, n->kids[2])};
    return tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_IF}, kids, 3, NULL, 0);
  }
  const bool is_sum = n->kind == TP_RBOUND_UNION || n->kind == TP_RBOUND_DIFFERENCE;
  const bool in_braces = is_sum && n->arity == 1 && has_integers(w, b);
  for (uint32_t i = 1; i < n->n_kids; i++) {
    const expr x = in_braces ? set_of(w, all) : all, y = translate(w, n->kids[i]);
    all = tp_summary_binary(w, kind_of(n->kind), x, in_braces ? set_of(w, y) : y);
  }
  return all;
}

// ----------------------------------------------------------------------- parts with names

typedef struct {
  tp_map n_uses;           // by expression
  TP_VEC(tp_rbound) many;  // relations that are operands more than once
} uses;

static void count_uses(const tp_summary_writer *w, tp_rbound b, uses *u) {
  const tp_rbound_node *n = tp_rbound_at(w->t, b);
  uint64_t before = 0;
  if (n->n_kids == 0) return;
  (void)tp_map_get(&u->n_uses, b.id, &before);
  tp_map_set(&u->n_uses, b.id, before + 1);
  if (before == 1 && n->arity > 0 && n->size > TP_CONTRACTS_BOUND_LET) tp_vec_push(&u->many, b);
  for (uint32_t i = 0; i < n->n_kids && !before; i++) count_uses(w, n->kids[i], u);
}

static int by_age(const void *a, const void *b) {
  const uint32_t x = ((const tp_rbound *)a)->id, y = ((const tp_rbound *)b)->id;
  return (x > y) - (x < y);
}

/* let part1 = ..., part2 = ... | bound: what a large bound has several times is written once, each
 * part behind those that it has inside, which are older. */
expr tp_summary_expression(tp_summary_writer *w, tp_rbound bound) {
  uses u = {0};
  TP_REQUIRE(w->shared.n == 0);
  if (tp_rbound_at(w->t, bound)->size <= TP_CONTRACTS_BOUND_LETS) return translate(w, bound);
  count_uses(w, bound, &u);
  if (u.many.n) qsort(u.many.at, u.many.n, sizeof *u.many.at, by_age);
  tp_spec_expr_decl *parts = tp_arena_array(w->a, tp_spec_expr_decl, u.many.n + 1);
  bool ok = true;
  for (uint32_t i = 0; i < u.many.n && ok; i++) {
    parts[i] =
        (tp_spec_expr_decl){.name = part_name(w, i + 1), .bound = translate(w, u.many.at[i])};
    ok = parts[i].bound != NULL;
    tp_map_set(&w->shared, u.many.at[i].id, i + 1);
  }
  expr x = ok ? translate(w, bound) : NULL;
  if (x && u.many.n)
    x = tp_spec_expr_make(w->a, (tp_spec_expr){.kind = TP_SPEC_LET}, &x, 1, parts,
                          (uint32_t)u.many.n);
  tp_map_clear(&w->shared);
  tp_map_clear(&u.n_uses);
  tp_vec_clear(&u.many);
  return x;
}
