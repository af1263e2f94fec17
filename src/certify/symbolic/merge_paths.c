/* Many paths, one state: the tree of changes, and paths that become one.
 *
 * Each change of a value and each fact is a node below those that were made before it on the same
 * path; a state is a node, and the segment holds one of them unfolded. Two paths that meet are
 * merged below the last node that they have in common: under a condition that holds on the one and
 * not on the other, or under a new symbol where none is seen, what the one learnt or changed is so;
 * else what the other did. So each run of either way is a run of the merged one, with the same
 * values. (Symbols that only the other way knows may have any value in it.) */
#include "certify/symbolic/executor.h"

// ------------------------------------------------------------- tree of changes

static void add_change(tp_chk_exec *g, tp_chk_change c) {
  TP_REQUIRE(g->top < g->changes.n);
  c.parent = g->top;
  c.depth = g->changes.at[g->top].depth + 1;
  g->top = (uint32_t)g->changes.n;
  tp_vec_push(&g->changes, c);
}

static void push_fact(tp_chk_exec *g, tp_term t) {
  tp_vec_push(&g->facts, t);
  tp_map_set(&g->fact_at, t.id, g->facts.n);
}

void tp_chk_paths_assign(tp_chk_exec *g, uint32_t slot, tp_chk_value value) {
  TP_REQUIRE(slot < g->n_values && tp_term_is(value.term));
  add_change(g,
             (tp_chk_change){
                 .kind = TP_CHANGE_VALUE, .slot = slot, .value = value, .before = g->values[slot]});
  g->values[slot] = value;
}

void tp_chk_paths_add_fact(tp_chk_exec *g, tp_term fact) {
  TP_REQUIRE(tp_sort_kind_of(g->tt, tp_sort_of(g->tt, fact)) == TP_SORT_BOOL);
  add_change(g, (tp_chk_change){.kind = TP_CHANGE_FACT, .fact = fact});
  push_fact(g, fact);
}

void tp_chk_paths_add_conjunction(tp_chk_exec *g, tp_term conjunction) {
  add_change(g, (tp_chk_change){.kind = TP_CHANGE_CONJUNCTION, .fact = conjunction});
}

static void undo(tp_chk_exec *g) {
  TP_REQUIRE(g->top != 0);  // the start has no parent
  const tp_chk_change *c = &g->changes.at[g->top];
  TP_INVARIANT(c->kind != TP_CHANGE_FACT || tp_term_eq(tp_vec_last(&g->facts), c->fact));
  if (c->kind == TP_CHANGE_VALUE) g->values[c->slot] = c->before;
  if (c->kind == TP_CHANGE_FACT) g->facts.n--;
  g->top = c->parent;
}

static void redo(tp_chk_exec *g, uint32_t node) {
  TP_REQUIRE(g->changes.at[node].parent == g->top);
  const tp_chk_change *c = &g->changes.at[node];
  if (c->kind == TP_CHANGE_VALUE) g->values[c->slot] = c->value;
  if (c->kind == TP_CHANGE_FACT) push_fact(g, c->fact);
  g->top = node;
}

static void unfold(tp_chk_exec *g, uint32_t node) {
  TP_VEC(uint32_t) down = {0};
  while (g->top != node) {
    if (g->changes.at[g->top].depth >= g->changes.at[node].depth) {
      undo(g);
    } else {
      tp_vec_push(&down, node);
      node = g->changes.at[node].parent;
    }
  }
  TP_INVARIANT(g->top == node);
  while (down.n) redo(g, tp_vec_pop(&down));
  tp_vec_clear(&down);
}

void tp_chk_paths_switch_to(tp_chk_exec *g, const tp_chk_state *m) {
  TP_REQUIRE(m->changes < g->changes.n);
  unfold(g, m->changes);
  g->state = *m;
  g->dead = false;
}

tp_chk_state tp_chk_paths_current(const tp_chk_exec *g) {
  tp_chk_state m = g->state;
  m.changes = g->top;
  return m;
}

