/* JSON-RPC for the server: what is sent, and the shape of what comes.
 *
 * What       responses, errors, notifications and requests of ours, each one message on a
 *            descriptor; a message that came, taken apart.
 * Ownership  results and parameters that are given are taken over (their reference is the
 *            connection's). A tp_rpc_message borrows from the message.
 * Errors     when the other side is gone, the connection is closed and nothing is sent any more.
 * Source     JSON-RPC 2.0; Language Server Protocol 3.17. */
#ifndef TP_LSP_RPC_H
#define TP_LSP_RPC_H

#include "base/base.h"

#include <jansson.h>

typedef enum {
  TP_RPC_PARSE_ERROR = -32700,
  TP_RPC_INVALID_REQUEST = -32600,
  TP_RPC_METHOD_NOT_FOUND = -32601,
  TP_RPC_INVALID_PARAMS = -32602,
  TP_RPC_NOT_INITIALIZED = -32002,
  TP_RPC_CANCELLED = -32800,
  TP_RPC_FAILED = -32803
} tp_rpc_error;

typedef struct {
  int fd;
  bool is_closed;
  int64_t last_id;  // of our requests
} tp_rpc;

/* id: NULL stands for null. */
void tp_rpc_reply(tp_rpc *c, const json_t *id, json_t *result);
void tp_rpc_refuse(tp_rpc *c, const json_t *id, tp_rpc_error code, const char *text);
void tp_rpc_notify(tp_rpc *c, const char *method, json_t *params);
/* Returns the id of the request. */
int64_t tp_rpc_request(tp_rpc *c, const char *method, json_t *params);

typedef enum {
  TP_RPC_INVALID,       // none of the three
  TP_RPC_REQUEST,       // id, method, params
  TP_RPC_NOTIFICATION,  // method, params
  TP_RPC_RESPONSE       // id, result: NULL after an error
} tp_rpc_kind;

typedef struct {
  tp_rpc_kind kind;
  const json_t *id;  // also of an invalid one, where it has one
  const char *method;
  const json_t *params;  // object or array; NULL: none
  const json_t *result;
} tp_rpc_message;

tp_rpc_message tp_rpc_take_apart(const json_t *message);

/* Members of what came; NULL, -1 where they are missing or something else. */
const char *tp_rpc_text(const json_t *o, const char *key);
int64_t tp_rpc_number(const json_t *o, const char *key);
/* o.a.b.c; NULL: no such member. */
const json_t *tp_rpc_path(const json_t *o, const char *path);

#endif
