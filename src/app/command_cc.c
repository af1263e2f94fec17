/* twoproof cc: the compiler, and a note of each C source that it is given.
 *
 * `make CC="twoproof cc"` builds as before; beside that compile_commands.json comes to be, for
 * --project. Which compiler: $TWOPROOF_CC, else cc. Where the notes go: $TWOPROOF_DATABASE, else
 * the next compile_commands.json from the working folder upwards, else one in the working folder.
 * The compiler's status is ours: notes that cannot be taken never make a build fail, which is said.
 */
#include "app/commands.h"

#include "app/exit.h"
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), n_end = strlen(end);
  return n > n_end && strcmp(text + n - n_end, end) == 0;
}

static bool is_source(const char *word) { return word[0] != '-' && ends_with(word, ".c"); }

/* Flags whose next word is no source, although it may look like one. */
static bool takes_value(const char *flag) {
  static const char *const flags[] = {"-o",       "-D",       "-U",      "-I",         "-include",
                                      "-imacros", "-isystem", "-iquote", "-idirafter", "-MF",
                                      "-MT",      "-MQ",      "-x"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (strcmp(flag, flags[i]) == 0) return true;
  return false;
}

/* Only preprocessing, or only questions to the compiler. */
static bool compiles(int argc, char **argv) {
  for (int i = 0; i < argc; i++)
    if (strcmp(argv[i], "-E") == 0 || strcmp(argv[i], "-M") == 0 || strcmp(argv[i], "-MM") == 0)
      return false;
  return true;
}

/* The path of the notes, the caller's. */
static void database_path(const char *folder, tp_str *out) {
  const char *given = getenv("TWOPROOF_DATABASE");
  if (given && given[0]) {
    tp_str_add(out, given);
    return;
  }
  for (size_t n = strlen(folder); n > 0;) {
    tp_str_clear(out);
    tp_str_printf(out, "%.*s/compile_commands.json", (int)n, folder);
    if (access(tp_str_text(out), F_OK) == 0) return;
    do n--;
    while (n > 0 && folder[n] != '/');
  }
  tp_str_clear(out);
  tp_str_printf(out, "%s/compile_commands.json", folder);
}

/* Another note of the same source gives way. */
static void put_entry(json_t *list, json_t *entry) {
  const char *file = json_string_value(json_object_get(entry, "file")),
             *folder = json_string_value(json_object_get(entry, "directory"));
  size_t i;
  json_t *old;
  json_array_foreach(list, i, old) {
    const char *f = json_string_value(json_object_get(old, "file")),
               *d = json_string_value(json_object_get(old, "directory"));
    if (!f || !d || strcmp(f, file) != 0 || strcmp(d, folder) != 0) continue;
    json_array_set_new(list, i, entry);
    return;
  }
  json_array_append_new(list, entry);
}

/* The command as it is for this source alone. */
static json_t *entry_of(const char *compiler, const char *folder, int argc, char **argv,
                        int source) {
  json_t *arguments = json_pack("[s]", compiler);
  for (int i = 0; i < argc; i++) {
    const bool is_other = i != source && is_source(argv[i]) && !(i > 0 && takes_value(argv[i - 1]));
    if (is_other) continue;
    json_t *word = json_string(argv[i]);
    if (word) json_array_append_new(arguments, word);  // bytes that are no UTF-8 have no place
  }
  return json_pack("{s:s, s:s, s:o}", "directory", folder, "file", argv[source], "arguments",
                   arguments);
}

/* Reads, adds, writes, while others wait; a build may run many compilers at once. */
static bool note(const char *path, const char *compiler, const char *folder, int argc,
                 char **argv) {
  const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || flock(fd, LOCK_EX) != 0) {
    if (fd >= 0) close(fd);
    return false;
  }
  tp_str text = {0};
  bool ok = tp_read_file(path, &text) == TP_OK;
  json_t *list = text.n ? json_loadb(text.text, text.n, 0, NULL) : json_array();
  ok = ok && json_is_array(list);
  if (!ok) errno = EINVAL;  // not ours: it stays as it is
  for (int i = 0; ok && i < argc; i++) {
    if (!is_source(argv[i]) || (i > 0 && takes_value(argv[i - 1]))) continue;
    json_t *entry = entry_of(compiler, folder, argc, argv, i);
    if (entry) put_entry(list, entry);
  }
  char *out = ok ? json_dumps(list, JSON_INDENT(1)) : NULL;
  if (out) {
    const size_t n = strlen(out);
    ok = ftruncate(fd, 0) == 0 && pwrite(fd, out, n, 0) == (ssize_t)n;
  }
  free(out);
  json_decref(list);
  tp_str_clear(&text);
  close(fd);
  return ok;
}

const char tp_command_cc_usage[] = "ARGUMENTS OF A COMPILER...";
const char tp_command_cc_details[] =
    "Runs $TWOPROOF_CC (cc) with these arguments, and notes the sources among them in\n"
    "$TWOPROOF_DATABASE (the next compile_commands.json from here upwards) for --project.\n"
    "The exit status is the compiler's.";

int tp_command_cc(int argc, char **argv) {
  if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
    printf("Usage: twoproof cc %s\n\n%s\n", tp_command_cc_usage, tp_command_cc_details);
    return fflush(stdout) ? TP_EXIT_OUTPUT : 0;
  }
  const char *given = getenv("TWOPROOF_CC"), *compiler = given && given[0] ? given : "cc";
  char *folder = getcwd(NULL, 0);
  bool has_source = false;
  for (int i = 1; i < argc; i++) has_source |= is_source(argv[i]) && !takes_value(argv[i - 1]);
  if (folder && has_source && compiles(argc - 1, argv + 1)) {
    tp_str path = {0};
    database_path(folder, &path);
    if (!note(tp_str_text(&path), compiler, folder, argc - 1, argv + 1))
      fprintf(stderr, "twoproof cc: cannot note the command in %s: %s\n", tp_str_text(&path),
              strerror(errno));
    tp_str_clear(&path);
  }
  free(folder);
  argv[0] = (char *)compiler;
  execvp(compiler, argv);
  fprintf(stderr, "twoproof cc: cannot run %s: %s\n", compiler, strerror(errno));
  return TP_EXIT_MISSING;
}
