/* Davis-Putnam search that counts: a variable is decided, its consequences are propagated, what is
 * left falls into components, whose numbers are multiplied.
 *
 * A component is what remains of the clauses over a set of open variables. It is known by the
 * variables and by those of its clauses that have lost a literal: a clause that is whole has all of
 * its variables in the component, so the variables say that it is there. The cache has fingerprints
 * of 128 bits in place of the lists: among a billion components two have the same one with a
 * probability below 2^-68. */
#include "circuit/model_count.h"

#include "circuit/circuit_limits.h"

typedef struct {
  uint32_t first, n;        // of its literals
  uint32_t n_true, n_left;  // n_left: literals that are not false
} count_clause;

/* Ascending variables, and ascending clauses that are not satisfied; both on the stack of lists. */
typedef struct {
  size_t vars, clauses;
  uint32_t n_vars, n_clauses;
} component;

typedef struct {
  uint64_t a, b;
} fingerprint;

typedef struct {
  fingerprint key;
  tp_u128 count;
  bool is_used;
} cached;

typedef enum { OPEN, IS_TRUE, IS_FALSE } count_value;

typedef struct {
  const bool *is_counted;
  uint32_t n_vars;
  TP_VEC(uint32_t) lits;  // 2 * variable + negated
  TP_VEC(count_clause) clauses;
  uint32_t *first_use, *uses;  // by literal: clauses that have it
  uint32_t *n_active;          // by literal: of these, those that are not satisfied
  uint8_t *value;              // by variable: count_value
  TP_VEC(uint32_t) trail;      // literals that are true
  TP_VEC(uint32_t) units;      // that have to be true
  TP_VEC(uint32_t) pure;       // of existential variables: their negations occur nowhere
  uint32_t *leader, *part;     // by variable: of the components being made
  TP_VEC(uint32_t) lists;
  cached *slots;  // a hash table
  size_t n_slots;
  bool is_stopped;
  double until_s;
  tp_count_stats stats;
} counter;

static uint32_t negated(uint32_t lit) { return lit ^ 1; }
static count_value lit_value(const counter *c, uint32_t lit) {
  const count_value v = c->value[lit >> 1];
  if (v == OPEN) return OPEN;
  return (v == IS_TRUE) == !(lit & 1) ? IS_TRUE : IS_FALSE;
}

// ------------------------------------------------------------------------ clauses

/* Without repeated literals; a clause with a literal and its negation says nothing. */
static void add_clause(counter *c, const int *lits, size_t n) {
  const uint32_t first = (uint32_t)c->lits.n;
  for (size_t i = 0; i < n; i++) {
    const uint32_t var = (uint32_t)(lits[i] < 0 ? -lits[i] : lits[i]);
    const uint32_t lit = 2 * var + (lits[i] < 0);
    bool is_new = true;
    TP_REQUIRE(var <= c->n_vars);
    for (size_t k = first; k < c->lits.n; k++) {
      if (c->lits.at[k] == negated(lit)) {
        c->lits.n = first;
        return;
      }
      is_new = is_new && c->lits.at[k] != lit;
    }
    if (is_new) tp_vec_push(&c->lits, lit);
  }
  const uint32_t length = (uint32_t)c->lits.n - first;
  tp_vec_push(&c->clauses, (count_clause){first, length, 0, length});
}

static void index_uses(counter *c) {
  const size_t n = 2 * (size_t)c->n_vars + 3;
  c->first_use = TP_NEW_ARRAY(uint32_t, n);
  c->n_active = TP_NEW_ARRAY(uint32_t, n);
  c->uses = TP_NEW_ARRAY(uint32_t, c->lits.n + 1);
  for (size_t i = 0; i < c->lits.n; i++) c->n_active[c->lits.at[i]]++;
  for (size_t l = 1; l < n; l++) c->first_use[l] = c->first_use[l - 1] + c->n_active[l - 1];
  uint32_t *next = TP_NEW_ARRAY(uint32_t, n);
  memcpy(next, c->first_use, n * sizeof *next);
  for (uint32_t k = 0; k < c->clauses.n; k++)
    for (uint32_t i = 0; i < c->clauses.at[k].n; i++)
      c->uses[next[c->lits.at[c->clauses.at[k].first + i]]++] = k;
  tp_free(next);
}

static void init(counter *c, const int *clauses, size_t n) {
  size_t first = 0;
  for (size_t i = 0; i < n; i++)
    if (clauses[i] == 0) {
      add_clause(c, clauses + first, i - first);
      first = i + 1;
    }
  TP_REQUIRE(first == n);
  index_uses(c);
  c->value = TP_NEW_ARRAY(uint8_t, c->n_vars + 1);
  c->leader = TP_NEW_ARRAY(uint32_t, c->n_vars + 1);
  c->part = TP_NEW_ARRAY(uint32_t, c->n_vars + 1);
}

