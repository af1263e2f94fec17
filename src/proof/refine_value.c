/* Values as interpolants.
 *
 * The steps to the error are taken with everything tracked. Where one cannot be taken, its
 * condition contradicts the values: the steps up to there are an infeasible prefix. Going on as if
 * that condition were not there may find further ones. For a prefix, the interpolant behind step i
 * is the smallest part of what the interpolant before it becomes by the step that still makes the
 * rest infeasible: lvalues are dropped one after the other, and the rest is tried. Tracking just
 * these lvalues, exactly there, excludes the path.
 *
 * Of several prefixes the one is taken that asks for the cheapest lvalues: variables that a loop
 * counts are dear, since following them unrolls the loop; and those that had more values than the
 * threshold somewhere, since they may be dropped where they are needed. Where thresholds can be
 * lifted (value.lift), such an lvalue has none from then on, and costs what a counter costs.
 * Source: Beyer, Loewe 2013 (value interpolants); Beyer, Loewe, Wendler 2015 (sliced prefixes). */
#include "cpa/composite.h"
#include "cpa/store.h"
#include "cpa/value/value_cpa.h"
#include "proof/proof_limits.h"
#include "proof/refine.h"

typedef struct {
  const tp_counterexample *c;
  tp_cpa *value;
  const tp_step *steps;  // step i leads to cut i + 1
  size_t n;
  bool *skipped;             // conditions that are taken to hold without a look
  uint64_t n_steps;          // steps of the analysis taken
  TP_VEC(uint64_t) lvalues;  // scratch
} slice;

/* An lvalue of an interpolant. */
typedef struct {
  tp_loc at;
  tp_term lvalue;
} binding;
/* Interpolants of a prefix: behind[i] at cut i + 1. */
typedef struct {
  TP_VEC(const tp_elem *) behind;
  TP_VEC(binding) lvalues;
} interpolants;

static tp_cpa *value_of(tp_cpa *cpa) {
  tp_cpa *value = tp_composite_find(cpa, &tp_cpa_value);
  return value && tp_value_can_grow(value) ? value : NULL;
}
static bool fits(tp_cpa *cpa) { return value_of(cpa) != NULL; }

static const tp_elem *part_of(const tp_counterexample *c, const tp_cpa *value, uint32_t node) {
  const tp_elem *e = tp_reached_node(c->reached, node)->state.elem;
  for (size_t i = 0; i < tp_composite_n(c->cpa); i++) {
    tp_view v = tp_composite_view(c->cpa, e, i);
    if (v.cpa == value) return v.elem;
  }
  return NULL;
}

static void clear(interpolants *x) {
  tp_vec_clear(&x->behind);
  tp_vec_clear(&x->lvalues);
}

// ------------------------------------------------------------------------ steps

static const tp_elem *step(slice *s, const tp_elem *e, size_t i) {
  TP_REQUIRE(i < s->n);
  s->n_steps++;
  return s->skipped[i] ? e : tp_value_step(s->value, e, &s->steps[i]);
}

/* Does no state of e get through steps from .. to? */
static bool is_blocked(slice *s, const tp_elem *e, size_t from, size_t to) {
  for (size_t i = from; i <= to && e; i++) e = step(s, e, i);
  return !e;
}

/* The first step from `from` on that cannot be taken; n: all can. */
static size_t find_block(slice *s, const tp_elem *e, size_t from, const tp_elem **at) {
  size_t i = from;
  for (const tp_elem *next; i < s->n; i++) {
    next = step(s, e, i);
    if (!next) break;
    e = next;
  }
  *at = e;
  return i;
}

// ----------------------------------------------------------------- interpolants

static void visit_place(void *ctx, uint64_t lvalue, tp_absval a, tp_absval b) {
  slice *s = ctx;
  (void)b;
  if (a.id) tp_vec_push(&s->lvalues, lvalue);
}

/* The smallest part of e that still does not get through; lvalues are tried from the newest to the
 * oldest. */
static const tp_elem *shrink(slice *s, const tp_elem *e, size_t from, size_t to) {
  TP_REQUIRE(from <= to && to < s->n);
  s->lvalues.n = 0;
  tp_store_each(s->value, e, visit_place, s);
  if (s->lvalues.n == 0) return e;
  const tp_elem *nothing = tp_store_havoc_lvalues(s->value, e, s->lvalues.at, s->lvalues.n);
  if (is_blocked(s, nothing, from, to)) return nothing;
  for (size_t k = s->lvalues.n; k-- > 0 && s->n_steps < TP_PROOF_VALUE_STEPS;) {
    const tp_elem *less = tp_store_havoc_lvalues(s->value, e, &s->lvalues.at[k], 1);
    if (less != e && is_blocked(s, less, from, to)) e = less;
  }
  return e;
}

/* What must be tracked so that steps 0 .. last, of which the last cannot be taken, stay so. */
static void interpolate(slice *s, const tp_elem *first, size_t last, interpolants *out) {
  TP_REQUIRE(last < s->n);
  const tp_elem *e = first;
  out->lvalues.n = out->behind.n = 0;
  for (size_t i = 0; i < last; i++) {
    e = step(s, e, i);
    if (!e) return;  // never: the steps before the last can be taken from more, too
    e = shrink(s, e, i + 1, last);
    tp_vec_push(&out->behind, e);
    s->lvalues.n = 0;
    tp_store_each(s->value, e, visit_place, s);
    for (size_t k = 0; k < s->lvalues.n; k++)
      tp_vec_push(&out->lvalues,
                  (binding){s->steps[i].to, tp_store_lvalue_term(s->value, s->lvalues.at[k])});
  }
}

