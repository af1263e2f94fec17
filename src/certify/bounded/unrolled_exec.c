/* The symbolic executor on an unrolled program. States wait in the order of the visits (order.h),
 * so that all paths to a visit have met before it is left. Every cycle of a function passes a loop
 * head and every cycle of calls an activation; both are bounded by the certificate, so the
 * execution ends. */
#include "certify/bounded/unrolled_exec.h"

#include "certify/certify_limits.h"
#include "certify/inductive/check_inductive.h"

void tp_chk_unrolling_init(tp_chk_unrolling *u, tp_chk_exec *g, const tp_chk_bounds *bounds) {
  *u = (tp_chk_unrolling){.bounds = bounds,
                          .prune_at = TP_CERTIFY_PRUNE_FIRST_EDGES,
                          .prune_step = TP_CERTIFY_PRUNE_FIRST_EDGES};
  tp_arena_init(&u->arena);
  u->ways = tp_chk_ways_new(g->p);
  tp_chk_order_init(&u->order, g->p, bounds->rank);
  g->unrolling = u;
  g->worklist.order = &u->order;
}

void tp_chk_unrolling_clear(tp_chk_unrolling *u) {
  tp_chk_order_clear(&u->order);
  tp_chk_ways_free(u->ways);
  tp_map_clear(&u->made.at);
  tp_vec_clear(&u->made.numbers);
  tp_vec_clear(&u->made.first);
  tp_vec_clear(&u->made.visits);
  tp_arena_clear(&u->arena);
  tp_map_clear(&u->alignments);
  tp_vec_clear(&u->obligations);
  tp_vec_clear(&u->undefined);
  if (u->pruner) tp_chk_solver_free(u->pruner);
}

// --------------------------------------------------------------------- visits

static void set_visit(tp_chk_exec *g, const tp_chk_frame *caller, uint64_t way, tp_chk_visit from,
                      tp_loc to) {
  tp_chk_unrolling *u = g->unrolling;
  tp_chk_frame *f = tp_arena_array(&u->arena, tp_chk_frame, 1);
  *f = (tp_chk_frame){caller, caller ? caller->depth + 1 : 0, g->state.context, way,
                      tp_chk_order_follow(&u->order, from, to, &u->arena)};
  g->state.frame = f;
}

void tp_chk_unrolling_enter(tp_chk_exec *g, tp_func f) {
  TP_REQUIRE(f.id && tp_func_of(g->p, f)->has_body);
  const tp_chk_visit outside = {TP_LOC_NONE, 0, NULL};
  tp_chk_order_of_func(&g->unrolling->order, f);
  set_visit(g, g->state.frame, g->unrolling->entered_way, outside, tp_func_of(g->p, f)->entry);
  g->unrolling->has_entered = true;
}

void tp_chk_unrolling_leave(tp_chk_exec *g) {
  TP_REQUIRE(g->state.frame && g->state.frame->caller);
  g->state.frame = g->state.frame->caller;
}

/* May a run come here? Asked now and then, less often when the answer is mostly yes; no answer is a
 * yes. */
static bool may_be_reached(tp_chk_exec *g) {
  tp_chk_unrolling *u = g->unrolling;
  tp_term path = tp_chk_paths_condition(g);
  if (g->dead || tp_is_false(g->tt, path)) return false;
  if (g->edges < u->prune_at || tp_is_true(g->tt, path)) return true;
  if (!u->pruner)
    u->pruner = tp_chk_solver_new(g->tt,
                                  (tp_smt_options){.backend = g->limits->backend,
                                                   .command = g->limits->command,
                                                   .rlimit = TP_CERTIFY_PRUNE_RLIMIT,
                                                   .looks_at_bounds = true,
                                                   .stats = g->stats},
                                  g->limits->proofs, &g->report->obligations);
  g->queries++;
  bool reached = tp_chk_solver_check(u->pruner, path) != TP_SMT_UNSAT;
  if (!reached)
    u->prune_step = TP_CERTIFY_PRUNE_LEAST_EDGES;
  else if (u->prune_step < TP_CERTIFY_PRUNE_MOST_EDGES)
    u->prune_step *= 2;
  u->prune_at = g->edges + u->prune_step;
  return reached;
}

bool tp_chk_unrolling_arrive(tp_chk_exec *g) {
  tp_chk_unrolling *u = g->unrolling;
  TP_REQUIRE(g->state.frame);
  const tp_chk_frame *from = g->state.frame;
  if (!u->has_entered) set_visit(g, from->caller, from->way, from->at, g->state.loc);
  u->has_entered = false;
  const tp_chk_visit *v = &g->state.frame->at;
  TP_INVARIANT(v->loc.id == g->state.loc.id);
  if (!tp_chk_order_place(&u->order, v->loc)->is_head || v->iterations[v->n - 1] == 0) return true;
  if (v->iterations[v->n - 1] > u->bounds->iterations[v->loc.id]) {
    if (!u->bounds->within)
      tp_chk_unrolling_require(g, tp_mk_true(g->tt), "one more iteration of a loop than claimed");
    return false;
  }
  return may_be_reached(g);
}

