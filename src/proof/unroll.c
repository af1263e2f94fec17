/* Unrolling.
 *
 * A frame is one activation of a function under exploration: its slots hold the states that wait.
 * The frame on top of the stack runs until no state waits in it: the first non-empty slot in the
 * plan's order is served, the states in it are joined, and what comes out is put into the slots of
 * the successors. A back edge leads to the loop's iteration slot, which stands behind all locations
 * of the loop; serving it starts the next iteration. So all paths of one iteration are merged
 * before the next one begins, and all iterations are done before anything behind the loop runs.
 *
 * A call pushes a frame with one state (several, one below the other, if the callee is one of
 * several functions); when a frame is done, the one state at its exit goes on behind the call.
 * Callers are found by index, because siblings lie between. Recursion is bounded when a frame
 * starts: variables of the function's earlier activation are saved there.
 *
 * Everything is finite: counted iterations and activations by the bound, free ones by the number of
 * steps. */
#include "proof/unroll.h"

#include "proof/proof_limits.h"
#include "proof/unroll_plan.h"
#include "proof/unroll_ways.h"
#include "program/locals.h"

typedef TP_VEC(tp_sym) tp_syms;

typedef struct {
  uint64_t iterations, counted;  // since the loop was entered
  bool left;                     // in this iteration, under a condition that is not constant
  bool stayed;                   // in this iteration, because every exit was closed by constants
} loop_state;

typedef struct {
  tp_func func;
  const tp_unroll_plan *plan;
  tp_syms *slots;
  TP_VEC(uint32_t) heap;  // slots that are not empty, smallest first
  loop_state *loops;      // by component
  tp_syms out;            // states at the exit
  bool started, counted;
  tp_guard entry_guard, previous_guard;  // of this activation, of the one before
  uint64_t place;                        // the visit of the call, and of those below it
  size_t caller;                         // index of the frame that called; SIZE_MAX: main
  tp_edge call;
  TP_VEC(uint64_t) saved;  // recursion: values of the plan's variables in the activation before
  bool has_saved;
} frame;

typedef struct {
  uint64_t active, counted, most;
  tp_guard last_guard;  // at the entry of the newest activation
} activity;

typedef TP_VEC(frame) frame_list;

struct tp_unroll {
  tp_symex *x;
  const tp_program *p;
  tp_ways *ways;
  tp_unroll_options o;
  tp_locals locals;
  frame_list frames;
  TP_VEC(frame_list) spare;        // by function: emptied frames, to be used again
  TP_VEC(tp_unroll_plan *) plans;  // by function
  TP_VEC(activity) activities;     // by function
  TP_VEC(tp_hit) errors;
  TP_VEC(tp_cut) cuts;
  tp_map most_iterations;    // head location -> iterations
  tp_map visited;            // watched location -> condition
  TP_VEC(uint32_t) entered;  // functions, in order of first entry
  uint64_t first_edge, served;
  bool stopped;
};

// ------------------------------------------------------------------------ slots

static void heap_push(frame *f, uint32_t slot) {
  tp_vec_push(&f->heap, slot);
  size_t i = f->heap.n - 1;
  while (i > 0 && f->heap.at[(i - 1) / 2] > f->heap.at[i]) {
    uint32_t up = f->heap.at[(i - 1) / 2];
    f->heap.at[(i - 1) / 2] = f->heap.at[i];
    f->heap.at[i] = up;
    i = (i - 1) / 2;
  }
}

static uint32_t heap_pop(frame *f) {
  TP_REQUIRE(f->heap.n > 0);
  uint32_t least = f->heap.at[0], moved = tp_vec_pop(&f->heap);
  size_t i = 0, n = f->heap.n;
  if (!n) return least;
  for (;;) {
    size_t child = 2 * i + 1;
    if (child >= n) break;
    if (child + 1 < n && f->heap.at[child + 1] < f->heap.at[child]) child++;
    if (f->heap.at[child] >= moved) break;
    f->heap.at[i] = f->heap.at[child];
    i = child;
  }
  f->heap.at[i] = moved;
  return least;
}

/* A state and the guard node where it stands while states are joined; a heap, largest node first.
 */
typedef struct {
  uint32_t node;
  tp_sym state;
} tp_climber;
typedef TP_VEC(tp_climber) tp_climbers;

