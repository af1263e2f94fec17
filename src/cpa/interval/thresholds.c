/* Where widened bounds rest: the constants of the program.
 *
 * A loop's bound is most often a constant of its condition, or the constant that a variable of the
 * condition was set to. A constant is taken in both of its readings, with its neighbours, since x <
 * c, x <= c - 1 and x != c say the same in many ways. */
#include "cpa/interval/interval_cpa.h"

#include <math.h>
#include <stdlib.h>

#define MOST_OF_FLOATS 1e15  // beyond, neighbours are no integers

typedef struct {
  const tp_program *p;
  size_t most;  // constants
  tp_map seen;  // terms
  TP_VEC(tp_term) todo, constants;
} collection;

static void visit(collection *c, tp_term t) {
  if (!tp_term_is(t) || tp_map_has(&c->seen, t.id)) return;
  tp_map_set(&c->seen, t.id, 1);
  tp_vec_push(&c->todo, t);
}
static void collect_term(collection *c, tp_term root) {
  const tp_terms *tt = c->p->terms;
  visit(c, root);
  while (c->todo.n) {
    tp_term t = tp_vec_pop(&c->todo);
    if ((tp_kind(tt, t) == TP_OP_BV_CONST || tp_kind(tt, t) == TP_OP_FP_CONST) &&
        c->constants.n < c->most)
      tp_vec_push(&c->constants, t);
    for (uint32_t i = tp_n_args(tt, t); i-- > 0;) visit(c, tp_arg(tt, t, i));
  }
}
static void collect_edge(collection *c, const tp_edge_info *e) {
  collect_term(c, e->a);
  collect_term(c, e->b);
  collect_term(c, e->c);
  for (uint32_t i = 0; i < e->n_args; i++) collect_term(c, e->args[i]);
}

/* Of a float: the integers around it. */
static void add_float(tp_threshold_list *out, uint32_t width, uint64_t bits) {
  tp_float_range x = tp_float_range_constant(width, bits);
  if (!x.has_number || fabs(x.lo) > MOST_OF_FLOATS) return;
  for (double v = floor(x.lo) - 1; v <= ceil(x.lo) + 1; v++) tp_vec_push(out, (tp_i128)v);
}
static void add_integer(tp_threshold_list *out, uint32_t w, tp_u128 v) {
  for (tp_u128 neighbour = v - 1, n = 0; n < 3; neighbour++, n++) {
    tp_u128 bits = neighbour & tp_interval_mask(w);
    tp_vec_push(out, tp_interval_to_signed(w, bits));
    if (w < 128 && bits >> (w - 1)) tp_vec_push(out, (tp_i128)bits);
  }
}

static int ascending(const void *a, const void *b) {
  tp_i128 x = *(const tp_i128 *)a, y = *(const tp_i128 *)b;
  return (x > y) - (x < y);
}

void tp_interval_collect_thresholds(const tp_program *p, tp_func f, size_t most,
                                    tp_threshold_list *out) {
  collection c = {.p = p, .most = most};
  for (int pass = 0; pass < 3 && c.constants.n < most;
       pass++)  // conditions of f, all of f, all of the program
    for (size_t i = 1; i < p->edges.n && c.constants.n < most; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      bool own = e->from.id && tp_loc_of(p, e->from)->func.id == f.id;
      if (pass == 2 || (own && (pass == 1 || e->kind == TP_E_ASSUME))) collect_edge(&c, e);
    }
  for (size_t i = 1; i < p->vars.n; i++) collect_term(&c, p->vars.at[i].initial);
  for (size_t i = 0; i < c.constants.n; i++) {
    uint32_t w = tp_width(p->terms, c.constants.at[i]);
    tp_u128 v = tp_bv_value(p->terms, c.constants.at[i]);
    if (tp_kind(p->terms, c.constants.at[i]) == TP_OP_FP_CONST)
      add_float(out, w, (uint64_t)v);
    else
      add_integer(out, w, v);
  }
  if (out->n) qsort(out->at, out->n, sizeof *out->at, ascending);
  size_t n = 0;
  for (size_t i = 0; i < out->n; i++)
    if (n == 0 || out->at[n - 1] != out->at[i]) out->at[n++] = out->at[i];
  out->n = n;
  tp_map_clear(&c.seen);
  tp_vec_clear(&c.todo);
  tp_vec_clear(&c.constants);
}
