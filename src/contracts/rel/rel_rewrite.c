/* One case for each kind of node; recursion is as deep as formulas may be
 * (TP_CONTRACTS_FORMULA_LEVELS). */
#include "contracts/rel/rel_rewrite.h"

void tp_rel_rewriter_init(tp_rel_rewriter *r, tp_rel *l, void *ctx,
                          tp_rel_rewrite_step (*replace)(void *, uint32_t, uint32_t *)) {
  TP_REQUIRE(l && replace);
  *r = (tp_rel_rewriter){.l = l, .ctx = ctx, .replace = replace};
}

void tp_rel_rewriter_clear(tp_rel_rewriter *r) { tp_map_clear(&r->memo); }

static uint32_t rebuild_binder(tp_rel *l, const tp_rel_node *n, const uint32_t *kids) {
  TP_REQUIRE(n->n_kids == n->n_vars + 1);
  tp_rel_decl *decls = TP_NEW_ARRAY(tp_rel_decl, n->n_vars + 1);
  for (uint32_t i = 0; i < n->n_vars; i++)
    decls[i] = (tp_rel_decl){{n->vars[i]}, (tp_rel_expr){kids[i]}};
  const uint32_t body = kids[n->n_vars];
  const uint32_t id =
      n->kind == TP_REL_COMPREHENSION
          ? tp_rel_comprehension(l, decls, n->n_vars, (tp_rel_formula){body}).id
      : n->kind == TP_REL_SUM
          ? tp_rel_sum(l, decls, n->n_vars, (tp_rel_int){body}).id
          : tp_rel_quantify(l, n->kind == TP_REL_ALL_OF ? TP_REL_FOR_ALL : TP_REL_FOR_SOME, decls,
                            n->n_vars, (tp_rel_formula){body})
                .id;
  tp_free(decls);
  return id;
}

static uint32_t rebuild_list(tp_rel *l, const tp_rel_node *n, const uint32_t *kids) {
  tp_rel_formula *all = TP_NEW_ARRAY(tp_rel_formula, n->n_kids + 1);
  for (uint32_t i = 0; i < n->n_kids; i++) all[i] = (tp_rel_formula){kids[i]};
  const uint32_t id = n->kind == TP_REL_AND ? tp_rel_and_all(l, all, n->n_kids).id
                                            : tp_rel_or_all(l, all, n->n_kids).id;
  tp_free(all);
  return id;
}

/* The node over these kids. n is a copy: the table may grow. */
static uint32_t rebuild(tp_rel *l, tp_rel_node n, uint32_t id, const uint32_t *k) {
  const tp_rel_expr a = {n.n_kids > 0 ? k[0] : 0}, b = {n.n_kids > 1 ? k[1] : 0};
  const tp_rel_int i = {a.id}, j = {b.id};
  const tp_rel_formula f = {a.id}, g = {b.id};
  switch (n.kind) {
    case TP_REL_RELATION:
    case TP_REL_VARIABLE:
    case TP_REL_UNIV:
    case TP_REL_IDEN:
    case TP_REL_NONE:
    case TP_REL_INTS:
    case TP_REL_CONSTANT:
    case TP_REL_TRUE:
    case TP_REL_FALSE: return id;
    case TP_REL_UNION:
    case TP_REL_INTERSECTION:
    case TP_REL_DIFFERENCE:
    case TP_REL_JOIN:
    case TP_REL_PRODUCT:
    case TP_REL_OVERRIDE:
    case TP_REL_DOMAIN:
    case TP_REL_RANGE: return tp_rel_binary(l, n.kind, a, b).id;
    case TP_REL_TRANSPOSE:
    case TP_REL_CLOSURE:
    case TP_REL_REFLEXIVE: return tp_rel_unary(l, n.kind, a).id;
    case TP_REL_COMPREHENSION:
    case TP_REL_SUM:
    case TP_REL_ALL_OF:
    case TP_REL_SOME_OF: return rebuild_binder(l, &n, k);
    case TP_REL_IF: return tp_rel_if(l, f, b, (tp_rel_expr){k[2]}).id;
    case TP_REL_LET: return tp_rel_let(l, (tp_rel_var){n.vars[0]}, a, b).id;
    case TP_REL_ATOM_OF: return tp_rel_atom_of(l, i).id;
    case TP_REL_CARDINALITY: return tp_rel_cardinality(l, a).id;
    case TP_REL_TOTAL: return tp_rel_total(l, a).id;
    case TP_REL_ONLY_INT: return tp_rel_only_int(l, a).id;
    case TP_REL_PLUS:
    case TP_REL_MINUS:
    case TP_REL_TIMES:
    case TP_REL_QUOTIENT:
    case TP_REL_REMAINDER: return tp_rel_arithmetic(l, n.kind, i, j).id;
    case TP_REL_NEGATIVE: return tp_rel_negative(l, i).id;
    case TP_REL_INT_IF: return tp_rel_int_if(l, f, j, (tp_rel_int){k[2]}).id;
    case TP_REL_INT_LET: return tp_rel_int_let(l, (tp_rel_var){n.vars[0]}, a, j).id;
    case TP_REL_NOT: return tp_rel_not(l, f).id;
    case TP_REL_AND:
    case TP_REL_OR: return rebuild_list(l, &n, k);
    case TP_REL_IFF: return tp_rel_iff(l, f, g).id;
    case TP_REL_FORMULA_IF: return tp_rel_formula_if(l, f, g, (tp_rel_formula){k[2]}).id;
    case TP_REL_FORMULA_LET: return tp_rel_formula_let(l, (tp_rel_var){n.vars[0]}, a, g).id;
    case TP_REL_IN:
    case TP_REL_EQUAL: return tp_rel_compare(l, n.kind, a, b).id;
    case TP_REL_SOME:
    case TP_REL_NO:
    case TP_REL_ONE:
    case TP_REL_LONE: return tp_rel_multiplicity(l, n.kind, a).id;
    case TP_REL_INT_EQUAL:
    case TP_REL_LESS:
    case TP_REL_AT_MOST: return tp_rel_compare_ints(l, n.kind, i, j).id;
  }
  return TP_NEVER(true) ? 0 : id;
}

