/* Applying rules until nothing changes. A rule waits while a predicate that it reads has changed
 * since it was applied; values only become definite and nodes single, so this ends. Bodies are
 * evaluated for one variable at a time in words; what does not mention the second variable is a
 * guard, evaluated once for all. */
#include "shape/coerce_priv.h"

typedef struct {
  const tp_shape_class *c;
  tp_evaluation *e;
  tp_structure *s;
  uint64_t *waiting;            // rules, as bits
  bool is_stale;                // s has changed since the evaluation began
  uint64_t n_changes, n_begun;  // changes of s; those that the evaluation knows
} run;

static void wake(run *r, const tp_rule_ids *ids) {
  for (size_t i = 0; i < ids->n; i++) r->waiting[ids->at[i] / 64] |= tp_k64_bit(ids->at[i] % 64);
}

/* Closures are kept as long as nothing changes: most rules find nothing new. */
static void refresh(run *r) {
  if (r->is_stale) {
    tp_evaluation_begin(r->e, r->s, NULL);
    r->n_begun = r->n_changes;
  }
  r->is_stale = false;
  TP_INVARIANT(r->n_begun == r->n_changes);  // closures are those of s as it is now
}

// ------------------------------------------------------------ making values definite

/* The values of *a at `where` are 1, or 0 if is_negated. False: one of them is the opposite. */
static bool learn(run *r, tp_k64 *a, uint64_t where, bool is_negated, bool *changed) {
  if (is_negated) {
    if (a->must & where) return false;
    *changed |= (a->may & where) != 0;
    a->may &= ~where;
    r->n_changes += *changed;
    return true;
  }
  if (where & ~a->may) return false;
  *changed |= (where & ~a->must) != 0;
  a->must |= where;
  r->n_changes += *changed;
  return true;
}

static bool learn_unary(run *r, uint32_t p, uint64_t where, bool is_negated) {
  TP_REQUIRE(p < r->s->n_unary && !(where & ~tp_structure_nodes(r->s)));
  bool changed = false;
  if (!learn(r, &r->s->unary[p], where, is_negated, &changed)) return false;
  if (changed) wake(r, &r->c->rules->unary[p]);
  r->is_stale |= changed;
  return true;
}

static bool learn_binary(run *r, uint32_t p, uint32_t u, uint64_t where, bool is_negated) {
  TP_REQUIRE(p < r->s->n_binary && u < r->s->n && !(where & ~tp_structure_nodes(r->s)));
  bool changed = false;
  if (!learn(r, tp_structure_row(r->s, p, u), where, is_negated, &changed)) return false;
  if (changed) wake(r, &r->c->rules->binary[p]);
  r->is_stale |= changed;
  return true;
}

static void make_single(run *r, uint64_t nodes) {
  if (!(r->s->summary & nodes)) return;
  r->s->summary &= ~nodes;
  r->n_changes++;
  r->is_stale = true;
  wake(r, &r->c->rules->equality);
}

/* u is the same cell as each of `where`, or none of them. */
static bool learn_equal(run *r, uint32_t u, uint64_t where, bool is_negated) {
  if (is_negated) return !(where & tp_k64_bit(u));  // a cell of u would differ from itself
  if (where & ~tp_k64_bit(u)) return false;
  make_single(r, where);
  return true;
}

// ------------------------------------------------------------------------ rules

static bool apply_unique(run *r, uint32_t p) {
  const uint64_t must = r->s->unary[p].must;
  if (!must) return true;
  if (must & (must - 1)) return false;
  make_single(r, must);
  return learn_unary(r, p, r->s->unary[p].may & ~must, true);
}

