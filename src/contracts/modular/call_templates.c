/* The call graph, by Tarjan's algorithm over direct calls and calls through pointers of fitting
 * types; relations of a template; its body executed from them. */
#include "contracts/modular/call_templates.h"

#include "contracts/modular/call_proposals.h"
#include "contracts/modular/relational_heap_priv.h"

_Static_assert((int)TP_CALL_RETURNS == (int)TP_REXEC_N_ENDS, "returning is no kind of end");

// ------------------------------------------------------------------- call graph

typedef struct {
  tp_call_templates *t;
  const tp_program *p;
  TP_VEC(uint32_t) * calls;  // by function
  uint32_t *index, *low;
  bool *is_open;
  TP_VEC(uint32_t) open;
  uint32_t n, n_components;
} graph;

static void add_calls(graph *g, uint32_t from, const tp_edge_info *e) {
  if (e->kind == TP_E_ALLOC || e->kind == TP_E_FREE || e->kind == TP_E_END_SCOPE ||
      e->kind == TP_E_HAVOC_MEMORY || (e->kind == TP_E_HAVOC && e->callee.id))
    g->t->callees[from].may_allocate = true;
  if (e->kind == TP_E_ALLOC && e->object_kind == TP_O_STACK)
    g->t->callees[from].may_show_locals = true;
  if (e->kind != TP_E_CALL) return;
  if (e->callee.id) {
    tp_vec_push(&g->calls[from], e->callee.id);
    if (!tp_func_of(g->p, e->callee)->has_body) g->t->callees[from].may_allocate = true;
    return;
  }
  for (uint32_t f = 1; f < g->p->funcs.n; f++)
    if (tp_object_model_can_reach(g->t->heap->object_model, e, (tp_func){f}))
      tp_vec_push(&g->calls[from], f);
}

static void visit(graph *g, uint32_t f) {
  g->index[f] = g->low[f] = ++g->n;
  g->is_open[f] = true;
  tp_vec_push(&g->open, f);
  for (size_t i = 0; i < g->calls[f].n; i++) {
    const uint32_t to = g->calls[f].at[i];
    if (!g->index[to]) visit(g, to);
    if (g->is_open[to] && g->low[to] < g->low[f]) g->low[f] = g->low[to];
    if (g->t->callees[to].may_allocate) g->t->callees[f].may_allocate = true;
    if (g->t->callees[to].may_show_locals) g->t->callees[f].may_show_locals = true;
  }
  if (g->low[f] != g->index[f]) return;
  g->n_components++;
  const size_t first = g->open.n;
  bool may = g->t->callees[f].may_allocate, shows = g->t->callees[f].may_show_locals;
  size_t k = first;
  while (g->open.at[--k] != f) {
    may = may || g->t->callees[g->open.at[k]].may_allocate;
    shows = shows || g->t->callees[g->open.at[k]].may_show_locals;
  }
  for (size_t i = k; i < first; i++) {
    g->t->callees[g->open.at[i]].component = g->n_components;
    g->t->callees[g->open.at[i]].may_allocate = may;
    g->t->callees[g->open.at[i]].may_show_locals = shows;
    g->is_open[g->open.at[i]] = false;
  }
  g->open.n = k;
}

static void find_components(tp_call_templates *t) {
  const tp_program *p = t->heap->program;
  const uint32_t n = (uint32_t)p->funcs.n;
  graph g = {.t = t, .p = p};
  g.calls = tp_alloc_array(n, sizeof *g.calls);
  g.index = TP_NEW_ARRAY(uint32_t, n);
  g.low = TP_NEW_ARRAY(uint32_t, n);
  g.is_open = TP_NEW_ARRAY(bool, n);
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    const uint32_t f = tp_loc_of(p, edge->from)->func.id;
    if (f) add_calls(&g, f, edge);
  }
  for (uint32_t f = 1; f < n; f++)
    if (!g.index[f]) visit(&g, f);
  for (uint32_t f = 0; f < n; f++) tp_vec_clear(&g.calls[f]);
  tp_free(g.calls);
  tp_free(g.index);
  tp_free(g.low);
  tp_free(g.is_open);
  tp_vec_clear(&g.open);
}

// -------------------------------------------------------------------- templates

void tp_call_templates_init(tp_call_templates *t, tp_rheap *h, tp_contracts *m) {
  TP_REQUIRE(h && m && !h->bounds);
  *t = (tp_call_templates){.heap = h, .contracts = m};
  tp_arena_init(&t->arena);
  t->callees = TP_NEW_ARRAY(tp_rexec_callee, h->program->funcs.n);
  find_components(t);
  for (uint32_t f = 0; f < h->program->funcs.n; f++)
    for (uint32_t e = 0; e < TP_REXEC_N_ENDS; e++) t->callees[f].may_end[e] = true;
}

