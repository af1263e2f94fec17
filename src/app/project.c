/* Which units of a build are one program. Units are compiled to see what they define and need, in a
 * process of its own below the guard: sources of a project are input like any other. */
#include "app/project.h"

#include "app/app_limits.h"
#include "app/compile_database.h"
#include "app/exit.h"
#include "app/process_guard.h"
#include "app/several.h"
#include "base/process.h"
#include "front/symbols.h"
#include "report/json_text.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum { LEFT_OUT, NAMED, LINKED } choice;

typedef struct {
  const tp_options *o;
  const tp_compile_database *database;
  uint8_t *chosen;  // a `choice` for each unit; shared with the process that chooses
  tp_front_symbols *symbols;
  bool *is_read, *is_broken;
  tp_arena arena;
} selection;

// ----------------------------------------------------------------------- symbols

static void push_all(tp_option_paths *to, const tp_option_paths *from) {
  for (size_t i = 0; i < from->n; i++) tp_vec_push(to, from->at[i]);
}

/* What a unit defines and needs; nothing where it cannot be compiled, which is said. */
static const tp_front_symbols *symbols_of(selection *s, size_t i) {
  if (s->is_read[i]) return &s->symbols[i];
  s->is_read[i] = true;
  const tp_compile_unit *u = &s->database->at[i];
  tp_option_paths flags = {0};
  push_all(&flags, &s->o->clang_args);
  push_all(&flags, &u->dialect);
  push_all(&flags, &u->macros);
  push_all(&flags, &u->folders);
  tp_front_options front = tp_options_front(s->o, TP_P_UNREACH_CALL);
  front.clang_args = (const char *const *)flags.at;
  front.n_clang_args = flags.n;
  tp_str messages = {0};
  s->is_broken[i] =
      tp_front_symbols_read(&front, u->file, &s->arena, &s->symbols[i], &messages) != TP_OK;
  if (s->is_broken[i] && s->chosen[i])
    fputs(tp_str_text(&messages), stderr);
  else if (s->is_broken[i])
    fprintf(stderr, "Note: %s cannot be compiled and is left out: %.*s\n", u->file,
            (int)strcspn(tp_str_text(&messages), "\n"), tp_str_text(&messages));
  tp_str_clear(&messages);
  tp_vec_clear(&flags);
  return &s->symbols[i];
}

static bool has_name(const char *const *names, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static bool defines(selection *s, size_t i, const char *name) {
  const tp_front_symbols *of_unit = symbols_of(s, i);
  return has_name(of_unit->defined.at, of_unit->defined.n, name);
}

// ------------------------------------------------------------------------ choice

/* The unit of this path; units.n: there is none. */
static size_t unit_of(const tp_compile_database *d, const char *path) {
  char *real = realpath(path, NULL);
  size_t i = 0;
  while (i < d->n && strcmp(d->at[i].file, real ? real : path) != 0) i++;
  free(real);
  return i;
}

/* Those that users named; false: one is no unit. */
static bool choose_named(selection *s) {
  const tp_compile_database *d = s->database;
  for (size_t i = 0; i < s->o->files.n; i++) {
    const size_t at = unit_of(d, s->o->files.at[i]);
    if (at < d->n) {
      s->chosen[at] = NAMED;
      continue;
    }
    fprintf(stderr, "twoproof: %s is none of the %zu units of %s, such as %s\n", s->o->files.at[i],
            d->n, s->o->project, d->at[0].file);
    return false;
  }
  return true;
}

/* The one unit that defines main, or the function that is the entry. */
static bool choose_by_name(selection *s, const char *name) {
  tp_str others = {0};
  size_t n = 0;
  for (size_t i = 0; i < s->database->n; i++) {
    if (!defines(s, i, name)) continue;
    if (n++ == 0) s->chosen[i] = NAMED;
    tp_str_printf(&others, "\n  %s", s->database->at[i].file);
  }
  const bool is_main = strcmp(name, "main") == 0;
  if (n == 0)
    fprintf(stderr, "twoproof: no unit of %s defines %s%s\n", s->o->project, name,
            is_main ? "; --entry=FUNC verifies a function, --all-functions all of them" : "");
  else if (n > 1)
    fprintf(stderr, "twoproof: several units define %s; name the file that is meant:%s\n", name,
            tp_str_text(&others));
  tp_str_clear(&others);
  return n == 1;
}

/* The first unit that defines the name. A unit with main is a program of its own. */
static size_t definer_of(selection *s, const char *name) {
  size_t i = 0;
  while (i < s->database->n && (!defines(s, i, name) || defines(s, i, "main"))) i++;
  return i;
}

/* Units that define what the chosen ones need, and so on. */
static void choose_needed(selection *s) {
  const tp_compile_database *d = s->database;
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < d->n; i++) {
      const tp_front_symbols *of_unit = s->chosen[i] ? symbols_of(s, i) : NULL;
      for (size_t k = 0; of_unit && k < of_unit->needed.n; k++) {
        bool is_there = false;
        for (size_t j = 0; j < d->n && !is_there; j++)
          is_there = s->chosen[j] && defines(s, j, of_unit->needed.at[k]);
        const size_t by = is_there ? d->n : definer_of(s, of_unit->needed.at[k]);
        if (by == d->n) continue;
        s->chosen[by] = LINKED;
        again = true;
      }
    }
  }
}

