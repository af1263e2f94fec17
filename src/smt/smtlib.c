/* Terms as SMT-LIB text. Every closed node that is not a leaf becomes a nullary function, so that
 * nothing is written twice and nothing nests deeply. Nodes below a quantifier that depend on its
 * variable become a chain of lets inside it. */
#include "smt/smtlib.h"

#include "smt/lower.h"
#include "smt/smt_limits.h"

#include <stdlib.h>

void tp_smtlib_init(tp_smtlib_writer *w, tp_terms *tt) { *w = (tp_smtlib_writer){.tt = tt}; }

void tp_smtlib_clear(tp_smtlib_writer *w) {
  tp_vec_clear(&w->defined);
  tp_vec_clear(&w->free);
  tp_vec_clear(&w->todo);
}

static bool is_defined(const tp_smtlib_writer *w, tp_term t) {
  return t.id < w->defined.n && w->defined.at[t.id];
}

// ------------------------------------------------------------------ small parts

static void put_sort(tp_terms *tt, tp_sort s, tp_str *out) {
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: tp_str_add(out, "Bool"); break;
    case TP_SORT_INT: tp_str_add(out, "Int"); break;
    case TP_SORT_PTR:  // lowered away
    case TP_SORT_BV: tp_str_printf(out, "(_ BitVec %u)", tp_sort_width(tt, s)); break;
    case TP_SORT_FP:
      tp_str_add(out,
                 tp_sort_width(tt, s) == 32 ? "(_ FloatingPoint 8 24)" : "(_ FloatingPoint 11 53)");
      break;
    case TP_SORT_ARRAY:
      tp_str_add(out, "(Array ");
      put_sort(tt, tp_sort_index(tt, s), out);
      tp_str_add_char(out, ' ');
      put_sort(tt, tp_sort_element(tt, s), out);
      tp_str_add_char(out, ')');
      break;
  }
}

static void put_bits(uint32_t width, tp_u128 v, tp_str *out) {
  TP_REQUIRE(width >= 1 && width <= TP_BV_MAX_BITS);
  tp_str_add(out, "#b");
  for (uint32_t i = width; i-- > 0;) tp_str_add_char(out, v >> i & 1 ? '1' : '0');
}

static void put_int(int64_t v, tp_str *out) {
  if (v < 0)
    tp_str_printf(out, "(- %llu)", (unsigned long long)-(uint64_t)v);
  else
    tp_str_printf(out, "%lld", (long long)v);
}

static void put_float(uint32_t width, uint64_t v, tp_str *out) {
  TP_REQUIRE(width == 32 || width == 64);
  uint32_t fraction = width == 32 ? 23 : 52, exponent = width - 1 - fraction;
  uint64_t ones = ((uint64_t)1 << exponent) - 1, low = ((uint64_t)1 << fraction) - 1;
  if ((v >> fraction & ones) == ones && (v & low)) {
    tp_str_printf(out, "(_ NaN %u %u)", exponent, fraction + 1);
    return;
  }
  tp_str_add(out, "(fp ");
  put_bits(1, v >> (width - 1), out);
  tp_str_add_char(out, ' ');
  put_bits(exponent, v >> fraction & ones, out);
  tp_str_add_char(out, ' ');
  put_bits(fraction, v & low, out);
  tp_str_add_char(out, ')');
}

/* The user's name in bars, made unique by the term's number. SMT-LIB keeps symbols that begin with
 * @ or . for solvers, in bars too: ours begin with _. */
static void put_var(const tp_terms *tt, tp_term t, tp_str *out) {
  tp_str_add(out, "|_");
  for (const char *c = tp_var_name(tt, t); *c; c++)
    tp_str_add_char(out, *c == '|' || *c == '\\' || *c < ' ' ? '_' : *c);
  tp_str_printf(out, "!%u|", t.id);
}

static uint64_t free_bounds(const tp_smtlib_writer *w, tp_term t);

