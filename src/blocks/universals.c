/* One question for all candidates behind a block: a model drops those that it violates, until no
 * model is left; only where the solver gives up each is asked alone. Premises are instances, so
 * questions have neither quantifiers nor arrays but those of the state before the block. The
 * questions of a block go to one solver, which reads its premises once: later ones assume fewer. */
#include "blocks/universals.h"

#include "blocks/blocks_limits.h"
#include "blocks/index_cases.h"
#include "blocks/universal_instances.h"
#include "smt/radix.h"
#include "smt/smt.h"
#include "term/rewrite.h"

// -------------------------------------------------------------------- candidates

void tp_universals_init(tp_universals *u, const tp_blocks *b) {
  *u = (tp_universals){.b = b};
  u->at = TP_NEW_ARRAY(struct tp_universal_list, b->nodes.n);
  u->is_hard = TP_NEW_ARRAY(bool, b->list.n + 1);
  u->is_slow = TP_NEW_ARRAY(bool, b->list.n + 1);
  tp_folds_init(&u->folds, b);
}

void tp_universals_clear(tp_universals *u) {
  for (uint32_t n = 0; u->b && n < u->b->nodes.n; n++) tp_vec_clear(&u->at[n].list);
  tp_free(u->at);
  tp_free(u->is_hard);
  tp_free(u->is_slow);
  tp_vec_clear(&u->indices);
  tp_map_clear(&u->index_of);
  tp_folds_clear(&u->folds);
  tp_known_words_clear(&u->words);
  *u = (tp_universals){0};
}

void tp_universals_know(tp_universals *u, const tp_term *known) {
  tp_known_words_clear(&u->words);
  tp_known_words_init(&u->words, u->b, known);
}

tp_term tp_universal_index(tp_universals *u, uint32_t slot, tp_sort sort) {
  TP_REQUIRE(slot < TP_INDICES);
  tp_terms *tt = u->b->paths->tt;
  uint64_t known, key = (uint64_t)slot << 32 | sort.id;
  if (tp_map_get(&u->index_of, key, &known)) return (tp_term){(uint32_t)known};
  tp_term symbol = tp_mk_var(tt, "index", sort);
  tp_map_set(&u->index_of, key, symbol.id);
  tp_vec_push(&u->indices, symbol);
  return symbol;
}

static tp_term closed(const tp_universals *u, tp_term open) {
  tp_terms *tt = u->b->paths->tt;
  for (size_t i = 0; i < u->indices.n; i++) {
    tp_term symbol = u->indices.at[i];
    if (!tp_occurs(tt, symbol, open)) continue;
    tp_term bound = tp_mk_bound(tt, (uint32_t)i, tp_sort_of(tt, symbol));
    open = tp_mk_quantifier(tt, TP_OP_FORALL, (uint32_t)i, tp_replace(tt, open, symbol, bound));
  }
  return open;
}

static void add_candidate(tp_universals *u, uint32_t node, tp_term range, tp_term open) {
  TP_REQUIRE(node < u->b->nodes.n);
  const tp_blocks *b = u->b;
  struct tp_universal_list *l = &u->at[node];
  if (node == 0 || tp_block_node_is_bad(b, node) || tp_is_true(b->paths->tt, open) ||
      tp_is_false(b->paths->tt, open))
    return;
  for (size_t i = 0; i < l->list.n; i++)
    if (tp_term_eq(l->list.at[i].open, open)) {
      l->list.at[i].is_left = !l->list.at[i].is_contradicted;
      return;
    }
  tp_term t = closed(u, open);
  if (l->list.n < TP_BLOCKS_UNIVERSAL_SUGGESTIONS && tp_folds_may_say(&u->folds, node, t))
    tp_vec_push(&l->list, ((tp_universal_candidate){
                              .open = open, .range = range, .closed = t, .is_left = true}));
}

void tp_universals_add(tp_universals *u, uint32_t node, tp_term open) {
  add_candidate(u, node, tp_mk_true(u->b->paths->tt), open);
}

void tp_universals_add_in(tp_universals *u, uint32_t node, tp_term range, tp_term body) {
  add_candidate(u, node, range, tp_mk_implies(u->b->paths->tt, range, body));
}

/* What was proved was proved together. */
static void forget_proofs(tp_universals *u) {
  for (uint32_t n = 0; n < u->b->nodes.n; n++)
    for (size_t i = 0; i < u->at[n].list.n; i++) u->at[n].list.at[i].is_proved = false;
}

