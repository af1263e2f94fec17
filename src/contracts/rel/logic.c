/* The table of nodes: every kind is a row (name, sort); every constructor checks arities and
 * interns, so that equal nodes have equal ids. Nodes are made bottom-up: kids have smaller ids, and
 * passes over the DAG are loops over ids. */
#include "contracts/rel/logic.h"

#include "contracts/contracts_limits.h"

#include <stdio.h>

typedef struct {
  const char *name;
  tp_rel_sort sort;
} kind_row;

#define EXPR TP_REL_SORT_EXPR
#define INT TP_REL_SORT_INT
#define FORMULA TP_REL_SORT_FORMULA
static const kind_row kinds[] = {
    [TP_REL_RELATION] = {"relation", EXPR},
    [TP_REL_VARIABLE] = {"variable", EXPR},
    [TP_REL_UNIV] = {"univ", EXPR},
    [TP_REL_IDEN] = {"iden", EXPR},
    [TP_REL_NONE] = {"none", EXPR},
    [TP_REL_INTS] = {"Int", EXPR},
    [TP_REL_UNION] = {"+", EXPR},
    [TP_REL_INTERSECTION] = {"&", EXPR},
    [TP_REL_DIFFERENCE] = {"-", EXPR},
    [TP_REL_JOIN] = {".", EXPR},
    [TP_REL_PRODUCT] = {"->", EXPR},
    [TP_REL_OVERRIDE] = {"++", EXPR},
    [TP_REL_DOMAIN] = {"<:", EXPR},
    [TP_REL_RANGE] = {":>", EXPR},
    [TP_REL_TRANSPOSE] = {"~", EXPR},
    [TP_REL_CLOSURE] = {"^", EXPR},
    [TP_REL_REFLEXIVE] = {"*", EXPR},
    [TP_REL_COMPREHENSION] = {"comprehension", EXPR},
    [TP_REL_IF] = {"if", EXPR},
    [TP_REL_LET] = {"let", EXPR},
    [TP_REL_ATOM_OF] = {"Int", EXPR},
    [TP_REL_CONSTANT] = {"constant", INT},
    [TP_REL_CARDINALITY] = {"#", INT},
    [TP_REL_TOTAL] = {"int", INT},
    [TP_REL_ONLY_INT] = {"the", INT},
    [TP_REL_PLUS] = {"+", INT},
    [TP_REL_MINUS] = {"-", INT},
    [TP_REL_TIMES] = {"*", INT},
    [TP_REL_QUOTIENT] = {"/", INT},
    [TP_REL_REMAINDER] = {"%", INT},
    [TP_REL_NEGATIVE] = {"-", INT},
    [TP_REL_SUM] = {"sum", INT},
    [TP_REL_INT_IF] = {"if", INT},
    [TP_REL_INT_LET] = {"let", INT},
    [TP_REL_TRUE] = {"true", FORMULA},
    [TP_REL_FALSE] = {"false", FORMULA},
    [TP_REL_NOT] = {"not", FORMULA},
    [TP_REL_AND] = {"and", FORMULA},
    [TP_REL_OR] = {"or", FORMULA},
    [TP_REL_IFF] = {"iff", FORMULA},
    [TP_REL_FORMULA_IF] = {"if", FORMULA},
    [TP_REL_FORMULA_LET] = {"let", FORMULA},
    [TP_REL_IN] = {"in", FORMULA},
    [TP_REL_EQUAL] = {"=", FORMULA},
    [TP_REL_SOME] = {"some", FORMULA},
    [TP_REL_NO] = {"no", FORMULA},
    [TP_REL_ONE] = {"one", FORMULA},
    [TP_REL_LONE] = {"lone", FORMULA},
    [TP_REL_ALL_OF] = {"all", FORMULA},
    [TP_REL_SOME_OF] = {"some", FORMULA},
    [TP_REL_INT_EQUAL] = {"=", FORMULA},
    [TP_REL_LESS] = {"<", FORMULA},
    [TP_REL_AT_MOST] = {"<=", FORMULA},
};

tp_rel_sort tp_rel_sort_of(tp_rel_kind k) {
  TP_REQUIRE(k <= TP_REL_AT_MOST);
  return kinds[k].sort;
}

typedef struct {
  uint32_t name, arity;
} named;

/* A formula that says "total order": asked for when symmetry is broken. */
typedef struct {
  tp_rel_formula formula;
  tp_rel_expr relation, set;
} order;

struct tp_rel {
  tp_arena arena;  // what nodes point to
  tp_names *names;
  TP_VEC(tp_rel_node) nodes;  // [0] unused
  TP_VEC(named) relations;
  TP_VEC(named) variables;  // [0] unused
  TP_VEC(order) orders;
  uint32_t *slots;  // hash table of ids, 0: free
  size_t n_slots;
  tp_str error;
};

tp_rel *tp_rel_new(void) {
  tp_rel *l = TP_NEW(tp_rel);
  tp_arena_init(&l->arena);
  l->names = tp_names_new();
  tp_vec_push(&l->nodes, (tp_rel_node){.kind = TP_REL_NONE});
  tp_vec_push(&l->variables, (named){0, 0});
  return l;
}

