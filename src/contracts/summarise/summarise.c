/* The analysis of a function: locations in weak topological order, loops to their fixpoint, callees
 * by their templates.
 *
 * A loop starts with the state in which it is entered. Each round takes the locations of the loop
 * in order and widens the state at the head by what comes back; the exits count of the last round
 * only, in which the head did not change. A loop that is a walk
 * (contracts/summarise/summary_walk.c) takes one round, over symbols. Recursive functions start
 * with no run at all, and all of those that were met are analysed again until no template changes.
 *
 * It ends: widening has chains of finite length, by the limit on operators, and after
 * TP_CONTRACTS_BOUND_ROUNDS rounds what still changes becomes universal. */
#include "contracts/summarise/summarise_priv.h"

// ------------------------------------------------------------------------- starts

tp_rsums *tp_rsums_new(const tp_object_model *u, tp_rsum_limits limits) {
  tp_rsums *s = tp_rsums_without_transfer(u, limits);
  s->transfer = tp_rsum_edge;
  s->is_unreferenced = tp_rsum_is_unreferenced;
  s->n_contexts = tp_arena_array(&s->arena, uint32_t, s->p->funcs.n);
  return s;
}

static tp_rsum_state *initial_state(tp_summariser *r) {
  tp_rsum_state *s = tp_rsum_state_new(r);
  const tp_func_info *f = tp_func_of(r->p, r->func);
  for (uint32_t i = 0; i < r->s->n_slots[r->func.id]; i++) s->vars[i] = tp_rsum_any_value(r);
  for (uint32_t i = 0; i < r->s->globals.n + f->n_params; i++) {
    const bool is_param = i >= r->s->globals.n;
    const tp_var v = is_param ? f->params[i - r->s->globals.n] : r->s->globals.at[i];
    const tp_var_info *info = tp_var_of(r->p, v);
    const bool is_hidden = info->enclosing_function || !info->type.id;
    const bool is_unreferenced = is_param && r->into->unreferenced >> (i - r->s->globals.n) & 1;
    const tp_rinterval at = is_hidden ? tp_rinterval_any(r->t, 1)
                            : is_unreferenced
                                ? tp_rinterval_exact(tp_rsums_name_of_unreferenced(r->s, v))
                                : tp_rinterval_exact(tp_rsums_name_of_var(r->s, v));
    if (info->type.id) *tp_rsum_slot(r, s, v) = tp_rsum_of_type(r, at, info->type);
  }
  for (uint32_t i = 0; i < r->s->places.n; i++)
    s->places[i] = tp_rinterval_exact(r->s->places.at[i].name);
  s->alloc = tp_rinterval_exact(r->s->alloc);
  return s;
}

// ----------------------------------------------------------------------- fixpoints

typedef struct {
  tp_rsum_state *state;
  uint32_t at, from;  // positions
} arrival;

/* A loop that is being iterated: what leaves it in this round, what comes back to its head. */
typedef struct loop {
  struct loop *outer;
  uint32_t first, last;
  TP_VEC(arrival) exits;
  tp_rsum_state *back;
} loop;

typedef struct {
  tp_summariser *r;
  tp_rsum_state **waiting;  // by position
  loop *inner;              // NULL: outside of loops
} iteration;

static uint32_t depth_at(const tp_summariser *r, uint32_t position) {
  const uint32_t depth = r->wto.components.at[r->wto.inner.at[position]].depth;
  return depth > r->base_depth ? depth - r->base_depth : 0;
}

static void wait_at(tp_summariser *r, tp_rsum_state **place, tp_rsum_state *s, uint32_t depth) {
  const uint32_t own = r->loop_depth;
  r->loop_depth = depth;
  if (*place)
    tp_rsum_state_join(r, *place, s);
  else
    *place = s;
  r->loop_depth = own;
}

static void arrive(iteration *it, tp_rsum_state *s, uint32_t from, uint32_t at) {
  loop *l = it->inner;
  if (l && (at > l->last || at < l->first))
    tp_vec_push(&l->exits, (arrival){s, at, from});
  else if (at > from)
    wait_at(it->r, &it->waiting[at], s, depth_at(it->r, at));
  else if (l)
    wait_at(it->r, &l->back, s, depth_at(it->r, at));
}

