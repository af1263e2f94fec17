/* Solver back ends against each other on formulas of our own: prefixes of paths, cores, Cartesian
 * abstraction of a block, single queries. Every number is the median of several turns, the back
 * ends in turn; ratios are to z3 in the same run. usage: make bench-solvers   [TURNS=5] */
#include <stdio.h>
#include <stdlib.h>

#include "smt/smt.h"

enum { MAX_STEPS = 2000, MAX_TURNS = 15, MAX_PREDICATES = 40 };

/* A path: statements over SSA variables, and a condition on its end that no run fulfils. */
typedef struct {
  tp_terms *tt;
  tp_term step[MAX_STEPS];
  size_t n;
  tp_term goal;
} path;

static tp_sort word(tp_terms *tt) { return tp_sort_bv(tt, 32); }
static tp_term var(path *p, const char *name) { return tp_mk_var(p->tt, name, word(p->tt)); }
static tp_term number(path *p, uint32_t n) { return tp_mk_bv(p->tt, 32, n); }
static tp_term add(path *p, tp_term a, tp_term b) { return tp_mk2(p->tt, TP_OP_BV_ADD, a, b); }
static tp_term less(path *p, tp_term a, tp_term b) { return tp_mk2(p->tt, TP_OP_BV_SLT, a, b); }
static tp_term differ(path *p, tp_term a, tp_term b) {
  return tp_mk_not(p->tt, tp_mk_eq(p->tt, a, b));
}
static void say(path *p, tp_term t) { p->step[p->n++] = t; }

/* A new version of *x with this value. */
static void assign(path *p, tp_term *x, const char *name, tp_term value) {
  tp_term next = var(p, name);
  say(p, tp_mk_eq(p->tt, next, value));
  *x = next;
}

static void counter(path *p, int turns) {
  tp_term x = var(p, "x"), i = var(p, "i"), n = var(p, "n");
  say(p, tp_mk_eq(p->tt, x, number(p, 0)));
  say(p, tp_mk_eq(p->tt, i, number(p, 0)));
  for (int k = 0; k < turns; k++) {
    say(p, less(p, i, n));
    assign(p, &x, "x", add(p, x, number(p, 1)));
    assign(p, &i, "i", add(p, i, number(p, 1)));
  }
  p->goal = differ(p, x, i);
}

static void difference(path *p, int turns) {
  tp_term x = var(p, "x"), i = var(p, "i"), n = var(p, "n");
  say(p, tp_mk_eq(p->tt, x, i));
  for (int k = 0; k < turns; k++) {
    say(p, less(p, i, n));
    assign(p, &x, "x", add(p, x, number(p, 1)));
    assign(p, &i, "i", add(p, i, number(p, 1)));
  }
  p->goal = differ(p, x, i);
}

static void lock(path *p, int turns) {
  tp_term held = var(p, "held"), old = var(p, "old"), new = var(p, "new");
  say(p, tp_mk_eq(p->tt, held, number(p, 0)));
  for (int k = 0; k < turns; k++) {
    say(p, tp_mk_eq(p->tt, held, number(p, 0)));
    tp_term branch = tp_mk_var(p->tt, "branch", tp_sort_bool(p->tt));
    assign(p, &old, "old", new);
    assign(p, &held, "held", tp_mk_ite(p->tt, branch, number(p, 0), number(p, 1)));
    assign(p, &new, "new", tp_mk_ite(p->tt, branch, add(p, new, number(p, 1)), new));
    if (k + 1 < turns) say(p, differ(p, old, new));
  }
  say(p, tp_mk_eq(p->tt, old, new));
  p->goal = tp_mk_eq(p->tt, held, number(p, 0));
}

static void bounded_sum(path *p, int turns) {
  tp_term sum = var(p, "sum");
  say(p, tp_mk_eq(p->tt, sum, number(p, 0)));
  for (int k = 0; k < turns; k++) {
    tp_term in = var(p, "in");
    say(p, tp_mk2(p->tt, TP_OP_BV_SLE, number(p, 0), in));
    say(p, less(p, in, number(p, 100)));
    assign(p, &sum, "sum", add(p, sum, in));
  }
  p->goal = less(p, sum, number(p, 0));
}

static void diamonds(path *p, int turns) {
  tp_term x = var(p, "x");
  say(p, tp_mk_eq(p->tt, x, number(p, 0)));
  for (int k = 0; k < turns; k++) {
    tp_term branch = tp_mk_var(p->tt, "branch", tp_sort_bool(p->tt));
    assign(p, &x, "x", add(p, x, tp_mk_ite(p->tt, branch, number(p, 1), number(p, 2))));
  }
  p->goal = less(p, number(p, 2 * (uint32_t)turns), x);
}

static void array_writes(path *p, int turns) {
  tp_term a = tp_mk_var(p->tt, "a", tp_sort_array(p->tt, word(p->tt), word(p->tt))),
          i = var(p, "i"), at = var(p, "at");
  say(p, tp_mk_eq(p->tt, i, number(p, 0)));
  for (int k = 0; k < turns; k++) {
    a = tp_mk3(p->tt, TP_OP_STORE, a, i, add(p, i, number(p, 7)));
    assign(p, &i, "i", add(p, i, number(p, 1)));
  }
  say(p, tp_mk2(p->tt, TP_OP_BV_ULT, at, i));
  p->goal = differ(p, tp_mk2(p->tt, TP_OP_SELECT, a, at), add(p, at, number(p, 7)));
}

