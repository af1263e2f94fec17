/* One question for all candidates behind a block: a model drops those that it violates, until no
 * model is left; only where the solver gives up each is asked alone. Premises are instances, so
 * questions have neither quantifiers nor arrays but those of the state before the block. */
#include "blocks/universals.h"

#include "blocks/blocks_limits.h"
#include "program/cells.h"
#include "smt/radix.h"
#include "smt/smt.h"
#include "term/rewrite.h"

// -------------------------------------------------------------------- candidates

void tp_universals_init(tp_universals *u, const tp_blocks *b) {
  *u = (tp_universals){.b = b};
  u->at = TP_NEW_ARRAY(struct tp_universal_list, b->nodes.n);
  u->is_hard = TP_NEW_ARRAY(bool, b->list.n + 1);
  tp_folds_init(&u->folds, b);
}

void tp_universals_clear(tp_universals *u) {
  for (uint32_t n = 0; u->b && n < u->b->nodes.n; n++) tp_vec_clear(&u->at[n].list);
  tp_free(u->at);
  tp_free(u->is_hard);
  tp_vec_clear(&u->indices);
  tp_map_clear(&u->index_of);
  tp_folds_clear(&u->folds);
  *u = (tp_universals){0};
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

static bool is_index(const tp_universals *u, tp_term t) {
  for (size_t i = 0; i < u->indices.n; i++)
    if (tp_term_eq(u->indices.at[i], t)) return true;
  return false;
}

static bool has_index(const tp_universals *u, tp_term t) {
  for (size_t i = 0; i < u->indices.n; i++)
    if (tp_occurs(u->b->paths->tt, u->indices.at[i], t)) return true;
  return false;
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
    tp_vec_push(&l->list, ((tp_universal_candidate){open, range, t, true, false, false}));
}

void tp_universals_add(tp_universals *u, uint32_t node, tp_term open) {
  add_candidate(u, node, tp_mk_true(u->b->paths->tt), open);
}

void tp_universals_add_in(tp_universals *u, uint32_t node, tp_term range, tp_term body) {
  add_candidate(u, node, range, tp_mk_implies(u->b->paths->tt, range, body));
}

void tp_universals_drop(tp_universals *u) {
  for (uint32_t n = 0; n < u->b->nodes.n; n++)
    for (size_t i = 0; i < u->at[n].list.n; i++) u->at[n].list.at[i].is_left = false;
}

void tp_universals_trim(tp_universals *u) {
  for (uint32_t n = 0; n < u->b->nodes.n; n++) {
    size_t left = 0;
    for (size_t i = 0; i < u->at[n].list.n; i++) {
      bool *is_left = &u->at[n].list.at[i].is_left;
      *is_left = *is_left && left < TP_BLOCKS_UNIVERSAL_CANDIDATES;
      left += *is_left;
    }
  }
}

// --------------------------------------------------------------------- instances

/* A coefficient of a sum modulo 2^width as a signed number. */
static int64_t as_signed(tp_u128 c, uint32_t width) {
  return (int64_t)((uint64_t)c << (64 - width)) >> (64 - width);
}

/* An index in a pattern's offset: factor * (symbol * inner + constant), where the parentheses may
 * be extended. */
typedef struct {
  tp_term symbol;
  uint64_t factor;
  int64_t inner, constant;
} position;

/* Is t = symbol * inner + constant for an index symbol? */
static bool is_moved_index(const tp_universals *u, tp_term t, position *out) {
  const tp_terms *tt = u->b->paths->tt;
  tp_linear l;
  tp_linear_init(&l, tp_width(tt, t));
  if (l.width > 64 || !tp_linear_add(tt, &l, t, 1) || l.n != 1 || !is_index(u, l.m[0].base))
    return false;
  *out = (position){.symbol = l.m[0].base,
                    .inner = as_signed(l.m[0].coefficient, l.width),
                    .constant = as_signed(l.constant, l.width)};
  return out->inner > 0;
}

/* The positions of index symbols in a sum, largest factor first; *rest is the sum without them.
 * False: an index stands elsewhere in it. */
static bool find_positions(const tp_universals *u, tp_linear *l, position *positions, uint32_t *n) {
  tp_terms *tt = u->b->paths->tt;
  uint32_t kept = 0;
  *n = 0;
  for (uint32_t i = 0; i < l->n; i++) {
    tp_term base = l->m[i].base;
    const tp_term_kind k = tp_kind(tt, base);
    const tp_term inner = k == TP_OP_BV_SEXT || k == TP_OP_BV_ZEXT ? tp_arg(tt, base, 0) : base;
    position found;
    if (!is_moved_index(u, inner, &found)) {
      if (has_index(u, base)) return false;
      l->m[kept++] = l->m[i];
      continue;
    }
    const int64_t factor = as_signed(l->m[i].coefficient, l->width);
    if (*n == TP_INDICES || factor <= 0) return false;
    uint32_t at = (*n)++;
    for (; at > 0 && positions[at - 1].factor < (uint64_t)factor; at--)
      positions[at] = positions[at - 1];
    found.factor = (uint64_t)factor;
    positions[at] = found;
  }
  l->n = kept;
  return *n > 0;
}

/* (t - constant) / inner: exact where the sum shows it, else rounded down. */
static tp_term without_inner(tp_terms *tt, tp_term t, const position *at) {
  if (at->inner == 1 && at->constant == 0) return t;
  tp_linear l;
  const uint32_t width = tp_width(tt, t);
  const uint64_t low = width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  tp_term moved = tp_mk_sub(tt, t, tp_mk_bv_signed(tt, width, at->constant));
  if (at->inner == 1) return moved;
  tp_linear_init(&l, width);
  bool fits = tp_linear_add(tt, &l, moved, 1);
  for (uint32_t i = 0; i < l.n && fits; i++) {
    const int64_t c = as_signed(l.m[i].coefficient, width);
    fits = c % at->inner == 0;
    l.m[i].coefficient = (uint64_t)(c / at->inner) & low;
  }
  const int64_t constant = as_signed(l.constant, width);
  if (!fits || constant % at->inner != 0)
    return tp_mk2(tt, TP_OP_BV_UDIV, moved, tp_mk_bv(tt, width, (uint64_t)at->inner));
  l.constant = (uint64_t)(constant / at->inner) & low;
  return tp_linear_term(tt, &l);
}

/* Takes out of the sum what the factor divides; the quotient, without its extension. */
static tp_term quotient(tp_terms *tt, tp_linear *l, const position *at, bool is_last) {
  tp_linear q, rest;
  tp_linear_init(&q, l->width);
  tp_linear_init(&rest, l->width);
  for (uint32_t i = 0; i < l->n; i++) {
    const int64_t c = as_signed(l->m[i].coefficient, l->width);
    const bool fits = c % (int64_t)at->factor == 0;
    tp_u128 scale = fits ? (tp_u128)(uint64_t)(c / (int64_t)at->factor) : l->m[i].coefficient;
    (void)tp_linear_add(tt, fits ? &q : &rest, l->m[i].base, scale);
  }
  const int64_t constant = as_signed(l->constant, l->width);
  const bool fits = constant % (int64_t)at->factor == 0;
  const uint64_t whole =
      fits ? (uint64_t)(constant / (int64_t)at->factor) : (uint64_t)l->constant / at->factor;
  rest.constant = fits ? 0 : (uint64_t)l->constant % at->factor;
  q.constant = whole;
  tp_term t = tp_linear_term(tt, &q);
  if (is_last && rest.n)
    t = tp_mk2(
        tt, TP_OP_BV_ADD, t,
        tp_mk2(tt, TP_OP_BV_UDIV, tp_linear_term(tt, &rest), tp_mk_bv(tt, l->width, at->factor)));
  *l = rest;
  const uint32_t width = tp_width(tt, at->symbol);
  const tp_term_kind k = tp_kind(tt, t);
  if ((k == TP_OP_BV_SEXT || k == TP_OP_BV_ZEXT) && tp_width(tt, tp_arg(tt, t, 0)) == width)
    t = tp_arg(tt, t, 0);
  return without_inner(tt, tp_mk_trunc(tt, width, t), at);
}

static void instantiate(const tp_universals *u, tp_term body, tp_term pattern, tp_term read,
                        tp_term_list *out) {
  tp_terms *tt = u->b->paths->tt;
  tp_term there = tp_arg(tt, pattern, 1), here = tp_arg(tt, read, 1);
  tp_linear l;
  position positions[TP_INDICES];
  uint32_t n;
  if (tp_is_false(tt,
                  tp_mk_eq(tt, tp_mk1(tt, TP_OP_PTR_OBJ, there), tp_mk1(tt, TP_OP_PTR_OBJ, here))))
    return;
  tp_linear_init(&l, u->b->paths->p->ptr_bits);
  if (!tp_linear_add(tt, &l, tp_mk1(tt, TP_OP_PTR_OFF, there), 1) ||
      !find_positions(u, &l, positions, &n))
    return;
  const tp_term rest = tp_linear_term(tt, &l);
  tp_linear_init(&l, u->b->paths->p->ptr_bits);
  if (!tp_linear_add(tt, &l, tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_OFF, here), rest), 1)) return;
  tp_map images = {0};
  for (uint32_t i = 0; i < n; i++)
    tp_map_set(&images, positions[i].symbol.id, quotient(tt, &l, &positions[i], i + 1 == n).id);
  const tp_term instance = tp_replace_all(tt, body, &images);
  tp_map_clear(&images);
  if (!tp_is_true(tt, instance)) tp_vec_push(out, instance);
}

