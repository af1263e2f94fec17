/* Mining: runs, states at cut points, facts of each place.
 *
 * Runs get inputs as the tester draws them, small numbers more often: loops should be entered and
 * left. A run that does not end is cut off after some thousand steps, every few runs later, so that
 * loops with huge bounds give late values, too; a program that asks for nothing has one run, with
 * all the steps. */
#include "blocks/mine_priv.h"

#include "blocks/blocks_limits.h"
#include "exec/random_inputs.h"

#include <stdlib.h>

typedef struct {
  mine_shared shared;
  tp_mine_options o;
  tp_mined_candidates *out;
  mine_cutpoint **places;   // by location; NULL: no run came there
  bool *taken;              // edges
  bool news;                // the run took an edge for the first time
  uint64_t n_notes, quiet;  // states; runs since the last that found a new one
  double start_s;
  tp_random_inputs draw;
} mining;

// ---------------------------------------------------------------------- sampling

/* Heads of loops and cut points: where certificates speak. */
static bool is_place(const tp_program *p, tp_loc l) {
  return tp_loc_of(p, l)->is_loop_head || tp_loc_of(p, l)->is_cutpoint;
}

/* An edge is about to be taken: its start is noted, if it is a place. */
static bool note_edge(void *ctx, const tp_state *before, tp_edge e) {
  mining *m = ctx;
  const tp_program *p = m->shared.p;
  const tp_edge_info *edge = tp_edge_of(p, e);
  if (!m->taken[e.id]) m->taken[e.id] = m->news = true;
  if (!is_place(p, edge->from)) return true;
  mine_cutpoint **at = &m->places[edge->from.id];
  if (!*at) {
    *at = mine_cutpoint_new(&m->shared, edge->from);
    mine_start_run(*at);
  }
  const size_t n = (*at)->n_rows;
  mine_add_row(&m->shared, *at, before,
               !mine_is_in_loop(p, edge->to, tp_loc_of(p, edge->from)->loop));
  m->n_notes += (*at)->n_rows - n;
  return true;
}

static bool is_over(const mining *m) {
  const uint64_t steps = m->o.steps ? m->o.steps : TP_BLOCKS_MINE_STEPS,
                 runs = m->o.runs ? m->o.runs : TP_BLOCKS_MINE_RUNS;
  if (m->out->n_steps >= steps || m->out->n_runs >= runs) return true;
  if (m->quiet >= TP_BLOCKS_MINE_QUIET_RUNS && m->n_notes >= TP_BLOCKS_MINE_FEW_STATES) return true;
  if (m->o.should_stop && m->o.should_stop(m->o.ctx)) return true;
  return m->o.cpu_s > 0 && tp_cpu_s() - m->start_s > m->o.cpu_s;
}

/* Cut off after so many steps. */
static uint64_t steps_of_run(const mining *m) {
  const uint64_t left = (m->o.steps ? m->o.steps : TP_BLOCKS_MINE_STEPS) - m->out->n_steps;
  const uint64_t mine = m->out->n_runs % TP_BLOCKS_MINE_LONG_EVERY == TP_BLOCKS_MINE_LONG_EVERY - 1
                            ? TP_BLOCKS_MINE_LONG_STEPS
                            : TP_BLOCKS_MINE_SHORT_STEPS;
  return left < mine ? left : mine;
}

/* What the objects that the run made cost, in steps. */
static uint64_t steps_for_memory(const mining *m, const tp_state *s) {
  uint64_t bytes = 0;
  tp_object_info info;
  for (size_t o = m->shared.p->statics.n; o <= tp_state_n_objects(s); o++)
    if (tp_state_object_info(s, (uint32_t)o, &info)) bytes += info.size;
  return bytes / TP_BLOCKS_MINE_BYTES_PER_STEP;
}

static void run_once(mining *m, const tp_state *start, tp_inputs *made, uint64_t steps) {
  const tp_observer observer = {.mask = TP_OBSERVE_EDGES, .ctx = m, .edge = note_edge};
  for (size_t l = 0; l < m->shared.p->locs.n; l++)
    if (m->places[l]) mine_start_run(m->places[l]);
  const uint64_t before = m->n_notes;
  tp_random_inputs_start(&m->draw, made);
  m->news = false;
  tp_oracle oracle = tp_random_inputs_oracle(&m->draw);
  tp_state *s = tp_state_copy(start);
  tp_run_result r = tp_exec_run(
      m->shared.p, s, &oracle,
      (tp_run_limits){.steps = steps, .memory_bytes = TP_BLOCKS_MINE_MEMORY_BYTES}, &observer);
  m->out->n_steps += r.steps + 1 + steps_for_memory(m, s);
  tp_state_free(s);
  m->out->n_runs++;
  m->out->n_failed += r.end == TP_END_ERROR;
  m->quiet = m->n_notes > before || m->news ? 0 : m->quiet + 1;
  if (m->news || (m->n_notes > before && m->n_notes < TP_BLOCKS_MINE_FEW_STATES))
    tp_random_inputs_keep(&m->draw, made);
}

