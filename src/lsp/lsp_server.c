/* The loop and the table of methods.
 *
 * A message is read as a whole, taken apart, and given to its row. Parameters are looked at by the
 * row; what is missing or of another type is refused with the protocol's code. */
#include "lsp/lsp_server.h"

#include "lsp/file_uri.h"
#include "lsp/frames.h"
#include "lsp/lsp_limits.h"
#include "lsp/lsp_priv.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// ---------------------------------------------------------------------- messages

static void refuse_params(tp_lsp_server *s, const tp_rpc_message *m, const char *what) {
  tp_str text = {0};
  tp_str_printf(&text, "%s: %s", m->method, what);
  if (m->kind == TP_RPC_REQUEST)
    tp_rpc_refuse(&s->rpc, m->id, TP_RPC_INVALID_PARAMS, text.text);
  else
    tp_lsp_warn(s, "%s", text.text);
  tp_str_clear(&text);
}

/* The open document of params.textDocument; NULL: refused, or none of ours. */
static tp_lsp_file *document_of(tp_lsp_server *s, const tp_rpc_message *m) {
  const char *uri = json_string_value(tp_rpc_path(m->params, "textDocument.uri"));
  tp_lsp_file *f = tp_lsp_file_of_uri(s, uri);
  if (!uri) refuse_params(s, m, "no textDocument.uri");
  return f && f->is_open ? f : NULL;
}

static bool read_position(const json_t *o, tp_text_position *out) {
  const int64_t line = tp_rpc_number(o, "line"), character = tp_rpc_number(o, "character");
  if (line < 0 || character < 0) return false;
  out->line = line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
  out->character = character < UINT32_MAX ? (uint32_t)character : UINT32_MAX;
  return true;
}

// --------------------------------------------------------------------- life cycle

static bool has(const json_t *params, const char *path) {
  return json_is_true(tp_rpc_path(params, path));
}

static bool lists(const json_t *list, const char *word) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    const char *text = json_string_value(json_array_get(list, i));
    if (text && strcmp(text, word) == 0) return true;
  }
  return false;
}

static void read_client(tp_lsp_server *s, const json_t *p) {
  s->client = (tp_lsp_client){
      .has_progress = has(p, "capabilities.window.workDoneProgress"),
      .has_configuration = has(p, "capabilities.workspace.configuration"),
      .has_document_changes = has(p, "capabilities.workspace.workspaceEdit.documentChanges"),
      .has_create = lists(tp_rpc_path(p, "capabilities.workspace.workspaceEdit.resourceOperations"),
                          "create"),
      .has_literals =
          tp_rpc_path(p, "capabilities.textDocument.codeAction.codeActionLiteralSupport") != NULL,
      .has_related = has(p, "capabilities.textDocument.publishDiagnostics.relatedInformation"),
      .has_registration =
          has(p, "capabilities.workspace.didChangeConfiguration.dynamicRegistration"),
      .has_watching = has(p, "capabilities.workspace.didChangeWatchedFiles.dynamicRegistration")};
  const json_t *encodings = tp_rpc_path(p, "capabilities.general.positionEncodings");
  s->unit = lists(encodings, "utf-8") ? TP_POSITIONS_UTF8 : TP_POSITIONS_UTF16;
}

static void add_folder(tp_lsp_server *s, const char *uri) {
  tp_str path = {0};
  if (uri && tp_file_uri_path(uri, &path)) {
    char *real = realpath(path.text, NULL);
    if (real && strcmp(real, "/") != 0) tp_vec_push(&s->folders, tp_lsp_copy(real));
    free(real);
  }
  tp_str_clear(&path);
}

