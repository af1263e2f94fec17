/* The question is: path condition of the test up to the state, and the step's condition with the
 * state's symbolic values put in. Where the state is asked about as it is (STEP) nothing of its
 * past is left to choose: the inputs of the step are the only unknowns.
 *
 * A return from a function takes no edge: the run that stops before the next edge is behind it
 * already. Then the question is whether the state is in the target; likewise at the start, where
 * the first block only says that the program begins.
 *
 * Inputs that the step itself asks for have a symbol for each edge and how often it asked; when the
 * test runs, the oracle looks them up by the edge that asks. */
#include "search/suitable.h"

#include "exec/concolic.h"
#include "search/search_limits.h"

void tp_suitable_init(tp_suitable *x, tp_forest *f, tp_smt_options smt) {
  *x = (tp_suitable){.f = f, .smt = smt};
}

void tp_suitable_clear(tp_suitable *x) {
  tp_trace_free(x->trace);
  x->trace = NULL;
}

static tp_suitable_answer unknown(tp_suitable *x, const char *why) {
  x->why = why;
  return TP_SUITABLE_UNKNOWN;
}

// -------------------------------------------------------------------- the path

/* The test's path up to the state: the one that is there, if it did not pass it yet. */
static bool follow(tp_suitable *x, const tp_visited *v) {
  if (x->trace && (tp_trace_test(x->trace) != v->test || tp_trace_steps(x->trace) > v->step))
    tp_suitable_clear(x);
  if (!x->trace) x->trace = tp_trace_new(x->f, v->test);
  return tp_trace_follow(x->trace, v->step);
}

/* Is the state, wherever the path says that it is, at the step's end already? */
static bool has_taken_step(const tp_forest *f, const tp_visited *v, tp_abstract_step step,
                           const tp_state *s) {
  const tp_blocks *b = f->pt->blocks;
  const tp_block_node *from = &b->nodes.at[v->node],
                      *to = &b->nodes.at[f->pt->cells.at[step.to].node];
  bool is_silent = v->node == 0 || tp_out_edges(b->paths->p, from->loc).n == 0;
  return is_silent && tp_state_loc(s).id == to->loc.id &&
         tp_state_depth(s) == tp_context_of(b->contexts, to->context)->depth;
}

// ---------------------------------------------------------------------- inputs

typedef struct {
  tp_suitable *x;
  tp_smt *smt;       // has a model; NULL: there was nothing to ask
  tp_map renamed;    // inputs of the step -> their symbols in the question
  uint64_t visits;   // of the test when it is inside of the step
  tp_map asked;      // edge -> how often
  tp_concolic *run;  // of a long test; NULL: the trace has the path
} question;

static bool value_of(const question *q, tp_term symbol, tp_value *out) {
  return q->smt && tp_term_is(symbol) && tp_smt_value(q->smt, symbol, out);
}

/* The symbol of an input that the step asks for at the place where the test is. */
static tp_term symbol_of(question *q, const tp_input *io) {
  const tp_forest *f = q->x->f;
  tp_paths *paths = f->pt->blocks->paths;
  tp_edge_list out = tp_out_edges(paths->p, f->loc);
  uint64_t count = 0, found;
  if (f->visits != q->visits || io->width_bits == 0 || out.n != 1) return TP_TERM_NONE;
  (void)tp_map_get(&q->asked, out.at[0], &count);
  tp_map_set(&q->asked, out.at[0], count + 1);
  const tp_sort sorts[] = {tp_sort_bv(paths->tt, io->width_bits),
                           io->width_bits == 1
                               ? tp_sort_bool(paths->tt)
                               : tp_sort_fp(paths->tt, io->is_float ? io->width_bits : 32)};
  for (size_t i = 0; i < 2; i++) {
    tp_term symbol = tp_paths_input_of(paths, (tp_edge){out.at[0]}, count, sorts[i]);
    if (tp_term_is(symbol) && tp_map_get(&q->renamed, symbol.id, &found))
      return (tp_term){(uint32_t)found};
  }
  return TP_TERM_NONE;
}

/* What the model says of inputs of the step; zeros behind it. */
static bool ask(void *ctx, tp_input *io) {
  question *q = ctx;
  tp_value value;
  io->bytes = NULL;
  io->n_bytes = 0;
  io->bits = value_of(q, symbol_of(q, io), &value) ? value.bits : 0;
  return true;
}

static bool value_in_model(void *ctx, tp_term symbol, tp_value *out) {
  return value_of(ctx, symbol, out);
}

/* The inputs of the path, as the model has them. */
static void inputs_of_model(question *q, tp_inputs *out) {
  if (q->run) {
    tp_concolic_inputs_of_model(q->run, value_in_model, q, out);
    return;
  }
  const tp_inputs *before = tp_trace_inputs(q->x->trace);
  for (size_t i = 0; i < before->v.n; i++) {
    tp_input in = before->v.at[i];
    tp_value value;
    if (in.width_bits && value_of(q, tp_trace_symbol(q->x->trace, i), &value)) in.bits = value.bits;
    tp_inputs_add(out, in);
  }
}

/* Runs the test that the model describes; was it in the step's target? */
static tp_suitable_answer try_model(question *q, uint32_t at, tp_abstract_step step,
                                    tp_suitable_how how) {
  tp_forest *f = q->x->f;
  const tp_visited v = f->states.at[at];
  tp_oracle oracle = {q, ask};
  q->visits = v.node == 0 ? 0 : v.visit + 1;
  if (how == TP_SUITABLE_STEP) {
    (void)tp_forest_step(f, at, &oracle);
  } else {
    tp_inputs inputs;
    tp_inputs_init(&inputs);
    inputs_of_model(q, &inputs);
    f->keep_visit = q->visits;
    (void)tp_forest_run(f, &inputs, &oracle);
    tp_inputs_clear(&inputs);
  }
  return tp_forest_first(f, step.to)
             ? TP_SUITABLE_FOUND
             : unknown(q->x, "a model of the solver was no run of the program");
}

