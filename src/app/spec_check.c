/* twoproof spec: every function with a contract, or the one that is named, within the bounds that
 * were asked for.
 *
 * A counterexample is shown and called one only after the compiled program has confirmed it. What
 * could not be said of one function is said of the whole answer. */
#include "app/spec_check.h"

#include "app/app_limits.h"
#include "app/exit.h"
#include "app/junit_file.h"
#include "app/pictures.h"
#include "app/report_page.h"
#include "app/version.h"
#include "certify/unsat/refutation.h"
#include "contracts/modular/counterexample_picture.h"
#include "contracts/modular/contract_replay.h"
#include "contracts/modular/counterexample_text.h"
#include "contracts/refine/refined_check.h"
#include "report/page_spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* What the page has of the answers. */
typedef struct {
  TP_VEC(tp_page_contract) contracts;
  tp_str said;  // of the question in hand
  tp_page_contract now;
  tp_arena arena;
} spec_record;

typedef struct {
  const tp_options *o;
  tp_contracts *m;
  const tp_program *p;
  tp_diag *diag;
  tp_str *stats;  // JSON: one object for each question
  tp_str *said;   // of the function that is being checked
  spec_record *record;
} job;

typedef enum { GOOD, BAD, NOT_KNOWN } answer;

static void put(tp_str *text) {
  fputs(tp_str_text(text), stdout);
  tp_str_clear(text);
}

static void say(const job *j, tp_pos pos, const char *fmt, ...) TP_PRINTF(3, 4);
static void say(const job *j, tp_pos pos, const char *fmt, ...) {
  va_list args;
  tp_str text = {0};
  va_start(args, fmt);
  va_list again;
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, fmt, args);
  char *line = tp_arena_array(&j->record->arena, char, (size_t)n + 1);
  vsnprintf(line, (size_t)n + 1, fmt, again);
  va_end(again);
  va_end(args);
  tp_str_printf(&text, "  %s", line);
  if (tp_pos_known(pos)) {
    tp_str_add(&text, " (");
    tp_pos_print(j->diag, pos, &text);
    tp_str_add_char(&text, ')');
  }
  tp_str_printf(j->said, "%s%s", j->said->n ? "; " : "", text.text + 2);
  tp_str_add_char(&text, '\n');
  tp_str_add(&j->record->said, tp_str_text(&text) + 2);
  put(&text);
}

// ----------------------------------------------------------------------- proofs

typedef struct {
  bool is_required;  // --check=proof
  double most_s;     // of one proof where it is required; 0: no limit
  double cpu_s;      // of all proofs together
  uint64_t n_steps;
} proofs;

/* A proof solves the question once more and checks each step, so one of a question that took long
 * takes longer still, unless it is the last of many rounds: an attempt that would end without a
 * proof must not cost as much as the answer. Very short ones are always tried. */
static double most_of_a_proof(const proofs *p, double solved_s) {
  const double least_s = 1e-3 * (double)TP_APP_PROOF_LEAST_MS,
               share_s = solved_s / (double)TP_APP_PROOF_SHARE;
  if (p->is_required) return p->most_s;
  return share_s > least_s ? share_s : least_s;
}

static bool is_refuted(void *ctx, const int *clauses, size_t n, double solved_s) {
  proofs *p = ctx;
  tp_refutation_stats stats;
  const tp_refutation_limits limits = {.cpu_s = most_of_a_proof(p, solved_s)};
  const tp_refutation_answer a = tp_refute_clauses(clauses, n, limits, &stats, NULL);
  p->cpu_s += stats.cpu_s;
  p->n_steps += stats.proof.n_added;
  return a == TP_REFUTATION_PROVED;
}

static void print_proofs(const tp_contract_verdict *a, const proofs *p) {
  printf(
      "  without a model: %u questions, %u of them by a clause proof that was checked "
      "(%llu steps, %.2f s)%s\n",
      a->n_refuted, a->n_proved, (unsigned long long)p->n_steps, p->cpu_s,
      a->n_proved < a->n_refuted && !p->is_required ? "; --check=proof checks all" : "");
}

