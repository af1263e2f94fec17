/* Recording a run as events.
 *
 * The observer sees every edge before it is taken; the value an edge gave to a variable is read
 * when the next edge of the same frame comes. Consecutive edges of one line in one frame make one
 * event; a loop head starts a new one, so that turns can be told apart. Library models are not the
 * user's code: what they do belongs to the line that called.
 *
 * Folding is decided on the way: each activation of a loop remembers where its third turn began and
 * where the last two began, which is all that the teller needs.
 *
 * A first run counts the events; the second keeps only the first and the last
 * TP_REPORT_KEPT_EVENTS.
 *
 * A very long run is looked at at both ends only. In between it runs by itself (exec/runner.h),
 * once; what began before the middle is taken to end there, and what is seen behind it starts anew
 * from the frames that are active then. */
#include "report/error_path_priv.h"

#include "exec/runner.h"
#include "program/access.h"
#include "report/report_limits.h"

#include <stdlib.h>

typedef struct {
  uint32_t frame;  // depth of the machine's frame
  uint32_t loop;
  uint64_t arrivals, third;  // serial of the third arrival at the head
  uint64_t last[3];          // serials of the last three arrivals, newest first
} activation;

typedef struct {
  tp_recording *r;
  bool keeps;      // second run
  uint64_t total;  // events counted by the first
  TP_VEC(activation) loops;
  TP_VEC(tp_edge) calls;  // calls.at[d]: the call edge that made frame d + 2
  uint32_t models;        // depth of the outermost frame of a library model, 0: none
  tp_func model;          // its function
  // the edge whose effect is not seen yet
  tp_edge pending;
  uint32_t pending_frame;
  tp_path_event current;
  uint32_t current_frame;
  bool has_current, head_seen;
  TP_VEC(tp_edge)
  last_calls;  // by depth of frame: its last call or input, for the order of evaluation
} recorder;

static bool is_kept(const recorder *k, uint64_t serial) {
  return k->keeps && (serial < TP_REPORT_KEPT_EVENTS || serial + TP_REPORT_KEPT_EVENTS >= k->total);
}

/* The user's call that the run is in a library model for, or NONE. */
static tp_edge models_call(const recorder *k) {
  return k->models >= 2 && k->models - 2 < k->calls.n ? k->calls.at[k->models - 2] : TP_EDGE_NONE;
}

// --------------------------------------------------------------------- changes

static bool is_users(const tp_program *p, tp_var v) {
  TP_REQUIRE(v.id > 0 && v.id < p->vars.n);
  tp_var_kind kind = tp_var_of(p, v)->kind;
  const bool is_hidden =
      strncmp(tp_var_of(p, v)->name, TP_HIDDEN_PREFIX, strlen(TP_HIDDEN_PREFIX)) == 0;
  return kind != TP_V_TEMP && kind != TP_V_GHOST && !tp_var_of(p, v)->is_address && !is_hidden;
}

static void add_change(recorder *k, tp_change c) {
  TP_REQUIRE(k->has_current);  // a change belongs to an event
  if (!is_kept(k, k->current.serial)) return;
  tp_vec_push(&k->r->changes, c);
  k->current.n_changes++;
}

static bool is_input_edge(const tp_edge_info *e) {
  return e->kind == TP_E_HAVOC && e->input != TP_I_INDETERMINATE;
}

/* The value that edge e gave to its variable, now that it has been taken. */
static void record_variable(recorder *k, const tp_state *s, tp_edge edge) {
  const tp_program *p = k->r->program;
  const tp_edge_info *e = tp_edge_of(p, edge);
  tp_value v;
  if (e->kind == TP_E_ALLOC && tp_state_value(s, e->var, &v) == TP_OK)
    tp_map_set(&k->r->names.alloc_of, v.object, edge.id);
  if (!e->var.id || !is_users(p, e->var) || k->models || tp_state_value(s, e->var, &v) != TP_OK)
    return;
  if (e->kind == TP_E_HAVOC && e->input == TP_I_INDETERMINATE) return;
  if (e->kind == TP_E_ASSIGN && e->name && strcmp(e->name, TP_LIFETIME_ENDS) == 0) return;
  add_change(k, (tp_change){.kind = TP_CHANGE_VAR,
                            .var = e->var,
                            .edge = edge,
                            .value = v,
                            .is_input = is_input_edge(e)});
}

