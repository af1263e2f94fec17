/* Calls executed and calls refined from nothing, from frames, from summaries: the same verdict on
 * random programs with random contracts. What is executed is compared with enumeration by
 * exhaustive_test.c. TP_SOAK=1: many. */
#include "base/files.h"
#include "contracts/contracts_limits.h"
#include "functions.h"
#include "modes.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
  uint64_t programs, holds, fails, unknown, in_vain[3], refinements[3], again[3], bodies,
      body_after;
  mode_proposals proposed;
} tally;

/* The text behind the head of a function, with calls of its helper turned into calls of another
 * one. */
static void add_function(const char *text, const char *name, const char *callee, tp_rng *rng,
                         tp_str *out) {
  const char *body = strchr(strstr(text, "struct n *f("), '{');
  tp_str_printf(out, "%sstruct n *%s(struct n *x, struct n *y, int i) ",
                strcmp(name, "f") ? "static " : "", name);
  for (const char *c = body; *c; c++)
    if (callee && strncmp(c, "helper(", 7) == 0 && tp_rng_below(rng, 3)) {
      tp_str_printf(out, "t = %s(", callee);
      for (c += 7; *c != ','; c++) tp_str_add_char(out, *c);
      tp_str_add(out, ", y");
      c--;
    } else
      tp_str_add_char(out, *c);
}

static void random_chain(uint64_t seed, tp_str *program) {
  static const char *const names[] = {"low", "middle", "f"};
  tp_rng rng;
  tp_rng_init(&rng, seed);
  const int first = (int)tp_rng_below(&rng, 2);
  tp_str_add(program, FUNCTIONS_PLAIN);
  for (int k = first; k < 3; k++) {
    tp_str text = {0};
    const function_style style = {.has_locals = seed % 3 == 0, .may_keep_locals = seed % 6 == 0};
    random_function(seed * 3 + (uint64_t)k, style, &text);
    if (k == first)
      tp_str_add_n(program, text.text, (size_t)(strstr(text.text, "struct n *f(") - text.text));
    add_function(text.text, names[k], k == first ? NULL : names[k - 1], &rng, program);
    tp_str_clear(&text);
  }
}

/* UNKNOWN: in vain. */
static tp_contract_answer refined_answer(tp_program *p, tp_diag *diag, const char *contract,
                                         tp_rheap_limits limits, int how, tally *sum) {
  refined_counts n = {0};
  const tp_contract_answer a = mode_answer(p, diag, contract, "f", limits, (mode_of_calls)how,
                                           sum->proposed, sum->body_after, &n);
  sum->refinements[how] += n.refinements;
  sum->again[how] += n.again;
  sum->bodies += n.bodies;
  return a;
}

static void check_program(uint64_t seed, tally *sum) {
  tp_str program = {0}, contract = {0};
  const tp_rheap_limits limits = {
      .objects = 1 + (uint32_t)(seed % 2), .unroll = 1, .width_bits = 3};
  static FILE *quiet;
  if (!quiet) quiet = fopen("/dev/null", "w");
  tp_diag *diag = tp_diag_new(quiet, false);
  random_chain(seed, &program);
  random_contract(seed, (function_style){0}, &contract);
  tp_program *p = mode_load(tp_str_text(&program), diag);
  const tp_contract_answer expected = mode_answer(p, diag, tp_str_text(&contract), "f", limits,
                                                  CALLS_INLINE, NOTHING_IS_PROPOSED, 0, NULL);
  sum->programs++;
  *(expected == TP_CONTRACT_HOLDS   ? &sum->holds
    : expected == TP_CONTRACT_FAILS ? &sum->fails
                                    : &sum->unknown) += 1;
  for (int how = CALLS_FROM_NOTHING; how <= CALLS_FROM_SUMMARIES && expected != TP_CONTRACT_UNKNOWN;
       how++) {
    const tp_contract_answer a = refined_answer(p, diag, tp_str_text(&contract), limits, how, sum);
    sum->in_vain[how] += a == TP_CONTRACT_UNKNOWN;
    if (a != TP_CONTRACT_UNKNOWN && a != expected)
      fail_msg("seed %llu, start %d: executed %d, refined %d\n%s\n%s", (unsigned long long)seed,
               how, expected, a, tp_str_text(&program), tp_str_text(&contract));
  }
  tp_program_free(p);
  tp_diag_free(diag);
  tp_str_clear(&program);
  tp_str_clear(&contract);
}

