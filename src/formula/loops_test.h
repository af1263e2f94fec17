/* Loops as sequences of blocks, and the question whether predicates prove them: for tests of
 * interpolants.
 *
 * What       a program of one loop: init, guard, body, what goes wrong behind it; its paths with k
 *            turns; Boolean abstraction over given predicates at the loop head, by enumeration. */
#ifndef TP_FORMULA_LOOPS_TEST_H
#define TP_FORMULA_LOOPS_TEST_H

#include "formula/interpolants.h"
#include "program/build_test.h"
#include "smt/smt.h"

#include <setjmp.h>

#include <cmocka.h>

enum { LOOP_EDGES = 8, LOOP_VARS = 5, LOOP_TURNS = 12 };

typedef struct {
  tp_edge at[LOOP_EDGES];
  size_t n;
} edges_of_block;

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_terms *tt;
  tp_func main;
  tp_var v[LOOP_VARS];
  tp_loc at;
  edges_of_block init, turn,
      error;  // turn: guard and body; error: guard's negation and the failed check
  tp_paths paths;
  tp_path blocks[LOOP_TURNS + 2];
  size_t n;
} loop;

static inline void loop_begin(loop *l, uint32_t width) {
  static const char *const names[LOOP_VARS] = {"a", "b", "c", "d", "e"};
  memset(l, 0, sizeof *l);
  l->diag = tp_diag_new(stderr, false);
  l->p = tp_program_new(l->diag, 64);
  l->tt = l->p->terms;
  l->main = func(l->p, "main");
  l->p->main = l->main;
  for (int i = 0; i < LOOP_VARS; i++)
    l->v[i] = var(l->p, l->main, names[i], bv_sort(l->p, width), TP_TYPE_NONE);
  l->at = entry_of(l->p, l->main);
}

static inline tp_loc loop_next(loop *l) { return l->at = loc(l->p, l->main); }
static inline void loop_set(loop *l, edges_of_block *b, tp_var v, tp_term value) {
  tp_loc from = l->at;
  b->at[b->n++] = assign(l->p, from, loop_next(l), v, value);
}
static inline void loop_assume(loop *l, edges_of_block *b, tp_term condition) {
  tp_loc from = l->at;
  b->at[b->n++] = assume(l->p, from, loop_next(l), condition);
}
static inline void loop_havoc(loop *l, edges_of_block *b, tp_var v) {
  tp_loc from = l->at;
  b->at[b->n++] = tp_program_add_edge(l->p, (tp_edge_info){.kind = TP_E_HAVOC,
                                                           .from = from,
                                                           .to = loop_next(l),
                                                           .var = v,
                                                           .input = TP_I_NONDET,
                                                           .name = "nondet"});
}

static inline void loop_ready(loop *l) {
  step(l->p, l->at, exit_of(l->p, l->main));
  tp_program_finish(l->p);
  tp_paths_init(&l->paths, l->p);
}

static inline tp_path path_of(tp_paths *x, const edges_of_block *b, bool from_start) {
  tp_path a = from_start ? tp_path_start(x) : tp_path_here(x);
  for (size_t i = 0; i < b->n; i++) tp_path_edge(x, &a, b->at[i]);
  return a;
}

static inline void loop_fold(loop *l) {
  for (size_t i = 0; i < l->n; i++) tp_path_clear(&l->blocks[i]);
  l->n = 0;
}

/* init, k turns, error: cuts 1 .. k + 1 are at the loop head. */
static inline void loop_unroll(loop *l, size_t k) {
  loop_fold(l);
  l->blocks[l->n++] = path_of(&l->paths, &l->init, true);
  for (size_t i = 0; i < k; i++) l->blocks[l->n++] = path_of(&l->paths, &l->turn, false);
  l->blocks[l->n++] = path_of(&l->paths, &l->error, false);
}

static inline void loop_end(loop *l) {
  loop_fold(l);
  tp_paths_clear(&l->paths);
  tp_program_free(l->p);
  tp_diag_free(l->diag);
}

// ---------------------------------------------------------- Boolean abstraction

enum { ABSTRACT_MAX = 10 };

/* The next valuation of predicates behind the path from states that meet `before`, that is not in
 * seen; false: none. */
static inline bool next_valuation(loop *l, const tp_path *path, tp_term before,
                                  const tp_atoms *preds, const bool *seen, uint32_t *out) {
  tp_term images[ABSTRACT_MAX], all = tp_mk_and(l->tt, before, tp_path_condition(&l->paths, path));
  for (size_t i = 0; i < preds->n; i++) images[i] = tp_path_after(&l->paths, path, preds->at[i]);
  for (uint32_t v = 0; v < 1u << preds->n; v++) {
    if (!seen[v]) continue;
    tp_term same = tp_mk_true(l->tt);
    for (size_t i = 0; i < preds->n; i++)
      same = tp_mk_and(l->tt, same, v >> i & 1 ? images[i] : tp_mk_not(l->tt, images[i]));
    all = tp_mk_and(l->tt, all, tp_mk_not(l->tt, same));
  }
  tp_smt *s = tp_smt_new(l->tt, (tp_smt_options){0});
  tp_smt_assert(s, tp_paths_query(&l->paths, all));
  bool found = tp_smt_check(s, NULL, 0) == TP_SMT_SAT;
  *out = 0;
  for (size_t i = 0; found && i < preds->n; i++) {
    tp_value value = {0};
    assert_true(tp_smt_value(s, images[i], &value));
    *out |= (uint32_t)(value.bits != 0) << i;
  }
  tp_smt_free(s);
  return found;
}

/* Is the error unreachable in the Boolean abstraction over these predicates at the loop head? */
static inline bool predicates_prove(loop *l, const tp_atoms *preds) {
  static bool reached[1u << ABSTRACT_MAX], done[1u << ABSTRACT_MAX];
  if (preds->n > ABSTRACT_MAX) return false;
  memset(reached, 0, sizeof reached);
  memset(done, 0, sizeof done);
  tp_path init = path_of(&l->paths, &l->init, true), turn = path_of(&l->paths, &l->turn, false),
          error = path_of(&l->paths, &l->error, false);
  uint32_t v, n = 1u << preds->n;
  bool safe = true, more = true;
  while (next_valuation(l, &init, tp_mk_true(l->tt), preds, reached, &v)) reached[v] = true;
  while (safe && more) {
    more = false;
    for (uint32_t from = 0; safe && from < n; from++) {
      if (!reached[from] || done[from]) continue;
      done[from] = more = true;
      tp_term here = tp_mk_true(l->tt);
      for (size_t i = 0; i < preds->n; i++)
        here =
            tp_mk_and(l->tt, here, from >> i & 1 ? preds->at[i] : tp_mk_not(l->tt, preds->at[i]));
      while (next_valuation(l, &turn, here, preds, reached, &v)) reached[v] = true;
      safe = tp_itp_holds(&l->paths, &error, here, tp_mk_false(l->tt), (tp_itp_options){0});
    }
  }
  tp_path_clear(&init);
  tp_path_clear(&turn);
  tp_path_clear(&error);
  return safe;
}

#endif
