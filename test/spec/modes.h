/* One question in every mode of calls: executed, or refined from nothing, from frames, from
 * summaries. */
#ifndef TEST_SPEC_MODES_H
#define TEST_SPEC_MODES_H

#include "contracts/refine/refined_check.h"
#include "contracts/summarise/summary_contract.h"
#include "front/front.h"

#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

typedef enum {
  CALLS_INLINE = -1,
  CALLS_FROM_NOTHING = TP_SUMMARY_HAVOC,
  CALLS_FROM_FRAMES = TP_SUMMARY_FRAME,
  CALLS_FROM_SUMMARIES = TP_SUMMARY_FULL
} mode_of_calls;

/* Of calls from nothing and from frames. */
typedef enum { NOTHING_IS_PROPOSED, SUMMARIES_ARE_PROPOSED } mode_proposals;

typedef struct {
  tp_diag *diag;
  tp_program *program;
  tp_object_model model;
  tp_clauses clauses, summaries;
  tp_contracts contracts;
} mode_subject;

static inline tp_program *mode_load(const char *text, tp_diag *diag) {
  char path[] = "/tmp/refinement-XXXXXX.c";
  const int fd = mkstemps(path, 2);
  uint32_t n_exported;
  tp_program *p = NULL;
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  const char *file = path;
  const tp_front_options o = {.files = &file,
                              .n_files = 1,
                              .property = TP_P_UNREACH_CALL,
                              .without_models = true,
                              .calls_by_name = true};
  assert_int_equal(tp_front_load_module(&o, diag, &p, &n_exported), TP_OK);
  unlink(path);
  return p;
}

static inline void mode_add_summaries(mode_subject *s, mode_of_calls mode, mode_proposals proposed,
                                      const char *checked) {
  tp_rsums *sums = tp_rsums_new(
      &s->model, (tp_rsum_limits){.operators = 1300, .allocations = 5, .unions = 3, .contexts = 5});
  for (uint32_t i = 1; i < s->program->funcs.n; i++)
    if (s->program->funcs.at[i].has_body && strcmp(s->program->funcs.at[i].name, checked) != 0) {
      const tp_rsum_template *t = tp_rsums_of(sums, (tp_func){i});
      tp_summary_contract_add_weak(sums, t, (tp_summary_strength)mode, &s->summaries);
      if (mode != CALLS_FROM_SUMMARIES && proposed == SUMMARIES_ARE_PROPOSED)
        tp_summary_contract_propose(sums, t, &s->summaries);
    }
  tp_rsums_free(sums);
  (void)tp_summary_contract_filter(&s->model, &s->summaries);
  for (size_t i = 0; i < s->summaries.all.n; i++)
    tp_vec_push(&s->clauses.all, s->summaries.all.at[i]);
}

/* comments: a program whose comments are contracts, too; NULL: none. */
static inline void mode_init(mode_subject *s, tp_program *p, tp_diag *diag, const char *comments,
                             const char *contract, mode_of_calls mode, mode_proposals proposed,
                             const char *checked) {
  *s = (mode_subject){.diag = diag, .program = p};
  tp_object_model_init(&s->model, p);
  tp_clauses_init(&s->clauses, diag);
  tp_clauses_init(&s->summaries, diag);
  if (comments) tp_clauses_read_c(&s->clauses, "program", comments);
  tp_clauses_read_file(&s->clauses, "contracts", contract);
  if (mode != CALLS_INLINE) mode_add_summaries(s, mode, proposed, checked);
  tp_contracts_init(&s->contracts, &s->model, &s->clauses);
  assert_int_equal(s->clauses.n_wrong, 0);
}

static inline void mode_clear(mode_subject *s) {
  tp_contracts_clear(&s->contracts);
  tp_clauses_clear(&s->clauses);
  tp_clauses_clear(&s->summaries);
  tp_object_model_clear(&s->model);
}

static inline tp_func mode_function(const tp_program *p, const char *name) {
  for (uint32_t i = 1; i < p->funcs.n; i++)
    if (strcmp(p->funcs.at[i].name, name) == 0) return (tp_func){i};
  fail_msg("no function %s", name);
  return TP_FUNC_NONE;
}

typedef struct {
  uint64_t refinements, again, bodies;
} refined_counts;

static inline tp_contract_answer mode_refine(tp_contract_question *q, uint64_t body_after,
                                             refined_counts *n) {
  tp_contract_question executed;
  const tp_refined_answer a = tp_refined_check(q, (tp_refined_limits){400, body_after}, &executed);
  if (a == TP_REFINED_FAILS) tp_contract_question_clear(&executed);
  if (q->refinement && n) {
    const tp_heap_refinement_stats st = tp_heap_refinement_statistics(q->refinement);
    *n = (refined_counts){st.loop.n_refinements, st.n_repeated, st.n_bodies};
  }
  return a == TP_REFINED_HOLDS   ? TP_CONTRACT_HOLDS
         : a == TP_REFINED_FAILS ? TP_CONTRACT_FAILS
                                 : TP_CONTRACT_UNKNOWN;
}

/* The program may have been asked before. Refined calls: UNKNOWN is in vain; n: what it took, or
 * NULL. */
static inline tp_contract_answer mode_answer(tp_program *p, tp_diag *diag, const char *contract,
                                             const char *name, tp_rheap_limits limits,
                                             mode_of_calls mode, mode_proposals proposed,
                                             uint64_t body_after, refined_counts *n) {
  mode_subject s;
  tp_contract_question q;
  tp_contract_answer a = TP_CONTRACT_UNKNOWN;
  mode_init(&s, p, diag, NULL, contract, mode, proposed, name);
  tp_contract_question_init(&q, &s.contracts, mode_function(p, name), limits,
                            mode == CALLS_INLINE ? TP_CALLS_EXECUTED : TP_CALLS_REFINED, 10);
  if (!q.contract.why && mode != CALLS_INLINE) a = mode_refine(&q, body_after, n);
  if (!q.contract.why && mode == CALLS_INLINE) {
    tp_contract_question_ask(&q);
    a = q.verdict.answer;
  }
  tp_contract_question_clear(&q);
  mode_clear(&s);
  return a;
}

#endif
