/* The block graph against the concrete machine, on random programs: every run is a way through the
 * graph, and at each node the block that leads there allows the values of the run, with some
 * inputs. A run is watched until it comes to an open node or its end. usage: blocks_test [COUNT
 * [SEED]] (default: 150 programs from seed 1; 20,000 under TP_SOAK) */
#include "blocks/blocks.h"
#include "models.h"
#include "smt/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_STEPS = 300, RUNS = 4, MOST_VISITS = 12 };
static uint64_t n_programs = 150, first_seed = 1;

typedef struct {
  const tp_program *p;
  tp_terms *tt;
  tp_paths paths;
  tp_contexts contexts;
  tp_blocks blocks;
  uint64_t seed;
  tp_context context;  // of the run
  size_t depth;
  tp_edge taken;
  uint32_t node;     // where it was last
  tp_state *before;  // the state there
  bool is_over;
  uint64_t n_visits, n_errors, n_unknown;
  uint32_t n_here;  // visits of this run
  tp_rng rng;
} watch;

static uint32_t find_node(const watch *w, tp_context c, tp_loc l) {
  for (uint32_t n = 1; n < w->blocks.nodes.n; n++)
    if (w->blocks.nodes.at[n].context.id == c.id && w->blocks.nodes.at[n].loc.id == l.id) return n;
  return 0;
}

// ---------------------------------------------------------------------- values

/* The value of a variable that is certain, and the same in formulas and runs: no addresses as
 * numbers. */
static bool certain_value(const watch *w, const tp_state *s, tp_var v, tp_term *out) {
  const tp_var_info *info = tp_var_of(w->p, v);
  tp_sort sort = tp_sort_of(w->tt, info->term);
  tp_sort_kind k = tp_sort_kind_of(w->tt, sort);
  tp_value value;
  if (k == TP_SORT_ARRAY || info->kind == TP_V_GHOST || tp_state_indeterminate(s, v)) return false;
  if (tp_state_eval(s, info->term, &value) != TP_OK || (k == TP_SORT_BV && value.object))
    return false;
  *out = tp_mk_value(w->tt, sort, value);
  return true;
}

/* Is v a global, or of the function on top? */
static bool is_on_top(const watch *w, const tp_state *s, tp_var v) {
  tp_func f = tp_var_of(w->p, v)->func;
  return !f.id || f.id == tp_loc_of(w->p, tp_state_loc(s))->func.id;
}

typedef struct {
  const watch *w;
  const tp_state *s;
} reading;

static tp_term value_before(void *ctx, tp_term symbol) {
  const reading *r = ctx;
  tp_term value;
  if (tp_term_eq(symbol, r->w->paths.next))
    return tp_mk_bv(r->w->tt, TP_OBJ_BITS, tp_state_n_objects(r->s) + 1);
  tp_var v = tp_program_var_of(r->w->p, symbol);
  return v.id && is_on_top(r->w, r->s, v) && certain_value(r->w, r->s, v, &value) ? value
                                                                                  : TP_TERM_NONE;
}

// ----------------------------------------------------------------------- visits

static const tp_block *find_block(const watch *w, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < w->blocks.list.n; i++)
    if (w->blocks.list.at[i].from == from && w->blocks.list.at[i].to == to)
      return &w->blocks.list.at[i];
  return NULL;
}

/* Can the block go from the state before to this one? now NULL: only its condition. */
static void check_block(watch *w, uint32_t to, const tp_state *now) {
  const tp_block *k = find_block(w, w->node, to);
  if (!k)
    fail_msg("program %llu: no block from node %u to node %u", (unsigned long long)w->seed, w->node,
             to);
  tp_term all = tp_path_condition(&w->paths, &k->path);
  for (uint32_t v = 1; now && v < w->p->vars.n; v++) {
    tp_term value;
    if (!is_on_top(w, now, (tp_var){v}) || !certain_value(w, now, (tp_var){v}, &value)) continue;
    all = tp_mk_and(
        w->tt, all,
        tp_mk_eq(w->tt, tp_path_after(&w->paths, &k->path, w->p->vars.at[v].term), value));
  }
  reading r = {w, w->before};
  if (w->node) all = tp_subst(w->tt, all, value_before, &r, NULL);
  tp_smt *s = tp_smt_new(w->tt, (tp_smt_options){.rlimit = 2000000});
  tp_smt_assert(s, tp_paths_query(&w->paths, all));
  tp_smt_answer a = tp_smt_check(s, NULL, 0);
  tp_smt_free(s);
  w->n_unknown += a == TP_SMT_UNKNOWN;
  if (a != TP_SMT_UNSAT) return;
  tp_str text = {0};
  if (w->before) tp_state_write(w->before, &text);
  tp_str_add(&text, "\n---- to\n");
  if (now) tp_state_write(now, &text);
  fail_msg(
      "program %llu: the block from node %u (location %u) to node %u (location %u) excludes a "
      "run\n%s",
      (unsigned long long)w->seed, w->node, w->blocks.nodes.at[w->node].loc.id, to,
      w->blocks.nodes.at[to].loc.id, tp_str_text(&text));
}

