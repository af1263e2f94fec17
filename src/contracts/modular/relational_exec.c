/* Symbolic execution of a function: locations in weak topological order, loops pass by pass,
 * calls inlined.
 *
 * States wait at locations; one that comes to a location where another waits is merged with it. A
 * pass takes the locations of a loop in order; what goes back to the head waits for the next
 * pass, and what exceeds the bound ends. All paths to a location have come before it is
 * taken, so it is executed once for each pass.
 *
 * It is run twice: the first run lets the heap collect all that the function touches, so that in
 * the second one every expression over "all objects" speaks of all of them; and again while a run
 * finds further local variables that memory may lead to. */
#include "contracts/modular/relational_exec_priv.h"

#include "contracts/contracts_limits.h"
#include "contracts/spec/ghost_statements.h"
#include "program/pointsto.h"
#include "program/undefined_names.h"

void tp_rexec_init(tp_rexec *b) {
  *b = (tp_rexec){0};
  tp_arena_init(&b->arena);
}

void tp_rexec_clear(tp_rexec *b) {
  tp_vec_clear(&b->ends);
  tp_vec_clear(&b->steps);
  tp_vec_clear(&b->calls);
  tp_vec_clear(&b->demanded);
  tp_vec_clear(&b->unproved_bounds);
  tp_arena_clear(&b->arena);
}

bool tp_rexec_has_summaries(const tp_rexec *r) {
  for (size_t i = 0; i < r->calls.n; i++)
    if (r->calls.at[i].contract->origin == TP_CONTRACT_SUMMARY) return true;
  return false;
}

// ---------------------------------------------------------------------- guards

tp_rel_formula tp_rexecutor_guard(tp_rexecutor *r, tp_rexec_guard g) {
  return tp_rel_and_all(r->l, g.at, g.n);
}

static bool is_truth(const tp_rexecutor *r, tp_rel_formula f, bool value) {
  return tp_rel_at(r->l, f.id)->kind == (value ? TP_REL_TRUE : TP_REL_FALSE);
}

void tp_rexecutor_assume(tp_rexecutor *r, tp_rexec_state *s, tp_rel_formula c) {
  if (is_truth(r, c, true)) return;
  if (is_truth(r, c, false)) s->is_dead = true;
  tp_rel_formula *more = tp_arena_array(r->arena, tp_rel_formula, s->guard.n + 1);
  if (s->guard.n) memcpy(more, s->guard.at, s->guard.n * sizeof *more);
  more[s->guard.n] = c;
  s->guard = (tp_rexec_guard){more, s->guard.n + 1};
}

void tp_rexecutor_end(tp_rexecutor *r, tp_rexec_state *s, tp_rexec_end_kind kind, tp_rel_formula c,
                      const char *what) {
  TP_REQUIRE(kind < TP_REXEC_N_ENDS && what);
  if (s->is_dead || is_truth(r, c, false)) return;
  tp_vec_push(&r->out->ends,
              (tp_rexec_end){kind, tp_rel_and(r->l, tp_rexecutor_guard(r, s->guard), c), r->pos,
                             what, false});
  tp_rexecutor_assume(r, s, tp_rel_not(r->l, c));
}

void tp_rexecutor_end_unsupported(tp_rexecutor *r, tp_rexec_state *s) {
  tp_rexecutor_end(r, s, TP_REXEC_UNSUPPORTED, tp_rel_bool(r->l, true),
                   r->why ? r->why : "something that is not understood");
  r->why = NULL;
  s->is_dead = true;
}

// ---------------------------------------------------------------------- states

static tp_rexec_state *new_state(tp_rexecutor *r) {
  tp_rexec_state *s = tp_arena_new(r->arena, tp_rexec_state);
  s->vars = tp_arena_array(r->arena, tp_rexec_value, r->p->vars.n);
  s->fields = tp_arena_array(r->arena, tp_rel_expr, r->max_fields);
  s->last = tp_arena_array(r->arena, tp_rel_expr, r->h->object_model->basics.n);
  return s;
}

static tp_rexec_state *copy_state(tp_rexecutor *r, const tp_rexec_state *s) {
  tp_rexec_state *c = new_state(r);
  memcpy(c->vars, s->vars, r->p->vars.n * sizeof *c->vars);
  memcpy(c->fields, s->fields, r->max_fields * sizeof *c->fields);
  memcpy(c->last, s->last, r->h->object_model->basics.n * sizeof *c->last);
  c->guard = s->guard;
  c->freed = s->freed;
  c->stack = s->stack;
  c->ended = s->ended;
  c->shown = s->shown;
  c->is_dead = s->is_dead;
  return c;
}

