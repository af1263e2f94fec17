/* Certificates line by line: what all kinds of certificates share.
 *
 * What       the header entries, comments with positions, and a reader that hands out one entry
 *            after the other.
 * Represents doc/certificates.md, section "Form".
 * Law        the reader insists on the header, and on nothing behind `end` being looked at. */
#ifndef TP_ENGINE_CERT_LINES_H
#define TP_ENGINE_CERT_LINES_H

#include "cpa/context.h"

/* The five header lines. property NONE: "none". */
void tp_lines_put_header(const tp_program *p, const char *kind, tp_property property,
                         uint64_t fingerprint, tp_str *out);
/* Ends the line; with a comment if the position is known. */
void tp_lines_put_comment(const tp_program *p, tp_pos pos, tp_str *out);
/* The same with the names of the variables that the formula speaks of: "a.c:3:4; 8 = n, 9 = i".
 * func: whose own variables need no "FUNCTION::" in front; NONE: none. */
void tp_lines_put_named_comment(const tp_program *p, tp_pos pos, tp_term formula, tp_func func,
                                tp_str *out);

/* A line for each context. */
void tp_lines_put_contexts(const tp_contexts *contexts, const tp_program *p, tp_str *out);

typedef struct {
  const tp_program *p;
  const char *kind;  // that the header must name
  tp_str *why;
  uint32_t line;         // of the entry, from 1
  const char *text;      // what is left
  tp_arena scratch;      // the current line
  tp_property property;  // from the header
  bool wants_property;   // "none" is refused
} tp_lines;
void tp_lines_init(tp_lines *r, const tp_program *p, const char *kind, const char *text,
                   tp_str *why);
void tp_lines_clear(tp_lines *r);
/* Says in `why` what is wrong with this line. Always TP_ERR_INPUT. */
tp_status tp_lines_refuse(const tp_lines *r, const char *what);
/* Reads the header. */
tp_status tp_lines_header(tp_lines *r) TP_MUST_USE;
/* The next entry: its first field, and what follows that (NULL: nothing). *key is NULL at `end`.
 * Both can be cut up and last until the next call. */
tp_status tp_lines_next(tp_lines *r, char **key, char **rest) TP_MUST_USE;

/* The next field of *at (ended by a space or the end), cut out of the line; "" if there is none. */
char *tp_lines_field(char **at);
/* The next field as a number in this radix, at most max. */
bool tp_lines_number(char **at, int radix, uint64_t max, uint64_t *out);
/* The function of this name, NONE: unknown. */
tp_func tp_lines_func(const tp_lines *r, const char *name);

#endif
