/* run.sh, for people: the build of clang that failed, with the harness beside the script, and its
 * run with the recorded arguments. Sources that were made for the build (a program whose labels
 * are errors, monitors) are in the script. */
#include "certify/certify_limits.h"
#include "certify/runs/native_replay_priv.h"

#include <unistd.h>

/* Any bytes as an argument: by printf, which knows octal codes. Newlines at the end get lost. */
static void add_argument(const char *text, tp_str *out) {
  tp_str_add(out, " \"$(printf '");
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '%')
      tp_str_add(out, "%%");
    else if (*c < 32 || *c >= 127 || *c == '\\' || *c == '\'')
      tp_str_printf(out, "\\%03o", *c);
    else
      tp_str_add_char(out, (char)*c);
  }
  tp_str_add(out, "')\"");
}

static void add_head(const tp_chk_native_job *j, const char *here, tp_str *out) {
  tp_str_add(
      out,
      "#!/bin/sh\n"
      "# Builds the program with harness.c, which gives it the inputs of the failing run, and "
      "runs it.\n"
      "# The failure is reported by the sanitizer or by the harness; then the status is 107.\n"
      "# sh run.sh gdb: in the debugger, which stops there, with all variables.\n"
      "dir=$(cd \"$(dirname \"$0\")\" && pwd) || exit 1\ncd ");
  tp_str_add_quoted(out, here);
  tp_str_add(out, " || exit 1\n");
  if (j->fence)
    tp_str_printf(out, "cat >\"$dir/fence.c\" <<'END' || exit 1\n%sEND\n", tp_chk_native_fence);
  if (j->model_map)
    tp_str_printf(out, "cat >\"$dir/models.map\" <<'END' || exit 1\n%sEND\n",
                  tp_chk_native_model_map());
}

/* The name of a file of the job's directory; NULL: it is elsewhere. */
static const char *name_in_job(const tp_chk_native_job *j, const char *path) {
  const size_t n = strlen(j->dir);
  return strncmp(path, j->dir, n) == 0 && path[n] == '/' && !strchr(path + n + 1, '/')
             ? path + n + 1
             : NULL;
}

/* A source that was made for this build only. */
static bool is_made(const tp_chk_native_job *j, int compiler, const char *argument) {
  const char *name = name_in_job(j, argument);
  const size_t n = name ? strlen(name) : 0;
  return n > 2 && strcmp(name + n - 2, ".c") == 0 && strcmp(argument, j->harness) != 0 &&
         strcmp(argument, j->program[compiler]) != 0 &&
         (!j->fence || strcmp(argument, j->fence) != 0);
}

/* Writes the text of such a file beside the script. False: it cannot be part of a script. */
static bool add_file(const char *path, const char *name, tp_str *out) {
  static const char end[] = "END_OF_SOURCE";
  tp_str text = {0};
  const bool ok = tp_read_file(path, &text) == TP_OK && text.n <= TP_CERTIFY_SCRIPT_SOURCE_BYTES &&
                  strlen(tp_str_text(&text)) == text.n && !strstr(tp_str_text(&text), end);
  if (ok)
    tp_str_printf(out, "cat >\"$dir/%s\" <<'%s' || exit 1\n%s\n%s\n", name, end, tp_str_text(&text),
                  end);
  tp_str_clear(&text);
  return ok;
}

void tp_chk_script_build(tp_chk_native_job *j, int compiler, const char *const *argv) {
  TP_REQUIRE(j && j->dir && argv);
  tp_str *out = &j->report->script;
  char here[4096];
  tp_str_clear(out);
  if (!getcwd(here, sizeof here)) return;
  add_head(j, here, out);
  bool is_complete = true;
  for (const char *const *a = argv; *a; a++)
    if (is_made(j, compiler, *a)) is_complete &= add_file(*a, name_in_job(j, *a), out);
  for (; *argv; argv++) {
    const char *beside = is_made(j, compiler, *argv) ? name_in_job(j, *argv) : NULL;
    if (strcmp(*argv, j->harness) == 0) beside = "harness.c";
    if (strcmp(*argv, j->program[compiler]) == 0) beside = "fails";
    if (j->fence && strcmp(*argv, j->fence) == 0) beside = "fence.c";
    static const char map_option[] = "-Wl,--version-script,";
    const bool is_map = strncmp(*argv, map_option, sizeof map_option - 1) == 0;
    if (is_map)
      tp_str_printf(out, "%s\"$dir/models.map\"", map_option);
    else if (strcmp(*argv, "-g1") == 0)
      tp_str_add(out, "-g");  // variables, for the debugger
    else if (beside)
      tp_str_printf(out, "\"$dir/%s\"", beside);
    else
      tp_str_add_quoted(out, *argv);
    tp_str_add_char(out, ' ');
    is_complete &= beside || strncmp(*argv, j->dir, strlen(j->dir)) != 0;  // which will be gone
  }
  tp_str_add(out, "|| exit 1\n");
  if (!is_complete) tp_str_clear(out);
}

void tp_chk_script_run(tp_chk_native_job *j, const char *const *argv) {
  TP_REQUIRE(j && argv && argv[0]);
  tp_str *out = &j->report->script;
  if (!out->n) return;
  // Whoever reports the failure ends the program: its frames are there still. The debugger goes up
  // to the innermost frame of the program itself, past sanitizers and the harness.
  tp_str_add(
      out,
      "[ \"$1\" = gdb ] && export dir && set -- gdb -q -ex 'catch syscall exit_group' -ex run "
      "-ex backtrace -ex 'python import os; from gdb.FrameIterator import FrameIterator; "
      "next((f.select() for f in FrameIterator(gdb.newest_frame()) if f.find_sal().symtab and "
      "f.find_sal().symtab.filename not in [os.environ[\"dir\"] + name for name in "
      "(\"/harness.c\", "
      "\"/fence.c\")]), None)' -ex frame --args || set --\n");
  static const char *const variables[] = {"ASAN_OPTIONS", "UBSAN_OPTIONS", "MSAN_OPTIONS"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    tp_str_printf(out, "%s=%s ", variables[i], tp_chk_sanitizer_options);
  if (j->r->zeroes_indeterminate) tp_str_add(out, "MALLOC_PERTURB_=255 ");
  tp_str_add(out, "exec \"$@\" \"$dir/fails\"");
  for (argv++; *argv; argv++) add_argument(*argv, out);
  tp_str_add_char(out, '\n');
}
