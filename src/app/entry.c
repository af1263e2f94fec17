/* A function as the entry: finds it in the model of the files without main, writes its environment
 * and lets the environment stand for the file that it includes. */
#include "app/entry.h"

#include "app/app_limits.h"
#include "app/exit.h"
#include "app/made_source.h"
#include "app/options_intake.h"
#include "app/process_guard.h"
#include "app/requires.h"
#include "app/several.h"
#include "base/files.h"
#include "front/clang.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char tp_entry_properties[] = "unreach-call,valid-deref,valid-free,undefined";

// ----------------------------------------------------------------------- finding

static bool is_entry(const tp_func_info *f) {
  return f->has_body && !f->is_model && f->type.id && strcmp(f->name, "main") != 0 &&
         !tp_front_is_asked(f->name);
}

/* The function of this name, exported or not; its number, or 0. */
static uint32_t find(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (is_entry(&p->funcs.at[i]) && strcmp(p->funcs.at[i].name, name) == 0) return i;
  return 0;
}

/* Which of the files has the function; files.n: one that is included somewhere. */
static size_t file_of(const tp_options *o, const tp_diag *diag, const tp_func_info *f) {
  char *of_function = realpath(tp_diag_path_as_given(diag, f->pos.file), NULL);
  size_t i = 0;
  for (; i < o->files.n; i++) {
    char *path = realpath(o->files.at[i], NULL),  // lines of a copy have the name of the source
        *copy = realpath(tp_intake_compiled(o->files.at[i]), NULL);
    const bool is_it = of_function && ((path && strcmp(path, of_function) == 0) ||
                                       (copy && strcmp(copy, of_function) == 0));
    free(path);
    free(copy);
    if (is_it) break;
  }
  free(of_function);
  return i < o->files.n || o->files.n > 1 ? i : 0;
}

bool tp_entry_is_listed(const tp_options *o, const tp_diag *diag, const tp_func_info *f) {
  return is_entry(f) && file_of(o, diag, f) < o->files.n - o->n_linked;
}

static tp_status load(const tp_options *o, tp_diag *diag, tp_program **p, uint32_t *n_exported) {
  tp_front_options front = tp_options_front(o, TP_P_UNREACH_CALL);
  if (o->timelimit > 0) front.clang_cpu_s = (uint32_t)o->timelimit + 1;
  return tp_front_load_module(&front, diag, p, n_exported);
}

// ------------------------------------------------------------------- environment

static tp_environment_options environment_of(const tp_options *o) {
  return (tp_environment_options){.depth = (uint32_t)o->cells,
                                  .elements = (uint32_t)o->elements,
                                  .has_null = o->nulls,
                                  .has_aliases = o->aliases,
                                  .has_any_globals = strcmp(o->globals, "any") == 0,
                                  .operations = (uint32_t)o->operations};
}

/* What the compiler sees of the file; nothing, where it cannot say so. */
static void preprocess(const tp_options *o, const char *file, tp_str *out) {
  const tp_front_options front = tp_options_front(o, TP_P_UNREACH_CALL);
  tp_str messages = {0};
  if (tp_clang_preprocess(&front, file, out, &messages) != TP_OK) tp_str_clear(out);
  tp_str_clear(&messages);
}

/* Has the text read in place of the file. */
static tp_status use(tp_options *o, const tp_str *text, size_t file, tp_arena *arena) {
  const char *path = tp_made_source(o, "entry.c", text, arena);
  if (path) o->files.at[file] = path;
  return path ? TP_OK : TP_ERR_INPUT;
}

const char *tp_entry_environment(const tp_options *o, const tp_diag *diag, const tp_program *p,
                                 uint32_t number, uint32_t n_exported, tp_arena *arena,
                                 tp_str *text, tp_environment_assumptions *assumptions) {
  const size_t at = file_of(o, diag, &p->funcs.at[number]);
  char *file = at < o->files.n ? realpath(tp_intake_compiled(o->files.at[at]), NULL) : NULL;
  tp_environment_options options = environment_of(o);
  options.keeps_objects = strcmp(o->malloc, "may-fail") == 0;
  options.has_made = n_exported > 0;
  options.n_exported = n_exported;
  options.structures = n_exported > 0 ? o->structures : NULL;
  options.probed = o->probed;
  options.precondition = tp_requires_of(o, p->funcs.at[number].name, arena);
  const char *missing = NULL;
  tp_str seen = {0};
  if (file && options.has_made) preprocess(o, o->files.at[at], &seen);
  options.seen = tp_str_text(&seen);
  if (!file)
    missing = "it stands in none of the files that were given";
  else if (!tp_is_includable(file))
    missing = "its file cannot be included: the name has quotes or line ends";
  else
    missing = tp_environment_write(p, (tp_func){number}, file, &options, arena, text, assumptions);
  free(file);
  tp_str_clear(&seen);
  return missing;
}