static void clear(counter *c) {
  tp_vec_clear(&c->lits);
  tp_vec_clear(&c->clauses);
  tp_vec_clear(&c->trail);
  tp_vec_clear(&c->units);
  tp_vec_clear(&c->pure);
  tp_vec_clear(&c->lists);
  tp_free(c->first_use);
  tp_free(c->uses);
  tp_free(c->n_active);
  tp_free(c->value);
  tp_free(c->leader);
  tp_free(c->part);
  tp_free(c->slots);
}

// -------------------------------------------------------------------- propagation

static void note_pure(counter *c, uint32_t lit) {
  if (c->n_active[lit] == 0 && !c->is_counted[lit >> 1] && c->value[lit >> 1] == OPEN)
    tp_vec_push(&c->pure, negated(lit));
}

/* False: a clause has lost all of its literals. */
static bool assign(counter *c, uint32_t lit) {
  bool ok = true;
  TP_REQUIRE(c->value[lit >> 1] == OPEN);
  c->value[lit >> 1] = lit & 1 ? IS_FALSE : IS_TRUE;
  tp_vec_push(&c->trail, lit);
  for (uint32_t u = c->first_use[lit]; u < c->first_use[lit + 1]; u++) {
    count_clause *k = &c->clauses.at[c->uses[u]];
    if (k->n_true++) continue;
    for (uint32_t i = 0; i < k->n; i++) {
      c->n_active[c->lits.at[k->first + i]]--;
      note_pure(c, c->lits.at[k->first + i]);
    }
  }
  const uint32_t other = negated(lit);
  for (uint32_t u = c->first_use[other]; u < c->first_use[other + 1]; u++) {
    count_clause *k = &c->clauses.at[c->uses[u]];
    k->n_left--;
    if (k->n_true) continue;
    ok = ok && k->n_left > 0;
    if (k->n_left == 1) tp_vec_push(&c->units, c->uses[u]);
  }
  return ok;
}

static void unassign(counter *c) {
  const uint32_t lit = tp_vec_pop(&c->trail), other = negated(lit);
  c->value[lit >> 1] = OPEN;
  for (uint32_t u = c->first_use[lit]; u < c->first_use[lit + 1]; u++) {
    count_clause *k = &c->clauses.at[c->uses[u]];
    if (--k->n_true) continue;
    for (uint32_t i = 0; i < k->n; i++) c->n_active[c->lits.at[k->first + i]]++;
  }
  for (uint32_t u = c->first_use[other]; u < c->first_use[other + 1]; u++)
    c->clauses.at[c->uses[u]].n_left++;
}

static uint32_t open_literal(const counter *c, const count_clause *k) {
  uint32_t i = 0;
  while (lit_value(c, c->lits.at[k->first + i]) != OPEN) i++;
  TP_INVARIANT(i < k->n);
  return c->lits.at[k->first + i];
}

static bool propagate(counter *c) {
  bool ok = true;
  while (ok && (c->units.n || c->pure.n)) {
    uint32_t lit;
    if (c->units.n) {
      const count_clause *k = &c->clauses.at[tp_vec_pop(&c->units)];
      if (k->n_true) continue;
      if (k->n_left == 0) ok = false;
      if (!ok) break;
      lit = open_literal(c, k);
    } else {
      lit = tp_vec_pop(&c->pure);
      if (c->value[lit >> 1] != OPEN || c->n_active[lit] == 0) continue;  // nothing needs it
    }
    ok = assign(c, lit);
  }
  c->units.n = c->pure.n = 0;
  return ok;
}

static void backtrack(counter *c, size_t trail) {
  while (c->trail.n > trail) unassign(c);
}

// --------------------------------------------------------------------- components

static uint32_t leader_of(counter *c, uint32_t v) {
  while (c->leader[v] != v) v = c->leader[v] = c->leader[c->leader[v]];
  return v;
}

static void join_variables(counter *c, component of) {
  for (uint32_t i = 0; i < of.n_vars; i++) {
    const uint32_t v = c->lists.at[of.vars + i];
    c->leader[v] = v;
    c->part[v] = 0;
  }
  for (uint32_t i = 0; i < of.n_clauses; i++) {
    const count_clause *k = &c->clauses.at[c->lists.at[of.clauses + i]];
    uint32_t first = 0;
    for (uint32_t j = 0; j < k->n && !k->n_true; j++) {
      const uint32_t v = c->lits.at[k->first + j] >> 1;
      if (c->value[v] != OPEN) continue;
      if (first)
        c->leader[leader_of(c, v)] = leader_of(c, first);
      else
        first = v;
    }
  }
}