void tp_smtlib_name(tp_smtlib_writer *w, tp_term t, tp_str *out) {
  TP_REQUIRE(tp_n_args(w->tt, t) == 0 || is_defined(w, t) || free_bounds(w, t));
  tp_terms *tt = w->tt;
  switch ((int)tp_kind(tt, t)) {
    case TP_OP_TRUE: tp_str_add(out, "true"); break;
    case TP_OP_FALSE: tp_str_add(out, "false"); break;
    case TP_OP_BV_CONST: put_bits(tp_width(tt, t), tp_bv_value(tt, t), out); break;
    case TP_OP_INT_CONST: put_int(tp_int_value(tt, t), out); break;
    case TP_OP_FP_CONST: put_float(tp_width(tt, t), (uint64_t)tp_bv_value(tt, t), out); break;
    case TP_OP_VAR: put_var(tt, t, out); break;
    case TP_OP_BOUND: tp_str_printf(out, "b%u", tp_bound_number(tt, t)); break;
    default: tp_str_printf(out, "t%u", t.id); break;
  }
}

// ----------------------------------------------------------------- applications

static const char *rounding(tp_round mode) {
  switch (mode) {
    case TP_ROUND_NEAREST_EVEN: return "RNE";
    case TP_ROUND_TO_ZERO: return "RTZ";
    case TP_ROUND_UP: return "RTP";
    case TP_ROUND_DOWN: return "RTN";
    case TP_ROUND_NEAREST_AWAY: return "RNA";
  }
  return "RNE";
}

static const char *to_fp(uint32_t width, bool is_unsigned) {
  if (is_unsigned) return width == 32 ? "(_ to_fp_unsigned 8 24)" : "(_ to_fp_unsigned 11 53)";
  return width == 32 ? "(_ to_fp 8 24)" : "(_ to_fp 11 53)";
}

/* What stands in front of the arguments. */
static void put_head(tp_terms *tt, tp_term t, tp_str *out) {
  tp_term_kind k = tp_kind(tt, t);
  uint32_t w = tp_width(tt, t);
  switch ((int)k) {
    case TP_OP_BV_EXTRACT:
      tp_str_printf(out, "(_ extract %u %u)", tp_extract_hi(tt, t), tp_extract_lo(tt, t));
      break;
    case TP_OP_BV_ZEXT:
      tp_str_printf(out, "(_ zero_extend %u)", w - tp_width(tt, tp_arg(tt, t, 0)));
      break;
    case TP_OP_BV_SEXT:
      tp_str_printf(out, "(_ sign_extend %u)", w - tp_width(tt, tp_arg(tt, t, 0)));
      break;
    case TP_OP_FP_ROUND:
      tp_str_printf(out, "fp.roundToIntegral %s", rounding(tp_round_of(tt, t)));
      break;
    case TP_OP_FP_OF_BITS: tp_str_add(out, to_fp(w, false)); break;
    case TP_OP_FP_OF_FP:
    case TP_OP_FP_OF_SBV: tp_str_printf(out, "%s RNE", to_fp(w, false)); break;
    case TP_OP_FP_OF_UBV: tp_str_printf(out, "%s RNE", to_fp(w, true)); break;
    case TP_OP_FP_TO_SBV: tp_str_printf(out, "(_ fp.to_sbv %u) RTZ", w); break;
    case TP_OP_FP_TO_UBV: tp_str_printf(out, "(_ fp.to_ubv %u) RTZ", w); break;
    case TP_OP_CONST_ARRAY:
      tp_str_add(out, "(as const ");
      put_sort(tt, tp_sort_of(tt, t), out);
      tp_str_add_char(out, ')');
      break;
    case TP_OP_INT_OF_UBV: tp_str_add(out, "bv2nat"); break;
    default: tp_str_add(out, tp_kind_smtlib(k)); break;
  }
}

static bool put_quantifier(tp_smtlib_writer *w, tp_term t, int depth, tp_str *out);

