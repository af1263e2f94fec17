/* Calls and conditions.
 *
 * A call evaluates the callee's template over the caller's intervals: the template's names are the
 * state in which it is called. New objects of the template become new objects of the caller.
 *
 * A condition over exact values becomes a fact; of a value that is not exact, and of the variable
 * that it was read from, it takes out what does not meet it (addCond of the thesis).
 *
 * Source: Taghdiri 2008, sec. 4.4 (conditions), 4.6 (calls). */
#include "contracts/summarise/summarise_priv.h"

// -------------------------------------------------------------------------- calls

typedef struct {
  tp_summariser *r;
  const tp_rsum_state *before;
  const tp_func_info *callee;
  const tp_rsum_value *args;
  uint32_t edge;
} call;

static tp_rinterval of_variable(const call *c, tp_var v) {
  for (uint32_t i = 0; i < c->callee->n_params; i++)
    if (c->callee->params[i].id == v.id) return c->args[i].at;
  return tp_rsum_slot(c->r, c->before, v)->at;
}

static tp_rinterval leaf_value(void *ctx, tp_rbound leaf) {
  const call *c = ctx;
  const tp_rsums *s = c->r->s;
  const tp_rbound_node *n = tp_rbound_at(c->r->t, leaf);
  uint64_t found;
  if (n->kind == TP_RBOUND_NEW_SET) return (tp_rinterval){tp_rbound_none(c->r->t, 1), leaf};
  if (n->kind == TP_RBOUND_NEW)
    return tp_rsum_new_symbol(c->r, c->before, n->basic,
                              (uint64_t)c->edge << 32 | (uint32_t)(n->number + 1));
  if (leaf.id == s->alloc.id) return c->before->alloc;
  if (tp_map_get(&s->var_of, leaf.id, &found)) return of_variable(c, (tp_var){(uint32_t)found});
  if (tp_map_get(&s->place_of_name, leaf.id, &found) && s->places.at[found].symbol->changes)
    return c->before->places[found];
  return tp_rinterval_exact(leaf);
}

static tp_rinterval evaluated(tp_rinterval_evaluation *e, const tp_summariser *r, tp_rinterval i) {
  const tp_rinterval out = {tp_rinterval_lower_of(e, i.lower), tp_rinterval_upper_of(e, i.upper)};
  return tp_rinterval_limit(r->t, out, &r->s->limits);
}

/* Where the callee read the value from, as a path of the caller after the call. */
static tp_rsum_origin origin_at_call(const call *c, const tp_rsum_state *s, const tp_edge_info *e,
                                     tp_rsum_origin o) {
  const tp_summariser *r = c->r;
  if (!o.from.id || tp_var_of(r->p, o.from)->kind == TP_V_GLOBAL) return o;
  for (uint32_t i = 0; i < c->callee->n_params; i++) {
    if (c->callee->params[i].id != o.from.id) continue;
    const bool is_var = tp_kind(r->p->terms, e->args[i]) == TP_OP_VAR;
    const tp_var v = is_var ? tp_program_var_of(r->p, e->args[i]) : TP_VAR_NONE;
    if (!v.id || tp_var_of(r->p, v)->kind == TP_V_GHOST || tp_var_of(r->p, v)->kind == TP_V_GLOBAL)
      break;
    const tp_rsum_value *from = tp_rsum_slot(r, s, v);
    if (from->cell || from->is_anywhere) break;
    tp_rsum_origin all = {.from = v};
    if (from->origin.from.id && from->origin.n + o.n <= TP_CONTRACTS_BOUND_STEPS)
      all = from->origin;
    for (uint32_t k = 0; k < o.n; k++) all.places[all.n++] = o.places[k];
    return all;
  }
  return (tp_rsum_origin){0};
}

