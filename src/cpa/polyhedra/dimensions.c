/* Which variables of a function are worth one of its dimensions: those that are compared and added
 * most, in loops above all. Equal worth: the older variable. Globals have none: calls change them.
 */
#include "cpa/polyhedra/polyhedra_priv.h"

#include "cpa/cpa_limits.h"

typedef struct {
  const tp_program *p;
  uint32_t *score;  // by variable
  uint32_t points;
} scoring;

static void visit_var(void *ctx, tp_term symbol) {
  const scoring *s = ctx;
  tp_var v = tp_program_var_of(s->p, symbol);
  if (v.id) s->score[v.id] += s->points;
}

uint32_t tp_polyhedra_width(const tp_polyhedra_analysis *self, tp_var v) {
  return tp_width(self->tt, tp_var_of(self->p, v)->term);
}

static bool is_number(const tp_polyhedra_analysis *self, tp_var v) {
  tp_term t = tp_var_of(self->p, v)->term;
  return tp_sort_kind_of(self->tt, tp_sort_of(self->tt, t)) == TP_SORT_BV &&
         tp_width(self->tt, t) >= 2 && tp_width(self->tt, t) <= TP_CPA_POLYHEDRA_WIDTH;
}

bool tp_polyhedra_is_signed(const tp_polyhedra_analysis *self, tp_var v) {
  tp_type type = tp_var_of(self->p, v)->type;
  return !type.id || tp_type_of(self->p, type)->is_signed;
}

/* Into its function's list, which descends by score. */
static void enter(tp_polyhedra_analysis *self, const uint32_t *score, tp_var v) {
  tp_poly_dimensions *d = &self->of[tp_var_of(self->p, v)->func.id];
  uint32_t i = d->n;
  while (i > 0 && score[d->vars[i - 1].id] < score[v.id]) i--;
  if (i == TP_NUMERIC_POLY_DIMS) return;
  uint32_t n = d->n < TP_NUMERIC_POLY_DIMS ? d->n : TP_NUMERIC_POLY_DIMS - 1;
  memmove(&d->vars[i + 1], &d->vars[i], (n - i) * sizeof *d->vars);
  d->vars[i] = v;
  d->n = n + 1;
}

void tp_polyhedra_choose(tp_polyhedra_analysis *self) {
  const tp_program *p = self->p;
  scoring s = {.p = p, .score = TP_NEW_ARRAY(uint32_t, p->vars.n)};
  self->of = TP_NEW_ARRAY(tp_poly_dimensions, p->funcs.n);
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    s.points = edge->from.id && tp_loc_of(p, edge->from)->loop ? TP_CPA_POLYHEDRA_LOOP_WEIGHT : 1;
    if (edge->kind == TP_E_ASSUME) tp_for_vars(self->tt, edge->a, visit_var, &s);
    if (edge->kind != TP_E_ASSIGN ||
        tp_sort_kind_of(self->tt, tp_sort_of(self->tt, edge->a)) != TP_SORT_BV)
      continue;
    tp_for_vars(self->tt, edge->a, visit_var, &s);
    s.score[edge->var.id] += s.points;
  }
  for (uint32_t v = 1; v < p->vars.n; v++)
    if (s.score[v] && p->vars.at[v].func.id && is_number(self, (tp_var){v}))
      enter(self, s.score, (tp_var){v});
  tp_free(s.score);
}

int tp_polyhedra_dimension(const tp_polyhedra_analysis *self, tp_func f, tp_var v) {
  TP_REQUIRE(f.id < self->p->funcs.n && v.id < self->p->vars.n);
  const tp_poly_dimensions *d = &self->of[f.id];
  for (uint32_t i = 0; v.id && i < d->n; i++)
    if (d->vars[i].id == v.id) return (int)i;
  return -1;
}