/* Signed value of a bit-vector: its unsigned one, less 2^n if the sign is set. */
static void put_signed(tp_smtlib_writer *w, tp_term t, tp_str *out) {
  tp_term a = tp_arg(w->tt, t, 0);
  uint32_t n = tp_width(w->tt, a);
  tp_str_printf(out, "(- (bv2nat (bvxor ");
  tp_smtlib_name(w, a, out);
  tp_str_add_char(out, ' ');
  put_bits(n, (tp_u128)1 << (n - 1), out);
  tp_str_add(out, ")) (bv2nat ");
  put_bits(n, (tp_u128)1 << (n - 1), out);
  tp_str_add(out, "))");
}

static bool put_application(tp_smtlib_writer *w, tp_term t, int depth, tp_str *out) {
  tp_term_kind k = tp_kind(w->tt, t);
  if (k == TP_OP_FORALL || k == TP_OP_EXISTS) return put_quantifier(w, t, depth, out);
  if (k == TP_OP_INT_OF_SBV) {
    put_signed(w, t, out);
    return true;
  }
  tp_str_add_char(out, '(');
  put_head(w->tt, t, out);
  for (uint32_t i = 0; i < tp_n_args(w->tt, t); i++) {
    tp_str_add_char(out, ' ');
    tp_smtlib_name(w, tp_arg(w->tt, t, i), out);
  }
  tp_str_add_char(out, ')');
  return true;
}

// ------------------------------------------------------------------ quantifiers

/* The bound variables that are free in t, as a set of numbers below 64. */
static uint64_t free_bounds(const tp_smtlib_writer *w, tp_term t) {
  return t.id < w->free.n ? w->free.at[t.id] : 0;
}

/* False: a number is too large for the set. */
static bool find_free_bounds(tp_smtlib_writer *w, tp_term t) {
  tp_term_kind k = tp_kind(w->tt, t);
  bool numbered = k == TP_OP_BOUND || k == TP_OP_FORALL || k == TP_OP_EXISTS;
  uint32_t number = numbered ? tp_bound_number(w->tt, t) : 0;
  uint64_t set = 0;
  if (number >= 64) return false;
  for (uint32_t i = 0; i < tp_n_args(w->tt, t); i++) set |= free_bounds(w, tp_arg(w->tt, t, i));
  if (k == TP_OP_BOUND)
    set = (uint64_t)1 << number;
  else if (numbered)
    set &= ~((uint64_t)1 << number);
  if (t.id >= w->free.n) tp_vec_resize(&w->free, tp_terms_count(w->tt) + 1);
  w->free.at[t.id] = set;
  return true;
}

static int by_id(const void *a, const void *b) {
  uint32_t x = ((const tp_term *)a)->id, y = ((const tp_term *)b)->id;
  return (x > y) - (x < y);
}

/* (forall ((b S)) (let ((t1 ...)) (let ((t2 ...)) ... body))), the lets being the open nodes in
 * order of id. */
