/* C for people: what a programmer would have written. Parentheses only where C (or the usual
 * warnings of compilers) want them; sums with their positive parts first; small signed constants;
 * plain `<` where the order and the signedness of the operands agree, a cast where they do not.
 * Terms do not know C types, so signedness is guessed from variables marked unsigned and from
 * operations that C has for unsigned operands only. */
#include "term/term.h"

#include "term/printer.h"
#include "term/term_limits.h"

enum {
  ANY = 0,
  COND = 2,
  OROR = 3,
  ANDAND = 4,
  BITS = 5,
  EQUAL = 8,
  LESS = 9,
  SHIFT = 10,
  SUM = 11,
  PRODUCT = 12,
  UNARY = 13,
  POSTFIX = 14,
  PRECEDENCE = 0xff,
  UNSIGNED = 0x100,
  HEX = 0x200
};  // how to show a constant

// ------------------------------------------------------------------ signedness

static bool is_unsigned_to(const tp_terms *tt, tp_term t, int depth) {
  switch ((int)tp_k(tt, t)) {
    case TP_OP_VAR: return tt->var_unsigned.at[tt->payload[t.id]];
    case TP_OP_BV_UDIV:
    case TP_OP_BV_UREM:
    case TP_OP_BV_LSHR:
    case TP_OP_PTR_TO_INT:
    case TP_OP_PTR_OBJ:
    case TP_OP_PTR_OFF: return true;
    case TP_OP_BV_ZEXT: return tp_w(tt, tp_a(tt, t, 0)) >= 32;
    case TP_OP_BV_EXTRACT:
    case TP_OP_BV_NEG:
    case TP_OP_BV_NOT:
    case TP_OP_BV_SHL: return depth > 0 && is_unsigned_to(tt, tp_a(tt, t, 0), depth - 1);
    case TP_OP_BV_ADD:
    case TP_OP_BV_MUL:
    case TP_OP_BV_AND:
    case TP_OP_BV_OR:
    case TP_OP_BV_XOR:
      return depth > 0 && (is_unsigned_to(tt, tp_a(tt, t, 0), depth - 1) ||
                           is_unsigned_to(tt, tp_a(tt, t, 1), depth - 1));
    case TP_OP_ITE:
      return depth > 0 && (is_unsigned_to(tt, tp_a(tt, t, 1), depth - 1) ||
                           is_unsigned_to(tt, tp_a(tt, t, 2), depth - 1));
    default: return false;
  }
}
static bool is_unsigned(const tp_terms *tt, tp_term t) { return is_unsigned_to(tt, t, 4); }

const char *tp_c_int_name(uint32_t ptr_bits, uint32_t width, bool is_signed) {
  bool lp64 = ptr_bits == 64;
  switch (width) {
    case 8: return is_signed ? "signed char" : "unsigned char";
    case 16: return is_signed ? "short" : "unsigned short";
    case 32: return is_signed ? "int" : "unsigned";
    case 64:
      return is_signed ? (lp64 ? "long" : "long long")
             : lp64    ? "unsigned long"
                       : "unsigned long long";
    case 128: return is_signed ? "__int128" : "unsigned __int128";
    default: return NULL;
  }
}

static const char *type_name(tp_printer *p, uint32_t width, bool is_signed) {
  const char *name = tp_c_int_name(p->tt->ptr_bits, width, is_signed);
  return name ? name
              : tp_arena_printf(&p->arena, is_signed ? "_BitInt(%u)" : "unsigned _BitInt(%u)",
                                width);
}

// -------------------------------------------------------------------- constants

static void add_unsigned(tp_str *out, tp_u128 v, bool in_hex) {
  char digits[48];
  size_t at = sizeof digits;
  digits[--at] = 0;
  do {
    digits[--at] = "0123456789abcdef"[(uint32_t)(v % (in_hex ? 16 : 10))];
    v /= in_hex ? 16 : 10;
  } while (v);
  if (in_hex) tp_str_add(out, "0x");
  tp_str_add(out, digits + at);
}