static void initialize(tp_lsp_server *s, const tp_rpc_message *m) {
  const json_t *p = m->params;
  if (s->is_initialized) {
    tp_rpc_refuse(&s->rpc, m->id, TP_RPC_INVALID_REQUEST, "initialize came before");
    return;
  }
  if (!json_is_object(p)) {
    refuse_params(s, m, "no object of parameters");
    return;
  }
  read_client(s, p);
  const json_t *folders = json_object_get(p, "workspaceFolders"), *folder;
  for (size_t i = 0; i < json_array_size(folders); i++)
    if ((folder = json_array_get(folders, i)) != NULL) add_folder(s, tp_rpc_text(folder, "uri"));
  if (s->folders.n == 0) add_folder(s, tp_rpc_text(p, "rootUri"));
  const int64_t parent = tp_rpc_number(p, "processId");
  s->parent = parent > 0 ? parent : 0;
  s->is_initialized = true;
  json_t *capabilities = json_pack(
      "{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:{s:[s]}, s:{s:[s, s], s:b}, s:{s:{s:b, s:b}}}",
      "positionEncoding", s->unit == TP_POSITIONS_UTF8 ? "utf-8" : "utf-16", "textDocumentSync",
      "openClose", 1, "change", 2, "save", "includeText", 0, "hoverProvider", 1,
      "codeActionProvider", "codeActionKinds", "quickfix", "executeCommandProvider", "commands",
      "twoproof.check", "twoproof.writeTest", "workDoneProgress", 1, "workspace",
      "workspaceFolders", "supported", 1, "changeNotifications", 1);
  tp_rpc_reply(&s->rpc, m->id,
               json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities, "serverInfo", "name",
                         "twoproof", "version", s->services->version));
  const json_t *options = json_object_get(p, "initializationOptions"),
               *own = json_object_get(options, "twoproof");
  if (own ? json_is_object(own) : json_is_object(options))
    (void)tp_lsp_settings_read(s, own ? own : options);
}

static void ask_for_settings(tp_lsp_server *s) {
  s->settings_asked_s = tp_wall_s();
  s->settings_request = tp_rpc_request(&s->rpc, "workspace/configuration",
                                       json_pack("{s:[{s:s}]}", "items", "section", "twoproof"));
}

static void initialized(tp_lsp_server *s, const tp_rpc_message *m) {
  (void)m;
  json_t *list = json_array();
  if (s->client.has_registration)
    json_array_append_new(list, json_pack("{s:s, s:s, s:{s:s}}", "id", "twoproof-settings",
                                          "method", "workspace/didChangeConfiguration",
                                          "registerOptions", "section", "twoproof"));
  if (s->client.has_watching)
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:{s:[{s:s}, {s:s}, {s:s}]}}", "id", "twoproof-files", "method",
                        "workspace/didChangeWatchedFiles", "registerOptions", "watchers",
                        "globPattern", "**/*.{c,h}", "globPattern", "**/compile_commands.json",
                        "globPattern", "**/.twoproof.conf"));
  if (json_array_size(list))
    (void)tp_rpc_request(&s->rpc, "client/registerCapability",
                         json_pack("{s:O}", "registrations", list));
  json_decref(list);
  if (s->client.has_configuration) ask_for_settings(s);
}

static void shut_down(tp_lsp_server *s, const tp_rpc_message *m) {
  s->is_shut_down = true;
  tp_lsp_jobs_end(s);
  tp_rpc_reply(&s->rpc, m->id, json_null());
}

static void leave(tp_lsp_server *s, const tp_rpc_message *m) {
  (void)m;
  s->is_over = true;
}

// ---------------------------------------------------------------------- documents

static void did_open(tp_lsp_server *s, const tp_rpc_message *m) {
  const json_t *o = tp_rpc_path(m->params, "textDocument"), *text = json_object_get(o, "text");
  const char *uri = tp_rpc_text(o, "uri");
  if (!uri || !json_is_string(text)) {
    refuse_params(s, m, "no textDocument with uri and text");
    return;
  }
  tp_lsp_file *f =
      tp_lsp_file_open(s, uri, tp_rpc_text(o, "languageId"), tp_rpc_number(o, "version"),
                       json_string_value(text), json_string_length(text));
  if (!f)
    tp_lsp_log(s, "%s is no file: it is not verified", uri);
  else if (f->is_unit && s->settings.checks_on_open && !s->settings_request)
    tp_lsp_start_round(s, f, NULL);
  else if (f->is_unit)
    tp_lsp_publish(s);
}

/* False: the change cannot be read. */
static bool change(tp_lsp_server *s, tp_lsp_file *f, const json_t *o) {
  const json_t *text = json_object_get(o, "text"), *range = json_object_get(o, "range");
  if (!json_is_string(text)) return false;
  const char *fresh = json_string_value(text);
  const size_t n = json_string_length(text);
  if (!range) {
    tp_text_replace_all(&f->document, fresh, n);
    return true;
  }
  tp_text_position from, to;
  return read_position(json_object_get(range, "start"), &from) &&
         read_position(json_object_get(range, "end"), &to) &&
         tp_text_replace(&f->document, from, to, s->unit, fresh, n);
}

