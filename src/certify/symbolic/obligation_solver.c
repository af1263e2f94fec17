/* Bounds and products first, which circuits do not get through. Then a proof, where the circuit is
 * small: most obligations are, and are refuted by few conflicts.
 * Then the solver; and where that found no model a larger proof, of a size that is bounded for the
 * whole certificate unless proofs are required. */
#include "certify/symbolic/obligation_solver.h"

#include "certify/certify_limits.h"
#include "certify/circuits/term_clauses.h"
#include "certify/unsat/refutation.h"
#include "smt/algebra.h"
#include "smt/value_bounds.h"

struct tp_chk_solver {
  tp_terms *tt;
  tp_smt *smt;
  bool looks_at_bounds, asks_first;
  double cpu_s;
  tp_certify_proofs proofs;
  tp_certify_obligations *met, uncounted;
  tp_algebra products;  // which facts have any
  tp_term_list facts;   // the last ones may be the assumptions of a check
  TP_VEC(size_t) frames;
  const char *reason;  // NULL: the solver's
};

tp_chk_solver *tp_chk_solver_new(tp_terms *tt, tp_smt_options options, tp_certify_proofs proofs,
                                 tp_certify_obligations *met) {
  tp_chk_solver *s = TP_NEW(tp_chk_solver);
  s->tt = tt;
  s->looks_at_bounds = options.looks_at_bounds;
  s->asks_first = options.trusts_models;  // many small questions, most of which have a model
  s->cpu_s = options.cpu_s;
  s->proofs = proofs;
  s->met = met ? met : &s->uncounted;
  s->smt = tp_smt_new(tt, options);
  return s;
}

void tp_chk_solver_free(tp_chk_solver *s) {
  if (!s) return;
  tp_smt_free(s->smt);
  tp_algebra_clear(&s->products);
  tp_vec_clear(&s->facts);
  tp_vec_clear(&s->frames);
  tp_free(s);
}

void tp_chk_solver_push(tp_chk_solver *s) {
  tp_vec_push(&s->frames, s->facts.n);
  tp_smt_push(s->smt);
}

void tp_chk_solver_pop(tp_chk_solver *s) {
  TP_REQUIRE(s->frames.n > 0);
  s->facts.n = tp_vec_pop(&s->frames);
  tp_smt_pop(s->smt);
}

void tp_chk_solver_assert(tp_chk_solver *s, tp_term fact) {
  tp_vec_push(&s->facts, fact);
  tp_smt_assert(s->smt, fact);
}

/* A fact is false as it is written, or the facts are impossible by their bounds or products. */
static bool is_refuted_by_intervals(const tp_chk_solver *s) {
  for (size_t i = 0; i < s->facts.n; i++)
    if (tp_is_false(s->tt, s->facts.at[i])) return true;
  return s->looks_at_bounds && tp_bounds_refute(s->tt, s->facts.at, s->facts.n);
}

static bool has_product(tp_chk_solver *s, tp_term t) {
  return tp_algebra_has_product(&s->products, s->tt, t);
}

static bool is_refuted_by_products(tp_chk_solver *s) {
  bool some = false;
  for (size_t i = 0; i < s->facts.n && !some; i++) some = has_product(s, s->facts.at[i]);
  return some && tp_algebra_refutes(s->tt, s->facts.at, s->facts.n);
}

typedef enum { NOT_PROVED, IS_PROVED, MAY_HAVE_MODEL, HAS_MODEL } proof_result;

