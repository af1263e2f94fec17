/* An error location that counts in one segment only gets an edge in front that assumes it. */
#include "app/witness_model.h"

#include <stdlib.h>

bool tp_witness_invariant_of(const char *function, size_t *number) {
  static const char prefix[] = TP_WITNESS_CHECK;
  if (!function || strncmp(function, prefix, sizeof prefix - 1) != 0) return false;
  *number = strtoul(function + sizeof prefix - 1, NULL, 10);
  return true;
}

static void drop(tp_loc_info *l) {
  l->error = TP_P_NONE;
  l->message = NULL;
}

void tp_witness_keep_invariants(tp_program *p, const bool *chosen, size_t n) {
  for (size_t i = 1; i < p->locs.n; i++) {
    tp_loc_info *l = &p->locs.at[i];
    size_t number = 0;
    if (l->error == TP_P_NONE) continue;
    if (!tp_witness_invariant_of(tp_func_of(p, l->func)->name, &number) || number >= n ||
        !chosen[number])
      drop(l);
  }
  tp_program_finish(p);
}

static tp_term segment_is(const tp_program *p, uint32_t segment) {
  for (size_t v = 1; v < p->vars.n; v++)
    if (p->vars.at[v].kind == TP_V_GLOBAL && strcmp(p->vars.at[v].name, TP_WITNESS_SEGMENT) == 0)
      return tp_mk_eq(p->terms, p->vars.at[v].term, tp_mk_bv(p->terms, 32, segment));
  return TP_TERM_NONE;
}

/* All edges into the location lead to a new one, and from there one that assumes `holds`. */
static void guard(tp_program *p, tp_loc error, tp_term holds) {
  const tp_loc_info *l = tp_loc_of(p, error);
  const tp_loc before = tp_program_add_loc(p, (tp_loc_info){.func = l->func, .pos = l->pos});
  const tp_pos pos = tp_loc_of(p, error)->pos;
  for (size_t e = 1; e < p->edges.n; e++)
    if (p->edges.at[e].to.id == error.id) p->edges.at[e].to = before;
  tp_program_add_edge(
      p, (tp_edge_info){.kind = TP_E_ASSUME, .from = before, .to = error, .pos = pos, .a = holds});
}

static bool is_at_target(const tp_program *p, tp_loc l, const tp_witness_task *t,
                         const tp_witness_spot *target) {
  const tp_loc_info *info = tp_loc_of(p, l);
  if (tp_func_of(p, info->func)->is_model) return true;
  // columns are those of the woven text: what stands in the lines of the target may be meant
  const tp_outline *o = &t->files[target->file];
  const tp_outline_statement *s = target->statement;
  const uint32_t last =
      s->kind == TP_OUTLINE_SIMPLE || s->kind == TP_OUTLINE_BLOCK ? s->last : s->close;
  const uint32_t end =
      last + 1 < o->tokens.v.n && tp_outline_before_end(o, last + 1) == s ? last + 1 : last;
  return info->pos.line >= o->tokens.v.at[s->label].named_line &&
         info->pos.line <= o->tokens.v.at[end].named_line;
}

void tp_witness_keep_target(tp_program *p, tp_property property, const tp_witness_task *t,
                            const tp_witness_spot *target, uint32_t segment) {
  const tp_term holds = segment_is(p, segment);
  const size_t n = p->locs.n;
  for (uint32_t i = 1; i < n; i++) {
    const tp_property error = p->locs.at[i].error;
    if (error == TP_P_NONE) continue;
    if (!tp_property_covers(property, error) || !is_at_target(p, (tp_loc){i}, t, target) ||
        (segment > 0 && !tp_term_is(holds)))
      drop(&p->locs.at[i]);
    else if (segment > 0)
      guard(p, (tp_loc){i}, holds);
  }
  tp_program_finish(p);
}