static bool are_opposite(const tp_rexecutor *r, tp_rel_formula a, tp_rel_formula b) {
  const tp_rel_node *x = tp_rel_at(r->l, a.id), *y = tp_rel_at(r->l, b.id);
  return (x->kind == TP_REL_NOT && x->kids[0] == b.id) ||
         (y->kind == TP_REL_NOT && y->kids[0] == a.id);
}

static tp_rel_expr or_none(tp_rexecutor *r, tp_rel_expr e) {
  return e.id ? e : tp_rel_none(r->l, 1);
}

static void merge_sets(tp_rexecutor *r, tp_rel_formula c, tp_rel_expr *a, tp_rel_expr b) {
  if (a->id != b.id) *a = tp_rexecutor_choose_expr(r, c, or_none(r, *a), or_none(r, b));
}

/* b into a. Where the paths part by one condition, that is the condition of all conditionals. */
static void merge(tp_rexecutor *r, tp_rexec_state *a, const tp_rexec_state *b) {
  TP_REQUIRE(a != b && !b->is_dead);
  uint32_t n = 0;
  while (n < a->guard.n && n < b->guard.n && a->guard.at[n].id == b->guard.at[n].id) n++;
  const tp_rexec_guard rest_a = {a->guard.at + n, a->guard.n - n},
                       rest_b = {b->guard.at + n, b->guard.n - n};
  const bool parts = rest_a.n && rest_b.n && are_opposite(r, rest_a.at[0], rest_b.at[0]);
  const tp_rel_formula c = parts ? rest_a.at[0] : tp_rexecutor_guard(r, rest_a);
  for (uint32_t i = 1; i < r->p->vars.n; i++)
    if (a->vars[i].kind != TP_REXEC_VALUE_UNKNOWN || b->vars[i].kind != TP_REXEC_VALUE_UNKNOWN)
      a->vars[i] = tp_rexecutor_choose(r, c, a->vars[i], b->vars[i]);
  for (uint32_t f = 0; f < r->h->fields.n; f++)
    if (a->fields[f].id != b->fields[f].id)
      a->fields[f] =
          tp_rexecutor_choose_expr(r, c, tp_rexecutor_field(r, a, f), tp_rexecutor_field(r, b, f));
  for (uint32_t t = 0; t < r->h->object_model->basics.n; t++)
    if (a->last[t].id != b->last[t].id) {
      const tp_rel_expr start = tp_rheap_use(r->h, t)->last;
      a->last[t] = tp_rexecutor_choose_expr(r, c, a->last[t].id ? a->last[t] : start,
                                            b->last[t].id ? b->last[t] : start);
    }
  merge_sets(r, c, &a->freed, b->freed);
  merge_sets(r, c, &a->stack, b->stack);
  merge_sets(r, c, &a->ended, b->ended);
  merge_sets(r, c, &a->shown, b->shown);
  a->guard.n = n;
  if (!parts || rest_a.n > 1 || rest_b.n > 1)
    tp_rexecutor_assume(
        r, a, tp_rel_or(r->l, tp_rexecutor_guard(r, rest_a), tp_rexecutor_guard(r, rest_b)));
}

// ------------------------------------------------------------------- activations

/* One function being executed: states that wait, by position, and for the next pass of a loop, by
 * component. */
typedef struct {
  tp_rexecutor *r;
  const tp_wto *w;
  tp_func func;
  tp_rexec_state **waiting, **again;
  uint32_t leave;  // position of the exit, where states stay
} activation;

static const tp_wto *order_of(tp_rexecutor *r, tp_func f) {
  uint64_t known;
  if (tp_map_get(&r->orders, f.id, &known)) return r->all_orders.at[known];
  tp_wto *w = TP_NEW(tp_wto);
  tp_wto_init(w, r->p, f);
  tp_map_set(&r->orders, f.id, r->all_orders.n);
  tp_vec_push(&r->all_orders, w);
  return w;
}

static void wait_at(tp_rexecutor *r, tp_rexec_state **place, tp_rexec_state *s) {
  if (s->is_dead) return;
  if (*place)
    merge(r, *place, s);
  else
    *place = s;
}

