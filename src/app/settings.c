/* An option that an engine would ignore is refused: who gives one expects something of it. */
#include "app/settings.h"

#include <errno.h>
#include <stdlib.h>

/* Engines that use an option, by the name it has on the command line. */
typedef struct {
  const char *option, *value, *engines;
} use;

static bool is_among(const char *engines, const char *engine) {
  size_t n = strlen(engine);
  for (const char *at = engines; (at = strstr(at, engine)); at += n)
    if ((at == engines || at[-1] == ' ') && (at[n] == ' ' || at[n] == 0)) return true;
  return false;
}

static bool has_use(const tp_options *o, tp_str *why) {
  static const char splitting[] = "synergy split-cegar", splits[] = "smash synergy split-cegar",
                    partitions[] = "synergy lee-yannakakis split-cegar",
                    edges[] = "smash synergy lee-yannakakis split-cegar", tests[] = "synergy";
  static const char loops[] =
      "auto bmc cegar cpa directed interval lee-yannakakis octagon random slam smash split-cegar "
      "synergy "
      "value";
  const bool exchanges = strcmp(o->exchange, "all") == 0;
  const use uses[] = {{"edges", o->edges, edges},
                      {"exchange", exchanges ? "" : o->exchange, "auto"},
                      {"fair", o->fair, tests},
                      {"generalize", o->generalize, splitting},
                      {"nodes", o->nodes, partitions},
                      {"regions", o->regions, partitions},
                      {"split", o->split, splits},
                      {"state", o->state, tests},
                      {"steps", o->steps ? "N" : "", loops},
                      {"workers", o->workers ? "N" : "", "auto"}};
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    if (!uses[i].value[0] || is_among(uses[i].engines, o->engine)) continue;
    tp_str_printf(why, "--%s: engine %s has no use for it; it is for engines: %s", uses[i].option,
                  o->engine, uses[i].engines);
    return false;
  }
  return true;
}

static bool is(const char *value, const char *word) { return strcmp(value, word) == 0; }

static bool read_fair(const char *value, uint32_t *out, tp_str *why) {
  *out = 0;
  if (!value[0]) return true;
  if (is(value, "never")) {
    *out = UINT32_MAX;
    return true;
  }
  char *end;
  errno = 0;
  unsigned long n = strtoul(value, &end, 10);
  bool ok = value[0] >= '0' && value[0] <= '9' && !*end && !errno && n < UINT32_MAX;
  if (ok)
    *out = (uint32_t)n;
  else
    tp_str_printf(why, "--fair: '%s' is neither a number that fits nor 'never'", value);
  return ok;
}

bool tp_options_set_search(tp_options *o, tp_str *why) {
  if (!is(o->engine, "auto") && !tp_engine_find(o->engine)) {
    tp_str_printf(why, "--engine: there is no engine %s in this build", o->engine);
    return false;
  }
  tp_search_settings *s = &o->search;
  s->split = is(o->split, "pre")           ? TP_SPLIT_PRE
             : is(o->split, "interpolant") ? TP_SPLIT_INTERPOLANT
             : is(o->split, "alias")       ? TP_SPLIT_ALIAS
                                           : TP_SPLIT_DROP;
  s->generalize = is(o->generalize, "none")    ? TP_GENERALIZE_NONE
                  : is(o->generalize, "widen") ? TP_GENERALIZE_WIDEN
                                               : TP_GENERALIZE_INTERPOLANT;
  s->nodes = is(o->nodes, "loops")       ? TP_NODES_LOOPS
             : is(o->nodes, "locations") ? TP_NODES_LOCATIONS
                                         : TP_NODES_DEFAULT;
  s->lazy_edges = is(o->edges, "lazy");
  s->three_regions = is(o->regions, "three");
  s->latest_state = is(o->state, "last");
  return read_fair(o->fair, &s->fair, why) && has_use(o, why);
}
