/* The schedule of `auto` is a table: one row for each turn that an engine may have, with the
 * programs that it is for, its part of the time, and why it has it.
 *
 * A program is of one class (`classes`, the first row that fits); the rows of `rows` for its class
 * whose condition it meets are its schedule, in their order. The first row of a class is bounded
 * checking, which looks for failures from the start, after a few random runs; the others follow
 * each other beside it, once so much CPU time was used as `waits` says: easy programs are left to
 * one engine. */
#include "auto/schedule.h"

#include "auto/auto_limits.h"
#include "proof/configurations.h"
#include "proof/proof_engines.h"
#include "search/search_engines.h"

// ------------------------------------------------------------------- features

/* Conditions on features, as sets. */
enum {
  LARGE = 1 << 0,
  RECURSIVE = 1 << 1,
  LOOPS = 1 << 2,
  UNBOUNDED = 1 << 3,  // an input decides how long some loop runs
  LINKS = 1 << 4,
  FLOATS = 1 << 5,
  ELEMENTS = 1 << 6,  // a loop goes over an array
  FLAGS = 1 << 7,     // many variables take a few constants and decide: a state machine
  MEMORY = 1 << 8,    // the property is about memory, not about what is in it
};
typedef struct {
  unsigned with, without;  // all of these, none of those
} condition;

static unsigned conditions_of(const tp_features *f) {
  TP_REQUIRE(f->n_input_loops <= f->n_loops);
  return (f->n_edges > TP_AUTO_LARGE_EDGES ? LARGE : 0u) | (f->has_recursion ? RECURSIVE : 0u) |
         (f->n_loops > 0 ? LOOPS : 0u) | (f->n_input_loops > 0 ? UNBOUNDED : 0u) |
         (f->has_links ? LINKS : 0u) | (f->has_floats ? FLOATS : 0u) |
         (f->has_elements ? ELEMENTS : 0u) | (f->n_flags >= TP_AUTO_FLAGS ? FLAGS : 0u) |
         (f->is_about_memory ? MEMORY : 0u);
}

static bool is_met(condition c, unsigned features) {
  TP_INVARIANT((c.with & c.without) == 0);
  return (features & c.with) == c.with && (features & c.without) == 0;
}

// --------------------------------------------------------------------- tables

typedef enum { CLASS_LARGE, CLASS_RECURSIVE, CLASS_BOUNDED, CLASS_UNBOUNDED, N_CLASSES } class_of;

static const struct {
  condition if_;
  class_of class;
  const char *name;
} classes[] = {
    {{LARGE, 0}, CLASS_LARGE, "a large program"},
    {{RECURSIVE, 0}, CLASS_RECURSIVE, "recursion"},
    {{0, UNBOUNDED}, CLASS_BOUNDED, "no input decides how long a loop runs"},
    {{0, 0}, CLASS_UNBOUNDED, "inputs decide how long loops run"},
};

static const struct {
  condition if_;
  double wait_s;
  const char *reason;
} waits[] = {
    {{0, LOOPS | RECURSIVE}, 2, "unrolling is complete: others start when it turns out to be hard"},
    {{LOOPS, UNBOUNDED | RECURSIVE}, 0.5, "unrolling is often complete"},
    {{0, 0}, 0.2, "unrolling may never be complete"},
};

/* What a row asks beyond its class. */
#define ALWAYS {0, 0}
#define IF(feature) {feature, 0}
#define UNLESS(feature) {0, feature}

