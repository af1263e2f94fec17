/* What the options name is read: the files of a project first, then what can be read once only. */
#include "app/options_intake.h"

#include "app/hints.h"
#include "app/project.h"
#include "base/files.h"
#include "base/process.h"

#include <stdio.h>

static bool take_in(const char *path, tp_intake_kind kind) {
  tp_str why = {0};
  const bool ok = !path || !path[0] || tp_intake(path, kind, &why) == TP_OK;
  if (!ok) fprintf(stderr, "twoproof: %s: %s\n", path, tp_str_text(&why));
  tp_str_clear(&why);
  return ok;
}

static bool take_in_with_head(const char *path, const char *head) {
  tp_str why = {0};
  const bool ok = tp_intake_with_head(path, head, &why) == TP_OK;
  if (!ok) fprintf(stderr, "twoproof: %s: %s\n", path, tp_str_text(&why));
  tp_str_clear(&why);
  return ok;
}

bool tp_options_take_in(tp_options *o, bool has_result) {
  const char *const texts[] = {strchr(o->property, '/') ? o->property : NULL,
                               o->monitor,
                               o->contracts,
                               o->predicates,
                               o->tests,
                               o->witness};
  bool ok = tp_project_prepare(o) == 0;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    ok = ok && take_in(texts[i], TP_INTAKE_TEXT);
  for (size_t i = 0; i < o->shape_class.n; i++)
    ok = ok && take_in(o->shape_class.at[i], TP_INTAKE_TEXT);
  if (o->equal[0]) ok = ok && take_in(o->equal, TP_INTAKE_SOURCE);
  for (size_t i = 0; i < o->files.n; i++)
    ok = ok && (i < o->heads.n ? take_in_with_head(o->files.at[i], o->heads.at[i])
                               : take_in(o->files.at[i], TP_INTAKE_SOURCE));
  if (ok) tp_hints_add_flags(o);
  if (ok) return true;
  tp_temp_remove_all();
  if (has_result) tp_options_say_unreadable(o);
  return false;
}

void tp_options_say_unreadable(const tp_options *o) {
  puts(strcmp(o->format, "json") == 0
           ? "{\n  \"verdict\": \"unknown\",\n  \"result\": \"unknown(the input cannot be "
             "read)\",\n  "
             "\"reason\": \"the input cannot be read\"\n}"
           : "UNKNOWN: the input cannot be read\nRESULT: unknown(the input cannot be read)");
}
