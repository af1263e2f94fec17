/* The suite as files. Test-Comp asks for a zip of metadata.xml and test cases; a folder is what
 * people look at. The harness is that of native replay, without a failure to wait for. */
#include "app/suite_files.h"

#include "app/test_head.h"

#include <errno.h>
#include <stdio.h>

const char *tp_suite_test_name(const tp_suite *s, size_t i, tp_arena *arena) {
  TP_REQUIRE(i < s->tests.n);
  return tp_arena_printf(arena, "%s-%zu", tp_suite_test_fails(&s->tests.at[i]) ? "fails" : "test",
                         i + 1);
}

void tp_goal_print(const tp_suite *s, const tp_goal_answer *answers, size_t goal, bool tests,
                   tp_str *out) {
  static const char *const words[] = {"open", "covered", "dead"};
  const tp_goal *g = &s->goals->v.at[goal];
  const tp_goal_answer *a = &answers[goal];
  tp_arena arena = {0};
  tp_str_printf(out, "%s: ", words[a->status]);
  tp_pos_print(s->p->diag, g->pos, out);
  tp_str_printf(out, ": %s, in %s", g->shown, tp_func_of(s->p, g->func)->name);
  if (a->status == TP_GOAL_DEAD) tp_str_printf(out, " (certificate-%zu.txt)", a->certificate);
  if (tests && a->status == TP_GOAL_COVERED && s->elsewhere[goal])
    tp_str_add(out, " (by a test of --add-to)");
  for (size_t i = 0, n = 0; i < s->tests.n && tests && a->status == TP_GOAL_COVERED; i++)
    if (s->tests.at[i].covers[goal])
      tp_str_printf(out, "%s%s", n++ ? " " : ": ", tp_suite_test_name(s, i, &arena));
  tp_str_add_char(out, '\n');
  tp_arena_clear(&arena);
}

static bool write(const tp_session *session, const char *name, const char *end,
                  const tp_str *text) {
  tp_str path = {0};
  tp_str_printf(&path, "%s/%s%s", session->o->output, name, end);
  const bool ok = tp_write_file(tp_str_text(&path), tp_str_text(text), text->n) == TP_OK;
  if (!ok) fprintf(stderr, "twoproof: cannot write %s: %s\n", tp_str_text(&path), strerror(errno));
  tp_str_clear(&path);
  return ok;
}

bool tp_suite_write_file(const tp_session *session, const char *name, const tp_str *text) {
  return write(session, name, "", text);
}

static bool write_harness(tp_session *session, const tp_suite *s, size_t i, const char *name) {
  const tp_run_result *run = &s->tests.at[i].run;
  tp_chk_native_request request = tp_session_native(session);
  request.inputs = &s->tests.at[i].inputs;
  request.violated = TP_P_UNREACH_CALL;
  request.n_models = 0;
  request.is_alone = true;
  request.ends_with_inputs = run->end == TP_END_NO_INPUT;
  request.ends_by_clock = run->end == TP_END_LIMIT;
  tp_chk_native_report report = {0};
  tp_chk_harness_write(&request, &report);
  tp_str text = {0};
  tp_str_printf(
      &text,
      "// A test of the suite: compile it with the program, as in 'gcc PROGRAM.c %s.c -o "
      "%s', and run that.\n%s",
      name, name,
      run->end == TP_END_NO_INPUT ? "// It ends where the program asks for one more input.\n" : "");
  tp_str_add_n(&text, report.harness.text, report.harness.n);
  const bool ok = write(session, name, ".c", &text);
  tp_str_clear(&text);
  tp_chk_native_report_clear(&report);
  return ok;
}

static bool write_test(tp_session *session, const tp_suite *s, size_t i, const char *name) {
  tp_str plain = {0}, xml = {0};
  tp_options head = *session->o;
  head.output = "";  // the command to replay a test names inputs.txt of a single test
  tp_str comments = {0};
  tp_test_head_write(&head, TP_P_UNREACH_CALL, TP_TEST_PLAIN, &plain);
  tp_inputs_write(&s->tests.at[i].inputs, session->diag, &plain);
  tp_test_head_write(&head, TP_P_UNREACH_CALL, TP_TEST_XML, &comments);
  tp_inputs_write_testcomp(&s->tests.at[i].inputs, tp_str_text(&comments), &xml);
  const bool ok = write(session, name, ".txt", &plain) && write(session, name, ".xml", &xml) &&
                  write_harness(session, s, i, name);
  tp_str_clear(&comments);
  tp_str_clear(&plain);
  tp_str_clear(&xml);
  return ok;
}

static void add_xml(const char *text, tp_str *out) {
  for (; *text; text++) {
    if (*text == '&')
      tp_str_add(out, "&amp;");
    else if (*text == '<')
      tp_str_add(out, "&lt;");
    else
      tp_str_add_char(out, *text);
  }
}

static bool write_metadata(const tp_session *session) {
  const tp_options *o = session->o;
  tp_str text = {0};
  const bool is_calls = strncmp(o->cover, "calls:", 6) == 0;
  tp_str_add(&text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
             "<!DOCTYPE test-metadata PUBLIC \"+//IDN sosy-lab.org//DTD test-format test-metadata "
             "1.1//EN\" \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n"
             "<test-metadata>\n  <sourcecodelang>C</sourcecodelang>\n"
             "  <producer>Twoproof</producer>\n  <specification>");
  if (is_calls)
    tp_str_printf(&text, "COVER( init(main()), FQL(COVER EDGES(@CALL(%s))) )", o->cover + 6);
  else
    tp_str_printf(&text, "COVER( init(main()), FQL(COVER EDGES(@%s)) )",
                  strcmp(o->cover, "statements") == 0 ? "BASICBLOCKENTRY" : "DECISIONEDGE");
  tp_str_add(&text, "</specification>\n  <programfile>");
  add_xml(o->files.at[0], &text);
  tp_str source = {0};
  if (tp_read_file(o->files.at[0], &source) == TP_OK)
    tp_str_printf(&text, "</programfile>\n  <!-- hash of the file: %016llx -->\n",
                  (unsigned long long)tp_hash_bytes(tp_str_text(&source), source.n, 0));
  else
    tp_str_add(&text, "</programfile>\n");
  tp_str_clear(&source);
  tp_str_printf(&text,
                "  <entryfunction>main</entryfunction>\n  <architecture>%s</architecture>\n"
                "</test-metadata>\n",
                strcmp(o->machine, "ilp32") == 0 ? "32bit" : "64bit");
  const bool ok = write(session, "metadata", ".xml", &text);
  tp_str_clear(&text);
  return ok;
}

bool tp_suite_write(tp_session *session, const tp_suite *s, const tp_goal_answer *answers,
                    const char *const *certificates, size_t n_certificates) {
  tp_arena arena = {0};
  bool ok = write_metadata(session);
  for (size_t i = 0; i < s->tests.n && ok; i++)
    ok = write_test(session, s, i, tp_suite_test_name(s, i, &arena));
  for (size_t i = 0; i < n_certificates && ok; i++) {
    tp_str text = {0};
    tp_str_add(&text, certificates[i]);
    ok = write(session, tp_arena_printf(&arena, "certificate-%zu", i + 1), ".txt", &text);
    tp_str_clear(&text);
  }
  tp_str coverage = {0};
  for (size_t g = 0; g < s->goals->v.n; g++) tp_goal_print(s, answers, g, true, &coverage);
  ok = ok && write(session, "coverage", ".txt", &coverage);
  tp_str_clear(&coverage);
  tp_arena_clear(&arena);
  return ok;
}
