/* From nodes to matrices, words and pairs of literals; what was translated is remembered.
 *
 * A quantified variable is bound to one atom after another: its value is a matrix with one true
 * cell, and the body is translated for each. So the value of a node depends on its free variables
 * only; with their keys it is the key of the memo. A witness (skolem constant) is a variable whose
 * matrix has inputs, one for each atom it can be. */
#include "contracts/rel/translate_priv.h"

#include "contracts/contracts_limits.h"

static tp_rel_translated translate(tp_rel_translation *t, uint32_t id);

static tp_rel_matrix_value expr(tp_rel_translation *t, uint32_t id) {
  return translate(t, id).relation;
}
static tp_rel_word word(tp_rel_translation *t, uint32_t id) { return translate(t, id).word; }
static tp_rel_truth_lits truth(tp_rel_translation *t, uint32_t id) {
  return translate(t, id).truth;
}

// ---------------------------------------------------------------------- set-up

/* Cells of a relation: true in the lower bound, inputs above it. */
static tp_rel_matrix matrix_of(tp_rel_translation *t, const tp_rel_tuples *lower,
                               const tp_rel_tuples *upper) {
  TP_REQUIRE(lower->n <= upper->n);
  for (size_t i = 0, k = 0; i < upper->n; i++) {
    const bool is_fixed = k < lower->n && lower->at[k] == upper->at[i];
    const tp_lit lit = is_fixed ? TP_LIT_TRUE : tp_gate_input(t->g);
    k += is_fixed;
    if (!is_fixed) tp_vec_push(&t->primary, lit);
    tp_rel_matrix_push(&t->pool, upper->at[i], lit);
  }
  return tp_rel_matrix_finish(&t->pool);
}

tp_rel_translation *tp_rel_translation_new(const tp_rel_bounds *b, tp_gates *g,
                                           tp_rel_translate_options options) {
  tp_rel_translation *t = TP_NEW(tp_rel_translation);
  t->b = b;
  t->l = tp_rel_bounds_logic(b);
  t->u = tp_rel_bounds_universe(b);
  t->options = options;
  t->g = g;
  t->n_keys = tp_rel_n_atoms(t->u);
  tp_rel_pool_init(&t->pool, g, tp_rel_n_atoms(t->u), options.max_cells);
  tp_rel_translation_grow(t);
  TP_INVARIANT(tp_rel_translation_check(t));
  return t;
}

void tp_rel_translation_grow(tp_rel_translation *t) {
  for (uint32_t r = (uint32_t)t->relations.n; r < tp_rel_n_relations(t->l); r++) {
    const tp_rel_tuples *lower = tp_rel_lower(t->b, r);
    tp_vec_push(&t->relations,
                lower ? matrix_of(t, lower, tp_rel_upper(t->b, r)) : (tp_rel_matrix){0});
  }
}

void tp_rel_translation_free(tp_rel_translation *t) {
  if (!t) return;
  tp_rel_pool_clear(&t->pool);
  tp_vec_clear(&t->relations);
  tp_vec_clear(&t->primary);
  tp_vec_clear(&t->env);
  tp_map_clear(&t->by_hash);
  tp_map_clear(&t->closed);
  tp_map_clear(&t->is_total);
  tp_vec_clear(&t->memos);
  tp_free(t);
}

bool tp_rel_translation_is_full(const tp_rel_translation *t) { return t->pool.is_full; }
tp_rel_matrix tp_rel_translation_of(const tp_rel_translation *t, uint32_t r) {
  TP_REQUIRE(r < t->relations.n);
  return t->relations.at[r];
}
uint64_t tp_rel_n_translations(const tp_rel_translation *t) { return t->n_translated; }

const tp_lit *tp_rel_primary(const tp_rel_translation *t, size_t *n) {
  *n = t->primary.n;
  return t->primary.at;
}

// ------------------------------------------------------------------- variables

static tp_rel_binding bind(tp_rel_translation *t, uint32_t var, tp_rel_matrix_value v,
                           uint32_t key) {
  TP_REQUIRE(var > 0 && var <= tp_rel_n_variables(t->l));
  if (var >= t->env.n) tp_vec_resize(&t->env, var + 1);
  const tp_rel_binding old = t->env.at[var];
  t->env.at[var] = (tp_rel_binding){v, key};
  return old;
}

static tp_rel_binding bind_atom(tp_rel_translation *t, uint32_t var, uint64_t atom) {
  TP_REQUIRE(atom < t->pool.n_atoms);
  tp_rel_cell *cell = tp_arena_new(&t->pool.arena, tp_rel_cell);
  *cell = (tp_rel_cell){atom, TP_LIT_TRUE};
  return bind(t, var, (tp_rel_matrix_value){{cell, 1}, TP_LIT_TRUE}, (uint32_t)atom);
}