void tp_rel_free(tp_rel *l) {
  if (!l) return;
  tp_arena_clear(&l->arena);
  tp_names_free(l->names);
  tp_vec_clear(&l->nodes);
  tp_vec_clear(&l->relations);
  tp_vec_clear(&l->variables);
  tp_vec_clear(&l->orders);
  tp_free(l->slots);
  tp_str_clear(&l->error);
  tp_free(l);
}

const char *tp_rel_error(const tp_rel *l) { return l->error.n ? l->error.text : NULL; }
const tp_rel_node *tp_rel_at(const tp_rel *l, uint32_t id) {
  TP_REQUIRE(id < l->nodes.n);
  return &l->nodes.at[id];
}
uint32_t tp_rel_n_nodes(const tp_rel *l) { return (uint32_t)l->nodes.n; }
uint32_t tp_rel_n_relations(const tp_rel *l) { return (uint32_t)l->relations.n; }
uint32_t tp_rel_n_variables(const tp_rel *l) { return (uint32_t)l->variables.n - 1; }
const char *tp_rel_relation_name(const tp_rel *l, uint32_t r) {
  TP_REQUIRE(r < l->relations.n);
  return tp_name_text(l->names, l->relations.at[r].name);
}
uint32_t tp_rel_relation_arity(const tp_rel *l, uint32_t r) {
  TP_REQUIRE(r < l->relations.n);
  return l->relations.at[r].arity;
}
uint32_t tp_rel_relation_number(const tp_rel *l, tp_rel_expr r) {
  TP_REQUIRE(l->nodes.at[r.id].kind == TP_REL_RELATION);
  return (uint32_t)l->nodes.at[r.id].number;
}
const char *tp_rel_variable_name(const tp_rel *l, uint32_t v) {
  TP_REQUIRE(v > 0 && v < l->variables.n);
  return tp_name_text(l->names, l->variables.at[v].name);
}

// -------------------------------------------------------------------- interning

static uint64_t hash_of(const tp_rel_node *n) {
  uint64_t h = tp_hash_mix((uint64_t)n->kind << 32 | n->arity, (uint64_t)n->number);
  for (uint32_t i = 0; i < n->n_kids; i++) h = tp_hash_mix(h, n->kids[i]);
  for (uint32_t i = 0; i < n->n_vars; i++) h = tp_hash_mix(h, n->vars[i]);
  return h;
}

