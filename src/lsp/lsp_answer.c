/* Reading is lenient: a file that is missing or damaged costs what it would have added. */
#include "lsp/lsp_answer.h"

#include "lsp/file_uri.h"
#include "lsp/lsp_limits.h"
#include "lsp/rpc.h"
#include "lsp/sources.h"
#include "report/json_text.h"

#include <stdlib.h>
#include <sys/stat.h>

void tp_lsp_absolute(const char *root, const char *path, tp_str *out) {
  if (path[0] != '/') tp_str_printf(out, "%s/", root);
  tp_str_add(out, path);
}

static json_t *place_of(const char *root, const char *path, int64_t line, int64_t column) {
  tp_str full = {0};
  tp_lsp_absolute(root, path, &full);
  json_t *place = json_array();
  json_array_append_new(place, tp_json_text(tp_str_text(&full)));
  json_array_append_new(place, json_integer(line));
  json_array_append_new(place, json_integer(column > 0 ? column : 1));
  tp_str_clear(&full);
  return place;
}

static void copy(json_t *to, const json_t *from, const char *key) {
  json_t *value = json_object_get(from, key);
  if (value) json_object_set(to, key, value);
}

// ---------------------------------------------------------------------- the object

/* "a.c:3:4" */
static json_t *place_of_text(const char *root, const char *text) {
  tp_str copy_of_text = {0};
  tp_str_add(&copy_of_text, text);
  char *column = strrchr(copy_of_text.text, ':');
  if (column) *column = 0;
  char *line = column ? strrchr(copy_of_text.text, ':') : NULL;
  json_t *place = NULL;
  if (line) {
    *line = 0;
    const long l = strtol(line + 1, NULL, 10), c = strtol(column + 1, NULL, 10);
    if (l > 0) place = place_of(root, copy_of_text.text, l, c);
  }
  tp_str_clear(&copy_of_text);
  return place;
}

static json_t *remarks_of(const json_t *answer, const char *root) {
  json_t *list = json_array();
  size_t i;
  json_t *remark;
  json_array_foreach(json_object_get(answer, "remarks"), i, remark) {
    const char *text = tp_rpc_text(remark, "remark"), *at = tp_rpc_text(remark, "position");
    json_t *place = at ? place_of_text(root, at) : NULL;
    if (text && place)
      json_array_append_new(list, json_pack("{s:s, s:O}", "text", text, "place", place));
    json_decref(place);
  }
  return list;
}

static json_t *finding_of(const json_t *answer, const char *root) {
  static const char *const keys[] = {"property", "verdict",  "result",      "message",  "violated",
                                     "reason",   "why",      "where",       "next",     "inputs",
                                     "engine",   "evidence", "assumptions", "undefined"};
  json_t *finding = json_object();
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) copy(finding, answer, keys[i]);
  json_object_set_new(finding, "said",
                      json_object_get(finding, "evidence")
                          ? json_incref(json_object_get(finding, "evidence"))
                          : json_string(""));
  json_object_del(finding, "evidence");
  const json_t *at = json_object_get(answer, "position");
  const char *file = tp_rpc_text(at, "file");
  if (file)
    json_object_set_new(
        finding, "place",
        place_of(root, file, tp_rpc_number(at, "line"), tp_rpc_number(at, "column")));
  json_object_set_new(finding, "remarks", remarks_of(answer, root));
  return finding;
}

// ------------------------------------------------------------------------ evidence

static json_t *read_json(const char *folder, const char *name) {
  tp_str path = {0}, text = {0};
  tp_str_printf(&path, "%s/%s", folder, name);
  json_t *o = tp_read_file(path.text, &text) == TP_OK
                  ? json_loadb(tp_str_text(&text), text.n, 0, NULL)
                  : NULL;
  tp_str_clear(&path);
  tp_str_clear(&text);
  return o;
}

static void add_texts(json_t *finding, const char *folder) {
  static const char *const names[] = {"harness.c", "run.sh", "inputs.txt", "entry.c"};
  json_t *evidence = json_object();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    tp_str path = {0}, text = {0};
    struct stat st;
    tp_str_printf(&path, "%s/%s", folder, names[i]);
    const bool is_there = stat(path.text, &st) == 0 && st.st_size <= TP_LSP_EVIDENCE_BYTES;
    if (is_there && tp_read_file(path.text, &text) == TP_OK)
      json_object_set_new(evidence, names[i], tp_json_text(tp_str_text(&text)));
    tp_str_clear(&path);
    tp_str_clear(&text);
  }
  json_object_set_new(finding, "evidence", evidence);
}

