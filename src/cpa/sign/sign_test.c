/* Every table entry of the sign analysis against evaluation, for all values of 4 bits; and a loop
 * that needs it. */
#include "cpa/sign/sign_cpa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "program/build_test.h"

enum { W = 4, N = 1 << W };

typedef struct {
  tp_diag *diag;
  tp_program *p;
  tp_composition *c;
  tp_var x, y;
} fixture;

static void set_up(fixture *f) {
  f->diag = tp_diag_new(stderr, false);
  f->p = tp_program_new(f->diag, 64);
  f->p->main = func(f->p, "main");
  f->x = var(f->p, f->p->main, "x", bv_sort(f->p, W), TP_TYPE_NONE);
  f->y = var(f->p, f->p->main, "y", bv_sort(f->p, W), TP_TYPE_NONE);
}
static void open_on(fixture *f, const char *text) {
  tp_str why = {0};
  static tp_stats stats;
  tp_program_finish(f->p);
  f->c = tp_composition_open(f->p, TP_P_UNREACH_CALL, text, &stats, &why);
  if (!f->c) fail_msg("%s", tp_str_text(&why));
}
static void tear_down(fixture *f) {
  tp_composition_close(f->c);
  tp_program_free(f->p);
  tp_diag_free(f->diag);
}

/* One edge r := x op y from every pair of values; the successor's formula must hold of the result.
 */
static void forward_covers_evaluation(void **state) {
  (void)state;
  static const tp_term_kind kinds[] = {TP_OP_BV_ADD,  TP_OP_BV_MUL,  TP_OP_BV_AND,  TP_OP_BV_OR,
                                       TP_OP_BV_XOR,  TP_OP_BV_UREM, TP_OP_BV_SREM, TP_OP_BV_UDIV,
                                       TP_OP_BV_SDIV, TP_OP_BV_SHL,  TP_OP_BV_LSHR, TP_OP_BV_ASHR};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (unsigned a = 0; a < N; a++)
      for (unsigned b = 0; b < N; b++) {
        fixture f;
        set_up(&f);
        tp_program *p = f.p;
        tp_var r = var(p, p->main, "r", bv_sort(p, W), TP_TYPE_NONE),
               s = var(p, p->main, "s", bv_sort(p, W), TP_TYPE_NONE);
        tp_loc l[6] = {entry_of(p, p->main)};
        for (int i = 1; i < 6; i++) l[i] = loc(p, p->main);
        assign(p, l[0], l[1], f.x, bv(p, W, a));
        assign(p, l[1], l[2], f.y, bv(p, W, b));
        assign(p, l[2], l[3], r, tp_mk2(p->terms, kinds[k], term_of(p, f.x), term_of(p, f.y)));
        assign(p, l[3], l[4], s, tp_mk1(p->terms, TP_OP_BV_NEG, term_of(p, r)));
        assume(p, l[4], l[5],
               tp_mk_not(
                   p->terms,
                   tp_mk_eq(p->terms, tp_mk2(p->terms, TP_OP_BV_ADD, term_of(p, r), term_of(p, s)),
                            bv(p, W, 1))));
        assume(p, l[5], exit_of(p, p->main),
               tp_mk_eq(p->terms, term_of(p, r),
                        tp_mk2(p->terms, kinds[k], bv(p, W, a), bv(p, W, b))));
        open_on(&f, "analysis = location callstack sign\n");
        tp_recursion *run = tp_recursion_new(f.c->cpa, f.c->order);
        assert_int_equal(tp_recursion_run(run, (tp_cpa_limits){0}).end, TP_CPA_DONE);
        const tp_reached *reached = tp_recursion_reached(run);
        bool seen = false;  // the end is possible, so it must be reached
        for (uint32_t i = 1; i <= tp_reached_n(reached); i++)
          seen |= tp_reached_node(reached, i)->loc.id == exit_of(p, p->main).id;
        if (!seen) fail_msg("%s of %u and %u", tp_kind_name(kinds[k]), a, b);
        tp_recursion_free(run);
        tear_down(&f);
      }
}

/* x := 0; while (input) if (x < 7) x := x + 1; never x < 0. */
static void a_counter_stays_non_negative(void **state) {
  (void)state;
  for (int broken = 0; broken < 2; broken++) {
    fixture f;
    set_up(&f);
    tp_program *p = f.p;
    tp_loc entry = entry_of(p, p->main), head = loc(p, p->main), test = loc(p, p->main),
           body = loc(p, p->main), bad = loc(p, p->main);
    p->locs.at[bad.id].error = TP_P_UNREACH_CALL;
    tp_term x = term_of(p, f.x), zero = bv(p, W, 0);
    assign(p, entry, head, f.x, zero);
    branch(p, head, bad, test, tp_mk2(p->terms, TP_OP_BV_SLT, x, zero));
    branch(p, test, body, head, tp_mk2(p->terms, TP_OP_BV_SLE, x, zero));
    assign(p, body, head, f.x,
           broken ? tp_mk2(p->terms, TP_OP_BV_ADD, x, bv(p, W, N - 1)) : bv(p, W, 1));
    open_on(&f, "analysis = location callstack sign\n");
    tp_recursion *run = tp_recursion_new(f.c->cpa, f.c->order);
    assert_int_equal(tp_recursion_run(run, (tp_cpa_limits){0}).end, TP_CPA_DONE);
    const tp_reached *reached = tp_recursion_reached(run);
    bool seen = false;
    for (uint32_t i = 1; i <= tp_reached_n(reached); i++)
      seen |= tp_reached_node(reached, i)->loc.id == bad.id;
    assert_int_equal(seen, broken);
    tp_recursion_free(run);
    tear_down(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forward_covers_evaluation),
                                     cmocka_unit_test(a_counter_stays_non_negative)};
  return cmocka_run_group_tests_name("sign", tests, NULL, NULL);
}
