/* Few files: they are found by looking at each. */
#include "lsp/sources.h"

const tp_text_document *tp_sources_get(tp_sources *s, const char *path) {
  TP_REQUIRE(s && path);
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->at[i].path, path) == 0) return &s->at[i].document;
  tp_str text = {0};
  (void)!tp_read_file(path, &text);
  tp_source fresh = {.path = tp_alloc(strlen(path) + 1)};
  strcpy(fresh.path, path);
  tp_text_set(&fresh.document, tp_str_text(&text), text.n);
  tp_str_clear(&text);
  tp_vec_push(s, fresh);
  return &tp_vec_last(s).document;
}

void tp_sources_clear(tp_sources *s) {
  for (size_t i = 0; i < s->n; i++) {
    tp_free(s->at[i].path);
    tp_text_clear(&s->at[i].document);
  }
  tp_vec_clear(s);
}
