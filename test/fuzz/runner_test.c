/* Runs that change tiers at random against runs of the interpreter: random models and C programs,
 * random inputs.
 *
 * Somebody looks at each run: how often each location was visited, apart for contexts of up to two
 * calls, and the states at visits 1, 2, 4, ... of each. The same end after the same steps with the
 * same inputs, the same counts and states, the same final state. Without anybody who looks
 * likewise. usage: runner_test [COUNT [SEED]]   (default: 5 programs, seed 1; TP_SOAK: 20,000) */
#include "exec/runner.h"

#include "tiers.h"

enum { MOST_BLOCKS = 40 };

// --------------------------------------------------------------------- looking

typedef struct {
  tp_visits *v;  // for its layout
  tp_visit_block root;
  TP_VEC(uint64_t) visits;  // like its words
  uint64_t hash, n_kept;    // of states at visits 1, 2, 4, ...
} looker;

static bool look(void *ctx, const tp_state *s) {
  looker *k = ctx;
  tp_visit_block b = tp_visits_block_of_state(k->v, k->root, s);
  uint64_t n = ++k->visits.at[b.at + k->v->place[tp_state_loc(s).id]];
  if (n & (n - 1)) return true;
  k->hash = tp_hash_mix(k->hash, tp_hash_mix(tp_state_hash(s), tp_state_loc(s).id));
  k->n_kept++;
  return true;
}

typedef TP_VEC(struct {
  tp_visit_block block;
  tp_func func;
}) block_list;

/* Visits of a place before the next one that is kept. */
static uint64_t unseen(uint64_t count) {
  uint64_t next = 1;
  while (next <= count) next *= 2;
  return next - count - 1;
}

typedef struct {
  looker k;
  block_list blocks;
} tiers;

static uint64_t let_go(void *ctx, const tp_state *s, tp_visits *v, tp_visit_block *root) {
  tiers *t = ctx;
  (void)s;
  for (size_t b = 0; b < t->blocks.n; b++)
    for (uint32_t i = 0; i < v->n_places[t->blocks.at[b].func.id]; i++)
      v->words.at[t->blocks.at[b].block.at + i] =
          unseen(t->k.visits.at[t->blocks.at[b].block.at + i]);
  *root = t->k.root;
  return UINT64_MAX;
}

static void passed(void *ctx, const tp_state *s, tp_visits *v, uint64_t steps) {
  tiers *t = ctx;
  (void)s, (void)steps;
  for (size_t b = 0; b < t->blocks.n; b++)
    for (uint32_t i = 0; i < v->n_places[t->blocks.at[b].func.id]; i++) {
      uint64_t *count = &t->k.visits.at[t->blocks.at[b].block.at + i];
      *count += unseen(*count) - v->words.at[t->blocks.at[b].block.at + i];
    }
}

static void add_block(block_list *list, tp_visit_block b, tp_func f) {
  tp_vec_resize(list, list->n + 1);
  tp_vec_last(list).block = b;
  tp_vec_last(list).func = f;
}

/* Contexts of main and of up to two calls; further calls lead to common blocks. */
static tp_visit_block make_blocks(tp_visits *v, block_list *list) {
  const tp_program *p = v->p;
  for (uint32_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].has_body) add_block(list, v->common[f], (tp_func){f});
  size_t first = list->n, two = 0;
  add_block(list, tp_visits_add(v, p->main), p->main);
  for (size_t b = first, most = list->n; b < list->n && list->n < MOST_BLOCKS; b++) {
    if (b == most && two++) break;
    if (b == most) most = list->n;
    for (uint32_t i = 1; i < p->edges.n && list->n < MOST_BLOCKS; i++) {
      const tp_edge_info *e = &p->edges.at[i];
      if (e->kind != TP_E_CALL || !e->callee.id || !tp_func_of(p, e->callee)->has_body ||
          tp_loc_of(p, e->from)->func.id != list->at[b].func.id)
        continue;
      tp_visit_block to = tp_visits_add(v, e->callee);
      tp_visits_link(v, list->at[b].block, (tp_edge){i}, to, e->callee);
      add_block(list, to, e->callee);
    }
  }
  return list->at[first].block;
}

// ------------------------------------------------------------------------ runs

typedef struct {
  uint64_t runs, bursts, native_steps, steps, kept, ends[TP_END_STOPPED + 1];
} counts;