uint32_t tp_rel_rewrite(tp_rel_rewriter *r, uint32_t id) {
  uint64_t known;
  if (tp_map_get(&r->memo, id, &known)) return (uint32_t)known;
  uint32_t out = id;
  switch (r->replace(r->ctx, id, &out)) {
    case TP_REL_REWRITE_DONE: break;
    case TP_REL_REWRITE_GO_ON:
      TP_REQUIRE(out != id);
      out = tp_rel_rewrite(r, out);
      break;
    case TP_REL_REWRITE_KEEP: {
      const tp_rel_node n = *tp_rel_at(r->l, id);
      uint32_t *kids = TP_NEW_ARRAY(uint32_t, n.n_kids + 1);
      bool changes = false;
      for (uint32_t i = 0; i < n.n_kids; i++) {
        kids[i] = tp_rel_rewrite(r, n.kids[i]);
        changes = changes || kids[i] != n.kids[i];
      }
      out = changes ? rebuild(r->l, n, id, kids) : id;
      tp_free(kids);
      break;
    }
  }
  TP_INVARIANT(tp_rel_at(r->l, out)->arity == tp_rel_at(r->l, id)->arity);
  tp_map_set(&r->memo, id, out);
  return out;
}

// ---------------------------------------------------------------- substitution

typedef struct {
  const tp_rel *l;
  const tp_map *of;
} substitution;

static tp_rel_rewrite_step substitute(void *ctx, uint32_t id, uint32_t *other) {
  const substitution *s = ctx;
  uint64_t to;
  const tp_rel_node *n = tp_rel_at(s->l, id);
  if (n->kind != TP_REL_RELATION || !tp_map_get(s->of, (uint64_t)n->number, &to))
    return TP_REL_REWRITE_KEEP;
  *other = (uint32_t)to;
  return TP_REL_REWRITE_DONE;
}

tp_rel_formula tp_rel_substitute(tp_rel *l, tp_rel_formula f, const tp_map *of) {
  TP_REQUIRE(f.id && of);
  substitution s = {l, of};
  tp_rel_rewriter r;
  tp_rel_rewriter_init(&r, l, &s, substitute);
  const tp_rel_formula out = {tp_rel_rewrite(&r, f.id)};
  tp_rel_rewriter_clear(&r);
  return out;
}

// ----------------------------------------------------------------- under a fact

enum { NOT_KNOWN, KNOWN_FALSE, KNOWN_TRUE };

typedef struct {
  tp_rel_rewriter r;
  tp_map value;  // of formulas: NOT_KNOWN ..
} given;

