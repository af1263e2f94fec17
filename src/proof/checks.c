/* Backwards from an error location, from dominator to dominator: to the branch that leads to it, on
 * to earlier branches as long as all ways out of what lies between lead to one place (the
 * conditions of `a || b && c`, read from left to right), and on to the entry of the function if
 * nothing else comes in between. Then the check is made by each call of the function, and stands at
 * the calls. Back edges are no ways to a location: a loop is entered at its head. */
#include "proof/checks.h"

#include "proof/proof_limits.h"

typedef struct {
  const tp_program *p;
  bool *is_called;      // by function
  uint32_t *n_callers;  // by function: direct calls in functions that are called
  uint32_t depth;       // calls from the error location to the location at hand
  tp_checks *out;
} search;

// ---------------------------------------------------------------------- callers

static bool is_call_of_run(const search *s, const tp_edge_info *e) {
  return e->kind == TP_E_CALL && e->from.id && s->is_called[tp_loc_of(s->p, e->from)->func.id];
}

/* A call through a pointer may be one of any function. */
static bool mark_callees(search *s, const tp_edge_info *e) {
  bool changed = false;
  for (size_t f = 1; f < s->p->funcs.n; f++) {
    if ((e->callee.id && e->callee.id != f) || s->is_called[f]) continue;
    s->is_called[f] = changed = true;
  }
  return changed;
}

static void find_called(search *s) {
  const tp_program *p = s->p;
  bool changed = true;
  s->is_called[p->main.id] = true;
  while (changed) {
    changed = false;
    for (size_t i = 1; i < p->edges.n; i++)
      if (is_call_of_run(s, &p->edges.at[i])) changed |= mark_callees(s, &p->edges.at[i]);
  }
  for (size_t i = 1; i < p->edges.n; i++)
    if (is_call_of_run(s, &p->edges.at[i])) s->n_callers[p->edges.at[i].callee.id]++;
}

// -------------------------------------------------------------------- backwards

static void add(search *s, tp_loc at, tp_pos pos) {
  if (s->out->n < TP_PROOF_CHECKS) tp_vec_push(s->out, ((tp_check){at, pos}));
}

/* What lies between a location and the error location behind it. */
typedef struct {
  tp_loc at[TP_PROOF_CHECK_LOCATIONS];
  size_t n;
  bool is_full;
} region;

static bool is_inside(const region *r, tp_loc l) {
  for (size_t i = 0; i < r->n; i++)
    if (r->at[i].id == l.id) return true;
  return false;
}

static void put(region *r, tp_loc l) {
  if (is_inside(r, l)) return;
  if (r->n < TP_PROOF_CHECK_LOCATIONS)
    r->at[r->n++] = l;
  else
    r->is_full = true;
}

/* The nearest location that every run to `at` passes; what lies between comes into the region.
 * NONE: `at` is an entry, or the region is full. Of the locations in hand the last one in reverse
 * postorder is replaced by those before it, until one is left. */
static tp_loc dominator(const tp_program *p, tp_loc at, region *r) {
  region hand = {0};
  put(&hand, at);
  for (bool is_first = true; hand.n > 1 || is_first; is_first = false) {
    size_t last = 0;
    for (size_t i = 1; i < hand.n; i++)
      if (tp_loc_of(p, hand.at[i])->order > tp_loc_of(p, hand.at[last])->order) last = i;
    const tp_loc l = hand.at[last];
    const tp_edge_list in = tp_in_edges(p, l);
    hand.at[last] = hand.at[--hand.n];
    put(r, l);
    for (uint32_t i = 0; i < in.n; i++) {
      const tp_loc from = tp_edge_of(p, (tp_edge){in.at[i]})->from;
      if (tp_loc_of(p, from)->order < tp_loc_of(p, l)->order) put(&hand, from);
    }
    if (hand.n == 0 || hand.is_full || r->is_full) return TP_LOC_NONE;
  }
  return hand.at[0];
}

