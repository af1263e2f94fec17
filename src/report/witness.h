/* Verification witnesses: the record, its text, its reader.
 *
 * What       one violation sequence, or one set of invariants, for one program and one property.
 * Represents the YAML format of verification witnesses, versions 2.0 and 2.1.
 * Law        what tp_witness_print writes is read by tp_witness_read as the same record.
 * Ownership  texts live in the record's arena, or are the caller's where a record is filled by
 * hand. Source     Ayaziova, Beyer, Lingsch-Rosenfeld, Spiessl, Strejcek: Software Verification
 * Witnesses 2.0, SPIN 2024; the published schema of the format. */
#ifndef TP_REPORT_WITNESS_H
#define TP_REPORT_WITNESS_H

#include "base/base.h"

typedef enum { TP_WITNESS_VIOLATION, TP_WITNESS_CORRECTNESS } tp_witness_kind;

typedef enum {
  TP_WITNESS_ASSUMPTION,
  TP_WITNESS_BRANCHING,
  TP_WITNESS_FUNCTION_ENTER,
  TP_WITNESS_FUNCTION_RETURN,
  TP_WITNESS_TARGET,
  TP_WITNESS_LOOP_INVARIANT,
  TP_WITNESS_LOCATION_INVARIANT,
  TP_WITNESS_OTHER  // of the format, and not followed here: transition invariants, contracts
} tp_witness_item_kind;

/* A waypoint or an invariant. */
typedef struct {
  tp_witness_item_kind kind;
  const char *type;             // as the format calls it
  bool is_avoided;              // waypoint with the action `avoid`
  uint32_t segment;             // of a waypoint, from 0
  const char *file, *function;  // function: NULL, it is not said
  uint32_t line, column;        // from 1; column 0: not said
  const char *value, *format;   // constraint or invariant; NULL: there is none
  uint32_t at_line;             // of the witness's text, where it was read
} tp_witness_item;

typedef struct {
  const char *path, *hash;  // as the task names it; SHA-256
} tp_witness_file;

typedef struct {
  tp_witness_kind kind;
  const char *version;  // of the format: "2.0", "2.1"
  const char *uuid, *created, *producer, *producer_version, *configuration;
  const char *specification, *data_model;  // "ILP32", "LP64"
  TP_VEC(tp_witness_file) files;
  TP_VEC(tp_witness_item) items;
  TP_VEC(const char *) remarks;  // comments in front of the text: what the format cannot express
  tp_arena arena;
} tp_witness;

void tp_witness_init(tp_witness *w);
void tp_witness_clear(tp_witness *w);
/* An identifier in the form of a UUID (RFC 4122, version 5) that follows from the record's content,
 * without the time. */
void tp_witness_name(tp_witness *w);
void tp_witness_print(const tp_witness *w, tp_str *out);
/* Errors: TP_ERR_INPUT: broken YAML, an unknown key, a missing one, a value that does not fit;
 * TP_ERR_UNSUPPORTED: another version, or several entries. `why` says what and in which line. */
tp_status tp_witness_read(const char *text, size_t n, tp_witness *out, tp_str *why) TP_MUST_USE;

#endif