static void compare(tp_runner *r, tiers *t, const tp_state *from, source in, tp_run_limits limits,
                    uint64_t seed, counts *c) {
  tp_visits *v = tp_runner_visits(r);
  bool looks = seed % 4 != 0;
  looker one = {.v = v, .root = t->k.root};
  tp_vec_resize(&one.visits, v->words.n);
  tier_run a = {.s = tp_state_copy(from), .in = in}, b = {.s = tp_state_copy(from), .in = in};
  tp_observer o = {.mask = TP_OBSERVE_ALL, .ctx = &one, .at = look};
  tp_oracle oracle_a = {&a.in, ask}, oracle_b = {&b.in, ask};
  a.r = tp_exec_run(v->p, a.s, &oracle_a, limits, looks ? &o : NULL);
  t->k.visits.n = 0;
  tp_vec_resize(&t->k.visits, v->words.n);
  t->k.hash = t->k.n_kept = 0;
  tp_runner_observer watch = {.machine = {.mask = TP_OBSERVE_ALL, .ctx = &t->k, .at = look},
                              .ctx = t,
                              .before_burst = let_go,
                              .after_burst = passed};
  b.r = tp_runner_run(r, b.s, &oracle_b, limits, looks ? &watch : NULL);
  const char *what = difference(&a, &b);
  if (!what && looks && memcmp(one.visits.at, t->k.visits.at, v->words.n * sizeof *one.visits.at))
    what = "visits";
  if (!what && looks && (one.hash != t->k.hash || one.n_kept != t->k.n_kept))
    what = "states at visits";
  if (what) disagree(v->p, what, &a, &b, seed);
  c->runs++;
  c->kept += one.n_kept;
  c->steps += a.r.steps;
  c->ends[a.r.end]++;
  tp_state_free(a.s);
  tp_state_free(b.s);
  tp_vec_clear(&one.visits);
}

static void compare_program(const tp_program *p, uint64_t seed, uint32_t runs, counts *c) {
  tp_runner *r = tp_runner_new(p, (tp_runner_options){.seed = seed, .in_process = seed % 8 != 0});
  tiers t = {.k = {.v = tp_runner_visits(r)}};
  t.k.root = make_blocks(tp_runner_visits(r), &t.blocks);
  tp_state *start = tp_state_initial(p);
  for (uint32_t i = 0; i < runs; i++) {
    source in = source_of(seed * 1000 + i);
    tp_run_limits limits = {.steps = i % 3 == 2 ? 1 + tp_rng_below(&in.rng, 300) : 100000,
                            .depth = i % 5 == 4 ? 4 : 50,
                            .memory_bytes = i % 7 == 6 ? 20000 : 0};
    compare(r, &t, start, in, limits, seed + i, c);
  }
  tp_runner_counts k = tp_runner_counted(r);
  assert_int_equal(k.n_lost, 0);
  c->bursts += k.bursts;
  c->native_steps += k.native_steps;
  tp_state_free(start);
  tp_vec_clear(&t.blocks);
  tp_vec_clear(&t.k.visits);
  tp_runner_free(r);
}

// ------------------------------------------------------------------------ tests

static uint64_t count = 5, first = 1;

static void print(const char *what, const counts *c) {
  printf("%s: %llu runs, %llu of %llu steps in %llu bursts in code, %llu states looked at; ends",
         what, (unsigned long long)c->runs, (unsigned long long)c->native_steps,
         (unsigned long long)c->steps, (unsigned long long)c->bursts, (unsigned long long)c->kept);
  for (int i = 0; i <= TP_END_STOPPED; i++) printf(" %llu", (unsigned long long)c->ends[i]);
  printf("\n");
}

static void models(void **state) {
  (void)state;
  counts c = {0};
  for (uint64_t i = 0; i < count; i++) {
    tp_diag *d = tp_diag_new(stderr, false);
    tp_program *p = random_model(first + i, i % 3, d);
    if (p) compare_program(p, first + i, 8, &c);
    tp_program_free(p);
    tp_diag_free(d);
  }
  print("models", &c);
  assert_true(c.bursts && c.native_steps && c.ends[TP_END_EXIT] && c.ends[TP_END_LIMIT]);
}

static void programs(void **state) {
  (void)state;
  counts c = {0};
  for (uint64_t i = 0; i < count / 50 + 1; i++) {
    tp_diag *d = tp_diag_new(stderr, false);
    // the first one, 9, is among the smallest
    tp_program *p = random_c_program(first * 7 + 2 + i, i % 2 ? TP_MACHINE_ILP32 : TP_MACHINE_LP64,
                                     i % 3 ? TP_P_UNREACH_CALL : TP_P_VALID_MEMSAFETY, d);
    compare_program(p, first + i, 3, &c);
    tp_program_free(p);
    tp_diag_free(d);
  }
  print("programs", &c);
  assert_true(c.bursts && c.native_steps);
}

int main(int argc, char **argv) {
  if (getenv("TP_SOAK")) count = 20000;
  if (argc > 1) count = strtoull(argv[1], NULL, 0);
  if (argc > 2) first = strtoull(argv[2], NULL, 0);
  const struct CMUnitTest tests[] = {cmocka_unit_test(models), cmocka_unit_test(programs)};
  int r = cmocka_run_group_tests(tests, NULL, NULL);
  tp_temp_remove_all();
  return r;
}