/* A location of SARIF, whose columns are characters; NULL: none. */
static json_t *place_of_location(const json_t *location, const char *root, tp_sources *sources) {
  const char *uri =
      json_string_value(tp_rpc_path(location, "physicalLocation.artifactLocation.uri"));
  const json_t *region = tp_rpc_path(location, "physicalLocation.region");
  const int64_t line = tp_rpc_number(region, "startLine");
  if (!uri || line <= 0) return NULL;
  tp_str path = {0}, whole = {0};
  tp_str_printf(&whole, "%s%s", strncmp(uri, "file:", 5) == 0 ? "" : "file:///", uri);
  json_t *place = NULL;
  if (tp_file_uri_path(whole.text, &path)) {
    const char *name = strncmp(uri, "file:", 5) == 0 ? path.text : path.text + 1;
    place = place_of(root, name, line, 1);
    size_t n;
    const tp_text_document *d =
        tp_sources_get(sources, json_string_value(json_array_get(place, 0)));
    const char *text = tp_text_line(d, (uint32_t)line - 1, &n);
    const int64_t column = tp_rpc_number(region, "startColumn");
    if (text && column > 1)
      json_integer_set(
          json_array_get(place, 2),
          (json_int_t)tp_text_bytes(text, n, (uint32_t)column - 1, TP_POSITIONS_UTF32) + 1);
  }
  tp_str_clear(&path);
  tp_str_clear(&whole);
  return place;
}

/* Steps at which something changes, and the end. */
static json_t *steps_of(const json_t *result, const char *root, tp_sources *sources) {
  json_t *list = json_array(), *step;
  size_t i;
  const json_t *flow = json_array_get(json_object_get(result, "codeFlows"), 0),
               *thread = json_array_get(json_object_get(flow, "threadFlows"), 0);
  json_array_foreach(json_object_get(thread, "locations"), i, step) {
    const json_t *location = json_object_get(step, "location");
    const char *text = json_string_value(tp_rpc_path(location, "message.text"));
    json_t *place = text ? place_of_location(location, root, sources) : NULL;
    if (place) json_array_append_new(list, json_pack("{s:s, s:o}", "text", text, "place", place));
  }
  return list;
}

static json_t *notes_of(const json_t *result, const char *root, tp_sources *sources) {
  json_t *list = json_array(), *note;
  size_t i;
  json_array_foreach(json_object_get(result, "relatedLocations"), i, note) {
    const char *text = json_string_value(tp_rpc_path(note, "message.text"));
    json_t *place = text ? place_of_location(note, root, sources) : NULL;
    if (place) json_array_append_new(list, json_pack("{s:s, s:o}", "text", text, "place", place));
  }
  return list;
}

static int64_t weakness_of(const json_t *run, const json_t *result) {
  const json_t *rules = tp_rpc_path(run, "tool.driver.rules"),
               *rule = json_array_get(rules, (size_t)tp_rpc_number(result, "ruleIndex"));
  static const char mark[] = "external/cwe/cwe-";
  size_t i;
  json_t *tag;
  json_array_foreach(tp_rpc_path(rule, "properties.tags"), i, tag) {
    const char *text = json_string_value(tag);
    if (text && strncmp(text, mark, sizeof mark - 1) == 0)
      return strtol(text + sizeof mark - 1, NULL, 10);
  }
  return 0;
}

static void add_sarif(json_t *finding, const char *folder, const char *root) {
  json_t *log = read_json(folder, "findings.sarif");
  const json_t *run = json_array_get(json_object_get(log, "runs"), 0),
               *result = json_array_get(json_object_get(run, "results"), 0);
  tp_sources sources = {0};
  if (result) {
    json_object_set_new(finding, "cwe", json_integer(weakness_of(run, result)));
    json_object_set_new(
        finding, "rule",
        tp_json_text(tp_rpc_text(result, "ruleId") ? tp_rpc_text(result, "ruleId") : ""));
    json_object_set_new(finding, "steps", steps_of(result, root, &sources));
    json_object_set_new(finding, "notes", notes_of(result, root, &sources));
  }
  tp_sources_clear(&sources);
  json_decref(log);
}

