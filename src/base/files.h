/* Files that users name: regular ones, and pipes, terminals and devices, which can be read once
 * only.
 *
 * What       tp_intake reads what is no regular file whole, within limits of size and time; from
 *            then on tp_read_file gives that text for the same name, in this process and in those
 *            forked from it. Compilers read a copy in which lines have the user's name.
 * Limits     64 MB, 10 s without a byte, 60 s altogether; regular files: 2 GB.
 * Ownership  texts and names belong to this module, until tp_intake_clear. */
#ifndef TP_BASE_FILES_H
#define TP_BASE_FILES_H

#include "base/base.h"

typedef enum { TP_INTAKE_TEXT, TP_INTAKE_SOURCE } tp_intake_kind;

/* Does nothing for regular files, directories, and names of nothing: whoever reads them says what
 * is wrong. A source becomes a file that compilers can be given. Errors: TP_ERR_INPUT,
 * TP_ERR_SYSTEM: the file cannot be had, and `why` says so without naming it. */
tp_status tp_intake(const char *path, tp_intake_kind kind, tp_str *why) TP_MUST_USE;
/* A regular source that compilers read with these lines in front of it (their own flags of a build,
 * as #define and #include). Errors as above. */
tp_status tp_intake_with_head(const char *path, const char *head, tp_str *why) TP_MUST_USE;
/* The text that was taken in under this name; NULL: none was. */
const tp_str *tp_intake_text(const char *path);
/* What to write on the command line of a compiler for this source: the name itself where that is a
 * file and no option of the compiler. */
const char *tp_intake_compiled(const char *path);
/* Where a source that is compiled from a copy finds its neighbours (#include "..."); NULL: the file
 * stands among them. */
const char *tp_intake_directory(const char *path);
void tp_intake_clear(void);

/* Can the name stand in #include "..."? There is no way to write a quote or a line end there. */
bool tp_is_includable(const char *path);

/* As text between the quotes of a string literal of C or of #line: quotes, backslashes, line ends,
 * trigraphs. */
void tp_str_add_c_text(tp_str *out, const char *text);

#endif
