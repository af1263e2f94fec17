#include "term/term.h"

#include "term/printer.h"

/* SMT-LIB 2.6. Pointers become bit-vectors, object above offset; base is the function tp.base;
 * what C defines and SMT-LIB leaves open (conversions out of range, fmod, fmin) is spelled out.
 * The bits of a float are (fp.to_ieee_bv x), which Z3 knows and the standard does not. */

// ----------------------------------------------------------------------- sorts

void tp_print_sort_smtlib(const tp_terms *tt, tp_sort s, tp_str *out) {
  int open = 0;
  while (tp_sort_kind_of(tt, s) == TP_SORT_ARRAY) {  // elements nest, indexes are flat
    tp_str_add(out, "(Array ");
    tp_sort index = tp_sort_index(tt, s);
    TP_INVARIANT(tp_sort_kind_of(tt, index) != TP_SORT_ARRAY);
    tp_print_sort_smtlib(tt, index, out);
    tp_str_add_char(out, ' ');
    s = tp_sort_element(tt, s);
    open++;
  }
  switch (tp_sort_kind_of(tt, s)) {
    case TP_SORT_BOOL: tp_str_add(out, "Bool"); break;
    case TP_SORT_INT: tp_str_add(out, "Int"); break;
    case TP_SORT_BV: tp_str_printf(out, "(_ BitVec %u)", tp_sort_width(tt, s)); break;
    case TP_SORT_PTR: tp_str_printf(out, "(_ BitVec %u)", TP_OBJ_BITS + tt->ptr_bits); break;
    case TP_SORT_FP:
      tp_str_add(out,
                 tp_sort_width(tt, s) == 32 ? "(_ FloatingPoint 8 24)" : "(_ FloatingPoint 11 53)");
      break;
    case TP_SORT_ARRAY: break;
  }
  while (open--) tp_str_add_char(out, ')');
}

// --------------------------------------------------------------------- leaves

static void hex(tp_str *out, tp_u128 v, uint32_t width) {
  tp_str_add(out, width % 4 ? "#b" : "#x");
  uint32_t step = width % 4 ? 1 : 4;
  for (uint32_t at = width; at > 0; at -= step)
    tp_str_add_char(out, "0123456789abcdef"[(uint32_t)(v >> (at - step)) & ((1u << step) - 1)]);
}

static const char *float_sort(uint32_t width) { return width == 32 ? "8 24" : "11 53"; }

static void constant(const tp_terms *tt, tp_term t, tp_str *out) {
  switch ((int)tp_k(tt, t)) {
    case TP_OP_TRUE: tp_str_add(out, "true"); break;
    case TP_OP_FALSE: tp_str_add(out, "false"); break;
    case TP_OP_BV_CONST: hex(out, tp_bits(tt, t), tp_w(tt, t)); break;
    case TP_OP_FP_CONST:
      tp_str_printf(out, "((_ to_fp %s) ", float_sort(tp_w(tt, t)));
      hex(out, tp_bits(tt, t), tp_w(tt, t));
      tp_str_add_char(out, ')');
      break;
    case TP_OP_PTR_CONST:
      hex(out, (tp_u128)tp_ptr_const_object(tt, t) << tt->ptr_bits | tt->payload[t.id],
          TP_OBJ_BITS + tt->ptr_bits);
      break;
    default: {
      int64_t v = tp_int_value(tt, t);
      tp_str_printf(out, v < 0 ? "(- %llu)" : "%llu",
                    v < 0 ? -(unsigned long long)v : (unsigned long long)v);
    }
  }
}

/* |name!index|, with what SMT-LIB forbids in quoted symbols replaced. */
static void symbol(const tp_terms *tt, tp_term var, tp_str *out) {
  tp_str_add_char(out, '|');
  for (const char *c = tp_var_name(tt, var); *c; c++)
    tp_str_add_char(out, *c == '|' || *c == '\\' || *c < ' ' || *c > '~' ? '_' : *c);
  tp_str_printf(out, "!%u|", tp_var_index(tt, var));
}

// --------------------------------------------------------------- applications

/* x truncated to n signed bits, the least value if it does not fit; the bounds are exact in x's
 * format: -2^(n-1) - 1 is a double for n = 32, elsewhere -2^(n-1) has no neighbour above
 * -2^(n-1)-1. */