void tp_call_templates_clear(tp_call_templates *t) {
  for (size_t i = 0; i < t->all.n; i++) {
    tp_rexec_clear(&t->all.at[i]->body);
    tp_vec_clear(&t->all.at[i]->proposed);
    if (t->all.at[i]->with_proposals) tp_rexec_clear(&t->all.at[i]->with_proposals->body);
    tp_free(t->all.at[i]->with_proposals);
    tp_free(t->all.at[i]);
  }
  tp_vec_clear(&t->all);
  tp_map_clear(&t->of);
  tp_free(t->callees);
  tp_arena_clear(&t->arena);
}

const tp_call_template *tp_call_template_of(const tp_call_templates *t, tp_func f) {
  uint64_t i;
  return tp_map_get(&t->of, f.id, &i) ? t->all.at[i - 1] : NULL;
}

/* Relations of a state: every member and global, the last object of each type, what was freed. */
static tp_rexec_store state_relations(tp_call_templates *t, const char *name, const char *when) {
  tp_rheap *h = t->heap;
  tp_rel_expr *fields = tp_arena_array(&t->arena, tp_rel_expr, h->fields.n + 1);
  tp_rel_expr *last = tp_arena_array(&t->arena, tp_rel_expr, h->object_model->basics.n);
  for (uint32_t f = 0; f < h->fields.n; f++) {
    const tp_rheap_field field = h->fields.at[f];
    const char *own = tp_rel_relation_name(h->l, tp_rel_relation_number(h->l, field.initial));
    fields[f] = field.is_inner
                    ? field.initial
                    : tp_rheap_havoc_value(
                          h, tp_arena_printf(&t->arena, "%s %s %s", own, when, name), field.symbol);
  }
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(h, b))
      last[b] = tp_rheap_havoc_set(h,
                                   tp_arena_printf(&t->arena, "last %s %s %s",
                                                   h->object_model->basics.at[b].name, when, name),
                                   b);
    else if (h->types[b].is_used)
      last[b] = h->types[b].last;
  return (tp_rexec_store){
      .fields = fields,
      .last = last,
      .freed = tp_rheap_havoc_set(h, tp_arena_printf(&t->arena, "gone %s %s", when, name), 0),
      .stack = tp_rheap_havoc_set(h, tp_arena_printf(&t->arena, "stack %s %s", when, name), 0)};
}

static tp_rel_expr value_relation(tp_call_templates *t, const char *name, const char *what,
                                  tp_type type) {
  tp_symbol *s = tp_arena_new(&t->heap->arena, tp_symbol);
  *s = (tp_symbol){.kind = TP_SYMBOL_PARAM, .name = "value", .ctype = type};
  return tp_rheap_havoc_value(t->heap, tp_arena_printf(&t->arena, "%s of %s", what, name), s);
}

/* Static functions of different files have equal names. */
static const char *name_of(tp_call_templates *t, tp_func f) {
  return tp_arena_printf(&t->arena, "%s#%u", tp_func_of(t->heap->program, f)->name, f.id);
}

static void make_relations(tp_call_templates *t, tp_call_template *f) {
  const char *name = name_of(t, f->func);
  const tp_function_contract *c = tp_contracts_of(t->contracts, f->func, TP_CONTRACT_SUMMARY);
  TP_INVARIANT(c != NULL);  // it stands for calls of the function
  tp_rel_expr *args = tp_arena_array(&t->arena, tp_rel_expr, c->n_params + 1);
  f->first_havoc = t->heap->havocs.n;
  f->start.before = state_relations(t, name, "before");
  f->start.n_fields = (uint32_t)t->heap->fields.n;
  f->after = state_relations(t, name, "behind");
  for (uint32_t i = 0; i < c->n_params; i++)
    args[i] =
        value_relation(t, name, tp_arena_printf(&t->arena, "argument %u", i), c->params[i]->ctype);
  f->start.args = args;
  f->n_args = c->n_params;
  f->result = c->result && !tp_rheap_unsupported_type(t->heap, c->result->ctype)
                  ? value_relation(t, name, "result", c->result->ctype)
                  : (tp_rel_expr){0};
  f->own_havoc = t->heap->havocs.n;
}

