/* The loop pattern "visit all of a linked structure": what it stores is exact.
 *
 *     while (x) { ...; x = x->r; }
 *
 * where the body is a straight line that ends with the step, changes neither x otherwise nor r, and
 * calls nothing. A run that leaves such a loop has been at each object of x0.*r, x0 being x before
 * the loop, and at no other one. A store in the body that is the only one to its member f, to an
 * object that a path of unchanged members leads to from x, of a value that is the same in all
 * rounds, is an override of f at all of these objects at once.
 *
 * The pattern does not apply to: a receiver that does not start at x, of which the loop may change
 * nothing at all if it makes no round; a store under a condition, or behind an exit of the loop; a
 * member r that the loop changes. The set of objects is exact but no single object, so that it
 * stands in no variable.
 *
 * Source: Taghdiri 2008, sec. 4.6. We differ: the side conditions above. */
#include "contracts/summarise/summarise_priv.h"

typedef struct {
  tp_summariser *r;
  const tp_wto_component *c;
  tp_rsum_state *const *waiting;  // by position: the states of the last round
  const tp_rsum_state *entry;
  tp_var cursor;
  uint32_t step;       // the place r
  uint32_t *n_stores;  // by place
} visit;

static const tp_edge_info *only_edge(const visit *v, uint32_t position) {
  const tp_edge_list out = tp_out_edges(v->r->p, v->r->wto.order.at[position]);
  const tp_edge_info *only = NULL;
  for (uint32_t i = 0; i < out.n; i++) {
    const tp_edge_info *e = tp_edge_of(v->r->p, (tp_edge){out.at[i]});
    if (tp_loc_of(v->r->p, e->to)->error != TP_P_NONE) continue;  // such runs do not return
    if (only) return NULL;
    only = e;
  }
  return only;
}

/* x of "x == NULL"; NONE: another condition. */
static tp_var compared_with_null(const tp_summariser *r, tp_term t) {
  const tp_terms *tt = r->p->terms;
  if (tp_kind(tt, t) != TP_OP_EQ) return TP_VAR_NONE;
  for (uint32_t i = 0; i < 2; i++) {
    const tp_term x = tp_arg(tt, t, i), y = tp_arg(tt, t, 1 - i);
    if (tp_kind(tt, x) == TP_OP_VAR && tp_kind(tt, y) == TP_OP_PTR_CONST &&
        tp_ptr_const_object(tt, y) == 0 && tp_ptr_const_offset(tt, y) == 0)
      return tp_program_var_of(r->p, x);
  }
  return TP_VAR_NONE;
}

/* The head has two ways: out of the loop where the cursor is null, into it otherwise. */
static bool find_cursor(visit *v) {
  const tp_summariser *r = v->r;
  const tp_edge_list out = tp_out_edges(r->p, v->c->head);
  bool goes_in = false, goes_out = false;
  for (uint32_t i = 0; i < out.n; i++) {
    const tp_edge_info *e = tp_edge_of(r->p, (tp_edge){out.at[i]});
    const uint32_t to = tp_wto_position(&r->wto, e->to);
    const bool is_inside = to > v->c->first && to <= v->c->last;
    const bool is_not = tp_term_is(e->a) && tp_kind(r->p->terms, e->a) == TP_OP_NOT;
    if (e->kind != TP_E_ASSUME || is_inside != is_not) return false;
    const tp_var x = compared_with_null(r, is_not ? tp_arg(r->p->terms, e->a, 0) : e->a);
    if (!x.id || (v->cursor.id && v->cursor.id != x.id)) return false;
    v->cursor = x;
    *(is_inside ? &goes_in : &goes_out) = true;
  }
  return goes_in && goes_out && out.n == 2;
}

/* The variable whose object the access at the address is in; NONE: another address. */
static tp_var base_of(const tp_summariser *r, tp_term address) {
  if (tp_kind(r->p->terms, address) == TP_OP_PTR_ADD) address = tp_arg(r->p->terms, address, 0);
  return tp_kind(r->p->terms, address) == TP_OP_VAR ? tp_program_var_of(r->p, address)
                                                    : TP_VAR_NONE;
}

/* The member that a load or store accesses in the object itself; NO_PLACE: another access. */
static uint32_t place_of(visit *v, uint32_t position, const tp_edge_info *e) {
  const tp_terms *tt = v->r->p->terms;
  const tp_rsum_state *s = v->waiting[position];
  const tp_var base = base_of(v->r, e->a);
  tp_rsum_cell c;
  const tp_sort sort = e->kind == TP_E_LOAD ? tp_sort_of(tt, tp_var_of(v->r->p, e->var)->term)
                                            : tp_sort_of(tt, e->b);
  if (!s || !base.id || tp_var_of(v->r->p, base)->kind == TP_V_GHOST || e->volatile_access ||
      !tp_rsum_cell_at(v->r, s, e->a, tp_sort_bytes(tt, sort), &c) ||
      v->r->s->places.at[c.place].arity != 2)
    return TP_RSUM_NO_PLACE;
  const bool is_own = tp_rinterval_eq(c.object, tp_rsum_slot(v->r, s, base)->at);
  return is_own ? c.place : TP_RSUM_NO_PLACE;
}