/* The effect of the last edge; returns the call that it ended, or NONE. */
static tp_edge record_effect(recorder *k, const tp_state *s, uint32_t frame) {
  TP_REQUIRE(frame > 0);
  if (k->pending.id && k->pending_frame == frame) record_variable(k, s, k->pending);
  k->pending = TP_EDGE_NONE;
  tp_edge call = TP_EDGE_NONE;
  while (k->calls.n + 1 > frame) call = tp_vec_pop(&k->calls);
  return call;
}

/* Not the user's: into slots for extra arguments, or where main's arguments are made. */
static bool is_hidden_store(const tp_program *p, const tp_edge_info *e) {
  tp_access a;
  if (tp_access_of(p, e->a, &a) && a.var.id && tp_var_of(p, a.var)->kind == TP_V_TEMP &&
      tp_var_of(p, a.var)->is_address)
    return true;
  tp_pos start = tp_func_of(p, tp_loc_of(p, e->from)->func)->pos;
  return e->pos.line == start.line && e->pos.column == start.column;
}

static bool frame_is_called(const recorder *k) { return k->calls.n > 0; }

static void record_store_or_return(recorder *k, const tp_state *s, tp_edge edge) {
  const tp_edge_info *e = tp_edge_of(k->r->program, edge);
  tp_value v;
  if (e->kind == TP_E_RETURN && tp_term_is(e->a) && !k->models && frame_is_called(k) &&
      tp_state_eval(s, e->a, &v) == TP_OK)
    add_change(k, (tp_change){.kind = TP_CHANGE_RETURN, .edge = edge, .value = v});
  if (e->kind != TP_E_STORE || k->models || is_hidden_store(k->r->program, e) ||
      tp_state_eval(s, e->b, &v) != TP_OK)
    return;
  tp_value address = {0};
  if (tp_state_eval(s, e->a, &address) != TP_OK) address = (tp_value){0};
  add_change(k, (tp_change){.kind = TP_CHANGE_STORE, .edge = edge, .value = v, .address = address});
}

// ---------------------------------------------------------------------- events

static void close_event(recorder *k) {
  if (k->has_current && is_kept(k, k->current.serial)) tp_vec_push(&k->r->events, k->current);
  k->has_current = false;
}

static void open_event(recorder *k, tp_pos pos, tp_func func, uint32_t frame, bool enters) {
  TP_REQUIRE(func.id && func.id < k->r->program->funcs.n);
  close_event(k);
  k->current = (tp_path_event){.serial = k->r->n_events++,
                               .pos = pos,
                               .func = func,
                               .depth = frame,
                               .enters = enters,
                               .first_change = k->r->changes.n};
  k->current_frame = frame;
  k->has_current = true;
}

/* A user's function has just been entered: its parameters are an event of their own. */
static void enter_function(recorder *k, const tp_state *s, tp_func func, uint32_t frame) {
  const tp_program *p = k->r->program;
  const tp_func_info *f = tp_func_of(p, func);
  open_event(k, f->pos, func, frame, true);
  k->current.loc = f->entry;
  for (uint32_t i = 0; i < f->n_params; i++) {
    tp_value v;
    if (is_users(p, f->params[i]) && tp_state_value(s, f->params[i], &v) == TP_OK)
      add_change(k, (tp_change){.kind = TP_CHANGE_PARAM, .var = f->params[i], .value = v});
  }
}

// ----------------------------------------------------------------------- loops

static bool is_inside(const tp_program *p, uint32_t loop, uint32_t outer) {
  for (; loop; loop = p->loops.at[loop].parent)
    if (loop == outer) return true;
  return false;
}

static void end_activation(recorder *k, const activation *a) {
  if (!k->keeps || a->arrivals < 6 + TP_REPORT_FOLDED_ITERATIONS) return;
  const tp_loop *l = &k->r->program->loops.at[a->loop];
  tp_pos pos = tp_pos_known(l->pos) ? l->pos : tp_loc_of(k->r->program, l->head)->pos;
  TP_INVARIANT(a->third <= a->last[2] && a->last[2] <= a->last[1] && a->last[1] <= a->last[0]);
  tp_vec_push(&k->r->folds, (tp_fold){.from = a->third,
                                      .to = a->last[2],
                                      .turns = a->arrivals - 5,
                                      .loop = pos,
                                      .depth = a->frame});
}

/* Close activations that the run has left. */
static void leave_loops(recorder *k, tp_loc loc, uint32_t frame) {
  const tp_program *p = k->r->program;
  while (k->loops.n > 0) {
    const activation *a = &tp_vec_last(&k->loops);
    if (a->frame < frame || (a->frame == frame && is_inside(p, tp_loc_of(p, loc)->loop, a->loop)))
      return;
    end_activation(k, a);
    k->loops.n--;
  }
}