// ---------------------------------------------------------------------- calls

/* The activations of the callee when the context calls it, this one included. That a function calls
 * itself is looked up; if that were wrong, activations would be executed without being counted. */
static uint32_t activations(const tp_chk_exec *g, tp_func callee) {
  const tp_chk_context *contexts = g->cert->contexts.at;
  if (!tp_func_of(g->p, callee)->is_recursive) return 1;
  for (uint32_t c = g->state.context; c; c = contexts[c].parent)
    if (contexts[c].func.id == callee.id) return contexts[c].activations + 1;
  return 1;
}

uint32_t tp_chk_unrolling_call(tp_chk_exec *g, tp_edge call, tp_func callee) {
  TP_REQUIRE(tp_edge_of(g->p, call)->kind == TP_E_CALL && tp_func_of(g->p, callee)->has_body);
  tp_chk_unrolling *u = g->unrolling;
  uint32_t n = activations(g, callee);
  if (n > u->bounds->activations[callee.id]) {
    const char *what = tp_arena_printf(&u->arena, "a deeper recursion of %s than claimed",
                                       tp_func_of(g->p, callee)->name);
    if (!u->bounds->within) tp_chk_unrolling_require(g, tp_mk_true(g->tt), what);
    return 0;
  }
  if (n > 1 && !may_be_reached(g)) return 0;
  u->entered_way = tp_chk_ways_of_call(u->ways, g, g->state.frame->way, call);
  uint32_t known = tp_chk_cert_callee_context(g->cert, g->state.context, call, callee);
  return known ? known : tp_chk_cert_add_context(g->cert, g->state.context, call, callee, n);
}

void tp_chk_unrolling_see(tp_chk_exec *g, tp_edge e) { tp_chk_ways_see(g->unrolling->ways, g, e); }

uint64_t tp_chk_unrolling_way(tp_chk_exec *g) {
  return tp_chk_ways_here(g->unrolling->ways, g, g->state.frame->way);
}

// ---------------------------------------------------------------- obligations

void tp_chk_unrolling_require(tp_chk_exec *g, tp_term when, const char *what) {
  TP_REQUIRE(what);
  when = tp_mk_and(g->tt, tp_chk_paths_condition(g), when);
  if (tp_is_false(g->tt, when)) return;
  tp_vec_push(&g->unrolling->obligations, (tp_chk_unreachable){when, g->state.loc, what});
}

void tp_chk_unrolling_define(tp_chk_exec *g, uint64_t place, tp_term holds) {
  TP_REQUIRE(tp_sort_kind_of(g->tt, tp_sort_of(g->tt, holds)) == TP_SORT_BOOL);
  tp_term when = tp_mk_and(g->tt, tp_chk_paths_condition(g), tp_mk_not(g->tt, holds));
  if (!tp_is_false(g->tt, when))
    tp_vec_push(&g->unrolling->undefined, (tp_chk_undefined){when, place});
}

/* Adds the visit of each frame, the edge and the size to `visits`, behind the last one there. */
static void describe_visit(tp_chk_exec *g, tp_edge e, tp_term size) {
  tp_chk_made_objects *m = &g->unrolling->made;
  for (const tp_chk_frame *f = g->state.frame; f; f = f->caller) {
    tp_vec_push(&m->visits, f->context);
    tp_vec_push(&m->visits, f->at.loc.id);
    for (uint32_t i = 0; i < f->at.n; i++) tp_vec_push(&m->visits, f->at.iterations[i]);
  }
  tp_vec_push(&m->visits, e.id);
  tp_vec_push(&m->visits, size.id);
}

uint32_t tp_chk_unrolling_number(tp_chk_exec *g, tp_edge e, tp_term size) {
  tp_chk_unrolling *u = g->unrolling;
  tp_chk_made_objects *m = &u->made;
  uint64_t known = 0;
  if (!tp_is_const(g->tt, size)) return u->n_allocated++;
  if (!m->first.n) tp_vec_push(&m->first, 0);
  const uint32_t start = tp_vec_last(&m->first);
  describe_visit(g, e, size);
  const size_t n = m->visits.n - start, bytes = n * sizeof *m->visits.at;
  const uint64_t hash = tp_hash_bytes(m->visits.at + start, bytes, 0);
  if (tp_map_get(&m->at, hash, &known)) {
    const uint32_t old = m->first.at[known - 1];
    const bool is_same = m->first.at[known] - old == n &&
                         memcmp(m->visits.at + old, m->visits.at + start, bytes) == 0;
    m->visits.n = start;
    return is_same ? m->numbers.at[known - 1] : u->n_allocated++;
  }
  tp_vec_push(&m->numbers, u->n_allocated);
  tp_vec_push(&m->first, (uint32_t)m->visits.n);
  tp_map_set(&m->at, hash, m->numbers.n);
  return u->n_allocated++;
}

