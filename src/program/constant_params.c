/* Constants for parameters: see constant_params.h.
 *
 * The address of a function is used where it is an operand of an edge, or in the initial image of a
 * static or a variable. Values of parameters are collected from all calls: NONE at first, the
 * constant of the first call, and refused where another one differs. */
#include "program/constant_params.h"

typedef enum { SEEN_NONE, SEEN_CONSTANT, SEEN_OTHER } seen_value;

typedef struct {
  tp_program *p;
  tp_terms *tt;
  bool *is_exposed;   // by function: calls may come from where they are not seen
  seen_value *seen;   // by variable, of parameters
  tp_term *constant;  // by variable
} search;

// -------------------------------------------------------------------------- search

typedef struct {
  const tp_program *p;
  bool *is_exposed;
} exposure;

static void expose_object(exposure *x, uint32_t object) {
  if (object && object < x->p->statics.n && x->p->statics.at[object].kind == TP_O_FUNCTION)
    x->is_exposed[x->p->statics.at[object].func.id] = true;
}

static tp_visit see_address(void *ctx, tp_term t) {
  exposure *x = ctx;
  if (tp_kind(x->p->terms, t) == TP_OP_PTR_CONST)
    expose_object(x, tp_ptr_const_object(x->p->terms, t));
  return TP_VISIT_ARGS;
}

/* seen: terms of earlier operands. */
static void see_operand(exposure *x, tp_term t, tp_map *seen) {
  if (tp_term_is(t))
    (void)tp_visit_terms(x->p->terms, t, &(tp_visitor){.ctx = x, .visit = see_address}, seen);
}

void tp_program_find_exposed(const tp_program *p, bool *is_exposed) {
  TP_REQUIRE(p && is_exposed);
  exposure x = {p, is_exposed};
  tp_map seen = {0};
  for (uint32_t i = 1; i < p->statics.n; i++)
    for (uint32_t k = 0; k < p->statics.at[i].n_relocs; k++)
      expose_object(&x, p->statics.at[i].relocs[k].object);
  for (uint32_t v = 1; v < p->vars.n; v++) see_operand(&x, p->vars.at[v].initial, &seen);
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!e->from.id) continue;
    const tp_term operands[] = {e->a, e->b, e->c};
    for (size_t k = 0; k < 3; k++) see_operand(&x, operands[k], &seen);
    for (uint32_t k = 0; k < e->n_args; k++) see_operand(&x, e->args[k], &seen);
  }
  tp_map_clear(&seen);
}

/* The address of a function, or of an object that exists from the start. */
static bool is_address(const search *s, tp_term t) {
  if (tp_kind(s->tt, t) != TP_OP_PTR_CONST) return false;
  const uint32_t object = tp_ptr_const_object(s->tt, t);
  return object && object < s->p->statics.n;
}

static void see_argument(search *s, tp_var param, tp_term value) {
  const bool is_same =
                 s->seen[param.id] == SEEN_CONSTANT && tp_term_eq(s->constant[param.id], value),
             is_own = tp_term_eq(tp_var_of(s->p, param)->term, value);  // passed on
  if (is_same || is_own) return;
  s->seen[param.id] =
      s->seen[param.id] == SEEN_NONE && is_address(s, value) ? SEEN_CONSTANT : SEEN_OTHER;
  s->constant[param.id] = value;
}

static void find_values(search *s) {
  const tp_program *p = s->p;
  for (uint32_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (!e->from.id) continue;
    if (e->var.id && p->vars.at[e->var.id].kind == TP_V_PARAM &&
        !(e->kind == TP_E_ASSIGN && e->name))  // an end of lifetime
      s->seen[e->var.id] = SEEN_OTHER;
    if (e->kind != TP_E_CALL || !e->callee.id) continue;
    const tp_func_info *f = tp_func_of(p, e->callee);
    for (uint32_t k = 0; k < f->n_params; k++)
      if (k < e->n_args && !f->is_variadic)
        see_argument(s, f->params[k], e->args[k]);
      else
        s->seen[f->params[k].id] = SEEN_OTHER;
  }
  for (uint32_t f = 1; f < p->funcs.n; f++)
    for (uint32_t k = 0; k < p->funcs.at[f].n_params; k++)
      if (s->is_exposed[f] || !p->funcs.at[f].has_body)
        s->seen[p->funcs.at[f].params[k].id] = SEEN_OTHER;
}