void tp_universals_drop(tp_universals *u) {
  forget_proofs(u);
  for (uint32_t n = 0; n < u->b->nodes.n; n++)
    for (size_t i = 0; i < u->at[n].list.n; i++) u->at[n].list.at[i].is_left = false;
}

void tp_universals_trim(tp_universals *u) {
  for (uint32_t n = 0; n < u->b->nodes.n; n++) {
    size_t left = 0;
    for (size_t i = 0; i < u->at[n].list.n; i++) left += u->at[n].list.at[i].is_proved;
    for (size_t i = 0; i < u->at[n].list.n; i++) {
      tp_universal_candidate *c = &u->at[n].list.at[i];
      if (c->is_proved) continue;
      c->is_left = c->is_left && left < TP_BLOCKS_UNIVERSAL_CANDIDATES;
      left += c->is_left;
    }
  }
}

// ------------------------------------------------------------------------- prune

/* What is asked of a block: its solver, with all that does not depend on candidates. */
typedef struct {
  tp_smt *solver;         // NULL: not made yet
  tp_term_list premises;  // by candidate at the start: it and its instances; NONE: none
  bool is_settled;        // the block is never taken: no question is left
} asking;

typedef struct {
  tp_universals *u;
  const tp_blocks *b;
  tp_paths *x;
  tp_terms *tt;
  const tp_term *known;
  tp_houdini_options o;
  bool *is_dirty;  // by block
  asking *asked;   // by block
  uint32_t n_solvers;
  tp_term_list assumptions;  // of the question at hand
  bool is_stopped;
} pruning;

static bool out_of_time(pruning *h) {
  if ((h->o.until_s > 0 && tp_cpu_s() >= h->o.until_s) ||
      (h->o.should_stop && h->o.should_stop(h->o.ctx)))
    h->is_stopped = true;
  return h->is_stopped;
}

/* t, over the state before the block, in the words of what is known there. */
static tp_term in_words(const pruning *h, size_t i, tp_term t) {
  return tp_known_words_of(&h->u->words, h->b->list.at[i].from, tp_paths_flat(h->x, t));
}

/* A candidate behind the block, in words of the state before it. */
static tp_term behind(const pruning *h, size_t i, tp_term open) {
  const tp_term said = in_words(h, i, tp_folds_after(&h->u->folds, &h->b->list.at[i].path, open));
  return tp_index_cases(h->tt, said, h->u->indices.at, h->u->indices.n);
}

static tp_term block_facts(const pruning *h, size_t i, tp_term t) {
  return in_words(h, i, tp_paths_block_facts(h->x, t));
}

/* What is left of the candidates at the node. */
static void candidates_left(const pruning *h, uint32_t node, tp_term_list *bodies,
                            tp_term_list *numbers) {
  for (uint32_t j = 0; j < h->u->at[node].list.n; j++)
    if (h->u->at[node].list.at[j].is_left) {
      tp_vec_push(bodies, tp_known_words_of(&h->u->words, node,
                                            tp_paths_flat(h->x, h->u->at[node].list.at[j].open)));
      tp_vec_push(numbers, (tp_term){j});
    }
}

/* The block is taken from a state of which what is known holds. */
static tp_term taken(const pruning *h, size_t i) {
  const tp_block *k = &h->b->list.at[i];
  tp_term all = tp_mk_and(h->tt, tp_path_condition(h->x, &k->path), h->known[k->from]);
  if (!tp_block_node_is_bad(h->b, k->to))
    all = tp_mk_and(h->tt, all, tp_path_after(h->x, &k->path, h->known[k->to]));
  const tp_term said = in_words(h, i, all);
  if (!h->u->words.n) return said;
  return tp_mk_and(h->tt, said, tp_known_words_apart(&h->u->words, k->from));
}

/* The same, and then `violated`. */
static tp_term question(const pruning *h, size_t i, tp_term violated) {
  const tp_term all = tp_mk_and(h->tt, taken(h, i), violated);
  return tp_mk_and(h->tt, all, block_facts(h, i, all));
}

static bool is_equation(void *ctx, const tp_terms *tt, tp_term t) {
  (void)ctx;
  return tp_kind(tt, t) == TP_OP_EQ &&
         tp_sort_kind_of(tt, tp_sort_of(tt, tp_arg(tt, t, 0))) == TP_SORT_BV;
}

