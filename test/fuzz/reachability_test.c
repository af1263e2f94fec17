/* The algorithm on random programs: orders of the frontier agree (F30), interrupting anywhere and
 * going on changes nothing (F60), what exhaustive execution finds is found, and the invariants I1
 * and I2 hold at the end. usage: reachability_test [COUNT [SEED]] (default: 16 programs from seed
 * 1; 3,000 under TP_SOAK) */
#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_STEPS = 1500 };  // per run: analyses that keep states apart need not end
static uint64_t n_programs = 16, first_seed = 1;

// --------------------------------------------------------------------- analyses

/* What is run: main and contracts under a composite. */
typedef struct {
  tp_composition *c;  // NULL: cpa was made by hand
  tp_cpa *cpa;
  tp_contexts *contexts;
  tp_recursion *r;
  tp_stats stats;
} subject;

static void open_subject(subject *s, const tp_program *p, tp_property asked, const char *text,
                         tp_wait_order order) {
  tp_str why = {0};
  *s = (subject){0};
  s->c = tp_composition_open(p, asked, text, &s->stats, &why);
  if (!s->c) fail_msg("%s", tp_str_text(&why));
  tp_str_clear(&why);
  s->cpa = s->c->cpa;
  s->contexts = &s->c->contexts;
  s->r = tp_recursion_new(s->cpa, order);
}