static void did_change(tp_lsp_server *s, const tp_rpc_message *m) {
  tp_lsp_file *f = document_of(s, m);
  const json_t *changes = json_object_get(m->params, "contentChanges");
  const int64_t version = json_integer_value(tp_rpc_path(m->params, "textDocument.version"));
  if (!f) return;
  if (!json_is_array(changes)) refuse_params(s, m, "no contentChanges");
  for (size_t i = 0; i < json_array_size(changes); i++)
    if (!change(s, f, json_array_get(changes, i)))
      refuse_params(s, m, "a change that cannot be read is left out");
  f->version = version;
}

/* Headers are read with the files that include them. */
static void check_all(tp_lsp_server *s) {
  for (size_t i = 0; i < s->files.n; i++)
    if (s->files.at[i]->is_open && s->files.at[i]->is_unit)
      tp_lsp_start_round(s, s->files.at[i], NULL);
}

static bool has_path(const tp_lsp_file *f, const char *path) {
  const json_t *files = json_object_get(f->survey.object, "files");
  bool found = false;
  for (size_t i = 0; i < json_array_size(files) && !found; i++) {
    tp_str full = {0};
    tp_lsp_absolute(f->root, json_string_value(json_array_get(files, i)), &full);
    found = strcmp(full.text, path) == 0;
    tp_str_clear(&full);
  }
  return found;
}

static void did_save(tp_lsp_server *s, const tp_rpc_message *m) {
  tp_lsp_file *f = document_of(s, m);
  if (!f || !s->settings.checks_on_save) return;
  if (!f->is_unit) {
    check_all(s);
    return;
  }
  tp_lsp_start_round(s, f, NULL);
  for (size_t i = 0; i < s->files.n; i++) {
    tp_lsp_file *other = s->files.at[i];
    if (other != f && other->is_open && has_path(other, f->path))
      tp_lsp_start_round(s, other, NULL);
  }
}

static void did_close(tp_lsp_server *s, const tp_rpc_message *m) {
  tp_lsp_file *f = document_of(s, m);
  if (!f) return;
  tp_lsp_cancel_round(s, f, "the document was closed");
  f->is_open = false;
  tp_lsp_publish(s);
}

static void did_change_files(tp_lsp_server *s, const tp_rpc_message *m) {
  const json_t *changes = json_object_get(m->params, "changes");
  bool concerns_all = false;
  for (size_t i = 0; i < json_array_size(changes); i++) {
    tp_str path = {0};
    const char *uri = tp_rpc_text(json_array_get(changes, i), "uri");
    if (uri && tp_file_uri_path(uri, &path)) {
      const tp_lsp_file *f = tp_lsp_file_of_path(s, path.text);
      concerns_all |= !f || !f->is_unit;  // what the editor has open it saves itself
    }
    tp_str_clear(&path);
  }
  if (concerns_all && s->settings.checks_on_save) check_all(s);
}

static void did_change_folders(tp_lsp_server *s, const tp_rpc_message *m) {
  const json_t *added = tp_rpc_path(m->params, "event.added"),
               *removed = tp_rpc_path(m->params, "event.removed");
  for (size_t i = 0; i < json_array_size(removed); i++) {
    tp_str path = {0};
    const char *uri = tp_rpc_text(json_array_get(removed, i), "uri");
    if (uri && tp_file_uri_path(uri, &path))
      for (size_t k = s->folders.n; k-- > 0;)
        if (strcmp(s->folders.at[k], path.text) == 0) {
          tp_free(s->folders.at[k]);
          s->folders.at[k] = s->folders.at[--s->folders.n];
        }
    tp_str_clear(&path);
  }
  for (size_t i = 0; i < json_array_size(added); i++)
    add_folder(s, tp_rpc_text(json_array_get(added, i), "uri"));
}

static void did_change_settings(tp_lsp_server *s, const tp_rpc_message *m) {
  const json_t *own = tp_rpc_path(m->params, "settings.twoproof");
  if (s->client.has_configuration)
    ask_for_settings(s);
  else if (json_is_object(own) && tp_lsp_settings_read(s, own))
    check_all(s);
}

// ----------------------------------------------------------------------- requests

