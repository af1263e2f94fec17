#include "exec/testing.h"

#include "exec/eval.h"

/* The three evaluators agree on random terms, and the shadow of a result tells the truth: flipping
 * indeterminate bits of variables never changes a bit of the result that is marked determined. */

enum { N_VARS = 14, POOL = 60, ROUNDS = 3000, FLIPS = 8 };

typedef struct {
  build b;
  tp_rng rng;
  tp_var vars[N_VARS];
  tp_term pool[POOL];
  size_t n;
  tp_state *s;
} world;

static uint64_t below(world *w, uint64_t n) { return tp_rng_below(&w->rng, n); }

static void add_vars(world *w) {
  build *b = &w->b;
  static const uint32_t widths[] = {1, 8, 16, 32, 32, 64, 64, 128, 24};
  size_t k = 0;
  for (; k < 9; k++) w->vars[k] = build_var(b, "v", tp_sort_bv(b->tt, widths[k]));
  w->vars[k++] = build_global(b, "g", tp_sort_bv(b->tt, 32), bv(b, 32, 0));
  w->vars[k++] = build_var(b, "c", tp_sort_bool(b->tt));
  w->vars[k++] = build_var(b, "p", tp_sort_ptr(b->tt));
  w->vars[k++] = build_var(b, "f", tp_sort_fp(b->tt, 32));
  w->vars[k++] = build_var(b, "d", tp_sort_fp(b->tt, 64));
}

static tp_u128 random_bits(world *w, uint32_t width) {
  tp_u128 v = (tp_u128)tp_rng_next(&w->rng) << 64 | tp_rng_next(&w->rng);
  switch (below(w, 4)) {
    case 0: v = below(w, 5); break;
    case 1: v = 0 - (tp_u128)below(w, 5); break;
    case 2: v = (tp_u128)1 << below(w, width); break;
    default: break;
  }
  return v & tp_mask128(width);
}

static tp_layout layout(const world *w, tp_var v) {
  return tp_layout_of(w->b.p, tp_sort_of(w->b.tt, build_term(&w->b, v)));
}

static void set(world *w, tp_var v, tp_shaded c) {
  tp_slot_set(w->s, tp_slot_of(w->s, tp_state_top(w->s), v), layout(w, v).kind, c);
}

static tp_sort sort_of(const world *w, tp_term t) { return tp_sort_of(w->b.tt, t); }
static tp_sort_kind kind_of(const world *w, tp_term t) {
  return tp_sort_kind_of(w->b.tt, sort_of(w, t));
}

static tp_term pick(world *w, tp_sort_kind k) {
  for (int i = 0; i < 200; i++) {
    tp_term t = w->pool[below(w, w->n)];
    if (kind_of(w, t) == k) return t;
  }
  return build_term(&w->b, w->vars[k == TP_SORT_BV     ? 3
                                   : k == TP_SORT_BOOL ? 10
                                   : k == TP_SORT_PTR  ? 11
                                                       : 13]);
}
static tp_term pick_same(world *w, tp_term like) {
  for (int i = 0; i < 200; i++) {
    tp_term t = w->pool[below(w, w->n)];
    if (tp_sort_eq(sort_of(w, t), sort_of(w, like))) return t;
  }
  if (kind_of(w, like) == TP_SORT_BV)
    return tp_mk_bv(w->b.tt, tp_width(w->b.tt, like), random_bits(w, tp_width(w->b.tt, like)));
  return like;
}

static tp_term random_bv(world *w) {
  static const tp_term_kind two[] = {TP_OP_BV_ADD,  TP_OP_BV_MUL,  TP_OP_BV_UDIV, TP_OP_BV_SDIV,
                                     TP_OP_BV_UREM, TP_OP_BV_SREM, TP_OP_BV_AND,  TP_OP_BV_OR,
                                     TP_OP_BV_XOR,  TP_OP_BV_SHL,  TP_OP_BV_LSHR, TP_OP_BV_ASHR};
  tp_terms *tt = w->b.tt;
  tp_term a = pick(w, TP_SORT_BV), b = pick_same(w, a);
  uint32_t width = tp_width(tt, a);
  switch (below(w, 10)) {
    case 0: return tp_mk1(tt, TP_OP_BV_NEG, a);
    case 1: return tp_mk1(tt, TP_OP_BV_NOT, a);
    case 2:
      return below(w, 2) ? tp_mk_zext(tt, 64, tp_mk_trunc(tt, width < 64 ? width : 64, a))
                         : tp_mk_sext(tt, 128, a);
    case 3: {
      uint32_t lo = (uint32_t)below(w, width), hi = lo + (uint32_t)below(w, width - lo);
      return tp_mk_extract(tt, hi, lo, a);
    }
    case 4: {
      tp_term c = pick(w, TP_SORT_BV);
      return width + tp_width(tt, c) <= 128 ? tp_mk2(tt, TP_OP_BV_CONCAT, a, c) : a;
    }
    case 5: return tp_mk_ite(tt, pick(w, TP_SORT_BOOL), a, b);
    default:
      return tp_mk2(tt, two[below(w, 12)], a,
                    below(w, 3) ? b : tp_mk_bv(tt, width, random_bits(w, width)));
  }
}

