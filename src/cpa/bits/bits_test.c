/* Known bits against tp_eval, on all elements of few bits: every operator forward and backward,
 * order, join, meet and ranges; forward also with the share of results that are the best possible,
 * which must not fall. And loops that need the analysis, beside broken twins. */
#include "cpa/bits/bits_cpa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cpa/composition.h"
#include "cpa/recursion.h"
#include "program/build_test.h"

// ------------------------------------------------------------- all small elements

enum { MOST_BITS = 4, MOST_ELEMENTS = 81, MOST_VALUES = 1 << MOST_BITS };

static unsigned all_elements(uint32_t width, tp_known_bits out[MOST_ELEMENTS]) {
  unsigned n = 0;
  for (unsigned unknown = 0; unknown < 1u << width; unknown++)
    for (unsigned value = 0; value < 1u << width; value++)
      if (!(value & unknown)) out[n++] = (tp_known_bits){width, value, unknown};
  return n;
}

typedef struct {
  const char *name;
  tp_term_kind kind;
  int arity;
  uint32_t to;   // ZEXT, SEXT: width of the result
  int hi, lo;    // EXTRACT
  int forward;   // least share of best results, in percent, on 4 bits
  int backward;  // the same of pairs of arguments, on 3 bits
} operator;
static const operator operators[] = {
  {"ADD", TP_OP_BV_ADD, 2, .forward = 100, .backward = 73},
  {"MUL", TP_OP_BV_MUL, 2, .forward = 95, .backward = 38},
  {"NEG", TP_OP_BV_NEG, 1, .forward = 100, .backward = 77},
  {"UDIV", TP_OP_BV_UDIV, 2, .forward = 85, .backward = 23},
  {"SDIV", TP_OP_BV_SDIV, 2, .forward = 63, .backward = 25},
  {"UREM", TP_OP_BV_UREM, 2, .forward = 68, .backward = 38},
  {"SREM", TP_OP_BV_SREM, 2, .forward = 55, .backward = 37},
  {"AND", TP_OP_BV_AND, 2, .forward = 100, .backward = 100},
  {"OR", TP_OP_BV_OR, 2, .forward = 100, .backward = 100},
  {"XOR", TP_OP_BV_XOR, 2, .forward = 100, .backward = 100},
  {"NOT", TP_OP_BV_NOT, 1, .forward = 100, .backward = 100},
  {"SHL", TP_OP_BV_SHL, 2, .forward = 100, .backward = 32},
  {"LSHR", TP_OP_BV_LSHR, 2, .forward = 100, .backward = 32},
  {"ASHR", TP_OP_BV_ASHR, 2, .forward = 100, .backward = 27},
  {"CONCAT", TP_OP_BV_CONCAT, 2, .forward = 100, .backward = 100},
  {"ZEXT", TP_OP_BV_ZEXT, 1, .to = 6, .forward = 100, .backward = 100},
  {"SEXT", TP_OP_BV_SEXT, 1, .to = 6, .forward = 100, .backward = 100},
  {"EXTRACT low", TP_OP_BV_EXTRACT, 1, .hi = 1, .lo = 0, .forward = 100, .backward = 100},
  {"EXTRACT high", TP_OP_BV_EXTRACT, 1, .hi = 2, .lo = 1, .forward = 100, .backward = 100},
  {"EQ", TP_OP_EQ, 2, .forward = 100, .backward = 100},
  {"ULT", TP_OP_BV_ULT, 2, .forward = 100, .backward = 93},
  {"ULE", TP_OP_BV_ULE, 2, .forward = 100, .backward = 93},
  {"SLT", TP_OP_BV_SLT, 2, .forward = 100, .backward = 93},
  {"SLE", TP_OP_BV_SLE, 2, .forward = 100, .backward = 93},
};
enum { N_OPERATORS = sizeof operators / sizeof *operators };

