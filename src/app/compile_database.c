/* Reading compile_commands.json. A command is text for a shell or a list of arguments; it is split
 * as a POSIX shell splits, without expansions, which build systems do not write. */
#include "app/compile_database.h"

#include "app/compiler_flags.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

// ------------------------------------------------------------------------- words

/* One word of a command from *at on, without its quotes; NULL: there is none. */
static const char *next_word(const char **at, tp_arena *arena) {
  const char *c = *at;
  while (*c == ' ' || *c == '\t' || *c == '\n') c++;
  if (!*c) return NULL;
  tp_str word = {0};
  char quote = 0;
  for (; *c && (quote || (*c != ' ' && *c != '\t' && *c != '\n')); c++) {
    const bool escapes = *c == '\\' && c[1] && quote != '\'' && (!quote || strchr("\"\\$`", c[1]));
    if (escapes)
      tp_str_add_char(&word, *++c);
    else if (*c == quote)
      quote = 0;
    else if (!quote && (*c == '\'' || *c == '"'))
      quote = *c;
    else
      tp_str_add_char(&word, *c);
  }
  *at = c;
  const char *out = tp_arena_strdup(arena, tp_str_text(&word));
  tp_str_clear(&word);
  return out;
}

static void split(const char *command, tp_arena *arena, tp_option_paths *out) {
  for (const char *word; (word = next_word(&command, arena)) != NULL;) tp_vec_push(out, word);
}

// ------------------------------------------------------------------------- flags

static bool is_one_of(const char *flag, const char *const *names) {
  for (; *names; names++)
    if (strcmp(flag, *names) == 0) return true;
  return false;
}

static const char *in_folder(const char *folder, const char *path, tp_arena *arena) {
  return path[0] == '/' ? path : tp_arena_printf(arena, "%s/%s", folder, path);
}

/* A file that is included first is looked for in the folder of the command, then as a header. */
static const char *included(const char *folder, const char *path, tp_arena *arena) {
  struct stat st;
  const char *there = in_folder(folder, path, arena);
  return stat(there, &st) == 0 ? there : path;
}

/* Sorts what compilers are to be given. */
static void sort_flags(const tp_option_paths *flags, const char *folder, tp_arena *arena,
                       tp_compile_unit *u) {
  static const char *const of_folders[] = {"-I", "-isystem", "-iquote", "-idirafter", NULL},
                           *const of_macros[] = {"-D", "-U", "-include", NULL};
  for (size_t i = 0; i < flags->n; i++) {
    const char *flag = flags->at[i], *value = i + 1 < flags->n ? flags->at[i + 1] : "";
    const char head[3] = {flag[0], flag[0] ? flag[1] : 0, 0};
    if (is_one_of(flag, of_folders)) {
      tp_vec_push(&u->folders, flag);
      tp_vec_push(&u->folders, in_folder(folder, value, arena));
      i++;
    } else if (strcmp(head, "-I") == 0) {
      tp_vec_push(&u->folders, "-I");
      tp_vec_push(&u->folders, in_folder(folder, flag + 2, arena));
    } else if (is_one_of(flag, of_macros)) {
      tp_vec_push(&u->macros, flag);
      tp_vec_push(&u->macros, flag[1] == 'i' ? included(folder, value, arena) : value);
      i++;
    } else if (strcmp(head, "-D") == 0 || strcmp(head, "-U") == 0) {
      tp_vec_push(&u->macros, flag[1] == 'D' ? "-D" : "-U");
      tp_vec_push(&u->macros, flag + 2);
    } else if (strcmp(flag, "-imacros") == 0) {
      tp_vec_push(&u->dialect, flag);
      tp_vec_push(&u->dialect, included(folder, value, arena));
      i++;
    } else {
      tp_vec_push(&u->dialect, flag);
    }
  }
}

/* argv[0] is the compiler; the source and what it becomes are known. */
static void take_flags(const tp_option_paths *words, const char *folder, tp_arena *arena,
                       tp_compile_unit *u) {
  tp_option_paths passed = {0};
  tp_str why = {0}, unknown = {0};
  for (size_t i = 1; i < words->n; i++) {
    const char *flag = words->at[i];
    // the data model is an option of its own
    if (flag[0] != '-' || strcmp(flag, "-m32") == 0 || strcmp(flag, "-m64") == 0) continue;
    int used = 0;
    const tp_compiler_flag_answer answer = tp_compiler_flag_take(
        &passed, (int)(words->n - i), (char *const *)words->at + i, &used, &why);
    if (answer == TP_COMPILER_FLAG_UNKNOWN && strcmp(flag, "--") != 0)
      tp_str_printf(&unknown, "%s%s", unknown.n ? " " : "", flag);
    if (answer == TP_COMPILER_FLAG_REFUSED && !u->refused)
      u->refused = tp_arena_printf(arena, "%s: %s", flag, tp_str_text(&why));
    i += (size_t)used;
  }
  if (unknown.n) u->unknown = tp_arena_strdup(arena, tp_str_text(&unknown));
  sort_flags(&passed, folder, arena, u);
  tp_vec_clear(&passed);
  tp_str_clear(&why);
  tp_str_clear(&unknown);
}

