/* Progress of rounds as the protocol has it: the editor is asked for a token, or gave one.
 *
 * Nothing is reported before the editor has agreed; a round that is over by then is never shown. */
#include "lsp/lsp_limits.h"
#include "lsp/lsp_priv.h"
#include "report/json_text.h"

static void send_value(tp_lsp_server *s, const tp_lsp_round *r, json_t *value) {
  tp_rpc_notify(&s->rpc, "$/progress", json_pack("{s:O, s:o}", "token", r->token, "value", value));
}

static void show(tp_lsp_server *s, tp_lsp_file *f) {
  tp_str title = {0};
  tp_str_printf(&title, "Twoproof: %s", tp_lsp_short(f, f->path));
  json_t *value = json_pack("{s:s, s:o, s:b}", "kind", "begin", "title", tp_json_text(title.text),
                            "cancellable", 1);
  send_value(s, &f->round, value);
  f->round.progress = TP_PROGRESS_SHOWN;
  tp_str_clear(&title);
}

void tp_lsp_progress_begin(tp_lsp_server *s, tp_lsp_file *f, const json_t *token) {
  tp_lsp_round *r = &f->round;
  if (r->progress != TP_PROGRESS_NONE) return;
  if (token) {
    r->token = json_deep_copy(token);
    show(s, f);
  } else if (s->client.has_progress) {
    tp_str name = {0};
    tp_str_printf(&name, "twoproof/%llu", (unsigned long long)++s->n_tokens);
    r->token = json_string(name.text);
    r->request = tp_rpc_request(&s->rpc, "window/workDoneProgress/create",
                                json_pack("{s:O}", "token", r->token));
    r->progress = TP_PROGRESS_ASKED;
    tp_str_clear(&name);
  }
}

void tp_lsp_progress_created(tp_lsp_server *s, int64_t request, bool is_granted) {
  for (size_t i = 0; i < s->files.n; i++) {
    tp_lsp_file *f = s->files.at[i];
    if (f->round.progress != TP_PROGRESS_ASKED || f->round.request != request) continue;
    if (is_granted && f->round.is_on) show(s, f);
  }
}

void tp_lsp_progress_report(tp_lsp_server *s, tp_lsp_file *f, const char *what) {
  tp_lsp_round *r = &f->round;
  const double now_s = tp_wall_s();
  if (r->progress != TP_PROGRESS_SHOWN) return;
  if (now_s - r->reported_s < (double)TP_LSP_REPORT_MS / 1000) return;
  r->reported_s = now_s;
  send_value(s, r, json_pack("{s:s, s:o}", "kind", "report", "message", tp_json_text(what)));
}

void tp_lsp_progress_end(tp_lsp_server *s, tp_lsp_file *f, const char *what) {
  tp_lsp_round *r = &f->round;
  if (r->progress == TP_PROGRESS_SHOWN)
    send_value(s, r, json_pack("{s:s, s:o}", "kind", "end", "message", tp_json_text(what)));
  json_decref(r->token);
  r->token = NULL;
  r->progress = TP_PROGRESS_NONE;
}
