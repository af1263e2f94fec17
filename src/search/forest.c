/* Tests run with an observer that follows calls: which context a frame is in, and so which node of
 * the block graph a location is. At a node it counts; only where a state is kept it is copied and
 * its cell found. Long tests run in machine code in between: as far as no node is visited so often
 * that the state would be kept.
 *
 * The state before main (node 0) is the one at main's entry: a test has it, whatever it visits
 * then. */
#include "search/forest.h"

#include "search/search_limits.h"

#define NO_VISIT UINT64_MAX

// ---------------------------------------------------------------------- context_nodes

static uint64_t callee_key(uint32_t parent, uint32_t call, uint32_t func) {
  return tp_hash_mix((uint64_t)parent << 32 | call, func);
}

static void index_nodes(tp_forest *f) {
  const tp_blocks *b = f->pt->blocks;
  const tp_program *p = b->paths->p;
  uint32_t *low = TP_NEW_ARRAY(uint32_t, p->funcs.n), *high = TP_NEW_ARRAY(uint32_t, p->funcs.n);
  for (uint32_t l = (uint32_t)p->locs.n; l-- > 1;) {
    uint32_t func = p->locs.at[l].func.id;
    low[func] = l;
    if (!high[func]) high[func] = l;
  }
  f->n_contexts = b->contexts->list.n;
  f->context_nodes = TP_NEW_ARRAY(tp_context_nodes, f->n_contexts);
  for (uint32_t c = 1; c < f->n_contexts; c++) {
    const tp_context_info *info = tp_context_of(b->contexts, (tp_context){c});
    uint32_t first = low[info->func.id], n = high[info->func.id] + 1 - first;
    f->context_nodes[c] = (tp_context_nodes){first, n, TP_NEW_ARRAY(uint32_t, n)};
    if (info->parent.id)
      tp_map_set(&f->callees, callee_key(info->parent.id, info->call.id, info->func.id), c);
  }
  for (uint32_t n = 1; n < b->nodes.n; n++) {
    const tp_context_nodes *at = &f->context_nodes[b->nodes.at[n].context.id];
    at->node[b->nodes.at[n].loc.id - at->first] = n + 1;
  }
  tp_free(low);
  tp_free(high);
}

/* The context of a call from this one; 0: no node is there. */
static uint32_t context_of_call(const tp_forest *f, uint32_t parent, uint32_t call, uint32_t func) {
  uint64_t c;
  return parent && tp_map_get(&f->callees, callee_key(parent, call, func), &c) ? (uint32_t)c : 0;
}

void tp_forest_init(tp_forest *f, tp_partition *pt, tp_property property, tp_run_limits limits) {
  TP_REQUIRE(limits.steps > 0);
  *f = (tp_forest){.pt = pt,
                   .property = property,
                   .limits = limits,
                   .per_node = TP_SEARCH_FOREST_VISITS,
                   .keep_visit = NO_VISIT};
  tp_vec_push(&f->states, (tp_visited){0});
  index_nodes(f);
  f->start = tp_state_initial(pt->blocks->paths->p);
  f->runner = tp_runner_new(pt->blocks->paths->p, (tp_runner_options){0});
}

void tp_forest_clear(tp_forest *f) {
  for (size_t i = 0; i < f->tests.n; i++) tp_inputs_clear(&f->tests.at[i].inputs);
  for (size_t i = 1; i < f->states.n; i++) tp_state_free(f->states.at[i].state);
  for (size_t c = 0; c < f->n_contexts; c++) tp_free(f->context_nodes[c].node);
  tp_vec_clear(&f->tests);
  tp_vec_clear(&f->states);
  tp_vec_clear(&f->first);
  tp_vec_clear(&f->last);
  tp_map_clear(&f->unique);
  tp_map_clear(&f->callees);
  tp_free(f->context_nodes);
  tp_free(f->blocks);
  tp_runner_free(f->runner);
  tp_state_free(f->start);
}

// ----------------------------------------------------------------------- cells

/* Behind the cell's other states. */
static void append(tp_forest *f, uint32_t i) {
  TP_REQUIRE(i > 0 && i < f->states.n);
  uint32_t cell = f->states.at[i].cell;
  if (f->first.n <= cell) {
    tp_vec_resize(&f->first, f->pt->cells.n);
    tp_vec_resize(&f->last, f->pt->cells.n);
  }
  TP_REQUIRE((f->first.at[cell] == 0) == (f->last.at[cell] == 0));  // both ends or none
  f->states.at[i].next = 0;
  if (f->last.at[cell])
    f->states.at[f->last.at[cell]].next = i;
  else
    f->first.at[cell] = i;
  f->last.at[cell] = i;
}

