/* Engines that are nothing but a configuration of config/: each is the engine cpa, or cegar, with
 * its text. */
#include "proof/configurations.h"
#include "proof/proof_engines.h"

/* A task may bring a composition of its own: the configuration with settings changed
 * (app/compose.h). */
static const char *text_for(const tp_task *task, const char *name) {
  return task->composition ? task->composition : tp_configuration_text(name);
}

#define ENGINE(id, how, text)                                                         \
  static void run_##id(const tp_task *task, const tp_budget *budget, tp_stats *stats, \
                       tp_result *out) {                                              \
    tp_engine_##how##_composition(task, text_for(task, #id), budget, stats, out);     \
  }                                                                                   \
  const tp_engine tp_engine_##id = {.name = #id, .help = text, .run = run_##id};

ENGINE(value, run,
       "explicit values, path by path; proves programs that are decided by flags and constants")
ENGINE(interval, run, "bounds of every variable, with widening; fast, proves without a bound")
ENGINE(octagon, run,
       "bounds of variables, their sums and differences; proves loops whose counters move together")
ENGINE(slam, refine,
       "predicates from paths that cannot be run, each used everywhere, nothing is run: the "
       "classic, to compare with")
