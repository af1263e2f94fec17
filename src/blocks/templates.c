/* What matters at a node is found backwards from the conditions of blocks: a variable that a
 * condition reads, and one whose value flows along blocks into one that matters. Constants are
 * those that conditions compare with and that variables are set to. */
#include "blocks/templates.h"

#include "blocks/blocks_limits.h"

#include <stdlib.h>

// ------------------------------------------------------------------- variables

typedef struct {
  const tp_blocks *b;
  tp_node_formulas *out;
  uint32_t node;
  bool changed;
} marker;

static void mark(void *ctx, tp_term symbol) {
  marker *m = ctx;
  const tp_paths *x = m->b->paths;
  tp_sort_kind k = tp_sort_kind_of(x->tt, tp_sort_of(x->tt, symbol));
  tp_var v = tp_program_var_of(x->p, symbol);
  if (!v.id || k == TP_SORT_ARRAY || tp_var_of(x->p, v)->kind == TP_V_GHOST) return;
  size_t before = m->out->at[m->node].n;
  tp_node_formulas_add(m->out, m->b, m->node, symbol);
  m->changed |= m->out->at[m->node].n > before;
}

static int by_index(const void *a, const void *b) {
  const tp_term *x = a, *y = b;
  return (x->id > y->id) - (x->id < y->id);
}

void tp_templates_variables(const tp_blocks *b, tp_node_formulas *out) {
  TP_REQUIRE(out->n_nodes == b->nodes.n);
  tp_paths *x = b->paths;
  marker m = {.b = b, .out = out, .changed = true};
  for (size_t i = 0; i < b->list.n; i++) {
    m.node = b->list.at[i].from;
    tp_for_vars(x->tt, tp_path_condition(x, &b->list.at[i].path), mark, &m);
  }
  size_t *done = TP_NEW_ARRAY(
      size_t, b->list.n + 1);  // by block: so many variables of its target were looked at
  while (m.changed) {
    m.changed = false;
    for (size_t i = b->list.n; i-- > 0;) {
      const tp_block *k = &b->list.at[i];
      m.node = k->from;
      for (; done[i] < out->at[k->to].n; done[i]++)
        tp_for_vars(x->tt, tp_path_after(x, &k->path, out->at[k->to].at[done[i]]), mark, &m);
    }
  }
  tp_free(done);
  for (size_t n = 0; n < out->n_nodes; n++)
    if (out->at[n].n) qsort(out->at[n].at, out->at[n].n, sizeof(tp_term), by_index);
}

// ----------------------------------------------------------------------- atoms

static bool is_connective(const tp_terms *tt, tp_term t) {
  tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_NOT || k == TP_OP_AND || k == TP_OP_OR || k == TP_OP_XOR || k == TP_OP_ITE)
    return true;
  return k == TP_OP_EQ && tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_BOOL;
}

typedef struct {
  const tp_terms *tt;
  tp_term_list *out;
} atom_search;

static tp_visit add_atom(void *ctx, tp_term t) {
  const atom_search *s = ctx;
  if (s->out->n >= TP_BLOCKS_TEMPLATE_ATOMS) return TP_VISIT_STOP;
  if (tp_sort_kind_of(s->tt, tp_sort_of(s->tt, t)) != TP_SORT_BOOL) return TP_VISIT_SKIP_ARGS;
  if (is_connective(s->tt, t)) return TP_VISIT_ARGS;
  bool known = tp_is_const(s->tt, t);
  for (size_t i = 0; i < s->out->n && !known; i++) known = tp_term_eq(s->out->at[i], t);
  if (!known) tp_vec_push(s->out, t);
  return TP_VISIT_SKIP_ARGS;
}

