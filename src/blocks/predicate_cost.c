/* The cost is a sum over the variables and constants of a predicate; constants of the program and
 * their neighbours are looked up, counters are variables that a loop adds to. */
#include "blocks/predicate_cost.h"

#include "blocks/blocks_limits.h"

enum { VARIABLE = 1, OPERATION = 1, COUNTER_IS_CONSTANT = TP_BLOCKS_UNROLLED_COST / 2 };

// ------------------------------------------------------------------- the program

static uint64_t key_of(uint32_t width, uint64_t value) { return tp_hash_mix(width, value); }

static bool small_constant(const tp_terms *tt, tp_term t, uint32_t *width, uint64_t *value) {
  if (tp_kind(tt, t) != TP_OP_BV_CONST) return false;
  *width = tp_sort_width(tt, tp_sort_of(tt, t));
  *value = (uint64_t)tp_bv_value(tt, t);
  return *width <= 64;
}

static uint64_t mask(uint32_t width) {
  return width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

/* A constant may be turned over by the normal form of sums: with k, -k. */
static tp_visit see_constant(void *ctx, tp_term t) {
  tp_predicate_costs *w = ctx;
  uint32_t width;
  uint64_t k;
  if (!small_constant(w->p->terms, t, &width, &k)) return TP_VISIT_ARGS;
  for (int sign = 0; sign <= 1; sign++, k = (uint64_t)0 - k)
    for (uint64_t near = k - 1; near != k + 2; near++)
      tp_map_set(&w->constants, key_of(width, near & mask(width)), 1);
  return TP_VISIT_ARGS;
}

void tp_predicate_costs_init(tp_predicate_costs *w, const tp_program *p) {
  *w = (tp_predicate_costs){.p = p};
  tp_map seen = {0};
  tp_visitor constants = {.ctx = w, .visit = see_constant};
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *info = &p->edges.at[e];
    (void)tp_visit_terms(p->terms, info->a, &constants, &seen);
    (void)tp_visit_terms(p->terms, info->b, &constants, &seen);
    for (uint32_t i = 0; i < info->n_args; i++)
      (void)tp_visit_terms(p->terms, info->args[i], &constants, &seen);
    if (info->kind == TP_E_ASSIGN && tp_kind(p->terms, info->a) == TP_OP_BV_ADD &&
        tp_loc_of(p, info->from)->loop)
      tp_map_set(&w->counters, info->var.id, 1);
  }
  tp_map_clear(&seen);
}

void tp_predicate_costs_clear(tp_predicate_costs *w) {
  tp_map_clear(&w->constants);
  tp_map_clear(&w->counters);
}

// -------------------------------------------------------------------- the cost

typedef struct {
  const tp_predicate_costs *w;
  uint32_t cost, n_vars;
  bool has_counter;
} bill;

static tp_visit see_part(void *ctx, tp_term t) {
  bill *b = ctx;
  const tp_terms *tt = b->w->p->terms;
  uint32_t width;
  uint64_t k;
  if (small_constant(tt, t, &width, &k)) {
    if (k > 2 && k < mask(width) - 1 && !tp_map_has(&b->w->constants, key_of(width, k)))
      b->cost += TP_BLOCKS_UNROLLED_COST;
    return TP_VISIT_ARGS;
  }
  tp_var v = tp_program_var_of(b->w->p, t);
  b->cost += v.id ? VARIABLE : OPERATION;
  b->n_vars += v.id != 0;
  b->has_counter |= v.id && tp_map_has(&b->w->counters, v.id);
  return TP_VISIT_ARGS;
}

uint32_t tp_predicate_cost(const tp_predicate_costs *w, tp_term predicate) {
  TP_REQUIRE(tp_sort_kind_of(w->p->terms, tp_sort_of(w->p->terms, predicate)) == TP_SORT_BOOL);
  bill b = {.w = w};
  (void)tp_visit_terms(w->p->terms, predicate, &(tp_visitor){.ctx = &b, .visit = see_part}, NULL);
  bool is_equation = tp_kind(w->p->terms, predicate) == TP_OP_EQ;
  return b.cost + (is_equation && b.has_counter && b.n_vars == 1 ? COUNTER_IS_CONSTANT : 0);
}