static int choose_below_guard(void *ctx, int channel) {
  (void)channel;
  selection *s = ctx;
  const size_t n = s->database->n;
  s->symbols = tp_arena_array(&s->arena, tp_front_symbols, n);
  s->is_read = tp_arena_array(&s->arena, bool, n);
  s->is_broken = tp_arena_array(&s->arena, bool, n);
  memset(s->symbols, 0, n * sizeof *s->symbols);
  memset(s->is_read, 0, n);
  memset(s->is_broken, 0, n);
  bool ok = s->o->files.n     ? choose_named(s)
            : s->o->entry[0]  ? choose_by_name(s, s->o->entry)
            : s->o->module[0] ? false
                              : choose_by_name(s, "main");
  if (!s->o->files.n && s->o->module[0])
    fputs("twoproof: --module is about one file: name it\n", stderr);
  if (ok) choose_needed(s);
  for (size_t i = 0; i < n; i++) {
    ok = ok && !(s->chosen[i] && s->is_broken[i]);
    tp_front_symbols_clear(&s->symbols[i]);
  }
  tp_arena_clear(&s->arena);
  return ok ? 0 : TP_EXIT_INPUT;
}

/* In a process of its own: temporary files of a guard are removed with it. */
static int choose(selection *s) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0)
    exit(tp_guard_run(
        choose_below_guard, s,
        (tp_guard_limits){.cpu_s = s->o->timelimit, .memory_bytes = (s->o->memlimit << 20) * 2}));
  return tp_guard_wait(pid);
}

// ------------------------------------------------------------------------- flags

static bool is_equal(const tp_option_paths *a, const tp_option_paths *b) {
  bool equal = a->n == b->n;
  for (size_t i = 0; equal && i < a->n; i++) equal = strcmp(a->at[i], b->at[i]) == 0;
  return equal;
}

/* The folder is there already with the same kind of flag. */
static bool has_folder(const tp_option_paths *args, const char *flag, const char *folder) {
  for (size_t i = 0; i + 1 < args->n; i++)
    if (strcmp(args->at[i], flag) == 0 && strcmp(args->at[i + 1], folder) == 0) return true;
  return false;
}

/* Flags of one unit that the others do not have are no flags of a program. */
static bool fits(const tp_compile_unit *u, const tp_compile_unit *first) {
  if (u->refused)
    fprintf(stderr, "twoproof: %s is compiled with %s\n", u->file, u->refused);
  else if (!is_equal(&u->dialect, &first->dialect)) {
    tp_str text = {0};
    for (size_t i = 0; i < u->dialect.n; i++) tp_str_printf(&text, " %s", u->dialect.at[i]);
    tp_str_printf(&text, "%s, %s with", u->dialect.n ? "" : " no flags", first->file);
    for (size_t i = 0; i < first->dialect.n; i++) tp_str_printf(&text, " %s", first->dialect.at[i]);
    fprintf(stderr,
            "twoproof: files of one program are compiled alike here: %s is compiled with%s%s\n",
            u->file, tp_str_text(&text), first->dialect.n ? "" : " none");
    tp_str_clear(&text);
  } else {
    return true;
  }
  return false;
}

