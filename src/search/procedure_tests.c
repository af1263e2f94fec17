/* The interpreter is observed at every location. A stack beside the machine's knows the activation
 * of each frame; frames that are not kept have none, and neither has what they call. */
#include "search/procedure_tests.h"

#include "search/search_limits.h"

void tp_procedure_tests_init(tp_procedure_tests *t, tp_procedures *x, tp_property property) {
  *t = (tp_procedure_tests){.x = x, .property = property};
  t->start = tp_state_initial(x->run->p);
  tp_vec_push(&t->activations, (tp_activation){0});
  tp_vec_push(&t->visits, (tp_procedure_visit){0});
  t->in_cell = tp_alloc(x->list.n * sizeof *t->in_cell);
}

void tp_procedure_tests_clear(tp_procedure_tests *t) {
  for (size_t i = 0; i < t->tests.n; i++) tp_inputs_clear(&t->tests.at[i].inputs);
  for (size_t i = 1; i < t->visits.n; i++) tp_state_free(t->visits.at[i].state);
  for (size_t i = 1; i < t->activations.n; i++) tp_vec_clear(&t->activations.at[i].visits);
  for (size_t p = 0; p < t->x->list.n; p++) {
    for (size_t c = 0; c < t->in_cell[p].n; c++) tp_vec_clear(&t->in_cell[p].at[c]);
    tp_vec_clear(&t->in_cell[p]);
  }
  tp_free(t->in_cell);
  tp_vec_clear(&t->tests);
  tp_vec_clear(&t->activations);
  tp_vec_clear(&t->visits);
  tp_state_free(t->start);
}

// -------------------------------------------------------------------------- cells

static void put(tp_procedure_tests *t, uint32_t visit) {
  const tp_procedure_visit *v = &t->visits.at[visit];
  const uint32_t p = t->activations.at[v->activation].procedure;
  if (t->in_cell[p].n <= v->cell) tp_vec_resize(&t->in_cell[p], t->x->list.at[p]->pt.cells.n);
  tp_vec_push(&t->in_cell[p].at[v->cell], visit);
}

const tp_visit_list *tp_procedure_tests_in(const tp_procedure_tests *t, uint32_t procedure,
                                           uint32_t cell) {
  static const tp_visit_list none = {0};
  return cell < t->in_cell[procedure].n ? &t->in_cell[procedure].at[cell] : &none;
}

void tp_procedure_tests_reassign(tp_procedure_tests *t, uint32_t procedure, uint32_t cell) {
  if (cell >= t->in_cell[procedure].n) return;
  tp_visit_list old = t->in_cell[procedure].at[cell];
  t->in_cell[procedure].at[cell] = (tp_visit_list){0};
  for (size_t i = 0; i < old.n; i++) {
    tp_procedure_visit *v = &t->visits.at[old.at[i]];
    v->cell = tp_partition_cell_of(&t->x->list.at[procedure]->pt, v->node, v->state);
    put(t, old.at[i]);
  }
  tp_vec_clear(&old);
}

// --------------------------------------------------------------------------- runs

typedef struct {
  uint32_t activation;  // 0: not kept
  uint32_t last;        // its last kept visit, if that was the last location it was at; else 0
} frame;

typedef struct {
  tp_procedure_tests *t;
  const tp_program *p;
  TP_VEC(frame) frames;
  tp_map count;  // activation << 32 | node -> visits
  uint64_t steps;
  uint32_t n_activations;
  bool is_over;
} test_run;

static bool is_kept(test_run *w, uint32_t activation, uint32_t node) {
  const uint64_t key = (uint64_t)activation << 32 | node;
  uint64_t n = 0;
  (void)tp_map_get(&w->count, key, &n);
  tp_map_set(&w->count, key, n + 1);
  if (w->t->visits.n >= TP_SEARCH_PROCEDURE_VISITS) return false;
  return n < TP_SEARCH_PROCEDURE_NODE_VISITS || (n & (n - 1)) == 0;
}