typedef struct {
  const tp_universals *u;
  bool is_pattern;
} read_test;

static bool is_read(void *ctx, const tp_terms *tt, tp_term t) {
  const read_test *x = ctx;
  tp_sort sort;
  return tp_kind(tt, t) == TP_OP_SELECT &&
         tp_is_memory(x->u->b->paths->p, tp_arg(tt, t, 0), &sort) &&
         (!x->is_pattern || has_index(x->u, tp_arg(tt, t, 1)));
}

typedef struct {
  tp_term_list terms;
  TP_VEC(uint32_t) owners;  // by term: the body that says it
} instances;

static void instances_clear(instances *l) {
  tp_vec_clear(&l->terms);
  tp_vec_clear(&l->owners);
}

/* New ones of a round are kept once. */
static void keep_once(instances *l, size_t before, tp_map *given) {
  size_t kept = before;
  for (size_t i = before; i < l->terms.n; i++) {
    if (tp_map_has(given, l->terms.at[i].id)) continue;
    tp_map_set(given, l->terms.at[i].id, 1);
    l->owners.at[kept] = l->owners.at[i];
    l->terms.at[kept++] = l->terms.at[i];
  }
  l->terms.n = l->owners.n = kept;
}

/* Of an instance that still speaks of all indices: its cells at the places that are read, too. */
static void instantiate_rest(const tp_universals *u, size_t from, const tp_term_list *reads,
                             instances *out) {
  tp_terms *tt = u->b->paths->tt;
  read_test pattern = {u, true};
  const size_t end = out->terms.n;
  for (size_t i = from; i < end; i++) {
    tp_term_list patterns = {0};
    const tp_term body = out->terms.at[i];
    tp_collect_terms(tt, body, is_read, &pattern, &patterns);
    for (size_t r = 0; r < reads->n; r++)
      for (size_t k = 0; k < patterns.n; k++)
        if (tp_term_eq(tp_arg(tt, patterns.at[k], 0), tp_arg(tt, reads->at[r], 0)) &&
            out->terms.n < TP_BLOCKS_UNIVERSAL_INSTANCES)
          instantiate(u, body, patterns.at[k], reads->at[r], &out->terms);
    while (out->owners.n < out->terms.n) tp_vec_push(&out->owners, out->owners.at[i]);
    tp_vec_clear(&patterns);
  }
}

