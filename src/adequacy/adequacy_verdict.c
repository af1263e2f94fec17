/* What follows from the set of abstract states.
 *
 * Closed, with every initial state in it and no error in one segment from it: the set is the proof,
 * cutpoint by cutpoint. An error that a segment leads to is a potential one: the abstraction may be
 * too coarse. A directed search, for which the proof is no help, may find a real run; nothing else
 * makes it FALSE. */
#include "adequacy/adequacy_priv.h"
#include "adequacy/adequacy_limits.h"
#include "adequacy/confirm_potential.h"
#include "blocks/graph_proof.h"

/* Engines that decide recursion by summaries of functions, with their parts of the time: ranges of
 * results and arguments are cheap, and enough for many; relations take splits. */
static const struct {
  const char *engine;
  double share;
} by_summaries[] = {{"interval", 0.15}, {"smash", 0.4}};

void tp_adequacy_add_potential(tp_adequacy *x, tp_potential_error e) {
  for (size_t i = 0; i < x->report->potential.n; i++) {
    tp_potential_error *known = &x->report->potential.at[i];
    if (known->error.id != e.error.id) continue;
    if (!known->state && e.state) {  // now with a state to show
      known->from = e.from;
      known->state = e.state;
      known->inputs = e.inputs;
    } else if (e.state) {
      tp_state_free(e.state);
      tp_inputs_clear(&e.inputs);
    }
    return;
  }
  tp_vec_push(&x->report->potential, e);
}

// -------------------------------------------------------------------------- proof

tp_term *tp_adequacy_known_at_nodes(const tp_adequacy *x) {
  tp_term *known = TP_NEW_ARRAY(tp_term, x->run.blocks.nodes.n);
  for (uint32_t n = 0; n < x->run.blocks.nodes.n; n++) {
    uint32_t cutpoint = x->cutpoint_of[n];
    known[n] = tp_mk_bool(x->run.tt, n == 0);
    if (cutpoint != TP_NO_CUTPOINT)
      known[n] = tp_mk_and(x->run.tt, x->layout[n], tp_adequacy_formula(x, cutpoint));
  }
  return known;
}

static void say_true(tp_adequacy *x) {
  tp_term *known = tp_adequacy_known_at_nodes(x);
  const tp_graph_proof g = {x->run.task, &x->run.blocks, known, NULL};
  tp_graph_proof_conclude_true(&g, 0, x->run.out);
  tp_free(known);
}

static void add_invariants(tp_adequacy *x) {
  tp_term *known = tp_adequacy_known_at_nodes(x);
  for (size_t i = 0; i < x->c->cutpoints.n; i++)
    tp_vec_push(&x->report->invariants, known[x->node_of[i]]);
  tp_free(known);
}

// ---------------------------------------------------------------- potential errors

/* They are no errors. */
static void drop_potential(tp_adequacy_report *r) {
  for (size_t i = 0; i < r->potential.n; i++) {
    tp_state_free(r->potential.at[i].state);
    tp_inputs_clear(&r->potential.at[i].inputs);
  }
  r->potential.n = 0;
}

static bool ask_for_summaries(tp_adequacy *x, const char *engine, double share) {
  tp_stats own = {0};
  const tp_budget budget = tp_potential_budget(x->run.budget, x->run.start_s, share);
  const bool is_decided = tp_engine_delegate(tp_engine_find(engine), x->run.task, &budget,
                                             TP_VERDICT_UNKNOWN, &own, x->run.out);
  x->run.stats->solver_calls += own.solver_calls;
  x->run.stats->tests_run += own.tests_run;
  x->run.stats->must_summaries += own.must_summaries;
  x->run.stats->not_may_summaries += own.not_may_summaries;
  return is_decided;
}

/* Recursion, of which segments know nothing, is decided function by function, by summaries. */
static bool decide_by_summaries(tp_adequacy *x) {
  bool is_open = false;
  for (size_t i = 0; i < x->report->potential.n; i++) is_open |= x->report->potential.at[i].is_open;
  if (!is_open) return false;
  tp_engine_report_phase(x->run.budget, x->run.stats, "summaries");
  bool is_decided = false;
  for (size_t i = 0; i < sizeof by_summaries / sizeof *by_summaries && !is_decided; i++)
    is_decided = ask_for_summaries(x, by_summaries[i].engine, by_summaries[i].share);
  if (is_decided && x->run.out->verdict == TP_VERDICT_TRUE) drop_potential(x->report);
  return is_decided;
}

