/* Predicates from interpolants.
 *
 * The blocks are the ones that the analysis has abstracted, with what its neighbours said at their
 * ends; a run through all of them would be a run to the error. The part of them that cannot be run
 * through is narrowed down: the shortest prefix, then the shortest end of that from any state
 * ("sliced prefixes"), and the same for the end of the whole. Sources of interpolants are asked in
 * order; what they say of a part is priced (blocks/predicate_cost.h), and the first that is not
 * dear is taken, else the cheapest. (refine.prefixes = first: the shortest prefix only, and no
 * prices: what the first source says of it.)
 *
 * The atoms of the interpolants go to the precision of the cuts where they stand; a conjunct that
 * is no atom goes as a whole, too, since a Cartesian abstraction cannot put it together. If nothing
 * is new, there is a node that was abstracted before its place had all its predicates: that one is
 * looked for. */
#include "cpa/composite.h"
#include "cpa/predicate/predicate_cpa.h"
#include "proof/proof_limits.h"
#include "proof/refine.h"
#include "blocks/blocks_limits.h"
#include "blocks/predicate_cost.h"
#include "formula/along.h"
#include "formula/interpolants.h"

typedef struct {
  const tp_counterexample *c;
  tp_cpa *self;
  tp_paths *x;
  tp_terms *tt;
  const tp_path **blocks;  // block i leads to position i + 1
  size_t n;
  size_t shift;  // position i is cut i - shift: 1 if the first node was abstracted itself, by the
                 // block before it
  tp_predicate_costs worth;
  double end_s;  // 0: no limit
  tp_str why;    // of the sources that failed
} refining;

/* Blocks [from, to) cannot be run through. */
typedef struct {
  size_t from, to;
} part;
typedef struct {
  part at;
  tp_term *formulas;  // at.to - at.from + 1; formulas[i] at position at.from + i
  uint64_t cost;
} sequence;

static bool fits(tp_cpa *cpa) { return tp_predicate_find(cpa) != NULL; }

static const tp_node *node_at(const refining *r, size_t position) {
  TP_REQUIRE(position >= r->shift && position <= r->n);
  return tp_reached_node(r->c->reached, tp_reached_paths_cut(r->c->paths, position - r->shift));
}
static const tp_elem *element(const refining *r, size_t position) {
  return tp_predicate_part(r->c->cpa, node_at(r, position)->state.elem);
}

bool tp_refine_is_block_end(const tp_reached *r, const tp_cpa *cpa, uint32_t node) {
  const tp_elem *e = tp_predicate_part(cpa, tp_reached_node(r, node)->state.elem);
  return e && tp_predicate_is_block_end(e);
}

static tp_itp_options options(const refining *r, double share) {
  double left_s = r->end_s > 0 ? r->end_s - tp_cpu_s() : 0;
  if (r->end_s > 0 && left_s <= 0) left_s = 0.001;
  return (tp_itp_options){.backend = r->c->task->solver ? r->c->task->solver : "mixed",
                          .cpu_s = left_s * share,
                          .stats = r->c->stats};
}

// ------------------------------------------------------------------------ parts

/* Blocks next to each other, as the interface wants them. The paths stay the analysis's own. */
static tp_path *slice_of(const refining *r, part p) {
  TP_REQUIRE(p.from <= p.to && p.to <= r->n);
  tp_path *slice = TP_NEW_ARRAY(tp_path, p.to - p.from + 1);
  for (size_t i = p.from; i < p.to; i++) slice[i - p.from] = *r->blocks[i];
  return slice;
}

static tp_itp_answer feasible(refining *r, part p) {
  if (p.from == p.to) return TP_ITP_FEASIBLE;
  tp_path *slice = slice_of(r, p);
  tp_itp_answer answer = tp_itp_feasible(r->x, slice, p.to - p.from, options(r, 0.2));
  tp_free(slice);
  return answer;
}

/* The shortest prefix of an infeasible part that is infeasible, by halving; what is not known
 * counts as feasible. */
static part shortest_prefix(refining *r, part p) {
  size_t lo = p.from, hi = p.to;  // [from, lo) is not known to be infeasible, [from, hi) is
  while (hi - lo > 1) {
    size_t mid = lo + (hi - lo) / 2;
    if (feasible(r, (part){p.from, mid}) == TP_ITP_INFEASIBLE)
      hi = mid;
    else
      lo = mid;
  }
  TP_INVARIANT(hi > p.from && hi <= p.to);
  return (part){p.from, hi};
}

