/* The end of a run: what is printed, what is written, with which status the tool ends. */
#include "app/session_report.h"

#include "app/exit.h"
#include "app/output_files.h"
#include "app/pictures.h"
#include "app/several.h"
#include "app/test_head.h"
#include "app/wall_clock.h"
#include "base/fault.h"
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static bool refuse(const char *what, const char *path) {
  fprintf(stderr, "twoproof: cannot write %s %s: %s\n", what, path, strerror(errno));
  return false;
}

bool tp_outputs_are_writable(const tp_options *o) {
  if (o->output[0] && !tp_is_writable_directory(o->output))
    return refuse("to directory", o->output);
  if (o->pictures[0] && !tp_is_writable_directory(o->pictures))
    return refuse("to directory", o->pictures);
  if (o->stats[0]) {
    FILE *f = fopen(o->stats, "a");
    if (!f) return refuse("statistics to", o->stats);
    fclose(f);
  }
  if (o->save_precision[0]) {
    FILE *f = fopen(o->save_precision, "a");
    if (!f) return refuse("precision to", o->save_precision);
    fclose(f);
  }
  return true;
}

static bool write_statistics(const tp_session *s, const tp_report *r) {
  if (!s->o->stats[0]) return true;
  tp_str text = {0};
  tp_report_json(r, &text);
  bool ok = tp_write_file(s->o->stats, tp_str_text(&text), text.n) == TP_OK ||
            refuse("statistics to", s->o->stats);
  tp_str_clear(&text);
  return ok;
}

/* An engine that ended too early to tell leaves the file as it was. */
static bool write_precision(const tp_session *s) {
  const tp_str *text = &s->now.result.precision;
  if (!s->o->save_precision[0] || !text->n) return true;
  return tp_write_file(s->o->save_precision, text->text, text->n) == TP_OK ||
         refuse("precision to", s->o->save_precision);
}

/* Whoever answered may have nothing to draw. */
static bool write_pictures(const tp_session *s) {
  if (!s->o->pictures[0]) return true;
  const tp_result *r = &s->now.result;
  return tp_pictures_write(s->o->pictures, s->o->files.at[0], r->pictures.at, r->pictures.n) ||
         refuse("pictures to", s->o->pictures);
}