static void take_edges(iteration *it, uint32_t position) {
  tp_summariser *r = it->r;
  const tp_rsum_state *s = it->waiting[position];
  const tp_edge_list out = tp_out_edges(r->p, r->wto.order.at[position]);
  r->loop_depth = depth_at(r, position);
  for (uint32_t i = 0; s && i < out.n && !r->into->refused; i++) {
    const tp_edge_info *e = tp_edge_of(r->p, (tp_edge){out.at[i]});
    const tp_loc_info *to = tp_loc_of(r->p, e->to);
    tp_rsum_state *next = tp_rsum_state_copy(r, s);
    r->pos = e->pos;
    r->s->transfer(r, next, e);
    r->loop_depth = depth_at(r, position);
    if (next->is_dead || to->error != TP_P_NONE) continue;
    if (to->is_unsupported)
      tp_rsum_refuse(r, "a construct that is not modelled");
    else
      arrive(it, next, position, tp_wto_position(&r->wto, e->to));
  }
}

static void run_range(iteration *it, uint32_t first, uint32_t last, uint32_t parent);

static tp_rsum_state **states_of(const iteration *it, const loop *l) {
  tp_rsum_state **exits = tp_arena_array(it->r->arena, tp_rsum_state *, l->exits.n + 1);
  for (size_t i = 0; i < l->exits.n; i++) exits[i] = l->exits.at[i].state;
  return exits;
}

static void visit_all(iteration *it, const tp_wto_component *c, const tp_rsum_state *entry,
                      loop *l) {
  tp_rsum_visit_all(it->r, c, it->waiting, entry, states_of(it, l), l->exits.n);
}

/* One round over symbols; true: the loop is a walk, and l has the states that leave it. */
static bool walk(iteration *it, uint32_t component, const tp_rsum_state *entry, loop *l) {
  tp_summariser *r = it->r;
  const tp_wto_component c = r->wto.components.at[component];
  const uint32_t base = r->base_depth;
  tp_rsum_walk w;
  tp_rsum_state *start = tp_rsum_walk_start(r, &c, entry, &w);
  bool is_walk = false;
  if (start) {
    for (uint32_t i = c.first; i <= c.last; i++) it->waiting[i] = NULL;
    it->waiting[c.first] = start;
    r->base_depth = c.depth;
    take_edges(it, c.first);
    run_range(it, c.first + 1, c.last, component);
    r->base_depth = base;
    is_walk = !r->into->refused && l->back && l->exits.n &&
              tp_rsum_walk_end(r, &w, l->back, states_of(it, l), l->exits.n);
    r->into->refused = NULL;
  }
  tp_rsum_walk_clear(&w);
  return is_walk;
}

/* From the states that wait in the component to its stable head; then what leaves it goes on. */
static void run_loop(iteration *it, uint32_t component) {
  tp_summariser *r = it->r;
  const tp_wto_component c = r->wto.components.at[component];
  const uint32_t n = c.last - c.first + 1;
  tp_rsum_state **entries = tp_arena_array(r->arena, tp_rsum_state *, n);
  memcpy(entries, it->waiting + c.first, n * sizeof *entries);
  loop l = {.outer = it->inner, .first = c.first, .last = c.last};
  bool is_entered_inside = false;
  for (uint32_t i = 1; i < n; i++) is_entered_inside = is_entered_inside || entries[i];
  const tp_rsum_state *entry =
      entries[0] && !is_entered_inside ? tp_rsum_state_copy(r, entries[0]) : NULL;
  it->inner = &l;
  const bool is_walk = walk(it, component, entry, &l);
  for (uint32_t round = 1; !is_walk && !r->into->refused; round++) {
    l.exits.n = 0;
    l.back = NULL;
    for (uint32_t i = 0; i < n; i++)
      it->waiting[c.first + i] = entries[i] ? tp_rsum_state_copy(r, entries[i]) : NULL;
    take_edges(it, c.first);
    run_range(it, c.first + 1, c.last, component);
    if (!l.back) break;
    if (!entries[0])
      entries[0] = tp_rsum_state_copy(r, l.back);
    else if (!tp_rsum_state_widen(r, entries[0], l.back, round >= TP_CONTRACTS_BOUND_ROUNDS))
      break;
  }
  it->inner = l.outer;
  if (!is_walk && !r->into->refused) visit_all(it, &c, entry, &l);
  for (size_t i = 0; i < l.exits.n; i++)
    if (!l.exits.at[i].state->is_dead)
      arrive(it, l.exits.at[i].state, l.exits.at[i].from, l.exits.at[i].at);
  tp_vec_clear(&l.exits);
}

static uint32_t loop_at(const tp_summariser *r, uint32_t position, uint32_t parent) {
  uint32_t c = r->wto.inner.at[position];
  while (c && c != parent && r->wto.components.at[c].parent != parent)
    c = r->wto.components.at[c].parent;
  return c != parent && c && r->wto.components.at[c].first == position ? c : 0;
}

