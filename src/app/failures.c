/* The search goes on without the failures that are known (session_rounds.c); evidence of each is
 * kept. */
#include "app/failures.h"

#include "app/app_limits.h"
#include "app/output_files.h"
#include "app/session_report.h"
#include "app/test_head.h"
#include "app/version.h"
#include "report/sarif.h"
#include "report/sarif_rules.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

static bool is_in_model(const tp_session *s) {
  return tp_func_of(s->program, tp_loc_of(s->program, s->now.error)->func)->is_model;
}

// ------------------------------------------------------------------------ report

/* A line of the table: number, place, kind, what. */
static void add_row(const tp_session *s, size_t number, tp_str *out) {
  const char *message = s->now.error_message;
  const size_t rule = tp_sarif_rule_of(s->now.violated, message);
  tp_str_printf(out, "  %zu  ", number);
  if (tp_pos_known(s->now.error_pos)) tp_pos_print(s->diag, s->now.error_pos, out);
  tp_str_printf(out, ": CWE-%u, %s: %s", tp_sarif_rules[rule].cwe,
                tp_property_name(s->now.violated),
                message && message[0] ? message : tp_sarif_rules[rule].text);
  if (is_in_model(s))
    tp_str_printf(out, " (other calls of %s were left out)",
                  tp_func_of(s->program, tp_loc_of(s->program, s->now.error)->func)->name);
  tp_str_add_char(out, '\n');
}

typedef struct {
  tp_str table, texts;  // of all; of those behind the first, in full
  tp_str json, sarif;   // elements of arrays, those of SARIF behind the first only
  size_t n;
  bool has_model;  // one lies in a model: other calls of that function were left out
} collection;

/* Evidence of a further failure goes to a folder of its own. */
static bool write_files(tp_session *s, size_t number, tp_report *r) {
  if (!s->o->output[0]) return true;
  tp_options *own = TP_NEW_ARRAY(tp_options, 1);
  const tp_options *all = s->o;
  *own = *all;
  own->output = tp_arena_printf(&s->arena, "%s/failure-%zu", all->output, number);
  (void)mkdir(own->output, 0777);
  s->o = own;
  r->output = own->output;
  r->has_script = s->now.native.script.n > 0;
  tp_str replay = {0};
  tp_test_replay_command(own, &replay);
  r->replay = tp_arena_strdup(&s->arena, tp_str_text(&replay));
  tp_str_clear(&replay);
  const bool ok = tp_output_files_write(s, r);
  s->o = all;
  tp_free(own);
  return ok;
}

static bool take(tp_session *s, collection *c) {
  c->has_model |= is_in_model(s);
  const tp_run_limits limits = {.steps = (uint64_t)TP_APP_REPLAY_STEPS};
  tp_report r = tp_session_report(s);
  c->n++;
  add_row(s, c->n, &c->table);
  const bool ok = c->n == 1 || write_files(s, c->n, &r);
  if (c->n > 1) {
    tp_str_printf(&c->texts, "\nFAILURE %zu\n", c->n);
    tp_report_console(&r, s->o->verbose, &c->texts);
    if (c->sarif.n) tp_str_add(&c->sarif, ", ");
    tp_report_sarif_result(&r, limits, s->now.replay_steps, &c->sarif);
    tp_str_add(&c->json, ", ");
  }
  tp_report_json_failure(&r, &c->json);
  return ok;
}

/* What is known of the program without the failures. */
static const char *rest_of(const tp_session *s, const collection *c) {
  if (s->o->failures && c->n >= s->o->failures)
    return "further ones were not looked for (--failures=0: all)";
  if (s->now.verdict == TP_VERDICT_TRUE && !s->now.result.bound)
    return c->has_model ? "there are no others, apart from other calls of the same library "
                          "functions: proved without them, certificate checked"
                        : "there are no others: proved without them, certificate checked";
  return NULL;
}

static void conclude(tp_session *s, const collection *c) {
  const char *rest = rest_of(s, c);
  tp_str text = {0};
  tp_str_printf(&text, "%s%s\nFAILURES: %zu at different places; %s%s\n%s",
                s->more_text ? s->more_text : "", tp_str_text(&c->texts), c->n,
                rest ? rest : "whether there are others is open: ",
                rest ? "" : tp_str_text(&s->now.reason), tp_str_text(&c->table));
  const bool is_all = s->now.verdict == TP_VERDICT_TRUE && !s->now.result.bound;
  for (size_t i = 0; is_all && i < s->now.assumptions.n; i++)
    tp_str_printf(&text, "  that there are no others assumes: %s\n", s->now.assumptions.at[i]);
  s->more_text = tp_arena_strdup(&s->arena, text.text);
  tp_str_clear(&text);
  tp_session_add_json(
      s, tp_arena_printf(&s->arena, "\"failures\": [%s], \"no_others\": %s", tp_str_text(&c->json),
                         is_all && !c->has_model ? "true" : "false"));
  s->more_sarif = c->sarif.n ? tp_arena_strdup(&s->arena, c->sarif.text) : NULL;
}

void tp_failures_collect(tp_session *s) {
  TP_REQUIRE(s && s->o);
  if (s->o->failures == 1 || s->now.verdict != TP_VERDICT_FALSE || !s->now.error.id) return;
  collection c = {0};
  tp_attempt first = s->now;
  bool is_written = true;
  while (s->now.verdict == TP_VERDICT_FALSE && s->now.error.id) {
    is_written &= take(s, &c);
    tp_session_set_aside(s);
    if (c.n > 1) tp_attempt_clear(&s->now);  // the first one stays
    tp_session_start_round(s);
    const bool is_enough = s->o->failures && c.n >= s->o->failures;
    if (is_enough || tp_budget_is_spent(&s->budget) || tp_process_interrupted()) break;
    tp_session_decide(s);
  }
  conclude(s, &c);
  tp_attempt_clear(&s->now);
  s->now = first;
  s->output_failed |= !is_written;
  tp_str_clear(&c.table);
  tp_str_clear(&c.texts);
  tp_str_clear(&c.json);
  tp_str_clear(&c.sarif);
}
