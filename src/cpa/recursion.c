/* The loop over contracts.
 *
 * One reached set holds main and the bodies of all contracts. A SUMMARY step, when a node is
 * expanded, chooses a contract and uses its current exits. When the run has ended, new exit states
 * of the bodies are added to X_k, and the nodes that used X_k are requeued; the entry node of a
 * contract whose entry grew is requeued at once. The loop ends when the waitlist is empty and no
 * exit is new.
 *
 * Why it ends (if the analysis itself does on loops): a function has at most
 * TP_CPA_RECURSION_ENTRIES contracts; E_k is joined with callers' states, and widened from the
 * third time on; X_k has at most TP_CPA_RECURSION_EXITS elements, then one element that is widened.
 * An analysis without joins has the entry "any state", and a list of exits, which may grow without
 * end.
 *
 * Why it is sound: at the end, the successors of each node along SUMMARY steps are computed with
 * the final X_k (users are requeued when X_k grows), their reduced states are below E_k (checked at
 * each step; E_k only grows), and X_k covers the exits of the body from E_k. So the reached set is
 * closed under steps of the summary semantics, which covers the concrete one by induction over the
 * depth of calls. */
#include "cpa/recursion.h"

#include "cpa/cpa_limits.h"

struct tp_recursion {
  tp_cpa *cpa;
  tp_reached *reached;
  TP_VEC(tp_contract *) contracts;  // [0] unused
  tp_map calls;                     // (call edge, callee) -> number from 1
  tp_map chosen;                    // (node, number of the call) -> contract that it took before
  uint32_t *n_entries;              // contracts by function
  bool has_context;                 // does the analysis have contexts?
  uint32_t start;                   // node of main's initial element
};

// ----------------------------------------------------------------------- helpers

static bool leq(const tp_recursion *r, const tp_elem *a, const tp_elem *b) {
  return a == b || r->cpa->ops->leq(r->cpa, a, b);
}

static const tp_elem *grow(const tp_recursion *r, const tp_elem *old, const tp_elem *more,
                           uint32_t n_before) {
  TP_REQUIRE(r->cpa->ops->has_join);
  const tp_elem *all = r->cpa->ops->join(r->cpa, old, more);
  return n_before < TP_CPA_RECURSION_JOINS ? all : tp_cpa_widen(r->cpa, old, all);
}

static const tp_elem *any_state(const tp_recursion *r, const tp_contract *c) {
  const tp_func_info *f = tp_func_of(r->cpa->env->program, c->func);
  return r->cpa->ops->initial(r->cpa, f->has_body ? f->entry : TP_LOC_NONE, c->root).elem;
}

static const tp_elem *reduced(const tp_recursion *r, tp_succ s, const tp_step *step,
                              const tp_contract *c) {
  tp_step with_root = *step;
  with_root.root = c->root;
  return tp_cpa_reduce(r->cpa, s.elem, &with_root);
}

// ----------------------------------------------------------------------- entries

static tp_contract *new_contract(tp_recursion *r, tp_func f) {
  tp_contract *c = TP_NEW(tp_contract);
  c->func = f;
  c->root = tp_context_root(r->cpa->env->contexts, f, (uint32_t)r->contracts.n);
  tp_vec_push(&r->contracts, c);
  TP_INVARIANT(tp_context_of(r->cpa->env->contexts, c->root)->contract == r->contracts.n - 1);
  r->n_entries[f.id]++;
  return c;
}

/* The body starts from E_k. An element that other states were merged into already (the entry may be
 * a loop head) is joined, not replaced. */
static void start_body(tp_recursion *r, tp_contract *c) {
  TP_REQUIRE(c->entry != NULL && tp_func_of(r->cpa->env->program, c->func)->has_body);
  tp_succ first =
      r->cpa->ops->initial(r->cpa, tp_func_of(r->cpa->env->program, c->func)->entry, c->root);
  if (!c->node || !r->cpa->ops->has_join) {
    c->node = tp_reached_add_initial(r->reached, (tp_succ){c->entry, first.prec});
    return;
  }
  tp_succ now = tp_reached_node(r->reached, c->node)->state;
  if (!leq(r, c->entry, now.elem))
    tp_reached_edit(r->reached, c->node,
                    (tp_succ){r->cpa->ops->join(r->cpa, now.elem, c->entry), first.prec});
}

