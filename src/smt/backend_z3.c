/* Back end "z3": the library, in process.
 *
 * Strategy. A query is first tried where its kind of problem is cheapest (measured;
 * doc/solvers.md):
 *   1. bit-vectors alone: a pipeline of tactics under a small step limit. It solves equations
 *      before blasting, which settles in a millisecond what costs the logic's solver a second;
 *   2. incrementally, under a small step limit, once a few checks have shown that the assertions
 *      are asked about repeatedly. Not for floats: without the tactics those are hopeless;
 *   3. from scratch in the solver for the logic, under the caller's limit.
 * A step that fails twice in a row is left out for the rest of this solver's life.
 *
 * Robustness. Errors are recorded by our handler and cost the context: the next query starts with a
 * new one. Limits are step limits (rlimit), which are reproducible; never Z3's timeout, and never
 * its core minimisation (together they return satisfiable "cores"). The CPU net interrupts from a
 * second thread; an interrupted context is not used again. */
#include "smt/backend.h"
#include "smt/smt_limits.h"
#include "smt/sync.h"
#include "smt/watchdog.h"
#include "smt/z3_terms.h"

#include <malloc.h>
#include <stdatomic.h>

typedef struct {
  tp_terms *tt;
  Z3_context z;  // NULL: none yet, or thrown away
  bool failed;   // an error happened in z
  atomic_bool interrupted;
  char message[200];  // text of the last error, or why the last check was given up
  tp_z3_terms terms;
  Z3_tactic pipeline;
  Z3_model model;  // of the last check, if it was SAT
  Z3_solver incremental;
  tp_sync sync;       // what the incremental solver holds
  const char *logic;  // it was made for
  unsigned n_checks, tactic_failures, incremental_failures;
} z3;

/* Z3 gives the handler no place for our pointer; checks never nest, so one variable will do. */
static _Thread_local z3 *current;

static void record_message(z3 *s, const char *text) {
  size_t n = text ? strnlen(text, sizeof s->message - 1) : 0;
  if (n) memcpy(s->message, text, n);
  s->message[n] = 0;
}

static void on_error(Z3_context c, Z3_error_code code) {
  if (!current || current->failed) return;
  current->failed = true;
  record_message(current, Z3_get_error_msg(c, code));
}

static void interrupt(void *ctx) {
  z3 *s = ctx;
  atomic_store(&s->interrupted, true);
  if (s->z) Z3_interrupt(s->z);
}

// -------------------------------------------------------------------- context

static void drop_model(z3 *s) {
  TP_INVARIANT(s->z || !s->model);  // a model belongs to the context
  if (s->model) Z3_model_dec_ref(s->z, s->model);
  s->model = NULL;
}

static void drop_incremental(z3 *s) {
  if (s->incremental) Z3_solver_dec_ref(s->z, s->incremental);
  s->incremental = NULL;
  tp_sync_reset(&s->sync);
}

static void drop_context(z3 *s) {
  if (!s->z) return;
  drop_model(s);
  drop_incremental(s);
  if (s->pipeline) Z3_tactic_dec_ref(s->z, s->pipeline);
  s->pipeline = NULL;
  tp_z3_terms_clear(&s->terms);
  Z3_del_context(s->z);
  s->z = NULL;
}

static bool open_context(z3 *s) {
  if (s->z &&
      (s->failed || atomic_load(&s->interrupted) || s->terms.of.n > TP_SMT_Z3_CONTEXT_TERMS))
    drop_context(s);
  s->failed = false;
  atomic_store(&s->interrupted, false);
  current = s;
  if (s->z) return true;
  Z3_global_param_set("model.compact", "false");  // arrays as tables, not as lambda terms
  Z3_config config = Z3_mk_config();
  s->z = Z3_mk_context(config);
  Z3_del_config(config);
  if (!s->z) return false;
  Z3_set_error_handler(s->z, on_error);
  tp_z3_terms_init(&s->terms, s->tt, s->z, &s->failed);
  return true;
}

/* A context takes megabytes and gives them back; fetching them from the system again each time
 * costs more than most checks (12 against 3 ms for a small one, measured), so freed memory is kept
 * up to a limit. */
static void keep_memory(void) {
  static bool done;
  if (done) return;
  done = true;
  (void)mallopt(M_MMAP_THRESHOLD, TP_SMT_Z3_KEPT_BYTES);
  (void)mallopt(M_TRIM_THRESHOLD, TP_SMT_Z3_KEPT_BYTES);
}