/* MAY_HAVE_MODEL: the clauses have, which say less than the facts; HAS_MODEL: as much. */
static proof_result prove(const tp_chk_solver *s, uint64_t gates, tp_refutation_limits limits,
                          uint64_t *n_gates, uint64_t *n_steps) {
  tp_chk_term_clauses c;
  tp_refutation_stats stats;
  proof_result result = NOT_PROVED;
  tp_chk_term_clauses_init(&c, s->tt, gates);
  tp_chk_term_clauses_assert(&c, s->facts.at, s->facts.n);
  if (!c.circuit.is_full) {
    switch (tp_refute_clauses(c.circuit.clauses.at, c.circuit.clauses.n, limits, &stats, NULL)) {
      case TP_REFUTATION_PROVED: result = IS_PROVED; break;
      case TP_REFUTATION_MODEL:
        result = c.n_opaque == 0 && c.bases.n == 0 ? HAS_MODEL : MAY_HAVE_MODEL;
        break;
      case TP_REFUTATION_LIMIT:
      case TP_REFUTATION_REFUSED: break;
    }
    s->met->proof_s += stats.cpu_s;
    *n_steps += stats.proof.n_added;
  }
  *n_gates += c.circuit.n_gates;
  tp_chk_term_clauses_clear(&c);
  return result;
}

static proof_result prove_small(const tp_chk_solver *s) {
  uint64_t n_gates = 0, n_steps = 0;
  return prove(s, TP_CERTIFY_PROOF_GATES,
               (tp_refutation_limits){.conflicts = TP_CERTIFY_PROOF_CONFLICTS,
                                      .assigned = TP_CERTIFY_PROOF_ASSIGNED},
               &n_gates, &n_steps);
}

/* Do the facts but `denial` say that t holds? */
static bool is_shown_by_products(tp_chk_solver *s, size_t denial, tp_term t) {
  const tp_term all = s->facts.at[denial];
  s->facts.at[denial] = tp_mk_not(s->tt, t);
  const bool is_shown = tp_algebra_refutes(s->tt, s->facts.at, s->facts.n);
  s->facts.at[denial] = all;
  return is_shown;
}

/* What is left of a denied conjunction: not that which products show. Same denial: all of it. */
static tp_term rest_of_denial(tp_chk_solver *s, size_t denial) {
  tp_term_list parts = {0};
  tp_term rest = tp_mk_true(s->tt);
  tp_conjuncts(s->tt, tp_arg(s->tt, s->facts.at[denial], 0), &parts);
  for (size_t i = 0; i < parts.n; i++)
    if (!is_shown_by_products(s, denial, parts.at[i])) rest = tp_mk_and(s->tt, rest, parts.at[i]);
  tp_vec_clear(&parts);
  return tp_mk_not(s->tt, rest);
}

/* The fact that denies a goal of several parts, of which some speak of products. False: none. */
static bool find_denial(tp_chk_solver *s, size_t *denial) {
  for (size_t i = s->facts.n; i-- > 0;) {
    const tp_term t = s->facts.at[i];
    if (tp_kind(s->tt, t) != TP_OP_NOT || tp_kind(s->tt, tp_arg(s->tt, t, 0)) != TP_OP_AND ||
        !has_product(s, t))
      continue;
    *denial = i;
    return true;
  }
  return false;
}

/* Where a proof is required; else as long as those of the certificate are not too many. */
static proof_result prove_large(const tp_chk_solver *s) {
  tp_certify_obligations *met = s->met;
  if (s->proofs == TP_CERTIFY_PROOFS_REQUIRED)
    return prove(
        s, TP_CERTIFY_PROOF_MOST_GATES,
        (tp_refutation_limits){.conflicts = TP_CERTIFY_PROOF_MOST_CONFLICTS, .cpu_s = s->cpu_s},
        &met->gates, &met->steps);
  if (met->gates > TP_CERTIFY_PROOF_SUM_GATES || met->steps > TP_CERTIFY_PROOF_SUM_STEPS)
    return NOT_PROVED;
  return prove(s, TP_CERTIFY_PROOF_LATER_GATES,
               (tp_refutation_limits){.conflicts = TP_CERTIFY_PROOF_LATER_CONFLICTS,
                                      .assigned = TP_CERTIFY_PROOF_LATER_ASSIGNED},
               &met->gates, &met->steps);
}

