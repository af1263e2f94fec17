/* Forward checking of DRAT proofs.
 *
 * The clauses that are there, and what follows from them by unit propagation, are kept from step to
 * step: the first part of the trail. To check a clause the negations of its literals are assumed on
 * top of that, propagated, and taken back. Literals are numbers: 2 * variable + negated. In a
 * clause the two literals in front are watched: as long as no conflict was found, neither is false
 * unless the other is true or the clause gave its value to the other.
 *
 * Deleted clauses keep their place until they are most of the pool; then those that are there move
 * together, in their order, and get new numbers (compact). So memory is bounded by the clauses that
 * the solver itself keeps, however long the proof is. */
#include "certify/unsat/drat.h"

#include "certify/certify_limits.h"

#define NO_CLAUSE UINT32_MAX
typedef uint32_t literal;
static literal opposite(literal a) { return a ^ 1; }

typedef struct {
  size_t first;      // in the pool
  uint32_t n, next;  // next: of the same hash
  bool is_deleted, is_watched;
} clause;

typedef struct {
  uint32_t clause;
  literal other;  // if this one is true the clause need not be looked at
} watch;
typedef TP_VEC(watch) watch_list;
typedef TP_VEC(uint32_t) clause_list;

typedef struct checker {
  TP_VEC(literal) pool;
  size_t n_garbage;  // literals of deleted clauses in the pool
  TP_VEC(clause) clauses;
  TP_VEC(watch_list) watches;       // by literal: clauses that watch it
  TP_VEC(clause_list) occurrences;  // by literal, from the first RAT step on
  bool has_occurrences;
  TP_VEC(uint8_t) is_true;  // by literal
  TP_VEC(uint32_t) reason;  // by variable: the clause that gave it its lasting value
  TP_VEC(uint8_t) mark;     // by literal, scratch
  TP_VEC(literal) trail;
  size_t propagated;     // of the trail
  TP_VEC(literal) step;  // the clause being read, as it is written
  uint32_t *heads;       // hash table of clauses, NO_CLAUSE: none
  size_t n_heads;
  bool is_refuted;
  uint64_t max_assigned;
  tp_drat_stats stats;
  tp_str *why;
} checker;

static void clear(checker *c) {
  for (size_t i = 0; i < c->watches.n; i++) tp_vec_clear(&c->watches.at[i]);
  for (size_t i = 0; i < c->occurrences.n; i++) tp_vec_clear(&c->occurrences.at[i]);
  tp_vec_clear(&c->pool);
  tp_vec_clear(&c->clauses);
  tp_vec_clear(&c->watches);
  tp_vec_clear(&c->occurrences);
  tp_vec_clear(&c->is_true);
  tp_vec_clear(&c->reason);
  tp_vec_clear(&c->mark);
  tp_vec_clear(&c->trail);
  tp_vec_clear(&c->step);
  tp_free(c->heads);
}

static void make_room(checker *c, uint32_t variable) {
  const size_t n = 2 * ((size_t)variable + 1), old = c->reason.n;
  if (n <= c->is_true.n) return;
  tp_vec_resize(&c->watches, n);
  tp_vec_resize(&c->occurrences, n);
  tp_vec_resize(&c->is_true, n);
  tp_vec_resize(&c->mark, n);
  tp_vec_resize(&c->reason, n / 2);
  for (size_t i = old; i < n / 2; i++) c->reason.at[i] = NO_CLAUSE;
}

// ----------------------------------------------------------------- propagation

static bool is_false(const checker *c, literal a) { return c->is_true.at[opposite(a)]; }

static void assign(checker *c, literal a) {
  TP_REQUIRE(!c->is_true.at[a] && !c->is_true.at[opposite(a)]);  // no literal is on the trail twice
  c->is_true.at[a] = 1;
  c->stats.n_assigned++;
  tp_vec_push(&c->trail, a);
}

/* A watched literal became false: another one is watched, or the clause is a unit, or a conflict.
 * Returns whether the watch stays. */
