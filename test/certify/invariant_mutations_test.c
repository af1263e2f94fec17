/* Mutated certificates of invariants, on random models of which all runs are known.
 *
 * A certificate is wrong if the program can reach an error, or if a state that some run comes
 * through is not among those that the certificate claims at its place (or what a contract claims of
 * a call does not hold of a call that was made): none of these may be accepted. What the engine
 * itself wrote for a safe program must never be wrong, and nearly all of it is accepted.
 *
 *   invariant_mutations_test                 until 150 wrong ones were judged; TP_SOAK=1: 100,000
 *   invariant_mutations_test SEED            one model, with what is said about it
 *   invariant_mutations_test SEED N [ANALYSES]   N models from SEED on, all with these analyses */
#include "certify/certify.h"
#include "engine/engine.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../fuzz/models.h"
#include "mutant.h"
#include "sightings.h"
#include "proof/proof_engines.h"

enum { QUICK = 150, SOAK = 100000, MUTANTS_PER_MODEL = 12 };

static const exact_limits LIMITS = {.max_runs = 400, .max_steps = 5000, .max_bits = 8};

static const char *const compositions[] = {
    "analysis = location callstack interval\n",
    "analysis = location callstack value\nmerge = sep\n",
    "analysis = location callstack constant\n",
    "analysis = location callstack interval octagon\ntransfer = strengthened\n",
    "analysis = location callstack value interval\ntransfer = strengthened\n",
};

typedef struct {
  uint64_t models, safe, unsafe, proved, accepted, undecided,
      rejected;  // of certificates as the engine wrote them
  uint64_t mutants, wrong, wrong_undecided, right, right_accepted;
  uint64_t thin, thin_accepted;  // labels at the cut set alone
  uint64_t in_steps, in_steps_wrong, in_steps_accepted;
  uint64_t bad;
} tally;

typedef struct {
  tp_program *p;
  traits what;
  sightings seen;
  exact_result exact;
  uint64_t seed;
  bool loud;
} subject;

static tp_certify_result judge_text(const subject *s, const char *text, tp_str *why) {
  tp_certify_report report;
  tp_certify_limits limits = {.cpu_s = 3, .solver_rlimit = 2000000};
  tp_certify_report_init(&report);
  tp_certify_result r = tp_certify_true(s->p, s->what.asked, text, &limits, NULL, &report);
  tp_str_add(why, tp_str_text(&report.why));
  tp_certify_report_clear(&report);
  return r;
}

/* Is this certificate wrong? It reads, and claims something that a run refutes. reads: is it a
 * certificate at all? */
static bool is_wrong(const subject *s, const char *text, bool *reads, tp_str *why) {
  tp_invariants v;
  tp_invariants_init(&v);
  *reads = tp_invariants_read(text, s->p, &v, why) == TP_OK;
  bool wrong = *reads && (s->exact.verdict == EXACT_UNSAFE || sightings_refute(&s->seen, &v, why));
  tp_invariants_clear(&v);
  return wrong;
}

static void complain(const subject *s, tally *t, const char *what, const char *text,
                     const char *why) {
  t->bad++;
  print_error("seed %llu: %s\n%s\n%s\n", (unsigned long long)s->seed, what, text, why);
}

static void judge_mutant(const subject *s, const char *text, const char *what, tally *t) {
  tp_str why = {0};
  bool reads, wrong = is_wrong(s, text, &reads, &why);
  if (reads) {
    tp_str doubt = {0};
    tp_certify_result r = judge_text(s, text, &doubt);
    t->mutants++;
    t->wrong += wrong;
    t->right += !wrong;
    t->right_accepted += !wrong && r == TP_CERTIFY_ACCEPTED;
    t->wrong_undecided += wrong && r == TP_CERTIFY_UNDECIDED;
    if (wrong && r == TP_CERTIFY_ACCEPTED) complain(s, t, what, text, tp_str_text(&why));
    if (s->loud)
      printf("%s: %s, %s (%s)\n", what, wrong ? "wrong" : "not refuted", tp_certify_result_name(r),
             tp_str_text(&doubt));
    tp_str_clear(&doubt);
  }
  tp_str_clear(&why);
}

/* Labels at the cut set: right if the whole was (it may be too weak then). */
static void judge_thin(const subject *s, const char *text, tally *t) {
  tp_str why = {0};
  bool reads, wrong = is_wrong(s, text, &reads, &why);
  tp_certify_result r = judge_text(s, text, &why);
  t->thin++;
  t->thin_accepted += r == TP_CERTIFY_ACCEPTED;
  if (!reads || (wrong && r == TP_CERTIFY_ACCEPTED))
    complain(s, t, "labels at the cut set", text, tp_str_text(&why));
  if (s->loud)
    printf("%s\nat the cut set: %s (%s)\n", text, tp_certify_result_name(r), tp_str_text(&why));
  tp_str_clear(&why);
}

