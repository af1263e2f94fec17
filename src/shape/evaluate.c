/* Kleene evaluation, one variable at a time in words.
 *
 * tp_evaluate_set(f, v) is the vector of f's values for all nodes as v. Atoms are rows, columns or
 * diagonals of the structure; connectives are word operations. For "there is a w" the body is
 * needed for every node as w; conjuncts of the body that do not mention v are evaluated first, as a
 * vector over w, and only the nodes that they leave are tried: most formulas name the node of a
 * pointer that way, so the loop runs once.
 *
 * The closure of a step that mentions no other variable is a matrix of the structure: computed once
 * (epoch) and shared by all formulas with that step. Warshall's algorithm on the may bits and on
 * the must bits is the maximum over paths of the minimum over their steps. */
#include "shape/formula.h"

#include "shape/shape_limits.h"

typedef struct {
  uint64_t epoch;
  tp_k64 row[TP_SHAPE_MAX_NODES];
} matrix;

struct tp_evaluation {
  const tp_formulas *table;
  const tp_formula_node *nodes;  // of the table
  const tp_structure *before, *after;
  uint64_t epoch;
  TP_VEC(matrix *) closures;  // by id of the step; NULL: not needed so far
  uint8_t node[TP_FORMULA_MAX_VARS];
};

tp_evaluation *tp_evaluation_new(const tp_formulas *t) {
  tp_evaluation *e = TP_NEW(tp_evaluation);
  e->table = t;
  return e;
}

void tp_evaluation_free(tp_evaluation *e) {
  if (!e) return;
  for (size_t i = 0; i < e->closures.n; i++) tp_free(e->closures.at[i]);
  tp_vec_clear(&e->closures);
  tp_free(e);
}

void tp_evaluation_begin(tp_evaluation *e, const tp_structure *before, const tp_structure *after) {
  TP_INVARIANT(!after || after->n == before->n);
  e->nodes = tp_formula_nodes(e->table);
  e->before = before;
  e->after = after;
  e->epoch++;
}

void tp_evaluation_bind(tp_evaluation *e, uint32_t variable, uint32_t node) {
  TP_REQUIRE(variable < TP_FORMULA_MAX_VARS && node < TP_SHAPE_MAX_NODES);
  e->node[variable] = (uint8_t)node;
}

static const tp_formula_node *at(const tp_evaluation *e, tp_formula f) { return &e->nodes[f.id]; }
static bool mentions(const tp_evaluation *e, tp_formula f, uint32_t v) {
  return (at(e, f)->free >> v) & 1;
}
static const tp_structure *read_of(const tp_evaluation *e, const tp_formula_node *n) {
  TP_INVARIANT(!n->is_primed || e->after);
  return n->is_primed ? e->after : e->before;
}

static tp_k64 conjoin(tp_evaluation *e, tp_formula f, uint32_t v);

// ---------------------------------------------------------------------- closures

static void close_rows(tp_k64 *row, uint32_t n) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++) {
      if ((row[i].may >> k) & 1) row[i].may |= row[k].may;
      if ((row[i].must >> k) & 1) row[i].must |= row[k].must;
    }
}

static void fill_matrix(tp_evaluation *e, const tp_formula_node *n, tp_k64 *row) {
  TP_REQUIRE(n->kind == TP_FORMULA_CLOSURE && n->from != n->to);
  const uint8_t kept = e->node[n->from];
  for (uint32_t u = 0; u < e->before->n; u++) {
    e->node[n->from] = (uint8_t)u;
    row[u] = tp_evaluate_set(e, n->kid[0], n->to);
  }
  e->node[n->from] = kept;
  close_rows(row, e->before->n);
}

