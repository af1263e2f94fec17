/* Documents and what is known of them.
 *
 * Places of answers are those of the text that was read by the last survey. What the editor changed
 * since then is applied when they are shown (tp_text_moved_line); when the next survey is there, a
 * kept answer moves to its places, a stale one by the edits that came before. */
#include "lsp/file_uri.h"
#include "lsp/lsp_priv.h"
#include "report/json_text.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

char *tp_lsp_copy(const char *text) {
  char *copy = tp_alloc(strlen(text) + 1);
  strcpy(copy, text);
  return copy;
}

const char *tp_lsp_short(const tp_lsp_file *f, const char *path) {
  const size_t n = strlen(f->root);
  return strncmp(path, f->root, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

// -------------------------------------------------------------------------- files

tp_lsp_file *tp_lsp_file_of_uri(tp_lsp_server *s, const char *uri) {
  for (size_t i = 0; uri && i < s->files.n; i++)
    if (strcmp(s->files.at[i]->uri, uri) == 0) return s->files.at[i];
  return NULL;
}

tp_lsp_file *tp_lsp_file_of_path(tp_lsp_server *s, const char *path) {
  for (size_t i = 0; i < s->files.n; i++)
    if (s->files.at[i]->is_open && strcmp(s->files.at[i]->path, path) == 0) return s->files.at[i];
  return NULL;
}

/* The longest folder of the workspace that has the file; else its own. */
static char *root_of(const tp_lsp_server *s, const char *path) {
  const char *best = NULL;
  for (size_t i = 0; i < s->folders.n; i++) {
    const char *folder = s->folders.at[i];
    const size_t n = strlen(folder);
    const bool is_in = strncmp(path, folder, n) == 0 && path[n] == '/';
    if (is_in && (!best || n > strlen(best))) best = folder;
  }
  if (best) return tp_lsp_copy(best);
  char *folder = tp_lsp_copy(path), *slash = strrchr(folder, '/');
  if (slash == folder) slash++;
  *slash = 0;
  return folder;
}

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), n_end = strlen(end);
  return n > n_end && strcmp(text + n - n_end, end) == 0;
}

/* NULL: the URI names no file, so there is nothing that a compiler could read. */
static tp_lsp_file *new_file(tp_lsp_server *s, const char *uri) {
  tp_str path = {0};
  tp_lsp_file *f = NULL;
  if (tp_file_uri_path(uri, &path) && path.text[0] == '/') {
    char *real = realpath(path.text, NULL);
    f = TP_NEW(tp_lsp_file);
    f->uri = tp_lsp_copy(uri);
    f->path = tp_lsp_copy(real ? real : path.text);
    f->root = root_of(s, f->path);
    free(real);
    tp_vec_push(&s->files, f);
  }
  tp_str_clear(&path);
  return f;
}

tp_lsp_file *tp_lsp_file_open(tp_lsp_server *s, const char *uri, const char *language,
                              int64_t version, const char *text, size_t n) {
  tp_lsp_file *f = tp_lsp_file_of_uri(s, uri);
  if (!f) f = new_file(s, uri);
  if (!f) return NULL;
  f->is_open = true;
  f->is_unit = ends_with(f->path, ".c") || ends_with(f->path, ".i") ||
               (language && strcmp(language, "c") == 0 && !ends_with(f->path, ".h"));
  f->version = version;
  tp_text_set(&f->document, text, n);
  f->edits_before = 0;
  return f;
}

void tp_lsp_file_free(tp_lsp_file *f) {
  tp_lsp_survey_clear(&f->survey);
  tp_text_clear(&f->document);
  json_decref(f->problems);
  json_decref(f->round.token);
  for (size_t i = 0; i < f->round.ids.n; i++) json_decref(f->round.ids.at[i]);
  tp_vec_clear(&f->round.ids);
  tp_free(f->uri);
  tp_free(f->path);
  tp_free(f->root);
  tp_free(f);
}

// ------------------------------------------------------------------------- survey

tp_lsp_target *tp_lsp_find_target(tp_lsp_file *f, const char *name) {
  for (size_t i = 0; i < f->survey.targets.n; i++)
    if (strcmp(f->survey.targets.at[i].name, name) == 0) return &f->survey.targets.at[i];
  return NULL;
}

void tp_lsp_survey_clear(tp_lsp_survey *v) {
  for (size_t i = 0; i < v->targets.n; i++) {
    tp_vec_clear(&v->targets.at[i].places);
    json_decref(v->targets.at[i].answer);
    tp_free(v->targets.at[i].trouble);
  }
  tp_vec_clear(&v->targets);
  json_decref(v->object);
  tp_arena_clear(&v->arena);
  *v = (tp_lsp_survey){0};
}

typedef struct {
  const char **paths;
  size_t n;
} path_list;

static tp_lsp_place place_at(const path_list *paths, const json_t *list, size_t at) {
  const json_int_t file = json_integer_value(json_array_get(list, at));
  return (tp_lsp_place){.path = file >= 0 && (size_t)file < paths->n ? paths->paths[file] : "",
                        .line = (uint32_t)json_integer_value(json_array_get(list, at + 1)),
                        .column = (uint32_t)json_integer_value(json_array_get(list, at + 2))};
}