static void add_bv(tp_str *out, tp_u128 v, uint32_t width, int how) {
  bool negative = tp_sign_bit(v, width) && width > 1;
  if (how & HEX && v > 9) {
    add_unsigned(out, v, true);
  } else if (negative && !(how & UNSIGNED)) {
    bool paren = (how & PRECEDENCE) > UNARY;
    tp_str_add(out, paren ? "(-" : "-");
    add_unsigned(out, tp_cut(~v + 1, width), false);
    if (paren) tp_str_add_char(out, ')');
  } else {
    add_unsigned(out, v, negative && v > 0xffff);
    if (negative) tp_str_add_char(out, 'u');
  }
}

static double as_double(tp_u128 bits, uint32_t width) {
  uint32_t low = (uint32_t)bits;
  uint64_t all = (uint64_t)bits;
  float f;
  double d;
  memcpy(&f, &low, sizeof f);
  memcpy(&d, &all, sizeof d);
  return width == 32 ? (double)f : d;
}

static void add_fp(tp_str *out, tp_u128 bits, uint32_t width) {
  double d = as_double(bits, width);
  if (d != d) {
    tp_str_add(out, "NAN");
  } else if (d - d != 0) {
    tp_str_add(out, d < 0 ? "-INFINITY" : "INFINITY");
  } else {
    size_t from = out->n;
    tp_str_printf(out, width == 32 ? "%.9g" : "%.17g", d);
    if (d == (double)(int64_t)d && d < 1e15 && d > -1e15)
      out->text[out->n = from] = 0, tp_str_printf(out, "%.1f", d);
    if (width == 32) tp_str_add_char(out, 'f');
  }
}

static void add_ptr(tp_printer *p, tp_term t, int how) {
  uint32_t object = tp_ptr_const_object(p->tt, t);
  uint64_t offset = tp_ptr_const_offset(p->tt, t);
  if (object == 0 && offset == 0)
    tp_str_add(p->out, "NULL");
  else if (object == 0)
    tp_str_printf(p->out, "(void *)%#llx", (unsigned long long)offset);
  else if (offset == 0)
    tp_str_printf(p->out, "&object%u", object);
  else
    tp_str_printf(p->out, (how & PRECEDENCE) > SUM ? "(&object%u + %llu)" : "&object%u + %llu",
                  object, (unsigned long long)offset);
}

static void constant(tp_printer *p, tp_term t, int how) {
  const tp_terms *tt = p->tt;
  switch ((int)tp_k(tt, t)) {
    case TP_OP_TRUE: tp_str_add(p->out, "true"); break;
    case TP_OP_FALSE: tp_str_add(p->out, "false"); break;
    case TP_OP_BV_CONST: add_bv(p->out, tp_bits(tt, t), tp_w(tt, t), how); break;
    case TP_OP_FP_CONST: add_fp(p->out, tp_bits(tt, t), tp_w(tt, t)); break;
    case TP_OP_PTR_CONST: add_ptr(p, t, how); break;
    case TP_OP_INT_CONST: tp_str_printf(p->out, "%lld", (long long)tp_int_value(tt, t)); break;
    default: tp_str_printf(p->out, "bound%u", tp_bound_number(tt, t)); break;
  }
}

// ----------------------------------------------------------------- expressions

/* Push `format` with its arguments, in parentheses if the context binds tighter than `mine`. */
#define EMIT(mine, ...)                                                        \
  do {                                                                         \
    bool paren_ = (how & PRECEDENCE) > (mine);                                 \
    if (paren_) tp_vec_push(&p->stack, (tp_print_item){")", TP_TERM_NONE, 0}); \
    tp_printer_push(p, __VA_ARGS__);                                           \
    if (paren_) tp_vec_push(&p->stack, (tp_print_item){"(", TP_TERM_NONE, 0}); \
  } while (0)

static bool is_named(const tp_printer *p, tp_term t) { return tp_map_has(&p->name, t.id); }

