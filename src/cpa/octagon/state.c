/* Elements and their lattice; widening.
 *
 * Merging is joining, and the join at a loop head remembers what it weakened. When the algorithm
 * comes to expand the merged element, adjust counts, and after some rounds widens the old element
 * by the new one. The result of a widening is kept twice: closed, as the meaning, and as it came
 * out, because only a chain of unclosed matrices ends (Mine 2006, 3.4): there entries only rise. A
 * join may bring a dimension in that both sides knew by types and bounds alone; then the chain
 * starts again. So in later rounds thresholds are few, in the last ones none, and dimensions only
 * go. */
#include "cpa/octagon/octagon_priv.h"

#include "cpa/cpa_limits.h"

/* How far a widening goes, by the round: to the program's constants, then to -1, 0, 1, then to
 * infinity. */
typedef enum { TO_CONSTANTS, TO_SIGNS, TO_INFINITY } widening;

static const int64_t signs[] = {-1, 0, 1};

// --------------------------------------------------------------------- lattice

static bool same_vars(const tp_elem *a, const tp_elem *b) {
  return a->n == b->n && (a->n == 0 || !memcmp(a->vars, b->vars, a->n * sizeof *a->vars));
}

static bool leq(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  if (a == b || b->n == 0) return true;
  if (same_vars(a, b)) return a->oct == b->oct || tp_oct_leq(a->oct, b->oct);
  tp_octagon_draft d;
  tp_octagon_open_draft(&d, tp_octagon_of(cpa), a);
  tp_octagon_project(&d, b->vars, b->n);
  const bool result = tp_oct_leq(&d.oct, b->oct);
  tp_octagon_drop_draft(&d);
  return result;
}

/* Over the variables of both: i = 0 in one says i <= n for the n that only the other one speaks of.
 */
static tp_elem *join_of(tp_octagon *self, const tp_elem *a, const tp_elem *b) {
  TP_REQUIRE(a->oct && b->oct);
  tp_octagon_draft d, e;
  tp_octagon_open_draft(&d, self, a);
  tp_octagon_open_draft(&e, self, b);
  tp_octagon_include(&d, b->vars, b->n);
  tp_octagon_project(&e, d.vars.at, d.vars.n);
  tp_oct_join(&d.oct, &e.oct);
  tp_elem *result = tp_octagon_seal(&d);
  tp_octagon_drop_draft(&d);
  tp_octagon_drop_draft(&e);
  return result;
}

static bool is_tracked(void *ctx, tp_var v) {
  return tp_octagon_dim(*(const tp_octagon_view *)ctx, v) != TP_OCTAGON_NO_DIM;
}

/* e without the variables that a does not have. */
static const tp_elem *restrict_to(tp_octagon *self, const tp_elem *e, const tp_elem *a) {
  tp_octagon_draft d;
  tp_octagon_view of_a = tp_octagon_view_of(self, a);
  tp_octagon_open_draft(&d, self, e);
  tp_octagon_restrict(&d, is_tracked, &of_a);
  const tp_elem *result = tp_octagon_seal(&d);
  tp_octagon_drop_draft(&d);
  return result;
}

/* merge weakens b by a: b is the one that adjust saw, or will see. */
static const tp_elem *join(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  tp_elem *e = join_of(tp_octagon_of(cpa), a, b);
  e->at_head = a->at_head || b->at_head;
  e->rounds = b->rounds;
  if (e->at_head) e->before = b->before ? b->before : b;
  return e;
}

static const tp_elem *top(tp_cpa *cpa) { return tp_octagon_of(cpa)->top; }

// -------------------------------------------------------------------- widening

/* The matrix to widen: a's as its last widening left it, if the dimensions are still the same. */
static void open_widening(tp_octagon *self, const tp_elem *a, const tp_elem *j, tp_oct *raw) {
  tp_oct_init(raw, 0);
  if (a->raw && same_vars(a, j)) {
    tp_oct_copy(raw, a->raw);
    return;
  }
  tp_octagon_draft d;
  tp_octagon_open_draft(&d, self, a);
  tp_octagon_project(&d, j->vars, j->n);
  tp_oct_copy(raw, &d.oct);
  tp_octagon_drop_draft(&d);
}

static void meet_types(tp_octagon_draft *d) {
  for (uint32_t i = 0; i < d->vars.n; i++) {
    const tp_octagon_var *x = &d->self->vars[d->vars.at[i].id];
    const int64_t hi = tp_oct_bound(2 * tp_octagon_type_max(x)),
                  lo = tp_oct_bound(-2 * tp_octagon_type_min(x));
    int64_t *above = &d->oct.m[tp_oct_at(tp_oct_minus(i), tp_oct_plus(i))],
            *below = &d->oct.m[tp_oct_at(tp_oct_plus(i), tp_oct_minus(i))];
    if (hi < *above) *above = hi;
    if (lo < *below) *below = lo;
  }
  d->oct.is_closed = false;
}

