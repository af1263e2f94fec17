/* Every CPA is the CPA+ with a single precision and an adjust that does nothing, and has the same
 * reached set (Theoduloz 2010, theorem 4.2): on random programs, each row of the table of analyses
 * under the algorithm of cpa/algorithm.c with adjust taken away, against the plain algorithm of
 * section 3.2.3, written down here as it is printed: no precisions, no graph, one list. TP_SOAK=1:
 * 2,000 programs. */
#include "cpa/algorithm.h"
#include "cpa/composition.h"
#include "cpa/steps.h"
#include "models.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
  MOST_STEPS = 600
};  // per run: without widening, and with states kept apart, some do not end

// -------------------------------------------------------------- the plain algorithm

typedef struct {
  const tp_elem *elem;
  bool waiting;
} plain_state;
typedef struct {
  tp_cpa *cpa;
  TP_VEC(plain_state) reached;
  TP_VEC(size_t) frontier;  // first in, first out
  size_t next;
  tp_steps *steps;
} plain;

static void plain_wait(plain *x, size_t i) {
  if (x->reached.at[i].waiting) return;
  x->reached.at[i].waiting = true;
  tp_vec_push(&x->frontier, i);
}
static bool plain_stop(plain *x, const tp_elem *e) {
  TP_VEC(tp_succ) all = {0};
  for (size_t i = 0; i < x->reached.n; i++)
    if (tp_cpa_merge_key(x->cpa, x->reached.at[i].elem) == tp_cpa_merge_key(x->cpa, e))
      tp_vec_push(&all, (tp_succ){x->reached.at[i].elem, NULL});
  bool stop = tp_cpa_stop(x->cpa, e, (tp_reached_view){all.at, all.n});
  tp_vec_clear(&all);
  return stop;
}
static void plain_successor(plain *x, const tp_elem *e) {
  for (size_t i = 0; i < x->reached.n; i++) {
    const tp_elem *old = x->reached.at[i].elem;
    if (tp_cpa_merge_key(x->cpa, old) != tp_cpa_merge_key(x->cpa, e)) continue;
    const tp_elem *merged = tp_cpa_merge(x->cpa, e, old);
    if (merged == old || x->cpa->ops->leq(x->cpa, merged, old)) continue;
    x->reached.at[i].elem = merged;
    plain_wait(x, i);
  }
  if (plain_stop(x, e)) return;
  tp_vec_push(&x->reached, (plain_state){e, false});
  plain_wait(x, x->reached.n - 1);
}
/* False: too many steps. */
static bool plain_run(plain *x) {
  tp_step_list steps = {0};
  tp_out out = {0};
  size_t n = 0;
  for (; x->next < x->frontier.n && n < MOST_STEPS; n++) {
    size_t i = x->frontier.at[x->next++];
    const tp_elem *e = x->reached.at[i].elem;
    x->reached.at[i].waiting = false;
    tp_steps_from(x->steps, tp_cpa_location_of(x->cpa, e), tp_cpa_context(x->cpa, e), &steps);
    for (size_t s = 0; s < steps.list.n; s++) {
      out.list.n = 0;
      x->cpa->ops->transfer(x->cpa, e, NULL, &steps.list.at[s], &out);
      tp_cpa_strengthen_last(x->cpa, &out);
      for (size_t k = 0; k < out.list.n; k++) plain_successor(x, out.list.at[k].elem);
    }
  }
  tp_vec_clear(&steps.list);
  tp_vec_clear(&out.list);
  return x->next == x->frontier.n;
}

// ---------------------------------------------------------------------- comparison

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct {
  tp_arena arena;
  TP_VEC(char *) lines;
} texts;
static void note(texts *t, tp_cpa *cpa, const tp_elem *e) {
  tp_str s = {0};
  tp_str_printf(&s, "L%u ", tp_cpa_location_of(cpa, e).id);
  cpa->ops->print(cpa, e, &s);
  tp_vec_push(&t->lines, tp_arena_strdup(&t->arena, tp_str_text(&s)));
  tp_str_clear(&s);
}
static char *together(texts *t) {
  tp_str s = {0};
  if (t->lines.n) qsort(t->lines.at, t->lines.n, sizeof *t->lines.at, by_text);
  for (size_t i = 0; i < t->lines.n; i++) tp_str_printf(&s, "%s\n", t->lines.at[i]);
  char *all = tp_arena_strdup(&t->arena, tp_str_text(&s));
  tp_str_clear(&s);
  return all;
}