static void climber_push(tp_climbers *h, tp_climber c) {
  tp_vec_push(h, c);
  size_t i = h->n - 1;
  for (; i > 0 && h->at[(i - 1) / 2].node < c.node; i = (i - 1) / 2) h->at[i] = h->at[(i - 1) / 2];
  h->at[i] = c;
}

static tp_climber climber_pop(tp_climbers *h) {
  TP_REQUIRE(h->n > 0);
  tp_climber top = h->at[0], moved = tp_vec_pop(h);
  size_t i = 0;
  for (size_t child; h->n && (child = 2 * i + 1) < h->n; i = child) {
    if (child + 1 < h->n && h->at[child + 1].node > h->at[child].node) child++;
    if (h->at[child].node <= moved.node) break;
    h->at[i] = h->at[child];
  }
  if (h->n) h->at[i] = moved;
  return top;
}

static void wait_in(frame *f, uint32_t slot, tp_sym s) {
  TP_REQUIRE(slot < f->plan->slots.n);
  if (tp_guard_is_false(s.guard)) {
    tp_sym_clear(&s);
    return;
  }
  if (!f->slots[slot].n) heap_push(f, slot);
  tp_vec_push(&f->slots[slot], s);
}

/* Join all states. Each stands at its guard's node; the one that stands deepest (largest
 * number) climbs to its parent, and whoever meets is joined. So states with long shared guards are
 * joined first, and the cost is the number of nodes between the states and the node that all share.
 */
static tp_sym take_joined(tp_unroll *u, tp_syms *waiting) {
  TP_REQUIRE(waiting->n > 0);
  const tp_guards *gs = &u->x->guards;
  tp_climbers cs = {0};
  for (size_t i = 0; i < waiting->n; i++)
    climber_push(&cs, (tp_climber){waiting->at[i].guard.id, waiting->at[i]});
  waiting->n = 0;
  tp_climber top = climber_pop(&cs);
  while (cs.n) {
    if (cs.at[0].node == top.node) {
      tp_climber other = climber_pop(&cs);
      top.state = tp_sym_join(u->x, top.state, other.state);
    } else {
      top.node = gs->nodes.at[top.node].parent.id;
      if (top.node < cs.at[0].node) {
        climber_push(&cs, top);
        top = climber_pop(&cs);
      }
    }
  }
  tp_vec_clear(&cs);
  return top.state;
}

/* Does it matter here where cursors are? At an error the paths have met. */
static bool has_ways(const tp_unroll *u, tp_loc at) {
  return tp_out_edges(u->p, at).n > 0 ||
         tp_func_of(u->p, tp_loc_of(u->p, at)->func)->exit.id == at.id;
}

/* The waiting states as few: those with one key become one. With too many keys the last ones become
 * one, too. */
static tp_syms take_ways(tp_unroll *u, tp_syms *waiting, tp_loc at) {
  TP_REQUIRE(waiting->n > 0);
  tp_syms out = {0}, same = {0};
  uint64_t *keys = TP_NEW_ARRAY(uint64_t, waiting->n);
  if (has_ways(u, at) && waiting->n > 1)
    for (size_t i = 0; i < waiting->n; i++) keys[i] = tp_ways_key(u->ways, &waiting->at[i], at);
  for (size_t n = waiting->n, left; n; n = left) {
    const bool is_last = out.n + 1 == TP_PROOF_WAYS;
    const uint64_t key = keys[0];
    left = same.n = 0;
    for (size_t i = 0; i < n; i++) {
      if (is_last || keys[i] == key) {
        tp_vec_push(&same, waiting->at[i]);
        continue;
      }
      keys[left] = keys[i];
      waiting->at[left++] = waiting->at[i];
    }
    const tp_sym joined = take_joined(u, &same);
    tp_vec_push(&out, joined);
  }
  waiting->n = 0;
  tp_free(keys);
  tp_vec_clear(&same);
  return out;
}

// ----------------------------------------------------------------------- frames