/* What an engine says, held against the runs and the checker. */
static void judge_original(const subject *s, const tp_result *r, tally *t) {
  tp_str why = {0};
  bool reads;
  if (is_wrong(s, r->certificate.text, &reads, &why) || !reads)
    complain(s, t, "the engine's own certificate", r->certificate.text, tp_str_text(&why));
  tp_str_clear(&why);
  tp_certify_result c = judge_text(s, r->certificate.text, &why);
  t->proved++;
  t->accepted += c == TP_CERTIFY_ACCEPTED;
  t->undecided += c == TP_CERTIFY_UNDECIDED;
  t->rejected += c == TP_CERTIFY_REJECTED;
  if (c == TP_CERTIFY_REJECTED)
    printf("seed %llu: what the engine wrote is rejected: %s\n", (unsigned long long)s->seed,
           tp_str_text(&why));
  if (s->loud)
    printf("%s\noriginal: %s (%s)\n", r->certificate.text, tp_certify_result_name(c),
           tp_str_text(&why));
  tp_str_clear(&why);
}

/* Facts of a program that is not proved, dressed up as a proof. */
static void pretend(const subject *s, const tp_str *facts, tp_str *out) {
  static const char none[] = "property none\n";
  const char *at = strstr(facts->text, none);
  tp_str_add_n(out, facts->text, (size_t)(at - facts->text));
  tp_str_printf(out, "property %s\n", tp_property_name(s->what.asked));
  tp_str_add(out, at + sizeof none - 1);
}

/* The same with labels at the cut set alone: what engines that walk from loop to loop write. All
 * ways between meet without a label. */
static void thin(const tp_program *p, const tp_str *text, tp_str *out) {
  for (const char *line = text->text; *line;) {
    size_t n = strcspn(line, "\n") + 1;
    unsigned context, loc;
    if (sscanf(line, "at %u %u ", &context, &loc) != 2 || p->locs.at[loc].is_cutpoint)
      tp_str_add_n(out, line, n);
    line += n;
  }
}

/* Errors are excluded by k steps to the labels, of which some alone count (or none: the certificate
 * does not say); bare: and by nothing else. */
static void in_steps(const tp_str *text, unsigned k, unsigned counted, bool bare, tp_str *out) {
  tp_str counts = {0};
  bool done = false;
  for (const char *line = text->text; *line;) {
    size_t n = strcspn(line, "\n") + 1;
    unsigned context, loc;
    bool is_label = sscanf(line, "at %u %u ", &context, &loc) == 2;
    if (is_label && (counted == 1 || (counted > 1 && loc % counted == 0)))
      tp_str_printf(&counts, "count %u %u\n", context, loc);
    if (!done && (!strncmp(line, "assume ", 7) || !strncmp(line, "end", 3))) {
      done = true;
      tp_str_printf(out, "induction %u\n%s", k, tp_str_text(&counts));
    }
    if (is_label && bare)
      tp_str_printf(out, "at %u %u TRUE\n", context, loc);
    else
      tp_str_add_n(out, line, n);
    line += n;
  }
  tp_str_clear(&counts);
}

/* k-induction over the formulas, or over none: never a proof of what is wrong. */
static void judge_in_steps(const subject *s, const tp_str *sparse, tp_rng *rng, tally *t) {
  tp_str text = {0}, why = {0}, mutant = {0};
  unsigned k = 2 + (unsigned)tp_rng_below(rng, 5), counted = (unsigned)tp_rng_below(rng, 4);
  in_steps(sparse, k, counted, s->seed % 2, &text);
  bool reads, wrong = is_wrong(s, text.text, &reads, &why);
  tp_certify_result r = judge_text(s, text.text, &why);
  t->in_steps++;
  t->in_steps_wrong += wrong;
  t->in_steps_accepted += r == TP_CERTIFY_ACCEPTED;
  if (!reads || (wrong && r == TP_CERTIFY_ACCEPTED))
    complain(s, t, "in steps", text.text, tp_str_text(&why));
  if (s->loud)
    printf("%s\nin steps: %s (%s)\n", text.text, tp_certify_result_name(r), tp_str_text(&why));
  const char *what;
  if (mutant_make(s->p, text.text, rng, &mutant, &what)) judge_mutant(s, mutant.text, what, t);
  tp_str_clear(&mutant);
  tp_str_clear(&text);
  tp_str_clear(&why);
}

static void judge_facts(const subject *s, const tp_result *r, tally *t) {
  tp_str why = {0};
  tp_invariants v;
  tp_invariants_init(&v);
  if (tp_invariants_read(r->invariants_text.text, s->p, &v, &why) != TP_OK ||
      sightings_refute(&s->seen, &v, &why))
    complain(s, t, "the engine's own facts", r->invariants_text.text, tp_str_text(&why));
  tp_invariants_clear(&v);
  tp_str_clear(&why);
}