static tp_composition *open(const tp_program *p, const char *text, tp_cpa_ops *without_adjust) {
  tp_str why = {0};
  tp_composition *c = tp_composition_open(p, TP_P_UNREACH_CALL, text, NULL, &why);
  tp_str_clear(&why);
  if (!c) return NULL;
  *without_adjust = *c->cpa->ops;
  without_adjust->adjust = NULL;
  c->cpa->ops = without_adjust;
  return c;
}
static bool run_both(const tp_program *p, const char *text, uint64_t seed) {
  tp_cpa_ops plain_ops, plus_ops;
  tp_composition *a = open(p, text, &plain_ops), *b = open(p, text, &plus_ops);
  if (!a || !b) fail_msg("%s", text);
  texts of_plain = {0}, of_plus = {0};
  tp_loc entry = tp_func_of(p, p->main)->entry;
  plain x = {.cpa = a->cpa, .steps = tp_steps_new(p, &a->contexts)};
  tp_vec_push(
      &x.reached,
      (plain_state){
          a->cpa->ops->initial(a->cpa, entry, tp_context_root(&a->contexts, p->main, 0)).elem,
          false});
  plain_wait(&x, 0);
  bool ended = plain_run(&x);
  tp_reached *r = tp_reached_new(b->cpa, TP_WAIT_BFS);
  tp_reached_add_initial(
      r, b->cpa->ops->initial(b->cpa, entry, tp_context_root(&b->contexts, p->main, 0)));
  bool ended_too = tp_cpa_run(r, (tp_cpa_limits){.steps = MOST_STEPS}).end == TP_CPA_DONE;
  if (ended && ended_too) {
    for (size_t i = 0; i < x.reached.n; i++) note(&of_plain, a->cpa, x.reached.at[i].elem);
    for (uint32_t i = 1; i <= tp_reached_n(r); i++)
      note(&of_plus, b->cpa, tp_reached_node(r, i)->state.elem);
    const char *one = together(&of_plain), *other = together(&of_plus);
    if (strcmp(one, other) != 0)
      fail_msg("program %llu, %s\nplain:\n%s\nCPA+:\n%s", (unsigned long long)seed, text, one,
               other);
  }
  if (ended != ended_too)
    fail_msg("program %llu, %s: only one of them ends", (unsigned long long)seed, text);
  tp_vec_clear(&of_plain.lines);
  tp_vec_clear(&of_plus.lines);
  tp_arena_clear(&of_plain.arena);
  tp_arena_clear(&of_plus.arena);
  tp_vec_clear(&x.reached);
  tp_vec_clear(&x.frontier);
  tp_steps_free(x.steps);
  tp_reached_free(r);
  tp_composition_close(a);
  tp_composition_close(b);
  return ended;
}

static bool has_summaries(const tp_program *p) {
  for (size_t i = 1; i < p->funcs.n; i++)
    if (p->funcs.at[i].is_recursive) return true;
  for (size_t i = 1; i < p->edges.n; i++)
    if (p->edges.at[i].kind == TP_E_CALL) {
      tp_func f = p->edges.at[i].callee;
      if (f.id && !tp_func_of(p, f)->has_body) return true;
    }
  return false;
}

static void F50_single_precision_embedding(void **state) {
  (void)state;
  static const char *const skipped[] = {"location", "callstack"};  // in every composite
  uint64_t n = getenv("TP_SOAK") ? 2000 : 25;
  size_t compared = 0;
  for (uint64_t seed = 1; seed <= n; seed++) {
    tape t = {0};
    traits what = {0};
    tp_diag *diag = tp_diag_new(stderr, false);
    tape_fresh(&t, seed);
    tp_program *p = model_make(&t, diag, &what);
    for (size_t i = 0; tp_analyses[i] && !has_summaries(p); i++)
      for (int join = 0; join < 2; join++) {
        const tp_cpa_ops *row = tp_analyses[i];
        tp_str text = {0}, why = {0};
        bool control = strcmp(row->name, skipped[0]) == 0 || strcmp(row->name, skipped[1]) == 0;
        tp_str_printf(&text, "analysis = location callstack %s\n", control ? "" : row->name);
        if (!control)
          tp_str_printf(&text, "%s.merge = %s\nmerge = %s\n", row->name, join ? "join" : "sep",
                        join ? "join-on-location" : "sep");
        if (tp_composition_check(tp_str_text(&text), NULL, &why))
          compared += run_both(p, tp_str_text(&text), seed);
        tp_str_clear(&text);
        tp_str_clear(&why);
      }
    tp_program_free(p);
    tp_diag_free(diag);
    tape_clear(&t);
  }
  assert_true(compared > n * 4);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(F50_single_precision_embedding)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