/* What the body leaves as it was, by its expressions. */
static bool note_objects(tp_call_templates *t, const tp_call_template *f) {
  tp_rexec_callee *c = &t->callees[f->func.id];
  const uint32_t n = (uint32_t)t->heap->object_model->basics.n;
  bool *keeps = tp_arena_array(&t->arena, bool, n);
  const bool never_returns = tp_rel_at(t->heap->l, f->body.returns.id)->kind == TP_REL_FALSE;
  bool changed = false;
  for (uint32_t b = 0; b < n; b++) {
    keeps[b] = !never_returns && f->body.after.last[b].id == f->start.before.last[b].id;
    changed = changed || keeps[b] != (c->keeps_last && c->keeps_last[b]);
  }
  const bool keeps_freed = !never_returns && f->body.after.freed.id == f->start.before.freed.id;
  changed = changed || keeps_freed != c->keeps_freed || f->body.shows_locals != c->may_show_locals;
  c->may_show_locals = f->body.shows_locals;
  c->keeps_last = keeps;
  c->keeps_freed = keeps_freed;
  return changed;
}

static bool note_ends(tp_call_templates *t, const tp_call_template *f) {
  bool may[TP_REXEC_N_ENDS] = {false}, changed = false;
  for (size_t i = 0; i < f->body.ends.n; i++) may[f->body.ends.at[i].kind] = true;
  for (size_t i = 0; i < f->body.unproved_bounds.n; i++)
    may[f->body.unproved_bounds.at[i].kind] = true;
  for (uint32_t e = 0; e < TP_REXEC_N_ENDS; e++) {
    changed = changed || may[e] != t->callees[f->func.id].may_end[e];
    t->callees[f->func.id].may_end[e] = may[e];
  }
  return note_objects(t, f) || changed;
}

/* Once more from the same state, with what its callees propose. */
static void run_with_proposals(tp_call_templates *t, tp_call_template *f) {
  tp_rheap *h = t->heap;
  if (!f->with_proposals) {
    f->with_proposals = TP_NEW(tp_call_template);
    tp_rexec_init(&f->with_proposals->body);
  }
  tp_call_template *w = f->with_proposals;
  const tp_rexec body = w->body;
  *w = *f;
  w->body = body;
  w->with_proposals = NULL;
  w->first_input = h->inputs.n;
  const tp_rexec_call_policy policy = {
      t->contracts, true, t->callees,
      tp_arena_printf(&t->arena, "%s with proposals", name_of(t, f->func)), TP_CONTRACT_PROPOSED};
  tp_rexec_run_from(&w->body, h, f->func, policy, &w->start);
  w->end_input = h->inputs.n;
  h->n_foreign_inputs += w->end_input - w->first_input;
}

static bool run(tp_call_templates *t, tp_call_template *f) {
  tp_rheap *h = t->heap;
  make_relations(t, f);
  f->first_input = h->inputs.n;
  const tp_rexec_call_policy policy = {t->contracts, true, t->callees, name_of(t, f->func),
                                       TP_CONTRACT_SUMMARY};
  tp_rexec_run_from(&f->body, h, f->func, policy, &f->start);
  f->end_havoc = h->havocs.n;
  f->end_input = h->inputs.n;
  h->n_foreign_inputs += f->end_input - f->first_input;
  f->proposes_all = tp_call_proposals(h, t->contracts, f, &f->proposed);
  if (f->proposed.n) run_with_proposals(t, f);
  return note_ends(t, f);
}

static void use(tp_call_templates *t, tp_func f) {
  if (tp_map_has(&t->of, f.id)) return;
  tp_call_template *n = TP_NEW(tp_call_template);
  n->func = f;
  tp_rexec_init(&n->body);
  tp_vec_push(&t->all, n);
  tp_map_set(&t->of, f.id, t->all.n);
}

static void use_callees(tp_call_templates *t, const tp_rexec *body) {
  for (size_t i = 0; i < body->calls.n; i++)
    if (body->calls.at[i].is_abstract) use(t, body->calls.at[i].contract->func);
}

bool tp_call_templates_run(tp_call_templates *t, const tp_rexec *body) {
  TP_REQUIRE(t && body && !t->heap->bounds);
  bool changed = false;
  t->heap->n_foreign_inputs = 0;
  const size_t known = t->all.n;
  use_callees(t, body);
  for (size_t i = 0; i < t->all.n; i++) {
    changed = run(t, t->all.at[i]) || changed;
    use_callees(t, &t->all.at[i]->body);
  }
  return changed || t->all.n != known;
}

static bool is_arithmetic(tp_rel_kind k) {
  return (k >= TP_REL_TOTAL && k <= TP_REL_SUM && k != TP_REL_ONLY_INT) || k == TP_REL_CARDINALITY;
}

