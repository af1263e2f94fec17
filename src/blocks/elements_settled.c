/* What a variable is known to be where a block starts: a parameter is the array it was called with,
 * and a name that other functions, and later calls, understand. */
#include "blocks/elements_priv.h"

#include "term/rewrite.h"

static tp_func function_of(const elements_maker *m, tp_term t) {
  const tp_var v = tp_program_var_of(m->x->p, t);
  return v.id ? tp_var_of(m->x->p, v)->func : TP_FUNC_NONE;
}

/* Does `to` exist wherever v does, and longer? */
static bool is_longer_lived(const elements_maker *m, tp_term v, tp_term to) {
  const tp_terms *tt = m->tt;
  if (tp_kind(tt, v) != TP_OP_VAR || !tp_program_var_of(m->x->p, v).id) return false;
  if (tp_is_const(tt, to)) return true;
  const tp_func mine = function_of(m, v), its = function_of(m, to);
  return tp_kind(tt, to) == TP_OP_VAR && tp_program_var_of(m->x->p, to).id && mine.id &&
         mine.id != its.id && (!its.id || its.id == m->x->p->main.id);
}

void elements_settle(elements_maker *m, uint32_t node) {
  tp_term_list all = {0};
  tp_map_clear(&m->settled);
  tp_conjuncts(m->tt, m->known[node], &all);
  for (size_t i = 0; i < all.n; i++) {
    if (tp_kind(m->tt, all.at[i]) != TP_OP_EQ) continue;
    for (uint32_t side = 0; side < 2; side++) {
      const tp_term v = tp_arg(m->tt, all.at[i], side), to = tp_arg(m->tt, all.at[i], 1 - side);
      if (is_longer_lived(m, v, to) && !tp_map_has(&m->settled, v.id))
        tp_map_set(&m->settled, v.id, to.id);
    }
  }
  tp_vec_clear(&all);
}

tp_term elements_settled(elements_maker *m, tp_term t) {
  return m->settled.n ? tp_replace_all(m->tt, t, &m->settled) : t;
}

typedef enum { COUNTERS, OTHERS } kept_by;

static void find_kept_by(elements_maker *m, const tp_block *k, kept_by which) {
  for (size_t i = 0; i < m->variables->at[k->to].n; i++) {
    const tp_term v = m->variables->at[k->to].at[i], after = tp_path_after(m->x, &k->path, v);
    if ((elements_counter_of(m, v) != NULL) == (which == COUNTERS) &&
        tp_kind(m->tt, after) == TP_OP_VAR && tp_paths_is_input(m->x, after) &&
        !tp_map_has(&m->kept, after.id))
      tp_map_set(&m->kept, after.id, v.id);
  }
}

/* Counters have other values soon: the last ones to be chosen. */
void elements_find_kept(elements_maker *m, const tp_block *k) {
  tp_map_clear(&m->kept);
  find_kept_by(m, k, OTHERS);
  find_kept_by(m, k, COUNTERS);
}

tp_term elements_entered_with(elements_maker *m, const tp_block *k, tp_term v) {
  elements_settle(m, k->from);
  elements_find_kept(m, k);
  const tp_term t = elements_settled(m, tp_path_after(m->x, &k->path, v));
  return m->kept.n ? tp_replace_all(m->tt, t, &m->kept) : t;
}