void tp_chk_paths_restart(tp_chk_exec *g) {
  if (!g->changes.n) tp_vec_push(&g->changes, (tp_chk_change){.kind = TP_CHANGE_CONJUNCTION});
  tp_chk_paths_switch_to(g, &(tp_chk_state){0});
  g->changes.n = 1;
  g->back_moves.n = 1;
}

/* The last node that both have in common; below it, to which of its children a and b belong (0: to
 * none). */
static uint32_t common(const tp_chk_exec *g, uint32_t a, uint32_t b, uint32_t *child_a,
                       uint32_t *child_b) {
  TP_REQUIRE(a < g->changes.n && b < g->changes.n);
  const tp_chk_change *at = g->changes.at;
  *child_a = *child_b = 0;
  while (a != b) {
    if (at[a].depth >= at[b].depth) {
      *child_a = a;
      a = at[a].parent;
    } else {
      *child_b = b;
      b = at[b].parent;
    }
  }
  return a;
}

tp_term tp_chk_paths_condition(tp_chk_exec *g) {
  TP_VEC(uint32_t) above = {0};
  uint32_t node = g->top;
  for (; node && !tp_term_is(g->changes.at[node].path); node = g->changes.at[node].parent)
    tp_vec_push(&above, node);
  tp_term path = node ? g->changes.at[node].path : tp_mk_true(g->tt);
  while (above.n) {
    tp_chk_change *c = &g->changes.at[tp_vec_pop(&above)];
    if (c->kind == TP_CHANGE_FACT) path = tp_mk_and(g->tt, path, c->fact);
    c->path = path;
  }
  tp_vec_clear(&above);
  return path;
}

// ---------------------------------------------------- places that were turned to

bool tp_chk_paths_has_back_move(const tp_chk_exec *g, uint32_t list, uint64_t place) {
  for (; list; list = g->back_moves.at[list].next)
    if (g->back_moves.at[list].place == place) return true;
  return false;
}

uint32_t tp_chk_paths_add_back_move(tp_chk_exec *g, uint32_t list, uint64_t place) {
  TP_REQUIRE(list < g->back_moves.n);
  tp_vec_push(&g->back_moves, (tp_chk_back_move){list, place});
  return (uint32_t)g->back_moves.n - 1;
}

static uint32_t turned_to_either(tp_chk_exec *g, uint32_t a, uint32_t b) {
  for (; b && a != b; b = g->back_moves.at[b].next)
    if (!tp_chk_paths_has_back_move(g, a, g->back_moves.at[b].place))
      a = tp_chk_paths_add_back_move(g, a, g->back_moves.at[b].place);
  return a;
}

// -------------------------------------------------------------------- two become one

/* What a path did below the common node. */
typedef struct {
  tp_chk_state m;
  TP_VEC(tp_term) facts;   // oldest first
  TP_VEC(tp_term) wholes;  // conjunctions of facts that were learnt together, oldest first
  tp_map set;              // all of these
} side;

static void reverse(tp_term *at, size_t n) {
  for (size_t i = 0; i + 1 < n - i; i++) {
    tp_term t = at[i];
    at[i] = at[n - 1 - i];
    at[n - 1 - i] = t;
  }
}

/* vars: variables that changed, of both sides. */
static side side_of(const tp_chk_exec *g, tp_chk_state m, uint32_t above, tp_map *vars) {
  side s = {.m = m};
  for (uint32_t n = m.changes; n != above; n = g->changes.at[n].parent) {
    const tp_chk_change *c = &g->changes.at[n];
    switch (c->kind) {
      case TP_CHANGE_VALUE: tp_map_set(vars, c->slot, 1); continue;
      case TP_CHANGE_FACT: tp_vec_push(&s.facts, c->fact); break;
      case TP_CHANGE_CONJUNCTION: tp_vec_push(&s.wholes, c->fact); break;
    }
    tp_map_set(&s.set, c->fact.id, 1);
  }
  if (s.facts.n) reverse(s.facts.at, s.facts.n);
  if (s.wholes.n) reverse(s.wholes.at, s.wholes.n);
  return s;
}