static void arrive_at_head(recorder *k, tp_loc loc, uint32_t frame) {
  uint32_t loop = tp_loc_of(k->r->program, loc)->loop;
  TP_REQUIRE(loop != 0);
  bool is_new = k->loops.n == 0 || tp_vec_last(&k->loops).frame != frame ||
                tp_vec_last(&k->loops).loop != loop;
  if (is_new) tp_vec_push(&k->loops, (activation){.frame = frame, .loop = loop});
  activation *a = &tp_vec_last(&k->loops);
  a->arrivals++;
  if (a->arrivals == 3) a->third = k->current.serial;
  a->last[2] = a->last[1];
  a->last[1] = a->last[0];
  a->last[0] = k->current.serial;
}

// ------------------------------------------------------------ order of evaluation

/* Two calls on one line, with nothing between them that orders them. */
static bool is_unordered(const tp_program *p, tp_pos a, tp_pos b) {
  if (a.file != b.file || a.line != b.line || a.column == 0 || b.column <= a.column) return false;
  const char *line = tp_diag_source_line(p->diag, a.file, a.line);
  if (!line || strlen(line) < b.column) return false;
  for (const char *c = line + a.column; c < line + b.column; c++)
    if (*c == ';' || *c == '{' || *c == '}' || *c == '?' || (c[0] == '&' && c[1] == '&') ||
        (c[0] == '|' && c[1] == '|'))
      return false;
  return true;
}

static void record_order(recorder *k, tp_edge edge, uint32_t frame) {
  const tp_program *p = k->r->program;
  const tp_edge_info *e = tp_edge_of(p, edge);
  bool has_effect =
      e->kind == TP_E_CALL ||
      (e->kind == TP_E_HAVOC && e->input != TP_I_INDETERMINATE && e->input != TP_I_VOLATILE);
  if (!has_effect || k->models) return;
  if (k->last_calls.n <= frame) tp_vec_resize(&k->last_calls, frame + 1);
  tp_edge before = k->last_calls.at[frame];
  if (before.id && k->r->order.n == 0 && is_unordered(p, tp_edge_of(p, before)->pos, e->pos))
    tp_pos_print(p->diag, e->pos, &k->r->order);
  k->last_calls.at[frame] = edge;
}

// --------------------------------------------------------------------- guesses

/* What a model guesses (`~` in front of the name) matters unless it is only the number of
 * characters written to a stream, and the user's call drops it. */
static void record_guess(recorder *k, tp_edge edge) {
  const tp_program *p = k->r->program;
  const tp_edge_info *e = tp_edge_of(p, edge);
  if ((e->kind != TP_E_HAVOC && e->kind != TP_E_HAVOC_MEMORY) || !e->name || e->name[0] != '~')
    return;
  bool is_count = e->kind == TP_E_HAVOC &&
                  strcmp(tp_func_of(p, tp_loc_of(p, e->from)->func)->name, "__tp_written") == 0;
  tp_edge call = models_call(k);
  bool is_dropped = call.id && !tp_edge_of(p, call)->var.id;
  if (!is_count || !is_dropped) k->r->guesses_matter = true;
}

// ------------------------------------------------------------------ the observer

/* A call has come back: what it assigns belongs to its own line. */
static void record_result(recorder *k, const tp_state *s, tp_edge call, uint32_t frame) {
  const tp_edge_info *e = tp_edge_of(k->r->program, call);
  if (!e->var.id || !is_users(k->r->program, e->var)) return;
  bool same = k->has_current && k->current_frame == frame && k->current.pos.line == e->pos.line &&
              k->current.pos.file == e->pos.file;
  if (!same) {
    open_event(k, e->pos, tp_loc_of(k->r->program, e->from)->func, frame, false);
    k->current.loc = e->from;
  }
  record_variable(k, s, call);
}

static bool is_model_frame(const tp_program *p, tp_loc loc) {
  return tp_func_of(p, tp_loc_of(p, loc)->func)->is_model;
}