static void K27_K34_verdicts_with_every_start(void **state) {
  (void)state;
  tally sum = {0};
  const uint64_t n = getenv("TP_N")      ? strtoull(getenv("TP_N"), NULL, 10)
                     : getenv("TP_SOAK") ? 20000
                                         : 120;
  const uint64_t first = getenv("TP_SEED") ? strtoull(getenv("TP_SEED"), NULL, 10) : 1;
  static const uint64_t bodies_after[] = {0, 1, 2, TP_CONTRACTS_BODY_AFTER};
  for (uint64_t i = 0; i < n; i++) {
    sum.body_after = bodies_after[(first + i) / 2 % 4];
    sum.proposed = (first + i) / 8 % 2 ? SUMMARIES_ARE_PROPOSED : NOTHING_IS_PROPOSED;
    check_program(first + i, &sum);
  }
  print_message(
      "%llu programs, %llu hold, %llu fail, %llu unknown; in vain from nothing %llu, frames %llu, "
      "summaries %llu; refined %llu, %llu, %llu; %llu bodies put at calls\n",
      (unsigned long long)sum.programs, (unsigned long long)sum.holds,
      (unsigned long long)sum.fails, (unsigned long long)sum.unknown,
      (unsigned long long)sum.in_vain[0], (unsigned long long)sum.in_vain[1],
      (unsigned long long)sum.in_vain[2], (unsigned long long)sum.refinements[0],
      (unsigned long long)sum.refinements[1], (unsigned long long)sum.refinements[2],
      (unsigned long long)sum.bodies);
  assert_true(sum.bodies > 0);
  assert_true(sum.holds * 10 > sum.programs && sum.fails * 10 > sum.programs);
  for (int how = 0; how < 3; how++) {
    assert_true(sum.in_vain[how] * 20 <= sum.programs);
    assert_int_equal(sum.again[how], 0);  // no pair of states came back
  }
  assert_true(sum.refinements[0] >= sum.refinements[1] &&
              sum.refinements[1] >= sum.refinements[2] && sum.refinements[2] > 0);
  assert_int_equal(tp_live_bytes(), 0);
}

// -------------------------------------------------------------------- proposals

static const struct {
  const char *proposed, *ensured;
  tp_contract_answer expected;
  uint64_t least, most;  // refinements
} proposals[] = {
    // what the body keeps is used, and makes refutations needless
    {"modifies x.v ensures x.v' = 1", "x.v' = 1 and x.w' = x.w", TP_CONTRACT_HOLDS, 1, 4},
    {"modifies x.v ensures x.v' = 1", "x.v' = 2", TP_CONTRACT_FAILS, 0, 4},
    // what it does not keep is not, whatever would follow from it
    {"modifies x.v ensures x.v' = 2", "x.v' = 2", TP_CONTRACT_FAILS, 0, 9},
    {"modifies x.v ensures x.v' = 2", "x.v' = 1", TP_CONTRACT_HOLDS, 1, 9},
    {"modifies none ensures x.v' = 1", "x.v' = x.v", TP_CONTRACT_FAILS, 0, 9},
    {"modifies none ensures x.v' = 1", "x.v' = 1 and x.w' = x.w", TP_CONTRACT_HOLDS, 1, 9},
    {"modifies none ensures 0 = 1", "0 = 1", TP_CONTRACT_FAILS, 0, 9},
};

static tp_contract_answer answer_with_proposal(tp_program *p, tp_diag *diag, size_t i,
                                               refined_counts *n) {
  tp_str text = {0};
  mode_subject s = {.diag = diag, .program = p};
  tp_contract_question q;
  tp_object_model_init(&s.model, p);
  tp_clauses_init(&s.clauses, diag);
  tp_clauses_init(&s.summaries, diag);
  tp_str_printf(&text, "function f { requires x != null ensures %s }", proposals[i].ensured);
  tp_clauses_read_file(&s.clauses, "contract", tp_str_text(&text));
  mode_add_summaries(&s, CALLS_FROM_NOTHING, NOTHING_IS_PROPOSED, "f");
  const size_t first = s.clauses.all.n;
  tp_str_clear(&text);
  tp_str_printf(&text, "function low { %s }", proposals[i].proposed);
  tp_clauses_read_file(&s.clauses, "proposal", tp_str_text(&text));
  for (size_t k = first; k < s.clauses.all.n; k++)
    s.clauses.all.at[k].origin = TP_CONTRACT_PROPOSED;
  tp_contracts_init(&s.contracts, &s.model, &s.clauses);
  assert_int_equal(s.clauses.n_wrong, 0);
  tp_contract_question_init(&q, &s.contracts, mode_function(p, "f"),
                            (tp_rheap_limits){.objects = 2, .unroll = 1, .width_bits = 3},
                            TP_CALLS_REFINED, 10);
  const tp_contract_answer a = mode_refine(&q, 0, n);
  tp_contract_question_clear(&q);
  mode_clear(&s);
  tp_str_clear(&text);
  return a;
}