// ---------------------------------------------------------------------- rewriting

static tp_term constant_of(void *ctx, tp_term symbol) {
  const search *s = ctx;
  const tp_var v = tp_program_var_of(s->p, symbol);
  return v.id && s->seen[v.id] == SEEN_CONSTANT ? s->constant[v.id] : TP_TERM_NONE;
}

/* Kind, size and life of an object that exists from the start never change: what would end its life
 * is an invalid operation, which ends the run. */
static tp_term fold_ghost(void *ctx, tp_term t, tp_term made) {
  const tp_program *p = ctx;
  uint64_t object;
  (void)t;
  if (tp_kind(p->terms, made) != TP_OP_SELECT ||
      !tp_bv_value_u64(p->terms, tp_arg(p->terms, made, 1), &object) || object == 0 ||
      object >= p->statics.n || p->statics.at[object].is_extern)
    return made;
  const tp_term known = tp_program_static_ghost(p, tp_arg(p->terms, made, 0), object);
  return tp_term_is(known) ? known : made;
}

tp_term tp_program_fold_statics(const tp_program *p, tp_term t) {
  tp_map memo = {0};
  const tp_term folded = tp_map_terms(
      p->terms, t, &(tp_mapper){.ctx = (void *)(uintptr_t)p, .after = fold_ghost}, &memo);
  tp_map_clear(&memo);
  return folded;
}

static tp_term put_constants(search *s, tp_term t) {
  if (!tp_term_is(t)) return t;
  tp_map memo = {0};
  const tp_term put = tp_subst(s->tt, t, constant_of, s, &memo);
  tp_map_clear(&memo);
  return tp_term_eq(put, t) ? t : tp_program_fold_statics(s->p, put);
}

/* The reads of the edge as constants; false: there were none. */
static bool rewrite(search *s, tp_edge_info *e) {
  tp_edge_info put = *e;
  put.a = put_constants(s, e->a);
  put.b = put_constants(s, e->b);
  put.c = put_constants(s, e->c);
  bool is_changed =
      !tp_term_eq(put.a, e->a) || !tp_term_eq(put.b, e->b) || !tp_term_eq(put.c, e->c);
  tp_term *args = e->n_args ? tp_arena_array(&s->p->arena, tp_term, e->n_args) : NULL;
  for (uint32_t i = 0; i < e->n_args; i++) {
    args[i] = put_constants(s, e->args[i]);
    is_changed |= !tp_term_eq(args[i], e->args[i]);
  }
  if (args) put.args = args;
  *e = put;
  return is_changed;
}

static bool one_round(tp_program *p) {
  search s = {.p = p,
              .tt = p->terms,
              .is_exposed = TP_NEW_ARRAY(bool, p->funcs.n + 1),
              .seen = TP_NEW_ARRAY(seen_value, p->vars.n + 1),
              .constant = TP_NEW_ARRAY(tp_term, p->vars.n + 1)};
  s.is_exposed[p->main.id] = true;
  tp_program_find_exposed(p, s.is_exposed);
  find_values(&s);
  bool is_any = false, is_changed = false;
  for (uint32_t v = 1; v < p->vars.n; v++) is_any |= s.seen[v] == SEEN_CONSTANT;
  for (uint32_t i = 1; i < p->edges.n && is_any; i++)
    if (p->edges.at[i].from.id) is_changed |= rewrite(&s, &p->edges.at[i]);
  tp_free(s.is_exposed);
  tp_free(s.seen);
  tp_free(s.constant);
  return is_changed;
}

bool tp_program_set_constant_params(tp_program *p) {
  bool is_changed = false;
  while (one_round(p)) is_changed = true;
  return is_changed;
}
