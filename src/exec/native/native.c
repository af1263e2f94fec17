/* Runs through code and interpreter.
 *
 * The state is loaded: variables into the shared arrays, the words of each frame into the records
 * that its function reads. The code runs until it leaves; then frames and globals are written back,
 * and the state is whole. The interpreter executes the operation that made the code leave, and
 * continues to the next location where code can be entered. Ends, errors and limits are therefore
 * always the interpreter's. If code leaves repeatedly after few steps, the interpreter keeps the
 * run for longer each time. */
#include "exec/native/native_priv.h"

#include "exec/exec_limits.h"

// ------------------------------------------------------------------- preparing

static void find_entries(tp_native *n) {
  const tp_program *p = n->p;
  n->is_entry = tp_arena_array(&n->arena, bool, p->locs.n + 1);
  n->is_compiled = tp_arena_array(&n->arena, bool, p->funcs.n + 1);
  n->watch_of_loc = tp_arena_array(&n->arena, uint32_t, p->locs.n + 1);
  for (size_t l = 1; l < p->locs.n; l++)
    n->is_entry[l] = p->locs.at[l].is_cutpoint && p->locs.at[l].order != TP_ORDER_NONE;
  size_t most = 0;
  for (uint32_t f = 1; f < p->funcs.n; f++) {
    if (p->funcs.at[f].has_body && p->funcs.at[f].entry.id)
      n->is_entry[p->funcs.at[f].entry.id] = true;
    size_t slots = tp_code_slots(n->code, (tp_func){f}).n;
    if (slots > most) most = slots;
  }
  size_t frames = ((size_t)3 << 20) / (most * 96 + 1024);  // plain, and entered again
  n->max_frames = frames > 4000 ? 4000 : (uint32_t)frames;
}

/* Where a run goes without a decision; 0: nowhere. */
static uint32_t only_next(const tp_program *p, uint32_t l) {
  tp_edge_list out = tp_out_edges(p, (tp_loc){l});
  return out.n == 1 ? p->edges.at[out.at[0]].to.id : 0;
}

/* The step counter is looked at when a word of decisions is full: between them there are chains of
 * edges, and cycles, which code looks at. */
static void find_slack(tp_native *n) {
  const tp_program *p = n->p;
  n->is_endless = tp_arena_array(&n->arena, bool, p->locs.n + 1);
  uint32_t longest = 0, *length = TP_NEW_ARRAY(uint32_t, p->locs.n + 1),
           *seen = TP_NEW_ARRAY(uint32_t, p->locs.n + 1);
  TP_VEC(uint32_t) chain = {0};
  for (uint32_t l = 1; l < p->locs.n; l++) {
    uint32_t at = l;
    for (chain.n = 0; at && !seen[at]; at = only_next(p, at)) {
      seen[at] = l;
      tp_vec_push(&chain, at);
    }
    for (uint32_t round = at; round && seen[round] == l && !n->is_endless[round];
         round = only_next(p, round))
      n->is_endless[round] = true;
    uint32_t behind = at ? length[at] : 0;
    while (chain.n) {
      uint32_t from = chain.at[--chain.n];
      tp_edge_list out = tp_out_edges(p, (tp_loc){from});
      bool calls = out.n == 1 && p->edges.at[out.at[0]].kind == TP_E_CALL;
      length[from] = behind += calls ? 1 + TP_EXEC_NATIVE_INLINED : 1;
    }
    if (behind > longest) longest = behind;
  }
  n->slack = 64 * (longest + 2);
  tp_vec_clear(&chain);
  tp_free(length);
  tp_free(seen);
}

/* Globals that an edge can leave indeterminate, or that start so. Others have a mark only by the
 * interpreter: then it keeps the run. */
static void find_marked_globals(tp_native *n) {
  const tp_program *p = n->p;
  const tp_slot_list list = tp_code_slots(n->code, TP_FUNC_NONE);
  n->may_mark = tp_arena_array(&n->arena, bool, list.n + 1);
  for (size_t i = 0; i < list.n; i++)
    n->may_mark[i] = !tp_term_is(tp_var_of(p, list.var[i])->initial);
  for (size_t i = 1; i < p->edges.n; i++) {
    const tp_edge_info *e = &p->edges.at[i];
    if (e->kind == TP_E_HAVOC && e->input == TP_I_INDETERMINATE && e->var.id &&
        n->code->var_is_global[e->var.id])
      n->may_mark[n->code->slot_of_var[e->var.id]] = true;
  }
}