/* The loop around the source whose head the edge goes back to. */
static uint32_t component_of_head(const tp_wto *w, uint32_t from, uint32_t head) {
  uint32_t c = w->inner.at[from];
  while (c && w->components.at[c].first != head) c = w->components.at[c].parent;
  return c;
}

static void arrive(activation *a, tp_rexec_state *s, uint32_t from, tp_loc to) {
  TP_REQUIRE(to.id > 0 && to.id < a->r->p->locs.n);
  const tp_loc_info *l = tp_loc_of(a->r->p, to);
  if (s->is_dead) return;
  if (l->error != TP_P_NONE) {
    tp_rexecutor_end(a->r, s, TP_REXEC_FAILS, tp_rel_bool(a->r->l, true),
                     l->message ? l->message : "an error is reached");
    return;
  }
  if (l->is_unsupported) {
    tp_rexec_unsupported(a->r, "a construct that is not modelled");
    tp_rexecutor_end_unsupported(a->r, s);
    return;
  }
  const uint32_t at = tp_wto_position(a->w, to);
  if (at > from)
    wait_at(a->r, &a->waiting[at], s);
  else
    wait_at(a->r, &a->again[component_of_head(a->w, from, at)], s);
}

// ----------------------------------------------------------------------- calls

static tp_rexec_state *run_function(tp_rexecutor *r, tp_rexec_state *s, tp_func f,
                                    tp_rexec_value *result);

/* Their values are those of earlier calls: no heap has them, no contract names them, and no program
 * can set them. */
const char *tp_rexecutor_static_variable(tp_rexecutor *r, const char *name, const char *function) {
  return tp_arena_printf(r->arena,
                         "the static variable %s of %s, which keeps its value between calls", name,
                         function);
}

const char *tp_rexecutor_unsupported_variable(tp_rexecutor *r, tp_var v, const char *otherwise) {
  const tp_var_info *info = tp_var_of(r->p, v);
  return info->enclosing_function
             ? tp_rexecutor_static_variable(r, info->name, info->enclosing_function)
             : otherwise;
}

void tp_rexecutor_set_var(tp_rexecutor *r, tp_rexec_state *s, tp_var v, tp_rexec_value value) {
  TP_REQUIRE(v.id > 0 && v.id < r->p->vars.n);
  const tp_var_info *info = tp_var_of(r->p, v);
  if (info->enclosing_function) {
    tp_rexec_unsupported(r, tp_rexecutor_static_variable(r, info->name, info->enclosing_function));
    return;
  }
  if (value.kind == TP_REXEC_VALUE_POINTER && info->type.id && !info->is_address &&
      tp_type_of(r->p, info->type)->kind == TP_T_POINTER)
    value = tp_rexecutor_retype(r, s, value, tp_type_of(r->p, info->type)->element);
  s->vars[v.id] = value;
}

static bool bind_arguments(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e, tp_func f) {
  const tp_func_info *info = tp_func_of(r->p, f);
  if (info->is_variadic || info->n_params != e->n_args)
    return tp_rexec_unsupported(r, "a call with a variable number of arguments");
  tp_rexec_value *values = tp_arena_array(r->arena, tp_rexec_value, e->n_args);
  for (uint32_t i = 0; i < e->n_args && !r->why; i++)
    values[i] = tp_rexecutor_value(r, s, e->args[i]);
  for (uint32_t i = 0; i < e->n_args && !r->why; i++)
    tp_rexecutor_set_var(r, s, info->params[i], values[i]);
  return !r->why;
}

