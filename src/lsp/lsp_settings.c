/* Settings of the editor, the project's file .twoproof.conf, and the command line they make. */
#include "lsp/lsp_limits.h"
#include "lsp/lsp_priv.h"

#include <stddef.h>
#include <unistd.h>

// ---------------------------------------------------------------------- settings

void tp_lsp_settings_init(tp_lsp_settings *s) {
  *s = (tp_lsp_settings){.entry = tp_lsp_copy(""),
                         .property = tp_lsp_copy(""),
                         .compile_commands = tp_lsp_copy(""),
                         .arguments = json_array(),
                         .checks_on_open = true,
                         .checks_on_save = true};
}

void tp_lsp_settings_clear(tp_lsp_settings *s) {
  tp_free(s->entry);
  tp_free(s->property);
  tp_free(s->compile_commands);
  json_decref(s->arguments);
  *s = (tp_lsp_settings){0};
}

typedef enum { SETTING_TEXT, SETTING_TEXTS, SETTING_NUMBER, SETTING_FLAG } setting_type;
static const struct {
  const char *name;
  setting_type type;
  size_t offset;
  const char *wanted;
} rows[] = {
    {"allFunctions", SETTING_FLAG, offsetof(tp_lsp_settings, all_functions), "true or false"},
    {"arguments", SETTING_TEXTS, offsetof(tp_lsp_settings, arguments), "a list of strings"},
    {"checkOnOpen", SETTING_FLAG, offsetof(tp_lsp_settings, checks_on_open), "true or false"},
    {"checkOnSave", SETTING_FLAG, offsetof(tp_lsp_settings, checks_on_save), "true or false"},
    {"compileCommands", SETTING_TEXT, offsetof(tp_lsp_settings, compile_commands),
     "a folder, or 'none'"},
    {"entry", SETTING_TEXT, offsetof(tp_lsp_settings, entry), "the name of a function"},
    {"property", SETTING_TEXT, offsetof(tp_lsp_settings, property), "names with commas"},
    {"timelimit", SETTING_NUMBER, offsetof(tp_lsp_settings, timelimit_s), "seconds"},
};
enum { N_ROWS = sizeof rows / sizeof *rows };

static bool are_texts(const json_t *list) {
  bool ok = json_is_array(list);
  for (size_t i = 0; ok && i < json_array_size(list); i++)
    ok = json_is_string(json_array_get(list, i));
  return ok;
}

/* False: the value is of another type. *changed is set where it is another than before. */
static bool set(tp_lsp_settings *s, size_t row, const json_t *value, bool *changed) {
  void *field = (char *)s + rows[row].offset;
  switch (rows[row].type) {
    case SETTING_TEXT: {
      char **text = field;
      if (!json_is_string(value)) return false;
      *changed |= strcmp(*text, json_string_value(value)) != 0;
      tp_free(*text);
      *text = tp_lsp_copy(json_string_value(value));
      return true;
    }
    case SETTING_TEXTS: {
      json_t **list = field;
      if (!are_texts(value)) return false;
      *changed |= !json_equal(*list, value);
      json_decref(*list);
      *list = json_deep_copy(value);
      return true;
    }
    case SETTING_NUMBER: {
      double *number = field;
      if (!json_is_number(value) || json_number_value(value) < 0) return false;
      *changed |= *number < json_number_value(value) || *number > json_number_value(value);
      *number = json_number_value(value);
      return true;
    }
    case SETTING_FLAG: {
      bool *flag = field;
      if (!json_is_boolean(value)) return false;
      *changed |= *flag != json_is_true(value);
      *flag = json_is_true(value);
      return true;
    }
  }
  return false;
}

bool tp_lsp_settings_read(tp_lsp_server *s, const json_t *object) {
  const char *key;
  json_t *value;
  bool changed = false;
  json_object_foreach((json_t *)(uintptr_t)object, key, value) {
    size_t row = 0;
    while (row < N_ROWS && strcmp(rows[row].name, key) != 0) row++;
    if (json_is_null(value)) continue;  // the editor has no value: the default
    if (row == N_ROWS)
      tp_lsp_warn(s, "there is no setting twoproof.%s", key);
    else if (!set(&s->settings, row, value, &changed))
      tp_lsp_warn(s, "twoproof.%s is to be %s", key, rows[row].wanted);
  }
  return changed;
}