static tp_term random_bool(world *w) {
  static const tp_term_kind less[] = {TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT, TP_OP_BV_SLE};
  static const tp_term_kind fp[] = {TP_OP_FP_EQ, TP_OP_FP_LT, TP_OP_FP_LE};
  tp_terms *tt = w->b.tt;
  tp_term a = pick(w, TP_SORT_BV);
  switch (below(w, 7)) {
    case 0: return tp_mk_not(tt, pick(w, TP_SORT_BOOL));
    case 1: return tp_mk_and(tt, pick(w, TP_SORT_BOOL), pick(w, TP_SORT_BOOL));
    case 2: return tp_mk_xor(tt, pick(w, TP_SORT_BOOL), pick(w, TP_SORT_BOOL));
    case 3: return tp_mk_eq(tt, a, pick_same(w, a));
    case 4: {
      tp_term f = pick(w, TP_SORT_FP);
      return below(w, 3) ? tp_mk2(tt, fp[below(w, 3)], f, pick_same(w, f))
                         : tp_mk1(tt, TP_OP_FP_IS_NAN, f);
    }
    case 5: return tp_mk_eq(tt, pick(w, TP_SORT_PTR), pick(w, TP_SORT_PTR));
    default: return tp_mk2(tt, less[below(w, 4)], a, pick_same(w, a));
  }
}

static tp_term random_fp(world *w) {
  static const tp_term_kind two[] = {TP_OP_FP_ADD, TP_OP_FP_SUB, TP_OP_FP_MUL,
                                     TP_OP_FP_DIV, TP_OP_FP_MIN, TP_OP_FP_REM};
  tp_terms *tt = w->b.tt;
  tp_term a = pick(w, TP_SORT_FP), n = pick(w, TP_SORT_BV);
  switch (below(w, 5)) {
    case 0: return tp_mk_fp_conv(tt, TP_OP_FP_OF_FP, below(w, 2) ? 32 : 64, a);
    case 1:
      return tp_mk_fp_conv(tt, below(w, 2) ? TP_OP_FP_OF_SBV : TP_OP_FP_OF_UBV,
                           below(w, 2) ? 32 : 64, n);
    case 2: return tp_mk1(tt, below(w, 2) ? TP_OP_FP_NEG : TP_OP_FP_SQRT, a);
    default: return tp_mk2(tt, two[below(w, 6)], a, pick_same(w, a));
  }
}

static tp_term random_mixed(world *w) {
  tp_terms *tt = w->b.tt;
  tp_term p = pick(w, TP_SORT_PTR), n = pick(w, TP_SORT_BV), f = pick(w, TP_SORT_FP);
  tp_term object = tp_mk1(tt, TP_OP_PTR_OBJ, p);
  switch (below(w, 8)) {
    case 0: return tp_mk_ptr_add(tt, p, tp_mk_resize(tt, 64, true, n));
    case 1:
      return tp_mk_sub(tt, tp_mk1(tt, TP_OP_PTR_TO_INT, p),
                       tp_mk1(tt, TP_OP_PTR_TO_INT, pick(w, TP_SORT_PTR)));
    case 2: return tp_mk1(tt, TP_OP_PTR_OFF, p);
    case 3: return tp_mk2(tt, TP_OP_SELECT, build_term(&w->b, w->b.p->ghost_size), object);
    case 4: return tp_mk2(tt, TP_OP_SELECT, build_term(&w->b, w->b.p->ghost_live), object);
    case 5:
      return tp_mk2(tt, TP_OP_BV_ULT, tp_mk1(tt, TP_OP_PTR_TO_INT, p),
                    tp_mk_resize(tt, 64, false, n));
    case 6:
      return tp_mk_fp_conv(tt, below(w, 2) ? TP_OP_FP_TO_SBV : TP_OP_FP_TO_UBV, 8u << below(w, 4),
                           f);
    default: return tp_mk_ite(tt, pick(w, TP_SORT_BOOL), p, pick(w, TP_SORT_PTR));
  }
}

static void grow(world *w) {
  for (w->n = 0; w->n < N_VARS; w->n++) w->pool[w->n] = build_term(&w->b, w->vars[w->n]);
  while (w->n < POOL) {
    uint64_t k = below(w, 12);
    w->pool[w->n] = k < 6    ? random_bv(w)
                    : k < 8  ? random_bool(w)
                    : k < 10 ? random_fp(w)
                             : random_mixed(w);
    w->n++;
  }
}