static void no_proposal_is_believed(void **state) {
  (void)state;
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = mode_load(
      "struct s { int v, w; struct s *next; };\n"
      "static void low(struct s *x) { x->v = 1; }\n"
      "void f(struct s *x) { if (x->next) low(x->next); low(x); }\n",
      diag);
  for (size_t i = 0; i < sizeof proposals / sizeof *proposals; i++) {
    refined_counts n = {0};
    const tp_contract_answer a = answer_with_proposal(p, diag, i, &n);
    if (a != proposals[i].expected || n.refinements < proposals[i].least ||
        n.refinements > proposals[i].most)
      fail_msg("%s, %s: %d with %llu refinements", proposals[i].proposed, proposals[i].ensured, a,
               (unsigned long long)n.refinements);
  }
  tp_program_free(p);
  tp_diag_free(diag);
  assert_int_equal(tp_live_bytes(), 0);
}

// ------------------------------------------------------------ topological order

static void topological_order(mode_subject *s, tp_diag *diag, const char *property) {
  tp_str program = {0}, contract = {0};
  assert_int_equal(tp_read_file("bench/karun/topo.c", &program), TP_OK);
  assert_int_equal(tp_read_file(property, &contract), TP_OK);
  tp_program *p = mode_load(tp_str_text(&program), diag);
  mode_init(s, p, diag, tp_str_text(&program), tp_str_text(&contract), CALLS_FROM_SUMMARIES,
            NOTHING_IS_PROPOSED, "topo");
  tp_str_clear(&program);
  tp_str_clear(&contract);
}

static size_t n_calls_of(const tp_rexec *body, const char *name) {
  size_t n = 0;
  for (size_t i = 0; i < body->calls.n; i++)
    n += strcmp(body->calls.at[i].contract->name, name) == 0;
  return n;
}

/* Formulas, one after another. */
static void print_demanded(const tp_contract_question *q, tp_str *out) {
  for (size_t i = 0; i < q->body.demanded.n; i++) {
    tp_rel_print(q->heap.l, q->body.demanded.at[i].id, out);
    tp_str_add_char(out, '\n');
  }
}

/* The worked example: what a call of reset leaves is an expression; a relation of their own have
 * the result of pick and the counters after release, which are functions. What is demanded of them
 * is not in path conditions. */
static void K28_fresh_relations_only_where_a_summary_is_inexact(void **state) {
  (void)state;
  mode_subject s;
  tp_contract_question q;
  tp_diag *diag = tp_diag_new(stderr, false);
  topological_order(&s, diag, "bench/karun/properties/R2");
  tp_contract_question_init(&q, &s.contracts, mode_function(s.program, "topo"),
                            (tp_rheap_limits){2, 1, 3}, TP_CALLS_REFINED, 10);
  assert_null(q.contract.why);
  size_t n = 0;
  for (size_t i = 0; i < q.templates.all.at[0]->first_havoc; i++) n += !q.heap.havocs.at[i].is_flag;
  assert_int_equal(n_calls_of(&q.body, "reset"), 1);
  assert_true(n_calls_of(&q.body, "pick") > 0 && n_calls_of(&q.body, "release") > 0);
  assert_int_equal(n, n_calls_of(&q.body, "pick") + n_calls_of(&q.body, "release"));
  for (size_t i = 0; i < q.body.calls.n; i++) {
    const tp_rexec_call *c = &q.body.calls.at[i];
    assert_true(c->is_abstract && c->is_exact == (strcmp(c->contract->name, "reset") == 0));
    tp_str text = {0};
    tp_rel_print(q.heap.l, c->returns.id, &text);
    assert_null(strstr(tp_str_text(&text), "one result after call"));
    tp_str_clear(&text);
  }
  tp_str demanded = {0};
  print_demanded(&q, &demanded);
  assert_non_null(strstr(tp_str_text(&demanded), "one result after call"));
  assert_non_null(strstr(tp_str_text(&demanded), "struct node::seen after call"));
  tp_str_clear(&demanded);
  tp_contract_question_clear(&q);
  mode_clear(&s);
  tp_program_free(s.program);
  tp_diag_free(diag);
  assert_int_equal(tp_live_bytes(), 0);
}

/* The property of the in-degree, refined: reset is exact and is not replayed; release gets the path
 * on which it has one successor. */
