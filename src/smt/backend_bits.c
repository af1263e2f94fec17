/* Back end "bits": our own circuits (circuit/) in a SAT solver, incrementally.
 *
 * A frame's facts are clauses that its switch turns on; a check assumes the switches of all frames
 * and the assumptions of the query; pop turns a switch off for good. Gates and what the SAT solver
 * learnt stay. Arrays: a solution whose reads contradict each other gets lemmas and is asked for
 * again.
 *
 * When most gates belong to popped frames, or anything goes wrong, the solver is thrown away and
 * the next query builds another one. The step limit is one of conflicts per check; CPU time is a
 * net. */
#include "circuit/blast.h"
#include "circuit/words.h"
#include "smt/backend.h"
#include "smt/smt_limits.h"
#include "smt/sync.h"

typedef struct {
  tp_lit on;     // switch; FALSE: no clause needs one
  size_t nodes;  // of the circuit when it was pushed
} frame;

typedef struct {
  tp_terms *tt;
  tp_gates gates;
  tp_blast *blast;  // NULL: nothing built
  tp_sat *sat;
  tp_sync sync;
  TP_VEC(frame) frames;
  size_t checked;           // gates when tp_gates_check last looked, in check builds
  size_t garbage, counted;  // gates of popped frames; gates that were looked at for that
  TP_VEC(tp_term) fresh;    // facts of one frame, to be asserted
  tp_lits lits, assumed;
  TP_VEC(tp_term) assumptions;  // of the last check
  tp_smt_answer answer;         // to it
} bits;

static void *bits_open(tp_terms *tt, const tp_smt_options *options) {
  (void)options;
  bits *s = TP_NEW(bits);
  s->tt = tt;
  return s;
}

static void drop(bits *s) {
  if (s->blast) tp_gates_clear(&s->gates);
  tp_blast_free(s->blast);
  tp_sat_free(s->sat);
  s->blast = NULL;
  s->sat = NULL;
  tp_sync_reset(&s->sync);
  s->frames.n = 0;
  s->garbage = s->counted = s->checked = 0;
  s->answer = TP_SMT_UNKNOWN;
}

static void bits_close(void *self) {
  bits *s = self;
  drop(s);
  tp_sync_clear(&s->sync);
  tp_vec_clear(&s->frames);
  tp_vec_clear(&s->fresh);
  tp_vec_clear(&s->lits);
  tp_vec_clear(&s->assumed);
  tp_vec_clear(&s->assumptions);
  tp_free(s);
}

static void start(bits *s) {
  if (s->blast) return;
  tp_gates_init(&s->gates);
  s->blast = tp_blast_new(s->tt, &s->gates);
  s->sat = tp_sat_new(&s->gates);
}

// ------------------------------------------------------------------------ facts

static void pop(bits *s) {
  TP_REQUIRE(s->frames.n > 0);
  frame f = tp_vec_pop(&s->frames);
  if (!tp_lit_is_const(f.on)) tp_sat_clause(s->sat, (tp_lit[]){tp_lit_not(f.on)}, 1);
  tp_blast_pop(s->blast);
  size_t from = f.nodes > s->counted ? f.nodes : s->counted;
  s->garbage += s->gates.nodes.n - from;
  s->counted = s->gates.nodes.n;
}

/* Assert what was collected, in the newest frame. */
static bool assert_fresh(bits *s) {
  s->lits.n = 0;
  bool ok = tp_blast_facts(s->blast, s->fresh.at, s->fresh.n, &s->lits);
  s->fresh.n = 0;
  for (size_t i = 0; ok && i < s->lits.n; i++) {
    tp_lit off = TP_LIT_FALSE;
    if (s->frames.n) {
      frame *f = &tp_vec_last(&s->frames);
      if (tp_lit_is_const(f->on)) f->on = tp_gate_input(&s->gates);
      off = tp_lit_not(f->on);
    }
    tp_sat_clause(s->sat, (tp_lit[]){s->lits.at[i], off}, tp_lit_is_const(off) ? 1 : 2);
  }
  return ok;
}