/* One operator over variables of one width, and its value for all pairs of values. */
typedef struct {
  const operator* o;
  tp_terms *tt;
  tp_term x, y, t;
  bool is_comparison;
  uint32_t width, result_width;
  unsigned result[MOST_VALUES][MOST_VALUES];
} world;

typedef struct {
  const world *w;
  unsigned a, b;
} valuation;
static bool value_of(void *ctx, tp_term var, tp_value *out) {
  const valuation *v = ctx;
  *out = (tp_value){.bits = tp_term_eq(var, v->w->x) ? v->a : v->b};
  return true;
}
static uint64_t base_of(void *ctx, uint32_t object) {
  (void)ctx, (void)object;
  return 0;
}

static void make_world(world *w, const operator* o, uint32_t width) {
  *w = (world){.o = o, .tt = tp_terms_new(64), .width = width};
  tp_terms_set_rewriting(w->tt, false);
  const tp_sort s = tp_sort_bv(w->tt, width);
  w->x = tp_mk_var(w->tt, "x", s);
  w->y = tp_mk_var(w->tt, "y", s);
  if (o->kind == TP_OP_BV_ZEXT)
    w->t = tp_mk_zext(w->tt, o->to, w->x);
  else if (o->kind == TP_OP_BV_SEXT)
    w->t = tp_mk_sext(w->tt, o->to, w->x);
  else if (o->kind == TP_OP_BV_EXTRACT)
    w->t = tp_mk_extract(w->tt, (uint32_t)o->hi, (uint32_t)o->lo, w->x);
  else
    w->t = o->arity == 1 ? tp_mk1(w->tt, o->kind, w->x) : tp_mk2(w->tt, o->kind, w->x, w->y);
  assert_int_equal(tp_kind(w->tt, w->t), o->kind);
  w->is_comparison = tp_sort_kind_of(w->tt, tp_sort_of(w->tt, w->t)) == TP_SORT_BOOL;
  w->result_width = w->is_comparison ? 1 : tp_width(w->tt, w->t);
  for (unsigned a = 0; a < 1u << width; a++)
    for (unsigned b = 0; b < (o->arity == 2 ? 1u << width : 1); b++) {
      valuation v = {w, a, b};
      tp_env env = {&v, value_of, base_of, NULL};
      tp_arena arena = {0};
      tp_value out;
      assert_int_equal(tp_eval(w->tt, w->t, &env, &arena, &out), TP_OK);
      tp_arena_clear(&arena);
      w->result[a][b] = (unsigned)out.bits;
    }
}

static void include(tp_known_bits *hull, bool *is_empty, uint32_t width, unsigned value) {
  const tp_known_bits one = tp_bits_constant(width, value);
  *hull = *is_empty ? one : tp_bits_join(hull, &one);
  *is_empty = false;
}
static bool same(const tp_known_bits *a, const tp_known_bits *b) {
  return a->width == b->width && a->value == b->value && a->unknown == b->unknown;
}
static void fail_at(const world *w, const char *what, const tp_known_bits *a,
                    const tp_known_bits *b, const tp_known_bits *r) {
  fail_msg("%s %s: value %u unknown %u, value %u unknown %u: value %u unknown %u", what, w->o->name,
           (unsigned)a->value, (unsigned)a->unknown, (unsigned)b->value, (unsigned)b->unknown,
           (unsigned)r->value, (unsigned)r->unknown);
}

static void check_share(const world *w, const char *what, unsigned best, unsigned all, int least) {
  const unsigned share = best * 100 / all;
  print_message("%-12s %s: best in %u %%\n", w->o->name, what, share);
  if ((int)share < least) fail_msg("%s %s: %u %% < %d %%", w->o->name, what, share, least);
}

// -------------------------------------------------------------------- operators