const char *tp_entry_open(const tp_options *o, tp_diag *diag, tp_arena *arena, tp_entry_module *m) {
  TP_REQUIRE(o && diag && arena && m);
  *m = (tp_entry_module){.options = environment_of(o)};
  if (load(o, diag, &m->p, &m->n_exported) != TP_OK) return "its files cannot be read";
  m->func = (tp_func){find(m->p, o->entry)};
  if (!m->func.id) return "there is no such function";
  m->at = file_of(o, diag, &m->p->funcs.at[m->func.id]);
  char *file = m->at < o->files.n ? realpath(tp_intake_compiled(o->files.at[m->at]), NULL) : NULL;
  m->file = file ? tp_arena_strdup(arena, file) : NULL;
  free(file);
  if (!m->file || !tp_is_includable(m->file)) return "its file cannot be included";
  tp_str seen = {0};
  preprocess(o, o->files.at[m->at], &seen);
  m->seen = tp_arena_strdup(arena, tp_str_text(&seen));
  tp_str_clear(&seen);
  m->options.has_made = true;
  m->options.n_exported = m->n_exported;
  m->options.seen = m->seen;
  return NULL;
}

static tp_status write_environment(tp_options *o, const tp_diag *diag, const tp_program *p,
                                   uint32_t number, uint32_t n_exported, tp_arena *arena,
                                   tp_environment_assumptions *assumptions) {
  const tp_func_info *f = &p->funcs.at[number];
  tp_str text = {0};
  const char *missing =
      tp_entry_environment(o, diag, p, number, n_exported, arena, &text, assumptions);
  tp_status st = TP_OK;
  if (missing) {
    if (!n_exported || strcmp(o->arguments, "calls") == 0)
      fprintf(stderr, "twoproof: function %s cannot be an entry: %s\n", f->name, missing);
    st = TP_ERR_INPUT;
  } else if (o->harness) {
    for (size_t i = 0; i < assumptions->n; i++) printf("// %s\n", assumptions->at[i]);
    fwrite(tp_str_text(&text), 1, text.n, stdout);
  } else {
    st = use(o, &text, file_of(o, diag, f), arena);
  }
  tp_str_clear(&text);
  return st;
}

tp_status tp_entry_prepare(tp_options *o, tp_entry_arguments how, tp_diag *diag, tp_arena *arena,
                           tp_environment_assumptions *assumptions) {
  TP_REQUIRE(o && o->entry[0] && assumptions);
  tp_program *p = NULL;
  uint32_t n_exported = 0;
  tp_status st = load(o, diag, &p, &n_exported);
  if (st != TP_OK) return st;
  const uint32_t number = find(p, o->entry);
  if (number) {
    st = write_environment(o, diag, p, number, how == TP_ENTRY_BY_CALLS ? n_exported : 0, arena,
                           assumptions);
  } else {
    fprintf(stderr, "twoproof: no function %s with a body in %s%s\n", o->entry, o->files.at[0],
            o->files.n > 1 ? " ..." : "");
    st = TP_ERR_INPUT;
  }
  tp_program_free(p);
  return st;
}

static bool is_of_module(const tp_options *o, const tp_diag *diag, const tp_func_info *f) {
  const char *prefix = strcmp(o->module, "*") == 0 ? "" : o->module;
  return is_entry(f) && strncmp(f->name, prefix, strlen(prefix)) == 0 && file_of(o, diag, f) == 0;
}

/* One name may stand for a function in the source only. */
static void list_calls(const tp_options *o, const tp_diag *diag, const tp_program *p,
                       uint32_t n_exported, tp_entry_calls *calls) {
  for (uint32_t i = 1; i <= n_exported; i++)
    if (is_of_module(o, diag, &p->funcs.at[i]))
      tp_vec_push(calls, (tp_environment_call){.func = {i}});
}

tp_status tp_entry_prepare_module(tp_options *o, tp_diag *diag, tp_arena *arena,
                                  tp_entry_calls *calls, tp_str *stubs) {
  TP_REQUIRE(o && diag && arena && calls && stubs);
  tp_program *p = NULL;
  uint32_t n_exported = 0;
  tp_status st = load(o, diag, &p, &n_exported);
  if (st != TP_OK) return st;
  char *file = realpath(tp_intake_compiled(o->files.at[0]), NULL);
  list_calls(o, diag, p, n_exported, calls);
  tp_environment_options options = environment_of(o);
  options.has_null = true;  // a test may pass null where the function asks for it
  tp_str text = {0};
  uint32_t n = 0;
  const bool can_include = file && tp_is_includable(file);
  if (can_include)
    n = tp_environment_write_module(p, calls->at, calls->n, file, &options, arena, &text, stubs);
  if (n > 0) {
    st = use(o, &text, 0, arena);
  } else {
    fprintf(stderr, "twoproof: %s: %s\n", o->files.at[0],
            can_include ? "no function that other files could call"
                        : "the file cannot be included: its name has quotes or line ends");
    st = TP_ERR_INPUT;
  }
  free(file);
  tp_str_clear(&text);
  tp_program_free(p);
  return st;
}

