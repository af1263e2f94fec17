/* What a test says of the run that it was written for: the head of inputs.txt and test.xml.
 *
 * What       the options without which a replay would be another one (property, data model, ...)
 *            as comments "KEY: VALUE" in front of the inputs; the command that replays the test.
 * Law        an option of the command line counts more than the test's own. */
#ifndef TP_APP_TEST_HEAD_H
#define TP_APP_TEST_HEAD_H

#include "app/options.h"

typedef enum { TP_TEST_PLAIN, TP_TEST_XML } tp_test_form;

/* Comments, a line each. property: the one that was verified. */
void tp_test_head_write(const tp_options *o, tp_property property, tp_test_form form, tp_str *out);
/* Options of the head that the command line did not give. text: the test; false: one of them has a
 * value that the option has not, `why` says which. */
bool tp_test_head_take(const char *text, tp_options *o, tp_str *why) TP_MUST_USE;
/* "twoproof replay a.c DIR/inputs.txt -- -DX": for a shell, in one line; nothing where the name of
 * a file has no place in a line. */
void tp_test_replay_command(const tp_options *o, tp_str *out);

#endif
