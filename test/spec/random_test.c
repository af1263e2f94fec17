/* Random functions with random contracts (rows K35, K36): on random heaps every claim has the value
 * that it has in the heap that the concrete machine leaves, in rel/'s evaluator and in the program
 * that breaks contracts, compiled; what holds within bounds is broken by no heap that chance finds,
 * and what fails does fail. TP_SOAK=1: many more. */
#include "bodies.h"
#include "functions.h"

#include "base/process.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

// ----------------------------------------------------------------------- checks

typedef struct {
  uint64_t n_claims, n_broken, n_undefined, n_holds, n_fails, n_unknown, n_compiled, n_replayed;
} tally;

// ------------------------------------------------------- contracts in compiled programs

/* The function with its contract as a compiled program that takes its heap from a file. */
typedef struct {
  tp_str directory, exe, heap;
  int n_left;  // runs that are still to be made
} compiled;

static void compile_contract(compiled *c, subject *s, int n_runs) {
  tp_str text = {0}, file = {0};
  *c = (compiled){.n_left = n_runs};
  if (n_runs == 0) return;
  assert_int_equal(tp_temp_dir(&c->directory), TP_OK);
  tp_heap_layout_program(&s->layout, s->path, TP_HEAP_PROGRAM_NONDET, NULL, &s->contract, NULL,
                         &text);
  assert_non_null(strstr(tp_str_text(&text), "tp_judge"));
  tp_str_add(&text,
             "long __VERIFIER_nondet_long(void) {\n  static FILE *f;\n  long v;\n  if (!f) f = "
             "fopen(\"heap\", \"r\");\n  return f && fscanf(f, \"%ld\", &v) == 1 ? v : (abort(), "
             "0);\n}\n");
  tp_str_printf(&file, "%s/f.c", tp_str_text(&c->directory));
  tp_str_printf(&c->exe, "%s/f", tp_str_text(&c->directory));
  tp_str_printf(&c->heap, "%s/heap", tp_str_text(&c->directory));
  assert_int_equal(tp_write_file(tp_str_text(&file), text.text, text.n), TP_OK);
  const char *const argv[] = {"clang-19",           "-std=gnu17",       "-w", "-O0", "-o",
                              tp_str_text(&c->exe), tp_str_text(&file), NULL};
  tp_process p;
  assert_int_equal(
      tp_process_run(&p, (tp_process_spec){.argv = argv,
                                           .out = TP_STDIO_CAPTURE,
                                           .err = TP_STDIO_CAPTURE,
                                           .limits = {.cpu_s = 60, .output_bytes = 1 << 20}}),
      TP_OK);
  if (p.end != TP_PROCESS_EXITED || p.code != 0) fail_msg("%.2000s", tp_str_text(&p.err));
  tp_process_clear(&p);
  tp_str_clear(&text);
  tp_str_clear(&file);
}

static void compiled_clear(compiled *c) {
  if (c->directory.n) tp_remove_tree(tp_str_text(&c->directory));
  tp_str_clear(&c->directory);
  tp_str_clear(&c->exe);
  tp_str_clear(&c->heap);
}

/* broken: the claim that is the first false one, from 1; 0: none. */
static void compare_compiled(compiled *c, const subject *s, const int64_t *at, int status,
                             size_t broken, const char *what) {
  tp_str heap = {0};
  tp_process p;
  c->n_left--;
  for (size_t k = 0; k < s->layout.slots.n; k++) tp_str_printf(&heap, "%lld\n", (long long)at[k]);
  assert_int_equal(tp_write_file(tp_str_text(&c->heap), heap.text, heap.n), TP_OK);
  const char *const argv[] = {tp_str_text(&c->exe), NULL};
  assert_int_equal(
      tp_process_run(&p, (tp_process_spec){.argv = argv,
                                           .directory = tp_str_text(&c->directory),
                                           .out = TP_STDIO_CAPTURE,
                                           .err = TP_STDIO_CAPTURE,
                                           .limits = {.cpu_s = 60, .output_bytes = 1 << 20}}),
      TP_OK);
  const char *said = strstr(tp_str_text(&p.out), "clause ");
  if (p.end != TP_PROCESS_EXITED || p.code != status ||
      (said ? strtoul(said + 7, NULL, 10) : 0) != broken)
    fail_msg("%s\nfrom %s\nthe program ends with %d: %s, not with %d, clause %zu", what,
             tp_str_text(&heap), p.code, tp_str_text(&p.out), status, broken);
  tp_process_clear(&p);
  tp_str_clear(&heap);
}

