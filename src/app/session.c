/* One program and property from load to verdict: the model, attempts of engines, their evidence
 * and what confirmation said of it. */
#include "app/session.h"

#include "app/exit.h"
#include "app/property.h"
#include "base/beside.h"
#include "base/fault.h"
#include "base/files.h"
#include "front/front.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

void tp_attempt_init(tp_attempt *a, const char *engine) {
  memset(a, 0, sizeof *a);
  tp_result_init(&a->result);
  a->engine = engine;
}

void tp_attempt_clear(tp_attempt *a) {
  tp_result_clear(&a->result);
  tp_str_clear(&a->reason);
  tp_str_clear(&a->hint);
  tp_str_clear(&a->evidence);
  tp_str_clear(&a->path);
  tp_chk_native_report_clear(&a->native);
  tp_vec_clear(&a->assumptions);
}

void tp_session_init(tp_session *s, const tp_options *o) {
  memset(s, 0, sizeof *s);
  s->o = o;
  s->live_before = tp_live_bytes();
  s->started_s = tp_wall_s();
  s->diag = tp_diag_new(stderr, tp_options_colour(o));
  tp_attempt_init(&s->now, o->engine);
  s->budget = (tp_run_budget){.limit_s = o->timelimit, .memory_bytes = o->memlimit << 20};
  tp_heartbeat_init(&s->budget.heartbeat, o->verbose);
}

void tp_session_clear(tp_session *s) {
  tp_attempt_clear(&s->now);
  if (s->program) tp_program_free(s->program);
  tp_monitors_clear(&s->monitors);
  tp_shape_library_clear(&s->shape_classes);
  tp_diag_free(s->diag);
  tp_vec_clear(&s->findings);
  tp_board_clear(&s->board);
  tp_vec_clear(&s->unconfirmed);
  tp_vec_clear(&s->known);
  tp_vec_clear(&s->candidates);
  tp_vec_clear(&s->claims);
  tp_arena_clear(&s->arena);
  TP_INVARIANT(tp_live_bytes() == s->live_before);
#ifdef __SANITIZE_ADDRESS__
  __lsan_do_leak_check();  // the process ends without exit handlers
#endif
}

void tp_session_give_up(tp_session *s, const char *fmt, ...) {
  TP_REQUIRE(fmt && fmt[0]);
  char text[1000];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  s->now.verdict = TP_VERDICT_UNKNOWN;
  tp_str_clear(&s->now.reason);
  tp_str_add(&s->now.reason, text);
}

void tp_session_add_json(tp_session *s, const char *members) {
  TP_REQUIRE(members && members[0]);
  const char *before = s->extra_json;
  s->extra_json =
      tp_arena_printf(&s->arena, "%s%s%s", before ? before : "", before ? ", " : "", members);
}

void tp_session_exempt_known(tp_session *s) {
  TP_REQUIRE(s && s->program);
  for (size_t i = 0; i < s->known.n; i++) tp_exempt_error(s->program, s->known.at[i], s->property);
}

static bool files_are_readable(const tp_options *o) {
  for (size_t i = 0; i < o->files.n; i++) {
    struct stat st;
    const char *path = o->files.at[i];
    if (tp_intake_text(path)) continue;
    bool ok = stat(path, &st) == 0 && access(path, R_OK) == 0;
    if (!ok)
      fprintf(stderr, "twoproof: %s: %s\n", path, strerror(errno));
    else if (S_ISDIR(st.st_mode))
      fprintf(stderr, "twoproof: %s: is a directory\n", path);
    if (!ok || S_ISDIR(st.st_mode)) return false;
  }
  return true;
}

static tp_malloc_policy malloc_policy(const char *word) {
  if (strcmp(word, "may-fail") == 0) return TP_MALLOC_MAY_FAIL;
  return strcmp(word, "zeroed") == 0 ? TP_MALLOC_ZEROED : TP_MALLOC_NEVER_FAILS;
}

/* Sources of the library models, but for those that native builds cannot use. */
static void find_models(tp_session *s) {
  char folder[4096];
  glob_t g;
  if (!tp_find_own_folder("libc/src/tp_model.h", folder, sizeof folder) ||
      glob(tp_arena_printf(&s->arena, "%s/libc/src/*.c", folder), 0, NULL, &g) != 0)
    return;
  s->models = tp_arena_array(&s->arena, const char *, g.gl_pathc);
  for (size_t k = 0; k < g.gl_pathc; k++)
    if (!strstr(g.gl_pathv[k], "/math.c"))
      s->models[s->n_models++] = tp_arena_strdup(&s->arena, g.gl_pathv[k]);
  globfree(&g);
}

