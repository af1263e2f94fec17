/* Each term of an edge is folded to how often an address stands in it, with its sign; what is
 * neither sum nor comparison lets addresses out. A load of the bytes of a pointer does, too. */
#include "app/equal_addresses.h"

static const uint64_t LETS_OUT = UINT64_MAX / 2;

typedef struct {
  const tp_program *p;
  tp_map weights;
  tp_edge last;
  bool found;
} watch;

static uint64_t weight_of(void *ctx, tp_term t, const uint64_t *args) {
  const watch *w = ctx;
  const tp_terms *tt = w->p->terms;
  const uint32_t n = tp_n_args(tt, t);
  bool has_address = false;
  for (uint32_t i = 0; i < n; i++) {
    if (args[i] == LETS_OUT) return LETS_OUT;
    has_address |= args[i] != 0;
  }
  const tp_term_kind kind = tp_kind(tt, t);
  if (kind == TP_OP_PTR_TO_INT) return 1;
  if (!has_address) return 0;
  // only kinds in which a base can cancel are listed
  if (kind == TP_OP_BV_ADD) return args[0] + args[1];
  if (kind == TP_OP_BV_NEG) return 0 - args[0];
  if (kind == TP_OP_INT_TO_PTR) return args[0] == 1 ? 0 : LETS_OUT;
  if (kind == TP_OP_ITE) return args[0] == 0 && args[1] == args[2] ? args[1] : LETS_OUT;
  const bool compares = kind == TP_OP_EQ || kind == TP_OP_BV_ULT || kind == TP_OP_BV_ULE ||
                        kind == TP_OP_BV_SLT || kind == TP_OP_BV_SLE;
  return compares && args[0] == args[1] ? 0 : LETS_OUT;
}

static bool has_address(watch *w, tp_term t) {
  const tp_folder f = {.ctx = w, .after = weight_of};
  return tp_term_is(t) && tp_fold_terms(w->p->terms, t, &f, &w->weights) != 0;
}

/* Did the last edge give an integer variable the bytes of a pointer? */
static bool gave_address(const watch *w, const tp_state *s) {
  const tp_edge_info *e = tp_edge_of(w->p, w->last);
  tp_value value;
  if (!w->last.id || !e->var.id || tp_state_value(s, e->var, &value) != TP_OK) return false;
  const tp_sort sort = tp_sort_of(w->p->terms, tp_var_of(w->p, e->var)->term);
  return tp_sort_kind_of(w->p->terms, sort) == TP_SORT_BV && value.object != 0;
}

static bool watch_edge(void *ctx, const tp_state *before, tp_edge edge) {
  watch *w = ctx;
  const tp_edge_info *e = tp_edge_of(w->p, edge);
  w->found = gave_address(w, before) || has_address(w, e->a) || has_address(w, e->b) ||
             has_address(w, e->c);
  for (uint32_t i = 0; i < e->n_args && !w->found; i++) w->found = has_address(w, e->args[i]);
  w->last = edge;
  return !w->found;
}

bool tp_equal_uses_addresses(const tp_program *p, const tp_inputs *inputs, tp_run_limits limits) {
  TP_REQUIRE(p && inputs);
  watch w = {.p = p};
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &w, .edge = watch_edge};
  tp_vector_oracle vector = {.in = inputs};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  (void)tp_exec_main(p, &oracle, limits, &observer);
  tp_map_clear(&w.weights);
  return w.found;
}
