/* The answer as a page: one HTML file that needs nothing else, for people.
 *
 * What       the template of lib/report with one JSON object in it: the answer of json.c, the
 *            source, the failing run event by event, what a certificate says as C, control-flow
 *            automata, pictures of heaps. Described in doc/report.md.
 * Law        texts of the user (source, names of files, values) stand in the object only, and no
 *            `<` of theirs stands in the file: whatever they contain, no browser reads it as HTML.
 *            The same answer gives the same bytes but for the line of the object that starts with
 *            "times".
 * Cost       linear in the source and in the part of the run that error_path.h keeps. */
#ifndef TP_REPORT_PAGE_H
#define TP_REPORT_PAGE_H

#include "report/report.h"

typedef struct {
  const char *name, *value;
  bool is_given;  // its value is not the default
} tp_page_option;
typedef TP_VEC(tp_page_option) tp_page_options;

/* A picture, as the installed Graphviz drew it. */
typedef struct {
  const char *place, *caption;
  const char *svg;  // NULL: the caption is all that there is to say, or nothing could draw
} tp_page_picture;

/* What the page has and the answer has not; everything is borrowed. */
typedef struct {
  const char *version;  // of the tool
  const char *command;  // "check"
  const char *const *files;
  size_t n_files;
  const tp_page_option *options;
  size_t n_options;
  const char *certificate;  // its text, "" without
  bool has_run;             // the inputs of the report are those of a failing run, confirmed or not
  tp_run_limits limits;     // of that run
  uint64_t steps;           // of that run, if they are known
  const tp_page_picture *pictures;
  size_t n_pictures;
  const char *section;  // JSON object of the command's own part of the page, or NULL
} tp_page_extra;

void tp_page_write(const tp_report *r, const tp_page_extra *more, tp_str *out);
/* What the page has of the proof, for programs: {"files": [PATH], "proof": [...]}, the objects of
 * doc/report.md; a place is [FILE, LINE, COLUMN], FILE a position in the list. */
void tp_page_write_proof(const tp_report *r, const tp_page_extra *more, tp_str *out);

#endif
