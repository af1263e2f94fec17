/* Lines of files on disk, read once: for columns that are counted in other units.
 *
 * Ownership  the table owns names and texts, until tp_sources_clear.
 * Errors     a file that cannot be read has no lines. */
#ifndef TP_LSP_SOURCES_H
#define TP_LSP_SOURCES_H

#include "lsp/text_document.h"

typedef struct {
  char *path;
  tp_text_document document;
} tp_source;
typedef TP_VEC(tp_source) tp_sources;

const tp_text_document *tp_sources_get(tp_sources *s, const char *path);
void tp_sources_clear(tp_sources *s);

#endif
