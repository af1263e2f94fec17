/* The choice is a set cover: the next condition is the one that excludes the largest part of the
 * failing runs that are left, less what it excludes of those that come back. */
#include "app/precondition_runs.h"

#include "app/app_limits.h"
#include "exec/random_inputs.h"
#include "expression/expression.h"

// ------------------------------------------------------------------------- runs

/* The call of the function from main; NONE: there is none. */
static tp_edge find_call(const tp_program *p, tp_func f) {
  for (uint32_t e = 1; e < p->edges.n; e++) {
    const tp_edge_info *edge = &p->edges.at[e];
    if (edge->kind == TP_E_CALL && edge->callee.id == f.id &&
        tp_loc_of(p, edge->from)->func.id == p->main.id)
      return (tp_edge){e};
  }
  return (tp_edge){0};
}

/* Numbers whose terms cannot be read at the call have no conditions. */
static void read_numbers(tp_precondition_runs *r, tp_loc at) {
  size_t n = 0;
  tp_term *terms = tp_arena_array(r->arena, tp_term, r->numbers.n + 1);
  for (size_t i = 0; i < r->numbers.n; i++) {
    const tp_precondition_number *x = &r->numbers.at[i];
    tp_expression_error error = {0};
    tp_c_value v = {0};
    tp_term is_set = TP_TERM_NONE;
    tp_status st;
    if (x->is_pointer) {
      st = tp_predicate_read(r->p, at, tp_arena_printf(r->arena, "%s != 0", x->text), &is_set,
                             &error);
    } else {
      st = tp_expression_read(r->p, at, x->text, &v, &error);
      if (st == TP_OK) st = tp_c_value_load(r->p, &v, &error.why);
    }
    tp_str_clear(&error.why);
    if (st != TP_OK) continue;
    r->numbers.at[n] = *x;
    terms[n++] = x->is_pointer ? is_set : v.value;
  }
  r->numbers.n = n;
  r->terms = terms;
}

void tp_precondition_runs_init(tp_precondition_runs *r, const tp_program *p, tp_property property,
                               tp_func f, bool has_null, tp_arena *arena) {
  TP_REQUIRE(r && p && f.id && f.id < p->funcs.n && arena);
  *r = (tp_precondition_runs){.p = p, .property = property, .func = f, .arena = arena};
  tp_precondition_list_numbers(p, f, has_null, arena, &r->numbers);
  const tp_edge call = find_call(p, f);
  if (call.id)
    read_numbers(r, p->edges.at[call.id].from);
  else
    r->numbers.n = 0;
  r->start = tp_state_initial(p);
}

void tp_precondition_runs_clear(tp_precondition_runs *r) {
  if (r->start) tp_state_free(r->start);
  tp_vec_clear(&r->numbers);
  tp_vec_clear(&r->failing);
  tp_vec_clear(&r->passing);
}

typedef struct {
  const tp_precondition_runs *r;
  tp_i128 *values;   // at the call; NULL: the run has not come to it
  bool has_unknown;  // some number has no value there
  bool *taken;       // by edge, of all runs; NULL: nobody asks
  bool is_new;
} watch;

static bool evaluate(const tp_precondition_runs *r, size_t i, const tp_state *s, tp_i128 *out) {
  const tp_precondition_number *x = &r->numbers.at[i];
  tp_value v;
  if (tp_state_eval(s, r->terms[i], &v) != TP_OK) return false;
  *out = (tp_i128)v.bits;
  if (x->is_pointer || !x->is_signed) return true;
  const uint32_t width = tp_width(r->p->terms, r->terms[i]);
  if (width < 128 && (v.bits >> (width - 1) & 1)) *out -= (tp_i128)1 << width;
  return true;
}

static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  watch *w = ctx;
  const tp_edge_info *edge = &w->r->p->edges.at[e.id];
  if (w->taken && !w->taken[e.id]) w->taken[e.id] = w->is_new = true;
  if (w->values || edge->kind != TP_E_CALL || edge->callee.id != w->r->func.id ||
      tp_state_depth(before) != 1)
    return true;
  w->values = tp_arena_alloc(w->r->arena, (w->r->numbers.n + 1) * sizeof(tp_i128));
  for (size_t i = 0; i < w->r->numbers.n && !w->has_unknown; i++)
    w->has_unknown = !evaluate(w->r, i, before, &w->values[i]);
  return true;
}

static bool is_known(const tp_precondition_runs *r, const tp_precondition_calls *calls,
                     const tp_i128 *values) {
  for (size_t i = 0; i < calls->n; i++)
    if (memcmp(calls->at[i], values, r->numbers.n * sizeof *values) == 0) return true;
  return false;
}