static void forward_covers_evaluation(void **state) {
  (void)state;
  tp_known_bits all[MOST_ELEMENTS];
  const unsigned n = all_elements(4, all);
  for (size_t k = 0; k < N_OPERATORS; k++) {
    world w;
    unsigned best = 0, tried = 0;
    make_world(&w, &operators[k], 4);
    for (unsigned i = 0; i < n; i++)
      for (unsigned j = 0; j < (w.o->arity == 2 ? n : 1); j++) {
        const tp_known_bits args[2] = {all[i], w.o->arity == 2 ? all[j] : all[0]};
        tp_known_bits r = tp_bits_top(1), hull = r;
        bool holds, is_empty = true;
        if (!w.is_comparison)
          r = tp_bits_apply(w.tt, w.t, args);
        else if (tp_bits_compare(w.o->kind, &args[0], &args[1], &holds))
          r = tp_bits_constant(1, holds);
        for (unsigned a = 0; a < 16; a++)
          for (unsigned b = 0; b < (w.o->arity == 2 ? 16 : 1); b++) {
            if (!tp_bits_contains(&args[0], a) ||
                (w.o->arity == 2 && !tp_bits_contains(&args[1], b)))
              continue;
            if (!tp_bits_contains(&r, w.result[a][b])) fail_at(&w, "forward", &all[i], &all[j], &r);
            include(&hull, &is_empty, w.result_width, w.result[a][b]);
          }
        tried++;
        best += same(&r, &hull);
      }
    check_share(&w, "forward", best, tried, w.o->forward);
    tp_terms_free(w.tt);
  }
}

static bool refine(const world *w, const tp_known_bits *r, tp_known_bits args[2]) {
  if (!w->is_comparison) return tp_bits_refine(w->tt, w->t, r, args);
  return r->unknown || tp_bits_refine_comparison(w->o->kind, r->value != 0, &args[0], &args[1]);
}

static void backward_loses_no_argument(void **state) {
  (void)state;
  enum { W = 3, VALUES = 1 << W };
  static tp_known_bits results[729];
  tp_known_bits all[MOST_ELEMENTS];
  const unsigned n = all_elements(W, all);
  for (size_t k = 0; k < N_OPERATORS; k++) {
    world w;
    unsigned n_results = 0, best = 0, tried = 0;
    make_world(&w, &operators[k], W);
    for (unsigned unknown = 0; unknown < 1u << w.result_width; unknown++)
      for (unsigned value = 0; value < 1u << w.result_width; value++)
        if (!(value & unknown))
          results[n_results++] = (tp_known_bits){w.result_width, value, unknown};
    for (unsigned m = 0; m < n_results; m++)
      for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < (w.o->arity == 2 ? n : 1); j++) {
          const tp_known_bits *r = &results[m], before[2] = {all[i], all[j]};
          tp_known_bits args[2] = {before[0], before[1]}, hull[2] = {all[i], all[j]};
          bool is_empty[2] = {true, true};
          const bool possible = refine(&w, r, args);
          for (unsigned a = 0; a < VALUES; a++)
            for (unsigned b = 0; b < (w.o->arity == 2 ? VALUES : 1); b++) {
              if (!tp_bits_contains(&before[0], a) || !tp_bits_contains(r, w.result[a][b]) ||
                  (w.o->arity == 2 && !tp_bits_contains(&before[1], b)))
                continue;
              if (!possible || !tp_bits_contains(&args[0], a) ||
                  (w.o->arity == 2 && !tp_bits_contains(&args[1], b)))
                fail_at(&w, "backward", &before[0], &before[1], r);
              include(&hull[0], &is_empty[0], W, a);
              include(&hull[1], &is_empty[1], W, b);
            }
          for (int s = 0; possible && s < w.o->arity; s++)
            if (!tp_bits_leq(&args[s], &before[s]))
              fail_at(&w, "backward, weaker", &before[0], &before[1], r);
          tried++;
          best += is_empty[0]
                      ? !possible
                      : same(&args[0], &hull[0]) && (w.o->arity == 1 || same(&args[1], &hull[1]));
        }
    check_share(&w, "backward", best, tried, w.o->backward);
    tp_terms_free(w.tt);
  }
}

