/* Which variables are worth a dimension, in which reading, and where widening stops: one walk over
 * the program's terms.
 *
 * A variable earns points where it is compared, assigned linearly or passed on, more of them with
 * another variable, and more in loops. The reading is that of the C type; a temporary without type
 * is read as the operations that it is an operand of read it. Thresholds are the constants of
 * comparisons and assignments, the most frequent first. */
#include "cpa/octagon/octagon_priv.h"

#include <stdlib.h>

typedef struct {
  int64_t value;
  uint32_t uses;
} threshold;
typedef struct {
  tp_octagon *self;
  const tp_program *p;
  const tp_terms *tt;
  tp_map seen;       // terms
  int32_t *reading;  // by variable: signed uses minus unsigned ones
  TP_VEC(threshold) thresholds;
  tp_map threshold_index;  // value -> position + 1
  TP_VEC(tp_var) found;
} packing;

// --------------------------------------------------------------------- terms

static void add_threshold(packing *x, tp_i128 c) {
  const tp_i128 most = (tp_i128)1 << 58;
  if (c > most || c < -most) return;
  const int64_t value = (int64_t)c;
  uint64_t at = 0;
  if (!tp_map_get(&x->threshold_index, (uint64_t)value, &at)) {
    tp_vec_push(&x->thresholds, (threshold){value, 0});
    at = x->thresholds.n;
    tp_map_set(&x->threshold_index, (uint64_t)value, at);
  }
  x->thresholds.at[at - 1].uses++;
}

/* A bound, and its neighbours: x < c and x <= c, left and entered. */
static void add_constant(packing *x, tp_term t, bool is_signed) {
  if (tp_kind(x->tt, t) != TP_OP_BV_CONST || tp_width(x->tt, t) > 64) return;
  const tp_u128 bits = tp_bv_value(x->tt, t);
  const tp_i128 c = is_signed ? tp_interval_to_signed(tp_width(x->tt, t), bits) : (tp_i128)bits;
  for (int by = -1; by <= 1; by++) add_threshold(x, c + by);
}

static void add_vote(packing *x, tp_term t, int by) {
  const tp_var v = tp_kind(x->tt, t) == TP_OP_VAR ? tp_program_var_of(x->p, t) : TP_VAR_NONE;
  if (v.id) x->reading[v.id] += by;
}

static tp_visit visit_term(void *ctx, tp_term t) {
  packing *x = ctx;
  int reading = 0;
  switch ((int)tp_kind(x->tt, t)) {
    case TP_OP_BV_SLT:
    case TP_OP_BV_SLE: reading = 1; break;
    case TP_OP_BV_ULT:
    case TP_OP_BV_ULE: reading = -1; break;
    case TP_OP_EQ:
      add_constant(x, tp_arg(x->tt, t, 0), true), add_constant(x, tp_arg(x->tt, t, 1), true);
      return TP_VISIT_ARGS;
    case TP_OP_BV_SDIV:
    case TP_OP_BV_SREM:
    case TP_OP_BV_SEXT: add_vote(x, tp_arg(x->tt, t, 0), 1); return TP_VISIT_ARGS;
    case TP_OP_BV_UDIV:
    case TP_OP_BV_UREM:
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_LSHR: add_vote(x, tp_arg(x->tt, t, 0), -1); return TP_VISIT_ARGS;
    default: return TP_VISIT_ARGS;
  }
  for (uint32_t i = 0; i < 2; i++) {
    add_vote(x, tp_arg(x->tt, t, i), reading);
    add_constant(x, tp_arg(x->tt, t, i), reading > 0);
  }
  return TP_VISIT_ARGS;
}

static void visit_terms(packing *x, tp_term t) {
  tp_visitor v = {.ctx = x, .visit = visit_term, .order = TP_RIGHT_TO_LEFT};
  (void)tp_visit_terms(x->tt, t, &v, &x->seen);
}

// ---------------------------------------------------------------------- points

static bool is_candidate(const packing *x, tp_var v) {
  const tp_var_info *info = tp_var_of(x->p, v);
  const tp_sort s = tp_sort_of(x->tt, info->term);
  return info->kind != TP_V_GHOST && tp_sort_kind_of(x->tt, s) == TP_SORT_BV &&
         tp_sort_width(x->tt, s) >= 2 && tp_sort_width(x->tt, s) <= 64;
}

static void visit_var(void *ctx, tp_term var) {
  packing *x = ctx;
  const tp_var v = tp_program_var_of(x->p, var);
  if (v.id && is_candidate(x, v)) tp_vec_push(&x->found, v);
}

static void find_vars(packing *x, tp_term t) {
  if (tp_term_is(t)) tp_for_vars(x->tt, t, visit_var, x);
}

static void add_score(packing *x, tp_var v, uint32_t points) {
  TP_REQUIRE(v.id < x->p->vars.n);
  uint32_t *score = &x->self->vars[v.id].score;
  if (*score < UINT32_MAX / 2) *score += points;
}

/* Points for the variables found in e's operands, and for its target. */
static void score_edge(packing *x, const tp_edge_info *e) {
  const tp_loc_info *from = tp_loc_of(x->p, e->from);
  const uint32_t depth = from->loop ? x->p->loops.at[from->loop].depth : 0,
                 weight = 1 + 3 * (depth < 4 ? depth : 4);
  const bool has_target = e->var.id && is_candidate(x, e->var);
  uint32_t points = 1;
  if (e->kind == TP_E_ASSUME) points = x->found.n > 1 ? 4 : 2;
  if (e->kind == TP_E_ASSIGN) points = has_target && x->found.n ? 2 : 1;
  for (size_t i = 0; i < x->found.n; i++) add_score(x, x->found.at[i], points * weight);
  if (has_target) add_score(x, e->var, points * weight);
}

