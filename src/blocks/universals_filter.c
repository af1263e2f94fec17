/* A state at a node's location counts for the node whose calls are its frames. */
#include "blocks/universals_filter.h"

#include "blocks/blocks_limits.h"
#include "exec/random_inputs.h"
#include "program/cells.h"

typedef struct {
  tp_universals *u;
  const tp_program *p;
  tp_houdini_options o;
  double until_s;
  tp_filter_counts counts;
  tp_random_inputs draw;
  uint32_t asked;    // for the time
  bool is_late;      // the last answer
  uint64_t *visits;  // by node: of this run
  uint64_t *seen;    // by node: states
  bool news;
  tp_arena arena;
  const tp_state *state;  // that candidates are evaluated in
  uint64_t index[TP_INDICES];
  const tp_invariant_fold *fold;  // whose step is evaluated, with these values
  tp_value fold_index, fold_before;
  tp_map ends_of;  // range -> place in ends
  TP_VEC(tp_term_list) ends;
} filter;

static bool is_late(const filter *f) {
  return (f->until_s > 0 && tp_cpu_s() >= f->until_s) ||
         (f->o.should_stop && f->o.should_stop(f->o.ctx));
}

/* Clocks are slower than an edge of a run: one question in so many looks at them. */
static bool is_over(filter *f) {
  if (!f->is_late && ++f->asked % TP_BLOCKS_FILTER_CLOCK == 0) f->is_late = is_late(f);
  return f->is_late || f->counts.failed > 0;
}

// -------------------------------------------------------------------- evaluation

static bool value_of_symbol(void *ctx, tp_term var, tp_value *out) {
  const filter *f = ctx;
  if (f->fold && tp_term_eq(var, f->fold->index)) return *out = f->fold_index, true;
  if (f->fold && tp_term_eq(var, f->fold->before)) return *out = f->fold_before, true;
  for (uint32_t slot = 0; slot < TP_INDICES; slot++) {
    uint64_t known;
    const uint64_t key = (uint64_t)slot << 32 | tp_sort_of(f->p->terms, var).id;
    if (!tp_map_get(&f->u->index_of, key, &known) || known != var.id) continue;
    const uint32_t width = tp_width(f->p->terms, var);
    *out = (tp_value){.bits = width == 64 ? f->index[slot]
                                          : f->index[slot] & (((uint64_t)1 << width) - 1)};
    return true;
  }
  // arrays are read cell by cell
  return tp_sort_kind_of(f->p->terms, tp_sort_of(f->p->terms, var)) != TP_SORT_ARRAY &&
         tp_state_eval(f->state, var, out) == TP_OK;
}

static uint64_t base_of_object(void *ctx, uint32_t object) {
  return tp_state_base(((const filter *)ctx)->state, object);
}

static bool value_of_fold(filter *f, const tp_invariant_fold *fold, tp_value at, tp_value *out);

static bool value_of_cell(void *ctx, tp_term array, tp_value at, tp_value *out) {
  filter *f = ctx;
  const tp_invariant_fold *fold = f->fold ? NULL : tp_folds_of(&f->u->folds, array);
  if (fold) return value_of_fold(f, fold, at, out);
  tp_terms *tt = f->p->terms;
  tp_sort sort;
  if (!tp_is_memory(f->p, array, &sort)) {  // kind, size and life, by object
    const tp_sort index = tp_sort_index(tt, tp_sort_of(tt, array));
    return tp_sort_kind_of(tt, index) == TP_SORT_BV && tp_kind(tt, array) == TP_OP_VAR &&
           tp_state_eval(f->state, tp_mk2(tt, TP_OP_SELECT, array, tp_mk_value(tt, index, at)),
                         out) == TP_OK;
  }
  const tp_term place = tp_mk_ptr(tt, tp_mk_bv(tt, TP_OBJ_BITS, at.object),
                                  tp_mk_bv(tt, f->p->ptr_bits, (uint64_t)at.bits));
  return tp_state_eval(f->state, tp_cell(f->p, sort, place), out) == TP_OK;
}

/* By its definition, from index 0 on. */
static bool value_of_fold(filter *f, const tp_invariant_fold *fold, tp_value at, tp_value *out) {
  const tp_env env = {f, value_of_symbol, base_of_object, value_of_cell};
  bool ok = at.bits <= TP_BLOCKS_FILTER_FOLD;
  *out = (tp_value){0};
  f->fold = fold;
  for (uint64_t i = 0; i <= at.bits && ok; i++) {
    f->fold_index = (tp_value){.bits = i};
    f->fold_before = *out;
    ok = tp_eval(f->p->terms, fold->step, &env, &f->arena, out) == TP_OK;
  }
  f->fold = NULL;
  return ok;
}

/* The truth of t for these indices; what cannot be evaluated is `otherwise`. */
static bool truth_here(filter *f, tp_term t, bool otherwise) {
  const tp_env env = {f, value_of_symbol, base_of_object, value_of_cell};
  const tp_mark mark = tp_arena_mark(&f->arena);
  tp_value v;
  const bool is_known = tp_eval(f->p->terms, t, &env, &f->arena, &v) == TP_OK;
  tp_arena_release(&f->arena, mark);
  return is_known ? v.bits != 0 : otherwise;
}

