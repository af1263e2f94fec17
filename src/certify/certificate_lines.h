/* The lines of a certificate, for the readers of its kinds.
 *
 * What       takes a text apart into lines and fields, and checks what certificates of all kinds
 *            begin with: version, property, machine, program.
 * Represents a text is whole if each line ends and one of them is "end", the last. What stands
 *            behind # is left out. Lines "assume ..." are for people: the checker finds its own.
 * Ownership  lines and fields are cut up in place and live until the reader returns.
 * Errors     the first line that does not fit ends the reading; `why` has its number and what was
 *            wanted. */
#ifndef TP_CERTIFY_CERTIFICATE_LINES_H
#define TP_CERTIFY_CERTIFICATE_LINES_H

#include "program/program.h"

enum { TP_CHK_KIND_LINE = 2, TP_CHK_HEADER_LINES = 5 };

typedef struct {
  const tp_program *p;
  tp_property prop;
  tp_str *why;
  uint32_t line;  // from 1
  bool ended;     // the reader of a kind has seen "end"
} tp_chk_lines;

/* Says what is wrong with this line: false. */
bool tp_chk_lines_fail(tp_chk_lines *l, const char *what);
/* Gives each line to `read`, until that is false. False: a line that does not fit, or no end. */
bool tp_chk_lines_read(tp_chk_lines *l, const char *text, bool (*read)(void *ctx, char *line),
                       void *ctx);
/* A line of the header, but for the kind: 1 version, 3 property, 4 machine, 5 program. */
bool tp_chk_lines_header(tp_chk_lines *l, int n, char *const *fields);

/* Cut off the next field of *at, in place; NULL: there is none. */
char *tp_chk_next_field(char **at);
/* Cut the line into fields; how many they are, `most` + 1 if there are more than `most`. */
int tp_chk_split(char *line, char **fields, int most);
/* A number of at most so many decimal digits, up to 18; text may be NULL. */
bool tp_chk_number(const char *text, size_t most_digits, uint64_t *out);

/* Is the certificate of this kind, by its second line? */
bool tp_chk_is_of_kind(const char *certificate, const char *kind);
/* The function with a body that has this name; NONE: there is none, or several (static ones), so
 * that the name says nothing. */
tp_func tp_chk_func_named(const tp_program *p, const char *name);
/* Could the edge be a call of this function: arguments and result have the sorts of its own? */
bool tp_chk_call_fits(const tp_program *p, const tp_edge_info *edge, tp_func callee);

#endif
