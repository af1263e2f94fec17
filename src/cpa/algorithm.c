/* Interruptible CPA+, as in the thesis:
 *
 *   while the waitlist is not empty: pop (e, p) from the waitlist
 *     if adjust(e, p, reached) interrupts: put (e, p) back, return
 *     (e^, p^) := the result of adjust, which replaces (e, p) in reached
 *     for each step and each successor e' of e^ along it at precision p^:
 *       for each e'' in reached with e''s merge key: n := merge(e', e''); if n != e'', n replaces
 *       e'' in reached and waitlist; unless stop(e', reached): add (e', p^) to reached and waitlist
 *
 * Differences: (1) the adjusted element goes back into reached (sound: adjust only weakens). (2)
 * stop is evaluated before merge, too: a covered element need not weaken other elements. (3) n
 * counts as different from e'' only if n is not below e'', so a merge that builds an equal element
 * anew does not keep the loop going. (4) an interrupt by the caller takes effect when all
 * successors of the current element are computed, so interrupted and uninterrupted runs make the
 * same steps. (5) [the printed algorithm compares n with e', which is a mistake.] */
#include "cpa/reached_priv.h"

#include "cpa/cpa_limits.h"

typedef struct {
  tp_reached *r;
  tp_cpa_limits limits;
  uint32_t interrupted;  // node that the caller wants to stop at; 0: none
} run;

static void poll_interrupt(run *x, uint32_t node) {
  if (!x->interrupted && x->limits.interrupt && x->limits.interrupt(x->limits.ctx, x->r, node))
    x->interrupted = node;
}

static bool leq(const tp_reached *r, const tp_elem *a, const tp_elem *b) {
  return a == b || r->cpa->ops->leq(r->cpa, a, b);
}

static tp_reached_view view_of(const tp_reached *r, uint64_t key) {
  TP_REQUIRE(r->buckets.at[0].states.n == 0);  // bucket 0: the empty view of an unknown key
  const tp_bucket *b = &r->buckets.at[tp_reached_bucket(r, key)];
  return (tp_reached_view){b->states.at, b->states.n};
}

// ---------------------------------------------------------------------- one step

static tp_adjusted adjust(run *x, uint32_t node) {
  tp_reached *r = x->r;
  const tp_node *n = &r->nodes.at[node];
  tp_succ old = n->state, adjusted;
  if (tp_cpa_adjust(r->cpa, old.elem, old.prec, view_of(r, n->key), &adjusted) == TP_INTERRUPT)
    return TP_INTERRUPT;
  TP_INVARIANT(r->cpa->ops->transfers_precision || leq(r, old.elem, adjusted.elem));  // law (g)
  if (adjusted.elem == old.elem && adjusted.prec == old.prec) return TP_CONTINUE;
  tp_reached_replace(r, node, adjusted);
  if (adjusted.elem != old.elem) poll_interrupt(x, node);
  return TP_CONTINUE;
}

/* Records that a successor of the node is covered: by one node if possible, else by several. */
static void link_cover(tp_reached *r, uint32_t from, tp_step step, uint32_t successor,
                       const tp_elem *e, uint64_t key) {
  TP_REQUIRE(tp_reached_bucket(r, key) != 0);  // stop needs a candidate
  const tp_bucket *b = &r->buckets.at[tp_reached_bucket(r, key)];
  for (size_t i = 0; i < b->states.n; i++)
    if (leq(r, e, b->states.at[i].elem)) {
      tp_reached_cover(r, from, step, successor, b->nodes.at[i], TP_COVER_BY_ONE);
      return;
    }
  tp_reached_cover(r, from, step, successor, b->nodes.n ? tp_vec_last(&b->nodes) : 0,
                   TP_COVER_BY_SEVERAL);
}