static bool is_mostly_garbage(const bits *s) {
  return s->garbage > TP_SMT_BITS_GARBAGE_GATES && s->garbage > s->gates.nodes.n / 4 * 3;
}

/* Bring the solver to hold exactly the query's facts. */
static bool synchronise(bits *s, const tp_smt_query *q) {
  if (!tp_sync_plan(&s->sync, q)) drop(s);
  start(s);
  for (size_t n = tp_sync_pop(&s->sync, q); n > 0; n--) pop(s);
  if (is_mostly_garbage(s)) {
    drop(s);
    start(s);
  }
  for (;;) {
    switch (tp_sync_next(&s->sync, q)) {
      case TP_SYNC_PUSH:
        if (!assert_fresh(s)) return false;
        tp_vec_push(&s->frames, (frame){.nodes = s->gates.nodes.n});
        tp_blast_push(s->blast);
        break;
      case TP_SYNC_ASSERT: tp_vec_push(&s->fresh, tp_vec_last(&s->sync.asserted)); break;
      case TP_SYNC_DONE: return assert_fresh(s);
    }
  }
}

/* Each time that the circuit has doubled, so that all checks together are linear. */
static void check_circuit(bits *s) {
  if (s->gates.nodes.n < 2 * s->checked) return;
  TP_INVARIANT(tp_gates_check(&s->gates));
  s->checked = s->gates.nodes.n;
}

/* What is assumed: the switches, then the assumptions of the query. */
static bool assume(bits *s, const tp_smt_query *q) {
  s->assumed.n = 0;
  s->assumptions.n = 0;
  for (size_t i = 0; i < s->frames.n; i++)
    tp_vec_push(&s->assumed,
                tp_lit_is_const(s->frames.at[i].on) ? TP_LIT_TRUE : s->frames.at[i].on);
  for (size_t i = 0; i < q->n_assumptions; i++) {
    tp_lit a[1];
    if (!tp_blast_term(s->blast, q->assumptions[i], a)) return false;
    tp_vec_push(&s->assumed, a[0]);
    tp_vec_push(&s->assumptions, q->assumptions[i]);
  }
  return true;
}

// ---------------------------------------------------------------------- check

static const char *refusal(bits *s, const tp_smt_query *q) {
  const char *why = NULL;
  for (size_t i = 0; !why && i < q->n_facts; i++) why = tp_blast_unsupported(s->blast, q->facts[i]);
  for (size_t i = 0; !why && i < q->n_assumptions; i++)
    why = tp_blast_unsupported(s->blast, q->assumptions[i]);
  return why;
}

static tp_smt_answer solve_with_lemmas(bits *s, const tp_smt_query *q, const char **reason) {
  uint64_t conflicts = q->rlimit ? q->rlimit / TP_SMT_BITS_STEPS_PER_CONFLICT + 1 : 0;
  start(s);
  if ((*reason = refusal(s, q))) return TP_SMT_UNKNOWN;
  if (!synchronise(s, q) || !assume(s, q) || !tp_blast_constrain_equalities(s->blast, s->sat)) {
    drop(s);
    *reason = "bits: circuit too large";
    return TP_SMT_UNKNOWN;
  }
  check_circuit(s);
  TP_INVARIANT(s->assumed.n == s->frames.n + q->n_assumptions);
  for (int round = 0; round < TP_SMT_BITS_LEMMA_ROUNDS; round++) {
    switch (tp_sat_solve(s->sat, s->assumed.at, s->assumed.n, conflicts, q->cpu_s)) {
      case TP_SAT_UNSATISFIABLE: return TP_SMT_UNSAT;
      case TP_SAT_CONFLICT_LIMIT: *reason = "resource limit"; return TP_SMT_UNKNOWN;
      case TP_SAT_CPU_LIMIT: *reason = "CPU limit of the solver"; return TP_SMT_UNKNOWN;
      case TP_SAT_SATISFIABLE:
        if (!tp_reads_refine(tp_blast_reads(s->blast), s->sat)) return TP_SMT_SAT;
        break;
    }
  }
  *reason = "resource limit";
  return TP_SMT_UNKNOWN;
}

