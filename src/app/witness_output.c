/* Programs that are not the user's files alone have none: the environment of --entry and the client
 * of --module stand in files that nobody else has. */
#include "app/witness_output.h"

#include "app/version.h"
#include "base/files.h"
#include "base/sha256.h"
#include "report/witness_write.h"

#include <stdio.h>
#include <time.h>

const char *tp_witness_specification(tp_property p) {
  static const char *const of[TP_N_PROPERTIES] = {
      [TP_P_UNREACH_CALL] = "CHECK( init(main()), LTL(G ! call(reach_error())) )",
      [TP_P_VALID_DEREF] = "CHECK( init(main()), LTL(G valid-deref) )",
      [TP_P_VALID_FREE] = "CHECK( init(main()), LTL(G valid-free) )",
      [TP_P_VALID_MEMTRACK] = "CHECK( init(main()), LTL(G valid-memtrack) )",
      [TP_P_VALID_MEMCLEANUP] = "CHECK( init(main()), LTL(G valid-memcleanup) )",
      [TP_P_NO_OVERFLOW] = "CHECK( init(main()), LTL(G ! overflow) )",
      [TP_P_UNDEFINED] = "CHECK( init(main()), LTL(G def-behavior) )",
      [TP_P_VALID_MEMSAFETY] =
          "CHECK( init(main()), LTL(G valid-free) )\n"
          "CHECK( init(main()), LTL(G valid-deref) )\n"
          "CHECK( init(main()), LTL(G valid-memtrack) )"};
  return p < TP_N_PROPERTIES ? of[p] : NULL;
}

static void say_none(const tp_session *s, const char *why) {
  if (s->o->verbose) fprintf(stderr, "twoproof: no witness.yml: %s\n", why);
}

/* The files of the program; false: one cannot be read again. */
static bool read_files(const tp_session *s, tp_witness *w, tp_outline *files) {
  for (size_t i = 0; i < s->o->files.n; i++) {
    const char *path = s->o->files.at[i];
    tp_str text = {0};
    char hash[TP_SHA256_DIGITS + 1];
    if (tp_read_file(path, &text) != TP_OK) return false;
    tp_sha256(tp_str_text(&text), text.n, hash);
    tp_outline_read(&files[i], path, text);
    tp_vec_push(&w->files, (tp_witness_file){path, tp_arena_strdup(&w->arena, hash)});
  }
  return true;
}

static void fill_head(const tp_session *s, tp_witness *w) {
  char created[40];
  const time_t now = time(NULL);
  struct tm utc;
  strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  w->version = "2.0";
  w->created = tp_arena_strdup(&w->arena, created);
  w->producer = "Twoproof";
  w->producer_version = tp_version_text();
  w->configuration = s->now.engine;
  w->specification = tp_witness_specification(s->property);
  w->data_model = s->program->ptr_bits == 32 ? "ILP32" : "LP64";
}

static bool fill(const tp_session *s, const tp_witness_source *source, tp_witness *w) {
  fill_head(s, w);
  if (s->now.verdict == TP_VERDICT_TRUE) {
    w->kind = TP_WITNESS_CORRECTNESS;
    tp_witness_add_invariants(source, tp_str_text(&s->now.result.certificate), w);
    return true;
  }
  w->kind = TP_WITNESS_VIOLATION;
  const bool is_placed =
      tp_witness_add_path(source, &s->now.result.inputs, s->now.error_pos, (tp_run_limits){0}, w);
  if (!is_placed) say_none(s, "the failure stands in no statement of the files that were given");
  return is_placed;
}

void tp_witness_output(const tp_session *s, tp_str *out) {
  TP_REQUIRE(s->now.verdict != TP_VERDICT_UNKNOWN && s->program);
  if (s->o->entry[0] || s->o->module[0] || s->o->monitor[0] || s->now.result.bound) {
    say_none(s, "the format speaks of whole programs and of all their runs");
    return;
  }
  tp_witness w;
  tp_witness_init(&w);
  tp_outline *files = TP_NEW_ARRAY(tp_outline, s->o->files.n);
  const tp_witness_source source = {s->program, files, s->o->files.n};
  if (!read_files(s, &w, files)) {
    say_none(s, "a file of the program cannot be read again");
  } else if (fill(s, &source, &w)) {
    tp_witness_name(&w);
    tp_witness_print(&w, out);
    for (size_t i = 0; i < w.remarks.n && s->o->verbose; i++)
      fprintf(stderr, "twoproof: witness.yml: %s\n", w.remarks.at[i]);
  }
  for (size_t i = 0; i < s->o->files.n; i++) tp_outline_clear(&files[i]);
  tp_free(files);
  tp_witness_clear(&w);
}
