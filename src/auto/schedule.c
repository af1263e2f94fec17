/* The order of engines.
 *
 * Bounded model checking hunts from the start, after a few random runs: it finds deep failures, and
 * it proves whatever unrolls completely. Nearly all failures of measured programs were found in its
 * first second; where inputs decide how long loops run it therefore makes room after a while.
 * Beside it, the engines that may prove the property without a bound:
 *
 *   no loops, no recursion    unrolling is complete; the others start only when that turns out to
 *   be hard
 *   loops over constants      values follow them turn by turn; then k-induction, Horn clauses,
 *                             refined predicates
 *   loops decided by inputs   values for a moment; k-induction (it runs intervals first, and takes
 *                             its invariants from runs), Horn clauses (for phases and cases, which
 *                             runs do not suggest), octagons, refined predicates, values again
 *   linked structures         shapes for a while, after values: nothing else has proofs about lists
 *                             of any length
 *   floats                    intervals before k-induction: solvers are slow at floats
 *   recursion                 intervals, refined predicates, octagons: they have summaries,
 *                             k-induction has none
 *   large programs            intervals have the larger share; relations and predicates may not get
 *                             through */
#include "auto/schedule.h"

#include "proof/configurations.h"
#include "proof/proof_engines.h"

enum { LARGE = 20000 };  // operations

static void add(tp_schedule *s, tp_schedule_entry turn) {
  if (s->n < TP_MAX_SCHEDULE_ENTRIES) s->at[s->n++] = turn;
}

static tp_schedule_entry prover(const char *name, double share, double limit_s, double after_s) {
  const tp_engine *engine = tp_engine_find(name);
  return (tp_schedule_entry){.name = name,
                             .engine = engine ? engine : &tp_engine_cpa,
                             .composition = engine ? NULL : tp_configuration_text(name),
                             .proves_only = true,
                             .share = share,
                             .limit_s = limit_s,
                             .after_s = after_s};
}

static tp_schedule_entry shapes(double share, double limit_s, double after_s) {
  tp_schedule_entry turn = prover("shape", share, limit_s, after_s);
  turn.takes_no_facts = true;
  return turn;
}

static void add_counting(tp_schedule *s, double wait_s) {
  add(s, prover("value", 0.25, 60, wait_s));
  add(s, prover("kinduction", 0.18, 60, wait_s));
  add(s, prover("horn", 0.08, 60, wait_s));
  add(s, prover("interval", 0.06, 60, wait_s));
  add(s, prover("cegar", 0.27, 120, wait_s));
  add(s, prover("octagon", 0.06, 60, wait_s));
  add(s, prover("value-interval", 0.06, 60, wait_s));
}

static void add_by_input(tp_schedule *s, const tp_features *f, double wait_s) {
  add(s, prover("value", 0.06, 20, wait_s));  // state machines: at once or not at all
  if (f->has_links) add(s, shapes(0.3, 60, wait_s));
  if (f->has_floats) add(s, prover("interval", 0.05, 60, wait_s));
  add(s, prover("kinduction", 0.2, 120, wait_s));
  add(s, prover("horn", 0.2, 120, wait_s));
  if (!f->has_floats) add(s, prover("octagon", 0.04, 60, wait_s));
  add(s, prover("cegar", 0.2, 240, wait_s));
  add(s, prover("value-interval", 0.04, 60, wait_s));
  add(s, prover("value", 0.13, 60, wait_s));
}

static void add_recursive(tp_schedule *s, double wait_s) {
  add(s, prover("interval", 0.1, 60, wait_s));
  add(s, prover("cegar", 0.25, 120, wait_s));
  add(s, prover("octagon", 0.1, 60, wait_s));
  add(s, prover("value-interval", 0.08, 60, wait_s));
  add(s, prover("value", 0.15, 60, wait_s));
}

static void add_large(tp_schedule *s, double wait_s) {
  add(s, prover("interval", 0.2, 60, wait_s));
  add(s, prover("value", 0.2, 60, wait_s));
  add(s, prover("kinduction", 0.1, 120, wait_s));
  add(s, prover("cegar", 0.1, 120, wait_s));
  add(s, prover("octagon", 0.05, 60, wait_s));
}

tp_schedule tp_schedule_of(const tp_features *f) {
  tp_schedule s = {0};
  const bool unrolls = f->n_loops == 0 && !f->has_recursion, is_large = f->n_edges > LARGE;
  const bool counts = !unrolls && f->n_input_loops == 0 && !f->has_recursion,
             is_open = f->n_input_loops > 0 && !f->has_recursion && !is_large;
  const double wait_s = unrolls ? 2 : counts ? 0.5 : 0.2;
  add(&s, (tp_schedule_entry){.name = "bmc",
                              .engine = &tp_engine_bmc,
                              .random_first = true,
                              .share = is_open ? 0.5 : 1});
  if (is_large)
    add_large(&s, wait_s);
  else if (f->has_recursion)
    add_recursive(&s, wait_s);
  else if (counts || unrolls)
    add_counting(&s, wait_s);
  else
    add_by_input(&s, f, wait_s);
  return s;
}

const char *tp_schedule_advice(const tp_features *f, bool has_limit) {
  if (f->n_loops == 0 && !f->has_recursion)
    return has_limit ? "allow more time (--timelimit): nothing repeats, so the search would come "
                       "to an end"
                     : "narrow the inputs with __VERIFIER_assume, so that the conditions become "
                       "easier for the solver";
  if (f->has_links)
    return "use --config=shape with a larger --timelimit: it describes linked structures of any "
           "size; or limit their size with __VERIFIER_assume where they are built";
  if (f->has_heap)
    return "limit the size of heap objects with __VERIFIER_assume where they are allocated: of any "
           "size, only linked structures can be described";
  if (f->has_floats)
    return "narrow the inputs with __VERIFIER_assume: of floats the analyses know bounds only";
  if (f->n_input_loops == 0 && !f->has_recursion)
    return "use --engine=value --set=value.threshold=inf: no input decides how long the loops run, "
           "so values may follow them to the end";
  if (f->has_memory)
    return "assert inside the loop what it keeps true, or use smaller arrays: cells are known one "
           "by one only";
  return "assert inside the loop what it keeps true, or use --engine=octagon with a larger "
         "--timelimit";
}