static bool is_supported(const tp_program *p, tp_str *why) {
  for (uint32_t l = 1; l < p->locs.n; l++) {
    tp_edge_list out = tp_out_edges(p, (tp_loc){l});
    for (uint32_t i = 0; i < out.n && out.n > 1; i++)
      if (p->edges.at[out.at[i]].kind != TP_E_ASSUME)
        return tp_str_add(why, "branches that are no assumptions"), false;
  }
  return true;
}

tp_native *tp_native_new(const tp_program *p, tp_native_variant variant, tp_str *why) {
  if (!is_supported(p, why)) return NULL;
  tp_native *n = TP_NEW(tp_native);
  n->p = p;
  n->variant = variant;
  n->code = tp_code_new(p);
  tp_arena_init(&n->arena);
  tp_arena_init(&n->frames);
  n->uses = tp_arena_array(&n->arena, uint8_t, p->statics.n + 1);
  n->is_irregular = tp_arena_array(&n->arena, bool, p->statics.n + 1);
  find_entries(n);
  find_slack(n);
  find_marked_globals(n);
  if (variant == TP_NATIVE_TRACE && tp_native_compile(n, why) != TP_OK) {
    tp_native_free(n);
    return NULL;
  }
  return n;
}

static void drop_code(tp_native *n) {
  LLVMErrorRef err = n->jit ? LLVMOrcDisposeLLJIT(n->jit) : NULL;
  if (err) LLVMConsumeError(err);
  n->jit = NULL;
  n->start = NULL;
  n->described = 0;
}

void tp_native_free(tp_native *n) {
  if (!n) return;
  drop_code(n);
  for (size_t i = 0; i < n->watched.n; i++) tp_map_clear(&n->watched.at[i].seen);
  tp_vec_clear(&n->watched);
  tp_vec_clear(&n->in);
  tp_vec_clear(&n->out);
  tp_vec_clear(&n->kept);
  tp_arena_clear(&n->frames);
  tp_arena_clear(&n->arena);
  tp_code_drop(n->code);
  tp_free(n);
}

double tp_native_compile_s(const tp_native *n) { return n->compile_s; }

void tp_native_count_visits(tp_native *n, const tp_visits *like) {
  TP_INVARIANT(n->variant == TP_NATIVE_RESUME && !n->start);
  n->counts = like;
}

typedef struct {
  const tp_native *n;
  tp_func func;
  bool ok;
} in_scope;

static void visit_variable(void *ctx, tp_term symbol) {
  in_scope *s = ctx;
  tp_var v = tp_program_var_of(s->n->p, symbol);
  tp_func f = v.id ? tp_var_of(s->n->p, v)->func : TP_FUNC_NONE;
  if (!v.id || (f.id && f.id != s->func.id)) s->ok = false;
}

tp_status tp_native_monitor(tp_native *n, tp_loc at, const tp_term *predicates, size_t count,
                            tp_str *why) {
  if (n->variant != TP_NATIVE_RESUME || n->start || count > 64 || !n->is_entry[at.id] ||
      n->watch_of_loc[at.id]) {
    tp_str_add(why,
               "only cutpoints are watched, once, by at most 64 predicates, before the first run");
    return TP_ERR_ARG;
  }
  in_scope s = {n, tp_loc_of(n->p, at)->func, true};
  for (size_t i = 0; i < count; i++) tp_for_vars(n->p->terms, predicates[i], visit_variable, &s);
  if (!s.ok) {
    tp_str_add(why, "a predicate over variables that are not in scope");
    return TP_ERR_ARG;
  }
  tp_native_monitored w = {
      .at = at, .n = count, .predicates = tp_arena_array(&n->arena, tp_term, count + 1)};
  if (count) memcpy(w.predicates, predicates, count * sizeof *predicates);
  tp_vec_push(&n->watched, w);
  n->watch_of_loc[at.id] = (uint32_t)n->watched.n;
  return TP_OK;
}