static void instantiate_body(const tp_universals *u, tp_term body, uint32_t owner,
                             const tp_term_list *reads, size_t first, instances *out) {
  tp_terms *tt = u->b->paths->tt;
  tp_term_list patterns = {0};
  read_test pattern = {u, true};
  tp_collect_terms(tt, body, is_read, &pattern, &patterns);
  for (size_t r = first; r < reads->n; r++)
    for (size_t k = 0; k < patterns.n; k++)
      if (tp_term_eq(tp_arg(tt, patterns.at[k], 0), tp_arg(tt, reads->at[r], 0)) &&
          out->terms.n < TP_BLOCKS_UNIVERSAL_INSTANCES)
        instantiate(u, body, patterns.at[k], reads->at[r], &out->terms);
  while (out->owners.n < out->terms.n) tp_vec_push(&out->owners, owner);
  tp_vec_clear(&patterns);
}

/* What `bodies` say at the indices at which they speak of a cell that t reads, some rounds long. */
static void find_instances(const tp_universals *u, const tp_term_list *bodies, tp_term t,
                           instances *out) {
  tp_paths *x = u->b->paths;
  tp_terms *tt = x->tt;
  tp_term_list reads = {0};
  tp_map seen = {0}, given = {0};
  read_test any = {u, false};
  tp_collect_terms(tt, tp_paths_flat(x, t), is_read, &any, &reads);
  for (size_t i = 0; i < reads.n; i++) tp_map_set(&seen, reads.at[i].id, 1);
  size_t first = 0;
  for (int round = 0; round < TP_BLOCKS_UNIVERSAL_ROUNDS; round++) {
    const size_t end = reads.n, before = out->terms.n;
    for (size_t i = 0; i < bodies->n; i++)
      instantiate_body(u, bodies->at[i], (uint32_t)i, &reads, first, out);
    keep_once(out, before, &given);
    const size_t rest = out->terms.n;
    instantiate_rest(u, before, &reads, out);
    keep_once(out, rest, &given);
    first = end;
    if (round + 1 == TP_BLOCKS_UNIVERSAL_ROUNDS) break;
    for (size_t i = before; i < out->terms.n; i++) {
      tp_term_list more = {0};
      tp_collect_terms(tt, out->terms.at[i], is_read, &any, &more);
      for (size_t k = 0; k < more.n; k++) {
        if (tp_map_has(&seen, more.at[k].id)) continue;
        tp_map_set(&seen, more.at[k].id, 1);
        tp_vec_push(&reads, more.at[k]);
      }
      tp_vec_clear(&more);
    }
  }
  tp_vec_clear(&reads);
  tp_map_clear(&seen);
  tp_map_clear(&given);
}