/* The rows of the closure of n's step; scratch: for one that depends on other variables. */
static const tp_k64 *closure_of(tp_evaluation *e, const tp_formula_node *n, tp_k64 *scratch) {
  const uint32_t step = n->kid[0].id;
  const uint32_t others =
      at(e, n->kid[0])->free & ~(((uint32_t)1 << n->from) | ((uint32_t)1 << n->to));
  if (others) {
    fill_matrix(e, n, scratch);
    return scratch;
  }
  if (e->closures.n <= step) tp_vec_resize(&e->closures, step + 1);
  if (!e->closures.at[step]) e->closures.at[step] = TP_NEW(matrix);
  matrix *m = e->closures.at[step];
  if (m->epoch != e->epoch) {
    fill_matrix(e, n, m->row);
    m->epoch = e->epoch;
  }
  return m->row;
}

// ------------------------------------------------------------------------ values

/* Values of a matrix with one or both of a, b as the open variable. */
static tp_k64 slice(const tp_evaluation *e, const tp_k64 *row, const tp_formula_node *n,
                    uint32_t v) {
  if (n->a != v) return row[e->node[n->a]];
  tp_k64 out = {0, 0};
  for (uint32_t u = 0; u < e->before->n; u++) {
    const uint32_t to = n->b == v ? u : e->node[n->b];
    out.may |= ((row[u].may >> to) & 1) << u;
    out.must |= ((row[u].must >> to) & 1) << u;
  }
  return out;
}

static tp_k64 equality(const tp_evaluation *e, const tp_formula_node *n, uint32_t v) {
  const uint32_t u = e->node[n->a == v ? n->b : n->a];
  return (tp_k64){tp_k64_bit(u), tp_structure_is_summary(e->before, u) ? 0 : tp_k64_bit(u)};
}

/* There is an n->a with kid 0, for all nodes as v: over the nodes that conjuncts without v leave.
 */
static tp_k64 some(tp_evaluation *e, const tp_formula_node *n, uint32_t v) {
  const uint32_t w = n->a;
  const uint8_t kept = e->node[w];
  tp_k64 guard = tp_k64_fill(TP_KLEENE_TRUE, tp_structure_nodes(e->before)), out = {0, 0};
  tp_formula rest = n->kid[0];
  for (;;) {
    const tp_formula_node *r = at(e, rest);
    if (r->kind != TP_FORMULA_AND) break;
    const int plain = !mentions(e, r->kid[0], v) ? 0 : !mentions(e, r->kid[1], v) ? 1 : -1;
    if (plain < 0) break;
    guard = tp_k64_and(guard, tp_evaluate_set(e, r->kid[plain], w));
    rest = r->kid[1 - plain];
  }
  for (uint64_t left = guard.may; left; left &= left - 1) {
    const uint32_t u = (uint32_t)__builtin_ctzll(left);
    e->node[w] = (uint8_t)u;
    tp_k64 here = tp_evaluate_set(e, rest, v);
    if (!((guard.must >> u) & 1)) here.must = 0;
    out = tp_k64_or(out, here);
  }
  e->node[w] = kept;
  return out;
}

/* One node after the other as v: for closures whose steps depend on v. */
static tp_k64 each(tp_evaluation *e, tp_formula f, uint32_t v) {
  const uint8_t kept = e->node[v];
  tp_k64 out = {0, 0};
  for (uint32_t u = 0; u < e->before->n; u++) {
    e->node[v] = (uint8_t)u;
    tp_k64_set(&out, u, tp_evaluate(e, f));
  }
  e->node[v] = kept;
  return out;
}