static void judge_model(uint64_t seed, const char *composition, bool loud, tally *t) {
  tape choices;
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_fresh(&choices, seed);
  subject s = {.seed = seed, .loud = loud};
  s.p = model_make(&choices, diag, &s.what);
  sightings_collect(s.p, s.what.asked, LIMITS, &s.seen, &s.exact);
  tp_task task = {.program = s.p, .property = s.what.asked, .composition = composition};
  if (!composition)
    task.composition = compositions[seed % (sizeof compositions / sizeof *compositions)];
  tp_budget budget = {.cpu_s = 2, .steps = 3000};
  tp_stats stats = {0};
  tp_result r;
  tp_result_init(&r);
  if (loud) {
    tp_str text = {0};
    tp_program_print(s.p, &text);
    printf("property %s, exact verdict %d\n%s%s", tp_property_name(s.what.asked), s.exact.verdict,
           text.text, task.composition);
    tp_str_clear(&text);
  }
  tp_engine_cpa.run(&task, &budget, &stats, &r);
  tp_result_write_invariants(&r, s.p);
  if (loud && r.reason) printf("%s\n", r.reason);
  t->models++;
  t->safe += s.exact.verdict == EXACT_SAFE;
  t->unsafe += s.exact.verdict == EXACT_UNSAFE;
  tp_str text = {0};
  if (r.certificate.n) judge_original(&s, &r, t), tp_str_add(&text, r.certificate.text);
  if (r.invariants_text.n) judge_facts(&s, &r, t), pretend(&s, &r.invariants_text, &text);
  if (r.invariants_text.n && s.exact.verdict == EXACT_UNSAFE)
    judge_mutant(&s, text.text, "facts as a proof", t);
  tp_str sparse = {0};
  if (text.n) thin(s.p, &text, &sparse), judge_thin(&s, sparse.text, t);
  tp_rng rng;
  tp_rng_init(&rng, seed);
  if (sparse.n) judge_in_steps(&s, &sparse, &rng, t);
  for (int i = 0; text.n && i < MUTANTS_PER_MODEL; i++) {
    tp_str mutant = {0};
    const char *what;
    if (mutant_make(s.p, i % 2 ? sparse.text : text.text, &rng, &mutant, &what))
      judge_mutant(&s, mutant.text, what, t);
    tp_str_clear(&mutant);
  }
  tp_str_clear(&text);
  tp_str_clear(&sparse);
  tp_result_clear(&r);
  exact_clear(&s.exact);
  sightings_clear(&s.seen);
  tp_program_free(s.p);
  tp_diag_free(diag);
  tape_clear(&choices);
}

static void print_totals(const tally *t) {
  printf(
      "%llu models (%llu safe, %llu unsafe); %llu certificates: %llu accepted, %llu undecided, "
      "%llu rejected\n",
      (unsigned long long)t->models, (unsigned long long)t->safe, (unsigned long long)t->unsafe,
      (unsigned long long)t->proved, (unsigned long long)t->accepted,
      (unsigned long long)t->undecided, (unsigned long long)t->rejected);
  printf("%llu with labels at the cut set alone: %llu accepted\n", (unsigned long long)t->thin,
         (unsigned long long)t->thin_accepted);
  printf("%llu in steps: %llu wrong, %llu accepted\n", (unsigned long long)t->in_steps,
         (unsigned long long)t->in_steps_wrong, (unsigned long long)t->in_steps_accepted);
  printf(
      "%llu mutants: %llu wrong (none accepted but %llu; %llu undecided), %llu not refuted, of "
      "these %llu accepted\n",
      (unsigned long long)t->mutants, (unsigned long long)t->wrong, (unsigned long long)t->bad,
      (unsigned long long)t->wrong_undecided, (unsigned long long)t->right,
      (unsigned long long)t->right_accepted);
}

static void wrong_certificates_are_never_accepted(void **unused) {
  (void)unused;
  const uint64_t wanted = getenv("TP_SOAK") ? SOAK : QUICK;
  tally t = {0};
  for (uint64_t seed = 1; t.wrong < wanted && t.bad < 3 && seed < 100 * wanted; seed++)
    judge_model(seed, NULL, false, &t);
  print_totals(&t);
  assert_int_equal(t.bad, 0);
  assert_true(t.wrong >= wanted);
  assert_true(t.accepted * 10 >= t.proved * 8);
  assert_true(t.thin_accepted * 2 >= t.proved);
  assert_true(t.in_steps_wrong * 10 >= t.in_steps && t.in_steps_accepted * 10 >= t.in_steps);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    tally t = {0};
    uint64_t first = strtoull(argv[1], NULL, 10), n = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    tp_str text = {0};
    if (argc > 3)
      tp_str_printf(&text, "analysis = location callstack %s\ntransfer = strengthened\n", argv[3]);
    for (uint64_t i = 0; i < n && t.bad < 3; i++) judge_model(first + i, text.text, argc < 3, &t);
    tp_str_clear(&text);
    print_totals(&t);
    return t.bad != 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_certificates_are_never_accepted)};
  return cmocka_run_group_tests_name("invariant_mutations", tests, NULL, NULL);
}