static void hang(double cpu_s) {
  for (double until = tp_cpu_s() + cpu_s; tp_cpu_s() < until;) continue;
}

static tp_smt_answer bits_check(void *self, const tp_smt_query *q, const char **reason,
                                bool *broke) {
  bits *s = self;
  *broke = false;
  *reason = "injected";
  s->answer = TP_SMT_UNKNOWN;
  switch (q->fault) {
    case TP_FAULT_NONE:
    case TP_FAULT_WRONG_MODEL: return s->answer = solve_with_lemmas(s, q, reason);
    case TP_FAULT_UNKNOWN: return TP_SMT_UNKNOWN;
    case TP_FAULT_HANG:
      hang(q->cpu_s);
      *reason = "CPU limit of the solver";
      return TP_SMT_UNKNOWN;
    case TP_FAULT_ERROR:
    case TP_FAULT_CRASH: break;
  }
  drop(s);
  *broke = true;
  return TP_SMT_UNKNOWN;
}

/* Variables outside the fragment do not occur in this query; older ones of the same frame had them.
 */
static tp_value zero_of(const bits *s, tp_sort sort, tp_arena *arena) {
  if (tp_sort_kind_of(s->tt, sort) != TP_SORT_ARRAY) return (tp_value){0};
  tp_array_value *a = tp_arena_new(arena, tp_array_value);
  a->otherwise = zero_of(s, tp_sort_element(s->tt, sort), arena);
  return (tp_value){.array = a};
}

static bool bits_model(void *self, const tp_smt_query *q, tp_arena *arena, tp_value *values) {
  bits *s = self;
  if (s->answer != TP_SMT_SAT) return false;
  for (size_t i = 0; i < q->n_vars; i++) {
    bool refused = tp_blast_unsupported(s->blast, q->vars[i]) != NULL;
    values[i] = refused ? zero_of(s, tp_sort_of(s->tt, q->vars[i]), arena)
                        : tp_blast_value(s->blast, s->sat, q->vars[i], arena);
  }
  return true;
}

/* Was this query the last one? */
static bool is_answered(const bits *s, const tp_smt_query *q) {
  if (s->answer != TP_SMT_UNSAT || s->assumptions.n != q->n_assumptions ||
      s->sync.asserted.n != q->n_facts || s->frames.n != q->n_frames)
    return false;
  for (size_t i = 0; i < q->n_assumptions; i++)
    if (!tp_term_eq(s->assumptions.at[i], q->assumptions[i])) return false;
  for (size_t i = 0; i < q->n_facts; i++)
    if (!tp_term_eq(s->sync.asserted.at[i], q->facts[i])) return false;
  return true;
}

static bool bits_core(void *self, const tp_smt_query *q, bool *used) {
  bits *s = self;
  const char *reason;
  bool broke;
  if (!is_answered(s, q) && bits_check(s, q, &reason, &broke) != TP_SMT_UNSAT) return false;
  TP_INVARIANT(s->answer == TP_SMT_UNSAT && s->assumed.n == s->frames.n + q->n_assumptions);
  const tp_lit *a = s->assumed.at + s->frames.n;
  for (size_t i = 0; i < q->n_assumptions; i++) {
    used[i] = tp_sat_failed(s->sat, a[i]);
    for (size_t j = 0; used[i] && j < i; j++)
      used[i] = !tp_lit_eq(a[i], a[j]);  // one of equal ones is enough
  }
  return true;
}

const tp_smt_backend tp_smt_bits = {.open = bits_open,
                                    .close = bits_close,
                                    .check = bits_check,
                                    .model = bits_model,
                                    .core = bits_core};