/* Locals of the callee get their values back: they may be those of the caller. */
static tp_rexec_state *call_function(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e,
                                     tp_func f) {
  TP_REQUIRE(f.id > 0 && f.id < r->p->funcs.n);
  const tp_func_info *info = tp_func_of(r->p, f);
  const bool is_recursive = r->active[f.id] > 0;
  const tp_function_contract *contract = tp_rexecutor_contract_of(r, f);
  if (contract && info->has_body && r->policy.callees &&
      !tp_rexecutor_can_call_by_contract(r, s, e, contract))
    contract = NULL;
  if (contract) {
    tp_rexecutor_call_by_contract(r, s, e, f, contract);
    return s;
  }
  if (r->policy.for_bodies) r->out->n_inlined++;
  if (!info->has_body) {
    tp_rexec_unsupported(r,
                         tp_arena_printf(r->arena, "a call of %s, which has no body", info->name));
    tp_rexecutor_end_unsupported(r, s);
    return s;
  }
  if (r->active[f.id] > r->h->limits.unroll || r->depth > TP_CONTRACTS_CALLS) {
    tp_rexecutor_end(r, s, TP_REXEC_UNROLL, tp_rel_bool(r->l, true),
                     tp_arena_printf(r->arena, "a deeper recursion of %s", info->name));
    return s;
  }
  tp_rexec_value *saved =
      is_recursive ? tp_arena_array(r->arena, tp_rexec_value, r->p->vars.n) : NULL;
  if (saved) memcpy(saved, s->vars, r->p->vars.n * sizeof *saved);
  tp_rexec_value result = {0};
  const tp_pos pos = r->pos;
  if (!bind_arguments(r, s, e, f)) {
    tp_rexecutor_end_unsupported(r, s);
    return s;
  }
  s = run_function(r, s, f, &result);
  r->pos = pos;
  if (!s || s->is_dead) return s;
  for (uint32_t i = 1; saved && i < r->p->vars.n; i++)
    if (r->p->vars.at[i].kind != TP_V_GLOBAL && r->p->vars.at[i].kind != TP_V_GHOST)
      s->vars[i] = saved[i];
  if (e->var.id) tp_rexecutor_set_var(r, s, e->var, result);
  if (r->why) tp_rexecutor_end_unsupported(r, s);
  return s;
}

static void call_through(activation *a, tp_rexec_state *s, const tp_edge_info *e, uint32_t from) {
  tp_rexecutor *r = a->r;
  const tp_rexec_value target = tp_rexecutor_address(r, s, e->a);
  if (r->why || target.n_addresses != 1 || target.addresses[0].cell) {
    tp_rexec_unsupported(r, "a call through this pointer");
    tp_rexecutor_end_unsupported(r, s);
    return;
  }
  const tp_rexec_address p = target.addresses[0];
  tp_rexecutor_end(r, s, TP_REXEC_FAILS, tp_rel_compare(r->l, TP_REL_EQUAL, p.base, r->h->null),
                   "call through a null pointer");
  for (uint32_t i = 1; i < r->p->funcs.n && !s->is_dead; i++) {
    const tp_func f = {i};
    if (!tp_rheap_is_of_type(r->h, tp_func_of(r->p, f)->object, p.view)) continue;
    const tp_rel_formula is_it = tp_rel_compare(
        r->l, TP_REL_EQUAL, p.base, tp_rheap_function(r->h, tp_func_of(r->p, f)->object));
    tp_rexec_state *c = copy_state(r, s);
    tp_rexecutor_assume(r, c, is_it);
    if (!c->is_dead) c = call_function(r, c, e, f);
    if (c) arrive(a, c, from, e->to);
    tp_rexecutor_assume(r, s, tp_rel_not(r->l, is_it));
  }
  tp_rexec_unsupported(r, "a call of a function of another type");
  tp_rexecutor_end_unsupported(r, s);
}

// ----------------------------------------------------------------------- edges

static tp_type integer_type(const tp_rexecutor *r, tp_var v) {
  const uint32_t bytes =
      tp_sort_bytes(r->p->terms, tp_sort_of(r->p->terms, tp_var_of(r->p, v)->term));
  for (uint32_t i = 1; i < r->p->types.n; i++)
    if (r->p->types.at[i].kind == TP_T_INT && r->p->types.at[i].is_signed &&
        r->p->types.at[i].size_bytes == bytes)
      return (tp_type){i};
  return TP_TYPE_NONE;
}

/* The assignment of a contract that the edge stands for; NULL: it stands for none. */
static const tp_resolved_clause *assignment_of(const tp_rexecutor *r, const tp_edge_info *e) {
  return e->callee.id && r->policy.contracts
             ? tp_ghost_statement_of(r->policy.contracts, tp_func_of(r->p, e->callee)->name)
             : NULL;
}

