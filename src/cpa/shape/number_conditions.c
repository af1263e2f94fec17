/* Conditions on numbers that may be stored into cells.
 *
 * A data predicate is decided where its number is stored. Conditions on the number that were
 * assumed before are kept until one of their variables changes: conjuncts of
 * conditions, and equations for variables that were assigned. Only numbers that may get into cells
 * matter, directly or by assignments, arguments and results; so elements hardly become more. A
 * solver is asked whether what is remembered, with what graphs say of numbers that were read from
 * cells, settles a fact; each question is asked once. Where elements are joined, what both remember
 * stays. */
#include "cpa/shape/shape_priv.h"
#include "cpa/cpa_limits.h"
#include "smt/smt.h"

static tp_var var_of(const tp_shape_cpa *h, tp_term t) { return tp_program_var_of(h->p, t); }

// ------------------------------------------------------------- numbers that matter

typedef struct {
  tp_shape_cpa *h;
  bool changed;
} marking;

static void mark(void *ctx, tp_term t) {
  marking *m = ctx;
  const tp_var v = var_of(m->h, t);
  if (!v.id || m->h->matters[v.id]) return;
  m->h->matters[v.id] = true;
  m->changed = true;
}

static void mark_terms_of(marking *m, const tp_edge_info *e) {
  const tp_shape_cpa *h = m->h;
  const bool *matters = h->matters;
  if (e->kind == TP_E_ASSIGN && matters[e->var.id]) tp_for_vars(h->tt, e->a, mark, m);
  if (e->kind == TP_E_RETURN) {
    const tp_var result = tp_func_of(h->p, tp_loc_of(h->p, e->from)->func)->result;
    if (result.id && matters[result.id] && tp_term_is(e->a)) tp_for_vars(h->tt, e->a, mark, m);
  }
  if (e->kind != TP_E_CALL || !e->callee.id) return;
  const tp_func_info *f = tp_func_of(h->p, e->callee);
  for (uint32_t i = 0; i < e->n_args && i < f->n_params; i++)
    if (matters[f->params[i].id]) tp_for_vars(h->tt, e->args[i], mark, m);
  if (e->var.id && matters[e->var.id] && f->result.id) mark(m, tp_var_of(h->p, f->result)->term);
}

void tp_shape_cpa_find_stored_numbers(tp_shape_cpa *h) {
  marking m = {h, true};
  h->matters = tp_arena_array(&h->cpa->arena, bool, h->p->vars.n + 1);
  for (uint32_t i = 1; i < h->p->edges.n; i++) {
    const tp_edge_info *e = &h->p->edges.at[i];
    if (e->kind != TP_E_STORE || tp_sort_kind_of(h->tt, tp_sort_of(h->tt, e->b)) != TP_SORT_BV)
      continue;
    bool may = false;
    for (uint32_t k = 0; k < h->n; k++)
      may =
          may || (h->kinds[k].c->n_data_predicates && tp_shape_cpa_may_hold(h, &h->kinds[k], e->a));
    if (may) tp_for_vars(h->tt, e->b, mark, &m);
  }
  for (int round = 0; round < TP_CPA_SHAPE_MARK_ROUNDS && m.changed; round++) {
    m.changed = false;
    for (uint32_t i = 1; i < h->p->edges.n; i++) mark_terms_of(&m, &h->p->edges.at[i]);
  }
}

// --------------------------------------------------------------------- remembering

typedef struct {
  const tp_shape_cpa *h;
  bool is_plain, matters, mentions;
  tp_var other;
} occurrence;

static void visit_symbol(void *ctx, tp_term t) {
  occurrence *g = ctx;
  const tp_var v = var_of(g->h, t);
  const tp_var_info *info = v.id ? tp_var_of(g->h->p, v) : NULL;
  const tp_sort_kind sort = tp_sort_kind_of(g->h->tt, tp_sort_of(g->h->tt, t));
  g->is_plain = g->is_plain && info && info->kind != TP_V_GHOST && !info->is_address &&
                (sort == TP_SORT_BV || sort == TP_SORT_BOOL);
  g->matters = g->matters || (v.id && g->h->matters[v.id]);
  g->mentions = g->mentions || v.id == g->other.id;
}

