/* The reached set of the shape analysis, filled by runs and closed by steps.
 *
 * The abstract states that tests were in are initial elements of the reached set. The algorithm of
 * configurable analysis expands them; each successor that nothing covers is a step out of what is
 * covered, and interrupts. Then a heap of the successor is fabricated, in a state of the machine
 * that a run was in at the same place, or at another one of the same calls; runs go on from there,
 * and what they meet is covered, too. Whether or not a heap was found, the successor stays in the
 * set: the set is closed when nothing waits, and a proof as every reached set is. */
#include "adequacy/heap_adequacy.h"

#include "adequacy/adequacy_limits.h"
#include "adequacy/confirm_potential.h"
#include "adequacy/cutpoints.h"
#include "adequacy/heap_abstraction.h"
#include "blocks/reached_proof.h"
#include "exec/inject.h"
#include "exec/random_inputs.h"

/* One graph for each element, so that each is one abstract state. */
static const char composition[] =
    "analysis = location callstack shape\n"
    "transfer = cartesian\n"
    "merge = sep\n"
    "stop = sep\n"
    "adjust = componentwise\n"
    "compare = off\n"
    "waitlist = reverse-postorder\n"
    "shape.merge = sep\n"
    "shape.data = none\n";

typedef enum { OF_TEST, OF_RUN, FABRICATED, OF_STEP } origin_kind;
typedef struct {
  origin_kind origin;
  tp_state *state;  // a concrete one, or NULL
} node_info;

/* Where runs were, or the analysis is. */
typedef struct {
  tp_loc loc;
  tp_context context;
  TP_VEC(uint32_t) nodes;
  tp_state *state;  // the first that was there, or NULL
} place;

typedef struct {
  const tp_adequacy_question *q;
  const tp_task *task;
  const tp_program *p;
  const tp_budget *budget;
  tp_stats *stats;
  tp_result *out;
  tp_heap_adequacy_report *report;
  double start_s;
  tp_composition *c;
  tp_recursion *r;
  tp_reached *reached;
  tp_heap_abstraction a;
  TP_VEC(node_info) nodes;  // by node of the reached set; [0] unused
  TP_VEC(place) places;
  tp_map place_at;    // (context, location) -> index + 1
  tp_map base_of;     // context -> index + 1 of a place where a run was
  bool *is_cutpoint;  // by location: abstract states are counted there
  tp_state *start;
  tp_random_inputs draw;
  tp_inputs failing;
  bool has_failing;
  tp_property violated;
} closure;

static bool is_over(void *ctx) {
  const closure *x = ctx;
  return tp_engine_is_over(x->budget, x->start_s);
}

// ------------------------------------------------------------------------ places

static place *place_of(closure *x, tp_context context, tp_loc loc) {
  const uint64_t key = (uint64_t)context.id << 32 | loc.id;
  uint64_t at;
  if (tp_map_get(&x->place_at, key, &at)) return &x->places.at[at - 1];
  tp_vec_push(&x->places, ((place){.loc = loc, .context = context}));
  tp_map_set(&x->place_at, key, x->places.n);
  return &tp_vec_last(&x->places);
}

static bool leq(const closure *x, const tp_elem *a, const tp_elem *b) {
  return a == b || x->c->cpa->ops->leq(x->c->cpa, a, b);
}

static const tp_elem *elem_of(const closure *x, uint32_t node) {
  return tp_reached_node(x->reached, node)->state.elem;
}

/* Is it covered by a node at its place, other than `except`, that some concrete state is known of?
 */
static bool is_met(const closure *x, const place *at, const tp_elem *e, uint32_t except) {
  for (size_t i = 0; i < at->nodes.n; i++) {
    const uint32_t n = at->nodes.at[i];
    if (n != except && x->nodes.at[n].origin != OF_STEP && leq(x, e, elem_of(x, n))) return true;
  }
  return false;
}

/* Nodes that the algorithm has added since. */
static void take_new_nodes(closure *x) {
  while (x->nodes.n <= tp_reached_n(x->reached)) {
    const uint32_t node = (uint32_t)x->nodes.n;
    const tp_node *n = tp_reached_node(x->reached, node);
    tp_vec_push(&x->nodes, ((node_info){OF_STEP, NULL}));
    tp_vec_push(&place_of(x, n->context, n->loc)->nodes, node);
  }
}