static bool is_step(visit *v, uint32_t position, const tp_edge_info *e) {
  if (e->kind != TP_E_LOAD || e->var.id != v->cursor.id || e->to.id != v->c->head.id ||
      base_of(v->r, e->a).id != v->cursor.id)
    return false;
  v->step = place_of(v, position, e);
  return v->step != TP_RSUM_NO_PLACE;
}

/* A straight line of assignments, loads and stores to known members, the step at its end. */
static bool is_straight(visit *v) {
  for (uint32_t at = v->c->first + 1; at <= v->c->last; at++) {
    const tp_edge_info *e = only_edge(v, at);
    if (!e) return false;
    if (at == v->c->last) return is_step(v, at, e);
    if (tp_wto_position(&v->r->wto, e->to) != at + 1) return false;
    if (e->kind == TP_E_STORE) {
      const uint32_t place = place_of(v, at, e);
      if (place == TP_RSUM_NO_PLACE) return false;
      v->n_stores[place]++;
    } else if (e->kind == TP_E_ASSIGN || e->kind == TP_E_LOAD) {
      if (e->var.id == v->cursor.id) return false;
    } else if (e->kind != TP_E_SKIP || e->callee.id || e->name)
      return false;
  }
  return false;
}

/* The objects that the path leads to from all objects of the structure; id 0: it changes. */
static tp_rbound objects_of(const visit *v, const tp_rsum_origin *path) {
  tp_rbounds *t = v->r->t;
  const tp_rinterval start = tp_rsum_slot(v->r, v->entry, v->cursor)->at,
                     step = v->entry->places[v->step];
  if (!tp_rinterval_is_exact(start) || !tp_rinterval_is_exact(step)) return (tp_rbound){0};
  tp_rbound all =
      tp_rbound_difference(t, tp_rbound_reach(t, start.upper, step.upper), tp_rbound_null(t));
  for (uint32_t i = 0; i < path->n; i++) {
    const tp_rinterval member = v->entry->places[path->places[i]];
    if (v->n_stores[path->places[i]] || !tp_rinterval_is_exact(member)) return (tp_rbound){0};
    all = tp_rbound_join(t, all, member.upper);
  }
  return all;
}

/* One store of the body, as an update at all objects in each state that leaves the loop. */
static void visit_store(const visit *v, uint32_t position, const tp_edge_info *e, uint32_t place,
                        tp_rsum_state *const *exits, size_t n_exits) {
  tp_summariser *r = v->r;
  const tp_rsum_state *s = v->waiting[position];
  const tp_var base = base_of(r, e->a);
  const tp_rsum_origin own = {.from = v->cursor},
                       *path = base.id == v->cursor.id ? &own : &tp_rsum_slot(r, s, base)->origin;
  tp_rsum_value value = tp_rsum_value_of(r, s, e->b);
  if (v->n_stores[place] != 1 || path->from.id != v->cursor.id || value.cell || value.is_anywhere)
    return;
  value = tp_rsum_convert(r, value, r->s->places.at[place].symbol->ctype);
  const tp_rbound objects = objects_of(v, path);
  if (!objects.id || !tp_rinterval_is_exact(value.at)) return;
  const tp_rbound now = tp_rbound_product(r->t, objects, value.at.upper);
  const tp_rinterval before = v->entry->places[place],
                     after = {tp_rbound_override(r->t, before.lower, now),
                              tp_rbound_override(r->t, before.upper, now)};
  for (size_t i = 0; i < n_exits; i++)
    exits[i]->places[place] = tp_rinterval_limit(r->t, after, &r->s->limits);
}

void tp_rsum_visit_all(tp_summariser *r, const tp_wto_component *c, tp_rsum_state *const *waiting,
                       const tp_rsum_state *entry, tp_rsum_state *const *exits, size_t n_exits) {
  visit v = {.r = r, .c = c, .waiting = waiting, .entry = entry};
  v.n_stores = tp_arena_array(r->arena, uint32_t, r->s->places.n + 1);
  if (!entry || entry->is_dead || !find_cursor(&v) || !is_straight(&v) || v.n_stores[v.step])
    return;
  for (uint32_t at = c->first + 1; at <= c->last; at++) {
    const tp_edge_info *e = only_edge(&v, at);
    if (e->kind == TP_E_STORE) visit_store(&v, at, e, place_of(&v, at, e), exits, n_exits);
  }
}