// ---------------------------------------------------------------- order and ranges

static unsigned members(const tp_known_bits *x) {  // as bits
  unsigned set = 0;
  for (unsigned v = 0; v < MOST_VALUES; v++) set |= (unsigned)tp_bits_contains(x, v) << v;
  return set;
}

static void order_is_inclusion(void **state) {
  (void)state;
  tp_known_bits all[MOST_ELEMENTS];
  const unsigned n = all_elements(4, all);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) {
      const unsigned a = members(&all[i]), b = members(&all[j]);
      const tp_known_bits sum = tp_bits_join(&all[i], &all[j]);
      tp_known_bits both;
      assert_int_equal(tp_bits_leq(&all[i], &all[j]), !(a & ~b));
      for (unsigned k = 0; k < n; k++)  // the least of those above both
        if (!((a | b) & ~members(&all[k]))) assert_true(tp_bits_leq(&sum, &all[k]));
      assert_int_equal((a | b) & ~members(&sum), 0);
      const bool meets = tp_bits_meet(&all[i], &all[j], &both);
      assert_int_equal(meets, (a & b) != 0);
      if (meets) assert_int_equal(members(&both), a & b);
    }
}

static int as_signed(unsigned v) { return v >= MOST_VALUES / 2 ? (int)v - MOST_VALUES : (int)v; }

static void ranges_cover_members(void **state) {
  (void)state;
  tp_known_bits all[MOST_ELEMENTS];
  const unsigned n = all_elements(4, all);
  for (unsigned i = 0; i < n; i++) {
    tp_range r;
    tp_known_bits back;
    bool meets_umin = false, meets_umax = false, meets_smin = false, meets_smax = false;
    assert_true(tp_bits_range(&all[i], &r) && !r.is_top);
    for (unsigned v = 0; v < MOST_VALUES; v++) {
      if (!tp_bits_contains(&all[i], v)) continue;
      assert_true(r.umin <= v && v <= r.umax && r.smin <= as_signed(v) && as_signed(v) <= r.smax);
      meets_umin |= v == r.umin, meets_umax |= v == r.umax;
      meets_smin |= as_signed(v) == r.smin, meets_smax |= as_signed(v) == r.smax;
    }
    assert_true(meets_umin && meets_umax && meets_smin && meets_smax);
    assert_true(tp_bits_of_range(4, &r, &back) && tp_bits_leq(&all[i], &back));
  }
  for (unsigned umin = 0; umin < 16; umin++)
    for (unsigned umax = umin; umax < 16; umax++)
      for (int smin = -8; smin < 8; smin++)
        for (int smax = smin; smax < 8; smax++) {
          const tp_range r = {.umin = umin, .umax = umax, .smin = smin, .smax = smax};
          tp_known_bits x;
          const bool some = tp_bits_of_range(4, &r, &x);
          for (unsigned v = umin; v <= umax; v++)
            if (smin <= as_signed(v) && as_signed(v) <= smax)
              assert_true(some && tp_bits_contains(&x, v));
        }
}

/* 128 bits: masks and shifts by the full width have no undefined behaviour. */
static void widest_integers(void **state) {
  (void)state;
  tp_terms *tt = tp_terms_new(64);
  tp_terms_set_rewriting(tt, false);
  const tp_sort s = tp_sort_bv(tt, 128);
  const tp_term x = tp_mk_var(tt, "x", s), y = tp_mk_var(tt, "y", s);
  const tp_u128 top_bit = (tp_u128)1 << 127;
  const tp_known_bits odd = {128, 1, ~(tp_u128)1}, huge = tp_bits_constant(128, top_bit);
  const tp_known_bits shifted =
      tp_bits_apply(tt, tp_mk2(tt, TP_OP_BV_ASHR, x, y),
                    (const tp_known_bits[]){huge, tp_bits_constant(128, 127)});
  assert_true(shifted.value == ~(tp_u128)0 && !shifted.unknown);
  const tp_known_bits product =
      tp_bits_apply(tt, tp_mk2(tt, TP_OP_BV_MUL, x, y), (const tp_known_bits[]){odd, huge});
  assert_true(product.value == top_bit && !product.unknown);
  tp_known_bits args[2] = {tp_bits_top(128), huge};
  assert_true(tp_bits_refine(tt, tp_mk2(tt, TP_OP_BV_MUL, x, y), &huge, args));
  assert_true(args[0].value == 1 && args[0].unknown == ~(tp_u128)1);
  tp_range r;
  assert_false(tp_bits_range(&odd, &r));
  tp_terms_free(tt);
}