/* A concrete state that is the first of its abstract state. */
static node_info first_state(closure *x, origin_kind origin, const tp_state *s) {
  tp_heap_adequacy_counters *n = &x->report->counters;
  const uint32_t length = x->is_cutpoint[tp_state_loc(s).id] ? tp_heap_longest(&x->a, s) : 0;
  if (length > n->longest_list) n->longest_list = length;
  return (node_info){origin, tp_state_copy(s)};
}

static void add_abstract_state(closure *x, place *at, tp_succ state, origin_kind origin,
                               const tp_state *s) {
  const uint32_t node = tp_reached_add_initial(x->reached, state);
  TP_INVARIANT(node == x->nodes.n);
  tp_vec_push(&x->nodes, first_state(x, origin, s));
  tp_vec_push(&at->nodes, node);
}

// -------------------------------------------------------------------------- runs

typedef struct {
  closure *x;
  origin_kind origin;
  uint32_t n_news;
} run;

/* Runs from fabricated heaps end where heaps grow beyond what is fabricated. */
static bool is_too_large(const run *w, const tp_state *s) {
  return w->origin != OF_TEST && tp_heap_longest(&w->x->a, s) > TP_ADEQUACY_HEAP_LIST;
}

static bool visit(void *ctx, const tp_state *s) {
  run *w = ctx;
  closure *x = w->x;
  const tp_context context = tp_heap_context(&x->a, s);
  if (is_over(x) || is_too_large(w, s)) return false;
  x->report->counters.visits++;
  if (!context.id) return true;
  place *at = place_of(x, context, tp_state_loc(s));
  if (!at->state) at->state = tp_state_copy(s);
  if (!tp_map_has(&x->base_of, context.id))
    tp_map_set(&x->base_of, context.id, (uint64_t)(at - x->places.at) + 1);
  const tp_succ e = tp_heap_abstract(&x->a, s, context);
  if (!e.elem || is_met(x, at, e.elem, 0)) return true;
  w->n_news++;
  add_abstract_state(x, at, e, w->origin, s);
  return true;
}

static bool is_violation(const closure *x, tp_run_result end) {
  return end.end == TP_END_ERROR &&
         tp_property_covers(x->task->property, tp_loc_of(x->p, end.loc)->error);
}

static tp_run_result go(closure *x, run *w, tp_state *s, tp_oracle oracle, tp_run_limits limits) {
  const tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = w, .at = visit};
  x->report->counters.runs++;
  x->stats->tests_run++;
  tp_run_result end = tp_exec_run(x->p, s, &oracle, limits, &observer);
  x->report->counters.steps += end.steps;
  return end;
}

static void run_test(closure *x, uint32_t index) {
  static const tp_inputs none = {.is_testcomp = false};
  const tp_inputs *given = x->q->tests.at[index].inputs;
  tp_vector_oracle vector = {.in = given ? given : &none, .then_zero = true};
  tp_inputs asked;
  tp_inputs_init(&asked);
  tp_record_oracle record = {.inner = tp_oracle_of_vector(&vector), .to = &asked};
  run w = {.x = x, .origin = OF_TEST};
  tp_state *s = tp_state_copy(x->start);
  const tp_run_limits limits = {.steps = TP_ADEQUACY_STEPS};
  const tp_run_result end = go(x, &w, s, tp_oracle_recording(&record), limits);
  if (is_violation(x, end) && !x->has_failing) {
    x->has_failing = true;
    x->report->failing_test = index + 1;
    x->violated = tp_loc_of(x->p, end.loc)->error;
    tp_inputs_add_all(&x->failing, &asked);
  }
  tp_inputs_clear(&asked);
  tp_state_free(s);
}

// ------------------------------------------------------------------ fabrication

/* The first model whose abstraction is the graph, up to pointers that are not known. */
typedef struct {
  tp_shape_engine *engine;
  const tp_structure *graph;
  tp_structure *relaxed;  // the graph, nothing known of those pointers
  tp_heap_model model;
  int16_t *pointer;
  uint32_t n_pointers;
  uint64_t n_models;
} choice;

