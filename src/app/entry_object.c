/* The notes of the failure have the line that made the object; the text of the environment says
 * behind that line what it assumes (TP_ENVIRONMENT_SAYS). */
#include "app/entry_object.h"

#include "app/environment.h"
#include "base/files.h"
#include "report/json_text.h"

#include <stdlib.h>

static const char allocated[] = ": note: allocated here\n";

/* The place of the allocation: PATH:LINE:COLUMN in front of the note. */
static bool find_place(const char *notes, tp_arena *arena, const char **path, uint32_t *line) {
  const char *end = notes ? strstr(notes, allocated) : NULL;
  if (!end) return false;
  const char *start = end;
  while (start > notes && start[-1] != '\n') start--;
  char *text = tp_arena_strndup(arena, start, (size_t)(end - start));
  char *column = strrchr(text, ':');
  if (!column) return false;
  *column = 0;
  char *number = strrchr(text, ':');
  if (!number) return false;
  *number = 0;
  *path = text;
  *line = (uint32_t)strtoul(number + 1, NULL, 10);
  return *line > 0;
}

static const char *line_of(const char *text, uint32_t line) {
  while (line > 1 && text) {
    text = strchr(text, '\n');
    if (text) text++;
    line--;
  }
  return text;
}

bool tp_entry_find_object(const tp_session *s, tp_arena *arena, tp_entry_object *out) {
  TP_REQUIRE(s && s->o && arena && out);
  const char *path = "";
  uint32_t number = 0;
  tp_str text = {0};
  *out = (tp_entry_object){0};
  if (s->now.verdict != TP_VERDICT_FALSE ||
      !find_place(s->now.error_notes, arena, &path, &number) || tp_read_file(path, &text) != TP_OK)
    return false;
  const char *line = line_of(tp_str_text(&text), number);
  const size_t n = line ? strcspn(line, "\n") : 0;
  const char *said = n ? strstr(line, TP_ENVIRONMENT_SAYS) : NULL,
             *more = said ? strstr(said, TP_ENVIRONMENT_MORE) : NULL;
  const bool is_made = said && said < line + n;
  if (is_made) {
    said += strlen(TP_ENVIRONMENT_SAYS);
    out->is_guess = strncmp(said, TP_ENVIRONMENT_GUESS, strlen(TP_ENVIRONMENT_GUESS)) == 0;
    if (out->is_guess) said += strlen(TP_ENVIRONMENT_GUESS);
    const char *end = more && more < line + n ? more : line + n;
    out->said = tp_arena_strndup(arena, said, (size_t)(end - said));
    if (end == more) {
      more += strlen(TP_ENVIRONMENT_MORE);
      const size_t length = strcspn(more, "\n") - strlen(TP_ENVIRONMENT_MORE_END);
      out->more = tp_arena_strndup(arena, more, length);
    }
  }
  tp_str_clear(&text);
  return is_made;
}

static void leave_open(tp_session *s, const tp_entry_object *object) {
  tp_str at = {0};
  tp_pos_print(s->diag, s->now.error_pos, &at);
  tp_session_give_up(s, "the failure at %s (%s) rests on a guess: nothing says whether %s",
                     tp_str_text(&at), s->now.error_message ? s->now.error_message : "",
                     object->said);
  tp_str_clear(&at);
  s->now.rests_on_open = true;
  tp_str_clear(&s->now.hint);
  tp_str_add(&s->now.hint,
             "say what callers give (--requires), or edit the call that --harness prints");
}

void tp_entry_say_object(tp_session *s) {
  TP_REQUIRE(s);
  tp_entry_object object;
  if (!tp_entry_find_object(s, &s->arena, &object)) return;
  if (object.is_guess) leave_open(s, &object);
  const char *before = s->more_text ? s->more_text : "";
  s->more_text =
      object.more
          ? tp_arena_printf(&s->arena,
                            "%sThe failure rests on an assumption: %s. If callers give more: "
                            "--requires='%s'\n",
                            before, object.said, object.more)
          : tp_arena_printf(&s->arena,
                            "%sThe failure rests on an assumption: %s. --harness prints the call, "
                            "to be edited\n",
                            before, object.said);
  json_t *o = json_pack("{s:o}", "assumes", tp_json_text(object.said));
  if (object.more) json_object_set_new(o, "requires", tp_json_text(object.more));
  char *text = json_dumps(o, 0);
  if (text) tp_session_add_json(s, tp_arena_printf(&s->arena, "\"rests_on\": %s", text));
  free(text);
  json_decref(o);
}