static part shortest_end(refining *r, part p) {
  size_t lo = p.from, hi = p.to;  // [lo, to) is infeasible
  while (hi - lo > 1) {
    size_t mid = lo + (hi - lo) / 2;
    if (feasible(r, (part){mid, p.to}) == TP_ITP_INFEASIBLE)
      lo = mid;
    else
      hi = mid;
  }
  return (part){lo, p.to};
}

static size_t add_part(part *parts, size_t n, part p) {
  TP_REQUIRE(n < TP_PROOF_REFINED_PARTS && p.from < p.to);
  for (size_t i = 0; i < n; i++)
    if (parts[i].from == p.from && parts[i].to == p.to) return n;
  parts[n] = p;
  return n + 1;
}

static bool takes_prefix(const refining *r, const char *which) {
  return strcmp(tp_refine_setting(r->c->cpa, "prefixes", "cheapest"), which) == 0;
}

static size_t find_parts(refining *r, part *parts) {
  const part whole = {0, r->n};
  if (takes_prefix(r, "whole")) return add_part(parts, 0, whole);
  part prefix = shortest_prefix(r, whole);
  if (takes_prefix(r, "first")) return add_part(parts, 0, prefix);
  size_t n = add_part(parts, 0, shortest_end(r, prefix));
  if (prefix.to != whole.to) n = add_part(parts, n, shortest_end(r, whole));
  n = add_part(parts, n, prefix);
  return add_part(parts, n, whole);
}

// -------------------------------------------------------------------- sequences

static uint64_t price_of(const refining *r, const sequence *s) {
  uint64_t cost = 0;
  tp_atoms atoms = {0};
  for (size_t i = 0; i <= s->at.to - s->at.from; i++) tp_atoms_of(r->tt, s->formulas[i], &atoms);
  for (size_t i = 0; i < atoms.n; i++) cost += tp_predicate_cost(&r->worth, atoms.at[i]);
  tp_vec_clear(&atoms);
  return cost;
}

static bool ask(refining *r, part p, tp_itp_source source, sequence *out) {
  tp_path *slice = slice_of(r, p);
  tp_str why = {0};
  *out = (sequence){.at = p, .formulas = tp_arena_array(r->c->arena, tp_term, p.to - p.from + 1)};
  bool ok = tp_itp_sequence(r->x, slice, p.to - p.from, NULL, source, options(r, 0.3),
                            out->formulas, &why);
  if (ok)
    out->cost = price_of(r, out);
  else if (r->why.n < 400)
    tp_str_printf(&r->why, "%s%s: %s", r->why.n ? ", " : "", tp_itp_name(source),
                  tp_str_text(&why));
  tp_str_clear(&why);
  tp_free(slice);
  return ok;
}

/* The conjuncts of t. */
static void each_conjunct(const refining *r, tp_term t, tp_atoms *out) {
  tp_atoms todo = {0};
  tp_vec_push(&todo, t);
  while (todo.n) {
    tp_term x = tp_vec_pop(&todo);
    if (tp_kind(r->tt, x) == TP_OP_AND) {
      for (uint32_t i = 0; i < tp_n_args(r->tt, x); i++) tp_vec_push(&todo, tp_arg(r->tt, x, i));
    } else {
      tp_vec_push(out, x);
    }
  }
  tp_vec_clear(&todo);
}

static bool add_formula(refining *r, tp_loc at, tp_term formula) {
  bool grew = false,
       wants_atoms = strcmp(tp_refine_setting(r->c->cpa, "predicates", "atoms"), "atoms") == 0;
  tp_atoms atoms = {0}, conjuncts = {0};
  tp_atoms_of(r->tt, formula, &atoms);
  each_conjunct(r, formula, &conjuncts);
  for (size_t i = 0; wants_atoms && i < atoms.n; i++)
    grew |= tp_predicate_add(r->self, at, atoms.at[i]);
  for (size_t i = 0; i < conjuncts.n; i++) grew |= tp_predicate_add(r->self, at, conjuncts.at[i]);
  tp_vec_clear(&atoms);
  tp_vec_clear(&conjuncts);
  return grew;
}

/* Adds its predicates; the first position whose precision grew, or n + 1. */
static size_t learn(refining *r, const sequence *s) {
  size_t first = r->n + 1;
  for (size_t at = s->at.from + 1; at <= s->at.to; at++) {
    tp_term f = s->formulas[at - s->at.from];
    tp_loc loc = node_at(r, at)->loc;
    bool grew = tp_is_false(r->tt, f) ? at < r->n && tp_predicate_decide(r->self, loc)
                                      : add_formula(r, loc, f);
    if (grew && first > r->n) first = at;
  }
  return first;
}