// ---------------------------------------------------------------------- answers

/* cpu_s: of everything from the program to the answer. */
static void print_size(const tp_contract_verdict *a, double cpu_s) {
  printf(
      "  %llu variables, %llu clauses, %llu solver calls; %.2f s, %.2f s of them in the solver\n",
      (unsigned long long)a->stats.n_variables, (unsigned long long)a->stats.n_clauses,
      (unsigned long long)a->stats.n_solver_calls, cpu_s, a->stats.solver_s);
}

static void print_bounds(const job *j, const tp_contract_verdict *a) {
  if (a->is_vacuous)
    say(j, TP_POS_NONE,
        "warning: no heap within the bounds is one that the function may be called with: nothing "
        "was checked");
  if (a->never_returns)
    say(j, TP_POS_NONE,
        "warning: within the bounds the function never returns: its postconditions were not "
        "checked");
  if (a->may_not_return)
    say(j, TP_POS_NONE, "not known: whether the function returns within the bounds");
  if (a->dead_call)
    say(j, a->dead_call_pos,
        "warning: by its contract no call of %s returns here: what comes behind it was not checked",
        a->dead_call);
  if (a->is_binding[TP_REXEC_OBJECTS])
    say(j, a->binding_pos[TP_REXEC_OBJECTS],
        "bound by --objects: executions that need %s were not looked at",
        a->binding_what[TP_REXEC_OBJECTS] ? a->binding_what[TP_REXEC_OBJECTS] : "more of them");
  if (a->is_binding[TP_REXEC_UNROLL])
    say(j, a->binding_pos[TP_REXEC_UNROLL],
        "bound by --unroll: executions that need %s were not looked at",
        a->binding_what[TP_REXEC_UNROLL] ? a->binding_what[TP_REXEC_UNROLL] : "more rounds");
  if (a->is_width_binding)
    say(j, TP_POS_NONE,
        "bound by --width: executions with integers of more bits were not looked at");
}

static void draw_counterexample(const job *j, tp_contract_vc *c, tp_func f,
                                const tp_contract_verdict *a, const tp_contract_replay *r,
                                tp_str *out) {
  tp_str title = {0};
  tp_str_printf(&title, "%s() fails: %s", tp_func_of(j->p, f)->name, r->what ? r->what : a->what);
  tp_counterexample_draw(c->heap, c->body, f, &a->instance,
                         r->what ? TP_DRAW_BEFORE_AND_AFTER : TP_DRAW_BEFORE_ONLY,
                         tp_str_text(&title), out);
  tp_str_clear(&title);
}

/* NAME.dot, and NAME.svg where it can be drawn. */
static void write_picture(const job *j, tp_contract_vc *c, tp_func f, const tp_contract_verdict *a,
                          const tp_contract_replay *r) {
  const char *name = tp_func_of(j->p, f)->name,
             *path = tp_arena_printf(&c->arena, "%s/%s.dot", j->o->pictures, name);
  tp_str text = {0};
  draw_counterexample(j, c, f, a, r, &text);
  if (!tp_is_writable_directory(j->o->pictures) || tp_write_file(path, text.text, text.n) != TP_OK)
    fprintf(stderr, "twoproof: cannot write %s: %s\n", path, strerror(errno));
  else
    printf("  a picture: %s/%s.%s\n", j->o->pictures, name,
           tp_pictures_render(j->o->pictures, &name, 1) ? "svg" : "dot");
  tp_str_clear(&text);
}

/* For the page. */
static void record_picture(const job *j, tp_contract_vc *c, tp_func f, const tp_contract_verdict *a,
                           const tp_contract_replay *r) {
  tp_str text = {0};
  draw_counterexample(j, c, f, a, r, &text);
  const char *dot = tp_str_text(&text);
  tp_pictures_as_svg(&dot, 1, &j->record->arena, &j->record->now.svg);
  tp_str_clear(&text);
}