// ----------------------------------------------------------------- state to code

/* Contents that code may write: not shared, not missing. */
static void own_contents(const tp_native *n) {
  tp_state *s = n->s;
  for (uint32_t i = 1; i < s->objects.n; i++) {
    const tp_object *o = &s->objects.at[i];
    if (!o->live || o->is_const || o->kind == TP_O_FUNCTION || !o->size) continue;
    bool is_written = i < n->p->statics.n && n->uses[i] & TP_USE_WRITE;
    if (!o->content ||
        (o->content->refs > 1 && (is_written || o->size <= TP_EXEC_NATIVE_COPIED_BYTES)))
      (void)tp_memory_write(s, i);
  }
}

static void describe_all(tp_native *n) {
  size_t count =
      n->s->objects.n < TP_EXEC_NATIVE_OBJECTS ? n->s->objects.n : TP_EXEC_NATIVE_OBJECTS;
  for (size_t i = count; i < n->described; i++) n->objects[i] = (tp_native_object){0};
  n->described = 0;
  for (uint32_t i = 1; i < count; i++) tp_native_describe(n, i);
  n->rt->n_heap = n->s->n_heap;
}

/* Are all statics plain that the code assumes to be plain? The others are odd from now on. */
static bool statics_hold(tp_native *n) {
  bool hold = true;
  for (uint32_t i = 1; i < n->p->statics.n && i < TP_EXEC_NATIVE_OBJECTS; i++) {
    const tp_native_object *d = &n->objects[i];
    const uint64_t size = n->p->statics.at[i].size_bytes;
    if (!n->uses[i] || (d->plain_r == size && (d->plain_w == size || !(n->uses[i] & TP_USE_WRITE))))
      continue;
    n->is_irregular[i] = true;
    hold = false;
  }
  return hold;
}

tp_status tp_native_prepare(tp_native *n, tp_str *why) {
  if (n->start) return TP_OK;
  if (n->has_failed) return TP_ERR_UNSUPPORTED;
  tp_status st = tp_native_compile(n, why);
  n->has_failed = st != TP_OK;
  if (n->has_failed) drop_code(n);
  return st;
}

static bool compile(tp_native *n) {
  tp_str why = {0};
  bool ok = tp_native_prepare(n, &why) == TP_OK;
  tp_str_clear(&why);
  return ok;
}

/* Generates the code again without the assumptions that did not hold; at last without any. */
static bool compile_again(tp_native *n) {
  drop_code(n);
  memset(n->uses, 0, n->p->statics.n * sizeof *n->uses);
  if (n->n_compiled >= TP_EXEC_NATIVE_COMPILED)
    for (size_t i = 0; i < n->p->statics.n; i++) n->is_irregular[i] = true;
  return compile(n);
}

static uint8_t mark_of(const tp_state *s, size_t slot, uint32_t width) {
  if (!s->marked[slot]) return TP_NATIVE_MARK_NONE;
  return s->shades[slot].und == tp_mask128(width) && !s->shades[slot].origin ? TP_NATIVE_MARK_ALL
                                                                             : TP_NATIVE_MARK_KEPT;
}

static uint32_t width_of(const tp_native *n, tp_var v) {
  return tp_layout_of(n->p, tp_sort_of(n->p->terms, tp_var_of(n->p, v)->term)).width_bits;
}

static bool globals_in(tp_native *n) {
  const tp_slot_list list = tp_code_slots(n->code, TP_FUNC_NONE);
  for (size_t i = 0; i < list.n; i++) {
    uint8_t m = n->s->marked[i] ? mark_of(n->s, i, width_of(n, list.var[i])) : TP_NATIVE_MARK_NONE;
    if (m == TP_NATIVE_MARK_KEPT || (m && !n->may_mark[i])) return false;
    n->globals[i] = n->s->words[i];
    n->global_marks[i] = m;
  }
  return true;
}