// ------------------------------------------------------------------------ loops

/* Is the error of `x := 0; for (;;) { if (x & mask) error; x := x + stride; }` reached? */
typedef struct {
  const char *name, *analysis;
  uint64_t stride, mask;
  bool reached;
} loop_case;
static const loop_case loops[] = {
    {"multiples of 4", "bits", 4, 3, false},
    {"multiples of 6 are even", "bits", 6, 1, false},
    {"multiples of 6, broken: by 4", "bits", 6, 3, true},
    {"multiples of 4, without the analysis", "interval", 4, 3, true},
    {"multiples of 12 beside intervals", "interval bits", 12, 3, false},
    {"broken: an odd stride", "interval bits", 5, 3, true},
};

static bool reaches_error(const loop_case *c) {
  tp_diag *diag = tp_diag_new(stderr, false);
  tp_program *p = tp_program_new(diag, 64);
  p->main = func(p, "main");
  const tp_var x = var(p, p->main, "x", bv_sort(p, 32), TP_TYPE_NONE);
  const tp_loc head = loc(p, p->main), body = loc(p, p->main), bad = loc(p, p->main);
  p->locs.at[bad.id].error = TP_P_UNREACH_CALL;
  const tp_term low = tp_mk2(p->terms, TP_OP_BV_AND, term_of(p, x), bv(p, 32, c->mask));
  assign(p, entry_of(p, p->main), head, x, bv(p, 32, 0));
  branch(p, head, body, bad, tp_mk_eq(p->terms, low, bv(p, 32, 0)));
  assign(p, body, head, x, tp_mk2(p->terms, TP_OP_BV_ADD, term_of(p, x), bv(p, 32, c->stride)));
  tp_program_finish(p);
  tp_str why = {0}, text = {0};
  static tp_stats stats;
  tp_str_printf(&text, "analysis = location callstack %s\ntransfer = strengthened\n", c->analysis);
  tp_composition *whole =
      tp_composition_open(p, TP_P_UNREACH_CALL, tp_str_text(&text), &stats, &why);
  if (!whole) fail_msg("%s", tp_str_text(&why));
  tp_recursion *run = tp_recursion_new(whole->cpa, whole->order);
  assert_int_equal(tp_recursion_run(run, (tp_cpa_limits){0}).end, TP_CPA_DONE);
  const tp_reached *reached = tp_recursion_reached(run);
  bool seen = false;
  for (uint32_t i = 1; i <= tp_reached_n(reached); i++)
    seen |= tp_reached_node(reached, i)->loc.id == bad.id;
  tp_recursion_free(run);
  tp_composition_close(whole);
  tp_str_clear(&text);
  tp_program_free(p);
  tp_diag_free(diag);
  return seen;
}

static void strides_of_loops(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
    if (reaches_error(&loops[i]) != loops[i].reached) fail_msg("%s", loops[i].name);
  assert_int_equal(tp_live_bytes(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forward_covers_evaluation), cmocka_unit_test(backward_loses_no_argument),
      cmocka_unit_test(order_is_inclusion),        cmocka_unit_test(ranges_cover_members),
      cmocka_unit_test(widest_integers),           cmocka_unit_test(strides_of_loops)};
  return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
