/* Programs in C with predicates and tests, for the tests of this room. */
#ifndef TP_ADEQUACY_TRIAL_TEST_H
#define TP_ADEQUACY_TRIAL_TEST_H

#include "certify/certify.h"
#include "adequacy/adequacy.h"
#include "front/front.h"
#include "program/cells.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_terms *tt;
  tp_task task;
  tp_adequacy_question q;
  tp_budget budget;
  tp_stats stats;
  tp_result out;
  tp_adequacy_report report;
  tp_inputs inputs[64];  // of tests
  size_t n_inputs;
} trial;

static inline void trial_load(trial *t, const char *source, tp_property property) {
  *t = (trial){.diag = tp_diag_new(stderr, false)};
  char path[] = "/tmp/adequacy-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, source, strlen(source)), (ssize_t)strlen(source));
  close(fd);
  const char *const files[] = {path};
  tp_front_options o = {
      .files = files, .n_files = 1, .property = property, .model_dir = "build/lib/libc"};
  tp_status st = tp_front_load(&o, t->diag, &t->p);
  (void)unlink(path);
  assert_int_equal(st, TP_OK);
  t->tt = t->p->terms;
  t->task = (tp_task){.program = t->p, .property = property};
  t->budget = (tp_budget){.cpu_s = 30};
}

static inline void trial_free(trial *t) {
  for (size_t i = 0; i < t->n_inputs; i++) tp_inputs_clear(&t->inputs[i]);
  tp_vec_clear(&t->q.tests);
  tp_vec_clear(&t->q.probes);
  tp_program_free(t->p);
  tp_diag_free(t->diag);
  assert_int_equal(tp_live_bytes(), 0);
}

// ------------------------------------------------------------------- predicates

static inline tp_func trial_func(const trial *t, const char *name) {
  for (uint32_t f = 1; f < t->p->funcs.n; f++)
    if (!strcmp(t->p->funcs.at[f].name, name)) return (tp_func){f};
  fail_msg("no function %s", name);
  return TP_FUNC_NONE;
}

/* A variable's symbol: the address of one that lives in memory. func NULL: a global. */
static inline tp_term trial_variable(const trial *t, const char *func, const char *name) {
  tp_term found = TP_TERM_NONE;
  for (uint32_t v = 1; v < t->p->vars.n; v++) {
    const tp_var_info *info = &t->p->vars.at[v];
    if (!info->name || strcmp(info->name, name) || info->kind == TP_V_TEMP ||
        (func ? info->func.id != trial_func(t, func).id : info->func.id != 0))
      continue;
    if (!tp_term_is(found) || info->is_address) found = info->term;
  }
  if (!tp_term_is(found)) fail_msg("no variable %s", name);
  return found;
}

/* Its value, of this sort, wherever it lives. */
static inline tp_term trial_cell(const trial *t, const char *func, const char *name, tp_sort sort) {
  tp_term v = trial_variable(t, func, name);
  return tp_sort_eq(tp_sort_of(t->tt, v), sort) ? v : tp_cell(t->p, sort, v);
}
static inline tp_term trial_value(const trial *t, const char *func, const char *name) {
  return trial_cell(t, func, name, tp_sort_bv(t->tt, 32));
}

static inline tp_term trial_num(const trial *t, int64_t n) { return tp_mk_bv_signed(t->tt, 32, n); }
static inline tp_term trial_less(const trial *t, tp_term a, int64_t n) {
  return tp_mk2(t->tt, TP_OP_BV_SLT, a, trial_num(t, n));
}
static inline tp_term trial_is(const trial *t, tp_term a, int64_t n) {
  return tp_mk_eq(t->tt, a, trial_num(t, n));
}