static const tp_unroll_plan *plan_of(tp_unroll *u, tp_func f) {
  TP_REQUIRE(f.id > 0 && f.id < u->p->funcs.n);
  if (u->plans.n < u->p->funcs.n) tp_vec_resize(&u->plans, u->p->funcs.n);
  if (!u->plans.at[f.id]) u->plans.at[f.id] = tp_unroll_plan_new(u->p, f);
  return u->plans.at[f.id];
}

static frame new_frame(tp_unroll *u, tp_func f) {
  frame_list *spare = &u->spare.at[f.id];
  if (spare->n) return tp_vec_pop(spare);
  frame fresh = {.func = f, .plan = plan_of(u, f)};
  fresh.slots = TP_NEW_ARRAY(tp_syms, fresh.plan->slots.n);
  fresh.loops = TP_NEW_ARRAY(loop_state, fresh.plan->wto.components.n);
  return fresh;
}

/* A number for this location in this activation and in this iteration of the loops around it: no
 * run comes there twice. */
static uint64_t visit_of(const frame *f, uint32_t position) {
  const tp_wto *w = &f->plan->wto;
  uint64_t visit = tp_hash_mix(f->place, tp_hash_mix(f->func.id, position));
  for (uint32_t c = w->inner.at[position]; c; c = w->components.at[c].parent)
    visit = tp_hash_mix(visit, f->loops[c].iterations);
  return visit ? visit : 1;
}

static uint64_t visit_of_call(const tp_unroll *u, size_t caller, tp_edge call) {
  if (caller == SIZE_MAX) return 1;
  const frame *f = &u->frames.at[caller];
  return visit_of(f, tp_wto_position(&f->plan->wto, tp_edge_of(u->p, call)->from));
}

/* Take over s as the state at f's entry. */
static void push_frame(tp_unroll *u, tp_func f, tp_sym s, size_t caller, tp_edge call) {
  TP_REQUIRE(tp_func_of(u->p, f)->has_body);
  TP_REQUIRE(caller == SIZE_MAX || caller < u->frames.n);
  frame fr = new_frame(u, f);
  fr.started = fr.counted = fr.has_saved = false;
  fr.place = visit_of_call(u, caller, call);
  fr.caller = caller;
  fr.call = call;
  TP_INVARIANT(fr.out.n == 0);
  fr.entry_guard = s.guard;
  wait_in(&fr, fr.plan->slot_of_position.at[0], s);
  tp_vec_push(&u->frames, fr);
}

static void drop_states(frame *f) {
  TP_REQUIRE(f->slots != NULL);
  while (f->heap.n) {
    tp_syms *waiting = &f->slots[heap_pop(f)];
    for (size_t i = 0; i < waiting->n; i++) tp_sym_clear(&waiting->at[i]);
    waiting->n = 0;
  }
  for (size_t i = 0; i < f->out.n; i++) tp_sym_clear(&f->out.at[i]);
  f->out.n = 0;
}

static void free_frame(frame *f) {
  drop_states(f);
  for (size_t i = 0; i < f->plan->slots.n; i++) tp_vec_clear(&f->slots[i]);
  tp_free(f->slots);
  tp_free(f->loops);
  tp_vec_clear(&f->heap);
  tp_vec_clear(&f->saved);
  tp_vec_clear(&f->out);
}

// --------------------------------------------------------------------- recursion

static void save_locals(const tp_unroll *u, frame *f, tp_sym *s) {
  f->saved.n = 0;
  f->has_saved = true;
  for (uint32_t i = u->locals.first[f->func.id]; i < u->locals.first[f->func.id + 1]; i++)
    tp_vec_push(&f->saved, tp_pmap_get(&s->vars, u->locals.at[i].id));
}

static void add_cut(tp_unroll *u, tp_cut_kind kind, tp_guard g, const frame *f, tp_loc head,
                    uint64_t iterations) {
  TP_REQUIRE(kind != TP_CUT_STEPS);
  tp_vec_push(&u->cuts, (tp_cut){kind, tp_guard_term(&u->x->guards, g), f->func, head, iterations});
}