static uint32_t first_in(const tp_forest *f, uint32_t cell) {
  return cell < f->first.n ? f->first.at[cell] : 0;
}
static uint32_t last_in(const tp_forest *f, uint32_t cell) {
  return cell < f->last.n ? f->last.at[cell] : 0;
}

void tp_forest_reassign(tp_forest *f, const uint32_t *old_cells, size_t n) {
  for (size_t k = 0; k < n; k++) {
    uint32_t i = first_in(f, old_cells[k]);
    if (!i) continue;
    f->first.at[old_cells[k]] = f->last.at[old_cells[k]] = 0;
    for (uint32_t next; i; i = next) {
      tp_visited *v = &f->states.at[i];
      next = v->next;
      v->cell = tp_partition_cell_of(f->pt, v->node, v->state);
      append(f, i);
    }
  }
  // after 1, 2, 4, ... cells, so that all checks together are linear
  TP_INVARIANT((f->pt->cells.n & (f->pt->cells.n - 1)) || tp_forest_check(f));
}

bool tp_forest_check(const tp_forest *f) {
  size_t n = 0;
  for (uint32_t cell = 0; cell < f->first.n; cell++) {
    uint32_t last = 0;
    for (uint32_t i = f->first.at[cell]; i; last = i, i = f->states.at[i].next) {
      if (i >= f->states.n || ++n >= f->states.n) return false;  // a list that does not end
      if (f->states.at[i].cell != cell || !tp_partition_is_leaf(f->pt, cell)) return false;
    }
    if (f->last.at[cell] != last) return false;
  }
  return n + 1 == f->states.n;
}

uint32_t tp_forest_first(const tp_forest *f, uint32_t cell) {
  return f->pt->settings.latest_state ? last_in(f, cell) : first_in(f, cell);
}

uint32_t tp_forest_in_region(const tp_forest *f, uint32_t region) {
  TP_REQUIRE(region > 0 && region < f->pt->regions.n);
  const tp_partition_region *r = &f->pt->regions.at[region];
  uint32_t best = 0;
  for (size_t i = 0; i < r->cells.n; i++) {
    uint32_t at = tp_forest_first(f, r->cells.at[i]);
    bool is_better = !best || (f->pt->settings.latest_state ? at > best : at < best);
    if (at && is_better) best = at;
  }
  return best;
}

size_t tp_forest_in_cell(const tp_forest *f, uint32_t cell, const tp_state **out, size_t room) {
  TP_REQUIRE(room > 0);
  size_t n = 0;
  for (uint32_t i = first_in(f, cell); i && n < room; i = f->states.at[i].next)
    out[n++] = f->states.at[i].state;
  return n;
}

// ------------------------------------------------------------------------ runs

typedef struct {
  tp_forest *f;
  const tp_program *p;
  uint32_t test;
  uint64_t steps;             // edges so far
  uint64_t stop_after;        // visit that ends the run; NO_VISIT: none
  const uint64_t *totals;     // by node: visits in all, if that is known
  uint64_t *count;            // by node: visits so far
  TP_VEC(uint32_t) contexts;  // of the frames
  uint32_t before;            // state kept at the visit before this one, 0: none
  tp_inputs *drawn;
  bool repeats;  // the test came back to a state of its own
  bool counts_only;
  tp_block_list *blocks;  // NULL: not asked for
  uint32_t last_node;     // + 1
  bool left_graph;        // a step that is no block
  bool is_over;           // there was no more time when the run came into sight
} test_run;

/* The block between two nodes; list.n: there is none. */
static uint32_t block_between(const tp_blocks *b, uint32_t from, uint32_t to) {
  for (uint32_t i = b->first.at[from]; i < b->first.at[from + 1]; i++)
    if (b->list.at[i].to == to) return i;
  return (uint32_t)b->list.n;
}

static void witness(tp_forest *f, uint32_t from, uint32_t to) {
  TP_REQUIRE(from > 0 && to > 0 && from < f->states.n && to < f->states.n);
  const tp_visited *a = &f->states.at[from], *b = &f->states.at[to];
  uint32_t block = block_between(f->pt->blocks, a->node, b->node);
  if (block < f->pt->blocks->list.n)
    tp_partition_witness(f->pt, (tp_abstract_step){block, a->cell, b->cell});
}