/* What rows and columns say: of equations in the question, and of places that are read in it. */
static tp_term radix_facts(const pruning *h, tp_term flat) {
  tp_terms *tt = h->tt;
  tp_term_list equations = {0}, reads = {0};
  tp_term facts = tp_mk_true(tt);
  tp_collect_terms(tt, flat, is_equation, NULL, &equations);
  tp_instances_reads(h->u, flat, &reads);
  for (size_t i = 0; i < reads.n; i++)
    for (size_t j = 0; j < i && equations.n < TP_BLOCKS_UNIVERSAL_EQUATIONS; j++)
      if (tp_term_eq(tp_arg(tt, reads.at[i], 0), tp_arg(tt, reads.at[j], 0)))
        tp_vec_push(&equations, tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OFF, tp_arg(tt, reads.at[i], 1)),
                                         tp_mk1(tt, TP_OP_PTR_OFF, tp_arg(tt, reads.at[j], 1))));
  for (size_t i = 0; i < equations.n && i < TP_BLOCKS_UNIVERSAL_EQUATIONS; i++)
    facts = tp_mk_and(tt, facts, tp_radix_clauses(tt, equations.at[i]));
  tp_vec_clear(&equations);
  tp_vec_clear(&reads);
  return facts;
}

static tp_smt *solver_of(const pruning *h) {
  return tp_smt_new(h->tt, (tp_smt_options){.backend = h->o.backend ? h->o.backend : "mixed",
                                            .rlimit = TP_BLOCKS_UNIVERSAL_RLIMIT,
                                            .cpu_s = TP_BLOCKS_HOUDINI_S,
                                            .stats = h->o.stats});
}

/* Is the formula true of all states in which the block is taken, whatever is left of candidates? */
static bool is_valid_along(void *ctx, size_t i, tp_term formula) {
  const pruning *h = ctx;
  const tp_term all =
      tp_paths_query(h->x, question(h, i, in_words(h, i, tp_mk_not(h->tt, formula))));
  if (tp_is_false(h->tt, all)) return true;
  tp_smt *solver = solver_of(h);
  tp_smt_assert(solver, all);
  tp_smt_assert(solver, radix_facts(h, all));
  const bool is = tp_smt_check(solver, NULL, 0) == TP_SMT_UNSAT;
  tp_smt_free(solver);
  return is;
}

/* Instances of the bodies for the question; what is true of the folds that they read. */
static tp_term find_premises(pruning *h, size_t i, const tp_term_list *bodies, tp_term all,
                             tp_instances *out) {
  tp_instances_find(h->u, bodies, all, out);
  if (!h->u->folds.list.n) return tp_mk_true(h->tt);
  tp_term said = all;
  for (size_t j = 0; j < bodies->n; j++) said = tp_mk_and(h->tt, said, bodies->at[j]);
  for (size_t j = 0; j < out->terms.n; j++) said = tp_mk_and(h->tt, said, out->terms.at[j]);
  const tp_term facts = in_words(h, i, tp_folds_facts(&h->u->folds, i, said, is_valid_along, h));
  if (tp_is_true(h->tt, facts)) return facts;
  out->terms.n = out->owners.n = 0;
  tp_instances_find(h->u, bodies, tp_mk_and(h->tt, all, facts), out);
  return facts;
}

/* Each body with its instances. */
static void join_instances(const pruning *h, const tp_instances *l, tp_term_list *bodies) {
  for (size_t j = 0; j < l->terms.n; j++) {
    tp_term *body = &bodies->at[l->owners.at[j]];
    *body = tp_mk_and(h->tt, *body, l->terms.at[j]);
  }
}

/* Is there a state at the block's start, of which all is known that is left, from which the block
 * is taken and `violated` holds? The solver is the caller's, with the model. */
