/* The greatest sets: all variables of bit-vector sort at first, then those are removed that an edge
 * gives anything else, until nothing changes. */
#include "program/flags.h"

static bool is_flag_value(const tp_program *p, const bool *is_flag, tp_term t) {
  const tp_terms *tt = p->terms;
  if (tp_kind(tt, t) == TP_OP_ITE)
    return is_flag_value(p, is_flag, tp_arg(tt, t, 1)) &&
           is_flag_value(p, is_flag, tp_arg(tt, t, 2));
  if (tp_kind(tt, t) == TP_OP_VAR) return is_flag[tp_program_var_of(p, t).id];
  return tp_kind(tt, t) == TP_OP_BV_CONST;
}

typedef struct {
  const tp_program *p;
  bool *is_flag;
  bool is_changed;
} search;

static void give(search *s, tp_var v, tp_term value) {
  if (!v.id || !s->is_flag[v.id] || (tp_term_is(value) && is_flag_value(s->p, s->is_flag, value)))
    return;
  s->is_flag[v.id] = false;
  s->is_changed = true;
}

static void see_edge(search *s, const tp_edge_info *e) {
  const tp_program *p = s->p;
  const tp_func_info *f = e->callee.id && e->kind == TP_E_CALL ? tp_func_of(p, e->callee) : NULL;
  for (uint32_t i = 0; f && i < f->n_params && i < e->n_args; i++)
    give(s, f->params[i], e->args[i]);
  if (e->kind == TP_E_ASSIGN)
    give(s, e->var, e->a);
  else if (e->kind == TP_E_RETURN)
    give(s, tp_func_of(p, tp_loc_of(p, e->from)->func)->result, e->a);
  else if (f && f->result.id)
    give(s, e->var, tp_var_of(p, f->result)->term);
  else
    give(s, e->var, TP_TERM_NONE);
}

static bool is_integer(const tp_program *p, uint32_t v) {
  const tp_var_info *info = &p->vars.at[v];
  return v && info->kind != TP_V_GHOST && !info->is_address &&
         tp_sort_kind_of(p->terms, tp_sort_of(p->terms, info->term)) == TP_SORT_BV;
}

void tp_flags_find(const tp_program *p, bool *is_flag) {
  search s = {p, is_flag, true};
  for (uint32_t v = 0; v < p->vars.n; v++) is_flag[v] = is_integer(p, v);
  while (s.is_changed) {
    s.is_changed = false;
    for (uint32_t i = 1; i < p->edges.n; i++)
      if (p->edges.at[i].from.id) see_edge(&s, &p->edges.at[i]);
  }
}

// ----------------------------------------------------------------------- indices

/* What is seen of a variable, all over the program. */
enum { IS_STEPPED = 1, IS_COMPARED = 2, IS_IN_ADDRESS = 4, IS_OTHER = 8 };
typedef struct {
  const tp_program *p;
  uint64_t most;
  uint8_t *seen;
  uint8_t mark;
} survey;

static void mark_var(void *ctx, tp_term symbol) {
  const survey *s = ctx;
  s->seen[tp_program_var_of(s->p, symbol).id] |= s->mark;
}

/* Is the value a constant, or the variable and a constant? */
static bool is_step(const survey *s, tp_var v, tp_term value) {
  const tp_terms *tt = s->p->terms;
  if (!tp_term_is(value) || tp_kind(tt, value) == TP_OP_BV_CONST) return tp_term_is(value);
  const tp_term self = tp_var_of(s->p, v)->term;
  return tp_kind(tt, value) == TP_OP_BV_ADD &&
         ((tp_term_eq(tp_arg(tt, value, 0), self) &&
           tp_kind(tt, tp_arg(tt, value, 1)) == TP_OP_BV_CONST) ||
          (tp_term_eq(tp_arg(tt, value, 1), self) &&
           tp_kind(tt, tp_arg(tt, value, 0)) == TP_OP_BV_CONST));
}

static tp_visit see_part(void *ctx, tp_term t) {
  survey *s = ctx;
  const tp_terms *tt = s->p->terms;
  uint64_t bound;
  if (tp_kind(tt, t) == TP_OP_PTR_ADD) {
    s->mark = IS_IN_ADDRESS;
    tp_for_vars(tt, tp_arg(tt, t, 1), mark_var, s);
  }
  for (uint32_t i = 0; i < 2 && tp_is_bv_comparison(tt, t); i++) {
    if (!tp_bv_value_u64(tt, tp_arg(tt, t, i), &bound) || bound > s->most) continue;
    s->mark = IS_COMPARED;
    tp_for_vars(tt, tp_arg(tt, t, 1 - i), mark_var, s);
  }
  return TP_VISIT_ARGS;
}

static void survey_edge(survey *s, const tp_edge_info *e) {
  const tp_program *p = s->p;
  const tp_func_info *f = e->callee.id && e->kind == TP_E_CALL ? tp_func_of(p, e->callee) : NULL;
  const tp_visitor visitor = {.ctx = s, .visit = see_part};
  tp_map seen = {0};
  if (tp_term_is(e->a)) (void)tp_visit_terms(p->terms, e->a, &visitor, &seen);
  tp_map_clear(&seen);
  for (uint32_t i = 0; f && i < f->n_params; i++) s->seen[f->params[i].id] |= IS_OTHER;
  if (e->var.id) {
    const bool is = e->kind == TP_E_ASSIGN && is_step(s, e->var, e->a);
    s->seen[e->var.id] |= is ? IS_STEPPED : IS_OTHER;
  }
}

void tp_indices_find(const tp_program *p, uint64_t most, bool *is_index) {
  survey s = {.p = p, .most = most, .seen = TP_NEW_ARRAY(uint8_t, p->vars.n)};
  for (uint32_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].from.id) survey_edge(&s, &p->edges.at[i]);
  for (uint32_t v = 0; v < p->vars.n; v++)
    is_index[v] = is_integer(p, v) && s.seen[v] == (IS_STEPPED | IS_COMPARED | IS_IN_ADDRESS);
  tp_free(s.seen);
}