void tp_chk_unrolling_note_object(tp_chk_exec *g, tp_term id, const tp_edge_info *made_by) {
  uint64_t object;
  if (made_by->align_bytes > 1 && tp_bv_value_u64(g->tt, id, &object))
    tp_map_set(&g->unrolling->alignments, object, made_by->align_bytes);
}

/* Alignment that every implementation gives to this object. */
static uint64_t alignment(const tp_chk_exec *g, uint32_t object, uint64_t kind) {
  TP_REQUIRE(object > 0);
  uint64_t n = kind == TP_O_HEAP          ? g->p->ptr_bits / 4
               : object < g->p->statics.n ? g->p->statics.at[object].align_bytes
                                          : 1;
  (void)tp_map_get(&g->unrolling->alignments, object, &n);
  return n && (n & (n - 1)) == 0 ? n : 1;
}

tp_term tp_chk_unrolling_address_facts(tp_chk_exec *g, uint32_t object) {
  tp_terms *tt = g->tt;
  uint32_t bits = g->p->ptr_bits;
  tp_term id = tp_mk_bv(tt, TP_OBJ_BITS, object), zero = tp_mk_bv(tt, bits, 0),
          half = tp_mk_bv(tt, bits, (tp_u128)1 << (bits - 1)),
          top = tp_mk_bv(tt, bits, ~(tp_u128)0);
  tp_term size = tp_chk_history_ghost_read(&g->history, g->state.ghosts, TP_CHK_GHOST_SIZE, id),
          base = tp_mk1(tt, TP_OP_PTR_TO_INT, tp_mk_ptr_const(tt, object, 0));
  uint64_t kind = TP_O_NONE;
  (void)tp_bv_value_u64(
      tt, tp_chk_history_ghost_read(&g->history, g->state.ghosts, TP_CHK_GHOST_KIND, id), &kind);
  tp_term fits = tp_mk_and(tt, tp_mk_not(tt, tp_mk_eq(tt, base, zero)),
                           tp_mk2(tt, TP_OP_BV_ULE, base, tp_mk_sub(tt, top, size)));
  tp_term low = tp_mk_bv(tt, bits, alignment(g, object, kind) - 1);
  return tp_mk_and(tt, tp_mk_implies(tt, tp_mk2(tt, TP_OP_BV_ULT, size, half), fits),
                   tp_mk_eq(tt, tp_mk2(tt, TP_OP_BV_AND, base, low), zero));
}

static void describe(const tp_program *p, const tp_chk_unreachable *o, tp_str *out) {
  tp_str_add(out, o->what);
  if (!p->diag || !tp_pos_known(tp_loc_of(p, o->loc)->pos)) return;
  tp_str_add(out, " at ");
  tp_pos_print(p->diag, tp_loc_of(p, o->loc)->pos, out);
}

static tp_certify_result reachable(tp_chk_exec *g, const tp_chk_unreachable *o) {
  bool is_exact = g->history.is_exact;
  describe(g->p, o, &g->report->why);
  tp_str_add(&g->report->why, is_exact ? " can be reached" : " could not be excluded");
  return is_exact ? TP_CERTIFY_REJECTED : TP_CERTIFY_UNDECIDED;
}

/* All obligations at once; if the solver cannot say, one by one. */
static tp_certify_result check_obligations(tp_chk_exec *g) {
  const tp_chk_unrolling *u = g->unrolling;
  size_t n = u->obligations.n, first = 0;
  tp_term *when = TP_NEW_ARRAY(tp_term, n + 1);
  for (size_t i = 0; i < n; i++) when[i] = u->obligations.at[i].when;
  tp_certify_result result = TP_CERTIFY_ACCEPTED;
  tp_chk_answer all = tp_chk_exclude(g, when, n, &first);
  if (all == TP_CHK_REFUTED) result = reachable(g, &u->obligations.at[first]);
  for (size_t i = 0; all == TP_CHK_UNKNOWN && result == TP_CERTIFY_ACCEPTED && i < n; i++) {
    tp_chk_answer one = tp_chk_exclude(g, &when[i], 1, &first);
    if (one == TP_CHK_REFUTED) result = reachable(g, &u->obligations.at[i]);
    if (one != TP_CHK_UNKNOWN) continue;
    tp_str_printf(&g->report->why, "the solver could not tell (%s) whether this is reached: ",
                  tp_chk_solver_reason(g->solver));
    describe(g->p, &u->obligations.at[i], &g->report->why);
    result = TP_CERTIFY_UNDECIDED;
  }
  tp_free(when);
  return result;
}

