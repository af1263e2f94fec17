#include "laws.h"

#include "cpa/algorithm.h"
#include "cpa/composition.h"
#include "cpa/recursion.h"

#include "../fuzz/models.h"
#include "samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAX_STEPS = 1500, RUNS = 4, SAMPLED = 120, MAX_ELEMS = 60, PARTNERS = 6 };

typedef struct {
  tp_composition *c;
  tp_cpa *cpa;
  tp_recursion *run;
  samples s;
  TP_VEC(tp_succ) elems;
  tp_map members;  // element -> one bool per sampled state, in `arena`
  tp_arena arena;
  unsigned long checks[LAWS_N];  // per law, in this group
  bool broken, say;
  const char *text;
  uint64_t seed;
} laws;

static void fail_law(laws *w, char law, const tp_elem *a, const tp_elem *b,
                     const sample_state *state) {
  if (w->broken) return;
  w->broken = true;
  if (!w->say) return;
  tp_str s = {0}, where = {0};
  tp_str_printf(&s, "law (%c), model %llu, composition:\n%s", law, (unsigned long long)w->seed,
                w->text);
  if (a) tp_str_add(&s, "a: "), w->cpa->ops->print(w->cpa, a, &s);
  if (b) tp_str_add(&s, "\nb: "), w->cpa->ops->print(w->cpa, b, &s);
  if (state) tp_state_write(state->state, &where);
  printf("%s\n%s\n", tp_str_text(&s), tp_str_text(&where));
  fflush(stdout);
  tp_str_clear(&s);
  tp_str_clear(&where);
}

/* Which sampled states an element has; worked out once. */
static const bool *members(laws *w, const tp_elem *e) {
  uint64_t known;
  if (tp_map_get(&w->members, (uintptr_t)e, &known)) return (const bool *)(uintptr_t)known;
  bool *in = tp_arena_array(&w->arena, bool, w->s.states.n + 1);
  for (size_t i = 0; i < w->s.states.n; i++) in[i] = sample_is_in(w->cpa, e, &w->s.states.at[i]);
  tp_map_set(&w->members, (uintptr_t)e, (uintptr_t)in);
  return in;
}

/* Stores say more of images the more cells were asked for, so what was a member by then may be none
 * any more. */
static bool is_still_in(laws *w, const tp_elem *e, const sample_state *s) {
  return sample_is_in(w->cpa, e, s);
}

/* Every sampled state of a is in b. If a's formula says less than a means, it does not tell which
 * states are in a. */
static void check_included(laws *w, char law, const tp_elem *a, const tp_elem *b) {
  if (!tp_cpa_has_exact_formula(w->cpa, a)) return;
  const bool *in_a = members(w, a);
  for (size_t i = 0; i < w->s.states.n && !w->broken; i++) {
    const sample_state *s = &w->s.states.at[i];
    if (!in_a[i]) continue;
    w->checks[law - 'a']++;
    if (!sample_is_in(w->cpa, b, s) && is_still_in(w, a, s)) fail_law(w, law, a, b, s);
  }
}

static void law_a(laws *w) {
  if (!w->cpa->ops->top) return;
  const tp_elem *top = w->cpa->ops->top(w->cpa);
  for (size_t i = 0; i < w->s.states.n; i++, w->checks[0]++)
    if (!sample_is_in(w->cpa, top, &w->s.states.at[i]))
      fail_law(w, 'a', top, NULL, &w->s.states.at[i]);
}

static void laws_of_pair(laws *w, const tp_elem *a, const tp_elem *b) {
  const tp_cpa_ops *ops = w->cpa->ops;
  if (ops->leq(w->cpa, a, b)) check_included(w, 'b', a, b);
  if (ops->join) {
    const tp_elem *j = ops->join(w->cpa, a, b);
    w->checks[2]++;
    if (!ops->leq(w->cpa, a, j) || !ops->leq(w->cpa, b, j)) fail_law(w, 'c', a, b, NULL);
    check_included(w, 'c', a, j);
    check_included(w, 'c', b, j);
  }
  if (ops->widen) {
    const tp_elem *j = ops->widen(w->cpa, a, b);
    check_included(w, 'c', a, j);
    check_included(w, 'c', b, j);
  }
}