static bool apply_function(run *r, uint32_t p) {
  for (uint32_t u = 0; u < r->s->n; u++) {
    const tp_k64 row = *tp_structure_row(r->s, p, u);
    if (((r->s->unary[r->c->freed].must | r->s->unary[r->c->outside].must) >> u) & 1) {
      if (!learn_binary(r, p, u, row.may, true)) return false;
      continue;
    }
    if (!row.must) continue;
    if (row.must & (row.must - 1)) return false;
    make_single(r, row.must);
    if (!learn_binary(r, p, u, row.may & ~row.must, true)) return false;
    if (!learn_unary(r, r->c->freed, tp_k64_bit(u), true) ||
        !learn_unary(r, r->c->outside, tp_k64_bit(u), true))
      return false;
  }
  return true;
}

/* The head holds for u as a and each of `where` as b. */
static bool learn_pairs(run *r, const tp_rule *k, uint32_t u, uint64_t where) {
  if (k->kind == TP_RULE_EQUAL) return learn_equal(r, u, where, k->is_negated);
  return learn_binary(r, k->predicate, u, where, k->is_negated);
}

static bool apply_pairs(run *r, const tp_rule *k) {
  TP_REQUIRE(k->a != k->b);
  const uint64_t guard = tp_evaluate_set(r->e, k->guard, k->a).must;
  for (uint64_t left = guard; left; left &= left - 1) {
    const uint32_t u = (uint32_t)__builtin_ctzll(left);
    tp_evaluation_bind(r->e, k->a, u);
    const uint64_t where = tp_evaluate_set(r->e, k->body, k->b).must;
    if (where && !learn_pairs(r, k, u, where)) return false;
  }
  return true;
}

/* All atoms of the witness that are conjuncts hold, of u as w (the other variables are bound). */
static bool learn_witness(run *r, tp_formula f, const uint8_t *node) {
  const tp_formula_node *n = tp_formula_at(r->c->formulas, f);
  if (n->kind == TP_FORMULA_AND)
    return learn_witness(r, n->kid[0], node) && learn_witness(r, n->kid[1], node);
  const bool is_negated = n->kind == TP_FORMULA_NOT;
  if (is_negated) n = tp_formula_at(r->c->formulas, n->kid[0]);
  if (n->kind == TP_FORMULA_UNARY)
    return learn_unary(r, n->predicate, tp_k64_bit(node[n->a]), is_negated);
  if (n->kind == TP_FORMULA_BINARY)
    return learn_binary(r, n->predicate, node[n->a], tp_k64_bit(node[n->b]), is_negated);
  return true;
}

/* The body holds for u as a, v as b. */
static bool apply_witness(run *r, const tp_rule *k, uint32_t u, uint32_t v) {
  uint8_t node[TP_FORMULA_MAX_VARS] = {0};
  node[k->a] = (uint8_t)u;
  node[k->b] = (uint8_t)v;
  const uint64_t may = tp_evaluate_set(r->e, k->witness, k->w).may;
  if (!may) return false;
  if ((may & (may - 1)) || (may & r->s->summary)) return true;
  node[k->w] = (uint8_t)__builtin_ctzll(may);
  return learn_witness(r, k->witness, node);
}

static bool apply_some(run *r, const tp_rule *k) {
  if (k->n_variables == 0)
    return tp_evaluate(r->e, k->body) != TP_KLEENE_TRUE || apply_witness(r, k, 0, 0);
  const uint64_t first = tp_evaluate_set(r->e, k->n_variables == 1 ? k->body : k->guard, k->a).must;
  for (uint64_t left = first; left; left &= left - 1) {
    const uint32_t u = (uint32_t)__builtin_ctzll(left);
    tp_evaluation_bind(r->e, k->a, u);
    uint64_t second =
        k->n_variables == 1 ? tp_k64_bit(u) : tp_evaluate_set(r->e, k->body, k->b).must;
    for (; second; second &= second - 1) {
      const uint32_t v = (uint32_t)__builtin_ctzll(second);
      tp_evaluation_bind(r->e, k->b, v);
      refresh(r);
      if (!apply_witness(r, k, u, v)) return false;
    }
  }
  return true;
}