static void side_clear(side *s) {
  tp_vec_clear(&s->facts);
  tp_vec_clear(&s->wholes);
  tp_map_clear(&s->set);
}

/* A condition that is known to hold on a and known not to hold on b; NONE: none is seen. */
static tp_term distinguishing_condition(const tp_chk_exec *g, const side *a, const side *b) {
  for (size_t i = 0; i < a->wholes.n; i++)
    if (tp_map_has(&b->set, tp_mk_not(g->tt, a->wholes.at[i]).id)) return a->wholes.at[i];
  for (size_t i = 0; i < a->facts.n; i++)
    if (tp_map_has(&b->set, tp_mk_not(g->tt, a->facts.at[i]).id)) return a->facts.at[i];
  return TP_TERM_NONE;
}

/* What s knows and the other does not, if cond is known. */
static tp_term own_facts(const tp_chk_exec *g, const side *s, const side *other, tp_term cond) {
  tp_term all = tp_mk_true(g->tt);
  for (size_t i = 0; i < s->facts.n; i++)
    if (s->facts.at[i].id != cond.id && !tp_map_has(&other->set, s->facts.at[i].id))
      all = tp_mk_and(g->tt, all, s->facts.at[i]);
  return all;
}

typedef struct {
  uint32_t slot;
  tp_chk_value on_a, on_b;
} changed;

static bool same_value(tp_chk_value a, tp_chk_value b) {
  return tp_term_eq(a.term, b.term) && a.provenance == b.provenance;
}

static bool same_world(const tp_chk_state *a, const tp_chk_state *b) {
  bool same_age = a->age.base.id == b->age.base.id && a->age.made == b->age.made;
  return a->memory == b->memory && a->ghosts == b->ghosts && same_age && a->heap.id == b->heap.id &&
         a->lost.id == b->lost.id;
}

/* Memory, objects, ghosts. */
static void merge_world(tp_chk_exec *g, tp_term cond, const tp_chk_state *a,
                        const tp_chk_state *b) {
  tp_terms *tt = g->tt;
  tp_chk_state *m = &g->state;
  m->memory = tp_chk_history_merge(&g->history, cond, a->memory, b->memory);
  m->ghosts = tp_chk_history_merge(&g->history, cond, a->ghosts, b->ghosts);
  m->heap = tp_mk_ite(tt, cond, a->heap, b->heap);
  m->lost = tp_term_is(a->lost) && tp_term_is(b->lost) ? tp_mk_ite(tt, cond, a->lost, b->lost)
                                                       : TP_TERM_NONE;
  if (g->unrolling) {  // ids are counted on all paths together
    if (b->age.made > m->age.made) m->age = b->age;
    return;
  }
  if (a->age.base.id == b->age.base.id && a->age.made == b->age.made) return;
  m->age = tp_chk_history_merge_epochs(&g->history, a->age, b->age);
  tp_chk_assume(g, tp_mk_eq(tt, m->age.base,
                            tp_mk_ite(tt, cond, tp_chk_history_next_object(&g->history, a->age),
                                      tp_chk_history_next_object(&g->history, b->age))));
}

/* Here is the common node. */
static void merge_below(tp_chk_exec *g, const side *a, const side *b, const changed *vars,
                        size_t n) {
  tp_terms *tt = g->tt;
  bool differ = !same_world(&a->m, &b->m);
  for (size_t i = 0; i < a->facts.n; i++)
    if (tp_map_has(&b->set, a->facts.at[i].id)) tp_chk_assume(g, a->facts.at[i]);
  for (size_t i = 0; i < n; i++) differ = differ || !same_value(vars[i].on_a, vars[i].on_b);
  tp_term cond = differ ? distinguishing_condition(g, a, b) : TP_TERM_NONE;
  if (differ) {
    if (!tp_term_is(cond)) cond = tp_chk_exec_nondet(g, tp_sort_bool(tt));
    tp_term otherwise = tp_mk_not(tt, cond);
    tp_chk_assume(g, tp_mk_implies(tt, cond, own_facts(g, a, b, cond)));
    tp_chk_assume(g, tp_mk_implies(tt, otherwise, own_facts(g, b, a, otherwise)));
    merge_world(g, cond, &a->m, &b->m);
  } else {
    tp_chk_assume(g, tp_mk_or(tt, own_facts(g, a, b, cond), own_facts(g, b, a, cond)));
  }
  for (size_t i = 0; i < n; i++) {
    tp_chk_value u = vars[i].on_a, v = vars[i].on_b;
    if (!same_value(u, v))
      u = (tp_chk_value){tp_mk_ite(tt, cond, u.term, v.term), tp_chk_merge_provenance(g->tt, u, v)};
    tp_chk_paths_assign(g, vars[i].slot, u);
  }
}

