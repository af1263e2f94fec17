/* Data-flow analysis as configurable program analysis (row F40): the composite of locations and a
 * domain, merged where locations are equal, reaches exactly what Kildall's worklist computes, one
 * element for each location. */
#include "cpa/algorithm.h"
#include "cpa/composition.h"

#include "flow.h"
#include "kildall.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct {
  const char *name;
  const char *text;
  kildall_mode mode;
  size_t domain;  // which component is D
} encoding;

#define ENCODED "\nmerge = join-on-location\nstop = sep\ntransfer = cartesian\n"
static const encoding ENCODINGS[] = {
    {"constant", "analysis = location constant" ENCODED, KILDALL_FLAT, 1},
    {"constant, call strings", "analysis = location callstack constant" ENCODED,
     KILDALL_CALL_STRINGS, 2},
    {"interval",
     "analysis = location interval\ninterval.widen-after = 0\ninterval.liveness = off\nwaitlist = "
     "dfs" ENCODED,
     KILDALL_FLAT, 1},
    {"interval, call strings",
     "analysis = location callstack interval\ninterval.widen-after = 0\ninterval.liveness = "
     "off\nwaitlist = bfs" ENCODED,
     KILDALL_CALL_STRINGS, 2},
};
enum { N_ENCODINGS = sizeof ENCODINGS / sizeof *ENCODINGS, PROGRAMS = 1000, SOAK_PROGRAMS = 20000 };

// ---------------------------------------------------------------------- domain

static const void *post(void *ctx, const void *d, const tp_step *g) {
  tp_cpa *cpa = ctx;
  tp_out out = {0};
  cpa->ops->transfer(cpa, d, NULL, g, &out);
  const void *next = out.list.n ? out.list.at[0].elem : NULL;
  assert_true(out.list.n <= 1);
  tp_vec_clear(&out.list);
  return next;
}
static const void *join(void *ctx, const void *a, const void *b) {
  tp_cpa *cpa = ctx;
  return cpa->ops->join(cpa, a, b);
}
static bool leq(void *ctx, const void *a, const void *b) {
  tp_cpa *cpa = ctx;
  return a == b || cpa->ops->leq(cpa, a, b);
}

// ------------------------------------------------------------------ one program

typedef struct {
  const encoding *how;
  uint64_t seed;
  const tp_program *p;
  tp_composition *c;
  tp_cpa *domain;
  tp_reached *reached;
  kildall k;
  uint64_t n_facts, n_calls;
} comparison;

static void differ(const comparison *x, const char *what, tp_loc loc, const tp_elem *cpa,
                   const tp_elem *solved) {
  tp_str s = {0};
  tp_program_print(x->p, &s);
  tp_str_printf(&s, "seed %llu, %s, at L%u: %s\nreached: ", (unsigned long long)x->seed,
                x->how->name, loc.id, what);
  if (cpa) x->domain->ops->print(x->domain, cpa, &s);
  tp_str_add(&s, "\nsolved: ");
  if (solved) x->domain->ops->print(x->domain, solved, &s);
  fail_msg("%s", tp_str_text(&s));
}

/* The solver's call string of a context. */
static uint32_t chain_of(const comparison *x, tp_context context) {
  if (x->how->mode == KILDALL_FLAT) return 0;
  tp_context_info top = *tp_context_of(&x->c->contexts, context);
  if (!top.call.id) return 0;
  uint32_t parent = chain_of(x, top.parent);
  for (uint32_t i = 1; i < x->k.chains.n; i++)
    if (x->k.chains.at[i].parent == parent && x->k.chains.at[i].call.id == top.call.id) return i;
  return UINT32_MAX;
}

/* Every reached element is the solution at its location (and call string), and there is but one. */
static void compare_reached(comparison *x) {
  tp_map seen = {0};
  size_t n = tp_reached_n(x->reached);
  for (uint32_t i = 1; i <= n; i++) {
    const tp_node *node = tp_reached_node(x->reached, i);
    uint32_t chain = chain_of(x, node->context);
    const kildall_fact *fact = chain == UINT32_MAX ? NULL : kildall_find(&x->k, node->loc, chain);
    const tp_elem *e = tp_composite_view(x->c->cpa, node->state.elem, x->how->domain).elem;
    if (!fact) differ(x, "the solver does not get there", node->loc, e, NULL);
    if (!leq(x->domain, e, fact->value) || !leq(x->domain, fact->value, e))
      differ(x, "different", node->loc, e, fact->value);
    uint64_t key = (uint64_t)chain << 32 | node->loc.id;
    if (tp_map_has(&seen, key)) differ(x, "two elements", node->loc, e, fact->value);
    tp_map_set(&seen, key, 1);
  }
  for (size_t i = 0; i < x->k.facts.n; i++)
    if (!tp_map_has(&seen, (uint64_t)x->k.facts.at[i].chain << 32 | x->k.facts.at[i].loc.id))
      differ(x, "not reached", x->k.facts.at[i].loc, NULL, x->k.facts.at[i].value);
  tp_map_clear(&seen);
  x->n_facts += n;
}

