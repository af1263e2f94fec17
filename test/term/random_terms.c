#include "term/random_terms.h"

/* Each step picks an operation, asks for arguments of the sorts it needs among earlier steps,
 * variables and constants, and is built at once in both ways; so the normal form is built
 * bottom-up from normal forms, just as programs build it. */

enum { MAX_POOL = 400 };

typedef struct {
  tp_term raw[MAX_POOL], normal[MAX_POOL];
  uint32_t n;
} pool;

typedef struct {
  tp_term raw, normal;
} both;

static uint64_t below(tp_random *r, uint64_t n) { return tp_rng_below(&r->rng, n); }
static bool one_in(tp_random *r, uint64_t n) { return below(r, n) == 0; }

static tp_sort random_sort(tp_random *r) {
  for (;;) switch (below(r, 12)) {
      case 0:
      case 1:
      case 2: return tp_sort_bool(r->tt);
      case 3:
      case 4:
      case 5:
      case 6: return tp_sort_bv(r->tt, r->width);
      case 7: return tp_sort_bv(r->tt, r->width * 2);
      case 8: return tp_sort_bv(r->tt, r->width > 1 ? r->width / 2 : 1);
      case 9:
        if (r->sorts & TP_RANDOM_FLOATS) return tp_sort_fp(r->tt, one_in(r, 2) ? 32 : 64);
        break;
      case 10:
        if (r->sorts & TP_RANDOM_POINTERS) return tp_sort_ptr(r->tt);
        break;
      default:
        if (r->sorts & TP_RANDOM_ARRAYS)
          return tp_sort_array(r->tt, tp_sort_bv(r->tt, r->width), tp_sort_bv(r->tt, r->width));
        break;
    }
}

static tp_u128 random_bits(tp_random *r, uint32_t width) {
  static const uint64_t floats[] = {0,
                                    0x3ff0000000000000,
                                    0xbff0000000000000,
                                    0x8000000000000000,
                                    0x7ff0000000000000,
                                    0x7ff8000000000000,
                                    0x3f800000,
                                    0xbf800000,
                                    0x80000000,
                                    0x7f800000,
                                    0x41e0000000000000};
  tp_u128 all = ((tp_u128)tp_rng_next(&r->rng) << 64) | tp_rng_next(&r->rng);
  tp_u128 one = 1;
  switch (below(r, 8)) {
    case 0: return all;
    case 1: return floats[below(r, sizeof floats / sizeof floats[0])];
    case 2: return one << below(r, width);
    case 3: return (one << below(r, width)) - 1;
    case 4: return ~(tp_u128)0 - below(r, 3);
    default: return below(r, 6);
  }
}

tp_value tp_random_value(tp_random *r, tp_sort s, tp_arena *arena) {
  tp_value v = {0};
  const tp_terms *tt = r->tt;
  uint32_t w = tp_sort_width(tt, s);
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: v.bits = below(r, 2); break;
    case TP_SORT_PTR:
      v.object = (uint32_t)below(r, 3),
      v.bits = random_bits(r, w) & (w == 64 ? UINT64_MAX : UINT32_MAX);
      break;
    case TP_SORT_INT: v.bits = below(r, 100); break;
    case TP_SORT_BV:
    case TP_SORT_FP:
      v.bits = w >= 128 ? random_bits(r, w) : random_bits(r, w) & (((tp_u128)1 << w) - 1);
      break;
    case TP_SORT_ARRAY: {
      tp_array_value *a = tp_arena_new(arena, tp_array_value);
      a->n = 4;
      a->cells = tp_arena_array(arena, struct tp_array_cell, a->n);
      for (size_t i = 0; i < a->n; i++) {
        a->cells[i].index = tp_random_value(r, tp_sort_index(tt, s), arena);
        a->cells[i].value = tp_random_value(r, tp_sort_element(tt, s), arena);
      }
      a->otherwise = tp_random_value(r, tp_sort_element(tt, s), arena);
      v.array = a;
      break;
    }
  }
  return v;
}