static void havoc(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  if (assignment_of(r, e)) {
    tp_rexecutor_assign_ghost(r, s, assignment_of(r, e));
    return;
  }
  const tp_function_contract *contract =
      e->callee.id ? tp_rexecutor_contract_of(r, e->callee) : NULL;
  if (contract) {
    tp_rexecutor_call_by_contract(r, s, e, e->callee, contract);
    return;
  }
  const tp_sort_kind kind =
      e->var.id
          ? tp_sort_kind_of(r->p->terms, tp_sort_of(r->p->terms, tp_var_of(r->p, e->var)->term))
          : TP_SORT_BOOL;
  if (e->var.id) s->vars[e->var.id] = (tp_rexec_value){0};
  if (e->input == TP_I_EXTERN)
    tp_rexec_unsupported(r, tp_arena_printf(r->arena, "a call of %s, which has no body",
                                            e->name ? e->name : "a function"));
  if (e->input == TP_I_INDETERMINATE && kind != TP_SORT_BV && kind != TP_SORT_BOOL) return;
  if (e->input == TP_I_ARGS || e->input == TP_I_VOLATILE ||
      (kind != TP_SORT_BV && kind != TP_SORT_BOOL))
    tp_rexec_unsupported(r, "an input of this kind");
  if (!e->var.id) return;
  const tp_type declared =
      tp_rheap_is_integer(r->h, e->type) ? e->type : tp_var_of(r->p, e->var)->type;
  const tp_type type = tp_rheap_is_integer(r->h, declared) ? declared : integer_type(r, e->var);
  const char *why = "an input of this type";
  const tp_rel_expr in = r->why || !type.id
                             ? (tp_rel_expr){0}
                             : tp_rheap_input(r->h, e->name ? e->name : "input", type, &why);
  if (in.id)
    s->vars[e->var.id] = tp_rexecutor_of_atom(r, in, type, kind == TP_SORT_BOOL);
  else
    tp_rexec_unsupported(r, why);
}

static tp_rel_expr atom_of_var(tp_rexecutor *r, const tp_rexec_state *s, tp_var v) {
  if (!v.id) return (tp_rel_expr){0};
  const tp_rexec_value x = s->vars[v.id];
  if (x.kind == TP_REXEC_VALUE_UNKNOWN || x.kind == TP_REXEC_VALUE_PARTS ||
      (x.kind == TP_REXEC_VALUE_POINTER && (x.n_addresses != 1 || x.addresses[0].cell)))
    return (tp_rel_expr){0};
  return tp_rexecutor_atom(r, NULL, x, TP_TYPE_NONE);
}

static void log_step(tp_rexecutor *r, const tp_rexec_state *s, uint32_t edge,
                     tp_rexec_guard before) {
  const tp_edge_info *e = &r->p->edges.at[edge];
  const bool sets = e->kind == TP_E_ASSIGN || e->kind == TP_E_LOAD || e->kind == TP_E_ALLOC ||
                    e->kind == TP_E_HAVOC;  // a call's result is known when it returns
  const tp_resolved_clause *ghost = assignment_of(r, e);
  tp_vec_push(&r->out->steps,
              (tp_rexec_step){{edge},
                              r->depth,
                              tp_rexecutor_guard(r, before),
                              sets && !s->is_dead ? atom_of_var(r, s, e->var) : (tp_rel_expr){0},
                              ghost ? ghost->clause : NULL});
}

/* A direct call, with its step before those of the callee; NULL: it does not return. */
static tp_rexec_state *call_directly(tp_rexecutor *r, tp_rexec_state *s, uint32_t edge,
                                     tp_rexec_guard before) {
  const tp_edge_info *e = &r->p->edges.at[edge];
  const size_t step = r->out->steps.n;
  log_step(r, s, edge, before);
  s = call_function(r, s, e, e->callee);
  if (s && !s->is_dead) r->out->steps.at[step].value = atom_of_var(r, s, e->var);
  return s;
}

/* A division by 0 is a failure here, as a null pointer is. */
static void assume_or_fail(tp_rexecutor *r, tp_rexec_state *s, const tp_edge_info *e) {
  const tp_rel_formula c = tp_rexecutor_formula(r, s, e->a);
  if (e->name && strcmp(e->name, TP_DIVISION_BY_ZERO) == 0 && !r->why)
    tp_rexecutor_end(r, s, TP_REXEC_FAILS, tp_rel_not(r->l, c), "division by zero");
  else
    tp_rexecutor_assume(r, s, c);
}

