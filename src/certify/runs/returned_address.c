/* Returned addresses of local variables, which gcc makes null.
 *
 * The value of a pointer to a local variable is indeterminate when the function has returned (C11
 * 6.2.4p2), and gcc's front end returns null in place of an address that it knows to be one, with a
 * warning. Code that tests the pointer then never uses it: gcc's build does not show a failure that
 * clang's build has. Each place that gcc warns about gets an operator in front of the returned
 * expression, in a copy of the source:
 *
 *     return buffer;       return tp_never ? 0 : buffer;
 *
 * which is the same C program, whose addresses gcc keeps. Where that does not compile, or still
 * does not fail, nothing is gained: the first build counts. */
#include "certify/runs/native_replay_priv.h"
#include "certify/runs/site.h"

#include "base/files.h"

#include <stdio.h>
#include <stdlib.h>

typedef TP_VEC(tp_chk_text_place) places;

/* "f.c:12:9: warning: ... [-Wreturn-local-addr]": the places in this file. */
static void read_places(const char *text, const char *file, places *out) {
  static const char option[] = "-Wreturn-local-addr]";
  char line[4096];
  for (const char *at = text; *at;) {
    const size_t n = strcspn(at, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : 0), at);
    at += n + (at[n] == '\n');
    char *end = strstr(line, ": warning: ");
    if (!end || !strstr(end, option)) continue;
    *end = '\0';
    char *column = strrchr(line, ':');
    if (!column) continue;
    *column = '\0';
    char *number = strrchr(line, ':');
    if (!number) continue;
    *number = '\0';
    if (!tp_chk_site_same_file(line, file)) continue;
    const tp_chk_text_place place = {(uint32_t)strtoul(number + 1, NULL, 10),
                                     (uint32_t)strtoul(column + 1, NULL, 10)};
    if (place.line && place.column) tp_vec_push(out, place);
  }
}

/* The copy of one source; false: it has no such place. */
static bool keep_in_source(tp_chk_native_job *j, size_t i) {
  tp_str said = {0}, text = {0}, marked = {0};
  places at = {0};
  bool ok = tp_chk_native_warnings(j, "-Wreturn-local-addr", i, &said) == TP_OK;
  if (ok) read_places(tp_str_text(&said), j->r->files[i], &at);
  ok = ok && at.n && tp_read_file(j->sources[i], &text) == TP_OK &&
       tp_chk_mark_returns(tp_str_text(&text), at.at, at.n, " tp_never ? 0 :", &marked) > 0 &&
       tp_chk_native_copy_source(j, i, "extern volatile int tp_never;", tp_str_text(&marked)) ==
           TP_OK;
  for (size_t k = 0; ok && k < at.n; k++)
    tp_str_printf(&j->report->returned, "%s%s:%u", j->report->returned.n ? ", " : "",
                  j->r->files[i], at.at[k].line);
  tp_str_clear(&said);
  tp_str_clear(&text);
  tp_str_clear(&marked);
  tp_vec_clear(&at);
  return ok;
}

bool tp_chk_keep_returned_addresses(tp_chk_native_job *j) {
  TP_REQUIRE(!j->report->returned.n && j->uses_returned);
  bool any = false;
  for (size_t i = 0; i < j->r->n_files; i++) any |= keep_in_source(j, i);
  j->r->options = j->options.at;
  j->r->n_options = j->options.n;
  return any;
}
