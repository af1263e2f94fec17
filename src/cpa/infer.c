/* Atoms are found by one walk over all edges: Boolean terms that are no connective, wherever they
 * stand (conditions, values that are assigned). They are kept by variable, so that a variable that
 * is forgotten finds its own. */
#include "cpa/infer.h"

typedef TP_VEC(tp_term) term_list;

struct tp_infer {
  const tp_cpa_env *env;
  const tp_program *p;
  tp_terms *tt;
  uint32_t sources;
  tp_map list_of;  // variable's term -> index into lists + 1
  TP_VEC(term_list) lists;
  tp_map seen;   // terms that were walked over
  tp_map filed;  // predicates
};

bool tp_infer_parse(const char *words, uint32_t *sources) {
  static const char *const names[] = {"none", "syntactic", "given", "mined"};
  static const uint32_t meaning[] = {0, TP_INFER_SYNTACTIC, TP_INFER_GIVEN, TP_INFER_MINED};
  *sources = 0;
  for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
    size_t n = strcspn(words, " "), i = 0;
    while (i < 4 && !(strlen(names[i]) == n && strncmp(words, names[i], n) == 0)) i++;
    if (i == 4) return false;
    *sources |= meaning[i];
    words += n;
  }
  return true;
}

// ----------------------------------------------------------------------- atoms

typedef struct {
  tp_infer *x;
  tp_term atom;
} filing;

static void index_under(void *ctx, tp_term var) {
  const filing *f = ctx;
  tp_infer *x = f->x;
  uint64_t at;
  if (!tp_map_get(&x->list_of, var.id, &at)) {
    tp_vec_push(&x->lists, (term_list){0});
    at = x->lists.n;
    tp_map_set(&x->list_of, var.id, at);
  }
  tp_vec_push(&x->lists.at[at - 1], f->atom);
}

/* Of x < y and y <= x one is enough. */
static void add_predicate(tp_infer *x, tp_term t) {
  TP_REQUIRE(tp_sort_kind_of(x->tt, tp_sort_of(x->tt, t)) == TP_SORT_BOOL);
  if (tp_map_has(&x->filed, t.id) || tp_map_has(&x->filed, tp_mk_not(x->tt, t).id)) return;
  tp_map_set(&x->filed, t.id, 1);
  tp_for_vars(x->tt, t, index_under, &(filing){x, t});
}

static bool is_connective(const tp_infer *x, tp_term t) {
  tp_term_kind k = tp_kind(x->tt, t);
  if (k == TP_OP_AND || k == TP_OP_OR || k == TP_OP_NOT || k == TP_OP_ITE || k == TP_OP_XOR)
    return true;
  return k == TP_OP_EQ &&
         tp_sort_kind_of(x->tt, tp_sort_of(x->tt, tp_arg(x->tt, t, 0))) == TP_SORT_BOOL;
}

static tp_visit add_atom(void *ctx, tp_term t) {
  tp_infer *x = ctx;
  bool is_atom = tp_sort_kind_of(x->tt, tp_sort_of(x->tt, t)) == TP_SORT_BOOL &&
                 !is_connective(x, t) && !tp_is_const(x->tt, t);
  if (is_atom) add_predicate(x, t);
  return TP_VISIT_ARGS;
}

static void add_atoms(tp_infer *x, tp_term t) {
  (void)tp_visit_terms(x->tt, t, &(tp_visitor){.ctx = x, .visit = add_atom}, &x->seen);
}

tp_infer *tp_infer_new(const tp_cpa_env *env, uint32_t sources) {
  tp_infer *x = TP_NEW(tp_infer);
  *x = (tp_infer){.env = env, .p = env->program, .tt = env->terms, .sources = sources};
  for (size_t i = 0; i < env->n_given_predicates && sources & TP_INFER_GIVEN; i++)
    add_predicate(x, env->given_predicates[i]);
  for (uint32_t e = 1; e < x->p->edges.n && sources & TP_INFER_SYNTACTIC; e++) {
    const tp_edge_info *edge = &x->p->edges.at[e];
    add_atoms(x, edge->a);
    add_atoms(x, edge->b);
    for (uint32_t i = 0; i < edge->n_args; i++) add_atoms(x, edge->args[i]);
  }
  return x;
}

void tp_infer_free(tp_infer *x) {
  if (!x) return;
  for (size_t i = 0; i < x->lists.n; i++) tp_vec_clear(&x->lists.at[i]);
  tp_vec_clear(&x->lists);
  tp_map_clear(&x->list_of);
  tp_map_clear(&x->seen);
  tp_map_clear(&x->filed);
  tp_free(x);
}

// ----------------------------------------------------------------------- cells

static const term_list *list_of(const tp_infer *x, tp_term var) {
  uint64_t at;
  return tp_map_get(&x->list_of, var.id, &at) ? &x->lists.at[at - 1] : NULL;
}

/* What is asked of a variable that was loaded from the cell, asked of the cell. */
static void visit_loads(const tp_infer *x, tp_term cell, tp_term address,
                        void (*visit)(void *ctx, tp_term predicate), void *ctx) {
  for (uint32_t e = 1; e < x->p->edges.n; e++) {
    const tp_edge_info *edge = &x->p->edges.at[e];
    if (edge->kind != TP_E_LOAD || !tp_term_eq(edge->a, address)) continue;
    const tp_term var = tp_var_of(x->p, edge->var)->term;
    if (!tp_sort_eq(tp_sort_of(x->tt, var), tp_sort_of(x->tt, cell))) continue;
    const term_list *l = list_of(x, var);
    for (size_t i = 0; l && i < l->n; i++) visit(ctx, tp_replace(x->tt, l->at[i], var, cell));
  }
}

void tp_infer_predicates(tp_infer *x, const tp_precision_transfer *from, tp_term lvalue,
                         void (*visit)(void *ctx, tp_term predicate), void *ctx) {
  TP_REQUIRE(tp_term_is(lvalue) && from->cpa);
  tp_term address;
  const term_list *l = list_of(x, lvalue);
  for (size_t i = 0; l && i < l->n; i++) visit(ctx, l->at[i]);
  if (x->sources & TP_INFER_SYNTACTIC && tp_is_cell(x->p, lvalue, &address))
    visit_loads(x, lvalue, address, visit, ctx);
  if (x->sources & TP_INFER_MINED) tp_infer_mine(x->env, from, lvalue, visit, ctx);
}
