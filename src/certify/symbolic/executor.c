/* Symbolic execution from a cutpoint, or from the start of an unrolled program, to where paths end:
 * states wait in the order of the worklist, paths that meet become one, and each end is handed to
 * the kind of certificate that asked for it. It ends, since every cycle passes a cutpoint or a
 * bound. */
#include "certify/symbolic/executor.h"

#include "certify/bounded/unrolled_exec.h"
#include "certify/certify_limits.h"
#include "certify/shapes/batch.h"
#include "certify/symbolic/leak_witness.h"

// ------------------------------------------------------------- beginning, end

/* Does control come back from behind this edge to it? */
static bool is_repeated(const tp_program *p, uint32_t edge) {
  tp_map seen = {0};
  TP_VEC(uint32_t) todo = {0};
  bool back = false;
  tp_vec_push(&todo, p->edges.at[edge].to.id);
  while (todo.n && !back) {
    tp_loc at = {tp_vec_pop(&todo)};
    back = at.id == p->edges.at[edge].from.id;
    if (tp_map_has(&seen, at.id)) continue;
    tp_map_set(&seen, at.id, 1);
    tp_edge_list out = tp_out_edges(p, at);
    for (uint32_t i = 0; i < out.n; i++) tp_vec_push(&todo, p->edges.at[out.at[i]].to.id);
  }
  tp_map_clear(&seen);
  tp_vec_clear(&todo);
  return back;
}

static bool may_repeat_locals(const tp_program *p) {
  uint64_t looked_at = 0;
  for (uint32_t i = 1; i < p->edges.n; i++) {
    if (!p->edges.at[i].from.id || p->edges.at[i].kind != TP_E_ALLOC ||
        p->edges.at[i].object_kind != TP_O_STACK)
      continue;
    looked_at += p->edges.n;
    if (looked_at > 50000000 || is_repeated(p, i)) return true;
  }
  return false;
}

static bool knows(void *ctx, tp_term t) { return tp_chk_is_assumed(ctx, t); }

typedef enum { PLAIN, HEAD, ENTRY, JOIN } place_kind;
static place_kind kind_of_place(const tp_chk_exec *g, uint32_t context, tp_loc l) {
  TP_REQUIRE(context > 0 && context < g->cert->contexts.n);
  if (tp_loc_of(g->p, l)->is_loop_head) return HEAD;
  if (tp_func_of(g->p, g->cert->contexts.at[context].func)->entry.id == l.id &&
      g->cert->contexts.at[context].parent)
    return ENTRY;
  return tp_in_edges(g->p, l).n > 1 ? JOIN : PLAIN;
}

static void note_kinds_of_cutpoints(tp_chk_exec *g) {
  for (size_t i = 1; i < g->cert->cutpoints.n; i++) {
    place_kind k = kind_of_place(g, g->cert->cutpoints.at[i].context, g->cert->cutpoints.at[i].loc);
    g->cutpoint_at_head = g->cutpoint_at_head || k == HEAD;
    g->cutpoint_at_entry = g->cutpoint_at_entry || k == ENTRY;
    g->cutpoint_at_join = g->cutpoint_at_join || k == JOIN;
  }
}