static tp_chk_state merge(tp_chk_exec *g, tp_chk_state a, tp_chk_state b) {
  TP_REQUIRE(a.context == b.context && a.loc.id == b.loc.id);
  uint32_t child_a, child_b, above = common(g, a.changes, b.changes, &child_a, &child_b);
  tp_map vars = {0};
  side on_a = side_of(g, a, above, &vars), on_b = side_of(g, b, above, &vars);
  changed *values = TP_NEW_ARRAY(changed, vars.n + 1);
  unfold(g, a.changes);
  for (size_t i = 0; i < vars.n; i++) {
    values[i].slot = (uint32_t)vars.entries[i].key;
    values[i].on_a = tp_chk_slot_value(g, values[i].slot);
  }
  unfold(g, b.changes);
  for (size_t i = 0; i < vars.n; i++) values[i].on_b = tp_chk_slot_value(g, values[i].slot);
  uint32_t turned = turned_to_either(g, a.back_moves, b.back_moves);
  a.changes = above;
  tp_chk_paths_switch_to(g, &a);
  g->state.back_moves = turned;
  merge_below(g, &on_a, &on_b, values, vars.n);
  tp_free(values);
  side_clear(&on_a);
  side_clear(&on_b);
  tp_map_clear(&vars);
  return tp_chk_paths_current(g);
}

// ------------------------------------------------------------------ all become one

/* In the order of the tree's children; a node before what is below it. */
static bool is_before(const tp_chk_exec *g, const tp_chk_state *m, const tp_chk_state *n) {
  uint32_t child_m, child_n;
  (void)common(g, m->changes, n->changes, &child_m, &child_n);
  return child_m < child_n;
}

static uint32_t depth_in_common(const tp_chk_exec *g, const tp_chk_state *m,
                                const tp_chk_state *n) {
  uint32_t child_m, child_n;
  return g->changes.at[common(g, m->changes, n->changes, &child_m, &child_n)].depth;
}

/* Those first that parted last: what told them apart is gone then, and only what told both from
 * others remains. */
tp_chk_state tp_chk_paths_merge(tp_chk_exec *g, tp_chk_states *ways) {
  tp_chk_state *at = ways->at;
  size_t n = ways->n;
  bool dead = false;
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k > 0 && is_before(g, &at[k], &at[k - 1]); k--) {
      tp_chk_state m = at[k];
      at[k] = at[k - 1];
      at[k - 1] = m;
    }
  uint32_t *depth = TP_NEW_ARRAY(uint32_t, n + 1);  // that at[i] and at[i + 1] have in common
  for (size_t i = 0; i + 1 < n; i++) depth[i] = depth_in_common(g, &at[i], &at[i + 1]);
  while (n > 1) {
    size_t best = 0;
    for (size_t i = 1; i + 1 < n; i++)
      if (depth[i] > depth[best]) best = i;
    at[best] = merge(g, at[best], at[best + 1]);
    dead = g->dead;
    memmove(at + best + 1, at + best + 2, (n - best - 2) * sizeof *at);
    memmove(depth + best, depth + best + 1, (n - best - 1) * sizeof *depth);
    n--;
    if (best > 0) depth[best - 1] = depth_in_common(g, &at[best - 1], &at[best]);
  }
  tp_free(depth);
  ways->n = n;
  tp_chk_paths_switch_to(g, &at[0]);
  g->dead = dead;
  return at[0];
}