/* Whether the activation may begin; counts it. */
static bool start(tp_unroll *u, frame *f) {
  TP_REQUIRE(!f->started);
  activity *a = &u->activities.at[f->func.id];
  f->started = true;
  f->counted = a->active > 0 && a->last_guard.id != f->entry_guard.id;
  if (a->active == 0 && a->most == 0) tp_vec_push(&u->entered, f->func.id);
  if (f->counted) {
    tp_term condition = tp_guard_term(&u->x->guards, f->entry_guard);
    if (a->counted + 1 > u->o.bound) {
      add_cut(u, TP_CUT_RECURSION, f->entry_guard, f, TP_LOC_NONE, a->active);
      f->counted = false;
      return false;
    }
    if (!u->o.feasible(u->o.ctx, condition)) {
      f->counted = false;
      return false;
    }
  }
  a->active++;
  a->counted += f->counted;
  f->previous_guard = a->last_guard;
  a->last_guard = f->entry_guard;
  if (a->active > a->most) a->most = a->active;
  return true;
}

// ------------------------------------------------------------------------ moves

static bool is_exit_from(const frame *f, uint32_t component, uint32_t to) {
  return !tp_wto_inside(&f->plan->wto, component, to) && f->plan->reaches_exit.at[to];
}

/* Mark, in all loops that the edge leaves, how that was decided. */
static void note_exit(frame *f, uint32_t from, uint32_t to, bool open) {
  const tp_wto *w = &f->plan->wto;
  for (uint32_t c = w->inner.at[from]; c && !tp_wto_inside(w, c, to);
       c = w->components.at[c].parent) {
    if (!is_exit_from(f, c, to)) continue;
    if (open)
      f->loops[c].left = true;
    else
      f->loops[c].stayed = true;
  }
}

static void arrive(frame *f, uint32_t from, tp_loc to, tp_sym s) {
  const tp_wto *w = &f->plan->wto;
  uint32_t at = tp_wto_position(w, to);
  if (at > from) {
    wait_in(f, f->plan->slot_of_position.at[at], s);
    return;
  }
  uint32_t c = w->inner.at[at];
  while (c && w->components.at[c].first != at) c = w->components.at[c].parent;
  TP_INVARIANT(c != 0);
  wait_in(f, f->plan->slot_of_component.at[c], s);
}

/* Several out-edges exclude each other and leave nothing out: the second of two is "not the first".
 */
static void branch(tp_unroll *u, frame *f, uint32_t from, tp_edge_list out, tp_sym s) {
  tp_guards *gs = &u->x->guards;
  for (uint32_t i = 0; i < out.n; i++) {
    const tp_edge_info *e = tp_edge_of(u->p, (tp_edge){out.at[i]});
    uint32_t to = tp_wto_position(&f->plan->wto, e->to);
    bool last = i + 1 == out.n;
    tp_term c = last ? tp_mk_true(u->x->tt) : tp_sym_eval(u->x, &s, e->a);
    tp_guard g = tp_guard_and(gs, s.guard, c);
    note_exit(f, from, to, !tp_guard_is_false(g));
    u->x->edges_done++;
    if (!last && !tp_guard_is_false(g)) {
      tp_sym taken = tp_sym_copy(&s);
      taken.guard = g;
      arrive(f, from, e->to, taken);
      s.guard = tp_guard_and(gs, s.guard, tp_mk_not(u->x->tt, c));
    } else if (last) {
      arrive(f, from, e->to, s);
    }
  }
}

// ------------------------------------------------------------------------ calls

static bool fits(const tp_unroll *u, const tp_edge_info *e, const tp_func_info *f) {
  const tp_terms *tt = u->x->tt;
  if (e->n_args != f->n_params) return false;
  for (uint32_t i = 0; i < e->n_args; i++)
    if (!tp_sort_eq(tp_sort_of(tt, e->args[i]),
                    tp_sort_of(tt, tp_var_of(u->p, f->params[i])->term)))
      return false;
  if (!e->var.id) return true;
  return f->result.id && tp_sort_eq(tp_sort_of(tt, tp_var_of(u->p, e->var)->term),
                                    tp_sort_of(tt, tp_var_of(u->p, f->result)->term));
}