static tp_rel_binding bind_let(tp_rel_translation *t, const tp_rel_node *n) {
  return bind(t, n->vars[0], expr(t, n->kids[0]), ++t->n_keys);
}

/* Universe^n_columns: what a tuple of the other columns is multiplied with. */
static uint64_t radix(const tp_rel_translation *t, uint32_t n_columns) {
  TP_REQUIRE(n_columns <= TP_CONTRACTS_ARITY);
  uint64_t r = 1;
  while (n_columns-- > 0) r *= t->pool.n_atoms;
  return r;
}

// ------------------------------------------------------------------ expressions

/* Cells are collected in a list of their own: translating the body needs the pool. */
typedef struct {
  TP_VEC(tp_rel_cell) cells;
} collection;

static void collect(tp_rel_translation *t, const tp_rel_node *n, uint32_t i, uint64_t prefix,
                    tp_lit when, collection *c, tp_lit *defined) {
  TP_REQUIRE(i <= n->n_vars);
  if (tp_lit_eq(when, TP_LIT_FALSE) || t->pool.is_full) return;
  if (i == n->n_vars) {
    const tp_rel_truth_lits body = truth(t, n->kids[i]);
    const tp_lit known = tp_gate_or(t->g, body.is_true, body.is_false);
    tp_vec_push(&c->cells, (tp_rel_cell){prefix, tp_gate_and(t->g, when, body.is_true)});
    *defined = tp_gate_and(t->g, *defined, tp_gate_or(t->g, tp_lit_not(when), known));
    return;
  }
  const tp_rel_matrix_value domain = expr(t, n->kids[i]);
  *defined = tp_gate_and(t->g, *defined, tp_gate_or(t->g, tp_lit_not(when), domain.defined));
  for (size_t k = 0; k < domain.matrix.n; k++) {
    const uint64_t atom = domain.matrix.at[k].tuple;
    const tp_rel_binding old = bind_atom(t, n->vars[i], atom);
    collect(t, n, i + 1, prefix * t->pool.n_atoms + atom,
            tp_gate_and(t->g, when, domain.matrix.at[k].lit), c, defined);
    t->env.at[n->vars[i]] = old;
  }
}

static tp_rel_matrix_value comprehension(tp_rel_translation *t, const tp_rel_node *n) {
  collection c = {{0}};
  tp_rel_matrix_value r = {.defined = TP_LIT_TRUE};
  collect(t, n, 0, 0, TP_LIT_TRUE, &c, &r.defined);
  for (size_t i = 0; i < c.cells.n; i++)
    tp_rel_matrix_push(&t->pool, c.cells.at[i].tuple, c.cells.at[i].lit);
  r.matrix = tp_rel_matrix_finish(&t->pool);
  tp_vec_clear(&c.cells);
  return r;
}

static tp_rel_matrix_value atom_of(tp_rel_translation *t, const tp_rel_node *n) {
  const tp_rel_word i = word(t, n->kids[0]);
  for (uint32_t a = 0; a < t->pool.n_atoms; a++) {
    int64_t v;
    if (!tp_rel_atom_is_int(t->u, a, &v)) continue;
    const tp_rel_word c = tp_rel_word_const(t, v);
    if (tp_lit_eq(c.defined, TP_LIT_TRUE))
      tp_rel_matrix_push(&t->pool, a, tp_rel_word_compare(t, TP_REL_INT_EQUAL, i, c));
  }
  return (tp_rel_matrix_value){tp_rel_matrix_finish(&t->pool), i.defined};
}

static tp_rel_matrix_value choice(tp_rel_translation *t, const tp_rel_node *n) {
  const tp_rel_truth_lits c = truth(t, n->kids[0]);
  const tp_rel_matrix_value a = expr(t, n->kids[1]), b = expr(t, n->kids[2]);
  const tp_lit defined = tp_gate_or(t->g, tp_gate_and(t->g, c.is_true, a.defined),
                                    tp_gate_and(t->g, c.is_false, b.defined));
  return (tp_rel_matrix_value){tp_rel_choose(&t->pool, c.is_true, a.matrix, b.matrix), defined};
}

static tp_rel_matrix leaf(tp_rel_translation *t, const tp_rel_node *n) {
  int64_t v;
  if (n->kind == TP_REL_RELATION) return t->relations.at[n->number];
  if (n->kind == TP_REL_IDEN) return tp_rel_identity(&t->pool);
  if (n->kind == TP_REL_NONE) return (tp_rel_matrix){0};
  for (uint32_t a = 0; a < t->pool.n_atoms; a++)
    if (n->kind == TP_REL_UNIV || tp_rel_atom_is_int(t->u, a, &v))
      tp_rel_matrix_push(&t->pool, a, TP_LIT_TRUE);
  return tp_rel_matrix_finish(&t->pool);
}

