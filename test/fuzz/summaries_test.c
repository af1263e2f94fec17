/* Recursion under contracts against the concrete machine, on random recursive programs.
 *
 * Runs are watched at every location. A call of a recursive function starts a new root for the
 * analysis, so a run's state belongs to the frames from the innermost recursive call on. It must be
 *   - in some reached element of that location whose context is these frames over a root of some
 *     contract,
 *   - at the entry of a recursive function: in the pre of some contract,
 *   - at its exit: in the post of every contract whose pre it met when it was called.
 * usage: summaries_test [COUNT [SEED]] (default: 40 programs from seed 1; 5,000 under TP_SOAK) */
#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_STEPS = 2000, RUNS = 8, MAX_DEPTH = 64, MAX_CONTRACTS = 32 };
static uint64_t n_programs = 40, first_seed = 1;

static const char *const texts[] = {
    "analysis = location callstack constant\nmerge = join",
    "analysis = location callstack constant\nconstant.merge = sep\nmerge = sep\nwaitlist = dfs",
    "analysis = location callstack interval",
    "analysis = location callstack value",
    "analysis = location callstack value interval\ntransfer = strengthened\nvalue.merge = "
    "join\nmerge = join",
    "analysis = location callstack octagon",
    "analysis = location callstack sign constant\ntransfer = strengthened\nwaitlist = callstack",
};
enum { N_TEXTS = sizeof texts / sizeof *texts };

/* One frame of the run. */
typedef struct {
  tp_func func;
  tp_edge call;
  uint32_t met;  // contracts whose pre the state at the entry met, as bits
} frame;

typedef struct {
  const tp_program *p;
  tp_composition *c;
  tp_recursion *r;
  tp_reached *reached;
  tp_summaries summaries;
  uint64_t seed;
  const char *text;
  frame frames[MAX_DEPTH];
  size_t depth;
  tp_edge taken;
  tp_loc last;
  bool too_deep;
  uint64_t n_states, n_entries, n_exits;  // checked
  tp_rng rng;
} watch;

static bool holds(const tp_state *s, tp_term t) {
  tp_value v;
  return tp_state_eval(s, t, &v) != TP_OK || v.bits;
}

static void complain(const watch *w, const char *what, const tp_state *s) {
  tp_str text = {0};
  tp_state_write(s, &text);
  fail_msg("program %llu, %s: %s at location %u\n%s", (unsigned long long)w->seed, w->text, what,
           tp_state_loc(s).id, tp_str_text(&text));
}

/* Are the frames of a context those of the run, from the innermost recursive one on? */
static bool is_context_of(const watch *w, tp_context x) {
  size_t i = w->depth;
  for (; x.id && i > 0; x = tp_context_of(&w->c->contexts, x)->parent) {
    const tp_context_info *info = tp_context_of(&w->c->contexts, x);
    const frame *f = &w->frames[--i];
    if (info->func.id != f->func.id) return false;
    if (!info->parent.id) return info->contract ? tp_func_of(w->p, f->func)->is_recursive : i == 0;
    if (info->call.id != f->call.id) return false;
  }
  return false;
}

static void check_reached(watch *w, const tp_state *s) {
  w->n_states++;
  for (uint32_t i = 1; i <= tp_reached_n(w->reached); i++) {
    const tp_node *n = tp_reached_node(w->reached, i);
    if (n->loc.id == tp_state_loc(s).id && is_context_of(w, n->context) &&
        holds(s, w->c->cpa->ops->formula(w->c->cpa, n->state.elem)))
      return;
  }
  complain(w, "no reached element has the state", s);
}

static void check_entry(watch *w, const tp_state *s) {
  frame *f = &w->frames[w->depth - 1];
  f->met = 0;
  if (!tp_func_of(w->p, f->func)->is_recursive || w->depth == 1) return;
  w->n_entries++;
  for (uint32_t k = tp_summaries_next(&w->summaries, f->func, 0); k && k < MAX_CONTRACTS;
       k = tp_summaries_next(&w->summaries, f->func, k))
    if (holds(s, w->summaries.list.at[k].pre)) f->met |= 1u << k;
  if (!f->met) complain(w, "the call meets no contract", s);
}

static void check_exit(watch *w, const tp_state *s) {
  for (uint32_t k = 1; k < MAX_CONTRACTS; k++) {
    if (!(w->frames[w->depth - 1].met >> k & 1)) continue;
    w->n_exits++;
    if (!holds(s, w->summaries.list.at[k].post)) complain(w, "the exit breaks its contract", s);
  }
}

// ------------------------------------------------------------------------ running