static uint32_t n_indices(const tp_universals *u, tp_term open) {
  uint32_t n = 0;
  for (size_t i = 0; i < u->indices.n; i++) n += tp_occurs(u->b->paths->tt, u->indices.at[i], open);
  return n;
}

/* What a range compares an index with. */
typedef struct {
  const tp_universals *u;
  tp_term_list *ends;
} end_search;

static tp_visit see_end(void *ctx, tp_term t) {
  const end_search *s = ctx;
  const tp_terms *tt = s->u->b->paths->tt;
  const tp_sort_kind sort = tp_sort_kind_of(tt, tp_sort_of(tt, t));
  if (n_indices(s->u, t) || sort == TP_SORT_BOOL) return TP_VISIT_ARGS;
  if (sort == TP_SORT_BV && !tp_is_const(tt, t) && s->ends->n < TP_BLOCKS_FILTER_ENDS)
    tp_vec_push(s->ends, t);
  return TP_VISIT_SKIP_ARGS;
}

static const tp_term_list *ends_of(filter *f, tp_term range) {
  uint64_t known;
  if (tp_map_get(&f->ends_of, range.id, &known)) return &f->ends.at[known];
  tp_term_list ends = {0};
  end_search s = {f->u, &ends};
  const tp_visitor v = {.ctx = &s, .visit = see_end, .order = TP_LEFT_TO_RIGHT};
  (void)tp_visit_terms(f->p->terms, range, &v, NULL);
  tp_map_set(&f->ends_of, range.id, f->ends.n);
  tp_vec_push(&f->ends, ends);
  return &f->ends.at[f->ends.n - 1];
}

/* Small indices, up to `last`, and those beside the ends of the range in this state: a range that
 * starts at some variable has no small one. */
static uint32_t indices_tried(filter *f, tp_term range, int64_t last, uint64_t *out) {
  const tp_env env = {f, value_of_symbol, base_of_object, value_of_cell};
  const tp_term_list *ends = ends_of(f, range);
  const tp_mark mark = tp_arena_mark(&f->arena);
  uint32_t n = 0;
  for (int64_t i = -1; i <= last; i++) out[n++] = (uint64_t)i;
  for (size_t i = 0; i < ends->n; i++) {
    const tp_term end = ends->at[i];
    tp_value v;
    if (tp_eval(f->p->terms, end, &env, &f->arena, &v) != TP_OK) continue;
    for (int64_t d = -1; d <= 1; d++) {
      const int64_t x = (int64_t)v.bits + d;
      if (x < -1 || x > last) out[n++] = (uint64_t)x;
    }
  }
  tp_arena_release(&f->arena, mark);
  return n;
}

/* Is the candidate false for some of the indices in its range that are tried? Cells are read only
 * where the range is met. */
static bool is_contradicted(filter *f, tp_universal_candidate *c) {
  uint64_t tried[TP_BLOCKS_FILTER_INDICES + 2 + 3 * TP_BLOCKS_FILTER_ENDS];
  const uint32_t n = n_indices(f->u, c->open);
  const int64_t last = n < 2 ? TP_BLOCKS_FILTER_INDICES : TP_BLOCKS_FILTER_PAIRS;
  const uint32_t n_tried = n ? indices_tried(f, c->range, last, tried) : 1;
  for (uint32_t i = 0; i < n_tried; i++)
    for (uint32_t j = 0; j < (n < 2 ? 1 : n_tried); j++) {
      f->index[0] = n ? tried[i] : 0;
      f->index[1] = n ? tried[j] : 0;
      if (!truth_here(f, c->range, true)) continue;
      c->is_met = true;
      if (!truth_here(f, c->open, true)) return true;
    }
  return false;
}

// ------------------------------------------------------------------------- states

static bool is_at(const filter *f, const tp_state *s, uint32_t node) {
  const tp_blocks *b = f->u->b;
  tp_context c = b->nodes.at[node].context;
  for (size_t i = tp_state_depth(s); i-- > 0;) {
    tp_edge call;
    if (!c.id) return false;
    const tp_context_info *info = tp_context_of(b->contexts, c);
    if (tp_state_frame(s, i, &call).id != info->func.id || (i && call.id != info->call.id))
      return false;
    c = info->parent;
  }
  return !c.id;
}

/* All states of the first visits, then ever fewer. */
static bool is_due(filter *f, uint32_t node) {
  const uint64_t n = ++f->visits[node];
  if (f->seen[node] >= TP_BLOCKS_FILTER_STATES) return false;
  return n <= TP_BLOCKS_FILTER_FIRST_VISITS || (n & (n - 1)) == 0;
}