static const char *truncation(tp_printer *p, uint32_t from, uint32_t n, const char *x) {
  const char *f = float_sort(from);
  const char *low = from == 64 && n == 32 ? "fp.gt" : "fp.geq";
  const char *low_bits = from == 64 ? (n == 32   ? "#xc1e0000000200000"
                                       : n == 64 ? "#xc3e0000000000000"
                                                 : "#xc7e0000000000000")
                                    : (n == 32   ? "#xcf000000"
                                       : n == 64 ? "#xdf000000"
                                                 : "#xff000000");
  const char *high_bits = from == 64 ? (n == 32   ? "#x41e0000000000000"
                                        : n == 64 ? "#x43e0000000000000"
                                                  : "#x47e0000000000000")
                                     : (n == 32   ? "#x4f000000"
                                        : n == 64 ? "#x5f000000"
                                                  : "#x7f000000");
  tp_str least = {0};
  hex(&least, (tp_u128)1 << (n - 1), n);
  const char *r = tp_arena_printf(&p->arena,
                                  "(ite (and (%s %s ((_ to_fp %s) %s)) (fp.lt %s ((_ to_fp %s) "
                                  "%s))) ((_ fp.to_sbv %u) RTZ %s) %s)",
                                  low, x, f, low_bits, x, f, high_bits, n, x, tp_str_text(&least));
  tp_str_clear(&least);
  return r;
}

/* See to_integer in fold.c, which this mirrors. The argument is bound to the name tp.x. */
static void float_to_integer(tp_printer *p, tp_term t) {
  const tp_terms *tt = p->tt;
  tp_term x = tp_a(tt, t, 0);
  uint32_t w = tp_w(tt, t), from = tp_w(tt, x);
  bool is_signed = tp_k(tt, t) == TP_OP_FP_TO_SBV;
  uint32_t n = w > 64 ? 128 : (is_signed || w < 32) && w <= 32 ? 32 : 64;
  const char *r = truncation(p, from, n, "tp.x");
  if (!is_signed && w > 32) {
    const char *half = n == 64 ? (from == 64 ? "#x43e0000000000000" : "#x5f000000")
                               : (from == 64 ? "#x47e0000000000000" : "#x7f000000");
    const char *rest =
        tp_arena_printf(&p->arena, "(fp.sub RNE tp.x ((_ to_fp %s) %s))", float_sort(from), half);
    r = tp_arena_printf(&p->arena,
                        "(let ((tp.low %s)) (ite (bvslt tp.low %s) (bvor tp.low %s) tp.low))", r,
                        n == 64 ? "#x0000000000000000" : "#x00000000000000000000000000000000",
                        truncation(p, from, n, rest));
  }
  if (w < n) r = tp_arena_printf(&p->arena, "((_ extract %u 0) %s)", w - 1, r);
  tp_printer_push(p, "(let ((tp.x %t)) %s)", x, r);
}

/* fmod through the IEEE remainder of the magnitudes, which differs from it by |y| or nothing. */
static void float_remainder(tp_printer *p, tp_term x, tp_term y) {
  tp_printer_push(p,
                  "(let ((tp.x %t) (tp.y %t)) (let ((tp.r (fp.rem (fp.abs tp.x) (fp.abs tp.y))))"
                  " (let ((tp.m (ite (fp.isNegative tp.r) (fp.add RNE tp.r (fp.abs tp.y)) tp.r)))"
                  " (ite (fp.isNegative tp.x) (fp.neg tp.m) tp.m))))",
                  x, y);
}

static void quantifier(tp_printer *p, tp_term t) {
  const tp_terms *tt = p->tt;
  tp_term body = tp_a(tt, t, 0);
  tp_id_list inside = {0};
  tp_sort sort = {0};
  tp_reachable(tt, &body, 1, &inside);
  for (size_t i = 0; i < inside.n; i++)
    if (tt->kind[inside.at[i]] == TP_OP_BOUND && tt->payload[inside.at[i]] == tt->payload[t.id])
      sort.id = tt->sort[inside.at[i]];
  tp_vec_clear(&inside);
  if (!sort.id) {
    tp_printer_push(p, "%t", body);
    return;
  }
  tp_str s = {0};
  tp_print_sort_smtlib(tt, sort, &s);
  const char *head = tp_arena_printf(&p->arena, "(%s ((?b%u %s)) ",
                                     tp_k(tt, t) == TP_OP_FORALL ? "forall" : "exists",
                                     tp_bound_number(tt, t), tp_str_text(&s));
  tp_str_clear(&s);
  tp_printer_push(p, "%s%t)", head, body);
}