void tp_chk_exec_init(tp_chk_exec *g, const tp_program *p, tp_property prop, tp_chk_cert *cert,
                      const tp_certify_limits *limits, tp_stats *stats, tp_certify_report *report) {
  *g = (tp_chk_exec){.p = p,
                     .tt = p->terms,
                     .prop = prop,
                     .cert = cert,
                     .limits = limits,
                     .report = report,
                     .stats = stats,
                     .result = TP_CERTIFY_ACCEPTED};
  g->start_cpu_s = tp_cpu_s();
  g->max_edges = limits->edges ? limits->edges : TP_CERTIFY_EDGES;
  if (g->max_edges > TP_CERTIFY_MOST_EDGES) g->max_edges = TP_CERTIFY_MOST_EDGES;
  g->solver = tp_chk_solver_new(p->terms,
                                (tp_smt_options){.backend = limits->backend,
                                                 .command = limits->command,
                                                 .rlimit = limits->solver_rlimit,
                                                 .looks_at_bounds = true,
                                                 .stats = stats},
                                limits->proofs, &report->obligations);
  tp_chk_foreign_init(&g->foreign, p);
  tp_effects_init(&g->effects, p);
  g->repeats_locals = may_repeat_locals(p);
  g->disjuncts = tp_chk_disjuncts_new(p, cert);
  tp_chk_history_init(&g->history, p);
  tp_chk_ackermann_init(&g->ackermann, p->terms);
  tp_chk_skeletons_init(&g->skeletons, p->terms);
  g->skeletons.proofs = limits->proofs;
  g->skeletons.met = &report->obligations;
  tp_chk_relevance_init(&g->relevance, g->tt);
  g->history.knows = knows;
  g->history.ctx = g;
  g->values = TP_NEW_ARRAY(tp_chk_value, p->vars.n + 1);
  g->n_values = (uint32_t)p->vars.n;
  tp_vec_push(&g->back_moves, (tp_chk_back_move){0});
  tp_locals_init(&g->locals, p);
  tp_chk_worklist_init(&g->worklist, p, cert);
  note_kinds_of_cutpoints(g);
  if (cert->has_shapes) g->shape = tp_chk_shape_start_new(g, &cert->graphs);
  g->history.marks_uninitialised = cert->has_shapes;
}

void tp_chk_exec_clear(tp_chk_exec *g) {
  tp_chk_solver_free(g->solver);
  tp_chk_shape_start_free(g->shape);
  tp_chk_disjuncts_free(g->disjuncts);
  tp_chk_foreign_clear(&g->foreign);
  tp_effects_clear(&g->effects);
  tp_chk_history_clear(&g->history);
  tp_chk_ackermann_clear(&g->ackermann);
  tp_chk_skeletons_clear(&g->skeletons);
  tp_chk_relevance_clear(&g->relevance);
  tp_free(g->values);
  tp_locals_clear(&g->locals);
  tp_chk_worklist_clear(&g->worklist);
  tp_vec_clear(&g->changes);
  tp_vec_clear(&g->back_moves);
  tp_vec_clear(&g->facts);
  tp_map_clear(&g->fact_at);
  tp_vec_clear(&g->pending);
  tp_vec_clear(&g->arrived);
  tp_map_clear(&g->listed);
  tp_vec_clear(&g->witnesses);
  tp_vec_clear(&g->leak_roots);
  tp_chk_universals_clear(&g->universals);
  tp_chk_fold_functions_clear(&g->folds);
}

void tp_chk_exec_fail(tp_chk_exec *g, tp_certify_result result, tp_loc at, const char *what) {
  TP_REQUIRE(result != TP_CERTIFY_ACCEPTED);
  if (g->result != TP_CERTIFY_ACCEPTED) return;
  g->result = result;
  g->report->where = at;
  g->report->context = g->state.context;
  tp_str *why = &g->report->why;
  tp_str_add(why, what);
  const tp_loc ends[] = {at, g->start.loc};
  for (int i = 0; i < 2; i++) {
    if (!ends[i].id || !g->p->diag || !tp_pos_known(tp_loc_of(g->p, ends[i])->pos)) continue;
    tp_str_add(why, i ? " (on a way from " : " at ");
    tp_pos_print(g->p->diag, tp_loc_of(g->p, ends[i])->pos, why);
    if (i) tp_str_add_char(why, ')');
  }
}

// -------------------------------------------------------------------- the state

tp_term tp_chk_exec_nondet(tp_chk_exec *g, tp_sort s) {
  return tp_chk_history_nondet(&g->history, s, g->state.age);
}