static occurrence occurrence_in(const tp_shape_cpa *h, tp_term t, tp_var other) {
  occurrence g = {h, true, false, false, other};
  tp_for_vars(h->tt, t, visit_symbol, &g);
  return g;
}

static void add(tp_shape_draft *d, tp_term condition) {
  TP_REQUIRE(tp_sort_kind_of(d->h->tt, tp_sort_of(d->h->tt, condition)) == TP_SORT_BOOL);
  size_t i = 0;
  while (i < d->conditions.n && d->conditions.at[i].id < condition.id) i++;
  if ((i < d->conditions.n && d->conditions.at[i].id == condition.id) ||
      d->conditions.n == TP_CPA_SHAPE_CONDITIONS)
    return;
  tp_vec_push(&d->conditions, condition);
  memmove(&d->conditions.at[i + 1], &d->conditions.at[i],
          (d->conditions.n - 1 - i) * sizeof condition);
  d->conditions.at[i] = condition;
}

static void assume_conjuncts(tp_shape_draft *d, tp_term t, bool value, uint32_t depth) {
  tp_terms *tt = d->h->tt;
  const tp_term_kind kind = tp_kind(tt, t);
  if (kind == TP_OP_NOT && depth) {
    assume_conjuncts(d, tp_arg(tt, t, 0), !value, depth - 1);
  } else if (depth && kind == (value ? TP_OP_AND : TP_OP_OR)) {
    assume_conjuncts(d, tp_arg(tt, t, 0), value, depth - 1);
    assume_conjuncts(d, tp_arg(tt, t, 1), value, depth - 1);
  } else {
    const occurrence g = occurrence_in(d->h, t, TP_VAR_NONE);
    if (g.is_plain && g.matters) add(d, value ? t : tp_mk_not(tt, t));
  }
}

void tp_shape_cpa_assume_numbers(tp_shape_draft *d, tp_term condition) {
  if (d->h->matters && !tp_is_const(d->h->tt, condition))
    assume_conjuncts(d, condition, true, TP_CPA_SHAPE_CONDITION_LEVELS);
}

/* What facts say that compare with v is about another value now. */
static void havoc_facts(tp_shape_draft *d, tp_var v) {
  for (uint32_t k = 0; k < d->h->n; k++)
    for (uint32_t i = 0; i < d->h->kinds[k].c->n_data_predicates; i++)
      if (occurrence_in(d->h, d->h->kinds[k].visible.data[i].fact, v).mentions)
        (void)tp_shape_cpa_step(d, k,
                                (tp_shape_step){.kind = TP_SHAPE_STEP_HAVOC_DATA,
                                                .x = TP_UNKNOWN_SLOT,
                                                .y = TP_UNKNOWN_SLOT,
                                                .field = TP_UNKNOWN_SLOT,
                                                .data_predicate = (int16_t)i});
}

void tp_shape_cpa_number_changes(tp_shape_draft *d, tp_var v, tp_term value) {
  const tp_shape_cpa *h = d->h;
  if (!h->matters) return;
  havoc_facts(d, v);
  size_t n = 0;
  for (size_t i = 0; i < d->conditions.n; i++)
    if (!occurrence_in(h, d->conditions.at[i], v).mentions)
      d->conditions.at[n++] = d->conditions.at[i];
  d->conditions.n = n;
  const tp_term var = tp_var_of(h->p, v)->term;
  if (!h->matters[v.id] || !tp_term_is(value) ||
      !tp_sort_eq(tp_sort_of(h->tt, var), tp_sort_of(h->tt, value)) ||
      tp_sort_kind_of(h->tt, tp_sort_of(h->tt, var)) != TP_SORT_BV)
    return;
  const occurrence g = occurrence_in(h, value, v);
  if (g.is_plain && !g.mentions) add(d, tp_mk_eq(h->tt, var, value));
}

static bool has_condition(const tp_elem *e, tp_term condition) {
  for (size_t i = 0; i < e->n_conditions; i++)
    if (tp_term_eq(e->conditions[i], condition)) return true;
  return false;
}

bool tp_shape_cpa_has_conditions(const tp_elem *e, const tp_elem *of) {
  for (size_t i = 0; i < of->n_conditions; i++)
    if (!has_condition(e, of->conditions[i])) return false;
  return true;
}