static void hover(tp_lsp_server *s, const tp_rpc_message *m) {
  tp_text_position at;
  const char *uri = json_string_value(tp_rpc_path(m->params, "textDocument.uri"));
  if (!uri || !read_position(tp_rpc_path(m->params, "position"), &at)) {
    refuse_params(s, m, "no textDocument.uri or no position");
    return;
  }
  const tp_lsp_file *f = tp_lsp_file_of_uri(s, uri);
  tp_rpc_reply(&s->rpc, m->id, f && f->is_open ? tp_lsp_hover(s, f, at) : json_null());
}

static void code_action(tp_lsp_server *s, const tp_rpc_message *m) {
  tp_text_position from, to;
  const char *uri = json_string_value(tp_rpc_path(m->params, "textDocument.uri"));
  if (!uri || !read_position(tp_rpc_path(m->params, "range.start"), &from) ||
      !read_position(tp_rpc_path(m->params, "range.end"), &to)) {
    refuse_params(s, m, "no textDocument.uri or no range");
    return;
  }
  tp_lsp_file *f = tp_lsp_file_of_uri(s, uri);
  tp_rpc_reply(&s->rpc, m->id,
               f && f->is_open ? tp_lsp_actions(s, f, from.line, to.line) : json_array());
}

static const char *argument(const tp_rpc_message *m, size_t i) {
  return json_string_value(json_array_get(json_object_get(m->params, "arguments"), i));
}

/* twoproof.check [URI]; twoproof.writeTest [URI, TARGET, PROPERTY] */
static void execute(tp_lsp_server *s, const tp_rpc_message *m) {
  const char *command = tp_rpc_text(m->params, "command"), *uri = argument(m, 0);
  tp_lsp_file *f = tp_lsp_file_of_uri(s, uri);
  if (!command || !uri || !f || !f->is_open) {
    refuse_params(s, m, command && uri ? "the document is not open" : "no command, or no URI");
  } else if (strcmp(command, "twoproof.check") == 0) {
    tp_lsp_join_round(s, f, m->id, json_object_get(m->params, "workDoneToken"));
  } else if (strcmp(command, "twoproof.writeTest") == 0 && argument(m, 1) && argument(m, 2)) {
    tp_str why = {0};
    json_t *result = tp_lsp_write_test(s, f, argument(m, 1), argument(m, 2), &why);
    if (result)
      tp_rpc_reply(&s->rpc, m->id, result);
    else
      tp_rpc_refuse(&s->rpc, m->id, TP_RPC_FAILED, tp_str_text(&why));
    tp_str_clear(&why);
  } else {
    refuse_params(s, m, "no such command, or not with these arguments");
  }
}

/* Of a request that waits for the end of its round. */
static void cancel_request(tp_lsp_server *s, const tp_rpc_message *m) {
  const json_t *id = json_object_get(m->params, "id");
  for (size_t i = 0; i < s->files.n; i++) {
    const tp_lsp_round *r = &s->files.at[i]->round;
    for (size_t k = 0; k < r->ids.n; k++)
      if (json_equal(r->ids.at[k], id)) {
        tp_lsp_cancel_round(s, s->files.at[i], "cancelled");
        return;
      }
  }
}

static void cancel_progress(tp_lsp_server *s, const tp_rpc_message *m) {
  const json_t *token = json_object_get(m->params, "token");
  for (size_t i = 0; token && i < s->files.n; i++)
    if (s->files.at[i]->round.token && json_equal(s->files.at[i]->round.token, token)) {
      tp_lsp_cancel_round(s, s->files.at[i], "cancelled");
      return;
    }
}

// -------------------------------------------------------------------------- table

static const struct {
  const char *method;
  tp_rpc_kind kind;
  void (*run)(tp_lsp_server *s, const tp_rpc_message *m);
} methods[] = {
    {"$/cancelRequest", TP_RPC_NOTIFICATION, cancel_request},
    {"exit", TP_RPC_NOTIFICATION, leave},
    {"initialize", TP_RPC_REQUEST, initialize},
    {"initialized", TP_RPC_NOTIFICATION, initialized},
    {"shutdown", TP_RPC_REQUEST, shut_down},
    {"textDocument/codeAction", TP_RPC_REQUEST, code_action},
    {"textDocument/didChange", TP_RPC_NOTIFICATION, did_change},
    {"textDocument/didClose", TP_RPC_NOTIFICATION, did_close},
    {"textDocument/didOpen", TP_RPC_NOTIFICATION, did_open},
    {"textDocument/didSave", TP_RPC_NOTIFICATION, did_save},
    {"textDocument/hover", TP_RPC_REQUEST, hover},
    {"window/workDoneProgress/cancel", TP_RPC_NOTIFICATION, cancel_progress},
    {"workspace/didChangeConfiguration", TP_RPC_NOTIFICATION, did_change_settings},
    {"workspace/didChangeWatchedFiles", TP_RPC_NOTIFICATION, did_change_files},
    {"workspace/didChangeWorkspaceFolders", TP_RPC_NOTIFICATION, did_change_folders},
    {"workspace/executeCommand", TP_RPC_REQUEST, execute},
};
enum { N_METHODS = sizeof methods / sizeof *methods };