/* What stop covers is in the candidates. */
static void stop_covers(laws *w, const tp_elem *e, tp_reached_view candidates) {
  if (!tp_cpa_has_exact_formula(w->cpa, e) || !tp_cpa_stop(w->cpa, e, candidates)) return;
  for (size_t s = 0; s < w->s.states.n && !w->broken; s++) {
    if (!members(w, e)[s]) continue;
    bool covered = false;
    for (size_t k = 0; k < candidates.n && !covered; k++)
      covered = members(w, candidates.at[k].elem)[s];
    w->checks[5]++;
    if (!covered && is_still_in(w, e, &w->s.states.at[s]))
      fail_law(w, 'f', e, candidates.n ? candidates.at[0].elem : NULL, &w->s.states.at[s]);
  }
}

/* Against all elements of the merge key together. */
static void laws_f_and_g(laws *w, size_t i) {
  const tp_succ e = w->elems.at[i];
  TP_VEC(tp_succ) others = {0};
  for (size_t k = 0; k < w->elems.n; k++)
    if (k != i && tp_cpa_merge_key(w->cpa, w->elems.at[k].elem) == tp_cpa_merge_key(w->cpa, e.elem))
      tp_vec_push(&others, w->elems.at[k]);
  stop_covers(w, e.elem, (tp_reached_view){others.at, others.n});
  tp_succ adjusted;
  tp_vec_push(&others, e);
  if (tp_cpa_adjust(w->cpa, e.elem, e.prec, (tp_reached_view){others.at, others.n}, &adjusted) ==
      TP_CONTINUE)
    check_included(w, 'g', e.elem, adjusted.elem);
  tp_vec_clear(&others);
}

static void law_e(laws *w, const tp_elem *a, const tp_elem *b) {
  const tp_elem *m = tp_cpa_merge(w->cpa, a, b);
  w->checks[4]++;
  if (!w->cpa->ops->leq(w->cpa, b, m)) fail_law(w, 'e', a, b, NULL);
  check_included(w, 'e', b, m);
}

/* Pairs that the algorithm compares: those of one merge key. */
static void laws_of_neighbours(laws *w, size_t i) {
  const tp_elem *a = w->elems.at[i].elem;
  const uint64_t key = tp_cpa_merge_key(w->cpa, a);
  size_t n = 0;
  if (!w->cpa->ops->leq(w->cpa, a, a)) fail_law(w, 'b', a, a, NULL);
  for (size_t k = i + 1; k < i + w->elems.n && n < PARTNERS; k++) {
    const tp_succ b = w->elems.at[k % w->elems.n];
    if (tp_cpa_merge_key(w->cpa, b.elem) != key) continue;
    n++;
    law_e(w, a, b.elem);
    law_e(w, b.elem, a);
    laws_of_pair(w, a, b.elem);
    stop_covers(w, a, (tp_reached_view){&b, 1});
  }
}

/* (d): c in e and c steps to c' : some successor of e has c'. Where a step has a location hint, e
 * must be there. */
static void law_d(laws *w, tp_succ e) {
  if (!tp_cpa_has_exact_formula(w->cpa, e.elem)) return;
  for (size_t i = 0; i < w->s.steps.n && !w->broken; i++) {
    const sample_step *t = &w->s.steps.at[i];
    if (!members(w, e.elem)[t->before]) continue;
    tp_out out = {0};
    w->cpa->ops->transfer(w->cpa, e.elem, e.prec, &t->step, &out);
    tp_cpa_strengthen_last(w->cpa, &out);
    bool covered = false;
    for (size_t k = 0; k < out.list.n && !covered; k++)
      covered = sample_is_in(w->cpa, out.list.at[k].elem, &w->s.states.at[t->after]);
    w->checks[3]++;
    if (!covered && is_still_in(w, e.elem, &w->s.states.at[t->before])) {
      fail_law(w, 'd', e.elem, out.list.n ? out.list.at[0].elem : NULL, &w->s.states.at[t->after]);
      tp_str s = {0};
      tp_edge_print(w->c->env.program, t->step.edge, &s);
      printf("step: %s\n", tp_str_text(&s));
      tp_str_clear(&s);
    }
    tp_vec_clear(&out.list);
  }
}