/* The first position where less is known than the sequence says. */
static size_t find_older(refining *r, const sequence *s) {
  tp_path here = tp_path_here(r->x);
  size_t at = s->at.from + 1;
  for (; at <= s->at.to; at++) {
    tp_term known = tp_predicate_formula(r->self, element(r, at)),
            needed = s->formulas[at - s->at.from];
    if (!tp_itp_holds(r->x, &here, known, needed, options(r, 0.2))) break;
  }
  tp_path_clear(&here);
  return at > s->at.to ? r->n + 1 : at;
}

// ----------------------------------------------------------------- strengthening

/* IMPACT: the formulas go to the nodes themselves, which keep what came from them; only what the
 * last one leads to is explored again. For blocks of one step each, where there are no elements
 * between the nodes, and not for the initial node. */
static bool may_strengthen(const refining *r, const sequence *s) {
  if (strcmp(tp_refine_setting(r->c->cpa, "method", "explore"), "strengthen") != 0) return false;
  if (r->c->paths->ins.n != tp_reached_paths_n_blocks(r->c->paths) || s->at.from < r->shift)
    return false;
  return s->at.from > 0 || !r->shift;
}

/* The number of nodes that know more than before. */
static size_t strengthen(refining *r, const sequence *s) {
  size_t n = 0;
  for (size_t at = s->at.from + 1; at < s->at.to; at++) {
    tp_term f = s->formulas[at - s->at.from];
    if (tp_is_true(r->tt, f) || tp_is_false(r->tt, f)) continue;
    uint32_t node = tp_reached_paths_cut(r->c->paths, at - r->shift);
    tp_succ now = tp_reached_node(r->c->reached, node)->state;
    const tp_elem *known = tp_predicate_part(r->c->cpa, now.elem),
                  *stronger = tp_predicate_strengthened(r->self, known, f);
    if (tp_is_false(r->tt, tp_predicate_formula(r->self, stronger)) ||
        r->self->ops->leq(r->self, known, stronger))
      continue;
    tp_reached_strengthen(
        r->c->reached, node,
        (tp_succ){tp_composite_replace(r->c->cpa, now.elem, r->self, stronger), now.prec});
    n++;
  }
  return n;
}

/* The first position whose formula is false: no run gets there. */
static size_t dead_end(const refining *r, const sequence *s) {
  size_t at = s->at.from + 1;
  while (!tp_is_false(r->tt, s->formulas[at - s->at.from])) at++;
  return at;
}

// ------------------------------------------------------------------- refinement

static size_t read_sources(const refining *r, tp_itp_source *sources) {
  size_t n = 0;
  const char *at = tp_refine_setting(r->c->cpa, "sources", TP_REFINE_SOURCES);
  for (at += strspn(at, " "); *at && n < TP_PROOF_REFINE_SOURCES; at += strspn(at, " ")) {
    char name[32] = {0};
    size_t length = strcspn(at, " ");
    if (length < sizeof name && tp_itp_parse(memcpy(name, at, length), &sources[n])) n++;
    at += length;
  }
  return n;
}

static bool is_over(const refining *r) { return r->end_s > 0 && tp_cpu_s() >= r->end_s; }

static tp_refinement take(refining *r, const sequence *s) {
  size_t at = learn(r, s);
  if (may_strengthen(r, s) && (strengthen(r, s) || at <= r->n))
    return (tp_refinement){.answer = TP_REFINED, .cut = dead_end(r, s) - r->shift, .grew = true};
  if (at <= r->n) return (tp_refinement){.answer = TP_REFINED, .cut = at - r->shift, .grew = true};
  at = find_older(r, s);
  if (at <= r->n) return (tp_refinement){.answer = TP_REFINED, .cut = at - r->shift};
  return (tp_refinement){.answer = TP_REFINE_NO_PROGRESS,
                         .why = "all predicates of the interpolants are in use"};
}

/* Source by source; parts that are cheap are taken at once. */
static tp_refinement refine_parts(refining *r, const part *parts, size_t n) {
  tp_itp_source sources[TP_PROOF_REFINE_SOURCES];
  size_t n_sources = read_sources(r, sources);
  sequence best = {.formulas = NULL};
  for (size_t k = 0; k < n_sources && !is_over(r); k++) {
    for (size_t i = 0; i < n && !is_over(r); i++) {
      sequence s;
      if (!ask(r, parts[i], sources[k], &s)) break;  // a larger part is not easier
      if (!best.formulas || s.cost < best.cost) best = s;
    }
    if (best.formulas && (best.cost < TP_BLOCKS_UNROLLED_COST || takes_prefix(r, "first"))) break;
  }
  if (best.formulas && r->c->at_most && best.cost > r->c->at_most)
    return (tp_refinement){.answer = TP_REFINE_TOO_COSTLY, .cost = best.cost};
  if (best.formulas) return take(r, &best);
  const char *why = is_over(r) && !r->why.n ? "the time was over"
                                            : tp_arena_strdup(r->c->arena, tp_str_text(&r->why));
  return (tp_refinement){.answer = TP_REFINE_FAILED, .why = why};
}

