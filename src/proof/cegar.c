/* The refinement loop. Each error costs at most one refinement at a time, and every refinement is
 * new (by a hash of its path and precision), so a loop over the same path ends; where no refiner
 * makes progress the error is given up, and the exploration goes on without it: that loses the
 * proof, never soundness. */
#include "proof/cegar.h"

#include "proof/proof_limits.h"
#include "proof/refine.h"
#include "engine/feasibility.h"

struct tp_cegar {
  const tp_task *task;
  tp_composition *c;
  tp_recursion *r;
  tp_stats *stats;
  tp_arena *arena;
  tp_map given_up;     // nodes
  tp_map stale;        // paths that were refined although nothing grew
  uint32_t looked_at;  // nodes up to here are no errors, or were given up
  uint64_t n_refined[TP_PROOF_REFINERS];
  bool has_mined;  // predicates from runs were asked for
  size_t n_mined;
  const char *why;  // of the first error that was given up
  tp_str log;       // what shapes were refined
};

tp_cegar *tp_cegar_new(const tp_task *task, tp_composition *c, tp_recursion *r, tp_stats *stats,
                       tp_arena *arena, tp_cegar_start start) {
  tp_cegar *g = TP_NEW(tp_cegar);
  *g = (tp_cegar){.task = task,
                  .c = c,
                  .r = r,
                  .stats = stats,
                  .arena = arena,
                  .has_mined = start == TP_CEGAR_REUSED_PRECISION};
  return g;
}

void tp_cegar_free(tp_cegar *g) {
  if (!g) return;
  tp_map_clear(&g->given_up);
  tp_map_clear(&g->stale);
  tp_str_clear(&g->log);
  tp_free(g);
}

// ----------------------------------------------------------------------- errors

bool tp_cegar_is_new(const tp_cegar *g, const tp_reached *r, uint32_t node) {
  TP_REQUIRE(node > 0 && node <= tp_reached_n(r));
  const tp_node *n = tp_reached_node(r, node);
  if (n->removed || !n->loc.id || tp_map_has(&g->given_up, node)) return false;
  return tp_property_covers(g->task->property, tp_loc_of(g->task->program, n->loc)->error);
}

/* Nodes never move to another location, so each is visited once. */
uint32_t tp_cegar_next(tp_cegar *g) {
  const tp_reached *r = tp_recursion_reached(g->r);
  for (; g->looked_at < tp_reached_n(r); g->looked_at++)
    if (tp_cegar_is_new(g, r, g->looked_at + 1)) return g->looked_at + 1;
  return 0;
}

// ------------------------------------------------------------------------- paths

/* Both views of the same error: node by node, and in blocks if somebody asks for blocks. */
/* In the order in which they are tried: the cheap one first. */
static const tp_refiner *const refiners[] = {&tp_refiner_value, &tp_refiner_shape,
                                             &tp_refiner_predicate, NULL};

typedef struct {
  tp_reached_paths chain, blocks;
  bool has_blocks;
} views;

static bool is_block_end(void *ctx, uint32_t node) {
  const tp_cegar *g = ctx;
  return tp_refine_is_block_end(tp_recursion_reached(g->r), g->c->cpa, node);
}

static void find_paths(tp_cegar *g, uint32_t error, views *out) {
  const tp_reached *r = tp_recursion_reached(g->r);
  tp_reached_paths_first(r, error, &out->chain);
  for (size_t i = 0; refiners[i]; i++)
    out->has_blocks |= refiners[i]->in_blocks && refiners[i]->fits(g->c->cpa);
  if (out->has_blocks) tp_reached_paths_all(r, error, is_block_end, g, &out->blocks);
}

static void clear_paths(views *v) {
  tp_reached_paths_clear(&v->chain);
  tp_reached_paths_clear(&v->blocks);
}