static tp_smt_answer ask(pruning *h, size_t i, tp_term violated, tp_smt **solver) {
  tp_term_list bodies = {0}, numbers = {0};
  tp_instances l = {0};
  tp_term all = question(h, i, violated);
  *solver = NULL;
  if (tp_is_false(h->tt, all)) return TP_SMT_UNSAT;
  candidates_left(h, h->b->list.at[i].from, &bodies, &numbers);
  all = tp_mk_and(h->tt, all, find_premises(h, i, &bodies, all, &l));
  for (size_t j = 0; j < bodies.n; j++) all = tp_mk_and(h->tt, all, bodies.at[j]);
  for (size_t j = 0; j < l.terms.n; j++) all = tp_mk_and(h->tt, all, l.terms.at[j]);
  tp_instances_clear(&l);
  tp_vec_clear(&bodies);
  tp_vec_clear(&numbers);
  if (tp_is_false(h->tt, all)) return TP_SMT_UNSAT;
  *solver = solver_of(h);
  all = tp_paths_query(h->x, all);
  tp_smt_assert(*solver, all);
  tp_smt_assert(*solver, radix_facts(h, all));
  return tp_smt_check(*solver, NULL, 0);
}

/* A solver for the questions about the block of which `violated` is the first, and the premises
 * that they have. */
static void begin_asking(pruning *h, size_t i, tp_term violated) {
  asking *a = &h->asked[i];
  const tp_block *k = &h->b->list.at[i];
  tp_term_list bodies = {0}, numbers = {0};
  tp_instances l = {0};
  const tp_term base = taken(h, i);
  tp_term all = tp_mk_and(h->tt, base, violated);
  a->is_settled = tp_is_false(h->tt, base);
  if (a->is_settled) return;
  tp_term facts = block_facts(h, i, all);
  all = tp_mk_and(h->tt, all, facts);
  candidates_left(h, k->from, &bodies, &numbers);
  const tp_term about_folds = find_premises(h, i, &bodies, all, &l);
  facts = tp_mk_and(h->tt, facts, about_folds);
  all = tp_mk_and(h->tt, all, about_folds);
  join_instances(h, &l, &bodies);
  a->premises.n = 0;
  for (size_t j = 0; j < h->u->at[k->from].list.n; j++) tp_vec_push(&a->premises, TP_TERM_NONE);
  for (size_t j = 0; j < bodies.n; j++) {
    all = tp_mk_and(h->tt, all, bodies.at[j]);
    a->premises.at[numbers.at[j].id] = tp_paths_query(h->x, bodies.at[j]);
  }
  a->solver = solver_of(h);
  h->n_solvers++;
  tp_smt_assert(a->solver, tp_paths_query(h->x, tp_mk_and(h->tt, base, facts)));
  tp_smt_assert(a->solver, radix_facts(h, tp_paths_query(h->x, all)));
  tp_instances_clear(&l);
  tp_vec_clear(&bodies);
  tp_vec_clear(&numbers);
}

static void end_asking(pruning *h, size_t i) {
  asking *a = &h->asked[i];
  if (a->solver) tp_smt_free(a->solver), h->n_solvers--;
  tp_vec_clear(&a->premises);
  *a = (asking){0};
}

/* As `ask`, of candidates of which there were more before; the solver stays the block's. */
static tp_smt_answer ask_again(pruning *h, size_t i, tp_term violated) {
  asking *a = &h->asked[i];
  const uint32_t from = h->b->list.at[i].from;
  if (!a->solver && !a->is_settled) begin_asking(h, i, violated);
  if (a->is_settled) return TP_SMT_UNSAT;
  h->assumptions.n = 0;
  for (size_t j = 0; j < a->premises.n; j++)
    if (tp_term_is(a->premises.at[j]) && h->u->at[from].list.at[j].is_left)
      tp_vec_push(&h->assumptions, a->premises.at[j]);
  tp_vec_push(&h->assumptions, tp_paths_query(h->x, violated));
  return tp_smt_check(a->solver, h->assumptions.at, h->assumptions.n);
}

static void drop(pruning *h, uint32_t node, size_t candidate) {
  h->u->at[node].list.at[candidate].is_left = false;
  for (uint32_t i = h->b->first.at[node]; i < h->b->first.at[node + 1]; i++) h->is_dirty[i] = true;
}

/* Is the candidate left and not yet proved? */
static bool is_asked(const pruning *h, uint32_t node, size_t candidate) {
  const tp_universal_candidate *c = &h->u->at[node].list.at[candidate];
  return c->is_left && !c->is_proved;
}

/* Drops what the model violates behind the block. */
static bool drop_violated(pruning *h, size_t i, const tp_term *after, tp_smt *solver) {
  const tp_block *k = &h->b->list.at[i];
  bool some = false;
  for (size_t j = 0; j < h->u->at[k->to].list.n; j++) {
    tp_value v;
    if (!is_asked(h, k->to, j) || !tp_smt_value(solver, tp_mk_not(h->tt, after[j]), &v) || !v.bits)
      continue;
    drop(h, k->to, j);
    some = true;
  }
  return some;
}