/* "(x < 5, px != NULL)" */
static void print_cube(const tp_adequacy *x, uint32_t state, tp_str *out) {
  const tp_abstract_state *a = &x->c->states.at[state];
  const tp_cutpoint_coverage *at = &x->c->cutpoints.at[a->cutpoint];
  tp_str_printf(out, "(");
  for (size_t i = 0; i < at->probes.n; i++)
    tp_str_printf(out, "%s%s%s%s", i ? ", " : "", a->values >> i & 1 ? "" : "!(",
                  at->probes.at[i].name ? at->probes.at[i].name : "?",
                  a->values >> i & 1 ? "" : ")");
  tp_str_printf(out, ")");
}

static void say_potential(tp_adequacy *x) {
  const tp_potential_error *e = &x->report->potential.at[0];
  tp_arena *arena = &x->run.out->arena;
  const char *where = tp_position_text(x->run.p, tp_loc_of(x->run.p, e->error)->pos, arena);
  if (e->is_open) {
    tp_result_give_up(
        x->run.out,
        tp_arena_printf(
            arena,
            "what happens at %s is not modelled, and it could not be shown that no run comes there",
            where),
        NULL);
    return;
  }
  const char *from = "the start";
  if (e->from != UINT32_MAX) {
    tp_str cube = {0};
    const tp_cutpoint_coverage *at = &x->c->cutpoints.at[x->c->states.at[e->from].cutpoint];
    print_cube(x, e->from, &cube);
    from = tp_arena_printf(arena, "%s %s",
                           tp_position_text(x->run.p, tp_loc_of(x->run.p, at->loc)->pos, arena),
                           cube.n ? cube.text : "");
    tp_str_clear(&cube);
  }
  tp_result_give_up(
      x->run.out,
      tp_arena_printf(
          arena, "the abstraction allows an error at %s from %s; no real run was found that fails",
          where, from),
      "the predicates are too coarse, or the run that fails is hard to find: add predicates that "
      "tell the state above from those that are reached, or try --engine=auto");
}

// ---------------------------------------------------------------------------- end

static void say_failing(tp_adequacy *x) {
  x->run.out->verdict = TP_VERDICT_FALSE;
  x->run.out->violated = x->violated;
  tp_inputs_add_all(&x->run.out->inputs, &x->failing);
}

static void count(tp_adequacy *x) {
  tp_adequacy_counters *n = &x->report->counters;
  n->abstract_states = x->c->states.n;
  if (x->numeric) n->widenings = x->numeric->widenings;
  for (size_t i = 0; i < x->c->states.n; i++)
    n->abstract_states_missed += x->c->states.at[i].is_missed;
  for (size_t b = 0; b < x->run.blocks.list.n; b++) n->segments += x->segments[b].smt != NULL;
  x->run.stats->abstract_states = n->abstract_states;
  x->run.stats->predicates = n->predicates;
}

void tp_adequacy_conclude(tp_adequacy *x, bool is_closed) {
  tp_adequacy_report *r = x->report;
  count(x);
  r->is_closed = is_closed && !x->run.blocks.gap;
  r->is_adequate = r->is_closed && r->counters.abstract_states_missed == 0;
  if (r->is_closed) add_invariants(x);
  if (x->has_failing)
    say_failing(x);
  else if (r->potential.n && !x->q->settings.leaves_potential &&
           (decide_by_summaries(x) ||
            tp_potential_confirm(x->run.task, x->run.budget, x->run.start_s, x->run.stats,
                                 x->run.out)))
    return;
  else if (x->run.blocks.gap)
    tp_result_give_up(x->run.out, x->run.blocks.gap, NULL);
  else if (r->potential.n)
    say_potential(x);
  else if (!is_closed && tp_adequacy_is_over(x))
    tp_result_give_up(x->run.out, "the limit came before the abstract states were closed",
                      "try a larger --timelimit, or fewer predicates");
  else if (!is_closed)
    tp_result_give_up(
        x->run.out,
        "the solver gave up on a segment, and too many abstract states could not be excluded",
        "try fewer predicates, or another --solver");
  else
    say_true(x);
}