static bool read_target(tp_lsp_survey *v, const path_list *paths, const json_t *o) {
  const char *name = tp_rpc_text(o, "name"), *identity = tp_rpc_text(o, "identity");
  const json_t *places = json_object_get(o, "places"), *place = json_object_get(o, "place"),
               *arguments = json_object_get(o, "arguments");
  if (!name || !identity || !json_is_array(arguments) || json_array_size(place) != 3) return false;
  tp_lsp_target t = {.name = name,
                     .identity = identity,
                     .obstacle = tp_rpc_text(o, "obstacle"),
                     .place = place_at(paths, place, 0),
                     .arguments = arguments};
  for (size_t i = 0; i + 2 < json_array_size(places); i += 3)
    tp_vec_push(&t.places, place_at(paths, places, i));
  tp_vec_push(&v->targets, t);
  return true;
}

static bool read_survey(const tp_lsp_file *f, const char *text, size_t n, tp_lsp_survey *v) {
  v->object = json_loadb(text, n, 0, NULL);
  const json_t *files = json_object_get(v->object, "files"),
               *targets = json_object_get(v->object, "targets");
  if (!json_is_array(files) || !json_is_array(targets)) return false;
  path_list paths = {tp_arena_array(&v->arena, const char *, json_array_size(files) + 1),
                     json_array_size(files)};
  for (size_t i = 0; i < paths.n; i++) {
    tp_str path = {0};
    const char *name = json_string_value(json_array_get(files, i));
    tp_lsp_absolute(f->root, name ? name : "", &path);
    char *real = realpath(path.text, NULL);
    paths.paths[i] = tp_arena_strdup(&v->arena, real ? real : path.text);
    free(real);
    tp_str_clear(&path);
  }
  bool ok = true;
  for (size_t i = 0; ok && i < json_array_size(targets); i++)
    ok = read_target(v, &paths, json_array_get(targets, i));
  return ok;
}

/* Moves lines of this document by the edits that the new survey knows. */
static void shift_lines(const tp_lsp_file *f, json_t *o) {
  const char *key;
  json_t *value;
  size_t i;
  if (json_is_array(o)) json_array_foreach(o, i, value) shift_lines(f, value);
  if (!json_is_object(o)) return;
  json_object_foreach(o, key, value) {
    if (strcmp(key, "place") != 0) {
      shift_lines(f, value);
      continue;
    }
    const char *path = json_string_value(json_array_get(value, 0));
    json_t *line = json_array_get(value, 1);
    if (path && strcmp(path, f->path) == 0)
      json_integer_set(
          line, 1 + tp_text_moved_line(&f->document, 0, (uint32_t)json_integer_value(line) - 1));
  }
}

static bool are_at_one_place(const tp_lsp_places *a, const tp_lsp_places *b) {
  bool ok = a->n == b->n;
  for (size_t i = 0; ok && i < a->n; i++)
    ok = a->at[i].line == b->at[i].line && a->at[i].column == b->at[i].column &&
         strcmp(a->at[i].path, b->at[i].path) == 0;
  return ok;
}

/* Gives the target what is known from before. */
static void inherit(tp_lsp_server *s, tp_lsp_file *f, tp_lsp_target *t) {
  tp_lsp_target *old = tp_lsp_find_target(f, t->name);
  const bool is_same =
      old && strcmp(old->identity, t->identity) == 0 && old->places.n == t->places.n;
  t->is_unmoved = is_same && are_at_one_place(&old->places, &t->places);
  t->needs_check = !t->obstacle && !(is_same && old->answer && !old->is_stale);
  if (!old || !old->answer) return;
  t->answer = old->answer;
  old->answer = NULL;
  t->is_stale = old->is_stale || !is_same;
  if (t->is_stale)
    shift_lines(f, t->answer);
  else
    tp_lsp_answer_move(t->answer, &old->places, &t->places, f->root);
  if (t->is_stale) return;
  f->round.n_kept++;
  tp_lsp_log(s, "%s: %s: kept, nothing that it reaches has changed", tp_lsp_short(f, f->path),
             t->name);
}

/* The edits that came before the survey started. */
static tp_text_document without_later_edits(const tp_lsp_file *f) {
  tp_text_document d = f->document;
  d.edits.n = f->edits_before < d.edits.n ? f->edits_before : d.edits.n;
  return d;
}

bool tp_lsp_take_survey(tp_lsp_server *s, tp_lsp_file *f, const char *text, size_t n) {
  tp_lsp_survey fresh = {0};
  if (!read_survey(f, text, n, &fresh)) {
    tp_lsp_survey_clear(&fresh);
    return false;
  }
  f->round.n_kept = 0;
  const tp_text_document whole = f->document;
  f->document = without_later_edits(f);
  for (size_t i = 0; i < fresh.targets.n; i++) inherit(s, f, &fresh.targets.at[i]);
  f->document = whole;
  tp_text_forget_edits(&f->document,
                       f->edits_before < whole.edits.n ? f->edits_before : whole.edits.n);
  f->edits_before = 0;
  tp_lsp_survey_clear(&f->survey);
  f->survey = fresh;
  json_decref(f->problems);
  f->problems = NULL;
  f->signature = tp_lsp_signature(f);
  return true;
}