static bool visit(checker *c, watch w, literal falsified, bool lasting, bool *conflict) {
  TP_REQUIRE(is_false(c, falsified));
  const clause *k = &c->clauses.at[w.clause];
  literal *lits = c->pool.at + k->first;
  TP_INVARIANT(k->n >= 2 && (lits[0] == falsified || lits[1] == falsified));  // watched in front
  if (lits[0] == falsified) lits[0] = lits[1], lits[1] = falsified;
  if (c->is_true.at[lits[0]]) return true;
  for (uint32_t i = 2; i < k->n; i++) {
    if (is_false(c, lits[i])) continue;
    lits[1] = lits[i];
    lits[i] = falsified;
    tp_vec_push(&c->watches.at[lits[1]], (watch){w.clause, lits[0]});
    return false;
  }
  *conflict = is_false(c, lits[0]);
  if (*conflict) return true;
  if (lasting) c->reason.at[lits[0] >> 1] = w.clause;
  assign(c, lits[0]);
  return true;
}

/* Until nothing follows any more; true: a conflict. lasting: what follows is kept. */
static bool propagate(checker *c, bool lasting) {
  bool conflict = false;
  while (!conflict && c->propagated < c->trail.n) {
    const literal falsified = opposite(c->trail.at[c->propagated++]);
    watch_list *list = &c->watches.at[falsified];
    size_t kept = 0;
    for (size_t i = 0; i < list->n; i++) {
      const watch w = list->at[i];
      const bool stays =
          conflict || c->is_true.at[w.other] ||  // most often: no clause is read
          (!c->clauses.at[w.clause].is_deleted && visit(c, w, falsified, lasting, &conflict));
      if (stays) list->at[kept++] = w;
    }
    list->n = kept;
  }
  return conflict;
}

static void take_back(checker *c, size_t n) {
  TP_REQUIRE(n <= c->trail.n);
  while (c->trail.n > n) c->is_true.at[tp_vec_pop(&c->trail)] = 0;
  c->propagated = n;
}

/* Assumes that a literal is false; false: it is true already, which is a conflict. */
static bool assume_false(checker *c, literal a) {
  if (c->is_true.at[a]) return false;
  if (!is_false(c, a)) assign(c, opposite(a));
  return true;
}

// --------------------------------------------------------------------- clauses

/* Does not depend on the order of the literals. */
static uint64_t hash_of(const literal *lits, size_t n) {
  uint64_t sum = n, all = 0;
  for (size_t i = 0; i < n; i++) {
    sum += tp_hash_u64(lits[i] + 1);
    all ^= tp_hash_u64(lits[i] + 0x10001);
  }
  return tp_hash_mix(sum, all);
}

static void rebuild_table(checker *c) {
  const size_t n = c->n_heads;
  for (size_t i = 0; i < n; i++) c->heads[i] = NO_CLAUSE;
  for (uint32_t i = 0; i < c->clauses.n; i++) {
    clause *k = &c->clauses.at[i];
    if (k->is_deleted) continue;
    const size_t at = (size_t)hash_of(c->pool.at + k->first, k->n) & (n - 1);
    k->next = c->heads[at];
    c->heads[at] = i;
  }
}

static void grow_table(checker *c) {
  const size_t n = c->n_heads ? 2 * c->n_heads : 1024;
  tp_free(c->heads);
  c->heads = TP_NEW_ARRAY(uint32_t, n);
  c->n_heads = n;
  rebuild_table(c);
}

/* Literals that are repeated are dropped; false: the clause has a literal and its opposite. */
static bool normalise(checker *c) {
  size_t kept = 0;
  bool is_tautology = false;
  for (size_t i = 0; i < c->step.n; i++) {
    const literal a = c->step.at[i];
    if (c->mark.at[a]) continue;
    c->mark.at[a] = 1;
    is_tautology |= c->mark.at[opposite(a)];
    c->step.at[kept++] = a;
  }
  for (size_t i = 0; i < kept; i++) c->mark.at[c->step.at[i]] = 0;
  c->step.n = kept;
  return !is_tautology;
}

/* Puts a literal that is not false at `place`, if there is one. */
static bool bring_forward(checker *c, literal *lits, uint32_t n, uint32_t place) {
  TP_REQUIRE(place <= n);
  for (uint32_t i = place; i < n; i++) {
    if (is_false(c, lits[i])) continue;
    const literal t = lits[i];
    lits[i] = lits[place];
    lits[place] = t;
    return true;
  }
  return false;
}