static uint64_t opposite(uint64_t value) {
  return value ? KNOWN_FALSE + KNOWN_TRUE - value : value;
}

/* And of the parts that this decides. */
static void note_value(given *g, uint32_t id, uint64_t value) {
  const tp_rel_node *n = tp_rel_at(g->r.l, id);
  if (tp_map_has(&g->value, id)) return;
  tp_map_set(&g->value, id, value);
  if (n->kind == TP_REL_NOT) note_value(g, n->kids[0], opposite(value));
  if (n->kind != (value == KNOWN_TRUE ? TP_REL_AND : TP_REL_OR)) return;
  for (uint32_t i = 0; i < n->n_kids; i++) note_value(g, n->kids[i], value);
}

static uint64_t value_given(given *g, uint32_t id);

/* One kid may decide; all of them do. */
static uint64_t value_of_list(given *g, const tp_rel_node *n) {
  const uint64_t decisive = n->kind == TP_REL_AND ? KNOWN_FALSE : KNOWN_TRUE;
  bool all = true;
  for (uint32_t i = 0; i < n->n_kids; i++) {
    const uint64_t v = value_given(g, n->kids[i]);
    if (v == decisive) return v;
    all = all && v;
  }
  return all ? opposite(decisive) : NOT_KNOWN;
}

static uint64_t value_given(given *g, uint32_t id) {
  const tp_rel_node *n = tp_rel_at(g->r.l, id);
  uint64_t v = NOT_KNOWN;
  if (tp_map_get(&g->value, id, &v)) return v;
  if (n->kind == TP_REL_TRUE) v = KNOWN_TRUE;
  if (n->kind == TP_REL_FALSE) v = KNOWN_FALSE;
  if (n->kind == TP_REL_NOT) v = opposite(value_given(g, n->kids[0]));
  if (n->kind == TP_REL_AND || n->kind == TP_REL_OR) v = value_of_list(g, n);
  tp_map_set(&g->value, id, v);
  return v;
}

static tp_rel_rewrite_step take_values(void *ctx, uint32_t id, uint32_t *other) {
  given *g = ctx;
  const tp_rel_node n = *tp_rel_at(g->r.l, id);
  const uint64_t v =
      tp_rel_sort_of(n.kind) == TP_REL_SORT_FORMULA ? value_given(g, id) : (uint64_t)NOT_KNOWN;
  if (v && n.n_kids) {
    *other = tp_rel_bool(g->r.l, v == KNOWN_TRUE).id;
    return TP_REL_REWRITE_DONE;
  }
  if (n.kind != TP_REL_IF && n.kind != TP_REL_INT_IF && n.kind != TP_REL_FORMULA_IF)
    return TP_REL_REWRITE_KEEP;
  const uint64_t condition = value_given(g, tp_rel_rewrite(&g->r, n.kids[0]));
  if (!condition) return TP_REL_REWRITE_KEEP;
  *other = n.kids[condition == KNOWN_TRUE ? 1 : 2];
  return TP_REL_REWRITE_GO_ON;
}

tp_rel_formula tp_rel_given(tp_rel *l, tp_rel_formula f, tp_rel_formula fact) {
  TP_REQUIRE(f.id && fact.id);
  given g = {0};
  tp_rel_rewriter_init(&g.r, l, &g, take_values);
  note_value(&g, fact.id, KNOWN_TRUE);
  const tp_rel_formula out = {tp_rel_rewrite(&g.r, f.id)};
  tp_rel_rewriter_clear(&g.r);
  tp_map_clear(&g.value);
  return out;
}

void tp_rel_each_relation(const tp_rel *l, uint32_t id, void *ctx,
                          void (*visit)(void *ctx, uint32_t relation)) {
  TP_VEC(uint32_t) todo = {0};
  tp_map seen = {0};
  tp_vec_push(&todo, id);
  while (todo.n) {
    const uint32_t at = tp_vec_pop(&todo);
    const tp_rel_node *n = tp_rel_at(l, at);
    if (tp_map_has(&seen, at)) continue;
    tp_map_set(&seen, at, 1);
    if (n->kind == TP_REL_RELATION) visit(ctx, (uint32_t)n->number);
    for (uint32_t i = 0; i < n->n_kids; i++) tp_vec_push(&todo, n->kids[i]);
  }
  tp_vec_clear(&todo);
  tp_map_clear(&seen);
}