static const struct {
  class_of class;
  condition if_;
  const char *name;
  double share;    // of the CPU time of the search; 1: whatever is left
  double limit_s;  // the same where there is no time limit; 0: none
  const char *reason;
} rows[] = {
    {CLASS_LARGE, ALWAYS, "bmc", 1, 0,
     "nearly all failures that were measured are found in its first second"},
    {CLASS_LARGE, ALWAYS, "interval", 0.2, 60, "nothing else is sure to get through"},
    {CLASS_LARGE, ALWAYS, "value", 0.2, 60, "flags and constants, as long as there are few states"},
    {CLASS_LARGE, ALWAYS, "kinduction", 0.1, 120,
     "runs intervals first, and takes candidates from runs"},
    {CLASS_LARGE, ALWAYS, "cegar", 0.1, 120, "predicates may not get through"},
    {CLASS_LARGE, ALWAYS, "octagon", 0.05, 60, "relations may not get through"},

    {CLASS_RECURSIVE, ALWAYS, "bmc", 1, 0,
     "deep failures; a proof where recursion unrolls completely"},
    {CLASS_RECURSIVE, IF(LINKS), "heaps", 0.1, 20,
     "lists and trees by recursion, of any size: at once or not at all"},
    {CLASS_RECURSIVE, ALWAYS, "interval", 0.1, 60,
     "has summaries of functions; k-induction has none"},
    {CLASS_RECURSIVE, ALWAYS, "smash", 0.2, 60, "has summaries that relate results to arguments"},
    {CLASS_RECURSIVE, ALWAYS, "cegar", 0.25, 120, "has summaries, and refines them"},
    {CLASS_RECURSIVE, ALWAYS, "octagon", 0.1, 60, "has summaries with relations"},
    {CLASS_RECURSIVE, ALWAYS, "value-interval", 0.08, 60,
     "values where flags decide, bounds elsewhere"},
    {CLASS_RECURSIVE, ALWAYS, "value", 0.15, 60, "follows a recursion over constants to its end"},

    {CLASS_BOUNDED, ALWAYS, "bmc", 1, 0, "proves whatever unrolls completely"},
    {CLASS_BOUNDED, IF(LINKS), "heaps", 0.05, 20, "lists and trees: at once or not at all"},
    {CLASS_BOUNDED, IF(ELEMENTS | MEMORY), "kinduction", 0.04, 2,
     "bounds of indices may need no fact about elements: a short first turn"},
    {CLASS_BOUNDED, IF(ELEMENTS), "elements", 0.3, 60,
     "what holds of all elements: no other engine says it, and it is found soon or not at all"},
    {CLASS_BOUNDED, ALWAYS, "value", 0.25, 60,
     "values follow loops over constants iteration by iteration"},
    {CLASS_BOUNDED, ALWAYS, "kinduction", 0.18, 60, "an invariant is shorter than many iterations"},
    {CLASS_BOUNDED, ALWAYS, "horn", 0.08, 60, "phases and cases, which runs do not suggest"},
    {CLASS_BOUNDED, ALWAYS, "interval", 0.06, 60, "cheap, and enough for bounds of arrays"},
    {CLASS_BOUNDED, ALWAYS, "cegar", 0.27, 120, "predicates for what is left"},
    {CLASS_BOUNDED, ALWAYS, "octagon", 0.06, 60, "counters that move together"},
    {CLASS_BOUNDED, ALWAYS, "value-interval", 0.06, 60,
     "values where flags decide, bounds elsewhere"},

    {CLASS_UNBOUNDED, UNLESS(ELEMENTS), "bmc", 0.5, 0,
     "failures are found soon or not at all: makes room after half of the time"},
    {CLASS_UNBOUNDED, IF(ELEMENTS), "bmc", 0.3, 0,
     "long arrays are more than paths of a bounded length say: makes room for facts about them"},
    {CLASS_UNBOUNDED, IF(ELEMENTS | MEMORY), "kinduction", 0.2, 30,
     "bounds of an index, sizes of objects and where texts end are most often enough for accesses"},
    {CLASS_UNBOUNDED, IF(ELEMENTS), "elements", 0.5, 60,
     "what holds of all elements: no other engine says it, and it is found soon or not at all"},
    {CLASS_UNBOUNDED, IF(LINKS), "heaps", 0.2, 20,
     "lists, trees and what they own, of any size: mostly at once, with numbers in cells 4 s"},
    {CLASS_UNBOUNDED, ALWAYS, "value", 0.06, 20, "state machines: at once or not at all"},
    {CLASS_UNBOUNDED, IF(FLAGS), "value-predicate", 0.2, 60,
     "values keep the states of processes apart, predicates relate their data"},
    {CLASS_UNBOUNDED, IF(LINKS), "shape", 0.3, 60,
     "nothing else has proofs about lists of any length"},
    {CLASS_UNBOUNDED, IF(FLOATS), "interval", 0.05, 60,
     "before k-induction: solvers are slow at floats"},
    {CLASS_UNBOUNDED, ALWAYS, "kinduction", 0.16, 120,
     "runs intervals first, and takes candidates from runs"},
    {CLASS_UNBOUNDED, UNLESS(FLAGS), "cegar", 0.12, 30, "predicates: a few flags are proved soon"},
    {CLASS_UNBOUNDED, ALWAYS, "horn", 0.16, 120, "phases and cases, which runs do not suggest"},
    {CLASS_UNBOUNDED, UNLESS(FLOATS), "octagon", 0.04, 60,
     "counters that move together; k-induction ran intervals"},
    {CLASS_UNBOUNDED, ALWAYS, "cegar", 0.2, 240, "predicates for what is left"},
    {CLASS_UNBOUNDED, ALWAYS, "value-interval", 0.04, 60,
     "values where flags decide, bounds elsewhere"},
    {CLASS_UNBOUNDED, ALWAYS, "value", 0.13, 60, "once more, with what is left of the time"},
};