static bool is_model(void *ctx, const tp_heap_model *m) {
  choice *h = ctx;
  bool covers = false, is_of = false;
  h->n_models++;
  const uint32_t id = tp_heap_model_graph(h->engine, h->graph, m);
  if (!id) return false;
  const tp_structure *s = &tp_graph_at(tp_shape_engine_graphs(h->engine), id)->s;
  if (tp_structure_embeds(h->graph, s, &covers) != TP_OK || !covers ||
      tp_structure_embeds(s, h->relaxed, &is_of) != TP_OK || !is_of)
    return false;
  h->model = *m;
  memcpy(h->pointer, m->pointer, h->n_pointers * sizeof *h->pointer);
  h->model.pointer = h->pointer;
  return true;
}

/* Is the predicate about a pointer that is not known? */
static bool is_about_unknown(const tp_shape_class *c, const tp_shape_predicate *p,
                             const bool *is_known) {
  if (p->kind == TP_SHAPE_PREDICATE_POINTS) return !is_known[p->argument[0]];
  if (p->kind != TP_SHAPE_PREDICATE_FAMILY) return false;
  const tp_family *f = &c->generator.entry->families.at[p->family];
  for (uint32_t i = 0; i < f->n_arguments; i++)
    if (f->argument[i] == TP_ARGUMENT_POINTER && !is_known[p->argument[i]]) return true;
  return false;
}

static void relax(const tp_shape_class *c, tp_structure *s, const bool *is_known) {
  for (size_t i = 0; i < c->predicates.n; i++) {
    const tp_shape_predicate *p = &c->predicates.at[i];
    if (!is_about_unknown(c, p, is_known)) continue;
    const tp_k64 half = {tp_structure_nodes(s), 0};
    if (p->arity == 1) s->unary[p->index] = half;
    for (uint32_t u = 0; u < s->n && p->arity == 2; u++) *tp_structure_row(s, p->index, u) = half;
  }
}

static bool choose_model(closure *x, uint32_t k, uint32_t graph, const place *at, choice *h) {
  const tp_cell_kind *kind = tp_shape_cells(x->a.shape, k);
  const tp_shape_class *class = tp_shape_engine_class(kind->engine);
  *h = (choice){.engine = kind->engine, .n_pointers = class->n_pointers};
  if (!graph) return false;
  h->graph = &tp_graph_at(tp_shape_engine_graphs(kind->engine), graph)->s;
  h->pointer = TP_NEW_ARRAY(int16_t, class->n_pointers + 1);
  bool *is_known = TP_NEW_ARRAY(bool, class->n_pointers + 1), is_found = false;
  for (uint32_t i = 0; i < class->n_pointers; i++)
    is_known[i] = tp_heap_is_known(&x->a, at->context, at->loc, kind->pointers[i]);
  h->relaxed = tp_shape_take(kind->engine);
  tp_structure_copy(h->relaxed, h->graph);
  relax(class, h->relaxed, is_known);
  for (uint32_t n = tp_heap_model_least(class, h->graph); n <= TP_ADEQUACY_HEAP_CELLS && !is_found;
       n++)
    is_found = tp_heap_models(class, h->graph, is_known, n, is_model, h);
  x->report->counters.models += h->n_models;
  tp_shape_give(kind->engine, h->relaxed);
  tp_free(is_known);
  return is_found;
}

/* A state that a run was in: at the place, or else within the same calls. */
static const tp_state *base_state(const closure *x, const place *at) {
  uint64_t other;
  if (at->state) return at->state;
  return tp_map_get(&x->base_of, at->context.id, &other) ? x->places.at[other - 1].state : NULL;
}

/* Models of all kinds of an element. */
typedef struct {
  choice *of_kind;
  uint32_t n;
} heap_choice;

static bool choose_heap(closure *x, const tp_elem *e, const place *at, heap_choice *h) {
  *h = (heap_choice){TP_NEW_ARRAY(choice, tp_shape_n_cells(x->a.shape) + 1), 0};
  bool is_found = true;
  for (uint32_t k = 0; k < tp_shape_n_cells(x->a.shape) && is_found; k++, h->n++)
    is_found = choose_model(x, k, tp_heap_graph(&x->a, e, k), at, &h->of_kind[k]);
  return is_found;
}

static void heap_choice_clear(heap_choice *h) {
  for (uint32_t k = 0; k < h->n; k++) tp_free(h->of_kind[k].pointer);
  tp_free(h->of_kind);
}