uint32_t tp_chk_slot_of(tp_chk_exec *g, tp_var v) {
  TP_REQUIRE(v.id && v.id < g->p->vars.n);
  tp_func f = tp_var_of(g->p, v)->func;
  if (!g->unrolling || !f.id) return v.id;
  const tp_chk_context *contexts = g->cert->contexts.at;
  uint32_t c = g->state.context, n = (uint32_t)g->p->vars.n;
  while (c && contexts[c].func.id != f.id) c = contexts[c].parent;
  uint32_t slot = v.id + (c ? contexts[c].activations - 1 : 0) * n;
  if (slot >= g->n_values) {
    uint32_t more = (slot / n + 2) * n;
    g->values = tp_realloc(g->values, more * sizeof *g->values);
    memset(g->values + g->n_values, 0, (more - g->n_values) * sizeof *g->values);
    g->n_values = more;
  }
  return slot;
}

tp_chk_value tp_chk_slot_value(tp_chk_exec *g, uint32_t slot) {
  TP_REQUIRE(slot < g->n_values);
  tp_chk_value v = g->values[slot];
  if (tp_term_is(v.term)) return v;
  tp_term symbol = tp_var_of(g->p, (tp_var){slot % (uint32_t)g->p->vars.n})->term;
  if (slot >= g->p->vars.n) symbol = tp_chk_exec_nondet(g, tp_sort_of(g->tt, symbol));
  return (tp_chk_value){symbol, TP_PROVENANCE_ANY};
}

tp_chk_value tp_chk_exec_get(tp_chk_exec *g, tp_var v) {
  tp_chk_value value = g->values[tp_chk_slot_of(g, v)];
  return tp_term_is(value.term) ? value
                                : (tp_chk_value){tp_var_of(g->p, v)->term, TP_PROVENANCE_ANY};
}

void tp_chk_exec_set(tp_chk_exec *g, tp_var v, tp_chk_value value) {
  if (!v.id) return;
  const tp_var_info *info = tp_var_of(g->p, v);
  if (info->kind == TP_V_GHOST ||
      !tp_sort_eq(tp_sort_of(g->tt, value.term), tp_sort_of(g->tt, info->term))) {
    tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, g->state.loc,
                     "a value of the wrong sort is assigned");
    return;
  }
  tp_sort_kind k = tp_sort_kind_of(g->tt, tp_sort_of(g->tt, info->term));
  if (info->kind != TP_V_TEMP && (k == TP_SORT_PTR || k == TP_SORT_BV))
    g->state.lost = TP_TERM_NONE;  // what it held may be lost now
  tp_chk_paths_assign(g, tp_chk_slot_of(g, v), value);
}

static bool is_fact(const tp_chk_exec *g, tp_term t) {
  uint64_t i;
  return tp_map_get(&g->fact_at, t.id, &i) && i > 0 && i <= g->facts.n &&
         g->facts.at[i - 1].id == t.id;
}

bool tp_chk_is_assumed(const tp_chk_exec *g, tp_term t) {
  return tp_is_true(g->tt, t) || is_fact(g, t);
}

void tp_chk_assume(tp_chk_exec *g, tp_term fact) {
  TP_REQUIRE(tp_sort_kind_of(g->tt, tp_sort_of(g->tt, fact)) == TP_SORT_BOOL);
  TP_VEC(uint32_t) todo = {0};
  if (tp_kind(g->tt, fact) == TP_OP_AND) tp_chk_paths_add_conjunction(g, fact);
  tp_vec_push(&todo, fact.id);
  while (todo.n && !g->dead) {
    tp_term t = {tp_vec_pop(&todo)};
    if (tp_chk_is_assumed(g, t)) continue;
    if (tp_kind(g->tt, t) == TP_OP_AND) {
      tp_vec_push(&todo, tp_arg(g->tt, t, 1).id);
      tp_vec_push(&todo, tp_arg(g->tt, t, 0).id);
      continue;
    }
    tp_chk_paths_add_fact(g, t);
    g->dead = tp_is_false(g->tt, t) || is_fact(g, tp_mk_not(g->tt, t));
  }
  tp_vec_clear(&todo);
}

void tp_chk_exec_postpone(tp_chk_exec *g, tp_edge e, tp_func callee) {
  tp_chk_state m = tp_chk_paths_current(g);
  m.edge = e;
  m.callee = callee;
  tp_vec_push(&g->pending, m);
}