/* Printed under its title, and kept for the page. */
static const char *tell(const job *j, const char *title, tp_str *text) {
  const char *kept = tp_arena_strdup(&j->record->arena, tp_str_text(text));
  printf("  %s:\n", title);
  put(text);
  return kept;
}

static void print_counterexample(const job *j, tp_contract_vc *c, tp_func f,
                                 const tp_contract_verdict *a, const tp_contract_replay *r) {
  tp_str text = {0};
  tp_page_contract *now = &j->record->now;
  tp_counterexample_print_heap(c->heap, c->body, f, &a->instance, TP_PRE_STATE, &text);
  now->before = tell(j, "the heap before", &text);
  tp_counterexample_print_steps(c->heap, c->body, &a->instance, &text);
  now->steps = tell(j, "what is executed", &text);
  if (r->what) {
    tp_counterexample_print_heap(c->heap, c->body, f, &a->instance, TP_POST_STATE, &text);
    now->after = tell(j, "the heap after", &text);
  }
  now->failure = r->what ? r->pos : a->pos;
  if (j->o->pictures[0]) write_picture(j, c, f, a, r);
  if (j->o->output[0]) record_picture(j, c, f, a, r);
  if (!j->o->output[0]) return;
  const char *path = tp_arena_printf(&c->arena, "%s/%s.c", j->o->output, tp_func_of(j->p, f)->name);
  (void)mkdir(j->o->output, 0777);
  if (tp_write_file(path, r->program.text, r->program.n) == TP_OK)
    printf("  a program that builds the heap, calls the function and works out the contract: %s\n",
           path);
  else
    fprintf(stderr, "twoproof: cannot write %s\n", path);
}

static answer judge_failure(const job *j, tp_contract_vc *c, tp_func f,
                            const tp_contract_verdict *a) {
  TP_REQUIRE(a->answer == TP_CONTRACT_FAILS);
  tp_contract_replay r;
  const tp_front_options front = tp_options_front(j->o, TP_P_UNREACH_CALL);
  const tp_contract_replay_source source = {front.files[0], front.clang_args, front.n_clang_args,
                                            front.machine == TP_MACHINE_ILP32};
  tp_contract_replay_run(c, f, a, &source, &r);
  if (r.confirmed) {
    say(j, r.what ? r.pos : a->pos, "fails: %s", r.what ? r.what : a->what);
    print_counterexample(j, c, f, a, &r);
  } else {
    say(j, a->pos, "not confirmed by the compiled program: %s: %s", a->what, tp_str_text(&r.why));
    if (c->calls_by_contract)
      say(j, TP_POS_NONE,
          "contracts stand for bodies here: one of them may say less than its body does "
          "(--calls=inline)");
  }
  const answer found = r.confirmed ? BAD : NOT_KNOWN;
  tp_contract_replay_clear(&r);
  return found;
}

/* "objects=3, struct cell=5, unroll=3, width=4" */
static void add_limits(const tp_object_model *u, tp_rheap_limits limits, tp_str *out) {
  tp_str_printf(out, "objects=%u", limits.objects);
  for (size_t b = 0; b < u->basics.n; b++)
    if (u->basics.at[b].n_objects)
      tp_str_printf(out, ", %s=%u", u->basics.at[b].name, u->basics.at[b].n_objects);
  tp_str_printf(out, ", unroll=%u, width=%u", limits.unroll, limits.width_bits);
}