// ------------------------------------------------------------------- command line

typedef struct {
  tp_lsp_job *job;
  TP_VEC(char *) words;
} line;

static void add(line *l, const char *name, const char *value) {
  tp_vec_push(&l->words, tp_arena_printf(&l->job->arena, "%s%s", name, value));
}

/* The first of the folders from the file's up to the root that has this file; in the arena. */
static const char *folder_with(tp_lsp_job *job, const char *name) {
  const tp_lsp_file *f = job->file;
  const size_t least = strlen(f->root);
  for (size_t n = strlen(f->path); n > 0;) {
    do n--;
    while (n > 0 && f->path[n] != '/');
    if (n < least) return NULL;
    const char *folder = tp_arena_printf(&job->arena, "%.*s", (int)n, f->path);
    if (access(tp_arena_printf(&job->arena, "%s/%s", folder, name), R_OK) == 0) return folder;
  }
  return NULL;
}

static const char *database_of(tp_lsp_server *s, tp_lsp_job *job) {
  static const char name[] = "compile_commands.json";
  const char *given = s->settings.compile_commands, *root = job->file->root;
  if (strcmp(given, "none") == 0) return NULL;
  const char *folder = given[0] == '/' ? given
                       : given[0]      ? tp_arena_printf(&job->arena, "%s/%s", root, given)
                                       : folder_with(job, name);
  const char *built = tp_arena_printf(&job->arena, "%s/build", root);
  if (!folder && access(tp_arena_printf(&job->arena, "%s/%s", built, name), R_OK) == 0)
    folder = built;
  return folder && s->services->is_in_database(folder, job->file->path) ? folder : NULL;
}

/* What is below the root is named from there on, so that messages are short. */
static void add_file(line *l) {
  const char *name = tp_lsp_short(l->job->file, l->job->file->path);
  add(l, name[0] == '-' ? "./" : "", name);
}

void tp_lsp_command_line(tp_lsp_server *s, tp_lsp_job *job, const tp_lsp_target *target) {
  TP_REQUIRE(job->file && (target != NULL) == (job->kind == TP_LSP_CHECK));
  line l = {.job = job};
  const tp_lsp_settings *o = &s->settings;
  const char *configured = folder_with(job, ".twoproof.conf"), *database = database_of(s, job);
  add(&l, "check", "");
  add(&l, "--timelimit=", tp_arena_printf(&job->arena, "%d", TP_LSP_TIMELIMIT_S));
  if (configured)
    add(&l, "--config=", tp_arena_printf(&job->arena, "%s/.twoproof.conf", configured));
  if (database) add(&l, "--project=", database);
  if (o->entry[0]) add(&l, "--entry=", o->entry);
  if (o->property[0]) add(&l, "--property=", o->property);
  if (o->timelimit_s > 0)
    add(&l, "--timelimit=", tp_arena_printf(&job->arena, "%g", o->timelimit_s));
  if (o->all_functions && !target) add(&l, "--all-functions", "");
  size_t i = 0;
  const size_t n = json_array_size(o->arguments);
  for (; i < n; i++) {
    const char *word = json_string_value(json_array_get(o->arguments, i));
    if (strcmp(word, "--") == 0) break;
    add(&l, word, "");
  }
  for (size_t k = 0; target && k < json_array_size(target->arguments); k++)
    add(&l, json_string_value(json_array_get(target->arguments, k)), "");
  if (target) add(&l, "--output=", job->folder);
  if (target) add(&l, "-v", "");
  add(&l, "--format=json", "");
  add_file(&l);
  for (; i < n; i++) add(&l, json_string_value(json_array_get(o->arguments, i)), "");
  job->argc = (int)l.words.n;
  job->argv = tp_arena_array(&job->arena, char *, l.words.n + 1);
  memcpy(job->argv, l.words.at, l.words.n * sizeof *l.words.at);
  tp_vec_clear(&l.words);
}
