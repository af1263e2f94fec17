/* The walk itself: frames on an explicit stack, in each frame the unrolled locations that still
 * have to be visited, smallest first (order.h), so that all ways to a location have met before it
 * is left. A call puts a frame on the stack; when that frame has nothing left to visit, its joined
 * exit state goes on behind the call. The walk ends because every cycle passes a loop head, turns
 * are bounded by the claim, and so are activations. */
#include "certify/inductive/check_inductive.h"
#include "certify/bounded/walk.h"

enum { DEFAULT_EDGES = 2000000, PRUNE_RLIMIT = 300000 };

// ------------------------------------------------------------------ beginning

static void number_slots(tp_cwalk *w) {
  const tp_program *p = w->p;
  w->slots = TP_NEW_ARRAY(uint32_t, p->vars.n + 1);
  w->n_locals = TP_NEW_ARRAY(uint32_t, p->funcs.n + 1);
  for (uint32_t i = 1; i < p->vars.n; i++) {
    const tp_var_info *v = &p->vars.at[i];
    w->slots[i] = v->kind == TP_V_GLOBAL || v->kind == TP_V_GHOST ? w->n_globals++
                                                                  : w->n_locals[v->func.id]++;
  }
}

void tp_cwalk_init(tp_cwalk *w, const tp_program *p, tp_property prop, const tp_claim *claim,
                   const tp_certify_limits *limits, tp_stats *stats) {
  *w = (tp_cwalk){
      .p = p, .prop = prop, .tt = p->terms, .claim = claim, .limits = limits, .stats = stats};
  w->is_exact = true;
  w->start_cpu_s = tp_cpu_s();
  w->facts = tp_mk_true(w->tt);
  w->prune_step = w->prune_at = 64;
  tp_arena_init(&w->arena);
  tp_corder_init(&w->order, p, claim->rank);
  tp_cpaths_init(&w->paths, w->tt);
  tp_cheap_init(&w->heap, p);
  number_slots(w);
}

static void clear_frame(tp_cframe *f) {
  for (size_t i = 0; i < f->pending.n; i++) tp_cstate_free(f->pending.at[i].state);
  tp_vec_clear(&f->pending);
  tp_free(f->caller_locals);
  tp_cstate_free(f->exit);
}

void tp_cwalk_clear(tp_cwalk *w) {
  for (size_t i = 0; i < w->frames.n; i++) clear_frame(&w->frames.at[i]);
  tp_vec_clear(&w->frames);
  tp_vec_clear(&w->duties);
  tp_vec_clear(&w->doubts);
  tp_corder_clear(&w->order);
  tp_cpaths_clear(&w->paths);
  tp_cheap_clear(&w->heap);
  tp_arena_clear(&w->arena);
  tp_free(w->slots);
  tp_free(w->n_locals);
  if (w->solver) tp_smt_free(w->solver);
}

tp_smt *tp_cwalk_solver(const tp_cwalk *w) {
  return tp_smt_new(w->tt, (tp_smt_options){.backend = w->limits->backend,
                                            .command = w->limits->command,
                                            .rlimit = w->limits->solver_rlimit,
                                            .stats = w->stats});
}

/* Alignment that every implementation gives to this object. */
static uint32_t alignment(const tp_cwalk *w, const tp_cobject *o) {
  uint32_t n = o->kind == TP_O_HEAP ? w->p->ptr_bits / 4 : o->image ? o->image->align_bytes : 1;
  return n && (n & (n - 1)) == 0 ? n : 1;
}

tp_term tp_cwalk_base_facts(tp_cwalk *w) {
  tp_terms *tt = w->tt;
  uint32_t bits = w->p->ptr_bits;
  tp_term all = w->facts, zero = tp_mk_bv(tt, bits, 0), top = tp_mk_bv(tt, bits, ~(tp_u128)0),
          half = tp_mk_bv(tt, bits, (tp_u128)1 << (bits - 1));
  for (size_t i = 0; i < w->heap.ps.addressed.n; i++) {
    uint32_t object = (uint32_t)w->heap.ps.addressed.entries[i].key;
    tp_term size = w->heap.objects.at[object].size,
            base = tp_mk1(tt, TP_OP_PTR_TO_INT, tp_mk_ptr_const(tt, object, 0));
    tp_term fits = tp_mk_and(tt, tp_mk_not(tt, tp_mk_eq(tt, base, zero)),
                             tp_mk2(tt, TP_OP_BV_ULE, base, tp_mk_sub(tt, top, size)));
    tp_term low = tp_mk_bv(tt, bits, alignment(w, &w->heap.objects.at[object]) - 1);
    all = tp_mk_and(tt, all, tp_mk_implies(tt, tp_mk2(tt, TP_OP_BV_ULT, size, half), fits));
    all = tp_mk_and(tt, all, tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_AND, base, low), zero));
  }
  return all;
}