void tp_compile_unit_head(const tp_compile_unit *u, tp_str *out) {
  TP_REQUIRE(u && out);
  for (size_t i = 0; i + 1 < u->macros.n; i += 2) {
    const char *flag = u->macros.at[i], *value = u->macros.at[i + 1];
    const char *equals = strchr(value, '=');
    if (strcmp(flag, "-include") == 0)
      tp_str_printf(out, "#include \"%s\"\n", value);
    else if (strcmp(flag, "-U") == 0)
      tp_str_printf(out, "#undef %s\n", value);
    else if (equals)
      tp_str_printf(out, "#define %.*s %s\n", (int)(equals - value), value, equals + 1);
    else
      tp_str_printf(out, "#define %s 1\n", value);
  }
}

// ----------------------------------------------------------------------- entries

static const char *real_path(const char *path, tp_arena *arena) {
  char *real = realpath(path, NULL);
  const char *out = tp_arena_strdup(arena, real ? real : path);
  free(real);
  return out;
}

static bool is_c(const char *file) {
  const size_t n = strlen(file);
  return n > 2 && (strcmp(file + n - 2, ".c") == 0 || strcmp(file + n - 2, ".i") == 0);
}

static bool has_unit(const tp_compile_database *d, const char *file) {
  for (size_t i = 0; i < d->n; i++)
    if (strcmp(d->at[i].file, file) == 0) return true;
  return false;
}

/* False: it is no entry; `why` says so. */
static bool add_entry(const json_t *entry, const char *base, tp_arena *arena,
                      tp_compile_database *out, tp_str *why) {
  const char *file = json_string_value(json_object_get(entry, "file")),
             *folder = json_string_value(json_object_get(entry, "directory")),
             *command = json_string_value(json_object_get(entry, "command"));
  const json_t *arguments = json_object_get(entry, "arguments");
  if (!file || (!command && !json_is_array(arguments))) {
    tp_str_add(why, "an entry has no file, or neither command nor arguments");
    return false;
  }
  folder = folder ? in_folder(base, folder, arena) : base;
  tp_compile_unit u = {.file = real_path(in_folder(folder, file, arena), arena)};
  if (!is_c(u.file) || has_unit(out, u.file)) return true;
  tp_option_paths words = {0};
  size_t i;
  json_t *word;
  if (json_is_array(arguments)) {
    json_array_foreach(arguments, i, word) if (json_is_string(word))
        tp_vec_push(&words, tp_arena_strdup(arena, json_string_value(word)));
  } else {
    split(command, arena, &words);
  }
  take_flags(&words, folder, arena, &u);
  tp_vec_clear(&words);
  tp_vec_push(out, u);
  return true;
}

/* The folder of a file, absolute. */
static const char *folder_of(const char *file, tp_arena *arena) {
  const char *real = real_path(file, arena), *slash = strrchr(real, '/');
  return slash && slash > real ? tp_arena_strndup(arena, real, (size_t)(slash - real)) : "/";
}

tp_status tp_compile_database_read(const char *path, tp_arena *arena, tp_compile_database *out,
                                   tp_str *why) {
  TP_REQUIRE(path && arena && out && why);
  struct stat st;
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    path = tp_arena_printf(arena, "%s/compile_commands.json", path);
  tp_str text = {0};
  if (tp_read_file(path, &text) != TP_OK) {
    tp_str_printf(why, "%s: %s", path, strerror(errno));
    return TP_ERR_INPUT;
  }
  json_error_t error;
  json_t *root = json_loadb(tp_str_text(&text), text.n, 0, &error), *entry;
  tp_str_clear(&text);
  size_t i;
  bool ok = json_is_array(root);
  if (!root)
    tp_str_printf(why, "%s:%d:%d: %s", path, error.line, error.column, error.text);
  else if (!ok)
    tp_str_printf(why, "%s: no list of entries", path);
  if (ok) json_array_foreach(root, i, entry) {
      tp_str reason = {0};
      ok = ok && add_entry(entry, folder_of(path, arena), arena, out, &reason);
      if (reason.n) tp_str_printf(why, "%s: entry %zu: %s", path, i + 1, tp_str_text(&reason));
      tp_str_clear(&reason);
    }
  json_decref(root);
  if (ok && out->n == 0) tp_str_printf(why, "%s: no unit of C", path), ok = false;
  return ok ? TP_OK : TP_ERR_INPUT;
}

void tp_compile_database_clear(tp_compile_database *d) {
  for (size_t i = 0; i < d->n; i++) {
    tp_vec_clear(&d->at[i].folders);
    tp_vec_clear(&d->at[i].macros);
    tp_vec_clear(&d->at[i].dialect);
  }
  tp_vec_clear(d);
}
