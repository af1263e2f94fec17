/* Unsound rules planted in transfers, merges, stops and products: the laws must notice each at
 * their default volume. A plant replaces operators of one component, after the analysis was opened;
 * the same compositions without a plant keep all laws (laws_test.c). */
#include "laws.h"

#include "cpa/composite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// ---------------------------------------------------------------------- plants

static const tp_cpa_ops *sound;  // operators of the component without the plant
static tp_cpa_ops planted;

static const tp_elem *first(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  (void)self, (void)b;
  return a;
}
static const tp_elem *second(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  (void)self, (void)a;
  return b;
}

static tp_edge_kind kind_of(const tp_cpa *self, const tp_step *step) {
  return tp_edge_of(self->env->program, step->edge)->kind;
}

/* Behind an edge of this kind nothing has changed. */
static void without_effect(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                           tp_out *out, tp_edge_kind kind) {
  const size_t from = out->list.n;
  sound->transfer(self, e, p, step, out);
  if (!step->edge.id || kind_of(self, step) != kind) return;
  for (size_t i = from; i < out->list.n; i++) out->list.at[i].elem = e;
}
static void assignment_keeps(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                             tp_out *out) {
  without_effect(self, e, p, step, out, TP_E_ASSIGN);
}
static void call_keeps(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                       tp_out *out) {
  without_effect(self, e, p, step, out, TP_E_CALL);
}
static void store_keeps(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                        tp_out *out) {
  without_effect(self, e, p, step, out, TP_E_STORE);
}
/* A condition of which nothing is known is taken to be false. */
static void open_condition_is_false(tp_cpa *self, const tp_elem *e, const tp_prec *p,
                                    const tp_step *step, tp_out *out) {
  const size_t from = out->list.n;
  sound->transfer(self, e, p, step, out);
  if (!step->edge.id || kind_of(self, step) != TP_E_ASSUME) return;
  if (out->list.n > from && sound->leq(self, e, out->list.at[from].elem)) out->list.n = from;
}

static bool always_stops(tp_cpa *self, const tp_elem *e, tp_reached_view candidates) {
  (void)self, (void)e;
  return candidates.n > 0;
}
static bool stops_at_less(tp_cpa *self, const tp_elem *e, tp_reached_view candidates) {
  bool found = false;
  for (size_t i = 0; i < candidates.n && !found; i++)
    found = sound->leq(self, candidates.at[i].elem, e);
  return found;
}
static bool all_is_less(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  (void)self, (void)a, (void)b;
  return true;
}

/* Behind conditions the neighbours are taken to contradict. */
static const tp_elem *contradicts(tp_cpa *self, const tp_elem *e, const tp_view *others, size_t n,
                                  const tp_step *step) {
  if (n && step->edge.id && kind_of(self, step) == TP_E_ASSUME) return NULL;
  return sound->strengthen ? sound->strengthen(self, e, others, n, step) : e;
}
/* The element of the step before is taken for that behind it. */
static const tp_elem *kept_elem;
static const tp_elem *strengthened_once(tp_cpa *self, const tp_elem *e, const tp_view *others,
                                        size_t n, const tp_step *step) {
  (void)self, (void)others, (void)n, (void)step;
  if (!kept_elem) kept_elem = e;
  return kept_elem;
}
static tp_adjusted adjusts_to_neighbour(tp_cpa *self, const tp_elem *e, const tp_prec *p,
                                        tp_reached_view view, tp_succ *out) {
  (void)self;
  *out = (tp_succ){view.n ? view.at[0].elem : e, p};
  return TP_CONTINUE;
}

// ------------------------------------------------------------------------ rows

#define PLANT(name, statement) \
  static void name(tp_cpa_ops *o) { statement; }
