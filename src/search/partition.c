/* Cells, regions, and what is known of the steps between them. */
#include "search/partition.h"

#include "search/partition_priv.h"

// ------------------------------------------------------------------------ start

static uint32_t add_cell(tp_partition *pt, tp_cell_node cell) {
  tp_vec_push(&pt->cells, cell);
  return (uint32_t)pt->cells.n - 1;
}

static uint32_t add_region(tp_partition *pt) {
  tp_vec_push(&pt->regions, (tp_partition_region){0});
  return (uint32_t)pt->regions.n - 1;
}

static void put(tp_partition *pt, uint32_t cell, uint32_t region) {
  TP_REQUIRE(cell > 0 && cell < pt->cells.n && region > 0 && region < pt->regions.n);
  pt->cells.at[cell].region = region;
  tp_vec_push(&pt->regions.at[region].cells, cell);
}

/* The region where the node's cell starts. */
static uint32_t first_region(tp_partition *pt, uint32_t node) {
  enum { START = 1, ERRORS, REST };
  if (!pt->settings.three_regions) return add_region(pt);
  while (pt->regions.n <= REST) (void)add_region(pt);
  return node == 0 ? START : tp_block_node_is_bad(pt->blocks, node) ? ERRORS : REST;
}

static void count_regions(tp_partition *pt) {
  pt->n_regions = 0;
  for (size_t r = 1; r < pt->regions.n; r++) pt->n_regions += pt->regions.at[r].cells.n > 0;
  if (!pt->settings.three_regions) pt->n_regions--;  // that of node 0
  if (pt->stats) pt->stats->regions = pt->n_regions;
}

void tp_partition_init(tp_partition *pt, const tp_blocks *blocks, tp_search_settings settings,
                       tp_smt_options smt, tp_stats *stats) {
  TP_REQUIRE(blocks && blocks->nodes.n > 0);
  *pt = (tp_partition){.blocks = blocks, .settings = settings, .smt = smt, .stats = stats};
  pt->root = TP_NEW_ARRAY(uint32_t, blocks->nodes.n);
  tp_vec_push(&pt->cells, (tp_cell_node){0});
  tp_vec_push(&pt->regions, (tp_partition_region){0});
  tp_partition_distances_new(pt);
  tp_partition_solver_new(pt);
  for (uint32_t n = 0; n < blocks->nodes.n; n++) {
    pt->root[n] = add_cell(pt, (tp_cell_node){.node = n, .formula = tp_mk_true(blocks->paths->tt)});
    put(pt, pt->root[n], first_region(pt, n));
    tp_partition_distances_add_root(pt, pt->root[n]);
  }
  count_regions(pt);
}

void tp_partition_clear(tp_partition *pt) {
  tp_partition_distances_free(pt);
  tp_partition_solver_free(pt);
  for (size_t r = 0; r < pt->regions.n; r++) tp_vec_clear(&pt->regions.at[r].cells);
  tp_vec_clear(&pt->regions);
  tp_vec_clear(&pt->cells);
  tp_map_clear(&pt->status);
  tp_free(pt->root);
  tp_free(pt->facts);
  tp_free(pt->is_excluded);
  *pt = (tp_partition){0};
}

void tp_partition_assume(tp_partition *pt, const tp_term *facts) {
  TP_REQUIRE(facts);
  tp_terms *tt = pt->blocks->paths->tt;
  tp_map status = {0};
  if (!pt->facts) {
    pt->facts = TP_NEW_ARRAY(tp_term, pt->blocks->nodes.n);
    for (size_t n = 0; n < pt->blocks->nodes.n; n++) pt->facts[n] = tp_mk_true(tt);
  }
  for (size_t n = 0; n < pt->blocks->nodes.n; n++)
    pt->facts[n] = tp_mk_and(tt, pt->facts[n], facts[n]);
  for (size_t c = 1; c < pt->cells.n; c++)
    pt->cells.at[c].formula = tp_mk_and(tt, pt->cells.at[c].formula, facts[pt->cells.at[c].node]);
  for (size_t i = 0; i < pt->status.n; i++)  // what was possible may not be any more
    if (pt->status.entries[i].value == TP_STEP_CLOSED)
      tp_map_set(&status, pt->status.entries[i].key, TP_STEP_CLOSED);
  tp_map_clear(&pt->status);
  pt->status = status;
}

uint32_t tp_partition_cell_of(const tp_partition *pt, uint32_t node, const tp_state *s) {
  TP_REQUIRE(node < pt->blocks->nodes.n);
  uint32_t cell = pt->root[node];
  while (!tp_partition_is_leaf(pt, cell)) {
    tp_value v = {0};
    bool holds = tp_state_eval(s, pt->cells.at[cell].by, &v) == TP_OK && v.bits;
    cell = holds ? pt->cells.at[cell].yes : pt->cells.at[cell].no;
  }
  return cell;
}

