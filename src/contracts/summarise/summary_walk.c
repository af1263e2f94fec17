/* The loop pattern "search": a cursor walks along one member until a condition on it holds.
 *
 *     while (x && x->f != y) { before = x; x = x->r; }
 *
 * One round is interpreted from a state in which each variable that the loop changes is a symbol.
 * The pattern applies if the round changes nothing in memory, the cursor comes back as x.r, and the
 * conditions under which the loop is left are formulas over the cursor that exclude the condition
 * under which it goes on. Then S, the objects at which the loop is left, is an expression over the
 * pre-state, and a run that leaves the loop does so with the cursor at the first of S on the walk
 * from x0 along r. What comes back from a round as an expression over its cursor has, where at
 * least one round was made, the value of that expression at the cursor before the last step: the
 * first object on the walk whose r is the one at which the loop is left.
 *
 * Sound, because the conditions on a path are necessary for taking it: no object that the walk has
 * passed is in S, and the one at which the loop is left is.
 *
 * Source: Taghdiri 2008, sec. 8.3.2 asks for more patterns than "visit all"; the expression is
 * ours. */
#include "contracts/summarise/summarise_priv.h"

// ------------------------------------------------------------------------- symbols

static bool may_walk(const tp_edge_info *e) {
  if (e->kind == TP_E_SKIP) return !e->callee.id && !e->name;
  return e->kind == TP_E_ASSIGN || e->kind == TP_E_ASSUME || e->kind == TP_E_LOAD ||
         e->kind == TP_E_CALL || e->kind == TP_E_RETURN || e->kind == TP_E_HAVOC;
}

static bool is_changed(const tp_rsum_walk *w, tp_var v) {
  for (size_t i = 0; i < w->changed.n; i++)
    if (w->changed.at[i].var.id == v.id) return true;
  return false;
}

static void note_changed(tp_rsum_walk *w, tp_var v) {
  if (v.id && !is_changed(w, v)) tp_vec_push(&w->changed, (tp_rsum_walk_var){.var = v});
}

/* The variables that edges of the component assign; false: one does more than that. */
static bool collect_changed(const tp_summariser *r, const tp_wto_component *c, tp_rsum_walk *w) {
  for (uint32_t at = c->first; at <= c->last; at++) {
    const tp_edge_list out = tp_out_edges(r->p, r->wto.order.at[at]);
    for (uint32_t i = 0; i < out.n; i++) {
      const tp_edge_info *e = tp_edge_of(r->p, (tp_edge){out.at[i]});
      if (!may_walk(e)) return false;
      if (e->kind != TP_E_ASSUME) note_changed(w, e->var);
      if (e->kind == TP_E_RETURN) note_changed(w, tp_func_of(r->p, r->func)->result);
    }
  }
  return true;
}

static bool is_plain_pointer(const tp_summariser *r, tp_var v, const tp_rsum_value *now) {
  const tp_var_info *info = tp_var_of(r->p, v);
  return tp_rsum_is_kind(r, info->type, TP_T_POINTER) && !info->is_address && now->view.id &&
         !now->cell && !now->is_anywhere;
}

/* A symbol for what the variable leads to; without one it may have any value. */
static void make_symbolic(tp_summariser *r, tp_rsum_state *s, tp_rsum_walk_var *v) {
  const tp_rsum_value was = *tp_rsum_slot(r, s, v->var);
  const tp_var_info *info = tp_var_of(r->p, v->var);
  tp_rsum_value now = tp_rsum_any_value(r);
  if (is_plain_pointer(r, v->var, &was)) {
    const char *key = tp_arena_printf(&r->s->arena, "%s in a round", info->name);
    v->symbol = tp_rbound_name(
        r->t, (tp_rbound_name_info){key, key, 1, TP_RBOUND_IS_VALUE | TP_RBOUND_MAY_BE_NEW});
    now.at = tp_rinterval_exact(v->symbol);
    now.view = was.view;
  } else if (!info->type.id || tp_rsum_is_kind(r, info->type, TP_T_POINTER)) {
    now.is_anywhere = true;
  }
  tp_rsum_set_var(r, s, v->var, now);
}

tp_rsum_state *tp_rsum_walk_start(tp_summariser *r, const tp_wto_component *c,
                                  const tp_rsum_state *entry, tp_rsum_walk *w) {
  *w = (tp_rsum_walk){.entry = entry};
  if (!entry || entry->is_dead || !collect_changed(r, c, w)) return NULL;
  tp_rsum_state *s = tp_rsum_state_copy(r, entry);
  for (size_t i = 0; i < w->changed.n; i++) make_symbolic(r, s, &w->changed.at[i]);
  return s;
}

