/* The stores (value, interval, constant, sign, bits) on C programs: every state of a run must be in
 * what was reached.
 *
 * Programs are those of test/features, under unreach-call and under the memory properties (which
 * end scopes explicitly). The reached set is closed first; then random runs are held against it: at
 * each location some element of that call string must have a formula that is true in the state.
 * Unlike in the law tests, a formula that cannot be evaluated is a failure: an element must not
 * speak of variables of no frame, nor of memory that is not there.
 *
 * The same for random C programs of test/fuzz/gen.h (TP_SEED: the first seed).
 *
 * By default one program in twelve; all of them, with more runs, under TP_SOAK. */
#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "front/front.h"
#include "samples.h"

#include "../fuzz/gen.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const ANALYSES[] = {
    "analysis = location callstack value\nvalue.threshold = 8\n",
    "analysis = location callstack interval\n",
    "analysis = location callstack value\nvalue.threshold = 4\nvalue.points-to = on\n",
    "analysis = location callstack (sign constant)\n",
    "analysis = location callstack bits\n",
};
enum { N_ANALYSES = sizeof ANALYSES / sizeof *ANALYSES, MAX_STEPS = 6000, SAMPLED = 400 };

typedef struct {
  unsigned long programs, closed, states, known;  // known: states in an element that says something
} tally;

typedef struct {
  const char *path, *text;
  tp_composition *c;
  tp_recursion *run;
  tp_term *formulas;  // by node, NONE: not made yet
} reached_set;

static tp_term formula_of(reached_set *r, uint32_t node) {
  if (!tp_term_is(r->formulas[node]))
    r->formulas[node] = r->c->cpa->ops->formula(
        r->c->cpa, tp_reached_node(tp_recursion_reached(r->run), node)->state.elem);
  return r->formulas[node];
}

/* The first conjunct that does not hold, or has no value, in the state. */
static void print_culprit(const reached_set *r, tp_term t, const sample_state *s, tp_str *out) {
  const tp_terms *tt = r->c->env.terms;
  tp_value v;
  while (tp_kind(tt, t) == TP_OP_AND) {
    tp_term first = tp_arg(tt, t, 0);
    t = tp_state_eval(s->state, first, &v) != TP_OK || v.bits == 0 ? first : tp_arg(tt, t, 1);
  }
  tp_str_add(out, "\n    because of ");
  tp_print_c(tt, t, TP_C_READABLE, out);
}

static void fail_state(reached_set *r, const sample_state *s, const char *what) {
  tp_str text = {0};
  const tp_reached *set = tp_recursion_reached(r->run);
  tp_str_printf(&text, "%s: %s\n%s\nL%u in ", r->path, what, r->text, s->loc.id);
  tp_context_print(&r->c->contexts, r->c->env.program, s->context, &text);
  for (uint32_t i = 1; i <= tp_reached_n(set); i++) {
    const tp_node *n = tp_reached_node(set, i);
    if (n->removed || n->loc.id != s->loc.id || n->context.id != s->context.id) continue;
    tp_str_add(&text, "\n  ");
    r->c->cpa->ops->print(r->c->cpa, n->state.elem, &text);
    print_culprit(r, formula_of(r, i), s, &text);
  }
  tp_str_add(&text, "\n");
  tp_state_write(s->state, &text);
  print_error("%s\n", tp_str_text(&text));
  tp_str_clear(&text);
  fail();
}

static void check_state(reached_set *r, const sample_state *s, tally *t) {
  const tp_reached *set = tp_recursion_reached(r->run);
  t->states++;
  for (uint32_t i = 1; i <= tp_reached_n(set); i++) {
    const tp_node *n = tp_reached_node(set, i);
    tp_value v;
    if (n->removed || n->loc.id != s->loc.id || n->context.id != s->context.id) continue;
    if (tp_state_eval(s->state, formula_of(r, i), &v) != TP_OK)
      fail_state(r, s, "a formula cannot be evaluated");
    if (v.bits == 0) continue;
    t->known += !tp_is_true(r->c->env.terms, formula_of(r, i));
    return;
  }
  fail_state(r, s, "a state is in no element");
}

