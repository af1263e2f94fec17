/* From a region and a path to the next region.
 *
 * The block (region and path condition) is asserted once, with a label for each predicate: a
 * Boolean variable that is what the predicate is behind the path. Then
 *   Cartesian  each label is queried for both truth values; a model gives one value of every label,
 *              so most queries are not needed.
 *   Boolean    the predicates that are not determined are enumerated, model by model, as cubes;
 *              after TP_CPA_PREDICATE_CUBES cubes the Cartesian result is used.
 * The region's constraints on predicates that the path does not change are kept, relations between
 * these predicates included, without a query. Cartesian queries use the parts of the block
 * (parts.h) that share variables with the predicate: few different queries arise, whatever the rest
 * of the region.
 *
 * Loss of precision: a query that the solver does not decide within its limit counts as
 * "satisfiable", and is not repeated. Answers are cached by (block, predicate behind it), which are
 * terms: exploration after a refinement queries new pairs only. */
#include "cpa/predicate/parts.h"
#include "cpa/cpa_limits.h"
#include "cpa/predicate/predicate_priv.h"

/* A cached answer: the values that the predicate can have; KNOWN: there is an answer. */
enum { CAN_HOLD = 1, CAN_FAIL = 2, KNOWN = 4 };

typedef struct {
  tp_predicate *self;
  tp_term block;   // region and path condition
  tp_parts parts;  // of the block
  const tp_predicate_list *preds;
  tp_term *behind;  // by position in preds: the predicate behind the path
  tp_term *about;   // by position: the part of the block that is queried
  uint8_t *can;     // by position
  tp_smt *solver;   // opened by the first query
  tp_term asked;    // the part of the block that the solver has
} query;

// ----------------------------------------------------------------------- answers

static uint64_t key_of(tp_term block, tp_term behind) {
  return (uint64_t)block.id << 32 | behind.id;
}

static uint8_t cached(const query *q, tp_term block, tp_term behind) {
  uint64_t found;
  return tp_map_get(&q->self->answers, key_of(block, behind), &found) ? (uint8_t)found : 0;
}

static tp_term label(tp_predicate *self, size_t i) {
  while (self->labels.n <= i)
    tp_vec_push(&self->labels, tp_mk_var(self->tt, "holds", tp_sort_bool(self->tt)));
  return self->labels.at[i];
}

static bool is_open(const query *q, size_t i) {
  return !(q->can[i] & KNOWN) && tp_term_eq(q->about[i], q->asked);
}

/* CPU seconds until the end of the run, at most those of one query; the solver's step limit does
 * not bound all of its work. */
static double remaining_s(const tp_predicate *self) {
  double until_s = self->cpa->env->until_s,
         left = until_s > 0 ? until_s - tp_cpu_s() : TP_CPA_PREDICATE_S;
  return left < TP_CPA_PREDICATE_S ? left : TP_CPA_PREDICATE_S;
}

/* The own circuits where the formula allows: they are fastest at many queries about one block. */
static void open_solver(query *q, tp_term block) {
  tp_predicate *self = q->self;
  if (q->solver && tp_term_eq(q->asked, block)) return;
  tp_smt_free(q->solver);
  q->asked = block;
  const tp_cpa_env *env = self->cpa->env;
  double net_s = remaining_s(self);
  q->solver = tp_smt_new(
      self->tt,
      (tp_smt_options){.backend = env->solver ? env->solver : "mixed",
                       .cpu_s = net_s > TP_CPA_PREDICATE_LEAST_S ? net_s : TP_CPA_PREDICATE_LEAST_S,
                       .stats = env->stats,
                       .rlimit = env->solver_rlimit ? env->solver_rlimit : self->rlimit});
  tp_smt_assert(q->solver, tp_paths_query(&self->paths, block));
  for (size_t i = 0; i < q->preds->n; i++)
    if (is_open(q, i))
      tp_smt_assert(q->solver,
                    tp_paths_query(&self->paths, tp_mk_eq(self->tt, label(self, i), q->behind[i])));
}

/* Records the values of the labels in the model. */
static void use_model(query *q) {
  for (size_t i = 0; i < q->preds->n; i++) {
    tp_value v;
    if (!is_open(q, i) || !tp_smt_value(q->solver, label(q->self, i), &v)) continue;
    q->can[i] |= v.bits ? CAN_HOLD : CAN_FAIL;
  }
}

static tp_smt_answer check(query *q, tp_term block, const tp_term *assumptions, size_t n) {
  TP_REQUIRE(tp_term_is(block));
  if (remaining_s(q->self) <= 0) return TP_SMT_UNKNOWN;
  open_solver(q, block);
  tp_smt_answer a = tp_smt_check(q->solver, assumptions, n);
  if (a == TP_SMT_SAT) use_model(q);
  return a;
}