// ---------------------------------------------------------------------- splitting

/* Where the whole cell goes; or it must be divided. */
typedef enum { WHOLE_YES, WHOLE_NO, DIVIDED } side;

static side side_of(const tp_partition *pt, uint32_t cell, tp_term by) {
  tp_terms *tt = pt->blocks->paths->tt;
  tp_term formula = pt->cells.at[cell].formula;
  if (tp_is_true(tt, by) || tp_is_false(tt, tp_mk_and(tt, formula, tp_mk_not(tt, by))))
    return WHOLE_YES;
  return tp_is_false(tt, by) || tp_is_false(tt, tp_mk_and(tt, formula, by)) ? WHOLE_NO : DIVIDED;
}

static void divide(tp_partition *pt, uint32_t cell, tp_term by) {
  TP_REQUIRE(tp_partition_is_leaf(pt, cell));
  TP_REQUIRE(tp_sort_kind_of(pt->blocks->paths->tt, tp_sort_of(pt->blocks->paths->tt, by)) ==
             TP_SORT_BOOL);
  tp_terms *tt = pt->blocks->paths->tt;
  tp_cell_node c = pt->cells.at[cell];
  uint32_t yes = add_cell(
      pt, (tp_cell_node){.node = c.node, .parent = cell, .formula = tp_mk_and(tt, c.formula, by)});
  uint32_t no =
      add_cell(pt, (tp_cell_node){.node = c.node,
                                  .parent = cell,
                                  .formula = tp_mk_and(tt, c.formula, tp_mk_not(tt, by))});
  pt->cells.at[cell].by = by;
  pt->cells.at[cell].yes = yes;
  pt->cells.at[cell].no = no;
  tp_partition_distances_split(pt, cell);
}

/* Are all cells on one side? */
static bool is_whole(const tp_partition *pt, uint32_t region, const tp_term *by, side *where) {
  const tp_partition_region *r = &pt->regions.at[region];
  for (size_t i = 0; i < r->cells.n; i++) {
    side s = side_of(pt, r->cells.at[i], by[i]);
    if (s == DIVIDED || (i > 0 && s != *where)) return false;
    *where = s;
  }
  return true;
}

void tp_partition_split(tp_partition *pt, uint32_t region, const tp_term *by, uint32_t *yes,
                        uint32_t *no) {
  TP_REQUIRE(region > 0 && region < pt->regions.n);
  TP_REQUIRE(pt->regions.at[region].cells.n > 0);
  side where = WHOLE_NO;
  if (is_whole(pt, region, by, &where)) {
    *yes = where == WHOLE_YES ? region : 0;
    *no = where == WHOLE_YES ? 0 : region;
    return;
  }
  *yes = add_region(pt);
  *no = add_region(pt);
  for (size_t i = 0; i < pt->regions.at[region].cells.n; i++) {
    uint32_t cell = pt->regions.at[region].cells.at[i];
    side s = side_of(pt, cell, by[i]);
    if (s != DIVIDED) {
      put(pt, cell, s == WHOLE_YES ? *yes : *no);
      continue;
    }
    divide(pt, cell, by[i]);
    put(pt, pt->cells.at[cell].yes, *yes);
    put(pt, pt->cells.at[cell].no, *no);
  }
  tp_vec_clear(&pt->regions.at[region].cells);
  pt->n_regions++;
  // after 1, 2, 4, ... splits, so that all checks together are linear
  TP_INVARIANT((pt->n_regions & (pt->n_regions - 1)) || tp_partition_check(pt));
  if (!pt->stats) return;
  pt->stats->splits++;
  pt->stats->regions = pt->n_regions;
}

static tp_term predicate_of(const tp_partition *pt, uint32_t cell, const tp_term *by) {
  const tp_partition_region *r = &pt->regions.at[pt->cells.at[cell].region];
  for (size_t i = 0; i < r->cells.n; i++)
    if (r->cells.at[i] == cell) return by[i];
  return TP_TERM_NONE;
}