static void take_response(tp_lsp_server *s, const tp_rpc_message *m) {
  const int64_t id = json_is_integer(m->id) ? json_integer_value(m->id) : -1;
  if (id > 0 && id == s->settings_request) {
    s->settings_request = 0;
    const json_t *own = json_array_get(m->result, 0);
    if (json_is_object(own)) (void)tp_lsp_settings_read(s, own);
    if (s->settings.checks_on_open) check_all(s);
  }
  if (id > 0) tp_lsp_progress_created(s, id, m->result != NULL);
}

/* Why a request is not served now; 0: it is. */
static tp_rpc_error obstacle_of(const tp_lsp_server *s, const tp_rpc_message *m,
                                const char **text) {
  if (s->is_shut_down) {
    *text = "the server was shut down";
    return TP_RPC_INVALID_REQUEST;
  }
  if (!s->is_initialized && strcmp(m->method, "initialize") != 0) {
    *text = "the first request is initialize";
    return TP_RPC_NOT_INITIALIZED;
  }
  return 0;
}

static void dispatch(tp_lsp_server *s, const tp_rpc_message *m) {
  const char *why;
  const tp_rpc_error obstacle = obstacle_of(s, m, &why);
  const bool is_exit = m->kind == TP_RPC_NOTIFICATION && strcmp(m->method, "exit") == 0;
  if (obstacle && !is_exit) {
    if (m->kind == TP_RPC_REQUEST) tp_rpc_refuse(&s->rpc, m->id, obstacle, why);
    return;
  }
  for (size_t i = 0; i < N_METHODS; i++) {
    if (methods[i].kind != m->kind || strcmp(methods[i].method, m->method) != 0) continue;
    methods[i].run(s, m);
    return;
  }
  if (m->kind != TP_RPC_REQUEST) return;  // notifications that are not known are left alone
  tp_str text = {0};
  tp_str_printf(&text, "there is no request %s", m->method);
  tp_rpc_refuse(&s->rpc, m->id, TP_RPC_METHOD_NOT_FOUND, text.text);
  tp_str_clear(&text);
}

static void take_message(tp_lsp_server *s, const char *text, size_t n) {
  json_error_t error;
  json_t *o = json_loadb(text, n, JSON_ALLOW_NUL, &error);
  if (!o) {
    tp_str why = {0};
    tp_str_printf(&why, "the message is no JSON in UTF-8: %s", error.text);
    tp_rpc_refuse(&s->rpc, NULL, TP_RPC_PARSE_ERROR, why.text);
    tp_str_clear(&why);
    return;
  }
  const tp_rpc_message m = tp_rpc_take_apart(o);
  if (m.kind == TP_RPC_INVALID)
    tp_rpc_refuse(&s->rpc, m.id, TP_RPC_INVALID_REQUEST,
                  "the message is neither request, notification nor response");
  else if (m.kind == TP_RPC_RESPONSE)
    take_response(s, &m);
  else
    dispatch(s, &m);
  json_decref(o);
}

// --------------------------------------------------------------------------- loop

/* Returns false at the end of the stream. */
static bool take_bytes(tp_lsp_server *s, int in, tp_lsp_reader *r) {
  char bytes[65536];
  const ssize_t n = read(in, bytes, sizeof bytes);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
  if (n <= 0) return false;
  tp_lsp_reader_add(r, bytes, (size_t)n);
  const char *text;
  size_t length;
  for (tp_lsp_frame frame;
       !s->is_over && (frame = tp_lsp_reader_next(r, &text, &length)) != TP_LSP_FRAME_WAIT;)
    if (frame == TP_LSP_FRAME_BROKEN)
      tp_rpc_refuse(&s->rpc, NULL, TP_RPC_PARSE_ERROR, text);
    else
      take_message(s, text, length);
  return true;
}