static bool has_run(query *q, tp_term part) {
  tp_term yes = tp_mk_true(q->self->tt);
  uint8_t known = cached(q, part, yes);
  if (known) return known & CAN_HOLD;
  tp_smt_answer a = check(q, part, NULL, 0);
  tp_map_set(&q->self->answers, key_of(part, yes), KNOWN | (a == TP_SMT_UNSAT ? 0 : CAN_HOLD));
  return a != TP_SMT_UNSAT;
}

/* Does some run take the block? */
static bool is_feasible(query *q) {
  bool all = !tp_is_false(q->self->tt, q->block);
  for (size_t i = 0; i < q->parts.parts.n && all; i++)
    all = tp_is_true(q->self->tt, q->parts.parts.at[i]) || has_run(q, q->parts.parts.at[i]);
  return all;
}

// --------------------------------------------------------------------- Cartesian

static void decide(query *q, size_t i) {
  TP_REQUIRE(i < q->preds->n && !(q->can[i] & KNOWN));
  tp_terms *tt = q->self->tt;
  for (int value = 0; value < 2; value++) {
    uint8_t bit = value ? CAN_HOLD : CAN_FAIL;
    if (q->can[i] & bit) continue;
    tp_term l = label(q->self, i), assumption = value ? l : tp_mk_not(tt, l);
    tp_smt_answer a = check(q, q->about[i], &assumption, 1);
    q->can[i] |=
        a == TP_SMT_UNSAT ? (bit ^ (CAN_HOLD | CAN_FAIL)) : bit;  // UNKNOWN counts as satisfiable
  }
  TP_INVARIANT(q->can[i] & (CAN_HOLD | CAN_FAIL));  // of a feasible block, one value is possible
  q->can[i] |= KNOWN;
  tp_map_set(&q->self->answers, key_of(q->about[i], q->behind[i]), q->can[i]);
}

/* First the queries to the open solver, then part by part. */
static void decide_all(query *q) {
  for (size_t i = 0; i < q->preds->n; i++)
    if (is_open(q, i)) decide(q, i);
  for (size_t i = 0; i < q->preds->n; i++)
    for (size_t k = q->can[i] & KNOWN ? q->preds->n : i; k < q->preds->n; k++)
      if (!(q->can[k] & KNOWN) && tp_term_eq(q->about[k], q->about[i])) decide(q, k);
}

/* The value that the kept part of the region implies for a predicate that the path does not change.
 */
static uint8_t implied_by_region(const query *q, size_t i, tp_bdd kept) {
  TP_REQUIRE(q->preds->at[i] < q->self->preds.n);
  tp_predicate *self = q->self;
  uint32_t number = q->preds->at[i];
  if (!tp_term_eq(q->behind[i], self->preds.at[number].settled)) return 0;
  tp_bdd var = tp_bdd_var(&self->bdds, number);
  if (tp_bdd_implies(&self->bdds, kept, var)) return KNOWN | CAN_HOLD;
  if (tp_bdd_is_false(tp_bdd_and(&self->bdds, kept, var))) return KNOWN | CAN_FAIL;
  return 0;
}

/* Answers without a query: by the region, constants, and cached answers. */
static void look_up(query *q, size_t i, const tp_path *path, tp_bdd kept) {
  tp_predicate *self = q->self;
  q->about[i] = q->block;
  q->behind[i] = tp_path_after(&self->paths, path, self->meaning.at[q->preds->at[i]]);
  q->can[i] = implied_by_region(q, i, kept);
  if (q->can[i] & KNOWN) return;
  if (self->abstraction != TP_ABSTRACTION_BOOLEAN) {
    q->behind[i] = tp_parts_meaning(&q->parts, q->behind[i]);
    q->about[i] = tp_parts_about(&q->parts, q->behind[i]);
  }
  if (tp_is_true(self->tt, q->behind[i]))
    q->can[i] = KNOWN | CAN_HOLD;
  else if (tp_is_false(self->tt, q->behind[i]))
    q->can[i] = KNOWN | CAN_FAIL;
  else
    q->can[i] = cached(q, q->about[i], q->behind[i]);
}

static tp_bdd decided(const query *q) {
  TP_VEC(tp_bdd_literal) cube = {0};
  for (size_t i = 0; i < q->preds->n; i++) {
    uint8_t can = q->can[i] & (CAN_HOLD | CAN_FAIL);
    if (can == CAN_HOLD || can == CAN_FAIL)
      tp_vec_push(&cube, (tp_bdd_literal){q->preds->at[i], can == CAN_HOLD});
  }
  tp_bdd f = tp_bdd_cube(&q->self->bdds, cube.at, cube.n);
  tp_vec_clear(&cube);
  return f;
}

// ----------------------------------------------------------------------- Boolean

