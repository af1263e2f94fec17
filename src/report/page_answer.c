/* The answer on the page: the object of json.c, the sentences of the console, and what the counters
 * mean. */
#include "report/page_priv.h"

/* The lines of the console that begin so, each without that beginning. */
static json_t *lines_with(const char *console, const char *beginning) {
  json_t *list = json_array();
  const size_t n = strlen(beginning);
  for (const char *line = console, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    if (strncmp(line, beginning, n) == 0)
      json_array_append_new(list, tp_page_text_n(line + n, (size_t)(end - line) - n));
  }
  return list;
}

static json_t *headline_of(const char *console) {
  static const char *const verdicts[] = {"TRUE: ", "FALSE: ", "UNKNOWN: ", "BOUNDED: "};
  json_t *headline = NULL;
  for (size_t i = 0; !headline && i < sizeof verdicts / sizeof *verdicts; i++) {
    json_t *lines = lines_with(console, verdicts[i]);
    headline = json_incref(json_array_get(lines, 0));
    json_decref(lines);
  }
  return headline ? headline : tp_page_text("");
}

/* [name, value, unit, meaning], those that are not 0. */
static json_t *counters_of(const tp_stats *s) {
  json_t *list = json_array();
#define TP_S(name, unit, help) \
  if (s->name)                 \
    json_array_append_new(list, json_pack("[sIss]", #name, (json_int_t)s->name, unit, help));
  TP_STATS(TP_S)
#undef TP_S
  return list;
}

/* What differs from run to run, in one member. */
static json_t *take_times(json_t *answer) {
  json_t *times = json_incref(json_object_get(answer, "times"));
  json_object_set(times, "peak_mb", json_object_get(answer, "peak_mb"));
  json_object_del(answer, "times");
  json_object_del(answer, "peak_mb");
  return times;
}

/* Commands that show the failure again. */
static void add_commands(json_t *o, const tp_report *r) {
  const bool has_files = r->output && r->output[0];
  tp_str script = {0};
  if (has_files && r->has_script) {
    tp_str run = {0};
    tp_str_printf(&run, "%s/run.sh", r->output);
    tp_str_add(&script, "sh ");
    tp_str_add_quoted(&script, tp_str_text(&run));
    json_object_set_new(o, "script", tp_page_text(tp_str_text(&script)));
    tp_str_clear(&run);
  }
  const bool fails = r->verdict == TP_VERDICT_FALSE;
  if (fails && has_files && r->replay && r->replay[0])
    json_object_set_new(o, "replay", tp_page_text(r->replay));
  tp_str_clear(&script);
}

void tp_page_answer(json_t *o, const tp_report *r, tp_str *console) {
  tp_str text = {0};
  tp_report_json(r, &text);
  json_t *answer = json_loads(tp_str_text(&text), 0, NULL);
  tp_str_clear(&text);
  if (!answer) tp_out_of_memory(0);  // it was printed as JSON
  tp_report_console(r, 0, console);
  tp_report_last_line(r, console);
  json_object_set_new(o, "times", take_times(answer));
  json_object_set_new(o, "headline", headline_of(tp_str_text(console)));
  json_object_set_new(o, "notes", lines_with(tp_str_text(console), "Note: "));
  json_object_set_new(o, "counters", counters_of(r->stats));
  add_commands(o, r);
  json_object_set_new(o, "answer", answer);
}
