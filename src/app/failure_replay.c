/* Inputs on the concrete machine: the checker's run, a shorter vector where one is asked for, the
 * run's path, and what it rests on. */
#include "app/failure_replay.h"

#include "app/app_limits.h"
#include "certify/certify.h"
#include "exec/smaller_inputs.h"
#include "report/error_path.h"

/* Does the failure also happen if everything indeterminate is 0? That can be given to a compiled
 * program. Then `asked` becomes the vector of that run, which may take another way: a longer one,
 * but it need not end. edges: of the run that failed. */
static bool fails_zeroed(const tp_session *s, uint64_t edges, tp_inputs *asked) {
  const tp_run_limits limits = {.steps = 100000 + 4 * edges};
  tp_vector_oracle vector = {.in = asked};
  tp_inputs zeroed;
  tp_inputs_init(&zeroed);
  tp_record_oracle record = {.inner = tp_oracle_of_defined(&vector), .to = &zeroed};
  tp_oracle oracle = tp_oracle_recording(&record);
  tp_run_result run = tp_exec_main(s->program, &oracle, limits, NULL);
  bool fails = run.end == TP_END_ERROR &&
               tp_property_covers(s->property, tp_loc_of(s->program, run.loc)->error);
  tp_inputs old = fails ? *asked : zeroed;
  if (fails) *asked = zeroed;
  tp_inputs_clear(&old);
  return fails;
}

// --------------------------------------------------- what the failure rests on

/* Names of absent functions that this run asked, each once. */
static void asked_absent(const tp_program *p, const tp_inputs *asked, tp_str *out) {
  TP_VEC(const char *) seen = {0};
  for (size_t i = 0; i < asked->v.n; i++) {
    const tp_input *in = &asked->v.at[i];
    bool known = in->kind != TP_I_EXTERN || !tp_is_absent(p, in->name);
    for (size_t k = 0; k < seen.n && !known; k++) known = strcmp(seen.at[k], in->name) == 0;
    if (!known) tp_vec_push(&seen, in->name);
  }
  for (size_t i = 0; i < seen.n && i < TP_APP_ABSENT_NAMES; i++)
    tp_str_printf(out, "%s%s", i ? " or " : "", seen.at[i]);
  if (seen.n > TP_APP_ABSENT_NAMES)
    tp_str_printf(out, " or %zu others", seen.n - TP_APP_ABSENT_NAMES);
  tp_vec_clear(&seen);
}

/* A failing run that uses indeterminate bits may use those of variables that nothing defines: whose
 * bits they are is not known. */
static bool rests_on_variables(const tp_program *p, tp_str *why) {
  const char *names[TP_APP_ABSENT_NAMES];
  const size_t n = tp_absent_variables(p, names, TP_APP_ABSENT_NAMES);
  if (n == 0) return false;
  tp_str_add(why, "depends on ");
  for (size_t i = 0; i < n && i < TP_APP_ABSENT_NAMES; i++)
    tp_str_printf(why, "%s%s", i ? " or " : "", names[i]);
  tp_str_add(why, n > TP_APP_ABSENT_NAMES ? " or others, variables that nothing defines"
                  : n > 1                 ? ", variables that nothing defines"
                                          : ", a variable that nothing defines");
  return true;
}

/* Why the run that fails with these inputs rests on what nobody stated: a clause behind "the
 * failure"; empty: it does not. Rewrites the program. has_indeterminate: the run uses indeterminate
 * bits anyway, so that they say nothing about functions. */
static void rests_on(const tp_session *s, tp_property violated, const tp_inputs *asked,
                     tp_run_limits limits, bool has_indeterminate, tp_str *why) {
  tp_program *p = s->program;
  const tp_absent_scope open = tp_session_openness(s, violated);
  if (has_indeterminate && open != TP_SCOPE_INPUTS && rests_on_variables(p, why)) return;
  if (!tp_is_underspecified(p, open)) return;
  tp_absent_make_indeterminate(p, open);
  tp_vector_oracle vector = {.in = asked};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  const tp_run_result run = tp_exec_main(p, &oracle, limits, NULL);
  tp_str names = {0};
  asked_absent(p, asked, &names);
  bool fails =
      run.end == TP_END_ERROR && tp_property_covers(s->property, tp_loc_of(p, run.loc)->error);
  if (fails && names.n && open != TP_SCOPE_INPUTS && (run.used_indeterminate || has_indeterminate))
    tp_str_printf(why, "depends on what %s returns, without a body", names.text);
  else if (!fails && run.end == TP_END_BLOCKED && run.why && tp_is_absent(p, run.why))
    tp_str_printf(
        why, "comes behind a call of %s, which has no body and could write memory%s", run.why,
        open == TP_SCOPE_RETENTION ? ", or keep or free what it is given" : " or call back");
  else if (!fails && run.end == TP_END_BLOCKED && run.why)
    tp_str_printf(why,
                  "needs a value of %s that not both its declaration and its published type have",
                  run.why);
  else if (!fails)
    tp_str_add(why, "comes behind a call of a function without body, through a pointer");
  tp_str_clear(&names);
}