static uint32_t sequence(tp_predicate *self, uint32_t before, uint32_t next) {
  uint64_t key = (uint64_t)before << 32 | next, found;
  if (tp_map_get(&self->sequences, key, &found)) return (uint32_t)found;
  tp_map_set(&self->sequences, key, self->sequences.n + 1);
  return (uint32_t)self->sequences.n;
}

/* The next model as a cube over what is open, and its negation over the labels. */
static tp_bdd next_cube(query *q, const tp_predicate_list *open, tp_term *not_again) {
  TP_REQUIRE(open->n > 0);
  tp_terms *tt = q->self->tt;
  TP_VEC(tp_bdd_literal) cube = {0};
  *not_again = tp_mk_false(tt);
  for (size_t k = 0; k < open->n; k++) {
    tp_term l = label(q->self, open->at[k]);
    tp_value v = {0};
    if (!tp_smt_value(q->solver, l, &v)) break;
    tp_vec_push(&cube, (tp_bdd_literal){q->preds->at[open->at[k]], v.bits != 0});
    *not_again = tp_mk_or(tt, *not_again, v.bits ? tp_mk_not(tt, l) : l);
  }
  tp_bdd f = cube.n == open->n ? tp_bdd_cube(&q->self->bdds, cube.at, cube.n) : (tp_bdd){0};
  tp_vec_clear(&cube);
  return f;
}

/* All combinations of what is open; TRUE if there are too many, or the solver gives up. */
static tp_bdd enumerate(query *q, const tp_predicate_list *open) {
  tp_bdd all = TP_BDD_FALSE;
  // A new solver: the first one has no labels for cached predicates.
  q->asked = TP_TERM_NONE;
  for (size_t k = 0; k < open->n; k++) q->can[open->at[k]] = 0;
  for (int n = 0; n <= TP_CPA_PREDICATE_CUBES; n++) {
    tp_term not_again;
    tp_smt_answer a = check(q, q->block, NULL, 0);
    if (a == TP_SMT_UNSAT) return all;
    tp_bdd cube = a == TP_SMT_SAT ? next_cube(q, open, &not_again) : (tp_bdd){0};
    if (!cube.id) return TP_BDD_TRUE;
    all = tp_bdd_or(&q->self->bdds, all, cube);
    tp_smt_assert(q->solver, not_again);
  }
  return TP_BDD_TRUE;
}

static tp_bdd combinations(query *q) {
  tp_predicate *self = q->self;
  tp_predicate_list open = {0};
  uint32_t s = sequence(self, 0, q->block.id);
  uint64_t found;
  for (size_t i = 0; i < q->preds->n; i++) {
    if ((q->can[i] & (CAN_HOLD | CAN_FAIL)) != (CAN_HOLD | CAN_FAIL)) continue;
    tp_vec_push(&open, (uint32_t)i);
    s = sequence(self, sequence(self, s, q->preds->at[i]), q->behind[i].id);
  }
  tp_bdd all = TP_BDD_TRUE;
  if (open.n < 2)
    all = TP_BDD_TRUE;
  else if (tp_map_get(&self->cubes, s, &found))
    all = (tp_bdd){(uint32_t)found};
  else
    tp_map_set(&self->cubes, s, (all = enumerate(q, &open)).id);
  tp_vec_clear(&open);
  return all;
}

// ------------------------------------------------------------------- abstraction

/* The region projected to the predicates that the path does not change, and of these to the ones of
 * the precision and those of callers. */
static tp_bdd unchanged_part(tp_predicate *self, const tp_region *from, const tp_path *path,
                             tp_context context, const tp_predicate_list *wanted) {
  TP_REQUIRE(from->bdd.id != 0);
  size_t n = self->preds.n;
  bool *in = TP_NEW_ARRAY(bool, n + 1), *drop = TP_NEW_ARRAY(bool, n + 1);
  tp_bdd_support(&self->bdds, from->bdd, in, n);
  for (uint32_t i = 0; i < n; i++)
    drop[i] = in[i] && !(tp_predicate_in_scope(self, i, context) &&
                         tp_predicate_is_callers(self, i, context));
  for (size_t k = 0; k < wanted->n; k++) drop[wanted->at[k]] = false;
  for (uint32_t i = 0; i < n; i++)
    if (in[i] && !drop[i])
      drop[i] = !tp_term_eq(tp_path_after(&self->paths, path, self->meaning.at[i]),
                            self->preds.at[i].settled);
  tp_bdd kept = tp_bdd_exists(&self->bdds, from->bdd, drop, n);
  tp_free(in);
  tp_free(drop);
  return kept;
}