static void close_subject(subject *s) {
  tp_recursion_free(s->r);
  if (s->c) tp_composition_close(s->c);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The reached set as text that does not depend on the order of coming. */
static void canonical(const subject *s, const tp_program *p, tp_str *out) {
  tp_reached *r = tp_recursion_reached(s->r);
  tp_arena arena;
  tp_arena_init(&arena);
  size_t n = tp_reached_n(r);
  const char **lines = tp_arena_array(&arena, const char *, n + 1);
  for (uint32_t i = 1; i <= n; i++) {
    const tp_node *node = tp_reached_node(r, i);
    tp_str line = {0};
    tp_str_printf(&line, "%u ", node->loc.id);
    tp_context_print(s->contexts, p, node->context, &line);
    tp_str_printf(&line, " %s ", node->waiting ? "waiting" : "done");
    s->cpa->ops->print(s->cpa, node->state.elem, &line);
    lines[i - 1] = tp_arena_strdup(&arena, tp_str_text(&line));
    tp_str_clear(&line);
  }
  if (n) qsort(lines, n, sizeof *lines, by_text);
  for (size_t i = 0; i < n; i++) tp_str_printf(out, "%s\n", lines[i]);
  tp_arena_clear(&arena);
}

static void check_invariants(const subject *s, uint64_t seed) {
  tp_str why = {0};
  if (!tp_reached_check(tp_recursion_reached(s->r), &why))
    fail_msg("program %llu: %s", (unsigned long long)seed, tp_str_text(&why));
  tp_str_clear(&why);
}

typedef struct {
  tape t;
  tp_diag *diag;
  tp_program *p;
  traits what;
  uint64_t seed;
} sample;

static sample make_sample(uint64_t seed) {
  sample x = {.diag = tp_diag_new(stderr, false), .seed = seed};
  tape_fresh(&x.t, seed);
  x.p = model_make(&x.t, x.diag, &x.what);
  return x;
}

static void free_sample(sample *x) {
  tp_program_free(x->p);
  tp_diag_free(x->diag);
  tape_clear(&x->t);
}

// ----------------------------------------------------------------- F30: orders

static const char *const joining[] = {
    "analysis = location callstack",
    "analysis = location",
    "analysis = location callstack constant\nmerge = join",
    "analysis = location constant\nmerge = join",
    "analysis = location callstack sign\nmerge = join",
};

/* The error locations that are reached, in order. */
static void reached_errors(const subject *s, const tp_program *p, tp_property asked, tp_str *out) {
  tp_reached *r = tp_recursion_reached(s->r);
  for (uint32_t l = 1; l < p->locs.n; l++) {
    if (p->locs.at[l].error == TP_P_NONE || !tp_property_covers(asked, p->locs.at[l].error))
      continue;
    bool found = false;
    for (uint32_t i = 1; i <= tp_reached_n(r) && !found; i++)
      found = tp_reached_node(r, i)->loc.id == l;
    if (found) tp_str_printf(out, " %u", l);
  }
}

/* Merged by join, the elements of one place are one. */
static void check_one_per_key(const subject *s, uint64_t seed) {
  tp_reached *r = tp_recursion_reached(s->r);
  tp_map seen = {0};
  for (uint32_t i = 1; i <= tp_reached_n(r); i++) {
    uint64_t key = tp_reached_node(r, i)->key;
    if (tp_map_has(&seen, key))
      fail_msg("program %llu: two elements with one merge key", (unsigned long long)seed);
    tp_map_set(&seen, key, i);
  }
  tp_map_clear(&seen);
}

static void F30_orders_agree(void **state) {
  (void)state;
  static const tp_wait_order orders[] = {TP_WAIT_DFS, TP_WAIT_BFS, TP_WAIT_REVERSE_POSTORDER,
                                         TP_WAIT_CALLSTACK};
  uint64_t unsafe = 0, safe = 0;
  for (uint64_t seed = first_seed; seed < first_seed + n_programs; seed++) {
    sample x = make_sample(seed);
    exact_result exact;
    exact_run(x.p, x.what.asked,
              (exact_limits){.max_runs = 2000,
                             .max_steps = 5000,
                             .max_bits = 4,
                             .mask_bits = 4,
                             .ignore_bytes = true},
              &exact);
    for (size_t t = 0; t < sizeof joining / sizeof *joining; t++) {
      tp_str first = {0};
      for (size_t o = 0; o < 4; o++) {
        subject s;
        tp_str errors = {0};
        open_subject(&s, x.p, x.what.asked, joining[t], orders[o]);
        assert_int_equal(tp_recursion_run(s.r, (tp_cpa_limits){0}).end, TP_CPA_DONE);
        check_invariants(&s, seed);
        check_one_per_key(&s, seed);
        reached_errors(&s, x.p, x.what.asked, o ? &errors : &first);
        if (o && strcmp(tp_str_text(&errors), tp_str_text(&first)) != 0)
          fail_msg("program %llu, %s: errors%s by %s, but%s by dfs", (unsigned long long)seed,
                   joining[t], tp_str_text(&errors), tp_wait_order_name(orders[o]),
                   tp_str_text(&first));
        if (exact.verdict == EXACT_UNSAFE && !first.n)
          fail_msg("program %llu, %s: an error is missed", (unsigned long long)seed, joining[t]);
        tp_str_clear(&errors);
        close_subject(&s);
      }
      unsafe += first.n > 0;
      safe += first.n == 0;
      tp_str_clear(&first);
    }
    exact_clear(&exact);
    free_sample(&x);
  }
  if (n_programs >= 16) assert_true(unsafe && safe);  // the test sees both
}

// ------------------------------------------------------------- F60: interruption

/* An analysis that knows nothing and interrupts two out of three times. */
static bool nags;
static uint64_t n_nags;
struct tp_elem {
  int unused;
};
static const tp_elem nothing;
static tp_succ nag_initial(tp_cpa *self, tp_loc entry, tp_context context) {
  return (void)self, (void)entry, (void)context, (tp_succ){&nothing, NULL};
}
static void nag_transfer(tp_cpa *self, const tp_elem *e, const tp_prec *p, const tp_step *step,
                         tp_out *out) {
  (void)self, (void)step;
  tp_vec_push(&out->list, (tp_succ){e, p});
}
static bool nag_leq(tp_cpa *self, const tp_elem *a, const tp_elem *b) { return (void)self, a == b; }
static const tp_elem *nag_top(tp_cpa *self) { return (void)self, &nothing; }
static const tp_elem *nag_join(tp_cpa *self, const tp_elem *a, const tp_elem *b) {
  return (void)self, (void)a, b;
}
static void nag_print(tp_cpa *self, const tp_elem *e, tp_str *out) {
  (void)self, (void)e, (void)out;
}
static tp_term nag_formula(tp_cpa *self, const tp_elem *e) {
  return (void)e, tp_mk_true(self->env->terms);
}
static tp_adjusted nag_adjust(tp_cpa *self, const tp_elem *e, const tp_prec *p,
                              tp_reached_view view, tp_succ *out) {
  (void)self, (void)view;
  *out = (tp_succ){e, p};
  return nags && ++n_nags % 3 ? TP_INTERRUPT : TP_CONTINUE;
}
static const tp_cpa_ops nag = {.name = "nag",
                               .help = "interrupts",
                               .can_interrupt = true,
                               .has_join = true,
                               .default_merge = "sep",
                               .initial = nag_initial,
                               .transfer = nag_transfer,
                               .leq = nag_leq,
                               .top = nag_top,
                               .join = nag_join,
                               .print = nag_print,
                               .formula = nag_formula,
                               .adjust = nag_adjust};

typedef enum { STRAIGHT, ONE_STEP, EVERY_NODE, BY_ADJUST, BY_CLOCK, N_WAYS } way;

static bool always(void *ctx, const tp_reached *r, uint32_t node) {
  return (void)ctx, (void)r, (void)node, true;
}
static bool every_other(void *ctx) { return ++*(unsigned *)ctx % 2; }

/* To the end, or MOST_STEPS steps, with as many interruptions as `by` brings. */
static uint64_t run_with_interruptions(subject *s, way by) {
  unsigned clock = 0;
  uint64_t steps = 0, interruptions = 0;
  nags = by == BY_ADJUST;
  for (;;) {
    tp_cpa_limits l = {.steps = by == ONE_STEP ? 1 : MOST_STEPS - steps};
    if (by == EVERY_NODE) l.interrupt = always;
    if (by == BY_CLOCK) l.should_stop = every_other, l.ctx = &clock;
    tp_cpa_result result = tp_recursion_run(s->r, l);
    steps += result.steps;
    if (result.end == TP_CPA_INTERRUPTED) assert_true(result.node > 0);
    if (result.end == TP_CPA_DONE || steps >= MOST_STEPS) return interruptions;
    interruptions++;
  }
}

/* location, callstack, DATA, nag; merged by join or sep. */
static void open_nagging(subject *s, tp_cpa_env *env, const sample *x, const char *data,
                         bool join) {
  tp_str why = {0};
  tp_component parts[4];
  const tp_cpa_ops *ops[4] = {tp_analysis_find("location"), tp_analysis_find("callstack"),
                              tp_analysis_find(data), &nag};
  *s = (subject){.contexts = TP_NEW(tp_contexts)};
  tp_contexts_init(s->contexts);
  *env = (tp_cpa_env){.program = x->p,
                      .terms = x->p->terms,
                      .property = x->what.asked,
                      .contexts = s->contexts,
                      .stats = &s->stats};
  for (size_t i = 0; i < 4; i++) {
    parts[i] = (tp_component){tp_cpa_open(ops[i], env, &why), tp_component_traits_of(ops[i])};
    if (!parts[i].cpa) fail_msg("%s", tp_str_text(&why));
  }
  parts[2].traits.merge_join = join;
  s->cpa = tp_composite_new(env, "composite",
                            (tp_composite_operators){.merge = join ? TP_MERGE_JOIN : TP_MERGE_SEP},
                            parts, 4, &why);
  assert_non_null(s->cpa);
  s->r = tp_recursion_new(s->cpa, (tp_wait_order)(x->seed % 4));
}

static void close_nagging(subject *s) {
  tp_recursion_free(s->r);
  tp_cpa_close(s->cpa);
  tp_contexts_clear(s->contexts);
  tp_free(s->contexts);
}

static const struct {
  const char *data;
  bool join;
} resumed[] = {{"constant", true},  {"constant", false}, {"interval", true},
               {"interval", false}, {"sign", true},      {"sign", false},
               {"octagon", true},   {"value", true},     {"value", false}};

static void F60_interrupt_at_every_step_and_resume(void **state) {
  (void)state;
  uint64_t interruptions = 0;
  for (uint64_t seed = first_seed; seed < first_seed + n_programs; seed++) {
    sample x = make_sample(seed);
    for (size_t t = 0; t < sizeof resumed / sizeof *resumed; t++) {
      tp_str straight = {0};
      for (way w = STRAIGHT; w < N_WAYS; w++) {
        subject s;
        tp_cpa_env env;
        tp_str now = {0};
        open_nagging(&s, &env, &x, resumed[t].data, resumed[t].join);
        interruptions += run_with_interruptions(&s, w);
        canonical(&s, x.p, w ? &now : &straight);
        if (w && strcmp(tp_str_text(&now), tp_str_text(&straight)) != 0)
          fail_msg("program %llu, %s: interrupted (%d) and resumed\n%s\nin one go\n%s",
                   (unsigned long long)seed, resumed[t].data, (int)w, tp_str_text(&now),
                   tp_str_text(&straight));
        check_invariants(&s, seed);
        tp_str_clear(&now);
        close_nagging(&s);
      }
      tp_str_clear(&straight);
    }
    free_sample(&x);
  }
  assert_true(interruptions > n_programs * 100);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(int argc, char **argv) {
  if (getenv("TP_SOAK")) n_programs = 3000;
  if (argc > 1) n_programs = strtoull(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(F30_orders_agree),
      cmocka_unit_test(F60_interrupt_at_every_step_and_resume),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