static tp_term variable(tp_random *r, tp_sort s) {
  tp_term *row = NULL;
  for (int i = 0; i < TP_RANDOM_ROWS && !row; i++)
    if (!tp_term_is(r->vars[i][0]) || tp_sort_eq(tp_sort_of(r->tt, r->vars[i][0]), s))
      row = r->vars[i];
  tp_term *v = &row[below(r, TP_RANDOM_VARS)];
  if (!tp_term_is(row[0])) v = row;
  if (!tp_term_is(*v)) {
    char name[32] = "v";
    tp_str text = {0};
    tp_str_printf(&text, "v%zu", tp_n_vars(r->tt));
    memcpy(name, text.text, text.n < sizeof name ? text.n + 1 : sizeof name - 1);
    tp_str_clear(&text);
    *v = tp_mk_var(r->tt, name, s);
  }
  return *v;
}

static both leaf(tp_random *r, tp_sort s) {
  both b;
  tp_sort_kind k = tp_sort_kind_of(r->tt, s);
  b.raw = k == TP_SORT_ARRAY || one_in(r, 2) ? variable(r, s)
                                             : tp_mk_value(r->tt, s, tp_random_value(r, s, NULL));
  b.normal = b.raw;
  return b;
}

static both argument(tp_random *r, const pool *p, tp_sort s) {
  for (int tries = 0; p->n && tries < 8; tries++) {
    uint32_t i = p->n - 1 - (uint32_t)below(r, p->n < 12 ? p->n : 12);
    if (tp_sort_eq(tp_sort_of(r->tt, p->raw[i]), s)) return (both){p->raw[i], p->normal[i]};
  }
  return leaf(r, s);
}

/* Build the same application from both kinds of arguments. */
#define BUILD(expression_of)              \
  do {                                    \
    tp_terms_set_rewriting(tt, false);    \
    out.raw = (expression_of(raw));       \
    tp_terms_set_rewriting(tt, true);     \
    out.normal = (expression_of(normal)); \
  } while (0)

static both apply(tp_random *r, tp_term_kind k, both a, both b, both c) {
  tp_terms *tt = r->tt;
  both out;
#define E(w)                                        \
  (tp_term_is(c.w)   ? tp_mk3(tt, k, a.w, b.w, c.w) \
   : tp_term_is(b.w) ? tp_mk2(tt, k, a.w, b.w)      \
                     : tp_mk1(tt, k, a.w))
  BUILD(E);
#undef E
  return out;
}

static const both none = {{0}, {0}};