static bool on_edge(void *ctx, const tp_state *s, tp_edge edge) {
  recorder *k = ctx;
  const tp_program *p = k->r->program;
  const tp_edge_info *e = tp_edge_of(p, edge);
  uint32_t frame = (uint32_t)tp_state_depth(s);
  bool entered = frame > k->calls.n + 1 && k->pending.id;
  if (k->models && frame < k->models) k->models = 0;
  if (entered) {
    tp_vec_push(&k->calls, k->pending);
    k->pending = TP_EDGE_NONE;
    if (k->last_calls.n > frame) k->last_calls.at[frame] = TP_EDGE_NONE;
    if (!k->models && is_model_frame(p, e->from)) {
      k->models = frame;
      k->model = tp_loc_of(p, e->from)->func;
    }
    if (!k->models) enter_function(k, s, tp_loc_of(p, e->from)->func, frame);
  }
  tp_edge ended = record_effect(k, s, frame);
  record_guess(k, edge);
  if (!k->models) {
    leave_loops(k, e->from, frame);
    if (ended.id) record_result(k, s, ended, frame);
    bool is_head = tp_loc_of(p, e->from)->is_loop_head;
    tp_pos pos = tp_pos_known(e->pos) ? e->pos : k->current.pos;
    bool same = k->has_current && k->current_frame == frame && !k->current.enters &&
                pos.line == k->current.pos.line && pos.file == k->current.pos.file;
    if (!same || is_head) {
      open_event(k, pos, tp_loc_of(p, e->from)->func, frame, false);
      k->current.loc = e->from;
    }
    if (is_head) arrive_at_head(k, e->from, frame);
    record_store_or_return(k, s, edge);
    record_order(k, edge, frame);
  }
  if (k->keeps) {
    tp_edge call = models_call(k);
    tp_lifetimes_record(&k->r->lifetimes, p, s, edge, call.id ? tp_edge_of(p, call)->pos : e->pos);
    if (tp_loc_of(p, e->to)->error != TP_P_NONE)
      tp_failure_describe(p, s, edge, &k->r->lifetimes, &k->r->message, &k->r->notes);
  }
  k->pending = edge;
  k->pending_frame = frame;
  return true;
}

/* The innermost call that the user's text makes, for an error in a library model; NONE for one in
 * the user's text, callbacks of models included. */
static tp_edge failing_call(const recorder *k, const tp_loc_info *error) {
  const tp_program *p = k->r->program;
  if (!k->models || !tp_func_of(p, error->func)->is_model) return TP_EDGE_NONE;
  for (size_t i = k->calls.n; i-- > 0;)
    if (!is_model_frame(p, tp_edge_of(p, k->calls.at[i])->from)) return k->calls.at[i];
  return TP_EDGE_NONE;
}

/* The end: the error location has no edges, but it is a place in the source; for an error in a
 * library model it is the user's call. */
static void record_error(recorder *k, tp_loc loc) {
  const tp_loc_info *l = tp_loc_of(k->r->program, loc);
  tp_recording *r = k->r;
  tp_edge call = failing_call(k, l);
  tp_pos pos = call.id ? tp_edge_of(r->program, call)->pos : l->pos;
  if (tp_pos_known(pos) &&
      (!k->has_current || pos.line != k->current.pos.line || pos.file != k->current.pos.file))
    open_event(k, pos, l->func, k->models ? k->models - 1 : (uint32_t)k->calls.n + 1, false);
  if (!k->current.loc.id) k->current.loc = call.id ? tp_edge_of(r->program, call)->from : loc;
  k->current.error = loc;
  r->error_pos = pos;
  r->error_func =
      call.id ? tp_loc_of(r->program, tp_edge_of(r->program, call)->from)->func : l->func;
  if (!r->message.n) tp_str_add(&r->message, l->message ? l->message : tp_property_name(l->error));
  if (call.id) tp_str_printf(&r->message, ", in %s", tp_func_of(r->program, k->model)->name);
}

/* The middle of a long run: once run, its end is remembered. */
typedef struct {
  uint64_t total;    // steps of the run; 0: it is seen as a whole
  tp_state *behind;  // NULL: not run yet
  size_t n_inputs;   // asked for by then
} middle;

/* Everything that is going on ends; the frames that are active now are those of the state. */
static void start_anew(recorder *k, const tp_state *s, uint64_t unseen) {
  const tp_program *p = k->r->program;
  while (k->loops.n > 0) end_activation(k, &tp_vec_pop(&k->loops));
  close_event(k);
  k->pending = TP_EDGE_NONE;
  k->calls.n = k->last_calls.n = 0;
  k->models = 0;
  for (uint32_t i = 1; i < tp_state_depth(s); i++) {
    tp_edge call;
    tp_func f = tp_state_frame(s, i, &call);
    tp_vec_push(&k->calls, call);
    if (k->models || !tp_func_of(p, f)->is_model) continue;
    k->models = i + 1;
    k->model = f;
  }
  k->r->unseen_steps = unseen;
  k->r->unseen_at = k->r->n_events;
}