tp_k64 tp_evaluate_set(tp_evaluation *e, tp_formula f, uint32_t v) {
  TP_REQUIRE(e->before && v < TP_FORMULA_MAX_VARS);
  const tp_formula_node *n = at(e, f);
  const uint64_t nodes = tp_structure_nodes(e->before);
  if (!((n->free >> v) & 1)) return tp_k64_fill(tp_evaluate(e, f), nodes);
  switch (n->kind) {
    case TP_FORMULA_VALUE: return tp_k64_fill(n->value, nodes);
    case TP_FORMULA_UNARY: return read_of(e, n)->unary[n->predicate];
    case TP_FORMULA_BINARY: return slice(e, tp_structure_row(read_of(e, n), n->predicate, 0), n, v);
    case TP_FORMULA_EQUAL: return equality(e, n, v);
    case TP_FORMULA_NOT: return tp_k64_not(tp_evaluate_set(e, n->kid[0], v), nodes);
    case TP_FORMULA_AND: return conjoin(e, f, v);
    case TP_FORMULA_OR:
      return tp_k64_or(tp_evaluate_set(e, n->kid[0], v), tp_evaluate_set(e, n->kid[1], v));
    case TP_FORMULA_CHOOSE:
      return tp_k64_choose(tp_evaluate_set(e, n->kid[0], v), tp_evaluate_set(e, n->kid[1], v),
                           tp_evaluate_set(e, n->kid[2], v), nodes);
    case TP_FORMULA_EXISTS: return some(e, n, v);
    case TP_FORMULA_CLOSURE: {
      tp_k64 scratch[TP_SHAPE_MAX_NODES];
      return mentions(e, n->kid[0], v) ? each(e, f, v) : slice(e, closure_of(e, n, scratch), n, v);
    }
  }
  return (tp_k64){0, 0};
}

/* A conjunction; the second part is not looked at where the first is 0 everywhere. */
static tp_k64 conjoin(tp_evaluation *e, tp_formula f, uint32_t v) {
  const tp_formula_node *n = at(e, f);
  const tp_k64 first = tp_evaluate_set(e, n->kid[0], v);
  return first.may ? tp_k64_and(first, tp_evaluate_set(e, n->kid[1], v)) : first;
}

static tp_kleene value_in(const tp_k64 *row, uint32_t u, uint32_t v) {
  return tp_k64_get(row[u], v);
}

tp_kleene tp_evaluate(tp_evaluation *e, tp_formula f) {
  const tp_formula_node *n = at(e, f);
  switch (n->kind) {
    case TP_FORMULA_VALUE: return n->value;
    case TP_FORMULA_UNARY: return tp_k64_get(read_of(e, n)->unary[n->predicate], e->node[n->a]);
    case TP_FORMULA_BINARY:
      return value_in(tp_structure_row(read_of(e, n), n->predicate, 0), e->node[n->a],
                      e->node[n->b]);
    case TP_FORMULA_EQUAL: return tp_structure_equal(e->before, e->node[n->a], e->node[n->b]);
    case TP_FORMULA_NOT: return tp_kleene_not(tp_evaluate(e, n->kid[0]));
    case TP_FORMULA_AND: {
      const tp_kleene first = tp_evaluate(e, n->kid[0]);
      return first == TP_KLEENE_FALSE ? first : tp_kleene_and(first, tp_evaluate(e, n->kid[1]));
    }
    case TP_FORMULA_OR: {
      const tp_kleene first = tp_evaluate(e, n->kid[0]);
      return first == TP_KLEENE_TRUE ? first : tp_kleene_or(first, tp_evaluate(e, n->kid[1]));
    }
    case TP_FORMULA_CHOOSE: {
      const tp_kleene c = tp_evaluate(e, n->kid[0]);
      if (c != TP_KLEENE_HALF) return tp_evaluate(e, n->kid[c == TP_KLEENE_TRUE ? 1 : 2]);
      return tp_kleene_join(tp_evaluate(e, n->kid[1]), tp_evaluate(e, n->kid[2]));
    }
    case TP_FORMULA_EXISTS: {
      const tp_k64 all = tp_evaluate_set(e, n->kid[0], n->a);
      return tp_kleene_of(all.may != 0, all.must != 0);
    }
    case TP_FORMULA_CLOSURE: {
      tp_k64 scratch[TP_SHAPE_MAX_NODES];
      return value_in(closure_of(e, n, scratch), e->node[n->a], e->node[n->b]);
    }
  }
  return TP_KLEENE_HALF;
}
