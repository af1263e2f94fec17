/* Messages between a worker and its supervisor.
 *
 * What       frames on a pipe (tag, length, payload) and the encoding of results in them.
 * Represents numbers as 8 bytes in host order: both ends are the same program on one machine.
 * Law        the reader believes no length: a cut or damaged message reads as `bad`. */
#ifndef TP_APP_WIRE_H
#define TP_APP_WIRE_H

#include "engine/engine.h"

typedef enum { TP_FRAME_PROGRESS = 'P', TP_FRAME_RESULT = 'R', TP_FRAME_BOARD = 'F' } tp_frame_tag;

typedef struct {
  const char *at, *end;
  bool bad;  // something did not fit; everything read since is 0
} tp_wire_reader;

void tp_wire_put_u64(tp_str *out, uint64_t v);
void tp_wire_put_bytes(tp_str *out, const void *p, size_t n);  // with their length
void tp_wire_put_text(tp_str *out, const char *text);          // NULL is kept
void tp_wire_put_stats(tp_str *out, const tp_stats *s);
void tp_wire_put_inputs(tp_str *out, const tp_inputs *in);
void tp_wire_put_result(tp_str *out, const tp_result *r);

uint64_t tp_wire_u64(tp_wire_reader *r);
const char *tp_wire_bytes(tp_wire_reader *r, size_t *n);
const char *tp_wire_text(tp_wire_reader *r, tp_arena *arena);  // NULL if NULL was put, or bad
void tp_wire_stats(tp_wire_reader *r, tp_stats *out);
void tp_wire_inputs(tp_wire_reader *r, tp_inputs *out);  // initialised by the caller
void tp_wire_result(tp_wire_reader *r, tp_result *out);  // initialised by the caller

/* Write one frame to a pipe; false if the other end is gone. */
bool tp_wire_send(int fd, tp_frame_tag tag, const tp_str *payload);
/* The next complete frame in text[*done ..]; moves *done behind it. False: not complete yet. */
bool tp_wire_next(const tp_str *text, size_t *done, tp_frame_tag *tag, tp_wire_reader *payload);

#endif
