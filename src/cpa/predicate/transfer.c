/* Steps. A path is extended until its block ends; then the element is pending until strengthen has
 * conjoined the formulas of the other components, and strengthen_last makes it a region, or removes
 * it.
 *
 * Blocks end at heads of loops (so every cycle passes a block end) and at other locations of the
 * cut set, by default also at entries and exits of functions and behind calls; always where an
 * error or something unsupported is reached, at both ends of the body of a contract, and behind a
 * call that is taken as a whole. */
#include "cpa/predicate/parts.h"
#include "cpa/predicate/predicate_priv.h"

// ------------------------------------------------------------------- block ends

static bool is_function_end(const tp_predicate *self, tp_loc l) {
  const tp_func_info *f = tp_func_of(self->p, tp_loc_of(self->p, l)->func);
  return f->entry.id == l.id || f->exit.id == l.id;
}

static bool is_behind_call(const tp_predicate *self, tp_loc l) {
  tp_edge_list in = tp_in_edges(self->p, l);
  for (uint32_t i = 0; i < in.n; i++)
    if (self->p->edges.at[in.at[i]].kind == TP_E_CALL) return true;
  return false;
}

static bool is_contract(const tp_predicate *self, tp_context c) {
  return c.id && !tp_context_of(self->contexts, c)->parent.id &&
         tp_context_of(self->contexts, c)->contract;
}

static bool is_goal(const tp_predicate *self, tp_loc l) {
  const tp_loc_info *info = tp_loc_of(self->p, l);
  return info->is_unsupported || tp_property_covers(self->cpa->env->property, info->error);
}

static bool is_block_end(const tp_predicate *self, tp_loc l, tp_context c) {
  const tp_loc_info *info = tp_loc_of(self->p, l);
  if (info->is_loop_head || info->is_cutpoint || is_goal(self, l)) return true;
  if (is_contract(self, c) && is_function_end(self, l)) return true;
  switch (self->blocks) {
    case TP_BLOCKS_LOOPS_CALLS: return is_function_end(self, l) || is_behind_call(self, l);
    case TP_BLOCKS_LOOPS: return false;
    case TP_BLOCKS_EDGES: return true;
  }
  return true;
}

// ----------------------------------------------------- branching without condition

/* Do the edges out of a location exclude each other by their conditions? */
static bool edges_exclude_each_other(const tp_predicate *self, tp_loc l) {
  tp_edge_list out = tp_out_edges(self->p, l);
  for (uint32_t i = 0; i < out.n; i++) {
    const tp_edge_info *a = &self->p->edges.at[out.at[i]];
    for (uint32_t k = 0; k < i; k++) {
      const tp_edge_info *b = &self->p->edges.at[out.at[k]];
      if (a->kind != TP_E_ASSUME || b->kind != TP_E_ASSUME) return false;
      if (!tp_is_false(self->tt, tp_mk_and(self->tt, a->a, b->a)) &&
          !tp_term_eq(a->a, tp_mk_not(self->tt, b->a)))
        return false;
    }
  }
  return true;
}

static bool is_free_choice(tp_predicate *self, tp_loc l) {
  enum { UNKNOWN, FREE, DECIDED };
  if (self->branchings[l.id] == UNKNOWN)
    self->branchings[l.id] = edges_exclude_each_other(self, l) ? DECIDED : FREE;
  return self->branchings[l.id] == FREE;
}

/* The variable that decides the n-th free choice of a path, if it is made at this location. */
static tp_term choice_var(tp_predicate *self, tp_loc l, uint32_t n) {
  TP_REQUIRE(l.id != 0);
  uint64_t key = (uint64_t)l.id << 32 | n, found;
  if (tp_map_get(&self->choices, key, &found)) return (tp_term){(uint32_t)found};
  tp_term v = tp_mk_var(self->tt, "choice", tp_sort_bv(self->tt, 32));
  tp_map_set(&self->choices, key, v.id);
  tp_map_set(&self->paths.is_input, v.id, 1);
  return v;
}

// ---------------------------------------------------------------------- following

