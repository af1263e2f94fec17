/* Which functions can be on the call stack twice.
 *
 * The call graph has an edge for each direct call, and for each call through a
 * pointer one to every function that fits: has a body, takes that many
 * arguments, and has its address taken somewhere (an address constant in a
 * linked edge or an initial value, or a relocation of a static). Recursive are
 * the members of a strongly connected component with more than one function,
 * and functions that call themselves. */
#include "program/finish_priv.h"

typedef struct {
  const tp_program *p;
  bool *is_address_taken;    // by function
  bool *is_recursive;        // by function: the result
  uint32_t *start, *callee;  // rows: functions called by each function
  // Tarjan's search
  uint32_t *number, *low, *component;
  uint32_t n_numbered;
} call_graph;

// --------------------------------------------------------------- address taken

static void mark(bool *used, tp_term t) {
  if (t.id) used[t.id] = true;
}

bool *tp_program_used_terms(const tp_program *p, tp_arena *scratch) {
  size_t n = tp_terms_count(p->terms);
  bool *used = tp_arena_array(scratch, bool, n + 1);
  for (size_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    if (edge->from.id == 0) continue;
    mark(used, edge->a);
    mark(used, edge->b);
    mark(used, edge->c);
    for (uint32_t i = 0; i < edge->n_args; i++) mark(used, edge->args[i]);
  }
  for (size_t v = 1; v < p->vars.n; v++) mark(used, p->vars.at[v].initial);
  for (size_t t = n; t > 0; t--) {  // arguments have smaller ids
    tp_term term = {(uint32_t)t};
    if (!used[t]) continue;
    for (uint32_t i = 0; i < tp_n_args(p->terms, term); i++)
      TP_INVARIANT(tp_arg(p->terms, term, i).id < t);
    for (uint32_t i = 0; i < tp_n_args(p->terms, term); i++)
      used[tp_arg(p->terms, term, i).id] = true;
  }
  return used;
}

static void take_address(call_graph *g, uint32_t object) {
  if (object == 0 || object >= g->p->statics.n) return;
  const tp_static *s = &g->p->statics.at[object];
  if (s->kind == TP_O_FUNCTION) g->is_address_taken[s->func.id] = true;
}

static void find_address_taken(call_graph *g, tp_arena *scratch) {
  const tp_program *p = g->p;
  const bool *used = tp_program_used_terms(p, scratch);
  for (size_t t = 1; t <= tp_terms_count(p->terms); t++) {
    tp_term term = {(uint32_t)t};
    if (used[t] && tp_kind(p->terms, term) == TP_OP_PTR_CONST)
      take_address(g, tp_ptr_const_object(p->terms, term));
  }
  for (size_t s = 1; s < p->statics.n; s++)
    for (uint32_t i = 0; i < p->statics.at[s].n_relocs; i++)
      take_address(g, p->statics.at[s].relocs[i].object);
}

// ------------------------------------------------------------------ call edges

static bool may_call(const call_graph *g, const tp_edge_info *call, uint32_t f) {
  TP_REQUIRE(call->kind == TP_E_CALL && f && f < g->p->funcs.n);
  if (call->callee.id) return call->callee.id == f;
  const tp_func_info *func = &g->p->funcs.at[f];
  return g->is_address_taken[f] && func->has_body && func->n_params == call->n_args;
}

/* Rows of callees. Two passes, count and fill; `fill` writes behind start[f]. */
static void visit_calls(call_graph *g, bool fill) {
  const tp_program *p = g->p;
  for (size_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    if (edge->kind != TP_E_CALL || edge->from.id == 0) continue;
    uint32_t caller = p->locs.at[edge->from.id].func.id;
    uint32_t from = edge->callee.id ? edge->callee.id : 1;
    uint32_t to = edge->callee.id ? edge->callee.id : (uint32_t)(p->funcs.n - 1);
    for (uint32_t f = from; f <= to; f++) {
      if (!may_call(g, edge, f)) continue;
      if (fill)
        g->callee[g->start[caller]++] = f;
      else
        g->start[caller + 1]++;
    }
  }
}

static void build_call_rows(call_graph *g, tp_arena *scratch) {
  size_t n = g->p->funcs.n;
  g->start = tp_arena_array(scratch, uint32_t, n + 2);
  visit_calls(g, false);
  for (size_t f = 0; f <= n; f++) g->start[f + 1] += g->start[f];
  g->callee = tp_arena_array(scratch, uint32_t, g->start[n] + 1);
  visit_calls(g, true);
  for (size_t f = n; f > 0; f--) g->start[f] = g->start[f - 1];
  g->start[0] = 0;
  TP_INVARIANT(g->start[n] <= g->start[n + 1]);
}

// ------------------------------------------------------------------ components

typedef struct {
  uint32_t func, next;  // next: position in the row of callees
} call_frame;

/* Pop the component whose root is f; mark it recursive if it has a cycle. */
static void close_component(call_graph *g, uint32_t f, uint32_t *open, size_t *n_open) {
  TP_REQUIRE(*n_open > 0 && g->low[f] == g->number[f]);
  bool is_cycle = open[*n_open - 1] != f;
  for (uint32_t i = g->start[f]; i < g->start[f + 1]; i++) is_cycle |= g->callee[i] == f;
  uint32_t member;
  do {
    member = open[--*n_open];
    g->component[member] = f;
    g->is_recursive[member] = is_cycle;
  } while (member != f);
}

static void search_from(call_graph *g, uint32_t root, call_frame *stack, uint32_t *open,
                        size_t *n_open) {
  size_t depth = 0;
  stack[depth++] = (call_frame){root, g->start[root]};
  g->number[root] = g->low[root] = ++g->n_numbered;
  open[(*n_open)++] = root;
  while (depth > 0) {
    call_frame *top = &stack[depth - 1];
    uint32_t f = top->func;
    if (top->next < g->start[f + 1]) {
      uint32_t callee = g->callee[top->next++];
      if (g->number[callee] == 0) {
        g->number[callee] = g->low[callee] = ++g->n_numbered;
        open[(*n_open)++] = callee;
        stack[depth++] = (call_frame){callee, g->start[callee]};
      } else if (g->component[callee] == 0 && g->number[callee] < g->low[f]) {
        g->low[f] = g->number[callee];
      }
      continue;
    }
    if (g->low[f] == g->number[f]) close_component(g, f, open, n_open);
    depth--;
    if (depth > 0 && g->low[f] < g->low[stack[depth - 1].func])
      g->low[stack[depth - 1].func] = g->low[f];
  }
}

void tp_program_find_recursion(const tp_program *p, bool *is_recursive, tp_arena *scratch) {
  TP_REQUIRE(p->out_start);
  size_t n = p->funcs.n, n_open = 0;
  call_graph g = {.p = p,
                  .is_recursive = is_recursive,
                  .is_address_taken = tp_arena_array(scratch, bool, n),
                  .number = tp_arena_array(scratch, uint32_t, n),
                  .low = tp_arena_array(scratch, uint32_t, n),
                  .component = tp_arena_array(scratch, uint32_t, n)};
  find_address_taken(&g, scratch);
  build_call_rows(&g, scratch);
  call_frame *stack = tp_arena_array(scratch, call_frame, n);
  uint32_t *open = tp_arena_array(scratch, uint32_t, n);
  for (uint32_t f = 1; f < n; f++)
    if (g.number[f] == 0) search_from(&g, f, stack, open, &n_open);
  TP_INVARIANT(n_open == 0);  // each root closes its component
}
