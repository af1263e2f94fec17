/* A verdict counts only if the tool ended by itself: what a limit cut off is no answer. */
#include "app/bench/answer.h"

#include <jansson.h>
#include <stdlib.h>

const char *const tp_grade_names[TP_N_GRADES] = {"right", "wrong", "unknown", "unchecked"};

/* Behind the last "RESULT: " at the start of a line. */
static const char *result_of_text(const char *text, tp_arena *arena) {
  static const char mark[] = "RESULT: ";
  const char *last = NULL;
  for (const char *at = text; (at = strstr(at, mark)) != NULL; at++)
    if (at == text || at[-1] == '\n') last = at + sizeof mark - 1;
  return last ? tp_arena_strndup(arena, last, strcspn(last, "\n")) : "";
}

/* The counters and times; path and inputs can be had again. */
static const char *statistics_of(json_t *answer, tp_arena *arena) {
  static const char *const long_ones[] = {"path",     "inputs",  "notes",
                                          "explored", "missing", "remarks"};
  for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
    json_object_del(answer, long_ones[i]);
  char *text = json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(6));
  const char *copy = tp_arena_strdup(arena, text ? text : "");
  free(text);
  return copy;
}

static const char *text_member(const json_t *answer, const char *key, tp_arena *arena) {
  const char *text = json_string_value(json_object_get(answer, key));
  return tp_arena_strdup(arena, text ? text : "");
}

static tp_grade grade_of(const tp_bench_task *t, const char *result) {
  const bool is_true = strcmp(result, "true") == 0, is_false = strncmp(result, "false(", 6) == 0;
  if (!is_true && !is_false) return TP_GRADE_UNKNOWN;
  if (t->expected == TP_EXPECT_NOTHING) return TP_GRADE_UNCHECKED;
  if (is_true) return t->expected == TP_EXPECT_TRUE ? TP_GRADE_RIGHT : TP_GRADE_WRONG;
  if (t->expected != TP_EXPECT_FALSE) return TP_GRADE_WRONG;
  if (!t->subproperty) return TP_GRADE_RIGHT;
  const size_t n = strlen(t->subproperty);
  return strncmp(result + 6, t->subproperty, n) == 0 && result[6 + n] == ')' ? TP_GRADE_RIGHT
                                                                             : TP_GRADE_WRONG;
}

const char *tp_bench_expected_text(const tp_bench_task *t, tp_arena *arena) {
  if (t->expected == TP_EXPECT_NOTHING) return "";
  if (t->expected == TP_EXPECT_TRUE) return "true";
  return t->subproperty ? tp_arena_printf(arena, "false(%s)", t->subproperty) : "false";
}

tp_grade tp_bench_answer(const tp_bench_task *task, const tp_contained *c, tp_arena *arena,
                         tp_bench_row *out) {
  TP_REQUIRE(task && c && arena && out);
  const char *text = tp_str_text(&c->out), *result = "";
  json_t *answer = text[0] == '{' ? json_loads(text, 0, NULL) : NULL;
  out->statistics = out->certificate = "";
  if (answer) {
    result = text_member(answer, "result", arena);
    out->certificate = text_member(answer, "certificate_hash", arena);
    out->statistics = statistics_of(answer, arena);
    json_decref(answer);
  } else {
    result = result_of_text(text, arena);
  }
  static const char unknown[] = "unknown(";
  const bool is_unknown = strncmp(result, unknown, sizeof unknown - 1) == 0;
  const size_t n = strlen(result);
  out->verdict = is_unknown || !result[0] || c->end != TP_CONTAINED_ENDED ? "unknown" : result;
  out->reason =
      c->end != TP_CONTAINED_ENDED
          ? tp_arena_printf(arena, "ended by the limit of %s", tp_contained_end_name(c->end))
      : is_unknown ? tp_arena_strndup(arena, result + sizeof unknown - 1, n - sizeof unknown)
      : !result[0] ? tp_arena_printf(arena, "no answer, status %d", c->status)
                   : "";
  const tp_grade grade = grade_of(task, out->verdict);
  out->expected = tp_bench_expected_text(task, arena);
  out->grade = tp_grade_names[grade];
  out->end = tp_contained_end_name(c->end);
  out->cpu_s = c->cpu_s;
  out->wall_s = c->wall_s;
  out->memory_mb = c->peak_mb;
  return grade;
}