static bool context_behind(tp_predicate *self, tp_context c, const tp_step *step, tp_context *out) {
  TP_REQUIRE(c.id != 0);
  *out = c;
  switch (step->kind) {
    case TP_STEP_EDGE:
    case TP_STEP_SUMMARY: return true;
    case TP_STEP_CALL:
      *out = tp_context_has(self->contexts, c, step->callee)
                 ? TP_CONTEXT_NONE
                 : tp_context_push(self->contexts, c, step->edge, step->callee);
      return true;
    case TP_STEP_RETURN:
      *out = tp_context_of(self->contexts, c)->parent;
      return tp_context_of(self->contexts, c)->call.id == step->edge.id;
  }
  return false;
}

static void extend_path(tp_predicate *self, tp_path *path, const tp_step *step) {
  switch (step->kind) {
    case TP_STEP_EDGE: tp_path_edge(&self->paths, path, step->edge); break;
    case TP_STEP_CALL: tp_path_call(&self->paths, path, step->edge, step->callee); break;
    case TP_STEP_RETURN: tp_path_return(&self->paths, path, step->edge, step->callee); break;
    case TP_STEP_SUMMARY:
      tp_path_summary(&self->paths, path, step->edge, step->callee, tp_mk_true(self->tt));
      break;
  }
  if (tp_term_is(step->caller_condition))
    tp_path_assume(&self->paths, path, step->caller_condition);
}

tp_path tp_predicate_path_from(tp_predicate *self, const tp_elem *e) {
  if (e->kind != TP_PREDICATE_END) return tp_path_copy(&e->path);
  return e->region->is_start ? tp_path_start(&self->paths) : tp_path_here(&self->paths);
}

/* Does the region exclude a branch syntactically? Without this test every branch would be explored
 * to the end of its block. */
static bool is_excluded(tp_predicate *self, const tp_region *region, const tp_path *path,
                        const tp_step *step) {
  bool is_branch =
      step->kind == TP_STEP_EDGE && tp_edge_of(self->p, step->edge)->kind == TP_E_ASSUME;
  if (!is_branch || tp_bdd_is_true(region->bdd)) return false;
  tp_term condition = tp_path_condition(&self->paths, path),
          known = tp_predicate_bdd_term(self, region->bdd);
  uint64_t key = (uint64_t)known.id << 32 | condition.id, found;
  if (tp_map_get(&self->excluded, key, &found)) return found;
  tp_parts parts;
  bool is_false = false;
  tp_parts_init(&parts, &self->paths, tp_mk_and(self->tt, known, condition));
  for (size_t i = 0; i < parts.parts.n; i++) is_false |= tp_is_false(self->tt, parts.parts.at[i]);
  tp_parts_clear(&parts);
  tp_map_set(&self->excluded, key, is_false);
  return is_false;
}

void tp_predicate_transfer(tp_cpa *cpa, const tp_elem *e, const tp_prec *p, const tp_step *step,
                           tp_out *out) {
  TP_REQUIRE(tp_step_check(tp_predicate_of(cpa)->p, step));
  tp_predicate *self = tp_predicate_of(cpa);
  tp_context to;
  if (e->kind == TP_PREDICATE_ANY) {
    tp_vec_push(&out->list, (tp_succ){e, p});
    return;
  }
  if (e->loc.id != step->from.id || tp_bdd_is_false(e->region->bdd) ||
      !context_behind(self, e->context, step, &to))
    return;
  tp_path path = tp_predicate_path_from(self, e);
  bool is_choice = is_free_choice(self, e->loc);
  TP_INVARIANT(e->region != NULL);  // only the element ANY has none
  if (is_choice) {
    tp_term chosen = tp_mk_eq(self->tt, choice_var(self, e->loc, e->n_choices),
                              tp_mk_bv(self->tt, 32, step->edge.id));
    tp_path_assume(&self->paths, &path, chosen);
  }
  extend_path(self, &path, step);
  if (tp_path_is_false(&path) || is_excluded(self, e->region, &path, step)) {
    tp_path_clear(&path);
  } else if (!to.id) {  // the context is unknown
    tp_path_clear(&path);
    tp_vec_push(&out->list, (tp_succ){self->any, p});
  } else {
    bool ends = step->kind == TP_STEP_SUMMARY || is_block_end(self, step->to, to);
    tp_elem *next =
        tp_predicate_new_incoming(self, ends ? TP_PREDICATE_PENDING : TP_PREDICATE_INSIDE, step->to,
                                  to, e->region, (tp_incoming){e, *step, path});
    next->transferred = e->transferred;
    next->n_choices = (e->kind == TP_PREDICATE_END ? 0 : e->n_choices) + is_choice;
    tp_vec_push(&out->list, (tp_succ){next, p});
  }
}

