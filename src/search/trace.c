/* An observer sees each edge before the machine takes it, and each location before its edges; the
 * return from a function is seen as a frame less. */
#include "search/trace.h"

#include "search/search_limits.h"

typedef struct {
  tp_edge call;
  tp_func callee;
} active;

struct tp_trace {
  const tp_forest *f;
  tp_paths *x;
  uint32_t test;
  uint64_t steps;
  tp_state *state;
  tp_path path;
  tp_vector_oracle vector;
  tp_inputs drawn;
  TP_VEC(tp_term) symbols;  // of drawn inputs, as far as they have one
  TP_VEC(active) calls;
  size_t terms_before;
  bool is_inexpressible;
};

tp_trace *tp_trace_new(const tp_forest *f, uint32_t test) {
  TP_REQUIRE(test < f->tests.n);
  tp_trace *t = TP_NEW(tp_trace);
  t->f = f;
  t->x = f->pt->blocks->paths;
  t->test = test;
  t->state = tp_state_copy(f->start);
  t->path = tp_path_start(t->x);
  t->vector.then_zero = true;
  t->terms_before = tp_terms_count(t->x->tt);
  tp_inputs_init(&t->drawn);
  return t;
}

void tp_trace_free(tp_trace *t) {
  if (!t) return;
  tp_state_free(t->state);
  tp_path_clear(&t->path);
  tp_inputs_clear(&t->drawn);
  tp_vec_clear(&t->symbols);
  tp_vec_clear(&t->calls);
  tp_free(t);
}

uint32_t tp_trace_test(const tp_trace *t) { return t->test; }
uint64_t tp_trace_steps(const tp_trace *t) { return t->steps; }
const tp_state *tp_trace_state(const tp_trace *t) { return t->state; }
const tp_path *tp_trace_path(const tp_trace *t) { return &t->path; }
const tp_inputs *tp_trace_inputs(const tp_trace *t) { return &t->drawn; }
tp_term tp_trace_symbol(const tp_trace *t, size_t input) {
  return input < t->symbols.n ? t->symbols.at[input] : TP_TERM_NONE;
}

// ------------------------------------------------------------------------ edges

/* The function that a call enters; NONE: none that path formulas can enter. */
static tp_func callee_of(const tp_trace *t, const tp_state *before, const tp_edge_info *e) {
  const tp_program *p = t->x->p;
  tp_func callee = e->callee;
  tp_value v;
  if (!callee.id && tp_state_eval(before, e->a, &v) == TP_OK && v.object && v.object < p->statics.n)
    callee = p->statics.at[v.object].func;
  if (!callee.id || !tp_func_of(p, callee)->has_body || callee.id == p->main.id)
    return TP_FUNC_NONE;
  for (size_t i = 0; i < t->calls.n; i++)
    if (t->calls.at[i].callee.id == callee.id) return TP_FUNC_NONE;
  return callee;
}

/* The symbol of the input that the edge has just given its variable. */
static void note_input(tp_trace *t, const tp_edge_info *e) {
  tp_term value = tp_path_after(t->x, &t->path, tp_var_of(t->x->p, e->var)->term);
  if (tp_kind(t->x->tt, value) == TP_OP_PTR_MK) value = tp_arg(t->x->tt, value, 1);
  tp_vec_resize(&t->symbols, t->drawn.v.n);
  tp_vec_push(&t->symbols, tp_kind(t->x->tt, value) == TP_OP_VAR ? value : TP_TERM_NONE);
}

static bool take(void *ctx, const tp_state *before, tp_edge edge) {
  tp_trace *t = ctx;
  const tp_edge_info *e = tp_edge_of(t->x->p, edge);
  if (e->kind == TP_E_CALL) {
    tp_func callee = callee_of(t, before, e);
    t->is_inexpressible |= !callee.id;
    if (t->is_inexpressible) return false;
    tp_path_call(t->x, &t->path, edge, callee);
    tp_vec_push(&t->calls, (active){edge, callee});
  } else {
    tp_path_edge(t->x, &t->path, edge);
    if (e->kind == TP_E_HAVOC && e->var.id) note_input(t, e);
  }
  t->is_inexpressible |= tp_terms_count(t->x->tt) - t->terms_before > TP_SEARCH_TRACE_TERMS;
  return !t->is_inexpressible;
}

static bool arrive(void *ctx, const tp_state *s) {
  tp_trace *t = ctx;
  if (tp_state_depth(s) > t->calls.n) return true;  // main's own frame is one
  active a = tp_vec_pop(&t->calls);
  tp_path_return(t->x, &t->path, a.call, a.callee);
  return true;
}

bool tp_trace_follow(tp_trace *t, uint64_t step) {
  if (t->is_inexpressible || step < t->steps) return false;
  if (step == t->steps && step > 0) return true;
  t->vector.in = &t->f->tests.at[t->test].inputs;  // tests may have moved meanwhile
  tp_record_oracle record = {.inner = tp_oracle_of_vector(&t->vector), .to = &t->drawn};
  tp_oracle oracle = tp_oracle_recording(&record);
  const tp_observer observer = {
      .mask = TP_OBSERVE_ALL | TP_OBSERVE_EDGES, .ctx = t, .at = arrive, .edge = take};
  tp_run_limits limits = t->f->limits;
  limits.steps = step - t->steps;
  if (limits.steps == 0) return true;  // main's entry
  t->steps += tp_exec_run(t->x->p, t->state, &oracle, limits, &observer).steps;
  return !t->is_inexpressible && t->steps == step;
}
