/* Back ends "ints" and "ints-exact": queries over bit-vectors as linear integer problems, solved by
 * Z3.
 *
 * "ints" takes the integers where the translation leaves no wrap and bit-vectors otherwise
 * (measured: integers without wraps are the faster half, wraps as conditionals the slower).
 * "ints-exact" takes them whenever the query is in the fragment. What integers do not settle within
 * their steps goes to bit-vectors as well.
 *
 * Bounds are taken from facts only: what an assumption says must not outlive it, and must be seen
 * in a core. Each query is translated as a whole; ranges and definitions stand behind the facts, so
 * that facts keep their frames. */
#include "smt/backend.h"
#include "smt/integers.h"
#include "smt/smt_limits.h"

typedef struct {
  tp_terms *tt;
  bool with_wraps;
  void *bits, *linear;  // two Z3s
  tp_integers *integers;
  tp_integers_translation translated;
  TP_VEC(tp_term) facts;
  tp_map refused;     // facts outside the fragment
  bool by_integers;   // who gave the last answer
  unsigned failures;  // of integers at their limits, in a row: then they are left alone
} ints;

static ints *open_with(tp_terms *tt, const tp_smt_options *options, bool with_wraps) {
  ints *s = TP_NEW(ints);
  s->tt = tt;
  s->with_wraps = with_wraps;
  s->bits = tp_smt_z3.open(tt, options);
  s->linear = tp_smt_z3.open(tt, options);
  s->integers = tp_integers_new(tt);
  return s;
}

static void *ints_open(tp_terms *tt, const tp_smt_options *options) {
  return open_with(tt, options, false);
}
static void *exact_open(tp_terms *tt, const tp_smt_options *options) {
  return open_with(tt, options, true);
}

static void ints_close(void *self) {
  ints *s = self;
  tp_smt_z3.close(s->bits);
  tp_smt_z3.close(s->linear);
  tp_integers_translation_clear(&s->translated);
  tp_map_clear(&s->refused);
  tp_integers_free(s->integers);
  tp_vec_clear(&s->facts);
  tp_free(s);
}

/* The query over integers. False: bit-vectors are better at it. */
static bool translate(ints *s, const tp_smt_query *q, tp_smt_query *out) {
  if (q->theories != TP_THEORY_BV || s->failures >= TP_SMT_INTS_FAILURES) return false;
  tp_integers_query question = {.facts = q->facts,
                                .n_facts = q->n_facts,
                                .assumptions = q->assumptions,
                                .n_assumptions = q->n_assumptions};
  for (size_t i = 0; i < q->n_facts; i++)
    if (tp_map_has(&s->refused, q->facts[i].id)) return false;
  if (!tp_integers_translate(s->integers, &question, &s->translated)) {
    if (s->translated.facts.n < q->n_facts)
      tp_map_set(&s->refused, q->facts[s->translated.facts.n].id, 1);
    return false;
  }
  if (s->translated.n_wraps && !s->with_wraps) return false;
  s->facts.n = 0;
  for (size_t i = 0; i < s->translated.facts.n; i++)
    tp_vec_push(&s->facts, s->translated.facts.at[i]);
  for (size_t i = 0; i < s->translated.side.n; i++)
    tp_vec_push(&s->facts, s->translated.side.at[i]);
  *out = *q;
  out->facts = s->facts.at, out->n_facts = s->facts.n;
  TP_INVARIANT(s->translated.facts.n == q->n_facts);  // in order, so that frames keep their starts
  TP_INVARIANT(s->translated.assumptions.n == q->n_assumptions);
  out->assumptions = s->translated.assumptions.at;
  out->vars = s->translated.vars.at, out->n_vars = s->translated.vars.n;
  out->theories = TP_THEORY_INT;
  if (!out->rlimit || out->rlimit > TP_SMT_INTS_RLIMIT) out->rlimit = TP_SMT_INTS_RLIMIT;
  return true;
}

static tp_smt_answer ints_check(void *self, const tp_smt_query *q, const char **reason,
                                bool *broke) {
  ints *s = self;
  tp_smt_query linear;
  s->by_integers = translate(s, q, &linear);
  if (s->by_integers) {
    tp_smt_answer answer = tp_smt_z3.check(s->linear, &linear, reason, broke);
    if (answer != TP_SMT_UNKNOWN || q->fault != TP_FAULT_NONE) {
      s->failures = 0;
      return answer;
    }
    s->failures++;
    s->by_integers = false;
  }
  return tp_smt_z3.check(s->bits, q, reason, broke);
}

/* Values of integers are those of their variables modulo 2^width; variables that the translation
 * lost are free. */
static bool ints_model(void *self, const tp_smt_query *q, tp_arena *arena, tp_value *values) {
  ints *s = self;
  if (!s->by_integers) return tp_smt_z3.model(s->bits, q, arena, values);
  tp_smt_query linear = *q;
  linear.vars = s->translated.vars.at, linear.n_vars = s->translated.vars.n;
  tp_value *found = tp_arena_array(arena, tp_value, linear.n_vars);
  if (!tp_smt_z3.model(s->linear, &linear, arena, found)) return false;
  tp_map index = {0};
  for (size_t i = 0; i < linear.n_vars; i++) tp_map_set(&index, linear.vars[i].id, i);
  for (size_t i = 0; i < q->n_vars; i++) {
    uint64_t at;
    values[i] = (tp_value){0};
    if (!tp_map_get(&index, tp_integers_var(s->integers, q->vars[i]).id, &at)) continue;
    uint32_t w = tp_width(s->tt, q->vars[i]);
    values[i].bits = found[at].bits & (((tp_u128)1 << w) - 1);
  }
  tp_map_clear(&index);
  return true;
}

/* The last answer may have been another query's, or remembered. */
static bool ints_core(void *self, const tp_smt_query *q, bool *used) {
  ints *s = self;
  tp_smt_query linear;
  if (translate(s, q, &linear) && tp_smt_z3.core(s->linear, &linear, used)) return true;
  return tp_smt_z3.core(s->bits, q, used);
}

const tp_smt_backend tp_smt_ints = {.open = ints_open,
                                    .close = ints_close,
                                    .check = ints_check,
                                    .model = ints_model,
                                    .core = ints_core};
const tp_smt_backend tp_smt_ints_exact = {.open = exact_open,
                                          .close = ints_close,
                                          .check = ints_check,
                                          .model = ints_model,
                                          .core = ints_core};
