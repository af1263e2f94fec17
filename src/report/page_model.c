/* The control-flow automata of the user's functions, as arrays of numbers and texts.
 *
 * A node is [location, line, flags, loop]; an edge is [from, to, text, line, visits], from and to
 * as positions in the list of nodes; a loop is [parent, depth, line], loops as positions + 1. Nodes
 * stand in reverse postorder: an edge to an earlier node closes a cycle. */
#include "report/page_priv.h"
#include "report/report_limits.h"

#include <stdlib.h>

enum { HEAD = 1, ERROR_LOCATION = 2, ENTRY = 4, EXIT = 8, UNSUPPORTED = 16 };

static int flags_of(const tp_program *p, tp_loc l) {
  const tp_loc_info *loc = tp_loc_of(p, l);
  const tp_func_info *f = tp_func_of(p, loc->func);
  int flags = 0;
  if (loc->is_loop_head) flags |= HEAD;
  if (loc->error != TP_P_NONE) flags |= ERROR_LOCATION;
  if (f->entry.id == l.id) flags |= ENTRY;
  if (f->exit.id == l.id) flags |= EXIT;
  if (loc->is_unsupported) flags |= UNSUPPORTED;
  return flags;
}

/* Locations that their function's entry reaches; errors have no order of their own. */
static bool is_shown(const tp_program *p, uint32_t id) {
  const tp_loc_info *loc = &p->locs.at[id];
  if (!loc->func.id || loc->order == TP_ORDER_NONE) return false;
  const tp_func_info *f = tp_func_of(p, loc->func);
  return f->has_body && !f->is_model;
}

typedef struct {
  const tp_program *p;
  const tp_map *index_of;
  const uint32_t *visits;
  uint32_t *loops;      // by loop: position + 1 in its function
  uint32_t *positions;  // by location, in its function
} automata;

/* In the file of the function; elsewhere (text of a header in a body): 0. */
static uint32_t line_of(const tp_program *p, tp_loc l, tp_pos pos) {
  return pos.file == tp_func_of(p, tp_loc_of(p, l)->func)->pos.file ? pos.line : 0;
}

static json_t *edge_of(const automata *a, uint32_t id) {
  const tp_edge_info *e = &a->p->edges.at[id];
  tp_str text = {0};
  tp_edge_print(a->p, (tp_edge){id}, &text);
  json_t *edge = json_array();
  json_array_append_new(edge, tp_page_number(a->positions[e->from.id]));
  json_array_append_new(edge, tp_page_number(a->positions[e->to.id]));
  json_array_append_new(
      edge, tp_page_text_n(tp_str_text(&text),
                           text.n < TP_REPORT_PAGE_LABEL ? text.n : TP_REPORT_PAGE_LABEL));
  json_array_append_new(edge, tp_page_number(line_of(a->p, e->from, e->pos)));
  json_array_append_new(edge, tp_page_number(a->visits ? a->visits[id] : 0));
  const bool is_of_user = e->kind == TP_E_CALL && e->callee.id &&
                          tp_func_of(a->p, e->callee)->has_body &&
                          !tp_func_of(a->p, e->callee)->is_model;
  if (is_of_user) json_array_append_new(edge, tp_page_number(e->callee.id));
  tp_str_clear(&text);
  return edge;
}

/* A loop after those that enclose it. */
static void add_loop(automata *a, uint32_t loop, json_t *loops) {
  if (!loop || a->loops[loop]) return;
  const tp_loop *l = &a->p->loops.at[loop];
  add_loop(a, l->parent, loops);
  json_array_append_new(loops, json_pack("[iii]", l->parent ? (int)a->loops[l->parent] : 0,
                                         (int)l->depth, (int)l->pos.line));
  a->loops[loop] = (uint32_t)json_array_size(loops);
}

static json_t *automaton_of(automata *a, uint32_t func, const uint32_t *locs, size_t n) {
  const tp_func_info *f = &a->p->funcs.at[func];
  json_t *nodes = json_array(), *edges = json_array(), *loops = json_array(), *o = json_object();
  for (size_t i = 0; i < n; i++) {
    const tp_loc_info *l = &a->p->locs.at[locs[i]];
    a->positions[locs[i]] = (uint32_t)i;
    add_loop(a, l->loop, loops);
    json_array_append_new(
        nodes, json_pack("[iiii]", (int)locs[i], (int)line_of(a->p, (tp_loc){locs[i]}, l->pos),
                         flags_of(a->p, (tp_loc){locs[i]}), l->loop ? (int)a->loops[l->loop] : 0));
  }
  for (size_t i = 0; i < n; i++) {
    const tp_edge_list out = tp_out_edges(a->p, (tp_loc){locs[i]});
    for (uint32_t k = 0; k < out.n; k++)
      if (is_shown(a->p, a->p->edges.at[out.at[k]].to.id))
        json_array_append_new(edges, edge_of(a, out.at[k]));
  }
  json_object_set_new(o, "name", tp_page_text(f->name));
  json_object_set_new(o, "id", tp_page_number(func));
  json_object_set_new(o, "place", tp_page_place(a->index_of, f->pos));
  json_object_set_new(o, "nodes", nodes);
  json_object_set_new(o, "edges", edges);
  json_object_set_new(o, "loops", loops);
  return o;
}

static int by_order(const void *x, const void *y, void *program) {
  const tp_program *p = program;
  const tp_loc_info *a = &p->locs.at[*(const uint32_t *)x], *b = &p->locs.at[*(const uint32_t *)y];
  if (a->func.id != b->func.id) return a->func.id < b->func.id ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static void add_functions(automata *a, const uint32_t *locs, size_t n, json_t *list) {
  size_t left = TP_REPORT_PAGE_EDGES;
  for (size_t from = 0, to; from < n; from = to) {
    const uint32_t func = a->p->locs.at[locs[from]].func.id;
    for (to = from; to < n && a->p->locs.at[locs[to]].func.id == func;) to++;
    if (to - from > left) continue;  // it is left out; smaller ones behind it may still fit
    left -= to - from;
    json_array_append_new(list, automaton_of(a, func, locs + from, to - from));
  }
}

json_t *tp_page_automata(const tp_program *p, const tp_map *index_of, const uint32_t *visits) {
  json_t *list = json_array();
  if (!p) return list;
  automata a = {.p = p,
                .index_of = index_of,
                .visits = visits,
                .loops = TP_NEW_ARRAY(uint32_t, p->loops.n + 1),
                .positions = TP_NEW_ARRAY(uint32_t, p->locs.n + 1)};
  uint32_t *locs = TP_NEW_ARRAY(uint32_t, p->locs.n + 1);
  size_t n = 0;
  for (uint32_t i = 1; i < p->locs.n; i++)
    if (is_shown(p, i)) locs[n++] = i;
  if (n) qsort_r(locs, n, sizeof *locs, by_order, (void *)(uintptr_t)p);
  add_functions(&a, locs, n, list);
  tp_free(locs);
  tp_free(a.loops);
  tp_free(a.positions);
  return list;
}