/* An editor that does not answer has no settings. */
static void stop_waiting_for_settings(tp_lsp_server *s) {
  const double waited_s = tp_wall_s() - s->settings_asked_s;
  if (!s->settings_request || waited_s < (double)TP_LSP_SETTINGS_S) return;
  s->settings_request = 0;
  if (s->settings.checks_on_open) check_all(s);
}

static bool editor_runs(const tp_lsp_server *s) {
  return !s->parent || kill((pid_t)s->parent, 0) == 0 || errno == EPERM;
}

static void serve(tp_lsp_server *s, int in) {
  tp_lsp_reader reader = {0};
  bool is_open = true;
  while (is_open && !s->is_over && !s->rpc.is_closed && !tp_process_interrupted() &&
         editor_runs(s)) {
    tp_process *running[TP_N_LSP_JOBS];
    size_t n = 0;
    for (int k = 0; k < TP_N_LSP_JOBS; k++)
      if (s->jobs[k].is_active) running[n++] = &s->jobs[k].process;
    bool is_readable = false;
    (void)tp_process_step_beside(running, n, in, tp_lsp_jobs_patience(s), &is_readable);
    if (is_readable) is_open = take_bytes(s, in, &reader);
    stop_waiting_for_settings(s);
    tp_lsp_jobs_step(s);
  }
  if (!is_open && tp_lsp_reader_is_inside(&reader))
    tp_rpc_refuse(&s->rpc, NULL, TP_RPC_PARSE_ERROR, "the stream ends inside of a message");
  tp_lsp_reader_clear(&reader);
}

/* Outputs of checks lie below one folder. Who cannot be stopped from removing it waits in a process
 * of its own until we have ended, however that is. Returns its end of a pipe. */
static int keep_temporary(tp_lsp_server *s, pid_t *keeper) {
  const char *base = getenv("TMPDIR");
  tp_str path = {0};
  tp_str_printf(&path, "%s/twoproof-lsp-XXXXXX", base && base[0] == '/' ? base : "/tmp");
  int ends[2] = {-1, -1};
  *keeper = -1;
  const bool ok = mkdtemp(path.text) && pipe(ends) == 0;
  s->temporary = tp_lsp_copy(path.text);
  tp_str_clear(&path);
  if (!ok || (*keeper = fork()) != 0) {
    if (ends[0] >= 0) close(ends[0]);
    return ends[1];
  }
  setpgid(0, 0);
  for (int fd = 0; fd < 3; fd++) close(fd);
  close(ends[1]);
  char byte;
  while (read(ends[0], &byte, 1) < 0 && errno == EINTR) continue;
  tp_remove_tree(s->temporary);
  _exit(0);
}

static void clear(tp_lsp_server *s) {
  for (size_t i = 0; i < s->files.n; i++) tp_lsp_file_free(s->files.at[i]);
  tp_vec_clear(&s->files);
  for (size_t i = 0; i < s->folders.n; i++) tp_free(s->folders.at[i]);
  tp_vec_clear(&s->folders);
  tp_lsp_settings_clear(&s->settings);
  tp_sources_clear(&s->sources);
  json_decref(s->published);
  tp_free(s->temporary);
}

int tp_lsp_serve(const tp_lsp_services *services, int in, int out) {
  TP_REQUIRE(services && services->check && services->survey && services->is_in_database);
  tp_lsp_server s = {.services = services,
                     .rpc = {.fd = out},
                     .unit = TP_POSITIONS_UTF16,
                     .published = json_object()};
  for (int k = 0; k < TP_N_LSP_JOBS; k++) s.jobs[k].kind = (tp_lsp_job_kind)k;
  tp_lsp_settings_init(&s.settings);
  pid_t keeper;
  const int pipe_end = keep_temporary(&s, &keeper);
  serve(&s, in);
  tp_lsp_jobs_end(&s);
  tp_remove_tree(s.temporary);
  if (pipe_end >= 0) close(pipe_end);
  while (keeper > 0 && waitpid(keeper, NULL, 0) < 0 && errno == EINTR) continue;
  const bool is_good = s.is_shut_down && s.is_over;
  clear(&s);
  return is_good ? 0 : 1;
}