/* Places of proof.json name their file by its number. */
static void add_proof(json_t *finding, const char *folder, const char *root) {
  json_t *o = read_json(folder, "proof.json"), *list = json_array(), *item;
  size_t i;
  json_array_foreach(json_object_get(o, "proof"), i, item) {
    const json_t *place = json_object_get(item, "place");
    const char *path = json_string_value(json_array_get(
        json_object_get(o, "files"), (size_t)json_integer_value(json_array_get(place, 0))));
    if (!path || json_array_size(place) != 3) continue;
    json_object_set_new(item, "place",
                        place_of(root, path, json_integer_value(json_array_get(place, 1)),
                                 json_integer_value(json_array_get(place, 2))));
    json_array_append(list, item);
  }
  json_object_set_new(finding, "proof", list);
  json_decref(o);
}

/* The folder is gone when people read the texts: the environment of a function stands there as
 * `entry.c`. */
static json_t *without_folder(const char *text, const char *folder) {
  const size_t n = strlen(folder);
  tp_str out = {0};
  tp_str_add(&out, "");
  for (const char *at; (at = strstr(text, folder)) != NULL;) {
    tp_str_add_n(&out, text, (size_t)(at - text));
    text = at + n + (at[n] == '/');
  }
  tp_str_add(&out, text);
  json_t *string = tp_json_text(out.text);
  tp_str_clear(&out);
  return string;
}

static void shorten(json_t *o, const char *folder) {
  const char *key;
  json_t *value;
  size_t i;
  void *next;
  if (json_is_array(o)) {
    json_array_foreach(o, i, value) {
      if (json_is_string(value))
        json_array_set_new(o, i, without_folder(json_string_value(value), folder));
      else
        shorten(value, folder);
    }
    return;
  }
  json_object_foreach_safe(o, next, key, value) {
    if (strcmp(key, "place") == 0 || strcmp(key, "evidence") == 0) continue;
    if (json_is_string(value))
      json_object_set_new(o, key, without_folder(json_string_value(value), folder));
    else
      shorten(value, folder);
  }
}

/* Of several properties each has a folder of its own. */
static void add_files(json_t *finding, const char *folder, const char *root) {
  const char *property = tp_rpc_text(finding, "property");
  tp_str own = {0};
  struct stat st;
  tp_str_printf(&own, "%s/%s", folder, property ? property : "");
  if (!property || stat(own.text, &st) != 0) {
    tp_str_clear(&own);
    tp_str_add(&own, folder);
  }
  add_sarif(finding, own.text, root);
  add_proof(finding, own.text, root);
  add_texts(finding, own.text);
  shorten(finding, own.text);
  json_object_set_new(finding, "folder", tp_json_text(own.text));
  tp_str_clear(&own);
}

json_t *tp_lsp_answer_read(const char *text, size_t n, const char *folder, const char *root) {
  TP_REQUIRE((text || n == 0) && folder && root);
  static const char several[] = "{\"answers\": [";
  const bool has_several = n >= sizeof several && memcmp(text, several, sizeof several - 1) == 0;
  json_t *answer = json_array();
  // object by object: a check that was stopped leaves the document of several without its end
  for (size_t at = has_several ? sizeof several - 1 : 0; at < n;) {
    json_error_t error;
    json_t *o = json_loadb(text + at, n - at, JSON_DISABLE_EOF_CHECK, &error);
    if (!o || error.position <= 0) {
      json_decref(o);
      break;
    }
    at += (size_t)error.position;
    json_t *finding = json_is_object(o) ? finding_of(o, root) : NULL;
    if (finding) {
      add_files(finding, folder, root);
      json_array_append_new(answer, finding);
    }
    json_decref(o);
    while (at < n && strchr("\n ,", text[at])) at++;
  }
  if (json_array_size(answer)) return answer;
  json_decref(answer);
  return NULL;
}

// -------------------------------------------------------------------------- moving

/* The nearest place of `from` in the same file that is not behind; -1: there is none. */
static int64_t nearest(const tp_lsp_places *from, const char *path, int64_t line, int64_t column) {
  int64_t best = -1;
  for (size_t i = 0; i < from->n; i++) {
    const tp_lsp_place *p = &from->at[i];
    if (p->line > line || (p->line == line && p->column > column)) continue;
    if (strcmp(p->path, path) != 0) continue;
    const tp_lsp_place *b = best >= 0 ? &from->at[best] : NULL;
    if (!b || p->line > b->line || (p->line == b->line && p->column >= b->column))
      best = (int64_t)i;
  }
  return best;
}