// ------------------------------------------------------------------- questions

static tp_suitable_answer decide(question *q, uint32_t at, tp_abstract_step step,
                                 tp_suitable_how how, tp_term condition) {
  tp_paths *paths = q->x->f->pt->blocks->paths;
  condition = tp_paths_query(paths, condition);
  if (tp_is_false(paths->tt, condition)) return TP_SUITABLE_NONE;
  tp_suitable_answer answer = TP_SUITABLE_NONE;
  q->smt = tp_smt_new(paths->tt, q->x->smt);
  tp_smt_assert(q->smt, condition);
  switch (tp_smt_check(q->smt, NULL, 0)) {
    case TP_SMT_SAT: answer = try_model(q, at, step, how); break;
    case TP_SMT_UNSAT: break;
    case TP_SMT_UNKNOWN: answer = unknown(q->x, "the solver gave up on the path of a test"); break;
  }
  tp_smt_free(q->smt);
  return answer;
}

/* The test's own inputs. */
static tp_term inputs_as_run(const tp_suitable *x) {
  tp_terms *tt = x->f->pt->blocks->paths->tt;
  const tp_inputs *in = tp_trace_inputs(x->trace);
  tp_term all = tp_mk_true(tt);
  for (size_t i = 0; i < in->v.n; i++) {
    tp_term symbol = tp_trace_symbol(x->trace, i);
    if (tp_term_is(symbol))
      all = tp_mk_and(
          tt, all,
          tp_mk_eq(tt, symbol,
                   tp_mk_value(tt, tp_sort_of(tt, symbol), (tp_value){.bits = in->v.at[i].bits})));
  }
  return all;
}

/* Makes the question; false: it cannot be said. */
static bool condition_by_trace(tp_suitable *x, question *q, const tp_visited *v,
                               tp_abstract_step step, tp_suitable_how how, tp_term *out) {
  tp_forest *f = x->f;
  tp_paths *paths = f->pt->blocks->paths;
  if (!follow(x, v)) return false;
  const tp_path *path = tp_trace_path(x->trace);
  tp_term here;
  if (has_taken_step(f, v, step, tp_trace_state(x->trace)))
    here = tp_path_after(paths, path, f->pt->cells.at[step.to].formula);
  else
    here = tp_path_follow(paths, path, &q->renamed, tp_partition_step_condition(f->pt, step));
  *out = tp_mk_and(paths->tt, tp_path_condition(paths, path), here);
  if (how == TP_SUITABLE_STEP) *out = tp_mk_and(paths->tt, *out, inputs_as_run(x));
  return true;
}

/* The same where the test is long: terms for what depends on inputs only. Steps that ask for inputs
 * cannot be said. */
static bool condition_by_concolic_run(tp_suitable *x, question *q, const tp_visited *v,
                                      tp_abstract_step step, tp_term *out) {
  tp_forest *f = x->f;
  tp_paths *paths = f->pt->blocks->paths;
  tp_run_limits limits = f->limits;
  limits.steps = v->step + 1;
  q->run = tp_concolic_new(paths->p, f->start, &f->tests.at[v->test].inputs);
  tp_concolic_set_runner(q->run, f->runner);
  (void)tp_concolic_run(q->run, v->step, limits, true, TP_SEARCH_CONCOLIC_TERMS);
  if (tp_concolic_steps(q->run) != v->step) return false;
  tp_concolic_path pins = {0};
  const tp_concolic_path *path = tp_concolic_path_of(q->run);
  bool is_there = has_taken_step(f, v, step, tp_concolic_state(q->run));
  tp_term here =
      is_there ? f->pt->cells.at[step.to].formula
               : tp_flatten(&paths->flattener, paths->tt, tp_partition_step_condition(f->pt, step),
                            TP_SEARCH_CONCOLIC_TERMS);
  bool ok = tp_concolic_value(q->run, here, out, &pins);
  for (size_t i = 0; i < path->n && ok; i++)
    *out = tp_mk_and(paths->tt, *out, path->at[i].condition);
  for (size_t i = 0; i < pins.n && ok; i++) *out = tp_mk_and(paths->tt, *out, pins.at[i].condition);
  tp_vec_clear(&pins);
  return ok;
}

tp_suitable_answer tp_suitable_test(tp_suitable *x, uint32_t at, tp_abstract_step step,
                                    tp_suitable_how how) {
  TP_REQUIRE(at > 0 && at < x->f->states.n);
  TP_REQUIRE(x->f->states.at[at].cell == step.from);
  const tp_visited v = x->f->states.at[at];
  question q = {.x = x};
  tp_term condition;
  bool is_long = how == TP_SUITABLE_RUN && v.step > TP_SEARCH_LONG_TEST_EDGES;
  bool is_said = is_long ? condition_by_concolic_run(x, &q, &v, step, &condition)
                         : condition_by_trace(x, &q, &v, step, how, &condition);
  tp_suitable_answer answer = is_said
                                  ? decide(&q, at, step, how, condition)
                                  : unknown(x, "the path of a test cannot be said as a formula");
  if (q.run) tp_concolic_free(q.run);
  tp_map_clear(&q.renamed);
  tp_map_clear(&q.asked);
  return answer;
}