static void assume_beginning(tp_chk_exec *g) {
  for (uint32_t i = 1; i < g->p->vars.n; i++) {
    const tp_var_info *v = &g->p->vars.at[i];
    if (v->kind == TP_V_GLOBAL && tp_term_is(v->initial))
      tp_chk_exec_set(
          g, (tp_var){i},
          (tp_chk_value){v->initial,
                         tp_is_const(g->tt, v->initial) ? TP_PROVENANCE_NONE : TP_PROVENANCE_ANY});
  }
  g->state.heap = tp_mk_bv(g->tt, 32, 0);
  g->state.lost = tp_mk_false(g->tt);
  tp_chk_assume(g, tp_mk_eq(g->tt, g->history.next, tp_mk_bv(g->tt, TP_OBJ_BITS, g->p->statics.n)));
}

void tp_chk_exec_begin(tp_chk_exec *g, uint32_t context, tp_loc loc, bool from_beginning) {
  tp_terms *tt = g->tt;
  tp_chk_paths_restart(g);
  tp_chk_history_restart(&g->history, from_beginning);
  tp_chk_worklist_restart(&g->worklist);
  tp_map_clear(&g->fact_at);
  g->pending.n = 0;
  g->witnesses.n = 0;
  g->leak_roots.n = 0;
  g->universals.bodies.n = 0;
  g->state = (tp_chk_state){.context = context, .loc = loc, .age = {g->history.next, 0}};
  g->start = g->state;
  g->state.heap = tp_var_of(g->p, g->p->ghost_heap)->term;
  g->state.lost = tp_var_of(g->p, g->p->ghost_leaked)->term;
  if (g->unrolling) {
    tp_chk_history_number_objects(&g->history);
    g->state.age = (tp_chk_epoch){g->history.next, 0};
    tp_chk_unrolling_enter(g, g->p->main);
  }
  if (from_beginning) assume_beginning(g);
  tp_chk_assume(
      g, tp_mk2(tt, TP_OP_BV_ULE, tp_mk_bv(tt, TP_OBJ_BITS, g->p->statics.n), g->history.next));
  tp_chk_assume(
      g, tp_mk2(tt, TP_OP_BV_ULE, g->history.next, tp_mk_bv(tt, TP_OBJ_BITS, TP_MOST_OBJECTS)));
}

// ------------------------------------------------------------------- arriving

void tp_chk_exec_set_obligation(tp_chk_exec *g, tp_chk_obligation purpose) {
  g->obligation = purpose;
  tp_chk_worklist_pass_cutpoints(&g->worklist, purpose != TP_CHK_CONSECUTION);
}

/* Where graphs exclude it, as most do, no solver is started. Graphs for which it cannot be shown
 * are given up. */
static tp_chk_answer exclude_for_many(tp_chk_exec *g, const tp_term *goals, size_t n) {
  if (!g->dead && !tp_chk_batch_shows(g->shape->batch, goals, n) &&
      tp_chk_prove_without_graphs(g, goals, n) != TP_CHK_PROVED)
    (void)tp_chk_batch_require(g->shape->batch, goals, n);
  return TP_CHK_PROVED;
}

static void exclude(tp_chk_exec *g, tp_certify_result otherwise, const char *what) {
  if (g->unrolling) {
    tp_chk_unrolling_require(g, tp_mk_true(g->tt), what);
    g->dead = true;
    return;
  }
  tp_term_list denials = {0};
  tp_chk_leak_denials(g, &denials);
  tp_chk_answer goal = g->shape && g->shape->batch ? exclude_for_many(g, denials.at, denials.n)
                                                   : tp_chk_prove(g, denials.at, denials.n);
  tp_vec_clear(&denials);
  if (goal != TP_CHK_PROVED)
    tp_chk_exec_fail(
        g, goal == TP_CHK_REFUTED && g->history.is_exact ? otherwise : TP_CERTIFY_UNDECIDED,
        g->state.loc, what);
  g->dead = true;
}