static tp_bdd abstract_path(query *q, const tp_path *path, tp_bdd kept, tp_decision must_decide) {
  tp_predicate *self = q->self;
  size_t n = q->preds->n;
  q->behind = TP_NEW_ARRAY(tp_term, n + 1);
  q->about = TP_NEW_ARRAY(tp_term, n + 1);
  q->can = TP_NEW_ARRAY(uint8_t, n + 1);
  for (size_t i = 0; i < n; i++) look_up(q, i, path, kept);
  TP_INVARIANT(kept.id != 0);
  tp_bdd f = TP_BDD_FALSE;
  if ((n == 0 && must_decide == TP_DECIDE_IF_NEEDED) || is_feasible(q)) {
    decide_all(q);
    f = tp_bdd_and(&self->bdds, kept, decided(q));
    if (self->abstraction == TP_ABSTRACTION_BOOLEAN)
      f = tp_bdd_and(&self->bdds, f, combinations(q));
  }
  tp_free(q->behind);
  tp_free(q->about);
  tp_free(q->can);
  tp_smt_free(q->solver);
  return f;
}

tp_bdd tp_predicate_abstract(tp_predicate *self, const tp_region *from, const tp_path *path,
                             tp_block_end end, tp_decision must_decide) {
  TP_REQUIRE(end.loc.id && end.context.id);
  tp_predicate_list wanted = {0};
  if (self->abstraction != TP_ABSTRACTION_NONE)
    tp_predicate_collect(self, end.loc, end.context, end.transferred, &wanted);
  tp_term block = tp_mk_and(self->tt, tp_predicate_bdd_term(self, from->bdd),
                            tp_path_condition(&self->paths, path));
  query q = {.self = self, .block = block, .preds = &wanted};
  tp_bdd f = TP_BDD_FALSE;
  if (self->abstraction == TP_ABSTRACTION_BOOLEAN)
    tp_vec_push(&q.parts.parts, block);
  else
    tp_parts_init(&q.parts, &self->paths, block);
  if (!tp_is_false(self->tt, block))
    f = abstract_path(&q, path, unchanged_part(self, from, path, end.context, &wanted),
                      must_decide);
  tp_parts_clear(&q.parts);
  tp_vec_clear(&wanted);
  return f;
}

tp_term tp_predicate_bdd_term(tp_predicate *self, tp_bdd f) {
  TP_REQUIRE(f.id != 0);
  uint64_t found;
  if (tp_map_get(&self->formulas, f.id, &found)) return (tp_term){(uint32_t)found};
  tp_term t = tp_bdd_term(&self->bdds, self->tt, f, self->meaning.at);
  tp_map_set(&self->formulas, f.id, t.id);
  return t;
}

// -------------------------------------------------------------- formulas as BDDs

typedef struct {
  tp_predicate *self;
  bool is_weaker;  // something was left out, as TRUE
} reader;

/* As deep as formulas of refinements nest. */
static tp_bdd read_formula(reader *r, tp_term t) {
  tp_predicate *self = r->self;
  tp_terms *tt = self->tt;
  tp_bdds *b = &self->bdds;
  uint32_t number;
  if (tp_is_true(tt, t)) return TP_BDD_TRUE;
  if (tp_is_false(tt, t)) return TP_BDD_FALSE;
  tp_term_kind k = tp_kind(tt, t);
  if (k == TP_OP_NOT) return tp_bdd_not(b, read_formula(r, tp_arg(tt, t, 0)));
  if (k == TP_OP_AND || k == TP_OP_OR) {
    tp_bdd x = read_formula(r, tp_arg(tt, t, 0)), y = read_formula(r, tp_arg(tt, t, 1));
    return k == TP_OP_AND ? tp_bdd_and(b, x, y) : tp_bdd_or(b, x, y);
  }
  if (k == TP_OP_ITE) {
    tp_bdd c = read_formula(r, tp_arg(tt, t, 0)), x = read_formula(r, tp_arg(tt, t, 1)),
           y = read_formula(r, tp_arg(tt, t, 2));
    return tp_bdd_ite(b, c, x, y);
  }
  if (tp_predicate_number(self, t, &number)) return tp_bdd_var(b, number);
  r->is_weaker = true;
  return TP_BDD_TRUE;
}

/* A conjunct with an inexpressible part is left out as a whole: below a negation, TRUE for the part
 * would be stronger. */
tp_bdd tp_predicate_of_formula(tp_predicate *self, tp_term formula) {
  TP_REQUIRE(tp_sort_kind_of(self->tt, tp_sort_of(self->tt, formula)) == TP_SORT_BOOL);
  tp_term_list parts = {0};
  tp_bdd all = TP_BDD_TRUE;
  tp_conjuncts(self->tt, formula, &parts);
  for (size_t i = 0; i < parts.n; i++) {
    reader r = {self, false};
    tp_bdd f = read_formula(&r, parts.at[i]);
    if (!r.is_weaker) all = tp_bdd_and(&self->bdds, all, f);
  }
  tp_vec_clear(&parts);
  return all;
}