static void frames_in(tp_native *n) {
  const tp_state *s = n->s;
  n->in.n = n->kept.n = 0;
  tp_vec_push(&n->in, (tp_native_frame){0});
  tp_vec_resize(&n->kept, s->n_slots);
  for (size_t i = 0; i < s->frames.n; i++) {
    const tp_frame *f = &s->frames.at[i];
    const tp_slot_list list = tp_code_slots(n->code, f->func);
    tp_word *words = tp_arena_array(&n->frames, tp_word, list.n + 1);
    uint8_t *marks = tp_arena_array(&n->frames, uint8_t, list.n + 1);
    for (size_t k = 0; k < list.n; k++) {
      words[k] = s->words[f->base + k];
      marks[k] = mark_of(s, f->base + k, s->marked[f->base + k] ? width_of(n, list.var[k]) : 0);
      if (marks[k] == TP_NATIVE_MARK_KEPT) n->kept.at[f->base + k] = s->shades[f->base + k];
    }
    bool top = i + 1 == s->frames.n;
    uint64_t entry = top ? f->loc.id : n->p->locs.n + f->loc.id;
    tp_vec_push(&n->in, (tp_native_frame){entry, f->func.id, words, marks});
  }
  n->rt->in = n->in.at;
}

// ----------------------------------------------------------------- code to state

static void globals_out(tp_native *n) {
  TP_REQUIRE(n->rt && n->globals);
  const tp_slot_list list = tp_code_slots(n->code, TP_FUNC_NONE);
  for (size_t i = 0; i < list.n; i++) {
    n->s->words[i] = n->globals[i];
    n->s->marked[i] = n->global_marks[i] != TP_NATIVE_MARK_NONE;
    if (n->s->marked[i]) n->s->shades[i] = (tp_shade){tp_mask128(width_of(n, list.var[i])), 0};
  }
}

static void locals_out(tp_native *n, const tp_native_out *o) {
  TP_REQUIRE(o->func.id == tp_state_top(n->s)->func.id);
  tp_state *s = n->s;
  const tp_slot_list list = tp_code_slots(n->code, o->func);
  size_t base = tp_state_top(s)->base;
  for (size_t k = 0; k < list.n; k++) {
    s->words[base + k] = o->words[k];
    s->marked[base + k] = o->marks[k] != TP_NATIVE_MARK_NONE;
    if (o->marks[k] == TP_NATIVE_MARK_ALL)
      s->shades[base + k] = (tp_shade){tp_mask128(width_of(n, list.var[k])), 0};
    if (o->marks[k] == TP_NATIVE_MARK_KEPT) s->shades[base + k] = n->kept.at[base + k];
  }
}

static void frames_out(tp_native *n) {
  TP_REQUIRE(n->out.n > 0);
  tp_state *s = n->s;
  while (s->frames.n) tp_state_pop(s);
  for (size_t i = n->out.n; i-- > 0;) {
    tp_edge call = i + 1 < n->out.n ? n->out.at[i + 1].call : TP_EDGE_NONE;
    tp_state_push(s, n->out.at[i].func, call);
    tp_state_top(s)->loc = n->out.at[i].loc;
    locals_out(n, &n->out.at[i]);
  }
  n->out.n = 0;
}

// ------------------------------------------------------------------------ runs

typedef struct {
  tp_native *n;
  tp_native_new_vector *seen;
  void *ctx;
  uint64_t steps;          // of the run, before the interpreter's part; then within it
  uint64_t here, penalty;  // cutpoints that the interpreter still passes
  tp_path_recorder recorder;
  tp_observer record;
  bool entered;  // the interpreter stopped where code goes on
} run;

/* Reports the vector of a watched location if it is new. */
static void record_vector(run *r, tp_loc at, const tp_state *s) {
  tp_native *n = r->n;
  uint32_t which = n->watch_of_loc[at.id];
  if (!which) return;
  tp_native_monitored *w = &n->watched.at[which - 1];
  uint64_t vector = 0;
  for (size_t i = 0; i < w->n; i++) {
    tp_value v;
    if (tp_state_eval(s, w->predicates[i], &v) == TP_OK && v.bits) vector |= (uint64_t)1 << i;
  }
  if (vector != UINT64_MAX)
    n->seen[(size_t)(which - 1) * TP_EXEC_NATIVE_SEEN + (vector * 0x9e3779b97f4a7c15u >> 52)] =
        vector + 1;
  if (tp_map_has(&w->seen, vector)) return;
  tp_map_set(&w->seen, vector, 1);
  if (r->seen) r->seen(r->ctx, at, vector, s);
}

