/* window/logMessage: what the server did, for who looks into the editor's log. */
#include "lsp/lsp_priv.h"
#include "report/json_text.h"

#include <stdio.h>

static void log_at(tp_lsp_server *s, int type, const char *fmt, va_list args) {
  char text[2000];
  vsnprintf(text, sizeof text, fmt, args);
  tp_rpc_notify(&s->rpc, "window/logMessage",
                json_pack("{s:i, s:o}", "type", type, "message", tp_json_text(text)));
}

void tp_lsp_log(tp_lsp_server *s, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  log_at(s, 3, fmt, args);
  va_end(args);
}

void tp_lsp_warn(tp_lsp_server *s, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  log_at(s, 2, fmt, args);
  va_end(args);
}
