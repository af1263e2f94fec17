/* The interpreter as oracle (row F04): of random runs of every example, every state is in the
 * reached set of every analysis. One example in nine under some of the analyses, each under all of
 * them with TP_SOAK=1. */
#include "samples.h"
#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "front/front.h"

#include <glob.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_STEPS = 1500, RUNS = 4, SAMPLED = 60, TURNS = 5, ONE_IN = 9 };

typedef struct {
  unsigned long pairs, closed, states, known;
} tally;

static bool is_covered(const tp_composition *c, tp_reached *r, const sample_state *s, tally *t) {
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    const tp_node *n = tp_reached_node(r, i);
    if (n->removed || n->loc.id != s->loc.id || n->context.id != s->context.id) continue;
    if (!sample_is_in(c->cpa, n->state.elem, s)) continue;
    t->known += !tp_is_true(c->env.terms, c->cpa->ops->formula(c->cpa, n->state.elem));
    return true;
  }
  return false;
}

/* Merged by join where the analysis has one, so that most of them end. */
static void check_pair(const tp_program *p, const char *path, const tp_cpa_ops *analysis,
                       tally *t) {
  tp_str text = {0}, why = {0};
  tp_stats stats = {0};
  samples s;
  const bool is_place = !strcmp(analysis->name, "location") || !strcmp(analysis->name, "callstack");
  const char *const name = is_place ? "" : analysis->name;
  tp_str_printf(&text,
                "analysis = location callstack %s\nmerge = join-on-location\n%s.merge = join\n",
                name, name);
  if (!tp_composition_check(tp_str_text(&text), NULL, &why)) {
    text.n = 0;
    tp_str_printf(&text, "analysis = location callstack %s\n", name);
  }
  tp_str_clear(&why);
  tp_composition *c = tp_composition_open(p, TP_P_UNREACH_CALL, tp_str_text(&text), &stats, &why);
  if (!c) fail_msg("%s: %s", analysis->name, tp_str_text(&why));
  tp_recursion *run = tp_recursion_new(c->cpa, c->order);
  t->pairs++;
  if (tp_recursion_run(run, (tp_cpa_limits){.steps = MOST_STEPS}).end == TP_CPA_DONE &&
      samples_take(&s, p, &c->contexts, 4, RUNS, SAMPLED)) {
    t->closed++;
    for (size_t i = 0; i < s.states.n; i++)
      if (!is_covered(c, tp_recursion_reached(run), &s.states.at[i], t))
        fail_msg("%s, %s: a state of a run at L%u is not reached", path, analysis->name,
                 s.states.at[i].loc.id);
    t->states += s.states.n;
    samples_clear(&s);
  }
  tp_recursion_free(run);
  tp_composition_close(c);
  tp_str_clear(&text);
  tp_str_clear(&why);
}

static void F04_states_of_examples_are_in_every_reached_set(void **state) {
  (void)state;
  glob_t found;
  tally t = {0};
  size_t n_programs = 0, n_tried = 0, n_analyses = 0;
  while (tp_analyses[n_analyses]) n_analyses++;
  assert_int_equal(glob("examples/*/*.c", 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i += getenv("TP_SOAK") ? 1 : ONE_IN) {
    n_tried++;
    const char *path = found.gl_pathv[i];
    const tp_front_options o = {.files = &path, .n_files = 1, .property = TP_P_UNREACH_CALL};
    tp_diag *diag = tp_diag_new(NULL, false);
    tp_program *p;
    // a part of a program, or one that needs a protocol, is none that runs
    if (tp_front_load(&o, diag, &p) == TP_OK) {
      n_programs++;
      for (size_t k = 0; k < n_analyses; k++)
        if (getenv("TP_SOAK") || k % TURNS == i % TURNS) check_pair(p, path, tp_analyses[k], &t);
      tp_program_free(p);
    }
    tp_diag_free(diag);
  }
  print_message("%zu programs, %lu pairs, %lu closed, %lu states, %lu of them with a formula\n",
                n_programs, t.pairs, t.closed, t.states, t.known);
  assert_true(n_programs * 10 >= n_tried * 9);
  assert_true(t.closed * 3 >= t.pairs && t.states > 20 * t.closed && t.known * 4 > t.states);
  globfree(&found);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F04_states_of_examples_are_in_every_reached_set)};
  return cmocka_run_group_tests_name("examples", tests, NULL, NULL);
}
