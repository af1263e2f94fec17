/* Reached are the locations that edges lead to from main's entry, into callees with a known body;
 * of these, each edge gives all loops that it leaves a way out. */
#include "program/endless.h"

typedef struct {
  const tp_program *p;
  bool *is_reached;  // by location
  bool *has_exit;    // by loop
  TP_VEC(tp_loc) todo;
} search;

static void reach(search *s, tp_loc l) {
  if (!l.id || s->is_reached[l.id]) return;
  s->is_reached[l.id] = true;
  tp_vec_push(&s->todo, l);
}

static bool is_inside(const tp_program *p, tp_loc l, uint32_t outer) {
  uint32_t loop = tp_loc_of(p, l)->loop;
  while (loop && loop != outer) loop = p->loops.at[loop].parent;
  return loop != 0;
}

/* Could the program end, or leave by a jump, behind this edge? */
static bool may_end(const tp_program *p, const tp_edge_info *e) {
  if (e->kind != TP_E_CALL) return false;
  return !e->callee.id || !tp_func_of(p, e->callee)->is_model;
}

/* An edge to an error is the end of runs that fail; all other edges out of a loop are ways out. */
static void note_exits(search *s, const tp_edge_info *e) {
  const bool is_error = tp_loc_of(s->p, e->to)->error != TP_P_NONE;
  for (uint32_t l = tp_loc_of(s->p, e->from)->loop; l; l = s->p->loops.at[l].parent)
    s->has_exit[l] |= may_end(s->p, e) || (!is_error && !is_inside(s->p, e->to, l));
}

/* A loop that does nothing is also a way to write an assumption: there, other runs return. */
static bool is_idle_end(const search *s, tp_loc l) {
  const tp_loc_info *loc = tp_loc_of(s->p, l);
  const tp_func_info *f = tp_func_of(s->p, loc->func);
  return loc->is_idle && !f->is_model && !s->is_reached[f->exit.id];
}

tp_loc tp_endless_loop(const tp_program *p) {
  TP_REQUIRE(p && p->main.id);
  search s = {.p = p,
              .is_reached = TP_NEW_ARRAY(bool, p->locs.n),
              .has_exit = TP_NEW_ARRAY(bool, p->loops.n + 1)};
  reach(&s, tp_func_of(p, p->main)->entry);
  while (s.todo.n) {
    const tp_edge_list out = tp_out_edges(p, tp_vec_pop(&s.todo));
    for (uint32_t i = 0; i < out.n; i++) {
      const tp_edge_info *e = tp_edge_of(p, (tp_edge){out.at[i]});
      note_exits(&s, e);
      if (e->kind == TP_E_CALL && e->callee.id) reach(&s, tp_func_of(p, e->callee)->entry);
      reach(&s, e->to);
    }
  }
  tp_loc found = TP_LOC_NONE;
  for (uint32_t i = 1; i < p->locs.n && !found.id; i++)
    if (s.is_reached[i] && is_idle_end(&s, (tp_loc){i})) found = (tp_loc){i};
  for (uint32_t l = 1; l < p->loops.n && !found.id; l++) {
    const tp_loc head = p->loops.at[l].head;
    const bool is_users = !tp_func_of(p, tp_loc_of(p, head)->func)->is_model;
    if (is_users && s.is_reached[head.id] && !s.has_exit[l]) found = head;
  }
  tp_vec_clear(&s.todo);
  tp_free(s.is_reached);
  tp_free(s.has_exit);
  return found;
}

bool tp_has_loops(const tp_program *p) {
  TP_REQUIRE(p);
  for (uint32_t l = 1; l < p->loops.n; l++)
    if (!tp_func_of(p, tp_loc_of(p, p->loops.at[l].head)->func)->is_model) return true;
  for (uint32_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].is_recursive && !p->funcs.at[f].is_model) return true;
  return false;
}