/* Names of functions of C need no escapes. */
static void add_statistics(const job *j, const tp_contract_question *q) {
  const tp_rel_stats *v = &q->verdict.stats;
  static const char *const answers[] = {"holds", "fails", "unknown"};
  tp_str_printf(j->stats,
                "%s  {\"function\": \"%s\", \"calls\": \"%s\", \"objects\": %u, \"unroll\": %u, "
                "\"width\": %u, \"answer\": \"%s\", \"cpu_s\": %.3f, \"variables\": %llu, "
                "\"clauses\": %llu, \"solver_calls\": %llu, \"solver_s\": %.3f",
                j->stats->n ? ",\n" : "", tp_func_of(j->p, q->func)->name,
                q->calls == TP_CALLS_REFINED    ? j->o->calls
                : q->calls == TP_CALLS_EXECUTED ? "inline"
                                                : "contracts",
                q->heap.limits.objects, q->heap.limits.unroll, q->heap.limits.width_bits,
                answers[q->verdict.answer], tp_cpu_s() - q->start_s,
                (unsigned long long)v->n_variables, (unsigned long long)v->n_clauses,
                (unsigned long long)v->n_solver_calls, v->solver_s);
  if (q->refinement) {
    const tp_heap_refinement_stats s = tp_heap_refinement_statistics(q->refinement);
    tp_str_printf(
        j->stats,
        ", \"bodies_at_calls\": %zu, \"refinements\": %llu, \"refinements_for_property\": %llu, "
        "\"paths\": %llu, "
        "\"recalled\": %llu, \"main_questions\": %llu, \"main_s\": %.3f, \"replays\": %llu, "
        "\"replay_s\": %.3f, \"implied_s\": %.3f, \"replay_solver_calls\": %llu, "
        "\"replay_variables\": %llu, "
        "\"replay_clauses\": %llu, \"calls_executed\": %u",
        tp_heap_refinement_n_inlined(q->refinement), (unsigned long long)s.loop.n_refinements,
        (unsigned long long)s.n_refinements_first, (unsigned long long)s.n_paths,
        (unsigned long long)s.loop.n_recalled, (unsigned long long)s.loop.n_main, s.main_s,
        (unsigned long long)s.loop.n_replay, s.replay_s, s.implied_s,
        (unsigned long long)s.n_solver_calls, (unsigned long long)s.n_variables,
        (unsigned long long)s.n_clauses,
        q->body.n_inlined + tp_call_templates_n_inlined(&q->templates));
  }
  tp_str_add(j->stats, "}");
}

static answer report(const job *j, tp_contract_question *q) {
  answer found = NOT_KNOWN;
  const double judged_s = tp_cpu_s();
  if (q->verdict.answer == TP_CONTRACT_HOLDS) {
    say(j, TP_POS_NONE, "holds within these bounds");
    print_bounds(j, &q->verdict);
    found = GOOD;
  } else if (q->verdict.answer == TP_CONTRACT_FAILS)
    found = judge_failure(j, &q->contract, q->func, &q->verdict);
  else
    say(j, q->verdict.pos, "not known: %s", q->verdict.what);
  print_size(&q->verdict, judged_s - q->start_s);
  j->record->now.solver_s += q->verdict.stats.solver_s;
  return found;
}

static void say_what_is_assumed(const job *j) {
  say(j, TP_POS_NONE, "assumed: nothing fails inside of calls that summaries stand for");
}

/* Flushed: whoever ends the tool has the numbers that are known. */
static void put_count(void *context, tp_heaps_kind kind, const tp_heap_counts *c) {
  (void)context;
  tp_str text = {0};
  tp_str_add(&text, kind ? "" : "  ");
  tp_heap_counts_print(c, kind, &text);
  put(&text);
  fflush(stdout);
}

static answer check_plainly(const job *j, tp_func f, tp_rheap_limits limits, tp_calls calls) {
  tp_contract_question q;
  answer found = NOT_KNOWN;
  proofs proved = {.is_required = strcmp(j->o->check, "proof") == 0, .most_s = j->o->timelimit};
  const tp_rel_prover prover = {&proved, is_refuted, proved.is_required};
  tp_contract_question_init(&q, j->m, f, limits, calls, j->o->timelimit);
  q.prover = &prover;
  if (q.contract.why)
    say(j, q.contract.pos, "not known: %s", q.contract.why);
  else {
    tp_contract_question_ask(&q);
    found = report(j, &q);
    if (q.verdict.n_refuted) print_proofs(&q.verdict, &proved);
    if (j->o->count) {
      tp_heap_counts n;
      tp_contract_question_count(&q, put_count, NULL, &n);
    }
    add_statistics(j, &q);
    if (found == GOOD && tp_rexec_has_summaries(&q.body)) say_what_is_assumed(j);
  }
  tp_contract_question_clear(&q);
  return found;
}