void tp_shape_cpa_join_conditions(tp_shape_draft *d, const tp_elem *with) {
  size_t n = 0;
  for (size_t i = 0; i < d->conditions.n; i++)
    if (has_condition(with, d->conditions.at[i])) d->conditions.at[n++] = d->conditions.at[i];
  d->conditions.n = n;
}

// ------------------------------------------------------------------------ settling

tp_term tp_shape_cpa_data_formula(const tp_shape_cpa *h, const tp_shape_cpa_kind *k,
                                  const tp_structure *s, const tp_shape_link *links,
                                  size_t n_links) {
  TP_REQUIRE(s->n_unary == k->c->n_unary);
  tp_term all = tp_mk_true(h->tt);
  for (size_t i = 0; i < n_links; i++) {
    const tp_shape_link *l = &links[i];
    const int x = tp_shape_cpa_slot(k, l->pointer);
    const uint64_t to = x < 0 ? 0 : s->unary[k->c->points[x]].must;
    for (uint32_t a = 0; to && a < k->c->n_data_predicates; a++) {
      const tp_data_formula *d = &k->visible.data[a];
      const tp_k64 holds = s->unary[k->c->data_predicate[a]];
      if (d->offset != l->offset || d->width_bits != l->width_bits ||
          (holds.may & ~holds.must & to))
        continue;
      const tp_term fact =
          tp_shape_cpa_substitute(h->tt, d->fact, d->value, tp_var_of(h->p, l->var)->term);
      all = tp_mk_and(h->tt, all, holds.must & to ? fact : tp_mk_not(h->tt, fact));
    }
  }
  return all;
}

static bool is_excluded(tp_shape_cpa *h, tp_term t) {
  uint64_t known;
  if (tp_is_const(h->tt, t)) return tp_is_false(h->tt, t);
  if (tp_map_get(&h->excluded, t.id, &known)) return known;
  if (!h->solver)
    h->solver = tp_smt_new(
        h->tt, (tp_smt_options){.backend = h->cpa->env->solver ? h->cpa->env->solver : "mixed",
                                .rlimit = TP_CPA_SHAPE_RLIMIT});
  tp_smt_push(h->solver);
  tp_smt_assert(h->solver, t);
  const bool is = tp_smt_check(h->solver, NULL, 0) == TP_SMT_UNSAT;
  tp_smt_pop(h->solver);
  tp_map_set(&h->excluded, t.id, is);
  return is;
}

/* What is remembered, and what some graph of the kind says of numbers that were read from its
 * cells. */
static tp_term all_known(const tp_shape_draft *d, uint32_t kind) {
  const tp_shape_cpa *h = d->h;
  const tp_shape_cpa_kind *k = &h->kinds[kind];
  const tp_graph_ids *set = &d->region.sets[kind];
  tp_term all = tp_mk_true(h->tt), some = tp_mk_false(h->tt);
  for (size_t i = 0; i < d->conditions.n; i++) all = tp_mk_and(h->tt, all, d->conditions.at[i]);
  for (size_t i = 0; i < set->n && !tp_is_true(h->tt, some); i++)
    some = tp_mk_or(
        h->tt, some,
        tp_shape_cpa_data_formula(h, k, &tp_graph_at(tp_shape_engine_graphs(k->e), set->at[i])->s,
                                  d->links.at, d->links.n));
  return tp_mk_and(h->tt, all, some);
}

tp_kleene tp_shape_cpa_query(const tp_shape_draft *d, uint32_t kind, tp_term fact) {
  TP_REQUIRE(kind < d->h->n);
  tp_shape_cpa *h = d->h;
  if (!h->matters || tp_is_const(h->tt, fact))
    return tp_is_true(h->tt, fact)    ? TP_KLEENE_TRUE
           : tp_is_false(h->tt, fact) ? TP_KLEENE_FALSE
                                      : TP_KLEENE_HALF;
  const tp_term known = all_known(d, kind);
  if (tp_is_true(h->tt, known) || !occurrence_in(h, fact, TP_VAR_NONE).is_plain)
    return TP_KLEENE_HALF;
  if (is_excluded(h, tp_mk_and(h->tt, known, tp_mk_not(h->tt, fact)))) return TP_KLEENE_TRUE;
  return is_excluded(h, tp_mk_and(h->tt, known, fact)) ? TP_KLEENE_FALSE : TP_KLEENE_HALF;
}