/* The state of the forest that is this one, or 0 and where it belongs. */
static uint32_t find(const tp_forest *f, uint32_t node, const tp_state *s, uint64_t *key) {
  uint64_t i;
  *key = tp_hash_mix(tp_state_hash(s), node);
  while (tp_map_get(&f->unique, *key, &i)) {
    if (f->states.at[i].node == node && tp_state_equal(f->states.at[i].state, s))
      return (uint32_t)i;
    *key = tp_hash_u64(*key + 1);
  }
  return 0;
}

/* The state at hand, old or new. */
static uint32_t keep(test_run *w, uint32_t node, const tp_state *s) {
  tp_forest *f = w->f;
  uint64_t key;
  uint32_t i = find(f, node, s, &key);
  if (i) {
    const tp_visited *v = &f->states.at[i];
    w->repeats |= v->test == w->test && v->n_inputs == w->drawn->v.n && v->step < w->steps;
    return i;
  }
  i = (uint32_t)f->states.n;
  tp_visited v = {.test = w->test,
                  .step = w->steps,
                  .visit = f->visits,
                  .n_inputs = w->drawn->v.n,
                  .node = node};
  v.cell = tp_partition_cell_of(f->pt, node, s);
  v.state = tp_state_copy(s);
  tp_vec_push(&f->states, v);
  tp_map_set(&f->unique, key, i);
  append(f, i);
  f->n_new++;
  return i;
}

static bool is_kept(const test_run *w, uint32_t node, uint64_t count) {
  const tp_forest *f = w->f;
  if (f->visits == f->keep_visit) return true;
  if (f->states.n >= TP_SEARCH_FOREST_STATES) return false;
  return count < f->per_node || (count & (count - 1)) == 0 ||
         (w->totals && count + 1 == w->totals[node]);
}

/* Visits of a node before the next one that is kept. */
static uint64_t visits_until_kept(const test_run *w, uint32_t node) {
  const tp_forest *f = w->f;
  uint64_t count = w->count[node], last = w->totals && w->totals[node] ? w->totals[node] - 1 : 0,
           next = 1;
  if (w->counts_only || f->states.n >= TP_SEARCH_FOREST_STATES) return TP_VISITS_UNLIMITED;
  if (count < f->per_node) return 0;
  while (next < count) next *= 2;
  return last >= count && last < next ? last - count : next - count;
}

static void note_block(test_run *w, uint32_t node) {
  const tp_blocks *b = w->f->pt->blocks;
  uint32_t block = block_between(b, w->last_node ? w->last_node - 1 : 0, node);
  if (block < b->list.n)
    tp_vec_push(w->blocks, block);
  else
    w->left_graph = true;
}

/* At a node of the graph. */
static void arrive(test_run *w, uint32_t node, const tp_state *s) {
  TP_REQUIRE(node < w->f->pt->blocks->nodes.n);
  tp_forest *f = w->f;
  uint64_t count = w->count[node]++;
  uint32_t now = 0;
  if (w->blocks) note_block(w, node);
  w->last_node = node + 1;
  if (!w->counts_only && is_kept(w, node, count)) {
    now = keep(w, node, s);
    if (w->before) witness(f, w->before, now);
  }
  w->before = now;
  f->visits++;
}

/* Which context the frame at hand is in. Between two observations at most one frame comes or goes.
 */
static void follow_calls(test_run *w, const tp_state *s, tp_loc loc) {
  size_t depth = tp_state_depth(s);
  if (depth <= w->contexts.n) {
    w->contexts.n = depth;
    return;
  }
  tp_edge_list out = tp_out_edges(w->p, w->f->loc);
  uint32_t call = out.n == 1 ? out.at[0] : 0;
  uint32_t parent = w->contexts.n ? tp_vec_last(&w->contexts) : 0,
           context = context_of_call(w->f, parent, call, tp_loc_of(w->p, loc)->func.id);
  tp_vec_push(&w->contexts, context);
}

/* The node at hand + 1; 0: none. */
static uint32_t current_node(const test_run *w) {
  const tp_context_nodes *at = &w->f->context_nodes[tp_vec_last(&w->contexts)];
  uint32_t i = w->f->loc.id - at->first;
  return i < at->n ? at->node[i] : 0;
}