static void grow_entry(tp_recursion *r, tp_contract *c, const tp_elem *more) {
  if (leq(r, more, c->entry)) return;
  c->entry = r->cpa->ops->has_join ? grow(r, c->entry, more, c->n_entry_growths) : any_state(r, c);
  c->n_entry_growths++;
  TP_INVARIANT(leq(r, more, c->entry));  // the contract's entry covers its caller
  start_body(r, c);
}

/* The contract of a function without body: any state at its entry, any state at its exit. */
static tp_contract *contract_without_body(tp_recursion *r, tp_func f) {
  TP_REQUIRE(!tp_func_of(r->cpa->env->program, f)->has_body);
  for (uint32_t k = 1; k < r->contracts.n; k++)
    if (r->contracts.at[k]->func.id == f.id) return r->contracts.at[k];
  tp_contract *c = new_contract(r, f);
  c->entry = any_state(r, c);
  tp_vec_push(&c->exits, c->entry);
  return c;
}

/* A contract whose entry covers the caller's state: an existing one, a new one, or the last one
 * with its entry joined. */
static tp_contract *find_contract(tp_recursion *r, tp_succ s, const tp_step *step) {
  tp_contract *last = NULL;
  for (uint32_t k = 1; k < r->contracts.n; k++) {
    tp_contract *c = r->contracts.at[k];
    if (c->func.id != step->callee.id) continue;
    if (leq(r, reduced(r, s, step, c), c->entry)) return c;
    last = c;
  }
  if (last && (!r->has_context || r->n_entries[step->callee.id] >= TP_CPA_RECURSION_ENTRIES)) {
    grow_entry(r, last, reduced(r, s, step, last));
    return last;
  }
  tp_contract *c = new_contract(r, step->callee);
  c->entry = reduced(r, s, step, c);
  start_body(r, c);
  return c;
}

static uint64_t pair(uint32_t a, uint64_t b) { return (uint64_t)a << 32 | (uint32_t)b; }

static uint64_t key_of(tp_recursion *r, uint32_t node, const tp_step *step) {
  uint64_t call = pair(step->edge.id, step->callee.id), number = 0;
  if (!tp_map_get(&r->calls, call, &number)) tp_map_set(&r->calls, call, number = r->calls.n + 1);
  return pair(node, number);
}

/* A node uses the same contract at each expansion: otherwise its states could be joined to one
 * contract after the other. */
static tp_contract *contract_for(tp_recursion *r, uint32_t node, tp_succ s, const tp_step *step) {
  if (!tp_func_of(r->cpa->env->program, step->callee)->has_body)
    return contract_without_body(r, step->callee);
  uint64_t key = key_of(r, node, step), k = 0;
  if (tp_map_get(&r->chosen, key, &k)) {
    tp_contract *before = r->contracts.at[k];
    TP_INVARIANT(before->func.id == step->callee.id);
    grow_entry(r, before, reduced(r, s, step, before));
    return before;
  }
  tp_contract *c = find_contract(r, s, step);
  tp_map_set(&r->chosen, key, tp_context_of(r->cpa->env->contexts, c->root)->contract);
  tp_vec_push(&c->users, node);
  return c;
}

static void apply_summary(void *ctx, uint32_t node, tp_succ s, const tp_step *step, tp_out *out) {
  TP_REQUIRE(step->kind == TP_STEP_SUMMARY);
  tp_recursion *r = ctx;
  tp_contract *c = contract_for(r, node, s, step);
  tp_step with_root = *step;
  with_root.root = c->root;
  for (size_t i = 0; i < c->exits.n; i++)
    tp_vec_push(&out->list, tp_cpa_summary_successor(r->cpa, s, c->exits.at[i], &with_root));
}

// ------------------------------------------------------------------------- exits

static bool is_exit_of(const tp_recursion *r, const tp_contract *c, const tp_node *n) {
  tp_loc exit = tp_func_of(r->cpa->env->program, c->func)->exit;
  return !n->removed && (n->loc.id == exit.id || !n->loc.id) &&
         (n->context.id == c->root.id || !n->context.id);
}

static void remove_covered_exits(const tp_recursion *r, tp_contract *c, const tp_elem *x) {
  size_t n = 0;
  for (size_t i = 0; i < c->exits.n; i++)
    if (!leq(r, c->exits.at[i], x)) c->exits.at[n++] = c->exits.at[i];
  c->exits.n = n;
}