static void sample(mining *m) {
  tp_state *start = tp_state_initial(m->shared.p);
  bool asks = true;
  while (asks && !is_over(m)) {
    tp_inputs made;
    tp_inputs_init(&made);
    run_once(m, start, &made, steps_of_run(m));
    asks = made.v.n != 0;
    tp_inputs_clear(&made);
  }
  if (!asks && !is_over(m)) {  // the same run again, to its end
    tp_inputs made;
    tp_inputs_init(&made);
    run_once(m, start, &made, (m->o.steps ? m->o.steps : TP_BLOCKS_MINE_STEPS) - m->out->n_steps);
    tp_inputs_clear(&made);
  }
  tp_state_free(start);
}

// ------------------------------------------------------------------------- facts

static void facts_of_place(mining *m, const mine_cutpoint *at) {
  uint32_t *rows = TP_NEW_ARRAY(uint32_t, at->n_rows + 1);
  for (uint32_t r = 0; r < at->n_rows; r++) rows[r] = r;
  const mine_view all = {&m->shared, at, rows, at->n_rows};
  mine_candidates f = {0};
  mine_single(&f, &all);
  mine_atoms(&f, &all);
  mine_affine(&f, &all, TP_BLOCKS_MINE_AFFINE_COLUMNS);
  mine_orders(&f, &all, TP_BLOCKS_MINE_ORDER_COLUMNS);
  mine_products(&f, &all);
  mine_polynomials(&f, &all);
  mine_splits(&f, &all);
  if (f.list.n) qsort(f.list.at, f.list.n, sizeof *f.list.at, mine_by_cost);
  const size_t most = m->o.most ? m->o.most : TP_BLOCKS_MINE_CANDIDATES;
  mine_filter(&m->shared, at, &f, most, m->o.seed);
  mine_heap(&f, &all);  // of the first wave, unfiltered: accesses ask for these
  mine_strings(&f, &all);
  mine_keep_first(&f, most);
  for (size_t i = 0; i < f.list.n; i++) tp_vec_push(&m->out->list, f.list.at[i]);
  tp_vec_clear(&f.list);
  tp_map_clear(&f.seen);
  tp_free(rows);
}

static void keep_samples(mining *m, const mine_cutpoint *at) {
  TP_REQUIRE(at->n_observed <= at->columns.n && at->n_rows > 0);
  tp_samples s = {.loc = at->loc, .n_columns = at->n_observed, .n_rows = at->n_rows};
  s.columns = TP_NEW_ARRAY(tp_term, s.n_columns + 1);
  s.values = TP_NEW_ARRAY(uint64_t, s.n_columns *s.n_rows + 1);
  for (size_t c = 0; c < s.n_columns; c++) {
    s.columns[c] = at->columns.at[c].term;
    if (s.n_rows)
      memcpy(s.values + c * s.n_rows, at->columns.at[c].values, s.n_rows * sizeof *s.values);
  }
  tp_vec_push(&m->out->samples, s);
  m->out->n_states += s.n_rows;
}

void tp_mine(const tp_program *p, tp_mine_options o, tp_mined_candidates *out) {
  TP_REQUIRE(p->main.id > 0);
  *out = (tp_mined_candidates){0};
  mining m = {.o = o, .out = out, .start_s = tp_cpu_s()};
  mine_shared_init(&m.shared, p);
  tp_random_inputs_init(&m.draw, p, o.seed);
  m.draw.prefers_small = true;
  m.places = TP_NEW_ARRAY(mine_cutpoint *, p->locs.n + 1);
  m.taken = TP_NEW_ARRAY(bool, p->edges.n + 1);
  sample(&m);
  for (size_t l = 0; l < p->locs.n; l++) {
    if (!m.places[l]) continue;
    mine_finish(&m.shared, m.places[l]);
    if (m.places[l]->n_rows) facts_of_place(&m, m.places[l]), keep_samples(&m, m.places[l]);
    mine_cutpoint_free(m.places[l]);
  }
  tp_free(m.places);
  tp_free(m.taken);
  tp_random_inputs_clear(&m.draw);
  mine_shared_clear(&m.shared);
}

void tp_mined_candidates_clear(tp_mined_candidates *c) {
  for (size_t i = 0; i < c->samples.n; i++) {
    tp_free(c->samples.at[i].columns);
    tp_free(c->samples.at[i].values);
  }
  tp_vec_clear(&c->samples);
  tp_vec_clear(&c->list);
}
