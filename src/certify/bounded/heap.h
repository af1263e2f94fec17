/* Memory of the certificate checker: for every object a log of what was written to it.
 *
 * What       objects, logs, and the one question: which value is read here?
 * Represents the content of an object is its initial content under a list of writes, newest first.
 *            Where two paths meet, the list branches on which one was taken. Log 0 is the initial
 *            content. Lists are persistent: states share them.
 * Law        a value read is exactly what the bytes say; a pointer whose bytes were torn apart and
 *            not put together again reads as an opaque pointer (any pointer).
 * Source     doc/semantics.md; own code, so that formula/ need not be believed. */
#ifndef TP_CERTIFY_BOUNDED_HEAP_H
#define TP_CERTIFY_BOUNDED_HEAP_H

#include "certify/bounded/pointer.h"
#include "program/program.h"

typedef struct {
  tp_object_kind kind;
  tp_term size;            // BV of pointer width
  const tp_static *image;  // of a static; NULL for others
  tp_term fill;            // BV8: initial content; NONE: indeterminate
  tp_term bytes;           // indeterminate or extern content: array offset -> BV8; NONE until asked
  const char *name;
  tp_edge made_by;  // the ALLOC, and the frame it was executed in; a static: none
  uint32_t frame;
} tp_cobject;

typedef struct {
  const tp_program *p;
  tp_terms *tt;
  tp_cpointers ps;
  TP_VEC(tp_cobject) objects;  // by object id; [0] is null
  struct log_entry *logs;
  size_t n_logs, cap_logs;
  struct read_request *reads;
  size_t n_reads, cap_reads;
  tp_map pairs;  // interning of requests
  TP_VEC(uint32_t) todo;
  bool is_exact;  // no read was given up
} tp_cheap;
void tp_cheap_init(tp_cheap *h, const tp_program *p);  // with the program's statics
void tp_cheap_clear(tp_cheap *h);
uint32_t tp_cheap_object(tp_cheap *h, tp_cobject o);

/* Each returns the new log of the object; `guard` says when the write happens (on this path). */
uint32_t tp_cheap_write(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term value);
uint32_t tp_cheap_set(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term length,
                      tp_term byte);
/* bytes: array offset -> BV8, indexed from 0 at `offset`. */
uint32_t tp_cheap_havoc(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term length,
                        tp_term bytes);
uint32_t tp_cheap_copy(tp_cheap *h, uint32_t log, tp_term guard, tp_term offset, tp_term length,
                       uint32_t from_object, uint32_t from_log, tp_term from_offset);
uint32_t tp_cheap_join(tp_cheap *h, tp_term cond, uint32_t yes, uint32_t no);

/* The value of sort s at an offset that is inside the object. */
tp_term tp_cheap_read(tp_cheap *h, uint32_t object, uint32_t log, tp_term offset, tp_sort s);

#endif