static void *z3_open(tp_terms *tt, const tp_smt_options *options) {
  (void)options;
  keep_memory();
  z3 *s = TP_NEW(z3);
  s->tt = tt;
  return s;
}

static void z3_close(void *self) {
  z3 *s = self;
  current = s;
  drop_context(s);
  tp_sync_clear(&s->sync);
  current = NULL;
  tp_free(s);
}

// -------------------------------------------------------------------- solvers

static const char *logic_of(unsigned theories) {
  bool fp = theories & TP_THEORY_FP, array = theories & TP_THEORY_ARRAY;
  if (theories == TP_THEORY_INT) return "QF_LIA";  // backend_ints.c
  if ((theories & (TP_THEORY_INT | TP_THEORY_QUANTIFIER)) || (fp && array)) return "ALL";
  if (fp) return "QF_BVFP";
  return array ? "QF_ABV" : "QF_BV";
}

static Z3_solver new_solver(z3 *s, const char *logic) {
  TP_REQUIRE(s->z && current == s);
  Z3_solver solver = strcmp(logic, "ALL") == 0
                         ? Z3_mk_solver(s->z)
                         : Z3_mk_solver_for_logic(s->z, Z3_mk_string_symbol(s->z, logic));
  if (solver) Z3_solver_inc_ref(s->z, solver);
  return solver;
}

static void limit(z3 *s, Z3_solver solver, uint64_t rlimit) {
  if (!rlimit) return;
  Z3_params p = Z3_mk_params(s->z);
  Z3_params_inc_ref(s->z, p);
  Z3_params_set_uint(s->z, p, Z3_mk_string_symbol(s->z, "rlimit"),
                     rlimit > UINT32_MAX ? UINT32_MAX : (unsigned)rlimit);
  Z3_solver_set_params(s->z, solver, p);
  Z3_params_dec_ref(s->z, p);
}

static Z3_tactic pipeline(z3 *s) {
  static const char *const steps[] = {"simplify", "propagate-values", "solve-eqs", "elim-uncnstr",
                                      "simplify", "bit-blast",        "sat"};
  enum { N = sizeof steps / sizeof *steps };
  if (s->pipeline) return s->pipeline;
  Z3_tactic whole = NULL;
  for (int i = N - 1; i >= 0; i--) {
    Z3_tactic t = Z3_mk_tactic(s->z, steps[i]);
    if (!t) return NULL;
    Z3_tactic_inc_ref(s->z, t);
    if (whole) {
      Z3_tactic both = Z3_tactic_and_then(s->z, t, whole);
      Z3_tactic_inc_ref(s->z, both);
      Z3_tactic_dec_ref(s->z, t);
      Z3_tactic_dec_ref(s->z, whole);
      t = both;
    }
    whole = t;
  }
  return s->pipeline = whole;
}

/* min of two limits, where 0 is none */
static uint64_t tighter(uint64_t a, uint64_t b) { return !a || (b && b < a) ? b : a; }

static bool assert_all(z3 *s, Z3_solver solver, const tp_term *facts, size_t n) {
  for (size_t i = 0; i < n; i++) {
    Z3_ast a = tp_z3_term(&s->terms, facts[i]);
    if (!a || s->failed) return false;
    Z3_solver_assert(s->z, solver, a);
  }
  return !s->failed;
}

static tp_smt_answer answer_of(z3 *s, Z3_solver solver, Z3_lbool r) {
  if (s->failed || atomic_load(&s->interrupted)) return TP_SMT_UNKNOWN;
  if (r == Z3_L_TRUE) {
    drop_model(s);  // a core may be queried for another query than the last check's
    s->model = Z3_solver_get_model(s->z, solver);
    if (!s->model || s->failed) return TP_SMT_UNKNOWN;
    Z3_model_inc_ref(s->z, s->model);
    return TP_SMT_SAT;
  }
  if (r == Z3_L_FALSE) return TP_SMT_UNSAT;
  record_message(s, Z3_solver_get_reason_unknown(s->z, solver));
  return TP_SMT_UNKNOWN;
}

