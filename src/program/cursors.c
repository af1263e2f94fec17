/* Values flow from variables to variables by assignments, arguments and results. What steps is
 * followed forwards along these flows, what addresses are made of backwards; a cursor is what both
 * reach. Calls through pointers are not followed. */
#include "program/cursors.h"

typedef struct {
  uint32_t from, to;  // variables
} flow;

typedef struct {
  const tp_program *p;
  TP_VEC(flow) flows;
  bool *is_stepped, *is_index;  // by variable
  tp_map loaded_from;           // variable -> the address of a LOAD that gives it
  uint32_t target;              // of flows that are collected
} search;

static void add_flow(void *ctx, tp_term symbol) {
  search *s = ctx;
  const tp_var from = tp_program_var_of(s->p, symbol);
  if (from.id && from.id != s->target) tp_vec_push(&s->flows, ((flow){from.id, s->target}));
}

/* Truth values are no places. */
static void add_flows(search *s, tp_term value, tp_var to) {
  const tp_terms *tt = s->p->terms;
  if (!to.id || !tp_term_is(value)) return;
  if (tp_sort_kind_of(tt, tp_sort_of(tt, tp_var_of(s->p, to)->term)) == TP_SORT_BOOL) return;
  s->target = to.id;
  tp_for_vars(tt, value, add_flow, s);
}

static void add_call_flows(search *s, const tp_edge_info *e) {
  if (!e->callee.id) return;
  const tp_func_info *f = tp_func_of(s->p, e->callee);
  for (uint32_t i = 0; i < e->n_args && i < f->n_params; i++)
    add_flows(s, e->args[i], f->params[i]);
  if (e->var.id && f->result.id) tp_vec_push(&s->flows, ((flow){f->result.id, e->var.id}));
}

static void note_index(void *ctx, tp_term symbol) {
  search *s = ctx;
  s->is_index[tp_program_var_of(s->p, symbol).id] = true;
}

static void note_address(search *s, tp_term t) {
  if (tp_term_is(t)) tp_for_vars(s->p->terms, t, note_index, s);
}

typedef struct {
  tp_term only;
  uint32_t n;
} counting;

static void count_var(void *ctx, tp_term symbol) {
  counting *c = ctx;
  c->only = symbol;
  c->n++;
}

/* The one variable of a term that is not the variable itself; NONE: there are others or none. */
static tp_var changed_var(const tp_program *p, tp_term t) {
  counting c = {.only = TP_TERM_NONE};
  tp_for_vars(p->terms, t, count_var, &c);
  return c.n == 1 && !tp_term_eq(c.only, t) ? tp_program_var_of(p, c.only) : TP_VAR_NONE;
}

static void see_edge(search *s, const tp_edge_info *e) {
  const tp_func func = tp_loc_of(s->p, e->from)->func;
  switch (e->kind) {
    case TP_E_ASSIGN:
      add_flows(s, e->a, e->var);
      if (changed_var(s->p, e->a).id == e->var.id) s->is_stepped[e->var.id] = true;
      break;
    case TP_E_LOAD:
      note_address(s, e->a);
      tp_map_set(&s->loaded_from, e->var.id, e->a.id);
      break;
    case TP_E_STORE:
    case TP_E_SET: note_address(s, e->a); break;
    case TP_E_COPY:
      note_address(s, e->a);
      note_address(s, e->b);
      break;
    case TP_E_CALL: add_call_flows(s, e); break;
    case TP_E_RETURN: add_flows(s, e->a, tp_func_of(s->p, func)->result); break;
    case TP_E_SKIP:
    case TP_E_ASSUME:
    case TP_E_ALLOC:
    case TP_E_FREE:
    case TP_E_HAVOC:
    case TP_E_HAVOC_MEMORY:
    case TP_E_END_SCOPE: break;
  }
}

static void follow_flows(search *s) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < s->flows.n; i++) {
      const flow f = s->flows.at[i];
      if (s->is_stepped[f.from] && !s->is_stepped[f.to]) again = s->is_stepped[f.to] = true;
      if (s->is_index[f.to] && !s->is_index[f.from]) again = s->is_index[f.from] = true;
    }
  }
}

/* The value is made of what stood at the same address. */
static bool steps_cell(const search *s, const tp_edge_info *e) {
  uint64_t from;
  const tp_var v = changed_var(s->p, e->b);
  return v.id && tp_map_get(&s->loaded_from, v.id, &from) && from == e->a.id;
}

void tp_cursors_init(tp_cursors *c, const tp_program *p) {
  const size_t n_edges = p->edges.n;
  search s = {.p = p,
              .is_stepped = TP_NEW_ARRAY(bool, p->vars.n + 1),
              .is_index = TP_NEW_ARRAY(bool, p->vars.n + 1)};
  *c = (tp_cursors){.is_cursor = TP_NEW_ARRAY(bool, p->vars.n + 1),
                    .steps = TP_NEW_ARRAY(bool, n_edges + 1),
                    .indexes = TP_NEW_ARRAY(bool, n_edges + 1)};
  for (uint32_t i = 1; i < n_edges; i++)
    if (p->edges.at[i].from.id) see_edge(&s, &p->edges.at[i]);
  follow_flows(&s);
  for (uint32_t v = 1; v < p->vars.n; v++) c->is_cursor[v] = s.is_stepped[v] && s.is_index[v];
  for (uint32_t i = 1; i < n_edges; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!e->from.id) continue;
    c->steps[i] = e->kind == TP_E_STORE && steps_cell(&s, e);
    c->indexes[i] = e->kind == TP_E_LOAD && s.is_index[e->var.id];
  }
  tp_free(s.is_stepped);
  tp_free(s.is_index);
  tp_vec_clear(&s.flows);
  tp_map_clear(&s.loaded_from);
}

void tp_cursors_clear(tp_cursors *c) {
  tp_free(c->is_cursor);
  tp_free(c->steps);
  tp_free(c->indexes);
  *c = (tp_cursors){0};
}