static void visit_edge(packing *x, const tp_edge_info *e) {
  x->found.n = 0;
  visit_terms(x, e->a), visit_terms(x, e->b), visit_terms(x, e->c);
  find_vars(x, e->a), find_vars(x, e->b), find_vars(x, e->c);
  for (uint32_t i = 0; i < e->n_args; i++) visit_terms(x, e->args[i]), find_vars(x, e->args[i]);
  score_edge(x, e);
  if (e->kind == TP_E_ASSIGN) add_constant(x, e->a, true);
  if (e->kind == TP_E_RETURN) {
    const tp_var result = tp_func_of(x->p, tp_loc_of(x->p, e->from)->func)->result;
    if (result.id && is_candidate(x, result)) {
      add_score(x, result, 2);
      tp_vec_push(&x->found, result);
    }
  }
  if (e->var.id && is_candidate(x, e->var)) tp_vec_push(&x->found, e->var);
}

// ----------------------------------------------------------------- conclusions

static void read_types(packing *x) {
  for (uint32_t v = 1; v < x->p->vars.n; v++) {
    const tp_var_info *info = &x->p->vars.at[v];
    tp_octagon_var *mine = &x->self->vars[v];
    if (tp_sort_kind_of(x->tt, tp_sort_of(x->tt, info->term)) != TP_SORT_BV) continue;
    mine->width = tp_width(x->tt, info->term);
    const tp_type_info *type =
        info->type.id && !info->is_address ? tp_type_of(x->p, info->type) : NULL;
    if (type && (type->kind == TP_T_INT || type->kind == TP_T_ENUM))
      mine->is_signed = type->is_signed;
    else
      mine->is_signed = !(type && type->kind == TP_T_BOOL) && x->reading[v] >= 0;
    if (info->kind == TP_V_PARAM && mine->score == 0 && is_candidate(x, (tp_var){v}))
      mine->score = 1;
  }
}

static int more_frequent(const void *pa, const void *pb) {
  const threshold *a = pa, *b = pb;
  if (a->uses != b->uses) return a->uses > b->uses ? -1 : 1;
  const int64_t of_a = a->value < 0 ? -a->value : a->value,
                of_b = b->value < 0 ? -b->value : b->value;
  if (of_a != of_b) return of_a < of_b ? -1 : 1;
  return a->value < b->value ? -1 : a->value > b->value;
}

static int smaller(const void *pa, const void *pb) {
  const int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;
  return a < b ? -1 : a > b;
}

/* -1, 0, 1 always; both signs, because a bound of -x is one of x. */
static void choose_thresholds(packing *x) {
  tp_octagon *self = x->self;
  if (x->thresholds.n)
    qsort(x->thresholds.at, x->thresholds.n, sizeof *x->thresholds.at, more_frequent);
  for (int64_t c = -1; c <= 1; c++) tp_vec_push(&self->thresholds, c);
  for (size_t i = 0; i < x->thresholds.n && i < self->most_thresholds; i++) {
    tp_vec_push(&self->thresholds, x->thresholds.at[i].value);
    tp_vec_push(&self->thresholds, -x->thresholds.at[i].value);
  }
  qsort(self->thresholds.at, self->thresholds.n, sizeof *self->thresholds.at, smaller);
  size_t n = 0;
  for (size_t i = 0; i < self->thresholds.n; i++)
    if (n == 0 || self->thresholds.at[n - 1] != self->thresholds.at[i])
      self->thresholds.at[n++] = self->thresholds.at[i];
  self->thresholds.n = n;
}

void tp_octagon_pack(tp_octagon *self) {
  const tp_program *p = self->p;
  packing x = {.self = self, .p = p, .tt = self->tt};
  x.reading = TP_NEW_ARRAY(int32_t, p->vars.n + 1);
  self->vars = TP_NEW_ARRAY(tp_octagon_var, p->vars.n + 1);
  self->edge_start = TP_NEW_ARRAY(uint32_t, p->edges.n + 1);
  for (uint32_t e = 0; e < p->edges.n; e++) {
    self->edge_start[e] = (uint32_t)self->edge_vars.n;
    if (e == 0 || !p->edges.at[e].from.id) continue;
    visit_edge(&x, &p->edges.at[e]);
    for (size_t i = 0; i < x.found.n; i++) tp_vec_push(&self->edge_vars, x.found.at[i]);
  }
  self->edge_start[p->edges.n] = (uint32_t)self->edge_vars.n;
  read_types(&x);
  choose_thresholds(&x);
  tp_map_clear(&x.seen);
  tp_free(x.reading);
  tp_vec_clear(&x.thresholds);
  tp_map_clear(&x.threshold_index);
  tp_vec_clear(&x.found);
}

tp_var_list tp_octagon_vars_of(const tp_octagon *self, tp_edge e) {
  TP_REQUIRE(e.id && e.id < self->p->edges.n);
  const uint32_t start = self->edge_start[e.id];
  return (tp_var_list){self->edge_vars.at + start, self->edge_start[e.id + 1] - start};
}