// ------------------------------------------------------------------- schedule

static double wait_of(unsigned features, const char **reason) {
  size_t i = 0;
  while (!is_met(waits[i].if_, features)) i++;
  *reason = waits[i].reason;
  return waits[i].wait_s;
}

static size_t class_row(unsigned features) {
  size_t i = 0;
  while (!is_met(classes[i].if_, features)) i++;
  return i;
}

/* The engine of a configuration: lines `refine.NAME` are for the engine that refines. */
static const tp_engine *engine_of(const char *composition) {
  return composition && strstr(composition, "\nrefine.") ? &tp_engine_cegar : &tp_engine_cpa;
}

/* What others proved has to be proved again in the certificate: for these engines that costs more
 * than it gives. */
static bool is_by_itself(const char *name) {
  return strcmp(name, "shape") == 0 || strcmp(name, "heaps") == 0 || strcmp(name, "elements") == 0;
}

/* Rows name engines, or configurations of the engines cpa and cegar. */
static tp_schedule_entry entry_of(size_t row, double wait_s) {
  const tp_engine *engine = tp_engine_find(rows[row].name);
  const char *composition = engine ? NULL : tp_configuration_text(rows[row].name);
  const bool is_first = engine == &tp_engine_bmc;
  tp_schedule_entry e = {.name = rows[row].name,
                         .engine = engine ? engine : engine_of(composition),
                         .composition = composition,
                         .random_first = is_first,
                         .takes_no_imports = is_by_itself(rows[row].name),
                         .proves_only = !is_first,
                         .share = rows[row].share,
                         .limit_s = rows[row].limit_s,
                         .after_s = is_first ? 0 : wait_s,
                         .reason = rows[row].reason};
  TP_INVARIANT(engine || e.composition);
  TP_INVARIANT(e.share > 0 && e.share <= 1);
  return e;
}

/* The first of two turns of an engine is by itself: invariants of others, which have to be proved
 * again first, may cost more than they save. The second has them. */
static bool has_later_turn(const tp_schedule *s, size_t turn) {
  for (size_t i = turn + 1; i < s->n; i++)
    if (strcmp(s->at[i].name, s->at[turn].name) == 0) return true;
  return false;
}

tp_schedule tp_schedule_of(const tp_features *f) {
  tp_schedule s = {0};
  const unsigned features = conditions_of(f);
  const double wait_s = wait_of(features, &s.wait_reason);
  const size_t class = class_row(features);
  s.class_name = classes[class].name;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].class != classes[class].class || !is_met(rows[i].if_, features)) continue;
    TP_INVARIANT(s.n < TP_MAX_SCHEDULE_ENTRIES);
    s.at[s.n++] = entry_of(i, wait_s);
    s.at[s.n - 1].has_one_run = !f->asks && s.n == 1;
    s.at[s.n - 1].fills_arrays = f->has_elements && s.n == 1;
  }
  for (size_t i = 0; i < s.n; i++) s.at[i].takes_no_imports |= has_later_turn(&s, i);
  TP_INVARIANT(s.n > 0 && s.at[0].engine == &tp_engine_bmc);
  return s;
}