/* Where the place is now. Between two known places it keeps its distance from the first. */
static void moved(const tp_lsp_places *from, const tp_lsp_places *to, const char *path,
                  int64_t *line, int64_t *column) {
  const int64_t at = nearest(from, path, *line, *column);
  if (at < 0) return;
  const tp_lsp_place *a = &from->at[at], *b = &to->at[at];
  if (*line == a->line) *column += (int64_t)b->column - a->column;
  *line += (int64_t)b->line - a->line;
  if (*column < 1) *column = 1;
}

typedef struct {
  const tp_lsp_places *from, *to;
  const char *root;
  TP_VEC(const char *) paths;  // of the places, each once
} journey;

static void move_place(const journey *j, json_t *place) {
  const char *path = json_string_value(json_array_get(place, 0));
  int64_t line = json_integer_value(json_array_get(place, 1)),
          column = json_integer_value(json_array_get(place, 2));
  if (!path) return;
  moved(j->from, j->to, path, &line, &column);
  json_integer_set(json_array_get(place, 1), line);
  json_integer_set(json_array_get(place, 2), column);
}

/* The path that the text names at `at`, as itself or from the root on; NULL: none. */
static const char *path_at(const journey *j, const char *at, size_t *n) {
  const size_t n_root = strlen(j->root);
  for (size_t i = 0; i < j->paths.n; i++) {
    const char *path = j->paths.at[i];
    const bool is_below = strncmp(path, j->root, n_root) == 0 && path[n_root] == '/';
    const char *names[] = {path, is_below ? path + n_root + 1 : path};
    for (int k = 0; k < 2; k++) {
      *n = strlen(names[k]);
      if (strncmp(at, names[k], *n) == 0 && at[*n] == ':' && at[*n + 1] >= '1' && at[*n + 1] <= '9')
        return path;
    }
  }
  return NULL;
}

static json_t *moved_text(const journey *j, const char *text) {
  tp_str out = {0};
  tp_str_add(&out, "");
  for (const char *c = text; *c;) {
    size_t n;
    const char *path = path_at(j, c, &n);
    if (!path) {
      tp_str_add_char(&out, *c++);
      continue;
    }
    tp_str_add_n(&out, c, n);
    char *end;
    int64_t line = strtol(c + n + 1, &end, 10), column = 1;
    const bool has_column = end[0] == ':' && end[1] >= '1' && end[1] <= '9';
    if (has_column) column = strtol(end + 1, &end, 10);
    moved(j->from, j->to, path, &line, &column);
    tp_str_printf(&out, ":%lld", (long long)line);
    if (has_column) tp_str_printf(&out, ":%lld", (long long)column);
    c = end;
  }
  json_t *string = tp_json_text(out.text);
  tp_str_clear(&out);
  return string;
}

/* The answer has few levels: it was made by the functions above. */
static void move_all(const journey *j, json_t *o) {
  const char *key;
  json_t *value;
  size_t i;
  if (json_is_array(o)) {
    json_array_foreach(o, i, value) {
      if (json_is_string(value))
        json_array_set_new(o, i, moved_text(j, json_string_value(value)));
      else
        move_all(j, value);
    }
    return;
  }
  void *next;
  json_object_foreach_safe(o, next, key, value) {
    if (strcmp(key, "place") == 0)
      move_place(j, value);
    else if (strcmp(key, "evidence") == 0 || strcmp(key, "folder") == 0)
      continue;
    else if (json_is_string(value))
      json_object_set_new(o, key, moved_text(j, json_string_value(value)));
    else
      move_all(j, value);
  }
}

void tp_lsp_answer_move(json_t *answer, const tp_lsp_places *from, const tp_lsp_places *to,
                        const char *root) {
  TP_REQUIRE(answer && from && to && from->n == to->n && root);
  journey j = {.from = from, .to = to, .root = root};
  for (size_t i = 0; i < from->n; i++) {
    size_t k = 0;
    while (k < j.paths.n && strcmp(j.paths.at[k], from->at[i].path) != 0) k++;
    if (k == j.paths.n) tp_vec_push(&j.paths, from->at[i].path);
  }
  move_all(&j, answer);
  tp_vec_clear(&j.paths);
}