/* At every location of the function from this line on, but its entry and exit. */
static inline void trial_probe(trial *t, const char *func, uint32_t line, const char *name,
                               tp_term term) {
  tp_func f = trial_func(t, func);
  for (uint32_t l = 1; l < t->p->locs.n; l++) {
    if (t->p->locs.at[l].func.id != f.id || l == tp_func_of(t->p, f)->entry.id ||
        l == tp_func_of(t->p, f)->exit.id || t->p->locs.at[l].pos.line < line)
      continue;
    tp_probe probe = {{l}, term, name};
    tp_vec_push(&t->q.probes, probe);
  }
}

// ------------------------------------------------------------------------ tests

static inline void trial_test(trial *t, const int64_t *values, size_t n) {
  tp_inputs *in = &t->inputs[t->n_inputs++];
  assert_true(t->n_inputs <= 64);
  tp_inputs_init(in);
  for (size_t i = 0; i < n; i++)
    tp_inputs_add(in, (tp_input){.kind = TP_I_NONDET,
                                 .width_bits = 32,
                                 .is_signed = true,
                                 .bits = (uint32_t)values[i],
                                 .name = ""});
  tp_vec_push(&t->q.tests, (tp_adequacy_test){in, NULL});
}

static inline void trial_run(trial *t) {
  t->q.task = &t->task;
  t->stats = (tp_stats){0};
  tp_result_init(&t->out);
  tp_adequacy_report_init(&t->report, t->p);
  tp_adequacy_run(&t->q, &t->budget, &t->stats, &t->out, &t->report);
}

static inline void trial_done(trial *t) {
  tp_result_clear(&t->out);
  tp_adequacy_report_clear(&t->report);
}

static inline tp_certify_result trial_certify(const trial *t) {
  tp_certify_report report;
  tp_certify_limits limits = {.cpu_s = 60};
  tp_certify_report_init(&report);
  tp_certify_result r = tp_certify_true(t->p, t->task.property, tp_str_text(&t->out.certificate),
                                        &limits, NULL, &report);
  if (r != TP_CERTIFY_ACCEPTED && getenv("TP_SHOW"))
    fprintf(stderr, "%s\n%s", tp_str_text(&report.why), tp_str_text(&t->out.certificate));
  tp_certify_report_clear(&report);
  return r;
}

/* Everything that there is, for people. */
static inline void trial_show(const trial *t) {
  const tp_coverage *c = &t->report.coverage;
  if (!getenv("TP_SHOW")) return;
  for (size_t i = 0; i < c->states.n; i++) {
    const tp_abstract_state *a = &c->states.at[i];
    const tp_cutpoint_coverage *at = &c->cutpoints.at[a->cutpoint];
    fprintf(stderr, "L%u %s line %u:", at->loc.id,
            tp_func_of(t->p, tp_loc_of(t->p, at->loc)->func)->name,
            tp_loc_of(t->p, at->loc)->pos.line);
    for (size_t k = 0; k < at->probes.n; k++)
      fprintf(stderr, " %s%s", a->values >> k & 1 ? "" : "!", at->probes.at[k].name);
    fprintf(stderr, "   origin %d %u step %llu%s%s\n", a->origin.kind, a->origin.index,
            (unsigned long long)a->origin.step, a->is_missed ? " missed" : "",
            a->state ? "" : " no state");
  }
#define TP_C(name) fprintf(stderr, "%s %llu  ", #name, (unsigned long long)t->report.counters.name);
  TP_ADEQUACY_COUNTERS(TP_C)
#undef TP_C
  fprintf(stderr, "\nverdict %d %s fallback %s potential %zu closed %d\n", t->out.verdict,
          t->out.reason ? t->out.reason : "", tp_fallback_name(t->report.fallback),
          t->report.potential.n, t->report.is_closed);
}

/* Abstract states at cutpoints that have predicates: covered by the user's tests, all. */
static inline void trial_cells(const trial *t, size_t *from_tests, size_t *all) {
  const tp_coverage *c = &t->report.coverage;
  *from_tests = *all = 0;
  for (size_t i = 0; i < c->states.n; i++) {
    if (!c->cutpoints.at[c->states.at[i].cutpoint].probes.n) continue;
    ++*all;
    *from_tests += !c->states.at[i].is_missed;
  }
}

#endif