void tp_schedule_prefer_claims(tp_schedule *s) {
  static const char why[] = "proves what the user says of the program";
  TP_REQUIRE(s && s->n > 0);
  size_t at = 1;
  while (at < s->n && s->at[at].engine != &tp_engine_kinduction) at++;
  if (at == TP_MAX_SCHEDULE_ENTRIES) at--;  // the last turn of many gives way
  if (at == s->n) s->n++;
  for (; at > 1; at--) s->at[at] = s->at[at - 1];
  if (s->n < 2) s->n = 2;
  s->at[1] = (tp_schedule_entry){.name = tp_engine_kinduction.name,
                                 .engine = &tp_engine_kinduction,
                                 .proves_only = true,
                                 .share = 0.3,
                                 .limit_s = 120,
                                 .reason = why};
}

tp_schedule_entry tp_schedule_goals_turn(void) {
  static const char why[] = "runs towards states that a proof could not exclude";
  return (tp_schedule_entry){.name = tp_engine_directed.name,
                             .engine = &tp_engine_directed,
                             .share = 0.15,
                             .limit_s = 20,
                             .reason = why};
}

void tp_schedule_print(const tp_schedule *s, tp_str *out) {
  tp_str_printf(out, "class: %s\n%-15s %5s %7s %6s  %s\n", s->class_name, "engine", "share",
                "limit", "after", "reason");
  for (size_t i = 0; i < s->n; i++) {
    const tp_schedule_entry *e = &s->at[i];
    tp_str limit = {0};
    tp_str_printf(&limit, e->limit_s > 0 ? "%g s" : "none", e->limit_s);
    tp_str_printf(out, "%-15s %4g%% %7s %4g s  %s\n", e->name, 100 * e->share, limit.text,
                  e->after_s, e->reason);
    tp_str_clear(&limit);
  }
  tp_str_printf(out, "waiting: %s\n", s->wait_reason);
}

// ---------------------------------------------------------------------- advice

static bool has_entry(const tp_schedule *s, const char *name) {
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->at[i].name, name) == 0) return true;
  return false;
}

static void advise_option(tp_advice *a, const char *name, const char *option, const char *why) {
  a->name = name;
  a->option = option;
  a->why = why;
}

tp_advice tp_schedule_advice(const tp_features *f, const tp_schedule *s) {
  TP_REQUIRE(f && s);
  tp_advice a = {.repeats = f->n_loops > 0 || f->has_recursion,
                 .is_finite = f->n_input_loops == 0 && !f->has_recursion};
  if (!a.repeats) {
    a.restructure =
        "narrow the inputs with __VERIFIER_assume, so that the conditions become easier for the "
        "solver";
  } else if (f->has_links) {
    a.restructure =
        "limit the size of linked structures with __VERIFIER_assume where they are built";
    a.prover = "shape";
    if (!has_entry(s, "shape"))
      advise_option(&a, "shape", "--config=shape", "it describes linked structures of any size");
  } else if (f->has_heap) {
    a.restructure =
        "limit the number of heap objects with __VERIFIER_assume where they are allocated: in any "
        "number, only linked structures can be described";
  } else if (f->has_floats) {
    a.restructure =
        "narrow the inputs with __VERIFIER_assume: of floats the analyses know bounds only";
  } else if (a.is_finite) {
    a.restructure = "narrow the inputs with __VERIFIER_assume, or let the loops run less often";
    advise_option(&a, "value", "--engine=value --set=value.threshold=inf",
                  "no input decides how long the loops run, so values may follow them to the end");
    a.has_setting = true;
  } else if (f->has_memory) {
    a.restructure =
        "assert inside the loop what it keeps true, or use smaller arrays: cells are known one by "
        "one only";
  } else {
    a.restructure = "assert inside the loop what it keeps true";
  }
  TP_INVARIANT(a.restructure && !a.option == !a.name);
  return a;
}