/* Past operations that do nothing. */
static tp_loc behind_skips(const tp_program *p, tp_loc l) {
  for (size_t n = 0; n < p->locs.n; n++) {
    const tp_edge_list out = tp_out_edges(p, l);
    if (out.n != 1 || tp_edge_of(p, (tp_edge){out.at[0]})->kind != TP_E_SKIP) break;
    l = tp_edge_of(p, (tp_edge){out.at[0]})->to;
  }
  return l;
}

/* The one place that all edges out of the region lead to, and out of its start; NONE: there are
 * several, or none. */
static tp_loc only_exit(const tp_program *p, const region *r, tp_loc start) {
  tp_loc exit = TP_LOC_NONE;
  for (size_t i = 0; i <= r->n; i++) {
    const tp_edge_list out = tp_out_edges(p, i < r->n ? r->at[i] : start);
    for (uint32_t k = 0; k < out.n; k++) {
      const tp_loc to = behind_skips(p, tp_edge_of(p, (tp_edge){out.at[k]})->to);
      if (to.id == start.id || is_inside(r, to) || to.id == exit.id) continue;
      if (exit.id) return TP_LOC_NONE;
      exit = to;
    }
  }
  return exit;
}

/* The first of the locations that every run to `at` passes and that decide nothing but the check.
 * *branch: the first location that decides it; kept if it is known. */
static tp_loc check_start(const tp_program *p, tp_loc at, tp_loc *branch) {
  const tp_loc entry = tp_func_of(p, tp_loc_of(p, at)->func)->entry;
  const bool is_known = branch->id != 0;
  region between = {0};
  tp_loc exit = TP_LOC_NONE, start = at;
  while (start.id != entry.id) {
    const tp_loc before = dominator(p, start, &between);
    if (!before.id) break;
    if (tp_out_edges(p, before).n > 1) {
      const tp_loc only = only_exit(p, &between, before);
      if (is_known || (branch->id && (!only.id || only.id != exit.id))) break;
      exit = only;
      *branch = before;
    }
    start = before;
  }
  return start;
}

/* branch: NONE, or the location behind which nothing keeps a run from `at`. */
static void add_from(search *s, tp_loc at, tp_loc branch, tp_pos pos) {
  const tp_program *p = s->p;
  const tp_func f = tp_loc_of(p, at)->func;
  const tp_func_info *info = tp_func_of(p, f);
  const tp_loc start = check_start(p, at, &branch);
  const bool is_first = branch.id && start.id == info->entry.id,
             is_shared = info->is_model || (is_first && s->n_callers[f.id] > 1);
  if (f.id == p->main.id || !is_shared || !s->n_callers[f.id] || s->depth >= TP_PROOF_CHECK_CALLS) {
    add(s, branch.id ? branch : start, pos);
    return;
  }
  s->depth++;
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (is_call_of_run(s, e) && e->callee.id == f.id) add_from(s, e->from, e->from, e->pos);
  }
  s->depth--;
}

void tp_checks_find(const tp_program *p, tp_property property, tp_checks *out) {
  TP_REQUIRE(p && out && p->main.id);
  search s = {.p = p,
              .is_called = TP_NEW_ARRAY(bool, p->funcs.n),
              .n_callers = TP_NEW_ARRAY(uint32_t, p->funcs.n),
              .out = out};
  find_called(&s);
  for (uint32_t i = 1; i < p->locs.n; i++) {
    const tp_loc_info *l = &p->locs.at[i];
    if (!tp_property_covers(property, l->error) || !s.is_called[l->func.id]) continue;
    if (l->order == TP_ORDER_NONE) continue;  // its function's entry does not lead there
    add_from(&s, (tp_loc){i}, TP_LOC_NONE, l->pos);
  }
  tp_free(s.is_called);
  tp_free(s.n_callers);
}