// -------------------------------------------------------------------- duties

static void duty(tp_cwalk *w, tp_duty_kind kind, const tp_cstate *s, tp_loc loc, tp_func f,
                 const char *what) {
  tp_vec_push(&w->duties, (tp_duty){kind, tp_cpath_term(&w->paths, s->path), loc, f, what});
}

/* May a run follow this state? Asked now and then, less often when the answer is mostly yes; no
 * answer is a yes. Dropping a state that nothing reaches keeps unrollings small and changes no
 * result. */
static bool may_be_reached(tp_cwalk *w, const tp_cstate *s) {
  tp_term path = tp_cpath_term(&w->paths, s->path);
  if (tp_is_false(w->tt, path)) return false;
  if (tp_is_true(w->tt, path) || w->edges < w->prune_at) return true;
  if (!w->solver) {
    tp_smt_options o = {.backend = w->limits->backend,
                        .command = w->limits->command,
                        .rlimit = PRUNE_RLIMIT,
                        .stats = w->stats};
    w->solver = tp_smt_new(w->tt, o);
  }
  w->queries++;
  bool reached = tp_smt_check(w->solver, &path, 1) != TP_SMT_UNSAT;
  if (!reached)
    w->prune_step = 16;
  else if (w->prune_step < 100000)
    w->prune_step *= 2;
  w->prune_at = w->edges + w->prune_step;
  return reached;
}

// ------------------------------------------------------------------- arriving

static void put_pending(tp_cwalk *w, tp_cframe *f, tp_cvisit v, tp_cstate *s) {
  for (size_t i = 0; i < f->pending.n; i++) {
    if (f->pending.at[i].visit.loc.id != v.loc.id ||
        tp_corder_compare(&w->order, f->pending.at[i].visit, v))
      continue;
    tp_cstate_join(w, f->pending.at[i].state, s);
    return;
  }
  tp_vec_push(&f->pending, (tp_pending){v, s});
}

/* s leaves `from` towards `to`; s is given away. */
static void arrive(tp_cwalk *w, uint32_t frame, tp_cvisit from, tp_loc to, tp_cstate *s) {
  tp_cframe *f = &w->frames.at[frame];
  const tp_cplace *place = tp_corder_place(&w->order, to);
  tp_cvisit v = tp_corder_follow(&w->order, from, to, &w->arena);
  bool drop = tp_is_false(w->tt, tp_cpath_term(&w->paths, s->path));
  if (!drop && place->is_head && v.turns[v.n - 1] > 0) {
    if (v.turns[v.n - 1] > w->claim->turns[to.id]) {
      duty(w, TP_DUTY_TURN, s, to, f->func, NULL);
      drop = true;
    } else {
      drop = !may_be_reached(w, s);
    }
  }
  if (drop)
    tp_cstate_free(s);
  else
    put_pending(w, f, v, s);
}

// ------------------------------------------------------------------------ calls

/* Do the call's arguments and its use of the result fit the function's type? */
static bool fits(const tp_cwalk *w, const tp_edge_info *edge, const tp_func_info *f) {
  if (edge->n_args != f->n_params || (edge->var.id && !f->result.id)) return false;
  for (uint32_t i = 0; i < edge->n_args; i++)
    if (!tp_sort_eq(tp_sort_of(w->tt, edge->args[i]),
                    tp_sort_of(w->tt, tp_var_of(w->p, f->params[i])->term)))
      return false;
  return !edge->var.id || tp_sort_eq(tp_sort_of(w->tt, tp_var_of(w->p, edge->var)->term),
                                     tp_sort_of(w->tt, tp_var_of(w->p, f->result)->term));
}