static void execute(activation *a, tp_rexec_state *s, uint32_t edge, uint32_t from) {
  TP_REQUIRE(edge > 0 && edge < a->r->p->edges.n);
  tp_rexecutor *r = a->r;
  const tp_edge_info *e = &r->p->edges.at[edge];
  const tp_rexec_guard before = s->guard;
  r->pos = e->pos;
  if (++r->n_steps > TP_CONTRACTS_STEPS)
    tp_rexec_unsupported(r, "a function that takes too many steps within these bounds");
  else
    switch (e->kind) {
      case TP_E_SKIP: break;
      case TP_E_ASSIGN: tp_rexecutor_set_var(r, s, e->var, tp_rexecutor_value(r, s, e->a)); break;
      case TP_E_ASSUME: assume_or_fail(r, s, e); break;
      case TP_E_LOAD:
        tp_rexecutor_memory(r, s, e);
        if (!r->why && !s->is_dead) tp_rexecutor_set_var(r, s, e->var, s->vars[e->var.id]);
        break;
      case TP_E_STORE:
      case TP_E_ALLOC:
      case TP_E_FREE:
      case TP_E_END_SCOPE:
      case TP_E_COPY:
      case TP_E_SET: tp_rexecutor_memory(r, s, e); break;
      case TP_E_HAVOC: havoc(r, s, e); break;
      case TP_E_HAVOC_MEMORY:
        if (!tp_rexecutor_is_padding(r, s, e))
          tp_rexec_unsupported(r, "memory that something unknown may have changed");
        break;
      case TP_E_CALL:
        if (!e->callee.id) {
          log_step(r, s, edge, before);
          call_through(a, s, e, from);
          return;
        }
        s = call_directly(r, s, edge, before);
        if (!s) return;
        break;
      case TP_E_RETURN:
        if (tp_term_is(e->a)) {
          const tp_var v = tp_func_of(r->p, a->func)->result;
          if (v.id) tp_rexecutor_set_var(r, s, v, tp_rexecutor_value(r, s, e->a));
        }
        break;
    }
  tp_rexecutor_settle_doubts(r, s, TP_REXEC_ADDRESS_KEPT);
  if (r->why) tp_rexecutor_end_unsupported(r, s);
  if (e->kind != TP_E_CALL && e->kind != TP_E_SKIP)
    log_step(r, s, edge, e->kind == TP_E_ASSUME ? s->guard : before);
  arrive(a, s, from, e->to);
}

static void leave_location(activation *a, uint32_t at) {
  TP_REQUIRE(at < a->w->order.n);
  tp_rexec_state *s = a->waiting[at];
  if (!s || at == a->leave) return;
  a->waiting[at] = NULL;
  const tp_edge_list out = tp_out_edges(a->r->p, a->w->order.at[at]);
  for (uint32_t i = 0; i < out.n; i++)
    execute(a, i + 1 < out.n ? copy_state(a->r, s) : s, out.at[i], at);
}

static void sweep(activation *a, uint32_t first, uint32_t last, uint32_t inside);

static void run_loop(activation *a, uint32_t c) {
  TP_REQUIRE(c > 0 && c < a->w->components.n);
  const tp_wto_component *loop = &a->w->components.at[c];
  for (uint32_t round = 0;; round++) {
    sweep(a, loop->first, loop->last, c);
    tp_rexec_state *s = a->again[c];
    a->again[c] = NULL;
    if (!s) return;
    if (round == a->r->h->limits.unroll) {
      a->r->pos = tp_loc_of(a->r->p, loop->head)->pos;
      tp_rexecutor_end(a->r, s, TP_REXEC_UNROLL, tp_rel_bool(a->r->l, true),
                       "one more round of a loop");
      return;
    }
    wait_at(a->r, &a->waiting[loop->first], s);
  }
}

/* Positions first .. last, which lie in component `inside` (0: the function). Inner components are
 * run whole. */
static void sweep(activation *a, uint32_t first, uint32_t last, uint32_t inside) {
  for (uint32_t at = first; at <= last;) {
    uint32_t c = a->w->inner.at[at];
    while (c != inside && a->w->components.at[c].parent != inside)
      c = a->w->components.at[c].parent;
    if (c == inside)
      leave_location(a, at++);
    else {
      run_loop(a, c);
      at = a->w->components.at[c].last + 1;
    }
  }
}

/* The state at the function's exit, or NULL: no execution comes there. */
static tp_rexec_state *run_function(tp_rexecutor *r, tp_rexec_state *s, tp_func f,
                                    tp_rexec_value *result) {
  TP_REQUIRE(tp_func_of(r->p, f)->has_body);
  const tp_func_info *info = tp_func_of(r->p, f);
  activation a = {.r = r, .w = order_of(r, f), .func = f};
  a.leave = tp_wto_position(a.w, info->exit);
  a.waiting = tp_arena_array(r->arena, tp_rexec_state *, a.w->order.n + 1);
  a.again = tp_arena_array(r->arena, tp_rexec_state *, a.w->components.n + 1);
  r->active[f.id]++;
  r->depth++;
  a.waiting[tp_wto_position(a.w, info->entry)] = s;
  sweep(&a, 0, (uint32_t)a.w->order.n - 1, 0);
  tp_rexec_state *end = a.leave == UINT32_MAX ? NULL : a.waiting[a.leave];
  r->active[f.id]--;
  r->depth--;
  if (end && info->result.id) *result = end->vars[info->result.id];
  return end;
}