static void parity(path *p, int bits) {
  tp_term x = var(p, "x"), once = number(p, 0), folded = x;
  for (int k = 0; k < bits; k++)
    once = tp_mk2(p->tt, TP_OP_BV_XOR, once,
                  tp_mk2(p->tt, TP_OP_BV_AND,
                         tp_mk2(p->tt, TP_OP_BV_LSHR, x, number(p, (uint32_t)k)), number(p, 1)));
  for (uint32_t k = 16; k > 0; k /= 2)
    folded =
        tp_mk2(p->tt, TP_OP_BV_XOR, folded, tp_mk2(p->tt, TP_OP_BV_LSHR, folded, number(p, k)));
  p->goal = differ(p, once, tp_mk2(p->tt, TP_OP_BV_AND, folded, number(p, 1)));
}

// ------------------------------------------------------------------- measures

typedef struct {
  double ms;    // < 0: no answer
  size_t size;  // what must agree: answers, cores
} outcome;

static tp_smt *solver(tp_terms *tt, const char *backend) {
  return tp_smt_new(tt, (tp_smt_options){.backend = backend, .cpu_s = 5});
}

/* Assert statement after statement, each in a frame, and check after each. */
static outcome prefixes(const path *p, const char *backend) {
  double start = tp_cpu_s();
  tp_smt *s = solver(p->tt, backend);
  outcome o = {0};
  for (size_t i = 0; i < p->n; i++) {
    tp_smt_push(s);
    tp_smt_assert(s, p->step[i]);
    tp_smt_answer a = tp_smt_check(s, NULL, 0);
    o.size += a == TP_SMT_SAT;
    if (a == TP_SMT_UNKNOWN) o.ms = -1;
  }
  o.size += tp_smt_check(s, &p->goal, 1) == TP_SMT_UNSAT;
  tp_smt_free(s);
  if (o.ms == 0) o.ms = 1000 * (tp_cpu_s() - start);
  return o;
}

/* The path as assumptions, its goal asserted: which statements are needed? */
static outcome core(const path *p, const char *backend) {
  static tp_term core[MAX_STEPS];
  double start = tp_cpu_s();
  tp_smt *s = solver(p->tt, backend);
  tp_smt_assert(s, p->goal);
  bool unsat = tp_smt_check(s, p->step, p->n) == TP_SMT_UNSAT;
  outcome o = {.size = unsat ? tp_smt_core(s, core) : 0};
  o.ms = unsat ? 1000 * (tp_cpu_s() - start) : -1;
  tp_smt_free(s);
  return o;
}

static outcome once(const path *p, const char *backend) {
  double start = tp_cpu_s();
  tp_smt *s = solver(p->tt, backend);
  for (size_t i = 0; i < p->n; i++) tp_smt_assert(s, p->step[i]);
  tp_smt_assert(s, p->goal);
  tp_smt_answer a = tp_smt_check(s, NULL, 0);
  tp_smt_free(s);
  return (outcome){.ms = a == TP_SMT_UNKNOWN ? -1 : 1000 * (tp_cpu_s() - start), .size = (size_t)a};
}

// --------------------------------------------------------- Cartesian abstraction

enum { N_VARS = 6 };

/* Four diamonds on six variables: the block as a formula over those before and after. */
static void block(path *p, tp_term *after) {
  tp_rng r;
  tp_rng_init(&r, 7);
  tp_term now[N_VARS];
  for (int i = 0; i < N_VARS; i++) now[i] = var(p, "v");
  for (int i = 1; i < N_VARS; i++) say(p, less(p, now[i - 1], now[i]));
  for (int i = 0; i < N_VARS; i++) {
    say(p, less(p, number(p, 0), now[i]));
    say(p, less(p, now[i], number(p, 1000)));
  }
  for (int k = 0; k < 4; k++) {
    size_t a = tp_rng_below(&r, N_VARS), b = tp_rng_below(&r, N_VARS), c = tp_rng_below(&r, N_VARS);
    tp_term test = less(p, now[a], number(p, 100 * (uint32_t)(k + 2)));
    tp_term yes = add(p, now[b], number(p, 1)), no = add(p, now[c], now[a]);
    assign(p, &now[b], "v", tp_mk_ite(p->tt, test, yes, now[b]));
    assign(p, &now[c], "v", tp_mk_ite(p->tt, test, now[c], no));
  }
  memcpy(after, now, sizeof now);
}

static void predicates(path *p, const tp_term *v, tp_term *out, int n) {
  tp_rng r;
  tp_rng_init(&r, 11);
  for (int i = 0; i < n; i++) {
    size_t a = tp_rng_below(&r, N_VARS), b = (a + 1 + tp_rng_below(&r, N_VARS - 1)) % N_VARS;
    switch (tp_rng_below(&r, 3)) {
      case 0: out[i] = less(p, v[a], v[b]); break;
      case 1: out[i] = less(p, v[a], number(p, (uint32_t)tp_rng_below(&r, 2500))); break;
      default: out[i] = tp_mk_eq(p->tt, v[a], v[b]); break;
    }
  }
}