static bool computes(const tp_rel *l, const tp_rexec *body, uint32_t n_fields) {
  TP_VEC(uint32_t) todo = {0};
  tp_map seen = {0};
  bool found = false;
  tp_vec_push(&todo, body->returns.id);
  if (body->result.id) tp_vec_push(&todo, body->result.id);
  for (size_t i = 0; i < body->ends.n; i++) tp_vec_push(&todo, body->ends.at[i].when.id);
  for (size_t i = 0; i < body->demanded.n; i++) tp_vec_push(&todo, body->demanded.at[i].id);
  for (uint32_t f = 0; f < n_fields; f++) tp_vec_push(&todo, body->after.fields[f].id);
  while (todo.n && !found) {
    const uint32_t at = tp_vec_pop(&todo);
    const tp_rel_node *n = tp_rel_at(l, at);
    if (tp_map_has(&seen, at)) continue;
    tp_map_set(&seen, at, 1);
    found = is_arithmetic(n->kind);
    for (uint32_t i = 0; i < n->n_kids; i++) tp_vec_push(&todo, n->kids[i]);
  }
  tp_vec_clear(&todo);
  tp_map_clear(&seen);
  return found;
}

bool tp_call_templates_compute(const tp_call_templates *t) {
  for (size_t i = 0; i < t->all.n; i++)
    if (computes(t->heap->l, &t->all.at[i]->body, t->all.at[i]->body.n_fields)) return true;
  return false;
}

uint32_t tp_call_templates_n_inlined(const tp_call_templates *t) {
  uint32_t n = 0;
  for (size_t i = 0; i < t->all.n; i++) n += t->all.at[i]->body.n_inlined;
  return n;
}

// -------------------------------------------------------------------- behaviour

static void same(tp_rheap *h, tp_rel_formulas *out, tp_rel_expr a, tp_rel_expr b) {
  if (a.id != b.id) tp_vec_push(out, tp_rel_compare(h->l, TP_REL_EQUAL, a, b));
}

static void add_returns(const tp_call_template *f, tp_rheap *h, tp_rel_formulas *out) {
  const tp_rel_node *n = tp_rel_at(h->l, f->body.returns.id);
  if (n->kind == TP_REL_AND)
    for (uint32_t i = 0; i < n->n_kids; i++) tp_vec_push(out, (tp_rel_formula){n->kids[i]});
  else
    tp_vec_push(out, f->body.returns);
}

/* Members of freed objects have no values, those of the body's own variables no meaning. */
static void add_post_state(const tp_call_template *f, tp_rheap *h, tp_rel_formulas *out) {
  TP_REQUIRE(f->start.n_fields == h->fields.n);
  tp_rel_expr live = tp_rel_binary(h->l, TP_REL_DIFFERENCE, tp_rel_univ(h->l), f->after.freed);
  if (f->body.locals.id) live = tp_rel_binary(h->l, TP_REL_DIFFERENCE, live, f->body.locals);
  for (uint32_t i = 0; i < h->fields.n; i++) {
    const tp_rheap_field *field = &h->fields.at[i];
    const tp_rel_expr own = f->body.after.fields[i], other = f->after.fields[i];
    if (field->is_inner) continue;
    if (tp_rheap_is_global(field->symbol))
      same(h, out, own, other);
    else
      same(h, out, tp_rel_binary(h->l, TP_REL_DOMAIN, live, own),
           tp_rel_binary(h->l, TP_REL_DOMAIN, live, other));
  }
  for (uint32_t b = 0; b < h->object_model->basics.n; b++)
    if (tp_rheap_is_object_type(h, b)) same(h, out, f->body.after.last[b], f->after.last[b]);
  same(h, out, f->body.after.freed, f->after.freed);
  if (f->result.id && f->body.result.id) same(h, out, f->body.result, f->result);
}

void tp_call_template_behaviour(const tp_call_templates *t, const tp_call_template *f,
                                tp_call_outcome outcome, tp_rel_formulas *out) {
  TP_REQUIRE(outcome < TP_CALL_N_OUTCOMES);
  tp_rheap *h = t->heap;
  for (size_t i = f->first_input; i < f->end_input; i++)
    tp_vec_push(out, tp_rheap_is_value(h, h->inputs.at[i].symbol, h->inputs.at[i].initial, h->null,
                                       (tp_rheap_objects){.last = f->start.before.last}));
  for (size_t i = 0; i < f->body.demanded.n; i++) tp_vec_push(out, f->body.demanded.at[i]);
  if (outcome == TP_CALL_RETURNS) {
    add_returns(f, h, out);
    add_post_state(f, h, out);
    return;
  }
  tp_rel_formulas any = {0};
  for (size_t i = 0; i < f->body.ends.n; i++)
    if (f->body.ends.at[i].kind == outcome) tp_vec_push(&any, f->body.ends.at[i].when);
  tp_vec_push(out, tp_rel_or_all(h->l, any.at, (uint32_t)any.n));
  tp_vec_clear(&any);
}