typedef TP_VEC(component) components;

/* What is left of a component; *n_free: counted variables that no clause needs. */
static void split(counter *c, component of, components *out, uint32_t *n_free) {
  const size_t first = c->lists.n;
  *n_free = 0;
  join_variables(c, of);
  for (uint32_t i = 0; i < of.n_vars; i++) {
    const uint32_t v = c->lists.at[of.vars + i];
    if (c->value[v] != OPEN) continue;
    if (c->n_active[2 * v] + c->n_active[2 * v + 1] == 0) {
      *n_free += c->is_counted[v];
      continue;
    }
    const uint32_t l = leader_of(c, v);
    if (!c->part[l]) {
      tp_vec_push(out, (component){0});
      c->part[l] = (uint32_t)out->n;
    }
    out->at[c->part[l] - 1].n_vars++;
    tp_vec_push(&c->lists, v);
  }
  // their variables are mixed; they are put apart
  const size_t end = c->lists.n;
  for (size_t k = 0, at = end; k < out->n; at += out->at[k++].n_vars) out->at[k].vars = at;
  for (size_t k = 0; k < out->n; k++) out->at[k].n_vars = 0;
  tp_vec_resize(&c->lists, end + (end - first));
  for (size_t i = first; i < end; i++) {
    component *to = &out->at[c->part[leader_of(c, c->lists.at[i])] - 1];
    c->lists.at[to->vars + to->n_vars++] = c->lists.at[i];
  }
}

static uint32_t part_of_clause(counter *c, uint32_t clause) {
  const count_clause *k = &c->clauses.at[clause];
  return k->n_true ? 0 : c->part[leader_of(c, open_literal(c, k) >> 1)];
}

static void split_clauses(counter *c, component of, components *out) {
  for (uint32_t i = 0; i < of.n_clauses; i++) {
    const uint32_t part = part_of_clause(c, c->lists.at[of.clauses + i]);
    if (part) out->at[part - 1].n_clauses++;
  }
  size_t at = c->lists.n;
  for (size_t k = 0; k < out->n; at += out->at[k++].n_clauses) out->at[k].clauses = at;
  tp_vec_resize(&c->lists, at);
  for (size_t k = 0; k < out->n; k++) out->at[k].n_clauses = 0;
  for (uint32_t i = 0; i < of.n_clauses; i++) {
    const uint32_t clause = c->lists.at[of.clauses + i], part = part_of_clause(c, clause);
    if (!part) continue;
    component *to = &out->at[part - 1];
    c->lists.at[to->clauses + to->n_clauses++] = clause;
  }
}

// -------------------------------------------------------------------------- cache

static fingerprint mix(fingerprint f, uint32_t word) {
  f.a = (f.a ^ word) * 0x9e3779b97f4a7c15u;
  f.a ^= f.a >> 32;
  f.b = (f.b + word + 1) * 0xd6e8feb86659fd93u;
  f.b ^= f.b >> 29;
  return f;
}

static fingerprint fingerprint_of(const counter *c, component k) {
  fingerprint f = {0x243f6a8885a308d3u, 0x13198a2e03707344u};
  for (uint32_t i = 0; i < k.n_vars; i++) f = mix(f, c->lists.at[k.vars + i]);
  f = mix(f, 0);
  for (uint32_t i = 0; i < k.n_clauses; i++) {
    const uint32_t clause = c->lists.at[k.clauses + i];
    if (c->clauses.at[clause].n_left < c->clauses.at[clause].n) f = mix(f, clause);
  }
  return f;
}

/* Where it stands, or would stand. */
static size_t slot_of(const counter *c, fingerprint f) {
  size_t s = f.a & (c->n_slots - 1);
  while (c->slots[s].is_used && (c->slots[s].key.a != f.a || c->slots[s].key.b != f.b))
    s = (s + 1) & (c->n_slots - 1);
  return s;
}

static void add_cached(counter *c, fingerprint f, tp_u128 count) {
  if (c->stats.n_cached == TP_CIRCUIT_COUNTED_COMPONENTS) return;
  if (4 * (c->stats.n_cached + 1) > 3 * c->n_slots) {
    cached *old = c->slots;
    const size_t n = c->n_slots;
    c->n_slots = n ? 2 * n : 1024;
    c->slots = TP_NEW_ARRAY(cached, c->n_slots);
    for (size_t i = 0; i < n; i++)
      if (old[i].is_used) c->slots[slot_of(c, old[i].key)] = old[i];
    tp_free(old);
  }
  c->slots[slot_of(c, f)] = (cached){f, count, true};
  c->stats.n_cached++;
}