/* A function that is only declared: the result is an input; it might write, which forbids TRUE. */
static void call_nobody(tp_unroll *u, size_t caller, uint32_t from, tp_edge id, tp_sym s,
                        tp_func callee) {
  const tp_edge_info *e = tp_edge_of(u->p, id);
  tp_symex *x = u->x;
  const char *name = tp_func_of(u->p, callee)->name;
  tp_note gap = {tp_guard_term(&x->guards, s.guard), e->pos,
                 tp_arena_printf(&x->arena, "external function %s may write memory", name),
                 TP_GAP_CALLEE};
  tp_vec_push(&x->gaps, gap);
  if (e->var.id) {
    tp_sort sort = tp_sort_of(x->tt, tp_var_of(u->p, e->var)->term);
    bool is_ptr = tp_sort_kind_of(x->tt, sort) == TP_SORT_PTR;
    tp_term var = tp_symex_fresh(x, name, is_ptr ? tp_sort_bv(x->tt, u->p->ptr_bits) : sort);
    tp_vec_push(&x->events, (tp_symex_event){.guard = s.guard, .edge = id, .var = var});
    tp_sym_set(&s, e->var, is_ptr ? tp_mk_ptr(x->tt, tp_mk_bv(x->tt, TP_OBJ_BITS, 0), var) : var);
  }
  arrive(&u->frames.at[caller], from, e->to, s);
}

static void call_one(tp_unroll *u, size_t caller, uint32_t from, tp_edge id, tp_sym s,
                     tp_func callee) {
  const tp_edge_info *e = tp_edge_of(u->p, id);
  const tp_func_info *info = tp_func_of(u->p, callee);
  if (!info->has_body) {
    call_nobody(u, caller, from, id, s, callee);
    return;
  }
  if (!fits(u, e, info)) {
    tp_sym_require(u->x, &s, tp_mk_false(u->x->tt), e->pos, "call of a function of another type");
    tp_sym_clear(&s);
    return;
  }
  push_frame(u, callee, s, caller, id);
}

/* The functions that the pointer can mean, each with its part of the state. */
static void call_pointer(tp_unroll *u, size_t caller, uint32_t from, tp_edge id, tp_sym s) {
  const tp_edge_info *e = tp_edge_of(u->p, id);
  tp_symex *x = u->x;
  tp_term pointer = tp_sym_eval(x, &s, e->a), zero = tp_mk_bv(x->tt, u->p->ptr_bits, 0);
  const tp_targets *t = tp_pointer_targets(&x->pointers, pointer);
  tp_sym_leave_unknown(x, &s, pointer, e->pos);
  for (uint32_t i = 0; i < t->n && !tp_guard_is_false(s.guard); i++) {
    if (t->at[i] == 0 || t->at[i] >= u->p->statics.n || !u->p->statics.at[t->at[i]].func.id)
      continue;
    tp_term is =
        tp_mk_and(x->tt, tp_pointer_is(&x->pointers, pointer, t->at[i]),
                  tp_mk_eq(x->tt, tp_pointer_offset(&x->pointers, pointer, t->at[i]), zero));
    tp_guard g = tp_guard_and(&x->guards, s.guard, is);
    if (tp_guard_is_false(g)) continue;
    tp_sym part = tp_sym_copy(&s);
    part.guard = g;
    s.guard = tp_guard_and(&x->guards, s.guard, tp_mk_not(x->tt, is));
    call_one(u, caller, from, id, part, u->p->statics.at[t->at[i]].func);
  }
  tp_sym_require(x, &s, tp_mk_false(x->tt), e->pos,
                 "call through a pointer that is not a function");
  tp_sym_clear(&s);
}

static void bind_parameters(tp_unroll *u, frame *f, tp_sym *s) {
  const tp_edge_info *e = tp_edge_of(u->p, f->call);
  const tp_func_info *info = tp_func_of(u->p, f->func);
  tp_term few[8], *args = e->n_args <= 8 ? few : TP_NEW_ARRAY(tp_term, e->n_args);
  for (uint32_t i = 0; i < e->n_args; i++) args[i] = tp_sym_eval(u->x, s, e->args[i]);
  if (u->activities.at[f->func.id].active > 1) save_locals(u, f, s);
  const uint32_t first = u->locals.first[f->func.id], end = u->locals.first[f->func.id + 1];
  for (uint32_t i = first; f->has_saved && i < end; i++)
    tp_sym_set(s, u->locals.at[i], TP_TERM_NONE);
  for (uint32_t i = 0; i < e->n_args; i++) tp_sym_set(s, info->params[i], args[i]);
  if (args != few) tp_free(args);
}