void tp_entry_assume(tp_session *s, const tp_environment_assumptions *assumptions) {
  for (size_t i = 0; s->program && i < assumptions->n; i++)
    tp_vec_push(&s->program->assumptions,
                tp_arena_printf(&s->program->arena, "%s is called with: %s", s->o->entry,
                                assumptions->at[i]));
}

// ------------------------------------------------------------------ all functions

/* Names of functions, each with its end, in memory that the child and we share. */
typedef struct {
  size_t n;
  char text[TP_APP_ENTRY_BYTES];
} names;

typedef struct {
  tp_options *o;
  names *to;
} listing;

static int list_below_guard(void *ctx, int channel) {
  (void)channel;
  const listing *l = ctx;
  tp_session s;
  tp_session_init(&s, l->o);
  tp_program *p = NULL;
  uint32_t n_exported = 0;
  const tp_status st = load(l->o, s.diag, &p, &n_exported);
  int status = st == TP_OK ? 0 : tp_session_cannot_load(&s, st);
  for (uint32_t i = 1; p && i <= n_exported; i++) {
    const tp_func_info *f = &p->funcs.at[i];
    const size_t length = strlen(f->name) + 1;
    if (!tp_entry_is_listed(l->o, s.diag, f)) continue;
    if (l->to->n + length > sizeof l->to->text) break;
    memcpy(l->to->text + l->to->n, f->name, length);
    l->to->n += length;
  }
  if (p) tp_program_free(p);
  tp_session_clear(&s);
  return status;
}

/* A line for each function, and the counts: n_of[0] hold, n_of[1] fail. */
static void print_table(const names *found, const int *statuses, size_t n, const uint32_t n_of[2]) {
  printf("\nFUNCTIONS:\n");
  size_t i = 0;
  for (const char *name = found->text; i < n; name += strlen(name) + 1, i++)
    printf("  %-12s %s\n", tp_exit_word(statuses[i]), name);
  printf("%zu functions: %u hold, %u fail, %zu are open\n", n, n_of[0], n_of[1],
         n - n_of[0] - n_of[1]);
}

/* One function after the other, as an own run each. */
static int check_each(tp_options *o, const names *found, int (*check)(tp_options *o)) {
  TP_VEC(int) statuses = {0};
  const char *output = o->output;
  const bool is_json = strcmp(o->format, "json") == 0;
  int worst = TP_EXIT_TRUE;
  uint32_t n_of[2] = {0};
  for (const char *name = found->text; name < found->text + found->n; name += strlen(name) + 1) {
    if (is_json)
      printf("%s{\"function\": \"%s\", \"check\":\n", name == found->text ? "" : ",\n", name);
    else
      printf("%sFUNCTION: %s\n", name == found->text ? "" : "\n", name);
    fflush(stdout);
    o->entry = name;
    if (output[0]) {
      (void)mkdir(output, 0777);
      o->output = tp_arena_printf(&o->arena, "%s/%s", output, name);
    }
    const int status = check(o);
    if (is_json) printf("}");
    tp_vec_push(&statuses, status);
    worst = tp_several_worse(worst, status);
    if (status == TP_EXIT_USAGE) break;
  }
  for (size_t i = 0; i < statuses.n; i++) {
    n_of[0] += statuses.at[i] == TP_EXIT_TRUE || statuses.at[i] == TP_EXIT_BOUNDED;
    n_of[1] += statuses.at[i] == TP_EXIT_FALSE;
  }
  if (is_json)
    printf("\n], \"hold\": %u, \"fail\": %u, \"open\": %zu", n_of[0], n_of[1],
           statuses.n - n_of[0] - n_of[1]);
  else
    print_table(found, statuses.at, statuses.n, n_of);
  tp_vec_clear(&statuses);
  return worst;
}

/* In a process of its own: temporary files of a guard are removed with it. */
static int list_functions(tp_options *o, names *found) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    listing l = {o, found};
    if (!tp_options_take_in(o, false)) exit(TP_EXIT_INPUT);
    exit(tp_guard_run(
        list_below_guard, &l,
        (tp_guard_limits){.cpu_s = o->timelimit, .memory_bytes = (o->memlimit << 20) * 2}));
  }
  return tp_guard_wait(pid);
}

int tp_entry_check_all(tp_options *o, int (*check)(tp_options *o)) {
  TP_REQUIRE(o && check);
  names *found =
      mmap(NULL, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (found == MAP_FAILED) tp_out_of_memory(sizeof *found);
  const bool is_json = strcmp(o->format, "json") == 0;
  if (is_json) fputs("{\"functions\": [\n", stdout);
  int status = list_functions(o, found);
  const bool is_listed = status == 0 && found->n > 0;
  if (status == 0 && found->n == 0) {
    fprintf(stderr, "twoproof: no function in %s that other files could call\n", o->files.at[0]);
    status = TP_EXIT_INPUT;
  } else if (is_listed) {
    status = check_each(o, found, check);
  }
  if (is_json) printf("%s, \"status\": %d}\n", is_listed ? "" : "]", status);
  (void)munmap(found, sizeof *found);
  return status;
}
