/* Rounds and the workers that serve them.
 *
 * One worker reads programs, one verifies, so that a save is looked at while another file is still
 * being verified. A worker whose answer nobody wants any more is asked to end twice, then killed
 * with its group; what its guard started ends with it (app/process_guard.h). */
#include "lsp/lsp_limits.h"
#include "lsp/lsp_priv.h"
#include "report/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { STATUS_KNOWN = 16 };  // statuses of answers lie below it

// ------------------------------------------------------------------------- workers

static int work(void *ctx, int channel) {
  const tp_lsp_job *job = ctx;
  (void)channel;
  int (*run)(int, char **) =
      job->kind == TP_LSP_CHECK ? job->services->check : job->services->survey;
  const int status = run(job->argc, job->argv);
  return fflush(stdout) == 0 ? status : STATUS_KNOWN;
}

static void clear_job(tp_lsp_job *job) {
  tp_process_clear(&job->process);
  if (job->folder) tp_remove_tree(job->folder);
  tp_arena_clear(&job->arena);
  *job = (tp_lsp_job){.kind = job->kind};
}

static double clock_of_files(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* False: no process can be had, which is as good as one that ended at once. */
static void start(tp_lsp_server *s, tp_lsp_job *job, tp_lsp_file *f, tp_lsp_target *t) {
  TP_REQUIRE(!job->is_active);
  tp_arena_init(&job->arena);
  job->is_active = true;
  job->file = f;
  job->services = s->services;
  if (t) {
    job->target = tp_arena_strdup(&job->arena, t->name);
    job->identity = tp_arena_strdup(&job->arena, t->identity);
    job->folder =
        tp_arena_printf(&job->arena, "%s/%llu", s->temporary, (unsigned long long)++s->n_folders);
    (void)mkdir(job->folder, 0700);  // the check says what is wrong with it
  } else {
    f->is_surveying = true;
    f->survey_started_s = clock_of_files();
    f->edits_before = f->document.edits.n;
  }
  tp_lsp_command_line(s, job, t);
  const tp_process_spec spec = {
      .work = work,
      .ctx = job,
      .directory = f->root,
      .out = TP_STDIO_CAPTURE,
      .err = TP_STDIO_CAPTURE,
      .limits = {.wall_s = TP_LSP_WALL_S, .output_bytes = TP_LSP_OUTPUT_BYTES}};
  if (tp_process_start(&job->process, spec) != TP_OK)
    tp_lsp_warn(s, "no process can be started");
  else if (t)
    tp_lsp_log(s, "%s: %s: is being verified", tp_lsp_short(f, f->path), t->name);
}

/* " 12.0 s    50 MB  bmc | kinduction, 3 queries, 4 runs": a line of progress; its phase. */
static bool is_progress(const char *line, size_t n, tp_str *phase) {
  char *end;
  const double seconds = strtod(line, &end);
  if (end == line || seconds < 0 || strncmp(end, " s ", 3) != 0) return false;
  const char *mark = memmem(line, n, " MB  ", 5);
  if (!mark) return false;
  const char *from = mark + 5, *to = memmem(from, n - (size_t)(from - line), ", ", 2);
  tp_str_clear(phase);
  tp_str_add_n(phase, from, to ? (size_t)(to - from) : n - (size_t)(from - line));
  return true;
}

/* The last phase that the worker told. */
static void phase_of(const tp_process *p, tp_str *out) {
  const char *text = tp_str_text(&p->err);
  tp_str phase = {0};
  for (const char *line = text; *line;) {
    const size_t n = strcspn(line, "\n");
    if (is_progress(line, n, &phase)) {
      tp_str_clear(out);
      tp_str_add(out, tp_str_text(&phase));
    }
    line += n + (line[n] == '\n');
  }
  tp_str_clear(&phase);
}

/* How the worker ended, and what it said on standard error beside its progress. */
static void explain_end(const tp_process *p, tp_str *out) {
  tp_process_print_end(p, out);
  tp_str phase = {0};
  int n_lines = 0;
  for (const char *line = tp_str_text(&p->err); *line;) {
    const size_t n = strcspn(line, "\n");
    if (n > 0 && !is_progress(line, n, &phase) && n_lines++ < TP_LSP_LOG_LINES) {
      tp_str_add_char(out, '\n');
      tp_str_add_n(out, line, n);
    }
    line += n + (line[n] == '\n');
  }
  tp_str_clear(&phase);
}

static void drop(tp_lsp_job *job) {
  if (!job->is_active || job->is_dropped) return;
  job->is_dropped = true;
  job->asked_s = tp_wall_s();
  job->n_asked = 1;
  tp_process_ask(&job->process);
}

/* A dropped worker that goes on is asked again, then killed. */
static void hurry(tp_lsp_job *job) {
  const double waited_s = tp_wall_s() - job->asked_s, grace_s = (double)TP_LSP_GRACE_MS / 1000;
  if (!job->is_dropped) return;
  if (job->n_asked == 1 && waited_s > grace_s / 2) {
    job->n_asked = 2;
    tp_process_ask(&job->process);
  }
  if (waited_s > grace_s) tp_process_kill(&job->process);
}

// -------------------------------------------------------------------------- rounds

void tp_lsp_start_round(tp_lsp_server *s, tp_lsp_file *f, const json_t *token) {
  TP_REQUIRE(f->is_open);
  f->needs_survey = true;
  for (size_t i = 0; i < f->survey.targets.n; i++) f->survey.targets.at[i].is_cancelled = false;
  tp_lsp_job *survey = &s->jobs[TP_LSP_SURVEY];
  if (survey->is_active && survey->file == f) drop(survey);
  if (!f->round.is_on) f->round.n_done = f->round.n_kept = 0;
  if (!f->round.is_on) f->round.started_s = tp_wall_s();
  f->round.is_on = true;
  f->was_cancelled = false;
  tp_lsp_progress_begin(s, f, token);
  tp_lsp_publish(s);
}

void tp_lsp_join_round(tp_lsp_server *s, tp_lsp_file *f, const json_t *id, const json_t *token) {
  TP_REQUIRE(id);
  if (!f->round.is_on) tp_lsp_start_round(s, f, token);
  tp_vec_push(&f->round.ids, json_deep_copy(id));
}

static json_t *result_of(const tp_lsp_file *f) {
  json_t *targets = json_array(), *finding;
  for (size_t i = 0; i < f->survey.targets.n; i++) {
    const tp_lsp_target *t = &f->survey.targets.at[i];
    json_t *results = json_array();
    size_t k;
    json_array_foreach(t->answer, k, finding) json_array_append_new(
        results, json_pack("{s:O?, s:O?, s:O?}", "property", json_object_get(finding, "property"),
                           "verdict", json_object_get(finding, "verdict"), "result",
                           json_object_get(finding, "result")));
    json_array_append_new(targets,
                          json_pack("{s:o, s:b, s:o}", "name", tp_json_text(t->name), "stale",
                                    (int)tp_lsp_is_stale(f, t), "results", results));
  }
  return json_pack("{s:o, s:o, s:i, s:i}", "uri", tp_json_text(f->uri), "targets", targets,
                   "verified", (int)f->round.n_done, "kept", (int)f->round.n_kept);
}

/* cancelled: NULL, or why. */
static void end_round(tp_lsp_server *s, tp_lsp_file *f, const char *cancelled) {
  tp_lsp_round *r = &f->round;
  tp_str text = {0};
  if (cancelled)
    tp_str_add(&text, cancelled);
  else
    tp_str_printf(&text, "%zu verified, %zu kept, %.1f s", r->n_done, r->n_kept,
                  tp_wall_s() - r->started_s);
  r->is_on = false;
  tp_lsp_publish(s);
  tp_lsp_log(s, "%s: %s", tp_lsp_short(f, f->path), text.text);
  tp_lsp_progress_end(s, f, text.text);
  for (size_t i = 0; i < r->ids.n; i++) {
    if (cancelled)
      tp_rpc_refuse(&s->rpc, r->ids.at[i], TP_RPC_CANCELLED, cancelled);
    else
      tp_rpc_reply(&s->rpc, r->ids.at[i], result_of(f));
    json_decref(r->ids.at[i]);
  }
  r->ids.n = 0;
  tp_str_clear(&text);
}

void tp_lsp_cancel_round(tp_lsp_server *s, tp_lsp_file *f, const char *why) {
  for (int k = 0; k < TP_N_LSP_JOBS; k++)
    if (s->jobs[k].is_active && s->jobs[k].file == f) drop(&s->jobs[k]);
  f->needs_survey = f->is_surveying = false;
  for (size_t i = 0; i < f->survey.targets.n; i++)
    f->survey.targets.at[i].is_cancelled |= f->survey.targets.at[i].needs_check;
  f->was_cancelled = true;
  if (f->round.is_on) end_round(s, f, why);
}

/* Does a worker still serve it, or should one? */
static bool is_busy(const tp_lsp_server *s, const tp_lsp_file *f) {
  bool busy = f->needs_survey;
  for (int k = 0; k < TP_N_LSP_JOBS; k++)
    busy |= s->jobs[k].is_active && !s->jobs[k].is_dropped && s->jobs[k].file == f;
  for (size_t i = 0; i < f->survey.targets.n; i++)
    busy |= f->survey.targets.at[i].needs_check && !f->survey.targets.at[i].is_cancelled;
  return busy;
}

// -------------------------------------------------------------------- ends of work

static void finish_survey(tp_lsp_server *s, tp_lsp_job *job) {
  tp_lsp_file *f = job->file;
  f->is_surveying = false;
  const tp_process *p = &job->process;
  const bool is_good = p->end == TP_PROCESS_EXITED && p->code == 0 &&
                       tp_lsp_take_survey(s, f, tp_str_text(&p->out), p->out.n);
  if (!is_good) {
    tp_str why = {0};
    tp_str_add(&why, "the program could not be read: ");
    explain_end(p, &why);
    tp_lsp_take_problems(f, tp_str_text(&p->err), why.text);
    for (size_t i = 0; i < f->survey.targets.n; i++) f->survey.targets.at[i].needs_check = false;
    tp_str_clear(&why);
  }
  f->needs_survey = is_good && tp_lsp_is_newer(f, f->survey_started_s);
  tp_lsp_job *check = &s->jobs[TP_LSP_CHECK];
  if (!check->is_active || check->file != f) return;
  const tp_lsp_target *t = tp_lsp_find_target(f, check->target);
  if (!t || strcmp(t->identity, check->identity) != 0 || !t->is_unmoved) drop(check);
}

static void finish_check(tp_lsp_server *s, tp_lsp_job *job) {
  tp_lsp_file *f = job->file;
  const tp_process *p = &job->process;
  tp_lsp_target *t = tp_lsp_find_target(f, job->target);
  if (!t || strcmp(t->identity, job->identity) != 0) return;
  if (tp_lsp_signature(f) != f->signature) {
    tp_lsp_log(s, "%s: written while it was verified: it is read again", tp_lsp_short(f, f->path));
    f->needs_survey = true;
    return;
  }
  json_t *answer = tp_lsp_answer_read(tp_str_text(&p->out), p->out.n, job->folder, f->root);
  const bool is_whole = answer && p->end == TP_PROCESS_EXITED && p->code < STATUS_KNOWN;
  t->needs_check = false;
  f->round.n_done++;
  tp_free(t->trouble);
  t->trouble = NULL;
  if (!is_whole) {
    tp_str why = {0};
    tp_str_add(&why, "the check ended without an answer: ");
    explain_end(p, &why);
    t->trouble = tp_lsp_copy(why.text);
    tp_lsp_warn(s, "%s: %s: %s", tp_lsp_short(f, f->path), t->name, why.text);
    tp_str_clear(&why);
  }
  if (!answer) return;
  json_decref(t->answer);
  t->answer = answer;
  t->is_stale = false;
}

static void finish(tp_lsp_server *s, tp_lsp_job *job) {
  tp_lsp_file *f = job->file;
  const bool is_wanted = !job->is_dropped && f->is_open;
  if (is_wanted && job->kind == TP_LSP_SURVEY) finish_survey(s, job);
  if (is_wanted && job->kind == TP_LSP_CHECK) finish_check(s, job);
  clear_job(job);
  if (is_wanted) tp_lsp_publish(s);
}

// ----------------------------------------------------------------------- the step

static bool start_survey(tp_lsp_server *s) {
  for (size_t i = 0; i < s->files.n; i++) {
    tp_lsp_file *f = s->files.at[i];
    if (!f->is_open || !f->needs_survey) continue;
    f->needs_survey = false;
    start(s, &s->jobs[TP_LSP_SURVEY], f, NULL);
    return true;
  }
  return false;
}

static bool start_check(tp_lsp_server *s) {
  const tp_lsp_job *survey = &s->jobs[TP_LSP_SURVEY];
  for (size_t i = 0; i < s->files.n; i++) {
    tp_lsp_file *f = s->files.at[i];
    if (!f->is_open || f->needs_survey || (survey->is_active && survey->file == f)) continue;
    for (size_t k = 0; k < f->survey.targets.n; k++) {
      tp_lsp_target *t = &f->survey.targets.at[k];
      if (!t->needs_check || t->is_cancelled) continue;
      start(s, &s->jobs[TP_LSP_CHECK], f, t);
      return true;
    }
  }
  return false;
}

static void report(tp_lsp_server *s, const tp_lsp_job *job) {
  tp_lsp_file *f = job->file;
  if (job->is_dropped || f->round.progress != TP_PROGRESS_SHOWN) return;
  tp_str text = {0}, phase = {0};
  phase_of(&job->process, &phase);
  size_t n_left = 0;
  for (size_t i = 0; i < f->survey.targets.n; i++) n_left += f->survey.targets.at[i].needs_check;
  tp_str_printf(&text, "%s, %.0f s%s%s", job->target ? job->target : "reading",
                tp_wall_s() - f->round.started_s, phase.n ? ": " : "", tp_str_text(&phase));
  if (job->target) tp_str_printf(&text, " (%zu left)", n_left);
  tp_lsp_progress_report(s, f, text.text);
  tp_str_clear(&text);
  tp_str_clear(&phase);
}

void tp_lsp_jobs_step(tp_lsp_server *s) {
  for (int k = 0; k < TP_N_LSP_JOBS; k++) {
    tp_lsp_job *job = &s->jobs[k];
    if (!job->is_active) continue;
    hurry(job);
    if (job->process.end != TP_PROCESS_RUNNING)
      finish(s, job);
    else
      report(s, job);
  }
  for (size_t i = 0; i < s->files.n; i++)
    if (s->files.at[i]->round.is_on && !is_busy(s, s->files.at[i]))
      end_round(s, s->files.at[i], NULL);
  if (s->is_shut_down) return;
  if (!s->jobs[TP_LSP_SURVEY].is_active) (void)start_survey(s);
  if (!s->jobs[TP_LSP_CHECK].is_active) (void)start_check(s);
}

void tp_lsp_jobs_end(tp_lsp_server *s) {
  for (size_t i = 0; i < s->files.n; i++)
    if (s->files.at[i]->round.is_on) tp_lsp_cancel_round(s, s->files.at[i], "the server ends");
  for (int k = 0; k < TP_N_LSP_JOBS; k++) {
    tp_lsp_job *job = &s->jobs[k];
    if (!job->is_active) continue;
    drop(job);
    tp_process *p = &job->process;
    while (p->end == TP_PROCESS_RUNNING) {
      (void)tp_process_step(&p, 1, TP_LSP_GRACE_MS / 4);
      hurry(job);
    }
    clear_job(job);
  }
}

int tp_lsp_jobs_patience(const tp_lsp_server *s) {
  bool is_working = false, is_hurried = false;
  for (int k = 0; k < TP_N_LSP_JOBS; k++) {
    is_working |= s->jobs[k].is_active;
    is_hurried |= s->jobs[k].is_active && s->jobs[k].is_dropped;
  }
  return is_hurried                          ? TP_LSP_GRACE_MS / 8
         : is_working || s->settings_request ? TP_LSP_REPORT_MS
                                             : TP_LSP_WATCH_MS;
}