static void come_to(watch *w, uint32_t node, const tp_state *s) {
  check_block(w, node, s);
  w->n_visits++;
  w->n_errors += w->blocks.nodes.at[node].is_error;
  if (w->before) tp_state_free(w->before);
  w->before = s ? tp_state_copy(s) : NULL;
  w->node = node;
  w->is_over = tp_block_node_is_bad(&w->blocks, node) || ++w->n_here >= MOST_VISITS;
}

// ------------------------------------------------------------------------- runs

static bool at(void *ctx, const tp_state *s) {
  watch *w = ctx;
  size_t depth = tp_state_depth(s);
  tp_loc l = tp_state_loc(s);
  if (depth > w->depth) {
    tp_func f = tp_loc_of(w->p, l)->func;
    if (tp_context_has(&w->contexts, w->context, f)) return false;  // behind an open node
    w->context = tp_context_push(&w->contexts, w->context, w->taken, f);
  } else if (depth < w->depth) {
    w->context = tp_context_of(&w->contexts, w->context)->parent;
  }
  w->depth = depth;
  uint32_t node = find_node(w, w->context, l);
  if (node) come_to(w, node, s);
  return !w->is_over;
}

static bool edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  ((watch *)ctx)->taken = e;
  return true;
}

static bool answer(void *ctx, tp_input *io) {
  watch *w = ctx;
  io->bits = tp_rng_next(&w->rng) >> tp_rng_below(&w->rng, 64);
  if (io->width_bits && io->width_bits < 128) io->bits &= (((tp_u128)1) << io->width_bits) - 1;
  io->bytes = (const uint8_t *)"";
  if (io->width_bits == 0) io->n_bytes = 0;
  return true;
}

static void watch_run(watch *w) {
  tp_observer see = {TP_OBSERVE_ALL | TP_OBSERVE_EDGES, w, at, edge};
  tp_oracle oracle = {w, answer};
  w->context = w->blocks.nodes.at[0].context;
  w->depth = 1;
  w->node = 0;
  w->n_here = 0;
  w->is_over = false;
  tp_run_result r = tp_exec_main(w->p, &oracle, (tp_run_limits){.steps = MOST_STEPS}, &see);
  uint32_t node = r.end == TP_END_ERROR && !w->is_over ? find_node(w, w->context, r.loc) : 0;
  if (node && w->blocks.nodes.at[node].is_error) come_to(w, node, NULL);
  if (w->before) tp_state_free(w->before);
  w->before = NULL;
}

static void check_program(uint64_t seed, bool is_rich, uint64_t n[3]) {
  tape t;
  traits what;
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_fresh(&t, seed);
  tp_program *p = is_rich ? model_make_rich(&t, diag, &what) : model_make(&t, diag, &what);
  watch w = {.p = p, .tt = p->terms, .seed = seed};
  tp_rng_init(&w.rng, seed);
  tp_contexts_init(&w.contexts);
  tp_paths_init(&w.paths, p);
  tp_blocks_build(&w.blocks, &w.paths, &w.contexts, what.asked, TP_BLOCKS_TO_LOOPS, 20000);
  for (int i = 0; i < RUNS && !w.blocks.gap; i++) watch_run(&w);
  n[0] += w.n_visits, n[1] += w.n_errors, n[2] += w.n_unknown;
  tp_blocks_clear(&w.blocks);
  tp_paths_clear(&w.paths);
  tp_contexts_clear(&w.contexts);
  tp_program_free(p);
  tape_clear(&t);
  tp_diag_free(diag);
}

static void every_run_is_a_way_through_the_graph(void **state) {
  (void)state;
  uint64_t n[3] = {0};
  for (uint64_t i = 0; i < n_programs; i++) check_program(first_seed + i, i % 2 == 1, n);
  print_message("%llu visits, %llu of errors, %llu the solver gave up on\n",
                (unsigned long long)n[0], (unsigned long long)n[1], (unsigned long long)n[2]);
  if (n_programs >= 150) assert_true(n[0] > 200 && n[1] > 10 && n[2] * 10 < n[0]);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(int argc, char **argv) {
  if (getenv("TP_SOAK")) n_programs = 20000;
  if (argc > 1) n_programs = strtoull(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_run_is_a_way_through_the_graph)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
