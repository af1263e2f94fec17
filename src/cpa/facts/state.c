/* One element for each (context, location), made at the first step to it. Between two cutpoints
 * with facts there is one path, so the bounds at a location do not depend on the path; therefore
 * elements are interned by location and context. */
#include "cpa/facts/facts_priv.h"

struct tp_elem {
  tp_context context;  // NONE: any context and location
  tp_loc loc;
  tp_term formula;
  const tp_imported_bounds *known;
  size_t n_known;
};

typedef struct {
  tp_map index;  // (context, location) -> element
  tp_map facts;  // (context, location) -> number of the fact; filled by the first query
  bool has_index;
  const tp_elem *top;
} store;

static uint64_t place_key(tp_context c, tp_loc l) { return (uint64_t)c.id << 32 | l.id; }

static bool open(tp_cpa *self, tp_str *why) {
  (void)why;
  store *s = TP_NEW(store);
  tp_elem *e = tp_arena_new(&self->arena, tp_elem);
  e->formula = tp_mk_true(self->env->terms);
  s->top = e;
  self->state = s;
  return true;
}

static void close(tp_cpa *self) {
  store *s = self->state;
  tp_map_clear(&s->index);
  tp_map_clear(&s->facts);
  tp_free(s);
}

static const tp_imported_invariant *fact_at(tp_cpa *self, tp_context c, tp_loc l) {
  store *s = self->state;
  for (size_t i = 0; !s->has_index && i < self->env->n_imported; i++)
    tp_map_set(&s->facts, place_key(self->env->imported[i].context, self->env->imported[i].loc), i);
  s->has_index = true;
  uint64_t i;
  return tp_map_get(&s->facts, place_key(c, l), &i) ? &self->env->imported[i] : NULL;
}

static void set_known(tp_cpa *self, tp_elem *e, const tp_imported_bounds *at, size_t n) {
  tp_imported_bounds *copy = tp_arena_array(&self->arena, tp_imported_bounds, n + 1);
  if (n) memcpy(copy, at, n * sizeof *at);
  e->known = copy;
  e->n_known = n;
}

/* Is the variable the same behind the edge? Of ghosts nothing is kept. */
static bool is_kept(const tp_program *p, const tp_edge_info *edge, tp_term var) {
  tp_var v = tp_program_var_of(p, var);
  return v.id && tp_var_of(p, v)->kind != TP_V_GHOST && v.id != edge->var.id;
}

/* The bounds behind an edge: those before it, but for the variable that it changes, and what
 * it assumes. */
static bool propagate_bounds(tp_cpa *self, const tp_elem *from, tp_edge edge,
                             tp_imported_bounds_list *known) {
  const tp_program *p = self->env->program;
  const tp_edge_info *e = tp_edge_of(p, edge);
  for (size_t i = 0; i < from->n_known; i++)
    if (is_kept(p, e, from->known[i].var)) tp_vec_push(known, from->known[i]);
  return e->kind != TP_E_ASSUME || tp_facts_bounds(p, e->a, known);
}

/* The element at (c, l). from, step: how it was reached, NULL: a start. Calls and returns keep
 * nothing: places behind them have facts of their own. */
static const tp_elem *at(tp_cpa *self, tp_context c, tp_loc l, const tp_elem *from,
                         const tp_step *step) {
  store *s = self->state;
  uint64_t found;
  if (tp_map_get(&s->index, place_key(c, l), &found)) return (const tp_elem *)(uintptr_t)found;
  tp_elem *e = tp_arena_new(&self->arena, tp_elem);
  const tp_imported_invariant *fact = fact_at(self, c, l);
  tp_imported_bounds_list known = {0};
  bool ok = true;
  *e = (tp_elem){c, l, fact ? fact->formula : s->top->formula, NULL, 0};
  if (fact)
    ok = tp_facts_bounds(self->env->program, fact->formula, &known);
  else if (from && step->kind == TP_STEP_EDGE && tp_in_edges(self->env->program, l).n == 1)
    ok = propagate_bounds(self, from, step->edge, &known);
  if (!ok) e->formula = tp_mk_false(self->env->terms);
  set_known(self, e, known.at, known.n);
  tp_vec_clear(&known);
  tp_map_set(&s->index, place_key(c, l), (uintptr_t)e);
  return e;
}