// ------------------------------------------------------------------- refinement

static void print_inlined(const job *j, const tp_heap_refinement *r) {
  tp_str text = {0};
  for (size_t i = 0; i < tp_heap_refinement_n_inlined(r); i++) {
    const tp_rexec_call *c = tp_heap_refinement_inlined(r, i);
    tp_str_printf(&text, "%s%s (", i ? ", " : "  functions inlined at call: ", c->contract->name);
    tp_pos_print(j->diag, c->pos, &text);
    tp_str_add_char(&text, ')');
  }
  if (text.n) tp_str_add_char(&text, '\n');
  put(&text);
}

static void print_refinement(const job *j, const tp_contract_question *q) {
  if (!q->refinement) return;
  const tp_heap_refinement_stats s = tp_heap_refinement_statistics(q->refinement);
  printf(
      "  refined %llu times (%llu of them for the property), %llu more at further calls; %u "
      "calls executed\n",
      (unsigned long long)s.loop.n_refinements, (unsigned long long)s.n_refinements_first,
      (unsigned long long)s.loop.n_recalled,
      q->body.n_inlined + tp_call_templates_n_inlined(&q->templates));
  printf(
      "  %llu main questions, %.2f s; %llu of calls, %.2f s, %llu variables, %llu clauses, %llu "
      "solver calls\n",
      (unsigned long long)s.loop.n_main, s.main_s, (unsigned long long)s.loop.n_replay, s.replay_s,
      (unsigned long long)s.n_variables, (unsigned long long)s.n_clauses,
      (unsigned long long)s.n_solver_calls);
  print_inlined(j, q->refinement);
  if (j->o->verbose == 0) return;
  tp_str text = {0};
  tp_heap_refinement_print(q->refinement, &text);
  put(&text);
}

static answer judge_refined(const job *j, tp_contract_question *q, tp_refined_answer a,
                            tp_contract_question *executed, const proofs *proved) {
  answer found = NOT_KNOWN;
  if (a == TP_REFINED_HOLDS) {
    found = report(j, q);
    if (q->verdict.n_refuted) print_proofs(&q->verdict, proved);
  }
  if (a == TP_REFINED_FAILS) {
    found = report(j, executed);
    tp_contract_question_clear(executed);
  }
  if (a == TP_REFINED_IN_VAIN)
    say(j, q->verdict.pos, "not known from specifications: %s",
        q->verdict.what ? q->verdict.what : "the bounds are too large");
  bool trusts = q->body.n_trusted > 0;
  for (size_t i = 0; i < q->templates.all.n; i++)
    trusts = trusts || q->templates.all.at[i]->body.n_trusted > 0;
  if (found == GOOD && !q->verdict.is_width_binding && tp_call_templates_compute(&q->templates))
    say(j, TP_POS_NONE,
        "not known: whether --width binds inside of calls, which compute with integers");
  if (found == GOOD && trusts)
    say(j, TP_POS_NONE, "assumed: functions that are called keep their own contracts");
  if (found == GOOD && q->failures_in_calls == TP_CONTRACT_FAILURES_ASSUMED_AWAY)
    say_what_is_assumed(j);
  print_refinement(j, q);
  add_statistics(j, q);
  return found;
}