/* A state at the exit of f goes on in the caller. */
static void go_back(tp_unroll *u, const frame *f, tp_sym s) {
  if (tp_guard_is_false(s.guard) || f->caller == SIZE_MAX) {
    tp_sym_clear(&s);
    return;
  }
  const tp_edge_info *e = tp_edge_of(u->p, f->call);
  const tp_var result = tp_func_of(u->p, f->func)->result;
  const tp_term value = e->var.id && result.id ? tp_sym_get(u->x, &s, result) : TP_TERM_NONE;
  const uint32_t first = u->locals.first[f->func.id], end = u->locals.first[f->func.id + 1];
  for (uint32_t i = first; i < end; i++)
    tp_pmap_set(&s.vars, u->locals.at[i].id, f->has_saved ? f->saved.at[i - first] : 0);
  if (tp_term_is(value)) tp_sym_set(&s, e->var, value);
  frame *caller = &u->frames.at[f->caller];
  arrive(caller, tp_wto_position(&caller->plan->wto, e->from), e->to, s);
}

static void finish(tp_unroll *u, bool was_active) {
  frame f = tp_vec_pop(&u->frames);
  activity *a = &u->activities.at[f.func.id];
  if (was_active) a->active--, a->counted -= f.counted, a->last_guard = f.previous_guard;
  if (f.out.n) {
    tp_syms out = take_ways(u, &f.out, tp_func_of(u->p, f.func)->exit);
    for (size_t i = 0; i < out.n; i++) go_back(u, &f, out.at[i]);
    tp_vec_clear(&out);
  }
  tp_vec_push(&u->spare.at[f.func.id], f);
}

// --------------------------------------------------------------------- locations

static void end_location(tp_unroll *u, frame *f, tp_loc l, tp_sym s) {
  const tp_loc_info *info = tp_loc_of(u->p, l);
  tp_term condition = tp_guard_term(&u->x->guards, s.guard);
  if (info->error != TP_P_NONE) {
    if (tp_property_covers(u->o.property, info->error))
      tp_vec_push(&u->errors, (tp_hit){condition, l});
  } else if (info->is_unsupported) {
    const char *what = "a construct that is not modelled";
    for (size_t i = 1; i < u->p->unsupported.n; i++)
      if (u->p->unsupported.at[i].loc.id == l.id) what = u->p->unsupported.at[i].what;
    tp_vec_push(&u->x->gaps, (tp_note){condition, info->pos, what, TP_GAP_CONSTRUCT});
  } else if (tp_func_of(u->p, f->func)->exit.id == l.id) {
    tp_vec_push(&f->out, s);
    return;
  }
  tp_sym_clear(&s);
}

static void note_visit(tp_unroll *u, tp_loc l, const tp_sym *s) {
  uint64_t before = 0;
  tp_term condition = tp_guard_term(&u->x->guards, s->guard);
  if (tp_map_get(&u->visited, l.id, &before))
    condition = tp_mk_or(u->x->tt, (tp_term){(uint32_t)before}, condition);
  tp_map_set(&u->visited, l.id, condition.id);
}

static void serve_location(tp_unroll *u, size_t at, uint32_t position, tp_sym s) {
  if (tp_guard_is_false(s.guard)) {
    tp_sym_clear(&s);
    return;
  }
  frame *f = &u->frames.at[at];
  tp_loc l = f->plan->wto.order.at[position];
  tp_edge_list out = tp_out_edges(u->p, l);
  u->served++;
  if (u->o.watched && u->o.watched[l.id]) note_visit(u, l, &s);
  if (out.n == 0) {
    end_location(u, f, l, s);
    return;
  }
  if (out.n > 1) {
    branch(u, f, position, out, s);
    return;
  }
  tp_edge id = {out.at[0]};
  const tp_edge_info *e = tp_edge_of(u->p, id);
  if (e->kind == TP_E_CALL) {
    u->x->edges_done++;
    if (e->callee.id)
      call_one(u, at, position, id, s, e->callee);
    else
      call_pointer(u, at, position, id, s);
    return;
  }
  tp_var result = tp_func_of(u->p, f->func)->result;
  if (e->kind == TP_E_RETURN && tp_term_is(e->a) && result.id)
    tp_sym_set(&s, result, tp_sym_eval(u->x, &s, e->a));
  tp_ways_see(u->ways, &s, id);
  u->x->visit = e->kind == TP_E_ALLOC ? visit_of(f, position) : 0;
  tp_sym_step(u->x, &s, id);
  note_exit(f, position, tp_wto_position(&f->plan->wto, e->to), !tp_guard_is_false(s.guard));
  arrive(f, position, e->to, s);
}