static bool is_negative_part(const tp_printer *p, tp_term t, bool is_last) {
  const tp_terms *tt = p->tt;
  if (is_named(p, t)) return false;
  tp_term_kind k = tp_k(tt, t);
  if (k == TP_OP_BV_NEG) return true;
  if (k == TP_OP_BV_CONST)
    return is_last && tp_sign_bit(tp_bits(tt, t), tp_w(tt, t)) && tp_w(tt, t) > 1;
  return k == TP_OP_BV_MUL && tp_is_bv(tt, tp_a(tt, t, 1)) &&
         tp_sign_bit(tp_bits(tt, tp_a(tt, t, 1)), tp_w(tt, t)) && tp_w(tt, t) > 1;
}

static tp_u128 magnitude(const tp_terms *tt, tp_term c) {
  return tp_cut(~tp_bits(tt, c) + 1, tp_w(tt, c));
}

static const char *number(tp_printer *p, tp_u128 v) {
  tp_str s = {0};
  add_unsigned(&s, v, false);
  const char *r = tp_arena_strdup(&p->arena, tp_str_text(&s));
  tp_str_clear(&s);
  return r;
}

/* One summand behind its sign; pushed, so called from the last to the first. */
static void push_summand(tp_printer *p, tp_term t, bool negative) {
  const tp_terms *tt = p->tt;
  if (!negative)
    tp_printer_push(p, "%T", t, SUM);
  else if (tp_k(tt, t) == TP_OP_BV_NEG)
    tp_printer_push(p, "%T", tp_a(tt, t, 0), PRODUCT);
  else if (tp_k(tt, t) == TP_OP_BV_CONST)
    tp_printer_push(p, "%s", number(p, magnitude(tt, t)));
  else
    tp_printer_push(p, "%T * %s", tp_a(tt, t, 0), PRODUCT,
                    number(p, magnitude(tt, tp_a(tt, t, 1))));
}

/* match: x + -y + c   shown as: x - y + c, positive parts first */
static void sum(tp_printer *p, tp_term t, int how) {
  const tp_terms *tt = p->tt;
  tp_term part[TP_TERM_PRINT_SUMMANDS];
  uint32_t n = 0;
  tp_term rest = t;
  while (n + 1 < TP_TERM_PRINT_SUMMANDS && tp_k(tt, rest) == TP_OP_BV_ADD &&
         (rest.id == t.id || !is_named(p, rest))) {
    part[n++] = tp_a(tt, rest, 1);  // from the last to the first
    rest = tp_a(tt, rest, 0);
  }
  part[n++] = rest;
  bool paren = (how & PRECEDENCE) > SUM;
  if (paren) tp_printer_push(p, ")");
  tp_term order[TP_TERM_PRINT_SUMMANDS];
  bool negative[TP_TERM_PRINT_SUMMANDS];
  uint32_t m = 0;
  const bool constant_last = tp_is_bv(tt, part[0]);
  for (int round = 0; round < 3; round++)  // positive, negative, constant
    for (uint32_t i = n; i-- > 0;) {
      bool is_const = i == 0 && constant_last, minus = is_negative_part(p, part[i], is_const);
      if (round != (is_const ? 2 : minus)) continue;
      negative[m] = minus;
      order[m++] = part[i];
    }
  if (negative[0] && !negative[m - 1]) {  // -x + c: show c - x
    tp_term c = order[m - 1];
    memmove(&order[1], &order[0], (m - 1) * sizeof order[0]);
    memmove(&negative[1], &negative[0], (m - 1) * sizeof negative[0]);
    order[0] = c, negative[0] = false;
  }
  for (uint32_t i = m; i-- > 0;) {
    push_summand(p, order[i], negative[i]);
    if (i > 0)
      tp_printer_push(p, negative[i] ? " - " : " + ");
    else if (negative[i])
      tp_printer_push(p, "-");
  }
  if (paren) tp_printer_push(p, "(");
}

/* The operand of an order or division of this signedness: cast unless C's rules give it already. */
static void push_operand(tp_printer *p, tp_term t, bool is_signed, bool fits, int precedence) {
  if (fits || tp_is_bv(p->tt, t))
    tp_printer_push(p, "%T", t, precedence | (is_signed ? 0 : UNSIGNED));
  else
    tp_printer_push(p, "(%s)%T", type_name(p, tp_w(p->tt, t), is_signed), t, UNARY);
}

