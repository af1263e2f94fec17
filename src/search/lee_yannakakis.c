/* Regions wait in a queue; the one at its head is compared with all regions that its blocks lead
 * to. A split makes regions wait again: the parts, and all visited ones with a block to where the
 * split region is, since stable means stable against each part. */
#include "search/lee_yannakakis.h"

#include "search/split.h"
#include "search/search_engines.h"

#include <stdlib.h>

void tp_ly_init(tp_ly *l, tp_search *x) { *l = (tp_ly){.x = x, .n_seen = 1}; }

void tp_ly_clear(tp_ly *l) {
  tp_vec_clear(&l->queue);
  tp_map_clear(&l->waits);
}

// ----------------------------------------------------------------------- queue

static void wait_for(tp_ly *l, uint32_t region) {
  TP_REQUIRE(region > 0 && region < l->x->pt.regions.n);
  uint64_t waits = 0;
  (void)tp_map_get(&l->waits, region, &waits);
  if (waits || !tp_forest_in_region(&l->x->forest, region)) return;
  tp_map_set(&l->waits, region, 1);
  tp_vec_push(&l->queue, l->x->pt.regions.at[region].cells.at[0]);
}

/* The visited region that is next; 0: none waits. If its cell was split, other visited parts of it
 * wait behind the others. */
static uint32_t next_region(tp_ly *l) {
  const tp_partition *pt = &l->x->pt;
  uint32_t found = 0;
  while (!found && l->next < l->queue.n) {
    tp_leaf_list leaves = {0};
    uint32_t cell = l->queue.at[l->next++];
    tp_map_set(&l->waits, pt->cells.at[cell].region, 0);
    tp_search_leaves(pt, cell, &leaves);
    for (size_t i = 0; i < leaves.n; i++) {
      uint32_t region = pt->cells.at[leaves.at[i]].region;
      if (found)
        wait_for(l, region);
      else if (tp_forest_in_region(&l->x->forest, region))
        found = region;
    }
    tp_vec_clear(&leaves);
  }
  return found;
}

/* Regions that tests came to since the last turn. */
static void queue_visited(tp_ly *l) {
  const tp_forest *f = &l->x->forest;
  for (; l->n_seen < f->states.n; l->n_seen++)
    wait_for(l, l->x->pt.cells.at[f->states.at[l->n_seen].cell].region);
}

/* Visited regions at these nodes, and those with a block into one of them. */
void tp_ly_changed(tp_ly *l, const bool *nodes) {
  TP_REQUIRE(nodes);
  const tp_partition *pt = &l->x->pt;
  const tp_blocks *b = &l->x->run.blocks;
  bool *leads = TP_NEW_ARRAY(bool, b->nodes.n);
  memcpy(leads, nodes, b->nodes.n * sizeof *leads);
  for (size_t i = 0; i < b->list.n; i++) leads[b->list.at[i].from] |= nodes[b->list.at[i].to];
  for (uint32_t c = 1; c < pt->cells.n; c++)
    if (!tp_term_is(pt->cells.at[c].by) && leads[pt->cells.at[c].node])
      wait_for(l, pt->cells.at[c].region);
  tp_free(leads);
}

// ----------------------------------------------------------------------- pairs

/* Calls see for each step from a region into another. */
typedef bool (*step_visitor)(void *ctx, tp_abstract_step step);

static bool for_steps(const tp_ly *l, uint32_t from, uint32_t to, step_visitor visit, void *ctx) {
  const tp_partition *pt = &l->x->pt;
  const tp_blocks *b = &l->x->run.blocks;
  for (size_t i = 0; i < pt->regions.at[from].cells.n; i++) {
    uint32_t cell = pt->regions.at[from].cells.at[i], node = pt->cells.at[cell].node;
    for (uint32_t k = b->first.at[node]; k < b->first.at[node + 1]; k++)
      for (size_t j = 0; j < pt->regions.at[to].cells.n; j++) {
        uint32_t goal = pt->regions.at[to].cells.at[j];
        if (pt->cells.at[goal].node == b->list.at[k].to &&
            visit(ctx, (tp_abstract_step){k, cell, goal}))
          return true;
      }
  }
  return false;
}

typedef struct {
  tp_ly *l;
  bool is_open;
  bool is_unknown;
} visiting;