static answer check_refined(const job *j, tp_func f, tp_rheap_limits limits) {
  tp_contract_question q, executed;
  answer found = NOT_KNOWN;
  tp_refined_answer a = TP_REFINED_HOLDS;
  proofs proved = {.is_required = strcmp(j->o->check, "proof") == 0, .most_s = j->o->timelimit};
  const tp_rel_prover prover = {&proved, is_refuted, proved.is_required};
  tp_contract_question_init(&q, j->m, f, limits, TP_CALLS_REFINED, j->o->timelimit);
  q.prover = &prover;
  if (strcmp(j->o->call_failures, "assumed") == 0)
    q.failures_in_calls = TP_CONTRACT_FAILURES_ASSUMED_AWAY;
  if (q.contract.why)
    say(j, q.contract.pos, "not known: %s", q.contract.why);
  else {
    a = tp_refined_check(&q, (tp_refined_limits){j->o->refinements, j->o->body_after}, &executed);
    found = judge_refined(j, &q, a, &executed, &proved);
  }
  tp_contract_question_clear(&q);
  if (a != TP_REFINED_IN_VAIN || strcmp(j->o->fallback, "inline") != 0) return found;
  say(j, TP_POS_NONE, "calls are executed instead");
  return check_plainly(j, f, limits, TP_CALLS_EXECUTED);
}

static void end_record(const job *j, answer found) {
  static const tp_page_contract_answer answers[] = {
      [GOOD] = TP_PAGE_HOLDS, [BAD] = TP_PAGE_FAILS, [NOT_KNOWN] = TP_PAGE_NOT_KNOWN};
  spec_record *r = j->record;
  r->now.answer = answers[found];
  r->now.said = tp_arena_strdup(&r->arena, tp_str_text(&r->said));
  r->now.cpu_s = tp_cpu_s() - r->now.cpu_s;
  tp_vec_push(&r->contracts, r->now);
  tp_str_clear(&r->said);
}

static answer check_within(const job *j, tp_func f, tp_rheap_limits limits) {
  TP_REQUIRE(f.id && tp_func_of(j->p, f)->has_body);
  const tp_func_info *info = tp_func_of(j->p, f);
  const bool executes = strcmp(j->o->calls, "inline") == 0;
  const bool infers = !executes && strcmp(j->o->calls, "contracts") != 0;
  tp_str bounds = {0};
  add_limits(j->m->object_model, limits, &bounds);
  printf("%s: %s\n", info->name, bounds.text);
  j->record->now = (tp_page_contract){.name = info->name,
                                      .pos = info->pos,
                                      .bounds = tp_arena_strdup(&j->record->arena, bounds.text),
                                      .cpu_s = tp_cpu_s()};
  tp_str_clear(&bounds);
  const answer found =
      infers && j->o->refinements
          ? check_refined(j, f, limits)
          : check_plainly(j, f, limits, executes ? TP_CALLS_EXECUTED : TP_CALLS_BY_CONTRACT);
  end_record(j, found);
  return found;
}

// --------------------------------------------------------------------- functions

/* With --grow from small bounds to those that were asked for. */
static answer check_function(const job *j, tp_func f, tp_rheap_limits limits) {
  answer found = GOOD;
  const uint32_t steps = limits.objects > limits.unroll ? limits.objects : limits.unroll;
  for (uint32_t k = j->o->grow ? 1 : steps; k <= steps && found == GOOD; k++) {
    tp_rheap_limits now = limits;
    if (now.objects > k) now.objects = k;
    if (now.unroll > k) now.unroll = k;
    found = check_within(j, f, now);
  }
  return found;
}

static bool is_asked(const job *j, tp_func f) {
  const tp_func_info *info = tp_func_of(j->p, f);
  if (!info->has_body || info->is_model) return false;
  if (j->o->function[0]) return strcmp(info->name, j->o->function) == 0;
  return tp_contracts_of(j->m, f, TP_CONTRACT_WRITTEN) != NULL;
}