static void const_array(tp_printer *p, tp_term t) {
  tp_str s = {0};
  tp_print_sort_smtlib(p->tt, tp_s(p->tt, t), &s);
  tp_printer_push(p, "((as const %s) %t)", tp_arena_strdup(&p->arena, tp_str_text(&s)),
                  tp_a(p->tt, t, 0));
  tp_str_clear(&s);
}

static void pointer(tp_printer *p, tp_term t) {
  const tp_terms *tt = p->tt;
  const uint32_t n = tt->ptr_bits;
  tp_term a = tp_a(tt, t, 0);
  const char *obj = n == 64 ? "((_ extract 95 64) tp.p)" : "((_ extract 63 32) tp.p)";
  const char *off = n == 64 ? "((_ extract 63 0) tp.p)" : "((_ extract 31 0) tp.p)";
  switch ((int)tp_k(tt, t)) {
    case TP_OP_PTR_MK: tp_printer_push(p, "(concat %t %t)", a, tp_a(tt, t, 1)); break;
    case TP_OP_PTR_OBJ: tp_printer_push(p, "(let ((tp.p %t)) %s)", a, obj); break;
    case TP_OP_PTR_OFF: tp_printer_push(p, "(let ((tp.p %t)) %s)", a, off); break;
    case TP_OP_PTR_ADD:
      tp_printer_push(p, "(let ((tp.p %t)) (concat %s (bvadd %s %t)))", a, obj, off,
                      tp_a(tt, t, 1));
      break;
    case TP_OP_PTR_TO_INT:
      tp_printer_push(p, "(let ((tp.p %t)) (bvadd (tp.base %s) %s))", a, obj, off);
      break;
    default: tp_printer_push(p, "(concat #x00000000 %t)", a); break;
  }
}

static void application(tp_printer *p, tp_term t) {
  const tp_terms *tt = p->tt;
  const tp_term a = tp_a(tt, t, 0), b = tp_a(tt, t, 1), c = tp_a(tt, t, 2);
  const tp_term_kind k = tp_k(tt, t);
  const uint32_t w = tp_w(tt, t);
  static const char *const modes[] = {"RNE", "RTZ", "RTP", "RTN", "RNA"};
  switch ((int)k) {
    case TP_OP_BV_EXTRACT: {
      const char *head = tp_arena_printf(&p->arena, "((_ extract %u %u) ", tp_extract_hi(tt, t),
                                         tp_extract_lo(tt, t));
      tp_printer_push(p, "%s%t)", head, a);
      return;
    }
    case TP_OP_BV_ZEXT:
      tp_printer_push(p, "%s%t)",
                      tp_arena_printf(&p->arena, "((_ zero_extend %u) ", w - tp_w(tt, a)), a);
      return;
    case TP_OP_BV_SEXT:
      tp_printer_push(p, "%s%t)",
                      tp_arena_printf(&p->arena, "((_ sign_extend %u) ", w - tp_w(tt, a)), a);
      return;
    case TP_OP_FP_ADD:
    case TP_OP_FP_SUB:
    case TP_OP_FP_MUL:
    case TP_OP_FP_DIV: tp_printer_push(p, "(%s RNE %t %t)", tp_kind_smtlib(k), a, b); return;
    case TP_OP_FP_SQRT: tp_printer_push(p, "(fp.sqrt RNE %t)", a); return;
    case TP_OP_FP_FMA: tp_printer_push(p, "(fp.fma RNE %t %t %t)", a, b, c); return;
    case TP_OP_FP_ROUND:
      tp_printer_push(p, "(fp.roundToIntegral %s %t)", modes[tp_round_of(tt, t)], a);
      return;
    case TP_OP_FP_REM: float_remainder(p, a, b); return;
    case TP_OP_FP_MIN:
    case TP_OP_FP_MAX:
      tp_printer_push(p,
                      "(let ((tp.x %t) (tp.y %t)) (ite (fp.isNaN tp.x) tp.y (ite (fp.isNaN tp.y) "
                      "tp.x (ite (%s tp.x tp.y) tp.x tp.y))))",
                      a, b, k == TP_OP_FP_MIN ? "fp.lt" : "fp.gt");
      return;
    case TP_OP_FP_OF_BITS: tp_printer_push(p, "((_ to_fp %s) %t)", float_sort(w), a); return;
    case TP_OP_FP_TO_BITS: tp_printer_push(p, "(fp.to_ieee_bv %t)", a); return;
    case TP_OP_FP_OF_FP:
    case TP_OP_FP_OF_SBV: tp_printer_push(p, "((_ to_fp %s) RNE %t)", float_sort(w), a); return;
    case TP_OP_FP_OF_UBV:
      tp_printer_push(p, "((_ to_fp_unsigned %s) RNE %t)", float_sort(w), a);
      return;
    case TP_OP_FP_TO_SBV:
    case TP_OP_FP_TO_UBV: float_to_integer(p, t); return;
    case TP_OP_PTR_MK:
    case TP_OP_PTR_OBJ:
    case TP_OP_PTR_OFF:
    case TP_OP_PTR_ADD:
    case TP_OP_PTR_TO_INT:
    case TP_OP_INT_TO_PTR: pointer(p, t); return;
    case TP_OP_CONST_ARRAY: const_array(p, t); return;
    case TP_OP_INT_OF_UBV: tp_printer_push(p, "(bv2nat %t)", a); return;
    case TP_OP_INT_OF_SBV: {  // flip the sign bit, then take its weight away
      tp_str half = {0};
      hex(&half, (tp_u128)1 << (tp_w(tt, a) - 1), tp_w(tt, a));
      const char *h = tp_arena_strdup(&p->arena, tp_str_text(&half));
      tp_str_clear(&half);
      tp_printer_push(p, "(- (bv2nat (bvxor %t %s)) (bv2nat %s))", a, h, h);
      return;
    }
    case TP_OP_FORALL:
    case TP_OP_EXISTS: quantifier(p, t); return;
    default: break;
  }
  switch (tp_n_args(tt, t)) {
    case 1: tp_printer_push(p, "(%s %t)", tp_kind_smtlib(k), a); return;
    case 2: tp_printer_push(p, "(%s %t %t)", tp_kind_smtlib(k), a, b); return;
    default: tp_printer_push(p, "(%s %t %t %t)", tp_kind_smtlib(k), a, b, c); return;
  }
}