static void K31_K32_exact_calls_are_not_replayed_and_paths_are_learned(void **state) {
  (void)state;
  mode_subject s;
  tp_contract_question q, executed;
  tp_str text = {0};
  tp_diag *diag = tp_diag_new(stderr, false);
  topological_order(&s, diag, "bench/karun/properties/R2");
  tp_contract_question_init(&q, &s.contracts, mode_function(s.program, "topo"),
                            (tp_rheap_limits){3, 3, 4}, TP_CALLS_REFINED, 60);
  q.failures_in_calls = TP_CONTRACT_FAILURES_ASSUMED_AWAY;
  const tp_refined_answer a =
      tp_refined_check(&q, (tp_refined_limits){100, TP_CONTRACTS_BODY_AFTER}, &executed);
  if (a == TP_REFINED_FAILS) tp_contract_question_clear(&executed);
  assert_int_not_equal(a, TP_REFINED_IN_VAIN);
  assert_int_equal(tp_heap_refinement_replays(q.refinement, mode_function(s.program, "reset")), 0);
  assert_true(tp_heap_refinement_replays(q.refinement, mode_function(s.program, "release")) +
                  tp_heap_refinement_replays(q.refinement, mode_function(s.program, "pick")) >
              0);
  assert_true(tp_heap_refinement_statistics(q.refinement).n_paths > 0);
  tp_heap_refinement_print(q.refinement, &text);
  assert_non_null(strstr(tp_str_text(&text), " of release: "));
  tp_str_clear(&text);
  tp_contract_question_clear(&q);
  mode_clear(&s);
  tp_program_free(s.program);
  tp_diag_free(diag);
  assert_int_equal(tp_live_bytes(), 0);
}

typedef struct {
  bool accepts;
  uint32_t n_asked;
} obedient_prover;

static bool obey(void *ctx, const int *clauses, size_t n, double solved_s) {
  obedient_prover *p = ctx;
  assert_true(n > 0 && clauses[n - 1] == 0 && solved_s >= 0);
  p->n_asked++;
  return p->accepts;
}

static tp_refined_answer proved_answer(obedient_prover *ctx, tp_contract_question *q,
                                       mode_subject *s) {
  const tp_rel_prover prover = {ctx, obey, true};
  tp_contract_question executed;
  tp_contract_question_init(q, &s->contracts, mode_function(s->program, "topo"),
                            (tp_rheap_limits){3, 3, 4}, TP_CALLS_REFINED, 60);
  q->failures_in_calls = TP_CONTRACT_FAILURES_ASSUMED_AWAY;
  q->prover = &prover;
  const tp_refined_answer a =
      tp_refined_check(q, (tp_refined_limits){100, TP_CONTRACTS_BODY_AFTER}, &executed);
  if (a == TP_REFINED_FAILS) tp_contract_question_clear(&executed);
  q->prover = NULL;
  return a;
}

/* Where proofs are required: the answer has one for each refutation that it rests on, those of
 * specifications included; with a prover that refuses all there is neither a path nor an answer. */
static void K32_specifications_are_proved(void **state) {
  (void)state;
  mode_subject s;
  tp_contract_question q;
  obedient_prover accepting = {.accepts = true}, refusing = {0};
  tp_diag *diag = tp_diag_new(stderr, false);
  topological_order(&s, diag, "bench/karun/properties/R2");
  assert_int_equal(proved_answer(&accepting, &q, &s), TP_REFINED_HOLDS);
  const tp_heap_refinement_stats accepted = tp_heap_refinement_statistics(q.refinement);
  assert_true(accepted.n_paths > 0 && accepted.n_implied > 0);
  assert_int_equal(accepted.n_implied, accepted.n_implied_proved);
  assert_int_equal(q.verdict.n_refuted, q.verdict.n_proved);
  assert_int_equal(q.verdict.n_proved, accepting.n_asked);
  assert_true(q.verdict.n_refuted > accepted.n_implied);
  tp_contract_question_clear(&q);
  assert_int_equal(proved_answer(&refusing, &q, &s), TP_REFINED_IN_VAIN);
  assert_true(refusing.n_asked > 0);
  assert_int_equal(tp_heap_refinement_statistics(q.refinement).n_paths, 0);
  assert_int_equal(q.verdict.n_proved, 0);
  tp_contract_question_clear(&q);
  mode_clear(&s);
  tp_program_free(s.program);
  tp_diag_free(diag);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(K28_fresh_relations_only_where_a_summary_is_inexact),
      cmocka_unit_test(K31_K32_exact_calls_are_not_replayed_and_paths_are_learned),
      cmocka_unit_test(K32_specifications_are_proved), cmocka_unit_test(no_proposal_is_believed),
      cmocka_unit_test(K27_K34_verdicts_with_every_start)};
  return cmocka_run_group_tests_name("refinement", tests, NULL, NULL);
}
