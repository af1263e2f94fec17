/* The failing input as a test: the files of --output, in a folder beside the source.
 *
 * `sh run.sh` in it builds the program with the harness and runs it. What names the folder of the
 * check, which is gone by then, names the folder of the test. */
#include "lsp/file_uri.h"
#include "lsp/lsp_priv.h"
#include "report/json_text.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

// -------------------------------------------------------------------------- texts

static const json_t *find_finding(const tp_lsp_target *t, const char *property) {
  size_t i;
  json_t *finding;
  json_array_foreach(t->answer, i, finding) {
    const char *name = tp_rpc_text(finding, "property"), *verdict = tp_rpc_text(finding, "verdict");
    if (name && verdict && strcmp(verdict, "false") == 0 && strcmp(name, property) == 0)
      return finding;
  }
  return NULL;
}

static bool has_test(const json_t *finding) {
  return tp_rpc_text(json_object_get(finding, "evidence"), "harness.c") != NULL &&
         tp_rpc_text(json_object_get(finding, "evidence"), "run.sh") != NULL;
}

/* twoproof-tests/list-push-valid-deref beside list.c. */
static void folder_of(const tp_lsp_file *f, const tp_lsp_target *t, const char *property,
                      tp_str *out) {
  const char *name = strrchr(f->path, '/') + 1, *dot = strrchr(name, '.');
  const size_t n = dot && dot > name ? (size_t)(dot - name) : strlen(name);
  tp_str_add_n(out, f->path, (size_t)(name - f->path));
  tp_str_printf(out, "twoproof-tests/%.*s-%s-", (int)n, name, t->name);
  for (const char *c = property; *c; c++) tp_str_add_char(out, *c == '/' ? '_' : *c);
}

static void replace_all(const char *text, const char *old, const char *fresh, tp_str *out) {
  const size_t n = strlen(old);
  tp_str_add(out, "");
  for (const char *at; n && (at = strstr(text, old)) != NULL; text = at + n) {
    tp_str_add_n(out, text, (size_t)(at - text));
    tp_str_add(out, fresh);
  }
  tp_str_add(out, text);
}

/* A file of the evidence as it stands in the test's folder. In a script, a name in single quotes
 * becomes one that moves with the folder. */
static void text_of(const json_t *finding, const char *file, const char *folder, tp_str *out) {
  const char *text = tp_rpc_text(json_object_get(finding, "evidence"), file),
             *old = tp_rpc_text(finding, "folder");
  tp_str quoted = {0}, half = {0};
  tp_str_printf(&quoted, "'%s/entry.c'", old);
  replace_all(text, quoted.text, "\"$dir/entry.c\"", &half);
  replace_all(half.text, old, folder, out);
  tp_str_clear(&quoted);
  tp_str_clear(&half);
}

static const char *const files[] = {"harness.c", "run.sh", "inputs.txt", "entry.c"};
enum { N_FILES = sizeof files / sizeof *files };

static bool has_file(const json_t *finding, int i) {
  return tp_rpc_text(json_object_get(finding, "evidence"), files[i]) != NULL;
}

// --------------------------------------------------------------------------- edit

static json_t *edit_of(const tp_lsp_file *f, const tp_lsp_target *t, const json_t *finding) {
  tp_str folder = {0};
  folder_of(f, t, tp_rpc_text(finding, "property"), &folder);
  json_t *changes = json_array();
  for (int i = 0; i < N_FILES; i++) {
    if (!has_file(finding, i)) continue;
    tp_str path = {0}, uri = {0}, text = {0};
    tp_str_printf(&path, "%s/%s", folder.text, files[i]);
    tp_file_uri_of(path.text, &uri);
    text_of(finding, files[i], folder.text, &text);
    json_array_append_new(changes, json_pack("{s:s, s:s, s:{s:b}}", "kind", "create", "uri",
                                             uri.text, "options", "overwrite", 1));
    json_array_append_new(
        changes,
        json_pack("{s:{s:s, s:n}, s:[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:o}]}", "textDocument",
                  "uri", uri.text, "version", "edits", "range", "start", "line", 0, "character", 0,
                  "end", "line", 0, "character", 0, "newText", tp_json_text(text.text)));
    tp_str_clear(&path);
    tp_str_clear(&uri);
    tp_str_clear(&text);
  }
  tp_str_clear(&folder);
  return json_pack("{s:o}", "documentChanges", changes);
}

static json_t *command_of(const tp_lsp_file *f, const tp_lsp_target *t, const json_t *finding,
                          const char *title) {
  return json_pack("{s:s, s:s, s:[s, s, O]}", "title", title, "command", "twoproof.writeTest",
                   "arguments", f->uri, t->name, json_object_get(finding, "property"));
}