/* Which predicates and negations follow? A model that shows one value of a predicate settles that
 * it does not have the other. */
static outcome cartesian(const path *p, const tp_term *pred, int n, const char *backend) {
  bool can_be[MAX_PREDICATES][2] = {{false}};
  double start = tp_cpu_s();
  tp_smt *s = solver(p->tt, backend);
  outcome o = {0};
  for (size_t i = 0; i < p->n; i++) tp_smt_assert(s, p->step[i]);
  for (int i = 0; i < n; i++)
    for (int value = 0; value < 2; value++) {
      if (can_be[i][value]) continue;
      tp_term is = value ? pred[i] : tp_mk_not(p->tt, pred[i]);
      tp_smt_answer a = tp_smt_check(s, &is, 1);
      if (a == TP_SMT_UNKNOWN) o.ms = -1;
      o.size += a == TP_SMT_UNSAT;
      for (int j = i; a == TP_SMT_SAT && j < n; j++) {
        tp_value v;
        if (tp_smt_value(s, pred[j], &v)) can_be[j][v.bits != 0] = true;
      }
    }
  tp_smt_free(s);
  if (o.ms == 0) o.ms = 1000 * (tp_cpu_s() - start);
  return o;
}

// --------------------------------------------------------------------- report

static const char *const backends[] = {"z3", "bits", "mixed"};
enum { N_BACKENDS = sizeof backends / sizeof *backends };

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

typedef struct {
  const char *name;
  void (*make)(path *p, int turns);
  int turns;
} formula;

typedef outcome (*measure)(const path *p, const char *backend);

/* make == NULL: Cartesian abstraction with so many predicates. */
static outcome one(const formula *f, measure m, const char *backend) {
  static path p;
  p = (path){.tt = tp_terms_new(64)};
  outcome o;
  if (f->make) {
    f->make(&p, f->turns);
    o = m(&p, backend);
  } else {
    tp_term after[N_VARS], pred[MAX_PREDICATES];
    block(&p, after);
    predicates(&p, after, pred, f->turns);
    o = cartesian(&p, pred, f->turns, backend);
  }
  tp_terms_free(p.tt);
  return o;
}

static void row(const char *what, const formula *f, measure m, int turns) {
  double ms[N_BACKENDS][MAX_TURNS];
  size_t size[N_BACKENDS] = {0};
  for (int t = 0; t < turns; t++)
    for (int b = 0; b < N_BACKENDS; b++) {
      outcome o = one(f, m, backends[b]);
      ms[b][t] = o.ms;
      size[b] = o.size;
    }
  printf("| %s %s %d |", what, f->name, f->turns);
  for (int b = 0; b < N_BACKENDS; b++) {
    qsort(ms[b], (size_t)turns, sizeof **ms, by_size);
    if (ms[b][0] < 0)
      printf(" - |");
    else
      printf(" %.2f |", ms[b][turns / 2]);
  }
  for (int b = 1; b < N_BACKENDS; b++) {
    if (ms[b][0] < 0 || ms[0][0] < 0)
      printf(" - |");
    else
      printf(" %.2f |", ms[0][turns / 2] / ms[b][turns / 2]);
  }
  printf(" %zu / %zu / %zu |\n", size[0], size[1], size[2]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  int turns = argc > 1 ? atoi(argv[1]) : 5;
  if (turns < 1 || turns > MAX_TURNS)
    return fprintf(stderr, "usage: %s [TURNS, 1 to %d]\n", argv[0], MAX_TURNS), 64;
  static const formula paths[] = {{"counter", counter, 50},
                                  {"lock", lock, 50},
                                  {"diamonds", diamonds, 20},
                                  {"bounded sum", bounded_sum, 50},
                                  {"difference", difference, 50}};
  static const formula long_path = {"counter", counter,
                                    200};  // z3 needs half a minute for its prefixes
  static const formula single[] = {{"counter", counter, 500},
                                   {"lock", lock, 200},
                                   {"difference", difference, 50},
                                   {"diamonds", diamonds, 60},
                                   {"bounded sum", bounded_sum, 200},
                                   {"array writes", array_writes, 40},
                                   {"parity", parity, 32}};
  static const formula abstraction[] = {
      {"predicates", NULL, 10}, {"predicates", NULL, 20}, {"predicates", NULL, 30}};
  printf(
      "| problem | z3 ms | bits ms | mixed ms | z3/bits | z3/mixed | answers or core size "
      "|\n|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    row("prefixes,", &paths[i], prefixes, turns);
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) row("core,", &paths[i], core, turns);
  row("core,", &long_path, core, turns);
  for (size_t i = 0; i < sizeof abstraction / sizeof *abstraction; i++)
    row("cartesian,", &abstraction[i], NULL, turns);
  for (size_t i = 0; i < sizeof single / sizeof *single; i++) row("once,", &single[i], once, turns);
  return 0;
}