static bool has_steps(const run *r) {
  return r->n->limits.steps > r->steps + r->here + r->n->slack;
}

static bool at_cutpoint(void *ctx, const tp_state *s) {
  run *r = ctx;
  tp_loc at = tp_state_loc(s);
  if (!r->n->is_entry[at.id]) return true;
  record_vector(r, at, s);
  if (!r->n->start || !has_steps(r) || s->frames.n > r->n->max_frames) return true;
  if (r->penalty) {
    r->penalty--;
    return true;
  }
  r->entered = true;
  return false;
}

static bool at_edge(void *ctx, const tp_state *before, tp_edge e) {
  run *r = ctx;
  if (r->n->path && !r->record.edge(r->record.ctx, before, e)) return false;
  r->here++;
  return true;
}

/* Runs the interpreter from the present state to an end, or to a location where code can be
 * entered. */
static tp_run_result interpret(run *r) {
  tp_observer o = {
      .mask = TP_OBSERVE_ALL | TP_OBSERVE_EDGES, .ctx = r, .at = at_cutpoint, .edge = at_edge};
  tp_run_limits limits = r->n->limits;
  limits.steps -= r->steps;
  r->here = 0;
  r->entered = false;
  if (r->n->path) r->n->path->steps = r->steps;
  return tp_exec_run(r->n->p, r->n->s, r->n->oracle, limits, &o);
}

/* Can each frame be entered, by the call that the frame below would make again? Fabricated states
 * may hold anything. */
static bool frames_fit(const tp_native *n) {
  const tp_state *s = n->s;
  for (size_t i = 0; i < s->frames.n; i++) {
    const tp_frame *f = &s->frames.at[i];
    uint32_t number;
    if (!n->is_compiled[f->func.id]) return false;
    if (i == 0) continue;
    const tp_edge_info *call = tp_edge_of(n->p, f->call);
    if (call->kind != TP_E_CALL || call->from.id != s->frames.at[i - 1].loc.id) return false;
    if (call->callee.id ? call->callee.id != f->func.id
                        : !tp_path_callee_number(n->p, f->call, f->func, &number))
      return false;
  }
  return true;
}

/* Runs code from the present state. False: code cannot be entered at the state. */
static bool run_code(run *r, tp_native_left *how) {
  tp_native *n = r->n;
  if (!n->is_entry[tp_state_loc(n->s).id] || !has_steps(r) || n->s->frames.n > n->max_frames ||
      !frames_fit(n) || !globals_in(n))
    return false;
  tp_mark mark = tp_arena_mark(&n->frames);
  own_contents(n);
  describe_all(n);
  if (!statics_hold(n)) {
    tp_arena_release(&n->frames, mark);
    return compile_again(n) && run_code(r, how);
  }
  frames_in(n);
  uint64_t depth = n->limits.depth < n->max_frames ? n->limits.depth : n->max_frames;
  n->rt->steps = r->steps;
  n->rt->step_limit = n->limits.steps - n->slack;
  n->rt->bits = 1;
  n->rt->max_depth = depth;
  n->rt->last_edge = 0;
  n->rt->visit_words = n->visit_words;
  n->rt->visits = n->visits;
  n->start(r->steps, 1);
  *how = (tp_native_left)n->rt->reason;
  r->steps = n->rt->steps;
  (void)tp_native_flush(n, n->rt->bits);
  globals_out(n);
  frames_out(n);
  tp_arena_release(&n->frames, mark);
  return true;
}

static tp_run_result finish(run *r, tp_run_result end, tp_edge last, bool und) {
  tp_native *n = r->n;
  if (!end.edge.id) end.edge = last;
  end.loc = tp_state_loc(n->s);
  end.pos = tp_loc_of(n->p, end.loc)->pos;
  if (!tp_pos_known(end.pos) && end.edge.id) end.pos = tp_edge_of(n->p, end.edge)->pos;
  end.steps = r->steps;
  end.used_indeterminate |= und;
  if (n->path && !n->path->is_cut) n->path->steps = r->steps;
  n->s = NULL;
  return end;
}