/* A frame for callee on top of `frame`; s, the state before the call, is given away. */
static void enter(tp_cwalk *w, uint32_t frame, tp_cvisit at, tp_edge call, tp_func callee,
                  tp_cstate *s) {
  const tp_edge_info *edge = tp_edge_of(w->p, call);
  const tp_func_info *info = tp_func_of(w->p, callee);
  if (!info->has_body || !info->entry.id) {
    duty(w, TP_DUTY_UNSUPPORTED, s, edge->from, callee,
         "call of a function without body through a pointer");
    tp_cstate_free(s);
    return;
  }
  if (!fits(w, edge, info)) {
    duty(w, TP_DUTY_UNSUPPORTED, s, edge->from, callee, "call of a function of another type");
    tp_cstate_free(s);
    return;
  }
  uint64_t activations = 1;
  for (uint32_t i = frame;; i = w->frames.at[i].parent) {
    if (w->frames.at[i].func.id == callee.id) {
      activations = w->frames.at[i].activations + 1;
      break;
    }
    if (i == w->frames.at[i].parent) break;
  }
  if (activations > w->claim->activations[callee.id] ||
      (activations > 1 && !may_be_reached(w, s))) {
    if (activations > w->claim->activations[callee.id])
      duty(w, TP_DUTY_DEPTH, s, edge->from, callee, NULL);
    tp_cstate_free(s);
    return;
  }
  tp_term *locals = TP_NEW_ARRAY(tp_term, w->n_locals[callee.id] + 1);
  for (uint32_t i = 0; i < info->n_params; i++)
    locals[w->slots[info->params[i].id]] = tp_cstate_eval(w, s, edge->args[i]);
  tp_cframe f = {.func = callee,
                 .parent = frame,
                 .activations = activations,
                 .call = call,
                 .call_visit = at,
                 .caller_locals = s->locals,
                 .n_caller_locals = s->n_locals};
  s->locals = locals;
  s->n_locals = w->n_locals[callee.id];
  tp_corder_of_func(&w->order, callee);
  tp_vec_push(&w->frames, f);
  tp_cvisit outside = {TP_LOC_NONE, 0, NULL};
  outside.loc = info->entry;
  arrive(w, (uint32_t)w->frames.n - 1, outside, info->entry, s);
}

static void call(tp_cwalk *w, uint32_t frame, tp_cvisit at, tp_edge e, tp_cstate *s) {
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  if (edge->callee.id) {
    enter(w, frame, at, e, edge->callee, s);
    return;
  }
  tp_term zero = tp_mk_bv(w->tt, w->p->ptr_bits, 0), good = tp_mk_false(w->tt);
  tp_cleaves ls = tp_cwalk_leaves(w, s, e, tp_cstate_eval(w, s, edge->a));
  for (uint32_t i = 0; i < ls.n; i++) {
    tp_cleaf l = ls.at[i];
    bool is_function = l.object && l.object < w->p->statics.n && w->p->statics.at[l.object].func.id;
    tp_term here = is_function ? tp_mk_and(w->tt, l.cond, tp_mk_eq(w->tt, l.offset, zero))
                               : tp_mk_false(w->tt);
    if (tp_is_false(w->tt, here)) continue;
    good = tp_mk_or(w->tt, good, here);
    tp_cstate *copy = tp_cstate_copy(w, s);
    copy->path = tp_cpath_and(&w->paths, copy->path, here);
    enter(w, frame, at, e, w->p->statics.at[l.object].func, copy);
  }
  if (ls.n > 1 || !tp_is_true(w->tt, good)) tp_cwalk_doubt(w, s, e, good);
  tp_cstate_free(s);
}

/* The frame on top has nothing left to visit: go on behind its call. */
static void leave(tp_cwalk *w) {
  tp_cframe f = tp_vec_pop(&w->frames);
  tp_cstate *s = f.exit;
  f.exit = NULL;
  if (s && f.parent != w->frames.n) {
    const tp_edge_info *edge = tp_edge_of(w->p, f.call);
    tp_var result = tp_func_of(w->p, f.func)->result;
    tp_term value = TP_TERM_NONE;
    if (edge->var.id && result.id) value = tp_cstate_get(w, s, result);
    tp_free(s->locals);
    s->locals = f.caller_locals;
    s->n_locals = f.n_caller_locals;
    f.caller_locals = NULL;
    if (tp_term_is(value)) tp_cstate_set(w, s, edge->var, value);
    arrive(w, f.parent, f.call_visit, edge->to, s);
  } else {
    tp_cstate_free(s);
  }
  clear_frame(&f);
}

// ------------------------------------------------------------------------ edges

static void havoc(tp_cwalk *w, tp_cstate *s, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  if (edge->input == TP_I_EXTERN && edge->may_write)
    duty(w, TP_DUTY_EXTERN, s, edge->from, TP_FUNC_NONE, edge->name);
  if (!edge->var.id) return;
  tp_origin from =
      edge->input == TP_I_EXTERN || edge->input == TP_I_VOLATILE ? TP_FROM_OUTSIDE : TP_FROM_INPUT;
  const char *name =
      edge->input == TP_I_EXTERN && edge->name ? edge->name : tp_var_of(w->p, edge->var)->name;
  tp_term value =
      tp_cwalk_input(w, name, tp_sort_of(w->tt, tp_var_of(w->p, edge->var)->term), from);
  tp_cstate_set(w, s, edge->var, value);
}

static void assume(tp_cwalk *w, tp_cstate *s, tp_edge e) {
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  tp_term holds = tp_cstate_eval(w, s, edge->a);
  if (edge->name && !tp_chk_is_intended_end(edge->name) && tp_out_edges(w->p, edge->from).n == 1)
    tp_cwalk_doubt(w, s, e, holds);
  else
    s->path = tp_cpath_and(&w->paths, s->path, holds);
}