/* A return from a function is no edge. */
static bool has_edges(const test_run *w) {
  return w->p->out_start[w->f->loc.id] != w->p->out_start[w->f->loc.id + 1];
}

static bool visit(void *ctx, const tp_state *s) {
  test_run *w = ctx;
  tp_loc loc = tp_state_loc(s);
  follow_calls(w, s, loc);
  w->f->loc = loc;
  uint32_t node = current_node(w);
  if (node) arrive(w, node - 1, s);
  if (has_edges(w)) w->steps++;
  if (w->is_over) return false;
  if ((w->steps & (TP_SEARCH_FOREST_LOOK_STEPS - 1)) == 0 && w->f->should_stop &&
      w->f->should_stop(w->f->ctx))
    return false;
  return !w->repeats && (!node || w->f->visits <= w->stop_after);
}

// ------------------------------------------------------------------ in machine code

/* Blocks of visits for all contexts; a context comes behind the one that it is called from. */
static void make_blocks(tp_forest *f, tp_visits *v) {
  const tp_contexts *contexts = f->pt->blocks->contexts;
  f->blocks = TP_NEW_ARRAY(tp_visit_block, f->n_contexts + 1);
  for (uint32_t c = 1; c < f->n_contexts; c++) {
    const tp_context_info *info = tp_context_of(contexts, (tp_context){c});
    f->blocks[c] = tp_visits_add(v, info->func);
    if (info->parent.id)
      tp_visits_link(v, f->blocks[info->parent.id], info->call, f->blocks[c], info->func);
  }
}

/* Steps that certainly come before this visit: each visit but the return from a function takes a
 * step. */
static uint64_t steps_before(const test_run *w, uint64_t visit, size_t depth) {
  uint64_t left = visit == NO_VISIT              ? NO_VISIT
                  : visit > w->f->visits + depth ? visit - w->f->visits - depth
                                                 : 0;
  return visit == NO_VISIT || visit < w->f->visits ? NO_VISIT : left / 2;
}

static uint64_t enter_machine_code(void *ctx, const tp_state *s, tp_visits *v,
                                   tp_visit_block *root) {
  test_run *w = ctx;
  tp_forest *f = w->f;
  size_t depth = tp_state_depth(s);
  uint64_t kept = steps_before(w, f->keep_visit, depth),
           last = steps_before(w, w->stop_after, depth);
  if (!f->blocks) make_blocks(f, v);
  for (uint32_t c = 1; c < f->n_contexts; c++)
    for (uint32_t i = 0; i < f->context_nodes[c].n; i++)
      if (f->context_nodes[c].node[i])
        *tp_visits_countdown(v, f->blocks[c], (tp_loc){f->context_nodes[c].first + i}) =
            visits_until_kept(w, f->context_nodes[c].node[i] - 1);
  *root = f->blocks[w->contexts.at[0]];
  return kept < last ? kept : last;
}

static void follow_frames(test_run *w, const tp_state *s) {
  w->contexts.n = 1;
  for (size_t i = 1; i < tp_state_depth(s); i++) {
    tp_edge call;
    tp_func func = tp_state_frame(s, i, &call);
    uint32_t context = context_of_call(w->f, tp_vec_last(&w->contexts), call.id, func.id);
    tp_vec_push(&w->contexts, context);
  }
}

/* Visits of nodes only: at other context_nodes nothing was counted down. */
static void leave_machine_code(void *ctx, const tp_state *s, tp_visits *v, uint64_t steps) {
  test_run *w = ctx;
  tp_forest *f = w->f;
  uint64_t before = f->visits;
  for (uint32_t c = 1; c < f->n_contexts; c++)
    for (uint32_t i = 0; i < f->context_nodes[c].n; i++) {
      if (!f->context_nodes[c].node[i]) continue;
      uint32_t node = f->context_nodes[c].node[i] - 1;
      uint64_t n = visits_until_kept(w, node) -
                   *tp_visits_countdown(v, f->blocks[c], (tp_loc){f->context_nodes[c].first + i});
      w->count[node] += n;
      f->visits += n;
    }
  if (f->visits > before) w->before = 0;
  w->steps += steps;
  f->loc = tp_state_loc(s);
  follow_frames(w, s);
  w->is_over |= f->should_stop && f->should_stop(f->ctx);
}