static bool find_cached(counter *c, fingerprint f, tp_u128 *count) {
  if (!c->n_slots) return false;
  const cached *e = &c->slots[slot_of(c, f)];
  if (!e->is_used) return false;
  *count = e->count;
  c->stats.n_reused++;
  return true;
}

// ------------------------------------------------------------------------- search

/* A counted variable if there is any; the one that most clauses had at first: what others depend on
 * is decided before them. */
static uint32_t choose_variable(const counter *c, component k) {
  uint32_t best = 0, best_uses = 0;
  for (uint32_t i = 0; i < k.n_vars; i++) {
    const uint32_t v = c->lists.at[k.vars + i],
                   uses = c->first_use[2 * v + 2] - c->first_use[2 * v];
    const bool is_better =
        !best || (c->is_counted[v] == c->is_counted[best] ? uses > best_uses : c->is_counted[v]);
    if (is_better) best = v, best_uses = uses;
  }
  return best;
}

static void stop_in_time(counter *c) {
  if (++c->stats.n_decisions % TP_CIRCUIT_DECISIONS_PER_LOOK == 0 && c->until_s > 0)
    c->is_stopped = c->is_stopped || tp_cpu_s() > c->until_s;
}

static tp_u128 times(counter *c, tp_u128 a, tp_u128 b) {
  if (a && b > ((tp_u128)1 << 127) / a) c->is_stopped = true;
  return a * b;
}

static tp_u128 count_component(counter *c, component k);

/* The product of all components that a component has fallen into. */
static tp_u128 count_rest(counter *c, component of) {
  components all = {0};
  uint32_t n_free;
  const size_t lists = c->lists.n;
  split(c, of, &all, &n_free);
  split_clauses(c, of, &all);
  tp_u128 product = 1;
  for (size_t i = 0; i < all.n && product && !c->is_stopped; i++)
    product = times(c, product, count_component(c, all.at[i]));
  for (uint32_t i = 0; i < n_free && product && !c->is_stopped; i++) product = times(c, product, 2);
  tp_vec_clear(&all);
  c->lists.n = lists;
  return product;
}

static tp_u128 count_value_of(counter *c, component k, uint32_t lit) {
  const size_t trail = c->trail.n;
  bool ok = assign(c, lit);
  ok = propagate(c) && ok;
  const tp_u128 n = ok ? count_rest(c, k) : 0;
  backtrack(c, trail);
  return n;
}

/* Existential variables only: 1 or 0. */
static tp_u128 count_component(counter *c, component k) {
  tp_u128 n = 0;
  const fingerprint f = fingerprint_of(c, k);
  if (find_cached(c, f, &n)) return n;
  const uint32_t v = choose_variable(c, k);
  stop_in_time(c);
  for (uint32_t i = 0; i < 2 && !c->is_stopped; i++) {
    const tp_u128 more = count_value_of(c, k, 2 * v + i);
    n += more;
    if (n < more || n >> 127) c->is_stopped = true;
    if (n && !c->is_counted[v]) break;
  }
  if (!c->is_stopped) add_cached(c, f, n);
  return n;
}

static bool start(counter *c) {
  for (uint32_t k = 0; k < c->clauses.n; k++) {
    if (c->clauses.at[k].n == 0) return false;
    if (c->clauses.at[k].n == 1) tp_vec_push(&c->units, k);
  }
  for (uint32_t v = 1; v <= c->n_vars; v++) {
    note_pure(c, 2 * v);
    note_pure(c, 2 * v + 1);
  }
  return propagate(c);
}

tp_count_answer tp_count_models(const int *clauses, size_t n, uint32_t n_vars,
                                const bool *is_counted, double cpu_s, tp_u128 *count,
                                tp_count_stats *stats) {
  TP_REQUIRE((clauses || n == 0) && is_counted && count);
  counter c = {
      .is_counted = is_counted, .n_vars = n_vars, .until_s = cpu_s > 0 ? tp_cpu_s() + cpu_s : 0};
  init(&c, clauses, n);
  *count = 0;
  if (start(&c)) {
    const component all = {0, n_vars, n_vars, (uint32_t)c.clauses.n};
    for (uint32_t v = 1; v <= n_vars; v++) tp_vec_push(&c.lists, v);
    for (uint32_t k = 0; k < c.clauses.n; k++) tp_vec_push(&c.lists, k);
    *count = count_rest(&c, all);
  }
  if (stats) *stats = c.stats;
  const bool is_exact = !c.is_stopped;
  clear(&c);
  return is_exact ? TP_COUNT_EXACT : TP_COUNT_LIMIT;
}