tp_chk_native_request tp_session_native(const tp_session *s) {
  return (tp_chk_native_request){.program = s->program,
                                 .files = (const char *const *)s->o->files.at,
                                 .n_files = s->o->files.n,
                                 .options = (const char *const *)s->o->clang_args.at,
                                 .n_options = s->o->clang_args.n,
                                 .models = s->models,
                                 .n_models = s->n_models,
                                 .inputs = &s->now.result.inputs,
                                 .left_s = tp_budget_left_s(&s->budget),
                                 .memory_bytes = s->budget.memory_bytes,
                                 .monitors = s->o->monitor[0] ? &s->monitors : NULL};
}

double tp_session_native_wall_s(const tp_session *s, double busy_s) {
  const double least_s = s->native_hangs ? 1 : 2,
               left_s = s->o->timelimit - (tp_wall_s() - s->started_s),
               half_s = left_s > 0 ? left_s / 2 : 0;
  if (s->o->timelimit <= 0 && !s->native_hangs) return 0;
  const double most_s = s->native_hangs || half_s < least_s ? least_s : half_s;
  return most_s + 4 * busy_s;
}

/* Something unsupported that no slice can avoid. */
static bool is_hopeless(tp_session *s) {
  for (size_t i = 1; i < s->program->unsupported.n; i++) {
    const tp_unsupported *u = &s->program->unsupported.at[i];
    if (u->loc.id) continue;
    tp_diag_say(s->diag, TP_ERROR, u->pos, "unsupported", "%s", u->what);
    tp_session_give_up(s, "unsupported: %s", u->what);
    s->now.result.obstacle = (tp_obstacle){.kind = TP_OBSTACLE_CONSTRUCT, .pos = u->pos};
    return true;
  }
  return false;
}

/* Do the errors of all monitors count for the property in force? Names that keep pointers would
 * hide lost memory. */
static bool monitors_fit(tp_session *s) {
  for (size_t i = 0; i < s->monitors.list.n; i++) {
    const tp_monitor *m = &s->monitors.list.at[i];
    const char *asked = tp_property_name(s->property);
    if (!tp_property_covers(s->property, m->property))
      tp_diag_say(s->diag, TP_ERROR, m->pos, "monitor",
                  "errors of monitor %s violate %s, but --property asks for %s", m->name,
                  tp_property_name(m->property), asked);
    else if (m->names.n > 0 && tp_property_covers(s->property, TP_P_VALID_MEMTRACK))
      tp_diag_say(s->diag, TP_ERROR, m->pos, "monitor",
                  "monitor %s keeps values, which could hide lost memory: not with %s", m->name,
                  asked);
    else
      continue;
    return false;
  }
  return true;
}

/* False: there is no reading the monitors, which has been said. */
static bool read_monitors(tp_session *s) {
  if (!s->o->monitor[0]) return true;
  tp_status st = tp_monitors_read(&s->monitors, s->o->monitor, s->diag);
  if (st == TP_ERR_SYSTEM)
    fprintf(stderr, "twoproof: monitor %s: %s\n", s->o->monitor, strerror(errno));
  return st == TP_OK && monitors_fit(s);
}

/* False: a class cannot be used, which has been said. */
static bool read_shape_classes(tp_session *s) {
  tp_shape_library *library = &s->shape_classes;
  if (s->o->shape_class.n == 0) return true;
  for (size_t i = 0; i < s->o->shape_class.n; i++) {
    const tp_status st = tp_shape_library_add(library, s->o->shape_class.at[i], s->diag);
    if (st == TP_ERR_SYSTEM)
      fprintf(stderr, "twoproof: shape class %s: %s\n", s->o->shape_class.at[i], strerror(errno));
    if (st != TP_OK) return false;
  }
  const tp_status st = tp_shape_library_read_standard(library, s->diag);
  if (st == TP_ERR_SYSTEM)
    fputs("twoproof: lib/shape is not where this program expects it\n", stderr);
  return st == TP_OK;
}