/* Merges e into every element with e's merge key. True: some element changed. */
static bool merge_into(run *x, uint32_t from, tp_step step, tp_succ e, uint64_t key) {
  tp_reached *r = x->r;
  size_t bucket = tp_reached_bucket(r, key);
  bool changed = false;
  for (size_t i = 0; i < r->buckets.at[bucket].nodes.n; i++) {
    const tp_elem *old = r->buckets.at[bucket].states.at[i].elem,
                  *merged = tp_cpa_merge(r->cpa, e.elem, old);
    if (merged == old || leq(r, merged, old)) continue;
    TP_INVARIANT(leq(r, old, merged));  // law (e)
    TP_INVARIANT(tp_cpa_merge_key(r->cpa, merged) == key);
    uint32_t node = r->buckets.at[bucket].nodes.at[i];
    TP_INVARIANT(!r->nodes.at[node].removed);
    tp_reached_replace(r, node, (tp_succ){merged, e.prec});
    tp_reached_requeue(r, node);
    tp_reached_merge(r, from, step, node);
    changed = true;
    poll_interrupt(x, node);
  }
  return changed;
}

static void merge_or_add(run *x, uint32_t from, tp_step step, uint32_t successor, tp_succ e) {
  tp_reached *r = x->r;
  uint64_t key = tp_cpa_merge_key(r->cpa, e.elem);
  bool stop = tp_cpa_stop(r->cpa, e.elem, view_of(r, key));
  if (!stop && merge_into(x, from, step, e, key))
    stop = tp_cpa_stop(r->cpa, e.elem, view_of(r, key));
  if (stop)
    link_cover(r, from, step, successor, e.elem, key);
  else
    poll_interrupt(x, tp_reached_add(r, e, from, step));
}

/* SUMMARY step without a hook: the state behind the call is any state, and the body of the callee
 * must be analysed from any state. */
static void any_summary(tp_reached *r, tp_succ s, tp_step step, tp_out *out) {
  TP_REQUIRE(step.kind == TP_STEP_SUMMARY);
  tp_cpa *cpa = r->cpa;
  const tp_func_info *f = tp_func_of(cpa->env->program, step.callee);
  step.root = tp_context_root(cpa->env->contexts, step.callee, step.callee.id);
  tp_succ entry = cpa->ops->initial(cpa, f->has_body ? f->entry : TP_LOC_NONE, step.root);
  if (f->has_body && !tp_cpa_stop(cpa, entry.elem, view_of(r, tp_cpa_merge_key(cpa, entry.elem))))
    (void)tp_reached_add_initial(r, entry);
  tp_vec_push(&out->list, tp_cpa_summary_successor(cpa, s, entry.elem, &step));
}

static void successors(tp_reached *r, uint32_t node, tp_succ s, const tp_step *step, tp_out *out) {
  out->list.n = 0;
  if (step->kind != TP_STEP_SUMMARY)
    r->cpa->ops->transfer(r->cpa, s.elem, s.prec, step, out);
  else if (r->summary.apply)
    r->summary.apply(r->summary.ctx, node, s, step, out);
  else
    any_summary(r, s, *step, out);
  tp_cpa_strengthen_last(r->cpa, out);
}

/* A successor may be merged into the node's own element; then the node is requeued, and this
 * expansion goes on with the old element. */
static void expand(run *x, uint32_t node) {
  TP_REQUIRE(!x->r->nodes.at[node].waiting);
  tp_reached *r = x->r;
  tp_succ s = r->nodes.at[node].state;
  tp_steps_from(r->steps, r->nodes.at[node].loc, r->nodes.at[node].context, &r->steps_out);
  for (size_t i = 0; i < r->steps_out.list.n; i++) {
    tp_step step = r->steps_out.list.at[i];
    TP_INVARIANT(tp_step_check(r->cpa->env->program, &step));
    successors(r, node, s, &step, &r->out);
    for (size_t k = 0; k < r->out.list.n; k++)
      merge_or_add(x, node, step, (uint32_t)k, r->out.list.at[k]);
  }
}

// ---------------------------------------------------------------------- the loop

static bool is_over(const run *x, uint64_t steps) {
  if (x->limits.steps && steps >= x->limits.steps) return true;
  return x->limits.should_stop && x->limits.should_stop(x->limits.ctx);
}

