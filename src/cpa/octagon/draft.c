/* Elements under construction. A draft has a dimension for each variable that a step reads or
 * writes; sealing removes unconstrained dimensions, so an element is as small as its constraints.
 * This is the packing at run time: the constrained variables with the highest scores, up to the
 * limit. */
#include "cpa/octagon/octagon_priv.h"

tp_octagon_view tp_octagon_view_of(const tp_octagon *self, const tp_elem *e) {
  return (tp_octagon_view){self, e->vars, e->n, e->oct};
}

uint32_t tp_octagon_dim(tp_octagon_view v, tp_var x) {
  uint32_t lo = 0, hi = v.n;
  while (lo < hi) {
    const uint32_t mid = lo + (hi - lo) / 2;
    if (v.vars[mid].id < x.id)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo < v.n && v.vars[lo].id == x.id ? lo : TP_OCTAGON_NO_DIM;
}

void tp_octagon_open_draft(tp_octagon_draft *d, tp_octagon *self, const tp_elem *from) {
  TP_REQUIRE(from->oct->n == from->n);
  *d = (tp_octagon_draft){.self = self};
  tp_oct_init(&d->oct, 0);
  tp_oct_copy(&d->oct, from->oct);
  for (uint32_t i = 0; i < from->n; i++) tp_vec_push(&d->vars, from->vars[i]);
}

void tp_octagon_copy_draft(tp_octagon_draft *to, const tp_octagon_draft *from) {
  if (!to->self) tp_oct_init(&to->oct, 0);
  to->self = from->self;
  to->vars.n = 0;
  for (size_t i = 0; i < from->vars.n; i++) tp_vec_push(&to->vars, from->vars.at[i]);
  tp_oct_copy(&to->oct, &from->oct);
}

void tp_octagon_drop_draft(tp_octagon_draft *d) {
  tp_vec_clear(&d->vars);
  tp_oct_clear(&d->oct);
}

static void set_type_bounds(tp_octagon_draft *d, uint32_t dim) {
  TP_REQUIRE(dim < d->vars.n);
  const tp_octagon_var *x = &d->self->vars[d->vars.at[dim].id];
  tp_oct_assign_range(&d->oct, dim, -tp_oct_bound(-tp_octagon_type_min(x)),
                      tp_oct_bound(tp_octagon_type_max(x)));
}

void tp_octagon_havoc(tp_octagon_draft *d, tp_var x) {
  const uint32_t dim = tp_octagon_dim(tp_octagon_view_draft(d), x);
  if (dim != TP_OCTAGON_NO_DIM) set_type_bounds(d, dim);
}

/* Dimensions are found by bisection: they ascend, each variable once. */
static bool are_ascending(const tp_var *vars, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (vars[i - 1].id >= vars[i].id) return false;
  return true;
}

void tp_octagon_project(tp_octagon_draft *d, const tp_var *vars, size_t n) {
  TP_REQUIRE(are_ascending(vars, n));
  uint32_t *map = TP_NEW_ARRAY(uint32_t, n + 1);
  tp_oct oct;
  tp_oct_init(&oct, 0);
  for (size_t i = 0; i < n; i++) {
    const uint32_t dim = tp_octagon_dim(tp_octagon_view_draft(d), vars[i]);
    map[i] = dim == TP_OCTAGON_NO_DIM ? TP_OCT_FRESH : dim;
  }
  TP_INVARIANT(d->oct.n == d->vars.n);
  tp_oct_remap(&oct, (uint32_t)n, &d->oct, map);
  tp_oct_clear(&d->oct);
  d->oct = oct;
  d->vars.n = 0;
  for (size_t i = 0; i < n; i++) tp_vec_push(&d->vars, vars[i]);
  for (uint32_t i = 0; i < n; i++)
    if (map[i] == TP_OCT_FRESH) set_type_bounds(d, i);
  tp_free(map);
}

/* Is a removed before b? */
static bool has_lower_score(const tp_octagon *self, tp_var a, tp_var b) {
  TP_REQUIRE(a.id != b.id);
  const uint32_t of_a = self->vars[a.id].score, of_b = self->vars[b.id].score;
  return of_a < of_b || (of_a == of_b && a.id > b.id);
}

/* The union of two ascending lists, without the variables of lowest score if there are too many. */
void tp_octagon_include(tp_octagon_draft *d, const tp_var *more, size_t n) {
  TP_VEC(tp_var) vars = {0};
  size_t i = 0, k = 0;
  while (i < d->vars.n || k < n) {
    const bool is_old = k == n || (i < d->vars.n && d->vars.at[i].id <= more[k].id);
    const tp_var x = is_old ? d->vars.at[i] : more[k];
    i += i < d->vars.n && d->vars.at[i].id == x.id;
    k += k < n && more[k].id == x.id;
    if (is_old || d->self->vars[x.id].score) tp_vec_push(&vars, x);
  }
  const bool changed = vars.n > d->vars.n;
  while (vars.n > d->self->most_variables) {
    size_t least = 0;
    for (size_t m = 1; m < vars.n; m++)
      if (has_lower_score(d->self, vars.at[m], vars.at[least])) least = m;
    memmove(&vars.at[least], &vars.at[least + 1], (vars.n - least - 1) * sizeof *vars.at);
    vars.n--;
  }
  TP_INVARIANT(vars.n <= d->self->most_variables || !changed);
  if (changed) tp_octagon_project(d, vars.at, vars.n);
  tp_vec_clear(&vars);
}

void tp_octagon_track(tp_octagon_draft *d, tp_var x) {
  if (tp_octagon_dim(tp_octagon_view_draft(d), x) == TP_OCTAGON_NO_DIM)
    tp_octagon_include(d, &x, 1);
}

void tp_octagon_restrict(tp_octagon_draft *d, bool (*is_kept)(void *ctx, tp_var x), void *ctx) {
  TP_VEC(tp_var) vars = {0};
  for (size_t i = 0; i < d->vars.n; i++)
    if (is_kept(ctx, d->vars.at[i])) tp_vec_push(&vars, d->vars.at[i]);
  if (vars.n < d->vars.n) tp_octagon_project(d, vars.at, vars.n);
  tp_vec_clear(&vars);
}

/* A variable whose values are all beyond this limit has weakened bounds (numeric/octagon.h): leq
 * compares cells, and cells derived from weakened bounds depend on the order of deriving. Such a
 * variable is projected away. */
#define LEAST_EXACT (-TP_OCT_MAX / 4)

/* A variable is constrained if its bounds are not its type's, or if it is related to another one.
 * Removing one does not change whether the others are constrained. */
static bool is_constrained(void *ctx, tp_var x) {
  const tp_octagon_draft *d = ctx;
  const tp_octagon_var *info = &d->self->vars[x.id];
  const uint32_t dim = tp_octagon_dim(tp_octagon_view_draft(d), x);
  const int64_t above = tp_oct_upper(&d->oct, tp_oct_plus(dim)),
                below = tp_oct_upper(&d->oct, tp_oct_minus(dim));
  if (above < LEAST_EXACT || below < LEAST_EXACT) return false;
  return above < tp_oct_bound(tp_octagon_type_max(info)) ||
         below < tp_oct_bound(-tp_octagon_type_min(info)) || !tp_oct_is_unrelated(&d->oct, dim);
}

tp_elem *tp_octagon_seal(tp_octagon_draft *d) {
  TP_REQUIRE(d->oct.is_closed);  // of an empty octagon there is no element
  tp_octagon_restrict(d, is_constrained, d);
  tp_arena *arena = &d->self->cpa->arena;
  tp_elem *e = tp_arena_new(arena, tp_elem);
  tp_var *vars = tp_arena_array(arena, tp_var, d->vars.n + 1);
  if (d->vars.n) memcpy(vars, d->vars.at, d->vars.n * sizeof *vars);
  *e = (tp_elem){
      .vars = vars, .n = (uint32_t)d->vars.n, .oct = tp_oct_intern(&d->self->pool, &d->oct)};
  return e;
}