/* Numbers within the texts count as numbers: line 9 comes before line 10. */
static int by_text(const void *a, const void *b) {
  return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

/* What the program itself assumes stands beside what the certificate assumes; sorted, each once. */
static void gather_assumptions(tp_session *s) {
  for (size_t i = 0; s->program && i < s->program->assumptions.n; i++) {
    const char *text = s->program->assumptions.at[i];
    if (!text) continue;  // [0]
    bool known = false;
    for (size_t k = 0; k < s->now.assumptions.n && !known; k++)
      known = strcmp(s->now.assumptions.at[k], text) == 0;
    if (!known) tp_vec_push(&s->now.assumptions, text);
  }
  if (s->now.assumptions.n)
    qsort(s->now.assumptions.at, s->now.assumptions.n, sizeof *s->now.assumptions.at, by_text);
}

static int status_of(const tp_session *s) {
  TP_REQUIRE(s->now.verdict <= TP_VERDICT_FALSE);
  switch (s->now.verdict) {
    case TP_VERDICT_TRUE:
      return s->now.result.bound || s->has_operations ? TP_EXIT_BOUNDED : TP_EXIT_TRUE;
    case TP_VERDICT_FALSE: return TP_EXIT_FALSE;
    case TP_VERDICT_UNKNOWN: return s->bad_input ? TP_EXIT_INPUT : TP_EXIT_UNKNOWN;
  }
  return TP_EXIT_INTERNAL;
}

/* The clock ended the run: that is the reason, and what is known stands beside it. */
static void blame_clock(tp_session *s) {
  if (s->now.verdict != TP_VERDICT_UNKNOWN || !tp_wall_clock_is_over()) return;
  tp_session_give_up(s, "time limit of %g s on the clock", s->o->walltime);
  s->now.result.obstacle = (tp_obstacle){.kind = TP_OBSTACLE_LIMIT};
}

/* For editors, as compilers do, where the answer itself is for programs. */
static void say_failure(const tp_session *s) {
  if (strcmp(s->o->format, "json") != 0 || s->now.verdict != TP_VERDICT_FALSE) return;
  if (!tp_pos_known(s->now.error_pos)) return;
  const char *property = tp_property_name(s->now.violated);
  tp_diag_say(s->diag, TP_ERROR, s->now.error_pos, property, "%s",
              s->now.error_message && s->now.error_message[0] ? s->now.error_message : property);
  if (s->now.error_notes) fputs(s->now.error_notes, stderr);
}

static const char *certificate_hash(tp_session *s) {
  const tp_str *text = &s->now.result.certificate;
  if (s->now.verdict != TP_VERDICT_TRUE || !text->n) return NULL;
  return tp_arena_printf(&s->arena, "%016llx",
                         (unsigned long long)tp_hash_bytes(text->text, text->n, 0));
}

/* The option by which the user chose one engine; NULL: none did. */
static const char *engine_option(const tp_options *o) {
  if (strcmp(o->engine, "auto") == 0) return NULL;
  return strcmp(o->engine, "cpa") == 0 && o->config[0] ? "--config" : "--engine";
}

tp_report tp_session_report(tp_session *s) {
  return (tp_report){
      .verdict = s->now.verdict,
      .asked = s->property,
      .violated = s->now.violated,
      .program = s->program,
      .diag = s->diag,
      .engine = s->now.engine,
      .reason = tp_str_text(&s->now.reason),
      .hint = tp_str_text(&s->now.hint),
      .headline = s->headline,
      .bound = s->now.result.bound,
      .has_operations = s->has_operations,
      .operations = s->o->operations,
      .reach = &s->now.result.reach,
      .claim = s->now.result.verdict,
      .obstacle = s->now.result.obstacle,
      .rests_on_open = s->now.rests_on_open,
      .is_final_reason = s->bad_input || (tp_process_interrupted() && !tp_wall_clock_is_over()),
      .wall_s = tp_wall_clock_is_over() ? s->o->walltime : 0,
      .chosen_by = engine_option(s->o),
      .limit_s = s->o->timelimit,
      .memory_mb = s->o->memlimit,
      .advice = s->advice,
      .chosen = strcmp(s->o->engine, "cpa") == 0 && s->o->config[0] ? s->o->config : s->o->engine,
      .n_settings = s->o->settings.n,
      .unroll = s->o->unroll,
      .counts_machine = strcmp(s->o->confirm, "machine") == 0,
      .has_waiting = s->has_waiting,
      .check_ran_out = s->now.check_ran_out,
      .check_rejected = s->now.check_rejected,
      .features = s->features,
      .evidence = tp_str_text(&s->now.evidence),
      .help = s->now.result.help,
      .path = tp_str_text(&s->now.path),
      .error_pos = s->now.error_pos,
      .error_message = s->now.error_message,
      .error_notes = s->now.error_notes,
      .used_indeterminate = s->now.used_indeterminate,
      .is_zeroed = s->now.is_zeroed,
      .certificate_checked = s->now.certificate_checked,
      .by_reasoning = s->now.obligations.by_intervals,
      .by_proof = s->now.obligations.by_proof,
      .by_word = s->now.obligations.by_word,
      .certificate_hash = certificate_hash(s),
      .inputs = &s->now.result.inputs,
      .n_unfed = s->now.native.n_unfed,
      .output = s->o->output,
      .has_script = s->now.native.script.n > 0,
      .others = s->o->others,
      .undefined_pos = s->now.undefined.pos,
      .undefined = s->now.undefined.why,
      .assumptions = s->now.assumptions.at,
      .n_assumptions = s->now.assumptions.n,
      .precision = tp_str_text(&s->now.result.precision),
      .given = s->given,
      .findings = s->findings.at,
      .n_findings = s->findings.n,
      .stats = &s->stats,
      .more_sarif = s->more_sarif,
      .extra_json = s->extra_json};
}

static int conclude(tp_session *s) {
  blame_clock(s);
  gather_assumptions(s);
  s->stats.cpu_s = tp_budget_used_s();
  s->stats.wall_s = tp_wall_s() - s->started_s;
  s->stats.peak_mb = s->budget.peak_mb;
  tp_report r = tp_session_report(s);
  tp_str replay = {0};
  if (s->o->output[0]) tp_test_replay_command(s->o, &replay);
  r.replay = tp_str_text(&replay);
  bool written = !s->output_failed && tp_output_files_write(s, &r) && write_precision(s) &&
                 write_statistics(s, &r) && write_pictures(s);
  if (!written) {
    tp_session_give_up(s, "the evidence could not be written");
    r.verdict = s->now.verdict;
    r.reason = tp_str_text(&s->now.reason);
    r.is_final_reason = true;
  }
  say_failure(s);
  if (s->o->finding) tp_several_leave_finding(s->o->finding, &r);
  tp_str text = {0};
  if (strcmp(s->o->format, "json") == 0) {
    tp_report_json(&r, &text);
  } else {
    tp_report_console(&r, s->o->verbose, &text);
    if (s->more_text) tp_str_add(&text, s->more_text);
    tp_report_last_line(&r, &text);
  }
  fwrite(tp_str_text(&text), 1, text.n, stdout);
  tp_str_clear(&text);
  tp_str_clear(&replay);
  return written ? status_of(s) : TP_EXIT_OUTPUT;
}

int tp_conclude_and_clear(tp_session *s, int status) {
  tp_fault_enter_phase("conclude");
  if (status != TP_EXIT_USAGE) {
    int concluded = conclude(s);
    if (status == 0 || concluded == TP_EXIT_OUTPUT) status = concluded;
  }
  tp_session_clear(s);
  return status;  // the guard writes what is left of standard output, and sees whether that works
}