static tp_cpa_result loop(run *x) {
  tp_reached *r = x->r;
  tp_cpa_result result = {.end = TP_CPA_DONE};
  while (r->n_waiting) {
    if (is_over(x, result.steps)) return (tp_cpa_result){TP_CPA_STOPPED, 0, result.steps};
    uint32_t node = tp_reached_pop(r);
    TP_INVARIANT(node != 0);  // n_waiting > 0
    if (adjust(x, node) == TP_INTERRUPT) {
      tp_reached_undo_pop(r, node);
      return (tp_cpa_result){TP_CPA_INTERRUPTED, node, result.steps};
    }
    expand(x, node);
    result.steps++;
    if (x->interrupted) return (tp_cpa_result){TP_CPA_INTERRUPTED, x->interrupted, result.steps};
  }
  return result;
}

tp_cpa_result tp_cpa_run(tp_reached *r, tp_cpa_limits limits) {
  run x = {.r = r, .limits = limits};
  size_t before = tp_reached_n(r);
  tp_cpa_result result = loop(&x);
  TP_INVARIANT(result.end != TP_CPA_DONE || tp_reached_waiting(r) == 0);
  tp_reached_look(r);
  tp_stats *stats = r->cpa->env->stats;
  if (stats) {
    stats->iterations += result.steps;
    stats->abstract_states += tp_reached_n(r) - before;
  }
#ifdef TP_CHECKED
  // Inside of blocks (analyses with strengthen_last) elements are compared by identity, and the
  // formulas that other components had at the first computation are part of them: leq may not hold
  // between a successor, computed again, and the element that covers it (once in some thousand
  // random programs). Nor is leq complete after a precision transfer: what the old element covered
  // is covered by the new one as a set of states, but not by leq.
  if (result.end == TP_CPA_DONE && tp_reached_n(r) <= TP_CPA_CHECKED_STATES &&
      !r->cpa->ops->strengthen_last && !r->cpa->ops->transfers_precision) {
    tp_str why = {0};
    bool holds = tp_reached_check(r, &why);
    TP_INVARIANT(holds);
    tp_str_clear(&why);
  }
#endif
  return result;
}

// -------------------------------------------------------------------- invariants

static bool covers_all(tp_reached *r, uint32_t node, tp_step step, tp_str *why) {
  tp_succ s = r->nodes.at[node].state;
  tp_out out = {0};
  successors(r, node, s, &step, &out);
  bool ok = true;
  for (size_t i = 0; i < out.list.n && ok; i++) {
    const tp_elem *e = out.list.at[i].elem;
    ok = tp_cpa_stop(r->cpa, e, view_of(r, tp_cpa_merge_key(r->cpa, e)));
    if (ok) continue;
    tp_str_printf(why, "I2: node %u: nothing covers the successor ", node);
    r->cpa->ops->print(r->cpa, e, why);
    tp_str_add(why, " along ");
    tp_edge_print(r->cpa->env->program, step.edge, why);
  }
  tp_vec_clear(&out.list);
  return ok;
}

/* I1 holds by construction: elements of reached are only ever replaced by weaker ones (checked
 * where that happens), and edits are the caller's promise. Checked here: each node is covered by
 * its own candidates. */
bool tp_reached_check(tp_reached *r, tp_str *why) {
  tp_step_list steps = {0};
  bool ok = tp_reached_is_linked(r);
  if (!ok) tp_str_add(why, "buckets, frontier and nodes do not fit each other");
  for (uint32_t node = 1; node < r->nodes.n && ok; node++) {
    const tp_node n = r->nodes.at[node];
    if (n.removed) continue;
    ok = tp_cpa_stop(r->cpa, n.state.elem, view_of(r, n.key));
    if (!ok) tp_str_printf(why, "I1: node %u is not covered by the reached set", node);
    if (n.waiting) continue;
    tp_steps_from(r->steps, n.loc, n.context, &steps);
    for (size_t i = 0; i < steps.list.n && ok; i++) ok = covers_all(r, node, steps.list.at[i], why);
  }
  tp_vec_clear(&steps.list);
  return ok;
}