// ------------------------------------------------------------------------- prune

typedef struct {
  tp_universals *u;
  const tp_blocks *b;
  tp_paths *x;
  tp_terms *tt;
  const tp_term *known;
  tp_houdini_options o;
  bool *is_dirty;  // by block
  bool is_stopped;
} pruning;

static bool out_of_time(pruning *h) {
  if ((h->o.until_s > 0 && tp_cpu_s() >= h->o.until_s) ||
      (h->o.should_stop && h->o.should_stop(h->o.ctx)))
    h->is_stopped = true;
  return h->is_stopped;
}

/* What is left of the candidates at the node. */
static void candidates_left(const pruning *h, uint32_t node, tp_term_list *bodies,
                            tp_term_list *numbers) {
  for (uint32_t j = 0; j < h->u->at[node].list.n; j++)
    if (h->u->at[node].list.at[j].is_left) {
      tp_vec_push(bodies, h->u->at[node].list.at[j].open);
      tp_vec_push(numbers, (tp_term){j});
    }
}

/* The block is taken from a state of which what is known holds, and then `violated`. */
static tp_term question(const pruning *h, size_t i, tp_term violated) {
  const tp_block *k = &h->b->list.at[i];
  tp_term all = tp_mk_and(h->tt, tp_path_condition(h->x, &k->path), h->known[k->from]);
  if (!tp_block_node_is_bad(h->b, k->to))
    all = tp_mk_and(h->tt, all, tp_path_after(h->x, &k->path, h->known[k->to]));
  all = tp_mk_and(h->tt, all, violated);
  return tp_mk_and(h->tt, all, tp_paths_block_facts(h->x, all));
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
  read_test any = {h->u, false};
  tp_collect_terms(tt, flat, is_equation, NULL, &equations);
  tp_collect_terms(tt, flat, is_read, &any, &reads);
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
  const tp_term all = tp_paths_query(h->x, question(h, i, tp_mk_not(h->tt, formula)));
  if (tp_is_false(h->tt, all)) return true;
  tp_smt *solver = solver_of(h);
  tp_smt_assert(solver, all);
  tp_smt_assert(solver, radix_facts(h, all));
  const bool is = tp_smt_check(solver, NULL, 0) == TP_SMT_UNSAT;
  tp_smt_free(solver);
  return is;
}