/* Counts worth a question to the solver: 1, 2, 3, 4, 6, 8, 12, 16, 24, ... */
static bool is_milestone(uint64_t n) {
  while (n > 3 && n % 2 == 0) n /= 2;
  return n <= 3;
}

static void cut_loop(tp_unroll *u, frame *f, const loop_state *l, tp_loc head, tp_syms *ways) {
  tp_sym all = take_joined(u, ways);
  add_cut(u, TP_CUT_LOOP, all.guard, f, head, l->iterations);
  tp_sym_clear(&all);
}

/* Another iteration begins, on all ways. */
static void serve_turn(tp_unroll *u, size_t at, uint32_t component, tp_syms *ways) {
  frame *f = &u->frames.at[at];
  const tp_wto_component *c = &f->plan->wto.components.at[component];
  loop_state *l = &f->loops[component];
  uint64_t most = 0;
  bool counts = l->left || !l->stayed, goes_on = false;
  l->left = l->stayed = false;
  if (counts && l->counted + 1 > u->o.bound) {
    cut_loop(u, f, l, c->head, ways);
    return;
  }
  l->counted += counts;
  for (size_t i = 0; i < ways->n; i++) {
    if (counts && is_milestone(l->counted) &&
        !u->o.feasible(u->o.ctx, tp_guard_term(&u->x->guards, ways->at[i].guard)))
      tp_sym_clear(&ways->at[i]);
    else
      goes_on = true;
  }
  if (!goes_on) return;
  l->iterations++;
  (void)tp_map_get(&u->most_iterations, c->head.id, &most);
  if (l->iterations > most) tp_map_set(&u->most_iterations, c->head.id, l->iterations);
  for (size_t i = 0; i < ways->n; i++) serve_location(u, at, c->first, ways->at[i]);
}

static void start_loops(frame *f, uint32_t position) {
  const tp_wto *w = &f->plan->wto;
  for (uint32_t c = w->inner.at[position]; c && w->components.at[c].first == position;
       c = w->components.at[c].parent)
    f->loops[c] = (loop_state){0};
}

/* One slot of the frame on top. */
static void serve(tp_unroll *u) {
  const size_t at = u->frames.n - 1;
  frame *f = &u->frames.at[at];
  const uint32_t slot = heap_pop(f), what = f->plan->slots.at[slot];
  const tp_wto *w = &f->plan->wto;
  const bool is_turn = what & TP_SLOT_ITERATION;
  const tp_loc here =
      is_turn ? w->components.at[what & ~TP_SLOT_ITERATION].head : w->order.at[what];
  tp_syms ways = take_ways(u, &f->slots[slot], here);
  if (is_turn) {
    serve_turn(u, at, what & ~TP_SLOT_ITERATION, &ways);
  } else {
    start_loops(f, what);
    for (size_t i = 0; i < ways.n; i++) serve_location(u, at, what, ways.at[i]);
  }
  tp_vec_clear(&ways);
}

/* The first look at a frame: bound the recursion, hand over the arguments. */
static void begin_frame(tp_unroll *u) {
  size_t at = u->frames.n - 1;
  frame *f = &u->frames.at[at];
  if (!start(u, f)) {
    drop_states(f);
    finish(u, false);
    return;
  }
  if (f->caller != SIZE_MAX)
    bind_parameters(u, f, &f->slots[f->plan->slot_of_position.at[0]].at[0]);
}

// ------------------------------------------------------------------------- whole

static bool out_of_steps(tp_unroll *u, uint64_t iteration) {
  if (u->o.steps && u->x->edges_done - u->first_edge > u->o.steps) return true;
  return iteration % TP_PROOF_UNROLL_LOOK == 0 && u->o.stop && u->o.stop(u->o.ctx);
}