// ------------------------------------------------------------------- other inputs

/* Where a run with these inputs fails; NONE: nowhere. */
static tp_loc error_of(const tp_program *p, const tp_inputs *inputs) {
  tp_vector_oracle vector = {.in = inputs};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  const tp_run_result r =
      tp_exec_main(p, &oracle, (tp_run_limits){.steps = TP_APP_SMALLER_EDGES}, NULL);
  return r.end == TP_END_ERROR ? r.loc : TP_LOC_NONE;
}

/* The inputs that are asked for, as a copy. False: there is no such variant. */
static bool choose(const tp_program *p, tp_failure_replay *r, tp_inputs *out) {
  const tp_smaller_limits limits = {TP_APP_SMALLER_RUNS, TP_APP_SMALLER_EDGES};
  const tp_loc error = r->choice == TP_INPUTS_AS_FOUND ? TP_LOC_NONE : error_of(p, r->inputs);
  if (r->choice == TP_INPUTS_VARIED) {
    r->is_changed = true;
    return error.id && tp_inputs_vary(p, error, r->inputs, limits, &r->variant, out);
  }
  tp_inputs_add_all(out, r->inputs);
  if (error.id) r->is_changed = tp_inputs_make_smaller(p, error, limits, out);
  return true;
}

// ----------------------------------------------------------------------- exactness

typedef struct {
  const tp_program *p;
  tp_edge last;  // the edge taken before, or NONE
  bool uses_addresses;
} address_watch;

static tp_visit visit_address(void *ctx, tp_term t) {
  const address_watch *w = ctx;
  const tp_term_kind op = tp_kind(w->p->terms, t);
  return op == TP_OP_PTR_TO_INT || op == TP_OP_INT_TO_PTR ? TP_VISIT_STOP : TP_VISIT_ARGS;
}

static bool has_address(address_watch *w, tp_term t) {
  tp_map seen = {0};
  const tp_visitor v = {.ctx = w, .visit = visit_address};
  const bool found = !tp_visit_terms(w->p->terms, t, &v, &seen);
  tp_map_clear(&seen);
  return found;
}

/* Did the edge give an integer variable a number that is an address, as a load of the bytes of a
 * pointer does? */
static bool gave_address(const address_watch *w, const tp_state *s) {
  const tp_edge_info *e = &w->p->edges.at[w->last.id];
  tp_value value;
  if (!w->last.id || !e->var.id || tp_state_value(s, e->var, &value) != TP_OK) return false;
  const tp_sort sort = tp_sort_of(w->p->terms, tp_var_of(w->p, e->var)->term);
  return tp_sort_kind_of(w->p->terms, sort) == TP_SORT_BV && value.object != 0;
}

static bool watch_edge(void *ctx, const tp_state *before, tp_edge edge) {
  address_watch *w = ctx;
  const tp_edge_info *e = &w->p->edges.at[edge.id];
  w->uses_addresses = gave_address(w, before) || has_address(w, e->a) || has_address(w, e->b) ||
                      has_address(w, e->c);
  w->last = edge;
  return !w->uses_addresses;
}

/* Is an address made a number on the way of this run, or a number an address? */
static bool uses_addresses(const tp_program *p, const tp_inputs *inputs, tp_run_limits limits) {
  address_watch w = {.p = p};
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = &w, .edge = watch_edge};
  tp_vector_oracle vector = {.in = inputs};
  tp_oracle oracle = tp_oracle_of_vector(&vector);
  const tp_run_result run = tp_exec_main(p, &oracle, limits, &observer);
  return run.end != TP_END_ERROR || w.uses_addresses;
}

// ------------------------------------------------------------------------ worker

typedef struct {
  tp_session *s;
  tp_failure_replay *r;
} replay_job;