static const tp_elem *widen_by(tp_octagon *self, const tp_elem *a, const tp_elem *b, widening how) {
  const tp_elem *j = join_of(self, a, b);
  if (how == TO_INFINITY) j = restrict_to(self, j, a);
  TP_INVARIANT(how != TO_INFINITY || j->n <= a->n);  // dimensions only go, so chains end
  tp_oct raw, kept;
  open_widening(self, a, j, &raw);
  if (how == TO_CONSTANTS)
    tp_oct_widen(&raw, j->oct, self->thresholds.at, self->thresholds.n);
  else
    tp_oct_widen(&raw, j->oct, signs, how == TO_SIGNS ? sizeof signs / sizeof *signs : 0);
  tp_octagon_draft d;
  tp_octagon_open_draft(&d, self, j);
  tp_oct_copy(&d.oct, &raw);
  meet_types(&d);
  if (!tp_oct_close(&d.oct)) tp_oct_copy(&d.oct, j->oct);  // cannot be: it is above j
  tp_elem *e = tp_octagon_seal(&d);
  uint32_t *map = TP_NEW_ARRAY(uint32_t, e->n + 1);
  for (uint32_t i = 0; i < e->n; i++)
    map[i] = tp_octagon_dim(tp_octagon_view_of(self, j), e->vars[i]);
  tp_oct_init(&kept, 0);
  tp_oct_remap(&kept, e->n, &raw, map);
  kept.is_closed = false;
  e->raw = tp_oct_intern(&self->pool, &kept);
  e->at_head = a->at_head || b->at_head;
  e->rounds = a->rounds;
  tp_free(map);
  tp_oct_clear(&raw);
  tp_oct_clear(&kept);
  tp_octagon_drop_draft(&d);
  return e;
}

static const tp_elem *widen(tp_cpa *cpa, const tp_elem *a, const tp_elem *b) {
  return leq(cpa, b, a) ? a : widen_by(tp_octagon_of(cpa), a, b, TO_INFINITY);
}

static tp_adjusted adjust(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, tp_reached_view view,
                          tp_succ *out) {
  (void)view;
  tp_octagon *self = tp_octagon_of(cpa);
  *out = (tp_succ){e, p};
  if (!e->before) return TP_CONTINUE;
  tp_elem *next = tp_arena_new(&cpa->arena, tp_elem);
  if (e->rounds < self->widen_after) {
    *next = *e;
  } else {
    const uint64_t round = e->rounds - self->widen_after;
    *next = *widen_by(self, e->before, e,
                      round < TP_CPA_OCTAGON_CONSTANT_ROUNDS ? TO_CONSTANTS
                      : round < TP_CPA_OCTAGON_SIGN_ROUNDS   ? TO_SIGNS
                                                             : TO_INFINITY);
  }
  TP_INVARIANT(leq(cpa, e, next));  // law (g)
  next->rounds = e->rounds + 1;
  next->before = NULL;
  out->elem = next;
  return TP_CONTINUE;
}

static uint32_t descents(tp_cpa *cpa) {
  const uint64_t n = tp_octagon_of(cpa)->narrow;
  return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

// ------------------------------------------------------------------- instances

static bool open_octagon(tp_cpa *cpa, tp_str *why) {
  tp_octagon *self = TP_NEW(tp_octagon);
  *self = (tp_octagon){.cpa = cpa, .p = cpa->env->program, .tt = cpa->env->terms};
  cpa->state = self;
  if (!tp_cpa_setting_u64(cpa, "variables", 48, &self->most_variables, why) ||
      !tp_cpa_setting_u64(cpa, "widen-after", 3, &self->widen_after, why) ||
      !tp_cpa_setting_u64(cpa, "thresholds", 24, &self->most_thresholds, why) ||
      !tp_cpa_setting_u64(cpa, "narrow", 2, &self->narrow, why)) {
    tp_free(self);
    return false;
  }
  tp_oct_pool_init(&self->pool);
  self->liveness = tp_liveness_new(self->p);
  tp_octagon_pack(self);
  tp_oct nothing;
  tp_oct_init(&nothing, 0);
  self->top = tp_arena_new(&cpa->arena, tp_elem);
  self->top->oct = tp_oct_intern(&self->pool, &nothing);
  tp_oct_clear(&nothing);
  return true;
}

static void close_octagon(tp_cpa *cpa) {
  tp_octagon *self = tp_octagon_of(cpa);
  tp_free(self->vars);
  tp_free(self->edge_start);
  tp_vec_clear(&self->edge_vars);
  tp_vec_clear(&self->thresholds);
  tp_liveness_free(self->liveness);
  tp_oct_pool_clear(&self->pool);
  tp_free(self);
}

static const char *const settings[] = {"variables", "widen-after", "thresholds", "narrow", NULL};

const tp_cpa_ops tp_cpa_octagon = {
    .name = "octagon",
    .help = "bounds on sums and differences of two integer variables",
    .settings = settings,
    .has_join = true,
    .default_merge = "join",
    .open = open_octagon,
    .close = close_octagon,
    .initial = tp_octagon_initial,
    .transfer = tp_octagon_transfer,
    .leq = leq,
    .print = tp_octagon_print,
    .formula = tp_octagon_formula,
    .top = top,
    .join = join,
    .adjust = adjust,
    .range = tp_octagon_range,
    .strengthen = tp_octagon_strengthen,
    .implied_by = tp_octagon_implied_by,
    .reduce = tp_octagon_reduce,
    .expand = tp_octagon_expand,
    .widen = widen,
    .descents = descents,
};
