/* A message is one write where the pipe takes it; a reader that is slow is waited for. */
#include "lsp/rpc.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

// ------------------------------------------------------------------------ sending

static void write_all(tp_rpc *c, const char *text, size_t n) {
  while (n > 0 && !c->is_closed) {
    const ssize_t written = write(c->fd, text, n);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      c->is_closed = true;
      return;
    }
    text += written;
    n -= (size_t)written;
  }
}

/* Takes the object over. */
static void send_object(tp_rpc *c, json_t *o) {
  json_object_set_new(o, "jsonrpc", json_string("2.0"));
  char *text = json_dumps(o, JSON_COMPACT);
  if (!text) tp_out_of_memory(0);  // all strings are UTF-8
  tp_str out = {0};
  tp_str_printf(&out, "Content-Length: %zu\r\n\r\n", strlen(text));
  tp_str_add(&out, text);
  free(text);
  write_all(c, out.text, out.n);
  tp_str_clear(&out);
  json_decref(o);
}

static json_t *copy_of(const json_t *id) { return id ? json_deep_copy(id) : json_null(); }

void tp_rpc_reply(tp_rpc *c, const json_t *id, json_t *result) {
  TP_REQUIRE(c && result);
  json_t *o = json_object();
  json_object_set_new(o, "id", copy_of(id));
  json_object_set_new(o, "result", result);
  send_object(c, o);
}

void tp_rpc_refuse(tp_rpc *c, const json_t *id, tp_rpc_error code, const char *text) {
  TP_REQUIRE(c && text);
  json_t *o = json_object();
  json_object_set_new(o, "id", copy_of(id));
  json_object_set_new(o, "error", json_pack("{s:i, s:s}", "code", (int)code, "message", text));
  send_object(c, o);
}

void tp_rpc_notify(tp_rpc *c, const char *method, json_t *params) {
  TP_REQUIRE(c && method && params);
  json_t *o = json_object();
  json_object_set_new(o, "method", json_string(method));
  json_object_set_new(o, "params", params);
  send_object(c, o);
}

int64_t tp_rpc_request(tp_rpc *c, const char *method, json_t *params) {
  TP_REQUIRE(c && method && params);
  json_t *o = json_object();
  json_object_set_new(o, "id", json_integer(++c->last_id));
  json_object_set_new(o, "method", json_string(method));
  json_object_set_new(o, "params", params);
  send_object(c, o);
  return c->last_id;
}

// ---------------------------------------------------------------------- receiving

tp_rpc_message tp_rpc_take_apart(const json_t *message) {
  tp_rpc_message m = {.kind = TP_RPC_INVALID};
  if (!json_is_object(message)) return m;
  const json_t *id = json_object_get(message, "id"), *method = json_object_get(message, "method"),
               *params = json_object_get(message, "params"),
               *result = json_object_get(message, "result");
  const char *version = tp_rpc_text(message, "jsonrpc");
  if (json_is_null(params)) params = NULL;  // as many clients have it
  const bool has_id = json_is_string(id) || json_is_integer(id);
  if (has_id) m.id = id;
  if (!version || strcmp(version, "2.0") != 0) return m;
  if (!method) {
    const bool is_answer = id && (result || json_object_get(message, "error"));
    m.kind = is_answer ? TP_RPC_RESPONSE : TP_RPC_INVALID;
    m.result = result;
    return m;
  }
  const bool is_good = json_is_string(method) && (!id || has_id) &&
                       (!params || json_is_object(params) || json_is_array(params));
  if (!is_good) return m;
  m.kind = id ? TP_RPC_REQUEST : TP_RPC_NOTIFICATION;
  m.method = json_string_value(method);
  m.params = params;
  return m;
}

const char *tp_rpc_text(const json_t *o, const char *key) {
  return json_string_value(json_object_get(o, key));
}

int64_t tp_rpc_number(const json_t *o, const char *key) {
  const json_t *n = json_object_get(o, key);
  return json_is_integer(n) ? json_integer_value(n) : -1;
}

const json_t *tp_rpc_path(const json_t *o, const char *path) {
  tp_str key = {0};
  while (o && *path) {
    const size_t n = strcspn(path, ".");
    tp_str_clear(&key);
    tp_str_add_n(&key, path, n);
    o = json_object_get(o, key.text);
    path += n + (path[n] == '.');
  }
  tp_str_clear(&key);
  return o;
}