static void clean_one_by_one(pruning *h, size_t i, const tp_term *after, bool *is_kept) {
  const tp_block *k = &h->b->list.at[i];
  for (size_t j = 0; j < h->u->at[k->to].list.n && !out_of_time(h); j++) {
    if (!is_asked(h, k->to, j) || is_kept[j]) continue;
    tp_smt *solver;
    const tp_smt_answer a = ask(h, i, tp_mk_not(h->tt, after[j]), &solver);
    if (a == TP_SMT_SAT) (void)drop_violated(h, i, after, solver);
    if (solver) tp_smt_free(solver);
    is_kept[j] = a == TP_SMT_UNSAT;
    if (!is_kept[j] && h->u->at[k->to].list.at[j].is_left) drop(h, k->to, j);
  }
}

/* All candidates behind the block at once, but where that was too much of a question before. What
 * is too much beside other premises may be answered by a solver of its own. */
static tp_smt_answer ask_all(pruning *h, size_t i, const tp_term *after, bool *some) {
  const tp_block *k = &h->b->list.at[i];
  tp_term violated = tp_mk_false(h->tt);
  tp_smt_answer a = TP_SMT_UNKNOWN;
  *some = false;
  for (size_t j = 0; j < h->u->at[k->to].list.n; j++)
    if (is_asked(h, k->to, j)) violated = tp_mk_or(h->tt, violated, tp_mk_not(h->tt, after[j]));
  if (tp_is_false(h->tt, violated)) return TP_SMT_UNSAT;
  if (h->u->is_hard[i]) return TP_SMT_UNKNOWN;
  if (!h->u->is_slow[i]) {
    a = ask_again(h, i, violated);
    if (a == TP_SMT_SAT) *some = drop_violated(h, i, after, h->asked[i].solver);
    h->u->is_slow[i] = a == TP_SMT_UNKNOWN;
    if (h->u->is_slow[i] || h->n_solvers > TP_BLOCKS_HOUDINI_SOLVERS) end_asking(h, i);
    if (a != TP_SMT_UNKNOWN || out_of_time(h)) return a;
  }
  tp_smt *solver;
  a = ask(h, i, violated, &solver);
  if (a == TP_SMT_SAT) *some = drop_violated(h, i, after, solver);
  if (solver) tp_smt_free(solver);
  h->u->is_hard[i] |= a == TP_SMT_UNKNOWN;
  return a;
}

static void clean(pruning *h, size_t i) {
  const tp_block *k = &h->b->list.at[i];
  const size_t n = h->u->at[k->to].list.n;
  tp_term *after = TP_NEW_ARRAY(tp_term, n + 1);
  bool *is_kept = TP_NEW_ARRAY(bool, n + 1), some = true;
  tp_smt_answer a = TP_SMT_UNKNOWN;
  for (size_t j = 0; j < n; j++)
    if (h->u->at[k->to].list.at[j].is_left)
      after[j] = behind(h, i, h->u->at[k->to].list.at[j].open);
  h->is_dirty[i] = false;
  while (some && !out_of_time(h)) {
    a = ask_all(h, i, after, &some);
    if (a != TP_SMT_UNSAT && !some) clean_one_by_one(h, i, after, is_kept);
  }
  // the last answer is about what is left, whatever was dropped before
  if (a == TP_SMT_UNSAT) h->is_dirty[i] = false;
  tp_free(after);
  tp_free(is_kept);
}

static pruning begin(tp_universals *u, const tp_term *known, tp_houdini_options o) {
  return (pruning){.u = u,
                   .b = u->b,
                   .x = u->b->paths,
                   .tt = u->b->paths->tt,
                   .known = known,
                   .o = o,
                   .is_dirty = TP_NEW_ARRAY(bool, u->b->list.n + 1),
                   .asked = TP_NEW_ARRAY(asking, u->b->list.n + 1)};
}

static void end(pruning *h) {
  for (size_t i = 0; i < h->b->list.n; i++) end_asking(h, i);
  TP_INVARIANT(h->n_solvers == 0);
  tp_free(h->asked);
  tp_free(h->is_dirty);
  tp_vec_clear(&h->assumptions);
}