static bool at_location(void *ctx, const tp_state *s) {
  watch *w = ctx;
  tp_loc now = tp_state_loc(s);
  if (!w->last.id) {
    w->frames[0] = (frame){.func = w->p->main};
    w->depth = 1;
  } else if (!w->taken.id) {
    w->depth--;  // only returns happen without an edge
  } else if (tp_edge_of(w->p, w->taken)->kind == TP_E_CALL && tp_state_depth(s) > w->depth) {
    if (w->depth == MAX_DEPTH) return w->too_deep = true, false;
    w->frames[w->depth++] = (frame){.func = tp_loc_of(w->p, now)->func, .call = w->taken};
    check_entry(w, s);
  }
  assert_int_equal(w->depth, tp_state_depth(s));
  w->last = now;
  w->taken = TP_EDGE_NONE;
  check_reached(w, s);
  if (now.id == tp_func_of(w->p, w->frames[w->depth - 1].func)->exit.id) check_exit(w, s);
  return true;
}

static bool take_edge(void *ctx, const tp_state *before, tp_edge e) {
  (void)before;
  ((watch *)ctx)->taken = e;
  return true;
}

static bool ask(void *ctx, tp_input *io) {
  tp_rng *rng = &((watch *)ctx)->rng;
  static const uint8_t zeros[64];
  uint64_t pick = tp_rng_below(rng, 4), value = pick < 2    ? tp_rng_below(rng, 4)
                                                : pick == 2 ? UINT64_MAX
                                                            : tp_rng_next(rng);
  if (io->width_bits == 0) {
    io->bytes = zeros;
    if (io->n_bytes > sizeof zeros) io->n_bytes = sizeof zeros;
  } else {
    io->bits = io->width_bits >= 64 ? value : value & ((1ull << io->width_bits) - 1);
  }
  return true;
}

static void run_and_watch(watch *w) {
  w->last = TP_LOC_NONE;
  w->taken = TP_EDGE_NONE;
  tp_state *s = tp_state_initial(w->p);
  tp_oracle oracle = {w, ask};
  tp_observer observer = {
      .mask = TP_OBSERVE_EDGES | TP_OBSERVE_ALL, .ctx = w, .at = at_location, .edge = take_edge};
  (void)tp_exec_run(w->p, s, &oracle, (tp_run_limits){.steps = 600, .depth = MAX_DEPTH}, &observer);
  tp_state_free(s);
}

static bool is_recursive(const tp_program *p) {
  for (size_t f = 1; f < p->funcs.n; f++)
    if (p->funcs.at[f].is_recursive) return true;
  return false;
}

static void check_program(const tp_program *p, tp_property asked, uint64_t seed, const char *text,
                          uint64_t *n) {
  tp_stats stats = {0};
  tp_str why = {0};
  watch w = {.p = p, .seed = seed, .text = text};
  w.c = tp_composition_open(p, asked, text, &stats, &why);
  if (!w.c) fail_msg("%s", tp_str_text(&why));
  tp_rng_init(&w.rng, seed);
  w.r = tp_recursion_new(w.c->cpa, w.c->order);
  w.reached = tp_recursion_reached(w.r);
  if (tp_recursion_run(w.r, (tp_cpa_limits){.steps = MOST_STEPS}).end == TP_CPA_DONE) {
    tp_recursion_summaries(w.r, "test", &w.summaries);
    for (int i = 0; i < RUNS; i++) run_and_watch(&w);
    tp_summaries_clear(&w.summaries);
  }
  n[0] += w.n_states, n[1] += w.n_entries, n[2] += w.n_exits;
  tp_recursion_free(w.r);
  tp_composition_close(w.c);
  tp_str_clear(&why);
}

static void contracts_cover_concrete_runs(void **state) {
  (void)state;
  uint64_t n[N_TEXTS][3] = {{0}};
  for (uint64_t seed = first_seed; seed < first_seed + n_programs; seed++) {
    tape t;
    traits what;
    tp_diag *diag = tp_diag_new(stderr, false);
    tape_fresh(&t, seed);
    tp_program *p = model_make(&t, diag, &what);
    for (size_t i = 0; i < N_TEXTS && is_recursive(p); i++)
      check_program(p, what.asked, seed, texts[i], n[i]);
    tp_program_free(p);
    tp_diag_free(diag);
    tape_clear(&t);
  }
  for (size_t i = 0; i < N_TEXTS; i++) {
    print_message("%s: %llu states, %llu entries, %llu exits\n", texts[i],
                  (unsigned long long)n[i][0], (unsigned long long)n[i][1],
                  (unsigned long long)n[i][2]);
    if (n_programs >= 40) assert_true(n[i][0] > 1000 && n[i][1] > 10 && n[i][2] > 10);
  }
  assert_int_equal(tp_live_bytes(), 0);
}

int main(int argc, char **argv) {
  if (getenv("TP_SOAK")) n_programs = 5000;
  if (argc > 1) n_programs = strtoull(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(contracts_cover_concrete_runs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