/* A state at the place with this heap; NULL: it cannot be made, or its abstract state does not
 * cover e. */
static tp_state *make_state(closure *x, const tp_elem *e, const place *at, const heap_choice *h,
                            uint64_t draw, tp_succ *abstract) {
  const tp_state *base = base_state(x, at);
  if (!base) return NULL;
  tp_state *s = tp_state_copy(base);
  tp_inject_loc(s, at->loc);
  bool is_made = true;
  for (uint32_t k = 0; k < h->n && is_made; k++)
    is_made = tp_heap_inject(&x->a, s, k, &h->of_kind[k].model, draw);
  TP_INVARIANT(tp_state_check(s, NULL));
  *abstract = is_made ? tp_heap_abstract(&x->a, s, at->context) : (tp_succ){NULL, NULL};
  if (abstract->elem && leq(x, e, abstract->elem)) return s;
  tp_state_free(s);
  return NULL;
}

static const char *heap_text(closure *x, const tp_state *s) {
  tp_str text = {0};
  tp_heap_print(&x->a, s, &text);
  const char *out = tp_arena_strdup(&x->report->arena, tp_str_text(&text));
  tp_str_clear(&text);
  return out;
}

static void add_potential(closure *x, tp_loc error, const char *heap) {
  for (size_t i = 0; i < x->report->potential.n; i++) {
    tp_heap_potential *known = &x->report->potential.at[i];
    if (known->error.id != error.id) continue;
    if (!known->heap) known->heap = heap;
    return;
  }
  tp_vec_push(&x->report->potential, ((tp_heap_potential){error, heap}));
}

/* A run from the state, first with zeros as inputs, then with drawn ones. */
static tp_run_result run_on(closure *x, const tp_state *from, uint32_t turn, uint32_t *n_news) {
  static const tp_inputs none = {.is_testcomp = false};
  run w = {.x = x, .origin = OF_RUN};
  tp_vector_oracle zeros = {.in = &none, .then_zero = true};
  tp_inputs drawn;
  tp_inputs_init(&drawn);
  tp_random_inputs_start(&x->draw, &drawn);
  tp_state *s = tp_state_copy(from);
  const tp_run_limits limits = {.steps = TP_ADEQUACY_HEAP_STEPS};
  const tp_oracle oracle =
      turn == 0 ? tp_oracle_of_vector(&zeros) : tp_random_inputs_oracle(&x->draw);
  const tp_run_result end = go(x, &w, s, oracle, limits);
  if (is_violation(x, end)) add_potential(x, end.loc, heap_text(x, from));
  *n_news = w.n_news;
  tp_state_free(s);
  tp_inputs_clear(&drawn);
  return end;
}

/* Heaps of e at the place, with numbers drawn anew for each run; until two runs in a row meet
 * nothing new. True: a state could be made. fails: until a run comes to this location, then *fails
 * is 0. node: that the states are of; 0: none. */
static bool run_from_heap(closure *x, const tp_elem *e, size_t place_index, uint32_t node,
                          tp_loc *fails) {
  heap_choice h;
  bool is_made = false;
  uint32_t idle = 0;
  const bool has_heap = choose_heap(x, e, &x->places.at[place_index], &h);
  for (uint32_t turn = 0;
       has_heap && turn < TP_ADEQUACY_HEAP_RUNS && (idle < 2 || fails->id) && !is_over(x); turn++) {
    tp_succ abstract;
    tp_state *s = make_state(x, e, &x->places.at[place_index], &h, turn, &abstract);
    uint32_t n_news = 0;
    if (!s) continue;
    if (!is_made && node) {
      x->nodes.at[node] = first_state(x, FABRICATED, s);
      x->report->counters.fabricated_states++;
      if (!is_met(x, &x->places.at[place_index], abstract.elem, 0))
        add_abstract_state(x, &x->places.at[place_index], abstract, FABRICATED, s);
    }
    is_made = true;
    const tp_run_result end = run_on(x, s, turn, &n_news);
    if (fails->id && is_violation(x, end) && end.loc.id == fails->id) *fails = TP_LOC_NONE;
    idle = n_news ? 0 : idle + 1;
    tp_state_free(s);
    if (node == 0 && !fails->id) break;
  }
  heap_choice_clear(&h);
  return is_made;
}

