/* Programs and their path codes: writing one down, walking along one, comparing a run with one. */
#include "exec/path_code.h"

#include "exec/code.h"

// --------------------------------------------------------------------- callees

/* A function without body takes anything. */
static bool is_callee(const tp_program *p, tp_edge call, uint32_t f) {
  const tp_func_info *info = &p->funcs.at[f];
  return info->object && (!info->has_body || tp_call_fits(p, tp_edge_of(p, call), info));
}

uint32_t tp_path_n_callees(const tp_program *p, tp_edge call) {
  TP_REQUIRE(tp_edge_of(p, call)->kind == TP_E_CALL);
  uint32_t n = 0;
  for (uint32_t f = 1; f < p->funcs.n; f++) n += is_callee(p, call, f);
  return n;
}

bool tp_path_callee_number(const tp_program *p, tp_edge call, tp_func callee, uint32_t *number) {
  TP_REQUIRE(callee.id < p->funcs.n);
  *number = 0;
  for (uint32_t f = 1; f < callee.id; f++) *number += is_callee(p, call, f);
  return callee.id && is_callee(p, call, callee.id);
}

tp_func tp_path_callee(const tp_program *p, tp_edge call, uint32_t number) {
  for (uint32_t f = 1; f < p->funcs.n; f++)
    if (is_callee(p, call, f) && number-- == 0) return (tp_func){f};
  return TP_FUNC_NONE;
}

/* The decision that an edge about to be taken is: its number among how many. False: the edge fails
 * before anything is decided. */
static bool decision(const tp_program *p, const tp_state *before, tp_edge edge, uint32_t *value,
                     uint32_t *n) {
  const tp_edge_info *e = tp_edge_of(p, edge);
  tp_edge_list out = tp_out_edges(p, e->from);
  *value = 0;
  *n = out.n;
  while (*value + 1 < out.n && out.at[*value] != edge.id) ++*value;
  if (e->kind != TP_E_CALL || e->callee.id) return true;
  TP_INVARIANT(out.n == 1);  // several edges: all are assumptions
  tp_value a;
  if (tp_state_eval(before, e->a, &a) != TP_OK || a.object >= p->statics.n || a.bits) return false;
  *n = tp_path_n_callees(p, edge);
  return tp_path_callee_number(p, edge, p->statics.at[a.object].func, value);
}

// ------------------------------------------------------------------- recording

static bool record(void *ctx, const tp_state *before, tp_edge edge) {
  tp_path_recorder *r = ctx;
  uint32_t value, n;
  bool was_cut = r->code->is_cut;
  if (was_cut && r->stop_when_cut) return false;
  if (!was_cut && decision(r->program, before, edge, &value, &n))
    tp_path_code_add(r->code, value, tp_path_bits(n));
  if (!was_cut) r->code->steps++;
  return true;
}

tp_observer tp_path_recording(tp_path_recorder *recorder) {
  return (tp_observer){.mask = TP_OBSERVE_EDGES, .ctx = recorder, .edge = record};
}

// --------------------------------------------------------------------- walking

void tp_path_walk_start(tp_path_walk *w, const tp_program *p, const tp_path_code *code) {
  *w = (tp_path_walk){
      .program = p, .reader = tp_path_read(code), .loc = tp_func_of(p, p->main)->entry};
  tp_vec_push(&w->calls, TP_EDGE_NONE);
}

void tp_path_walk_clear(tp_path_walk *w) { tp_vec_clear(&w->calls); }

/* Where the walk goes on without an edge: behind the call. */
static bool leave(tp_path_walk *w) {
  const tp_program *p = w->program;
  while (tp_out_edges(p, w->loc).n == 0) {
    const tp_func_info *f = tp_func_of(p, tp_loc_of(p, w->loc)->func);
    if (f->exit.id != w->loc.id || w->calls.n <= 1) return false;
    w->loc = tp_edge_of(p, tp_vec_pop(&w->calls))->to;
  }
  return true;
}

bool tp_path_walk_next(tp_path_walk *w, tp_edge *out) {
  const tp_program *p = w->program;
  if (!leave(w)) return false;
  tp_edge_list list = tp_out_edges(p, w->loc);
  uint32_t which = 0, number = 0;
  if (!tp_path_next(&w->reader, tp_path_bits(list.n), &which) || which >= list.n) return false;
  const tp_edge edge = {list.at[which]};
  const tp_edge_info *e = tp_edge_of(p, edge);
  w->loc = e->to;
  if (e->kind == TP_E_CALL) {
    tp_func callee = e->callee;
    if (!callee.id) {
      if (!tp_path_next(&w->reader, tp_path_bits(tp_path_n_callees(p, edge)), &number))
        return false;
      callee = tp_path_callee(p, edge, number);
    }
    if (!callee.id) return false;
    if (tp_func_of(p, callee)->has_body) {
      tp_vec_push(&w->calls, edge);
      w->loc = tp_func_of(p, callee)->entry;
    }
  }
  *out = edge;
  return true;
}

// -------------------------------------------------------------------- replaying

typedef struct {
  const tp_program *p;
  tp_path_reader reader;
  bool same;
} follower;

static bool follow(void *ctx, const tp_state *before, tp_edge edge) {
  follower *f = ctx;
  uint32_t value, n, told;
  if (!decision(f->p, before, edge, &value, &n) || tp_path_bits(n) == 0) return true;
  if (!tp_path_next(&f->reader, tp_path_bits(n), &told)) return false;
  f->same = told == value;
  return f->same;
}

tp_run_result tp_path_replay(const tp_program *p, tp_state *s, tp_oracle *oracle,
                             tp_run_limits limits, const tp_path_code *code, bool *same) {
  follower f = {.p = p, .reader = tp_path_read(code), .same = true};
  const tp_observer o = {.mask = TP_OBSERVE_EDGES, .ctx = &f, .edge = follow};
  tp_run_result r = tp_exec_run(p, s, oracle, limits, &o);
  *same = f.same;
  return r;
}