/* Beside the programs of counterexamples. */
static void write_page(const job *j, answer worst, const char *result) {
  tp_page_options options = {0};
  tp_report_page_options(j->o, &j->record->arena, &options);
  const tp_report r = {.program = j->p, .diag = j->diag};
  const tp_page_extra more = {.version = tp_version_text(),
                              .command = "spec",
                              .files = (const char *const *)j->o->files.at,
                              .n_files = j->o->files.n,
                              .options = options.at,
                              .n_options = options.n};
  const tp_page_spec spec = {.result = result,
                             .worst = worst == GOOD  ? TP_PAGE_HOLDS
                                      : worst == BAD ? TP_PAGE_FAILS
                                                     : TP_PAGE_NOT_KNOWN,
                             .contracts = j->record->contracts.at,
                             .n_contracts = j->record->contracts.n};
  tp_str text = {0}, path = {0};
  tp_page_write_spec(&r, &more, &spec, &text);
  tp_str_printf(&path, "%s/report.html", j->o->output);
  if (!tp_is_writable_directory(j->o->output) ||
      tp_write_file(path.text, text.text, text.n) != TP_OK)
    fprintf(stderr, "twoproof: cannot write %s: %s\n", path.text, strerror(errno));
  tp_str_clear(&text);
  tp_str_clear(&path);
  tp_vec_clear(&options);
}

static int conclude(const job *j, uint32_t n, answer worst, tp_rheap_limits limits) {
  tp_str result = {0};
  if (n == 0) {
    worst = NOT_KNOWN;
    tp_str_add(&result, "unknown(no such function)");
  } else if (worst == BAD)
    tp_str_add(&result, "false(contract)");
  else if (worst == NOT_KNOWN)
    tp_str_add(&result, "unknown(a contract could not be checked)");
  else {
    tp_str_add(&result, "bounded(");
    add_limits(j->m->object_model, limits, &result);
    tp_str_add_char(&result, ')');
  }
  if (j->o->output[0]) write_page(j, worst, result.text);
  printf("RESULT: %s\n", result.text);
  tp_str_clear(&result);
  return n == 0               ? TP_EXIT_INPUT
         : worst == BAD       ? TP_EXIT_FALSE
         : worst == NOT_KNOWN ? TP_EXIT_UNKNOWN
                              : TP_EXIT_BOUNDED;
}

/* "node" or "struct node". */
static bool type_called(const tp_object_model *u, const char *name, uint32_t *basic) {
  tp_str full = {0};
  tp_str_printf(&full, "struct %s", name);
  const bool is_there = tp_object_model_struct(u, name, basic) ||
                        tp_object_model_struct(u, tp_str_text(&full), basic);
  tp_str_clear(&full);
  return is_there;
}

static bool is_number_of_objects(const char *text, uint32_t *out) {
  char *end;
  const unsigned long v = strtoul(text, &end, 10);
  *out = v <= TP_CONTRACTS_OBJECTS ? (uint32_t)v : 0;
  return *text >= '0' && *text <= '9' && !*end && *out > 0;
}

/* N, TYPE:N, ...: bounds of types go to the object model. False: something is wrong, which is said.
 */
static bool read_objects(const char *text, tp_object_model *u, uint32_t *objects) {
  tp_arena arena;
  tp_arena_init(&arena);
  char *items = tp_arena_strdup(&arena, text), *rest = NULL;
  bool is_right = *text != 0;
  *objects = 3;
  for (char *item = strtok_r(items, ",", &rest); item && is_right;
       item = strtok_r(NULL, ",", &rest)) {
    char *colon = strchr(item, ':');
    uint32_t n, basic;
    is_right = is_number_of_objects(colon ? colon + 1 : item, &n);
    if (!is_right)
      fprintf(stderr, "twoproof spec: 1 to %d objects, not '%s'\n", TP_CONTRACTS_OBJECTS, item);
    else if (!colon)
      *objects = n;
    else {
      *colon = 0;
      is_right = type_called(u, item, &basic);
      if (is_right)
        u->basics.at[basic].n_objects = n;
      else
        fprintf(stderr, "twoproof spec: no struct of the program is called '%s'\n", item);
    }
  }
  tp_arena_clear(&arena);
  return is_right;
}