// ----------------------------------------------------------------------- problems

/* "a.c:3:4: error: text"; kinds are error, fatal error, warning, note. */
static json_t *problem_of(const tp_lsp_file *f, const char *text, size_t n, bool *is_note) {
  static const struct {
    const char *mark;
    int severity;  // of the protocol; 0: a note
  } kinds[] = {{": error: ", 1}, {": fatal error: ", 1}, {": warning: ", 2}, {": note: ", 0}};
  tp_str line = {0};
  tp_str_add_n(&line, text, n);
  json_t *problem = NULL;
  for (size_t i = 0; !problem && i < sizeof kinds / sizeof *kinds; i++) {
    char *at = strstr(line.text, kinds[i].mark);
    if (!at) continue;
    *at = 0;
    char *column = strrchr(line.text, ':');
    if (!column) continue;
    *column = 0;
    char *number = strrchr(line.text, ':');
    if (!number) continue;
    *number = 0;
    tp_str path = {0};
    tp_lsp_absolute(f->root, line.text, &path);
    char *real = realpath(path.text, NULL);
    problem = json_pack("{s:o, s:[o, I, I], s:i}", "text", tp_json_text(at + strlen(kinds[i].mark)),
                        "place", tp_json_text(real ? real : path.text),
                        (json_int_t)strtol(number + 1, NULL, 10),
                        (json_int_t)strtol(column + 1, NULL, 10), "severity", kinds[i].severity);
    *is_note = kinds[i].severity == 0;
    free(real);
    tp_str_clear(&path);
  }
  tp_str_clear(&line);
  return problem;
}

void tp_lsp_take_problems(tp_lsp_file *f, const char *messages, const char *otherwise) {
  json_t *list = json_array();
  tp_str rest = {0};
  for (const char *line = messages; *line;) {
    const size_t n = strcspn(line, "\n");
    bool is_note = false;
    json_t *problem = problem_of(f, line, n, &is_note),
           *last = json_array_get(list, json_array_size(list) - 1);
    if (problem && is_note && last) {
      json_t *notes = json_object_get(last, "notes");
      if (!notes) json_object_set_new(last, "notes", notes = json_array());
      json_array_append_new(notes, problem);
    } else if (problem && !is_note) {
      json_array_append_new(list, problem);
    } else {
      json_decref(problem);
    }
    static const char own[] = "twoproof";
    if (strncmp(line, own, sizeof own - 1) == 0 && n > 0) {
      const char *text = memchr(line, ' ', n);
      if (rest.n) tp_str_add_char(&rest, '\n');
      if (text) tp_str_add_n(&rest, text + 1, n - (size_t)(text + 1 - line));
    }
    line += n + (line[n] == '\n');
  }
  if (json_array_size(list) == 0)
    json_array_append_new(list, json_pack("{s:o, s:[o, i, i], s:i}", "text",
                                          tp_json_text(rest.n ? rest.text : otherwise), "place",
                                          tp_json_text(f->path), 1, 1, "severity", 1));
  tp_str_clear(&rest);
  json_decref(f->problems);
  f->problems = list;
  f->problems_before = f->edits_before;
}

// ---------------------------------------------------------------------- signature

uint64_t tp_lsp_signature(const tp_lsp_file *f) {
  uint64_t hash = 1;
  const json_t *files = json_object_get(f->survey.object, "files");
  for (size_t i = 0; i < json_array_size(files); i++) {
    tp_str path = {0};
    struct stat st = {0};
    tp_lsp_absolute(f->root, json_string_value(json_array_get(files, i)), &path);
    (void)!stat(path.text, &st);
    hash = tp_hash_mix(tp_hash_mix(hash, (uint64_t)st.st_mtim.tv_sec),
                       (uint64_t)st.st_mtim.tv_nsec ^ (uint64_t)st.st_size << 32);
    tp_str_clear(&path);
  }
  return hash;
}

bool tp_lsp_is_newer(const tp_lsp_file *f, double since_s) {
  const json_t *files = json_object_get(f->survey.object, "files");
  bool is_newer = false;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  for (size_t i = 0; i < json_array_size(files); i++) {
    tp_str path = {0};
    struct stat st;
    tp_lsp_absolute(f->root, json_string_value(json_array_get(files, i)), &path);
    if (stat(path.text, &st) == 0) {
      const double written_s = (double)st.st_mtim.tv_sec + (double)st.st_mtim.tv_nsec / 1e9;
      is_newer |= written_s > since_s && st.st_mtim.tv_sec <= now.tv_sec;  // not of the future
    }
    tp_str_clear(&path);
  }
  return is_newer;
}