/* Where the run ended: the last place that was visited, before any edge out of it. */
static void keep_last(test_run *w, const tp_state *s) {
  uint32_t node = current_node(w);
  if (!node || w->before || w->f->visits == 0) return;
  w->steps -= has_edges(w);
  w->f->visits--;
  (void)keep(w, node - 1, s);
  w->f->visits++;
  w->steps += has_edges(w);
}

typedef struct {
  tp_vector_oracle vector;
  tp_oracle first, *rest;
  bool is_over;
} input_source;

static bool answer_input(void *ctx, tp_input *io) {
  input_source *o = ctx;
  tp_input asked = *io;
  if (!o->is_over && o->first.ask(o->first.ctx, io)) return true;
  o->is_over = true;
  *io = asked;
  if (o->rest) return o->rest->ask(o->rest->ctx, io);
  io->bits = 0;
  io->bytes = NULL;
  io->n_bytes = 0;
  return true;
}

/* One run from a state (taken over). */
static tp_run_result run(test_run *w, tp_state *s, const tp_inputs *inputs, size_t n_drawn,
                         tp_oracle *rest) {
  static const tp_inputs none = {.is_testcomp = false};
  input_source source = {.vector = {.in = inputs ? inputs : &none, .next = n_drawn}, .rest = rest};
  source.first = tp_oracle_of_vector(&source.vector);
  tp_record_oracle record = {.inner = {&source, answer_input}, .to = w->drawn};
  tp_oracle oracle = tp_oracle_recording(&record);
  const tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = w, .at = visit};
  tp_run_limits limits = w->f->limits;
  limits.steps = limits.steps > w->steps ? limits.steps - w->steps : 1;
  uint64_t before = w->steps;
  const tp_runner_observer watch = {observer, w, enter_machine_code, leave_machine_code};
  tp_run_result r = w->blocks ? tp_exec_run(w->p, s, &oracle, limits, &observer)
                              : tp_runner_run(w->f->runner, s, &oracle, limits, &watch);
  r.steps += before;
  w->f->total_steps += r.steps - before;
  if (!w->counts_only) keep_last(w, s);
  tp_state_free(s);
  return r;
}

static test_run test_run_begin(tp_forest *f, tp_inputs *drawn) {
  test_run w = {.f = f,
                .p = f->pt->blocks->paths->p,
                .test = (uint32_t)f->tests.n,
                .stop_after = NO_VISIT,
                .drawn = drawn};
  w.count = TP_NEW_ARRAY(uint64_t, f->pt->blocks->nodes.n);
  f->visits = 0;
  f->loc = TP_LOC_NONE;
  return w;
}

static void test_run_end(test_run *w) {
  tp_free(w->count);
  tp_vec_clear(&w->contexts);
}

/* The state before main is the one at its entry. */
static void enter_main(test_run *w) {
  tp_vec_push(&w->contexts, w->f->pt->blocks->nodes.at[0].context.id);
  if (!w->counts_only) w->before = keep(w, 0, w->f->start);
}

/* How often is each node visited? */
static uint64_t *count_visits(tp_forest *f, const tp_inputs *inputs, tp_oracle *rest,
                              tp_inputs *drawn) {
  test_run w = test_run_begin(f, drawn);
  w.counts_only = true;
  enter_main(&w);
  (void)run(&w, tp_state_copy(f->start), inputs, 0, rest);
  uint64_t *totals = w.count;
  w.count = NULL;
  test_run_end(&w);
  return totals;
}

static size_t inputs_before(const tp_forest *f, uint32_t test, uint64_t step) {
  size_t n = 0;
  for (size_t i = f->states.n; i-- > 1;) {
    const tp_visited *v = &f->states.at[i];
    if (v->test == test && v->step <= step && v->n_inputs > n) n = v->n_inputs;
  }
  return n;
}

static uint32_t add_test(tp_forest *f, const test_run *w, tp_inputs drawn, tp_run_result end) {
  tp_test t = {
      .inputs = drawn, .steps = end.steps, .visits = f->visits, .repeats = w->repeats, .end = end};
  t.inputs_half = inputs_before(f, w->test, end.steps / 2);
  if (w->repeats) t.end.end = TP_END_LIMIT;
  tp_vec_push(&f->tests, t);
  if (tp_property_covers(f->property, tp_loc_of(w->p, end.loc)->error) && !f->failing)
    f->failing = w->test + 1;
  f->keep_visit = NO_VISIT;
  if (f->pt->stats) f->pt->stats->tests_run++;
  TP_INVARIANT((f->tests.n & (f->tests.n - 1)) || tp_forest_check(f));
  return w->test;
}