/* Adds the conditions that t is made of. */
static void add_atoms(const tp_terms *tt, tp_term t, tp_term_list *out) {
  atom_search s = {tt, out};
  tp_visitor v = {.ctx = &s, .visit = add_atom, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(tt, t, &v, NULL);
}

// ------------------------------------------------------------------- constants

typedef struct {
  const tp_blocks *b;
  tp_paths *x;
  tp_terms *tt;
  tp_node_formulas *out;
  tp_map pools;               // width -> position in `pool`
  TP_VEC(tp_term_list) pool;  // constants of one width
} maker;

static tp_term_list *pool_of(maker *m, uint32_t width) {
  uint64_t at;
  if (!tp_map_get(&m->pools, width, &at)) {
    at = m->pool.n;
    tp_vec_push(&m->pool, (tp_term_list){0});
    tp_map_set(&m->pools, width, at);
  }
  return &m->pool.at[at];
}

static void add_constant(maker *m, tp_term c) {
  if (tp_kind(m->tt, c) != TP_OP_BV_CONST) return;
  tp_term_list *pool = pool_of(m, tp_width(m->tt, c));
  for (size_t i = 0; i < pool->n; i++)
    if (tp_term_eq(pool->at[i], c)) return;
  if (pool->n < TP_BLOCKS_TEMPLATE_CONSTANTS) tp_vec_push(pool, c);
}

static void find_constants(maker *m, const tp_node_formulas *variables) {
  tp_term_list atoms = {0};
  for (size_t i = 0; i < m->b->list.n; i++) {
    const tp_block *k = &m->b->list.at[i];
    atoms.n = 0;
    add_atoms(m->tt, tp_path_condition(m->x, &k->path), &atoms);
    for (size_t j = 0; j < atoms.n; j++)
      for (uint32_t a = 0; a < tp_n_args(m->tt, atoms.at[j]); a++)
        add_constant(m, tp_arg(m->tt, atoms.at[j], a));
    for (size_t j = 0; j < variables->at[k->to].n; j++)
      add_constant(m, tp_path_after(m->x, &k->path, variables->at[k->to].at[j]));
  }
  tp_vec_clear(&atoms);
}

// ------------------------------------------------------------------- templates

static void add(maker *m, uint32_t node, tp_term t) { tp_node_formulas_add(m->out, m->b, node, t); }

static bool is_integer(const maker *m, tp_term v) {
  return tp_sort_kind_of(m->tt, tp_sort_of(m->tt, v)) == TP_SORT_BV && tp_width(m->tt, v) >= 8 &&
         tp_width(m->tt, v) <= 64;
}

/* In which of its readings may the variable's order matter? What has no type has both. */
static void find_orders(const maker *m, tp_term v, bool *in_signed, bool *in_unsigned) {
  tp_type t = tp_var_of(m->x->p, tp_program_var_of(m->x->p, v))->type;
  *in_signed = !t.id || tp_type_of(m->x->p, t)->is_signed;
  *in_unsigned = !t.id || !*in_signed;
}

static void add_orders(maker *m, uint32_t node, tp_term v, tp_term w, bool in_signed,
                       bool in_unsigned) {
  add(m, node, tp_mk_eq(m->tt, v, w));
  if (in_signed) {
    add(m, node, tp_mk2(m->tt, TP_OP_BV_SLE, v, w));
    add(m, node, tp_mk2(m->tt, TP_OP_BV_SLE, w, v));
  }
  if (!in_unsigned) return;
  add(m, node, tp_mk2(m->tt, TP_OP_BV_ULE, v, w));
  add(m, node, tp_mk2(m->tt, TP_OP_BV_ULE, w, v));
}

static void add_for_variable(maker *m, uint32_t node, const tp_term_list *vars, size_t i) {
  tp_term v = vars->at[i];
  bool s, u;
  find_orders(m, v, &s, &u);
  const tp_term_list *pool = pool_of(m, tp_width(m->tt, v));
  for (size_t j = 0; j < pool->n; j++) add_orders(m, node, v, pool->at[j], s, u);
  tp_term low = tp_mk_extract(m->tt, 0, 0, v), zero = tp_mk_bv(m->tt, 1, 0);
  add(m, node, tp_mk_eq(m->tt, low, zero));
  add(m, node, tp_mk_not(m->tt, tp_mk_eq(m->tt, low, zero)));
  for (size_t j = 0; j < i; j++) {
    bool ws, wu;
    if (!is_integer(m, vars->at[j]) || tp_width(m->tt, vars->at[j]) != tp_width(m->tt, v)) continue;
    find_orders(m, vars->at[j], &ws, &wu);
    add_orders(m, node, vars->at[j], v, s || ws, u || wu);
  }
}

/* Conditions that blocks from here ask of the state, and the contrary. */
static void add_guards(maker *m, uint32_t node) {
  tp_term_list atoms = {0};
  for (uint32_t i = m->b->first.at[node]; i < m->b->first.at[node + 1]; i++)
    add_atoms(m->tt, tp_path_condition(m->x, &m->b->list.at[i].path), &atoms);
  for (size_t i = 0; i < atoms.n; i++) {
    if (!tp_paths_is_expressible(m->x, atoms.at[i])) continue;
    add(m, node, atoms.at[i]);
    add(m, node, tp_mk_not(m->tt, atoms.at[i]));
  }
  tp_vec_clear(&atoms);
}

void tp_templates_add(const tp_blocks *b, const tp_node_formulas *variables,
                      tp_node_formulas *candidates) {
  TP_REQUIRE(variables->n_nodes == b->nodes.n && candidates->n_nodes == b->nodes.n);
  maker m = {.b = b, .x = b->paths, .tt = b->paths->tt, .out = candidates};
  find_constants(&m, variables);
  for (uint32_t n = 1; n < b->nodes.n; n++) {
    const tp_term_list *vars = &variables->at[n];
    for (size_t i = 0; i < vars->n && i < TP_BLOCKS_TEMPLATE_VARIABLES; i++) {
      if (tp_sort_kind_of(m.tt, tp_sort_of(m.tt, vars->at[i])) == TP_SORT_BOOL)
        add(&m, n, vars->at[i]), add(&m, n, tp_mk_not(m.tt, vars->at[i]));
      if (is_integer(&m, vars->at[i])) add_for_variable(&m, n, vars, i);
    }
    if (!tp_block_node_is_bad(b, n)) add_guards(&m, n);
  }
  for (size_t i = 0; i < m.pool.n; i++) tp_vec_clear(&m.pool.at[i]);
  tp_vec_clear(&m.pool);
  tp_map_clear(&m.pools);
}

// ---------------------------------------------------------------------- safety

void tp_templates_add_safety(const tp_blocks *b, uint32_t depth, tp_node_formulas *candidates) {
  TP_REQUIRE(candidates->n_nodes == b->nodes.n);
  tp_paths *x = b->paths;
  tp_terms *tt = x->tt;
  tp_term *safe = TP_NEW_ARRAY(tp_term, b->nodes.n), *next = TP_NEW_ARRAY(tp_term, b->nodes.n);
  for (uint32_t n = 0; n < b->nodes.n; n++) safe[n] = tp_mk_bool(tt, !tp_block_node_is_bad(b, n));
  for (uint32_t d = 0; d <= depth; d++) {
    for (uint32_t n = 0; n < b->nodes.n; n++) next[n] = safe[n];
    for (size_t i = 0; i < b->list.n; i++) {
      const tp_block *k = &b->list.at[i];
      if (tp_block_node_is_bad(b, k->from) || tp_is_true(tt, safe[k->to])) continue;
      tp_term kept = tp_mk_implies(tt, tp_path_condition(x, &k->path),
                                   tp_path_after(x, &k->path, safe[k->to]));
      next[k->from] = tp_mk_and(tt, next[k->from], kept);
    }
    for (uint32_t n = 1; n < b->nodes.n; n++) {
      bool is_new =
          !tp_term_eq(next[n], safe[n]) && tp_dag_size(tt, next[n]) <= TP_BLOCKS_TEMPLATE_NODES;
      if (is_new && tp_paths_is_expressible(x, next[n]))
        tp_node_formulas_add(candidates, b, n, next[n]);
      safe[n] = is_new || tp_block_node_is_bad(b, n) ? next[n] : safe[n];
    }
  }
  tp_free(safe);
  tp_free(next);
}

// --------------------------------------------------------------------- guarded

void tp_templates_add_guarded(const tp_blocks *b, const tp_node_formulas *from, size_t most,
                              tp_node_formulas *candidates) {
  TP_REQUIRE(from != candidates);
  tp_paths *x = b->paths;
  tp_term_list atoms = {0};
  for (uint32_t n = 1; n < b->nodes.n; n++) {
    size_t end = candidates->at[n].n + most;
    atoms.n = 0;
    if (tp_block_node_is_bad(b, n)) continue;
    for (uint32_t i = b->first.at[n]; i < b->first.at[n + 1]; i++)
      add_atoms(x->tt, tp_path_condition(x, &b->list.at[i].path), &atoms);
    for (size_t j = 0; j < from->at[n].n; j++) {
      for (size_t i = 0; i < atoms.n && candidates->at[n].n < end; i++) {
        if (!tp_paths_is_expressible(x, atoms.at[i])) continue;
        tp_node_formulas_add(candidates, b, n, tp_mk_or(x->tt, atoms.at[i], from->at[n].at[j]));
        tp_node_formulas_add(candidates, b, n,
                             tp_mk_or(x->tt, tp_mk_not(x->tt, atoms.at[i]), from->at[n].at[j]));
      }
    }
  }
  tp_vec_clear(&atoms);
}