static tp_rel_matrix combine(tp_rel_translation *t, const tp_rel_node *n, tp_rel_matrix a,
                             tp_rel_matrix b) {
  const uint32_t arity_b = tp_rel_at(t->l, n->kids[1])->arity;
  tp_rel_pool *p = &t->pool;
  switch ((int)n->kind) {
    case TP_REL_UNION: return tp_rel_union(p, a, b);
    case TP_REL_INTERSECTION: return tp_rel_intersection(p, a, b);
    case TP_REL_DIFFERENCE: return tp_rel_difference(p, a, b);
    case TP_REL_JOIN: return tp_rel_join(p, a, b, radix(t, arity_b - 1));
    case TP_REL_PRODUCT: return tp_rel_product(p, a, b, radix(t, arity_b));
    case TP_REL_OVERRIDE: return tp_rel_override(p, a, b, radix(t, n->arity - 1));
    case TP_REL_DOMAIN: return tp_rel_restrict_domain(p, a, b, radix(t, n->arity - 1));
    default: return tp_rel_restrict_range(p, a, b);
  }
}

static tp_rel_matrix_value unary(tp_rel_translation *t, const tp_rel_node *n) {
  const tp_rel_matrix_value a = expr(t, n->kids[0]);
  tp_rel_matrix m = n->kind == TP_REL_TRANSPOSE ? tp_rel_transpose(&t->pool, a.matrix)
                                                : tp_rel_closure(&t->pool, a.matrix);
  if (n->kind == TP_REL_REFLEXIVE) m = tp_rel_union(&t->pool, m, tp_rel_identity(&t->pool));
  return (tp_rel_matrix_value){m, a.defined};
}

static tp_rel_matrix_value new_expr(tp_rel_translation *t, const tp_rel_node *n) {
  switch ((int)n->kind) {
    case TP_REL_VARIABLE: return t->env.at[n->number].value;
    case TP_REL_TRANSPOSE:
    case TP_REL_CLOSURE:
    case TP_REL_REFLEXIVE: return unary(t, n);
    case TP_REL_COMPREHENSION: return comprehension(t, n);
    case TP_REL_ATOM_OF: return atom_of(t, n);
    case TP_REL_IF: return choice(t, n);
    case TP_REL_LET: {
      const tp_rel_binding old = bind_let(t, n);
      const tp_rel_matrix_value r = expr(t, n->kids[1]);
      t->env.at[n->vars[0]] = old;
      return r;
    }
    default: break;
  }
  if (n->n_kids == 0) return (tp_rel_matrix_value){leaf(t, n), TP_LIT_TRUE};
  const tp_rel_matrix_value a = expr(t, n->kids[0]), b = expr(t, n->kids[1]);
  return (tp_rel_matrix_value){combine(t, n, a.matrix, b.matrix),
                               tp_gate_and(t->g, a.defined, b.defined)};
}

// --------------------------------------------------------------------- integers

typedef struct {
  TP_VEC(tp_rel_word) words;
  TP_VEC(tp_lit) when;
  tp_lit defined;
} terms;

static void collect_terms(tp_rel_translation *t, const tp_rel_node *n, uint32_t i, tp_lit when,
                          terms *s) {
  TP_REQUIRE(i <= n->n_vars);
  if (tp_lit_eq(when, TP_LIT_FALSE) || t->pool.is_full) return;
  if (i == n->n_vars) {
    tp_vec_push(&s->words, word(t, n->kids[i]));
    tp_vec_push(&s->when, when);
    return;
  }
  const tp_rel_matrix_value domain = expr(t, n->kids[i]);
  s->defined = tp_gate_and(t->g, s->defined, tp_gate_or(t->g, tp_lit_not(when), domain.defined));
  for (size_t k = 0; k < domain.matrix.n; k++) {
    const tp_rel_binding old = bind_atom(t, n->vars[i], domain.matrix.at[k].tuple);
    collect_terms(t, n, i + 1, tp_gate_and(t->g, when, domain.matrix.at[k].lit), s);
    t->env.at[n->vars[i]] = old;
  }
}

static tp_rel_word sum(tp_rel_translation *t, const tp_rel_node *n) {
  terms s = {.defined = TP_LIT_TRUE};
  collect_terms(t, n, 0, TP_LIT_TRUE, &s);
  const tp_rel_word r = tp_rel_word_sum(t, s.words.at, s.when.at, s.words.n, s.defined);
  tp_vec_clear(&s.words);
  tp_vec_clear(&s.when);
  return r;
}