static bool put_quantifier(tp_smtlib_writer *w, tp_term t, int depth, tp_str *out) {
  if (depth >= TP_SMT_SMTLIB_QUANTIFIERS) return false;
  tp_terms *tt = w->tt;
  tp_term body = tp_arg(tt, t, 0), bound = tp_bound_of(tt, t);
  tp_map seen = {0};
  TP_VEC(tp_term) todo = {0}, lets = {0};
  tp_vec_push(&todo, body);
  while (todo.n) {
    tp_term top = tp_vec_pop(&todo);
    tp_term_kind k = tp_kind(tt, top);
    if (tp_map_has(&seen, top.id) || !free_bounds(w, top)) continue;
    tp_map_set(&seen, top.id, 1);
    if (k != TP_OP_BOUND) tp_vec_push(&lets, top);
    if (k == TP_OP_FORALL || k == TP_OP_EXISTS) continue;  // writes its own
    for (uint32_t i = 0; i < tp_n_args(tt, top); i++) tp_vec_push(&todo, tp_arg(tt, top, i));
  }
  if (lets.n) qsort(lets.at, lets.n, sizeof *lets.at, by_id);
  tp_str_printf(out, "(%s ((b%u ", tp_kind(tt, t) == TP_OP_FORALL ? "forall" : "exists",
                tp_bound_number(tt, t));
  put_sort(tt, tp_term_is(bound) ? tp_sort_of(tt, bound) : tp_sort_bool(tt), out);
  tp_str_add(out, ")) ");
  bool ok = true;
  for (size_t i = 0; i < lets.n && ok; i++) {
    tp_str_printf(out, "(let ((t%u ", lets.at[i].id);
    ok = put_application(w, lets.at[i], depth + 1, out);
    tp_str_add(out, ")) ");
  }
  tp_smtlib_name(w, body, out);
  for (size_t i = 0; i < lets.n; i++) tp_str_add_char(out, ')');
  tp_str_add_char(out, ')');
  tp_map_clear(&seen);
  tp_vec_clear(&todo);
  tp_vec_clear(&lets);
  return ok;
}

// ---------------------------------------------------------------- definitions

static bool define_one(tp_smtlib_writer *w, tp_term t, tp_str *out) {
  tp_terms *tt = w->tt;
  tp_term_kind k = tp_kind(tt, t);
  if (!find_free_bounds(w, t)) return false;
  if (k == TP_OP_VAR) {
    tp_str_add(out, "(declare-fun ");
    put_var(tt, t, out);
    tp_str_add(out, " () ");
    put_sort(tt, tp_sort_of(tt, t), out);
    tp_str_add(out, ")\n");
    return true;
  }
  if (free_bounds(w, t) || tp_n_args(tt, t) == 0) return true;
  tp_str_printf(out, "(define-fun t%u () ", t.id);
  put_sort(tt, tp_sort_of(tt, t), out);
  tp_str_add_char(out, ' ');
  bool ok = put_application(w, t, 0, out);
  tp_str_add(out, ")\n");
  return ok;
}

bool tp_smtlib_define(tp_smtlib_writer *w, tp_term t, tp_str *out) {
  TP_REQUIRE(tp_term_is(t));
  w->todo.n = 0;
  tp_vec_push(&w->todo, t);
  while (w->todo.n) {
    tp_term top = tp_vec_last(&w->todo);
    bool ready = true;
    if (!is_defined(w, top))
      for (uint32_t i = tp_n_args(w->tt, top); i-- > 0;)
        if (!is_defined(w, tp_arg(w->tt, top, i))) {
          tp_vec_push(&w->todo, tp_arg(w->tt, top, i));
          ready = false;
        }
    if (!ready) continue;
    (void)tp_vec_pop(&w->todo);
    if (is_defined(w, top)) continue;
    if (!define_one(w, top, out)) return false;
    if (top.id >= w->defined.n) tp_vec_resize(&w->defined, tp_terms_count(w->tt) + 1);
    w->defined.at[top.id] = 1;
  }
  return true;
}

bool tp_smtlib_script(tp_terms *tt, const tp_smt_query *q, tp_str *out) {
  tp_smtlib_writer w;
  tp_smtlib_init(&w, tt);
  tp_str_add(out, "(set-logic ALL)\n");
  bool ok = true;
  for (size_t i = 0; i < q->n_facts + q->n_assumptions && ok; i++) {
    tp_term t = i < q->n_facts ? q->facts[i] : q->assumptions[i - q->n_facts];
    ok = tp_smtlib_define(&w, t, out);
    tp_str_add(out, "(assert ");
    tp_smtlib_name(&w, t, out);
    tp_str_add(out, ")\n");
  }
  tp_str_add(out, "(check-sat)\n");
  tp_smtlib_clear(&w);
  return ok;
}