static bool run_once(tp_precondition_runs *r, tp_oracle *oracle, watch *w) {
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = w, .edge = note_edge};
  tp_state *state = tp_state_copy(r->start);
  const tp_run_result end = tp_exec_run(
      r->p, state, oracle, (tp_run_limits){.steps = TP_APP_PRECONDITION_STEPS}, &observer);
  tp_state_free(state);
  const bool is_error = end.end == TP_END_ERROR &&
                        tp_property_covers(r->property, tp_loc_of(r->p, end.loc)->error),
             fails = is_error || end.end == TP_END_INVALID;
  if (!w->values || w->has_unknown || (!fails && end.end != TP_END_EXIT)) return false;
  tp_precondition_calls *calls = fails ? &r->failing : &r->passing;
  if (calls->n < TP_APP_PRECONDITION_CALLS && !is_known(r, calls, w->values))
    tp_vec_push(calls, w->values);
  return true;
}

bool tp_precondition_runs_add(tp_precondition_runs *r, const tp_inputs *inputs) {
  TP_REQUIRE(r && inputs);
  tp_vector_oracle vector = {.in = inputs, .then_zero = true};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  watch w = {.r = r};
  return run_once(r, &oracle, &w);
}

void tp_precondition_runs_sample(tp_precondition_runs *r, uint64_t seed, double cpu_s) {
  TP_REQUIRE(r);
  tp_random_inputs draw;
  tp_random_inputs_init(&draw, r->p, seed);
  draw.prefers_small = true;
  bool *taken = TP_NEW_ARRAY(bool, r->p->edges.n + 1);
  const double start_s = tp_cpu_s();
  for (uint32_t i = 0; i < TP_APP_PRECONDITION_RUNS && tp_cpu_s() - start_s < cpu_s; i++) {
    tp_inputs made;
    tp_inputs_init(&made);
    tp_random_inputs_start(&draw, &made);
    tp_oracle oracle = tp_random_inputs_oracle(&draw);
    watch w = {.r = r, .taken = taken};
    (void)run_once(r, &oracle, &w);
    if (w.is_new) tp_random_inputs_keep(&draw, &made);
    tp_inputs_clear(&made);
  }
  tp_free(taken);
  tp_random_inputs_clear(&draw);
}

// ----------------------------------------------------------------------- choice

/* How many of the calls that are not excluded yet does it exclude? */
static size_t n_excluded(const tp_condition *c, const tp_precondition_calls *calls,
                         const bool *is_excluded) {
  size_t n = 0;
  for (size_t i = 0; i < calls->n; i++)
    n += !is_excluded[i] && !tp_condition_holds(c, calls->at[i]);
  return n;
}

static void exclude(const tp_condition *c, const tp_precondition_calls *calls, bool *is_excluded) {
  for (size_t i = 0; i < calls->n; i++) is_excluded[i] |= !tp_condition_holds(c, calls->at[i]);
}

static size_t count(const bool *flags, size_t n) {
  size_t n_set = 0;
  for (size_t i = 0; i < n; i++) n_set += flags[i];
  return n_set;
}

/* Of a choice, the conditions without which some failing run is not excluded. */
static void keep_needed(const tp_precondition_runs *r, const tp_condition_list *conditions,
                        tp_condition_choice *out) {
  for (size_t k = out->n; k-- > 0 && out->n > 1;) {
    bool is_needed = false;
    for (size_t i = 0; i < r->failing.n && !is_needed; i++) {
      is_needed = true;
      for (size_t other = 0; other < out->n && is_needed; other++)
        is_needed =
            other == k || tp_condition_holds(&conditions->at[out->at[other]], r->failing.at[i]);
    }
    if (is_needed) continue;
    memmove(out->at + k, out->at + k + 1, (out->n - k - 1) * sizeof *out->at);
    out->n--;
  }
}

bool tp_precondition_choose(const tp_precondition_runs *r, const tp_condition_list *conditions,
                            const bool *is_out, tp_condition_choice *out) {
  TP_REQUIRE(r && conditions && is_out && out);
  out->n = 0;
  bool *fails = TP_NEW_ARRAY(bool, r->failing.n + 1),
       *passes = TP_NEW_ARRAY(bool, r->passing.n + 1);
  size_t n_left = r->failing.n;
  while (n_left > 0 && out->n < TP_APP_PRECONDITION_LENGTH) {
    const double all_passing = (double)(r->passing.n - count(passes, r->passing.n)) + 1;
    double best = 0;
    uint32_t chosen = UINT32_MAX;
    for (uint32_t i = 0; i < conditions->n; i++) {
      if (is_out[i]) continue;
      const tp_condition *c = &conditions->at[i];
      const double gain = (double)n_excluded(c, &r->failing, fails) / (double)n_left,
                   loss = (double)n_excluded(c, &r->passing, passes) / all_passing,
                   score = gain - TP_APP_PRECONDITION_LOSS * loss -
                           TP_APP_PRECONDITION_COST * (double)c->cost;
      if (gain > 0 && score > best) best = score, chosen = i;
    }
    if (chosen == UINT32_MAX) break;
    tp_vec_push(out, chosen);
    exclude(&conditions->at[chosen], &r->failing, fails);
    exclude(&conditions->at[chosen], &r->passing, passes);
    n_left = r->failing.n - count(fails, r->failing.n);
  }
  tp_free(fails);
  tp_free(passes);
  if (n_left == 0) keep_needed(r, conditions, out);
  return n_left == 0 && out->n > 0;
}