/* Everything asserted in a solver of its own, which is freed. */
static tp_smt_answer check_once(z3 *s, Z3_solver solver, const tp_smt_query *q, uint64_t rlimit) {
  if (!solver) return TP_SMT_UNKNOWN;
  tp_smt_answer answer = TP_SMT_UNKNOWN;
  limit(s, solver, rlimit);
  if (assert_all(s, solver, q->facts, q->n_facts) &&
      assert_all(s, solver, q->assumptions, q->n_assumptions))
    answer = answer_of(s, solver, Z3_solver_check(s->z, solver));
  Z3_solver_dec_ref(s->z, solver);
  return answer;
}

static tp_smt_answer check_pipeline(z3 *s, const tp_smt_query *q) {
  Z3_tactic t = pipeline(s);
  if (!t) return TP_SMT_UNKNOWN;
  Z3_solver solver = Z3_mk_solver_from_tactic(s->z, t);
  if (solver) Z3_solver_inc_ref(s->z, solver);
  return check_once(s, solver, q, tighter(q->rlimit, TP_SMT_Z3_TACTIC_RLIMIT));
}

// ---------------------------------------------------------------- incremental

/* Bring the incremental solver to hold exactly the query's facts. */
static bool synchronise(z3 *s, const tp_smt_query *q) {
  const char *logic = logic_of(q->theories);
  if (s->incremental && (s->logic != logic || !tp_sync_plan(&s->sync, q))) drop_incremental(s);
  if (!s->incremental && !(s->incremental = new_solver(s, logic))) return false;
  s->logic = logic;
  size_t frames = tp_sync_pop(&s->sync, q);
  if (frames) Z3_solver_pop(s->z, s->incremental, (unsigned)frames);
  for (;;) {
    switch (tp_sync_next(&s->sync, q)) {
      case TP_SYNC_PUSH: Z3_solver_push(s->z, s->incremental); break;
      case TP_SYNC_ASSERT:
        if (!assert_all(s, s->incremental, &tp_vec_last(&s->sync.asserted), 1)) return false;
        break;
      case TP_SYNC_DONE: return !s->failed;
    }
  }
}

static tp_smt_answer check_incremental(z3 *s, const tp_smt_query *q, uint64_t rlimit) {
  tp_smt_answer answer = TP_SMT_UNKNOWN;
  Z3_ast *assumptions = TP_NEW_ARRAY(Z3_ast, q->n_assumptions + 1);
  bool ok = synchronise(s, q);
  for (size_t i = 0; ok && i < q->n_assumptions; i++)
    ok = (assumptions[i] = tp_z3_term(&s->terms, q->assumptions[i])) != NULL;
  if (ok) {
    limit(s, s->incremental, rlimit);
    answer = answer_of(
        s, s->incremental,
        Z3_solver_check_assumptions(s->z, s->incremental, (unsigned)q->n_assumptions, assumptions));
  }
  tp_free(assumptions);
  if (answer == TP_SMT_UNKNOWN && !s->failed)
    drop_incremental(s);  // its state after a limit is anybody's guess
  return answer;
}

/* An assumption that translation has made false is a core; Z3 leaves it out of its own. */
static bool is_core(const z3 *s, const tp_smt_query *q, bool *used) {
  bool found = false;
  for (size_t i = 0; i < q->n_assumptions; i++) {
    used[i] = !found && tp_is_false(s->tt, q->assumptions[i]);
    found |= used[i];
  }
  return found;
}

/* The core comes from the incremental solver, whichever solver answered. */
static bool z3_core(void *self, const tp_smt_query *q, bool *used) {
  z3 *s = self;
  if (is_core(s, q, used)) return true;
  if (!open_context(s)) return false;
  tp_watchdog *w = tp_watchdog_start(q->cpu_s, interrupt, s);
  bool ok = check_incremental(s, q, q->rlimit) == TP_SMT_UNSAT;
  if (ok) {
    Z3_ast_vector core = Z3_solver_get_unsat_core(s->z, s->incremental);
    ok = core && !s->failed;
    if (ok) Z3_ast_vector_inc_ref(s->z, core);
    for (size_t i = 0; ok && i < q->n_assumptions; i++) {
      Z3_ast a = tp_z3_term(&s->terms, q->assumptions[i]);
      used[i] = false;
      for (unsigned j = 0; a && j < Z3_ast_vector_size(s->z, core); j++)
        if (Z3_is_eq_ast(s->z, Z3_ast_vector_get(s->z, core, j), a)) used[i] = true;
    }
    if (core) Z3_ast_vector_dec_ref(s->z, core);
  }
  return !tp_watchdog_stop(w) && ok && !s->failed;
}