/* What the solver gives solves the equations: nothing flows out of it, and no value is greater than
 * what flows in. */
static void check_solution(comparison *x, const tp_elem *d0) {
  kildall *k = &x->k;
  kildall_steps steps = {0};
  const void **in = TP_NEW_ARRAY(const void *, k->facts.n);
  in[0] = d0;
  for (size_t i = 0; i < k->facts.n; i++) {
    kildall_fact f = k->facts.at[i];
    kildall_steps_from(k, f.loc, f.chain, &steps);
    for (size_t s = 0; s < steps.n; s++) {
      const void *next = post(x->domain, f.value, &steps.at[s].step);
      const kildall_fact *to = kildall_find(k, steps.at[s].loc, steps.at[s].chain);
      if (next && (!to || !leq(x->domain, next, to->value)))
        differ(x, "not a solution", steps.at[s].loc, next, to ? to->value : NULL);
      if (next)
        in[to - k->facts.at] =
            in[to - k->facts.at] ? join(x->domain, in[to - k->facts.at], next) : next;
      x->n_calls += steps.at[s].step.kind == TP_STEP_CALL;
    }
  }
  for (size_t i = 0; i < k->facts.n; i++)
    if (!in[i] || !leq(x->domain, k->facts.at[i].value, in[i]))
      differ(x, "not the least solution", k->facts.at[i].loc, in[i], k->facts.at[i].value);
  tp_free(in);
  tp_vec_clear(&steps);
}

static void compare(comparison *x) {
  tp_str why = {0};
  tp_stats stats = {0};
  x->c = tp_composition_open(x->p, TP_P_UNREACH_CALL, x->how->text, &stats, &why);
  if (!x->c) fail_msg("%s", tp_str_text(&why));
  tp_loc entry = tp_func_of(x->p, x->p->main)->entry;
  tp_succ initial =
      x->c->cpa->ops->initial(x->c->cpa, entry, tp_context_root(&x->c->contexts, x->p->main, 0));
  x->c->cpa->env->omits_caller_conditions = true;  // the solver's steps are those of the paper
  x->reached = tp_reached_new(x->c->cpa, x->c->order);
  tp_reached_add_initial(x->reached, initial);
  assert_int_equal(tp_cpa_run(x->reached, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  tp_view d0 = tp_composite_view(x->c->cpa, initial.elem, x->how->domain);
  x->domain = (tp_cpa *)d0.cpa;
  kildall_solve(&x->k, x->p, (kildall_domain){x->domain, post, join, leq}, x->how->mode, d0.elem,
                x->seed);
  check_solution(x, d0.elem);
  compare_reached(x);
  kildall_clear(&x->k);
  tp_reached_free(x->reached);
  tp_composition_close(x->c);
  tp_str_clear(&why);
}

static void F40_data_flow_encoding_equals_kildall(void **state) {
  (void)state;
  size_t live = tp_live_bytes();
  uint64_t n_facts = 0, n_calls = 0;
  for (uint64_t seed = 1, n = getenv("TP_SOAK") ? SOAK_PROGRAMS : PROGRAMS; seed <= n; seed++) {
    tp_diag *diag = tp_diag_new(stderr, false);
    tp_program *p = flow_make(diag, seed);
    tp_str why = {0};
    if (!tp_program_check(p, &why))
      fail_msg("seed %llu: %s", (unsigned long long)seed, tp_str_text(&why));
    tp_str_clear(&why);
    for (size_t i = 0; i < N_ENCODINGS; i++) {
      comparison x = {.how = &ENCODINGS[i], .seed = seed, .p = p};
      compare(&x);
      n_facts += x.n_facts;
      n_calls += x.n_calls;
    }
    tp_program_free(p);
    tp_diag_free(diag);
  }
  assert_true(n_facts > 8 * N_ENCODINGS * PROGRAMS && n_calls > PROGRAMS);
  assert_int_equal(tp_live_bytes(), live);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F40_data_flow_encoding_equals_kildall)};
  return cmocka_run_group_tests_name("kildall", tests, NULL, NULL);
}