static bool apply(run *r, const tp_rule *k) {
  refresh(r);
  switch (k->kind) {
    case TP_RULE_UNIQUE: return apply_unique(r, k->predicate);
    case TP_RULE_FUNCTION: return apply_function(r, k->predicate);
    case TP_RULE_UNARY:
      return learn_unary(r, k->predicate, tp_evaluate_set(r->e, k->body, k->a).must, k->is_negated);
    case TP_RULE_EQUAL:
    case TP_RULE_BINARY: break;
    case TP_RULE_FALSE: return tp_evaluate(r->e, k->body) != TP_KLEENE_TRUE;
    case TP_RULE_SOME: return apply_some(r, k);
  }
  if (k->a != k->b) return apply_pairs(r, k);
  for (uint64_t left = tp_evaluate_set(r->e, k->body, k->a).must; left; left &= left - 1) {
    const uint32_t u = (uint32_t)__builtin_ctzll(left);
    if (!learn_pairs(r, k, u, tp_k64_bit(u))) return false;
  }
  return true;
}

static bool run_rules(run *r, size_t n) {
  for (bool any = true; any;) {
    any = false;
    for (size_t i = 0; i * 64 < n; i++)
      while (r->waiting[i]) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(r->waiting[i]);
        r->waiting[i] &= r->waiting[i] - 1;
        any = true;
        if (!apply(r, &r->c->rules->list.at[i * 64 + bit])) return false;
      }
  }
  TP_INVARIANT(tp_structure_check(r->s));
  return true;
}

enum { MAX_RULE_WORDS = UINT16_MAX / 64 + 1 };

bool tp_shape_coerce(const tp_shape_class *c, tp_evaluation *e, tp_structure *s) {
  if (!c->rules) return true;
  const size_t n = c->rules->list.n;
  uint64_t waiting[MAX_RULE_WORDS];
  run r = {.c = c, .e = e, .s = s, .waiting = waiting, .is_stale = true};
  for (size_t i = 0; i * 64 < n; i++)
    waiting[i] = tp_k64_all((uint32_t)(n - i * 64 < 64 ? n - i * 64 : 64));
  return run_rules(&r, n);
}

void tp_touched_difference(const tp_structure *before, const tp_structure *s, tp_touched *out) {
  TP_INVARIANT(before->n == s->n);
  out->nodes |= before->summary != s->summary;
  for (uint32_t p = 0; p < s->n_unary; p++)
    if (!tp_k64_eq(before->unary[p], s->unary[p])) tp_touched_unary(out, p);
  for (uint32_t p = 0; p < s->n_binary; p++)
    if (memcmp(tp_structure_row(before, p, 0), tp_structure_row(s, p, 0),
               s->n * sizeof *s->binary) != 0)
      tp_touched_binary(out, p);
}

/* What reads a touched predicate has something new to read; what has it as its head may have to say
 * it again. A split gives no body a new value but through equality: the twins agree in everything
 * else. */
bool tp_shape_coerce_touched(const tp_shape_class *c, tp_evaluation *e, tp_structure *s,
                             const tp_touched *touched) {
  if (!c->rules) return true;
  const size_t n = c->rules->list.n;
  uint64_t waiting[MAX_RULE_WORDS];
  memset(waiting, 0, (n + 63) / 64 * sizeof *waiting);
  run r = {.c = c, .e = e, .s = s, .waiting = waiting, .is_stale = true};
  if (touched->nodes) wake(&r, &c->rules->equality);
  for (uint32_t i = 0; i * 64 < c->n_unary; i++)
    for (uint64_t left = touched->unary[i]; left; left &= left - 1) {
      const uint32_t p = i * 64 + (uint32_t)__builtin_ctzll(left);
      wake(&r, &c->rules->unary[p]);
      wake(&r, &c->rules->unary_heads[p]);
    }
  for (uint32_t i = 0; i * 64 < c->n_binary; i++)
    for (uint64_t left = touched->binary[i]; left; left &= left - 1) {
      const uint32_t p = i * 64 + (uint32_t)__builtin_ctzll(left);
      wake(&r, &c->rules->binary[p]);
      wake(&r, &c->rules->binary_heads[p]);
    }
  return run_rules(&r, n);
}