/* (h): if the run was completed, every sampled state is in some reached element. */
static void all_reached(laws *w, const tp_reached *r) {
  for (size_t i = 0; i < w->s.states.n && !w->broken; i++) {
    bool covered = false;
    for (uint32_t n = 1; n <= tp_reached_n(r) && !covered; n++)
      covered = !tp_reached_node(r, n)->removed && members(w, tp_reached_node(r, n)->state.elem)[i];
    w->checks[7]++;
    if (!covered) fail_law(w, 'h', NULL, NULL, &w->s.states.at[i]);
  }
}

static void collect(laws *w, const tp_reached *r) {
  size_t n = tp_reached_n(r), stride = n / MAX_ELEMS + 1;
  for (uint32_t i = 1; i <= n; i += (uint32_t)stride)
    tp_vec_push(&w->elems, tp_reached_node(r, i)->state);
  size_t reached = w->elems.n;
  if (!w->cpa->ops->join) return;
  for (size_t i = 0; i + 1 < reached && w->elems.n < MAX_ELEMS + 20; i += 3) {
    const tp_elem *j = w->cpa->ops->join(w->cpa, w->elems.at[i].elem, w->elems.at[i + 1].elem);
    tp_vec_push(&w->elems, (tp_succ){j, w->elems.at[i].prec});
  }
}

bool laws_of_model(const char *text, uint64_t seed, laws_change change, bool say,
                   unsigned long checks[LAWS_N]) {
  tape t;
  traits what;
  tp_diag *diag = tp_diag_new(stderr, false);
  tape_fresh(&t, seed);
  tp_program *p = seed % 2 ? model_make_rich(&t, diag, &what) : model_make(&t, diag, &what);
  tp_stats stats = {0};
  tp_str why = {0};
  laws w = {.text = text, .seed = seed, .say = say};
  tp_arena_init(&w.arena);
  w.c = tp_composition_open(p, what.asked, text, &stats, &why);
  if (!w.c) fail_msg("%s: %s", text, tp_str_text(&why));
  w.cpa = w.c->cpa;
  if (change) change(w.cpa);
  if (samples_take(&w.s, p, &w.c->contexts, seed + 1, RUNS, SAMPLED)) {
    w.run = tp_recursion_new(w.cpa, w.c->order);
    tp_cpa_result end = tp_recursion_run(w.run, (tp_cpa_limits){.steps = MAX_STEPS});
    const tp_reached *r = tp_recursion_reached(w.run);
    collect(&w, r);
    law_a(&w);
    for (size_t i = 0; i < w.elems.n; i++) {
      law_d(&w, w.elems.at[i]);
      laws_f_and_g(&w, i);
      laws_of_neighbours(&w, i);
      for (size_t k = 0; k < w.elems.n; k += 1 + w.elems.n / 6)
        laws_of_pair(&w, w.elems.at[i].elem, w.elems.at[k].elem);
    }
    if (end.end == TP_CPA_DONE) all_reached(&w, r);
    tp_recursion_free(w.run);
  }
  for (size_t i = 0; i < LAWS_N; i++) checks[i] += w.checks[i];
  tp_vec_clear(&w.elems);
  tp_map_clear(&w.members);
  tp_arena_clear(&w.arena);
  samples_clear(&w.s);
  tp_composition_close(w.c);
  tp_program_free(p);
  tp_diag_free(diag);
  tape_clear(&t);
  tp_str_clear(&why);
  return !w.broken;
}