void tp_chk_require_unreachable(tp_chk_exec *g, tp_certify_result otherwise, const char *what) {
  if (g->obligation == TP_CHK_CONSECUTION) exclude(g, otherwise, what);
  g->dead = true;
}

void tp_chk_require_one_of(tp_chk_exec *g, const tp_term *goals, uint32_t n, const char *what) {
  if (g->obligation != TP_CHK_CONSECUTION) return;
  if (g->unrolling) {
    tp_term none = tp_mk_true(g->tt);
    for (uint32_t i = 0; i < n; i++) none = tp_mk_and(g->tt, none, tp_mk_not(g->tt, goals[i]));
    tp_chk_unrolling_require(g, none, what);
    return;
  }
  tp_chk_answer goal = tp_chk_prove(g, goals, n);
  if (goal == TP_CHK_PROVED) return;
  tp_chk_exec_fail(
      g, goal == TP_CHK_REFUTED && g->history.is_exact ? TP_CERTIFY_REJECTED : TP_CERTIFY_UNDECIDED,
      g->state.loc, what);
}

static void must_meet(tp_chk_exec *g, const tp_term *formulas, uint32_t n, const char *what) {
  tp_term *goals = TP_NEW_ARRAY(tp_term, n + 1);
  for (uint32_t i = 0; i < n; i++) goals[i] = tp_chk_eval_formula(g, formulas[i]);
  tp_chk_require_one_of(g, goals, n, what);
  tp_free(goals);
}

static tp_term value_of(void *ctx, tp_term place) {
  tp_chk_exec *g = ctx;
  bool is_lost = tp_kind(g->tt, place) == TP_OP_VAR &&
                 tp_program_var_of(g->p, place).id == g->p->ghost_leaked.id;
  return is_lost ? g->state.lost : tp_chk_eval_formula(g, place);
}

/* Does some formula of the cutpoint have graphs? */
static bool has_graphs(const tp_chk_exec *g, uint32_t cutpoint) {
  const tp_chk_cutpoint *l = &g->cert->cutpoints.at[cutpoint];
  for (uint32_t k = l->first; k < l->first + l->n; k++)
    if (g->cert->described.at[k].n) return true;
  return false;
}

static void meet_cutpoint(tp_chk_exec *g, uint32_t cutpoint) {
  if (has_graphs(g, cutpoint) && g->shape->batch) {
    (void)tp_chk_batch_arrives(g->shape->batch, cutpoint);
    return;
  }
  if (has_graphs(g, cutpoint)) {
    if (tp_chk_shape_arrives(g, cutpoint) != TP_CHK_PROVED)
      tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, g->state.loc,
                       "no graph is shown to describe what comes here");
    return;
  }
  tp_term *formulas = TP_NEW_ARRAY(tp_term, g->cert->cutpoints.at[cutpoint].n + 1);
  uint32_t n = tp_chk_disjuncts_find(g->disjuncts, cutpoint, value_of, g, formulas);
  must_meet(g, formulas, n, "the invariant is not inductive");
  tp_free(formulas);
}

/* Where a certificate cutpoints places of this kind, one without a cutpoint is taken for
 * unreachable until it must be walked through. */
static bool should_have_cutpoint(const tp_chk_exec *g) {
  switch (kind_of_place(g, g->state.context, g->state.loc)) {
    case PLAIN: return false;
    case HEAD: return g->cutpoint_at_head;
    case ENTRY: return g->cutpoint_at_entry;
    case JOIN: return g->cutpoint_at_join;
  }
  return false;
}

static bool is_out_of_reach(tp_chk_exec *g) {
  if (g->dead || g->obligation != TP_CHK_CONSECUTION) return g->dead;
  return should_have_cutpoint(g) && tp_chk_prove_unreachable(g) == TP_CHK_PROVED;
}

// --------------------------------------------------------------------- meeting

/* May other paths come to this place, too? The entry of a function counts if there is a way back to
 * it, what is behind a call if the call may have entered several functions. */