/* Parameters that the callee reads objects of are not null, or the call does not return. */
static void is_not_null(const call *c, tp_rsum_state *s, const tp_rsum_template *f,
                        tp_rinterval_evaluation *over) {
  tp_rbounds *t = c->r->t;
  for (uint32_t i = 0; i < f->after.n_facts; i++) {
    const tp_rbound_node *n = tp_rbound_at(t, f->after.facts[i]);
    if (n->kind != TP_RBOUND_NOT) continue;
    const tp_rbound_node *x = tp_rbound_at(t, n->kids[0]);
    if (x->kind != TP_RBOUND_EQUAL || (tp_rbound_at(t, x->kids[0])->kind != TP_RBOUND_NULL &&
                                       tp_rbound_at(t, x->kids[1])->kind != TP_RBOUND_NULL))
      continue;
    const tp_rbound now = tp_rinterval_formula_of(over, f->after.facts[i]);
    if (now.id) tp_rsum_learn(c->r, s, now, TP_RSUM_GIVEN);
  }
}

static void apply(tp_summariser *r, tp_rsum_state *s, const tp_rsum_template *f,
                  const tp_rsum_value *args, const tp_edge_info *e) {
  const tp_rsum_state *before = tp_rsum_state_copy(r, s);
  call c = {r, before, tp_func_of(r->p, f->func), args, (uint32_t)(e - r->p->edges.at)};
  tp_rinterval_evaluation over = {
      .t = r->t, .leaf = leaf_value, .ctx = &c, .facts = before->facts, .n_facts = before->n_facts};
  for (uint32_t i = 0; i < r->s->places.n; i++) {
    const tp_rinterval now = f->after.places[i];
    if (tp_rinterval_eq(now, tp_rinterval_exact(r->s->places.at[i].name))) continue;
    s->places[i] = evaluated(&over, r, now);
    tp_rsum_place_changed(r, s, i);
  }
  for (uint32_t i = 0; i < r->s->globals.n; i++) {
    tp_rsum_value now = f->after.vars[i];
    if (tp_rinterval_eq(now.at,
                        tp_rinterval_exact(tp_rsums_name_of_var(r->s, r->s->globals.at[i]))))
      continue;
    now.at = evaluated(&over, r, now.at);
    tp_rsum_set_var(r, s, r->s->globals.at[i], now);
  }
  s->alloc = evaluated(&over, r, f->after.alloc);
  if (!tp_rbound_leq(r->t, r->s->alloc, f->after.alloc.lower))
    tp_rsum_may_free(r, s, before->alloc.upper);
  if (e->var.id) {
    tp_rsum_value result = f->result;
    result.at = evaluated(&over, r, result.at);
    result.origin = origin_at_call(&c, s, e, result.origin);
    tp_rsum_set_var(r, s, e->var, result);
  }
  is_not_null(&c, s, f, &over);
  tp_rinterval_evaluation_clear(&over);
}

/* The arguments as the parameters' types have them; NULL: one leads into an object, or anywhere. */
static const tp_rsum_value *arguments(tp_summariser *r, const tp_rsum_state *s,
                                      const tp_edge_info *e, const tp_func_info *callee) {
  tp_rsum_value *args = tp_arena_array(r->arena, tp_rsum_value, e->n_args + 1);
  if (callee->is_variadic || callee->n_params != e->n_args) return NULL;
  for (uint32_t i = 0; i < e->n_args; i++) {
    const tp_type type = tp_var_of(r->p, callee->params[i])->type;
    args[i] = tp_rsum_value_of(r, s, e->args[i]);
    if (type.id) args[i] = tp_rsum_convert(r, args[i], type);
    if (args[i].cell || args[i].is_anywhere) return NULL;
  }
  return args;
}

/* One object, not null, to which no member leads in this state. */
bool tp_rsum_is_unreferenced(const tp_summariser *r, const tp_rsum_state *s, tp_rinterval at) {
  for (uint32_t i = 0; i < r->s->places.n; i++) {
    const uint32_t arity = r->s->places.at[i].arity;
    const tp_rbound f = s->places[i].upper;
    if (arity != 2) continue;
    if (tp_rbound_at(r->t, f)->kind == TP_RBOUND_UNIV ||
        tp_rbound_at(r->t, tp_rbound_join(r->t, f, at.upper))->kind != TP_RBOUND_NONE)
      return false;
  }
  return tp_rinterval_is_exact(at) && tp_rbound_at(r->t, at.upper)->is_value &&
         tp_rbound_disjoint(r->t, at.upper, tp_rbound_null(r->t));
}