/* All paths at once; where that is not settled, the one of the first parents. */
static tp_feasibility follow(tp_cegar *g, const views *v, double cpu_s, tp_inputs *inputs,
                             tp_property *violated) {
  double start_s = tp_cpu_s();
  tp_feasibility all = TP_FEASIBILITY_UNKNOWN;
  if (v->has_blocks)
    all = tp_feasibility_check(g->task, &v->blocks, cpu_s / 2, g->stats, inputs, violated);
  if (all != TP_FEASIBILITY_UNKNOWN) return all;
  double left_s = cpu_s > 0 ? cpu_s - (tp_cpu_s() - start_s) : 0;
  if (cpu_s > 0 && left_s <= 0) return TP_FEASIBILITY_UNKNOWN;
  tp_feasibility one = tp_feasibility_check(g->task, &v->chain, left_s, g->stats, inputs, violated);
  return v->has_blocks && one == TP_FEASIBILITY_INFEASIBLE ? TP_FEASIBILITY_UNKNOWN : one;
}

// ------------------------------------------------------------------ refinement

static const char *reason(const tp_cegar *g, const char *before, const char *who, const char *why) {
  return tp_arena_printf(g->arena, "%s%s%s: %s", before ? before : "", before ? "; " : "", who,
                         why);
}

/* A refinement that made nothing grow is believed once for each path: the second time it would be
 * the same. */
static bool is_progress(tp_cegar *g, const tp_reached_paths *paths, const tp_refinement *x) {
  if (x->grew) return true;
  uint64_t path = tp_hash_u64(x->cut);
  for (size_t i = 0; i < paths->ins.n; i++)
    path = tp_hash_mix(path,
                       tp_hash_mix(paths->ins.at[i].step.edge.id, paths->ins.at[i].step.callee.id));
  if (tp_map_has(&g->stale, path)) return false;
  tp_map_set(&g->stale, path, 1);
  return true;
}

/* Before the first path is looked at: what runs have in common. Everything is explored again with
 * that. */
static bool mine(tp_cegar *g, double cpu_s) {
  if (g->has_mined) return false;
  g->has_mined = true;
  g->n_mined = tp_refine_mine(g->task, g->c->cpa, g->stats, cpu_s);
  if (!g->n_mined) return false;
  g->stats->refinements++;
  tp_recursion_cut(g->r, 0);
  return true;
}

/* What is explored again: what came from the first node that has a new precision, or everything. */
static void explore_again(tp_cegar *g, uint32_t from) {
  TP_REQUIRE(from <= tp_reached_n(tp_recursion_reached(g->r)));
  tp_recursion_cut(
      g->r, strcmp(tp_refine_setting(g->c->cpa, "method", "explore"), "restart") == 0 ? 0 : from);
}

/* Refiner i; what it taught is explored. */
static tp_refinement ask(tp_cegar *g, size_t i, const views *v, double cpu_s, uint64_t at_most,
                         const char **why) {
  const tp_reached_paths *paths = refiners[i]->in_blocks ? &v->blocks : &v->chain;
  const tp_counterexample c = {.task = g->task,
                               .reached = tp_recursion_reached(g->r),
                               .cpa = g->c->cpa,
                               .paths = paths,
                               .stats = g->stats,
                               .arena = g->arena,
                               .cpu_s = cpu_s,
                               .at_most = at_most,
                               .log = &g->log};
  tp_refinement x = refiners[i]->refine(&c);
  TP_INVARIANT(x.answer != TP_REFINED || x.cut < paths->cuts.n);
  TP_INVARIANT(x.answer != TP_REFINE_TOO_COSTLY || (x.cost > 0 && at_most > 0));
  if (x.answer == TP_REFINED && !is_progress(g, paths, &x))
    x.why = "the same path comes back with the same precision", x.answer = TP_REFINE_NO_PROGRESS;
  if (x.answer == TP_REFINED) {
    g->n_refined[i]++;
    g->stats->refinements++;
    explore_again(g, tp_reached_paths_cut(paths, x.cut));
  } else if (x.answer != TP_REFINE_TOO_COSTLY) {
    *why = reason(g, *why, refiners[i]->name, x.why);
  }
  return x;
}

/* Refiners in order, until one makes progress. Of several that could, the cheaper: each may ask for
 * less than what the others before it would have cost; the first of them that is asked for a
 * bargain. */