static uint32_t next_edge(const tp_native *n) {
  return tp_out_edges(n->p, tp_state_loc(n->s)).at[0];
}

static tp_run_result go(run *r) {
  tp_native *n = r->n;
  tp_edge last = TP_EDGE_NONE;
  bool und = false, looked = false;
  uint64_t penalty = 0;
  for (;;) {
    tp_native_left how = TP_LEFT_TO_INTERPRETER;
    uint64_t before = r->steps;
    if (!looked) record_vector(r, tp_state_loc(n->s), n->s);
    looked = false;
    if (n->start && run_code(r, &how)) {
      if (n->rt->last_edge) last = (tp_edge){(uint32_t)n->rt->last_edge};
      if (how == TP_LEFT_CUT) {
        n->path->steps = r->steps;
        return finish(r, (tp_run_result){.end = TP_END_STOPPED}, last, und);
      }
      if (how == TP_LEFT_NO_INPUT) {
        r->steps++;
        return finish(
            r,
            (tp_run_result){.end = TP_END_NO_INPUT, .why = "no input left", .edge = {next_edge(n)}},
            last, und);
      }
      if (how == TP_LEFT_MONITOR && r->steps > before) continue;
      if (r->steps - before > TP_EXEC_NATIVE_WORTHWHILE_STEPS + n->s->objects.n / 4)
        penalty = 0;
      else
        penalty = penalty < TP_EXEC_NATIVE_PENALTY ? 2 * penalty + 1 : penalty;
    }
    r->penalty = penalty + 1;  // the first place is where the run is
    tp_run_result part = interpret(r);
    r->steps += part.steps;
    r->here = 0;
    if (part.edge.id) last = part.edge;
    und |= part.used_indeterminate;
    if (!r->entered) return finish(r, part, last, und);
    looked = true;
  }
}

static void start_run(tp_native *n, tp_state *s, tp_oracle *oracle, tp_run_limits limits,
                      tp_path_code *code) {
  n->s = s;
  n->oracle = oracle;
  n->limits = tp_run_limits_with_defaults(limits);
  n->path = code;
}

/* A location that was counted and not left is no visit yet: who goes on from it counts it. */
static void uncount(tp_native *n, tp_visits *v, tp_visit_block root) {
  if (n->rt->counted)
    ++*tp_visits_countdown(v, tp_visits_block_of_state(v, root, n->s), tp_state_loc(n->s));
}

bool tp_native_burst(tp_native *n, tp_state *s, tp_run_limits limits, tp_visits *v,
                     tp_visit_block root, tp_path_code *code, uint64_t *steps, tp_edge *last) {
  TP_INVARIANT(n->counts);
  start_run(n, s, NULL, limits, code);
  n->visit_words = v->words.at;
  n->visits = v->words.at + root.at;
  run r = {.n = n};
  tp_native_left how;
  *last = TP_EDGE_NONE;
  if (!n->start || !s->frames.n || !run_code(&r, &how)) return false;
  uncount(n, v, root);
  if (n->rt->last_edge) *last = (tp_edge){(uint32_t)n->rt->last_edge};
  *steps = r.steps;
  TP_INVARIANT(tp_state_check(s, NULL));  // code leaves whole states
  n->s = NULL;
  return true;
}

tp_run_result tp_native_run(tp_native *n, tp_state *s, tp_oracle *oracle, tp_run_limits limits,
                            tp_path_code *code, tp_native_new_vector *seen, void *ctx) {
  TP_INVARIANT(!n->counts);
  if (!n->start && !n->has_failed)
    (void)compile(
        n);  // RESUME: now all watched locations are known. The interpreter can do it as well
  start_run(n, s, oracle, limits, code);
  run r = {.n = n, .seen = seen, .ctx = ctx, .recorder = {n->p, code, true}};
  r.record = tp_path_recording(&r.recorder);
  if (!s->frames.n || s->memory_bytes > n->limits.memory_bytes) {
    tp_run_result end = tp_exec_run(n->p, s, oracle, n->limits, NULL);
    return end;
  }
  return go(&r);
}