// ---------------------------------------------------------------------- check

static tp_smt_answer run_strategy(z3 *s, const tp_smt_query *q) {
  tp_smt_answer answer = TP_SMT_UNKNOWN;
  bool quiet = false;  // no error, no interrupt: the next step may try
  s->n_checks++;
  if (q->theories == TP_THEORY_BV && s->tactic_failures < TP_SMT_Z3_FAILURES &&
      s->n_checks <= TP_SMT_Z3_FIRST_CHECKS) {
    answer = check_pipeline(s, q);
    s->tactic_failures = answer == TP_SMT_UNKNOWN ? s->tactic_failures + 1 : 0;
  }
  quiet = !s->failed && !atomic_load(&s->interrupted);
  if (answer == TP_SMT_UNKNOWN && quiet && !(q->theories & TP_THEORY_FP) &&
      s->n_checks > TP_SMT_Z3_FIRST_CHECKS && s->incremental_failures < TP_SMT_Z3_FAILURES) {
    answer = check_incremental(s, q, tighter(q->rlimit, TP_SMT_Z3_INCREMENTAL_RLIMIT));
    s->incremental_failures = answer == TP_SMT_UNKNOWN ? s->incremental_failures + 1 : 0;
  }
  quiet = !s->failed && !atomic_load(&s->interrupted);
  if (answer == TP_SMT_UNKNOWN && quiet)
    answer = check_once(s, new_solver(s, logic_of(q->theories)), q, q->rlimit);
  return answer;
}

/* Z3 has several words for its step limit. */
static bool is_limit(const char *text) {
  return strstr(text, "cancel") || strstr(text, "resource limit") || strstr(text, "timeout");
}

static void hang(z3 *s) {
  while (!atomic_load(&s->interrupted)) continue;
}

static tp_smt_answer z3_check(void *self, const tp_smt_query *q, const char **reason, bool *broke) {
  z3 *s = self;
  *reason = "injected";
  *broke = false;
  record_message(s, "");
  if (s->z) drop_model(s);
  if (!open_context(s)) {
    *reason = "the solver did not start";
    *broke = true;
    return TP_SMT_UNKNOWN;
  }
  tp_watchdog *w = tp_watchdog_start(q->cpu_s, interrupt, s);
  tp_smt_answer answer = TP_SMT_UNKNOWN;
  switch (q->fault) {
    case TP_FAULT_NONE:
    case TP_FAULT_WRONG_MODEL: answer = run_strategy(s, q); break;
    case TP_FAULT_UNKNOWN: break;
    case TP_FAULT_CRASH:  // in process: an error in the middle of things
    case TP_FAULT_ERROR: Z3_set_error(s->z, Z3_EXCEPTION); break;
    case TP_FAULT_HANG:
      if (w) hang(s);
      break;
  }
  bool late = tp_watchdog_stop(w);
  if (s->failed) {
    drop_model(s);
    *reason = s->message[0] ? s->message : "error in the solver";
    *broke = true;
    return TP_SMT_UNKNOWN;
  }
  if (late) {
    drop_model(s);
    *reason = "CPU limit of the solver";
    return TP_SMT_UNKNOWN;
  }
  if (answer == TP_SMT_UNKNOWN && s->message[0])
    *reason = is_limit(s->message) ? "resource limit" : s->message;
  return answer;
}

static bool z3_model(void *self, const tp_smt_query *q, tp_arena *arena, tp_value *values) {
  z3 *s = self;
  current = s;
  if (!s->model) return false;
  for (size_t i = 0; i < q->n_vars; i++) {
    Z3_ast v = NULL, a = tp_z3_term(&s->terms, q->vars[i]);
    if (!a || !Z3_model_eval(s->z, s->model, a, true, &v) || s->failed) return false;
    if (!tp_z3_value(&s->terms, s->model, tp_sort_of(s->tt, q->vars[i]), v, arena, &values[i]) ||
        s->failed)
      return false;
  }
  return true;
}

const tp_smt_backend tp_smt_z3 = {
    .open = z3_open, .close = z3_close, .check = z3_check, .model = z3_model, .core = z3_core};

const char *tp_smt_z3_version(void) { return Z3_get_full_version(); }