/* An atom may be an integer that the width does not hold: only the total counts. */
static tp_rel_word total(tp_rel_translation *t, const tp_rel_node *n) {
  const tp_rel_matrix_value a = expr(t, n->kids[0]);
  terms s = {.defined = a.defined};
  for (size_t i = 0; i < a.matrix.n; i++) {
    int64_t v;
    if (!tp_rel_atom_is_int(t->u, (uint32_t)a.matrix.at[i].tuple, &v)) continue;
    tp_lit *bits = tp_arena_array(&t->pool.arena, tp_lit, 64);
    tp_word_const(bits, 64, (tp_u128)(uint64_t)v);
    tp_vec_push(&s.words, (tp_rel_word){bits, 64, TP_LIT_TRUE});
    tp_vec_push(&s.when, a.matrix.at[i].lit);
  }
  const tp_rel_word r = tp_rel_word_sum(t, s.words.at, s.when.at, s.words.n, s.defined);
  tp_vec_clear(&s.words);
  tp_vec_clear(&s.when);
  return r;
}

/* Bit by bit: is there an integer that has it? */
static tp_rel_word the(tp_rel_translation *t, const tp_rel_node *n) {
  const tp_rel_matrix_value a = expr(t, n->kids[0]);
  tp_lit bits[64];
  for (uint32_t k = 0; k < 64; k++) bits[k] = TP_LIT_FALSE;
  for (size_t i = 0; i < a.matrix.n; i++) {
    int64_t v;
    if (!tp_rel_atom_is_int(t->u, (uint32_t)a.matrix.at[i].tuple, &v)) continue;
    tp_rel_matrix_push(&t->pool, a.matrix.at[i].tuple, a.matrix.at[i].lit);
    for (uint32_t k = 0; k < 64; k++)
      if ((uint64_t)v >> k & 1) bits[k] = tp_gate_or(t->g, bits[k], a.matrix.at[i].lit);
  }
  const tp_rel_matrix ints = tp_rel_matrix_finish(&t->pool);
  return tp_rel_word_fit(t, bits, 64,
                         tp_gate_and(t->g, a.defined, tp_rel_matrix_lone(&t->pool, ints)));
}

static tp_rel_word cardinality(tp_rel_translation *t, const tp_rel_node *n) {
  const tp_rel_matrix_value a = expr(t, n->kids[0]);
  TP_VEC(tp_lit) lits = {0};
  for (size_t i = 0; i < a.matrix.n; i++) tp_vec_push(&lits, a.matrix.at[i].lit);
  const tp_rel_word r = tp_rel_word_count(t, lits.at, lits.n, a.defined);
  tp_vec_clear(&lits);
  return r;
}

static tp_rel_word new_word(tp_rel_translation *t, const tp_rel_node *n) {
  switch ((int)n->kind) {
    case TP_REL_CONSTANT: return tp_rel_word_const(t, n->number);
    case TP_REL_CARDINALITY: return cardinality(t, n);
    case TP_REL_TOTAL: return total(t, n);
    case TP_REL_ONLY_INT: return the(t, n);
    case TP_REL_SUM: return sum(t, n);
    case TP_REL_NEGATIVE:
      return tp_rel_word_arithmetic(t, TP_REL_MINUS, tp_rel_word_const(t, 0), word(t, n->kids[0]));
    case TP_REL_INT_IF: {
      const tp_rel_truth_lits c = truth(t, n->kids[0]);
      tp_rel_word r = tp_rel_word_choose(t, c.is_true, word(t, n->kids[1]), word(t, n->kids[2]));
      r.defined = tp_gate_and(t->g, r.defined, tp_gate_or(t->g, c.is_true, c.is_false));
      return r;
    }
    case TP_REL_INT_LET: {
      const tp_rel_binding old = bind_let(t, n);
      const tp_rel_word r = word(t, n->kids[1]);
      t->env.at[n->vars[0]] = old;
      return r;
    }
    default: {
      const tp_rel_word a = word(t, n->kids[0]), b = word(t, n->kids[1]);
      return tp_rel_word_arithmetic(t, n->kind, a, b);
    }
  }
}

// --------------------------------------------------------------------- formulas

static tp_rel_truth_lits negation(tp_rel_truth_lits a) {
  return (tp_rel_truth_lits){a.is_false, a.is_true};
}

static tp_rel_truth_lits known(tp_gates *g, tp_lit defined, tp_lit holds) {
  return (tp_rel_truth_lits){tp_gate_and(g, defined, holds),
                             tp_gate_and(g, defined, tp_lit_not(holds))};
}

/* A conjunction being made: true if all parts are, false if one is. */
typedef struct {
  TP_VEC(tp_lit) is_true, is_false;
  bool is_total;  // so far every part is true or false
} conjunction;

