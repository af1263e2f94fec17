/* Messages of the language server protocol out of a stream of bytes.
 *
 * What       each message has a header, lines "Content-Length: N" and others, an empty line, and N
 *            bytes. Bytes come in pieces of any size.
 * Errors     a header that is none, or a message that is too long, is reported once; then the
 *            reader looks for the next header that has a length. Nothing that comes in makes the
 *            reader keep more than the longest message.
 * Ownership  the reader owns its buffer; a message is borrowed until the next call.
 * Source     Language Server Protocol 3.17, Base Protocol. We differ: a line may end without a
 *            carriage return. */
#ifndef TP_LSP_FRAMES_H
#define TP_LSP_FRAMES_H

#include "base/base.h"

typedef struct {
  tp_str buffer;
  size_t at;         // what lies before it was given away
  uint64_t to_skip;  // bytes of a message that is too long
  bool is_lost;      // looking for a header
} tp_lsp_reader;

typedef enum {
  TP_LSP_FRAME_WAIT,     // more bytes are needed
  TP_LSP_FRAME_MESSAGE,  // *text, *n
  TP_LSP_FRAME_BROKEN    // *text: why, static
} tp_lsp_frame;

void tp_lsp_reader_add(tp_lsp_reader *r, const char *bytes, size_t n);
tp_lsp_frame tp_lsp_reader_next(tp_lsp_reader *r, const char **text, size_t *n);
/* Would the end of the stream cut something off? */
bool tp_lsp_reader_is_inside(const tp_lsp_reader *r);
void tp_lsp_reader_clear(tp_lsp_reader *r);

#endif