/* Is the failure shown in these lines of the document? */
static bool is_in(tp_lsp_server *s, const tp_lsp_file *f, const json_t *finding, uint32_t from,
                  uint32_t to) {
  const json_t *place = json_object_get(finding, "place");
  const char *path = json_string_value(json_array_get(place, 0));
  if (!path) return false;
  const int64_t line = tp_lsp_shown_line(s, path, json_integer_value(json_array_get(place, 1))) - 1;
  return strcmp(path, f->path) == 0 && line >= from && line <= to;
}

static void add_action(tp_lsp_server *s, const tp_lsp_file *f, const tp_lsp_target *t,
                       const json_t *finding, json_t *list) {
  const char *property = tp_rpc_text(finding, "property");
  tp_str title = {0};
  tp_str_printf(&title, "Twoproof: write the failing input of %s as a test (%s)", t->name,
                property);
  if (!s->client.has_literals) {
    json_array_append_new(list, command_of(f, t, finding, title.text));
  } else {
    json_t *action = json_pack("{s:s, s:s}", "title", title.text, "kind", "quickfix");
    const bool has_edit = s->client.has_create && s->client.has_document_changes;
    if (has_edit)
      json_object_set_new(action, "edit", edit_of(f, t, finding));
    else
      json_object_set_new(action, "command", command_of(f, t, finding, title.text));
    json_array_append_new(list, action);
  }
  tp_str_clear(&title);
}

json_t *tp_lsp_actions(tp_lsp_server *s, tp_lsp_file *f, uint32_t from, uint32_t to) {
  json_t *list = json_array();
  for (size_t i = 0; i < s->files.n; i++) {
    const tp_lsp_file *owner = s->files.at[i];
    for (size_t k = 0; owner->is_open && k < owner->survey.targets.n; k++) {
      const tp_lsp_target *t = &owner->survey.targets.at[k];
      size_t j;
      json_t *finding;
      json_array_foreach(t->answer, j, finding) {
        const char *verdict = tp_rpc_text(finding, "verdict");
        if (verdict && strcmp(verdict, "false") == 0 && has_test(finding) &&
            is_in(s, f, finding, from, to))
          add_action(s, owner, t, finding, list);
      }
    }
  }
  return list;
}

// --------------------------------------------------------------------------- disk

static bool make_folders(const char *path) {
  tp_str part = {0};
  bool ok = true;
  for (const char *c = path; ok && *c; c++) {
    if (*c == '/' && part.n) ok = mkdir(part.text, 0777) == 0 || errno == EEXIST;
    tp_str_add_char(&part, *c);
  }
  ok = ok && (mkdir(part.text, 0777) == 0 || errno == EEXIST);
  tp_str_clear(&part);
  return ok;
}

static bool write_files(const json_t *finding, const char *folder, tp_str *why) {
  bool ok = make_folders(folder);
  if (!ok) tp_str_printf(why, "%s: %s", folder, strerror(errno));
  for (int i = 0; ok && i < N_FILES; i++) {
    if (!has_file(finding, i)) continue;
    tp_str path = {0}, text = {0};
    tp_str_printf(&path, "%s/%s", folder, files[i]);
    text_of(finding, files[i], folder, &text);
    ok = tp_write_file(path.text, text.text, text.n) == TP_OK;
    if (!ok) tp_str_printf(why, "%s: %s", path.text, strerror(errno));
    tp_str_clear(&path);
    tp_str_clear(&text);
  }
  return ok;
}

json_t *tp_lsp_write_test(tp_lsp_server *s, tp_lsp_file *f, const char *target,
                          const char *property, tp_str *why) {
  (void)s;
  const tp_lsp_target *t = tp_lsp_find_target(f, target);
  const json_t *finding = t ? find_finding(t, property) : NULL;
  if (!finding || !has_test(finding)) {
    tp_str_printf(why, "there is no failing run of %s for %s", target, property);
    return NULL;
  }
  tp_str folder = {0}, uri = {0}, run = {0};
  json_t *result = NULL;
  folder_of(f, t, property, &folder);
  if (write_files(finding, folder.text, why)) {
    tp_str path = {0};
    tp_str_printf(&path, "%s/harness.c", folder.text);
    tp_file_uri_of(path.text, &uri);
    tp_str_printf(&run, "sh %s/run.sh", folder.text);
    result = json_pack("{s:s, s:o, s:o}", "uri", uri.text, "folder", tp_json_text(folder.text),
                       "run", tp_json_text(run.text));
    tp_str_clear(&path);
  }
  tp_str_clear(&folder);
  tp_str_clear(&uri);
  tp_str_clear(&run);
  return result;
}