static void note_proofs(tp_universals *u) {
  for (uint32_t n = 0; n < u->b->nodes.n; n++)
    for (size_t i = 0; i < u->at[n].list.n; i++)
      u->at[n].list.at[i].is_proved = u->at[n].list.at[i].is_left;
}

bool tp_universals_prune(tp_universals *u, const tp_term *known, tp_houdini_options o) {
  pruning h = begin(u, known, o);
  bool some = true;
  for (size_t i = 0; i < h.b->list.n; i++)
    h.is_dirty[i] = !tp_block_node_is_bad(h.b, h.b->list.at[i].to);
  while (some && !h.is_stopped) {
    some = false;
    for (size_t i = 0; i < h.b->list.n && !h.is_stopped; i++) {
      if (!h.is_dirty[i] || tp_block_node_is_bad(h.b, h.b->list.at[i].to)) continue;
      some = true;
      clean(&h, i);
    }
  }
  end(&h);
  if (!h.is_stopped) note_proofs(u);
  return !h.is_stopped;
}

bool tp_universals_exclude_errors(tp_universals *u, const tp_term *known, tp_houdini_options o) {
  pruning h = begin(u, known, o);
  bool ok = true;
  for (size_t i = 0; i < h.b->list.n && ok && !out_of_time(&h); i++) {
    tp_smt *solver;
    if (!tp_block_node_is_bad(h.b, h.b->list.at[i].to)) continue;
    ok = ask(&h, i, tp_mk_true(h.tt), &solver) == TP_SMT_UNSAT;
    if (solver) tp_smt_free(solver);
  }
  end(&h);
  return ok && !h.is_stopped;
}

size_t tp_universals_n_left(const tp_universals *u) {
  size_t n = 0;
  for (uint32_t node = 0; node < u->b->nodes.n; node++)
    for (size_t i = 0; i < u->at[node].list.n; i++) n += u->at[node].list.at[i].is_left;
  return n;
}

bool tp_universals_prove(tp_universals *u, const tp_term *known, tp_houdini_options o) {
  size_t before;
  do {
    before = tp_universals_n_left(u);
    forget_proofs(u);
    if (!tp_universals_prune(u, known, o)) return false;
  } while (tp_universals_n_left(u) < before);
  return tp_universals_exclude_errors(u, known, o);
}

// ------------------------------------------------------------------------ needed

typedef struct {
  pruning h;
  bool **needed;  // by node and candidate
  bool **asked;   // by block and candidate behind it: what it needs is marked
} needing;

/* Marks candidates at the block's start from which `violated` does not follow. False: the solver
 * does not say which. */
static bool mark(needing *x, size_t i, tp_term violated) {
  pruning *h = &x->h;
  const uint32_t from = h->b->list.at[i].from;
  tp_term_list bodies = {0}, numbers = {0}, core = {0};
  tp_instances l = {0};
  tp_term all = question(h, i, violated);
  if (tp_is_false(h->tt, all)) return true;
  candidates_left(h, from, &bodies, &numbers);
  all = tp_mk_and(h->tt, all, find_premises(h, i, &bodies, all, &l));
  join_instances(h, &l, &bodies);
  tp_term said = all;
  for (size_t j = 0; j < bodies.n; j++) said = tp_mk_and(h->tt, said, bodies.at[j]);
  for (size_t j = 0; j < bodies.n; j++) bodies.at[j] = tp_paths_query(h->x, bodies.at[j]);
  tp_smt *solver = solver_of(h);
  tp_smt_assert(solver, tp_paths_query(h->x, all));
  tp_smt_assert(solver, radix_facts(h, tp_paths_query(h->x, said)));
  const bool ok = tp_smt_check(solver, bodies.at, bodies.n) == TP_SMT_UNSAT;
  for (size_t j = 0; j < bodies.n && ok; j++) tp_vec_push(&core, TP_TERM_NONE);
  core.n = ok ? tp_smt_core(solver, core.at) : 0;
  for (size_t c = 0; c < core.n; c++) {
    size_t j = 0;  // the first of those that say the same
    while (j < bodies.n && !tp_term_eq(core.at[c], bodies.at[j])) j++;
    if (j == bodies.n || x->needed[from][numbers.at[j].id]) continue;
    x->needed[from][numbers.at[j].id] = true;
    for (size_t b = 0; b < h->b->list.n; b++)
      if (h->b->list.at[b].to == from) h->is_dirty[b] = true;
  }
  tp_smt_free(solver);
  tp_instances_clear(&l);
  tp_vec_clear(&bodies);
  tp_vec_clear(&numbers);
  tp_vec_clear(&core);
  return ok;
}

