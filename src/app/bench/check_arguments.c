/* Options of bench that are options of check are passed on. */
#include "app/bench/check_arguments.h"

typedef TP_VEC(const char *) list;

double tp_bench_cpu_s(const tp_options *o) { return o->timelimit > 0 ? o->timelimit : 60; }

static void add(list *l, tp_arena *arena, const char *option, const char *value) {
  if (value[0]) tp_vec_push(l, tp_arena_printf(arena, "--%s=%s", option, value));
}

static void add_number(list *l, tp_arena *arena, const char *option, uint64_t value) {
  tp_vec_push(l, tp_arena_printf(arena, "--%s=%llu", option, (unsigned long long)value));
}

/* Those of engines that split regions, and of compositions. */
static void add_engine_options(const tp_options *o, list *l, tp_arena *arena) {
  for (size_t i = 0; i < o->settings.n; i++) {
    const tp_option_setting *setting = &o->settings.at[i];
    const char *option = strchr(setting->name, '.') ? "set=" : "";
    tp_vec_push(l, tp_arena_printf(arena, "--%s%s=%s", option, setting->name, setting->value));
  }
  const struct {
    const char *name, *value;
  } texts[] = {{"edges", o->edges}, {"fair", o->fair},       {"generalize", o->generalize},
               {"nodes", o->nodes}, {"regions", o->regions}, {"split", o->split},
               {"state", o->state}, {"check", o->check},     {"monitor", o->monitor}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    add(l, arena, texts[i].name, texts[i].value);
  if (o->steps) add_number(l, arena, "steps", o->steps);
  if (o->unroll) add_number(l, arena, "unroll", o->unroll);
  if (o->second_opinion) tp_vec_push(l, "--second-opinion");
}

static void add_common(const tp_options *o, list *l, tp_arena *arena) {
  add(l, arena, "engine", o->engine);
  add(l, arena, "malloc", o->malloc);
  add(l, arena, "missing", o->missing[0] ? o->missing : "any");
  add(l, arena, "solver", o->solver);
  tp_vec_push(l, tp_arena_printf(arena, "--timelimit=%g", tp_bench_cpu_s(o)));
  add_number(l, arena, "memlimit", o->memlimit);
  add_number(l, arena, "seed", o->seed);
  add_engine_options(o, l, arena);
}

const char *tp_bench_options_text(const tp_options *o, tp_arena *arena) {
  TP_REQUIRE(o && arena);
  list l = {0};
  tp_str text = {0};
  add_common(o, &l, arena);
  for (size_t i = 0; i < l.n; i++) tp_str_printf(&text, "%s%s", i ? " " : "", l.at[i]);
  const char *copy = tp_arena_strdup(arena, tp_str_text(&text));
  tp_vec_clear(&l);
  tp_str_clear(&text);
  return copy;
}

const char *const *tp_bench_arguments(const tp_options *o, const tp_bench_task *task, bool is_json,
                                      tp_arena *arena) {
  TP_REQUIRE(o && task && arena);
  list l = {0};
  tp_vec_push(&l, "twoproof");
  tp_vec_push(&l, "check");
  add(&l, arena, "property", task->property);
  add(&l, arena, "machine", task->machine);
  add_common(o, &l, arena);
  if (is_json) {
    tp_vec_push(&l, "--walltime=0");  // the supervisor has the clock
    tp_vec_push(&l, "--format=json");
  }
  for (size_t i = 0; i < task->n_files; i++) {
    const char *file = task->files[i];
    tp_vec_push(&l, file[0] == '-' ? tp_arena_printf(arena, "./%s", file) : file);
  }
  const char **argv = tp_arena_array(arena, const char *, l.n + 1);
  memcpy(argv, l.at, l.n * sizeof *argv);
  argv[l.n] = NULL;
  tp_vec_clear(&l);
  return argv;
}