// --------------------------------------------------------------------------- heaps

static bool meets(tp_rel_eval *e, const subject *s) {
  for (size_t k = 0; k < s->contract.assumptions.n; k++)
    if (tp_rel_eval_formula(e, s->contract.assumptions.at[k]) != TP_REL_IS_TRUE) return false;
  return true;
}

/* The claims in the state afterwards that the machine found; true: one is broken. */
static bool compare_claims(subject *s, tp_rel_eval *e, const tp_rel_instance *before,
                           const int64_t *at, const int64_t *post, const int64_t *there,
                           compiled *c, tally *sum, const char *what) {
  tp_rel_instance after;
  size_t broken = 0;
  bool is_known = true;
  tp_rel_instance_init(&after, tp_rel_n_relations(s->heap.l));
  for (uint32_t r = 0; r < before->n; r++) tp_rel_tuples_copy(&after.of[r], &before->of[r]);
  if (tp_contract_replay_read(&s->layout, &s->contract, post, there, &after))
    sum->n_undefined++, is_known = false;
  else {
    tp_rel_eval *e2 = tp_rel_eval_new(s->heap.bounds, &after, s->heap.limits.width_bits);
    for (size_t k = 0; k < s->contract.goals.n; k++) {
      const tp_rel_truth_value breaks = tp_rel_eval_formula(e, s->contract.goals.at[k].when),
                               holds = tp_rel_eval_formula(e2, s->contract.two_state_goals.at[k]);
      sum->n_claims++;
      if (breaks == TP_REL_IS_UNDEFINED)
        sum->n_undefined++;
      else if ((breaks == TP_REL_IS_TRUE) != (holds == TP_REL_IS_FALSE))
        fail_msg("%s\n: %s: broken %d, holds %d", what, s->contract.goals.at[k].what, breaks,
                 holds);
      if (!broken && holds == TP_REL_IS_FALSE) broken = k + 1;
    }
    tp_rel_eval_free(e2);
  }
  tp_rel_instance_clear(&after);
  if (c->n_left > 0) {
    const bool is_asked = meets(e, s) && is_known;
    compare_compiled(c, s, at,
                     !is_asked ? TP_CONTRACT_EXIT_UNKNOWN
                     : broken  ? TP_CONTRACT_EXIT_VIOLATED
                               : TP_CONTRACT_EXIT_KEPT,
                     is_asked ? broken : 0, what);
    sum->n_compiled++;
  }
  return broken > 0;
}

/* Does the heap break something, within the bounds? */
static bool try_heap(subject *s, const int64_t *at, const tp_rel_instance *i, int64_t *post,
                     int64_t *there, compiled *c, tally *sum, const char *what) {
  tp_rel_eval *e = tp_rel_eval_new(s->heap.bounds, i, s->heap.limits.width_bits);
  const outcome want = outcome_and_objects(s, at, post, there), have = outcome_of_relations(s, e);
  if (have != OUT_BEYOND && have != OUT_UNDEFINED && have != want) {
    tp_str text = {0};
    tp_rel_instance_print(i, s->heap.bounds, &text);
    fail_msg("%s\nends as %d, not as %d, from\n%s", what, want, have, tp_str_text(&text));
  }
  bool breaks = have == OUT_FAILS;
  if (have == OUT_RETURNS) breaks = compare_claims(s, e, i, at, post, there, c, sum, what);
  breaks = breaks && meets(e, s);
  tp_rel_eval_free(e);
  return breaks;
}

/* What the solver found, as the program that a user keeps. */
static void replay(subject *s, const tp_contract_verdict *j, tally *sum, const char *what) {
  tp_contract_replay r;
  const tp_contract_replay_source source = {.path = s->path};
  tp_contract_replay_run(&s->contract, s->layout.func, j, &source, &r);
  if (!r.confirmed) fail_msg("%s\nnot confirmed: %s", what, tp_str_text(&r.why));
  sum->n_replayed++;
  tp_contract_replay_clear(&r);
}