// ------------------------------------------------------------------------- cost

/* Is it counted up or down? */
static bool is_counter(const slice *s, tp_term lvalue) {
  const tp_program *p = s->c->task->program;
  tp_var v = tp_program_var_of(p, lvalue);
  if (!v.id) return false;
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *info = &p->edges.at[e];
    if (info->kind != TP_E_ASSIGN || info->var.id != v.id) continue;
    if (tp_kind(p->terms, info->a) == TP_OP_BV_ADD) return true;
  }
  return false;
}

static uint64_t price_of(const slice *s, tp_term lvalue) {
  if (tp_value_is_dropped(s->value, lvalue))
    return tp_value_lifts_thresholds(s->value) ? TP_PROOF_VALUE_COUNTER_COST
                                               : TP_PROOF_VALUE_LOST_COST;
  return is_counter(s, lvalue) ? TP_PROOF_VALUE_COUNTER_COST : 1;
}

static uint64_t cost_of(const slice *s, const interpolants *b) {
  uint64_t cost = 0;
  tp_map seen = {0};
  for (size_t i = 0; i < b->lvalues.n; i++) {
    uint32_t id = b->lvalues.at[i].lvalue.id;
    if (!tp_map_has(&seen, id)) cost += price_of(s, b->lvalues.at[i].lvalue);
    tp_map_set(&seen, id, 1);
  }
  tp_map_clear(&seen);
  return cost;
}

static void keep_cheaper(const slice *s, interpolants *best, uint64_t *best_cost,
                         interpolants *other) {
  uint64_t cost = cost_of(s, other);
  if (best->behind.n && cost >= *best_cost) return;
  interpolants swap = *best;
  *best = *other;
  *other = swap;
  *best_cost = cost;
}

/* Prefix by prefix, the first one at least. The number of prefixes. */
static size_t choose(slice *s, const tp_elem *first, interpolants *best, uint64_t *best_cost) {
  interpolants b = {0};
  const tp_elem *e = first;
  size_t n = 0, from = 0;
  while (n < TP_PROOF_VALUE_PREFIXES && (n == 0 || s->n_steps < TP_PROOF_VALUE_STEPS / 4)) {
    size_t last = find_block(s, e, from, &e);
    if (last == s->n) break;
    n++;
    interpolate(s, first, last, &b);
    keep_cheaper(s, best, best_cost, &b);
    const tp_edge_info *edge = tp_edge_of(s->c->task->program, s->steps[last].edge);
    if (s->steps[last].kind != TP_STEP_EDGE || edge->kind != TP_E_ASSUME) break;
    s->skipped[last] = true;
    from = last + 1;
  }
  clear(&b);
  return n;
}

// ------------------------------------------------------------------- refinement

static void visit_missing(void *ctx, uint64_t lvalue, tp_absval now, tp_absval needed) {
  (void)lvalue;
  if (needed.id && !now.id) *(bool *)ctx = true;
}

/* Is there an lvalue of the interpolant of which e has no value? */
static bool lacks(const slice *s, const tp_elem *e, const tp_elem *interpolant) {
  bool missing = false;
  tp_store_diff(s->value, e, interpolant, visit_missing, &missing);
  return missing;
}

/* The first node that knows less than its interpolant goes: at its location an lvalue was not
 * tracked when it was made. */
static tp_refinement track(slice *s, const interpolants *b) {
  bool grew = false;
  for (size_t i = 0; i < b->lvalues.n; i++) {
    grew |= tp_value_track(s->value, b->lvalues.at[i].at, b->lvalues.at[i].lvalue);
    if (tp_value_is_dropped(s->value, b->lvalues.at[i].lvalue))
      grew |= tp_value_lift_threshold(s->value, b->lvalues.at[i].lvalue);
  }
  for (size_t i = 0; i < b->behind.n; i++) {
    const tp_elem *now = part_of(s->c, s->value, tp_reached_paths_cut(s->c->paths, i + 1));
    if (lacks(s, now, b->behind.at[i]))
      return (tp_refinement){.answer = TP_REFINED, .cut = i + 1, .grew = grew};
  }
  return (tp_refinement){.answer = TP_REFINE_NO_PROGRESS,
                         .why = "the values that exclude the path are known on it"};
}

static tp_refinement refine(const tp_counterexample *c) {
  slice s = {.c = c, .value = value_of(c->cpa), .n = c->paths->ins.n};
  const tp_elem *first = part_of(c, s.value, c->paths->nodes.at[0].node);
  if (tp_reached_paths_n_blocks(c->paths) != s.n)
    return (tp_refinement){.answer = TP_REFINE_FAILED, .why = "no single way to look at"};
  tp_step *steps = TP_NEW_ARRAY(tp_step, s.n + 1);
  for (size_t i = 0; i < s.n; i++) steps[i] = c->paths->ins.at[i].step;
  s.steps = steps;
  s.skipped = TP_NEW_ARRAY(bool, s.n + 1);
  interpolants best = {0};
  tp_refinement r = {.answer = TP_REFINE_FAILED, .why = "values alone do not exclude the path"};
  uint64_t cost = 0;
  if (choose(&s, first, &best, &cost)) {
    if (c->at_most && cost > c->at_most)
      r = (tp_refinement){.answer = TP_REFINE_TOO_COSTLY, .cost = cost};
    else
      r = track(&s, &best);
  }
  clear(&best);
  tp_vec_clear(&s.lvalues);
  tp_free(s.skipped);
  tp_free(steps);
  c->stats->predicates = tp_value_n_tracked(s.value);
  return r;
}

const tp_refiner tp_refiner_value = {.name = "value", .fits = fits, .refine = refine};