/* A step out of what is covered. */
static void meet(closure *x, uint32_t node) {
  const tp_node *n = tp_reached_node(x->reached, node);
  tp_loc error = TP_LOC_NONE;
  size_t at = (size_t)(place_of(x, n->context, n->loc) - x->places.at);
  if (is_met(x, &x->places.at[at], n->state.elem, node)) return;
  x->report->counters.rounds++;
  if (tp_property_covers(x->task->property, tp_loc_of(x->p, n->loc)->error)) {
    const tp_node *before = n->parent ? tp_reached_node(x->reached, n->parent) : NULL;
    error = n->loc;
    add_potential(x, error, NULL);
    if (!before) return;
    at = (size_t)(place_of(x, before->context, before->loc) - x->places.at);
    (void)run_from_heap(x, before->state.elem, at, 0, &error);
  } else if (!run_from_heap(x, n->state.elem, at, node, &error)) {
    x->report->counters.abstract_steps++;
  }
}

static bool is_new_node(void *ctx, const tp_reached *r, uint32_t node) {
  (void)r;
  return node >= ((const closure *)ctx)->nodes.n;
}

/* Until nothing waits. False: a limit came first. */
static bool close_set(closure *x) {
  const tp_cpa_limits limits = {.should_stop = is_over, .interrupt = is_new_node, .ctx = x};
  for (;;) {
    const tp_cpa_result end = tp_recursion_run(x->r, limits);
    const uint32_t first = (uint32_t)x->nodes.n;
    take_new_nodes(x);
    const uint32_t behind = (uint32_t)x->nodes.n;
    for (uint32_t n = first; n < behind && !is_over(x); n++) meet(x, n);
    x->stats->abstract_states = tp_reached_n(x->reached);
    tp_engine_report_phase(x->budget, x->stats, "close");
    if (end.end == TP_CPA_STOPPED || is_over(x)) return false;
    if (end.end == TP_CPA_DONE && tp_reached_waiting(x->reached) == 0) return true;
  }
}

// ------------------------------------------------------------------------ report

static bool is_redundant(const closure *x, const place *at, uint32_t node) {
  for (size_t i = 0; i < at->nodes.n; i++) {
    const uint32_t other = at->nodes.at[i];
    if (other != node && leq(x, elem_of(x, node), elem_of(x, other)) &&
        (other < node || !leq(x, elem_of(x, other), elem_of(x, node))))
      return true;
  }
  return false;
}

static void count_place(closure *x, const place *at, tp_heap_function *f) {
  tp_heap_place out = {.loc = at->loc, .context = at->context};
  for (size_t i = 0; i < at->nodes.n; i++) {
    const node_info *n = &x->nodes.at[at->nodes.at[i]];
    if (is_redundant(x, at, at->nodes.at[i])) continue;
    out.n++;
    if (n->origin == OF_TEST) continue;
    out.n_missed++;
    if (!out.example && n->state) out.example = heap_text(x, n->state);
  }
  tp_vec_push(&x->report->places, out);
  f->abstract_states += out.n;
  f->missed += out.n_missed;
}

static void count(closure *x) {
  tp_heap_adequacy_counters *n = &x->report->counters;
  tp_heap_function *functions = TP_NEW_ARRAY(tp_heap_function, x->p->funcs.n);
  for (size_t i = 0; i < x->places.n; i++) {
    const place *at = &x->places.at[i];
    tp_heap_function *f = &functions[tp_loc_of(x->p, at->loc)->func.id];
    n->elements += at->nodes.n;
    for (size_t k = 0; k < at->nodes.n; k++)
      f->fabricated += x->nodes.at[at->nodes.at[k]].origin == FABRICATED &&
                       tp_reached_node(x->reached, at->nodes.at[k])->parent;
    if (!x->is_cutpoint[at->loc.id] || !at->nodes.n) continue;
    n->cutpoints++;
    count_place(x, at, f);
  }
  for (uint32_t i = 1; i < x->p->funcs.n; i++) {
    functions[i].func = (tp_func){i};
    n->abstract_states += functions[i].abstract_states;
    n->abstract_states_missed += functions[i].missed;
    if (functions[i].abstract_states) tp_vec_push(&x->report->functions, functions[i]);
  }
  n->abstract_states_from_tests = n->abstract_states - n->abstract_states_missed;
  tp_free(functions);
}