static void run_range(iteration *it, uint32_t first, uint32_t last, uint32_t parent) {
  for (uint32_t at = first; at <= last && !it->r->into->refused; at++) {
    const uint32_t component = loop_at(it->r, at, parent);
    if (!component) {
      take_edges(it, at);
      continue;
    }
    const tp_wto_component c = it->r->wto.components.at[component];
    bool is_reached = false;
    for (uint32_t i = c.first; i <= c.last; i++) is_reached = is_reached || it->waiting[i];
    if (is_reached) run_loop(it, component);
    at = c.last;
  }
}

// ----------------------------------------------------------------------- templates

/* A new object that is gone, in all runs that make it, or perhaps. */
static bool is_dead_object(const tp_summariser *r, tp_rbound b) {
  return tp_rbound_at(r->t, b)->kind == TP_RBOUND_NEW &&
         tp_rbound_disjoint(r->t, b, r->into->after.alloc.upper);
}
static bool may_be_dead_object(const tp_summariser *r, tp_rbound b) {
  const tp_rbound_node *n = tp_rbound_at(r->t, b);
  uint64_t freed;
  return is_dead_object(r, b) ||
         (n->kind == TP_RBOUND_NEW && tp_map_get(&r->freed, (uint64_t)n->number, &freed));
}

/* New objects that do not exist any more have no members, and what leads to them leads anywhere. */
static tp_rinterval dead_leaf(void *ctx, tp_rbound leaf) {
  const tp_summariser *r = ctx;
  return is_dead_object(r, leaf) ? tp_rinterval_any(r->t, 1) : tp_rinterval_exact(leaf);
}

static tp_rbound without_dead_owners(tp_summariser *r, tp_rbound b, tp_rbound within,
                                     bool (*is_dead)(const tp_summariser *r, tp_rbound b)) {
  const tp_rbound_node *n = tp_rbound_at(r->t, within);
  const uint32_t arity = tp_rbound_at(r->t, b)->arity;
  if (is_dead(r, within))
    return tp_rbound_difference(r->t, b,
                                tp_rbound_product(r->t, within, tp_rbound_univ(r->t, arity - 1)));
  for (uint32_t i = 0; i < n->n_kids; i++)
    if (tp_rbound_at(r->t, n->kids[i])->has_new) b = without_dead_owners(r, b, n->kids[i], is_dead);
  return b;
}

static void forget_dead_objects(tp_summariser *r, tp_rsum_template *into) {
  tp_rinterval_evaluation e = {.t = r->t, .leaf = dead_leaf, .ctx = r};
  for (uint32_t i = 0; i < r->s->places.n; i++) {
    tp_rinterval *f = &into->after.places[i];
    const bool has_owners = r->s->places.at[i].symbol->kind != TP_SYMBOL_GLOBAL;
    if (!tp_rbound_at(r->t, f->upper)->has_new && !tp_rbound_at(r->t, f->lower)->has_new) continue;
    if (has_owners) {
      f->upper = without_dead_owners(r, f->upper, f->upper, is_dead_object);
      f->lower = without_dead_owners(r, f->lower, f->lower, may_be_dead_object);
    }
    *f = (tp_rinterval){tp_rinterval_lower_of(&e, f->lower), tp_rinterval_upper_of(&e, f->upper)};
  }
  for (uint32_t i = 0; i <= r->s->globals.n; i++) {
    tp_rinterval *v = i < r->s->globals.n ? &into->after.vars[i].at : &into->result.at;
    if (v->upper.id)
      *v = (tp_rinterval){tp_rinterval_lower_of(&e, v->lower), tp_rinterval_upper_of(&e, v->upper)};
  }
  tp_rinterval_evaluation_clear(&e);
}

/* A value as callers may use it: read from a parameter that still has its argument, or from a
 * global; conditions over the function's own variables mean nothing to callers. */
static tp_rsum_value for_callers(const tp_summariser *r, const tp_rsum_state *end,
                                 tp_rsum_value v) {
  const tp_var from = v.origin.from;
  const tp_var_kind kind = from.id ? tp_var_of(r->p, from)->kind : TP_V_GLOBAL;
  const bool is_argument =
      kind == TP_V_PARAM && tp_rinterval_eq(tp_rsum_slot(r, end, from)->at,
                                            tp_rinterval_exact(tp_rsums_name_of_var(r->s, from)));
  if (kind != TP_V_GLOBAL && !is_argument) v.origin = (tp_rsum_origin){0};
  v.means = TP_TERM_NONE;
  return v;
}