static void set_all(world *w) {
  for (size_t i = 0; i < N_VARS; i++) {
    tp_layout l = layout(w, w->vars[i]);
    tp_shaded c = {.bits = random_bits(w, l.width_bits)};
    if (l.kind == TP_SORT_PTR)
      c = (tp_shaded){.bits = below(w, 40), .object = (uint32_t)below(w, 4)};
    set(w, w->vars[i], c);
  }
}

static bool same(const world *w, tp_term t, tp_value a, tp_value b) {
  if (kind_of(w, t) != TP_SORT_PTR)
    a.object = b.object = 0;  // origins of integers: checked in interp_test
  return tp_value_eq(w->b.tt, sort_of(w, t), a, b);
}

static void disagree(const world *w, tp_term t, const char *who) {
  fail_msg("%s disagrees with tp_eval on term %u (%s)", who, t.id,
           tp_kind_name(tp_kind(w->b.tt, t)));
}

static void compare(world *w, tp_term t) {
  tp_value reference;
  assert_int_equal(tp_state_eval(w->s, t, &reference), TP_OK);
  tp_snippet sn = tp_code_of_term(w->s->code, t);
  if (sn.evaluator == TP_BY_TERMS) return;
  tp_state_view v = tp_state_view_of(w->s);
  tp_word words[2000], word;
  tp_shaded cells[2000];
  assert_true(sn.n <= 2000);
  bool divided = false, is_ptr = kind_of(w, t) == TP_SORT_PTR;
  tp_shaded c = tp_eval_shaded(&v, &sn, cells, &divided);
  assert_true(c.und == 0);
  if (!same(w, t, reference, (tp_value){.bits = c.bits, .object = c.object}))
    disagree(w, t, "cells");
  if (sn.evaluator != TP_BY_WORDS || !tp_eval_words(&v, &sn, words, &word)) return;
  if (!same(w, t, reference, (tp_value){.bits = word.lo, .object = is_ptr ? (uint32_t)word.hi : 0}))
    disagree(w, t, "words");
}

static void flip(world *w, const tp_shaded *original) {
  for (size_t i = 0; i < N_VARS; i++) {
    tp_shaded c = original[i];
    c.bits = (c.bits & ~c.und) | (random_bits(w, layout(w, w->vars[i]).width_bits) & c.und);
    set(w, w->vars[i], c);
  }
}

static void shadow_is_true(world *w, tp_term t) {
  tp_shaded original[N_VARS], cells[2000];
  tp_snippet sn = tp_code_of_term(w->s->code, t);
  if (sn.evaluator == TP_BY_TERMS) return;
  for (size_t i = 0; i < N_VARS; i++) {
    tp_layout l = layout(w, w->vars[i]);
    original[i] = tp_slot_get(w->s, tp_slot_of(w->s, tp_state_top(w->s), w->vars[i]), l.kind);
    if (below(w, 3) == 0)
      original[i].und = below(w, 2) ? random_bits(w, l.width_bits) : tp_mask128(l.width_bits);
    if (l.kind == TP_SORT_FP || l.kind == TP_SORT_PTR)
      original[i].und = original[i].und ? tp_mask128(l.width_bits) : 0;
    if (l.kind == TP_SORT_PTR && original[i].und) original[i].und = 0;  // objects do not flip here
    set(w, w->vars[i], original[i]);
  }
  tp_state_view v = tp_state_view_of(w->s);
  bool divided;
  tp_shaded first = tp_eval_shaded(&v, &sn, cells, &divided);
  for (int k = 0; k < FLIPS; k++) {
    flip(w, original);
    tp_shaded c = tp_eval_shaded(&v, &sn, cells, &divided);
    if (((c.bits ^ first.bits) & ~first.und) ||
        (c.object != first.object && !first.und && kind_of(w, t) == TP_SORT_PTR)) {
      fail_msg("a determined bit changes: term %u (%s)", t.id, tp_kind_name(tp_kind(w->b.tt, t)));
    }
  }
  for (size_t i = 0; i < N_VARS; i++) original[i].und = 0, set(w, w->vars[i], original[i]);
}

static void evaluators_agree(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    world w = {.b = build_new(64)};
    tp_rng_init(&w.rng, seed);
    for (uint64_t i = 0; i < 2; i++)
      tp_program_add_static(
          w.b.p, (tp_static){
                     .name = "o", .kind = TP_O_GLOBAL, .size_bytes = 8 + 16 * i, .align_bytes = 8});
    build_func(&w.b, "main", (tp_sort){0});
    add_vars(&w);
    build_return(&w.b, TP_TERM_NONE);
    build_done(&w.b);
    w.s = tp_state_initial(w.b.p);
    for (int round = 0; round < ROUNDS / 20; round++) {
      grow(&w);
      set_all(&w);
      for (size_t i = N_VARS; i < w.n; i++) {
        compare(&w, w.pool[i]);
        if (below(&w, 8) == 0) shadow_is_true(&w, w.pool[i]);
      }
    }
    tp_state_free(w.s);
    build_free(&w.b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(evaluators_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