/* Up to TP_CPA_RECURSION_EXITS are kept apart; then they are joined to one, which is widened. */
static bool add_exit(tp_recursion *r, tp_contract *c, const tp_elem *x) {
  for (size_t i = 0; i < c->exits.n; i++)
    if (leq(r, x, c->exits.at[i])) return false;
  if (c->n_exit_growths++ < TP_CPA_RECURSION_EXITS || !r->cpa->ops->has_join) {
    remove_covered_exits(r, c, x);
    tp_vec_push(&c->exits, x);
    return true;
  }
  const tp_elem *all = c->exits.at[0];
  TP_INVARIANT(c->exits.n > 0);  // at least one exit is the reason that growths were counted
  for (size_t i = 1; i < c->exits.n; i++) all = r->cpa->ops->join(r->cpa, all, c->exits.at[i]);
  c->exits.at[0] = tp_cpa_widen(r->cpa, all, r->cpa->ops->join(r->cpa, all, x));
  c->exits.n = 1;
  return true;
}

/* True: some X_k grew, and its users are in the waitlist again. */
static bool collect_exits(tp_recursion *r) {
  bool changed = false;
  for (uint32_t k = 1; k < r->contracts.n; k++) {
    tp_contract *c = r->contracts.at[k];
    bool grew = false;
    if (!c->node) continue;
    for (uint32_t i = 1; i <= tp_reached_n(r->reached); i++) {
      const tp_node *n = tp_reached_node(r->reached, i);
      if (is_exit_of(r, c, n)) grew |= add_exit(r, c, n->state.elem);
    }
    for (size_t i = 0; grew && i < c->users.n; i++)
      if (!tp_reached_node(r->reached, c->users.at[i])->removed)
        tp_reached_requeue(r->reached, c->users.at[i]);
    changed |= grew;
  }
  return changed;
}

// -------------------------------------------------------------------- starting

static tp_succ main_start(const tp_recursion *r) {
  const tp_program *p = r->cpa->env->program;
  TP_REQUIRE(p->main.id);
  return r->cpa->ops->initial(r->cpa, tp_func_of(p, p->main)->entry,
                              tp_context_root(r->cpa->env->contexts, p->main, 0));
}

/* Restarts main's initial node, without its descendants, at the current precision. */
static void start_main(tp_recursion *r) {
  (void)tp_reached_cut(r->reached, r->start, TP_CUT_WITH_NODE);
  tp_reached_edit(r->reached, r->start, main_start(r));
}

/* Removes all contracts; only main's initial node remains. */
static void start_again(tp_recursion *r) {
  TP_REQUIRE(tp_reached_has(r->reached, r->start));
  for (size_t k = 1; k < r->contracts.n; k++) {
    tp_contract *c = r->contracts.at[k];
    tp_reached_remove_initial(r->reached, c->node);
    tp_vec_clear(&c->exits);
    tp_vec_clear(&c->users);
    tp_free(c);
  }
  r->contracts.n = 1;
  TP_INVARIANT(r->contracts.at[0] == NULL);  // 0 is main, which has no contract
  memset(r->n_entries, 0, r->cpa->env->program->funcs.n * sizeof *r->n_entries);
  tp_map_clear(&r->chosen);
  start_main(r);
}

void tp_recursion_cut(tp_recursion *r, uint32_t node) {
  TP_REQUIRE(node == 0 || tp_reached_has(r->reached, node));
  for (size_t k = 1; k < r->contracts.n; k++)
    if (r->contracts.at[k]->node) {
      start_again(r);
      return;
    }
  if (node == 0 || node == r->start)
    start_main(r);
  else
    (void)tp_reached_cut(r->reached, node, TP_CUT_WITH_NODE);
}

// ---------------------------------------------------------------------- the loop

tp_recursion *tp_recursion_new(tp_cpa *cpa, tp_wait_order order) {
  const tp_program *p = cpa->env->program;
  tp_recursion *r = TP_NEW(tp_recursion);
  *r = (tp_recursion){.cpa = cpa,
                      .reached = tp_reached_new(cpa, order),
                      .n_entries = TP_NEW_ARRAY(uint32_t, p->funcs.n)};
  tp_vec_push(&r->contracts, NULL);
  tp_reached_set_summary(r->reached, (tp_summary_hook){apply_summary, r});
  tp_succ initial = main_start(r);
  r->has_context = tp_cpa_context(cpa, initial.elem).id != 0;
  r->start = tp_reached_add_initial(r->reached, initial);
  return r;
}