// ------------------------------------------------------------------- neighbours

typedef struct {
  const tp_program *p;
  bool reads_memory;
} scan;

static void visit_symbol(void *ctx, tp_term symbol) {
  scan *s = ctx;
  tp_sort sort;
  s->reads_memory |= tp_is_memory(s->p, symbol, &sort);
}

/* kept, and the conjuncts of t without memory symbols, one by one: the result must not depend on
 * the removed conjuncts, since paths are compared by their terms. */
static tp_term and_without_memory(const tp_predicate *self, tp_term kept, tp_term t) {
  tp_term_list parts = {0};
  tp_conjuncts(self->tt, t, &parts);
  for (size_t i = 0; i < parts.n; i++) {
    scan s = {.p = self->p};
    tp_for_vars(self->tt, parts.at[i], visit_symbol, &s);
    if (!s.reads_memory) kept = tp_mk_and(self->tt, kept, parts.at[i]);
  }
  tp_vec_clear(&parts);
  return kept;
}

/* At the end of a block all conjuncts; inside, those without memory symbols. */
static tp_term formula_of_neighbours(const tp_predicate *self, const tp_view *others, size_t n,
                                     tp_predicate_kind kind) {
  tp_term known = tp_mk_true(self->tt);
  for (size_t i = 0; i < n; i++) {
    if (others[i].cpa == self->cpa) continue;
    tp_term t = others[i].cpa->ops->formula((tp_cpa *)(uintptr_t)others[i].cpa, others[i].elem);
    known = kind == TP_PREDICATE_INSIDE ? and_without_memory(self, known, t)
                                        : tp_mk_and(self->tt, known, t);
  }
  return known;
}

/* The formulas of the other components are conjoined behind the first step of a block, and at its
 * end. Inside of a block they become part of a path that later paths are compared with, so they
 * must not change while the other elements stay the same; a store's formula has one conjunct more
 * for each cell that has been read. */
const tp_elem *tp_predicate_strengthen(tp_cpa *cpa, const tp_elem *e, const tp_view *others,
                                       size_t n, const tp_step *step) {
  tp_predicate *self = tp_predicate_of(cpa);
  if (e->kind != TP_PREDICATE_INSIDE && e->kind != TP_PREDICATE_PENDING) return e;
  if (e->kind == TP_PREDICATE_INSIDE &&
      (e->n_incoming != 1 || e->incoming[0].from->kind != TP_PREDICATE_END))
    return e;
  tp_term known = formula_of_neighbours(self, others, n, e->kind);
  if (tp_is_true(self->tt, known)) return e;
  tp_path path = tp_path_copy(&e->path);
  tp_path_assume(&self->paths, &path, known);
  if (tp_path_is_false(&path)) {
    tp_path_clear(&path);
    return NULL;
  }
  const tp_elem *from = e->n_incoming ? e->incoming[0].from : NULL;
  tp_elem *sharper = tp_predicate_new_incoming(self, e->kind, e->loc, e->context, e->region,
                                               (tp_incoming){from, *step, path});
  sharper->n_choices = e->n_choices;
  sharper->transferred = e->transferred;
  return sharper;
}