static void add_part(conjunction *c, tp_rel_truth_lits a) {
  tp_vec_push(&c->is_true, a.is_true);
  tp_vec_push(&c->is_false, a.is_false);
  if (!tp_lit_eq(a.is_true, tp_lit_not(a.is_false))) c->is_total = false;
}

static bool is_settled(const conjunction *c) {
  return c->is_false.n && tp_lit_eq(tp_vec_last(&c->is_false), TP_LIT_TRUE);
}

static tp_rel_truth_lits conclude(tp_gates *g, conjunction *c) {
  tp_rel_truth_lits r = {.is_true = TP_LIT_FALSE, .is_false = TP_LIT_TRUE};
  if (!is_settled(c)) {
    r.is_true = tp_rel_conjoin(g, c->is_true.at, c->is_true.n);
    r.is_false =
        c->is_total ? tp_lit_not(r.is_true) : tp_rel_disjoin(g, c->is_false.at, c->is_false.n);
  }
  tp_vec_clear(&c->is_true);
  tp_vec_clear(&c->is_false);
  return r;
}

/* "Some" is the negation of "all not". */
static tp_rel_truth_lits quantified(tp_rel_translation *t, const tp_rel_node *n, uint32_t i) {
  TP_REQUIRE(i <= n->n_vars);
  const bool is_some = n->kind == TP_REL_SOME_OF;
  if (i == n->n_vars) return truth(t, n->kids[i]);
  conjunction c = {.is_total = true};
  const tp_rel_matrix_value domain = expr(t, n->kids[i]);
  for (size_t k = 0; k < domain.matrix.n && !is_settled(&c) && !t->pool.is_full; k++) {
    const tp_lit in = domain.matrix.at[k].lit;
    const tp_rel_binding old = bind_atom(t, n->vars[i], domain.matrix.at[k].tuple);
    const tp_rel_truth_lits body = quantified(t, n, i + 1), part = is_some ? negation(body) : body;
    t->env.at[n->vars[i]] = old;
    add_part(&c, (tp_rel_truth_lits){tp_gate_or(t->g, tp_lit_not(in), part.is_true),
                                     tp_gate_and(t->g, in, part.is_false)});
  }
  tp_rel_truth_lits r = conclude(t->g, &c);
  r = (tp_rel_truth_lits){tp_gate_and(t->g, domain.defined, r.is_true),
                          tp_gate_and(t->g, domain.defined, r.is_false)};
  return is_some ? negation(r) : r;
}

static tp_rel_truth_lits connective(tp_rel_translation *t, const tp_rel_node *n) {
  const bool is_or = n->kind == TP_REL_OR;
  conjunction c = {.is_total = true};
  for (uint32_t i = 0; i < n->n_kids && !is_settled(&c); i++) {
    const tp_rel_truth_lits kid = truth(t, n->kids[i]);
    add_part(&c, is_or ? negation(kid) : kid);
  }
  const tp_rel_truth_lits r = conclude(t->g, &c);
  return is_or ? negation(r) : r;
}

static tp_rel_truth_lits over_sets(tp_rel_translation *t, const tp_rel_node *n) {
  const tp_rel_matrix_value a = expr(t, n->kids[0]);
  const tp_rel_matrix_value b =
      n->n_kids > 1 ? expr(t, n->kids[1]) : (tp_rel_matrix_value){.defined = TP_LIT_TRUE};
  const tp_lit defined = tp_gate_and(t->g, a.defined, b.defined);
  tp_rel_pool *p = &t->pool;
  tp_lit r = TP_LIT_FALSE;
  switch ((int)n->kind) {
    case TP_REL_IN: r = tp_rel_matrix_is_subset(p, a.matrix, b.matrix); break;
    case TP_REL_EQUAL:
      r = tp_gate_and(t->g, tp_rel_matrix_is_subset(p, a.matrix, b.matrix),
                      tp_rel_matrix_is_subset(p, b.matrix, a.matrix));
      break;
    case TP_REL_SOME: r = tp_rel_matrix_some(p, a.matrix); break;
    case TP_REL_NO: r = tp_lit_not(tp_rel_matrix_some(p, a.matrix)); break;
    case TP_REL_LONE: r = tp_rel_matrix_lone(p, a.matrix); break;
    default:
      r = tp_gate_and(t->g, tp_rel_matrix_some(p, a.matrix), tp_rel_matrix_lone(p, a.matrix));
      break;  // ONE
  }
  return known(t->g, defined, r);
}