static bool same_ids(const uint32_t *a, const uint32_t *b, uint32_t n) {
  return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

static bool same(const tp_rel_node *a, const tp_rel_node *b) {
  return a->kind == b->kind && a->arity == b->arity && a->number == b->number &&
         a->n_kids == b->n_kids && a->n_vars == b->n_vars &&
         same_ids(a->kids, b->kids, a->n_kids) && same_ids(a->vars, b->vars, a->n_vars);
}

static size_t slot_of(const tp_rel *l, const tp_rel_node *n) {
  TP_INVARIANT(l->n_slots > l->nodes.n);  // a free slot ends every search
  size_t at = (size_t)hash_of(n) & (l->n_slots - 1);
  while (l->slots[at] && !same(&l->nodes.at[l->slots[at]], n)) at = (at + 1) & (l->n_slots - 1);
  return at;
}

static void grow(tp_rel *l) {
  size_t n = l->n_slots ? l->n_slots * 2 : 256;
  tp_free(l->slots);
  l->slots = TP_NEW_ARRAY(uint32_t, n);
  l->n_slots = n;
  for (uint32_t i = 1; i < l->nodes.n; i++) l->slots[slot_of(l, &l->nodes.at[i])] = i;
}

static uint32_t *keep(tp_rel *l, const uint32_t *ids, uint32_t n) {
  if (n == 0) return NULL;
  uint32_t *at = tp_arena_array(&l->arena, uint32_t, n);
  memcpy(at, ids, n * sizeof *ids);
  return at;
}

static bool is_in(const uint32_t *ids, uint32_t n, uint32_t id) {
  for (uint32_t i = 0; i < n; i++)
    if (ids[i] == id) return true;
  return false;
}

/* Variables that are free in the node: those of its kids, without those that are bound before them.
 * The sets of a quantifier see the variables declared before them, its body all. */
static void find_free(tp_rel *l, tp_rel_node *n) {
  TP_REQUIRE(n->n_vars <= n->n_kids);
  TP_VEC(uint32_t) vars = {0};
  if (n->kind == TP_REL_VARIABLE) tp_vec_push(&vars, (uint32_t)n->number);
  for (uint32_t i = 0; i < n->n_kids; i++) {
    const tp_rel_node *kid = &l->nodes.at[n->kids[i]];
    const uint32_t bound = i < n->n_vars ? i : n->n_vars;
    for (uint32_t j = 0; j < kid->n_free; j++)
      if (!is_in(n->vars, bound, kid->free[j]) && !is_in(vars.at, (uint32_t)vars.n, kid->free[j]))
        tp_vec_push(&vars, kid->free[j]);
  }
  for (size_t i = 1; i < vars.n; i++)
    for (size_t j = i; j > 0 && vars.at[j - 1] > vars.at[j]; j--) {
      uint32_t t = vars.at[j];
      vars.at[j] = vars.at[j - 1];
      vars.at[j - 1] = t;
    }
  n->n_free = (uint32_t)vars.n;
  n->free = keep(l, vars.at, n->n_free);
  tp_vec_clear(&vars);
}

static uint32_t fail(tp_rel *l, const char *fmt, ...) TP_PRINTF(2, 3);
static uint32_t fail(tp_rel *l, const char *fmt, ...) {
  if (l->error.n) return 0;
  char text[512];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  tp_str_add(&l->error, text);
  return 0;
}

static uint32_t make(tp_rel *l, tp_rel_node n) {
  TP_REQUIRE(n.n_vars <= n.n_kids && n.arity <= TP_CONTRACTS_ARITY);
  if (l->nodes.n * 2 >= l->n_slots) grow(l);
  size_t at = slot_of(l, &n);
  if (l->slots[at]) return l->slots[at];
  n.depth = 1;
  for (uint32_t i = 0; i < n.n_kids; i++)
    if (l->nodes.at[n.kids[i]].depth >= n.depth) n.depth = l->nodes.at[n.kids[i]].depth + 1;
  if (n.depth > TP_CONTRACTS_FORMULA_LEVELS)
    return fail(l, "nested deeper than %d levels", TP_CONTRACTS_FORMULA_LEVELS);
  n.kids = keep(l, n.kids, n.n_kids);
  n.vars = keep(l, n.vars, n.n_vars);
  find_free(l, &n);
  l->slots[at] = (uint32_t)l->nodes.n;
  tp_vec_push(&l->nodes, n);
  return (uint32_t)l->nodes.n - 1;
}

static uint32_t make0(tp_rel *l, tp_rel_kind k, uint32_t arity, int64_t number) {
  return make(l, (tp_rel_node){.kind = k, .arity = arity, .number = number});
}

/* With kids; 0 if one of them is 0. */
static uint32_t make_over(tp_rel *l, tp_rel_kind k, uint32_t arity, const uint32_t *kids,
                          uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (!kids[i]) return 0;
  return make(l, (tp_rel_node){.kind = k, .arity = arity, .kids = kids, .n_kids = n});
}

// ------------------------------------------------------------------------ checks

static uint32_t arity_of(const tp_rel *l, tp_rel_expr e) {
  TP_REQUIRE(e.id < l->nodes.n);
  return l->nodes.at[e.id].arity;
}

static uint32_t wrong_arity(tp_rel *l, tp_rel_kind k, tp_rel_expr a, const char *wanted) {
  tp_str text = {0};
  tp_rel_print(l, a.id, &text);
  fail(l, "%s: %s is wanted, `%s` has arity %u", kinds[k].name, wanted, tp_str_text(&text),
       arity_of(l, a));
  tp_str_clear(&text);
  return 0;
}

static bool have_equal_arity(tp_rel *l, tp_rel_kind k, tp_rel_expr a, tp_rel_expr b) {
  if (arity_of(l, a) == arity_of(l, b)) return true;
  tp_str x = {0}, y = {0};
  tp_rel_print(l, a.id, &x);
  tp_rel_print(l, b.id, &y);
  fail(l, "%s: equal arities are wanted, `%s` has arity %u, `%s` has arity %u", kinds[k].name,
       tp_str_text(&x), arity_of(l, a), tp_str_text(&y), arity_of(l, b));
  tp_str_clear(&x);
  tp_str_clear(&y);
  return false;
}

// --------------------------------------------------------------------- relations

tp_rel_expr tp_rel_relation(tp_rel *l, const char *name, uint32_t arity) {
  TP_REQUIRE(name != NULL);
  if (arity == 0 || arity > TP_CONTRACTS_ARITY)
    return (tp_rel_expr){
        fail(l, "relation `%s`: arity %u is not in 1 .. %d", name, arity, TP_CONTRACTS_ARITY)};
  const uint32_t id = tp_name_of(l->names, name);
  for (uint32_t r = 0; r < l->relations.n; r++) {
    if (l->relations.at[r].name != id) continue;
    if (l->relations.at[r].arity != arity)
      return (tp_rel_expr){fail(l, "relation `%s`: arity %u was declared, arity %u is wanted", name,
                                l->relations.at[r].arity, arity)};
    return (tp_rel_expr){make0(l, TP_REL_RELATION, arity, r)};
  }
  tp_vec_push(&l->relations, (named){id, arity});
  return (tp_rel_expr){make0(l, TP_REL_RELATION, arity, (int64_t)l->relations.n - 1)};
}

tp_rel_expr tp_rel_univ(tp_rel *l) { return (tp_rel_expr){make0(l, TP_REL_UNIV, 1, 0)}; }
tp_rel_expr tp_rel_iden(tp_rel *l) { return (tp_rel_expr){make0(l, TP_REL_IDEN, 2, 0)}; }
tp_rel_expr tp_rel_ints(tp_rel *l) { return (tp_rel_expr){make0(l, TP_REL_INTS, 1, 0)}; }

tp_rel_expr tp_rel_none(tp_rel *l, uint32_t arity) {
  if (arity == 0 || arity > TP_CONTRACTS_ARITY)
    return (tp_rel_expr){fail(l, "none: arity %u is not in 1 .. %d", arity, TP_CONTRACTS_ARITY)};
  return (tp_rel_expr){make0(l, TP_REL_NONE, arity, 0)};
}

/* The arity of the result, 0 where it is an error. */
static uint32_t binary_arity(tp_rel *l, tp_rel_kind k, tp_rel_expr a, tp_rel_expr b) {
  const uint32_t m = arity_of(l, a), n = arity_of(l, b);
  switch ((int)k) {
    case TP_REL_UNION:
    case TP_REL_INTERSECTION:
    case TP_REL_DIFFERENCE:
    case TP_REL_OVERRIDE: return have_equal_arity(l, k, a, b) ? m : 0;
    case TP_REL_JOIN:
      if (m + n < 3) return wrong_arity(l, k, a, "something other than two sets");
      break;
    case TP_REL_PRODUCT: break;
    case TP_REL_DOMAIN: return m == 1 ? n : wrong_arity(l, k, a, "a set");
    case TP_REL_RANGE: return n == 1 ? m : wrong_arity(l, k, b, "a set");
    default: return fail(l, "`%s` is not an operator between relations", kinds[k].name);
  }
  const uint32_t r = k == TP_REL_JOIN ? m + n - 2 : m + n;
  return r <= TP_CONTRACTS_ARITY
             ? r
             : fail(l, "%s: arity %u is more than %d", kinds[k].name, r, TP_CONTRACTS_ARITY);
}

tp_rel_expr tp_rel_binary(tp_rel *l, tp_rel_kind k, tp_rel_expr a, tp_rel_expr b) {
  if (!a.id || !b.id) return (tp_rel_expr){0};
  const uint32_t arity = binary_arity(l, k, a, b);
  return (tp_rel_expr){arity ? make_over(l, k, arity, (uint32_t[]){a.id, b.id}, 2) : 0};
}

tp_rel_expr tp_rel_unary(tp_rel *l, tp_rel_kind k, tp_rel_expr a) {
  if (!a.id) return a;
  if (k != TP_REL_TRANSPOSE && k != TP_REL_CLOSURE && k != TP_REL_REFLEXIVE)
    return (tp_rel_expr){fail(l, "`%s` is not an operator on one relation", kinds[k].name)};
  if (arity_of(l, a) != 2) return (tp_rel_expr){wrong_arity(l, k, a, "a relation of arity 2")};
  return (tp_rel_expr){make_over(l, k, 2, &a.id, 1)};
}

tp_rel_expr tp_rel_if(tp_rel *l, tp_rel_formula c, tp_rel_expr a, tp_rel_expr b) {
  if (!a.id || !b.id || !have_equal_arity(l, TP_REL_IF, a, b)) return (tp_rel_expr){0};
  return (tp_rel_expr){make_over(l, TP_REL_IF, arity_of(l, a), (uint32_t[]){c.id, a.id, b.id}, 3)};
}

tp_rel_expr tp_rel_atom_of(tp_rel *l, tp_rel_int i) {
  return (tp_rel_expr){make_over(l, TP_REL_ATOM_OF, 1, &i.id, 1)};
}

// --------------------------------------------------------------------- variables

tp_rel_var tp_rel_variable(tp_rel *l, const char *name, uint32_t arity) {
  if (arity == 0 || arity > TP_CONTRACTS_ARITY)
    return (tp_rel_var){
        fail(l, "variable `%s`: arity %u is not in 1 .. %d", name, arity, TP_CONTRACTS_ARITY)};
  tp_vec_push(&l->variables, (named){tp_name_of(l->names, name), arity});
  return (tp_rel_var){(uint32_t)l->variables.n - 1};
}

tp_rel_expr tp_rel_use(tp_rel *l, tp_rel_var v) {
  TP_REQUIRE(v.id < l->variables.n);
  return (tp_rel_expr){v.id ? make0(l, TP_REL_VARIABLE, l->variables.at[v.id].arity, v.id) : 0};
}

/* What binds variables: their sets, then the body. */
static uint32_t make_binder(tp_rel *l, tp_rel_kind k, uint32_t arity, const tp_rel_decl *decls,
                            uint32_t n, uint32_t body) {
  TP_REQUIRE(body < l->nodes.n);
  uint32_t kids[TP_CONTRACTS_QUANTIFIED + 1], vars[TP_CONTRACTS_QUANTIFIED];
  if (n == 0 || n > TP_CONTRACTS_QUANTIFIED)
    return fail(l, "%s: %u variables, 1 .. %d are wanted", kinds[k].name, n,
                TP_CONTRACTS_QUANTIFIED);
  for (uint32_t i = 0; i < n; i++) {
    if (!decls[i].var.id || !decls[i].in.id) return 0;
    const char *name = tp_rel_variable_name(l, decls[i].var.id);
    if (is_in(vars, i, decls[i].var.id))
      return fail(l, "%s: variable `%s` is declared twice", kinds[k].name, name);
    if (l->variables.at[decls[i].var.id].arity != 1)
      return fail(l, "%s: variable `%s` must have arity 1: it stands for one atom", kinds[k].name,
                  name);
    if (arity_of(l, decls[i].in) != 1) return wrong_arity(l, k, decls[i].in, "a set");
    vars[i] = decls[i].var.id;
    kids[i] = decls[i].in.id;
  }
  kids[n] = body;
  return body ? make(l, (tp_rel_node){.kind = k,
                                      .arity = arity,
                                      .kids = kids,
                                      .n_kids = n + 1,
                                      .vars = vars,
                                      .n_vars = n})
              : 0;
}

tp_rel_expr tp_rel_comprehension(tp_rel *l, const tp_rel_decl *decls, uint32_t n,
                                 tp_rel_formula body) {
  return (tp_rel_expr){make_binder(l, TP_REL_COMPREHENSION, n, decls, n, body.id)};
}

tp_rel_int tp_rel_sum(tp_rel *l, const tp_rel_decl *decls, uint32_t n, tp_rel_int body) {
  return (tp_rel_int){make_binder(l, TP_REL_SUM, 0, decls, n, body.id)};
}

/* One and lone count the ways to choose the variables: tuples of a comprehension. */
tp_rel_formula tp_rel_quantify(tp_rel *l, tp_rel_quantifier q, const tp_rel_decl *decls, uint32_t n,
                               tp_rel_formula body) {
  switch (q) {
    case TP_REL_FOR_ALL:
      return (tp_rel_formula){make_binder(l, TP_REL_ALL_OF, 0, decls, n, body.id)};
    case TP_REL_FOR_SOME:
      return (tp_rel_formula){make_binder(l, TP_REL_SOME_OF, 0, decls, n, body.id)};
    case TP_REL_FOR_NO:
      return (tp_rel_formula){make_binder(l, TP_REL_ALL_OF, 0, decls, n, tp_rel_not(l, body).id)};
    case TP_REL_FOR_ONE:
      return tp_rel_multiplicity(l, TP_REL_ONE, tp_rel_comprehension(l, decls, n, body));
    case TP_REL_FOR_LONE:
      return tp_rel_multiplicity(l, TP_REL_LONE, tp_rel_comprehension(l, decls, n, body));
  }
  return (tp_rel_formula){0};
}

static uint32_t make_let(tp_rel *l, tp_rel_kind k, tp_rel_var v, tp_rel_expr value, uint32_t body) {
  TP_REQUIRE(v.id < l->variables.n && body < l->nodes.n);
  if (!v.id || !value.id || !body) return 0;
  if (l->variables.at[v.id].arity != arity_of(l, value))
    return fail(l, "let: variable `%s` has arity %u, its value arity %u",
                tp_rel_variable_name(l, v.id), l->variables.at[v.id].arity, arity_of(l, value));
  return make(l, (tp_rel_node){.kind = k,
                               .arity = l->nodes.at[body].arity,
                               .kids = (uint32_t[]){value.id, body},
                               .n_kids = 2,
                               .vars = &v.id,
                               .n_vars = 1});
}

tp_rel_expr tp_rel_let(tp_rel *l, tp_rel_var v, tp_rel_expr value, tp_rel_expr body) {
  return (tp_rel_expr){make_let(l, TP_REL_LET, v, value, body.id)};
}

tp_rel_int tp_rel_int_let(tp_rel *l, tp_rel_var v, tp_rel_expr value, tp_rel_int body) {
  return (tp_rel_int){make_let(l, TP_REL_INT_LET, v, value, body.id)};
}

tp_rel_formula tp_rel_formula_let(tp_rel *l, tp_rel_var v, tp_rel_expr value, tp_rel_formula body) {
  return (tp_rel_formula){make_let(l, TP_REL_FORMULA_LET, v, value, body.id)};
}

// ---------------------------------------------------------------------- integers

tp_rel_int tp_rel_constant(tp_rel *l, int64_t value) {
  return (tp_rel_int){make0(l, TP_REL_CONSTANT, 0, value)};
}
tp_rel_int tp_rel_cardinality(tp_rel *l, tp_rel_expr a) {
  return (tp_rel_int){make_over(l, TP_REL_CARDINALITY, 0, &a.id, 1)};
}

tp_rel_int tp_rel_total(tp_rel *l, tp_rel_expr a) {
  if (a.id && arity_of(l, a) != 1) return (tp_rel_int){wrong_arity(l, TP_REL_TOTAL, a, "a set")};
  return (tp_rel_int){make_over(l, TP_REL_TOTAL, 0, &a.id, 1)};
}

tp_rel_int tp_rel_only_int(tp_rel *l, tp_rel_expr a) {
  if (a.id && arity_of(l, a) != 1) return (tp_rel_int){wrong_arity(l, TP_REL_ONLY_INT, a, "a set")};
  return (tp_rel_int){make_over(l, TP_REL_ONLY_INT, 0, &a.id, 1)};
}

tp_rel_int tp_rel_arithmetic(tp_rel *l, tp_rel_kind k, tp_rel_int a, tp_rel_int b) {
  if (k < TP_REL_PLUS || k > TP_REL_REMAINDER)
    return (tp_rel_int){fail(l, "`%s` is not an operator between integers", kinds[k].name)};
  return (tp_rel_int){make_over(l, k, 0, (uint32_t[]){a.id, b.id}, 2)};
}

tp_rel_int tp_rel_negative(tp_rel *l, tp_rel_int a) {
  return (tp_rel_int){make_over(l, TP_REL_NEGATIVE, 0, &a.id, 1)};
}

tp_rel_int tp_rel_int_if(tp_rel *l, tp_rel_formula c, tp_rel_int a, tp_rel_int b) {
  return (tp_rel_int){make_over(l, TP_REL_INT_IF, 0, (uint32_t[]){c.id, a.id, b.id}, 3)};
}

// ---------------------------------------------------------------------- formulas

tp_rel_formula tp_rel_bool(tp_rel *l, bool value) {
  return (tp_rel_formula){make0(l, value ? TP_REL_TRUE : TP_REL_FALSE, 0, 0)};
}

/* match: not not f   result: f */
tp_rel_formula tp_rel_not(tp_rel *l, tp_rel_formula f) {
  TP_REQUIRE(f.id < l->nodes.n);
  if (l->nodes.at[f.id].kind == TP_REL_NOT && f.id)
    return (tp_rel_formula){l->nodes.at[f.id].kids[0]};
  return (tp_rel_formula){make_over(l, TP_REL_NOT, 0, &f.id, 1)};
}

static tp_rel_formula make_list(tp_rel *l, tp_rel_kind k, const tp_rel_formula *f, uint32_t n) {
  TP_REQUIRE(k == TP_REL_AND || k == TP_REL_OR);
  if (n == 0) return tp_rel_bool(l, k == TP_REL_AND);
  if (n == 1) return f[0];
  TP_VEC(uint32_t) ids = {0};
  for (uint32_t i = 0; i < n; i++) tp_vec_push(&ids, f[i].id);
  const tp_rel_formula r = {make_over(l, k, 0, ids.at, n)};
  tp_vec_clear(&ids);
  return r;
}

tp_rel_formula tp_rel_and_all(tp_rel *l, const tp_rel_formula *f, uint32_t n) {
  return make_list(l, TP_REL_AND, f, n);
}
tp_rel_formula tp_rel_or_all(tp_rel *l, const tp_rel_formula *f, uint32_t n) {
  return make_list(l, TP_REL_OR, f, n);
}
tp_rel_formula tp_rel_and(tp_rel *l, tp_rel_formula f, tp_rel_formula g) {
  return make_list(l, TP_REL_AND, (tp_rel_formula[]){f, g}, 2);
}
tp_rel_formula tp_rel_or(tp_rel *l, tp_rel_formula f, tp_rel_formula g) {
  return make_list(l, TP_REL_OR, (tp_rel_formula[]){f, g}, 2);
}
tp_rel_formula tp_rel_implies(tp_rel *l, tp_rel_formula f, tp_rel_formula g) {
  return tp_rel_or(l, tp_rel_not(l, f), g);
}

tp_rel_formula tp_rel_iff(tp_rel *l, tp_rel_formula f, tp_rel_formula g) {
  return (tp_rel_formula){make_over(l, TP_REL_IFF, 0, (uint32_t[]){f.id, g.id}, 2)};
}

tp_rel_formula tp_rel_formula_if(tp_rel *l, tp_rel_formula c, tp_rel_formula f, tp_rel_formula g) {
  return (tp_rel_formula){make_over(l, TP_REL_FORMULA_IF, 0, (uint32_t[]){c.id, f.id, g.id}, 3)};
}

tp_rel_formula tp_rel_compare(tp_rel *l, tp_rel_kind k, tp_rel_expr a, tp_rel_expr b) {
  if (k != TP_REL_IN && k != TP_REL_EQUAL)
    return (tp_rel_formula){fail(l, "`%s` does not compare relations", kinds[k].name)};
  if (!a.id || !b.id || !have_equal_arity(l, k, a, b)) return (tp_rel_formula){0};
  return (tp_rel_formula){make_over(l, k, 0, (uint32_t[]){a.id, b.id}, 2)};
}

tp_rel_formula tp_rel_multiplicity(tp_rel *l, tp_rel_kind k, tp_rel_expr a) {
  if (k < TP_REL_SOME || k > TP_REL_LONE)
    return (tp_rel_formula){fail(l, "`%s` is not a multiplicity", kinds[k].name)};
  return (tp_rel_formula){make_over(l, k, 0, &a.id, 1)};
}

tp_rel_formula tp_rel_compare_ints(tp_rel *l, tp_rel_kind k, tp_rel_int a, tp_rel_int b) {
  if (k < TP_REL_INT_EQUAL || k > TP_REL_AT_MOST)
    return (tp_rel_formula){fail(l, "`%s` does not compare integers", kinds[k].name)};
  return (tp_rel_formula){make_over(l, k, 0, (uint32_t[]){a.id, b.id}, 2)};
}

tp_rel_formula tp_rel_functional(tp_rel *l, tp_rel_totality t, tp_rel_expr r, tp_rel_expr from,
                                 tp_rel_expr to) {
  const tp_rel_var x = tp_rel_variable(l, "x", 1);
  const tp_rel_expr image = tp_rel_binary(l, TP_REL_JOIN, tp_rel_use(l, x), r);
  const tp_rel_formula count =
      tp_rel_multiplicity(l, t == TP_REL_PARTIAL ? TP_REL_LONE : TP_REL_ONE, image);
  return tp_rel_and(l, tp_rel_compare(l, TP_REL_IN, r, tp_rel_binary(l, TP_REL_PRODUCT, from, to)),
                    tp_rel_quantify(l, TP_REL_FOR_ALL, &(tp_rel_decl){x, from}, 1, count));
}

/* One atom `first` without predecessor from which all others are reached, and nobody has two
 * predecessors or two successors: a path through all of the set. */
tp_rel_formula tp_rel_total_order(tp_rel *l, tp_rel_expr r, tp_rel_expr set) {
  const tp_rel_expr back = tp_rel_unary(l, TP_REL_TRANSPOSE, r), univ = tp_rel_univ(l);
  const tp_rel_expr first =
      tp_rel_binary(l, TP_REL_DIFFERENCE, set, tp_rel_binary(l, TP_REL_JOIN, univ, r));
  const tp_rel_expr reached =
      tp_rel_binary(l, TP_REL_JOIN, first, tp_rel_unary(l, TP_REL_REFLEXIVE, r));
  const tp_rel_formula parts[] = {tp_rel_functional(l, TP_REL_PARTIAL, r, set, set),
                                  tp_rel_functional(l, TP_REL_PARTIAL, back, set, set),
                                  tp_rel_multiplicity(l, TP_REL_ONE, first),
                                  tp_rel_compare(l, TP_REL_IN, set, reached)};
  const tp_rel_formula all = tp_rel_and_all(l, parts, 4);
  if (all.id) tp_vec_push(&l->orders, (order){all, r, set});
  return all;
}

bool tp_rel_is_total_order(const tp_rel *l, tp_rel_formula f, tp_rel_expr *r, tp_rel_expr *set) {
  for (size_t i = 0; i < l->orders.n; i++) {
    if (l->orders.at[i].formula.id != f.id) continue;
    *r = l->orders.at[i].relation;
    *set = l->orders.at[i].set;
    return true;
  }
  return false;
}

// -------------------------------------------------------------------------- text

static void print_list(const tp_rel *l, const tp_rel_node *n, const char *between, tp_str *out) {
  tp_str_add_char(out, '(');
  for (uint32_t i = 0; i < n->n_kids; i++) {
    if (i) tp_str_printf(out, " %s ", between);
    tp_rel_print(l, n->kids[i], out);
  }
  tp_str_add_char(out, ')');
}

static void print_call(const tp_rel *l, const tp_rel_node *n, tp_str *out) {
  const char *name = kinds[n->kind].name;
  tp_str_printf(out, "%s%s", name, name[1] ? " " : "");
  tp_rel_print(l, n->kids[0], out);
}

static void print_binder(const tp_rel *l, const tp_rel_node *n, tp_str *out) {
  const bool is_set = n->kind == TP_REL_COMPREHENSION;
  if (is_set)
    tp_str_add_char(out, '{');
  else
    tp_str_printf(out, "(%s ", kinds[n->kind].name);
  for (uint32_t i = 0; i < n->n_vars; i++) {
    const bool is_let =
        n->kind == TP_REL_LET || n->kind == TP_REL_INT_LET || n->kind == TP_REL_FORMULA_LET;
    tp_str_printf(out, "%s%s%s", i ? ", " : "", tp_rel_variable_name(l, n->vars[i]),
                  is_let ? " = " : ": ");
    tp_rel_print(l, n->kids[i], out);
  }
  tp_str_add(out, " | ");
  tp_rel_print(l, n->kids[n->n_vars], out);
  tp_str_add_char(out, is_set ? '}' : ')');
}

static void print_if(const tp_rel *l, const tp_rel_node *n, tp_str *out) {
  tp_str_add_char(out, '(');
  tp_rel_print(l, n->kids[0], out);
  tp_str_add(out, " => ");
  tp_rel_print(l, n->kids[1], out);
  tp_str_add(out, " else ");
  tp_rel_print(l, n->kids[2], out);
  tp_str_add_char(out, ')');
}

static void print_leaf(const tp_rel *l, const tp_rel_node *n, tp_str *out) {
  switch ((int)n->kind) {
    case TP_REL_RELATION: tp_str_add(out, tp_rel_relation_name(l, (uint32_t)n->number)); return;
    case TP_REL_VARIABLE: tp_str_add(out, tp_rel_variable_name(l, (uint32_t)n->number)); return;
    case TP_REL_CONSTANT: tp_str_printf(out, "%lld", (long long)n->number); return;
    default: break;
  }
  tp_str_add(out, kinds[n->kind].name);
  if (n->kind == TP_REL_NONE && n->arity > 1) tp_str_printf(out, "%u", n->arity);
}

/* A node that is shared is written wherever it is used: without an end to it the text could be
 * exponential. */
void tp_rel_print(const tp_rel *l, uint32_t id, tp_str *out) {
  const tp_rel_node *n = &l->nodes.at[id];
  if (id == 0 || out->n > TP_CONTRACTS_FORMULA_TEXT)
    tp_str_add(out, id ? "..." : "error");
  else if (n->n_vars)
    print_binder(l, n, out);
  else if (n->n_kids == 0)
    print_leaf(l, n, out);
  else if (n->n_kids == 1)
    print_call(l, n, out);
  else if (n->kind == TP_REL_IF || n->kind == TP_REL_INT_IF || n->kind == TP_REL_FORMULA_IF)
    print_if(l, n, out);
  else
    print_list(l, n, kinds[n->kind].name, out);
}

// ------------------------------------------------------------------------- check

static bool is_sort(const tp_rel *l, const tp_rel_node *n, uint32_t kid, tp_rel_sort sort) {
  return kid < n->n_kids && kinds[l->nodes.at[n->kids[kid]].kind].sort == sort;
}

/* The arity that the kind and the kids give; TP_CONTRACTS_ARITY + 1: they do not fit each other. */
static uint32_t arity_by_kids(const tp_rel *l, const tp_rel_node *n) {
  const uint32_t wrong = TP_CONTRACTS_ARITY + 1,
                 a = n->n_kids > 0 ? l->nodes.at[n->kids[0]].arity : 0,
                 b = n->n_kids > 1 ? l->nodes.at[n->kids[1]].arity : 0;
  switch ((int)n->kind) {
    case TP_REL_UNION:
    case TP_REL_INTERSECTION:
    case TP_REL_DIFFERENCE:
    case TP_REL_OVERRIDE: return a == b ? a : wrong;
    case TP_REL_IN:
    case TP_REL_EQUAL: return a == b && a > 0 ? 0 : wrong;
    case TP_REL_JOIN: return a + b > 2 ? a + b - 2 : wrong;
    case TP_REL_PRODUCT: return a + b;
    case TP_REL_DOMAIN: return a == 1 ? b : wrong;
    case TP_REL_RANGE: return b == 1 ? a : wrong;
    case TP_REL_TRANSPOSE:
    case TP_REL_CLOSURE:
    case TP_REL_REFLEXIVE: return a == 2 ? a : wrong;
    case TP_REL_COMPREHENSION: return n->n_vars;
    case TP_REL_IF: return is_sort(l, n, 0, TP_REL_SORT_FORMULA) ? b : wrong;
    case TP_REL_LET: return b;
    case TP_REL_RELATION:
      return n->number < (int64_t)l->relations.n ? l->relations.at[n->number].arity : wrong;
    case TP_REL_VARIABLE:
      return n->number > 0 && n->number < (int64_t)l->variables.n ? l->variables.at[n->number].arity
                                                                  : wrong;
    case TP_REL_TOTAL:
    case TP_REL_ONLY_INT: return a == 1 ? 0 : wrong;
    default: return n->arity;
  }
}

static bool is_well_formed(const tp_rel *l, uint32_t id) {
  const tp_rel_node *n = &l->nodes.at[id];
  uint32_t depth = 0;
  for (uint32_t i = 0; i < n->n_kids; i++) {
    if (n->kids[i] == 0 || n->kids[i] >= id) return false;
    if (l->nodes.at[n->kids[i]].depth > depth) depth = l->nodes.at[n->kids[i]].depth;
  }
  for (uint32_t i = 0; i < n->n_vars; i++)
    if (n->vars[i] == 0 || n->vars[i] >= l->variables.n) return false;
  for (uint32_t i = 1; i < n->n_free; i++)
    if (n->free[i - 1] >= n->free[i]) return false;
  return n->depth == depth + 1 && n->arity == arity_by_kids(l, n) &&
         (n->arity > 0) == (kinds[n->kind].sort == TP_REL_SORT_EXPR);
}

bool tp_rel_check(const tp_rel *l) {
  for (uint32_t id = 1; id < l->nodes.n; id++)
    if (!is_well_formed(l, id)) return false;
  return true;
}