static void signed_binary(tp_printer *p, tp_term t, const char *op, bool is_signed, int mine,
                          int how) {
  const tp_terms *tt = p->tt;
  tp_term a = tp_a(tt, t, 0), b = tp_a(tt, t, 1);
  bool ua = is_unsigned(tt, a), ub = is_unsigned(tt, b);
  bool narrow = tp_w(tt, a) < 32;  // promoted to int: value comparison
  bool fits = is_signed ? !ua && !ub
              : narrow  ? (ua || tp_is_bv(tt, a)) && (ub || tp_is_bv(tt, b))
                        : ua || ub;
  bool paren = (how & PRECEDENCE) > mine;
  if (paren) tp_printer_push(p, ")");
  push_operand(p, b, is_signed, fits || (is_signed && !ub), mine + 1);
  tp_printer_push(p, " %s ", op);
  push_operand(p, a, is_signed, fits || (is_signed && !ua), mine);
  if (paren) tp_printer_push(p, "(");
}

static bool is_plain(const tp_terms *tt, tp_term t) {
  tp_term_kind k = tp_k(tt, t);
  return k == TP_OP_VAR || k == TP_OP_SELECT;
}

static void extension(tp_printer *p, tp_term t, int how) {
  const tp_terms *tt = p->tt;
  tp_term x = tp_a(tt, t, 0);
  bool is_signed = tp_k(tt, t) == TP_OP_BV_SEXT, agrees = is_unsigned(tt, x) != is_signed;
  if (agrees && is_plain(tt, x)) {
    tp_printer_push(p, "%T", x, how);
    return;
  }
  const char *to = type_name(p, tp_w(tt, t), is_signed);
  if (agrees)
    EMIT(UNARY, "(%s)%T", to, x, UNARY);
  else
    EMIT(UNARY, "(%s)(%s)%T", to, type_name(p, tp_w(tt, x), is_signed), x, UNARY);
}

static void extract(tp_printer *p, tp_term t, int how) {
  const tp_terms *tt = p->tt;
  tp_term x = tp_a(tt, t, 0);
  uint32_t lo = tp_extract_lo(tt, t), w = tp_w(tt, t);
  if (lo == 0 && (w == 8 || w == 16 || w == 32 || w == 64)) {
    EMIT(UNARY, "(%s)%T", type_name(p, w, !is_unsigned(tt, x)), x, UNARY);
    return;
  }
  tp_str mask = {0};
  add_unsigned(&mask, tp_mask(w), w > 3);
  const char *m = tp_arena_strdup(&p->arena, tp_str_text(&mask));
  tp_str_clear(&mask);
  if (lo == 0)
    EMIT(BITS, "%T & %s", x, UNARY, m);
  else
    EMIT(BITS, "%T >> %s & %s", x, UNARY, number(p, lo), m);
}

static void negation(tp_printer *p, tp_term t, int how) {
  const tp_terms *tt = p->tt;
  tp_term x = tp_a(tt, t, 0);
  if (tp_k(tt, x) == TP_OP_EQ && !is_named(p, x))
    EMIT(EQUAL, "%T != %T", tp_a(tt, x, 0), LESS, tp_a(tt, x, 1), LESS);
  else
    EMIT(UNARY, "!%T", x, UNARY);
}

/* Chains of one operator need no inner parentheses; mixed ones get them. */
static void chain(tp_printer *p, tp_term t, const char *op, int mine, int constants, int how) {
  const tp_terms *tt = p->tt;
  tp_term a = tp_a(tt, t, 0), b = tp_a(tt, t, 1);
  int tight = mine == OROR || mine == ANDAND ? BITS : UNARY;
  EMIT(mine, "%T %s %T", a, (tp_k(tt, a) == tp_k(tt, t) ? mine : tight) | constants, op, b,
       tight | constants);
}

static void call(tp_printer *p, const char *name, tp_term t) {
  const tp_terms *tt = p->tt;
  switch (tp_n_args(tt, t)) {
    case 1: tp_printer_push(p, "%s(%t)", name, tp_a(tt, t, 0)); break;
    case 2: tp_printer_push(p, "%s(%t, %t)", name, tp_a(tt, t, 0), tp_a(tt, t, 1)); break;
    default:
      tp_printer_push(p, "%s(%t, %t, %t)", name, tp_a(tt, t, 0), tp_a(tt, t, 1), tp_a(tt, t, 2));
      break;
  }
}