static void conclude(closure *x, bool is_closed) {
  tp_heap_adequacy_report *r = x->report;
  const tp_reached_proof proof = {x->task, x->c, x->r, x->out};
  r->is_closed = is_closed;
  r->is_adequate = is_closed && r->counters.abstract_states_missed == 0;
  if (x->has_failing) {
    x->out->verdict = TP_VERDICT_FALSE;
    x->out->violated = x->violated;
    tp_inputs_add_all(&x->out->inputs, &x->failing);
    return;
  }
  if (r->potential.n && !x->q->settings.leaves_potential &&
      tp_potential_confirm(x->task, x->budget, x->start_s, x->stats, x->out))
    return;
  tp_reached_find_errors(&proof, is_closed);
  if (is_closed)
    tp_reached_conclude(&proof);
  else
    tp_result_give_up(x->out, "the limit came before the abstract states were closed",
                      "try a larger --timelimit");
}

// ------------------------------------------------------------------------- whole

static void begin(closure *x) {
  x->r = tp_recursion_new(x->c->cpa, x->c->order);
  x->reached = tp_recursion_reached(x->r);
  x->start = tp_state_initial(x->p);
  tp_random_inputs_init(&x->draw, x->p, x->task->seed);
  tp_inputs_init(&x->failing);
  tp_cutpoints cutpoints = x->q->settings.cutpoints;
  x->is_cutpoint = tp_cutpoints_find(x->p, x->task->property, cutpoints);
  tp_vec_push(&x->nodes, ((node_info){OF_STEP, NULL}));
  take_new_nodes(x);  // main's entry, where every test starts
  for (size_t i = 1; i < x->nodes.n && x->q->tests.n; i++) x->nodes.at[i].origin = OF_TEST;
}

static void end(closure *x) {
  for (size_t i = 0; i < x->nodes.n; i++)
    if (x->nodes.at[i].state) tp_state_free(x->nodes.at[i].state);
  for (size_t i = 0; i < x->places.n; i++) {
    if (x->places.at[i].state) tp_state_free(x->places.at[i].state);
    tp_vec_clear(&x->places.at[i].nodes);
  }
  tp_vec_clear(&x->nodes);
  tp_vec_clear(&x->places);
  tp_map_clear(&x->place_at);
  tp_map_clear(&x->base_of);
  tp_free(x->is_cutpoint);
  tp_state_free(x->start);
  tp_random_inputs_clear(&x->draw);
  tp_inputs_clear(&x->failing);
  tp_recursion_free(x->r);
}

static void answer(closure *x) {
  begin(x);
  for (uint32_t i = 0; i < x->q->tests.n && !is_over(x); i++) run_test(x, i);
  const bool is_closed = close_set(x);
  count(x);
  conclude(x, is_closed);
  end(x);
}

void tp_heap_adequacy_run(const tp_adequacy_question *q, const tp_budget *budget, tp_stats *stats,
                          tp_result *out, tp_heap_adequacy_report *report) {
  closure x = {.q = q,
               .task = q->task,
               .p = q->task->program,
               .budget = budget,
               .stats = stats,
               .out = out,
               .report = report,
               .start_s = tp_cpu_s()};
  tp_str why = {0};
  x.c = tp_composition_open_with(x.p, x.task->property, composition, x.task->shape_classes, stats,
                                 &why);
  if (!x.c)
    tp_result_give_up(out, tp_arena_strdup(&out->arena, tp_str_text(&why)), NULL);
  else if (!tp_heap_abstraction_init(&x.a, x.p, x.c))
    tp_result_give_up(out, "the program has no structure with links to its own kind on the heap",
                      "try --domain=predicates");
  else
    answer(&x);
  tp_heap_abstraction_clear(&x.a);
  if (x.c) tp_composition_close(x.c);
  tp_str_clear(&why);
}

void tp_heap_adequacy_report_init(tp_heap_adequacy_report *r) {
  *r = (tp_heap_adequacy_report){0};
  tp_arena_init(&r->arena);
}

void tp_heap_adequacy_report_clear(tp_heap_adequacy_report *r) {
  tp_vec_clear(&r->places);
  tp_vec_clear(&r->functions);
  tp_vec_clear(&r->potential);
  tp_arena_clear(&r->arena);
}