/* Instances of the bodies for the question, and what is true of the folds that they read, in *all.
 */
static void find_premises(pruning *h, size_t i, const tp_term_list *bodies, tp_term *all,
                          instances *out) {
  find_instances(h->u, bodies, *all, out);
  if (!h->u->folds.list.n) return;
  tp_term said = *all;
  for (size_t j = 0; j < bodies->n; j++) said = tp_mk_and(h->tt, said, bodies->at[j]);
  for (size_t j = 0; j < out->terms.n; j++) said = tp_mk_and(h->tt, said, out->terms.at[j]);
  const tp_term facts = tp_folds_facts(&h->u->folds, i, said, is_valid_along, h);
  if (tp_is_true(h->tt, facts)) return;
  *all = tp_mk_and(h->tt, *all, facts);
  out->terms.n = out->owners.n = 0;
  find_instances(h->u, bodies, *all, out);
}

/* Is there a state at the block's start, of which all is known that is left, from which the block
 * is taken and `violated` holds? The solver is the caller's, with the model. */
static tp_smt_answer ask(pruning *h, size_t i, tp_term violated, tp_smt **solver) {
  tp_term_list bodies = {0}, numbers = {0};
  instances l = {0};
  tp_term all = question(h, i, violated);
  *solver = NULL;
  if (tp_is_false(h->tt, all)) return TP_SMT_UNSAT;
  candidates_left(h, h->b->list.at[i].from, &bodies, &numbers);
  find_premises(h, i, &bodies, &all, &l);
  for (size_t j = 0; j < bodies.n; j++) all = tp_mk_and(h->tt, all, bodies.at[j]);
  for (size_t j = 0; j < l.terms.n; j++) all = tp_mk_and(h->tt, all, l.terms.at[j]);
  instances_clear(&l);
  tp_vec_clear(&bodies);
  tp_vec_clear(&numbers);
  if (tp_is_false(h->tt, all)) return TP_SMT_UNSAT;
  *solver = solver_of(h);
  all = tp_paths_query(h->x, all);
  tp_smt_assert(*solver, all);
  tp_smt_assert(*solver, radix_facts(h, all));
  return tp_smt_check(*solver, NULL, 0);
}

static void drop(pruning *h, uint32_t node, size_t candidate) {
  h->u->at[node].list.at[candidate].is_left = false;
  for (uint32_t i = h->b->first.at[node]; i < h->b->first.at[node + 1]; i++) h->is_dirty[i] = true;
}

/* Drops what the model violates behind the block. */
static bool drop_violated(pruning *h, size_t i, const tp_term *after, tp_smt *solver) {
  const tp_block *k = &h->b->list.at[i];
  bool some = false;
  for (size_t j = 0; j < h->u->at[k->to].list.n; j++) {
    tp_value v;
    if (!h->u->at[k->to].list.at[j].is_left ||
        !tp_smt_value(solver, tp_paths_flat(h->x, tp_mk_not(h->tt, after[j])), &v) || !v.bits)
      continue;
    drop(h, k->to, j);
    some = true;
  }
  return some;
}

static void clean_one_by_one(pruning *h, size_t i, const tp_term *after, bool *is_kept) {
  const tp_block *k = &h->b->list.at[i];
  for (size_t j = 0; j < h->u->at[k->to].list.n && !out_of_time(h); j++) {
    if (!h->u->at[k->to].list.at[j].is_left || is_kept[j]) continue;
    tp_smt *solver;
    const tp_smt_answer a = ask(h, i, tp_mk_not(h->tt, after[j]), &solver);
    if (a == TP_SMT_SAT) (void)drop_violated(h, i, after, solver);
    if (solver) tp_smt_free(solver);
    is_kept[j] = a == TP_SMT_UNSAT;
    if (!is_kept[j] && h->u->at[k->to].list.at[j].is_left) drop(h, k->to, j);
  }
}