void tp_recursion_free(tp_recursion *r) {
  if (!r) return;
  for (size_t k = 1; k < r->contracts.n; k++) {
    tp_vec_clear(&r->contracts.at[k]->exits);
    tp_vec_clear(&r->contracts.at[k]->users);
    tp_free(r->contracts.at[k]);
  }
  tp_vec_clear(&r->contracts);
  tp_map_clear(&r->calls);
  tp_map_clear(&r->chosen);
  tp_free(r->n_entries);
  tp_reached_free(r->reached);
  tp_free(r);
}

tp_reached *tp_recursion_reached(tp_recursion *r) { return r->reached; }
size_t tp_recursion_n(const tp_recursion *r) { return r->contracts.n - 1; }
const tp_contract *tp_recursion_contract(const tp_recursion *r, uint32_t k) {
  TP_REQUIRE(k > 0 && k < r->contracts.n);
  return r->contracts.at[k];
}

tp_cpa_result tp_recursion_run(tp_recursion *r, tp_cpa_limits limits) {
  tp_cpa_result all = {0};
  tp_cpa_limits left = limits;
  do {
    tp_cpa_result one = tp_cpa_run(r->reached, left);
    all = (tp_cpa_result){one.end, one.node, all.steps + one.steps};
    TP_INVARIANT(!limits.steps || all.steps <= limits.steps);
    if (limits.steps) left.steps = limits.steps - all.steps;
    if (all.end == TP_CPA_DONE && collect_exits(r) && limits.steps && left.steps == 0)
      all.end = TP_CPA_STOPPED;
  } while (all.end == TP_CPA_DONE && tp_reached_waiting(r->reached));
  return all;
}

// --------------------------------------------------------------------- summaries

typedef struct {
  const tp_program *p;
  const tp_contract *contract;
  bool at_exit, sees;  // sees: only variables in scope so far
} scope;

static void visit_var(void *ctx, tp_term symbol) {
  scope *s = ctx;
  tp_var v = tp_program_var_of(s->p, symbol);
  tp_var_kind kind =
      v.id ? tp_var_of(s->p, v)->kind : TP_V_GHOST;  // memory symbols are no variables
  if (kind == TP_V_GLOBAL || kind == TP_V_GHOST) return;
  const tp_func_info *f = tp_func_of(s->p, s->contract->func);
  bool ok = s->at_exit && v.id == f->result.id;
  for (uint32_t i = 0; i < f->n_params && !s->at_exit; i++) ok |= f->params[i].id == v.id;
  s->sees &= ok;
}

/* The conjuncts of t over variables that are in scope on both sides of a call. Weaker than t. */
static tp_term visible_part(tp_recursion *r, const tp_contract *c, tp_term t, bool at_exit) {
  tp_terms *tt = r->cpa->env->terms;
  tp_term_list parts = {0};
  tp_term kept = tp_mk_true(tt);
  tp_conjuncts(tt, t, &parts);
  for (size_t i = 0; i < parts.n; i++) {
    scope s = {.p = r->cpa->env->program, .contract = c, .at_exit = at_exit, .sees = true};
    tp_for_vars(tt, parts.at[i], visit_var, &s);
    if (s.sees) kept = tp_mk_and(tt, kept, parts.at[i]);
  }
  tp_vec_clear(&parts);
  return kept;
}

void tp_recursion_summaries(tp_recursion *r, const char *engine, tp_summaries *out) {
  tp_cpa *cpa = r->cpa;
  for (uint32_t k = 1; k < r->contracts.n; k++) {
    const tp_contract *c = r->contracts.at[k];
    tp_summary x = {
        .func = c->func, .engine = engine, .sound = TP_SUMMARY_MAY, .returns = c->exits.n > 0};
    x.pre = visible_part(r, c, cpa->ops->formula(cpa, c->entry), false);
    x.post = tp_mk_false(cpa->env->terms);
    for (size_t i = 0; i < c->exits.n; i++)
      x.post = tp_mk_or(cpa->env->terms, x.post,
                        visible_part(r, c, cpa->ops->formula(cpa, c->exits.at[i]), true));
    (void)tp_summaries_add(out, x);
  }
}