/* first: of the small circuit, if it was tried. */
static proof_result prove_after_solver(const tp_chk_solver *s, bool was_tried, proof_result first) {
  if (s->proofs == TP_CERTIFY_PROOFS_NONE) return NOT_PROVED;
  if (!was_tried) first = prove_small(s);
  return first == NOT_PROVED ? prove_large(s) : first;
}

static tp_smt_answer refuse(tp_chk_solver *s, const char *reason) {
  s->met->unproved++;
  s->reason = reason;
  return TP_SMT_UNKNOWN;
}

/* The facts have no model, says the solver. asks_first: nothing else was tried before it. */
static tp_smt_answer weigh(tp_chk_solver *s, bool asks_first, proof_result first) {
  const proof_result result = prove_after_solver(s, !asks_first, first);
  if (result == HAS_MODEL) return refuse(s, "the solver's answer contradicts that of its clauses");
  if (result == IS_PROVED)
    s->met->by_proof++;
  else if (asks_first && is_refuted_by_products(s))
    s->met->by_intervals++;
  else if (s->proofs == TP_CERTIFY_PROOFS_REQUIRED)
    return refuse(s, "no proof of the solver's answer was checked");
  else
    s->met->by_word++;
  return TP_SMT_UNSAT;
}

/* By a proof, then by the solver; the last n_more facts are assumptions, which it does not know. */
static tp_smt_answer ask(tp_chk_solver *s, size_t n_more, bool asks_first) {
  const bool proves_first = s->proofs != TP_CERTIFY_PROOFS_NONE && !asks_first;
  const proof_result first = proves_first ? prove_small(s) : NOT_PROVED;
  if (first == IS_PROVED) {
    s->met->by_proof++;
    return TP_SMT_UNSAT;
  }
  const tp_smt_answer a = tp_smt_check(s->smt, s->facts.at + s->facts.n - n_more, n_more);
  return a == TP_SMT_UNSAT ? weigh(s, asks_first, first) : a;
}

static tp_smt_answer check(tp_chk_solver *s, size_t n_more, bool asks_first) {
  size_t denial;
  s->reason = NULL;
  if (is_refuted_by_intervals(s) || (!asks_first && is_refuted_by_products(s))) {
    s->met->by_intervals++;
    return TP_SMT_UNSAT;
  }
  if (asks_first || !find_denial(s, &denial)) return ask(s, n_more, asks_first);
  // what products show of the goal need not be denied
  const tp_term all = s->facts.at[denial], rest = rest_of_denial(s, denial);
  if (tp_term_eq(rest, all)) return ask(s, n_more, asks_first);
  s->facts.at[denial] = tp_mk_true(s->tt);
  tp_vec_push(&s->facts, rest);
  const tp_smt_answer a = ask(s, n_more + 1, asks_first);
  s->facts.at[denial] = all;
  return a;
}

/* The facts, and an assumption if it is one. */
static tp_smt_answer check_with(tp_chk_solver *s, tp_term assumption, bool asks_first) {
  const size_t n = s->facts.n;
  if (tp_term_is(assumption)) tp_vec_push(&s->facts, assumption);
  const tp_smt_answer a = check(s, s->facts.n - n, asks_first);
  s->facts.n = n;
  return a;
}

tp_smt_answer tp_chk_solver_check(tp_chk_solver *s, tp_term assumption) {
  return check_with(s, assumption, s->asks_first);
}

tp_smt_answer tp_chk_solver_find_model(tp_chk_solver *s) {
  return check_with(s, TP_TERM_NONE, true);
}

bool tp_chk_solver_value(tp_chk_solver *s, tp_term t, tp_value *out) {
  return tp_smt_value(s->smt, t, out);
}

const char *tp_chk_solver_reason(const tp_chk_solver *s) {
  return s->reason ? s->reason : tp_smt_reason(s->smt);
}
