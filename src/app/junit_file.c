/* Written as a whole at the end: a run that ends early leaves what was there. */
#include "app/junit_file.h"

#include <errno.h>
#include <stdio.h>

bool tp_write_junit(const tp_options *o, const tp_junit_suite *suite) {
  if (!o->junit[0]) return true;
  tp_str text = {0};
  tp_junit_print(suite, &text);
  const bool ok = tp_write_file(o->junit, text.text, text.n) == TP_OK;
  if (!ok) fprintf(stderr, "twoproof: cannot write %s: %s\n", o->junit, strerror(errno));
  tp_str_clear(&text);
  return ok;
}
