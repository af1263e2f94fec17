/* Inside report/page: the parts of the page's object, each in a file of its own.
 *
 * Ownership  every function returns a new reference. */
#ifndef TP_REPORT_PAGE_PRIV_H
#define TP_REPORT_PAGE_PRIV_H

#include "report/page.h"

#include <jansson.h>

/* A string of the object. Bytes that are not UTF-8 stand as U+FFFD. */
json_t *tp_page_text(const char *text);
json_t *tp_page_text_n(const char *text, size_t n);
static inline json_t *tp_page_number(uint64_t n) { return json_integer((json_int_t)n); }

/* page_source.c: [{"path", "lines": [...], "cut"}], those files in which the user's part of the
 * program lies; index_of: from a file of diag to its position there + 1. */
json_t *tp_page_files(const tp_report *r, const tp_page_extra *more, tp_map *index_of);
/* [file, line, column], file as a position in the list above; null: not known, or not there. */
json_t *tp_page_place(const tp_map *index_of, tp_pos pos);

/* page_run.c: {"steps": [...], "message", ...} */
json_t *tp_page_run(const tp_report *r, const tp_page_extra *more, const tp_map *index_of);
/* How often the run follows each edge, added to visits[edge]. False: its end was not counted. */
bool tp_page_count_visits(const tp_report *r, const tp_page_extra *more, uint32_t *visits);

/* page_model.c: [{"name", "nodes", "edges", ...}], functions of the user; visits: by edge, or
 * NULL. */
json_t *tp_page_automata(const tp_program *p, const tp_map *index_of, const uint32_t *visits);

/* page_proof.c: [{"place", "facts", ...}]; null without a certificate of a known kind. */
json_t *tp_page_proof(const tp_report *r, const tp_page_extra *more, const tp_map *index_of);

/* page_answer.c: headline, notes, counters with their meaning. */
/* console: set to the text of the answer. */
void tp_page_answer(json_t *o, const tp_report *r, tp_str *console);

/* page.c: [name, value, is given] of each option; the template with this title, text and object. */
json_t *tp_page_option_list(const tp_page_option *options, size_t n);
void tp_page_fill(const json_t *object, const char *title, const char *console, tp_str *out);

#endif