// ------------------------------------------------------------------------- runs

static void start_from(const tp_rexecutor *r, tp_rexec_state *s) {
  for (uint32_t i = 0; i < r->from->n_fields; i++) s->fields[i] = r->from->before.fields[i];
  memcpy(s->last, r->from->before.last, r->h->object_model->basics.n * sizeof *s->last);
  s->freed = r->from->before.freed;
  s->stack = r->from->before.stack;
  bool shows = false;
  for (uint32_t f = 1; f < r->p->funcs.n && r->policy.callees; f++)
    shows = shows || r->policy.callees[f].may_show_locals;
  if (shows)
    s->shown = tp_rel_binary(r->l, TP_REL_INTERSECTION, s->freed, tp_rheap_all_locals(r->h));
}

/* Parameters and globals in the pre-state. */
static tp_rexec_state *start(tp_rexecutor *r, tp_func f) {
  tp_rexec_state *s = new_state(r);
  const tp_func_info *info = tp_func_of(r->p, f);
  tp_rel_expr *params = tp_arena_array(r->arena, tp_rel_expr, info->n_params + 1);
  const char *why;
  r->pos = info->pos;
  if (r->from) start_from(r, s);
  for (uint32_t i = 0; i < info->n_params; i++) {
    const tp_var_info *v = tp_var_of(r->p, info->params[i]);
    params[i] = r->from      ? r->from->args[i]
                : v->type.id ? tp_rheap_input(r->h, v->name, v->type, &why)
                             : (tp_rel_expr){0};
    const bool as_bool =
        tp_sort_kind_of(r->p->terms, tp_sort_of(r->p->terms, v->term)) == TP_SORT_BOOL;
    if (params[i].id)
      s->vars[info->params[i].id] = tp_rexecutor_of_atom(r, params[i], v->type, as_bool);
  }
  for (uint32_t g = 1; g < r->p->vars.n; g++) {
    const tp_var_info *v = &r->p->vars.at[g];
    const tp_symbol *symbol = NULL;
    for (size_t i = 0; i < r->h->object_model->symbols.n && v->kind == TP_V_GLOBAL; i++) {
      const tp_symbol *own = r->h->object_model->symbols.at[i];
      if (own->kind == TP_SYMBOL_GLOBAL && own->var.id == g) symbol = own;
    }
    const uint32_t field = symbol ? tp_rheap_field_of(r->h, symbol, &why) : TP_RHEAP_NO_FIELD;
    if (field == TP_RHEAP_NO_FIELD) continue;
    const bool as_bool =
        tp_sort_kind_of(r->p->terms, tp_sort_of(r->p->terms, v->term)) == TP_SORT_BOOL;
    s->vars[g] = tp_rexecutor_of_atom(r, tp_rexecutor_field(r, s, field), v->type, as_bool);
  }
  r->out->params = params;
  r->out->n_params = info->n_params;
  return s;
}

/* Global variables are fields without an owner: their values at the end. */
void tp_rexecutor_store_globals(tp_rexecutor *r, tp_rexec_state *s) {
  for (uint32_t f = 0; f < r->h->fields.n; f++) {
    const tp_symbol *symbol = r->h->fields.at[f].symbol;
    if (symbol->kind != TP_SYMBOL_GLOBAL || !symbol->var.id) continue;
    const tp_rel_expr value = tp_rexecutor_atom(r, s, s->vars[symbol->var.id], symbol->ctype);
    if (!r->why)
      s->fields[f] = value;
    else
      tp_rexecutor_end_unsupported(r, s);
  }
}