void tp_rsum_walk_clear(tp_rsum_walk *w) { tp_vec_clear(&w->changed); }

// ---------------------------------------------------------------------- conditions

/* Does the expression have a symbol of a round inside, other than `but`? */
static bool has_symbol(const tp_summariser *r, const tp_rsum_walk *w, tp_rbound b, tp_rbound but) {
  const tp_rbound_node *n = tp_rbound_at(r->t, b);
  for (size_t i = 0; i < w->changed.n && n->kind == TP_RBOUND_NAME; i++)
    if (w->changed.at[i].symbol.id == b.id && b.id != but.id) return true;
  for (uint32_t i = 0; i < n->n_kids; i++)
    if (has_symbol(r, w, n->kids[i], but)) return true;
  return false;
}

static bool is_free(const tp_summariser *r, const tp_rsum_walk *w, tp_rbound b) {
  return !has_symbol(r, w, b, (tp_rbound){0});
}

/* The cursors x with x.f...g = y; id 0: the side is no path from the cursor. *owns: null is none of
 * them. */
static tp_rbound equal_to(tp_summariser *r, const tp_rsum_walk *w, tp_rbound side, tp_rbound y,
                          bool *owns) {
  *owns = false;
  for (; side.id != w->cursor.id; *owns = true) {
    const tp_rbound_node *n = tp_rbound_at(r->t, side);
    if (n->kind != TP_RBOUND_JOIN || !n->is_value || !is_free(r, w, n->kids[1]))
      return (tp_rbound){0};
    y = tp_rbound_join(r->t, n->kids[1], y);
    side = n->kids[0];
  }
  return y;
}

static tp_rbound cursors_with(tp_summariser *r, const tp_rsum_walk *w, tp_rbound f, bool *owns);

static tp_rbound where_equal(tp_summariser *r, const tp_rsum_walk *w, const tp_rbound_node *n,
                             bool *owns) {
  for (uint32_t i = 0; i < 2; i++) {
    const tp_rbound side = n->kids[i], y = n->kids[1 - i];
    const tp_rbound_node *x = tp_rbound_at(r->t, side);
    if (x->kind == TP_RBOUND_IF && is_free(r, w, y)) {
      const tp_rbound yes = tp_rbound_and(r->t, x->kids[0], tp_rbound_equal(r->t, x->kids[1], y)),
                      no = tp_rbound_and(r->t, tp_rbound_not(r->t, x->kids[0]),
                                         tp_rbound_equal(r->t, x->kids[2], y));
      return cursors_with(r, w, tp_rbound_or(r->t, yes, no), owns);
    }
    if (!is_free(r, w, y) || !tp_rbound_at(r->t, y)->is_value) continue;
    const tp_rbound set = equal_to(r, w, side, y, owns);
    if (set.id) return set;
  }
  return (tp_rbound){0};
}

/* All operands: their intersection, where what is negated is taken out in the end. */
static tp_rbound where_all(tp_summariser *r, const tp_rsum_walk *w, const tp_rbound_node *n,
                           bool *owns) {
  const tp_rbound univ = tp_rbound_univ(r->t, 1), null = tp_rbound_null(r->t);
  tp_rbound all = univ;
  bool has_owner = false, own;
  for (uint32_t i = 0; i < n->n_kids; i++) {
    if (tp_rbound_at(r->t, n->kids[i])->kind == TP_RBOUND_NOT) continue;
    const tp_rbound one = cursors_with(r, w, n->kids[i], &own);
    if (!one.id) return one;
    has_owner = has_owner || own;
    all = tp_rbound_intersection(r->t, all, one);
  }
  for (uint32_t i = 0; i < n->n_kids; i++) {
    if (tp_rbound_at(r->t, n->kids[i])->kind != TP_RBOUND_NOT) continue;
    const tp_rbound one = cursors_with(r, w, tp_rbound_at(r->t, n->kids[i])->kids[0], &own);
    if (!one.id) return one;
    if (!has_owner || one.id != null.id) all = tp_rbound_difference(r->t, all, one);
  }
  *owns = has_owner;
  return all;
}