PLANT(transfer_of_assignment, o->transfer = assignment_keeps)
PLANT(transfer_of_call, o->transfer = call_keeps)
PLANT(transfer_of_store, o->transfer = store_keeps)
PLANT(transfer_of_condition, o->transfer = open_condition_is_false)
PLANT(merge_first, o->merge = first)
PLANT(join_second, o->join = second)
PLANT(widen_first, o->widen = first)
PLANT(stop_always, o->stop = always_stops)
PLANT(stop_at_less, o->stop = stops_at_less)
PLANT(leq_always, o->leq = all_is_less)
PLANT(strengthen_contradicts, o->strengthen = contradicts)
PLANT(strengthen_once, o->strengthen = strengthened_once)
PLANT(adjust_to_neighbour, o->adjust = adjusts_to_neighbour)

#define PLAIN(name) "analysis = location callstack " name "\n"
static const struct row {
  const char *name, *component, *composition;  // component NULL: the composite itself
  void (*plant)(tp_cpa_ops *o);
} rows[] = {
    {"transfer: an assignment keeps the value", "octagon", PLAIN("octagon"),
     transfer_of_assignment},
    {"transfer: an assignment keeps the value", "sign", PLAIN("sign"), transfer_of_assignment},
    {"transfer: a call keeps the parameters", "constant", PLAIN("constant"), transfer_of_call},
    {"transfer: a store keeps the cell", "value", PLAIN("value"), transfer_of_store},
    {"transfer: an open condition is false", "interval", PLAIN("interval"), transfer_of_condition},
    {"merge: the first", "interval",
     "analysis = location callstack interval\nmerge = join-on-location\ninterval.merge = join\n",
     merge_first},
    {"merge: join is the second", "octagon", PLAIN("octagon"), join_second},
    {"merge: join is the second", "sign", PLAIN("sign"), join_second},
    {"merge: join is the second", "bits", PLAIN("bits"), join_second},
    {"transfer: an assignment keeps the value", "bits", PLAIN("bits"), transfer_of_assignment},
    {"stop: everything is less", "bits", PLAIN("bits"), leq_always},
    {"merge: widen is the first", "interval", PLAIN("interval"), widen_first},
    {"stop: always", NULL, PLAIN("value"), stop_always},
    {"stop: always", NULL, PLAIN("interval"), stop_always},
    {"stop: at what is less", NULL, PLAIN("value"), stop_at_less},
    {"stop: everything is less", NULL, PLAIN("predicate") "predicate.initial = conditions\n",
     leq_always},
    {"stop: everything is less", "octagon", PLAIN("octagon"), leq_always},
    {"product: neighbours contradict behind conditions", "interval",
     "analysis = location callstack value interval\ntransfer = strengthened\n",
     strengthen_contradicts},
    {"product: neighbours contradict behind conditions", "octagon",
     "analysis = location callstack (interval octagon)\ntransfer = strengthened\n",
     strengthen_contradicts},
    {"product: strengthened once and for all", "interval",
     "analysis = location callstack value interval\ntransfer = strengthened\n", strengthen_once},
    {"product: adjusted to a neighbour", "value",
     "analysis = location callstack value interval\nvalue.threshold = 2\n", adjust_to_neighbour},
};

static const struct row *current;

static void plant(tp_cpa *whole) {
  tp_cpa *component =
      current->component ? tp_composite_find(whole, tp_analysis_find(current->component)) : whole;
  assert_non_null(component);
  sound = component->ops;
  planted = *sound;
  kept_elem = NULL;
  current->plant(&planted);
  component->ops = &planted;
}

static void each_plant_is_found(void **unused) {
  (void)unused;
  unsigned missed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    unsigned long checks[LAWS_N] = {0};
    uint64_t seed = 1;
    current = &rows[i];
    while (seed <= LAWS_MODELS && laws_of_model(current->composition, seed, plant, false, checks))
      seed++;
    printf("%s (%s): ", current->name, current->component ? current->component : "composite");
    if (seed <= LAWS_MODELS)
      printf("found in model %u\n", (unsigned)seed);
    else
      printf("NOT FOUND\n");
    missed += seed > LAWS_MODELS;
    fflush(stdout);
  }
  assert_int_equal(missed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_plant_is_found)};
  return cmocka_run_group_tests_name("planted laws", tests, NULL, NULL);
}
