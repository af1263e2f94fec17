#include "flow.h"

enum { N_GLOBALS = 2, N_LOCALS = 2, MAX_FUNCS = 2, MIN_PLACES = 6, MORE_PLACES = 16 };

typedef struct {
  tp_program *p;
  tp_terms *tt;
  tp_rng rng;
  tp_func func;
  tp_var globals[N_GLOBALS], locals[N_LOCALS];   // the first local of a function is its parameter
  tp_func funcs[MAX_FUNCS];
  uint32_t n_funcs;
  tp_loc places[MIN_PLACES + MORE_PLACES];
  uint32_t n_places;
} maker;

static uint64_t draw(maker *m, uint64_t n) { return tp_rng_below(&m->rng, n); }
static tp_term symbol(const maker *m, tp_var v) { return tp_var_of(m->p, v)->term; }

static tp_var any_var(maker *m) {
  uint64_t i = draw(m, N_GLOBALS + N_LOCALS);
  return i < N_GLOBALS ? m->globals[i] : m->locals[i - N_GLOBALS];
}

static tp_term any_number(maker *m, int depth) {
  static const tp_term_kind kinds[] = {TP_OP_BV_ADD, TP_OP_BV_ADD, TP_OP_BV_MUL, TP_OP_BV_AND, TP_OP_BV_XOR, TP_OP_BV_LSHR};
  if (depth == 0 || draw(m, 3) == 0) return draw(m, 2) ? symbol(m, any_var(m)) : tp_mk_bv(m->tt, FLOW_BITS, draw(m, 1u << FLOW_BITS));
  tp_term a = any_number(m, depth - 1), b = any_number(m, depth - 1);
  return tp_mk2(m->tt, kinds[draw(m, 6)], a, b);
}

static tp_term any_condition(maker *m) {
  static const tp_term_kind kinds[] = {TP_OP_EQ, TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT, TP_OP_BV_SLE};
  tp_term a = any_number(m, 1), b = any_number(m, 1);
  tp_term c = tp_mk2(m->tt, kinds[draw(m, 5)], a, b);
  if (draw(m, 4)) return c;
  a = any_number(m, 0);
  b = any_number(m, 0);
  return tp_mk_and(m->tt, c, tp_mk2(m->tt, kinds[draw(m, 5)], a, b));
}

/* Mostly the next place, sometimes any; never past the last, which returns. */
static tp_loc target(maker *m, uint32_t i) { return m->places[draw(m, 3) ? i + 1 : draw(m, m->n_places)]; }

static void place(maker *m, uint32_t i) {
  tp_program *p = m->p;
  tp_edge_info e = {.from = m->places[i], .to = target(m, i), .var = any_var(m)};
  uint64_t what = i < 2 ? 4 : draw(m, 10);       // something must be unknown at the start
  if (what < 4) {
    e.kind = TP_E_ASSIGN;
    e.a = any_number(m, 2);
  } else if (what < 5) {
    e.kind = TP_E_HAVOC;
    e.input = TP_I_NONDET;
    e.name = "input";
  } else if (what < 7 && m->n_funcs) {
    tp_term arg = any_number(m, 1);
    e.kind = TP_E_CALL;
    e.callee = m->funcs[draw(m, m->n_funcs)];
    e.args = &arg;
    e.n_args = 1;
    tp_program_add_edge(p, e);
    return;
  } else {
    tp_term c = any_condition(m);
    e.kind = TP_E_ASSUME;
    e.var = TP_VAR_NONE;
    e.a = c;
    tp_program_add_edge(p, e);
    e.to = target(m, i);
    e.a = tp_mk_not(m->tt, c);
    e.negated = true;
  }
  tp_program_add_edge(p, e);
}

static void make_function(maker *m, const char *name) {
  tp_program *p = m->p;
  tp_sort s = tp_sort_bv(m->tt, FLOW_BITS);
  bool is_main = strcmp(name, "main") == 0;
  m->func = tp_program_add_func(p, (tp_func_info){.name = name, .has_body = true});
  m->n_places = MIN_PLACES + (uint32_t)draw(m, MORE_PLACES);
  for (uint32_t i = 0; i < m->n_places; i++) m->places[i] = tp_program_add_loc(p, (tp_loc_info){.func = m->func});
  tp_loc leave = tp_program_add_loc(p, (tp_loc_info){.func = m->func});
  for (uint32_t i = 0; i < N_LOCALS; i++) {
    tp_var_info v = {.name = i ? "y" : "x", .kind = i == 0 && !is_main ? TP_V_PARAM : TP_V_LOCAL, .func = m->func};
    m->locals[i] = tp_program_add_var(p, v, s);
  }
  tp_var result = tp_program_add_var(p, (tp_var_info){.name = "result", .kind = TP_V_TEMP, .func = m->func}, s);
  tp_var *params = tp_arena_array(&p->arena, tp_var, 1);
  params[0] = m->locals[0];
  tp_func_info *f = &p->funcs.at[m->func.id];
  f->entry = m->places[0];
  f->exit = leave;
  f->result = result;
  f->params = params;
  f->n_params = is_main ? 0 : 1;
  f->object = tp_program_add_static(p, (tp_static){.name = name, .kind = TP_O_FUNCTION, .size_bytes = 1, .func = m->func});
  for (uint32_t i = 0; i + 1 < m->n_places; i++) place(m, i);
  tp_program_add_edge(p, (tp_edge_info){.kind = TP_E_RETURN, .from = m->places[m->n_places - 1], .to = leave, .a = any_number(m, 1)});
  if (is_main) p->main = m->func;
  else m->funcs[m->n_funcs++] = m->func;
}

tp_program *flow_make(tp_diag *diag, uint64_t seed) {
  maker m = {.p = tp_program_new(diag, 64)};
  m.tt = m.p->terms;
  tp_rng_init(&m.rng, seed);
  for (uint32_t i = 0; i < N_GLOBALS; i++) {
    tp_var_info v = {.name = i ? "h" : "g", .kind = TP_V_GLOBAL, .initial = tp_mk_bv(m.tt, FLOW_BITS, draw(&m, 1u << FLOW_BITS))};
    m.globals[i] = tp_program_add_var(m.p, v, tp_sort_bv(m.tt, FLOW_BITS));
  }
  static const char *const names[] = {"f", "g"};
  for (uint64_t i = 0, n = draw(&m, MAX_FUNCS + 1); i < n; i++) make_function(&m, names[i]);
  make_function(&m, "main");
  tp_program_finish(m.p);
  return m.p;
}