/* The values of the cursor with which the formula holds; id 0: no expression is known. */
static tp_rbound cursors_with(tp_summariser *r, const tp_rsum_walk *w, tp_rbound f, bool *owns) {
  const tp_rbound_node *n = tp_rbound_at(r->t, f);
  const tp_rbound univ = tp_rbound_univ(r->t, 1), none = tp_rbound_none(r->t, 1);
  TP_REQUIRE(n->arity == 0);
  *owns = false;
  if (is_free(r, w, f)) return tp_rbound_if(r->t, f, univ, none);
  if (n->kind == TP_RBOUND_EQUAL) return where_equal(r, w, n, owns);
  if (n->kind == TP_RBOUND_AND) return where_all(r, w, n, owns);
  if (n->kind == TP_RBOUND_NOT) {
    const tp_rbound one = cursors_with(r, w, n->kids[0], owns);
    *owns = false;
    return one.id ? tp_rbound_difference(r->t, univ, one) : one;
  }
  if (n->kind != TP_RBOUND_OR) return (tp_rbound){0};
  tp_rbound any = none;
  bool all_own = true, own;
  for (uint32_t i = 0; i < n->n_kids; i++) {
    const tp_rbound one = cursors_with(r, w, n->kids[i], &own);
    if (!one.id) return one;
    all_own = all_own && own;
    any = tp_rbound_union(r->t, any, one);
  }
  *owns = all_own;
  return any;
}

/* What the round has found out on its way to the state. */
static tp_rbound condition_of(tp_summariser *r, const tp_rsum_walk *w, const tp_rsum_state *s) {
  tp_rbound all = tp_rbound_true(r->t);
  for (uint32_t i = 0; i < s->n_facts; i++) {
    bool is_old = false;
    for (uint32_t k = 0; k < w->entry->n_facts; k++)
      is_old = is_old || w->entry->facts[k].id == s->facts[i].id;
    if (!is_old) all = tp_rbound_and(r->t, all, s->facts[i]);
  }
  return all;
}

/* The values of the cursor with which the loop is left; id 0: not known. */
static tp_rbound stops_of(tp_summariser *r, const tp_rsum_walk *w, const tp_rsum_state *back,
                          tp_rsum_state *const *exits, size_t n_exits) {
  tp_rbound all = tp_rbound_none(r->t, 1);
  bool owns;
  for (size_t i = 0; i < n_exits; i++) {
    const tp_rbound f = condition_of(r, w, exits[i]);
    if (!tp_rbound_contradicts(r->t, back->facts, back->n_facts, f)) return (tp_rbound){0};
    const tp_rbound one = cursors_with(r, w, f, &owns);
    if (!one.id) return one;
    all = tp_rbound_union(r->t, all, one);
  }
  return all;
}

// --------------------------------------------------------------------- substitution

static bool is_same_heap(const tp_summariser *r, const tp_rsum_walk *w, const tp_rsum_state *s) {
  for (uint32_t i = 0; i < r->s->places.n; i++)
    if (!tp_rinterval_eq(s->places[i], w->entry->places[i])) return false;
  for (uint32_t i = 0; i < r->s->globals.n; i++)
    if (!is_changed(w, r->s->globals.at[i]) &&
        !tp_rinterval_eq(s->vars[i].at, w->entry->vars[i].at))
      return false;
  return tp_rinterval_eq(s->alloc, w->entry->alloc);
}

static tp_rinterval walk_leaf(void *ctx, tp_rbound leaf) {
  const tp_rsum_walk *w = ctx;
  for (size_t i = 0; i < w->changed.n; i++)
    if (w->changed.at[i].symbol.id == leaf.id) return w->changed.at[i].value;
  return tp_rinterval_exact(leaf);
}

/* x -> x.r: is the variable a cursor? Its step. */
static tp_rbound step_of(const tp_summariser *r, const tp_rsum_walk *w, const tp_rsum_walk_var *v,
                         const tp_rsum_state *back) {
  const tp_rsum_value *now = tp_rsum_slot(r, back, v->var),
                      *was = tp_rsum_slot(r, w->entry, v->var);
  const tp_rbound_node *n = tp_rbound_at(r->t, now->at.upper);
  const bool is_step = v->symbol.id && tp_rinterval_is_exact(now->at) &&
                       n->kind == TP_RBOUND_JOIN && n->kids[0].id == v->symbol.id && n->is_value &&
                       is_free(r, w, n->kids[1]) && tp_rinterval_is_exact(was->at) &&
                       tp_rbound_at(r->t, was->at.upper)->is_value;
  return is_step ? n->kids[1] : (tp_rbound){0};
}

/* What a variable is where the loop is left: as before if no round was made. previous: the cursor
 * before the last step. */