/* All candidates behind the block at once, but where that was too much of a question before. */
static tp_smt_answer ask_all(pruning *h, size_t i, const tp_term *after, bool *some) {
  const tp_block *k = &h->b->list.at[i];
  tp_term violated = tp_mk_false(h->tt);
  tp_smt *solver;
  *some = false;
  for (size_t j = 0; j < h->u->at[k->to].list.n; j++)
    if (h->u->at[k->to].list.at[j].is_left)
      violated = tp_mk_or(h->tt, violated, tp_mk_not(h->tt, after[j]));
  if (tp_is_false(h->tt, violated)) return TP_SMT_UNSAT;
  if (h->u->is_hard[i]) return TP_SMT_UNKNOWN;
  const tp_smt_answer a = ask(h, i, violated, &solver);
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
      after[j] = tp_folds_after(&h->u->folds, &k->path, h->u->at[k->to].list.at[j].open);
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
                   .is_dirty = TP_NEW_ARRAY(bool, u->b->list.n + 1)};
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
  tp_free(h.is_dirty);
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
  tp_free(h.is_dirty);
  return ok && !h.is_stopped;
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
  instances l = {0};
  tp_term all = question(h, i, violated);
  if (tp_is_false(h->tt, all)) return true;
  candidates_left(h, from, &bodies, &numbers);
  find_premises(h, i, &bodies, &all, &l);
  for (size_t j = 0; j < l.terms.n; j++) {
    const uint32_t owner = l.owners.at[j];
    bodies.at[owner] = tp_mk_and(h->tt, bodies.at[owner], l.terms.at[j]);
  }
  tp_term said = all;
  for (size_t j = 0; j < bodies.n; j++) said = tp_mk_and(h->tt, said, bodies.at[j]);
  for (size_t j = 0; j < bodies.n; j++) bodies.at[j] = tp_paths_query(h->x, bodies.at[j]);
  tp_smt *solver = solver_of(h);
  tp_smt_assert(solver, tp_paths_query(h->x, all));
  tp_smt_assert(solver, radix_facts(h, tp_paths_query(h->x, said)));
  const bool ok = tp_smt_check(solver, bodies.at, bodies.n) == TP_SMT_UNSAT;
  for (size_t j = 0; j < bodies.n && ok; j++) tp_vec_push(&core, TP_TERM_NONE);
  core.n = ok ? tp_smt_core(solver, core.at) : 0;
  for (size_t c = 0; c < core.n; c++)
    for (size_t j = 0; j < bodies.n; j++)
      if (tp_term_eq(core.at[c], bodies.at[j]) && !x->needed[from][numbers.at[j].id]) {
        x->needed[from][numbers.at[j].id] = true;
        for (size_t b = 0; b < h->b->list.n; b++)
          if (h->b->list.at[b].to == from) h->is_dirty[b] = true;
      }
  tp_smt_free(solver);
  instances_clear(&l);
  tp_vec_clear(&bodies);
  tp_vec_clear(&numbers);
  tp_vec_clear(&core);
  return ok;
}

static tp_term violated_behind(const needing *x, const tp_block *k, size_t candidate) {
  const tp_term open = x->h.u->at[k->to].list.at[candidate].open;
  return tp_mk_not(x->h.tt, tp_folds_after(&x->h.u->folds, &k->path, open));
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
    tp_vec_push(&violated, violated_behind(x, k, j));
    any = tp_mk_or(x->h.tt, any, violated_behind(x, k, j));
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

void tp_universals_shrink(tp_universals *u, const tp_term *known, tp_houdini_options o) {
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
  // an instance may have been found by what another candidate said: then they are all kept
  const bool is_enough =
      ok && tp_universals_prune(u, known, o) && tp_universals_exclude_errors(u, known, o);
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
  tp_free(x.h.is_dirty);
}