uint32_t tp_forest_run(tp_forest *f, const tp_inputs *inputs, tp_oracle *rest) {
  tp_inputs drawn, again;
  uint64_t *totals = NULL;
  tp_inputs_init(&drawn);
  tp_inputs_init(&again);
  f->n_new = 0;
  if (f->pt->settings.latest_state) totals = count_visits(f, inputs, rest, &again);
  test_run w = test_run_begin(f, &drawn);
  w.totals = totals;
  enter_main(&w);
  tp_run_result end =
      run(&w, tp_state_copy(f->start), totals ? &again : inputs, 0, totals ? NULL : rest);
  uint32_t test = add_test(f, &w, drawn, end);
  test_run_end(&w);
  tp_inputs_clear(&again);
  tp_free(totals);
  return test;
}

uint32_t tp_forest_start(tp_forest *f) {
  tp_inputs drawn;
  tp_inputs_init(&drawn);
  f->n_new = 0;
  test_run w = test_run_begin(f, &drawn);
  f->keep_visit = w.stop_after = 0;
  enter_main(&w);
  tp_run_result end = run(&w, tp_state_copy(f->start), NULL, 0, NULL);
  uint32_t test = add_test(f, &w, drawn, end);
  test_run_end(&w);
  return test;
}

/* The contexts of the frames at a node. */
static void enter_node(test_run *w, uint32_t node) {
  TP_REQUIRE(node < w->f->pt->blocks->nodes.n);
  const tp_blocks *b = w->f->pt->blocks;
  tp_context c = b->nodes.at[node].context;
  size_t depth = tp_context_of(b->contexts, c)->depth;
  tp_vec_resize(&w->contexts, depth);
  for (size_t i = depth; i-- > 0; c = tp_context_of(b->contexts, c)->parent)
    w->contexts.at[i] = c.id;
}

uint32_t tp_forest_step(tp_forest *f, uint32_t at, tp_oracle *rest) {
  TP_REQUIRE(at > 0 && at < f->states.n);
  tp_inputs drawn;
  tp_visited from = f->states.at[at];
  tp_inputs_init(&drawn);
  for (size_t i = 0; i < from.n_inputs; i++)
    tp_inputs_add(&drawn, f->tests.at[from.test].inputs.v.at[i]);
  test_run w = test_run_begin(f, &drawn);
  f->n_new = 0;
  f->visits = from.visit;
  f->keep_visit = w.stop_after = from.node == 0 ? 0 : from.visit + 1;
  w.steps = from.step;
  enter_node(&w, from.node);
  tp_run_result end = run(&w, tp_state_copy(from.state), NULL, 0, rest);
  uint32_t test = add_test(f, &w, drawn, end);
  test_run_end(&w);
  return test;
}

// --------------------------------------------------------------- ordered paths

uint64_t tp_forest_frontier(const tp_forest *f, uint32_t at) {
  TP_REQUIRE(at < f->states.n);
  const tp_visited *v = &f->states.at[at];
  return at == 0 ? 0 : v->node == 0 ? 1 : v->visit + 1;
}

size_t tp_forest_ordered_path(const tp_forest *f, const tp_abstract_path *path, uint32_t *at,
                              uint64_t *length) {
  size_t k = path->n + 1;
  *at = 0;
  while (k > 0 && !(*at = tp_forest_first(f, k == 1 ? path->at[0].from : path->at[k - 2].to))) k--;
  *length = tp_forest_frontier(f, *at) + (path->n + 1 - k);
  return k;
}

bool tp_forest_blocks(tp_forest *f, uint32_t at, size_t most, tp_block_list *out) {
  TP_REQUIRE(at > 0 && at < f->states.n);
  tp_inputs drawn;
  const tp_visited *v = &f->states.at[at];
  out->n = 0;
  if (v->node == 0) return true;
  if (v->visit >= most) return false;
  tp_inputs_init(&drawn);
  test_run w = test_run_begin(f, &drawn);
  w.counts_only = true;
  w.stop_after = v->visit;
  w.blocks = out;
  enter_main(&w);
  (void)run(&w, tp_state_copy(f->start), &f->tests.at[v->test].inputs, 0, NULL);
  bool ok = !w.left_graph && out->n == v->visit + 1;
  test_run_end(&w);
  tp_inputs_clear(&drawn);
  return ok;
}