static void conditional(tp_printer *p, tp_term t, int how) {
  const tp_terms *tt = p->tt;
  tp_term c = tp_a(tt, t, 0), a = tp_a(tt, t, 1), b = tp_a(tt, t, 2);
  bool zero_one =
      tp_is_bv(tt, a) && tp_is_bv(tt, b) && tp_bits(tt, a) + tp_bits(tt, b) == 1 && tp_w(tt, a) > 1;
  if (zero_one && tp_bits(tt, a) == 1)
    tp_printer_push(p, "%T", c, how & PRECEDENCE);
  else if (zero_one)
    EMIT(UNARY, "!%T", c, UNARY);
  else
    EMIT(COND, "%T ? %T : %T", c, OROR, a, OROR, b, COND);
}

static void application(tp_printer *p, tp_term t, int how) {
  const tp_terms *tt = p->tt;
  const tp_term a = tp_a(tt, t, 0), b = tp_a(tt, t, 1), c = tp_a(tt, t, 2);
  const uint32_t w = tp_w(tt, t);
  const char *const f = w == 32 ? "f" : "";
  switch ((int)tp_k(tt, t)) {
    case TP_OP_NOT: negation(p, t, how); break;
    case TP_OP_AND: chain(p, t, "&&", ANDAND, 0, how); break;
    case TP_OP_OR: chain(p, t, "||", OROR, 0, how); break;
    case TP_OP_XOR: EMIT(EQUAL, "%T != %T", a, LESS, b, LESS); break;
    case TP_OP_EQ: {
      int constants = tp_sk(tt, a) == TP_SORT_BV && is_unsigned(tt, a) ? UNSIGNED : 0;
      EMIT(EQUAL, "%T == %T", a, LESS | constants, b, LESS | constants);
      break;
    }
    case TP_OP_ITE: conditional(p, t, how); break;
    case TP_OP_BV_ADD: sum(p, t, how); break;
    case TP_OP_BV_MUL: EMIT(PRODUCT, "%T * %T", a, PRODUCT, b, UNARY); break;
    case TP_OP_BV_NEG:
    case TP_OP_FP_NEG: EMIT(UNARY, "-%T", a, POSTFIX); break;
    case TP_OP_BV_NOT: EMIT(UNARY, "~%T", a, UNARY); break;
    case TP_OP_BV_UDIV: signed_binary(p, t, "/", false, PRODUCT, how); break;
    case TP_OP_BV_SDIV: signed_binary(p, t, "/", true, PRODUCT, how); break;
    case TP_OP_BV_UREM: signed_binary(p, t, "%", false, PRODUCT, how); break;
    case TP_OP_BV_SREM: signed_binary(p, t, "%", true, PRODUCT, how); break;
    case TP_OP_BV_AND: chain(p, t, "&", BITS, HEX, how); break;
    case TP_OP_BV_OR: chain(p, t, "|", BITS, HEX, how); break;
    case TP_OP_BV_XOR: chain(p, t, "^", BITS, HEX, how); break;
    case TP_OP_BV_SHL: EMIT(SHIFT, "%T << %T", a, UNARY, b, UNARY); break;
    case TP_OP_BV_LSHR:
      if (is_unsigned(tt, a))
        EMIT(SHIFT, "%T >> %T", a, UNARY, b, UNARY);
      else
        EMIT(SHIFT, "(%s)%T >> %T", type_name(p, w, false), a, UNARY, b, UNARY);
      break;
    case TP_OP_BV_ASHR:
      if (!is_unsigned(tt, a))
        EMIT(SHIFT, "%T >> %T", a, UNARY, b, UNARY);
      else
        EMIT(SHIFT, "(%s)%T >> %T", type_name(p, w, true), a, UNARY, b, UNARY);
      break;
    case TP_OP_BV_ULT: signed_binary(p, t, "<", false, LESS, how); break;
    case TP_OP_BV_ULE: signed_binary(p, t, "<=", false, LESS, how); break;
    case TP_OP_BV_SLT: signed_binary(p, t, "<", true, LESS, how); break;
    case TP_OP_BV_SLE: signed_binary(p, t, "<=", true, LESS, how); break;
    case TP_OP_BV_CONCAT:
      EMIT(BITS, "(%s)%T << %s | %T", type_name(p, w, false), a, UNARY, number(p, tp_w(tt, b)), b,
           UNARY);
      break;
    case TP_OP_BV_EXTRACT: extract(p, t, how); break;
    case TP_OP_BV_ZEXT:
    case TP_OP_BV_SEXT: extension(p, t, how); break;
    case TP_OP_FP_ADD: EMIT(SUM, "%T + %T", a, SUM, b, PRODUCT); break;
    case TP_OP_FP_SUB: EMIT(SUM, "%T - %T", a, SUM, b, PRODUCT); break;
    case TP_OP_FP_MUL: EMIT(PRODUCT, "%T * %T", a, PRODUCT, b, UNARY); break;
    case TP_OP_FP_DIV: EMIT(PRODUCT, "%T / %T", a, PRODUCT, b, UNARY); break;
    case TP_OP_FP_EQ: EMIT(EQUAL, "%T == %T", a, LESS, b, LESS); break;
    case TP_OP_FP_LT: EMIT(LESS, "%T < %T", a, LESS, b, SHIFT); break;
    case TP_OP_FP_LE: EMIT(LESS, "%T <= %T", a, LESS, b, SHIFT); break;
    case TP_OP_FP_IS_NAN: call(p, "isnan", t); break;
    case TP_OP_FP_IS_INF: call(p, "isinf", t); break;
    case TP_OP_FP_REM: call(p, tp_arena_printf(&p->arena, "fmod%s", f), t); break;
    case TP_OP_FP_ABS: call(p, tp_arena_printf(&p->arena, "fabs%s", f), t); break;
    case TP_OP_FP_SQRT: call(p, tp_arena_printf(&p->arena, "sqrt%s", f), t); break;
    case TP_OP_FP_FMA: call(p, tp_arena_printf(&p->arena, "fma%s", f), t); break;
    case TP_OP_FP_MIN: call(p, tp_arena_printf(&p->arena, "fmin%s", f), t); break;
    case TP_OP_FP_MAX: call(p, tp_arena_printf(&p->arena, "fmax%s", f), t); break;
    case TP_OP_FP_ROUND: {
      static const char *const names[] = {"rint", "trunc", "ceil", "floor", "round"};
      call(p, tp_arena_printf(&p->arena, "%s%s", names[tp_round_of(tt, t)], f), t);
      break;
    }
    case TP_OP_FP_OF_BITS: call(p, w == 32 ? "float_of_bits" : "double_of_bits", t); break;
    case TP_OP_FP_TO_BITS: call(p, "bits", t); break;
    case TP_OP_FP_OF_FP:
    case TP_OP_FP_OF_SBV: EMIT(UNARY, "(%s)%T", w == 32 ? "float" : "double", a, UNARY); break;
    case TP_OP_FP_OF_UBV:
      if (is_unsigned(tt, a))
        EMIT(UNARY, "(%s)%T", w == 32 ? "float" : "double", a, UNARY);
      else
        EMIT(UNARY, "(%s)(%s)%T", w == 32 ? "float" : "double", type_name(p, tp_w(tt, a), false), a,
             UNARY);
      break;
    case TP_OP_FP_TO_SBV: EMIT(UNARY, "(%s)%T", type_name(p, w, true), a, UNARY); break;
    case TP_OP_FP_TO_UBV: EMIT(UNARY, "(%s)%T", type_name(p, w, false), a, UNARY); break;
    case TP_OP_PTR_MK: call(p, "pointer", t); break;
    case TP_OP_PTR_OBJ: call(p, "object", t); break;
    case TP_OP_PTR_OFF: call(p, "offset", t); break;
    case TP_OP_PTR_ADD:
      if (is_negative_part(p, b, true)) {
        bool paren = (how & PRECEDENCE) > SUM;
        if (paren) tp_printer_push(p, ")");
        push_summand(p, b, true);
        tp_printer_push(p, "%T - ", a, SUM);
        if (paren) tp_printer_push(p, "(");
      } else {
        EMIT(SUM, "%T + %T", a, SUM, b, PRODUCT);
      }
      break;
    case TP_OP_PTR_TO_INT: EMIT(UNARY, "(%s)%T", type_name(p, w, false), a, UNARY); break;
    case TP_OP_INT_TO_PTR: EMIT(UNARY, "(void *)%T", a, UNARY); break;
    case TP_OP_SELECT: tp_printer_push(p, "%T[%t]", a, POSTFIX, b); break;
    case TP_OP_STORE: tp_printer_push(p, "%T{[%t] = %t}", a, POSTFIX, b, c); break;
    case TP_OP_CONST_ARRAY: tp_printer_push(p, "{[...] = %t}", a); break;
    case TP_OP_INT_ADD: EMIT(SUM, "%T + %T", a, SUM, b, PRODUCT); break;
    case TP_OP_INT_MUL: EMIT(PRODUCT, "%T * %T", a, PRODUCT, b, UNARY); break;
    case TP_OP_INT_LE: EMIT(LESS, "%T <= %T", a, LESS, b, SHIFT); break;
    case TP_OP_INT_LT: EMIT(LESS, "%T < %T", a, LESS, b, SHIFT); break;
    case TP_OP_INT_OF_SBV:
    case TP_OP_INT_OF_UBV: call(p, "integer", t); break;
    case TP_OP_FORALL: EMIT(ANY, "forall bound%s. %t", number(p, tp_bound_number(tt, t)), a); break;
    case TP_OP_EXISTS: EMIT(ANY, "exists bound%s. %t", number(p, tp_bound_number(tt, t)), a); break;
    default: break;
  }
}