/* Adds the clause of the step and what follows from it. */
static void add(checker *c, bool is_watched) {
  const uint32_t id = (uint32_t)c->clauses.n, n = (uint32_t)c->step.n;
  const size_t first = c->pool.n;
  if (c->clauses.n >= c->n_heads) grow_table(c);
  for (uint32_t i = 0; i < n; i++) tp_vec_push(&c->pool, c->step.at[i]);
  const size_t at = (size_t)hash_of(c->step.at, n) & (c->n_heads - 1);
  tp_vec_push(&c->clauses,
              (clause){.first = first, .n = n, .next = c->heads[at], .is_watched = is_watched});
  TP_INVARIANT(at < c->n_heads);
  c->heads[at] = id;
  for (uint32_t i = 0; i < n && c->has_occurrences; i++)
    tp_vec_push(&c->occurrences.at[c->step.at[i]], id);
  if (!is_watched) return;
  literal *lits = c->pool.at + first;
  if (n == 0 || !bring_forward(c, lits, n, 0)) {
    c->is_refuted = true;
    return;
  }
  const bool is_unit = n == 1 || !bring_forward(c, lits, n, 1);
  if (n > 1) {
    tp_vec_push(&c->watches.at[lits[0]], (watch){id, lits[1]});
    tp_vec_push(&c->watches.at[lits[1]], (watch){id, lits[0]});
  }
  if (!is_unit || c->is_true.at[lits[0]]) return;
  c->reason.at[lits[0] >> 1] = id;
  assign(c, lits[0]);
  c->is_refuted = propagate(c, true);
}

static bool has_same_literals(const checker *c, const clause *k) {
  TP_REQUIRE(!k->is_deleted);  // deleted clauses are in no list of the table
  if (k->n != c->step.n) return false;
  for (uint32_t i = 0; i < k->n; i++)
    if (!c->mark.at[c->pool.at[k->first + i]]) return false;
  return true;
}

/* Deletes one clause with the literals of the step; deleting what is not there is no error, and
 * does nothing. */
static void delete(checker *c) {
  if (c->n_heads == 0) return;
  uint32_t *link = &c->heads[(size_t)hash_of(c->step.at, c->step.n) & (c->n_heads - 1)];
  for (size_t i = 0; i < c->step.n; i++) c->mark.at[c->step.at[i]] = 1;
  while (*link != NO_CLAUSE && !has_same_literals(c, &c->clauses.at[*link]))
    link = &c->clauses.at[*link].next;
  for (size_t i = 0; i < c->step.n; i++) c->mark.at[c->step.at[i]] = 0;
  if (*link == NO_CLAUSE) {
    c->stats.n_kept++;
    return;
  }
  clause *k = &c->clauses.at[*link];
  for (uint32_t i = 0; i < k->n; i++)
    if (c->reason.at[c->pool.at[k->first + i] >> 1] == *link) {
      c->stats.n_kept++;
      return;
    }
  k->is_deleted = true;
  c->n_garbage += k->n;
  *link = k->next;
  c->stats.n_deleted++;
}

/* Takes deleted clauses out of the pool. Between steps: nothing but what lasts is on the trail. */
static void compact(checker *c) {
  TP_REQUIRE(c->propagated == c->trail.n && !c->is_refuted);
  TP_VEC(uint32_t) moved = {0};
  size_t n_literals = 0;
  uint32_t n_clauses = 0;
  tp_vec_resize(&moved, c->clauses.n);
  for (uint32_t id = 0; id < c->clauses.n; id++) {
    clause k = c->clauses.at[id];
    moved.at[id] = k.is_deleted ? NO_CLAUSE : n_clauses;
    if (k.is_deleted) continue;
    memmove(c->pool.at + n_literals, c->pool.at + k.first, k.n * sizeof(literal));
    k.first = n_literals;
    n_literals += k.n;
    c->clauses.at[n_clauses++] = k;
  }
  c->pool.n = n_literals;
  c->clauses.n = n_clauses;
  c->n_garbage = 0;
  c->stats.n_compacted++;
  for (size_t i = 0; i < c->reason.n; i++)
    if (c->reason.at[i] != NO_CLAUSE) c->reason.at[i] = moved.at[c->reason.at[i]];
  for (size_t i = 0; i < c->watches.n; i++) c->watches.at[i].n = 0;
  for (size_t i = 0; i < c->occurrences.n; i++) c->occurrences.at[i].n = 0;
  for (uint32_t id = 0; id < n_clauses; id++) {
    const clause *k = &c->clauses.at[id];
    const literal *lits = c->pool.at + k->first;
    for (uint32_t i = 0; i < k->n && c->has_occurrences; i++)
      tp_vec_push(&c->occurrences.at[lits[i]], id);
    if (!k->is_watched || k->n < 2) continue;
    tp_vec_push(&c->watches.at[lits[0]], (watch){id, lits[1]});
    tp_vec_push(&c->watches.at[lits[1]], (watch){id, lits[0]});
  }
  rebuild_table(c);
  tp_vec_clear(&moved);
}