static const tp_elem *top(tp_cpa *self) { return ((const store *)self->state)->top; }

static tp_succ initial(tp_cpa *self, tp_loc entry, tp_context context) {
  if (!entry.id || !context.id) return (tp_succ){top(self), NULL};
  return (tp_succ){at(self, context, entry, NULL, NULL), NULL};
}

// -------------------------------------------------------------------- transfer

/* The call string behind a step, as in callstack. */
static bool context_behind(tp_cpa *self, tp_context c, const tp_step *step, tp_context *out) {
  tp_contexts *all = self->env->contexts;
  *out = c;
  switch (step->kind) {
    case TP_STEP_EDGE:
    case TP_STEP_SUMMARY: return true;
    case TP_STEP_CALL:
      *out = tp_context_has(all, c, step->callee)
                 ? TP_CONTEXT_NONE
                 : tp_context_push(all, c, step->edge, step->callee);
      return true;
    case TP_STEP_RETURN:
      *out = tp_context_of(all, c)->parent;
      return tp_context_of(all, c)->call.id == step->edge.id;
  }
  return false;
}

static void transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                     tp_out *out) {
  TP_REQUIRE(tp_step_check(self->env->program, step));
  tp_context to;
  const tp_elem *next = top(self);
  if (e->context.id) {
    if (e->loc.id != step->from.id || !context_behind(self, e->context, step, &to)) return;
    if (to.id) next = at(self, to, step->to, e, step);
  }
  if (!tp_is_false(self->env->terms, next->formula)) tp_vec_push(&out->list, (tp_succ){next, p});
}

static const tp_elem *reduce(tp_cpa *self, const tp_elem *e, const tp_step *call) {
  (void)e;
  return initial(self, tp_func_of(self->env->program, call->callee)->entry, call->root).elem;
}

static const tp_elem *expand(tp_cpa *self, const tp_elem *before, const tp_elem *leave,
                             const tp_step *call) {
  (void)leave;
  return before->context.id ? at(self, before->context, call->to, NULL, NULL) : before;
}

// --------------------------------------------------------------------- lattice

static bool leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return a == b || b == top(self);
}
static const tp_elem *join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return a == b ? b : top(self);
}

static void print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  if (!e->context.id) {
    tp_str_add(out, "any place");
    return;
  }
  tp_str_printf(out, "L%u", e->loc.id);
  for (size_t i = 0; i < e->n_known; i++)
    tp_str_printf(out, " %s: %lld .. %lld", tp_var_name(self->env->terms, e->known[i].var),
                  (long long)e->known[i].range.smin, (long long)e->known[i].range.smax);
}

static tp_term formula(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return e->formula;
}

static bool range(tp_cpa *self, const tp_elem *e, tp_term t, tp_range *out) {
  (void)self;
  for (size_t i = 0; i < e->n_known; i++)
    if (tp_term_eq(e->known[i].var, t)) return *out = e->known[i].range, true;
  return false;
}

static uint64_t merge_key(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return place_key(e->context, e->loc);
}
static tp_loc location(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return e->loc;
}
static tp_context context(tp_cpa *self, const tp_elem *e) {
  (void)self;
  return e->context;
}

const tp_cpa_ops tp_cpa_facts = {
    .name = "facts",
    .help = "what others proved, proved again",
    .has_join = true,
    .default_merge = "sep",
    .open = open,
    .close = close,
    .initial = initial,
    .transfer = transfer,
    .leq = leq,
    .print = print,
    .formula = formula,
    .top = top,
    .join = join,
    .merge_key = merge_key,
    .location = location,
    .context = context,
    .range = range,
    .reduce = reduce,
    .expand = expand,
};