static void check_analysis(const char *path, const tp_program *p, tp_property property,
                           const char *text, uint32_t runs, tally *t) {
  tp_str why = {0};
  tp_stats stats = {0};
  reached_set r = {
      .path = path, .text = text, .c = tp_composition_open(p, property, text, &stats, &why)};
  if (!r.c) fail_msg("%s", tp_str_text(&why));
  r.run = tp_recursion_new(r.c->cpa, r.c->order);
  samples s;
  bool is_closed = tp_recursion_run(r.run, (tp_cpa_limits){.steps = MAX_STEPS}).end == TP_CPA_DONE;
  bool has_runs = samples_take(&s, p, &r.c->contexts, 7, runs, SAMPLED * runs / 4);
  if (is_closed && has_runs) {
    r.formulas = TP_NEW_ARRAY(tp_term, tp_reached_n(tp_recursion_reached(r.run)) + 1);
    for (size_t i = 0; i < s.states.n; i++) check_state(&r, &s.states.at[i], t);
    tp_free(r.formulas);
  }
  t->closed += is_closed;
  if (!is_closed) print_message("not closed: %s: %s", path, text);
  samples_clear(&s);
  tp_recursion_free(r.run);
  tp_composition_close(r.c);
}

static void check_program(const char *path, tp_property property, uint32_t runs,
                          tally t[N_ANALYSES]) {
  tp_front_options options = {.files = &path, .n_files = 1, .property = property};
  options.machine = strstr(path, "-ilp32-") ? TP_MACHINE_ILP32 : TP_MACHINE_LP64;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p;
  if (tp_front_load(&options, diag, &p) == TP_OK) {
    for (size_t i = 0; i < N_ANALYSES; i++) {
      t[i].programs++;
      check_analysis(path, p, property, ANALYSES[i], runs, &t[i]);
    }
    tp_program_free(p);
  }
  tp_diag_free(diag);
}

static void stores_cover_runs_of_c_programs(void **state) {
  (void)state;
  bool soak = getenv("TP_SOAK") != NULL;
  const char *only = getenv("TP_ONLY");  // part of a path, for debugging
  tally t[N_ANALYSES] = {{0}};
  glob_t found;
  if (glob("test/features/*.c", 0, NULL, &found) != 0) skip();
  for (size_t i = 0; i < found.gl_pathc; i++) {
    if (only ? !strstr(found.gl_pathv[i], only) : !soak && i % 12 != 1) continue;
    check_program(found.gl_pathv[i], TP_P_UNREACH_CALL, soak ? 16 : 4, t);
    if (soak || only || i % 24 == 1)
      check_program(found.gl_pathv[i], TP_P_VALID_MEMSAFETY, soak ? 16 : 4, t);
  }
  globfree(&found);
  for (size_t i = 0; i < N_ANALYSES; i++) {
    print_message("programs %lu, closed %lu, states %lu, known %lu: %s", t[i].programs, t[i].closed,
                  t[i].states, t[i].known, ANALYSES[i]);
    if (!only) assert_true(t[i].closed * 2 > t[i].programs && t[i].known * 2 > t[i].states);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

/* Without inputs, but with all kinds of pointers, structs, unions, arrays and heap objects. */
static void stores_cover_runs_of_generated_programs(void **state) {
  (void)state;
  const char *from = getenv("TP_SEED");
  uint64_t first = from ? strtoull(from, NULL, 0) : 1, n = getenv("TP_SOAK") ? 400 : 3;
  tally t[N_ANALYSES] = {{0}};
  for (uint64_t seed = first; seed < first + n; seed++) {
    char path[] = "/tmp/store-run-XXXXXX.c";
    tp_str text = {0};
    gen_file(seed, 1, (gen_options){.long_bits = 64, .with_heap = true}, &text);
    int fd = mkstemps(path, 2);
    assert_true(fd >= 0 && write(fd, text.text, text.n) == (ssize_t)text.n);
    close(fd);
    print_message("seed %llu\n", (unsigned long long)seed);
    check_program(path, seed % 2 ? TP_P_UNREACH_CALL : TP_P_VALID_MEMSAFETY, 4, t);
    unlink(path);
    tp_str_clear(&text);
  }
  for (size_t i = 0; i < N_ANALYSES; i++)
    print_message("programs %lu, closed %lu, states %lu, known %lu: %s", t[i].programs, t[i].closed,
                  t[i].states, t[i].known, ANALYSES[i]);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(stores_cover_runs_of_c_programs),
                                     cmocka_unit_test(stores_cover_runs_of_generated_programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