static tp_state *run_middle(const tp_program *p, const tp_state *from, tp_oracle *oracle,
                            tp_run_limits limits) {
  tp_state *s = tp_state_copy(from);
  tp_runner *runner = tp_runner_new(p, (tp_runner_options){0});
  (void)tp_runner_run(runner, s, oracle, limits, NULL);
  tp_runner_free(runner);
  return s;
}

static tp_run_result run_ends(recorder *k, middle *m, tp_state *s, tp_vector_oracle *vector,
                              tp_run_limits limits) {
  const tp_program *p = k->r->program;
  tp_oracle oracle = tp_oracle_of_vector(vector);
  tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = k, .edge = on_edge};
  tp_run_limits first = limits, unseen = limits;
  first.steps = TP_REPORT_SEEN_STEPS;
  unseen.steps = m->total - 2 * (uint64_t)TP_REPORT_SEEN_STEPS;
  bool und = tp_exec_run(p, s, &oracle, first, &observer).used_indeterminate;
  if (!m->behind) {
    m->behind = run_middle(p, s, &oracle, unseen);
    m->n_inputs = vector->next;
  }
  tp_state *last = tp_state_copy(m->behind);
  vector->next = m->n_inputs;
  start_anew(k, last, unseen.steps);
  tp_run_result r = tp_exec_run(p, last, &oracle, limits, &observer);
  tp_state_free(last);
  r.used_indeterminate |= und;
  return r;
}

static tp_run_result run_once(recorder *k, middle *m, const tp_inputs *inputs,
                              tp_run_limits limits) {
  tp_vector_oracle vector = {.in = inputs};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = k, .edge = on_edge};
  tp_state *s = tp_state_initial(k->r->program);
  tp_run_result result = m->total ? run_ends(k, m, s, &vector, limits)
                                  : tp_exec_run(k->r->program, s, &oracle, limits, &observer);
  tp_state_free(s);
  while (k->loops.n > 0) end_activation(k, &tp_vec_pop(&k->loops));
  if (result.end == TP_END_ERROR) record_error(k, result.loc);
  close_event(k);
  tp_vec_clear(&k->last_calls);
  tp_vec_clear(&k->loops);
  tp_vec_clear(&k->calls);
  return result;
}

static int by_from(const void *a, const void *b) {
  const tp_fold *x = a, *y = b;
  if (x->from != y->from) return x->from < y->from ? -1 : 1;
  return x->to > y->to ? -1 : x->to < y->to;  // the outer one first
}

/* Of what happened out of sight nothing is known; a guess of a model may have been used there. */
static bool has_guess(const tp_inputs *inputs) {
  for (size_t i = 0; i < inputs->v.n; i++)
    if (tp_input_is_guess(&inputs->v.at[i])) return true;
  return false;
}

void tp_record_run(const tp_program *p, const tp_inputs *inputs, tp_run_limits limits,
                   uint64_t steps, tp_recording *out) {
  memset(out, 0, sizeof *out);
  out->program = out->names.program = p;
  out->inputs = inputs;
  recorder count = {.r = out};
  middle m = {.total = steps > TP_REPORT_LONG_RUN_STEPS ? steps : 0};
  run_once(&count, &m, inputs, limits);
  uint64_t total = out->n_events;
  out->n_events = 0;
  tp_str_clear(&out->order);
  tp_str_clear(&out->message);
  recorder keep = {.r = out, .keeps = true, .total = total};
  out->run = run_once(&keep, &m, inputs, limits);
  tp_state_free(m.behind);
  out->run.steps += m.total ? m.total - TP_REPORT_SEEN_STEPS : 0;
  out->guesses_matter |= m.total && has_guess(inputs);
  if (total > 2 * (uint64_t)TP_REPORT_KEPT_EVENTS) {
    out->gap_from = TP_REPORT_KEPT_EVENTS;
    out->gap_to = total - TP_REPORT_KEPT_EVENTS;
  }
  if (out->folds.n) qsort(out->folds.at, out->folds.n, sizeof *out->folds.at, by_from);
}

void tp_recording_clear(tp_recording *r) {
  tp_vec_clear(&r->events);
  tp_vec_clear(&r->changes);
  tp_vec_clear(&r->folds);
  tp_map_clear(&r->names.alloc_of);
  tp_lifetimes_clear(&r->lifetimes);
  tp_str_clear(&r->message);
  tp_str_clear(&r->notes);
  tp_str_clear(&r->order);
}