static void filter_node(filter *f, uint32_t node) {
  struct tp_universal_list *l = &f->u->at[node];
  const uint64_t visit = f->visits[node];
  const bool has_pairs =
      visit <= TP_BLOCKS_FILTER_PAIR_VISITS || visit > TP_BLOCKS_FILTER_FIRST_VISITS;
  f->counts.states++;
  if (!f->seen[node]++) f->news = true;
  for (size_t i = 0; i < l->list.n && !is_over(f); i++) {
    tp_universal_candidate *c = &l->list.at[i];
    if (!c->is_left || c->is_filtered || (!has_pairs && n_indices(f->u, c->open) > 1)) continue;
    if (!is_contradicted(f, c)) continue;
    c->is_left = false;
    c->is_contradicted = f->news = true;
    f->counts.dropped++;
  }
}

static bool see_edge(void *ctx, const tp_state *before, tp_edge e) {
  filter *f = ctx;
  const tp_blocks *b = f->u->b;
  const tp_loc at = tp_edge_of(f->p, e)->from;
  if (!tp_loc_of(f->p, at)->is_loop_head) return !is_over(f);
  f->state = before;
  for (uint32_t n = 1; n < b->nodes.n; n++)
    if (b->nodes.at[n].loc.id == at.id && is_at(f, before, n) && is_due(f, n)) filter_node(f, n);
  return !is_over(f);
}

// -------------------------------------------------------------------------- runs

static bool run_once(filter *f, const tp_state *start, uint64_t steps) {
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = f, .edge = see_edge};
  tp_inputs made;
  tp_inputs_init(&made);
  memset(f->visits, 0, f->u->b->nodes.n * sizeof *f->visits);
  tp_random_inputs_start(&f->draw, &made);
  f->news = false;
  tp_oracle oracle = tp_random_inputs_oracle(&f->draw);
  tp_state *s = tp_state_copy(start);
  const tp_run_result r = tp_exec_run(
      f->p, s, &oracle,
      (tp_run_limits){.steps = steps, .memory_bytes = TP_BLOCKS_MINE_MEMORY_BYTES}, &observer);
  tp_state_free(s);
  f->counts.runs++;
  f->counts.failed += r.end == TP_END_ERROR;
  if (f->news) tp_random_inputs_keep(&f->draw, &made);
  const bool asks = made.v.n != 0;
  tp_inputs_clear(&made);
  return asks;
}

/* Loops behind a loop over many elements are seen in long runs only. */
static bool some_is_unseen(const filter *f) {
  const tp_blocks *b = f->u->b;
  bool is = false;
  for (uint32_t n = 1; n < b->nodes.n; n++)
    is |= f->seen[n] == 0 && !tp_block_node_is_bad(b, n) && f->u->at[n].list.n;
  return is;
}

/* Where many states were seen, what none of them is in the range of is left out for now: most such
 * ranges are empty, but some are met by few inputs only. */
static void drop_unmet(filter *f) {
  for (uint32_t n = 0; n < f->u->b->nodes.n; n++)
    for (size_t i = 0; i < f->u->at[n].list.n && f->seen[n] >= TP_BLOCKS_FILTER_MANY_STATES; i++)
      f->u->at[n].list.at[i].is_left &=
          f->u->at[n].list.at[i].is_met || f->u->at[n].list.at[i].is_proved;
}

/* The runs are the same ones each time: once is enough, unless time ended them. */
static void note_filtered(const filter *f) {
  for (uint32_t n = 0; n < f->u->b->nodes.n; n++)
    for (size_t i = 0; i < f->u->at[n].list.n; i++)
      f->u->at[n].list.at[i].is_filtered |= f->u->at[n].list.at[i].is_left;
}

tp_filter_counts tp_universals_filter(tp_universals *u, tp_houdini_options o, double cpu_s,
                                      bool keeps_unmet) {
  const tp_program *p = u->b->paths->p;
  filter f = {.u = u, .p = p, .o = o, .until_s = cpu_s > 0 ? tp_cpu_s() + cpu_s : 0};
  f.visits = TP_NEW_ARRAY(uint64_t, u->b->nodes.n);
  f.seen = TP_NEW_ARRAY(uint64_t, u->b->nodes.n);
  tp_arena_init(&f.arena);
  tp_random_inputs_init(&f.draw, p, TP_BLOCKS_FILTER_SEED);
  tp_state *start = tp_state_initial(p);
  while (run_once(&f, start, TP_BLOCKS_FILTER_STEPS) && f.counts.runs < TP_BLOCKS_FILTER_RUNS &&
         !is_over(&f)) {
  }
  if (!u->was_long && !is_over(&f) && some_is_unseen(&f)) {
    u->was_long = true;
    (void)run_once(&f, start, TP_BLOCKS_FILTER_LONG_STEPS);
  }
  tp_state_free(start);
  if (!f.is_late) note_filtered(&f);
  if (!keeps_unmet) drop_unmet(&f);
  tp_random_inputs_clear(&f.draw);
  tp_arena_clear(&f.arena);
  for (size_t i = 0; i < f.ends.n; i++) tp_vec_clear(&f.ends.at[i]);
  tp_vec_clear(&f.ends);
  tp_map_clear(&f.ends_of);
  tp_free(f.visits);
  tp_free(f.seen);
  return f.counts;
}