static tp_rel_truth_lits new_formula(tp_rel_translation *t, const tp_rel_node *n) {
  switch ((int)n->kind) {
    case TP_REL_TRUE: return (tp_rel_truth_lits){TP_LIT_TRUE, TP_LIT_FALSE};
    case TP_REL_FALSE: return (tp_rel_truth_lits){TP_LIT_FALSE, TP_LIT_TRUE};
    case TP_REL_NOT: return negation(truth(t, n->kids[0]));
    case TP_REL_AND:
    case TP_REL_OR: return connective(t, n);
    case TP_REL_IFF: {
      const tp_rel_truth_lits a = truth(t, n->kids[0]), b = truth(t, n->kids[1]);
      const tp_lit defined = tp_gate_and(t->g, tp_gate_or(t->g, a.is_true, a.is_false),
                                         tp_gate_or(t->g, b.is_true, b.is_false));
      return known(t->g, defined, tp_lit_not(tp_gate_xor(t->g, a.is_true, b.is_true)));
    }
    case TP_REL_FORMULA_IF: {
      const tp_rel_truth_lits c = truth(t, n->kids[0]), a = truth(t, n->kids[1]),
                              b = truth(t, n->kids[2]);
      const tp_lit defined = tp_gate_or(t->g, c.is_true, c.is_false);
      return (tp_rel_truth_lits){
          tp_gate_and(t->g, defined, tp_gate_ite(t->g, c.is_true, a.is_true, b.is_true)),
          tp_gate_and(t->g, defined, tp_gate_ite(t->g, c.is_true, a.is_false, b.is_false))};
    }
    case TP_REL_FORMULA_LET: {
      const tp_rel_binding old = bind_let(t, n);
      const tp_rel_truth_lits r = truth(t, n->kids[1]);
      t->env.at[n->vars[0]] = old;
      return r;
    }
    case TP_REL_ALL_OF:
    case TP_REL_SOME_OF: return quantified(t, n, 0);
    case TP_REL_INT_EQUAL:
    case TP_REL_LESS:
    case TP_REL_AT_MOST: {
      const tp_rel_word a = word(t, n->kids[0]), b = word(t, n->kids[1]);
      return known(t->g, tp_gate_and(t->g, a.defined, b.defined),
                   tp_rel_word_compare(t, n->kind, a, b));
    }
    default: return over_sets(t, n);
  }
}

// ------------------------------------------------------------------------- memo

static bool same_keys(const tp_rel_translation *t, const tp_rel_node *n, const uint32_t *keys) {
  for (uint32_t i = 0; i < n->n_free; i++)
    if (t->env.at[n->free[i]].key != keys[i]) return false;
  return true;
}

static uint64_t hash_of(const tp_rel_translation *t, uint32_t id, const tp_rel_node *n) {
  uint64_t h = id;
  for (uint32_t i = 0; i < n->n_free; i++) {
    TP_INVARIANT(n->free[i] < t->env.n);  // quantifiers bind before their bodies are translated
    h = tp_hash_mix(h, t->env.at[n->free[i]].key);
  }
  return h;
}

static void remember(tp_rel_translation *t, uint32_t id, const tp_rel_node *n,
                     tp_rel_translated v) {
  const uint64_t hash = hash_of(t, id, n);
  uint64_t first = 0;
  tp_map_get(&t->by_hash, hash, &first);
  uint32_t *keys = n->n_free ? tp_arena_array(&t->pool.arena, uint32_t, n->n_free) : NULL;
  for (uint32_t i = 0; i < n->n_free; i++) keys[i] = t->env.at[n->free[i]].key;
  tp_vec_push(&t->memos, (tp_rel_memo){id, (uint32_t)first, keys, v});
  tp_map_set(&t->by_hash, hash, t->memos.n);
}

static tp_rel_translated translate(tp_rel_translation *t, uint32_t id) {
  TP_REQUIRE(id > 0 && id < tp_rel_n_nodes(t->l));
  const tp_rel_node *n = tp_rel_at(t->l, id);
  uint64_t at;
  if (t->options.memoize && tp_map_get(&t->by_hash, hash_of(t, id, n), &at))
    for (; at; at = t->memos.at[at - 1].next)
      if (t->memos.at[at - 1].node == id && same_keys(t, n, t->memos.at[at - 1].keys))
        return t->memos.at[at - 1].value;
  tp_rel_translated v = {.word = {NULL, 0, TP_LIT_FALSE}};
  t->n_translated++;
  switch (tp_rel_sort_of(n->kind)) {
    case TP_REL_SORT_EXPR: v.relation = new_expr(t, n); break;
    case TP_REL_SORT_INT: v.word = new_word(t, n); break;
    case TP_REL_SORT_FORMULA: v.truth = new_formula(t, n); break;
  }
  if (t->options.memoize && n->kind != TP_REL_VARIABLE) remember(t, id, n, v);
  return v;
}

tp_rel_truth_lits tp_rel_translate(tp_rel_translation *t, tp_rel_formula f) {
  TP_REQUIRE(f.id && tp_rel_at(t->l, f.id)->n_free == 0);
  return truth(t, f.id);
}