tp_absent_scope tp_session_openness(const tp_session *s, tp_property violated) {
  if (strcmp(s->o->missing, "any") == 0) return TP_SCOPE_INPUTS;
  return violated == TP_P_VALID_MEMTRACK || violated == TP_P_VALID_MEMCLEANUP ? TP_SCOPE_RETENTION
                                                                              : TP_SCOPE_FUNCTIONS;
}

/* What a header of the system declares is of the C library if that has it. Of variables nobody
 * knows where they are declared. */
static void check_absence(tp_program *p) {
  for (size_t i = 1; i < p->vars.n; i++) {
    tp_var_info *v = &p->vars.at[i];
    if (v->absence == TP_ABSENT && tp_chk_native_has_variable(v->name))
      v->absence = TP_ABSENT_IN_SYSTEM;
  }
  for (size_t i = 1; i < p->statics.n; i++) {
    tp_static *o = &p->statics.at[i];
    if (o->absence == TP_ABSENT && tp_chk_native_has_variable(o->name))
      o->absence = TP_ABSENT_IN_SYSTEM;
  }
  for (size_t i = 1; i < p->funcs.n; i++) {
    tp_func_info *f = &p->funcs.at[i];
    if (f->absence == TP_ABSENT_IN_SYSTEM && !tp_chk_native_has_library(f->name))
      f->absence = TP_ABSENT;
  }
}

int tp_session_cannot_load(tp_session *s, tp_status st) {
  const bool is_too_much = st == TP_ERR_LIMIT && !tp_process_interrupted(),
             is_input = st == TP_ERR_INPUT || st == TP_ERR_UNSUPPORTED;
  s->bad_input = is_input && !tp_process_interrupted();
  if (tp_process_interrupted())
    tp_session_give_up(s, "interrupted");
  else if (is_too_much)
    tp_session_give_up(s,
                       "the source needs more time or memory to be compiled than the limits allow");
  else if (st == TP_ERR_SYSTEM)
    tp_session_give_up(s, "the compiler could not be run");
  if (tp_process_interrupted() || is_too_much) return TP_EXIT_UNKNOWN;
  return is_input ? TP_EXIT_INPUT : st == TP_ERR_SYSTEM ? TP_EXIT_MISSING : TP_EXIT_INTERNAL;
}

tp_front_options tp_session_front(const tp_session *s) {
  const tp_options *o = s->o;
  tp_front_options front = tp_options_front(o, s->property);
  front.malloc_policy = malloc_policy(o->malloc);
  front.promotes_objects =
      (o->command & (TP_FOR_CHECK | TP_FOR_DUMP)) != 0 && strcmp(o->places, "variables") == 0;
  front.monitors = o->monitor[0] ? (tp_monitors *)(uintptr_t)&s->monitors : NULL;
  if (o->timelimit > 0) front.clang_cpu_s = (uint32_t)o->timelimit + 1;
  return front;
}

int tp_session_load(tp_session *s) {
  const tp_options *o = s->o;
  tp_str why = {0};
  tp_status st = tp_property_of_argument(o->property, &s->property, &why);
  if (st != TP_OK) fprintf(stderr, "twoproof: %s\n", tp_str_text(&why));
  tp_str_clear(&why);
  if (st != TP_OK) return TP_EXIT_USAGE;
  tp_fault_enter_phase("load");
  s->bad_input = true;
  tp_session_give_up(s, "the input cannot be read");
  if (!files_are_readable(o) || !read_monitors(s) || !read_shape_classes(s)) return TP_EXIT_INPUT;
  const tp_front_options front = tp_session_front(s);
  tp_session_give_up(s, "the program cannot be compiled and linked, see standard error");
  st = tp_front_load(&front, s->diag, &s->program);
  if (st != TP_OK || tp_process_interrupted()) return tp_session_cannot_load(s, st);
  check_absence(s->program);
  if (!s->program->main.id) {
    fprintf(stderr, "twoproof: no function main in %s%s\n", o->files.at[0],
            o->files.n > 1 ? " ..." : "");
    tp_session_give_up(s, "no function main");
    return TP_EXIT_INPUT;
  }
  if (is_hopeless(s)) return TP_EXIT_INPUT;
  find_models(s);
  s->bad_input = false;
  tp_session_give_up(s, "nothing was tried");
  return 0;
}