static void replay(void *ctx, int channel, tp_str *answer) {
  replay_job *job = ctx;
  tp_session *s = job->s;
  (void)channel;
  bool zeroed = false;
  tp_certify_report report;
  tp_certify_report_init(&report);
  tp_property violated = TP_P_NONE;
  tp_run_limits limits = {.steps = (uint64_t)TP_APP_REPLAY_STEPS};
  tp_inputs asked;
  tp_inputs_init(&asked);
  report.asked = &asked;  // in the words of the program: a vector read from a file has values only
  tp_inputs chosen;
  tp_inputs_init(&chosen);
  tp_certify_result result = TP_CERTIFY_REJECTED;
  if (choose(s->program, job->r, &chosen))
    result = tp_certify_false(s->program, s->property, &chosen, limits, &violated, &report);
  tp_inputs_clear(&chosen);
  tp_error_path path;
  memset(&path, 0, sizeof path);
  size_t max_lines = s->o->verbose ? 0 : 180;
  if (result == TP_CERTIFY_ACCEPTED) {
    tp_error_path_of(s->program, &asked, (tp_error_path_options){max_lines, limits, report.edges},
                     &path);
    zeroed = report.used_indeterminate && fails_zeroed(s, report.edges, &asked);
  }
  if (zeroed) {
    tp_error_path_clear(&path);
    report.asked = NULL;
    result = tp_certify_false(s->program, s->property, &asked, limits, &violated, &report);
    tp_error_path_of(s->program, &asked, (tp_error_path_options){max_lines, limits, report.edges},
                     &path);
  }
  tp_wire_put_u64(answer, result);
  tp_wire_put_text(answer, tp_str_text(&report.why));
  tp_wire_put_u64(answer, violated);
  tp_wire_put_u64(answer, path.run.loc.id);
  tp_wire_put_u64(answer, report.used_indeterminate);
  tp_wire_put_u64(answer, zeroed);
  tp_wire_put_u64(answer, report.edges);
  tp_wire_put_u64(answer, path.guesses_matter);
  tp_wire_put_bytes(answer, &path.error_pos, sizeof path.error_pos);
  tp_wire_put_text(answer, path.error_function ? path.error_function : "");
  tp_wire_put_text(answer, tp_str_text(&path.message));
  tp_wire_put_text(answer, tp_str_text(&path.notes));
  tp_wire_put_text(answer, tp_str_text(&path.text));
  tp_wire_put_text(answer, tp_str_text(&path.order));
  tp_wire_put_inputs(answer, &asked);
  tp_str open = {0};
  const bool is_exact = result == TP_CERTIFY_ACCEPTED && !report.used_indeterminate &&
                        !path.guesses_matter &&
                        (s->machine_is_enough || strcmp(s->o->confirm, "machine") == 0) &&
                        !uses_addresses(s->program, &asked, limits);
  if (result == TP_CERTIFY_ACCEPTED)
    rests_on(s, violated, &asked, limits, report.used_indeterminate, &open);
  tp_wire_put_text(answer, tp_str_text(&open));
  tp_wire_put_u64(answer, job->r->is_changed);
  tp_wire_put_u64(answer, job->r->variant);
  tp_wire_put_u64(answer, is_exact);
  tp_str_clear(&open);
  tp_inputs_clear(&asked);
  tp_error_path_clear(&path);
  tp_certify_report_clear(&report);
}

static void read_replay(tp_session *s, tp_wire_reader *w, tp_failure_replay *r) {
  uint64_t violated = tp_wire_u64(w), loc = tp_wire_u64(w);
  s->now.used_indeterminate = tp_wire_u64(w) != 0;
  s->now.is_zeroed = tp_wire_u64(w) != 0;
  s->now.replay_steps = tp_wire_u64(w);
  s->now.guesses_matter = tp_wire_u64(w) != 0;
  size_t n;
  const char *pos = tp_wire_bytes(w, &n);
  if (n == sizeof s->now.error_pos) memcpy(&s->now.error_pos, pos, n);
  s->now.error_function = tp_wire_text(w, &s->arena);
  s->now.error_message = tp_wire_text(w, &s->arena);
  s->now.error_notes = tp_wire_text(w, &s->arena);
  const char *path = tp_wire_text(w, &s->arena), *where = tp_wire_text(w, &s->arena);
  tp_inputs_clear(&s->now.result.inputs);
  tp_inputs_init(&s->now.result.inputs);
  tp_wire_inputs(w, &s->now.result.inputs);
  const char *rests = tp_wire_text(w, &s->arena);
  r->is_changed = tp_wire_u64(w) != 0;
  r->variant = (size_t)tp_wire_u64(w);
  r->is_exact = tp_wire_u64(w) != 0;
  if (w->bad || violated >= TP_N_PROPERTIES || loc >= s->program->locs.n) {
    w->bad = true;
    return;
  }
  s->now.violated = (tp_property)violated;
  r->error.id = (uint32_t)loc;
  // what is used unset has no value that could matter
  if (tp_loc_of(s->program, r->error)->manner == TP_FAILS_UNINITIALISED)
    s->now.used_indeterminate = s->now.is_zeroed = false;
  tp_str_clear(&s->now.path);
  tp_str_add(&s->now.path, path ? path : "");
  tp_str_add(&r->order, where ? where : "");
  tp_str_add(&r->open, rests ? rests : "");
}

bool tp_failure_replay_run(tp_session *s, tp_failure_replay *r) {
  TP_REQUIRE(!r->error.id && !r->order.n && !r->open.n && !r->why.n);
  tp_worker w;
  replay_job job = {s, r};
  tp_worker_run(&w, &s->budget, (tp_work){replay, &job, "replay"});
  bool ok = false;
  if (!w.has_answer) {
    tp_str_printf(&r->why, "%s", tp_str_text(&w.reason));
  } else {
    uint64_t result = tp_wire_u64(&w.answer);
    const char *text = tp_wire_text(&w.answer, &s->arena);
    ok = !w.answer.bad && result == TP_CERTIFY_ACCEPTED;
    if (ok)
      read_replay(s, &w.answer, r);
    else
      tp_str_add(&r->why, text ? text : "?");
    ok = ok && !w.answer.bad;
  }
  tp_worker_clear(&w);
  return ok;
}

void tp_failure_replay_clear(tp_failure_replay *r) {
  tp_str_clear(&r->order);
  tp_str_clear(&r->open);
  tp_str_clear(&r->why);
}