// ---------------------------------------------------------------- skolemisation

static tp_lit assertion(tp_rel_translation *t, uint32_t id, bool wanted);

/* A new set with exactly one of the atoms of the domain; holds: its being so. */
static tp_rel_matrix witness(tp_rel_translation *t, tp_rel_matrix_value domain, tp_lit *holds) {
  TP_VEC(tp_rel_cell) cells = {0};
  TP_VEC(tp_lit) in = {0};
  for (size_t i = 0; i < domain.matrix.n; i++) {
    const tp_lit chosen = domain.matrix.n == 1 ? TP_LIT_TRUE : tp_gate_input(t->g);
    tp_vec_push(&cells, (tp_rel_cell){domain.matrix.at[i].tuple, chosen});
    tp_vec_push(&in, tp_gate_or(t->g, tp_lit_not(chosen), domain.matrix.at[i].lit));
  }
  for (size_t i = 0; i < cells.n; i++)
    tp_rel_matrix_push(&t->pool, cells.at[i].tuple, cells.at[i].lit);
  const tp_rel_matrix m = tp_rel_matrix_finish(&t->pool);
  tp_vec_push(&in, tp_rel_matrix_some(&t->pool, m));
  tp_vec_push(&in, tp_rel_matrix_lone(&t->pool, m));
  tp_vec_push(&in, domain.defined);
  *holds = tp_rel_conjoin(t->g, in.at, in.n);
  tp_vec_clear(&cells);
  tp_vec_clear(&in);
  return m;
}

static tp_lit with_witnesses(tp_rel_translation *t, const tp_rel_node *n, uint32_t i, bool wanted) {
  TP_REQUIRE(i <= n->n_vars);
  if (i == n->n_vars) return assertion(t, n->kids[i], wanted);
  tp_lit holds;
  const tp_rel_matrix m = witness(t, expr(t, n->kids[i]), &holds);
  const tp_rel_binding old =
      bind(t, n->vars[i], (tp_rel_matrix_value){m, TP_LIT_TRUE}, ++t->n_keys);
  const tp_lit body = with_witnesses(t, n, i + 1, wanted);
  t->env.at[n->vars[i]] = old;
  return tp_gate_and(t->g, holds, body);
}

static tp_lit connective_assertion(tp_rel_translation *t, const tp_rel_node *n, bool wanted) {
  TP_VEC(tp_lit) parts = {0};
  for (uint32_t i = 0; i < n->n_kids; i++) tp_vec_push(&parts, assertion(t, n->kids[i], wanted));
  const tp_lit r = (n->kind == TP_REL_AND) == wanted ? tp_rel_conjoin(t->g, parts.at, parts.n)
                                                     : tp_rel_disjoin(t->g, parts.at, parts.n);
  tp_vec_clear(&parts);
  return r;
}

static tp_lit new_assertion(tp_rel_translation *t, uint32_t id, bool wanted) {
  const tp_rel_node *n = tp_rel_at(t->l, id);
  if (n->kind == TP_REL_NOT) return assertion(t, n->kids[0], !wanted);
  if (n->kind == (wanted ? TP_REL_SOME_OF : TP_REL_ALL_OF)) return with_witnesses(t, n, 0, wanted);
  if (n->kind == TP_REL_AND || n->kind == TP_REL_OR) return connective_assertion(t, n, wanted);
  if (n->kind == TP_REL_FORMULA_LET) {
    const tp_rel_binding old = bind_let(t, n);
    const tp_lit r = assertion(t, n->kids[1], wanted);
    t->env.at[n->vars[0]] = old;
    return r;
  }
  const tp_rel_truth_lits r = truth(t, id);
  return wanted ? r.is_true : r.is_false;
}

/* A literal about a closed formula; what it is about: bits of the key. */
static bool recall(const tp_rel_translation *t, uint32_t id, uint32_t what, tp_lit *out) {
  uint64_t known;
  if (!t->options.memoize || !tp_map_get(&t->closed, (uint64_t)id << 2 | what, &known))
    return false;
  *out = (tp_lit){(uint32_t)known};
  return true;
}

static tp_lit keep(tp_rel_translation *t, uint32_t id, uint32_t what, tp_lit lit) {
  if (t->options.memoize) tp_map_set(&t->closed, (uint64_t)id << 2 | what, lit.id);
  return lit;
}

enum { IS_WANTED = 1, IS_POSSIBLE = 2 };

/* The formula is to be `wanted`. Its existential quantifiers that no other quantifier encloses get
 * witnesses. Path conditions are parts of many formulas: closed ones are remembered, with their
 * witnesses. */