/* Does the first visited state of the step's cell take it? Then the state behind it is visited. */
static bool visit_by(void *ctx, tp_abstract_step step) {
  visiting *v = ctx;
  tp_search *x = v->l->x;
  uint32_t at = step.from < x->forest.first.n ? x->forest.first.at[step.from] : 0;
  if (!at || tp_partition_query_step(&x->pt, step) == TP_STEP_CLOSED) return false;
  tp_suitable_answer a = tp_suitable_test(&x->suitable, at, step, TP_SUITABLE_STEP);
  if (a == TP_SUITABLE_UNKNOWN) v->l->incomplete = x->suitable.why;
  return a == TP_SUITABLE_FOUND;
}

typedef struct {
  const tp_ly *l;
  tp_term *by;  // by cell of the region, in order
  uint32_t region;
  bool ok;
} preimage;

static size_t index_in_region(const tp_partition *pt, uint32_t region, uint32_t cell) {
  size_t i = 0;
  while (pt->regions.at[region].cells.at[i] != cell) i++;
  return i;
}

static bool add_preimage(void *ctx, tp_abstract_step step) {
  preimage *q = ctx;
  tp_partition *pt = &q->l->x->pt;
  tp_term target = pt->cells.at[step.to].formula;
  bool exact;
  if (tp_partition_query_step(pt, step) == TP_STEP_CLOSED) return false;
  tp_term pre = tp_split_pre(pt, step.block, target, &exact);
  q->ok &= tp_term_is(pre) && (exact || tp_split_covers(pt, step.from, step.block, target, pre));
  size_t i = index_in_region(pt, q->region, step.from);
  if (q->ok) q->by[i] = tp_mk_or(q->l->x->run.tt, q->by[i], pre);
  return !q->ok;
}

/* Do some states of the region satisfy these, and some not? */
static bool divides(tp_ly *l, uint32_t region, const tp_term *by, bool *is_unknown) {
  tp_partition *pt = &l->x->pt;
  tp_terms *tt = l->x->run.tt;
  bool some = false, others = false;
  *is_unknown = false;
  for (size_t i = 0; i < pt->regions.at[region].cells.n && !*is_unknown; i++) {
    tp_term formula = pt->cells.at[pt->regions.at[region].cells.at[i]].formula;
    tp_smt_answer in =
        some ? TP_SMT_UNSAT : tp_partition_query(&l->x->pt, tp_mk_and(tt, formula, by[i]));
    tp_smt_answer out =
        others ? TP_SMT_UNSAT
               : tp_partition_query(&l->x->pt, tp_mk_and(tt, formula, tp_mk_not(tt, by[i])));
    some |= in == TP_SMT_SAT;
    others |= out == TP_SMT_SAT;
    *is_unknown = in == TP_SMT_UNKNOWN || out == TP_SMT_UNKNOWN;
  }
  return some && others;
}

static bool report_split(void *ctx, tp_abstract_step step) {
  const preimage *q = ctx;
  q->l->on_split(q->l->ctx, step, q->by[0]);
  return true;
}

static void split(tp_ly *l, uint32_t region, uint32_t target, tp_term *by) {
  tp_search *x = l->x;
  preimage q = {l, by, region, true};
  if (l->on_split && x->pt.regions.at[region].cells.n == 1)
    (void)for_steps(l, region, target, report_split, &q);
  const tp_partition_region *r = &x->pt.regions.at[region];
  bool *changed = TP_NEW_ARRAY(bool, x->run.blocks.nodes.n);
  uint32_t yes, no;
  for (size_t i = 0; i < r->cells.n; i++) changed[x->pt.cells.at[r->cells.at[i]].node] = true;
  tp_search_split_exactly(x, region, target, by, &yes, &no);
  tp_ly_changed(l, changed);
  tp_free(changed);
}

/* Makes the region stable against another: true if it was not. */
static bool stabilise(tp_ly *l, uint32_t region, uint32_t target) {
  size_t n = l->x->pt.regions.at[region].cells.n;
  preimage q = {l, TP_NEW_ARRAY(tp_term, n), region, true};
  bool is_unknown = false;
  for (size_t i = 0; i < n; i++) q.by[i] = tp_mk_false(l->x->run.tt);
  (void)for_steps(l, region, target, add_preimage, &q);
  bool is_split = q.ok && divides(l, region, q.by, &is_unknown);
  if (is_split) split(l, region, target, q.by);
  if (!q.ok || is_unknown)
    l->incomplete =
        q.ok ? "the solver gave up on a pre-image" : "a pre-image cannot be said without inputs";
  tp_free(q.by);
  return is_split;
}