/* Main's entry is abstracted itself if something leads back to it: the block before it starts with
 * the initial state. */
static bool is_abstracted(const refining *r) {
  const tp_path *before = tp_predicate_path(element(r, 0));
  return before && before->values.root;
}

static bool find_blocks(refining *r) {
  r->shift = is_abstracted(r);
  r->n += r->shift;
  r->blocks = TP_NEW_ARRAY(const tp_path *, r->n + 1);
  for (size_t i = 0; i < r->n; i++) {
    const tp_elem *e = element(r, i + 1);
    if (!tp_predicate_is_block_end(e)) return false;
    r->blocks[i] = tp_predicate_path(e);
  }
  return true;
}

/* The same blocks cut down to one path each: formulas and interpolants are short. NULL: none were
 * found. */
static tp_path *one_path_each(refining *r) {
  if (strcmp(tp_refine_setting(r->c->cpa, "paths", "one"), "one") != 0) return NULL;
  tp_path *blocks = slice_of(r, (part){0, r->n}), *paths = TP_NEW_ARRAY(tp_path, r->n + 1);
  tp_term *known = TP_NEW_ARRAY(tp_term, r->n + 1);
  for (size_t i = 0; i <= r->n; i++)
    known[i] = i < r->shift ? tp_mk_true(r->tt) : tp_predicate_formula(r->self, element(r, i));
  bool ok = tp_along_ways(r->x, blocks, r->n, known, options(r, 0.3), paths);
  tp_free(blocks);
  tp_free(known);
  if (ok) return paths;
  tp_free(paths);
  return NULL;
}

static tp_refinement refine_blocks(refining *r) {
  part parts[TP_PROOF_REFINED_PARTS];
  tp_itp_answer answer = feasible(r, (part){0, r->n});
  if (answer == TP_ITP_INFEASIBLE) return refine_parts(r, parts, find_parts(r, parts));
  const char *why = answer == TP_ITP_FEASIBLE
                        ? "path formulas do not exclude the path"
                        : "not decided whether path formulas exclude the path";
  return (tp_refinement){.answer = TP_REFINE_FAILED, .why = why};
}

/* One path of each block. */
static tp_refinement refine_one_path(refining *r) {
  tp_refinement x = {.answer = TP_REFINE_FAILED};
  const tp_path **blocks = r->blocks;
  tp_path *paths = one_path_each(r);
  if (!paths) return x;
  const tp_path **single = TP_NEW_ARRAY(const tp_path *, r->n + 1);
  for (size_t i = 0; i < r->n; i++) single[i] = &paths[i];
  r->blocks = single;
  x = refine_blocks(r);
  r->blocks = blocks;
  for (size_t i = 0; i < r->n; i++) tp_path_clear(&paths[i]);
  tp_free(single);
  tp_free(paths);
  return x;
}

static tp_refinement refine(const tp_counterexample *c) {
  refining r = {.c = c,
                .self = tp_predicate_find(c->cpa),
                .tt = c->task->program->terms,
                .n = tp_reached_paths_n_blocks(c->paths)};
  tp_refinement x = {.answer = TP_REFINE_FAILED,
                     .why = "the path does not end at the end of a block"};
  r.x = tp_predicate_paths(r.self);
  r.end_s = c->cpu_s > 0 ? tp_cpu_s() + c->cpu_s : 0;
  tp_predicate_costs_init(&r.worth, c->task->program);
  if (find_blocks(&r)) {
    bool strengthens = strcmp(tp_refine_setting(c->cpa, "method", "explore"), "strengthen") == 0;
    x.answer = TP_REFINE_FAILED;
    if (!strengthens)
      x = refine_one_path(&r);  // a formula that strengthens a node must speak of all paths
    if (x.answer != TP_REFINE_TOO_COSTLY && (x.answer != TP_REFINED || !x.grew))
      x = refine_blocks(&r);
  }
  c->stats->predicates = tp_predicate_n(r.self);
  tp_predicate_costs_clear(&r.worth);
  tp_str_clear(&r.why);
  tp_free(r.blocks);
  return x;
}

const tp_refiner tp_refiner_predicate = {
    .name = "predicate", .fits = fits, .refine = refine, .in_blocks = true};