static bool refine(tp_cegar *g, const views *v, double cpu_s, const char **why) {
  size_t fit[TP_PROOF_REFINERS], n = 0, cheapest = 0;
  uint64_t least = 0;  // cost of the cheapest that was asked; 0: none was
  if (mine(g, cpu_s)) return true;
  for (size_t i = 0; refiners[i]; i++)
    if (refiners[i]->fits(g->c->cpa)) fit[n++] = i;
  bool compares =
      n > 1 && strcmp(tp_refine_setting(g->c->cpa, "prefer", "cheaper"), "cheaper") == 0;
  for (size_t k = 0; k < n; k++) {
    uint64_t at_most = least ? least : k + 1 < n ? TP_PROOF_CHEAP_REFINEMENT : 0;
    tp_refinement x = ask(g, fit[k], v, cpu_s, compares ? at_most : 0, why);
    if (x.answer == TP_REFINED) return true;
    if (x.answer == TP_REFINE_TOO_COSTLY && (!least || x.cost < least))
      least = x.cost, cheapest = fit[k];
  }
  if (least && ask(g, cheapest, v, cpu_s, 0, why).answer == TP_REFINED) return true;
  if (!*why) *why = "no analysis of the configuration can be refined";
  return false;
}

static void give_up(tp_cegar *g, uint32_t error, const char *why) {
  TP_REQUIRE(why != NULL);
  tp_map_set(&g->given_up, error, 1);
  if (!g->why) g->why = why;
}

tp_cegar_answer tp_cegar_refine(tp_cegar *g, uint32_t error, double cpu_s, tp_inputs *inputs,
                                tp_property *violated) {
  TP_REQUIRE(tp_cegar_is_new(g, tp_recursion_reached(g->r), error));
  views v = {0};
  tp_cegar_answer answer = TP_CEGAR_GAVE_UP;
  find_paths(g, error, &v);
  double start_s = tp_cpu_s();
  tp_feasibility feasibility = follow(g, &v, cpu_s / 2, inputs, violated);
  if (feasibility == TP_FEASIBILITY_FAILS) {
    answer = TP_CEGAR_FAILS;
  } else {
    double left_s = cpu_s > 0 ? cpu_s - (tp_cpu_s() - start_s) : 0;
    const char *why = feasibility == TP_FEASIBILITY_INFEASIBLE
                          ? NULL
                          : "no run was found that fails on this path, nor that none does";
    if (cpu_s > 0 && left_s <= 0)
      give_up(g, error, why ? why : "the time was over");
    else if (refine(g, &v, left_s, &why))
      answer = TP_CEGAR_REFINED;
    else
      give_up(g, error, why);
  }
  clear_paths(&v);
  return answer;
}

bool tp_cegar_abstract(tp_cegar *g) {
  const tp_counterexample c = {.task = g->task,
                               .reached = tp_recursion_reached(g->r),
                               .cpa = g->c->cpa,
                               .stats = g->stats,
                               .arena = g->arena,
                               .log = &g->log};
  bool any = false;
  for (size_t i = 0; refiners[i]; i++)
    any |= refiners[i]->abstract && refiners[i]->fits(g->c->cpa) && refiners[i]->abstract(&c);
  if (any) tp_recursion_cut(g->r, 0);
  return any;
}

const char *tp_cegar_log(const tp_cegar *g) { return tp_str_text(&g->log); }

const char *tp_cegar_summary(const tp_cegar *g) {
  if (!g->stats->refinements && !g->why) return NULL;
  tp_str s = {0};
  tp_str_printf(&s, "refined %llu times", (unsigned long long)g->stats->refinements);
  if (g->stats->refinements) tp_str_add(&s, " (");
  const char *separator = "";
  if (g->n_mined) tp_str_add(&s, "mined 1"), separator = ", ";
  for (size_t i = 0; refiners[i]; i++) {
    if (!g->n_refined[i]) continue;
    tp_str_printf(&s, "%s%s %llu", separator, refiners[i]->name,
                  (unsigned long long)g->n_refined[i]);
    separator = ", ";
  }
  if (g->stats->refinements) tp_str_add(&s, ")");
  if (g->why) tp_str_printf(&s, "; %s", g->why);
  const char *text = tp_arena_strdup(g->arena, tp_str_text(&s));
  tp_str_clear(&s);
  return text;
}