// ------------------------------------------------------------------------ steps

/* Occurrences of every literal, of clauses that are there. */
static void list_occurrences(checker *c) {
  c->has_occurrences = true;
  for (uint32_t id = 0; id < c->clauses.n; id++)
    for (uint32_t i = 0; i < c->clauses.at[id].n && !c->clauses.at[id].is_deleted; i++)
      tp_vec_push(&c->occurrences.at[c->pool.at[c->clauses.at[id].first + i]], id);
}

/* The negation of the step is on the trail, without a conflict. Is there one for each resolvent on
 * the first literal? */
static bool is_rat(checker *c) {
  TP_REQUIRE(c->propagated == c->trail.n);  // propagation found no conflict
  if (c->step.n == 0) return false;
  const literal pivot = c->step.at[0];
  const size_t base = c->trail.n;
  if (!c->has_occurrences) list_occurrences(c);
  TP_INVARIANT((pivot ^ 1) < c->occurrences.n);
  const clause_list *list = &c->occurrences.at[opposite(pivot)];
  for (size_t i = 0; i < list->n; i++) {
    const clause *k = &c->clauses.at[list->at[i]];
    bool follows = true;
    if (k->is_deleted) continue;
    for (uint32_t j = 0; j < k->n && follows; j++) {
      const literal a = c->pool.at[k->first + j];
      if (a != opposite(pivot)) follows = assume_false(c, a);
    }
    follows = !follows || propagate(c, false);
    take_back(c, base);
    if (!follows) return false;
  }
  return true;
}

static bool may_add(checker *c) {
  const size_t base = c->trail.n;
  bool follows = false;
  for (size_t i = 0; i < c->step.n && !follows; i++) follows = !assume_false(c, c->step.at[i]);
  follows = follows || propagate(c, false);
  if (!follows) {
    follows = is_rat(c);
    c->stats.n_rat += follows;
  }
  take_back(c, base);
  TP_INVARIANT(c->trail.n == base);  // the assumptions are taken back
  return follows;
}

// ---------------------------------------------------------------------- reading

typedef struct {
  const char *at, *end;
} text;

static void skip_space(text *t) {
  while (t->at < t->end && (*t->at == ' ' || *t->at == '\n' || *t->at == '\t' || *t->at == '\r'))
    t->at++;
}

static void skip_line(text *t) {
  while (t->at < t->end && *t->at != '\n') t->at++;
}

static bool read_number(text *t, int64_t *out) {
  skip_space(t);
  const bool negative = t->at < t->end && *t->at == '-';
  t->at += negative;
  const char *first = t->at;
  int64_t n = 0;
  for (; t->at < t->end && *t->at >= '0' && *t->at <= '9' && n <= TP_CERTIFY_PROOF_VARIABLES;
       t->at++)
    n = 10 * n + (*t->at - '0');
  *out = negative ? -n : n;
  return t->at > first && n <= TP_CERTIFY_PROOF_VARIABLES;
}

/* Literals up to 0, into the step. */
static bool read_clause(checker *c, text *t) {
  int64_t n;
  for (c->step.n = 0;;) {
    if (!read_number(t, &n)) return false;
    if (n == 0) return true;
    const uint32_t variable = (uint32_t)(n < 0 ? -n : n);
    make_room(c, variable);
    tp_vec_push(&c->step, 2 * variable + (n < 0));
  }
}

