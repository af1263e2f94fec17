/* Conflict-driven search; what was learnt is the proof.
 *
 * A literal is 2 * variable + negated. Clauses that watch a literal are a list through the clauses
 * themselves: two links each, for the two literals in front. Values of level 0 are never taken
 * back. The checker of proofs gets the clauses as they were given, and the clauses that were learnt
 * as steps, when propagation at level 0 finds a conflict. */
#include "certify/unsat/clause_search.h"

#include "certify/certify_limits.h"
#include "certify/unsat/drat.h"

#include <stdlib.h>

#define NO_CLAUSE UINT32_MAX
typedef uint32_t literal;
typedef TP_VEC(literal) literals;

typedef struct {
  size_t first;  // in the pool
  uint32_t n, next[2];
} clause;

typedef struct {
  uint32_t reason;  // the clause that gave the value; NO_CLAUSE: none
  uint32_t level;
  uint32_t at;  // in the heap + 1; 0: not there
  double activity;
  bool phase, is_seen;  // the last value; in an analysis
} variable;

struct tp_clause_search {
  literals pool, trail, learnt, scratch;
  TP_VEC(int) given;  // literals of DIMACS, 0 at the end of each clause
  literals proof;     // what was learnt, 0 at the end of each clause
  TP_VEC(clause) clauses;
  TP_VEC(uint32_t) watched;       // by literal: the first clause that watches it
  TP_VEC(uint8_t) is_true, mark;  // by literal
  TP_VEC(variable) variables;
  TP_VEC(uint32_t) heap;  // variables, the most active one first
  TP_VEC(size_t) starts;  // of levels, in the trail
  TP_VEC(uint8_t) model;  // by variable
  size_t propagated;      // of the trail
  double step;            // of activities
  bool is_refuted;
};

static bool shortens_learnt;
void tp_clause_search_inject(bool shortens) { shortens_learnt = shortens; }

tp_clause_search *tp_clause_search_new(void) {
  tp_clause_search *s = TP_NEW(tp_clause_search);
  s->step = 1;
  return s;
}

void tp_clause_search_free(tp_clause_search *s) {
  if (!s) return;
  tp_vec_clear(&s->pool);
  tp_vec_clear(&s->given);
  tp_vec_clear(&s->proof);
  tp_vec_clear(&s->trail);
  tp_vec_clear(&s->learnt);
  tp_vec_clear(&s->scratch);
  tp_vec_clear(&s->clauses);
  tp_vec_clear(&s->watched);
  tp_vec_clear(&s->is_true);
  tp_vec_clear(&s->mark);
  tp_vec_clear(&s->variables);
  tp_vec_clear(&s->heap);
  tp_vec_clear(&s->starts);
  tp_vec_clear(&s->model);
  tp_free(s);
}

static literal opposite(literal a) { return a ^ 1; }
static uint32_t variable_of(literal a) { return a >> 1; }
static bool is_false(const tp_clause_search *s, literal a) { return s->is_true.at[opposite(a)]; }
static uint32_t level(const tp_clause_search *s) { return (uint32_t)s->starts.n; }

// -------------------------------------------------------------------------- order

static bool is_before(const tp_clause_search *s, uint32_t a, uint32_t b) {
  const double x = s->variables.at[a].activity, y = s->variables.at[b].activity;
  return x > y || (x == y && a < b);
}

static void place(tp_clause_search *s, size_t i, uint32_t v) {
  s->heap.at[i] = v;
  s->variables.at[v].at = (uint32_t)i + 1;
}