// ---------------------------------------------------------------- assumptions

/* Conditions of one edge, in one call if it is in a library model, are one query; the first query
 * is whether any of them can arise at all. */
static void find_assumptions(tp_chk_exec *g) {
  const tp_chk_unrolling *u = g->unrolling;
  tp_map of_place = {0};
  size_t first;
  TP_VEC(tp_term) all = {0};
  for (size_t i = 0; i < u->undefined.n; i++) {
    uint64_t so_far;
    tp_term when = u->undefined.at[i].when;
    tp_vec_push(&all, when);
    if (tp_map_get(&of_place, u->undefined.at[i].place, &so_far))
      when = tp_mk_or(g->tt, when, (tp_term){(uint32_t)so_far});
    tp_map_set(&of_place, u->undefined.at[i].place, when.id);
  }
  tp_chk_solver *solver = g->solver;
  g->solver = tp_chk_solver_new(g->tt,
                                (tp_smt_options){.backend = g->limits->backend,
                                                 .command = g->limits->command,
                                                 .rlimit = TP_CERTIFY_ASSUMPTION_RLIMIT,
                                                 .looks_at_bounds = true,
                                                 .stats = g->stats},
                                g->limits->proofs, &g->report->obligations);
  bool none = tp_chk_exclude(g, all.at, all.n, &first) == TP_CHK_PROVED;
  for (size_t i = 0; !none && i < of_place.n; i++) {
    tp_term when = {(uint32_t)of_place.entries[i].value};
    if (i >= TP_CERTIFY_ASSUMPTION_QUERIES || tp_chk_exclude(g, &when, 1, &first) != TP_CHK_PROVED)
      tp_map_set(&g->listed, of_place.entries[i].key, 1);
  }
  tp_chk_solver_free(g->solver);
  g->solver = solver;
  tp_map_clear(&of_place);
  tp_vec_clear(&all);
}

// ---------------------------------------------------------------------- check

static void cert_of_main(tp_chk_cert *c, const tp_program *p) {
  *c = (tp_chk_cert){.k = 1, .first_contract = TP_NEW_ARRAY(uint32_t, p->funcs.n + 1)};
  tp_vec_push(&c->contexts, (tp_chk_context){0});
  tp_vec_push(&c->contracts, (tp_chk_contract){0});
  tp_vec_push(&c->cutpoints, (tp_chk_cutpoint){0});
  tp_vec_push(&c->formulas, TP_TERM_NONE);
  tp_vec_push(&c->contexts, ((tp_chk_context){.func = p->main, .activations = 1}));
  c->main = 1;
}

static tp_certify_result check(const tp_program *p, tp_property prop, const tp_chk_bounds *bounds,
                               const tp_certify_limits *limits, tp_stats *stats,
                               tp_certify_report *report) {
  tp_chk_cert c;
  tp_chk_exec g;
  tp_chk_unrolling u;
  cert_of_main(&c, p);
  tp_chk_exec_init(&g, p, prop, &c, limits, stats, report);
  tp_chk_unrolling_init(&u, &g, bounds);
  tp_chk_exec_begin(&g, c.main, tp_func_of(p, p->main)->entry, true);
  tp_chk_exec_run(&g, true);
  tp_chk_paths_switch_to(&g, &(tp_chk_state){0});  // obligations have their path conditions
  if (g.result == TP_CERTIFY_ACCEPTED) g.result = check_obligations(&g);
  if (g.result == TP_CERTIFY_ACCEPTED) find_assumptions(&g);
  if (g.result == TP_CERTIFY_ACCEPTED) tp_chk_list_assumptions(p, &g.listed, report);
  tp_certify_result result = g.result;
  report->edges = g.edges;
  report->queries = g.queries;
  tp_chk_exec_clear(&g);
  tp_chk_unrolling_clear(&u);
  tp_chk_cert_clear(&c);
  return result;
}

tp_certify_result tp_chk_check_bounded(const tp_program *p, tp_property prop, uint64_t within,
                                       const char *certificate, const tp_certify_limits *limits,
                                       tp_stats *stats, tp_certify_report *report) {
  tp_chk_bounds bounds;
  tp_certify_result result = TP_CERTIFY_REJECTED;
  if (tp_chk_bounds_read(&bounds, p, prop, within, certificate, &report->why)) {
    if (p->main.id && tp_func_of(p, p->main)->has_body) {
      result = check(p, prop, &bounds, limits, stats, report);
    } else {
      tp_str_add(&report->why, "there is no main");
      result = TP_CERTIFY_UNDECIDED;
    }
  }
  tp_chk_bounds_clear(&bounds);
  return result;
}