static bool is_meeting_place(const tp_chk_exec *g, bool is_behind_call) {
  size_t n = tp_in_edges(g->p, g->state.loc).n;
  bool is_entry =
      tp_func_of(g->p, tp_loc_of(g->p, g->state.loc)->func)->entry.id == g->state.loc.id;
  return n > 1 || (is_entry && n > 0) || is_behind_call;
}

/* The path waits for the others. If it moved against the order to a place that it turned to before,
 * it goes round a cycle. */
static void wait_here(tp_chk_exec *g) {
  if (g->unrolling) {
    tp_chk_worklist_locate(&g->worklist, &g->state);
    g->state.way = tp_chk_unrolling_way(g);
    tp_chk_worklist_add(&g->worklist, tp_chk_paths_current(g));
    return;
  }
  uint64_t place = (uint64_t)g->state.context << 32 | g->state.loc.id;
  tp_chk_state before = g->state;
  tp_chk_worklist_locate(&g->worklist, &g->state);
  if (before.place.is_located && tp_chk_worklist_compare(&g->worklist, &g->state, &before) <= 0) {
    if (tp_chk_paths_has_back_move(g, g->state.back_moves, place)) {
      exclude(g, TP_CERTIFY_REJECTED, "a cycle without an invariant");
      return;
    }
    g->state.back_moves = tp_chk_paths_add_back_move(g, g->state.back_moves, place);
    g->state.n_back_moves++;
    tp_chk_worklist_locate(&g->worklist, &g->state);
  }
  tp_chk_worklist_add(&g->worklist, tp_chk_paths_current(g));
}

/* One of the cutpoint's formulas holds. */
static void assume_cutpoint(tp_chk_exec *g, uint32_t cutpoint) {
  const tp_chk_cutpoint *l = &g->cert->cutpoints.at[cutpoint];
  tp_term any = tp_mk_false(g->tt);
  for (uint32_t i = 0; i < l->n; i++)
    any = tp_mk_or(g->tt, any, tp_chk_eval_formula(g, g->cert->formulas.at[l->first + i]));
  tp_chk_assume(g, any);
}

/* The paths at the first place go on as one; false: they do not. */
static bool meet(tp_chk_exec *g) {
  (void)tp_chk_worklist_next(&g->worklist, &g->arrived);
  (void)tp_chk_paths_merge(g, &g->arrived);
  uint32_t cutpoint = tp_chk_cert_cutpoint(g->cert, g->state.context, g->state.loc);
  if (cutpoint) assume_cutpoint(g, cutpoint);
  return !is_out_of_reach(g);
}

// -------------------------------------------------------------------- arriving at

/* Is this walk to exclude errors here? */
static bool excludes_errors(const tp_chk_exec *g) {
  switch (g->obligation) {
    case TP_CHK_CONSECUTION: return g->cert->k == 1;
    case TP_CHK_BASE_CASE: return true;
    case TP_CHK_STEP_CASE: return g->state.arrivals + 1 == g->cert->k;
  }
  return true;
}

/* On through a cutpoint, unless it is the last that counts. */
static void pass_cutpoint(tp_chk_exec *g, uint32_t cutpoint) {
  if (g->cert->cutpoints.at[cutpoint].counts) {
    if (g->state.arrivals + 1 == g->cert->k) return;
    g->state.arrivals++;
    g->state.n_back_moves = 0;
    g->state.back_moves = 0;
  }
  wait_here(g);
}

/* What is due at the place where the path is now; false: it ends here, or waits. */
static bool arrive(tp_chk_exec *g, bool is_behind_call) {
  const tp_loc_info *loc = tp_loc_of(g->p, g->state.loc);
  uint32_t cutpoint = tp_chk_cert_cutpoint(g->cert, g->state.context, g->state.loc);
  if (g->unrolling && !tp_chk_unrolling_arrive(g)) return false;
  if (loc->error != TP_P_NONE) {
    if (g->prop != TP_P_NONE && tp_property_covers(g->prop, loc->error) && excludes_errors(g))
      exclude(g, TP_CERTIFY_REJECTED, loc->message ? loc->message : "an error is not excluded");
    return false;
  }
  if (loc->is_unsupported) {
    if (g->prop != TP_P_NONE && excludes_errors(g))
      exclude(g, TP_CERTIFY_REJECTED, "what is not modelled is not excluded");
    return false;
  }
  if (cutpoint) {
    if (g->obligation == TP_CHK_CONSECUTION)
      meet_cutpoint(g, cutpoint);
    else
      pass_cutpoint(g, cutpoint);
    return false;
  }
  if (is_meeting_place(g, is_behind_call)) {
    wait_here(g);
    return false;
  }
  return !is_out_of_reach(g);
}