/* Files and flags of the chosen units become those of the options. */
static bool take(tp_options *o, const selection *s) {
  const tp_compile_database *d = s->database;
  const tp_compile_unit *first = NULL;
  bool has_own_macros = false;
  tp_vec_clear(&o->files);
  for (int kind = NAMED; kind <= LINKED; kind++)
    for (size_t i = 0; i < d->n; i++) {
      const tp_compile_unit *u = &d->at[i];
      if (s->chosen[i] != kind) continue;
      if (!first) push_all(&o->clang_args, &u->dialect);
      if (!first) first = u;
      if (!fits(u, first)) return false;
      has_own_macros |= !is_equal(&u->macros, &first->macros);
      for (size_t k = 0; k + 1 < u->folders.n; k += 2) {
        if (has_folder(&o->clang_args, u->folders.at[k], u->folders.at[k + 1])) continue;
        tp_vec_push(&o->clang_args, u->folders.at[k]);
        tp_vec_push(&o->clang_args, u->folders.at[k + 1]);
      }
      if (u->unknown)
        fprintf(stderr, "Note: flags of %s that are not known here: %s\n", u->file, u->unknown);
      tp_vec_push(&o->files, u->file);
      o->n_linked += kind == LINKED;
    }
  TP_INVARIANT(first);
  if (!has_own_macros) push_all(&o->clang_args, &first->macros);
  for (size_t k = 0; has_own_macros && k < o->files.n; k++) {
    const char *slash = strrchr(o->files.at[k], '/');
    tp_vec_push(&o->clang_args, "-iquote");  // a copy is compiled: its neighbours are here
    tp_vec_push(&o->clang_args,
                tp_arena_strndup(&o->arena, o->files.at[k], (size_t)(slash - o->files.at[k])));
    tp_str head = {0};
    tp_compile_unit_head(&d->at[unit_of(d, o->files.at[k])], &head);
    tp_vec_push(&o->heads, tp_arena_strdup(&o->arena, tp_str_text(&head)));
    tp_str_clear(&head);
  }
  return true;
}

static void say_linked(const tp_options *o) {
  for (size_t i = o->files.n - o->n_linked; i < o->files.n; i++)
    fprintf(stderr, "%s%s%s",
            i == o->files.n - o->n_linked ? "Note: linked from the project: " : "", o->files.at[i],
            i + 1 < o->files.n ? ", " : "\n");
}

// -------------------------------------------------------------------------- uses

static uint8_t *shared_bytes(size_t n) {
  uint8_t *bytes = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) tp_out_of_memory(n);
  return bytes;
}

static int read_database(tp_options *o, tp_compile_database *d) {
  tp_str why = {0};
  const tp_status st = tp_compile_database_read(o->project, &o->arena, d, &why);
  if (st != TP_OK)
    fprintf(stderr, "twoproof: --project: %s\n%s", tp_str_text(&why),
            access(o->project, R_OK) == 0
                ? "CMake writes compile_commands.json with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON; "
                  "make CC=\"twoproof cc\" writes it, too\n"
                : "");
  tp_str_clear(&why);
  return st == TP_OK ? 0 : TP_EXIT_INPUT;
}

int tp_project_prepare(tp_options *o) {
  TP_REQUIRE(o);
  if (!o->project[0] || o->is_project_read) return 0;
  tp_compile_database d = {0};
  int status = read_database(o, &d);
  if (status == 0) {
    selection s = {.o = o, .database = &d, .chosen = shared_bytes(d.n)};
    status = choose(&s);
    o->is_project_read = true;
    o->n_own_args = o->clang_args.n;
    if (status == 0 && !take(o, &s)) status = TP_EXIT_INPUT;
    if (status == 0) say_linked(o);
    (void)munmap(s.chosen, d.n);
  }
  tp_compile_database_clear(&d);
  return status;
}

/* One unit in a process of its own: its files and flags are not those of the next. */
static int check_unit(tp_options *o, const char *file, int (*check)(tp_options *o)) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    tp_vec_push(&o->files, file);
    const int status = tp_project_prepare(o);
    exit(status ? status : check(o));
  }
  return tp_guard_wait(pid);
}

/* The start of a unit's object; what is checked in it is one document. */
static void print_unit_name(const char *file, bool is_first) {
  json_t *name = tp_json_text(file);
  char *text = json_dumps(name, JSON_ENCODE_ANY);
  printf("%s{\"unit\": %s, \"module\":\n", is_first ? "" : ",\n", text ? text : "\"\"");
  free(text);
  json_decref(name);
}

int tp_project_check_units(tp_options *o, int (*check)(tp_options *o)) {
  TP_REQUIRE(o && check && !o->files.n);
  tp_compile_database d = {0};
  int worst = read_database(o, &d);
  const char *output = o->output;
  const bool is_json = strcmp(o->format, "json") == 0;
  if (is_json) fputs("{\"units\": [\n", stdout);
  for (size_t i = 0; worst != TP_EXIT_USAGE && i < d.n; i++) {
    if (is_json)
      print_unit_name(d.at[i].file, i == 0);
    else
      printf("%sUNIT: %s\n", i ? "\n" : "", d.at[i].file);
    if (output[0]) {
      if (!i) (void)mkdir(output, 0777);
      o->output = tp_arena_printf(&o->arena, "%s/unit%zu", output, i + 1);
    }
    worst = tp_several_worse(worst, check_unit(o, d.at[i].file, check));
    if (is_json) printf("}");
  }
  if (is_json) printf("\n], \"status\": %d}\n", worst);
  o->output = output;
  tp_compile_database_clear(&d);
  return worst;
}