static void check_program(uint64_t seed, int n_heaps, int n_compiled, tally *sum) {
  const function_style style = {.is_rich = seed % 2};
  tp_str program = {0}, contract = {0}, what = {0};
  subject s;
  tp_contract_verdict j;
  tp_rel_instance i;
  tp_rng rng;
  tp_rng_init(&rng, seed + 2000000);
  tp_str_add(&program, FUNCTIONS_PLAIN);
  random_function(seed, style, &program);
  random_contract(seed + 1000000, style, &contract);
  tp_str_printf(&what, "seed %llu\n%s%s", (unsigned long long)seed, tp_str_text(&program),
                tp_str_text(&contract));
  subject_init(&s, tp_str_text(&program), "f", tp_str_text(&contract),
               (tp_rheap_limits){style.is_rich ? 3 : 2, 2, 4});
  subject_bind(&s);
  const tp_contract_query q = {.heap = &s.heap,
                               .body = &s.body,
                               .assumptions = s.contract.assumptions.at,
                               .n_assumptions = s.contract.assumptions.n,
                               .goals = s.contract.goals.at,
                               .n_goals = s.contract.goals.n};
  tp_contract_check(&q, &j);
  sum->n_holds += j.answer == TP_CONTRACT_HOLDS;
  sum->n_fails += j.answer == TP_CONTRACT_FAILS;
  sum->n_unknown += j.answer == TP_CONTRACT_UNKNOWN;
  tp_contract_vc_two_states(&s.contract);
  if (s.contract.why) fail_msg("%s: %s", tp_str_text(&what), s.contract.why);
  compiled c;
  compile_contract(&c, &s, n_compiled);
  if (j.answer == TP_CONTRACT_FAILS) replay(&s, &j, sum, tp_str_text(&what));
  int64_t *at = TP_NEW_ARRAY(int64_t, s.layout.slots.n + 1),
          *post = TP_NEW_ARRAY(int64_t, s.layout.slots.n + 1),
          *there = TP_NEW_ARRAY(int64_t, tp_rel_n_atoms(s.heap.atoms));
  if (j.answer == TP_CONTRACT_FAILS) {
    tp_heap_layout_read(&s.layout, &j.instance, at);
    tp_rel_instance_init(&i, j.instance.n);
    instance_of(&s, at, &i);
    if (!try_heap(&s, at, &i, post, there, &c, sum, tp_str_text(&what))) {
      tp_str heap = {0};
      tp_rel_instance_print(&j.instance, s.heap.bounds, &heap);
      fail_msg("%s\nthe heap breaks nothing: %s\n%s", tp_str_text(&what), j.what,
               tp_str_text(&heap));
    }
    tp_rel_instance_clear(&i);
  }
  tp_rel_instance_init(&i, tp_rel_n_relations(s.heap.l));
  for (int turn = 0; turn < n_heaps; turn++) {
    draw_heap(&s, &rng, at, &i);
    const bool breaks = try_heap(&s, at, &i, post, there, &c, sum, tp_str_text(&what));
    sum->n_broken += breaks;
    if (breaks && j.answer == TP_CONTRACT_HOLDS)
      fail_msg("%s\nis said to hold", tp_str_text(&what));
  }
  tp_rel_instance_clear(&i);
  tp_free(at);
  tp_free(post);
  tp_free(there);
  compiled_clear(&c);
  tp_contract_verdict_clear(&j);
  subject_clear(&s);
  tp_str_clear(&what);
  tp_str_clear(&program);
  tp_str_clear(&contract);
}

static void K35_K36_random_functions(void **state) {
  (void)state;
  const char *soak = getenv("TP_SOAK"), *seed = getenv("TP_SEED");
  tally sum = {0};
  const uint64_t first = seed ? strtoull(seed, NULL, 10) : 1, n = seed ? 1 : soak ? 300 : 8;
  for (uint64_t k = first; k < first + n; k++)
    check_program(k, 60, soak || k % 4 == 2 ? 20 : 0, &sum);
  printf(
      "%llu functions: %llu hold, %llu fail, %llu unknown; %llu heaps break something; %llu claims "
      "evaluated, %llu undefined\n",
      (unsigned long long)n, (unsigned long long)sum.n_holds, (unsigned long long)sum.n_fails,
      (unsigned long long)sum.n_unknown, (unsigned long long)sum.n_broken,
      (unsigned long long)sum.n_claims, (unsigned long long)sum.n_undefined);
  printf("%llu heaps under the contract as a compiled program, %llu counterexamples replayed\n",
         (unsigned long long)sum.n_compiled, (unsigned long long)sum.n_replayed);
  // no false alarm: whatever is said to fail fails in a compiled program, too; and both verdicts
  // are there often enough
  assert_int_equal(sum.n_replayed, sum.n_fails);
  assert_true(seed || (sum.n_compiled > 0 && 4 * sum.n_fails >= n && 4 * sum.n_holds >= n &&
                       sum.n_broken > n));
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(K35_K36_random_functions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
