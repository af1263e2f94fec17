#include "compositions.h"

#include "cpa/composition.h"

enum { MAX_PARTS = 4, TRIES = 1000 };

typedef struct {
  tape *t;
  tp_str *out;
  const tp_cpa_ops *parts[MAX_PARTS];
  uint32_t n;
} maker;

static size_t n_analyses(void) {
  size_t n = 0;
  while (tp_analyses[n]) n++;
  return n;
}

static bool is_known(const maker *m, const tp_cpa_ops *ops) {
  for (uint32_t i = 0; i < m->n; i++)
    if (m->parts[i] == ops) return true;
  return false;
}

/* What says more than where a run is. */
static void choose_parts(maker *m) {
  size_t n = n_analyses();
  for (uint32_t wanted = 1 + draw(m->t, MAX_PARTS), tries = 0; m->n < wanted && tries < 40;
       tries++) {
    const tp_cpa_ops *ops = tp_analyses[draw(m->t, (uint32_t)n)];
    if ((!ops->location && !ops->context) && !is_known(m, ops)) m->parts[m->n++] = ops;
  }
}

static void write_parts(maker *m) {
  uint32_t group =
      m->n > 1 && chance(m->t, 3) ? draw(m->t, m->n) : MAX_PARTS;  // from here on in parentheses
  tp_str_add(m->out,
             draw(m->t, 4) ? "analysis = location callstack" : "analysis = callstack location");
  for (uint32_t i = 0; i < m->n; i++) {
    bool local = chance(m->t, 10);
    tp_str_printf(m->out, "%s%s%s%s", i == group ? " group(" : " ", local ? "per-location(" : "",
                  m->parts[i]->name, local ? ")" : "");
  }
  tp_str_add(m->out, group < m->n ? ")\n" : "\n");
  if (group < m->n && draw(m->t, 2))
    tp_str_printf(m->out, "group.transfer = %s\n", draw(m->t, 2) ? "cartesian" : "strengthened");
}

static void choose(maker *m, const char *name, const char *const *values, uint32_t n) {
  if (draw(m->t, 3)) tp_str_printf(m->out, "%s = %s\n", name, values[draw(m->t, n)]);
}

/* Values of the settings that are known here. */
static void choose_settings(maker *m, const tp_cpa_ops *ops) {
  static const struct {
    const char *key, *values[4];
  } known[] = {{"threshold", {"0", "1", "4", "50"}},
               {"memory", {"on", "off", "on", "off"}},
               {"points-to", {"on", "off", "on", "off"}},
               {"widen-after", {"1", "2", "3", "6"}},
               {"initial", {"conditions", "conditions", "conditions", "none"}},
               {"blocks", {"loops-calls", "loops", "edges", "loops"}},
               {"abstraction", {"cartesian", "boolean", "boolean", "none"}},
               {"targets", {"1", "2", "8", "8"}},
               {"unknown", {"stays", "infer", "leaves", "infer"}},
               {"infer", {"syntactic", "mined", "syntactic mined", "none"}}};
  for (size_t i = 0; ops->settings && ops->settings[i]; i++)
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
      if (strcmp(known[k].key, ops->settings[i]) == 0 && draw(m->t, 2))
        tp_str_printf(m->out, "%s.%s = %s\n", ops->name, known[k].key,
                      known[k].values[draw(m->t, 4)]);
  if (chance(m->t, 3))
    tp_str_printf(m->out, "%s.merge = %s\n", ops->name, draw(m->t, 2) ? "join" : "sep");
  if (chance(m->t, 6))
    tp_str_printf(m->out, "%s.stop = %s\n", ops->name, draw(m->t, 2) ? "join" : "sep");
}

static bool try_one(tape *t, tp_str *out) {
  static const char *const transfers[] = {"cartesian", "strengthened"},
                           *const merges[] = {"sep", "join-on-location", "join", "pred-join",
                                              "join-shape"},
                           *const stops[] = {"sep", "join", "pred-join"},
                           *const adjusts[] = {"componentwise", "none", "precision-transfer",
                                               "precision-transfer"},
                           *const compares[] = {"off", "weaken"},
                           *const orders[] = {"dfs", "bfs", "reverse-postorder", "callstack"};
  maker m = {.t = t, .out = out};
  tp_str why = {0};
  choose_parts(&m);
  write_parts(&m);
  choose(&m, "transfer", transfers, 2);
  choose(&m, "merge", merges, 5);
  choose(&m, "stop", stops, 3);
  choose(&m, "adjust", adjusts, 4);
  choose(&m, "compare", compares, 2);
  choose(&m, "waitlist", orders, 4);
  for (uint32_t i = 0; i < m.n; i++) choose_settings(&m, m.parts[i]);
  bool ok = tp_composition_check(tp_str_text(out), NULL, &why);
  tp_str_clear(&why);
  return ok;
}

void composition_make(tape *t, tp_str *out) {
  for (int i = 0; i < TRIES; i++) {
    tp_str_clear(out);
    if (try_one(t, out)) return;
  }
  tp_str_clear(out);
  tp_str_add(out, "analysis = location callstack constant\n");
}