static uint32_t unreferenced_arguments(const tp_summariser *r, const tp_rsum_state *s,
                                       const tp_func_info *callee, const tp_rsum_value *args) {
  uint32_t mask = 0;
  for (uint32_t i = 0; args && i < callee->n_params && i < 32; i++)
    if (tp_rsum_is_kind(r, tp_var_of(r->p, callee->params[i])->type, TP_T_POINTER) &&
        r->s->is_unreferenced(r, s, args[i].at))
      mask |= 1u << i;
  return mask;
}

static void any_result(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  if (!e->var.id) return;
  const tp_type type = tp_var_of(r->p, e->var)->type;
  const tp_rsum_value any = tp_rsum_any_value(r);
  tp_rsum_set_var(r, s, e->var, type.id ? tp_rsum_of_type(r, any.at, type) : any);
}

static void forget_call(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e,
                        const char *why) {
  tp_rsum_forget(r, s, why);
  any_result(r, s, e);
}

static void call_function(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e, tp_func f) {
  const tp_func_info *callee = tp_func_of(r->p, f);
  if (!callee->has_body) {
    forget_call(r, s, e,
                tp_arena_printf(&r->s->arena, "a call of %s, which has no body", callee->name));
    return;
  }
  if (tp_rsums_is_running(r->s, f)) {
    forget_call(r, s, e,
                tp_arena_printf(&r->s->arena, "a call of %s, which a pointer may lead back to",
                                callee->name));
    return;
  }
  const tp_rsum_value *args = arguments(r, s, e, callee);
  const tp_rsum_template *t =
      tp_rsums_demand_in(r->s, f, unreferenced_arguments(r, s, callee, args));
  if (t->refused) {
    tp_rsum_refuse(r, tp_arena_printf(&r->s->arena, "it calls %s: %s", callee->name, t->refused));
    return;
  }
  if (t->after.is_dead) {
    s->is_dead = true;
    return;
  }
  if (args) {
    apply(r, s, t, args, e);
    return;
  }
  forget_call(
      r, s, e,
      tp_arena_printf(&r->s->arena, "a call of %s with a pointer into an object", callee->name));
}

void tp_rsum_call(tp_summariser *r, tp_rsum_state *s, const tp_edge_info *e) {
  if (e->callee.id) {
    call_function(r, s, e, e->callee);
    return;
  }
  bool is_known = false;
  tp_rsum_state *all = NULL;
  for (uint32_t i = 1; i < r->p->funcs.n && !r->into->refused; i++) {
    if (!tp_object_model_can_reach(r->s->u, e, (tp_func){i})) continue;
    tp_rsum_state *one = tp_rsum_state_copy(r, s);
    is_known = true;
    call_function(r, one, e, (tp_func){i});
    if (one->is_dead) continue;
    if (all)
      tp_rsum_state_join(r, all, one);
    else
      all = one;
  }
  if (all)
    *s = *all;
  else if (is_known)
    s->is_dead = true;
  else
    forget_call(r, s, e, "a call through a pointer to which no function of the program fits");
}

// --------------------------------------------------------------------- conditions

/* The objects from which the path leads into `to`; id 0: some member is not known at all. */
static tp_rbound before_path(const tp_summariser *r, const tp_rsum_state *s,
                             const tp_rsum_origin *o, tp_rbound to) {
  for (uint32_t i = o->n; i-- > 0 && to.id;) {
    const tp_rbound f = s->places[o->places[i]].upper;
    to = tp_rbound_at(r->t, f)->kind == TP_RBOUND_UNIV ? (tp_rbound){0}
                                                       : tp_rbound_join(r->t, f, to);
  }
  return to;
}