static tp_lit assertion(tp_rel_translation *t, uint32_t id, bool wanted) {
  tp_lit known;
  if (tp_rel_at(t->l, id)->n_free) return new_assertion(t, id, wanted);
  if (recall(t, id, wanted ? IS_WANTED : 0, &known)) return known;
  return keep(t, id, wanted ? IS_WANTED : 0, new_assertion(t, id, wanted));
}

tp_lit tp_rel_assertion(tp_rel_translation *t, tp_rel_formula f) {
  TP_REQUIRE(f.id && tp_rel_at(t->l, f.id)->n_free == 0);
  return t->options.skolemize ? assertion(t, f.id, true) : truth(t, f.id).is_true;
}

// ----------------------------------------------------------------- definedness

/* No integer is computed below the node: its value is never undefined. */
static bool is_total(tp_rel_translation *t, uint32_t id) {
  const tp_rel_node *n = tp_rel_at(t->l, id);
  uint64_t known;
  if (tp_map_get(&t->is_total, id, &known)) return known;
  bool total = tp_rel_sort_of(n->kind) != TP_REL_SORT_INT ||
               (n->kind == TP_REL_CONSTANT &&
                tp_lit_eq(tp_rel_word_const(t, n->number).defined, TP_LIT_TRUE));
  for (uint32_t i = 0; i < n->n_kids && total; i++) total = is_total(t, n->kids[i]);
  tp_map_set(&t->is_total, id, total);
  return total;
}

static tp_lit possibility(tp_rel_translation *t, uint32_t id, bool wanted) {
  const tp_rel_node *n = tp_rel_at(t->l, id);
  const uint32_t what = (wanted ? IS_WANTED : 0) | IS_POSSIBLE;
  tp_lit r;
  if (is_total(t, id)) return assertion(t, id, wanted);
  if (n->kind == TP_REL_NOT) return possibility(t, n->kids[0], !wanted);
  if (recall(t, id, what, &r)) return r;
  if (n->kind == TP_REL_AND || n->kind == TP_REL_OR) {
    TP_VEC(tp_lit) parts = {0};
    for (uint32_t i = 0; i < n->n_kids; i++)
      tp_vec_push(&parts, possibility(t, n->kids[i], wanted));
    r = (n->kind == TP_REL_AND) == wanted ? tp_rel_conjoin(t->g, parts.at, parts.n)
                                          : tp_rel_disjoin(t->g, parts.at, parts.n);
    tp_vec_clear(&parts);
  } else {
    const tp_rel_truth_lits both = truth(t, id);
    r = tp_lit_not(wanted ? both.is_false : both.is_true);
  }
  return keep(t, id, what, r);
}

tp_lit tp_rel_possibility(tp_rel_translation *t, tp_rel_formula f) {
  TP_REQUIRE(f.id && tp_rel_at(t->l, f.id)->n_free == 0);
  return t->options.skolemize ? possibility(t, f.id, true) : tp_lit_not(truth(t, f.id).is_false);
}

tp_lit tp_rel_definedness(tp_rel_translation *t, tp_rel_formula f) {
  TP_REQUIRE(f.id && tp_rel_at(t->l, f.id)->n_free == 0);
  const tp_rel_node *n = tp_rel_at(t->l, f.id);
  if (is_total(t, f.id)) return TP_LIT_TRUE;
  tp_lit any_true = TP_LIT_FALSE, all_false = TP_LIT_TRUE;
  for (uint32_t i = 0; i < (n->kind == TP_REL_OR ? n->n_kids : 1); i++) {
    const uint32_t part = n->kind == TP_REL_OR ? n->kids[i] : f.id;
    if (is_total(t, part)) continue;
    const tp_rel_truth_lits v = truth(t, part);
    any_true = tp_gate_or(t->g, any_true, v.is_true);
    all_false = tp_gate_and(t->g, all_false, v.is_false);
  }
  return tp_gate_or(t->g, any_true, all_false);
}

// ------------------------------------------------------------------------- check

bool tp_rel_translation_check(const tp_rel_translation *t) {
  size_t n_inputs = 0;
  for (uint32_t r = 0; r < t->relations.n; r++) {
    const tp_rel_matrix m = t->relations.at[r];
    const tp_rel_tuples *lower = tp_rel_lower(t->b, r), *upper = tp_rel_upper(t->b, r);
    if (!tp_rel_matrix_check(&t->pool, m)) return false;
    if (t->pool.is_full || !lower) continue;
    if (m.n != upper->n) return false;
    for (size_t i = 0; i < m.n; i++) {
      if (m.at[i].tuple != upper->at[i]) return false;
      n_inputs += !tp_lit_is_const(m.at[i].lit);
    }
  }
  return t->pool.is_full || n_inputs == t->primary.n;
}
