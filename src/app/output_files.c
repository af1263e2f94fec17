/* The table of the files in the directory of --output, and who writes their text. */
#include "app/output_files.h"

#include "app/app_limits.h"
#include "app/report_page.h"
#include "app/test_head.h"
#include "app/version.h"
#include "app/witness_output.h"
#include "report/sarif.h"

#include <errno.h>
#include <stdio.h>

static void write_certificate(const tp_session *s, const tp_report *r, tp_str *out) {
  (void)r;
  tp_str_add_n(out, tp_str_text(&s->now.result.certificate), s->now.result.certificate.n);
}

static void write_inputs(const tp_session *s, const tp_report *r, tp_str *out) {
  (void)r;
  tp_test_head_write(s->o, s->property, TP_TEST_PLAIN, out);
  tp_inputs_write(&s->now.result.inputs, s->diag, out);
}

static void write_testcomp(const tp_session *s, const tp_report *r, tp_str *out) {
  (void)r;
  tp_str head = {0};
  tp_test_head_write(s->o, s->property, TP_TEST_XML, &head);
  tp_inputs_write_testcomp(&s->now.result.inputs, tp_str_text(&head), out);
  tp_str_clear(&head);
}

static void write_harness(const tp_session *s, const tp_report *r, tp_str *out) {
  (void)r;
  tp_str_add_n(out, tp_str_text(&s->now.native.harness), s->now.native.harness.n);
}

static void write_script(const tp_session *s, const tp_report *r, tp_str *out) {
  (void)r;
  tp_str_add_n(out, tp_str_text(&s->now.native.script), s->now.native.script.n);
}

static void write_path(const tp_session *s, const tp_report *r, tp_str *out) {
  (void)r;
  tp_str_add_n(out, tp_str_text(&s->now.path), s->now.path.n);
}

static void write_witness(const tp_session *s, const tp_report *r, tp_str *out) {
  (void)r;
  tp_witness_output(s, out);
}

static void write_sarif(const tp_session *s, const tp_report *r, tp_str *out) {
  const tp_run_limits limits = {.steps = (uint64_t)TP_APP_REPLAY_STEPS};
  tp_report_sarif(r, tp_version_text(), limits, s->now.replay_steps, out);
}

static void write_facts(const tp_session *s, const tp_report *r, tp_str *out) {
  (void)r;
  tp_board_write(&s->board, out);
}

static bool is_any(const tp_session *s) { return s->program != NULL; }
/* UNKNOWN has a report, too. */
static bool is_anything(const tp_session *s) {
  (void)s;
  return true;
}

static bool has_exchanged(const tp_session *s) { return s->has_exchanged; }

static bool is_answer(const tp_session *s) { return s->now.verdict != TP_VERDICT_UNKNOWN; }

static bool is_proof(const tp_session *s) { return s->now.verdict == TP_VERDICT_TRUE; }

/* A failure that could not be confirmed has its files, too: people look at it. */
static bool is_failure(const tp_session *s) {
  return s->now.verdict == TP_VERDICT_FALSE ||
         (s->now.verdict == TP_VERDICT_UNKNOWN && s->now.result.verdict == TP_VERDICT_FALSE);
}

/* It shows the failing run, if the compiled program shows it. */
static bool is_shown(const tp_session *s) { return is_failure(s) && s->now.native.script.n > 0; }

static const struct {
  const char *name;
  bool (*applies)(const tp_session *);
  void (*write)(const tp_session *, const tp_report *, tp_str *out);
} files[] = {
    {"certificate.txt", is_proof, write_certificate},
    {"inputs.txt", is_failure, write_inputs},
    {"test.xml", is_failure, write_testcomp},
    {"harness.c", is_failure, write_harness},
    {"run.sh", is_shown, write_script},
    {"path.txt", is_failure, write_path},
    {"report.html", is_anything, tp_report_page_write},
    {"proof.json", is_proof, tp_report_proof_write},
    {"witness.yml", is_answer, write_witness},
    {"findings.sarif", is_any, write_sarif},
    {"blackboard.txt", has_exchanged, write_facts},
};

bool tp_output_files_write(const tp_session *s, const tp_report *r) {
  if (!s->o->output[0]) return true;
  bool ok = true;
  for (size_t i = 0; ok && i < sizeof files / sizeof *files; i++) {
    if (!files[i].applies(s)) continue;
    tp_str text = {0}, path = {0};
    files[i].write(s, r, &text);
    tp_str_printf(&path, "%s/%s", s->o->output, files[i].name);
    // without any text the answer has no such file
    ok = !text.text || tp_write_file(tp_str_text(&path), tp_str_text(&text), text.n) == TP_OK;
    if (!ok)
      fprintf(stderr, "twoproof: cannot write %s: %s\n", tp_str_text(&path), strerror(errno));
    tp_str_clear(&text);
    tp_str_clear(&path);
  }
  return ok;
}