static tp_rinterval value_at_end(tp_summariser *r, tp_rsum_walk *w, const tp_rsum_walk_var *v,
                                 const tp_rsum_state *back, tp_rbound is_first,
                                 tp_rsum_walk_var *cursor, tp_rbound previous) {
  const tp_rinterval was = tp_rsum_slot(r, w->entry, v->var)->at;
  tp_rinterval now = tp_rsum_slot(r, back, v->var)->at;
  if (tp_rinterval_is_exact(now) && now.upper.id == v->symbol.id) return was;
  if (!tp_rinterval_is_exact(now) || has_symbol(r, w, now.upper, w->cursor))
    return tp_rinterval_any(r->t, 1);
  const tp_rinterval end = cursor->value;
  tp_rinterval_evaluation at_previous = {.t = r->t, .leaf = walk_leaf, .ctx = w};
  cursor->value = tp_rinterval_exact(previous);
  now = (tp_rinterval){tp_rinterval_lower_of(&at_previous, now.lower),
                       tp_rinterval_upper_of(&at_previous, now.upper)};
  cursor->value = end;
  tp_rinterval_evaluation_clear(&at_previous);
  if (!tp_rinterval_is_exact(was) || !tp_rinterval_is_exact(now))
    return tp_rinterval_join(r->t, was, now);
  return tp_rinterval_exact(tp_rbound_if(r->t, is_first, was.upper, now.upper));
}

/* Symbols that come back as something else than an object of the same type are none of a walk. */
static bool keep_their_kind(const tp_summariser *r, const tp_rsum_walk *w,
                            const tp_rsum_state *back) {
  for (size_t i = 0; i < w->changed.n; i++) {
    const tp_rsum_value *now = tp_rsum_slot(r, back, w->changed.at[i].var),
                        *was = tp_rsum_slot(r, w->entry, w->changed.at[i].var);
    if (w->changed.at[i].symbol.id &&
        (now->cell || now->is_anywhere || now->view.id != was->view.id))
      return false;
  }
  return true;
}

/* The state with the values of the symbols. */
static void substitute(tp_summariser *r, tp_rsum_walk *w, tp_rsum_state *s) {
  tp_rinterval_evaluation e = {.t = r->t, .leaf = walk_leaf, .ctx = w};
  for (uint32_t i = 0; i < r->s->n_slots[r->func.id]; i++) {
    const tp_rinterval at = s->vars[i].at;
    if (!at.upper.id || (is_free(r, w, at.lower) && is_free(r, w, at.upper))) continue;
    const tp_rinterval now = {tp_rinterval_lower_of(&e, at.lower),
                              tp_rinterval_upper_of(&e, at.upper)};
    s->vars[i].at = tp_rinterval_limit(r->t, now, &r->s->limits);
  }
  const uint32_t n = s->n_facts;
  s->n_facts = 0;
  for (uint32_t i = 0; i < n; i++) {
    const tp_rbound f =
        is_free(r, w, s->facts[i]) ? s->facts[i] : tp_rinterval_formula_of(&e, s->facts[i]);
    if (f.id && tp_rbound_at(r->t, f)->kind == TP_RBOUND_FALSE) s->is_dead = true;
    if (f.id) tp_rsum_fact(r, s, f, s->kinds[i]);
  }
  tp_rinterval_evaluation_clear(&e);
}

static bool ends_with(tp_summariser *r, tp_rsum_walk *w, tp_rsum_walk_var *cursor, tp_rbound step,
                      const tp_rsum_state *back, tp_rsum_state *const *exits, size_t n_exits) {
  tp_rbounds *t = r->t;
  w->cursor = cursor->symbol;
  const tp_rbound stops = stops_of(r, w, back, exits, n_exits);
  if (!stops.id) return false;
  const tp_rbound start = tp_rsum_slot(r, w->entry, cursor->var)->at.upper,
                  end = tp_rbound_first(t, start, step, stops),
                  previous = tp_rbound_first(t, start, step, tp_rbound_join(t, step, end)),
                  is_first = tp_rbound_equal(t, start, end);
  if (tp_rbound_is_larger(t, end, r->s->limits.operators) || !tp_rbound_at(t, end)->is_value)
    return false;
  cursor->value = tp_rinterval_exact(end);
  for (size_t i = 0; i < w->changed.n; i++)
    if (w->changed.at[i].symbol.id && &w->changed.at[i] != cursor)
      w->changed.at[i].value =
          value_at_end(r, w, &w->changed.at[i], back, is_first, cursor, previous);
  for (size_t i = 0; i < n_exits; i++) substitute(r, w, exits[i]);
  return true;
}

bool tp_rsum_walk_end(tp_summariser *r, tp_rsum_walk *w, const tp_rsum_state *back,
                      tp_rsum_state *const *exits, size_t n_exits) {
  TP_REQUIRE(!back->is_dead);
  if (!is_same_heap(r, w, back) || !keep_their_kind(r, w, back)) return false;
  for (size_t i = 0; i < n_exits; i++)
    if (!is_same_heap(r, w, exits[i])) return false;
  for (size_t i = 0; i < w->changed.n; i++) {
    const tp_rbound step = step_of(r, w, &w->changed.at[i], back);
    if (step.id && ends_with(r, w, &w->changed.at[i], step, back, exits, n_exits)) return true;
  }
  return false;
}