static void narrow(tp_summariser *r, tp_rsum_state *s, tp_var v, const tp_rsum_origin *path,
                   const tp_rsum_value *other, bool is_equal) {
  tp_rsum_value *x = tp_rsum_slot(r, s, v);
  const tp_rbound y = other->at.upper;
  if (tp_rinterval_is_exact(x->at) || x->cell || x->is_anywhere) return;
  if (!is_equal && !tp_rinterval_is_exact(other->at)) return;
  if (path->n == 0 && is_equal && tp_rinterval_is_exact(other->at)) {
    x->at = other->at;
    x->reading = other->reading;
  } else if (path->n == 0 && !is_equal) {
    x->at.upper = tp_rbound_difference(r->t, x->at.upper, y);
  } else {
    const tp_rbound all = tp_rbound_univ(r->t, 1);
    const tp_rbound from =
        before_path(r, s, path, is_equal ? y : tp_rbound_difference(r->t, all, y));
    if (from.id) x->at.upper = tp_rbound_intersection(r->t, x->at.upper, from);
  }
  x->at = tp_rinterval_limit(r->t, x->at, &r->s->limits);
  if (tp_rbound_at(r->t, x->at.upper)->kind == TP_RBOUND_NONE) s->is_dead = true;
}

/* One side of an equality. */
static void narrow_side(tp_summariser *r, tp_rsum_state *s, tp_term side, tp_term other,
                        bool is_equal) {
  if (tp_kind(r->p->terms, side) != TP_OP_VAR) return;
  const tp_var v = tp_program_var_of(r->p, side);
  if (!v.id || tp_var_of(r->p, v)->kind == TP_V_GHOST) return;
  const tp_rsum_value x = *tp_rsum_slot(r, s, v), y = tp_rsum_value_of(r, s, other);
  const bool agree =
      x.reading == y.reading || x.reading == TP_RSUM_EITHER || y.reading == TP_RSUM_EITHER;
  if (!agree || y.cell || y.is_anywhere || x.cell || x.is_anywhere) return;
  narrow(r, s, v, &(tp_rsum_origin){0}, &y, is_equal);
  if (x.origin.from.id && !s->is_dead) narrow(r, s, x.origin.from, &x.origin, &y, is_equal);
}

static void narrow_by(tp_summariser *r, tp_rsum_state *s, tp_term c, bool holds) {
  const tp_terms *tt = r->p->terms;
  const tp_term_kind k = tp_kind(tt, c);
  if (k == TP_OP_NOT) {
    narrow_by(r, s, tp_arg(tt, c, 0), !holds);
  } else if (k == (holds ? TP_OP_AND : TP_OP_OR)) {
    narrow_by(r, s, tp_arg(tt, c, 0), holds);
    narrow_by(r, s, tp_arg(tt, c, 1), holds);
  } else if (k == TP_OP_EQ && !tp_is_connective(tt, c)) {
    narrow_side(r, s, tp_arg(tt, c, 0), tp_arg(tt, c, 1), holds);
    if (!s->is_dead) narrow_side(r, s, tp_arg(tt, c, 1), tp_arg(tt, c, 0), holds);
  } else if (k == TP_OP_VAR) {
    const tp_var v = tp_program_var_of(r->p, c);
    const tp_term means = v.id ? tp_rsum_slot(r, s, v)->means : TP_TERM_NONE;
    if (tp_term_is(means)) narrow_by(r, s, means, holds);
  }
}

void tp_rsum_assume(tp_summariser *r, tp_rsum_state *s, tp_term condition) {
  const tp_rbound f = tp_rsum_formula_of(r, s, condition);
  if (f.id && tp_rbound_contradicts(r->t, s->facts, s->n_facts, f)) {
    s->is_dead = true;
    return;
  }
  if (f.id) tp_rsum_learn(r, s, f, TP_RSUM_DECIDED);
  narrow_by(r, s, condition, true);
}