static bool read_binary_clause(checker *c, text *t) {
  for (c->step.n = 0;;) {
    uint64_t n = 0;
    uint32_t shift = 0;
    for (;; shift += 7) {
      if (t->at == t->end || shift > 28) return false;
      const uint8_t byte = (uint8_t)*t->at++;
      n |= (uint64_t)(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (n == 0) return true;
    if (n < 2 || n / 2 > TP_CERTIFY_PROOF_VARIABLES) return false;
    make_room(c, (uint32_t)(n / 2));
    tp_vec_push(&c->step, (literal)n);
  }
}

static tp_drat_answer malformed(checker *c, const char *what) {
  tp_str_add(c->why, what);
  return TP_DRAT_MALFORMED;
}

static bool skip_word(text *t, const char *word) {
  skip_space(t);
  const size_t n = strlen(word);
  if ((size_t)(t->end - t->at) < n || memcmp(t->at, word, n) != 0) return false;
  t->at += n;
  return true;
}

/* VERIFIED: it was read. */
static tp_drat_answer read_cnf(checker *c, text t) {
  int64_t n_variables, n_clauses;
  while (skip_word(&t, "c")) skip_line(&t);
  if (!skip_word(&t, "p") || !skip_word(&t, "cnf") || !read_number(&t, &n_variables) ||
      !read_number(&t, &n_clauses))
    return malformed(c, "cnf: no header");
  if (n_variables < 0 || n_clauses < 0) return malformed(c, "cnf: a negative number in the header");
  make_room(c, (uint32_t)n_variables);
  for (int64_t i = 0; i < n_clauses; i++) {
    while (skip_word(&t, "c")) skip_line(&t);
    if (!read_clause(c, &t))
      return malformed(c, "cnf: fewer clauses than the header says, or no number");
    for (size_t k = 0; k < c->step.n; k++)
      if (c->step.at[k] / 2 > (uint64_t)n_variables)
        return malformed(c, "cnf: a variable that the header does not announce");
    const bool is_watched = normalise(c);
    if (!c->is_refuted) add(c, is_watched);
  }
  while (skip_word(&t, "c")) skip_line(&t);
  skip_space(&t);
  return t.at == t.end ? TP_DRAT_VERIFIED : malformed(c, "cnf: more than the header says");
}

/* The next step into c->step. VERIFIED: there is one. REJECTED: the proof is over. */
static tp_drat_answer read_step(checker *c, text *t, tp_drat_format format, bool *deletes) {
  if (format == TP_DRAT_BINARY) {
    if (t->at == t->end) return TP_DRAT_REJECTED;
    const char kind = *t->at++;
    *deletes = kind == 'd';
    if (kind != 'a' && kind != 'd')
      return malformed(c, "proof: a step that is neither an addition nor a deletion");
    return read_binary_clause(c, t) ? TP_DRAT_VERIFIED
                                    : malformed(c, "proof: no literal, or an end within a step");
  }
  while (skip_word(t, "c")) skip_line(t);
  skip_space(t);
  if (t->at == t->end) return TP_DRAT_REJECTED;
  *deletes = skip_word(t, "d");
  return read_clause(c, t) ? TP_DRAT_VERIFIED
                           : malformed(c, "proof: no literal, or an end within a step");
}

/* The step that was read is checked and made. */
static tp_drat_answer take_step(checker *c, bool deletes) {
  const bool is_watched = normalise(c);
  if (deletes) {
    delete (c);
    if (c->n_garbage > TP_CERTIFY_PROOF_GARBAGE && c->n_garbage > c->pool.n / 2) compact(c);
    return TP_DRAT_VERIFIED;
  }
  if (is_watched && !may_add(c)) {
    tp_str_printf(c->why, "clause %llu of the proof does not follow",
                  (unsigned long long)c->stats.n_added + 1);
    return TP_DRAT_REJECTED;
  }
  c->stats.n_added++;
  add(c, is_watched);
  if (!c->is_refuted && c->max_assigned && c->stats.n_assigned > c->max_assigned)
    return TP_DRAT_GAVE_UP;
  return TP_DRAT_VERIFIED;
}

static tp_drat_answer run(checker *c, text t, tp_drat_format format) {
  bool deletes = false;
  while (!c->is_refuted) {
    tp_drat_answer a = read_step(c, &t, format, &deletes);
    if (a == TP_DRAT_REJECTED) tp_str_add(c->why, "the proof ends without a conflict");
    if (a == TP_DRAT_VERIFIED) a = take_step(c, deletes);
    if (a != TP_DRAT_VERIFIED) return a;
  }
  return TP_DRAT_VERIFIED;
}

tp_drat_answer tp_drat_check(const char *cnf, size_t n_cnf, const char *proof, size_t n_proof,
                             tp_drat_format format, uint64_t max_assigned, tp_drat_stats *stats,
                             tp_str *why) {
  checker c = {.max_assigned = max_assigned, .why = why};
  make_room(&c, 0);
  tp_drat_answer a = read_cnf(&c, (text){cnf, cnf + n_cnf});
  if (a == TP_DRAT_VERIFIED) a = run(&c, (text){proof, proof + n_proof}, format);
  *stats = c.stats;
  clear(&c);
  return a;
}

// -------------------------------------------------------------------- streaming

struct tp_drat {
  checker c;
  TP_VEC(char) unread;    // of a step that is not complete
  tp_drat_answer answer;  // VERIFIED: nothing is wrong yet
  tp_str why;
};

tp_drat *tp_drat_new(uint64_t max_assigned) {
  tp_drat *d = TP_NEW(tp_drat);
  d->c.max_assigned = max_assigned;
  d->c.why = &d->why;
  d->answer = TP_DRAT_VERIFIED;
  make_room(&d->c, 0);
  return d;
}

void tp_drat_free(tp_drat *d) {
  if (!d) return;
  clear(&d->c);
  tp_vec_clear(&d->unread);
  tp_str_clear(&d->why);
  tp_free(d);
}

bool tp_drat_clause(tp_drat *d, const int *lits, size_t n) {
  TP_REQUIRE(d->c.stats.n_added == 0);
  checker *c = &d->c;
  c->step.n = 0;
  for (size_t i = 0; i < n; i++) {
    const int64_t lit = lits[i], variable = lit < 0 ? -lit : lit;
    if (variable == 0 || variable > TP_CERTIFY_PROOF_VARIABLES) return false;
    make_room(c, (uint32_t)variable);
    tp_vec_push(&c->step, 2 * (uint32_t)variable + (lit < 0));
  }
  const bool is_watched = normalise(c);
  if (!c->is_refuted) add(c, is_watched);
  return true;
}

/* How many bytes from `at` make one step; 0: more are needed. */
static size_t step_bytes(const char *at, size_t n) {
  bool is_start = true;  // of a number
  for (size_t i = 1; i < n; i++) {
    if (is_start && at[i] == 0) return i + 1;
    is_start = ((uint8_t)at[i] & 0x80) == 0;
  }
  return 0;
}

bool tp_drat_feed(tp_drat *d, const void *bytes, size_t n) {
  const char *in = bytes;
  for (size_t i = 0; i < n; i++) tp_vec_push(&d->unread, in[i]);
  size_t done = 0;
  while (d->answer == TP_DRAT_VERIFIED && !d->c.is_refuted) {
    bool deletes = false;
    const size_t length = step_bytes(d->unread.at + done, d->unread.n - done);
    if (length == 0) break;
    text t = {d->unread.at + done, d->unread.at + done + length};
    d->answer = read_step(&d->c, &t, TP_DRAT_BINARY, &deletes);
    if (d->answer == TP_DRAT_VERIFIED) d->answer = take_step(&d->c, deletes);
    done += length;
  }
  if (done < d->unread.n) memmove(d->unread.at, d->unread.at + done, d->unread.n - done);
  d->unread.n -= done;
  return d->answer == TP_DRAT_VERIFIED && !d->c.is_refuted;
}

bool tp_drat_is_refuted(const tp_drat *d) { return d->c.is_refuted; }

tp_drat_answer tp_drat_conclude(tp_drat *d, tp_drat_stats *stats, tp_str *why) {
  *stats = d->c.stats;
  if (d->answer == TP_DRAT_VERIFIED && d->c.is_refuted) return TP_DRAT_VERIFIED;
  if (d->answer == TP_DRAT_VERIFIED) {
    d->answer = TP_DRAT_REJECTED;
    tp_str_add(&d->why, "the proof ends without a conflict");
  }
  tp_str_add(why, tp_str_text(&d->why));
  return d->answer;
}