void tp_partition_split_off(tp_partition *pt, tp_abstract_step step, const tp_term *by,
                            uint32_t *yes, uint32_t *no) {
  TP_REQUIRE(tp_partition_is_leaf(pt, step.from) && tp_partition_is_leaf(pt, step.to));
  TP_REQUIRE(step.block < pt->blocks->list.n);
  bool was_possible = tp_partition_status(pt, step.from, step.to) == TP_STEP_POSSIBLE;
  side where = side_of(pt, step.from, predicate_of(pt, step.from, by));
  tp_partition_split(pt, pt->cells.at[step.from].region, by, yes, no);
  const tp_cell_node *from = &pt->cells.at[step.from];
  if (where == WHOLE_NO) tp_partition_close(pt, step);
  if (where != DIVIDED) return;
  tp_partition_close(pt, (tp_abstract_step){step.block, from->no, step.to});
  // what can be done, and not from there, is done from here
  if (was_possible) tp_partition_witness(pt, (tp_abstract_step){step.block, from->yes, step.to});
}

// ------------------------------------------------------------------------- steps

tp_step_status tp_partition_status(const tp_partition *pt, uint32_t from, uint32_t to) {
  TP_REQUIRE(from > 0 && from < pt->cells.n && to > 0 && to < pt->cells.n);
  uint64_t s;
  return tp_map_get(&pt->status, tp_step_key(from, to), &s) ? (tp_step_status)s : TP_STEP_UNKNOWN;
}

void tp_partition_close(tp_partition *pt, tp_abstract_step step) {
  TP_REQUIRE(tp_partition_is_leaf(pt, step.from) && tp_partition_is_leaf(pt, step.to));
  if (tp_partition_status(pt, step.from, step.to) == TP_STEP_CLOSED) return;
  tp_map_set(&pt->status, tp_step_key(step.from, step.to), TP_STEP_CLOSED);
  tp_partition_distances_close(pt, step.from, step.to);
}

void tp_partition_witness(tp_partition *pt, tp_abstract_step step) {
  if (tp_partition_status(pt, step.from, step.to) != TP_STEP_CLOSED)
    tp_map_set(&pt->status, tp_step_key(step.from, step.to), TP_STEP_POSSIBLE);
}

uint32_t tp_partition_block(const tp_partition *pt, uint32_t from_node, uint32_t to_node) {
  TP_REQUIRE(from_node < pt->blocks->nodes.n && to_node < pt->blocks->nodes.n);
  const tp_blocks *b = pt->blocks;
  for (uint32_t i = b->first.at[from_node]; i < b->first.at[from_node + 1]; i++)
    if (b->list.at[i].to == to_node) return i;
  return UINT32_MAX;
}

// -------------------------------------------------------------------------- check

/* A leaf stands in its region's list; an inner node has two parts that know it. */
static bool is_cell_sound(const tp_partition *pt, uint32_t cell) {
  const tp_cell_node *c = &pt->cells.at[cell];
  if (c->node >= pt->blocks->nodes.n || c->parent >= pt->cells.n) return false;
  if (tp_partition_is_leaf(pt, cell)) {
    if (c->region == 0 || c->region >= pt->regions.n) return false;
    const tp_partition_region *r = &pt->regions.at[c->region];
    for (size_t i = 0; i < r->cells.n; i++)
      if (r->cells.at[i] == cell) return true;
    return false;
  }
  const tp_cell_node *yes = &pt->cells.at[c->yes], *no = &pt->cells.at[c->no];
  return yes->parent == cell && no->parent == cell && yes->node == c->node && no->node == c->node;
}

/* Each leaf is in one region, which knows it; inner nodes are in none, and parts are counted. */
static bool are_regions_sound(const tp_partition *pt) {
  size_t n_leaves = 0, n_listed = 0, n_regions = 0;
  for (uint32_t r = 1; r < pt->regions.n; r++) {
    const tp_partition_region *region = &pt->regions.at[r];
    n_listed += region->cells.n;
    n_regions += region->cells.n > 0;
    for (size_t i = 0; i < region->cells.n; i++)
      if (!tp_partition_is_leaf(pt, region->cells.at[i]) ||
          pt->cells.at[region->cells.at[i]].region != r)
        return false;
  }
  for (uint32_t c = 1; c < pt->cells.n; c++) n_leaves += tp_partition_is_leaf(pt, c);
  return n_listed == n_leaves && n_regions == pt->n_regions + !pt->settings.three_regions;
}

bool tp_partition_check(const tp_partition *pt) {
  for (uint32_t n = 0; n < pt->blocks->nodes.n; n++)
    if (pt->cells.at[pt->root[n]].node != n || pt->cells.at[pt->root[n]].parent != 0) return false;
  for (uint32_t c = 1; c < pt->cells.n; c++)
    if (!is_cell_sound(pt, c)) return false;
  for (size_t i = 0; i < pt->status.n; i++) {
    const uint64_t key = pt->status.entries[i].key;
    if ((uint32_t)key >= pt->cells.n || (uint32_t)(key >> 32) >= pt->cells.n) return false;
  }
  return are_regions_sound(pt) && tp_partition_distances_check(pt);
}