static void one(tp_printer *p, tp_term t, int how) {
  uint64_t n;
  if (tp_map_get(&p->name, t.id, &n))
    tp_str_printf(p->out, "e%llu", (unsigned long long)n);
  else if (tp_k(p->tt, t) == TP_OP_VAR)
    tp_str_add(p->out, tp_var_name(p->tt, t));
  else if (tp_n_args(p->tt, t) == 0)
    constant(p, t, how);
  else
    application(p, t, how);
}

/* Size of t written out as a tree, at most the limit. */
static bool is_small_tree(const tp_printer *p, uint64_t limit) {
  tp_map size = {0};
  uint64_t s = 0;
  for (size_t i = 0; i < p->ids.n && s <= limit; i++) {
    tp_term t = {p->ids.at[i]};
    s = 1;
    for (uint32_t j = 0; j < tp_n_args(p->tt, t); j++) {
      uint64_t a = 0;
      (void)tp_map_get(&size, tp_a(p->tt, t, j).id, &a);
      s += a;
    }
    tp_map_set(&size, t.id, s);
  }
  tp_map_clear(&size);
  return s <= limit;
}

void tp_print_c(const tp_terms *tt, tp_term t, tp_c_style style, tp_str *out) {
  if (style == TP_C_COMPILABLE) {
    tp_print_c_compilable(tt, t, out);
    return;
  }
  tp_printer p;
  tp_printer_init(&p, tt, t, out);
  if (is_small_tree(&p, TP_TERM_PRINT_TREE)) {
    tp_printer_run(&p, t, ANY, one);
  } else {  // name what is shared: { e1 = ...; e2 = ...; e }
    tp_printer_choose_names(&p, t, &(tp_naming){NULL, 0});
    tp_str_add(out, "{ ");
    for (size_t i = 0; i < p.name.n; i++) {
      tp_str_printf(out, "e%llu = ", (unsigned long long)p.name.entries[i].value);
      application(&p, (tp_term){(uint32_t)p.name.entries[i].key}, ANY);
      while (p.stack.n) {
        tp_print_item item = tp_vec_pop(&p.stack);
        if (item.text)
          tp_str_add(out, item.text);
        else
          one(&p, item.term, item.precedence);
      }
      tp_str_add(out, "; ");
    }
    tp_printer_run(&p, t, ANY, one);
    tp_str_add(out, " }");
  }
  tp_printer_clear(&p);
}