/* RETURN puts the value where the caller looks for it. */
static void give_back(tp_cwalk *w, tp_cstate *s, const tp_edge_info *edge, tp_func f) {
  tp_var result = tp_func_of(w->p, f)->result;
  if (result.id && tp_term_is(edge->a)) tp_cstate_set(w, s, result, tp_cstate_eval(w, s, edge->a));
}

/* Execute e on s (given away) in the frame. */
static void take(tp_cwalk *w, uint32_t frame, tp_cvisit at, tp_edge e, tp_cstate *s) {
  const tp_edge_info *edge = tp_edge_of(w->p, e);
  w->edges++;
  switch (edge->kind) {
    case TP_E_SKIP: break;
    case TP_E_ASSIGN: tp_cstate_set(w, s, edge->var, tp_cstate_eval(w, s, edge->a)); break;
    case TP_E_ASSUME: assume(w, s, e); break;
    case TP_E_LOAD: tp_cwalk_load(w, s, e); break;
    case TP_E_STORE: tp_cwalk_store(w, s, e); break;
    case TP_E_ALLOC: tp_cwalk_alloc(w, s, e); break;
    case TP_E_FREE:
    case TP_E_END_SCOPE: tp_cwalk_end_life(w, s, e); break;
    case TP_E_COPY:
    case TP_E_SET:
    case TP_E_HAVOC_MEMORY: tp_cwalk_block(w, s, e); break;
    case TP_E_HAVOC: havoc(w, s, e); break;
    case TP_E_CALL: call(w, frame, at, e, s); return;
    case TP_E_RETURN: give_back(w, s, edge, w->frames.at[frame].func); break;
  }
  arrive(w, frame, at, edge->to, s);
}

/* All that happens at one unrolled location. */
static void visit(tp_cwalk *w, uint32_t frame, tp_cvisit at, tp_cstate *s) {
  const tp_loc_info *loc = tp_loc_of(w->p, at.loc);
  tp_cframe *f = &w->frames.at[frame];
  if (loc->error != TP_P_NONE && tp_property_covers(w->prop, loc->error))
    duty(w, TP_DUTY_ERROR, s, at.loc, f->func, loc->message);
  if (loc->is_unsupported) duty(w, TP_DUTY_UNSUPPORTED, s, at.loc, f->func, NULL);
  if (at.loc.id == tp_func_of(w->p, f->func)->exit.id) {
    if (f->exit)
      tp_cstate_join(w, f->exit, s);
    else
      f->exit = s;
    return;
  }
  tp_edge_list out = tp_out_edges(w->p, at.loc);
  for (uint32_t i = 0; i < out.n && !w->stuck; i++) {
    bool last = i + 1 == out.n;
    tp_cstate *mine = last ? s : tp_cstate_copy(w, s);
    if (last) s = NULL;
    take(w, frame, at, (tp_edge){out.at[i]}, mine);
  }
  tp_cstate_free(s);
}

static void visit_least(tp_cwalk *w, uint32_t frame) {
  tp_cframe *f = &w->frames.at[frame];
  size_t least = 0;
  for (size_t i = 1; i < f->pending.n; i++)
    if (tp_corder_compare(&w->order, f->pending.at[i].visit, f->pending.at[least].visit) < 0)
      least = i;
  tp_pending next = f->pending.at[least];
  f->pending.at[least] = f->pending.at[f->pending.n - 1];
  f->pending.n--;
  visit(w, frame, next.visit, next.state);
}

static const char *over_limit(const tp_cwalk *w) {
  uint64_t most = w->limits->edges ? w->limits->edges : DEFAULT_EDGES;
  if (w->edges > most) return "the unrolled program is too large for the checker's limit on edges";
  if (w->limits->cpu_s > 0 && w->edges % 64 == 0 && tp_cpu_s() - w->start_cpu_s > w->limits->cpu_s)
    return "out of time";
  return NULL;
}

void tp_cwalk_run(tp_cwalk *w) {
  tp_func first = w->p->main;
  if (!first.id || !tp_func_of(w->p, first)->has_body) {
    w->stuck = "there is no main";
    return;
  }
  tp_corder_of_func(&w->order, first);
  tp_vec_push(&w->frames, (tp_cframe){.func = first, .activations = 1});
  tp_loc entry = tp_func_of(w->p, first)->entry;
  arrive(w, 0, (tp_cvisit){entry, 0, NULL}, entry, tp_cstate_initial(w));
  while (w->frames.n && !w->stuck) {
    uint32_t top = (uint32_t)w->frames.n - 1;
    if (w->frames.at[top].pending.n)
      visit_least(w, top);
    else
      leave(w);
    if (!w->stuck) w->stuck = over_limit(w);
  }
}