const tp_elem *tp_predicate_strengthen_last(tp_cpa *cpa, const tp_elem *e) {
  tp_predicate *self = tp_predicate_of(cpa);
  if (e->kind == TP_PREDICATE_END && tp_bdd_is_false(e->region->bdd)) return NULL;
  if (e->kind != TP_PREDICATE_PENDING) return e;
  tp_decision decide = is_goal(self, e->loc) || tp_map_has(&self->decided, e->loc.id)
                           ? TP_ALWAYS_DECIDE
                           : TP_DECIDE_IF_NEEDED;
  tp_block_end end = {e->loc, e->context, e->transferred};
  tp_bdd f = tp_predicate_abstract(self, e->region, &e->path, end, decide);
  return tp_bdd_is_false(f) ? NULL : tp_predicate_new_end(self, f, end, &e->path);
}

// -------------------------------------------------------------------- summaries

/* The region projected to the callee's parameters and to globals: a contract starts with any values
 * of the callee's locals. */
static tp_bdd project_to_callee(tp_predicate *self, tp_bdd f, tp_func callee) {
  bool *drop = TP_NEW_ARRAY(bool, self->preds.n + 1);
  for (uint32_t i = 0; i < self->preds.n; i++)
    drop[i] = !tp_predicate_is_about_arguments(self, i, callee);
  tp_bdd seen = tp_bdd_exists(&self->bdds, f, drop, self->preds.n);
  tp_free(drop);
  return seen;
}

const tp_elem *tp_predicate_reduce(tp_cpa *cpa, const tp_elem *e, const tp_step *call) {
  TP_REQUIRE(call->root.id && tp_func_of(tp_predicate_of(cpa)->p, call->callee)->has_body);
  tp_predicate *self = tp_predicate_of(cpa);
  tp_block_end end = {tp_func_of(self->p, call->callee)->entry, call->root, e->transferred};
  if (e->kind == TP_PREDICATE_ANY) return tp_predicate_new_end(self, TP_BDD_TRUE, end, NULL);
  tp_path path = tp_predicate_path_from(self, e);
  tp_path_call(&self->paths, &path, call->edge, call->callee);
  tp_bdd f = project_to_callee(
      self, tp_predicate_abstract(self, e->region, &path, end, TP_DECIDE_IF_NEEDED), call->callee);
  const tp_elem *reduced = tp_predicate_new_end(self, f, end, &path);
  tp_path_clear(&path);
  return reduced;
}

/* The region at a callee's exit, projected to globals, cells and the result. */
static tp_term exit_formula(tp_predicate *self, const tp_elem *leave, tp_func callee) {
  if (leave->kind != TP_PREDICATE_END) return tp_mk_true(self->tt);
  tp_var result = tp_func_of(self->p, callee)->result;
  bool *drop = TP_NEW_ARRAY(bool, self->preds.n + 1);
  for (uint32_t i = 0; i < self->preds.n; i++) drop[i] = !tp_predicate_is_visible(self, i, result);
  tp_bdd f = tp_bdd_exists(&self->bdds, leave->region->bdd, drop, self->preds.n);
  tp_free(drop);
  return tp_predicate_bdd_term(self, f);
}

/* The call as a step of the path; the block ends behind it. */
const tp_elem *tp_predicate_expand(tp_cpa *cpa, const tp_elem *before, const tp_elem *leave,
                                   const tp_step *call) {
  TP_REQUIRE(call->kind == TP_STEP_SUMMARY);
  tp_predicate *self = tp_predicate_of(cpa);
  if (before->kind == TP_PREDICATE_ANY) return before;
  tp_path path = tp_predicate_path_from(self, before);
  tp_path_summary(&self->paths, &path, call->edge, call->callee,
                  exit_formula(self, leave, call->callee));
  if (tp_path_is_false(&path) || tp_bdd_is_false(before->region->bdd)) {
    tp_path_clear(&path);
    return tp_predicate_new_end(
        self, TP_BDD_FALSE, (tp_block_end){call->to, before->context, before->transferred}, NULL);
  }
  tp_elem *behind = tp_predicate_new_incoming(self, TP_PREDICATE_PENDING, call->to, before->context,
                                              before->region, (tp_incoming){before, *call, path});
  behind->transferred =
      tp_predicate_transferred_to_both(self, before->transferred, leave->transferred);
  behind->n_choices = before->kind == TP_PREDICATE_END ? 0 : before->n_choices;
  return behind;
}