static void write_statistics(const tp_options *o, tp_str *objects) {
  tp_str text = {0};
  tp_str_printf(&text, "[\n%s\n]\n", tp_str_text(objects));
  if (o->stats[0] && tp_write_file(o->stats, text.text, text.n) != TP_OK)
    fprintf(stderr, "twoproof: cannot write %s\n", o->stats);
  tp_str_clear(&text);
  tp_str_clear(objects);
}

/* A case of the suite that --junit writes: the function, with all that was said of it. */
static void add_case(const job *j, tp_func f, answer a, tp_junit_suite *suite, tp_arena *arena) {
  static const tp_junit_outcome outcomes[] = {
      [GOOD] = TP_JUNIT_PASSED, [BAD] = TP_JUNIT_FAILED, [NOT_KNOWN] = TP_JUNIT_ERROR};
  const tp_func_info *info = tp_func_of(j->p, f);
  const tp_junit_case c = {.name = info->name,
                           .file = tp_arena_strdup(arena, tp_diag_path(j->diag, info->pos.file)),
                           .message = tp_arena_strdup(arena, tp_str_text(j->said)),
                           .outcome = outcomes[a]};
  tp_vec_push(&suite->cases, c);
  tp_str_clear(j->said);
}

static uint32_t at_most(uint64_t v) { return v < UINT32_MAX ? (uint32_t)v : UINT32_MAX; }

bool tp_spec_limits(const tp_options *o, tp_object_model *u, tp_rheap_limits *out) {
  uint32_t objects;
  const bool is_right = read_objects(o->objects, u, &objects);
  *out = (tp_rheap_limits){.objects = objects,
                           .unroll = o->unroll ? at_most(o->unroll) : 3,
                           .width_bits = at_most(o->width)};
  return is_right;
}

int tp_spec_check(const tp_options *o, tp_contracts *m) {
  tp_rheap_limits limits;
  const bool is_right = tp_spec_limits(o, m->object_model, &limits);
  tp_str stats = {0}, said = {0};
  tp_junit_suite suite = {.name = "contracts"};
  tp_arena arena = {0};
  spec_record record = {0};
  tp_arena_init(&record.arena);
  const job j = {o, m, m->object_model->program, m->clauses->diag, &stats, &said, &record};
  uint32_t n = 0;
  answer worst = GOOD;
  const bool refines = strcmp(o->calls, "inline") != 0 && strcmp(o->calls, "contracts") != 0;
  if (o->count && refines) {
    fprintf(stderr, "twoproof spec: --count counts with --calls=inline or contracts\n");
    printf("RESULT: unknown(wrong usage)\n");
    tp_arena_clear(&record.arena);
    return TP_EXIT_USAGE;
  }
  if (!is_right || limits.width_bits < 2 || limits.width_bits > TP_CONTRACTS_INTEGER_WIDTH) {
    if (is_right)
      fprintf(stderr, "twoproof spec: integers have 2 to %d bits\n", TP_CONTRACTS_INTEGER_WIDTH);
    printf("RESULT: unknown(bounds out of range)\n");
    tp_arena_clear(&record.arena);
    return TP_EXIT_USAGE;
  }
  for (uint32_t i = 1; i < j.p->funcs.n; i++) {
    if (!is_asked(&j, (tp_func){i})) continue;
    const answer a = check_function(&j, (tp_func){i}, limits);
    add_case(&j, (tp_func){i}, a, &suite, &arena);
    n++;
    if (a == BAD || (a == NOT_KNOWN && worst == GOOD)) worst = a;
  }
  write_statistics(o, &stats);
  const bool is_written = tp_write_junit(o, &suite);
  tp_vec_clear(&suite.cases);
  tp_arena_clear(&arena);
  if (n == 0)
    fprintf(stderr, "twoproof spec: %s%s\n",
            o->function[0] ? "there is no function with a body called "
                           : "no function has a contract; name one with --function",
            o->function);
  const int status = conclude(&j, n, worst, limits);
  tp_vec_clear(&record.contracts);
  tp_str_clear(&record.said);
  tp_arena_clear(&record.arena);
  return is_written ? status : TP_EXIT_OUTPUT;
}