static both bv_step(tp_random *r, const pool *p, tp_sort s) {
  tp_terms *tt = r->tt;
  uint32_t w = tp_sort_width(tt, s);
  both a = argument(r, p, s), out;
  static const tp_term_kind binary[] = {TP_OP_BV_ADD,  TP_OP_BV_ADD,  TP_OP_BV_ADD,  TP_OP_BV_MUL,
                                        TP_OP_BV_UDIV, TP_OP_BV_SDIV, TP_OP_BV_UREM, TP_OP_BV_SREM,
                                        TP_OP_BV_AND,  TP_OP_BV_OR,   TP_OP_BV_XOR,  TP_OP_BV_SHL,
                                        TP_OP_BV_LSHR, TP_OP_BV_ASHR};
  switch (below(r, 10)) {
    case 0: return apply(r, TP_OP_BV_NEG, a, none, none);
    case 1: return apply(r, TP_OP_BV_NOT, a, none, none);
    case 2: {  // a wider or narrower term
      tp_sort from = random_sort(r);
      if (tp_sort_kind_of(tt, from) != TP_SORT_BV) break;
      both x = argument(r, p, from);
      bool is_signed = one_in(r, 2);
#define E(v) tp_mk_resize(tt, w, is_signed, x.v)
      BUILD(E);
#undef E
      return out;
    }
    case 3: {  // any part of a term twice as wide
      if (w * 2 > TP_BV_MAX_BITS) break;
      both x = argument(r, p, tp_sort_bv(tt, w * 2));
      uint32_t lo = (uint32_t)below(r, w + 1);
#define E(v) tp_mk_extract(tt, lo + w - 1, lo, x.v)
      BUILD(E);
#undef E
      return out;
    }
    case 4: {
      if (w < 2) break;
      uint32_t high = one_in(r, 2) ? w / 2 : 1 + (uint32_t)below(r, w - 1);
      both x = argument(r, p, tp_sort_bv(tt, high)), y = argument(r, p, tp_sort_bv(tt, w - high));
      return apply(r, TP_OP_BV_CONCAT, x, y, none);
    }
    case 5:
      if (r->sorts & TP_RANDOM_POINTERS && w == tp_terms_ptr_bits(tt))
        return apply(r, one_in(r, 2) ? TP_OP_PTR_OFF : TP_OP_PTR_TO_INT,
                     argument(r, p, tp_sort_ptr(tt)), none, none);
      if (r->sorts & TP_RANDOM_FLOATS) {
        both x = argument(r, p, tp_sort_fp(tt, one_in(r, 2) ? 32 : 64));
        tp_term_kind k = one_in(r, 2) ? TP_OP_FP_TO_SBV : TP_OP_FP_TO_UBV;
#define E(v) tp_mk_fp_conv(tt, k, w, x.v)
        BUILD(E);
#undef E
        return out;
      }
      break;
    case 6:
      if (r->sorts & (TP_RANDOM_ARRAYS | TP_RANDOM_SELECTS) && w == r->width) {
        tp_sort as = tp_sort_array(tt, s, s);
        both array = r->sorts & TP_RANDOM_ARRAYS ? argument(r, p, as)
                                                 : (both){variable(r, as), TP_TERM_NONE};
        if (!tp_term_is(array.normal)) array.normal = array.raw;
        return apply(r, TP_OP_SELECT, array, a, none);
      }
      break;
    default: break;
  }
  return apply(r, binary[below(r, sizeof binary / sizeof binary[0])], a, argument(r, p, s), none);
}

static both bool_step(tp_random *r, const pool *p) {
  static const tp_term_kind order[] = {TP_OP_BV_ULT, TP_OP_BV_ULE, TP_OP_BV_SLT,
                                       TP_OP_BV_SLE, TP_OP_EQ,     TP_OP_EQ};
  static const tp_term_kind logic[] = {TP_OP_AND, TP_OP_AND, TP_OP_OR,
                                       TP_OP_OR,  TP_OP_XOR, TP_OP_EQ};
  static const tp_term_kind floats[] = {TP_OP_FP_EQ, TP_OP_FP_LT, TP_OP_FP_LE, TP_OP_EQ};
  tp_terms *tt = r->tt;
  tp_sort b = tp_sort_bool(tt), s = random_sort(r);
  both x = argument(r, p, s);
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BV: {  // unsigned orders of addresses: see rewrite_compare.c
      uint64_t first = r->sorts & TP_RANDOM_POINTERS ? 2 : 0;
      return apply(r, order[first + below(r, 6 - first)], x, argument(r, p, s), none);
    }
    case TP_SORT_PTR: return apply(r, TP_OP_EQ, x, argument(r, p, s), none);
    case TP_SORT_FP:
      if (one_in(r, 4))
        return apply(r, one_in(r, 2) ? TP_OP_FP_IS_NAN : TP_OP_FP_IS_INF, x, none, none);
      return apply(r, floats[below(r, 4)], x, argument(r, p, s), none);
    case TP_SORT_BOOL:
    case TP_SORT_ARRAY:
    case TP_SORT_INT: break;
  }
  if (one_in(r, 3)) return apply(r, TP_OP_NOT, argument(r, p, b), none, none);
  return apply(r, logic[below(r, 6)], argument(r, p, b), argument(r, p, b), none);
}

