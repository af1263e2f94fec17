/* Flags: variables that only ever get constants, or values of other flags.
 *
 * The greatest such set: all variables of bit-vector sort at first, then those are removed that an
 * edge gives anything else, until nothing changes. A flag has finitely many values, so an analysis
 * that keeps states with different values of flags apart comes to an end. */
#include "cpa/constant/constant_priv.h"

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

const bool *tp_constant_flags(const tp_program *p, tp_arena *arena) {
  search s = {p, tp_arena_array(arena, bool, p->vars.n), true};
  for (uint32_t v = 1; v < p->vars.n; v++) {
    const tp_var_info *info = &p->vars.at[v];
    s.is_flag[v] = info->kind != TP_V_GHOST && !info->is_address &&
                   tp_sort_kind_of(p->terms, tp_sort_of(p->terms, info->term)) == TP_SORT_BV;
  }
  while (s.is_changed) {
    s.is_changed = false;
    for (uint32_t i = 1; i < p->edges.n; i++)
      if (p->edges.at[i].from.id) see_edge(&s, &p->edges.at[i]);
  }
  return s.is_flag;
}