static int by_age(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The regions that the region's blocks lead to, the oldest first. */
static void find_targets(const tp_ly *l, uint32_t region, tp_leaf_list *out) {
  TP_REQUIRE(l->x->pt.regions.at[region].cells.n > 0);
  const tp_partition *pt = &l->x->pt;
  const tp_blocks *b = &l->x->run.blocks;
  tp_leaf_list leaves = {0};
  tp_map seen = {0};
  for (size_t i = 0; i < pt->regions.at[region].cells.n; i++) {
    uint32_t node = pt->cells.at[pt->regions.at[region].cells.at[i]].node;
    for (uint32_t k = b->first.at[node]; k < b->first.at[node + 1]; k++)
      tp_search_leaves(pt, pt->root[b->list.at[k].to], &leaves);
  }
  for (size_t i = 0; i < leaves.n; i++) {
    uint32_t target = pt->cells.at[leaves.at[i]].region;
    if (!tp_map_has(&seen, target)) tp_vec_push(out, target);
    tp_map_set(&seen, target, 1);
  }
  if (out->n) qsort(out->at, out->n, sizeof *out->at, by_age);
  tp_vec_clear(&leaves);
  tp_map_clear(&seen);
}

// ------------------------------------------------------------------------ turns

/* Something to do for the region: first visits, then splits. */
static tp_ly_step stabilise_region(tp_ly *l, uint32_t region) {
  tp_leaf_list targets = {0};
  tp_ly_step did = TP_LY_DONE;
  find_targets(l, region, &targets);
  visiting v = {.l = l};
  for (size_t i = 0; i < targets.n && did == TP_LY_DONE; i++) {
    uint32_t target = targets.at[i];
    if (!tp_forest_in_region(&l->x->forest, target) && for_steps(l, region, target, visit_by, &v))
      did = TP_LY_VISITED;
  }
  for (size_t i = 0; i < targets.n && did == TP_LY_DONE; i++)
    if (stabilise(l, region, targets.at[i])) did = TP_LY_SPLIT;
  tp_vec_clear(&targets);
  return did;
}

tp_ly_step tp_ly_iterate(tp_ly *l) {
  queue_visited(l);
  for (uint32_t region; !tp_graph_run_is_over(&l->x->run) && (region = next_region(l)) != 0;) {
    tp_ly_step did = stabilise_region(l, region);
    if (did == TP_LY_DONE) continue;
    if (did == TP_LY_VISITED) wait_for(l, region);
    queue_visited(l);
    return did;
  }
  return TP_LY_DONE;
}

// ----------------------------------------------------------------------- engine

static void search(tp_search *x) {
  tp_ly l;
  tp_ly_init(&l, x);
  (void)tp_forest_start(&x->forest);
  bool is_settled = tp_search_settles(x), is_done = false;
  while (!is_settled && !is_done && !tp_search_is_over(x)) {
    x->run.stats->iterations++;
    tp_graph_run_report_phase(&x->run, "stabilise");
    tp_ly_step did = tp_ly_iterate(&l);
    is_done = did == TP_LY_DONE && !tp_graph_run_is_over(&x->run);
    if (did == TP_LY_VISITED) is_settled = tp_search_settles(x);
  }
  tp_abstract_path path = {0};
  if (is_settled)
    ;
  else if (!is_done)
    tp_search_report_limit(x);
  else if (!tp_partition_error_path(&x->pt, &path))
    tp_search_conclude(x);
  else
    tp_result_give_up(x->run.out,
                      l.incomplete ? l.incomplete : "path formulas have more runs than the program",
                      "try --engine=synergy");
  tp_vec_clear(&path);
  tp_ly_clear(&l);
}

static void run_lee_yannakakis(const tp_task *task, const tp_budget *budget, tp_stats *stats,
                               tp_result *out) {
  tp_search x;
  if (tp_search_begin(&x, task, budget, stats, out)) search(&x);
  tp_search_end(&x);
}

const tp_engine tp_engine_lee_yannakakis = {
    .name = "lee-yannakakis",
    .help =
        "minimises the reachable quotient; proves programs with few reachable classes of states, "
        "fails on others without end",
    .run = run_lee_yannakakis,
};