static void rise(tp_clause_search *s, size_t i) {
  const uint32_t v = s->heap.at[i];
  for (; i > 0 && is_before(s, v, s->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
    place(s, i, s->heap.at[(i - 1) / 2]);
  place(s, i, v);
}

static void sink(tp_clause_search *s, size_t i) {
  const uint32_t v = s->heap.at[i];
  for (size_t kid = 2 * i + 1; kid < s->heap.n; i = kid, kid = 2 * i + 1) {
    if (kid + 1 < s->heap.n && is_before(s, s->heap.at[kid + 1], s->heap.at[kid])) kid++;
    if (!is_before(s, s->heap.at[kid], v)) break;
    place(s, i, s->heap.at[kid]);
  }
  place(s, i, v);
}

static void offer(tp_clause_search *s, uint32_t v) {
  if (s->variables.at[v].at) return;
  tp_vec_push(&s->heap, v);
  rise(s, s->heap.n - 1);
}

static uint32_t take_first(tp_clause_search *s) {
  const uint32_t v = s->heap.at[0], last = tp_vec_pop(&s->heap);
  s->variables.at[v].at = 0;
  if (s->heap.n) {
    place(s, 0, last);
    sink(s, 0);
  }
  return v;
}

static void make_active(tp_clause_search *s, uint32_t v) {
  if ((s->variables.at[v].activity += s->step) > 1e100) {
    for (size_t i = 0; i < s->variables.n; i++) s->variables.at[i].activity *= 1e-100;
    s->step *= 1e-100;
  }
  if (s->variables.at[v].at) rise(s, s->variables.at[v].at - 1);
}

// -------------------------------------------------------------------- propagation

static void make_room(tp_clause_search *s, uint32_t v) {
  const size_t old = s->variables.n;
  if (v < old) return;
  tp_vec_resize(&s->variables, (size_t)v + 1);
  tp_vec_resize(&s->is_true, 2 * s->variables.n);
  tp_vec_resize(&s->mark, 2 * s->variables.n);
  tp_vec_resize(&s->watched, 2 * s->variables.n);
  for (size_t i = 2 * old; i < s->watched.n; i++) s->watched.at[i] = NO_CLAUSE;
  for (size_t i = old; i < s->variables.n; i++) offer(s, (uint32_t)i);
}

static void assign(tp_clause_search *s, literal a, uint32_t reason) {
  TP_REQUIRE(!s->is_true.at[a] && !is_false(s, a));
  variable *v = &s->variables.at[variable_of(a)];
  s->is_true.at[a] = 1;
  v->reason = reason;
  v->level = level(s);
  v->phase = !(a & 1);
  tp_vec_push(&s->trail, a);
}

static void watch(tp_clause_search *s, uint32_t number, int side, literal a) {
  s->clauses.at[number].next[side] = s->watched.at[a];
  s->watched.at[a] = number;
}

/* A clause that watches a, which is false now: it watches another literal, or gives a value, or is
 * a conflict (false). *link: where the list of a goes on. */
static bool visit(tp_clause_search *s, literal a, uint32_t **link) {
  const uint32_t number = **link;
  clause *k = &s->clauses.at[number];
  literal *lits = s->pool.at + k->first;
  if (lits[0] == a) {
    const uint32_t next = k->next[0];
    k->next[0] = k->next[1];
    k->next[1] = next;
    lits[0] = lits[1];
    lits[1] = a;
  }
  TP_INVARIANT(lits[1] == a);
  if (s->is_true.at[lits[0]]) {
    *link = &k->next[1];
    return true;
  }
  for (uint32_t i = 2; i < k->n; i++) {
    if (is_false(s, lits[i])) continue;
    lits[1] = lits[i];
    lits[i] = a;
    **link = k->next[1];
    watch(s, number, 1, lits[1]);
    return true;
  }
  *link = &k->next[1];
  if (is_false(s, lits[0])) return false;
  assign(s, lits[0], number);
  return true;
}

/* The clause that is false, or NO_CLAUSE. */
static uint32_t propagate(tp_clause_search *s) {
  while (s->propagated < s->trail.n) {
    const literal a = opposite(s->trail.at[s->propagated++]);
    for (uint32_t *link = &s->watched.at[a]; *link != NO_CLAUSE;) {
      const uint32_t number = *link;
      if (!visit(s, a, &link)) return number;
    }
  }
  return NO_CLAUSE;
}

static void go_back(tp_clause_search *s, uint32_t to) {
  if (level(s) <= to) return;
  while (s->trail.n > s->starts.at[to]) {
    const literal a = tp_vec_pop(&s->trail);
    s->is_true.at[a] = 0;
    offer(s, variable_of(a));
  }
  s->propagated = s->trail.n;
  s->starts.n = to;
}

static void decide(tp_clause_search *s, literal a) {
  tp_vec_push(&s->starts, s->trail.n);
  assign(s, a, NO_CLAUSE);
}

static uint32_t attach(tp_clause_search *s, const literal *lits, size_t n) {
  const uint32_t number = (uint32_t)s->clauses.n;
  TP_REQUIRE(n >= 2 && s->clauses.n < NO_CLAUSE);
  tp_vec_push(&s->clauses, ((clause){.first = s->pool.n, .n = (uint32_t)n}));
  for (size_t i = 0; i < n; i++) tp_vec_push(&s->pool, lits[i]);
  watch(s, number, 0, lits[0]);
  watch(s, number, 1, lits[1]);
  return number;
}

// ------------------------------------------------------------------------ clauses

/* The literals that count at level 0, each once; false: the clause is true. */
static bool shorten(tp_clause_search *s, const int *lits, size_t n) {
  bool is_true = false;
  s->scratch.n = 0;
  for (size_t i = 0; i < n; i++) {
    const literal a = 2 * (literal)abs(lits[i]) + (lits[i] < 0);
    TP_REQUIRE(lits[i] && abs(lits[i]) < TP_CERTIFY_PROOF_VARIABLES);
    make_room(s, variable_of(a));
    is_true = is_true || s->is_true.at[a] || s->mark.at[opposite(a)];
    if (is_false(s, a) || s->mark.at[a]) continue;
    s->mark.at[a] = 1;
    tp_vec_push(&s->scratch, a);
  }
  for (size_t i = 0; i < s->scratch.n; i++) s->mark.at[s->scratch.at[i]] = 0;
  return !is_true;
}

void tp_clause_search_add(tp_clause_search *s, const int *lits, size_t n) {
  go_back(s, 0);
  for (size_t i = 0; i < n; i++) tp_vec_push(&s->given, lits[i]);
  tp_vec_push(&s->given, 0);
  if (s->is_refuted || !shorten(s, lits, n)) return;
  if (s->scratch.n == 0)
    s->is_refuted = true;
  else if (s->scratch.n == 1)
    assign(s, s->scratch.at[0], NO_CLAUSE);
  else
    (void)attach(s, s->scratch.at, s->scratch.n);
}

// ----------------------------------------------------------------------- learning

/* Marks the literals of a clause that led here; how many of them are of this level. */
static uint32_t mark_causes(tp_clause_search *s, uint32_t number, literal but) {
  const clause *k = &s->clauses.at[number];
  uint32_t n_here = 0;
  for (uint32_t i = 0; i < k->n; i++) {
    const literal a = s->pool.at[k->first + i];
    variable *v = &s->variables.at[variable_of(a)];
    if (a == but || v->is_seen || v->level == 0) continue;
    v->is_seen = true;
    make_active(s, variable_of(a));
    if (v->level == level(s))
      n_here++;
    else
      tp_vec_push(&s->learnt, a);
  }
  return n_here;
}

/* Does the clause's value follow from other literals of what is learnt? */
static bool is_implied(const tp_clause_search *s, literal a) {
  const uint32_t reason = s->variables.at[variable_of(a)].reason;
  if (reason == NO_CLAUSE) return false;
  const clause *k = &s->clauses.at[reason];
  for (uint32_t i = 0; i < k->n; i++) {
    const variable *v = &s->variables.at[variable_of(s->pool.at[k->first + i])];
    if (!v->is_seen && v->level > 0) return false;
  }
  return true;
}

/* What is learnt of a conflict, into `learnt`: the literal that it gives a value first, then one of
 * the highest level among the others. */
static void analyse(tp_clause_search *s, uint32_t conflict) {
  size_t at = s->trail.n, n = 1;
  literal a = 0;
  s->learnt.n = 0;
  tp_vec_push(&s->learnt, 0);
  uint32_t open = mark_causes(s, conflict, 0);
  s->scratch.n = 0;
  for (;;) {
    do a = s->trail.at[--at];
    while (!s->variables.at[variable_of(a)].is_seen ||
           s->variables.at[variable_of(a)].level != level(s));
    tp_vec_push(&s->scratch, a);
    if (--open == 0) break;
    open += mark_causes(s, s->variables.at[variable_of(a)].reason, a);
  }
  s->learnt.at[0] = opposite(a);
  for (size_t i = 1; i < s->learnt.n; i++) tp_vec_push(&s->scratch, s->learnt.at[i]);
  for (size_t i = 1; i < s->learnt.n; i++)
    if (!is_implied(s, s->learnt.at[i])) s->learnt.at[n++] = s->learnt.at[i];
  s->learnt.n = n;
  for (size_t i = 0; i < s->scratch.n; i++)
    s->variables.at[variable_of(s->scratch.at[i])].is_seen = false;
  for (size_t i = 2; i < n; i++)
    if (s->variables.at[variable_of(s->learnt.at[i])].level >
        s->variables.at[variable_of(s->learnt.at[1])].level) {
      const literal higher = s->learnt.at[i];
      s->learnt.at[i] = s->learnt.at[1];
      s->learnt.at[1] = higher;
    }
}

/* Keeps what is learnt, at the level where it gives a value. */
static void learn(tp_clause_search *s, uint32_t conflict) {
  analyse(s, conflict);
  if (shortens_learnt) (void)tp_vec_pop(&s->learnt);
  for (size_t i = 0; i < s->learnt.n; i++) tp_vec_push(&s->proof, s->learnt.at[i]);
  tp_vec_push(&s->proof, 0);
  s->step /= 0.95;
  go_back(s, s->learnt.n > 1 ? s->variables.at[variable_of(s->learnt.at[1])].level : 0);
  if (s->learnt.n == 0)
    s->is_refuted = true;
  else
    assign(s, s->learnt.at[0], s->learnt.n > 1 ? attach(s, s->learnt.at, s->learnt.n) : NO_CLAUSE);
}

// -------------------------------------------------------------------------- proof

/* A step of a binary DRAT proof: the clause is added. */
static void write_step(const literal *lits, size_t n, tp_str *out) {
  tp_str_add_char(out, 'a');
  for (size_t i = 0; i < n; i++) {
    uint32_t rest = lits[i];  // 2 * variable + negated, as here
    for (; rest > 127; rest >>= 7) tp_str_add_char(out, (char)(uint8_t)((rest & 127) | 128));
    tp_str_add_char(out, (char)(uint8_t)rest);
  }
  tp_str_add_char(out, 0);
}

/* The checker of proofs finds the clauses that were given refuted, by what was learnt. */
static bool is_proved(const tp_clause_search *s) {
  tp_drat *d = tp_drat_new(0);
  tp_drat_stats stats;
  tp_str proof = {0}, why = {0};
  bool goes_on = true;
  for (size_t i = 0, first = 0; i < s->given.n && goes_on; i++) {
    if (s->given.at[i]) continue;
    goes_on = tp_drat_clause(d, s->given.at + first, i - first);
    first = i + 1;
  }
  for (size_t i = 0, first = 0; i < s->proof.n; i++) {
    if (s->proof.at[i]) continue;
    write_step(s->proof.at + first, i - first, &proof);
    first = i + 1;
  }
  if (goes_on) (void)tp_drat_feed(d, tp_str_text(&proof), proof.n);
  const bool yes = goes_on && tp_drat_conclude(d, &stats, &why) == TP_DRAT_VERIFIED;
  tp_drat_free(d);
  tp_str_clear(&proof);
  tp_str_clear(&why);
  return yes;
}

// ---------------------------------------------------------------------- searching

/* 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., from i = 1 on */
static uint64_t luby(uint64_t i) {
  uint64_t size = 1;
  while (size < i) size = 2 * size + 1;
  return size == i ? (size + 1) / 2 : luby(i - size / 2);
}

/* Decides a variable that has no value; false: there is none. */
static bool decide_next(tp_clause_search *s) {
  while (s->heap.n) {
    const uint32_t v = take_first(s);
    const literal a = 2 * v + !s->variables.at[v].phase;
    if (s->is_true.at[a] || is_false(s, a)) continue;
    decide(s, a);
    return true;
  }
  return false;
}

static void keep_model(tp_clause_search *s) {
  s->model.n = 0;
  for (size_t v = 0; v < s->variables.n; v++) tp_vec_push(&s->model, s->is_true.at[2 * v]);
}

tp_clause_search_answer tp_clause_search_run(tp_clause_search *s, uint64_t conflicts) {
  uint64_t n = 0, restarts = 0, until = TP_CERTIFY_RESTART_CONFLICTS;
  go_back(s, 0);
  while (!s->is_refuted) {
    const uint32_t conflict = propagate(s);
    if (conflict != NO_CLAUSE && level(s) == 0) {
      s->is_refuted = true;
    } else if (conflict != NO_CLAUSE) {
      learn(s, conflict);
      if (++n == conflicts) return TP_CLAUSE_SEARCH_LIMIT;
    } else if (n >= until) {
      go_back(s, 0);
      until = n + TP_CERTIFY_RESTART_CONFLICTS * luby(++restarts);
    } else if (!decide_next(s)) {
      keep_model(s);
      return TP_CLAUSE_SEARCH_MODEL;
    }
  }
  return is_proved(s) ? TP_CLAUSE_SEARCH_REFUTED : TP_CLAUSE_SEARCH_LIMIT;
}

bool tp_clause_search_holds(const tp_clause_search *s, int literal_of) {
  const size_t v = (size_t)abs(literal_of);
  const bool is_true = v < s->model.n && s->model.at[v];
  return literal_of < 0 ? !is_true : is_true;
}