static both fp_step(tp_random *r, const pool *p, tp_sort s) {
  static const tp_term_kind binary[] = {TP_OP_FP_ADD, TP_OP_FP_SUB, TP_OP_FP_MUL, TP_OP_FP_DIV,
                                        TP_OP_FP_MIN, TP_OP_FP_MAX, TP_OP_FP_REM};
  static const tp_term_kind unary[] = {TP_OP_FP_NEG, TP_OP_FP_ABS, TP_OP_FP_SQRT};
  tp_terms *tt = r->tt;
  uint32_t w = tp_sort_width(tt, s);
  both a = argument(r, p, s), out;
  switch (below(r, 6)) {
    case 0: return apply(r, unary[below(r, 3)], a, none, none);
    case 1: return apply(r, TP_OP_FP_FMA, a, argument(r, p, s), argument(r, p, s));
    case 2: {
      tp_round mode = (tp_round)below(r, 5);
#define E(v) tp_mk_fp_round(tt, mode, a.v)
      BUILD(E);
#undef E
      return out;
    }
    case 3: {
      bool from_float = one_in(r, 2);
      both x = argument(r, p, from_float ? tp_sort_fp(tt, 96 - w) : tp_sort_bv(tt, r->width));
      tp_term_kind k = from_float     ? TP_OP_FP_OF_FP
                       : one_in(r, 2) ? TP_OP_FP_OF_SBV
                                      : TP_OP_FP_OF_UBV;
#define E(v) tp_mk_fp_conv(tt, k, w, x.v)
      BUILD(E);
#undef E
      return out;
    }
    default: return apply(r, binary[below(r, 7)], a, argument(r, p, s), none);
  }
}

static both ptr_step(tp_random *r, const pool *p) {
  tp_terms *tt = r->tt;
  tp_sort ps = tp_sort_ptr(tt), off = tp_sort_bv(tt, tp_terms_ptr_bits(tt));
  if (one_in(r, 2)) return apply(r, TP_OP_PTR_ADD, argument(r, p, ps), argument(r, p, off), none);
  both object = apply(r, TP_OP_PTR_OBJ, argument(r, p, ps), none, none);
  return apply(r, TP_OP_PTR_MK, object, argument(r, p, off), none);
}

static both step(tp_random *r, const pool *p) {
  tp_sort s = random_sort(r);
  if (one_in(r, 5))
    return apply(r, TP_OP_ITE, argument(r, p, tp_sort_bool(r->tt)), argument(r, p, s),
                 argument(r, p, s));
  switch (tp_sort_kind_of(r->tt, s)) {
    case TP_SORT_BV: return bv_step(r, p, s);
    case TP_SORT_FP: return fp_step(r, p, s);
    case TP_SORT_PTR: return ptr_step(r, p);
    case TP_SORT_ARRAY:
      return apply(r, TP_OP_STORE, argument(r, p, s), argument(r, p, tp_sort_index(r->tt, s)),
                   argument(r, p, tp_sort_element(r->tt, s)));
    case TP_SORT_BOOL:
    case TP_SORT_INT: break;
  }
  return bool_step(r, p);
}

void tp_random_term(tp_random *r, uint32_t n_steps, tp_term *as_written, tp_term *normal) {
  pool p = {.n = 0};
  both b = none;
  for (uint32_t i = 0; i < n_steps && i < MAX_POOL; i++) {
    b = step(r, &p);
    p.raw[p.n] = b.raw;
    p.normal[p.n++] = b.normal;
  }
  *as_written = b.raw;
  *normal = b.normal;
}

void tp_random_init(tp_random *r, tp_terms *tt, uint64_t seed, uint32_t width, unsigned sorts) {
  *r = (tp_random){.tt = tt, .width = width, .sorts = sorts};
  tp_rng_init(&r->rng, seed);
}