static tp_term violated_behind(const needing *x, size_t i, size_t candidate) {
  const uint32_t to = x->h.b->list.at[i].to;
  return tp_mk_not(x->h.tt, behind(&x->h, i, x->h.u->at[to].list.at[candidate].open));
}

/* Marks what a block needs for what is needed behind it: for all of it at once, or where that is
 * too much of a question, for each. */
static bool mark_for_block(needing *x, size_t i) {
  const tp_block *k = &x->h.b->list.at[i];
  const size_t n = x->h.u->at[k->to].list.n;
  tp_term_list violated = {0};
  tp_term any = tp_mk_false(x->h.tt);
  for (size_t j = 0; j < n; j++) {
    if (!x->needed[k->to][j] || x->asked[i][j]) continue;
    x->asked[i][j] = true;
    tp_vec_push(&violated, violated_behind(x, i, j));
    any = tp_mk_or(x->h.tt, any, violated_behind(x, i, j));
  }
  x->h.is_dirty[i] = false;
  bool ok = violated.n == 0 || (!x->h.u->is_hard[i] && mark(x, i, any));
  if (!ok && (violated.n > 1 || x->h.u->is_hard[i])) {
    ok = x->h.u->is_hard[i] = true;
    for (size_t j = 0; j < violated.n && ok; j++)
      ok = mark(x, i, violated.at[j]) && !out_of_time(&x->h);
  }
  tp_vec_clear(&violated);
  return ok;
}

static bool mark_all(needing *x) {
  bool ok = true, some = true;
  for (size_t i = 0; i < x->h.b->list.n && ok; i++)
    if (tp_block_node_is_bad(x->h.b, x->h.b->list.at[i].to))
      ok = mark(x, i, tp_mk_true(x->h.tt)) && !out_of_time(&x->h);
  while (some && ok) {
    some = false;
    for (size_t i = 0; i < x->h.b->list.n && ok; i++)
      if (x->h.is_dirty[i]) {
        some = true;
        ok = mark_for_block(x, i) && !out_of_time(&x->h);
      }
  }
  return ok;
}

static void keep_needed(const tp_universals *u, bool **needed) {
  for (uint32_t n = 0; n < u->b->nodes.n; n++)
    for (size_t j = 0; j < u->at[n].list.n; j++) u->at[n].list.at[j].is_left &= needed[n][j];
}

bool tp_universals_shrink(tp_universals *u, const tp_term *known, tp_houdini_options o) {
  needing x = {.h = begin(u, known, o),
               .needed = TP_NEW_ARRAY(bool *, u->b->nodes.n),
               .asked = TP_NEW_ARRAY(bool *, u->b->list.n)};
  for (size_t i = 0; i < u->b->list.n; i++)
    x.asked[i] = TP_NEW_ARRAY(bool, u->at[u->b->list.at[i].to].list.n + 1);
  bool **before = TP_NEW_ARRAY(bool *, u->b->nodes.n);
  for (uint32_t n = 0; n < u->b->nodes.n; n++) {
    x.needed[n] = TP_NEW_ARRAY(bool, u->at[n].list.n + 1);
    before[n] = TP_NEW_ARRAY(bool, u->at[n].list.n + 1);
    for (size_t j = 0; j < u->at[n].list.n; j++) before[n][j] = u->at[n].list.at[j].is_left;
  }
  const bool ok = mark_all(&x);
  if (ok) keep_needed(u, x.needed);
  // an instance may have been found by what another candidate said: then nothing is dropped
  const bool is_enough = ok && tp_universals_prove(u, known, o);
  for (uint32_t n = 0; n < u->b->nodes.n; n++) {
    for (size_t j = 0; j < u->at[n].list.n && !is_enough; j++)
      u->at[n].list.at[j].is_left = before[n][j];
    tp_free(x.needed[n]);
    tp_free(before[n]);
  }
  for (size_t i = 0; i < u->b->list.n; i++) tp_free(x.asked[i]);
  tp_free(x.asked);
  tp_free(x.needed);
  tp_free(before);
  end(&x.h);
  return is_enough;
}