// --------------------------------------------------------------------- leaving

/* At the exit of a function: behind the call, or the end. */
static bool leave(tp_chk_exec *g) {
  const tp_chk_context *c = &g->cert->contexts.at[g->state.context];
  if (c->contract)
    must_meet(g, &g->cert->contracts.at[c->contract].post, 1, "the contract's post is not met");
  if (!c->parent) return false;
  const tp_edge_info *call = tp_edge_of(g->p, c->call);
  tp_var result = tp_func_of(g->p, c->func)->result;
  tp_chk_value value = {0};
  uint32_t parent = c->parent;
  if (call->var.id && result.id) value = tp_chk_exec_get(g, result);
  g->state.lost = TP_TERM_NONE;
  g->state.context = parent;
  if (g->unrolling) tp_chk_unrolling_leave(g);
  if (call->var.id && result.id) tp_chk_exec_set(g, call->var, value);
  g->state.lost = TP_TERM_NONE;
  g->state.loc = call->to;
  return true;
}

/* From here on; false: the path ends, or goes on later in several. */
static bool depart(tp_chk_exec *g) {
  tp_loc at = g->state.loc;
  if (tp_func_of(g->p, tp_loc_of(g->p, at)->func)->exit.id == at.id) return leave(g);
  tp_edge_list out = tp_out_edges(g->p, at);
  if (tp_loc_of(g->p, at)->error != TP_P_NONE || tp_loc_of(g->p, at)->is_unsupported || out.n == 0)
    return false;
  if (out.n == 1) return tp_chk_exec_edge(g, (tp_edge){out.at[0]}, TP_FUNC_NONE);
  for (uint32_t i = out.n; i-- > 0;) tp_chk_exec_postpone(g, (tp_edge){out.at[i]}, TP_FUNC_NONE);
  return false;
}

static bool over_limit(tp_chk_exec *g) {
  if (g->edges > g->max_edges)
    tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, TP_LOC_NONE,
                     g->unrolling
                         ? "the unrolled program is too large for the checker's limit on edges"
                         : "the ways between invariants are too long for the checker's limit on "
                           "edges");
  if (g->limits->cpu_s > 0 && g->edges % 64 == 0 && tp_cpu_s() - g->start_cpu_s > g->limits->cpu_s)
    tp_chk_exec_fail(g, TP_CERTIFY_UNDECIDED, TP_LOC_NONE, "out of time");
  return g->result != TP_CERTIFY_ACCEPTED;
}

static bool go_on(tp_chk_exec *g) {
  tp_loc at = g->state.loc;
  bool leaves = tp_func_of(g->p, tp_loc_of(g->p, at)->func)->exit.id == at.id;
  return depart(g) && !g->dead && !over_limit(g) && arrive(g, leaves);
}

void tp_chk_exec_run(tp_chk_exec *g, bool arrives) {
  TP_REQUIRE(g->pending.n == 0 && g->worklist.waiting.n == 0);
  bool on = !g->dead && (!arrives || arrive(g, false));
  while (g->result == TP_CERTIFY_ACCEPTED) {
    if (on) {
      on = go_on(g) && !g->dead;
    } else if (g->pending.n) {
      tp_chk_state m = tp_vec_pop(&g->pending);
      tp_chk_paths_switch_to(g, &m);
      on = tp_chk_exec_edge(g, m.edge, m.callee) && !g->dead && !over_limit(g) &&
           arrive(g, false) && !g->dead;
    } else if (g->worklist.waiting.n) {
      on = meet(g);
    } else {
      break;
    }
  }
}