/* One analysis; what it finds is added to the template. True: that is new. */
static bool analyse(tp_rsums *s, tp_rsum_template *into, bool is_last) {
  tp_arena arena;
  tp_arena_init(&arena);
  tp_summariser r = {
      .s = s, .arena = &arena, .p = s->p, .t = s->t, .func = into->func, .into = into};
  const tp_func_info *f = tp_func_of(s->p, into->func);
  bool is_new = false;
  into->n_new = 0;
  tp_wto_init(&r.wto, s->p, into->func);
  iteration it = {.r = &r};
  it.waiting = tp_arena_array(&arena, tp_rsum_state *, r.wto.order.n + 1);
  it.waiting[tp_wto_position(&r.wto, f->entry)] = initial_state(&r);
  run_range(&it, 0, (uint32_t)r.wto.order.n - 1, 0);
  const uint32_t exit = tp_wto_position(&r.wto, f->exit);
  const tp_rsum_state *end = exit == UINT32_MAX ? NULL : it.waiting[exit];
  if (end && !into->refused) {
    tp_rsum_state *after = tp_rsum_state_in(&s->arena, s, s->n_slots[into->func.id]);
    tp_rsum_state_copy_into(after, end, s, s->n_slots[into->func.id]);
    for (uint32_t i = 0; i < s->globals.n; i++)
      after->vars[i] = for_callers(&r, end, after->vars[i]);
    const tp_rsum_value result =
        f->result.id ? for_callers(&r, end, *tp_rsum_slot(&r, end, f->result)) : (tp_rsum_value){0};
    is_new = tp_rsum_template_widen(&r, into, after, &result, is_last);
    forget_dead_objects(&r, into);
  }
  tp_map_clear(&r.new_of);
  tp_map_clear(&r.freed);
  tp_wto_clear(&r.wto);
  tp_arena_clear(&arena);
  return is_new;
}

/* All recursive functions that are met, and functions between them, until no template changes. */
static void iterate_recursive(tp_rsums *s) {
  bool is_new = true;
  s->is_iterating = true;
  for (uint32_t round = 1; is_new; round++) {
    const size_t n = s->active.n;
    is_new = false;
    for (size_t i = 0; i < s->active.n; i++)
      if (analyse(s, s->active.at[i], round >= TP_CONTRACTS_BOUND_ROUNDS)) is_new = true;
    is_new = is_new || s->active.n > n;
  }
  for (size_t i = 0; i < s->active.n; i++) s->active.at[i]->is_done = true;
  s->active.n = 0;
  s->is_iterating = false;
}

bool tp_rsums_is_running(const tp_rsums *s, tp_func f) {
  return s->templates[f.id] && s->templates[f.id]->is_running;
}

tp_rsum_template *tp_rsums_demand(tp_rsums *s, tp_func f) {
  TP_REQUIRE(f.id && tp_func_of(s->p, f)->has_body);
  tp_rsum_template *t = s->templates[f.id];
  if (t && !t->is_done) s->has_used_unfinished = true;
  if (t) return t;
  t = s->templates[f.id] = tp_arena_new(&s->arena, tp_rsum_template);
  t->func = f;
  t->after.is_dead = true;
  if (tp_func_of(s->p, f)->is_recursive) {
    tp_vec_push(&s->active, t);
    if (!s->is_iterating) iterate_recursive(s);
    s->has_used_unfinished = s->has_used_unfinished || !t->is_done;
    return t;
  }
  const bool had_used = s->has_used_unfinished;
  s->has_used_unfinished = false;
  t->is_running = !s->is_iterating;
  (void)analyse(s, t, false);
  t->is_running = false;
  t->is_done = !s->has_used_unfinished;
  if (!t->is_done) tp_vec_push(&s->active, t);
  s->has_used_unfinished = s->has_used_unfinished || had_used;
  return t;
}

/* In recursion there are no contexts: fixpoints are those of one template for each function. */
tp_rsum_template *tp_rsums_demand_in(tp_rsums *s, tp_func f, uint32_t unreferenced) {
  tp_rsum_template *all = tp_rsums_demand(s, f);
  const uint64_t key = (uint64_t)f.id << 32 | unreferenced;
  uint64_t known;
  if (!unreferenced || s->is_iterating || !all->is_done || tp_func_of(s->p, f)->is_recursive)
    return all;
  if (tp_map_get(&s->in_context, key, &known)) return s->contexts.at[known];
  if (s->n_contexts[f.id] >= s->limits.contexts) return all;
  s->n_contexts[f.id]++;
  tp_rsum_template *t = tp_arena_new(&s->arena, tp_rsum_template);
  t->func = f;
  t->unreferenced = unreferenced;
  t->after.is_dead = true;
  tp_map_set(&s->in_context, key, s->contexts.n);
  tp_vec_push(&s->contexts, t);
  all->is_running = true;
  (void)analyse(s, t, false);
  all->is_running = false;
  t->is_done = true;
  return t;
}

const tp_rsum_template *tp_rsums_of(tp_rsums *s, tp_func f) { return tp_rsums_demand(s, f); }