tp_rexec_store tp_rexecutor_store(tp_rexecutor *r, const tp_rexec_state *s) {
  tp_rel_expr *fields = tp_arena_array(r->arena, tp_rel_expr, r->h->fields.n + 1);
  tp_rel_expr *last = tp_arena_array(r->arena, tp_rel_expr, r->h->object_model->basics.n);
  for (uint32_t f = 0; f < r->h->fields.n; f++)
    fields[f] = s ? tp_rexecutor_field(r, s, f) : r->h->fields.at[f].initial;
  for (uint32_t b = 0; b < r->h->object_model->basics.n; b++)
    if (r->h->types[b].is_used) last[b] = s && s->last[b].id ? s->last[b] : r->h->types[b].last;
  return (tp_rexec_store){fields, last, or_none(r, s ? tp_rexecutor_gone(r, s) : (tp_rel_expr){0}),
                          s ? s->stack : (tp_rel_expr){0}};
}

static void run_once(tp_rexecutor *r, tp_func f) {
  tp_rexec_value result = {0};
  r->out->ends.n = r->out->steps.n = r->out->calls.n = r->out->unproved_bounds.n = 0;
  r->out->demanded.n = 0;
  r->out->result = (tp_rel_expr){0};
  r->out->n_inlined = r->out->n_trusted = 0;
  r->out->shows_locals = false;
  r->h->inputs.n = r->n_inputs;
  r->h->havocs.n = r->n_havocs;
  r->h->locals.n = r->n_locals;
  r->n_steps = 0;
  tp_rexec_state *s = start(r, f);
  const tp_rexec_store before = tp_rexecutor_store(r, r->from ? s : NULL);
  tp_rexec_state *end = run_function(r, s, f, &result);
  if (end) tp_rexecutor_store_globals(r, end);
  const tp_type function = tp_func_of(r->p, f)->type,
                type = function.id ? tp_type_of(r->p, function)->element : TP_TYPE_NONE;
  const bool is_struct = type.id && tp_type_of(r->p, type)->kind == TP_T_STRUCT;  // in registers
  if (end && !end->is_dead && result.kind != TP_REXEC_VALUE_UNKNOWN && !is_struct) {
    r->out->result = tp_rexecutor_atom(r, end, result, type);
    if (r->why) tp_rexecutor_end_unsupported(r, end);
  }
  if (end && end->is_dead) end = NULL;
  if (end && r->from) tp_rexecutor_leave(r, end, r->out->result);
  tp_rexecutor_finish_locals(r);
  r->out->n_fields = (uint32_t)r->h->fields.n;
  r->out->result = end ? r->out->result : (tp_rel_expr){0};
  r->out->returns = end ? tp_rexecutor_guard(r, end->guard) : tp_rel_bool(r->l, false);
  r->out->before = r->from ? before : tp_rexecutor_store(r, NULL);
  r->out->after = tp_rexecutor_store(r, end);
}

void tp_rexec_run(tp_rexec *out, tp_rheap *h, tp_func f, tp_rexec_call_policy policy) {
  h->inputs.n = h->havocs.n = h->locals.n = 0;
  tp_rexec_run_from(out, h, f, policy, NULL);
}

void tp_rexec_run_from(tp_rexec *out, tp_rheap *h, tp_func f, tp_rexec_call_policy policy,
                       const tp_rexec_start *from) {
  TP_REQUIRE(!h->bounds && tp_func_of(h->program, f)->has_body);
  tp_rexecutor r = {.h = h,
                    .out = out,
                    .policy = policy,
                    .from = from,
                    .root = f,
                    .n_inputs = h->inputs.n,
                    .n_havocs = h->havocs.n,
                    .n_locals = h->locals.n,
                    .arena = &out->arena,
                    .p = h->program,
                    .l = h->l,
                    .max_fields = TP_CONTRACTS_FIELDS};
  r.active = TP_NEW_ARRAY(uint32_t, r.p->funcs.n);
  run_once(&r, f);
  r.max_fields = (uint32_t)h->fields.n + 1;
  for (bool knew_all = false, again = true; again;) {
    const size_t known = r.escaped.n;
    knew_all = r.all_escaped;
    run_once(&r, f);
    again = known != r.escaped.n || knew_all != r.all_escaped;
  }
  for (size_t i = 0; i < r.all_orders.n; i++) {
    tp_wto_clear(r.all_orders.at[i]);
    tp_free(r.all_orders.at[i]);
  }
  tp_vec_clear(&r.all_orders);
  tp_map_clear(&r.orders);
  tp_map_clear(&r.constants);
  tp_vec_clear(&r.doubts);
  tp_map_clear(&r.escaped);
  tp_map_clear(&r.seen);
  tp_free(r.active);
}