static void reset(tp_unroll *u) {
  while (u->frames.n) {
    frame f = tp_vec_pop(&u->frames);
    drop_states(&f);
    tp_vec_push(&u->spare.at[f.func.id], f);
  }
  u->activities.n = 0;
  tp_vec_resize(&u->activities, u->p->funcs.n);
  if (u->spare.n < u->p->funcs.n) tp_vec_resize(&u->spare, u->p->funcs.n);
  u->errors.n = u->cuts.n = u->entered.n = 0;
  tp_map_clear(&u->most_iterations);
  tp_map_clear(&u->visited);
  u->stopped = false;
}

void tp_unroll_run(tp_unroll *u, tp_unroll_options options) {
  TP_REQUIRE(options.bound > 0 && options.feasible);
  u->o = options;
  reset(u);
  tp_symex_restart(u->x);
  tp_ways_restart(u->ways);
  u->first_edge = u->x->edges_done;
  push_frame(u, u->p->main, tp_sym_initial(u->x), SIZE_MAX, TP_EDGE_NONE);
  for (uint64_t iteration = 1; u->frames.n; iteration++) {
    frame *top = &tp_vec_last(&u->frames);
    if (out_of_steps(u, iteration)) {
      tp_vec_push(&u->cuts,
                  (tp_cut){TP_CUT_STEPS, tp_mk_true(u->x->tt), top->func, TP_LOC_NONE, 0});
      break;
    }
    if (!top->started)
      begin_frame(u);
    else if (top->heap.n)
      serve(u);
    else
      finish(u, true);
  }
  while (u->frames.n) {
    frame f = tp_vec_pop(&u->frames);
    drop_states(&f);
    tp_vec_push(&u->spare.at[f.func.id], f);
  }
}

tp_unroll *tp_unroll_new(tp_symex *x) {
  tp_unroll *u = TP_NEW(tp_unroll);
  u->x = x;
  u->p = x->p;
  u->ways = tp_ways_new(x);
  tp_locals_init(&u->locals, x->p);
  return u;
}

void tp_unroll_free(tp_unroll *u) {
  reset(u);
  for (size_t f = 0; f < u->spare.n; f++) {
    frame_list *spare = &u->spare.at[f];
    for (size_t i = 0; i < spare->n; i++) free_frame(&spare->at[i]);
    tp_vec_clear(spare);
  }
  for (size_t i = 0; i < u->plans.n; i++) tp_unroll_plan_free(u->plans.at[i]);
  tp_ways_free(u->ways);
  tp_locals_clear(&u->locals);
  tp_vec_clear(&u->frames);
  tp_vec_clear(&u->spare);
  tp_vec_clear(&u->plans);
  tp_vec_clear(&u->activities);
  tp_vec_clear(&u->errors);
  tp_vec_clear(&u->cuts);
  tp_vec_clear(&u->entered);
  tp_free(u);
}

const tp_hit *tp_unroll_errors(const tp_unroll *u, size_t *n) {
  return *n = u->errors.n, u->errors.at;
}
const tp_cut *tp_unroll_cuts(const tp_unroll *u, size_t *n) { return *n = u->cuts.n, u->cuts.at; }
tp_term tp_unroll_visited(const tp_unroll *u, tp_loc l) {
  uint64_t id = 0;
  return tp_map_get(&u->visited, l.id, &id) ? (tp_term){(uint32_t)id} : TP_TERM_NONE;
}
uint64_t tp_unroll_locations(const tp_unroll *u) { return u->served; }

void tp_unroll_describe(const tp_unroll *u, tp_unrolling *out) {
  for (size_t i = 0; i < u->entered.n; i++) {
    tp_func f = {u->entered.at[i]};
    const tp_wto *w = &u->plans.at[f.id]->wto;
    for (uint32_t c = 1; c < w->components.n; c++) {
      uint64_t iterations = 0;
      (void)tp_map_get(&u->most_iterations, w->components.at[c].head.id, &iterations);
      tp_vec_push(&out->loops, (tp_cert_loop){f, w->components.at[c].head, iterations});
    }
    if (u->activities.at[f.id].most > 1)
      tp_vec_push(&out->depths, (tp_cert_depth){f, u->activities.at[f.id].most});
  }
}