static uint32_t keep(test_run *w, uint32_t activation, uint32_t node, const tp_state *s) {
  tp_procedure_tests *t = w->t;
  const uint32_t number = (uint32_t)t->visits.n;
  const uint32_t p = t->activations.at[activation].procedure;
  tp_procedure_visit v = {.activation = activation, .node = node, .step = w->steps};
  v.cell = tp_partition_cell_of(&t->x->list.at[p]->pt, node, s);
  v.state = tp_state_copy_top(s);
  tp_vec_push(&t->visits, v);
  tp_vec_push(&t->activations.at[activation].visits, number);
  put(t, number);
  t->n_new++;
  return number;
}

/* The frame on top is new. */
static void push_frame(test_run *w, const tp_state *s, tp_func f) {
  tp_procedure_tests *t = w->t;
  const bool is_main = w->frames.n == 0;
  const uint32_t caller = is_main ? 0 : tp_vec_last(&w->frames).last,
                 procedure = t->x->of_func[f.id];
  frame new = {0};
  if (procedure && (is_main || caller) && tp_state_depth(s) <= TP_SEARCH_PROCEDURE_DEPTH &&
      w->n_activations < TP_SEARCH_PROCEDURE_ACTIVATIONS) {
    new.activation = (uint32_t)t->activations.n;
    w->n_activations++;
    tp_vec_push(
        &t->activations,
        (tp_activation){.test = (uint32_t)t->tests.n, .procedure = procedure, .caller = caller});
    if (caller) t->visits.at[caller].callee = new.activation;
  }
  tp_vec_push(&w->frames, new);
}

static void visit_node(test_run *w, frame *f, uint32_t node, const tp_state *s) {
  tp_activation *a = &w->t->activations.at[f->activation];  // visits alone are added below
  const tp_procedure *p = w->t->x->list.at[a->procedure];
  const bool is_entry = !a->entry, is_exit = p->exit && node == p->exit;
  if (is_entry && !a->caller) a->entry = f->last = keep(w, f->activation, 0, s);
  const uint32_t before = f->last;
  f->last = 0;
  if (!is_kept(w, f->activation, node) && !is_entry && !is_exit) return;
  f->last = keep(w, f->activation, node, s);
  if (before) w->t->visits.at[before].next = f->last;
  if (!a->entry) a->entry = f->last;
  if (is_exit) a->exit = f->last;
}

static bool visit(void *ctx, const tp_state *s) {
  test_run *w = ctx;
  const tp_loc loc = tp_state_loc(s);
  const size_t depth = tp_state_depth(s);
  uint32_t node;
  if (w->frames.n > depth) w->frames.n = depth;
  if (w->frames.n < depth) push_frame(w, s, tp_loc_of(w->p, loc)->func);
  frame *f = &tp_vec_last(&w->frames);
  if (f->activation &&
      tp_procedure_node(w->t->x->list.at[w->t->activations.at[f->activation].procedure], loc,
                        &node))
    visit_node(w, f, node, s);
  if (tp_out_edges(w->p, loc).n) w->steps++;
  if ((w->steps & (TP_SEARCH_PROCEDURE_LOOK_STEPS - 1)) == 0)
    w->is_over = tp_graph_run_is_over(w->t->x->run);
  return !w->is_over;
}

void tp_procedure_tests_run(tp_procedure_tests *t, const tp_inputs *inputs) {
  tp_procedure_test test = {0};
  test_run w = {.t = t, .p = t->x->run->p};
  tp_inputs_init(&test.inputs);
  t->n_new = 0;
  static const tp_inputs none = {.is_testcomp = false};
  tp_vector_oracle vector = {.in = inputs ? inputs : &none, .then_zero = true};
  tp_record_oracle record = {.inner = tp_oracle_of_vector(&vector), .to = &test.inputs};
  tp_oracle oracle = tp_oracle_recording(&record);
  const tp_observer observer = {.mask = TP_OBSERVE_ALL, .ctx = &w, .at = visit};
  tp_state *s = tp_state_copy(t->start);
  test.end =
      tp_exec_run(w.p, s, &oracle, (tp_run_limits){.steps = TP_SEARCH_TEST_STEPS}, &observer);
  tp_state_free(s);
  tp_vec_push(&t->tests, test);
  if (tp_property_covers(t->property, tp_loc_of(w.p, test.end.loc)->error) && !t->failing)
    t->failing = (uint32_t)t->tests.n;
  t->x->run->stats->tests_run++;
  tp_vec_clear(&w.frames);
  tp_map_clear(&w.count);
}