static void one(tp_printer *p, tp_term t, int precedence) {
  const tp_terms *tt = p->tt;
  uint64_t number;
  (void)precedence;
  if (tp_map_get(&p->name, t.id, &number))
    tp_str_printf(p->out, "?%llu", (unsigned long long)number);
  else if (tp_k(tt, t) == TP_OP_VAR)
    symbol(tt, t, p->out);
  else if (tp_k(tt, t) == TP_OP_BOUND)
    tp_str_printf(p->out, "?b%u", tp_bound_number(tt, t));
  else if (tp_n_args(tt, t) == 0)
    constant(tt, t, p->out);
  else
    application(p, t);
}

/* The definition of a named term: the same, without looking at its own name. */
static void definition(tp_printer *p, tp_term t) {
  application(p, t);
  while (p->stack.n) {
    tp_print_item item = tp_vec_pop(&p->stack);
    if (item.text)
      tp_str_add(p->out, item.text);
    else
      one(p, item.term, 0);
  }
}

void tp_print_smtlib(tp_terms *tt, tp_term t, tp_str *out) {
  tp_printer p;
  tp_printer_init(&p, tt, t, out);
  tp_printer_choose_names(&p, t, &(tp_naming){NULL, 0});
  for (size_t i = 0; i < p.name.n; i++) {
    tp_str_printf(out, "(let ((?%llu ", (unsigned long long)p.name.entries[i].value);
    definition(&p, (tp_term){(uint32_t)p.name.entries[i].key});
    tp_str_add(out, ")) ");
  }
  tp_printer_run(&p, t, 0, one);
  for (size_t i = 0; i < p.name.n; i++) tp_str_add_char(out, ')');
  tp_printer_clear(&p);
}

static void declare(void *ctx, tp_term var) {
  tp_printer *p = ctx;
  tp_str_add(p->out, "(declare-const ");
  symbol(p->tt, var, p->out);
  tp_str_add_char(p->out, ' ');
  tp_print_sort_smtlib(p->tt, tp_s(p->tt, var), p->out);
  tp_str_add(p->out, ")\n");
}

void tp_print_smtlib_declarations(const tp_terms *tt, tp_term t, tp_str *out) {
  tp_printer p = {.tt = tt, .out = out};
  tp_str_printf(out, "(declare-fun tp.base ((_ BitVec 32)) (_ BitVec %u))\n", tt->ptr_bits);
  tp_str_add(out, "(assert (= (tp.base #x00000000) ");
  hex(out, 0, tt->ptr_bits);
  tp_str_add(out, "))\n");
  tp_for_vars(tt, t, declare, &p);
}
